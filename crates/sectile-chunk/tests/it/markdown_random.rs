//! Random and hostile texts in Markdown, and a plain restatement of how chunks are packed.

use super::*;

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
