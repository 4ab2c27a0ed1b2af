//! The server over HTTP.

use std::net::SocketAddr;
use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, ClientConfig, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{RoleClient, ServiceExt as _};
use sectile_mcp::Server;
use serde_json::json;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::agent::{Place, begun, reply};
use super::models::Patient;

/// Serves on a free port until the test ends.
async fn served(server: Server) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = sectile_mcp::http_router(server, CancellationToken::new());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    address
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
    let listen = || async {
        let session = session(&ears, address).await;
        let request = ears.get(format!("http://{address}/mcp"));
        let request = request.header("accept", "text/event-stream");
        request
            .header("mcp-session-id", session)
            .send()
            .await
            .unwrap()
    };
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
