//! A text in parts makes the chunks of the whole text, wherever the parts are cut.

use std::sync::Arc;

use proptest::prelude::*;
use sectile_chunk::{
    Characters, Heuristic, KeepSeparator, LongSentences, RecursiveCharacterTextSplitter,
    SentenceChunker, Stream, TokenChunker, TokenCounter,
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

proptest! {
    #![proptest_config(crate::cases(2000))]

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
        let held = format!("{stream:?}");
        let held = held
            .split_once("held: ")
            .and_then(|(_, held)| held.split_once(','));
        let held: usize = held
            .expect("it is shown")
            .0
            .parse()
            .expect("it is a number");
        assert!(held < 140_000, "{held} bytes of {}", text.len());
    }
}
