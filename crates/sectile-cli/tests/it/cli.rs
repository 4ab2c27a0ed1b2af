//! Commands with their output and exit status.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};

use super::workplace::{GUIDE, Workplace, fixture, stderr};

#[test]
fn one_command_goes_from_a_folder_to_an_answer() {
    let place = Workplace::new();
    let found = place.stdout(&[
        "search",
        "what is on the release checklist?",
        "--in",
        "docs",
    ]);
    assert!(found.starts_with("docs/notes.txt:1  "), "{found}");
    assert!(
        found.contains("The release checklist: tag, build"),
        "{found}"
    );
}

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
fn what_would_be_removed_is_shown_first() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs", "--collection", "first"]);
    place.stdout(&["ingest", "docs"]);
    let shown = place.stdout(&["rm", "docs/", "--collection", "first", "--dry-run"]);
    assert_eq!(
        shown,
        "would remove docs/guide.md\nwould remove docs/notes.txt\n"
    );
    assert_eq!(
        place.json(&["list", "--json"]).as_array().map(Vec::len),
        Some(4)
    );
    place.stdout(&["rm", "--collection", "first", "--yes"]);
    assert_eq!(
        place.json(&["list", "--json"]).as_array().map(Vec::len),
        Some(2)
    );
    place.stderr(&["rm"], 2);
}

#[test]
fn an_ingest_names_the_collection_that_has_the_folder_already() {
    let place = Workplace::new();
    let said = place.stderr(&["ingest", "docs", "--collection", "handbook"], 0);
    assert!(!said.contains("already has"), "{said}");
    let said = place.stderr(&["ingest", "docs", "docs/guide.md"], 0);
    for path in ["docs", "docs/guide.md"] {
        let note = format!(
            "the collection `handbook` already has `{path}`, and this adds it to `default`; to update `handbook`, add \
             `--collection handbook`"
        );
        assert!(said.contains(&note), "{said}");
    }
    // From then on both have it.
    let said = place.stderr(&["ingest", "docs"], 0);
    assert!(!said.contains("already has"), "{said}");
}

#[test]
fn a_note_on_a_folder_names_the_collections_that_have_it() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    place.stdout(&["ingest", "docs", "--collection", "second"]);
    assert_eq!(
        place.stdout(&["note", "Old", "--in", "docs"]),
        "noted on docs of default\nnoted on docs of second\n"
    );
    assert_eq!(
        place.stdout(&["note", "--remove", "--in", "docs"]),
        "removed the note on docs of default\nremoved the note on docs of second\n"
    );
}

#[test]
fn removing_several_needs_a_yes_where_nobody_can_be_asked() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    place.stdout(&["ingest", "docs", "--collection", "second"]);
    let refused = place.stderr(&["rm", "docs"], 2);
    assert!(
        refused.contains("this removes 4 documents (2 in `default`, 2 in `second`)")
            && refused.contains("--yes")
            && refused.contains("--collection NAME"),
        "{refused}"
    );
    let refused = place.stderr(&["rm", "docs", "--collection", "second"], 2);
    assert!(
        refused.contains("this removes 2 documents, and"),
        "{refused}"
    );
    assert_eq!(place.json(&["list", "--json"]).as_array().unwrap().len(), 4);
    assert_eq!(
        place.stdout(&["rm", "docs/guide.md", "--dry-run"]),
        "would remove docs/guide.md of default\nwould remove docs/guide.md of second\n"
    );
    place.stdout(&["rm", "docs/guide.md", "--collection", "second"]);
    place.stdout(&["rm", "docs", "--yes"]);
    place.stderr(&["list"], 1);
}

#[test]
fn the_end_of_a_name_is_enough_to_read_and_never_to_remove() {
    let place = Workplace::new();
    std::fs::create_dir_all(place.path("docs/sp ace/sub")).unwrap();
    place.write("docs/sp ace/sub/deep.md", "# Deep\n\nDown.\n");
    place.stdout(&["ingest", "docs"]);
    place.stdout(&["toc", "guide.md"]);
    for folder in ["sp ace", "sub", "docs/sp ace/", "sp ace/sub"] {
        let said = place.stderr(&["toc", folder], 2);
        assert!(
            said.contains(&format!(
                "`{folder}` is a folder with 1 document in the store. Write one of:"
            )),
            "{said}"
        );
    }
    let whole = "is not a full name. Write one of:\n  docs/";
    for (arguments, code) in [
        (&["rm", "guide.md"][..], 1),
        (&["rm", "sp ace"], 1),
        (&["note", "About", "--in", "guide.md"], 2),
    ] {
        let said = place.stderr(arguments, code);
        assert!(said.contains(whole), "{arguments:?}: {said}");
    }
    let said = place.stderr(&["rm", "docs/giude.md"], 1);
    assert!(
        said.contains("did you mean one of these?\n  docs/guide.md"),
        "{said}"
    );
    let said = place.stderr(&["rm", "--collection", "nope"], 1);
    assert!(said.contains("there is no collection `nope`"), "{said}");
    assert_eq!(place.json(&["list", "--json"]).as_array().unwrap().len(), 3);
}

#[test]
fn names_and_headings_may_hold_what_has_a_meaning_elsewhere() {
    let place = Workplace::new();
    std::fs::create_dir_all(place.path("docs/[slug]")).unwrap();
    place.write("docs/[slug]/page.md", "# Install > now\n\nMacadamia.\n");
    place.write("docs/two\nlines.md", "# Two\n\nMacadamia.\n");
    place.stdout(&["ingest", "docs"]);
    let text = place.stdout(&["get", "docs/[slug]/page.md", "--heading", "Install > now"]);
    assert!(text.contains("Macadamia"), "{text}");
    for filter in [
        "path=docs/[slug]/*",
        "path=[slug]/page.md",
        "path=docs/[st]lug/*",
    ] {
        let found = place.run(&["list", "--json", "--filter", filter]);
        let code = i32::from(filter.contains("[st]"));
        assert_eq!(found.status.code(), Some(code), "{filter}");
    }
    let listed = place.stdout(&["list"]);
    assert!(listed.contains("docs/two\\nlines.md"), "{listed}");
    assert_eq!(listed.lines().count(), 4);
    let found = place.stdout(&["search", "macadamia", "--files"]);
    assert_eq!(found.lines().count(), 2, "{found}");
    // A name is understood as it is listed.
    let text = place.stdout(&["get", "docs/two\\nlines.md"]);
    assert!(text.contains("Macadamia"), "{text}");
    place.stdout(&["rm", "docs/two\\nlines.md"]);
    assert_eq!(place.stdout(&["list"]).lines().count(), 3);
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
fn standard_input_is_read_by_all_that_read_files() {
    let place = Workplace::new();
    for (arguments, expected) in [
        (&["tree", "-"][..], "Guide"),
        (&["extract", "-"], "Welcome"),
        (&["chunk", "-"], "Welcome"),
    ] {
        let mut child = place
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let text = "# Guide\n\nWelcome.\n";
        child
            .stdin
            .take()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.contains(expected), "{arguments:?}: {printed}");
    }
}

#[test]
fn of_many_files_that_are_skipped_some_are_named() {
    let place = Workplace::new();
    for number in 0..13 {
        let name = format!("docs/picture {number}.png");
        place.write(&name, b"\x89PNG\r\n\x1a\n");
    }
    let output = place.run(&["ingest", "docs"]);
    let said = stderr(&output);
    let skipped = said.lines().filter(|line| line.starts_with("skipped "));
    assert_eq!(skipped.count(), 11, "{said}");
    assert!(
        said.contains("skipped 3 more; --json names all\n"),
        "{said}"
    );
    let report = place.stdout(&["ingest", "docs", "--json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["skipped"].as_array().unwrap().len(), 13);
}

#[test]
fn standard_input_is_called_so() {
    let place = Workplace::new();
    let damaged = b"%PDF-1.7\nnothing";
    let said_of_pdf = "cannot parse the PDF standard input; ";
    for (command, bytes, said) in [
        ("extract", &damaged[..], said_of_pdf),
        ("chunk", damaged, said_of_pdf),
        ("tree", damaged, said_of_pdf),
        (
            "chunk",
            b"PK\x03\x04nothing",
            "cannot load standard input: ",
        ),
    ] {
        place.write("damaged", bytes);
        let output = place
            .command(&[command, "-"])
            .stdin(std::fs::File::open(place.path("damaged")).unwrap())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(said), "{command}: {errors}");
    }
}

#[test]
fn a_file_that_is_there_is_named_before_one_that_is_gone() {
    let place = Workplace::new();
    for (from, to) in [("docs", "moved"), ("moved", "another")] {
        place.stdout(&["ingest", from]);
        std::fs::rename(place.path(from), place.path(to)).unwrap();
        place.stdout(&["ingest", to]);
        let hits = place.json(&["search", "release checklist", "--json"]);
        let path = hits[0]["path"].as_str().unwrap();
        assert!(path.contains(to), "{hits}");
        assert_eq!(hits[0]["same_text"].as_array().unwrap().len(), 1, "{hits}");
        place.stdout(&["rm", from, "--yes"]);
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

#[tokio::test]
async fn the_database_of_another_program_is_left_alone() {
    let mut place = Workplace::new();
    let path = place.path("app.db");
    let options = SqliteConnectOptions::new().filename(&path);
    let mut connection = options.create_if_missing(true).connect().await.unwrap();
    let schema = "CREATE TABLE documents (id INTEGER PRIMARY KEY, body TEXT)";
    sqlx::query(schema).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    place.store = format!("sqlite:{}", place.path("app.db").display());
    let before = std::fs::read(place.path("app.db")).unwrap();
    for arguments in [&["status"][..], &["ingest", "docs"], &["search", "cargo"]] {
        let said = place.stderr(arguments, 2);
        assert!(said.contains("belongs to another program"), "{said}");
        assert!(
            said.lines().count() < 4 && !said.contains("CREATE"),
            "{said}"
        );
    }
    for arguments in [&["doctor"][..], &["checkpoint", "threads"]] {
        place.run(arguments);
    }
    assert_eq!(std::fs::read(place.path("app.db")).unwrap(), before);
}

#[test]
fn a_note_comes_with_the_hits_it_is_about() {
    let place = Workplace::new();
    place.write("other.md", "# Other\n\nNothing happens on Mondays.\n");
    place.stdout(&["ingest", "docs", "other.md"]);
    place.stderr(&["note"], 1);
    let noted = place.stdout(&["note", "The wiki\nreplaces it", "--in", "docs"]);
    assert_eq!(noted, "noted on docs\n");
    let (inside, outside) = ("plugins", "mondays");
    let said = |question: &str| stderr(&place.run(&["search", question]));
    assert_eq!(said(inside), "note on docs: The wiki replaces it\n");
    assert_eq!(said(outside), "");
    let hits = place.json(&["search", inside, "--json"]);
    assert_eq!(hits[0]["notes"], json!(["The wiki replaces it"]));
    let hits = place.json(&["search", outside, "--json"]);
    assert!(hits[0].get("notes").is_none());
    let markdown = place.stdout(&["search", inside, "--format", "md"]);
    assert!(markdown.starts_with("Note on docs: The wiki replaces it\n\n## 1. "));
    place.stdout(&["note", "All of it", "--collection", "default"]);
    assert_eq!(
        place.stdout(&["note"]),
        "the collection `default`: All of it\ndocs: The wiki replaces it\n"
    );
    for (arguments, reason) in [
        (&["note", "x"][..], "--in PATH or --collection NAME"),
        (&["note", "x", "--in", "no"], "`no` is not in the store"),
        (&["note", "x", "--collection", "no"], "no collection `no`"),
        (&["note", " ", "--in", "docs"], "the note is empty"),
    ] {
        let said = place.stderr(arguments, 2);
        assert!(said.contains(reason), "{said}");
    }
    place.stdout(&["note", "--remove", "--in", "docs/"]);
    place.stderr(&["note", "--remove", "--in", "docs/"], 1);
    assert_eq!(
        said(inside),
        "note on the collection `default`: All of it\n"
    );
}

#[test]
fn a_note_on_what_is_gone_is_listed_and_removed() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs", "--collection", "manuals"]);
    place.stdout(&["note", "Old", "--in", "docs"]);
    place.stdout(&["note", "Older", "--collection", "manuals"]);
    place.stdout(&["rm", "--collection", "manuals", "--yes"]);
    assert_eq!(place.stdout(&["note", "--in", "docs"]), "docs: Old\n");
    place.stderr(&["note", "--remove"], 2);
    let removed = place.stdout(&["note", "--remove", "--in", "docs"]);
    assert_eq!(removed, "removed the note on docs\n");
    let rest = "the collection `manuals`: Older\n";
    assert_eq!(place.stdout(&["note"]), rest);
    place.stdout(&["note", "--remove", "--collection", "manuals"]);
    place.stderr(&["note"], 1);
}

#[test]
fn a_note_on_the_folder_where_the_command_runs_names_it() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    place.stdout(&["note", "All of it", "--in", "."]);
    assert_eq!(place.stdout(&["note"]), ".: All of it\n");
}

#[cfg(unix)]
#[test]
fn a_file_whose_name_is_no_text_is_named_by_its_path() {
    use std::os::unix::ffi::OsStrExt as _;

    let place = Workplace::new();
    let name = std::ffi::OsStr::from_bytes(b"docs/na\xefve.md");
    std::fs::write(place.path("").join(name), "# Naive\n\nOf Latin-1.\n").unwrap();
    place.stdout(&["ingest", "docs"]);
    let run = |command: &str, more: &[&str]| {
        let output = place
            .command(&[command])
            .arg(name)
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success(), "{command}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(run("get", &[]).contains("Of Latin-1."));
    assert!(run("toc", &[]).contains("Naive"));
    run("rm", &["--yes"]);
    assert!(!place.stdout(&["list"]).contains("Naive"));
}

#[test]
fn a_password_in_an_address_is_not_shown() {
    let place = Workplace::new();
    let address = "http://me:hidden@127.0.0.1:9/";
    for arguments in [&["ingest", address][..], &["ingest", address, "--json"]] {
        let output = place.command(arguments).output().unwrap();
        let shown = [output.stdout, output.stderr].concat();
        let shown = String::from_utf8_lossy(&shown);
        assert!(
            shown.contains("127.0.0.1:9") && !shown.contains("hidden"),
            "{shown}"
        );
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
fn lines_and_pages_of_a_document_are_printed() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let get = |arguments: &[&str]| place.stdout(&[&["get", "docs/guide.md"], arguments].concat());
    let lines: Vec<&str> = GUIDE.split_inclusive('\n').collect();
    assert_eq!(get(&["--lines", "6-8"]), lines[5..8].concat());
    assert_eq!(get(&["--lines", "4"]), lines[3]);
    assert_eq!(get(&["--lines", "9-"]), lines[8..].concat());
    let json = place.json(&["get", "docs/guide.md", "--lines", "6-8", "--json"]);
    assert_eq!(json["lines"], serde_json::json!({"first": 6, "last": 8}));
    let said = place.stderr(&["get", "docs/guide.md", "--lines", "99-120"], 2);
    assert!(
        said.contains("has no lines 99-120") && said.contains("it has"),
        "{said}"
    );
    let said = place.stderr(&["get", "docs/guide.md", "--pages", "1"], 2);
    assert!(said.contains("ask for lines with `--lines`"), "{said}");
    for bad in ["0-3", "5-4", "a", "-3"] {
        place.stderr(&["get", "docs/guide.md", &format!("--lines={bad}")], 2);
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
    assert_eq!(hit["heading_path"], serde_json::json!(["Guide", "Install"]));
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
fn a_path_that_is_missing_takes_nothing_from_the_others() {
    let place = Workplace::new();
    let report = place.run(&["ingest", "docs", "missing.md", "--json"]);
    assert_eq!(report.status.code(), Some(2));
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(report["added"], 2);
    assert_eq!(report["failed"][0][0], "missing.md");
    std::fs::remove_file(place.path("docs/guide.md")).unwrap();
    let said = place.stderr(&["ingest", "docs/guide.md", "docs/notes.txt"], 2);
    assert!(
        said.contains("the store still has 1 document from it"),
        "{said}"
    );
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
fn a_bad_file_is_reported_and_the_rest_goes_on() {
    let place = Workplace::new();
    place.write("docs/broken.pdf", "%PDF-1.7\nnot really");
    place.write("docs/image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let output = place.run(&["ingest", "docs"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("skipped ") && said.contains("docs/image.png: "),
        "{said}"
    );
    assert!(
        said.contains("warning") && said.contains("docs/broken.pdf: "),
        "{said}"
    );
    let broken = said
        .lines()
        .find(|line| line.contains("broken.pdf"))
        .unwrap();
    assert_eq!(
        broken.matches("docs/").count(),
        1,
        "the path is named once: {broken}"
    );
    let summary = String::from_utf8(output.stdout).unwrap();
    assert!(summary.starts_with("2 added, 0 updated, 0 unchanged, 0 removed, 1 skipped, 1 failed"));
    assert!(place.stdout(&["list"]).contains("failed: "));
    let again = place.run(&["ingest", "docs", "--json"]);
    let report: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(
        (&report["unchanged"], &report["failed"][0][0]),
        (
            &2.into(),
            &place
                .path("docs/broken.pdf")
                .canonicalize()
                .unwrap()
                .display()
                .to_string()
                .into()
        )
    );
    // The questions about the rest are answered, with a warning.
    assert!(
        place
            .stdout(&["search", "checklist", "--in", "docs"])
            .contains("notes.txt")
    );
}

#[test]
fn many_processes_may_fill_an_empty_store_at_once() {
    let place = Workplace::new();
    let start = |n: usize| {
        std::fs::create_dir(place.path(&format!("part{n}"))).unwrap();
        for file in 0..20 {
            place.write(
                &format!("part{n}/{file}.md"),
                format!("# Part {n}\n\nFile {file}.\n"),
            );
        }
        let mut command = place.command(&["ingest", "docs", &format!("part{n}")]);
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let running: Vec<_> = (0..6).map(start).collect();
    for child in running {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    assert_eq!(place.json(&["status", "--json"])["documents"], 122);
}

#[test]
fn a_file_too_large_to_hold_is_reported() {
    let place = Workplace::new();
    let large = std::fs::File::create(place.path("docs/large.txt")).unwrap();
    // The file is sparse: its size is claimed and not written.
    large.set_len(600 << 20).unwrap();
    let said = place.stderr(&["ingest", "docs"], 2);
    assert!(
        said.contains("large.txt: it exceeds the limit of 512 MiB for a file; if you trust it, raise `--max-file-size`"),
        "{said}"
    );
}

#[test]
fn only_a_file_that_is_too_large_is_helped_by_a_larger_size() {
    let place = Workplace::new();
    place.write("docs/deep.json", "[".repeat(10_000) + &"]".repeat(10_000));
    for arguments in [&["ingest", "docs"][..], &["extract", "docs/deep.json"]] {
        let said = place.stderr(arguments, 2);
        assert!(said.contains("for nested values; split it"), "{said}");
        assert!(!said.contains("--max-file-size"), "{said}");
    }
}

#[test]
fn ignored_and_hidden_files_and_links_are_left_out() {
    let place = Workplace::new();
    std::fs::create_dir(place.path("docs/.git")).unwrap();
    place.write("docs/.gitignore", "draft*\n");
    place.write("docs/draft.md", "# Draft\n");
    place.write("docs/.hidden.md", "# Hidden\n");
    std::os::unix::fs::symlink(place.path("docs/guide.md"), place.path("docs/link.md")).unwrap();
    assert!(place.stdout(&["ingest", "docs"]).starts_with("2 added"));
    let named = place.stdout(&["ingest", "docs/draft.md"]);
    assert!(
        named.starts_with("1 added"),
        "a file that is named is taken: {named}"
    );
}

#[test]
fn what_is_neither_file_nor_folder_is_skipped_with_its_reason() {
    let place = Workplace::new();
    std::os::unix::fs::symlink("nowhere.md", place.path("docs/gone.md")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(place.path("docs/pipe.md"))
        .status();
    assert!(made.unwrap().success());
    let output = place.run(&["ingest", "docs", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let skipped = report["skipped"].as_array().unwrap();
    let reasons: Vec<&str> = skipped.iter().map(|one| one[1].as_str().unwrap()).collect();
    assert_eq!(
        reasons,
        [
            "it is a link, and links in a folder are not followed",
            "it is neither a file nor a folder, but a pipe, a socket or a device"
        ]
    );
    assert!(skipped[0][0].as_str().unwrap().ends_with("docs/gone.md"));
}

#[test]
fn documents_without_text_are_told() {
    let place = Workplace::new();
    place.write("docs/blank.md", "\n \n");
    place.write("docs/empty.txt", "");
    let output = place.run(&["ingest", "docs"]);
    let said = stderr(&output);
    let told = said
        .lines()
        .find(|line| line.starts_with("2 documents hold no text: "));
    let told = told.unwrap_or_else(|| panic!("{said}"));
    assert!(told.contains("docs/blank.md") && told.contains("docs/empty.txt"));
    place.write("docs/empty.txt", "\n");
    let report = place.stdout(&["ingest", "docs", "--json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["updated"], 1);
    let empty = report["without_text"].as_array().unwrap();
    assert_eq!(empty.len(), 1);
    assert!(empty[0].as_str().unwrap().ends_with("docs/empty.txt"));
}

#[test]
fn a_table_of_contents_shows_headings_with_their_lines() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let toc = place.stdout(&["toc", "docs/guide.md"]);
    let headings: Vec<&str> = toc
        .lines()
        .map(|line| line.rsplit_once(", ").unwrap().0)
        .collect();
    let expected = [
        "Guide  lines 4-7",
        "  Install  lines 8-11",
        "  Use  lines 12-13",
        "    Install  lines 14-16",
    ];
    assert_eq!(headings, expected);
    let missing = place.stderr(&["toc", "docs/none.md"], 2);
    assert!(
        missing.contains("docs/none.md` is not in the store"),
        "{missing}"
    );
}

#[test]
fn a_section_is_read_by_heading_path_or_id() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    assert_eq!(place.stdout(&["get", "docs/guide.md"]), GUIDE);
    let get = |heading| place.stdout(&["get", "docs/guide.md", "--heading", heading]);
    assert_eq!(
        get("Guide > Install"),
        "## Install\n\nRun `cargo install`.\n\n"
    );
    assert_eq!(get("use"), "## Use\n\n### Install\n\nPlugins go here.\n");
    let ambiguous = place.stderr(&["get", "docs/guide.md", "--heading", "Install"], 2);
    assert!(
        ambiguous.contains("Guide > Use > Install  (line 14, section "),
        "{ambiguous}"
    );
    let hits = place.json(&["search", "plugins", "--json"]);
    let id = hits[0]["section"].as_str().unwrap();
    assert_eq!(
        place.stdout(&["get", "--section", id]),
        "### Install\n\nPlugins go here.\n"
    );
    let none = place.stderr(&["get", "docs/guide.md", "--heading", "Remove"], 2);
    assert!(none.contains("has no heading `Remove`"), "{none}");
}

#[test]
fn a_long_text_is_read_in_pieces_that_join_to_the_whole() {
    let place = Workplace::new();
    let text = "# Long\n\n".to_owned() + &"A sentence of some words. ".repeat(200);
    place.write("docs/long.md", &text);
    place.stdout(&["ingest", "docs"]);
    let (mut joined, mut cursor) = (String::new(), "0".to_owned());
    loop {
        let arguments = [
            "get",
            "docs/long.md",
            "--json",
            "--max-tokens",
            "100",
            "--cursor",
            &cursor,
        ];
        let piece = place.json(&arguments);
        assert!(piece["tokens"].as_u64().unwrap() <= 100);
        joined.push_str(piece["text"].as_str().unwrap());
        match piece["next"].as_u64() {
            Some(next) => cursor = next.to_string(),
            None => break,
        }
    }
    assert_eq!(joined, text);
}

#[test]
fn removing_takes_a_document_or_a_folder() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    std::fs::remove_file(place.path("docs/notes.txt")).unwrap();
    assert_eq!(
        place.stdout(&["rm", "docs/notes.txt"]),
        "removed docs/notes.txt\n"
    );
    assert_eq!(place.stdout(&["rm", "docs"]), "removed docs/guide.md\n");
    let nothing = place.stderr(&["rm", "docs"], 1);
    assert!(nothing.contains("`docs` is not in the store"), "{nothing}");
    assert!(place.path("docs/guide.md").exists());
    place.stderr(&["list"], 1);
}

#[test]
fn status_counts_what_is_there() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let status = place.json(&["status", "--json"]);
    assert_eq!(status["documents"], 2);
    assert_eq!(status["sections"], 6);
    assert!(
        place
            .stdout(&["status"])
            .contains("collection default: 2 documents")
    );
}

#[test]
fn extract_prints_text_or_everything_that_is_known() {
    let place = Workplace::new();
    assert_eq!(place.stdout(&["extract", "docs/guide.md"]), GUIDE);
    let known = place.json(&["extract", "docs/guide.md", "--format", "json"]);
    assert_eq!(known["outline"][1]["title"], "Install");
    assert_eq!(known["metadata"]["title"], "The guide");
    let output = place.run(&["extract", "docs/none.md", "docs/notes.txt"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("docs/none.md"));
    assert!(output.stdout.starts_with(b"The release"));
}

#[test]
fn extract_loads_many_files_in_their_order() {
    let place = Workplace::new();
    let files = ["three-levels.pdf", "pandoc.docx", "book.pdf"].map(fixture);
    let [first, second, third] = files.each_ref().map(String::as_str);
    let printed = place.stdout(&["extract", first, second, third, "--json", "--jobs", "2"]);
    let rows: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let named: Vec<&str> = rows
        .iter()
        .map(|row| row["file"].as_str().unwrap())
        .collect();
    assert_eq!(named, [first, second, third]);
    assert_eq!(rows[0]["outline"][2]["title"], "Section Deep");
    assert_eq!(rows[2]["pages"][0]["label"], "i");
    let hash = rows[1]["metadata"]["content_hash"].as_str().unwrap();
    assert_eq!(hash.len(), 64);
}

#[test]
fn extract_marks_the_headings_of_a_pdf() {
    let place = Workplace::new();
    let file = fixture("three-levels.pdf");
    let text = place.stdout(&["extract", &file, "--pages", "2"]);
    assert!(text.starts_with("Section Deep\n\nDeep text."), "{text}");
    let markdown = place.stdout(&["extract", &file, "--pages", "2", "--format", "markdown"]);
    let expected = "### Section Deep\n\nDeep text.\n\n## Chapter Two\n\nIt goes on.\n";
    assert_eq!(markdown, expected);
}

#[test]
fn chunks_of_a_pdf_name_their_pages() {
    let place = Workplace::new();
    let file = fixture("three-levels.pdf");
    for strategy in ["recursive", "markdown", "sentence", "token", "sections"] {
        let cut = [
            "chunk",
            &file,
            "--strategy",
            strategy,
            "--size",
            "40",
            "--format",
            "jsonl",
        ];
        let rows = place.stdout(&cut);
        let rows: Vec<Value> = rows
            .lines()
            .map(|row| serde_json::from_str(row).unwrap())
            .collect();
        let pages = rows.iter().map(|row| {
            let number = |name: &str| row[name].as_u64().unwrap();
            (number("page_start"), number("page_end"))
        });
        let pages: Vec<_> = pages.collect();
        assert_eq!(pages.first().unwrap().0, 1, "{strategy}");
        assert_eq!(pages.last().unwrap().1, 3, "{strategy}");
        assert!(pages.is_sorted(), "{strategy}: {pages:?}");
    }
    let shown = place.stdout(&["chunk", &file, "--size", "40"]);
    assert!(shown.contains(", page 3"), "{shown}");
}

#[test]
fn what_a_pdf_shows_and_its_text_has_not_is_said() {
    let place = Workplace::new();
    let file = fixture("book.pdf");
    let expected =
        "book.pdf: page 5 holds pictures and no text, as scanned pages do; `--ocr` recognizes it";
    for command in [["extract", &file], ["chunk", &file], ["ingest", &file]] {
        let said = place.stderr(&command, 0);
        assert!(said.contains(expected), "{command:?}: {said}");
    }
}

#[test]
fn extract_takes_pages_and_a_password() {
    let place = Workplace::new();
    let (open, locked) = (fixture("three-levels.pdf"), fixture("encrypted.pdf"));
    let said = place.stderr(&["extract", &locked], 2);
    assert!(said.contains("is encrypted; give its password"), "{said}");
    let said = place.stderr(&["extract", &locked, "--password", "guess"], 2);
    assert!(said.contains("the password does not open it"), "{said}");
    let pages = [
        "extract",
        &locked,
        "--password",
        "secret",
        "--pages",
        "1,3-",
    ];
    let expected = place.stdout(&["extract", &open, "--pages", "1", "--pages", "3"]);
    assert_eq!(place.stdout(&pages), expected);
    assert!(expected.contains("It begins.") && expected.contains("It ends."));
    assert!(!expected.contains("Deep text."));
    let said = place.stderr(&["extract", &open, "--pages", "4"], 2);
    assert!(said.contains("has none of these pages; it has 3"), "{said}");
    let said = place.stderr(&["extract", &open, "--pages", "3-1"], 2);
    assert!(said.contains("page 1 is before page 3"), "{said}");
    let chunks = place.stdout(&["chunk", &open, "--pages", "2", "--format", "jsonl"]);
    assert!(chunks.contains("Deep text.") && !chunks.contains("It ends."));
}

#[test]
fn a_tree_has_the_pages_of_its_bookmarks() {
    let place = Workplace::new();
    let drawn = place.stdout(&["tree", &fixture("three-levels.pdf")]);
    let expected = "three-levels.pdf\n\
        ├── Part One  p. 1-2\n\
        │   ├── Chapter One  p. 1-2\n\
        │   │   └── Section Deep  p. 2\n\
        │   └── Chapter Two  p. 2\n\
        └── Part Two  p. 3\n";
    assert_eq!(drawn, expected);
}

/// Makes a file whose only page has some eight gigabytes of content, each of the filters making it 64 times as
/// long: two bytes of 129 stand for 128 of them.
fn bomb() -> Vec<u8> {
    let filters = "/RunLengthDecode".repeat(5);
    let mut end = vec![128];
    for _ in 1..5 {
        end.insert(0, end.len() as u8 - 1);
        end.push(128);
    }
    let mut content = vec![129; 8];
    content.extend(end);
    let mut file = format!(
        "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n\
         2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n\
         3 0 obj\n<</Type/Page/Parent 2 0 R/Contents 4 0 R>>\nendobj\n\
         4 0 obj\n<</Length {}/Filter[{filters}]>>stream\n",
        content.len()
    )
    .into_bytes();
    file.extend(content);
    file.extend(b"\nendstream\nendobj\ntrailer<</Root 1 0 R>>\n");
    file
}

/// The parser takes all memory for this file, which takes the process with it.
#[test]
fn a_file_that_kills_its_parser_costs_only_itself() {
    let place = Workplace::new();
    place.write("docs/bomb.pdf", bomb());
    let output = place.run(&["extract", "docs/bomb.pdf", "docs/notes.txt"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("docs/bomb.pdf cannot be loaded"), "{said}");
    let reason =
        "ran out of the memory that it may use; if you trust the file, raise `--max-memory`";
    assert!(said.contains(reason), "{said}");
    assert!(output.stdout.starts_with(b"The release"));
    let said = place.stderr(&["ingest", "docs"], 2);
    assert!(said.contains("bomb.pdf"), "{said}");
    let found = place.stdout(&["search", "release checklist"]);
    assert!(found.starts_with("docs/notes.txt:1  "), "{found}");
}

#[test]
fn chunks_say_where_they_stand() {
    let place = Workplace::new();
    for strategy in ["recursive", "markdown", "sentence", "token", "sections"] {
        let arguments = [
            "chunk",
            "docs/guide.md",
            "--strategy",
            strategy,
            "--size",
            "16",
            "--format",
            "jsonl",
        ];
        let printed = place.stdout(&arguments);
        let chunks: Vec<Value> = printed
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert!(chunks.len() > 1, "{strategy}");
        for chunk in &chunks {
            let number = |field: &str| chunk[field].as_u64().unwrap() as usize;
            let text = chunk["text"].as_str().unwrap();
            assert_eq!(&GUIDE[number("start")..number("end")], text, "{strategy}");
            assert_eq!(
                number("char_end") - number("char_start"),
                text.chars().count()
            );
            let first_line = GUIDE.lines().nth(number("line_start") - 1).unwrap();
            assert!(first_line.contains(text.lines().next().unwrap()), "{chunk}");
            if strategy != "markdown" {
                assert_eq!(chunk["metadata"]["chunk_index"], chunk["index"]);
            }
        }
    }
}

#[test]
fn chunks_of_every_strategy_name_the_headings_above_them() {
    let place = Workplace::new();
    let text = "# Guide\n\n## Install [now]\n\nRun it.\n\n[now]: there\n\n# Other\n\nThe end.\n";
    place.write("a.md", text);
    for strategy in ["recursive", "markdown", "sentence", "token", "sections"] {
        let arguments = [
            "chunk",
            "a.md",
            "--strategy",
            strategy,
            "--size",
            "12",
            "--overlap",
            "0",
        ];
        let arguments = &arguments[..if strategy == "sections" { 6 } else { 8 }];
        let printed =
            place.stdout(&[arguments, &["--unit", "chars", "--format", "jsonl"]].concat());
        let mut chunks = printed
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let run = chunks.find(|chunk| chunk["text"].as_str().unwrap().contains("Run it."));
        let expected = serde_json::json!(["Guide", "Install now"]);
        assert_eq!(run.unwrap()["heading_path"], expected, "{strategy}");
    }
}

/// Checks that a file is cut at the headings that an ingest finds in it, and that some of these are as expected.
fn check_headings_of_chunks(file: &str, text: &str, expected: &[[&str; 2]]) {
    let place = Workplace::new();
    place.write(file, text);
    place.stdout(&["ingest", file]);
    let sections = place.json(&["toc", file, "--json"]);
    let sections = sections.as_array().unwrap();
    let known: Vec<&Value> = sections.iter().map(|one| &one["heading_path"]).collect();
    let printed = place.stdout(&["chunk", file, "--strategy", "markdown", "--json"]);
    let chunks = printed.lines().map(serde_json::from_str::<Value>);
    let paths: Vec<Value> = chunks
        .map(|chunk| chunk.unwrap()["heading_path"].clone())
        .filter(|path| path.as_array().is_some_and(|path| !path.is_empty()))
        .collect();
    assert!(paths.iter().all(|path| known.contains(&path)), "{paths:?}");
    for path in expected {
        assert!(paths.contains(&serde_json::json!(path)), "{paths:?}");
    }
}

#[test]
fn texts_are_cut_at_the_headings_that_an_ingest_finds() {
    check_headings_of_chunks(
        "docs/book.txt",
        "PART ONE\n\nChapter 1 – The shore\n\nMany rites\nare gone.\n\n# no heading\n\n\
         Chapter 2 – The sea\n\nWaves\nroll in.\n",
        &[
            ["PART ONE", "Chapter 1 – The shore"],
            ["PART ONE", "Chapter 2 – The sea"],
        ],
    );
    check_headings_of_chunks(
        "docs/llms-full.txt",
        "Intro.\n\n---\nurl: /a\n---\n\n# A\n\n## Use\n\nText.\n\n---\nurl: /b\n---\n\nText.\n\n\
         # One\n\nWords.\n\n# Two\n\nWords.\n",
        &[["A", "Use"], ["/b", "One"], ["/b", "Two"]],
    );
}

#[test]
fn characters_are_no_tokens() {
    let place = Workplace::new();
    for strategy in ["recursive", "markdown", "sentence", "token", "sections"] {
        let arguments = ["chunk", "docs/guide.md", "--strategy", strategy];
        let printed = |more: &[&str]| place.stdout(&[&arguments[..], more].concat());
        let json = printed(&["--unit", "chars", "--format", "jsonl"]);
        assert!(json.lines().all(|line| line.contains("\"tokens\":null")));
        assert!(
            !printed(&["--unit", "chars"]).contains(" token"),
            "{strategy}"
        );
        let json = printed(&["--unit", "o200k_base", "--format", "jsonl"]);
        assert!(!json.contains("\"tokens\":null"), "{strategy}");
    }
}

#[test]
fn markdown_chunks_say_what_their_section_is() {
    let place = Workplace::new();
    place.write(
        "docs/part.md",
        "# Part\n\n## One\n\nAlpha.\n\n## Two\n\nBeta. Gamma.\n",
    );
    let arguments = [
        "chunk",
        "docs/part.md",
        "--strategy",
        "markdown",
        "--unit",
        "chars",
    ];
    let sized = [
        &arguments[..],
        &["--size", "25", "--overlap", "0", "--format", "jsonl"],
    ]
    .concat();
    let printed = place.stdout(&sized);
    let last: Value = serde_json::from_str(printed.lines().next_back().unwrap()).unwrap();
    let metadata = serde_json::json!({
        "source": "docs/part.md", "file_name": "part.md", "file_type": "markdown",
        "section_header": "## Two", "header_level": 2,
        "header_hierarchy": {"h1": "Part", "h2": "Two"},
        "is_header_split": true, "chunk_index": 0, "total_section_chunks": 1,
    });
    assert_eq!(last["metadata"], metadata);
}

#[test]
fn chunks_of_plain_text_are_of_its_sections() {
    let place = Workplace::new();
    place.write(
        "docs/sea.txt",
        "CHAPTER I.\n\nWaves come,\nday by day.\n\nCHAPTER II.\n\nWinds come,\nand go.\n",
    );
    let arguments = ["chunk", "docs/sea.txt", "--strategy", "markdown"];
    let printed = place.stdout(&[&arguments[..], &["--format", "jsonl"]].concat());
    let last: Value = serde_json::from_str(printed.lines().next_back().unwrap()).unwrap();
    let above = &last["metadata"]["header_hierarchy"];
    assert_eq!(*above, serde_json::json!({"h1": "CHAPTER II."}));
}

#[test]
fn chunks_of_standard_input_are_printed_below_a_line_each() {
    let place = Workplace::new();
    let mut command = place.command(&["chunk", "-", "--size", "12", "--overlap", "0"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"one two\n\nthree four")
        .unwrap();
    let printed = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(
        printed,
        "--- - #0, lines 1\none two\n--- - #1, lines 3\nthree four\n"
    );
}

#[test]
fn source_code_is_split_at_the_separators_of_its_language() {
    let place = Workplace::new();
    let code = "x = 1\ndef f():\n    return 2\ndef g():\n    pass\n";
    place.write("docs/a.py", code);
    let sized = ["chunk", "docs/a.py", "--size", "24", "--overlap", "0"];
    let printed = place.stdout(&[&sized[..], &["--language", "python"]].concat());
    let texts: Vec<_> = printed.split("--- ").skip(1).collect();
    let texts: Vec<_> = texts
        .iter()
        .filter_map(|shown| shown.split_once('\n'))
        .collect();
    let texts: Vec<_> = texts.iter().map(|(_, text)| *text).collect();
    assert_eq!(
        texts,
        [
            "x = 1\n",
            "def f():\n    return 2\n",
            "def g():\n    pass\n"
        ]
    );
    for language in sectile::chunk::Language::ALL {
        place.stdout(&[&sized[..], &["--language", language.name()]].concat());
    }
}

#[test]
fn chunk_options_that_would_be_ignored_are_refused() {
    let place = Workplace::new();
    let refused =
        |arguments: &[&str]| place.stderr(&[&["chunk", "docs/guide.md"], arguments].concat(), 2);
    assert!(refused(&["--strategy", "sections", "--overlap", "3"]).contains("do not overlap"));
    let of_recursive = |option: &[&str]| refused(&[&["--strategy", "sentence"], option].concat());
    for option in [
        &["--no-trim"][..],
        &["--separator", "|"],
        &["--language", "rust"],
        &["--keep-separator", "end"],
    ] {
        let reason = "is an option of the strategy recursive, not of sentence; leave it out, or choose that strategy";
        let typed = option[0];
        assert_eq!(of_recursive(option), format!("error: `{typed}` {reason}\n"));
    }
    let long = "error: `--long-sentences` is an option of the strategy sentence, not of recursive; leave it out, or choose that strategy\n";
    assert_eq!(refused(&["--long-sentences", "keep"]), long);
    let strategies = ["recursive", "markdown", "sentence", "token", "sections"];
    for strategy in strategies {
        let said = refused(&["--strategy", strategy, "--size", "0"]);
        assert_eq!(said, "error: `--size` must be at least 1, not 0\n");
    }
    for strategy in ["markdown", "sentence", "token"] {
        let said = refused(&["--strategy", strategy, "--size", "9", "--overlap", "9"]);
        assert!(
            said.starts_with("error: `--overlap` must be smaller than"),
            "{said}"
        );
    }
    assert!(refused(&["--language", "c", "--separator", "|"]).contains("cannot be used with"));
    assert!(refused(&["--language", "cobra"]).contains("possible values: cpp, go,"));
    let clamped = place.stderr(
        &["chunk", "docs/notes.txt", "--size", "10", "--overlap", "20"],
        0,
    );
    assert_eq!(
        clamped,
        "warning: an overlap of 20 does not fit into chunks of 10; using 9\n"
    );
}

#[test]
fn chunks_and_trees_are_drawn_as_pages_that_need_nothing_else() {
    let place = Workplace::new();
    place.write(
        "docs/bad.md",
        "# <b>\n\n<script>alert(1)</script> & more words, to be cut in two.\n",
    );
    let arguments = [
        "chunk",
        "docs/bad.md",
        "docs/guide.md",
        "--html",
        "--size",
        "30",
        "--overlap",
        "9",
    ];
    let chunks = place.stdout(&arguments);
    assert!(
        chunks.contains("Strategy recursive, size 30, overlap 9, counted in chars."),
        "{chunks}"
    );
    assert!(chunks.contains("&lt;script&gt;") && chunks.contains("id=\"f1-c2\""));
    let tree = place.stdout(&["tree", "docs/guide.md", "--html"]);
    assert!(tree.contains("Plugins") || tree.contains("Install"));
    for page in [chunks, tree] {
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("style-src 'sha256-"));
        assert!(!page.contains("<script") && !page.contains("<link") && !page.contains("src="));
    }
    assert!(
        place
            .stderr(&["chunk", "docs/guide.md", "--html", "--json"], 2)
            .contains("--html")
    );
    assert!(
        place
            .stderr(&["tree", "docs/guide.md", "--html", "--json"], 2)
            .contains("--html")
    );
    assert!(
        place
            .stderr(&["chunk", "docs/guide.md", "--html", "--size", "0"], 2)
            .contains("`--size`")
    );
}

#[test]
fn a_tree_is_drawn_or_printed_in_the_three_forms() {
    let place = Workplace::new();
    insta::assert_snapshot!(place.stdout(&["tree", "docs/guide.md"]), @r"
    guide.md
    ├── guide.md  line 1
    └── Guide  line 4
        ├── Install  line 8
        └── Use  line 12
            └── Install  line 14
    ");
    let full = place.json(&["tree", "docs/guide.md", "--json"]);
    assert_eq!(
        full["structure"][1]["nodes"][0]["text"],
        "## Install\n\nRun `cargo install`.\n\n"
    );
    let bare = place.json(&["tree", "docs/guide.md", "--json", "--no-text"]);
    assert_eq!(bare["structure"][1]["nodes"][0]["text"], Value::Null);
    let map = place.json(&["tree", "docs/guide.md", "--json", "--node-map"]);
    assert_eq!(map["0004"]["title"], "Install");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let place = Workplace::new();
    place.write("docs/long.txt", "word ".repeat(200_000));
    let mut child = place
        .command(&["extract", "docs/long.txt"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn help_completions_and_manual_are_there() {
    let place = Workplace::new();
    for command in [
        "search", "ingest", "list", "status", "rm", "toc", "get", "extract", "chunk", "tree",
    ] {
        let help = place.stdout(&[command, "--help"]);
        assert!(
            help.contains("Usage: sectile ") && help.contains(command),
            "{help}"
        );
    }
    assert!(place.stdout(&["completions", "bash"]).contains("_sectile"));
    assert!(place.stdout(&["man"]).contains(".TH sectile"));
}

#[test]
fn the_store_is_made_where_the_user_keeps_data() {
    let place = Workplace::new();
    let mut command = place.command(&["ingest", "docs"]);
    command
        .env_remove("SECTILE_STORE")
        .env("XDG_DATA_HOME", place.path("data"));
    assert!(command.output().unwrap().status.success());
    assert!(Path::new(&place.path("data/sectile/sectile.db")).exists());
}

/// The same commands say the same on Postgres.
#[cfg(feature = "postgres")]
#[tokio::test]
async fn a_store_in_postgres_answers_alike() {
    let (sqlite, mut postgres) = (Workplace::new(), Workplace::new());
    postgres.store = sectile_test_postgres::database().await.unwrap();
    let commands: [&[&str]; 7] = [
        &["search", "how do I install plugins?", "--in", "docs"],
        &["ingest", "docs"],
        &["search", "install NOT plugins"],
        &["list"],
        &["toc", "docs/guide.md"],
        &["get", "docs/guide.md", "--heading", "Guide > Use"],
        &["rm", "docs/notes.txt"],
    ];
    for command in commands {
        let outputs = [&sqlite, &postgres].map(|place| {
            let output = place.run(command);
            let folder = place.folder.path().display().to_string();
            let text = String::from_utf8_lossy(&output.stdout).replace(&folder, "");
            // How long it took is not compared.
            let untimed = text.split(" written in ").next().map(str::to_owned);
            (output.status.code(), untimed, stderr(&output).is_empty())
        });
        assert_eq!(outputs[0], outputs[1], "{command:?}");
        assert_ne!(outputs[0].0, Some(2), "{command:?}");
    }
    assert!(postgres.stdout(&["status"]).contains("documents  1"));
}

#[test]
fn an_ingest_with_whole_pages_reads_pages_again() {
    let place = Workplace::new();
    let text = "The article of this page, in a sentence that is long enough. ".repeat(4);
    let page = format!(
        "<nav>Contents</nav><article><p>{text}</article><div id=comments><p>Remarkable.</div>"
    );
    place.write("docs/page.html", page);
    let ingest =
        |arguments: &[&str]| place.stdout(&[&["ingest", "docs/page.html"], arguments].concat());
    let found = || place.run(&["search", "remarkable"]).status.code();
    assert!(ingest(&[]).starts_with("1 added"));
    assert_eq!(found(), Some(1));
    assert!(ingest(&["--whole-page"]).starts_with("0 added, 1 updated"));
    assert_eq!(found(), Some(0));
    assert!(ingest(&["--whole-page"]).contains("1 unchanged"));
    assert!(ingest(&[]).starts_with("0 added, 1 updated"));
    assert_eq!(found(), Some(1));
    let whole = place.stdout(&["extract", "docs/page.html", "--whole-page"]);
    assert!(
        whole.contains("Contents") && whole.contains("Remarkable"),
        "{whole}"
    );
}

/// Who refreshes a page names no options, so it is read as it was.
#[test]
fn a_page_that_was_ingested_whole_stays_whole_when_a_search_refreshes_it() {
    let place = Workplace::new();
    let text = "The article of this page, in a sentence that is long enough. ".repeat(4);
    let page = |word: &str| {
        format!("<nav>Contents</nav><article><p>{text}</article><div id=comments><p>{word}.</div>")
    };
    let search = |word: &str| {
        place
            .run(&["search", word, "--in", "docs/page.html"])
            .status
            .code()
    };
    place.write("docs/page.html", page("Remarkable"));
    place.stdout(&["ingest", "docs/page.html", "--whole-page"]);
    assert_eq!(search("remarkable"), Some(0));
    place.write("docs/page.html", page("Extraordinary"));
    assert_eq!(search("extraordinary"), Some(0));
    place.stdout(&["ingest", "docs/page.html"]);
    assert_eq!(search("extraordinary"), Some(1));
}

#[test]
fn an_ingest_with_a_password_or_larger_limits_reads_what_failed_again() {
    let place = Workplace::new();
    let locked = include_bytes!("../../../sectile-load/tests/fixtures/encrypted.pdf");
    place.write("docs/locked.pdf", locked);
    place.write(
        "docs/long.html",
        "<p>Some words of a long page.".repeat(100),
    );
    let ingest = |arguments: &[&str]| place.run(&[&["ingest", "docs"], arguments].concat());
    let failed = ingest(&["--max-file-size", "1KB"]);
    let errors = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert_eq!(failed.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("long.html: it exceeds the limit of 1000"),
        "{errors}"
    );
    let failed = ingest(&[]);
    let errors = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert!(
        errors.contains("locked.pdf") && errors.contains("is encrypted"),
        "{errors}"
    );
    assert!(!errors.contains("long.html"), "{errors}");
    let opened = ingest(&["--password", "secret"]);
    let errors = String::from_utf8_lossy(&opened.stderr).into_owned();
    assert_eq!(opened.status.code(), Some(0), "{errors}");
    let again = place.stdout(&["ingest", "docs"]);
    assert!(again.contains("4 unchanged"), "{again}");
}

#[test]
fn a_store_that_cannot_be_used_says_which_and_the_way_out() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let whole = std::fs::read(place.path("store.db")).unwrap();
    place.write("store.db", &whole[..whole.len() / 4]);
    let said = place.stderr(&["search", "release"], 2);
    assert!(
        said.contains("store.db is damaged; move it away and ingest again"),
        "{said}"
    );
    let found = String::from_utf8(place.run(&["doctor"]).stdout).unwrap();
    assert!(
        found.contains("→ move the file away and ingest again"),
        "{found}"
    );
    assert!(found.contains("too damaged to tell"), "{found}");

    place.write("store.db", "A letter to somebody.\n");
    let said = place.stderr(&["search", "release"], 2);
    assert!(
        said.contains("store.db` cannot be used as a store: the file is not a SQLite database"),
        "{said}"
    );
    let found = String::from_utf8(place.run(&["doctor"]).stdout).unwrap();
    assert!(found.contains("ok       checkpoints    none"), "{found}");
    assert!(found.contains("→ name another file"), "{found}");
}

#[test]
fn what_is_gone_is_said_to_be_gone() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    std::fs::remove_dir_all(place.path("docs")).unwrap();
    let found = place.stdout(&["search", "release checklist"]);
    assert!(
        found.contains("notes.txt") && found.contains("(the file is gone)"),
        "{found}"
    );
    let said = place.stderr(&["ingest", "docs"], 2);
    assert!(
        said.contains(
            "`docs` is gone, and the store still has 2 documents from it; `sectile rm docs`"
        ),
        "{said}"
    );
    let searched = place.stderr(&["search", "checklist", "--in", "docs"], 2);
    assert!(
        searched.contains("the store still has 2 documents from it; `sectile rm docs`"),
        "{searched}"
    );
    place.stdout(&["rm", "--yes", "docs"]);
    let said = place.stderr(&["ingest", "docs"], 2);
    assert!(said.contains("cannot read `docs`"), "{said}");
}

#[test]
fn a_document_is_named_by_the_end_of_its_path() {
    let place = Workplace::new();
    std::fs::create_dir(place.path("docs/more")).unwrap();
    place.write("docs/more/guide.md", "# Another\n");
    place.stdout(&["ingest", "docs"]);
    assert!(
        place
            .stdout(&["get", "notes.txt"])
            .starts_with("The release checklist")
    );
    assert!(
        place
            .stdout(&["toc", "more/guide.md"])
            .starts_with("Another")
    );
    let said = place.stderr(&["toc", "guide.md"], 2);
    assert!(
        said.contains("2 documents match `guide.md`. Write a longer name, or add --collection:"),
        "{said}"
    );
    assert!(said.contains("docs/more/guide.md in default"), "{said}");
    let said = place.stderr(&["get", "docs"], 2);
    assert!(
        said.contains("`docs` is a folder with 3 documents in the store. Write one of:"),
        "{said}"
    );
    let said = place.stderr(&["get", "giude.md"], 2);
    assert!(said.contains("is not in the store"), "{said}");
    assert!(said.contains("did you mean one of these?"), "{said}");
    assert!(said.contains("docs/guide.md in default"), "{said}");
    assert!(!said.contains("caused by"), "{said}");
    for unlike in ["xylophone", "docs/nothing.md"] {
        let said = place.stderr(&["get", unlike], 2);
        assert!(!said.contains("did you mean"), "{said}");
        assert!(
            said.ends_with(", and there is no such file; `sectile list` shows all documents\n"),
            "{said}"
        );
    }
    let guide = ["get", "docs/guide.md", "--heading", "Instal"];
    let said = place.stderr(&guide, 2);
    assert_eq!(
        said,
        "error: `docs/guide.md` has no heading `Instal`; did you mean `Install`? `sectile toc` lists all\n"
    );
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
fn the_log_says_what_took_how_long_and_no_text() {
    let place = Workplace::new();
    let ingested = place.command(&["-v", "ingest", "docs"]).output().unwrap();
    let said = String::from_utf8_lossy(&ingested.stderr).into_owned();
    assert!(
        said.contains("ingest{collection=\"default\" sources=1}"),
        "{said}"
    );
    assert!(said.contains("close time.busy="), "{said}");
    let mut search = place.command(&["search", "cargo checklist", "--log-format", "json"]);
    let searched = search.env("RUST_LOG", "sectile=debug").output().unwrap();
    let said = String::from_utf8_lossy(&searched.stderr).into_owned();
    let lines: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let span = |name: &str| {
        let is_it = |line: &&Value| line["span"]["name"] == name;
        lines.iter().find(is_it).map(|line| line["span"].clone())
    };
    assert_eq!(span("search").unwrap()["hits"], 2, "{said}");
    assert_eq!(span("search.leg").unwrap()["leg"], "text", "{said}");
    assert!(!said.contains("checklist"), "{said}");
}

#[test]
fn a_store_is_compared_with_itself() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    for arguments in [&["doctor", "--deep"][..], &["doctor", "--repair"]] {
        let said = place.stdout(arguments);
        assert!(
            said.contains("texts, metadata, sections, chunks, index and vectors agree"),
            "{said}"
        );
    }
    assert!(!place.stdout(&["doctor"]).contains("contents"));
}

#[tokio::test]
async fn a_damaged_index_is_named_and_built_anew() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let options = SqliteConnectOptions::new().filename(place.path("store.db"));
    let mut connection = options.connect().await.unwrap();
    let damage = "UPDATE words SET words = x'00112233'";
    sqlx::query(damage).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let said = place.stderr(&["search", "chekclist"], 2);
    assert!(
        said.contains("store.db is damaged; run `sectile doctor --repair`"),
        "{said}"
    );
    let compared = place.run(&["doctor", "--deep"]);
    let said = String::from_utf8(compared.stdout).unwrap();
    assert_eq!(compared.status.code(), Some(2), "{said}");
    assert!(
        said.contains("the index of its collection is damaged"),
        "{said}"
    );
    let said = place.stdout(&["doctor", "--repair"]);
    assert!(said.contains("2 documents reindexed"), "{said}");
    assert!(place.stdout(&["search", "chekclist"]).contains("checklist"));
    let said = place.stdout(&["doctor", "--deep"]);
    assert!(!said.contains("another release"), "{said}");
}

#[test]
fn a_name_means_the_document_that_could_be_read() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    // None of them has a ticker.
    place.stderr(
        &[
            "ingest",
            "docs",
            "--collection",
            "filings",
            "--key",
            "ticker",
        ],
        2,
    );
    for name in ["docs/guide.md", "guide.md"] {
        assert!(place.stdout(&["toc", name]).contains("Install"), "{name}");
    }
    place.stdout(&["ingest", "docs", "--collection", "copies"]);
    let said = place.stderr(&["toc", "docs/guide.md"], 2);
    assert!(said.contains("name one with `--collection NAME`"), "{said}");
}

#[test]
fn a_list_has_the_documents_with_the_sections_that_filters_ask_for() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let listed = |filter: &str| place.stdout(&["list", "--filter", filter]).lines().count();
    assert_eq!((listed("level=3"), listed("heading=use")), (1, 1));
    let said = place.stderr(&["list", "--filter", "level=4"], 1);
    assert!(said.contains("no document matches the filters"), "{said}");
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

#[test]
fn no_metadata_makes_a_store_unreadable() {
    let place = Workplace::new();
    let forged = "---\ncontent_hash: x\nsize: big\ntitle: C++: The good parts\nteam: [\n---\n# A\n";
    place.write("docs/forged.md", forged);
    let said = place.stderr(&["ingest", "docs"], 0);
    assert!(
        said.contains("of the front matter team cannot be read"),
        "{said}"
    );
    let rows = place.json(&["list", "--json", "--filter", "front_matter_size=big"]);
    assert_eq!(rows[0]["metadata"]["title"], "C++: The good parts");
    let said = place.stderr(&["remember", "poison", "--metadata", "size=big"], 2);
    assert!(said.contains("`size` cannot be \"big\""), "{said}");
    for metadata in [["=a", "b=1"], ["a=1", "a=2"]] {
        let [first, second] = metadata;
        place.stderr(
            &["remember", "x", "--metadata", first, "--metadata", second],
            2,
        );
    }
    place.stdout(&["list"]);
}

#[test]
fn options_for_sites_want_a_site() {
    let place = Workplace::new();
    for option in ["--crawl", "--page", "--optional", "--allow-private"] {
        let said = place.stderr(&["ingest", "docs", option], 2);
        assert!(
            said.contains(option) && said.contains("web sites"),
            "{said}"
        );
    }
}
