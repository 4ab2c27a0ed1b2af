//! What is ingested, and what is not.

use std::process::Stdio;

use serde_json::Value;

use super::workplace::{Workplace, stderr};

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

/// Makes a pipe, which blocks who opens it.
fn make_pipe(place: &Workplace, name: &str) {
    let mut mkfifo = std::process::Command::new("mkfifo");
    assert!(mkfifo.arg(place.path(name)).status().unwrap().success());
}

#[test]
fn rules_and_settings_of_git_that_would_block_are_not_opened() {
    for pipe in [".gitconfig", ".config/git/config", ".config/git/ignore"] {
        let place = Workplace::new();
        std::fs::create_dir_all(place.path("home/.config/git")).unwrap();
        make_pipe(&place, &format!("home/{pipe}"));
        let mut command = place.command(&["ingest", "docs"]);
        command.env("HOME", place.path("home"));
        for variable in ["XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"] {
            command.env_remove(variable);
        }
        let output = command.output().unwrap();
        let said = stderr(&output);
        let why = format!("{pipe}` cannot be read: it is a pipe, a socket or a device");
        assert!(said.contains(&why), "{said}");
        assert_eq!(output.status.code(), Some(2), "{said}");
    }
}

/// A way to make a rule file that cannot be read.
type Damage = fn(&Workplace, &str);

#[test]
fn a_folder_whose_rules_cannot_be_read_is_left_as_it_is() {
    let damages: [Damage; 5] = [
        make_pipe,
        |place, rules| std::fs::create_dir(place.path(rules)).unwrap(),
        |place, rules| place.write(rules, b"secret.md\n\xff\n"),
        |place, rules| place.write(rules, "secret.md\n{a\n"),
        |place, rules| std::os::unix::fs::symlink("nowhere", place.path(rules)).unwrap(),
    ];
    let names = [".ignore", ".gitignore"].into_iter();
    for (rules, damage) in names.flat_map(|name| damages.map(|damage| (name, damage))) {
        let place = Workplace::new();
        std::fs::create_dir_all(place.path("docs/.git")).unwrap();
        std::fs::create_dir_all(place.path("docs/inner")).unwrap();
        place.write("docs/inner/kept.md", "# Kept\n");
        place.write("docs/inner/gone.md", "# Gone\n");
        place.write("docs/inner/secret.md", "# Secret\n");
        let file = format!("docs/inner/{rules}");
        place.write(&file, "secret.md\n");
        assert!(place.stdout(&["ingest", "docs"]).starts_with("4 added"));
        for name in [file.as_str(), "docs/inner/gone.md"] {
            std::fs::remove_file(place.path(name)).unwrap();
        }
        damage(&place, &file);
        place.write("docs/other.md", "# Other\n");
        for (root, counts) in [
            ("docs", "1 added, 0 updated, 2 unchanged, 0 removed"),
            ("docs/inner", "0 added, 0 updated, 0 unchanged, 0 removed"),
        ] {
            let output = place.run(&["ingest", root]);
            let printed = String::from_utf8_lossy(&output.stdout);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{root}: {said}");
            assert!(printed.starts_with(counts), "{root}: {printed}");
            assert!(
                said.contains(&format!("{file}` cannot be read: ")),
                "{said}"
            );
        }
        let listed = place.stdout(&["list"]);
        assert!(
            listed.contains("gone.md") && !listed.contains("secret.md"),
            "{listed}"
        );
    }
}

#[test]
fn rules_above_a_folder_count_as_far_as_they_apply() {
    let place = Workplace::new();
    std::fs::create_dir(place.path(".gitignore")).unwrap();
    // Outside a repository Git's rules mean nothing.
    assert!(place.stdout(&["ingest", "docs"]).starts_with("2 added"));
    std::fs::create_dir(place.path("docs/.git")).unwrap();
    assert!(place.stdout(&["ingest", "docs"]).starts_with("0 added"));
    std::fs::create_dir(place.path(".git")).unwrap();
    std::fs::remove_dir(place.path("docs/.git")).unwrap();
    let said = place.stderr(&["ingest", "docs"], 2);
    assert!(said.contains(".gitignore` cannot be read"), "{said}");
    let named = place.stdout(&["ingest", "docs/guide.md"]);
    assert!(
        named.contains("1 unchanged"),
        "a file that is named is taken: {named}"
    );
}

#[test]
fn a_pipe_in_the_place_of_rules_blocks_nothing_even_where_they_do_not_apply() {
    let place = Workplace::new();
    make_pipe(&place, ".gitignore");
    let said = place.stderr(&["ingest", "docs"], 2);
    assert!(
        said.contains(".gitignore` cannot be read: it is a pipe"),
        "{said}"
    );
    let named = place.stdout(&["ingest", "docs/guide.md"]);
    assert!(named.starts_with("1 added"), "{named}");
}

#[test]
fn an_empty_device_in_the_place_of_rules_is_no_rules() {
    let place = Workplace::new();
    std::os::unix::fs::symlink("/dev/null", place.path("docs/.ignore")).unwrap();
    assert!(place.stdout(&["ingest", "docs"]).starts_with("2 added"));
}

#[test]
fn what_is_neither_file_nor_folder_is_skipped_with_its_reason() {
    let place = Workplace::new();
    std::os::unix::fs::symlink("nowhere.md", place.path("docs/gone.md")).unwrap();
    make_pipe(&place, "docs/pipe.md");
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
fn vectors_of_bytes_are_refused_for_postgres() {
    let place = Workplace::new();
    let store = "postgres://x@127.0.0.1:9/x";
    let ingest = [
        "ingest",
        "docs",
        "--int8",
        "--embedder",
        "http://127.0.0.1:9/v1#m",
    ];
    let said = place.stderr(&[&ingest[..], &["--store", store]].concat(), 2);
    assert!(said.contains("--int8 is for SQLite"), "{said}");
}

#[test]
fn a_store_that_cannot_share_work_says_so() {
    let place = Workplace::new();
    let said = place.stderr(&["ingest", "docs", "--shared"], 0);
    assert!(said.contains("--shared needs Postgres"), "{said}");
    assert_eq!(place.json(&["list", "--json"]).as_array().unwrap().len(), 2);
}

#[test]
fn options_for_sites_want_a_site() {
    let place = Workplace::new();
    let options = [
        "--crawl",
        "--page",
        "--optional",
        "--allow-private",
        "--max-pages=5",
    ];
    for option in options {
        let said = place.stderr(&["ingest", "docs", option], 2);
        assert!(
            said.contains(option.trim_end_matches("=5")) && said.contains("web sites"),
            "{said}"
        );
    }
}
