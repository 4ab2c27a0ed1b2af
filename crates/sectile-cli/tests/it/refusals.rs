//! What was typed and would have no effect is refused or said, and so is what cannot be read or written.

use crate::workplace::{Workplace, stderr};

#[test]
fn options_of_loading_that_apply_to_no_file_are_refused() {
    let place = Workplace::new();
    place.write("page.html", "<h1>Guide</h1><p>Welcome.</p>");
    for command in ["extract", "chunk", "tree"] {
        for (option, what) in [
            ("--password=x", "PDF files"),
            ("--pages=1", "PDF files"),
            ("--keep-running-lines", "PDF files"),
            ("--no-guessed-headings", "PDF files"),
            ("--ocr", "PDF files"),
            ("--headers-and-footers", "Word documents"),
            ("--comments", "those of Word"),
            ("--whole-page", "web pages"),
        ] {
            let said = place.stderr(&[command, "docs/guide.md", option], 2);
            let name = option.split('=').next().unwrap();
            assert!(said.contains(name) && said.contains(what), "{said}");
        }
    }
    // One file that the option is for is enough.
    let files = ["docs/guide.md", "page.html"];
    place.stdout(&["extract", files[0], files[1], "--whole-page"]);
}

#[test]
fn formats_and_folders_that_would_change_nothing_are_refused() {
    let place = Workplace::new();
    let question = "{\"question\": \"cargo\", \"answers\": [{\"document\": \"guide.md\"}]}\n";
    place.write("questions.jsonl", question);
    place.stdout(&["ingest", "docs"]);
    for (arguments, said) in [
        (
            &["extract", "docs/guide.md", "--json", "--format=markdown"][..],
            "cannot be used with",
        ),
        (
            &["chunk", "docs/guide.md", "--json", "--format=text"],
            "cannot be used with",
        ),
        (
            &["search", "cargo", "--explain", "--format=md"],
            "`--explain` changes nothing in Markdown",
        ),
        (
            &["eval", "questions.jsonl", "--cache", "stores"],
            "`--cache` changes nothing",
        ),
    ] {
        let refused = place.stderr(arguments, 2);
        assert!(refused.contains(said), "{arguments:?}: {refused}");
    }
    assert!(!place.path("stores").exists());
}

#[test]
fn numbers_say_which_can_be_used() {
    let place = Workplace::new();
    let largest = "99999999999999999999";
    for (arguments, said) in [
        (&["search", "x", "--limit", largest][..], "too large"),
        (&["search", "x", "--limit", "0"], "1 or more"),
        (&["search", "x", "--limit", "few"], "1 or more"),
        (&["get", "docs/guide.md", "--lines", largest], "too large"),
        (&["extract", "docs/guide.md", "--timeout", "0"], "1 or more"),
        (&["search", "x", "--limit", "-1"], "1 or more"),
        (&["get", "docs/guide.md", "--cursor", "abc"], "0 or more"),
        (&["get", "docs/guide.md", "--cursor", "-1"], "0 or more"),
        (&["search", "x", "--rerank-depth", "few"], "0 or more"),
        (&["chunk", "docs/guide.md", "--size", "few"], "0 or more"),
        (
            &["chunk", "docs/guide.md", "--overlap", largest],
            "too large",
        ),
        (&["checkpoint", "show", "run", "--seq", "x"], "0 or more"),
        (
            &["checkpoint", "list", "run", "--before", "-1"],
            "0 or more",
        ),
        (
            &["checkpoint", "fork", "run", "new", "--at", "x"],
            "0 or more",
        ),
        (&["checkpoint", "prune", "--keep-latest", "0"], "1 or more"),
        (&["checkpoint", "prune", "--older-than", "30"], "30days"),
        (&["checkpoint", "threads", "--since", "foo"], "30days"),
        (&["checkpoint", "threads", "--unused-for", ""], "30days"),
        (&["search", "x", "--rerank-timeout", "1"], "500ms"),
    ] {
        let refused = place.stderr(arguments, 2);
        assert!(refused.contains(said), "{arguments:?}: {refused}");
        // Where a number is the value of an option, `--` does not help.
        assert!(!refused.contains("'-- "), "{arguments:?}: {refused}");
    }
}

#[test]
fn a_model_that_would_not_be_asked_is_refused_where_it_is_typed() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    for (arguments, needed) in [
        (
            &["search", "guide", "--embedder", "foo"][..],
            "--mode hybrid",
        ),
        (
            &["search", "guide", "--mode", "tree", "--embedder", "foo"],
            "--mode hybrid",
        ),
        (
            &["search", "guide", "--mode", "value", "--chat-model", "foo"],
            "--mode tree",
        ),
        (
            &["tree", "docs/guide.md", "--chat-model", "foo"],
            "--summaries",
        ),
    ] {
        let said = place.stderr(arguments, 2);
        let expected = format!("changes nothing without `{needed}`: add it");
        assert!(said.contains(&expected), "{arguments:?}: {said}");
    }
    // Where another command has it from, it is for the searches that need it.
    for name in ["SECTILE_EMBEDDER", "SECTILE_CHAT_MODEL"] {
        let mut command = place.command(&["search", "guide"]);
        let output = command.env(name, "foo").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
}

#[test]
fn the_address_of_a_file_has_no_parameters() {
    let place = Workplace::new();
    for url in ["sqlite:x.db?mode=ro", "sqlite://x.db?cache=shared&mode=rwc"] {
        for arguments in [
            &["status"][..],
            &["ingest", "docs"],
            &["config", "set", "store", url],
        ] {
            let said = place.stderr(&[arguments, &["--store", url]].concat(), 2);
            assert!(
                said.contains("takes no parameters"),
                "{arguments:?}: {said}"
            );
        }
    }
    let made = std::fs::read_dir(place.folder.path()).unwrap();
    let mut names = made.map(|file| file.unwrap().file_name());
    assert!(!names.any(|name| name.to_string_lossy().contains("x.db")));
}

#[test]
fn the_doctor_says_how_a_store_is_named() {
    let place = Workplace::new();
    for url in ["foo", "", "x.db", "sqlite:x.db?mode=ro"] {
        let text = place.run(&["doctor", "--store", url]);
        assert_eq!(text.status.code(), Some(2), "{url}");
        let text = String::from_utf8(text.stdout).unwrap();
        assert!(text.contains("as sqlite:PATH or postgres://"), "{text}");
        assert!(!text.contains("server is running"), "{text}");
    }
    for url in ["sqlite:", "sqlite::memory:"] {
        let text = place.run(&["doctor", "--store", url]);
        assert_eq!(text.status.code(), Some(2), "{url}");
        let text = String::from_utf8(text.stdout).unwrap();
        assert!(!text.contains("does not exist yet"), "{text}");
        assert!(text.contains("name"), "{text}");
    }
}

#[test]
fn a_file_that_is_no_database_has_no_damaged_checkpoints() {
    let place = Workplace::new();
    place.write(
        "plain.txt",
        "A text of some length, which is no database.\n".repeat(100),
    );
    for command in ["threads", "migrate"] {
        let arguments = ["checkpoint", command, "--store", "sqlite:plain.txt"];
        let said = place.stderr(&arguments, 2);
        assert!(said.contains("not a SQLite database"), "{said}");
        assert!(!said.contains("damaged"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_text_and_what_is_no_file_are_said() {
    let place = Workplace::new();
    place.write("bytes.jsonl", b"\xFF\xFE\xFD\n");
    for (arguments, said) in [
        (["eval", "bytes.jsonl"], "is not text in UTF-8"),
        (["chunk", "docs"], "is a folder"),
    ] {
        let error = place.stderr(&arguments, 2);
        assert!(error.contains(said), "{arguments:?}: {error}");
    }
}

#[test]
fn a_log_that_cannot_be_selected_is_said() {
    let place = Workplace::new();
    for (selection, is_said) in [("bogus=bogus", true), ("sectile=debug", false), ("", false)] {
        let mut command = place.command(&["status"]);
        let output = command.env("RUST_LOG", selection).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{selection}");
        let said = stderr(&output).contains("RUST_LOG is ignored");
        assert_eq!(said, is_said, "{selection}: {}", stderr(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    let place = Workplace::new();
    for arguments in [&["--help"][..], &["--version"], &["search", "--help"]] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut command = place.command(arguments);
        let output = command.stdout(full.unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains("No space left"), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_limit_of_file_sizes_is_an_error_that_names_it() {
    let place = Workplace::new();
    let words: Vec<String> = (0..200_000).map(|number| format!("word{number}")).collect();
    let words = words.join(" ");
    place.write("docs/long.txt", words);
    let mut shell = std::process::Command::new("sh");
    let output = shell
        .args(["-c", "ulimit -f 200 && exec \"$0\" ingest docs"])
        .arg(env!("CARGO_BIN_EXE_sectile"))
        .current_dir(place.folder.path())
        .env("SECTILE_STORE", &place.store)
        .env("SECTILE_CONFIG", place.path("config.toml"))
        .env_remove("SECTILE_EMBEDDER")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("`ulimit -f`"),
        "{}",
        stderr(&output)
    );
}

#[cfg(unix)]
#[test]
fn a_change_of_the_configuration_that_cannot_be_written_leaves_nothing() {
    let place = Workplace::new();
    place.stdout(&["config", "set", "limit", "3"]);
    let before = std::fs::read(place.path("config.toml")).unwrap();
    let mut shell = std::process::Command::new("sh");
    let output = shell
        .args([
            "-c",
            "ulimit -f 0 && exec \"$0\" config set mode value 2>/dev/null",
        ])
        .arg(env!("CARGO_BIN_EXE_sectile"))
        .current_dir(place.folder.path())
        .env("SECTILE_CONFIG", place.path("config.toml"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let after = std::fs::read(place.path("config.toml")).unwrap();
    assert_eq!(after, before);
    assert!(!place.path("config.toml.new").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_relative_home_makes_no_store_in_the_working_folder() {
    let place = Workplace::new();
    for (arguments, variable) in [
        (&["ingest", "docs"][..], "SECTILE_CONFIG"),
        (&["config", "set", "limit", "3"], "SECTILE_STORE"),
        (&["ingest", "docs"], "SECTILE_STORE"),
        (&["model", "list"], "SECTILE_MODELS"),
    ] {
        let mut command = place.command(arguments);
        command.env("HOME", "relative");
        for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", variable] {
            command.env_remove(name);
        }
        if arguments[0] == "config" {
            command.env_remove("SECTILE_CONFIG");
        }
        let output = command.output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("directory"), "{arguments:?}: {said}");
        assert!(!place.path("relative").exists(), "{arguments:?}");
    }
}

#[test]
fn what_is_to_be_removed_is_named_or_its_collection() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    for arguments in [&["rm"][..], &["rm", "--dry-run"], &["rm", "--yes"]] {
        let said = place.stderr(arguments, 2);
        assert!(said.contains("--collection NAME"), "{arguments:?}: {said}");
    }
    let said = place.stderr(&["get"], 2);
    assert!(said.contains("--section ID"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_variable_that_is_no_text_is_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let place = Workplace::new();
    for (name, arguments) in [
        ("SECTILE_STORE", &["status"][..]),
        ("SECTILE_EMBEDDER", &["search", "x"]),
    ] {
        let mut command = place.command(arguments);
        let output = command.env(name, OsStr::from_bytes(b"sqlite:\xff.db"));
        let output = output.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}");
        let said = stderr(&output);
        let expected = format!("{name} is not valid UTF-8; set it again");
        assert!(said.contains(&expected), "{said}");
    }
}
