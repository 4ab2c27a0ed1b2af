//! The server on a pair of streams.

use sectile_mcp::Server;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::task::JoinHandle;

use super::agent::Place;

type Serving = JoinHandle<Result<(), sectile_mcp::Error>>;

/// Serves on a stream of which the client has the other end.
fn served(place: &Place) -> (DuplexStream, Serving) {
    let server = Server::new(place.library.clone());
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(theirs);
    (
        ours,
        tokio::spawn(sectile_mcp::serve(server, input, output)),
    )
}

#[tokio::test]
async fn a_client_that_begins_with_a_notification_ends_the_server_quietly() {
    let place = Place::new().await;
    let (mut ours, serving) = served(&place);
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    ours.write_all(format!("{notification}\n").as_bytes())
        .await
        .unwrap();
    serving.await.unwrap().unwrap();
    let mut said = String::new();
    ours.read_to_string(&mut said).await.unwrap();
    assert_eq!(said, "");
}

#[tokio::test]
async fn a_line_that_is_no_json_is_answered_and_the_next_one_too() {
    let place = Place::new().await;
    let (mut ours, serving) = served(&place);
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let ping = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
    let lines = format!("{{\"jsonrpc\":\n\n{initialize}\n\u{1}\n{initialized}\n{ping}\nnope");
    ours.write_all(lines.as_bytes()).await.unwrap();
    ours.shutdown().await.unwrap();
    let mut said = String::new();
    ours.read_to_string(&mut said).await.unwrap();
    let answers: Vec<serde_json::Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let errors = answers
        .iter()
        .filter(|answer| answer["error"]["code"] == -32700);
    assert_eq!(errors.count(), 3, "{said}");
    assert!(answers.iter().any(|answer| answer["id"] == 1), "{said}");
    assert!(answers.iter().any(|answer| answer["id"] == 2), "{said}");
    serving.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_last_message_needs_no_end_of_its_line() {
    let place = Place::new().await;
    let (mut ours, serving) = served(&place);
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
    ours.write_all(initialize.as_bytes()).await.unwrap();
    ours.shutdown().await.unwrap();
    let mut said = String::new();
    ours.read_to_string(&mut said).await.unwrap();
    assert!(
        said.contains("\"protocolVersion\":\"2025-11-25\""),
        "{said}"
    );
    serving.await.unwrap().unwrap();
}
