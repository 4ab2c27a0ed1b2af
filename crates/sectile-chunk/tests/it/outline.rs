//! Headings in the examples of the `CommonMark` specification, and in any text.

use proptest::prelude::*;
use sectile_chunk::{
    MarkdownChunker, MarkdownChunkerConfig, SentenceChunker, TokenCounter, front_matter,
    markdown_outline, section_tree,
};

use super::corpus;

/// The texts of all fixtures that are Markdown, with newlines alone.
fn fixtures() -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let entries = std::fs::read_dir(folder).expect("the fixtures are there");
    let paths = entries.map(|entry| entry.expect("an entry can be read").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut paths: Vec<_> = paths.collect();
    // Failing cases of property tests name them by their places.
    paths.sort();
    let read = |path| std::fs::read_to_string(path).expect("a fixture can be read");
    let texts = paths.into_iter().map(read);
    texts.map(|text| text.replace("\r\n", "\n")).collect()
}

/// Draws headings, sections and chunks, with newlines alone.
fn draw(text: &str) -> Vec<String> {
    let unified = |part: &str| part.replace("\r\n", "\n").replace('\r', "\n");
    let outline = markdown_outline(text);
    let tree = section_tree("a.md", text, &outline);
    let headings = outline.iter().map(|heading| {
        format!(
            "{} {} {}",
            heading.level,
            heading.title,
            unified(heading.span.of(text))
        )
    });
    let sections = tree
        .sections
        .iter()
        .map(|section| format!("{} {}", section.lines, unified(section.span.of(text))));
    let markdown = MarkdownChunker::new(MarkdownChunkerConfig {
        max_chunk_size: 60,
        chunk_overlap: 0,
        ..MarkdownChunkerConfig::default()
    });
    let markdown = markdown.expect("the size is valid").chunks(text, &Words);
    let markdown = markdown.iter().map(|chunk| &chunk.chunk);
    let sentences = SentenceChunker::new(40)
        .expect("the size is valid")
        .chunks(text, &Words);
    let chunks = markdown.chain(&sentences);
    let chunks = chunks.map(|chunk| format!("{} {}", chunk.lines, unified(&chunk.text)));
    headings.chain(sections).chain(chunks).collect()
}

/// Counts words, which line ends do not change.
struct Words;

impl TokenCounter for Words {
    fn count(&self, text: &str) -> usize {
        text.split_whitespace().count()
    }

    fn name(&self) -> &'static str {
        "words"
    }
}

#[test]
fn line_ends_change_neither_headings_nor_lines() {
    let fixtures = fixtures();
    assert!(fixtures.len() > 5);
    for text in fixtures {
        let expected = draw(&text);
        for line_end in ["\r\n", "\r"] {
            assert_eq!(
                draw(&text.replace('\n', line_end)),
                expected,
                "{line_end:?}"
            );
        }
    }
}

#[test]
fn a_carriage_return_at_the_end_of_a_part_waits_for_the_next() {
    let text = "# A\r\rOne.\r\n\rTwo.\r";
    let chunker = SentenceChunker::new(1).expect("the size is valid");
    let whole: Vec<_> = chunker
        .chunks(text, &Words)
        .iter()
        .map(|chunk| chunk.lines)
        .collect();
    for cut in 0..=text.len() {
        let mut stream = chunker.stream(&Words);
        let mut chunks = stream.push(&text[..cut]);
        chunks.extend(stream.push(&text[cut..]));
        chunks.extend(stream.finish());
        let lines: Vec<_> = chunks.iter().map(|chunk| chunk.lines).collect();
        assert_eq!(lines, whole, "{cut}");
    }
}

/// Returns the Markdown and the HTML of the examples in `CommonMark`'s `spec.txt`.
fn examples(spec: &str) -> Vec<(String, String)> {
    let fence = "`".repeat(32);
    let opening = format!("{fence} example\n");
    let parts = spec.split(&opening).skip(1);
    let example = |part: &str| {
        let (body, _) = part
            .split_once(&format!("\n{fence}\n"))
            .expect("an example ends");
        let body = format!("{body}\n").replace('→', "\t");
        let (markdown, html) = body.split_once("\n.\n").unwrap_or_else(|| ("", &body[2..]));
        (format!("{markdown}\n"), html.to_string())
    };
    parts.map(example).collect()
}

/// Returns the levels of the headings outside block quotes and lists.
fn levels(html: &str) -> Vec<u8> {
    let mut depth = 0_usize;
    let mut levels = Vec::new();
    for tag in html.split('<').skip(1) {
        let name = tag
            .split(|char: char| !char.is_ascii_alphanumeric() && char != '/')
            .next();
        match name.unwrap_or_default() {
            "blockquote" | "ul" | "ol" => depth += 1,
            "/blockquote" | "/ul" | "/ol" => depth -= 1,
            name if depth == 0 && name.len() == 2 && name.starts_with('h') && name != "hr" => {
                levels.push(name.as_bytes()[1] - b'0');
            }
            _ => {}
        }
    }
    levels
}

#[test]
fn levels_are_right_in_every_example_of_the_specification() {
    let files = corpus::files("markdown/files", "md");
    let Some(spec) = files.get("01890.md") else {
        return;
    };
    let examples = examples(spec);
    let mut with_headings = 0;
    for (markdown, html) in &examples {
        let outline = markdown_outline(markdown);
        let found: Vec<u8> = outline.iter().map(|heading| heading.level).collect();
        assert_eq!(found, levels(html), "{markdown:?}\n{html}");
        with_headings += usize::from(!found.is_empty());
    }
    eprintln!(
        "{} examples, {with_headings} with a top-level heading",
        examples.len()
    );
    assert_eq!(examples.len(), 655);
}

/// Texts that look like Markdown.
fn markdown() -> impl Strategy<Value = String> {
    let parts = vec![
        "# ",
        "## ",
        "#",
        "a",
        "B é",
        "\n",
        "\n",
        "\r\n",
        "---",
        "===",
        "+++",
        "```",
        "~~~",
        "> ",
        "- ",
        "1. ",
        "    ",
        " ",
        "\t",
        "`",
        "*",
        "[a]: b",
        "[a]",
        "![a](b)",
        "{#id}",
        "{x}",
        "|",
        "<div>",
        "<h2>",
        "</h2>",
        "<!--",
        "-->",
        "\\",
        "key: value",
        "...",
        "\u{200b}",
        "\r",
        "{/* x */}",
    ];
    prop::collection::vec(prop::sample::select(parts), 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(crate::cases(4000))]

    #[test]
    fn heading_spans_are_whole_lines_in_order(text in markdown()) {
        let mut end = 0;
        let after_line = |at: usize| at == 0 || text[..at].ends_with(['\n', '\r']);
        for heading in markdown_outline(&text) {
            let span = heading.span;
            prop_assert!(span.start >= end, "{:?} at {:?}", text, span);
            prop_assert!(after_line(span.start) && !span.is_empty(), "{:?} at {:?}", text, span);
            prop_assert!(span.end == text.len() || after_line(span.end), "{:?} at {:?}", text, span);
            prop_assert!((1..=6).contains(&heading.level));
            prop_assert_eq!(heading.title.trim(), heading.title.as_str());
            end = span.end;
        }
    }

    #[test]
    fn headings_of_a_body_do_not_depend_on_front_matter(text in markdown()) {
        let front = "---\nkey: value\n---\n";
        let whole = format!("{front}{text}");
        prop_assert_eq!(front_matter(&whole).map(|span| span.of(&whole)), Some("key: value\n"));
        // A body that begins with metadata of its own is no body.
        prop_assume!(!text.starts_with("---") && !text.starts_with("+++"));
        let outline = markdown_outline(&whole);
        let shifted: Vec<_> = outline.iter().map(|heading| heading.span.start - front.len()).collect();
        let alone: Vec<_> = markdown_outline(&text).iter().map(|heading| heading.span.start).collect();
        prop_assert_eq!(shifted, alone);
    }

    #[test]
    fn no_text_breaks_the_outline(text in any::<String>()) {
        let _ = (markdown_outline(&text), front_matter(&text));
    }
}
