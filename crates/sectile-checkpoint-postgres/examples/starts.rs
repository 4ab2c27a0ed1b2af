//! Counts how often it was started, on whichever machine.
//!
//! ```sh
//! cargo run -p sectile-checkpoint-postgres --example starts -- postgres://localhost/app
//! ```

use sectile_checkpoint::{Checkpoint, Checkpointer as _, Result};
use sectile_checkpoint_postgres::PostgresCheckpointer;

#[expect(clippy::print_stdout, reason = "that is what it is for")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let Some(address) = std::env::args().nth(1) else {
        println!("usage: starts postgres://USER:PASSWORD@HOST/DATABASE");
        return Ok(());
    };
    let checkpointer = PostgresCheckpointer::builder(&address).connect().await?;
    checkpointer.migrate().await?;

    let latest: Option<Checkpoint<u64>> = checkpointer.load("starts").await?;
    let starts = latest.map_or(0, |latest| latest.state) + 1;
    let checkpoint = Checkpoint::new("starts", starts).at_step(starts, "start");
    let saved = checkpointer.save(&checkpoint).await?;
    println!("start {starts}, checkpoint {} of its thread", saved.seq);
    Ok(())
}
