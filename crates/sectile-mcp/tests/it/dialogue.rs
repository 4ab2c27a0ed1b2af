//! An agent that finds its way: contents, a section, a question, what stands around the answer.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::agent::{Agent, Place, Reply, corpus, size};

const HANDBOOK: &str = "# Handbook\n\nHow we work.\n\n# Operations\n\n## Deploys\n\nDeploys are on \
    Tuesdays.\n\n### Rollback\n\nTo undo a deploy, run `undo` within an hour. After that, call the \
    person on duty.\n\n## Backups\n\nEvery night.\n\n# People\n\n## On duty\n\nAda this week.\n";

/// An agent that notes what each answer costs.
struct Noted<'a> {
    place: &'a Place,
    agent: Agent,
    table: String,
}

impl Noted<'_> {
    async fn ask(&mut self, tool: &'static str, arguments: Value) -> Reply {
        let written = format!("{tool} {arguments}");
        let reply = self.agent.ok(tool, arguments).await;
        let counter = self.place.library.counter();
        let (text, facts) = (
            counter.count(&reply.text),
            counter.count(&reply.facts.to_string()),
        );
        let _ = writeln!(self.table, "| `{written}` | {text} | {facts} |");
        assert!(size(&self.place.library, &reply) <= 4_000);
        reply
    }
}

/// Goes from the contents of a document to the answer of a question, giving no more than what the
/// answers before said.
async fn dialogue(place: &Place, document: &str, chapter: &str, question: &str) -> (Reply, String) {
    let mut noted = Noted {
        place,
        agent: place.agent().await,
        table: String::new(),
    };
    let contents = noted.ask("toc", json!({"document": document})).await;
    let rows = contents.facts["sections"].as_array().unwrap();
    let row = rows.iter().find(|row| row[1] == chapter).unwrap();
    noted
        .ask("get", json!({"document": document, "section": row[2]}))
        .await;
    let hits = noted
        .ask("search", json!({"query": question, "limit": 5}))
        .await;
    let hit = &hits.facts["hits"][0];
    let around = json!({"document": hit["document"], "section": hit["section"]});
    let answer = noted.ask("get", around).await;
    (answer, noted.table)
}

#[tokio::test]
async fn an_agent_goes_from_the_contents_to_the_answer() {
    let place = Place::with_document("handbook.md", HANDBOOK).await;
    let (answer, _) = dialogue(&place, "handbook.md", "People", "how do I undo a deploy?").await;
    let text = answer.facts["text"].as_str().unwrap();
    assert!(text.starts_with("### Rollback") && text.contains("run `undo` within an hour"));
    assert_eq!(
        answer.facts["heading_path"],
        "Operations > Deploys > Rollback"
    );
}

/// On a real file, with the tokens of each answer: set `SECTILE_CORPUS` and add `--nocapture`.
#[tokio::test]
async fn an_agent_reads_documentation_of_a_megabyte() {
    let Some(corpus) = corpus() else {
        return;
    };
    let text = std::fs::read_to_string(corpus.join("llms/mina.txt")).unwrap();
    let place = Place::with_document("mina.txt", &text).await;
    let question = "how can I enforce that an account update is signed by the account owner?";
    let (answer, table) = dialogue(&place, "mina.txt", "Scan State", question).await;
    assert!(answer.text.contains("requireSignature"), "{}", answer.text);
    let whole = place.library.counter().count(&text);
    println!(
        "\nThe document: {whole} tokens\n\n| call | tokens of the text | of the facts |\n|---|---|---|\n{table}"
    );
}
