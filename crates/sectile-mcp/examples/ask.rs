//! Asks the server a question as an agent's client does, and prints what the agent would read.
//!
//! ```sh
//! cargo run -p sectile-mcp --example ask
//! ```

use sectile::Library;
use sectile_mcp::Server;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

/// The bytes of a message that may wait to be read.
const PIPE: usize = 1 << 16;

#[expect(clippy::print_stdout, reason = "that is what it is for")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let docs = folder.path().join("docs");
    std::fs::create_dir(&docs)?;
    std::fs::write(
        docs.join("guide.md"),
        "# Guide\n\n## Install\n\nRun `make install`.\n",
    )?;
    let store = format!("sqlite:{}", folder.path().join("store.db").display());
    let library = Library::open(&store).await?;
    library.ingest("default", &[docs], &|_| ()).await?;

    // A program would call `serve_stdio`; here the client is at the other end of a pipe.
    let (client, server) = tokio::io::duplex(PIPE);
    let (input, output) = tokio::io::split(server);
    let serving = tokio::spawn(sectile_mcp::serve(Server::new(library), input, output));
    let (answers, mut requests) = tokio::io::split(client);
    for message in messages() {
        requests
            .write_all(format!("{message}\n").as_bytes())
            .await?;
    }
    let mut answers = BufReader::new(answers).lines();
    while let Some(line) = answers.next_line().await? {
        let answer: Value = serde_json::from_str(&line)?;
        if answer["id"] == 2 {
            let text = answer["result"]["content"][0]["text"].as_str();
            println!("{}", text.unwrap_or(&line));
            break;
        }
    }
    requests.shutdown().await?;
    drop((answers, requests));
    serving.await??;
    Ok(())
}

/// Returns what a client sends: two messages to begin with, and the call of a tool.
fn messages() -> [Value; 3] {
    let client = json!({"name": "ask", "version": "1"});
    let first = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let call = json!({"name": "search", "arguments": {"query": "how do I install it?"}});
    [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": first}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
    ]
}
