//! Control characters and noncharacters, which no text has, in the formats that can hold them.

use std::path::Path;

use sectile_load::load_bytes;

fn check(bytes: &[u8], name: &str, expected: &str) {
    let document = load_bytes(bytes, Path::new(name)).unwrap();
    assert_eq!(document.text, expected, "{name}");
    for heading in &document.outline {
        assert!(!heading.title.chars().any(char::is_control), "{name}");
        assert!(
            heading.span.of(&document.text).contains(&heading.title),
            "{name}"
        );
    }
}

#[test]
fn what_is_written_has_no_control_characters() {
    check(b"{\\rtf1 one\\'1btwo}", "a.rtf", "one two\n");
    check(
        b"<h1>A&#1;b</h1><p>one&#x1b;two&#xFFFE;</p>",
        "a.html",
        "# A b\n\none two\u{FFFD}\n",
    );
    check(
        b"h,k\n1\x1B2,3\n",
        "a.csv",
        "| h | k |\n| --- | --- |\n| 1 2 | 3 |\n",
    );
    check(b"<a><p>one\x1Btwo</p></a>", "a.xml", "one two\n");
    check(b"Subject: S\n\none\x1Btwo\n", "a.eml", "# S\n\none two\n");
    let body = "<w:p><w:r><w:t>one&#x1b;two</w:t></w:r></w:p>";
    let word = format!(
        "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>\
         <w:body>{body}</w:body></w:document>"
    );
    let word = crate::support::pack(&[("word/document.xml", &word)]);
    check(&word, "a.docx", "one two\n");
}

#[test]
fn text_has_no_colours_of_terminals() {
    let log = b"\x1B[32mINFO\x1B[0m started in 1,250 ms\n\x1B[1;31mERROR\x1B[0m disk\n";
    let expected = "INFO started in 1,250 ms\nERROR disk\n";
    check(log, "a.log", expected);
    check(log, "a.txt", expected);
}

#[test]
fn text_that_is_kept_as_it_is_keeps_them() {
    check(b"one\x1Btwo\x0C\n", "a.txt", "one\x1Btwo\x0C\n");
    check(b"a: \x1B\n", "a.yaml", "a: \x1B\n");
}
