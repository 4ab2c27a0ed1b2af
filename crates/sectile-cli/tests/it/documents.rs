//! Documents by name: read, listed, noted and removed.

use serde_json::json;

use super::workplace::{GUIDE, Workplace, stderr};

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
fn lines_and_pages_of_a_document_are_printed() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let get = |arguments: &[&str]| place.stdout(&[&["get", "docs/guide.md"], arguments].concat());
    let lines: Vec<&str> = GUIDE.split_inclusive('\n').collect();
    assert_eq!(get(&["--lines", "6-8"]), lines[5..8].concat());
    assert_eq!(get(&["--lines", "4"]), lines[3]);
    assert_eq!(get(&["--lines", "9-"]), lines[8..].concat());
    let json = place.json(&["get", "docs/guide.md", "--lines", "6-8", "--json"]);
    assert_eq!(json["lines"], json!({"first": 6, "last": 8}));
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
    let named = ["get", "docs/guide.md", "--section", id];
    assert_eq!(place.stdout(&named), "### Install\n\nPlugins go here.\n");
    let other = place.stderr(&["get", "docs/notes.txt", "--section", id], 2);
    assert!(
        other.contains("it is in `docs/guide.md`") && !other.contains("no document"),
        "{other}"
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
fn a_file_in_two_collections_is_named_with_the_other_one() {
    let place = Workplace::new();
    for collection in ["handbook", "minutes"] {
        place.stdout(&["ingest", "docs", "--collection", collection]);
    }
    let text = place.stdout(&["search", "checklist"]);
    let (_, same) = text.split_once("the same text in ").unwrap();
    assert!(
        same.contains("notes.txt:1 of the collection `minutes`")
            || same.contains("notes.txt:1 of the collection `handbook`"),
        "{text}"
    );
    for collection in ["handbook", "minutes"] {
        place.stdout(&["note", "Old", "--in", "docs", "--collection", collection]);
    }
    let notes = place.stdout(&["note"]);
    assert_eq!(notes.matches(": Old\n").count(), 2, "{notes}");
    for collection in ["handbook", "minutes"] {
        let expected = format!(" of {collection}: Old\n");
        assert!(notes.contains(&expected), "{notes}");
    }
}
