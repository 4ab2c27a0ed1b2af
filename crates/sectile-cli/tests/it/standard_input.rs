//! The format and the name of standard input.

use serde_json::Value;

use super::workplace::{Workplace, stderr};

/// Runs the program with a text as standard input, and returns what it prints.
fn read(place: &Workplace, arguments: &[&str], text: impl AsRef<[u8]>) -> String {
    place.write("input", text);
    let mut command = place.command(arguments);
    let input = std::fs::File::open(place.path("input")).unwrap();
    let output = command.stdin(input).output().unwrap();
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        stderr(&output)
    );
    String::from_utf8(output.stdout).unwrap()
}

const PAGE: &str =
    "<!DOCTYPE html><html><body><h1>Tides</h1><p>The sea rises twice a day.</p></body></html>";

#[test]
fn the_format_of_standard_input_is_that_of_its_content() {
    let place = Workplace::new();
    for command in ["extract", "chunk", "tree"] {
        let printed = read(&place, &[command, "-"], PAGE);
        assert!(printed.contains("Tides"), "{command}: {printed}");
        assert!(!printed.contains("<h1>"), "{command}: {printed}");
    }
    let message = "From: ada@a.example\nTo: bob@b.example\nSubject: Tides\nMIME-Version: 1.0\n\
                   Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n\
                   VGhlIHNlYSByaXNlcy4=\n";
    let printed = read(&place, &["chunk", "-"], message);
    assert!(printed.contains("The sea rises."), "{printed}");
    let printed = read(&place, &["extract", "-", "--json"], "{\"name\": \"Ada\"}\n");
    let document: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(document["format"], "json");
}

#[test]
fn standard_input_may_be_named() {
    let place = Workplace::new();
    let script = "# Copyright Ada\n\ndef rise():\n    return 1\n";
    let printed = read(&place, &["tree", "-", "--name", "tide.py"], script);
    assert!(printed.starts_with("tide.py"), "{printed}");
    assert!(
        printed.contains("rise") && !printed.contains("Copyright"),
        "{printed}"
    );
    let arguments = ["chunk", "-", "--name", "tide.py", "--format", "jsonl"];
    let chunk: Value = serde_json::from_str(read(&place, &arguments, script).trim()).unwrap();
    assert_eq!(chunk["file"], "tide.py");
    let printed = read(&place, &["extract", "-", "--name", "a.md"], PAGE);
    assert!(printed.contains("<h1>"), "{printed}");
}

#[test]
fn a_name_without_standard_input_is_refused() {
    let place = Workplace::new();
    for command in ["extract", "chunk", "tree"] {
        let output = place.run(&[command, "docs/guide.md", "--name", "a.html"]);
        assert_eq!(output.status.code(), Some(2), "{command}");
        let said = "`--name` is for standard input, and no file here is `-`: leave it out";
        assert!(stderr(&output).contains(said), "{command}");
    }
    let output = place.run(&["tree", "-", "--name", "a.html", "--summaries"]);
    assert_eq!(output.status.code(), Some(2));
}

/// The text `# Guide`, a blank line and `Welcome.` in gzip.
const PACKED: [u8; 38] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x53, 0x56, 0x70, 0x2f, 0xcd, 0x4c,
    0x49, 0xe5, 0xe2, 0x0a, 0x4f, 0xcd, 0x49, 0xce, 0xcf, 0x4d, 0xd5, 0xe3, 0x02, 0x00, 0x07, 0x1e,
    0x37, 0x8a, 0x12, 0x00, 0x00, 0x00,
];

#[test]
fn text_in_gzip_is_unpacked() {
    let place = Workplace::new();
    place.write("docs/packed.md.gz", PACKED);
    for command in ["extract", "chunk", "tree"] {
        let printed = place.stdout(&[command, "docs/packed.md.gz"]);
        assert!(printed.contains("Guide"), "{command}: {printed}");
        let printed = read(&place, &[command, "-"], PACKED);
        assert!(printed.contains("Guide"), "{command}: {printed}");
    }
}
