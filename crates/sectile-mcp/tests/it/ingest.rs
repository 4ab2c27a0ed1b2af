//! What can be ingested, and what cannot.

use axum::Router;
use axum::routing::get;
use sectile_mcp::Server;
use serde_json::json;
use tokio::net::TcpListener;

use super::agent::{Agent, Place};

#[tokio::test]
async fn a_folder_is_brought_up_to_date() {
    let place = Place::new().await;
    place.write("a.md", "# A\n\nOne.\n");
    place.write("sub/b.md", "# B\n\nTwo.\n");
    place.write("bad.pdf", "%PDF-1.7 and no more");
    let agent = place.agent().await;
    let first = agent.ok("ingest", json!({"source": "."})).await;
    assert_eq!(
        (&first.facts["added"], &first.facts["failed"]),
        (&2.into(), &1.into())
    );
    let failure = first.facts["failures"][0]["source"].as_str().unwrap();
    assert!(
        failure.ends_with("bad.pdf") && first.text.contains("bad.pdf"),
        "{}",
        first.text
    );
    std::fs::remove_file(place.path("docs/bad.pdf")).unwrap();
    std::fs::remove_file(place.path("docs/a.md")).unwrap();
    place.write("sub/b.md", "# B\n\nThree.\n");
    let second = agent.ok("ingest", json!({"source": "."})).await;
    assert_eq!(
        (&second.facts["updated"], &second.facts["removed"]),
        (&1.into(), &2.into())
    );
    let one = agent
        .ok(
            "ingest",
            json!({"source": "sub/b.md", "collection": "other"}),
        )
        .await;
    assert_eq!(one.facts["added"], 1);
}

#[tokio::test]
async fn nothing_outside_the_folders_is_ingested() {
    let place = Place::new().await;
    place.write("a.md", "# A\n\nText.\n");
    std::fs::write(place.path("secret.md"), "# Secret\n").unwrap();
    std::fs::create_dir(place.path("docs/sub")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(place.path("secret.md"), place.path("docs/link.md")).unwrap();
    let agent = place.agent().await;
    let secret = place.path("secret.md").display().to_string();
    let mut sources = vec!["../secret.md", "sub/../../secret.md", "..", "/", &secret];
    if cfg!(unix) {
        sources.push("link.md");
    }
    for source in sources {
        let reply = agent.call("ingest", json!({"source": source})).await;
        assert!(reply.is_error);
        assert_eq!(
            reply.facts["outcome"], "refused",
            "{source}: {}",
            reply.text
        );
    }
    // Of a folder with such a link the rest is taken.
    let all = agent.ok("ingest", json!({"source": "."})).await;
    assert_eq!(all.facts["added"], 1);
    let found = agent.call("search", json!({"query": "secret"})).await;
    assert_eq!(found.facts["outcome"], "no_results");
}

#[tokio::test]
async fn without_folders_no_file_is_ingested() {
    let place = Place::new().await;
    place.write("a.md", "# A\n");
    let agent = Agent::of(Server::new(place.library.clone())).await;
    for source in ["a.md", &*place.path("docs").display().to_string(), "."] {
        let reply = agent.call("ingest", json!({"source": source})).await;
        assert_eq!(reply.facts["outcome"], "refused");
        assert!(reply.text.contains("--folder"), "{}", reply.text);
    }
}

#[tokio::test]
async fn a_folder_without_documents_and_a_file_that_is_not_there_are_no_results() {
    let place = Place::new().await;
    std::fs::create_dir(place.path("docs/empty")).unwrap();
    let agent = place.agent().await;
    for source in ["empty", "missing.md"] {
        let reply = agent.call("ingest", json!({"source": source})).await;
        assert_eq!(reply.facts["outcome"], "no_results", "{}", reply.text);
    }
}

/// Serves a web site on this machine until the test ends, and returns its address.
async fn site(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

#[tokio::test]
async fn a_web_site_is_ingested_and_read() {
    let full = "# Guide\nSource: https://example.org/guide\n\nSaws cut stone.\n\n\
        # Care\nSource: https://example.org/care\n\nWater cools the saw.\n";
    let url = site(Router::new().route("/llms-full.txt", get(async move || full))).await;
    let place = Place::new().await;
    let agent = Agent::of(Server::new(place.library.clone()).allow_private()).await;
    let first = agent.ok("ingest", json!({"source": url})).await;
    // Two pages, and the file that holds them.
    assert_eq!(first.facts["added"], 3, "{}", first.text);
    let host = url.strip_prefix("http://").unwrap();
    let found = json!({"query": "what cools the saw?", "collection": host, "limit": 1});
    let found = agent.ok("search", found).await;
    let document = found.facts["hits"][0]["document"].clone();
    let text = agent.ok("get", json!({"document": document})).await;
    assert!(text.text.contains("Water cools"), "{}", text.text);
    let above = agent
        .call("toc", json!({"document": "https://example.org"}))
        .await;
    assert_eq!(above.facts["outcome"], "no_results");
    let pages = agent
        .ok("list", above.facts["next_call"]["arguments"].clone())
        .await;
    assert_eq!(pages.facts["found"], 2, "{}", pages.text);
    let again = agent.ok("ingest", json!({"source": url})).await;
    assert_eq!(again.facts["unchanged"], 3, "{}", again.text);
}

#[tokio::test]
async fn a_web_site_on_this_machine_is_refused_unless_that_is_allowed() {
    let url = site(Router::new().route("/llms-full.txt", get(async || "# A\n"))).await;
    let place = Place::new().await;
    let agent = place.agent().await;
    for source in [
        &*url,
        "http://localhost:1",
        "http://169.254.169.254/latest",
        "http://[::1]/",
    ] {
        let reply = agent.call("ingest", json!({"source": source})).await;
        assert_eq!(
            reply.facts["outcome"], "refused",
            "{source}: {}",
            reply.text
        );
    }
    assert_eq!(agent.ok("status", json!({})).await.facts["documents"], 0);
}

#[tokio::test]
async fn a_site_that_cannot_be_reached_is_transient() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let place = Place::new().await;
    let agent = Agent::of(Server::new(place.library.clone()).allow_private()).await;
    let reply = agent.call("ingest", json!({"source": url})).await;
    assert!(reply.is_error);
    assert_eq!(reply.facts["outcome"], "transient", "{}", reply.text);
    assert_eq!(reply.facts["transient"], true);
}

#[tokio::test]
async fn a_site_without_a_list_of_its_pages_names_the_call_that_follows_links() {
    let page = axum::response::Html("<title>A</title><h1>A</h1><p>Saws cut stone.</p>");
    let url = site(Router::new().route("/", get(async move || page))).await;
    let place = Place::new().await;
    let agent = Agent::of(Server::new(place.library.clone()).allow_private()).await;
    let reply = agent.call("ingest", json!({"source": url})).await;
    assert_eq!(reply.facts["outcome"], "no_results", "{}", reply.text);
    let call = &reply.facts["next_call"];
    assert_eq!(
        (&call["tool"], &call["arguments"]["crawl"]),
        (&"ingest".into(), &true.into())
    );
    let done = agent.ok("ingest", call["arguments"].clone()).await;
    assert_eq!(done.facts["added"], 1);
}
