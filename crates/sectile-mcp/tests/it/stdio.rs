//! The server on a pair of streams.

use sectile_mcp::Server;
use serde_json::json;
use tokio::io::{
    AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream,
};
use tokio::task::JoinHandle;

use super::agent::Place;
use super::models::Patient;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

type Serving = JoinHandle<Result<(), sectile_mcp::Error>>;

/// Serves on a stream of which the client has the other end.
fn served(place: &Place) -> (DuplexStream, Serving) {
    served_by(Server::new(place.library.clone()))
}

fn served_by(server: Server) -> (DuplexStream, Serving) {
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
    ours.write_all(format!("{INITIALIZED}\n").as_bytes())
        .await
        .unwrap();
    serving.await.unwrap().unwrap();
    let mut said = String::new();
    ours.read_to_string(&mut said).await.unwrap();
    assert_eq!(said, "");
}

/// Sends a server some text, and returns its answers.
async fn answers(sent: &str) -> Vec<serde_json::Value> {
    answers_to(sent.as_bytes()).await
}

/// Sends a server some bytes, and returns its answers.
async fn answers_to(sent: &[u8]) -> Vec<serde_json::Value> {
    let place = Place::new().await;
    let (mut ours, serving) = served(&place);
    ours.write_all(sent).await.unwrap();
    ours.shutdown().await.unwrap();
    let mut said = String::new();
    ours.read_to_string(&mut said).await.unwrap();
    serving.await.unwrap().unwrap();
    said.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[tokio::test]
async fn a_line_that_is_no_json_is_answered_and_the_next_one_too() {
    let ping = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
    let lines = format!("{{\"jsonrpc\":\n\n{INITIALIZE}\n\u{1}\n{INITIALIZED}\n{ping}\nnope");
    let answers = answers(&lines).await;
    let errors = answers
        .iter()
        .filter(|answer| answer["error"]["code"] == -32700);
    assert_eq!(errors.count(), 3, "{answers:?}");
    assert!(
        answers.iter().any(|answer| answer["id"] == 1),
        "{answers:?}"
    );
    assert!(
        answers.iter().any(|answer| answer["id"] == 2),
        "{answers:?}"
    );
}

#[tokio::test]
async fn what_is_no_message_is_answered_with_its_id_or_none() {
    for (line, id, said) in [
        ("[]", "null", "one JSON object"),
        ("5", "null", "one JSON object"),
        (
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            "null",
            "`id`",
        ),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            "null",
            "`id`",
        ),
        (
            r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#,
            "7",
            "`jsonrpc`",
        ),
        (r#"{"id":"a","method":"ping"}"#, "\"a\"", "`jsonrpc`"),
        (r#"{"jsonrpc":"2.0","id":7,"method":1}"#, "7", "`method`"),
        (r#"{"jsonrpc":"2.0","id":7}"#, "7", "`method`"),
    ] {
        let answers = answers(&format!("{INITIALIZE}\n{INITIALIZED}\n{line}\n")).await;
        let is_refusal = |answer: &&serde_json::Value| answer["error"]["code"] == -32600;
        let mut refusals = answers.iter().filter(is_refusal);
        let refusal = refusals.next().unwrap();
        assert!(refusals.next().is_none(), "{line}: {answers:?}");
        assert_eq!(refusal.get("id").map(ToString::to_string), Some(id.into()));
        let message = refusal["error"]["message"].as_str().unwrap();
        assert!(message.contains(said), "{line}: {message}");
    }
}

#[tokio::test]
async fn what_the_server_cannot_read_is_answered_with_its_id() {
    let call = |id: &str, arguments: &[u8]| {
        let begin = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":"#);
        let params = [&br#"{"name":"search","arguments":"#[..], arguments, b"}}"].concat();
        [begin.as_bytes(), &params].concat()
    };
    let deep = [br#"{"a":"#.repeat(300), b"1".to_vec(), b"}".repeat(300)].concat();
    let twice = br#"{"jsonrpc":"2.0","id":"x","method":"ping","params":{},"params":{}}"#;
    for (line, id, code) in [
        (call("40", b"{\"query\":\"\xff\xfe\"}"), "40", -32700),
        (call("41", br#"{"query":"x \ud83d"}"#), "41", -32700),
        (call("42", br#"{"limit":1e999}"#), "42", -32700),
        (call("43", &deep), "43", -32700),
        (twice.to_vec(), "\"x\"", -32600),
    ] {
        let begin = format!("{INITIALIZE}\n{INITIALIZED}\n");
        let answers = answers_to(&[begin.as_bytes(), &line, b"\n"].concat()).await;
        let errors: Vec<_> = answers
            .iter()
            .filter(|answer| answer.get("error").is_some())
            .collect();
        let line = String::from_utf8_lossy(&line);
        assert_eq!(errors.len(), 1, "{line}: {answers:?}");
        assert_eq!(errors[0]["id"].to_string(), id, "{line}");
        assert_eq!(errors[0]["error"]["code"], code, "{line}");
    }
}

#[tokio::test]
async fn a_line_that_is_too_long_is_answered_and_the_next_one_too() {
    let ping = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
    let long = "y".repeat(33 << 20);
    let answers = answers(&format!("{INITIALIZE}\n{INITIALIZED}\n{long}\n{ping}\n")).await;
    let errors: Vec<_> = answers
        .iter()
        .filter(|answer| answer.get("error").is_some())
        .collect();
    assert_eq!(errors.len(), 1, "{answers:?}");
    let message = errors[0]["error"]["message"].as_str().unwrap();
    assert!(message.contains("16 MiB"), "{message}");
    assert!(
        answers.iter().any(|answer| answer["id"] == 2),
        "{answers:?}"
    );
}

#[tokio::test]
async fn wrong_parameters_are_told_from_an_unknown_method() {
    for (method, params, code) in [
        ("tools/call", r#"{"name":5}"#, -32602),
        ("tools/call", "{}", -32602),
        ("resources/read", r#"{"uri":[]}"#, -32602),
        ("prompts/get", "{}", -32602),
        ("completion/complete", "{}", -32602),
        ("tools/nothing", "{}", -32601),
        ("logging/setLevel", r#"{"level":"debug"}"#, -32601),
        ("resources/subscribe", r#"{"uri":"sectile://a/b"}"#, -32601),
        (
            "resources/unsubscribe",
            r#"{"uri":"sectile://a/b"}"#,
            -32601,
        ),
    ] {
        let request =
            format!(r#"{{"jsonrpc":"2.0","id":2,"method":"{method}","params":{params}}}"#);
        let answers = answers(&format!("{INITIALIZE}\n{INITIALIZED}\n{request}\n")).await;
        let error = &answers.iter().find(|answer| answer["id"] == 2).unwrap()["error"];
        assert_eq!(error["code"], code, "{method} {params}: {answers:?}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(method) && message != method, "{error}");
    }
}

#[tokio::test]
async fn a_last_message_needs_no_end_of_its_line() {
    let answers = answers(INITIALIZE).await;
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn a_request_with_an_id_in_use_is_refused() {
    let place = Place::with_document("a.md", "# A\n\nStone.\n").await;
    let (model, may_answer, mut heard) = Patient::new();
    let (ours, _serving) = served_by(Server::new(place.library.clone().with_chat_model(model)));
    let (output, mut input) = tokio::io::split(ours);
    let mut output = BufReader::new(output).lines();
    let mut answer = async || {
        let line = output.next_line().await.unwrap().unwrap();
        serde_json::from_str::<serde_json::Value>(&line).unwrap()
    };
    let mut send = async |line: String| input.write_all(line.as_bytes()).await.unwrap();
    send(format!("{INITIALIZE}\n{INITIALIZED}\n")).await;
    assert_eq!(answer().await["id"], 1);
    let call = |query: &str| {
        let slow = json!({"query": query, "mode": "tree"});
        let params = json!({"name": "search", "arguments": slow});
        json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params})
    };
    let ping = json!({"jsonrpc": "2.0", "id": 7, "method": "ping"});
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params":
        {"requestId": 7}});
    send(format!("{}\n", call("stone"))).await;
    assert_eq!(heard.recv().await, Some("asked"));
    send(format!("{ping}\n")).await;
    let refusal = answer().await;
    assert_eq!(refusal["error"]["code"], -32600, "{refusal}");
    assert_eq!(refusal["id"], 7);
    may_answer.add_permits(1);
    let found = answer().await;
    let facts = &found["result"]["structuredContent"];
    assert_eq!(facts["outcome"], "no_results", "{found}");
    assert_eq!(heard.recv().await, Some("ended"));
    // Once a request is answered or cancelled, its id can be used again.
    send(format!("{}\n", call("rock"))).await;
    assert_eq!(heard.recv().await, Some("asked"));
    send(format!("{cancel}\n")).await;
    assert_eq!(heard.recv().await, Some("ended"));
    send(format!("{ping}\n")).await;
    let reply = answer().await;
    assert_eq!((&reply["id"], &reply["result"]), (&json!(7), &json!({})));
}
