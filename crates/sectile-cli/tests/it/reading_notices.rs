//! What commands say of the files that they read.

use super::workplace::{Workplace, stderr};

#[test]
fn what_files_lack_is_said_by_all_commands_that_read_them() {
    let place = Workplace::new();
    let missing = "# Parts\n\nPlugins have parts.\n\n--8<-- \"other.md\"\n";
    place.write("docs/parts.md", missing);
    place.write("docs/empty.txt", "");
    place.write("docs/picture.png", b"\x89PNG\r\n\x1a\n");
    place.write(
        "questions.jsonl",
        "{\"question\": \"plugins\", \"answers\": [{\"document\": \"guide.md\"}]}\n",
    );
    let search = ["search", "plugins", "--in", "docs"];
    for arguments in [&search[..], &["eval", "questions.jsonl", "--in", "docs"]] {
        let said = stderr(&place.run(arguments));
        assert!(said.contains("other.md"), "{arguments:?}: {said}");
        assert!(said.contains("picture.png: "), "{arguments:?}: {said}");
        let is_named = |line: &str| {
            line.starts_with("1 document holds no text: ") && line.ends_with("docs/empty.txt")
        };
        assert!(said.lines().any(is_named), "{arguments:?}: {said}");
    }
    // It is not said again as long as the files stay as they are.
    assert_eq!(stderr(&place.run(&search)), "");
}

#[test]
fn each_path_without_files_to_read_is_named() {
    let place = Workplace::new();
    std::fs::create_dir_all(place.path("hidden/.inner")).unwrap();
    place.write("hidden/.inner/a.md", "# Plugins\n");
    std::fs::create_dir(place.path("empty")).unwrap();
    let none = "no files to read in `hidden`, `empty`; links are not followed";
    for arguments in [
        &["ingest", "hidden", "docs", "empty"][..],
        &["ingest", "hidden", "docs", "empty", "--json"],
        &["search", "plugins", "--in", "hidden", "docs", "empty"],
    ] {
        let said = place.stderr(arguments, 0);
        assert!(said.contains(none), "{arguments:?}: {said}");
    }
    let said = place.stderr(&["ingest", "hidden", "empty"], 1);
    assert!(said.contains(none), "{said}");
    let said = place.stderr(&["ingest", "docs", "docs/guide.md"], 0);
    assert!(!said.contains("no files to read"), "{said}");
}

#[test]
fn hits_in_files_that_are_gone_are_marked_in_every_text() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    std::fs::remove_file(place.path("docs/notes.txt")).unwrap();
    for format in ["text", "md"] {
        let arguments = ["search", "release checklist", "--format", format];
        let found = place.stdout(&arguments);
        assert!(found.contains("(the file is gone)"), "{format}: {found}");
        let arguments = ["search", "cargo", "--format", format];
        let found = place.stdout(&arguments);
        assert!(!found.contains("is gone"), "{format}: {found}");
    }
}
