//! What can be ingested, and what cannot.

use serde_json::json;

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
    let agent = Agent::of(sectile_mcp::Server::new(place.library.clone())).await;
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
