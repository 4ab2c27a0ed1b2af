//! Questions and their hits.

use serde_json::{Value, json};

use super::workplace::{Workplace, stderr};

#[test]
fn it_is_said_why_there_is_nothing() {
    let place = Workplace::new();
    let nothing = |arguments: &[&str], expected: &str| {
        let said = place.stderr(arguments, 1);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    };
    nothing(
        &["list"],
        "the store has no documents; `sectile ingest` adds some",
    );
    place.stdout(&["ingest", "docs"]);
    let missing = "there is no collection `nope`, only `default`";
    nothing(&["search", "cargo", "--collection", "nope"], missing);
    nothing(&["list", "--collection", "nope"], missing);
    nothing(&["list", "--sections", "--collection", "nope"], missing);
    let unfit = "no document matches the filters and paths";
    nothing(&["search", "cargo", "--filter", "title=Else"], unfit);
    nothing(&["list", "--filter", "path=*.pdf"], unfit);
    let unknown = "no document has a field `nosuch`; the fields are `language`";
    nothing(&["search", "cargo", "--filter", "nosuch=1"], unknown);
    nothing(&["list", "--filter", "nosuch=1"], unknown);
    nothing(&["list", "--sections", "--filter", "nosuch=1"], unknown);
    nothing(&["list", "--sections", "--filter", "level=4"], unfit);
    std::fs::create_dir(place.path("empty")).unwrap();
    nothing(
        &["search", "cargo", "--in", "empty"],
        "there are no documents in `empty`",
    );
    nothing(
        &["search", "xylophone"],
        "nothing found for `xylophone` in 2 documents",
    );
    let said = place.stderr(&["get", "docs/guide.md", "--lines", "9000-"], 2);
    assert!(said.contains("has no lines 9000-; it has"), "{said}");
}

#[test]
fn nothing_is_asked_for_by_a_number_or_a_name_that_means_nothing() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    for arguments in [
        &["search", "cargo", "--limit", "0"][..],
        &["checkpoint", "threads", "--limit", "0"],
        &["ingest", "docs", "--collection", ""],
        &["list", "--collection", " "],
        &["ingest", "docs", "--key", ""],
        &["ingest", "docs", "--max-pages", "0"],
        &["serve", "--listen", "nowhere"],
    ] {
        let said = place.stderr(arguments, 2);
        assert!(said.contains("invalid value"), "{arguments:?}: {said}");
    }
    for arguments in [
        &["search", "cargo", "--limit", "0"][..],
        &["get", "docs/guide.md", "--max-tokens", "0"],
        &["extract", "docs/guide.md", "--jobs", "0"],
        &["eval", "questions.jsonl", "-k", "0"],
        &["eval", "questions.jsonl", "--depth", "1.5"],
        &["eval", "draft", "--count", "0"],
        &["checkpoint", "threads", "--limit", "0"],
        &["checkpoint", "list", "run", "--limit", "none"],
        &["checkpoint", "du", "--limit", "0"],
        &["ingest", "docs", "--max-pages", "0"],
        &["load", "documents", "--attempts", "0"],
        &["load", "documents", "--lease", "0"],
        &["watch", "docs", "--poll", "0"],
    ] {
        let said = place.stderr(arguments, 2);
        assert!(
            said.contains("write a whole number of 1 or more"),
            "{arguments:?}: {said}"
        );
    }
}

#[test]
fn numbers_may_be_as_large_as_can_be() {
    let place = Workplace::new();
    place.write("page.html", "<h1>Guide</h1><p>Welcome.</p>");
    let largest = u64::MAX.to_string();
    for option in ["--timeout", "--jobs"] {
        let text = place.stdout(&["extract", "page.html", option, &largest]);
        assert!(text.contains("Welcome."), "{option}: {text}");
    }
}

#[test]
fn a_hit_names_its_file_heading_path_and_lines() {
    let place = Workplace::new();
    let found = place.stdout(&["search", "cargo", "--in", "docs"]);
    assert!(
        found.starts_with("docs/guide.md:8-11  Guide > Install  "),
        "{found}"
    );
    assert!(found.ends_with("\n  Run `cargo install`.\n"), "{found}");
}

#[test]
fn what_was_required_and_excluded_is_said_beside_the_hits() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    for (question, note) in [
        ("install NOT plugins", "no hit has `plugins`"),
        ("install AND cargo", "every hit has `install` and `cargo`"),
    ] {
        let text = place.stderr(&["search", question], 0);
        let json = place.stderr(&["search", question, "--json"], 0);
        assert!(text.contains(note), "{question}: {text}");
        assert!(json.contains(note), "{question}: {json}");
        let explained = place.json(&["search", question, "--explain", "--json"]);
        assert_eq!(explained["notes"], json!([note]), "{question}");
    }
}

#[test]
fn hits_name_some_places_with_their_text_and_count_the_others() {
    let place = Workplace::new();
    std::fs::create_dir(place.path("same")).unwrap();
    for number in 0..112 {
        let name = format!("same/{number:03}.md");
        place.write(&name, "# Fruit\n\nA mango and nothing else.\n");
    }
    let search = ["search", "mango", "--in", "same"];
    let text = place.stdout(&search);
    assert!(text.contains("  the same text in "), "{text}");
    assert!(text.contains(".md:1-3 and 101 others\n"), "{text}");
    let hits = place.json(&[&search[..], &["--limit", "1", "--json"]].concat());
    assert_eq!(hits[0]["same_text"].as_array().unwrap().len(), 100);
    assert_eq!(hits[0]["more_same_text"], 11);
}

#[test]
fn lines_of_a_text_that_is_made_from_a_file_are_named_so() {
    let place = Workplace::new();
    place.write("docs/prices.csv", "name,price\npapaya,3\n");
    place.write("docs/prices.yaml", "prices:\n  guava: 3\n");
    let found = place.stdout(&["search", "papaya", "--in", "docs"]);
    assert!(
        found.starts_with("docs/prices.csv text lines 1-3  "),
        "{found}"
    );
    let found = place.stdout(&["search", "guava", "--in", "docs"]);
    assert!(found.starts_with("docs/prices.yaml:"), "{found}");
    let markdown = place.stdout(&["search", "papaya", "--format", "md"]);
    assert!(
        markdown.contains("`docs/prices.csv text lines 1-3`, score "),
        "{markdown}"
    );
    let listed = place.stdout(&["list", "--sections"]);
    assert!(
        listed.contains("docs/prices.csv text lines 1-3  "),
        "{listed}"
    );
}

#[test]
fn json_hits_have_the_documented_fields() {
    let place = Workplace::new();
    let hits = place.json(&["search", "cargo", "--in", "docs", "--json"]);
    let hit = &hits[0];
    let keys = hit.as_object().unwrap().keys();
    let mut keys: Vec<&str> = keys.map(String::as_str).collect();
    keys.sort_unstable();
    insta::assert_snapshot!(keys.join(" "), @"collection format heading_path legs line_end line_start marks page_end page_start path same_text score section snippet title uri");
    assert_eq!(hit["title"], "The guide");
    assert_eq!(hit["heading_path"], json!(["Guide", "Install"]));
    assert_eq!(
        (&hit["line_start"], &hit["line_end"]),
        (&8.into(), &11.into())
    );
    let mark = &hit["marks"][0];
    let (start, end) = (
        mark["start"].as_u64().unwrap(),
        mark["end"].as_u64().unwrap(),
    );
    assert_eq!(
        &hit["snippet"].as_str().unwrap()[start as usize..end as usize],
        "cargo"
    );
}

#[test]
fn what_changed_is_found_and_what_is_gone_is_not() {
    let place = Workplace::new();
    place.stdout(&["search", "checklist", "--in", "docs"]);
    place.write("docs/notes.txt", "Nothing but kumquats.\n");
    std::fs::remove_file(place.path("docs/guide.md")).unwrap();
    assert!(
        place
            .stdout(&["search", "kumquat", "--in", "docs"])
            .contains("kumquats")
    );
    place.stderr(&["search", "checklist cargo", "--in", "docs"], 1);
    assert_eq!(place.json(&["list", "--json"]).as_array().unwrap().len(), 1);
}

#[test]
fn a_search_in_files_that_a_collection_has_makes_no_copy_of_them() {
    let place = Workplace::new();
    place.write("docs/fruit.md", "# Fruit\n\nA mango.\n");
    place.stdout(&["ingest", "docs", "--collection", "wiki"]);
    place.write("docs/fruit.md", "# Fruit\n\nA papaya.\n");
    let said = place.stderr(&["search", "papaya", "--in", "docs"], 0);
    assert!(said.contains("searching the collection `wiki`"), "{said}");
    let listed = place.stdout(&["list"]);
    assert_eq!(listed.matches("fruit.md").count(), 1, "{listed}");
    place.stderr(&["search", "mango"], 1);
}

#[test]
fn a_search_in_files_of_several_collections_makes_no_copy_of_any() {
    let place = Workplace::new();
    for folder in ["one", "two"] {
        std::fs::create_dir(place.path(folder)).unwrap();
    }
    place.write("one/a.md", "# A\n\nA mango.\n");
    place.write("two/b.md", "# B\n\nA mango, too.\n");
    place.stdout(&["ingest", "one", "--collection", "c1"]);
    place.stdout(&["ingest", "two", "--collection", "c2"]);
    place.write("two/b.md", "# B\n\nA mango tree.\n");
    let hits = place.json(&[
        "search",
        "mango",
        "--json",
        "--in",
        "one",
        "two",
        "docs/guide.md",
    ]);
    let collections = |rows: &Value| {
        let rows = rows.as_array().unwrap().iter();
        let mut names: Vec<_> = rows
            .map(|row| row["collection"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(collections(&hits), ["c1", "c2"]);
    assert!(hits.to_string().contains("mango tree"), "{hits}");
    let listed = place.json(&["list", "--json"]);
    assert_eq!(collections(&listed), ["c1", "c2", "default"]);
}

#[test]
fn a_document_that_could_not_be_read_is_no_empty_one() {
    let place = Workplace::new();
    place.write("docs/fake.docx", "PK\u{3}\u{4} no archive");
    place.run(&["ingest", "docs", "docs/fake.docx"]);
    for command in ["get", "toc"] {
        let said = place.stderr(&[command, "fake.docx"], 2);
        assert!(said.contains("could not be read: "), "{said}");
    }
}

#[test]
fn a_search_stays_in_the_paths_it_is_given() {
    let place = Workplace::new();
    place.write("other.md", "# Other\n\nAnother release.\n");
    let found = place.stdout(&["search", "release", "--in", "other.md", "docs/guide.md"]);
    assert!(
        found.contains("other.md:") && !found.contains("notes.txt"),
        "{found}"
    );
    let everywhere = place.stdout(&["ingest", "docs"]);
    assert!(
        everywhere.starts_with("1 added, 0 updated, 1 unchanged, 0 removed"),
        "{everywhere}"
    );
    assert!(place.stdout(&["search", "release"]).contains("notes.txt"));
}

#[test]
fn a_question_may_begin_with_a_dash_and_a_mistyped_option_is_named() {
    let place = Workplace::new();
    place.write("git.md", "# git commit\n\nUse -m to give the message.\n");
    let found = place.stdout(&["search", "-m message", "--in", "git.md", "--limit=1"]);
    assert!(found.starts_with("git.md:"), "{found}");
    for arguments in [
        &["search", "--limt", "3", "message"],
        &["search", "message", "--limt", "3"],
    ] {
        let refused = place.stderr(arguments, 2);
        assert!(
            refused.contains("'--limt'") && refused.contains("'--limit'"),
            "{refused}"
        );
    }
    let alone = place.stderr(&["search", "--follow"], 2);
    assert!(alone.contains("'--follow'"), "{alone}");
}

#[test]
fn options_of_a_reranker_are_refused_where_none_reads() {
    let place = Workplace::new();
    for option in ["--rerank-depth=3", "--rerank-timeout=1s"] {
        let said = place.stderr(&["search", "checklist", "--in", "docs", option], 2);
        let (name, _) = option.split_once('=').unwrap();
        assert!(said.contains(name) && said.contains("add it"), "{said}");
    }
}

#[test]
fn nothing_found_is_status_one_and_an_error_status_two() {
    let place = Workplace::new();
    let nothing = place.stderr(&["search", "zebra", "--in", "docs"], 1);
    assert!(
        nothing.contains("nothing found for `zebra` in 2 documents"),
        "{nothing}"
    );
    assert_eq!(place.run(&["search", "zebra", "--json"]).stdout, b"[]\n");
    let missing = place.stderr(&["search", "x", "--in", "no/such/folder"], 2);
    assert!(
        missing.contains("cannot read `no/such/folder`"),
        "{missing}"
    );
    assert!(missing.contains("caused by: No such file"), "{missing}");
    place.stderr(&["search"], 2);
    let nobody = place.stderr(&["status", "--store", "postgres://x@127.0.0.1:9/x"], 2);
    assert!(nobody.contains("busy or out of reach"), "{nobody}");
}

#[test]
fn awkward_questions_get_hits_or_a_clear_message() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let long = "install ".repeat(1_250);
    let questions = [
        "what's new?",
        "foo-bar",
        "col:val",
        "*",
        "\"x",
        "NEAR(",
        "')); drop",
        "🚀",
        &long,
        "検索エンジン",
        "to be or not to be",
        "",
        "   ",
        "AND",
        "install AND",
        "NOT",
        "^install",
        "{install}",
        "-- ",
        "a\tb",
    ];
    for question in questions {
        let output = place.run(&["search", "--", question]);
        let said = stderr(&output);
        match output.status.code() {
            Some(0) => assert!(!output.stdout.is_empty(), "{question:?}"),
            Some(1) => assert!(said.contains("nothing found"), "{question:?}: {said}"),
            Some(2) => assert!(
                said.contains("holds no word to search for"),
                "{question:?}: {said}"
            ),
            other => panic!("{question:?} ended with {other:?}: {said}"),
        }
    }
}

#[test]
fn a_document_with_a_title_is_found_by_the_name_of_its_file() {
    let place = Workplace::new();
    place.write(
        "docs/git-rebase.md",
        "# Reapply commits\n\nOn another base.\n\n## Options\n\nNone.\n",
    );
    place.write("docs/other.md", "# Other\n\nSee [there](git-rebase.md).\n");
    place.stdout(&["ingest", "docs"]);
    let hits = place.json(&["search", "git-rebase.md", "--json"]);
    assert_eq!(
        hits[0]["heading_path"],
        json!(["Reapply commits"]),
        "{hits}"
    );
}

#[test]
fn hits_are_written_in_full_by_file_and_in_each_format() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let full = place.stdout(&["search", "welcome cargo", "--full"]);
    assert!(full.starts_with("docs/guide.md:"), "{full}");
    assert!(
        full.contains("\n\n## Install\n\nRun `cargo install`.\n"),
        "{full}"
    );
    let chunk = ["search", "cargo", "--full", "--group-by", "chunk", "--json"];
    assert!(
        place.json(&chunk)[0]["text"]
            .as_str()
            .unwrap()
            .contains("Run `cargo")
    );
    let document = [
        "search",
        "cargo",
        "--full",
        "--group-by",
        "document",
        "--json",
    ];
    assert!(
        place.json(&document)[0]["text"]
            .as_str()
            .unwrap()
            .ends_with("Plugins go here.\n")
    );

    let files = place.stdout(&["search", "install release", "--files"]);
    assert_eq!(files.lines().count(), 2, "{files}");
    assert!(files.contains("docs/guide.md\n") && files.contains("docs/notes.txt\n"));
    let files = place.json(&["search", "install release", "--files", "--json"]);
    assert!(files[0]["path"].is_string() && files[0]["score"].is_number());

    let lines = place.stdout(&["search", "install", "--format", "jsonl"]);
    let rows: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        Value::from(rows),
        place.json(&["search", "install", "--format", "json"])
    );
    let markdown = place.stdout(&["search", "release", "--format", "md"]);
    assert!(markdown.starts_with("## 1. "), "{markdown}");
    assert!(
        markdown.contains("`docs/notes.txt:1`, score "),
        "{markdown}"
    );
    assert!(markdown.contains("\n> The release checklist"), "{markdown}");
    for both in [["--files", "--full"], ["--json", "--format=md"]] {
        let arguments = [&["search", "install"][..], &both].concat();
        assert!(place.stderr(&arguments, 2).contains("cannot be used with"));
    }
}

#[test]
fn a_question_behind_its_paths_is_one() {
    let place = Workplace::new();
    let found = place.stdout(&["search", "--in", "docs", "release checklist"]);
    assert!(found.contains("notes.txt"), "{found}");
    for arguments in [
        &["search", "--in", "docs"][..],
        &["search", "--in", "docs", "docs/notes.txt"],
    ] {
        let said = place.stderr(arguments, 2);
        assert!(said.contains("there is no question"), "{said}");
    }
    let said = place.stderr(&["search"], 2);
    assert!(
        said.contains("<QUERY>") || said.contains("[QUERY]"),
        "{said}"
    );
}

#[test]
fn files_are_all_documents_with_hits_and_say_when_they_are_gone() {
    let place = Workplace::new();
    let zebras = (0..12).map(|at| format!("# Zebra {at}\n\nA zebra, {at}.\n"));
    let many = zebras.collect::<Vec<_>>().join("\n");
    for name in ["one", "two", "same"] {
        let name_of = if name == "same" { "two" } else { name };
        place.write(
            &format!("docs/{name}.md"),
            format!("Of {name_of}.\n\n{many}"),
        );
    }
    place.stdout(&["ingest", "docs"]);
    std::fs::remove_file(place.path("docs/one.md")).unwrap();
    let files = place.json(&["search", "zebra", "--files", "--json"]);
    let found: Vec<_> = files.as_array().unwrap().iter().collect();
    assert_eq!(found.len(), 3, "{files}");
    let gone: Vec<_> = found
        .iter()
        .filter(|file| file["is_gone"] == true)
        .collect();
    assert!(
        gone.len() == 1 && gone[0]["uri"].as_str().unwrap().ends_with("one.md"),
        "{files}"
    );
    let rows = place.json(&["list", "--json"]);
    let gone = rows
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["is_gone"] == true);
    assert_eq!(gone.count(), 1);
    assert!(place.stderr(&["get", "docs/one.md"], 0).contains("is gone"));
}
