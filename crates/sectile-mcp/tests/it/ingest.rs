//! What can be ingested, and what cannot.

use axum::Router;
use axum::routing::get;
use sectile::SiteOptions;
use sectile_mcp::Server;
use serde_json::json;
use tokio::net::{TcpListener, TcpSocket};

use super::agent::{Agent, Place};

/// Returns a server that may ask this machine for web sites.
fn on_this_machine(place: &Place) -> Server {
    let options = SiteOptions::default().with_private_hosts(["127.0.0.1"]);
    Server::new(place.library.clone()).with_site_options(options.unwrap())
}

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
async fn arguments_without_an_effect_are_refused() {
    let place = Place::new().await;
    place.write("a.md", "# A\n\nOne.\n");
    let agent = place.agent().await;
    for (arguments, said) in [
        (
            json!({"source": "a.md", "collection": " "}),
            "`collection` is empty",
        ),
        (
            json!({"source": "https://example.org", "page": true, "crawl": true}),
            "leave out `crawl` and `optional`",
        ),
        (
            json!({"source": "https://example.org", "page": true, "optional": true}),
            "leave out `crawl` and `optional`",
        ),
        (
            json!({"source": "a.md", "crawl": true}),
            "are for web sites",
        ),
    ] {
        let reply = agent.call("ingest", arguments).await;
        assert_eq!(
            reply.facts["outcome"], "invalid_arguments",
            "{}",
            reply.text
        );
        assert!(reply.text.contains(said), "{}", reply.text);
    }
    let collections = place.library.collections().await.unwrap();
    assert_eq!(collections, [""; 0]);
    // An argument may be false.
    let unset = json!({"source": "a.md", "crawl": false, "optional": false, "page": false});
    assert_eq!(agent.ok("ingest", unset).await.facts["added"], 1);
}

#[tokio::test]
async fn the_collection_that_has_a_path_already_is_named() {
    let place = Place::new().await;
    place.write("a.md", "# A\n\nOne.\n");
    let agent = place.agent().await;
    let handbook = json!({"source": "a.md", "collection": "handbook"});
    let first = agent.ok("ingest", handbook.clone()).await;
    assert!(first.facts.get("notes").is_none(), "{}", first.text);
    let twice = agent.ok("ingest", json!({"source": "a.md"})).await;
    let note = twice.facts["notes"][0].as_str().unwrap();
    assert!(
        note.starts_with("the collection `handbook` already has ")
            && note.ends_with("to update `handbook`, call again with it as `collection`"),
        "{note}"
    );
    assert!(twice.text.contains(note), "{}", twice.text);
    // From then on both have it.
    for again in [handbook, json!({"source": "a.md"})] {
        let reply = agent.ok("ingest", again).await;
        assert!(reply.facts.get("notes").is_none(), "{}", reply.text);
    }
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

#[cfg(unix)]
#[tokio::test]
async fn what_is_neither_a_file_nor_a_folder_is_said_to_be_so() {
    let place = Place::new().await;
    place.write("a.md", "# A\n");
    let pipe = place.path("docs").join("pipe.md");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let agent = place.agent().await;
    let reply = agent.call("ingest", json!({"source": "pipe.md"})).await;
    assert_eq!(
        reply.facts["outcome"], "invalid_arguments",
        "{}",
        reply.text
    );
    assert!(reply.text.contains("but a pipe"), "{}", reply.text);
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
    let agent = Agent::of(on_this_machine(&place)).await;
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
    // It keeps its port, so that no other one listens there.
    let silent = TcpSocket::new_v4().unwrap();
    silent.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let place = Place::new().await;
    let agent = Agent::of(on_this_machine(&place)).await;
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
    let agent = Agent::of(on_this_machine(&place)).await;
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

const FULL: &str = "# Start\nSource: https://example.org/guide/start\n\nSaws cut stone.\n\n\
    # Care\nSource: https://example.org/guide/care/\n\nWater cools the saw.\n";

/// Makes an agent with the pages of `example.org` in a collection of that name.
async fn reader_of_a_domain(place: &Place) -> Agent {
    let url = site(Router::new().route("/llms-full.txt", get(async || FULL))).await;
    let agent = Agent::of(on_this_machine(place)).await;
    let arguments = json!({"source": url, "collection": "example.org"});
    agent.ok("ingest", arguments).await;
    agent
}

#[tokio::test]
async fn a_domain_that_is_in_the_store_is_not_ingested_again() {
    let place = Place::new().await;
    let agent = reader_of_a_domain(&place).await;
    for (tool, arguments, found) in [
        ("toc", json!({"document": "example.org"}), 2),
        ("toc", json!({"document": "example.org/guide/"}), 2),
        ("get", json!({"document": "https://example.org"}), 2),
        (
            "search",
            json!({"query": "saw", "collection": "https://example.org"}),
            3,
        ),
        ("list", json!({"collection": "http://Example.org/guide"}), 3),
    ] {
        let reply = agent.call(tool, arguments.clone()).await;
        assert_eq!(reply.facts["outcome"], "no_results", "{}", reply.text);
        let call = &reply.facts["next_call"];
        assert_eq!(call["tool"], "list", "{arguments}: {}", reply.text);
        let listed = agent.ok("list", call["arguments"].clone()).await;
        assert_eq!(listed.facts["found"], found, "{}", listed.text);
    }
}

#[tokio::test]
async fn a_domain_whose_pages_have_other_names_leads_to_its_collection() {
    let place = Place::new().await;
    let agent = reader_of_a_domain(&place).await;
    let url = site(Router::new().route("/llms-full.txt", get(async || "# A\n\nSaws.\n"))).await;
    let arguments = json!({"source": url, "collection": "docs.example.com"});
    agent.ok("ingest", arguments).await;
    for name in ["docs.example.com", "https://docs.example.com/"] {
        let reply = agent.call("toc", json!({"document": name})).await;
        let expected = json!({"tool": "list", "arguments": {"collection": "docs.example.com"}});
        assert_eq!(reply.facts["next_call"], expected, "{}", reply.text);
    }
}

#[tokio::test]
async fn a_page_is_known_by_the_end_of_its_address_however_it_is_written() {
    let place = Place::new().await;
    let agent = reader_of_a_domain(&place).await;
    for (page, names) in [
        (
            "https://example.org/guide/start",
            ["guide/start", "/guide/start", "guide/start/"],
        ),
        (
            "https://example.org/guide/care/",
            ["guide/care", "/guide/care", "/guide/care/"],
        ),
    ] {
        for name in names {
            let arguments = json!({"document": name, "collection": "example.org"});
            let reply = agent.ok("toc", arguments).await;
            assert_eq!(reply.facts["document"], page, "{name}");
        }
    }
    for name in ["uide/start", "/", "start/guide"] {
        let reply = agent.call("toc", json!({"document": name})).await;
        assert_eq!(reply.facts["outcome"], "no_results", "{name}");
    }
}

#[tokio::test]
async fn a_domain_is_a_source_and_the_name_of_a_file_is_none() {
    let place = Place::new().await;
    let agent = place.agent().await;
    // There is no such port, so nobody is asked.
    let site = json!({"source": "example.org:99999/guide"});
    let site = agent.call("ingest", site).await;
    assert!(
        site.text
            .contains("`https://example.org:99999/guide` is not"),
        "{}",
        site.text
    );
    for name in ["notes.md", "sub/notes.md", "1.5"] {
        let file = agent.call("ingest", json!({"source": name})).await;
        assert_eq!(file.facts["outcome"], "no_results", "{}", file.text);
    }
    // A file that has the name of a domain is that file.
    place.write("example.org", "# Example\n\nText.\n");
    let file = agent.ok("ingest", json!({"source": "example.org"})).await;
    assert_eq!(file.facts["added"], 1);
}

#[tokio::test]
async fn what_was_skipped_is_told_with_the_reason() {
    let place = Place::new().await;
    place.write("a.md", "# A\n\nText.\n");
    std::fs::create_dir(place.path("docs/pictures")).unwrap();
    for number in 0..30 {
        let path = place.path(&format!("docs/pictures/{number}.png"));
        std::fs::write(path, b"\x89PNG\r\n\x1a\n\0\0").unwrap();
    }
    let agent = place.agent().await;
    for (source, outcome) in [("pictures", "no_results"), (".", "ok")] {
        let reply = agent.call("ingest", json!({"source": source})).await;
        assert_eq!(reply.facts["outcome"], outcome, "{}", reply.text);
        assert_eq!(reply.facts["skipped"], 30);
        let skips = reply.facts["skips"].as_array().unwrap();
        assert!((1..30).contains(&skips.len()), "{}", reply.text);
        assert!(skips[0]["reason"].as_str().unwrap().contains("image/png"));
        assert!(
            reply.text.contains(".png: ") && reply.text.contains("other"),
            "{}",
            reply.text
        );
    }
}

#[tokio::test]
async fn pages_are_as_many_as_are_allowed() {
    let list = "# Fruit\n\n- [a](a.md)\n- [b](b.md)\n- [c](c.md)\n";
    let router = Router::new()
        .route("/llms.txt", get(async move || list))
        .route("/a.md", get(async || "# A\n\nKumquats.\n"))
        .route("/b.md", get(async || "# B\n\nPomelos.\n"))
        .route("/c.md", get(async || "# C\n\nTangerines.\n"));
    let url = site(router).await;
    let place = Place::new().await;
    let agent = Agent::of(on_this_machine(&place)).await;
    let few = json!({"source": url, "max_pages": 1});
    let few = agent.ok("ingest", few).await;
    let reason = few.facts["skips"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("more pages") && !reason.contains("--"),
        "{reason}"
    );
    let all = agent.ok("ingest", json!({"source": url})).await;
    assert_eq!(all.facts["skipped"], 0, "{}", all.text);
    let none = agent
        .call("ingest", json!({"source": url, "max_pages": 0}))
        .await;
    assert_eq!(none.facts["outcome"], "invalid_arguments", "{}", none.text);
}
