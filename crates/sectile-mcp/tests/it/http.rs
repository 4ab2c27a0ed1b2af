//! The server over HTTP.

use std::net::SocketAddr;
use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, ClientConfig, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{RoleClient, ServiceExt as _};
use sectile_mcp::{Ending, Server};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;

use super::agent::{Place, begun, reply, reply_of};
use super::models::Patient;

/// Serves on a free port until the test ends.
async fn served(server: Server) -> SocketAddr {
    served_until(server, Ending::default()).await.0
}

/// Serves on a free port until it is told to end.
async fn served_until(server: Server, ending: Ending) -> (SocketAddr, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let begun = ending.begun.clone().cancelled_owned();
    let router = sectile_mcp::http_router(server, ending);
    let serving = axum::serve(listener, router).with_graceful_shutdown(begun);
    let serving = tokio::spawn(async move { serving.await.unwrap() });
    (address, serving)
}

/// The client's library builds no client that could not do TLS, which no test here needs.
fn transport(address: SocketAddr) -> StreamableHttpClientTransport<reqwest::Client> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    StreamableHttpClientTransport::from_uri(format!("http://{address}/mcp"))
}

async fn check(client: &RunningService<RoleClient, impl rmcp::Service<RoleClient>>) {
    assert_eq!(client.list_all_tools().await.unwrap().len(), 8);
    let arguments = json!({"query": "stone"}).as_object().unwrap().clone();
    let request = CallToolRequestParams::new("search").with_arguments(arguments);
    let found = reply(client.call_tool(request).await.unwrap());
    assert_eq!(found.facts["found"], 1, "{}", found.text);
}

#[tokio::test]
async fn clients_of_every_revision_are_answered() {
    let place = Place::with_document("a.md", "# A\n\nStone.\n").await;
    let address = served(place.server()).await;
    for revision in [
        ProtocolVersion::V_2024_11_05,
        ProtocolVersion::V_2025_03_26,
        ProtocolVersion::V_2025_06_18,
        ProtocolVersion::V_2025_11_25,
    ] {
        let mut info = ClientConfig::default();
        info.protocol_version = revision.clone();
        let client = info.serve(transport(address)).await.unwrap();
        assert_eq!(client.peer_info().unwrap().protocol_version, revision);
        check(&client).await;
        client.cancel().await.unwrap();
    }
    let lifecycle = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    let client = ().serve_with_lifecycle(transport(address), lifecycle).await.unwrap();
    assert_eq!(
        client.peer_info().unwrap().protocol_version,
        ProtocolVersion::V_2026_07_28
    );
    check(&client).await;
}

/// Connects a client of the newest revision.
async fn newest(address: SocketAddr) -> RunningService<RoleClient, ()> {
    let lifecycle = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    let client = ().serve_with_lifecycle(transport(address), lifecycle).await;
    client.unwrap()
}

#[tokio::test]
async fn a_call_is_cancelled_in_every_family_of_revisions() {
    let place = Place::with_document("a.md", "# A\n\nStone.\n").await;
    for is_newest in [false, true] {
        let (model, _may_answer, mut heard) = Patient::new();
        let library = place.library.clone().with_embedder(model as Arc<Patient>);
        let address = served(Server::new(library)).await;
        let client = if is_newest {
            newest(address).await
        } else {
            ().serve(transport(address)).await.unwrap()
        };
        let arguments = json!({"query": "stone", "mode": "vector"});
        let call = begun(&client, "search", arguments).await;
        assert_eq!(heard.recv().await, Some("asked"));
        call.cancel(None).await.unwrap();
        assert_eq!(heard.recv().await, Some("ended"));
    }
}

#[tokio::test]
async fn streams_of_events_leave_room_for_calls() {
    let place = Place::with_document("a.md", "# A\n\nStone.\n").await;
    let address = served(place.server()).await;
    let client = ().serve(transport(address)).await.unwrap();
    let ears = reqwest::Client::new();
    let listen = || listen(&ears, address);
    let mut streams = Vec::new();
    let refused = loop {
        match listen().await {
            open if open.status().is_success() => streams.push(open),
            refused => break refused,
        }
    };
    assert_eq!(refused.status(), 503);
    // The client above listens, too.
    assert!((63..=64).contains(&streams.len()), "{}", streams.len());
    check(&client).await;
    // One that ends makes room for another.
    streams.pop();
    while !listen().await.status().is_success() {
        tokio::task::yield_now().await;
    }
}

/// Begins a session, and listens to its events.
async fn listen(client: &reqwest::Client, address: SocketAddr) -> reqwest::Response {
    let session = session(client, address).await;
    let request = client.get(format!("http://{address}/mcp"));
    let request = request.header("accept", "text/event-stream");
    let request = request.header("mcp-session-id", session);
    request.send().await.unwrap()
}

/// Begins a session of an older revision, and returns its id.
async fn session(client: &reqwest::Client, address: SocketAddr) -> String {
    let info = json!({"name": "ears", "version": "1"});
    let asked = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}});
    let request = client.post(format!("http://{address}/mcp"));
    let request = request.header("accept", "application/json, text/event-stream");
    let request = request.header("content-type", "application/json");
    let response = request.body(asked.to_string()).send().await.unwrap();
    response.headers()["mcp-session-id"]
        .to_str()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn a_body_that_is_no_message_is_answered_as_json_rpc_asks() {
    let place = Place::with_document("a.md", "# A\n\nStone.\n").await;
    let address = served(place.server()).await;
    let surrogate = r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\ud83d"}}"#;
    let twice = r#"{"jsonrpc":"2.0","id":8,"method":"ping","method":"ping"}"#;
    let fraction = r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#;
    for (body, code, id) in [
        ("{not json", -32700, json!(null)),
        ("", -32700, json!(null)),
        ("[]", -32600, json!(null)),
        (fraction, -32600, json!(null)),
        (surrogate, -32700, json!(7)),
        (twice, -32600, json!(8)),
    ] {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let response = reqwest::Client::new()
            .post(format!("http://{address}/mcp"))
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .body(body)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status().as_u16(), 400, "{body}");
        let text = response.text().await.unwrap();
        let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(answer["error"]["code"], code, "{body}");
        assert_eq!(answer.get("id"), Some(&id), "{body}");
    }
}

/// Makes a server with a model that answers when it is let.
fn patient(
    place: &Place,
) -> (
    Server,
    Arc<Semaphore>,
    mpsc::UnboundedReceiver<&'static str>,
) {
    let (model, may_answer, heard) = Patient::new();
    let library = place.library.clone().with_chat_model(model);
    (Server::new(library), may_answer, heard)
}

fn slow() -> serde_json::Value {
    json!({"query": "stone", "mode": "tree"})
}

#[tokio::test]
async fn a_call_that_runs_when_the_server_ends_is_answered() {
    let place = Place::with_document("a.md", "# A\n\nStone.\n").await;
    for is_newest in [false, true] {
        let (server, may_answer, mut heard) = patient(&place);
        let ending = Ending::default();
        let (address, serving) = served_until(server, ending.clone()).await;
        let client = if is_newest {
            newest(address).await
        } else {
            ().serve(transport(address)).await.unwrap()
        };
        let events = listen(&reqwest::Client::new(), address).await;
        let call = begun(&client, "search", slow()).await;
        assert_eq!(heard.recv().await, Some("asked"));
        ending.begun.cancel();
        // Streams that only listen end at once.
        events.text().await.unwrap();
        may_answer.add_permits(1);
        // The model names no section.
        let answer = reply_of(call.await_response().await.unwrap());
        assert_eq!(answer.facts["outcome"], "no_results", "{}", answer.text);
        drop(client);
        serving.await.unwrap();
    }
}

#[tokio::test]
async fn a_call_that_takes_too_long_when_the_server_ends_is_answered_with_an_error() {
    let place = Place::with_document("a.md", "# A\n\nStone.\n").await;
    let (server, _may_answer, mut heard) = patient(&place);
    let ending = Ending::default();
    let (address, serving) = served_until(server, ending.clone()).await;
    let client = ().serve(transport(address)).await.unwrap();
    let call = begun(&client, "search", slow()).await;
    assert_eq!(heard.recv().await, Some("asked"));
    ending.begun.cancel();
    ending.late.cancel();
    match call.await_response().await {
        Err(ServiceError::McpError(error)) => {
            assert!(error.message.contains("the server ended"), "{error:?}");
        }
        other => panic!("{other:?}"),
    }
    drop(client);
    serving.await.unwrap();
}

/// Sends a request of a session.
async fn sent(
    client: &reqwest::Client,
    address: SocketAddr,
    session: &str,
    message: &serde_json::Value,
) -> reqwest::Response {
    let request = client.post(format!("http://{address}/mcp"));
    let request = request.header("accept", "application/json, text/event-stream");
    let request = request.header("content-type", "application/json");
    let request = request.header("mcp-session-id", session);
    request.body(message.to_string()).send().await.unwrap()
}

/// Sends a request of a session, and returns the status and what is answered.
async fn asked(
    client: &reqwest::Client,
    address: SocketAddr,
    session: &str,
    message: &serde_json::Value,
) -> (u16, String) {
    let response = sent(client, address, session, message).await;
    (response.status().as_u16(), response.text().await.unwrap())
}

/// Asks for the events of a session after one of them.
async fn resumed(
    client: &reqwest::Client,
    address: SocketAddr,
    session: &str,
    last: &str,
) -> reqwest::Response {
    let request = client.get(format!("http://{address}/mcp"));
    let request = request.header("accept", "text/event-stream");
    let request = request.header("mcp-session-id", session);
    request.header("last-event-id", last).send().await.unwrap()
}

/// Reads the id of the first event.
async fn first_id(response: &mut reqwest::Response) -> String {
    let mut text = String::new();
    while !text.contains("\n\n") {
        let bytes = response.chunk().await.unwrap().unwrap();
        text += std::str::from_utf8(&bytes).unwrap();
    }
    let id = text.lines().find_map(|line| line.strip_prefix("id:"));
    id.unwrap().trim().to_owned()
}

/// Makes a client with two sessions.
async fn two_sessions(address: SocketAddr) -> (reqwest::Client, [String; 2]) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::new();
    let sessions = [
        session(&client, address).await,
        session(&client, address).await,
    ];
    (client, sessions)
}

/// Returns a request with this id that [`patient`] answers when it is let.
fn slow_call(id: u64) -> serde_json::Value {
    let params = json!({"name": "search", "arguments": slow()});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

#[tokio::test]
async fn a_client_that_lost_its_connection_gets_the_answer_all_the_same() {
    let place = Place::with_document("a.md", "# A\n\nStone.\n").await;
    let (server, may_answer, mut heard) = patient(&place);
    let address = served(server).await;
    let (client, [session, other]) = two_sessions(address).await;
    let call = slow_call(7);
    let mut broken = sent(&client, address, &session, &call).await;
    let last = first_id(&mut broken).await;
    assert_eq!(heard.recv().await, Some("asked"));
    drop(broken);
    // The first one waits for the answer, and loses its connection, too. The others ask when it is there already.
    let waiting = resumed(&client, address, &session, &last).await;
    assert_eq!(waiting.status(), 200);
    drop(waiting);
    may_answer.add_permits(1);
    for _ in 0..2 {
        let events = resumed(&client, address, &session, &last).await;
        let events = events.text().await.unwrap();
        assert_eq!(events.matches("\"result\"").count(), 1, "{events}");
        assert!(events.contains("no_results"), "{events}");
        // The event that the client has does not come again.
        assert!(!events.contains(&format!("id:{last}")), "{events}");
        assert!(!events.contains(&format!("id: {last}")), "{events}");
    }
    // Events that are not there: a stream without an event would have clients ask again and again.
    for (session, last) in [(&session, "0/99"), (&other, &*last), (&session, "x")] {
        let refused = resumed(&client, address, session, last).await;
        assert_eq!(refused.status(), 410, "{last}");
    }
    // The stream of what belongs to no request goes on.
    let events = resumed(&client, address, &session, "0").await;
    assert_eq!(events.status(), 200);
    let unknown = resumed(&client, address, "nobody", "0/0").await;
    assert_eq!(unknown.status(), 404);
}

#[tokio::test]
async fn a_request_with_an_id_in_use_is_refused() {
    let place = Place::with_document("a.md", "# A\n\nStone.\n").await;
    let (server, may_answer, mut heard) = patient(&place);
    let address = served(server).await;
    let (client, [session, other]) = two_sessions(address).await;
    let call = slow_call(7);
    let ping = |id: serde_json::Value| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let first = asked(&client, address, &session, &call);
    let others = async {
        assert_eq!(heard.recv().await, Some("asked"));
        let (status, refusal) = asked(&client, address, &session, &ping(json!(7))).await;
        assert_eq!(status, 400, "{refusal}");
        let refusal: serde_json::Value = serde_json::from_str(&refusal).unwrap();
        assert_eq!(refusal["error"]["code"], -32600);
        assert_eq!(refusal["id"], 7);
        let message = refusal["error"]["message"].as_str().unwrap();
        assert!(message.contains("the id is in use"), "{message}");
        // Another id, and the same one of another client.
        for (session, id) in [(&session, json!("7")), (&other, json!(7))] {
            let (status, answer) = asked(&client, address, session, &ping(id)).await;
            assert!(status == 200 && answer.contains("result"), "{answer}");
        }
        may_answer.add_permits(1);
    };
    let ((_, answer), ()) = tokio::join!(first, others);
    assert!(answer.contains("no_results"), "{answer}");
    // Once a request is answered, its id can be used again.
    let (status, answer) = asked(&client, address, &session, &ping(json!(7))).await;
    assert!(status == 200 && answer.contains("result"), "{answer}");
}
