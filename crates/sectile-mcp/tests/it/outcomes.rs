//! What is said where there is no plain answer.

use sectile::Scope;
use sectile::store::{Language, Note};
use serde_json::{Value, json};

use super::agent::{Agent, Place, Reply};

const GUIDE: &str = "# Guide\n\nWelcome.\n\n## Install\n\nRun `cargo install`.\n\n## Use\n\n### Install\n\nPlugins.\n";

/// Calls a tool that has nothing to say, which is no error.
async fn nothing(agent: &Agent, tool: &'static str, arguments: Value) -> Reply {
    let reply = agent.call(tool, arguments).await;
    assert_eq!(reply.facts["outcome"], "no_results", "{}", reply.text);
    assert!(!reply.is_error);
    reply
}

#[tokio::test]
async fn an_ambiguous_heading_lists_the_sections_that_have_it() {
    let place = Place::with_document("guide.md", GUIDE).await;
    let agent = place.agent().await;
    for tool in ["get", "toc"] {
        let arguments = json!({"document": "guide.md", "heading": "Install"});
        let reply = agent.call(tool, arguments).await;
        assert!(!reply.is_error);
        assert_eq!(reply.facts["outcome"], "ambiguous");
        let candidates = reply.facts["candidates"].as_array().unwrap();
        let lines: Vec<_> = candidates
            .iter()
            .map(|candidate| &candidate["line"])
            .collect();
        assert_eq!(lines, [5, 11]);
        assert_eq!(candidates[1]["heading_path"], "Guide > Use > Install");
        for candidate in candidates {
            assert!(reply.text.contains(candidate["section"].as_str().unwrap()));
            assert!(
                reply
                    .text
                    .contains(candidate["heading_path"].as_str().unwrap())
            );
        }
    }
    for heading in ["Use > Install", "## Use > ### Install"] {
        let arguments = json!({"document": "guide.md", "heading": heading});
        let text = agent.ok("get", arguments).await;
        assert_eq!(text.facts["text"], "### Install\n\nPlugins.\n");
    }
}

#[tokio::test]
async fn a_definition_is_read_by_its_name() {
    let source = "class Pool:\n    def acquire(self):\n        return 1\n";
    let place = Place::with_document("pool.py", source).await;
    let agent = place.agent().await;
    for heading in ["acquire", "Pool > acquire", "Pool.acquire"] {
        let arguments = json!({"document": "pool.py", "heading": heading});
        let reply = agent.ok("get", arguments).await;
        let text = reply.facts["text"].as_str().unwrap();
        assert_eq!(text.trim(), "def acquire(self):\n        return 1");
    }
}

#[tokio::test]
async fn a_heading_that_is_not_there_lists_those_like_it() {
    let place = Place::with_document("guide.md", GUIDE).await;
    let agent = place.agent().await;
    let arguments = json!({"document": "guide.md", "heading": "instal"});
    let reply = nothing(&agent, "get", arguments).await;
    assert_eq!(reply.facts["candidates"].as_array().unwrap().len(), 2);
    assert_eq!(reply.facts["next_call"]["tool"], "toc");
}

#[tokio::test]
async fn notes_come_with_the_hits_and_with_the_collections() {
    let place = Place::with_document("guide.md", GUIDE).await;
    place.write("other.md", "# Other\n\nNothing about them.\n");
    let other = [place.path("docs/other.md")];
    let report = place.library.ingest("other", &other, &|_| ()).await;
    assert_eq!(report.unwrap().added, 1);
    for (collection, text) in [("default", "guides of 2024"), ("other", "unrelated")] {
        let note = Note::new(collection, "", text);
        place.library.put_note(&note).await.unwrap();
    }
    let agent = place.agent().await;
    let reply = agent.ok("search", json!({"query": "plugins"})).await;
    let note = "on the collection `default`: guides of 2024";
    assert_eq!(reply.facts["notes"], json!([note]));
    assert!(reply.text.contains(note), "{}", reply.text);
    let reply = agent.ok("list", json!({})).await;
    assert_eq!(reply.facts["collections"][1]["note"], "unrelated");
    assert!(reply.text.contains("default: 1 document. guides of 2024"));
}

#[tokio::test]
async fn the_languages_of_collections_are_said() {
    let mut place = Place::with_document("guide.md", GUIDE).await;
    let set = [("default".to_owned(), Language::German)];
    place.library = place.library.clone().with_collection_languages(set.into());
    let agent = place.agent().await;
    let status = agent.ok("status", json!({})).await;
    assert_eq!(status.facts["languages"], "default=de");
    let line = "\nLanguages of collections: default=de\n";
    assert!(status.text.contains(line), "{}", status.text);
    let memory = json!({"text": "Deploys are on Tuesdays."});
    agent.ok("remember", memory).await;
    let all = agent.ok("list", json!({})).await;
    let row = |at: usize| &all.facts["collections"][at];
    assert_eq!(row(0)["language"], "de");
    assert_eq!(row(1)["collection"], "memories");
    assert_eq!(row(1).get("language"), None);
    let line = "- default: 1 document, language de\n";
    assert!(all.text.contains(line), "{}", all.text);
}

#[tokio::test]
async fn a_search_without_hits_says_what_it_required() {
    let place = Place::with_document("guide.md", GUIDE).await;
    let agent = place.agent().await;
    let reply = nothing(&agent, "search", json!({"query": "welcome AND plugins"})).await;
    let note = "; nothing was found that has `welcome` and `plugins`";
    assert!(reply.text.contains(note), "{}", reply.text);
}

#[tokio::test]
async fn notes_beyond_the_most_that_are_shown_are_counted() {
    let place = Place::with_document("guide.md", GUIDE).await;
    for number in 0..12 {
        let text = format!("# Part {number}\n\nAbout valve {number}.\n");
        place.write(&format!("{number}.md"), &text);
    }
    let folder = [place.path("docs")];
    let report = place.library.ingest("default", &folder, &|_| ()).await;
    assert_eq!(report.unwrap().added, 12);
    for document in place.library.documents(&Scope::all()).await.unwrap() {
        let note = Note::new("default", &*document.uri, "checked");
        place.library.put_note(&note).await.unwrap();
    }
    let agent = place.agent().await;
    let arguments = json!({"query": "valve", "limit": 20, "max_tokens": 8_000});
    let reply = agent.ok("search", arguments).await;
    assert_eq!(reply.facts["found"], 12, "{}", reply.text);
    let notes = reply.facts["notes"].as_array().unwrap();
    assert_eq!((notes.len(), &notes[10]), (11, &json!("and 2 other notes")));
    assert!(reply.text.contains("and 2 other notes"), "{}", reply.text);
}

#[tokio::test]
async fn what_was_not_ingested_names_the_call_that_ingests_it() {
    let place = Place::with_document("guide.md", GUIDE).await;
    place.write("late.md", "# Late\n\nText.\n");
    let agent = place.agent().await;
    let cases = [
        (
            "toc",
            json!({"document": "https://example.org/llms.txt"}),
            "https://example.org/llms.txt",
        ),
        (
            "get",
            json!({"document": "example.org"}),
            "https://example.org",
        ),
        (
            "search",
            json!({"query": "x", "collection": "example.org"}),
            "https://example.org",
        ),
        (
            "list",
            json!({"collection": "docs.example.org"}),
            "https://docs.example.org",
        ),
        ("toc", json!({"document": "late.md"}), "late.md"),
    ];
    for (tool, arguments, source) in cases {
        let reply = nothing(&agent, tool, arguments).await;
        let expected = json!({"tool": "ingest", "arguments": {"source": source}});
        assert_eq!(reply.facts["next_call"], expected);
        let line = format!("Next: ingest {}", json!({"source": source}));
        assert!(reply.text.ends_with(&line), "{}", reply.text);
    }
    let late = nothing(&agent, "toc", json!({"document": "late.md"})).await;
    let call = &late.facts["next_call"];
    agent.ok("ingest", call["arguments"].clone()).await;
    agent.ok("toc", json!({"document": "late.md"})).await;
}

#[tokio::test]
async fn where_nothing_can_be_ingested_no_such_call_is_named() {
    let place = Place::with_document("guide.md", GUIDE).await;
    let agent = place.agent().await;
    let missing = nothing(&agent, "toc", json!({"document": "missing.md"})).await;
    assert_eq!(missing.facts["next_call"]["tool"], "list");
    let reading = Agent::of(place.server().read_only()).await;
    let site = nothing(&reading, "toc", json!({"document": "https://example.org"})).await;
    assert!(site.facts["next_call"].is_null());
    assert!(
        site.text.contains("`sectile ingest https://example.org`"),
        "{}",
        site.text
    );
}

#[tokio::test]
async fn a_search_without_hits_says_what_was_searched() {
    let place = Place::with_document("guide.md", GUIDE).await;
    let agent = place.agent().await;
    let reply = nothing(&agent, "search", json!({"query": "zebra"})).await;
    assert!(
        reply.text.contains("`zebra` in 1 document"),
        "{}",
        reply.text
    );
    let narrow = json!({"query": "install", "paths": ["other"]});
    let reply = nothing(&agent, "search", narrow).await;
    assert!(
        reply.text.contains("no documents to search"),
        "{}",
        reply.text
    );
    let place = Place::new().await;
    let empty = place.agent().await;
    let reply = nothing(&empty, "search", json!({"query": "zebra"})).await;
    assert!(
        reply.text.contains("no documents to search"),
        "{}",
        reply.text
    );
    nothing(&empty, "list", json!({})).await;
}

#[tokio::test]
async fn a_document_is_known_by_its_uri_its_path_and_the_end_of_its_path() {
    let place = Place::with_document("a/guide.md", GUIDE).await;
    place.write("b/guide.md", GUIDE);
    place.write("b/notes.md", "# Notes\n");
    place.ingest().await;
    let agent = place.agent().await;
    let path = place.path("docs/a/guide.md").canonicalize().unwrap();
    let uri = sectile::document_uri(path.to_str().unwrap()).unwrap();
    for name in [
        &*uri,
        path.to_str().unwrap(),
        "a/guide.md",
        "docs/a/guide.md",
    ] {
        let reply = agent.ok("toc", json!({"document": name})).await;
        assert_eq!(reply.facts["document"], uri, "{name}");
    }
    let reply = agent.call("toc", json!({"document": "guide.md"})).await;
    assert_eq!(reply.facts["outcome"], "ambiguous");
    assert_eq!(reply.facts["candidates"].as_array().unwrap().len(), 2);
    agent.ok("toc", json!({"document": "notes.md"})).await;
}

#[tokio::test]
async fn a_document_of_several_collections_lists_them() {
    let place = Place::with_document("guide.md", GUIDE).await;
    let docs = [place.path("docs")];
    place
        .library
        .ingest("second", &docs, &|_| ())
        .await
        .unwrap();
    let agent = place.agent().await;
    let reply = agent.call("get", json!({"document": "guide.md"})).await;
    assert_eq!(reply.facts["outcome"], "ambiguous");
    let names = reply.facts["candidates"].as_array().unwrap().iter();
    let names: Vec<_> = names.map(|candidate| &candidate["collection"]).collect();
    assert_eq!(names, ["default", "second"]);
    let one = json!({"document": "guide.md", "collection": "second", "lines": "1"});
    let one = agent.ok("get", one).await;
    assert_eq!(
        (&one.facts["collection"], &one.facts["text"]),
        (&"second".into(), &"# Guide\n".into())
    );
    let all = agent.ok("list", json!({})).await;
    assert_eq!(all.facts["collections"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_folder_that_was_ingested_is_listed_rather_than_ingested_again() {
    let place = Place::with_document("sp ace/sub/guide.md", GUIDE).await;
    let agent = place.agent().await;
    for name in ["sp ace", "sub", "sp ace/sub/"] {
        let reply = nothing(&agent, "toc", json!({"document": name})).await;
        let next = &reply.facts["next_call"];
        assert_eq!(next["tool"], "list", "{name}: {}", reply.text);
        let listed = agent.ok("list", next["arguments"].clone()).await;
        assert_eq!(listed.facts["found"], 1, "{name}");
    }
}

#[tokio::test]
async fn a_uri_is_no_pattern() {
    let place = Place::with_document("[slug]/page{1}.md", GUIDE).await;
    let agent = place.agent().await;
    let listed = agent.ok("list", json!({})).await;
    let uri = &listed.facts["documents"][0]["document"];
    for paths in [
        json!([uri]),
        json!(uri),
        json!(["[slug]/page{1}.md"]),
        json!("[slug]"),
    ] {
        let found = agent.ok("list", json!({"paths": paths})).await;
        assert_eq!(found.facts["found"], 1, "{paths}");
        let found = agent
            .ok("search", json!({"query": "plugins", "paths": paths}))
            .await;
        assert_eq!(found.facts["found"], 1, "{paths}");
    }
}

#[tokio::test]
async fn what_does_not_fit_an_argument_is_said_in_words_of_json() {
    let place = Place::with_document("guide.md", GUIDE).await;
    let agent = place.agent().await;
    for (tool, arguments, expected) in [
        (
            "list",
            json!({"max_tokens": "many"}),
            "`max_tokens` is `many`; give a whole number",
        ),
        (
            "list",
            json!({"max_tokens": -5}),
            "`max_tokens` is `-5`; give a whole number",
        ),
        (
            "search",
            json!({"query": "x", "mode": "foo"}),
            "`mode` is `foo`; use one of `text`",
        ),
        (
            "search",
            json!({"query": "x", "full": "yes"}),
            "`full` is `yes`; give true or false",
        ),
        ("search", json!({"query": 5}), "`query` is `5`; give a text"),
        ("list", json!({"paths": 5}), "`paths` is `5`; give a list"),
        (
            "list",
            json!({"paths": [""]}),
            "a path in `paths` is empty; name a document",
        ),
        (
            "list",
            json!({"max_tokens": 600.5}),
            "`max_tokens` is `600.5`; give a whole number",
        ),
        (
            "get",
            json!({"document": "guide.md", "lines": "5-3"}),
            "`lines` is `5-3`, which ends before it begins; write `3-5`",
        ),
    ] {
        let reply = agent.call(tool, arguments.clone()).await;
        assert_eq!(reply.facts["outcome"], "invalid_arguments", "{arguments}");
        assert!(reply.text.contains(expected), "{}", reply.text);
        assert!(!reply.text.contains("usize"), "{}", reply.text);
    }
    // For JSON Schema, this is an integer.
    agent.ok("list", json!({"max_tokens": 600.0})).await;
    let reply = agent
        .call("search", json!({"query": "x", "mode": "foo"}))
        .await;
    assert!(!reply.text.contains("hybrid"), "{}", reply.text);
}

#[tokio::test]
async fn files_that_are_gone_are_marked() {
    let place = Place::with_document("guide.md", GUIDE).await;
    let agent = place.agent().await;
    let is_marked = |reply: &Reply| reply.text.contains("the file is gone");
    for is_gone in [false, true] {
        if is_gone {
            std::fs::remove_file(place.path("docs/guide.md")).unwrap();
        }
        let found = agent.ok("search", json!({"query": "plugins"})).await;
        let hit = &found.facts["hits"][0];
        assert_eq!(hit["is_gone"] == true, is_gone);
        let listed = agent.ok("list", json!({})).await;
        let read = agent.ok("get", json!({"document": "guide.md"})).await;
        assert_eq!(read.facts["is_gone"] == true, is_gone);
        for reply in [&found, &listed, &read] {
            assert_eq!(is_marked(reply), is_gone, "{}", reply.text);
        }
    }
}

#[tokio::test]
async fn documents_without_a_date_that_dates_leave_out_are_counted() {
    let place = Place::with_document("guide.md", GUIDE).await;
    let agent = place.agent().await;
    for (tool, arguments) in [
        ("list", json!({"filters": ["since=2020"]})),
        (
            "search",
            json!({"query": "plugins", "filters": ["since=2020"]}),
        ),
    ] {
        let reply = nothing(&agent, tool, arguments).await;
        let note = "1 document has no date";
        assert!(reply.text.contains(note), "{tool}: {}", reply.text);
    }
}

#[tokio::test]
async fn a_filter_on_a_field_that_nothing_has_is_said() {
    let place = Place::with_document("guide.md", GUIDE).await;
    let agent = place.agent().await;
    for (tool, arguments) in [
        ("list", json!({"filters": ["nosuch=1"]})),
        (
            "search",
            json!({"query": "plugins", "filters": ["nosuch=1"]}),
        ),
    ] {
        let reply = nothing(&agent, tool, arguments).await;
        let said = "no document has a field `nosuch`; the fields are `language`";
        assert!(reply.text.contains(said), "{tool}: {}", reply.text);
    }
}

#[tokio::test]
async fn paths_without_a_document_are_named() {
    let place = Place::with_document("guide.md", GUIDE).await;
    let agent = place.agent().await;
    let note = "no document fits `tests`, `other.md`";
    let paths = json!(["guide.md", "tests", "other.md"]);
    let search = json!({"query": "plugins", "paths": paths});
    for reply in [
        agent.ok("list", json!({"paths": paths})).await,
        agent.ok("search", search).await,
    ] {
        assert_eq!(reply.facts["found"], 1, "{}", reply.text);
        assert_eq!(reply.facts["notes"][0], note, "{}", reply.text);
        assert!(reply.text.contains(note), "{}", reply.text);
    }
    let search = json!({"query": "hovercraft", "paths": paths});
    let reply = nothing(&agent, "search", search).await;
    assert!(reply.text.contains(note), "{}", reply.text);
    let all = json!({"paths": ["guide.md", "*.md"]});
    let listed = agent.ok("list", all).await;
    assert_eq!(listed.facts.get("notes"), None, "{}", listed.text);
}

#[tokio::test]
async fn what_was_required_and_excluded_is_said_beside_the_hits() {
    let place = Place::with_document("guide.md", GUIDE).await;
    let agent = place.agent().await;
    for (question, note) in [
        ("install NOT plugins", "no hit has `plugins`"),
        ("install -\"plugins\"", "no hit has `plugins`"),
        ("install AND cargo", "every hit has `install` and `cargo`"),
    ] {
        let reply = agent.ok("search", json!({"query": question})).await;
        assert_eq!(reply.facts["found"], 1, "{}", reply.text);
        assert_eq!(reply.facts["notes"], json!([note]));
        assert!(reply.text.contains(note), "{}", reply.text);
    }
}

#[tokio::test]
async fn texts_that_are_the_same_are_one_hit_that_names_the_others() {
    let place = Place::with_document("a.md", GUIDE).await;
    place.write("b.md", GUIDE);
    place.ingest().await;
    let agent = place.agent().await;
    let reply = agent.ok("search", json!({"query": "plugins"})).await;
    assert_eq!(reply.facts["found"], 1, "{}", reply.text);
    let same = reply.facts["hits"][0]["same_text"].as_array().unwrap();
    let [other] = &same[..] else {
        panic!("{same:?}");
    };
    assert!(other.as_str().unwrap().ends_with("b.md"), "{other}");
    let said = "the same text in ";
    assert!(reply.text.contains(said), "{}", reply.text);
}
