//! Writes a note and counts all, with one connection that writes and several that read.
//!
//! ```sh
//! cargo run -p sectile-sqlite --example notes -- "Deploys are on Tuesdays."
//! ```

use sectile_sqlite::rusqlite::Connection;
use sectile_sqlite::{Options, Readers, Writer};

#[expect(clippy::print_stdout, reason = "that is what it is for")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let note = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "A note.".to_owned());
    let folder = tempfile::tempdir()?;
    // With a write-ahead log those who read never wait for the one who writes.
    let options = Options::new(folder.path().join("notes.db")).write_ahead_log();
    let writer = Writer::open(options.clone()).await?;
    let readers = Readers::new(options, 4, writer.file().clone());

    let add = move |connection: &mut Connection| {
        connection.execute_batch("CREATE TABLE IF NOT EXISTS notes (text TEXT)")?;
        connection.execute("INSERT INTO notes VALUES (?1)", [note])
    };
    writer.run(add).await??;

    let count = |connection: &mut Connection| {
        connection.query_row("SELECT count(*) FROM notes", [], |row| row.get::<_, i64>(0))
    };
    println!("{} notes", readers.run(count).await??);
    readers.close().await?;
    writer.close().await?;
    Ok(())
}
