//! Shows what of a state goes to the tables `sessions`, `messages` and `graph_triples`, and what does not.
//!
//! ```sh
//! cargo run -p sectile-checkpoint-sql --example project
//! ```

use sectile_checkpoint_sql::{DefaultProjector, Projector as _};
use serde_json::{Map, json};

#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn main() {
    let metadata = Map::from_iter([("title".to_owned(), json!("Tides"))]);
    let state = json!({
        "messages": [
            {"role": "user", "content": "When is high tide?"},
            {"role": "assistant", "content": "At noon."},
            "a text without a role",
        ],
        "triples": [{"subject": "tide", "predicate": "follows", "object": "moon", "score": 0.9}],
    });

    let projection = DefaultProjector.project(&metadata, &state);
    let title = projection.session.and_then(|session| session.title);
    println!("title: {}", title.unwrap_or_default());
    for message in projection.messages {
        println!("{}: {}", message.role, message.content);
    }
    for triple in projection.triples {
        println!("{} {} {}", triple.subject, triple.predicate, triple.object);
    }
    for shape in projection.unmapped {
        println!("left out: {shape}");
    }
}
