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

#[test]
fn sections_that_are_read_are_validated() {
    let section = json!({
        "header": "## B", "header_text": "B", "level": 2, "content": "## B\nb\n",
        "start_line": 3, "end_line": 5, "parent_headers": ["# A"],
    });
    let read = |field: &str, value: serde_json::Value| {
        let mut section = section.clone();
        section[field] = value;
        serde_json::from_value::<MarkdownSection<'_>>(section).map_err(|error| error.to_string())
    };
    assert!(read("level", json!(2)).is_ok());
    let refusals = [
        ("level", json!(0), "Invalid header level: 0"),
        ("level", json!(7), "Invalid header level: 7"),
        ("level", json!(-1), "Invalid header level: -1"),
        ("header", json!("# B"), "Header format mismatch"),
        ("header", json!("##B"), "Header format mismatch"),
        ("header", json!("## C"), "Header format mismatch"),
        ("content", json!(""), "Section content cannot be empty"),
        ("start_line", json!(-1), "Invalid start line"),
        ("end_line", json!(3), "End line must be after start line"),
        ("end_line", json!(-5), "End line must be after start line"),
    ];
    for (field, value, expected) in refusals {
        assert_eq!(read(field, value).expect_err("it is refused"), expected);
    }
}

#[test]
fn metadata_that_is_read_is_validated() {
    let read = serde_json::from_value::<MarkdownChunkMetadata>;
    let refusals = [
        (
            json!({"header_level": 7}),
            InvalidMarkdown::ChunkLevel,
            "Invalid header level",
        ),
        (
            json!({"chunk_index": -1}),
            InvalidMarkdown::ChunkIndex,
            "Chunk index must be non-negative",
        ),
        (
            json!({"total_section_chunks": 0}),
            InvalidMarkdown::TotalChunks,
            "Total chunks must be positive",
        ),
        (
            json!({"chunk_index": 1}),
            InvalidMarkdown::ChunkIndexExceedsTotal,
            "Chunk index exceeds total",
        ),
    ];
    for (value, error, text) in refusals {
        assert_eq!(read(value).expect_err("it is refused").to_string(), text);
        assert_eq!(error.to_string(), text);
    }
    // Chunks of before have none of the fields.
    let old = read(json!({"source_id": "abc-123"})).expect("it is valid");
    assert!(!old.is_header_split && old.section_header.is_none());
}

/// A block of which the test knows how it may be cut.
#[derive(Clone, Debug)]
enum Block {
    Heading(u8),
    /// Sentences of these lengths.
    Paragraph(Vec<usize>),
    /// A fence with lines of these lengths.
    Fence(Vec<usize>),
}

impl Block {
    /// Writes the pieces that the block may be cut into.
    fn pieces(&self) -> Vec<String> {
        match self {
            Self::Heading(level) => vec![format!("{} Hé\n\n", "#".repeat(usize::from(*level)))],
            Self::Paragraph(lengths) => {
                let mut pieces: Vec<_> = lengths
                    .iter()
                    .map(|&length| format!("A{}. ", "é".repeat(length)))
                    .collect();
                let last = pieces.last_mut().expect("a paragraph has a sentence");
                *last = format!("{}\n\n", last.trim_end());
                pieces
            }
            Self::Fence(lengths) => {
                let lines = lengths
                    .iter()
                    .map(|&length| format!("{}\n", "c".repeat(length)));
                let opening = std::iter::once("```\n".to_string());
                opening
                    .chain(lines)
                    .chain(["```\n".to_string(), "\n".to_string()])
                    .collect()
            }
        }
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// A piece in its finest parts.
#[derive(Clone, Debug)]
struct Piece {
    parts: Vec<String>,
    is_heading: bool,
}

impl Piece {
    fn new(parts: Vec<String>, is_heading: bool) -> Self {
        Self { parts, is_heading }
    }
}

fn joined(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .flat_map(|piece| piece.parts.clone())
        .collect()
}

/// Cuts a block into the pieces that are packed, `room` being what is left of the chunk.
fn cut(block: &Block, size: usize, room: usize) -> Vec<Piece> {
    let parts = block.pieces();
    let whole = parts.concat();
    let each = |parts: Vec<String>| {
        parts
            .into_iter()
            .map(|part| Piece::new(vec![part], false))
            .collect()
    };
    match block {
        Block::Heading(_) => vec![Piece::new(vec![whole], true)],
        Block::Paragraph(_) if length(&whole) <= room => vec![Piece::new(parts, false)],
        Block::Fence(_) if length(&whole) <= size => each(vec![whole]),
        // The blank line after a fence may be in the next chunk.
        Block::Fence(_) if length(&whole) == size + 1 => {
            each(vec![whole.trim_end().to_string() + "\n", "\n".into()])
        }
        Block::Paragraph(_) | Block::Fence(_) => each(parts),
    }
}

/// Packs blocks in the plainest way: strings, measured again at each step.
fn packed(blocks: &[Block], size: usize, overlap: usize) -> Vec<String> {
    let mut chunks: Vec<String> = Vec::new();
    let (mut pieces, mut repeated) = (Vec::<Piece>::new(), 0);
    for block in blocks {
        let room = size.saturating_sub(length(&joined(&pieces)));
        for piece in cut(block, size, room) {
            let needed = length(&piece.parts.concat());
            if !pieces.is_empty() && length(&joined(&pieces)) + needed > size {
                let headings = headings_at_end(&pieces);
                let led = pieces.split_off(pieces.len() - headings);
                let is_moved = !pieces.is_empty() && length(&joined(&led)) + needed <= size;
                if !is_moved {
                    pieces.extend(led.clone());
                }
                let led = if is_moved { led } else { Vec::new() };
                if pieces.len() > repeated {
                    chunks.push(joined(&pieces));
                }
                let room = size.saturating_sub(needed + length(&joined(&led)));
                pieces = tail(&pieces, room.min(overlap));
                repeated = pieces.len();
                pieces.extend(led);
            }
            pieces.push(piece);
        }
    }
    chunks.extend(Some(joined(&pieces)).filter(|chunk| !chunk.is_empty()));
    chunks
}

fn headings_at_end(pieces: &[Piece]) -> usize {
    pieces
        .iter()
        .rev()
        .take_while(|piece| piece.is_heading)
        .count()
}

/// Returns the last parts of a chunk, never the first one, that are no more than `room`.
fn tail(pieces: &[Piece], room: usize) -> Vec<Piece> {
    let parts = pieces.iter().flat_map(|piece| {
        piece
            .parts
            .iter()
            .map(|part| Piece::new(vec![part.clone()], piece.is_heading))
    });
    let parts: Vec<Piece> = parts.skip(1).collect();
    let fits = |start: &usize| length(&joined(&parts[*start..])) <= room;
    let start = (0..=parts.len()).find(fits).unwrap_or(parts.len());
    let is_blank = |piece: &&Piece| piece.parts.concat().trim().is_empty();
    parts[start..]
        .iter()
        .skip_while(is_blank)
        .cloned()
        .collect()
}

fn blocks() -> impl Strategy<Value = Vec<Block>> {
    let lengths = || prop::collection::vec(1_usize..12, 1..6);
    let block = prop_oneof![
        1 => (1_u8..7).prop_map(Block::Heading),
        3 => lengths().prop_map(Block::Paragraph),
        1 => lengths().prop_map(Block::Fence),
    ];
    prop::collection::vec(block, 0..12)
}

/// Texts that look like Markdown.
fn markdown() -> impl Strategy<Value = String> {
    let lines = vec![
        "",
        "",
        "# a",
        "## b",
        "### é",
        "Title\n===",
        "One here. Two here.",
        "Dr. Who? No. 5!",
        "- item. Next.",
        "  - nested",
        "1. one",
        "```",
        "```",
        "~~~",
        "  ```",
        "| a | b |",
        "|---|---|",
        "| 1 | 2 |",
        "| 3 | 4 |",
        "> quote. More.",
        "> ```",
        "<div>",
        "</div>",
        "    code",
        "---",
        "👩‍🚀👩‍🚀",
        "你好。世界。",
        "\u{2028}",
        "\r",
        "\0",
        "a very long line without an end that is longer than most chunks of these tests are allowed to be",
    ];
    let line = prop::sample::select(lines).prop_map(|line| format!("{line}\n"));
    prop::collection::vec(line, 0..25).prop_map(|lines| lines.concat())
}

fn options() -> impl Strategy<Value = MarkdownChunkerConfig> {
    let numbers = (1_usize..120, 0_usize..60, 0_usize..4, 0_usize..80);
    (numbers, any::<(bool, bool)>()).prop_map(
        |((size, overlap, threshold, merge_below), (include, path))| MarkdownChunkerConfig {
            min_headers_threshold: threshold,
            include_header_in_chunk: include,
            merge_below,
            heading_path_in_text: path,
            ..config(size, overlap % size)
        },
    )
}

proptest! {
    #![proptest_config(crate::cases(2000))]

    #[test]
    fn chunks_keep_their_promises(text in markdown(), config in options()) {
        let chunker = chunker(config.clone());
        let chunks = chunker.chunks(&text, &Characters);
        check(&chunks, &text, &config);
        for chunk in &chunks {
            let is_character = chunk.chunk.span.of(&text).chars().nth(1).is_none();
            prop_assert!(chunk.chunk.tokens <= Some(config.max_chunk_size) || is_character);
        }
        prop_assert_eq!(chunks, chunker.chunks(&text, &Characters));
    }

    #[test]
    fn no_text_breaks_the_chunker(text in any::<String>(), config in options()) {
        check(&chunker(config.clone()).chunks(&text, &Characters), &text, &config);
    }

    #[test]
    fn chunks_are_those_of_the_plain_packing(blocks in blocks(), size in 20_usize..90, overlap in 0_usize..40) {
        let overlap = overlap.min(size - 1);
        let text: String = blocks.iter().flat_map(Block::pieces).collect();
        // No headings to cut at: the whole text is packed.
        let config = MarkdownChunkerConfig { min_headers_threshold: usize::MAX, ..config(size, overlap) };
        let chunks = chunker(config).chunks(&text, &Characters);
        let expected = packed(&blocks, size, overlap);
        prop_assert_eq!(texts(&chunks), expected);
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

/// Texts that make careless parsers quadratic, or that break them.
#[test]
fn hostile_texts_are_cut_in_linear_time() {
    let repeated = |part: &str| part.repeat(200_000 / part.len());
    let parts = [
        "a",
        " ",
        "\n",
        "\n\n",
        "# a\n",
        "a\n-\n",
        "- ",
        "> ",
        "- a\n",
        "  - a\n",
        "```\n",
        "`",
        "[",
        "![](",
        "<",
        "<a\n\n",
        "<!--",
        "|",
        "|-|\n",
        "*a ",
        "語",
        "語。",
        "👩\u{200d}🚀",
        "\0",
        "\r\n",
        "\r",
        "\t",
        "a\r\n\r\n",
        "[a]: b\n",
        "# [a]\n",
        "- ```\n",
        "> a\n\n",
        "1. a\n\n",
        "&",
        "\\",
        "~~~ a\n\n",
    ];
    let item = |depth: usize| " ".repeat(2 * depth.min(300)) + "- a\n";
    let nested: String = (0..600).map(item).collect();
    let long_title = format!("# {}\n{}", repeated("a"), repeated("## b\nc\n"));
    let unclosed = format!("# a\n```\n{}", repeated("# b\n\nc\n"));
    let comment = format!("<!--\n{}", repeated("b\n\n# c\n"));
    let table = format!("|a|\n|-|\n{}", repeated("|b|\n"));
    let made = [nested, long_title, unclosed, comment, table];
    for text in parts.into_iter().map(repeated).chain(made) {
        let config = MarkdownChunkerConfig {
            heading_path_in_text: true,
            merge_below: 20,
            ..config(100, 20)
        };
        check(
            &chunker(config.clone()).chunks(&text, &Characters),
            &text,
            &config,
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
