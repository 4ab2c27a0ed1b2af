//! Servers that refuse, are busy, or are not there.

use std::error::Error as _;
use std::time::Duration;

use sectile_embed::{ChatModel, ChatRequest, Error, OpenAiChat, OpenAiEmbedder, OpenAiOptions};
use serde_json::json;

use crate::server::{Asked, Reply, Server};
use crate::support::kind;

fn said() -> Reply {
    Reply::json(&json!({"choices": [{"message": {"content": "yes"}}]}))
}

/// Makes a script that begins with some replies and then answers.
fn then_said(first: Vec<Reply>) -> impl Fn(usize, &Asked) -> Reply + Send + Sync {
    move |number, _| first.get(number).cloned().unwrap_or_else(said)
}

async fn ask(options: &OpenAiOptions) -> Result<String, Error> {
    let request = ChatRequest {
        user: "is it?".into(),
        ..ChatRequest::default()
    };
    OpenAiChat::new(options).unwrap().complete(&request).await
}

/// Returns the error and all of its sources as one text.
fn chain(error: &Error) -> String {
    let sources = std::iter::successors(error.source(), |error| (*error).source());
    let texts = sources.map(ToString::to_string);
    std::iter::once(error.to_string())
        .chain(texts)
        .collect::<Vec<_>>()
        .join(": ")
}

#[tokio::test]
async fn statuses_are_errors_by_what_can_be_done() {
    let check = async |status: u16, expected: &str, advice: &str| {
        let body = r#"{"error":{"message":"so says the server to Bearer sk-secret"}}"#;
        let server = Server::start(move |_, _| Reply::new(status, body)).await;
        let options = OpenAiOptions::new(server.base_url(), "a-model").with_key("sk-secret");
        let error = ask(&options).await.unwrap_err();
        assert_eq!(kind(&error), expected, "{status}");
        let text = chain(&error);
        let parts = ["a-model", "so says the server", advice, &status.to_string()];
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
        assert!(
            !format!("{text}{error:?}").contains("sk-secret"),
            "{error:?}"
        );
        assert_eq!(server.asked().len(), 1, "no retries were asked for");
    };
    check(302, "configuration", "redirects").await;
    check(400, "refused", "too long").await;
    check(401, "configuration", "give a key").await;
    check(403, "configuration", "give a key").await;
    check(404, "configuration", "check that the model is there").await;
    check(413, "refused", "too long").await;
    check(429, "unavailable", "try again later").await;
    check(500, "unavailable", "try again later").await;
    check(503, "unavailable", "try again later").await;
}

#[tokio::test]
async fn a_long_message_is_cut() {
    let server = Server::start(|_, _| Reply::new(400, "x".repeat(1 << 20))).await;
    let options = OpenAiOptions::new(server.base_url(), "m");
    let text = ask(&options).await.unwrap_err().to_string();
    assert!(text.len() < 1000, "{} bytes", text.len());
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = Server::start(|_, _| said()).await;
    let header = format!("location: {}/chat/completions", other.base_url());
    let server = Server::start(move |_, _| Reply::new(307, "").with_header(&header)).await;
    let options = OpenAiOptions::new(server.base_url(), "m").with_key("sk-secret");
    assert_eq!(kind(&ask(&options).await.unwrap_err()), "configuration");
    assert!(other.asked().is_empty());
}

#[tokio::test]
async fn busy_servers_are_asked_the_same_again() {
    let busy = Reply::new(429, "slow down").with_header("Retry-After: 0");
    let server = Server::start(then_said(vec![busy])).await;
    let options = OpenAiOptions::new(server.base_url(), "m").with_retries(1);
    assert_eq!(ask(&options).await.unwrap(), "yes");
    let asked = server.asked();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[0].body, asked[1].body);
}

#[tokio::test]
async fn broken_answers_are_asked_for_again() {
    let broken = vec![said().cut(), Reply::new(503, "")];
    let server = Server::start(then_said(broken)).await;
    let options = OpenAiOptions::new(server.base_url(), "m").with_retries(2);
    assert_eq!(ask(&options).await.unwrap(), "yes");
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn retries_end() {
    let server = Server::start(|_, _| Reply::new(500, "still down")).await;
    let options = OpenAiOptions::new(server.base_url(), "m").with_retries(1);
    let error = ask(&options).await.unwrap_err();
    assert_eq!(kind(&error), "unavailable");
    assert!(chain(&error).contains("still down"));
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test]
async fn what_fails_again_is_not_repeated() {
    for status in [400, 401, 404] {
        let server = Server::start(move |_, _| Reply::new(status, "no")).await;
        let options = OpenAiOptions::new(server.base_url(), "m").with_retries(3);
        ask(&options).await.unwrap_err();
        assert_eq!(server.asked().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_truncated_answer_is_unavailable() {
    let server = Server::start(|_, _| said().cut()).await;
    let options = OpenAiOptions::new(server.base_url(), "m");
    let error = ask(&options).await.unwrap_err();
    assert_eq!(kind(&error), "unavailable");
    assert!(chain(&error).contains("no complete answer from http://127.0.0.1"));
}

#[tokio::test]
async fn a_slow_answer_times_out() {
    let server = Server::start(|_, _| said().after(Duration::from_mins(1))).await;
    let options =
        OpenAiOptions::new(server.base_url(), "m").with_timeout(Duration::from_millis(100));
    // If the client waited for it, there would be an answer and no error.
    let error = ask(&options).await.unwrap_err();
    assert_eq!(kind(&error), "unreachable");
    let base = server.base_url();
    assert_eq!(
        chain(&error),
        format!("cannot reach the model server {base}: no answer in time")
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named_with_the_reason() {
    // It keeps its port, so that no other one listens there.
    let silent = tokio::net::TcpSocket::new_v4().unwrap();
    silent.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let port = silent.local_addr().unwrap().port();
    let options = OpenAiOptions::new(format!("http://127.0.0.1:{port}/v1?token=sk-secret"), "m");
    let error = OpenAiEmbedder::connect(&options).await.unwrap_err();
    assert_eq!(kind(&error), "unreachable");
    let text = chain(&error);
    let expected = "connection refused";
    assert_eq!(
        text,
        format!("cannot reach the model server http://127.0.0.1:{port}/v1: {expected}")
    );
    assert!(
        !format!("{text}{error:?}").contains("sk-secret"),
        "{error:?}"
    );
}

#[tokio::test]
async fn options_that_cannot_be_are_refused_before_any_request() {
    let error = OpenAiChat::new(&OpenAiOptions::new("localhost:11434", "m")).unwrap_err();
    assert_eq!(kind(&error), "configuration");
    let error = OpenAiEmbedder::connect(&OpenAiOptions::new("not an address", "m")).await;
    assert_eq!(kind(&error.unwrap_err()), "configuration");
}
