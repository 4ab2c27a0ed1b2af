//! Tests of the headings and the front matter of Markdown.

use proptest::prelude::*;

use super::*;

/// Checks the levels, titles and sources of the headings of a text.
pub(super) fn check(text: &str, expected: &[(u8, &str, &str)]) {
    let outline = markdown_outline(text);
    let found: Vec<_> = outline
        .iter()
        .map(|heading| (heading.level, heading.title.as_str(), heading.span.of(text)))
        .collect();
    assert_eq!(found, expected);
}

fn check_title(source: &str, expected: &str) {
    check(source, &[(1, expected, source)]);
}

#[test]
fn a_line_above_a_title_is_no_part_of_it() {
    check_title("=====\nSECTION A\n=====\n", "SECTION A");
    check_title("  ====\r\n*One*\r\ntwo\r\n====\r\n", "One two");
    check_title("====\n====\n", "====");
    check_title("== a\n===\n", "== a");
}

#[test]
fn the_marks_of_a_conflict_underline_no_heading() {
    let conflict = "Text\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n\n";
    check(&format!("{conflict}# A\n"), &[(1, "A", "# A\n")]);
}

/// Finds the headings with one parse of the whole text.
fn outline_of_one_parse(text: &str) -> Vec<Heading> {
    let text = &*with_newlines(text);
    let mut finder = Finder::default();
    finder.parse(text, Span::new(metadata_end(text), text.len()));
    finder.finish(text)
}

/// Lines that open, close and look like blocks.
const LINES: [&str; 119] = [
    "#\u{c}a",
    "===\u{b}",
    "-\u{c}",
    "- \u{b}a",
    "```\u{c}",
    "\u{b}",
    "---\u{c}",
    ">\u{c}```",
    "\u{c}# a",
    "\u{b}```",
    "-\u{c}a",
    "",
    "",
    "",
    " ",
    "# a",
    "## b {#c}",
    "  # d",
    "   ## [a] e",
    "    # f",
    "#",
    "=",
    "---",
    "-",
    "  ===",
    "    ---",
    "text",
    " text",
    "  text",
    "    text",
    "\ttext",
    "# \tg",
    "```",
    "```rs",
    "  ```",
    "   ```",
    "    ```",
    "````",
    "~~~",
    "``` a `",
    "- a",
    "-",
    "- ",
    "-\ta",
    "* # h",
    "  - b",
    "   - b",
    "+      c",
    "1. a",
    "1) # b",
    "2. c",
    "10. d",
    " 1. e",
    "0001. f",
    "1234567890. g",
    "> a",
    ">",
    "> # b",
    "> ```",
    ">     c",
    "- > a",
    "- ```",
    "1. ```",
    "- <!--",
    "***",
    "- - -",
    "* * *",
    "<div>",
    "</div>",
    "<h1>a</h1>",
    "<div><h2>b</h2>",
    "<h3",
    ">b</h3>",
    "  <h4>c</h4>",
    "<H5>d</H5> <h1>e</h1>",
    "- <h1>f</h1>",
    "<!-- a",
    "-->",
    "<!-- a -->",
    "<?",
    "?>",
    "<pre>",
    "</pre>",
    "<a>",
    "<a@b.c>",
    "<x y",
    "<script>",
    "</script>",
    "[a]: /b",
    "[a]:",
    "'title",
    "[a]",
    "| a | b |",
    "|---|---|",
    "| # c |",
    "a | b",
    "--- | ---",
    ":-",
    "\u{c}",
    "\u{a0}# a",
    "a\rb",
    "\r# a",
    "- a\r",
    "\\",
    "  \\",
    "*a",
    "`",
    "a `b",
    "<![CDATA[",
    "]]>",
    "<!A",
    "+++",
    "\u{feff}# a",
    "\0",
    "\\# a",
    "&#35; a",
    "1.",
    "1. ",
    "  # a\t",
];

fn lines() -> impl Strategy<Value = String> {
    let line = (
        prop::sample::select(&LINES),
        prop::sample::select(vec!["\n", "\n", "\n", "\r\n"]),
    );
    let lines = prop::collection::vec(line.prop_map(|(line, end)| format!("{line}{end}")), 0..14);
    lines.prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn headings_are_those_of_one_parse(text in lines()) {
        prop_assert_eq!(markdown_outline(&text), outline_of_one_parse(&text));
    }
}

#[test]
fn a_span_is_all_lines_of_a_heading() {
    check("a\n\n   ## B ##\nc", &[(2, "B", "   ## B ##\n")]);
    check("  A\nb\n ===\nc", &[(1, "A b", "  A\nb\n ===\n")]);
    check("# A\r\n## B", &[(1, "A", "# A\r\n"), (2, "B", "## B")]);
    check("[a]: /b\nA\n---\n", &[(2, "A", "A\n---\n")]);
    check("x\n#\n", &[(1, "", "#\n")]);
    check("[a]: /b\n\t\tA\n---\n", &[(2, "A", "\t\tA\n---\n")]);
}

#[test]
fn only_top_level_headings_count() {
    let text =
        "> # a\n\n- # b\n\n<div>\n# c\n</div>\n\n```\n# d\n```\n\n    # e\n\n| # f |\n|---|\n";
    check(text, &[]);
}

#[test]
fn a_title_is_plain_text() {
    check_title(
        "# A `b` *c* [d](e) ![f *g*](h) &amp; <b>i</b>\n",
        "A b c d f g & i",
    );
    check_title("# A\u{200b}b\u{feff}  c", "Ab c");
}

#[test]
fn attributes_and_comments_are_not_part_of_a_title() {
    for source in [
        "# A {#b}\n",
        "# A {#b .c}",
        "# A {/*b*/}\n",
        "# A {/* b*c */}",
        "A {.b}\n===",
    ] {
        check_title(source, "A");
    }
}

#[test]
fn a_title_has_an_end() {
    let source = format!("# {}b\n", "é".repeat(1_000));
    let outline = markdown_outline(&source);
    assert_eq!(outline[0].title, "é".repeat(1_000));
    assert_eq!(outline[0].span.of(&source), source);
}

#[test]
fn braces_without_id_or_class_are_part_of_a_title() {
    check_title("# GET /users/{id}\n", "GET /users/{id}");
    check_title("# Use {name} #\n", "Use {name}");
    check_title("A { b, c }\r\n===\r\n", "A { b, c }");
    check_title("# A {b} {#c}\n", "A {b}");
    check_title("# A `{b}`\n", "A {b}");
}

#[test]
fn front_matter_has_no_headings() {
    let headings = [(1, "B", "# B\n")];
    check("---\n# a\nkey: value\n---\n# B\n", &headings);
    check("---\r\nkey: value\r\n...\r\n# B\n", &headings);
    check("+++\n# a\n+++\n# B\n", &headings);
    check("---\n\nkey:\n  - a\n---\n# B\n", &headings);
    check("---\nkey:\tvalue\n---\n# B\n", &headings);
    check("---\n# a\n#b\n---\n# B\n", &headings);
}

#[test]
fn thematic_breaks_are_not_front_matter() {
    check("---\nA\n---\n", &[(2, "A", "A\n---\n")]);
    check("a\n\n---\nB: c\n---\n", &[(2, "B: c", "B: c\n---\n")]);
    check("---\n\n# A\n\n---\n", &[(1, "A", "# A\n")]);
    check("---\na:b\n---\n", &[(2, "a:b", "a:b\n---\n")]);
    assert_eq!(front_matter("---\nA\n---\n"), None);
    assert_eq!(front_matter("---\nkey: never closed\n"), None);
    assert_eq!(front_matter("text\n---\nkey: value\n---\n"), None);
}

#[test]
fn front_matter_is_the_text_between_the_fences() {
    let inner = |text| front_matter(text).map(|span| span.of(text));
    assert_eq!(inner("---\r\na: b\r\n---\r\n"), Some("a: b\r\n"));
    assert_eq!(inner("---\n---\n"), Some(""));
    assert_eq!(inner("--- \na: b\n---"), Some("a: b\n"));
    assert_eq!(inner("+++\na = 1\n+++\n---\n"), Some("a = 1\n"));
    assert_eq!(inner("+++\na = 1\n---\n"), None);
}
