//! Markdown chunks keep their promises: for made texts, any text and real documents.

use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use sectile_chunk::{
    Characters, InvalidMarkdown, LinkDefinitions, MarkdownChunk, MarkdownChunkMetadata,
    MarkdownChunker, MarkdownChunkerConfig, MarkdownSection, markdown_outline,
};
use sectile_core::{Heading, LineIndex, Span};
use serde_json::json;

use super::corpus;

#[path = "markdown_random.rs"]
mod random;
#[path = "markdown_read.rs"]
mod read;

fn length(text: &str) -> usize {
    text.chars().count()
}

fn config(size: usize, overlap: usize) -> MarkdownChunkerConfig {
    MarkdownChunkerConfig {
        max_chunk_size: size,
        chunk_overlap: overlap,
        ..MarkdownChunkerConfig::default()
    }
}

fn chunker(config: MarkdownChunkerConfig) -> MarkdownChunker {
    MarkdownChunker::new(config).expect("the configuration is valid")
}

fn texts<'a>(chunks: &'a [MarkdownChunk<'_>]) -> Vec<&'a str> {
    chunks
        .iter()
        .map(|chunk| chunk.chunk.text.as_ref())
        .collect()
}

fn wanted_headings(text: &str, config: &MarkdownChunkerConfig) -> Vec<Heading> {
    let mut headings = markdown_outline(text);
    headings.retain(|heading| {
        let marker = "#".repeat(heading.level.into());
        let mut wanted = config.headers_to_split_on.iter();
        wanted.any(|(known, _)| *known == marker)
    });
    headings
}

/// Checks what holds for the chunks of every text; `step` says whether chunks may leave gaps.
fn check(chunks: &[MarkdownChunk<'_>], text: &str, config: &MarkdownChunkerConfig) {
    let index = LineIndex::new(text);
    let headings = wanted_headings(text, config);
    let is_sectioned = headings.len() >= config.min_headers_threshold.max(1);
    let (mut end, mut start) = (0, None);
    let (mut counted, mut chars) = (0, 0);
    for (at, MarkdownChunk { chunk, metadata }) in chunks.iter().enumerate() {
        let span = chunk.span;
        assert_eq!(chunk.index, at);
        assert!(chunk.text.ends_with(span.of(text)));
        assert_eq!(chunk.lines, index.lines(span));
        chars += length(&text[counted..span.start]);
        counted = span.start;
        assert_eq!(chunk.chars.start, chars);
        assert_eq!(chunk.chars.len(), span.of(text).chars().count());
        assert_eq!(chunk.tokens, Some(chunk.text.chars().count()));
        assert_eq!(metadata.validate(), Ok(()));
        let named = chunk.heading_path.as_deref().and_then(<[String]>::last);
        if is_sectioned {
            assert_eq!(named.is_some(), metadata.section_header.is_some());
        } else {
            assert_eq!(metadata.section_header, None);
            let begin = span.end - span.of(text).trim_start().len();
            let over = headings.iter().rfind(|heading| heading.span.start <= begin);
            assert_eq!(named, over.map(|heading| &heading.title));
        }
        assert!(
            start < Some(span.start),
            "chunk {at} begins after the one before"
        );
        assert!(span.end > end, "chunk {at} goes on");
        if config.include_header_in_chunk {
            assert!(span.start <= end, "nothing is left out before chunk {at}");
        }
        (start, end) = (Some(span.start), span.end);
    }
    if config.include_header_in_chunk {
        assert_eq!(end, text.len());
    }
}

const POLICY: &str = "\
# Insurance Guidelines

These apply to all.

## Claims Process

File a claim within a month. Add the receipts.

### Appeals

Write to us.

## Detailed Procedures

First of all, read the rules. Then read the comments. Last, decide.
";

#[test]
fn chunks_say_which_section_they_are_of() {
    let chunker = chunker(config(80, 30));
    let chunks = chunker.chunks(POLICY, &Characters);
    check(&chunks, POLICY, &config(80, 30));
    let metadata = |at: usize| serde_json::to_value(&chunks[at].metadata).expect("it is JSON");
    let claims = json!({
        "section_header": "## Claims Process", "header_level": 2,
        "header_hierarchy": {"h1": "Insurance Guidelines", "h2": "Claims Process"},
        "is_header_split": true, "chunk_index": 0, "total_section_chunks": 1,
    });
    assert_eq!(metadata(1), claims);
    let procedures = json!({
        "section_header": "## Detailed Procedures", "header_level": 2,
        "header_hierarchy": {"h1": "Insurance Guidelines", "h2": "Detailed Procedures"},
        "is_header_split": false, "chunk_index": 1, "total_section_chunks": 2,
    });
    assert_eq!(metadata(4), procedures);
    assert_eq!(
        chunks[4].chunk.text,
        "Then read the comments. Last, decide.\n"
    );
    let path = chunks[2].chunk.heading_path.as_deref().unwrap_or_default();
    assert_eq!(path, ["Insurance Guidelines", "Claims Process", "Appeals"]);
}

#[test]
fn sections_are_those_of_the_design() {
    let text = "intro\n\n# A\na\n\nB\n*b*\n---\n b\n\n### C\nc\n";
    let sections = MarkdownChunker::default().sections(text, &Characters);
    let expected = MarkdownSection {
        header: "## B b".into(),
        header_text: "B b".into(),
        level: 2,
        content: "B\n*b*\n---\n b\n\n".into(),
        start_line: 5,
        end_line: 10,
        parent_headers: vec!["# A".into()],
        token_count: 14,
    };
    assert_eq!(sections[1], expected);
    assert_eq!(sections[2].parent_headers, ["# A", "## B b"]);
    let bodies: Vec<_> = sections.iter().map(MarkdownSection::content_only).collect();
    assert_eq!(bodies, ["a", "b", "c"]);
    assert!(sections.iter().all(|section| section.validate().is_ok()));
}

#[test]
fn sections_under_headings_in_html_are_valid() {
    let text = "<div>\n<h1 align=\"center\">A</h1>\n\na\n\n---\n\na\n\n<h2>\nB\n</h2>\nb\n";
    let sections = MarkdownChunker::default().sections(text, &Characters);
    let headers: Vec<_> = sections.iter().map(|section| &*section.header).collect();
    assert_eq!(headers, ["# A", "## B"]);
    assert_eq!(sections[0].content.len(), text.find("<h2>").unwrap());
    let bodies: Vec<_> = sections.iter().map(MarkdownSection::content_only).collect();
    assert_eq!(bodies, ["a\n\n---\n\na", "b"]);
    assert!(sections.iter().all(|section| section.validate().is_ok()));
}

#[test]
fn too_few_headings_leave_a_text_without_sections() {
    let text = "intro. More.\n\n# A\na\n";
    let fallback = chunker(config(15, 0)).chunks(text, &Characters);
    assert_eq!(texts(&fallback), ["intro. More.\n\n", "# A\na\n"]);
    let metadata = &fallback[1].metadata;
    assert_eq!(
        (metadata.is_header_split, &metadata.section_header),
        (false, &None)
    );
    assert_eq!(
        (metadata.chunk_index, metadata.total_section_chunks),
        (1, 2)
    );
    let paths: Vec<_> = fallback
        .iter()
        .map(|chunk| chunk.chunk.heading_path.as_deref())
        .collect();
    assert_eq!(paths, [None, Some(&["A".to_owned()][..])]);
    let one = MarkdownChunkerConfig {
        min_headers_threshold: 1,
        ..config(15, 0)
    };
    let chunks = chunker(one).chunks(text, &Characters);
    assert_eq!(chunks[1].metadata.section_header.as_deref(), Some("# A"));
    assert!(chunks.iter().all(|chunk| chunk.metadata.is_header_split));
}

#[test]
fn chunks_have_a_heading_also_where_a_text_is_not_cut_at_it() {
    let path = |text: &str, threshold| {
        let config = MarkdownChunkerConfig {
            min_headers_threshold: threshold,
            ..config(10, 0)
        };
        let chunks = chunker(config.clone()).chunks(text, &Characters);
        check(&chunks, text, &config);
        let path = |chunk: &MarkdownChunk<'_>| {
            let path = chunk.chunk.heading_path.as_deref();
            path.unwrap_or_default().join(" > ")
        };
        let mut paths: Vec<_> = chunks.iter().map(path).collect();
        paths.dedup();
        paths
    };
    assert_eq!(path("# Guide\n\nOne.\n", 2), ["Guide"]);
    assert_eq!(path("\n\nGuide\n=\n\nOne.\n", 2), ["Guide"]);
    assert_eq!(path("One. Two. Three.\n", 2), [""]);
    let text = "# A\n\nOne two.\n\n## B\n\nThree four.\n\n# C\n\nFive.\n";
    assert_eq!(path(text, 9), ["A", "A > B", "C"]);
}

#[test]
fn source_code_is_cut_at_line_ends() {
    let text = "# 1. Find it. Then read it.\nx = a | b\n--- | ---\ny = 1. + 2. + 3.\n\n\
                def f():  # What? This.\n    pass\n\n```\nz = 1\n\n- one. two.\n";
    let outline = [Heading {
        level: 1,
        title: "def f()".into(),
        span: Span::new(66, 90),
    }];
    for (size, headings) in [(40, 0), (60, 1), (30, 1)] {
        let chunker = chunker(config(size, 10)).with_source_code(true);
        let chunks = chunker.iter_along(text, &outline[..headings], &Characters);
        let chunks: Vec<_> = chunks.collect();
        let mut end = 0;
        for chunk in &chunks {
            let span = chunk.chunk.span;
            assert_eq!(chunk.chunk.text, span.of(text));
            assert!(text[..span.start].is_empty() || text[..span.start].ends_with('\n'));
            assert!(chunk.chunk.text.ends_with('\n') && span.start <= end);
            end = span.end;
        }
        assert_eq!(end, text.len());
    }
}

#[test]
fn a_bare_heading_belongs_to_its_first_subsection() {
    let text = "# A\n\n## B\n\n### C\nc\n## D\n## E\ne\n";
    let chunks = MarkdownChunker::default().chunks(text, &Characters);
    assert_eq!(
        texts(&chunks),
        ["# A\n\n## B\n\n### C\nc\n", "## D\n", "## E\ne\n"]
    );
    assert_eq!(chunks[0].metadata.section_header.as_deref(), Some("### C"));
}

#[test]
fn headings_can_be_left_out() {
    let config = MarkdownChunkerConfig {
        include_header_in_chunk: false,
        ..config(80, 0)
    };
    let chunks = chunker(config.clone()).chunks(POLICY, &Characters);
    check(&chunks, POLICY, &config);
    assert_eq!(chunks[0].chunk.text, "\nThese apply to all.\n\n");
    assert_eq!(
        chunks[0].metadata.section_header.as_deref(),
        Some("# Insurance Guidelines")
    );
    assert!(texts(&chunks).iter().all(|text| !text.contains('#')));
}

#[test]
fn only_the_wanted_levels_are_cut_at_and_named() {
    let config = MarkdownChunkerConfig {
        headers_to_split_on: vec![("##".into(), "part".into())],
        preserve_hierarchy: true,
        max_header_length: 9,
        ..config(200, 0)
    };
    let chunks = chunker(config.clone()).chunks(POLICY, &Characters);
    check(&chunks, POLICY, &config);
    let headers: Vec<_> = chunks
        .iter()
        .map(|chunk| chunk.metadata.section_header.as_deref())
        .collect();
    assert_eq!(headers, [None, Some("## Claims"), Some("## Detail")]);
    assert_eq!(chunks[1].metadata.header_hierarchy["part"], "Claims Pr");
    let flat = MarkdownChunkerConfig {
        preserve_hierarchy: false,
        ..config
    };
    let chunks = chunker(flat).chunks(POLICY, &Characters);
    assert!(
        chunks
            .iter()
            .all(|chunk| chunk.metadata.header_hierarchy.is_empty())
    );
}

#[test]
fn a_table_that_is_cut_repeats_its_header() {
    let text = "# A\n\n| n | m |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n\n# B\n";
    let config = config(40, 10);
    let chunks = chunker(config.clone()).chunks(text, &Characters);
    check(&chunks, text, &config);
    let expected = [
        "# A\n\n| n | m |\n|---|---|\n| 1 | 2 |\n",
        "| n | m |\n|---|---|\n| 3 | 4 |\n| 5 | 6 |\n",
    ];
    assert_eq!(texts(&chunks)[..2], expected);
    assert_eq!(chunks[1].chunk.span.of(text), "| 3 | 4 |\n| 5 | 6 |\n");
}

#[test]
fn small_neighbours_are_merged_on_request() {
    let text = "# A\na\n## B\nb\n## C\nc\n### D\nd\n## E\neeeeeeeee\n## F\nf\n";
    let config = MarkdownChunkerConfig {
        merge_below: 8,
        ..config(16, 0)
    };
    let chunks = chunker(config.clone()).chunks(text, &Characters);
    check(&chunks, text, &config);
    let expected = [
        "# A\na\n",
        "## B\nb\n## C\nc\n",
        "### D\nd\n",
        "## E\neeeeeeeee\n",
        "## F\nf\n",
    ];
    assert_eq!(texts(&chunks), expected);
}

#[test]
fn the_heading_path_can_stand_in_the_text() {
    let config = MarkdownChunkerConfig {
        heading_path_in_text: true,
        ..config(120, 0)
    };
    let chunks = chunker(config.clone()).chunks(POLICY, &Characters);
    check(&chunks, POLICY, &config);
    assert_eq!(
        chunks[2].chunk.text,
        "Insurance Guidelines > Claims Process > Appeals\n\n### Appeals\n\nWrite to us.\n\n"
    );
}

#[test]
fn senseless_options_are_errors() {
    let refused = |config| {
        MarkdownChunker::new(config)
            .expect_err("it is refused")
            .to_string()
    };
    assert_eq!(
        refused(config(0, 0)),
        "max_chunk_size must be at least 1, not 0"
    );
    assert_eq!(
        refused(config(9, 9)),
        "chunk_overlap must be smaller than a chunk of 9, not 9"
    );
    for marker in ["", "h1", "#######"] {
        let headers_to_split_on = vec![(marker.into(), "x".into())];
        let config = MarkdownChunkerConfig {
            headers_to_split_on,
            ..config(9, 0)
        };
        assert!(refused(config).starts_with("headers_to_split_on must have markers"));
    }
}

/// Returns the spans of the fences and tables of `text`, in whole lines.
fn fences_and_tables(text: &str) -> Vec<Span> {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
    let wanted = events.filter(|(event, _)| {
        matches!(
            event,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)) | Tag::Table(_))
        )
    });
    wanted
        .map(|(_, range)| Span::new(range.start, text[..range.end].trim_end().len()))
        .collect()
}

fn ends_in_heading(text: &str) -> bool {
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    last.starts_with('#') && last.trim_start_matches('#').starts_with(' ')
}

#[test]
fn chunks_of_real_documents_are_whole() {
    for (size, overlap) in [(1000, 200), (400, 0)] {
        let config = config(size, overlap);
        let chunker = chunker(config.clone());
        let (mut count, mut bare) = (0, 0);
        for (name, text) in corpus::files("markdown/files", "md") {
            let chunks = chunker.chunks(&text, &Characters);
            check(&chunks, &text, &config);
            let joined = |span: &Span| {
                chunks.iter().any(|MarkdownChunk { chunk, .. }| {
                    chunk.span.start <= span.start && span.end <= chunk.span.end
                })
            };
            let fits = |span: &Span| length(span.of(&text)) <= size * 9 / 10;
            let cut = fences_and_tables(&text)
                .into_iter()
                .filter(fits)
                .find(|span| !joined(span));
            assert_eq!(cut, None, "{name} has a fence or table that is cut");
            assert!(
                chunks.iter().all(|chunk| chunk.chunk.tokens <= Some(size)),
                "{name}"
            );
            bare += chunks
                .iter()
                .filter(|chunk| ends_in_heading(&chunk.chunk.text))
                .count();
            count += chunks.len();
        }
        assert!(
            bare * 100 <= count,
            "{bare} of {count} chunks end in a heading"
        );
    }
}

/// Real documents, one after the other, are cut in parts as they are in one.
#[test]
fn real_documents_are_cut_in_parts_as_in_one() {
    let text: String = corpus::files("markdown/files", "md")
        .into_values()
        .collect();
    let chunker = chunker(config(300, 60));
    let definitions = || {
        let mut definitions = LinkDefinitions::default();
        definitions.push(&text);
        definitions.finish()
    };
    let mut stream = chunker.stream(&Characters).with_definitions(definitions);
    let (mut chunks, mut rest, mut size) = (Vec::new(), text.as_str(), 1);
    while !rest.is_empty() {
        size = size * 7_919 % 100_003;
        let end = rest.ceil_char_boundary(size.min(rest.len()));
        chunks.extend(stream.push(&rest[..end]));
        rest = &rest[end..];
    }
    chunks.extend(stream.finish());
    let whole = chunker.chunks(&text, &Characters);
    let differing = chunks
        .iter()
        .zip(&whole)
        .find(|(part, whole)| part != whole);
    assert_eq!(differing, None);
    assert_eq!(chunks.len(), whole.len());
}
