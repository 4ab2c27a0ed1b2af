//! Source code.

use std::path::Path;

use sectile_chunk::{Characters, SectionOptions, section_tree, sections};
use sectile_core::Format;
use sectile_load::{Error, load_bytes};

const PYTHON: &str = "import os\n\n# Not a heading.\n# Adds.\ndef add(a, b):\n    return a + b\n\n\
class Queue:\n    \"\"\"A queue.\"\"\"\n\n    # Puts.\n    @logged\n    def put(self, item):\n        \
self.items.append(item)\n";
const RUST: &str = "/// Adds.\n#[must_use]\npub fn add(a: u8) -> u8 {\n    a + 1\n}\n\n/// Halves.\n\
fn half(a: u8) -> u8 {\n    a / 2\n}\n";
const JAVASCRIPT: &str = "/**\n * Adds.\n */\nexport function add(a, b) {\n  return a + b;\n}\n\n\
// Doubles.\nconst double = (x) => {\n  return x * 2;\n};\n";

/// Checks that each of `wholes` is in one section, however small sections are to be.
fn check(name: &str, text: &str, wholes: &[&str]) {
    let document = load_bytes(text.as_bytes(), Path::new(name)).unwrap();
    assert_eq!((document.format, &*document.text), (Format::Code, text));
    let tree = section_tree(name, text, &document.outline);
    let options = SectionOptions::default()
        .with_max_tokens(90)
        .with_source_code(true);
    let few = sections(name, text, &document.outline, &options, &Characters).unwrap();
    for whole in wholes {
        for tree in [&tree, &few] {
            let mut spans = tree.sections.iter().map(|section| section.span.of(text));
            assert!(spans.any(|span| span.contains(whole)), "{name}: {whole}");
        }
    }
}

#[test]
fn what_nobody_reads_is_no_source() {
    let words: Vec<String> = (0..2_000)
        .map(|word| format!("word{word}:[{word}]"))
        .collect();
    let index = format!("Search.setIndex({{{}}})", words.join(","));
    let refused = load_bytes(index.as_bytes(), Path::new("searchindex.js"));
    assert!(
        matches!(refused, Err(Error::UnsupportedFormat { .. })),
        "{refused:?}"
    );
    let style = ".a{color:red}".repeat(1_000);
    let refused = load_bytes(style.as_bytes(), Path::new("a.min.css"));
    assert!(matches!(refused, Err(Error::UnsupportedFormat { .. })));
    // Long lines of SQL are data.
    assert!(load_bytes(style.as_bytes(), Path::new("a.sql")).is_ok());
    // A table of numbers among functions.
    let table = vec!["17"; 4_000].join(",");
    let source = format!("const TABLE = [{table}];\n{}", JAVASCRIPT.repeat(20));
    assert!(load_bytes(source.as_bytes(), Path::new("table.js")).is_ok());
}

#[test]
fn a_function_is_whole_with_its_doc_comment_and_signature() {
    let add = "# Adds.\ndef add(a, b):\n    return a + b\n";
    let put =
        "    # Puts.\n    @logged\n    def put(self, item):\n        self.items.append(item)\n";
    check("a.py", PYTHON, &[add, put]);
    let add = "/// Adds.\n#[must_use]\npub fn add(a: u8) -> u8 {\n    a + 1\n}\n";
    let half = "/// Halves.\nfn half(a: u8) -> u8 {\n    a / 2\n}\n";
    check("a.rs", RUST, &[add, half]);
    let add = "/**\n * Adds.\n */\nexport function add(a, b) {\n  return a + b;\n}\n";
    let double = "// Doubles.\nconst double = (x) => {\n  return x * 2;\n};\n";
    check("a.js", JAVASCRIPT, &[add, double]);
}

#[test]
fn lines_may_end_with_carriage_returns() {
    let text = PYTHON.repeat(100).replace('\n', "\r");
    let document = load_bytes(text.as_bytes(), Path::new("a.py")).unwrap();
    assert_eq!(document.text, text);
    let first = &document.outline[0];
    assert_eq!(first.title, "def add(a, b)");
    let source = "# Not a heading.\r# Adds.\rdef add(a, b):";
    assert_eq!(first.span.of(&text), source);
    assert!(!document.metadata.extra.contains_key("syntax_errors"));
}

#[test]
fn the_language_and_syntax_errors_are_named() {
    let load = |text: &str| load_bytes(text.as_bytes(), Path::new("a.py")).unwrap();
    let extra = load(PYTHON).metadata.extra;
    assert_eq!(extra["programming_language"], "python");
    assert!(!extra.contains_key("syntax_errors"));
    let broken = load("def f(:\n    pass\n\ndef g():\n    return 1\n");
    assert_eq!(broken.metadata.extra["syntax_errors"], true);
    assert!(broken.metadata.size.is_some());
}
