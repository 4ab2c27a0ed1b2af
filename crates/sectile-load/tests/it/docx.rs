//! Word documents of real producers.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use sectile_core::Format;
use sectile_load::{DocxLoader, DocxOptions, Error, LoadOptions, Loader};
use serde_json::json;

use crate::support::{fixture, load, load_error, outline};

#[test]
fn a_document_of_pandoc_is_read() {
    let document = load("pandoc.docx");
    assert_eq!(document.format, Format::Docx);
    let expected = "\
# The Pandoc Guide

Ada Example

Ben Example

2026-11-21

# First steps

A paragraph with a [link to the docs](https://example.org/docs) and a note.[^1]

## Lists

- apples
- pears
    - green ones
    - yellow ones
3. third
4. fourth

## A table

| Name | Value |
| --- | --- |
| a\\|b | one |
| c | two |

# Changes

Kept added end.

The area is $a^{2}$.

[^1]: The text of the note.
    
    Its second paragraph.
";
    assert_eq!(document.text, expected);
    let expected = [
        (1, "The Pandoc Guide", "# The Pandoc Guide\n"),
        (1, "First steps", "# First steps\n"),
        (2, "Lists", "## Lists\n"),
        (2, "A table", "## A table\n"),
        (1, "Changes", "# Changes\n"),
    ];
    assert_eq!(outline(&document), expected);
    assert_eq!(document.metadata.title.as_deref(), Some("The Pandoc Guide"));
    assert_eq!(
        document.metadata.author.as_deref(),
        Some("Ada Example; Ben Example")
    );
    assert_eq!(document.metadata.language.as_deref(), Some("en-GB"));
}

#[test]
fn a_document_of_writer_is_read() {
    let expected = "\
# Chapter

Before the box.

Inside the box.

Seen, with an endnote[^1].

Tab\tand
break, page 1.

[^1]: At the end.
";
    assert_eq!(load("writer.docx").text, expected);
}

/// Makes a document with `docx-rs`: headings by style, a list, a table with a merged cell, changes, a
/// link, a comment, a footnote.
fn with_docx_rs() -> Vec<u8> {
    use docx_rs::{
        AbstractNumbering, Comment, Delete, Docx, Footnote, Hyperlink, HyperlinkType, IndentLevel,
        Insert, Level, LevelJc, LevelText, NumberFormat, Numbering, NumberingId, Paragraph, Run,
        Start, Style, StyleType, Table, TableCell, TableRow,
    };
    let text = |text: &str| Run::new().add_text(text);
    let paragraph = |words: &str| Paragraph::new().add_run(text(words));
    let item = |words: &str| paragraph(words).numbering(NumberingId::new(2), IndentLevel::new(0));
    let cell = |words: &str| TableCell::new().add_paragraph(paragraph(words));
    let level = Level::new(
        0,
        Start::new(4),
        NumberFormat::new("decimal"),
        LevelText::new("%1."),
        LevelJc::new("left"),
    );
    let comment = Comment::new(1)
        .author("Ada")
        .add_paragraph(paragraph("Really?"));
    let link = Hyperlink::new("https://example.org/", HyperlinkType::External);
    let changed = Paragraph::new()
        .add_run(text("It was "))
        .add_delete(Delete::new().add_run(Run::new().add_delete_text("old")))
        .add_insert(Insert::new(text("new")))
        .add_comment_start(comment)
        .add_run(text(" here"))
        .add_comment_end(1)
        .add_run(text(", see "))
        .add_hyperlink(link.add_run(text("the page")));
    let mut note = Footnote::new();
    note.add_content(paragraph("Below."));
    let noted = Paragraph::new().add_run(text("Noted").add_footnote_reference(note));
    let table = Table::new(vec![
        TableRow::new(vec![cell("wide").grid_span(2)]),
        TableRow::new(vec![cell("left"), cell("right")]),
    ]);
    let document = Docx::new()
        .add_style(Style::new("Heading1", StyleType::Paragraph).name("heading 1"))
        .add_abstract_numbering(AbstractNumbering::new(2).add_level(level))
        .add_numbering(Numbering::new(2, 2))
        .add_paragraph(paragraph("Written by docx-rs").style("Heading1"))
        .add_paragraph(item("fourth"))
        .add_paragraph(item("fifth"))
        .add_table(table)
        .add_paragraph(changed)
        .add_paragraph(noted);
    let mut bytes = Cursor::new(Vec::new());
    document.build().pack(&mut bytes).unwrap();
    bytes.into_inner()
}

#[test]
fn a_document_of_docx_rs_is_read() {
    let options = LoadOptions {
        docx: DocxOptions {
            comments: true,
            ..DocxOptions::default()
        },
        ..LoadOptions::default()
    };
    let loader = DocxLoader::new(options);
    let document = loader
        .load(&with_docx_rs(), Path::new("made.docx"))
        .unwrap();
    let expected = "\
# Written by docx-rs

4. fourth
5. fifth

| wide |  |
| --- | --- |
| left | right |

It was new here[^1], see [the page](https://example.org/)

Noted[^2]

[^1]: Ada: Really?

[^2]: Below.
";
    assert_eq!(document.text, expected);
}

#[test]
fn merged_and_nested_tables_are_read_in_place() {
    let document = load("nested-table.docx");
    let expected = "\
# Nested tables

| r0c0 r0c1 |  | r0c2 |
| --- | --- | --- |
| r1c0 inner one inner two | r1c1 | r1c2 r2c2 |
| r2c0 | r2c1 |  |

After.
";
    assert_eq!(document.text, expected);
    assert_eq!(document.metadata.author.as_deref(), Some("Python"));
    assert_eq!(
        document.metadata.extra["description"],
        json!("generated by python-docx")
    );
}

#[test]
fn a_truncated_document_is_an_error() {
    let bytes = fs::read(fixture("pandoc.docx")).unwrap();
    for length in [100, 5_000, bytes.len() - 30] {
        let error = load_error(&bytes[..length], "cut.docx");
        assert!(matches!(error, Error::Parse { .. }), "{error:?}");
        assert!(std::error::Error::source(&error).is_some());
    }
    let error = load_error(&bytes[..5_000], "cut.zip");
    assert!(
        matches!(error, Error::UnsupportedFormat { .. }),
        "{error:?}"
    );
}

#[test]
fn flipped_bytes_never_panic() {
    let bytes = fs::read(fixture("nested-table.docx")).unwrap();
    for at in (0..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0xFF;
        // Some damage does not matter, and what does is an error.
        drop(DocxLoader::default().load(&damaged, Path::new("damaged.docx")));
    }
}
