//! Sentence chunks keep their promises for any text.

use proptest::prelude::*;
use sectile_chunk::{
    Characters, Heuristic, LongSentences, MarkdownChunker, MarkdownChunkerConfig, SentenceChunker,
    TokenCounter,
};
use sectile_core::{Chunk, LineIndex};

use super::corpus;
use super::stream::texts;

/// Checks what holds for the chunks of every text.
fn check(chunks: &[Chunk<'_>], text: &str) {
    let index = LineIndex::new(text);
    let (mut start, mut end) = (0, 0);
    for (at, chunk) in chunks.iter().enumerate() {
        assert_eq!(chunk.index, at);
        assert_eq!(chunk.text, chunk.span.of(text));
        assert_eq!(chunk.lines, index.lines(chunk.span));
        assert_eq!(chunk.chars.len(), chunk.text.chars().count());
        assert!(
            chunk.span.start <= end && chunk.span.end > end,
            "chunk {at} goes on"
        );
        assert!(
            at == 0 || chunk.span.start > start,
            "chunk {at} does not repeat the one before"
        );
        (start, end) = (chunk.span.start, chunk.span.end);
    }
    assert_eq!(end, text.len());
}

/// Returns whether a sentence stands in a heading, in a text without fences and tables.
fn is_in_heading(sentence: &Chunk<'_>, text: &str) -> bool {
    let line_at = |at: usize| {
        let start = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let line = text[start..].split(['\n', '\r']).next();
        line.unwrap_or_default().trim()
    };
    let blank = sentence.text.len() - sentence.text.trim_start().len();
    let is_blank = blank == sentence.text.len();
    let mut line = line_at(sentence.span.start + if is_blank { 0 } else { blank });
    if line.is_empty() {
        // A blank line belongs to what stands before it.
        let before = text[..sentence.span.start].trim_end();
        line = line_at(before.len());
    }
    let behind = line.trim_start_matches('#');
    let level = line.len() - behind.len();
    (1..=6).contains(&level) && (behind.is_empty() || behind.starts_with([' ', '\t']))
}

/// Returns the chunks of whole sentences by the plainest packing, in which no chunk ends with a heading that fits into
/// the next one.
fn packed(text: &str, max: usize, overlap: f64) -> Vec<(usize, usize)> {
    // Chunks of one character cannot hold two sentences.
    let single = SentenceChunker::new(1).expect("the limit is legal");
    let single = single.with_long_sentences(LongSentences::Keep);
    let sentences = single.chunks(text, &Characters);
    let count = |from: usize, to: usize| -> usize {
        sentences[from..to]
            .iter()
            .map(|sentence| sentence.chars.len())
            .sum()
    };
    let span = |from: usize, to: usize| (sentences[from].span.start, sentences[to - 1].span.end);
    if text.is_empty() || count(0, sentences.len()) <= max {
        return Vec::from_iter((!text.is_empty()).then_some((0, text.len())));
    }
    let is_allowed = |tokens: &usize| *tokens as f64 <= max as f64 * overlap;
    let budget = (0..max).rfind(is_allowed).unwrap_or(0);
    // The sentences before `new` are in a chunk.
    let (mut chunks, mut first, mut new) = (Vec::new(), 0, 0);
    for next in 1..sentences.len() {
        if count(first, next + 1) <= max {
            continue;
        }
        let is_other = |at: &usize| !is_in_heading(&sentences[at - 1], text);
        let end = (first + 1..=next).rev().find(is_other).unwrap_or(first);
        let end = if count(end, next + 1) > max {
            next
        } else {
            end
        };
        if end <= new {
            // It would have nothing but overlap.
            first = end;
            continue;
        }
        chunks.push(span(first, end));
        new = end;
        first += 1;
        let room = max.saturating_sub(count(end, next + 1));
        while count(first, end) > budget.min(room) {
            first += 1;
        }
    }
    chunks.push(span(first, sentences.len()));
    chunks
}

proptest! {
    #![proptest_config(crate::cases(2000))]

    #[test]
    fn chunks_without_overlap_are_the_text(text in texts(), max in 1_usize..40, overlap in 0.0..1.0) {
        let chunker = SentenceChunker::new(max).and_then(|chunker| chunker.with_overlap(overlap));
        let chunker = chunker.expect("the options are legal");
        check(&chunker.chunks(&text, &Characters), &text);
        check(&chunker.chunks(&text, &Heuristic), &text);
    }

    #[test]
    fn chunks_are_those_of_the_restatement(text in texts(), max in 1_usize..40, overlap in 0.0..1.0) {
        let text = text.replace(['`', '|'], "a");
        let chunker = SentenceChunker::new(max).and_then(|chunker| chunker.with_overlap(overlap));
        let chunker = chunker.expect("the options are legal").with_long_sentences(LongSentences::Keep);
        let chunks = chunker.chunks(&text, &Characters);
        let spans: Vec<_> = chunks.iter().map(|chunk| (chunk.span.start, chunk.span.end)).collect();
        prop_assert_eq!(spans, packed(&text, max, overlap));
    }

    #[test]
    fn split_sentences_fit(text in texts(), max in 1_usize..40, overlap in 0.0..1.0) {
        let chunker = SentenceChunker::new(max).and_then(|chunker| chunker.with_overlap(overlap));
        let chunker = chunker.expect("the options are legal");
        let chunks = chunker.with_long_sentences(LongSentences::Split).chunks(&text, &Characters);
        check(&chunks, &text);
        for chunk in chunks {
            prop_assert!(Characters.count(&chunk.text) <= max);
            prop_assert_eq!(chunk.tokens, Some(Characters.count(&chunk.text)));
        }
    }

    #[test]
    fn no_text_breaks_the_chunker(text in any::<String>()) {
        let chunker = SentenceChunker::new(3).expect("the limit is legal");
        check(&chunker.chunks(&text, &Heuristic), &text);
    }
}

#[test]
fn no_row_of_a_table_that_fits_is_cut() {
    const PROSE: &str = "A text. With sentences.\n\n";
    let row = |at: usize, open: &str, between: &str, close: &str| {
        format!("{open}item {at}{between}It rained. We left.{between}{at}.5{close}\n")
    };
    let table = |open: &str, between: &str, close: &str, rule: &str| {
        let head = row(99, open, between, close);
        let rows: String = (0..60).map(|at| row(at, open, between, close)).collect();
        format!("{PROSE}{head}{rule}\n{rows}")
    };
    for text in [
        table("| ", " | ", " |", "|---|---|---|"),
        table("", " | ", "", "---|---|---"),
        table("| ", " | ", " |", "|---+---+---|"),
        table("|", " |", "", ""),
        table("", " & ", " \\\\", "\\midrule"),
        table("", "   ", "", "")
            .replacen("\n\n", "\n\n=== ===\n", 1)
            .replace("99.5\n\n", "99.5\n=== ===\n"),
    ] {
        for size in [40, 60, 100] {
            let chunker = SentenceChunker::new(size).expect("the limit is legal");
            let chunks = chunker.chunks(&text, &Heuristic);
            assert!(chunks.len() > 3);
            for chunk in chunks {
                let ends = [chunk.span.start, chunk.span.end];
                let is_whole = |cut: &usize| *cut < PROSE.len() || text[..*cut].ends_with('\n');
                assert!(ends.iter().all(is_whole), "{size}: {}", chunk.text);
            }
        }
    }
}

#[test]
fn words_that_fit_are_in_one_chunk() {
    let text = "and it is the biggest town that I have seen in my life ".repeat(20);
    let is_word = |word: &str| text.split(' ').any(|other| other == word);
    for size in 8..60 {
        let sentence = SentenceChunker::new(size).and_then(|chunker| chunker.with_overlap(0.0));
        let sentence = sentence.expect("the options are legal");
        let config = MarkdownChunkerConfig {
            max_chunk_size: size,
            chunk_overlap: 0,
            ..MarkdownChunkerConfig::default()
        };
        let markdown = MarkdownChunker::new(config).expect("the options are legal");
        let markdown = markdown
            .iter(&text, &Characters)
            .map(|chunk| chunk.chunk.text);
        let sentence = sentence.chunks(&text, &Characters).into_iter();
        for chunk in sentence.map(|chunk| chunk.text).chain(markdown) {
            assert!(chunk.split_whitespace().all(is_word), "{size}: {chunk:?}");
        }
    }
}

#[test]
fn chunks_of_real_documents_fit() {
    let chunker = SentenceChunker::new(100).expect("the limit is legal");
    let chunker = chunker.with_long_sentences(LongSentences::Split);
    for text in corpus::files("markdown/files", "md").values() {
        let chunks = chunker.chunks(text, &Heuristic);
        check(&chunks, text);
        assert!(
            chunks
                .iter()
                .all(|chunk| chunk.tokens.is_some_and(|tokens| tokens <= 100))
        );
    }
}

/// A period before much that is neither letter nor end makes naive segmenters quadratic.
#[test]
fn hostile_texts_take_linear_time() {
    let chunker = SentenceChunker::new(50).expect("the limit is legal");
    for part in [
        ")", ".", " ", "\u{300}", "1.", "\n", "a.b", "- ", "```\n", "7", ".)",
    ] {
        let text = format!("a.{}", part.repeat(100_000 / part.len()));
        for long in [LongSentences::Keep, LongSentences::Split] {
            check(
                &chunker.with_long_sentences(long).chunks(&text, &Heuristic),
                &text,
            );
        }
    }
}
