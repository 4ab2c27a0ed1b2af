//! A text in parts makes the chunks of the whole text, wherever the parts are cut.

use std::sync::Arc;

use proptest::prelude::*;
use sectile_chunk::{
    Characters, HeadingPaths, Heuristic, KeepSeparator, LinkDefinitions, LongSentences,
    RecursiveCharacterTextSplitter, SentenceChunker, Stream, TokenChunker, TokenCounter,
    markdown_outline,
};
use sectile_core::Chunk;

use super::token::tokenizers;

/// Returns `text` in parts of `sizes` bytes, again and again, each moved to a character boundary.
fn parts<'t>(text: &'t str, sizes: &[usize]) -> Vec<&'t str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for size in sizes.iter().cycle() {
        if start == text.len() {
            break;
        }
        let end = text.ceil_char_boundary((start + size).min(text.len()));
        parts.push(&text[start..end]);
        start = end;
    }
    parts
}

fn check(mut stream: Stream<'_>, text: &str, sizes: &[usize], expected: &[Chunk<'_>]) {
    let mut chunks = Vec::new();
    for part in parts(text, sizes) {
        chunks.extend(stream.push(part));
    }
    chunks.extend(stream.finish());
    assert_eq!(chunks, expected, "{text:?} in parts of {sizes:?}");
}

/// Returns texts made of what chunkers look for.
pub(super) fn texts() -> impl Strategy<Value = String> {
    let parts = vec![
        "a",
        "word ",
        "é. ",
        "Dr. ",
        "? ",
        "。",
        "\n",
        "\n\n",
        "- ",
        "# ",
        "|",
        "```\n",
        "3.5",
        "👩‍🚀",
        "\u{2028}",
        "\r\n",
        ") ",
        ",",
        ", ",
        "\u{1d}",
    ];
    prop::collection::vec(prop::sample::select(parts), 0..60).prop_map(|parts| parts.concat())
}

fn sizes() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0_usize..40, 0..6).prop_map(|mut sizes| {
        sizes.push(1);
        sizes
    })
}

fn separators() -> impl Strategy<Value = Vec<&'static str>> {
    let separators = vec![
        "\n\n", "\n", " ", "", ", ", "aa", "é", "\r\n", ". ", "nowhere",
    ];
    prop::collection::vec(prop::sample::select(separators), 0..5)
}

fn keeps() -> impl Strategy<Value = KeepSeparator> {
    let keeps = [
        KeepSeparator::Start,
        KeepSeparator::End,
        KeepSeparator::None,
    ];
    prop::sample::select(keeps.to_vec())
}

/// Returns texts made of what has headings and what hides them.
fn markdown_texts() -> impl Strategy<Value = String> {
    let parts = vec![
        "# A\n",
        "## B [r]\n",
        "### C\r\n",
        "Title\n===\n",
        "D\n---\n",
        "E\r---\r",
        "# F\r",
        "\r",
        "[r]: x\n",
        "```\n",
        "- item\n",
        "  # in it\n",
        "> quote\n",
        "    code\n",
        "| a | b |\n|---|---|\n",
        "<div>\n",
        "\n",
        "Words of a paragraph. More of them.\n",
        " ",
    ];
    prop::collection::vec(prop::sample::select(parts), 0..40).prop_map(|parts| parts.concat())
}

fn definitions(text: &str) -> LinkDefinitions {
    let mut definitions = LinkDefinitions::default();
    definitions.push(text);
    definitions.finish()
}

fn below_headings<'a>(mut chunks: Vec<Chunk<'a>>, text: &str) -> Vec<Chunk<'a>> {
    let mut paths = HeadingPaths::new(markdown_outline(text));
    for chunk in &mut chunks {
        paths.set(chunk);
    }
    chunks
}

proptest! {
    #![proptest_config(crate::cases(2000))]

    #[test]
    fn headings(text in markdown_texts(), sizes in sizes(), size in 1_usize..60) {
        let find = || definitions(&text);
        let recursive = RecursiveCharacterTextSplitter::new(size, size / 3).expect("the sizes are legal");
        let expected = below_headings(recursive.chunks(&text), &text);
        check(recursive.stream().with_headings(find), &text, &sizes, &expected);
        let sentences = SentenceChunker::new(size).expect("the size is legal");
        let expected = below_headings(sentences.chunks(&text, &Characters), &text);
        check(sentences.stream(&Characters).with_headings(find), &text, &sizes, &expected);
        let tokens = TokenChunker::new(size, size / 3).expect("the sizes are legal");
        let expected = below_headings(tokens.chunks(&text, &Heuristic), &text);
        check(tokens.stream(&Heuristic).with_headings(find), &text, &sizes, &expected);
    }

    #[test]
    fn recursive(
        text in texts(), sizes in sizes(), size in 1_usize..30, overlap in 0_usize..30,
        separators in separators(), keep in keeps(), trim in any::<bool>(), in_tokens in any::<bool>(),
    ) {
        let splitter = RecursiveCharacterTextSplitter::new(size, overlap)
            .expect("the size is legal")
            .with_separators(separators)
            .with_keep_separator(keep)
            .with_trim(trim);
        let counter: Arc<dyn TokenCounter> = if in_tokens { Arc::new(Heuristic) } else { Arc::new(Characters) };
        let splitter = splitter.with_length(counter);
        check(splitter.stream(), &text, &sizes, &splitter.chunks(&text));
    }

    #[test]
    fn recursive_by_patterns(text in texts(), sizes in sizes(), size in 1_usize..30, keep in keeps()) {
        let patterns = [r"\n(?:- |# )?", r"\b", r"[.,] ?"];
        let splitter = RecursiveCharacterTextSplitter::new(size, size / 3)
            .and_then(|splitter| splitter.with_regex_separators(patterns))
            .expect("the patterns are legal")
            .with_keep_separator(keep);
        check(splitter.stream(), &text, &sizes, &splitter.chunks(&text));
    }

    #[test]
    fn sentences(
        text in texts(), sizes in sizes(), max in 1_usize..30, overlap in 0.0..1.0, split in any::<bool>(),
    ) {
        let long = if split { LongSentences::Split } else { LongSentences::Keep };
        let chunker = SentenceChunker::new(max)
            .and_then(|chunker| chunker.with_overlap(overlap))
            .expect("the options are legal")
            .with_long_sentences(long);
        // The second text does not fit into one chunk for certain.
        for text in [&text, &text.repeat(20)] {
            check(chunker.stream(&Characters), text, &sizes, &chunker.chunks(text, &Characters));
        }
    }

    #[test]
    fn tokens(
        text in texts(), sizes in sizes(), max in 1_usize..30, overlap in 0_usize..30, min in 0_usize..90,
    ) {
        let chunker = TokenChunker::new(max, overlap % max).expect("the sizes are legal").with_min_tokens(min);
        for tokenizer in tokenizers() {
            check(chunker.stream(tokenizer), &text, &sizes, &chunker.chunks(&text, tokenizer));
        }
    }
}

/// Texts of several stretches of tokens, with and without a place to cut them.
#[test]
fn tokens_of_long_texts() {
    let words = "añ 検索 👩‍🚀 ".repeat(20_000);
    let one_word = "añ検索👩‍🚀".repeat(20_000);
    let chunker = TokenChunker::new(1000, 100).expect("the sizes are legal");
    for text in [&words, &one_word, &format!("{one_word}{words}{one_word}")] {
        for tokenizer in tokenizers() {
            let expected = chunker.chunks(text, tokenizer);
            check(
                chunker.stream(tokenizer),
                text,
                &[1000, 1, 100_000],
                &expected,
            );
        }
    }
}

/// A stream lets go of what it has cut, and small parts of a long piece take linear time.
#[test]
fn streams_hold_little() {
    let text = "One sentence here. Another one.\n\n".repeat(10_000);
    let recursive = RecursiveCharacterTextSplitter::default();
    let (sentences, tokens) = (SentenceChunker::new(100), TokenChunker::default());
    let sentences = sentences.expect("the limit is legal");
    for mut stream in [
        recursive.stream(),
        sentences.stream(&Heuristic),
        tokens.stream(&Heuristic),
    ] {
        for part in parts(&text, &[7]) {
            stream.push(part);
        }
        let held = held(&stream);
        assert!(held < 140_000, "{held} bytes of {}", text.len());
    }
}

/// A colon within a word makes no key, so nothing waits for the end of front matter.
#[test]
fn a_break_before_an_address_is_no_front_matter() {
    let splitter = RecursiveCharacterTextSplitter::default();
    let mut stream = splitter.stream().with_headings(LinkDefinitions::default);
    let sections = "# A\n\nSome text.\n\n".repeat(1_000);
    let chunks = stream.push(&["---\nhttps://example.org/a\n\n", &sections].concat());
    let path = chunks.last().and_then(|chunk| chunk.heading_path.clone());
    assert_eq!(path.as_deref(), Some(&["A".to_owned()][..]));
}

/// What holds a text with headings lets go of it, and gives up on a block whose end does not come.
#[test]
fn a_block_without_an_end_is_not_held() {
    let splitter = RecursiveCharacterTextSplitter::default();
    let mut stream = splitter.stream().with_headings(LinkDefinitions::default);
    let before = "# A\n\nSome text.\n\n".repeat(1_000);
    let chunks = stream.push(&before);
    let path = chunks.last().and_then(|chunk| chunk.heading_path.clone());
    assert_eq!(path.as_deref(), Some(&["A".to_owned()][..]));
    stream.push("```\n");
    let line = "a line of an open fence\n\n".repeat(1_000);
    let mut count = 0;
    for _ in 0..1_000 {
        for chunk in stream.push(&line) {
            count += 1;
            let is_begun = chunk.text.contains("Some text") || chunk.text.starts_with("```");
            assert!(is_begun || chunk.heading_path.is_none(), "{chunk:?}");
        }
        let held = held(&stream);
        assert!(held < 34 << 20, "{held}");
    }
    assert!(count > 20_000, "{count}");
    assert!(held(&stream) < 1 << 20);
}

/// The text is looked at anew only when it has doubled, which may be long after the end of a block.
#[test]
fn headings_are_found_behind_a_long_block_that_has_ended() {
    let splitter = RecursiveCharacterTextSplitter::default();
    let mut stream = splitter.stream().with_headings(LinkDefinitions::default);
    let fence = ["```\n", &"a line of a fence\n".repeat(1 << 19), "```\n\n"].concat();
    let after = ["# A\n\n", &"Some text.\n\n".repeat(1 << 20)].concat();
    assert!(fence.len() < 16 << 20 && fence.len() + after.len() > 16 << 20);
    let text = fence + &after;
    let (start, end) = text.split_at((8 << 20) + 1);
    stream.push(start);
    let mut last = None;
    for part in parts(end, &[1 << 16]) {
        last = stream.push(part).pop().or(last);
    }
    last = stream.finish().pop().or(last);
    let path = last.and_then(|chunk| chunk.heading_path);
    assert_eq!(path.as_deref(), Some(&["A".to_owned()][..]));
}

/// Returns how many bytes a stream holds.
fn held(stream: &Stream<'_>) -> usize {
    let shown = format!("{stream:?}");
    let held = shown
        .split_once("held: ")
        .and_then(|(_, held)| held.split_once(','));
    let held = held.expect("it is shown").0;
    held.parse().expect("it is a number")
}
