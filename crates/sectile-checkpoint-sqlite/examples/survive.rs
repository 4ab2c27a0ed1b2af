//! Counts, and goes on where it was however often it is killed.
//!
//! ```sh
//! cargo run -p sectile-checkpoint-sqlite --example survive -- runs.db
//! ```
//!
//! Kill it with `kill -9` and start it again: the first line says where it goes on.

use std::io::Write as _;
use std::time::Duration;

use sectile_checkpoint::{Checkpoint, Checkpointer as _, Result};
use sectile_checkpoint_sqlite::SqliteCheckpointer;
use serde_json::{Value, json};

#[tokio::main]
async fn main() -> Result<()> {
    let file = std::env::args().nth(1).unwrap_or("runs.db".into());
    let checkpointer = SqliteCheckpointer::builder(&format!("sqlite:{file}"))
        .connect()
        .await?;
    checkpointer.migrate().await?;

    let latest: Option<Checkpoint<Value>> = checkpointer.load("counter").await?;
    let mut number = latest.map_or(0, |latest| latest.state["number"].as_u64().unwrap_or(0));
    say(&format!("going on after {number}"));
    loop {
        number += 1;
        let state = json!({ "number": number });
        let checkpoint = Checkpoint::new("counter", state).at_step(number, "count");
        checkpointer.save(&checkpoint).await?;
        // What is said now was saved: no kill takes it back.
        say(&format!("counted to {number}"));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn say(line: &str) {
    // Where nobody listens there is nobody to tell.
    let _ = writeln!(std::io::stdout(), "{line}");
}
