//! Commands that ask models, which a server on this machine has.

use super::server::Server;
use super::workplace::Workplace;

/// A server whose chat model says nothing that can be used.
fn embedder() -> Server {
    Server::start(|_| (500, "unused".into()))
}

fn paths(hits: &serde_json::Value) -> Vec<String> {
    let path = |hit: &serde_json::Value| {
        let parts = hit["heading_path"].as_array().unwrap().iter();
        parts
            .map(|part| part.as_str().unwrap())
            .collect::<Vec<_>>()
            .join(" > ")
    };
    hits.as_array().unwrap().iter().map(path).collect()
}

#[test]
fn a_hybrid_search_embeds_what_it_ingests() {
    let (place, server) = (Workplace::new(), embedder());
    let model = server.model("words");
    let search = |mode: &str| {
        let arguments = ["search", "plugins go", "--in", "docs", "--mode", mode];
        place.json(&[&arguments[..], &["--embedder", &model, "--json"]].concat())
    };
    let hits = search("hybrid");
    assert_eq!(paths(&hits)[0], "Guide > Use > Install");
    let legs = hits[0]["legs"].as_array().unwrap();
    let names: Vec<_> = legs
        .iter()
        .map(|leg| leg["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["text", "vector"]);
    let embedded = server.take_embedded();
    assert!(
        embedded
            .iter()
            .any(|text| text.contains("Plugins go here.")),
        "{embedded:?}"
    );
    assert!(
        embedded.iter().any(|text| text.contains("The guide")),
        "{embedded:?}"
    );
    // What has its vectors is not embedded again.
    assert_eq!(paths(&search("vector"))[0], "Guide > Use > Install");
    let again = server.take_embedded();
    assert!(
        again.iter().all(|text| !text.contains("here.")),
        "{again:?}"
    );
    let status = place.stdout(&["status"]);
    assert!(status.contains("words (64 dimensions)"), "{status}");
    let value = [
        "search",
        "plugins",
        "--mode",
        "value",
        "--embedder",
        &model,
        "--explain",
    ];
    let explained = place.stdout(&value);
    assert!(explained.contains("vector: rank 1, score"), "{explained}");
}

#[test]
fn only_changed_text_is_embedded_again() {
    let (place, server) = (Workplace::new(), embedder());
    let model = server.model("words");
    let ingest = ["ingest", "docs", "--embedder", &model];
    let first = place.stdout(&ingest);
    assert!(first.contains("6 vectors made"), "{first}");
    server.take_embedded();
    place.write("docs/notes.txt", "The release checklist: tag and publish.");
    assert!(place.stdout(&ingest).contains("1 vector made"));
    let embedded = server.take_embedded();
    // One text tells the program how many numbers a vector has.
    assert_eq!(embedded.len(), 2, "{embedded:?}");
    assert!(embedded[1].ends_with("tag and publish."), "{embedded:?}");
}

#[test]
fn without_the_model_documents_wait_and_are_found_by_text() {
    let (place, server) = (Workplace::new(), embedder());
    let model = server.model("words");
    place.stdout(&["ingest", "docs", "--embedder", &model]);
    place.write("docs/new.md", "# Fresh\n\nBrand new pears.\n");
    let said = place.stderr(&["ingest", "docs"], 0);
    assert!(
        said.contains("1 document without vectors of `words`"),
        "{said}"
    );
    assert!(place.stdout(&["list"]).contains("processing"));
    assert!(place.stdout(&["search", "pears"]).contains("Fresh"));
    let hybrid = ["search", "pears", "--mode", "hybrid", "--embedder", &model];
    let said = place.stderr(&hybrid, 0);
    let waits =
        "6 of 7 chunks of `default` have vectors; the others are ranked by their words alone";
    assert!(said.contains(waits), "{said}");
    let status = place.stdout(&["status"]);
    assert!(
        status.contains("words (64 dimensions), for 6 of 7 chunks"),
        "{status}"
    );
    let unreachable = "http://127.0.0.1:9/v1#words";
    let said = place.stderr(&["ingest", "docs", "--embedder", unreachable], 2);
    assert_eq!(
        said,
        "error: cannot reach the model server http://127.0.0.1:9/v1: connection refused. Start it, or correct \
         --embedder\n"
    );
    assert!(
        place
            .stdout(&["ingest", "docs", "--embedder", &model])
            .contains("1 vector made")
    );
    assert!(!place.stdout(&["list"]).contains("processing"));
    assert_eq!(place.stderr(&hybrid, 0), "");
}

#[test]
fn another_model_is_refused_until_vectors_are_replaced() {
    let (place, server) = (Workplace::new(), embedder());
    let (words, other) = (server.model("words"), server.model("other"));
    place.stdout(&["ingest", "docs", "--embedder", &words, "--int8"]);
    for command in [
        &["ingest", "docs", "--embedder", &other][..],
        &[
            "search",
            "plugins",
            "--mode",
            "hybrid",
            "--embedder",
            &other,
        ],
    ] {
        let said = place.stderr(command, 2);
        assert!(
            said.contains("`words`") && said.contains("`other`"),
            "{said}"
        );
    }
    let replace = ["ingest", "docs", "--embedder", &other, "--replace-vectors"];
    let replaced = place.stdout(&replace);
    assert!(replaced.contains("6 vectors made"), "{replaced}");
    let said = place.stderr(&["search", "x", "--mode", "vector"], 2);
    assert!(said.contains("--embedder"), "{said}");
    let said = place.stderr(&["search", "x", "--mode", "tree"], 2);
    assert!(said.contains("--chat-model"), "{said}");
}

#[test]
fn a_chat_model_names_sections() {
    let place = Workplace::new();
    let server = Server::start(|prompt| {
        assert!(!prompt.contains("Plugins go here."), "{prompt}");
        let node = prompt
            .split("\"node_id\":\"")
            .find(|part| part.contains("\"Use\""));
        let id = &node.unwrap()[..4];
        (
            200,
            format!("Sure: {{\"thinking\": \"t\", \"node_list\": [\"{id}\", \"9999\"]}}"),
        )
    });
    let model = server.model("chat");
    let tree = [
        "search",
        "where do plugins go?",
        "--in",
        "docs",
        "--mode",
        "tree",
    ];
    let hits = place.json(&[&tree[..], &["--chat-model", &model, "--json"]].concat());
    assert_eq!(paths(&hits), ["Guide > Use"]);
    assert_eq!(hits[0]["legs"][0]["name"], "tree");
    assert_eq!(server.prompts().len(), 1);
}

#[test]
fn summaries_are_kept_for_what_does_not_change() {
    let place = Workplace::new();
    let long = "Words about apples. ".repeat(120);
    place.write(
        "docs/long.md",
        format!("# Long\n\n{long}\n\n# Short\n\nPears.\n"),
    );
    let server = Server::start(|prompt| {
        assert!(prompt.contains("Long"), "{prompt}");
        (200, "All about apples.".into())
    });
    let model = server.model("chat");
    let tree = [
        "tree",
        "docs/long.md",
        "--summaries",
        "--chat-model",
        &model,
        "--json",
    ];
    let first = place.json(&tree);
    assert_eq!(first["structure"][0]["summary"], "All about apples.");
    assert!(
        first["structure"][1]["summary"]
            .as_str()
            .unwrap()
            .contains("Pears.")
    );
    assert_eq!(place.json(&tree), first);
    assert_eq!(server.prompts().len(), 1);
    place.write(
        "docs/long.md",
        format!("# Short\n\nPlums.\n\n# Long\n\n{long}\n\n"),
    );
    let changed = place.json(&[&tree[..], &["--no-text"]].concat());
    assert_eq!(changed["structure"][1]["summary"], "All about apples.");
    assert!(
        changed["structure"][0]["summary"]
            .as_str()
            .unwrap()
            .contains("Plums.")
    );
    assert!(server.prompts().len() <= 2, "{:?}", server.prompts());
    assert!(place.stdout(&tree[..5]).contains("All about apples."));
}

#[test]
fn memories_are_kept_found_and_forgotten() {
    let (place, server) = (Workplace::new(), embedder());
    let model = server.model("words");
    let long =
        (0..90).map(|n| format!("Fact {n} is about ducks and {n} ponds near the old mill. "));
    let long: String = long.collect();
    let id = place.stdout(&["remember", &long, "--metadata", "source=chat"]);
    let learned = place.stdout(&["learn", "Geese fly south.", "--embedder", &model]);
    assert!(
        place
            .stdout(&["status"])
            .contains("collection memories: 1 document\n")
    );
    let search = |query: &str, by: &str| {
        let arguments = [
            "search",
            query,
            "--collection",
            "memories",
            "--group-by",
            by,
            "--json",
        ];
        place.json(&arguments).as_array().unwrap().len()
    };
    assert!(search("ponds", "chunk") > 2);
    assert_eq!(search("ponds", "document"), 1);
    let filtered = ["search", "ponds", "--filter", "source=chat", "--json"];
    assert_eq!(place.json(&filtered).as_array().unwrap().len(), 1);
    let geese = [
        "search",
        "geese south",
        "--mode",
        "vector",
        "--embedder",
        &model,
    ];
    assert!(place.stdout(&geese).contains("Geese"));
    // The memory is kept even if no vector of it can be made.
    let unreachable = "http://127.0.0.1:9/v1#words";
    place.stderr(&["remember", "Swans hiss.", "--embedder", unreachable], 2);
    assert!(place.stdout(&["search", "swans"]).contains("Swans"));
    place.stdout(&["forget", id.trim(), learned.trim()]);
    place.stderr(&["forget", id.trim()], 1);
    assert_eq!(place.run(&["search", "ponds geese"]).status.code(), Some(1));
    place.stderr(&["remember", " "], 2);
}

#[test]
fn filters_narrow_what_is_searched_and_listed() {
    let place = Workplace::new();
    place.write(
        "docs/red.md",
        "---\nteam: red\ndate: 2026-03-01\n---\n# Methods\n\nApples.\n",
    );
    place.write(
        "docs/blue.md",
        "---\nteam: blue\n---\n# Results\n\nApples.\n\n## Methods\n\nMore.\n",
    );
    place.stdout(&["ingest", "docs"]);
    let found = |filters: &[&str]| {
        let filters = filters.iter().flat_map(|filter| ["--filter", filter]);
        let arguments: Vec<_> = ["search", "apples", "--json"]
            .into_iter()
            .chain(filters)
            .collect();
        let output = place.run(&arguments);
        let hits: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        paths(&hits)
    };
    assert_eq!(found(&["team=red"]), ["Methods"]);
    assert_eq!(found(&["path=docs/b*.md"]), ["Results"]);
    assert_eq!(found(&["since=2026"]), ["Methods"]);
    assert_eq!(found(&["heading=RESULTS", "level=1"]), ["Results"]);
    assert_eq!(found(&["heading=RESULTS", "team=red"]), [""; 0]);
    let listed = place.stdout(&[
        "list",
        "--sections",
        "--filter",
        "heading=methods",
        "--filter",
        "level=2",
    ]);
    assert_eq!(listed.lines().count(), 1, "{listed}");
    assert!(
        listed.contains("blue.md") && listed.contains("Results > Methods"),
        "{listed}"
    );
    let said = place.stderr(&["list", "--filter", "since=soon"], 2);
    assert!(said.contains("since=soon"), "{said}");
}

#[test]
fn two_files_with_one_key_are_not_both_kept() {
    let place = Workplace::new();
    std::fs::remove_file(place.path("docs/guide.md")).unwrap();
    std::fs::remove_file(place.path("docs/notes.txt")).unwrap();
    for name in ["one", "two"] {
        let text = format!("---\nticker: AAPL\nyear: 2023\n---\n# {name}\n");
        place.write(&format!("docs/{name}.md"), text);
    }
    let ingest = ["ingest", "docs", "--key", "ticker,year"];
    let said = place.stderr(&ingest, 2);
    assert!(
        said.contains("same key") && said.contains("one.md") && said.contains("two.md"),
        "{said}"
    );
    assert!(place.stdout(&["status"]).contains("(1 failed)"));
    place.write("docs/two.md", "---\nticker: AAPL\nyear: 2024\n---\n# two\n");
    assert!(place.stdout(&ingest).contains("0 failed"));
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn models_answer_alike_on_both_engines() {
    let (sqlite, mut postgres) = (Workplace::new(), Workplace::new());
    postgres.store = sectile_test_postgres::database().await.unwrap();
    let server = Server::start(|_| (200, r#"{"node_list": ["0001"]}"#.into()));
    let (words, chat) = (server.model("words"), server.model("chat"));
    let commands: [&[&str]; 9] = [
        &[
            "search",
            "plugins",
            "--in",
            "docs",
            "--mode",
            "hybrid",
            "--embedder",
            &words,
            "--explain",
        ],
        &[
            "search",
            "checklist",
            "--mode",
            "vector",
            "--embedder",
            &words,
            "--limit",
            "3",
        ],
        &["search", "plugins", "--mode", "value", "--embedder", &words],
        &[
            "search",
            "plugins",
            "--mode",
            "tree",
            "--chat-model",
            &chat,
            "--filter",
            "path=*.md",
        ],
        &[
            "tree",
            "docs/guide.md",
            "--summaries",
            "--chat-model",
            &chat,
            "--json",
        ],
        &["list", "--filter", "path=*.txt"],
        &["list", "--sections", "--filter", "heading=install"],
        &["ingest", "docs", "--embedder", &words, "--replace-vectors"],
        &[
            "search",
            "plugins",
            "--mode",
            "hybrid",
            "--embedder",
            &words,
            "--filter",
            "level=3",
        ],
    ];
    for command in commands {
        let outputs = [&sqlite, &postgres].map(|place| {
            let output = place.run(command);
            let folder = place.folder.path().display().to_string();
            let text = String::from_utf8_lossy(&output.stdout).replace(&folder, "");
            let ids = text
                .lines()
                .filter(|line| !line.contains("section_id") && !line.contains(" in "));
            (output.status.code(), ids.collect::<Vec<_>>().join("\n"))
        });
        assert_eq!(outputs[0].0, Some(0), "{command:?}");
        assert_eq!(outputs[0], outputs[1], "{command:?}");
    }
}
