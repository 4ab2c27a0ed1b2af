//! Settings that need a model, or name collections: who sets them is told, and the doctor finds what makes searches fail.

use serde_json::Value;

use super::server::Server;
use super::workplace::{Workplace, stderr};

/// Runs the doctor with a configuration file, and returns its status and its findings of one kind, as state and words.
fn examined(place: &Workplace, settings: &str, what: &str) -> (Option<i32>, Vec<(String, String)>) {
    place.write("config.toml", settings);
    let output = place.run(&["doctor", "--json"]);
    let findings: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = findings.as_array().unwrap().iter();
    let of_kind = findings.filter(|finding| finding["what"] == what);
    let text = |finding: &Value, name: &str| finding[name].as_str().unwrap().to_owned();
    let of_kind = of_kind.map(|finding| (text(finding, "state"), text(finding, "says")));
    (output.status.code(), of_kind.collect())
}

#[test]
fn the_doctor_finds_that_every_search_fails_for_the_lack_of_a_model() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    for (settings, what, said) in [
        ("mode = 'hybrid'", "embedder", "`mode` is hybrid"),
        ("mode = 'vector'", "embedder", "`mode` is vector"),
        ("mode = 'tree'", "chat model", "`mode` is tree"),
        (
            "rerank = ['default']",
            "reranker",
            "searches of `default` fail",
        ),
    ] {
        let (status, found) = examined(&place, settings, what);
        assert_eq!(status, Some(2), "{settings}");
        let [(state, says)] = &found[..] else {
            panic!("{settings}: {found:?}");
        };
        assert_eq!(state, "problem", "{settings}");
        assert!(says.contains(said), "{settings}: {says}");
        // It is so.
        assert_eq!(place.run(&["search", "guide"]).status.code(), Some(2));
    }
    for settings in ["mode = 'text'", "mode = 'value'", ""] {
        for what in ["embedder", "chat model", "reranker"] {
            let (status, found) = examined(&place, settings, what);
            assert_eq!(status, Some(0), "{settings}");
            assert_eq!(found[0].0, "fine", "{settings}: {found:?}");
        }
        assert_eq!(place.run(&["search", "guide"]).status.code(), Some(0));
    }
}

#[test]
fn the_doctor_asks_the_reranker() {
    let place = Workplace::new();
    let server = Server::start(|_| (500, "unused".into()));
    for (name, state) in [
        ("nope".to_owned(), "problem"),
        ("http://127.0.0.1:9/v1#x".to_owned(), "problem"),
        (server.model("last"), "fine"),
    ] {
        let (_, found) = examined(&place, &format!("reranker = '{name}'"), "reranker");
        assert_eq!(found[0].0, state, "{name}: {found:?}");
    }
    assert_eq!(server.take_embedded(), ["a text"]);
    let option = ["doctor", "--reranker", "http://127.0.0.1:9/v1#y", "--json"];
    assert_eq!(place.run(&option).status.code(), Some(2));
}

#[test]
fn the_doctor_names_collections_that_are_not_there() {
    let place = Workplace::new();
    let server = Server::start(|_| (500, "unused".into()));
    place.stdout(&["ingest", "docs", "--collection", "handbook"]);
    let model = server.model("last");
    for (settings, what, absent) in [
        ("rerank = ['handbook']", "rerank", None),
        (
            "rerank = ['handbook', 'hanbdook']",
            "rerank",
            Some("`hanbdook`"),
        ),
        ("language = { handbook = 'de' }", "language", None),
        (
            "language = { filings = 'fr' }",
            "language",
            Some("`filings`"),
        ),
    ] {
        let settings = format!("reranker = '{model}'\n{settings}\n");
        let (status, found) = examined(&place, &settings, what);
        assert_eq!(status, Some(0), "{settings}");
        assert_eq!(found.len(), usize::from(absent.is_some()), "{found:?}");
        for (state, says) in found {
            assert_eq!(state, "warning");
            assert!(says.contains(absent.unwrap()), "{says}");
            assert!(!says.contains("`handbook`"), "{says}");
        }
    }
}

#[test]
fn who_sets_what_needs_a_model_is_told() {
    let place = Workplace::new();
    let said = |arguments: &[&str]| {
        let output = place.run(&[&["config"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stderr(&output)
    };
    for (name, value, what) in [
        ("mode", "hybrid", "until there is an embedding model"),
        ("mode", "tree", "until there is a chat model"),
        ("rerank", "default", "until there is a reranking model"),
    ] {
        let found = said(&["set", name, value]);
        assert!(found.contains(what), "{name} {value}: {found}");
        // What has nothing to do with models says nothing of it.
        assert_eq!(said(&["set", "limit", "5"]), "");
        said(&["unset", name]);
    }
    assert_eq!(said(&["set", "mode", "value"]), "");
    said(&["set", "embedder", "ollama:nomic-embed-text"]);
    assert_eq!(said(&["set", "mode", "hybrid"]), "");
    let found = said(&["unset", "embedder"]);
    assert!(
        found.contains("until there is an embedding model"),
        "{found}"
    );
}
