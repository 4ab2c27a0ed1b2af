//! Measures one way to keep checkpoints, for scripts/compare-checkpointers.
//!
//!     checkpoint-peers NAME DATABASE STATE COUNT
//!
//! `DATABASE` is the path of a file or the address of a server, without tables; `STATE` a file with
//! the state. Prints a JSON object: what was measured, and how often it was done in a second.

mod checkpointer;
mod long;
mod measure;
mod plain;
mod state;
mod statement;

use anyhow::{Context as _, bail};
use sectile_checkpoint_sqlite::Durability;

use crate::measure::Rates;
use crate::state::State;

/// What is measured with.
struct Work {
    state: State,
    count: usize,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, database, path, count] = &arguments[..] else {
        bail!("NAME DATABASE STATE COUNT");
    };
    let json = std::fs::read_to_string(path).context("the state cannot be read")?;
    let work = Work {
        state: serde_json::from_str(&json)?,
        count: count.parse()?,
    };
    let (name, database) = (name.clone(), database.clone());
    // In a task, as in a server; the main thread is woken by other ways.
    let rates = tokio::spawn(async move { run(&name, &database, &work).await }).await??;
    println!("{}", serde_json::to_string(&rates)?);
    Ok(())
}

async fn run(name: &str, database: &str, work: &Work) -> anyhow::Result<Rates> {
    match name {
        "sectile-full" => checkpointer::sqlite(database, work, Durability::Full).await,
        "sectile-normal" => checkpointer::sqlite(database, work, Durability::Normal).await,
        "sectile-postgres" => checkpointer::postgres(database, work).await,
        "long-full" => long::sqlite(database, work).await,
        "long-postgres" => long::postgres(database, work).await,
        "sqlx-full" => statement::run(database, work, Durability::Full).await,
        "sqlx-normal" => statement::run(database, work, Durability::Normal).await,
        "plain-full" => plain::run(database, work, Durability::Full),
        "plain-normal" => plain::run(database, work, Durability::Normal),
        other => bail!("no way is called {other}"),
    }
}
