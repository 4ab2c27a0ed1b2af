//! Text and Markdown files.

use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::{Loader, MarkdownLoader, TextLoader, load_bytes, omissions};
use serde_json::json;

use crate::support::{load, outline};

fn load_as(bytes: &[u8], name: &str) -> Document {
    load_bytes(bytes, Path::new(name)).unwrap()
}

fn check(bytes: &[u8], text: &str, encoding: &str) {
    let document = load_as(bytes, "file.txt");
    assert_eq!(document.text, text);
    assert_eq!(document.metadata.encoding.as_deref(), Some(encoding));
    assert_eq!(document.metadata.size, Some(bytes.len() as u64));
    assert_eq!(
        (document.format, document.metadata.title),
        (Format::Text, None)
    );
}

#[test]
fn utf8_is_read_with_and_without_a_mark() {
    check("naïve\n".as_bytes(), "naïve\n", "UTF-8");
    check("\u{FEFF}naïve\n".as_bytes(), "naïve\n", "UTF-8");
}

#[test]
fn utf16_is_read_in_both_orders() {
    let units = || "\u{FEFF}naïve 猫\r\n".encode_utf16();
    let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
    check(&little, "naïve 猫\r\n", "UTF-16LE");
    check(&big, "naïve 猫\r\n", "UTF-16BE");
}

#[test]
fn utf32_is_read_in_both_orders() {
    let letters = |text: &str| text.chars().map(u32::from).collect::<Vec<u32>>();
    for text in ["\u{FEFF}naïve 猫\r\n", "naïve 猫\r\n"] {
        let little: Vec<u8> = letters(text)
            .into_iter()
            .flat_map(u32::to_le_bytes)
            .collect();
        let big: Vec<u8> = letters(text)
            .into_iter()
            .flat_map(u32::to_be_bytes)
            .collect();
        check(&little, "naïve 猫\r\n", "UTF-32LE");
        check(&big, "naïve 猫\r\n", "UTF-32BE");
    }
}

#[test]
fn legacy_encodings_are_guessed() {
    let western = load("windows-1252.txt");
    assert_eq!(
        western.text,
        "Das Café in der Müllerstraße kostet 5 € – schön für François.\r\n"
    );
    assert_eq!(western.metadata.encoding.as_deref(), Some("windows-1252"));
    let japanese = load("shift-jis.txt");
    assert!(japanese.text.starts_with("吾輩は猫である。"));
    assert_eq!(japanese.metadata.encoding.as_deref(), Some("Shift_JIS"));
}

#[test]
fn line_ends_are_kept() {
    check(b"a\r\nb\rc\n", "a\r\nb\rc\n", "UTF-8");
}

#[test]
fn an_empty_file_is_an_empty_document() {
    check(b"", "", "UTF-8");
    let document = load_as(b"", "empty.md");
    assert_eq!(document.format, Format::Markdown);
    assert!(omissions(&document.metadata).is_empty());
}

#[test]
fn replaced_characters_are_counted() {
    let mut bytes = "many sound words – ".repeat(200).into_bytes();
    bytes.extend(b"\0\xFF");
    let document = load_as(&bytes, "file.txt");
    assert!(document.text.ends_with("\u{FFFD}\u{FFFD}"));
    assert_eq!(document.metadata.extra["replaced_characters"], json!(2));
}

#[test]
fn loaders_do_not_ask_for_an_extension() {
    let text = TextLoader.load(b"# a", Path::new("a.md")).unwrap();
    assert_eq!((text.format, text.outline.len()), (Format::Text, 0));
    let markdown = MarkdownLoader.load(b"# a", Path::new("a.txt")).unwrap();
    assert_eq!(
        (markdown.format, markdown.outline.len()),
        (Format::Markdown, 1)
    );
}

#[test]
fn markdown_is_kept_and_its_headings_are_found() {
    let text = "Setext\r\n======\r\n\r\n```\r\n# no\r\n```\r\n\r\n## Two ##\r\n";
    let document = load_as(text.as_bytes(), "a.md");
    assert_eq!(document.text, text);
    let expected = [
        (1, "Setext", "Setext\r\n======\r\n"),
        (2, "Two", "## Two ##\r\n"),
    ];
    assert_eq!(outline(&document), expected);
    assert_eq!(document.metadata.title.as_deref(), Some("Setext"));
}

#[test]
fn front_matter_is_metadata_and_stays_in_the_text() {
    let text = "---\ntitle: Real\nauthor: Ada\ntags: [x]\n---\n# First\n";
    let document = load_as(text.as_bytes(), "a.md");
    assert_eq!(document.text, text);
    assert_eq!(document.metadata.title.as_deref(), Some("Real"));
    assert_eq!(document.metadata.author.as_deref(), Some("Ada"));
    assert_eq!(document.metadata.extra["tags"], json!(["x"]));
    assert_eq!(document.outline.len(), 1);
}

#[test]
fn fields_without_fences_are_metadata_and_stay_in_the_text() {
    let text = "Title: My Post\nDate: January 2, 2020\nTags: cheese\nLevel: 3\nIssue: #12\nClasses: bard\n    wizard\n\n\
                Of cheese.\n\n# Cheese\n\n# Milk\n";
    let document = load_as(text.as_bytes(), "a.md");
    assert_eq!(document.text, text);
    assert_eq!(document.outline.len(), 2);
    assert_eq!(document.metadata.title.as_deref(), Some("My Post"));
    assert_eq!(document.metadata.created.as_deref(), Some("2020-01-02"));
    let extra = &document.metadata.extra;
    assert_eq!(extra["tags"], "cheese");
    assert_eq!(extra["level"], 3);
    assert_eq!(extra["issue"], "#12");
    assert_eq!(extra["classes"], json!(["bard", "wizard"]));
    let named = load_as(b"name: A\nschool: evocation\n\n## Fireball\n", "a.md");
    assert_eq!(named.metadata.title.as_deref(), Some("Fireball"));
    assert_eq!(named.metadata.extra["school"], "evocation");
    for (text, path) in [
        ("Note: read this.\nWarning: all of it.\n\n# A\n", "a.md"),
        ("Title: A\nDate: 2020\n\nText.\n", "a.txt"),
    ] {
        let metadata = load_as(text.as_bytes(), path).metadata;
        assert!(!metadata.extra.contains_key("note"), "{text}");
        assert_eq!(metadata.created, None, "{text}");
    }
}

#[test]
fn a_fence_that_nothing_closes_is_said_and_hides_headings() {
    let text = "# A\n\n```sh\nls\n\n## B\n\n    ## C\n";
    let document = load_as(text.as_bytes(), "a.md");
    assert_eq!(document.outline.len(), 1);
    let expected = json!({"line": 3, "headings": 1});
    assert_eq!(document.metadata.extra["unclosed_fence"], expected);
    assert_eq!(
        omissions(&document.metadata),
        ["nothing closes the code fence in line 3, so that 1 heading below it is code"]
    );
    let mdx = load_as(text.as_bytes(), "a.mdx").metadata;
    assert_eq!(mdx.extra["unclosed_fence"]["headings"], 2);
    let closed = load_as(b"# A\n\n```sh\nls\n```\n\n## B\n", "a.md");
    assert_eq!(omissions(&closed.metadata), [""; 0]);
}

#[test]
fn a_title_among_fields_is_that_of_a_text() {
    let title = |text: &str| load_as(text.as_bytes(), "pep.txt").metadata.title;
    let pep =
        "PEP: 8\nTitle: Style Guide\n    for Code\nAuthor: A B\n\n\nIntroduction\n\n    Text.\n";
    assert_eq!(title(pep).as_deref(), Some("Style Guide for Code"));
    for text in [
        "Title: A\n\nText.\n",
        "Title:\nDate: 2020\n\nText.\n",
        "A text.\n\nTitle: A\nDate: 2020\n\n",
    ] {
        assert_eq!(title(text), None, "{text}");
    }
}

#[test]
fn broken_front_matter_does_not_fail_the_load() {
    let document = load_as(b"---\ntitle: [\n---\n# First\n", "a.md");
    assert_eq!(document.metadata.title.as_deref(), Some("First"));
}

#[test]
fn toml_front_matter_is_metadata() {
    let text = b"+++\rtitle = \"Guide\"\rdate = 2026-11-21\r+++\r# Start\r";
    let document = sectile_load::load_bytes(text, std::path::Path::new("a.md")).unwrap();
    assert_eq!(document.metadata.title.as_deref(), Some("Guide"));
    assert_eq!(document.metadata.created.as_deref(), Some("2026-11-21"));
    assert_eq!(document.outline[0].span.of(&document.text), "# Start\r");
}

#[cfg(feature = "asciidoc")]
#[test]
fn dates_of_front_matter_can_be_compared() {
    let metadata = |date: &str, name: &str| {
        let text = format!("---\ndate: {date}\n---\n\nText\n");
        load_bytes(text.as_bytes(), Path::new(name))
            .unwrap()
            .metadata
    };
    for name in ["a.md", "a.adoc"] {
        let written = metadata("November 23, 2026", name);
        assert_eq!(written.created.as_deref(), Some("2026-11-23"), "{name}");
        let unclear = metadata("3/4/2026", name);
        assert_eq!(unclear.created, None, "{name}");
        assert_eq!(unclear.extra["date"], "3/4/2026", "{name}");
    }
}

#[test]
fn typst_has_its_headings() {
    let text = "#import \"t.typ\": *\n\n= A *tidy* `plan` <sec:plan>\n\nText with a $x\n  = y$ formula, and https://a.example/b.\n\n\
                $ a &= b \\\n  = c $\n\n== Costs \\#1 // draft\n\n```typ\n= code\n```\n/* = old\n= older */\n\
                #include \"parts/1.typ\"\n  === snake_case\n=none\n= <only:label>\n= **\n";
    let document = load_bytes(text.as_bytes(), Path::new("plan.typ")).unwrap();
    assert_eq!(document.format, Format::Text);
    assert_eq!(document.text, text);
    assert_eq!(
        outline(&document),
        [
            (1, "A tidy plan", "= A *tidy* `plan` <sec:plan>\n"),
            (2, "Costs #1", "== Costs \\#1 // draft\n"),
            (3, "snake_case", "  === snake_case\n"),
        ]
    );
    let metadata = document.metadata;
    assert_eq!(metadata.title.as_deref(), Some("A tidy plan"));
    assert_eq!(metadata.extra["not_followed"], json!(["parts/1.typ"]));
}

#[test]
fn texinfo_has_its_headings() {
    let text = "\\input texinfo @c -*-texinfo-*-\n@settitle The @code{mu} Manual\n@node Top\n@top\n@chapter Send to a@@b.example @c draft\n\
                @code{x} begins a line.\n@verbatim\n@section Not this\n@end verbatim\n@ignore\n@section Nor that\n@end ignore @c so far\n@section @c nothing\n\
                  @unnumberedsec With @{braces@} and @dots{}\n@include fdl.texi\n@bye\n@section After the end\n";
    let document = load_bytes(text.as_bytes(), Path::new("mu.texi")).unwrap();
    assert_eq!(document.format, Format::Text);
    assert_eq!(document.text, text);
    assert_eq!(
        outline(&document),
        [
            (
                1,
                "Send to a@b.example",
                "@chapter Send to a@@b.example @c draft\n"
            ),
            (
                2,
                "With {braces} and …",
                "@unnumberedsec With @{braces@} and @dots{}\n"
            ),
        ]
    );
    let metadata = document.metadata;
    assert_eq!(metadata.title.as_deref(), Some("The mu Manual"));
    assert_eq!(metadata.extra["not_followed"], json!(["fdl.texi"]));
}

#[test]
fn gemtext_has_its_headings() {
    let text = "# A capsule\n=> gemini://a.example/ # link\n##Costs\n```sh\n# comment\n```\n####  Deep #1\n#\n";
    let document = load_bytes(text.as_bytes(), Path::new("a.gmi")).unwrap();
    assert_eq!(document.text, text);
    assert_eq!(
        outline(&document),
        [
            (1, "A capsule", "# A capsule\n"),
            (2, "Costs", "##Costs\n"),
            (3, "# Deep #1", "####  Deep #1\n"),
        ]
    );
    assert_eq!(document.metadata.title.as_deref(), Some("A capsule"));
}

#[test]
fn djot_has_its_headings() {
    let text = "{#top}\n# A *tidy* `plan`\n# for [May](a.html){.x}\n\nText\n# of a paragraph\n\n~~~~ sh\n# code\n~~~\n\n# code\n\
                ~~~~\n## snake_case \\#1\n\n::: note\n### Inside\n:::\n#none\n";
    let document = load_bytes(text.as_bytes(), Path::new("plan.dj")).unwrap();
    assert_eq!(document.format, Format::Text);
    assert_eq!(document.text, text);
    assert_eq!(
        outline(&document),
        [
            (
                1,
                "A tidy plan for May",
                "# A *tidy* `plan`\n# for [May](a.html){.x}\n"
            ),
            (2, "snake_case #1", "## snake_case \\#1\n"),
            (3, "Inside", "### Inside\n"),
        ]
    );
}

#[test]
fn headings_of_djot_end_before_other_blocks() {
    for block in [
        "## Below",
        "  ## Below",
        "- item",
        "1. item",
        "> quoted",
        "| a | b |",
        "``` sh\ncode\n```",
        "{.big}\nText",
        "* * *",
    ] {
        let text = format!("# Plan\n# of May\n{block}\n");
        let document = load_bytes(text.as_bytes(), Path::new("plan.dj")).unwrap();
        let first = (1, "Plan of May", "# Plan\n# of May\n");
        assert_eq!(outline(&document)[0], first, "{block}");
        let is_heading = block.trim_start().starts_with('#');
        assert_eq!(
            document.outline.len(),
            1 + usize::from(is_heading),
            "{block}"
        );
    }
}

#[test]
fn documentation_of_r_has_its_sections() {
    let text = "% made by hand\n\\name{J}\n\\alias{CJ}\n\\title{\n  Joins of \\code{data.table}s, 5\\% \\dots\n}\n\\description{\n\\note it}\n\
                \\section{How \\link[a]{it} works}{\nSo.\n\\subsection{Deep}{x}\n}\n\\seealso{x}\n\\keyword{data}\n";
    let document = load_bytes(text.as_bytes(), Path::new("J.Rd")).unwrap();
    assert_eq!(document.format, Format::Text);
    assert_eq!(document.text, text);
    let title = "Joins of data.tables, 5% …";
    assert_eq!(
        outline(&document),
        [
            (
                1,
                title,
                "\\title{\n  Joins of \\code{data.table}s, 5\\% \\dots\n}\n"
            ),
            (2, "Description", "\\description{\n"),
            (2, "How it works", "\\section{How \\link[a]{it} works}{\n"),
            (3, "Deep", "\\subsection{Deep}{x}\n"),
            (2, "See Also", "\\seealso{x}\n"),
        ]
    );
    assert_eq!(document.metadata.title.as_deref(), Some(title));
    let other = load_bytes(b"\\title{A road}\n", Path::new("map.rd")).unwrap();
    assert!(other.outline.is_empty());
}
