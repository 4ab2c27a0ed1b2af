//! No chunk is larger than it may be, whatever the strategy, the unit and the text.

use std::sync::Arc;

use proptest::prelude::*;
use sectile_chunk::{
    Characters, Heuristic, MarkdownChunker, MarkdownChunkerConfig, RecursiveCharacterTextSplitter,
    SectionOptions, SentenceChunker, TokenChunker, Tokenizer, markdown_outline, sections,
};

use super::stream::texts;

/// Checks the chunks of every strategy, counted again as they are.
fn check(name: &str, text: &str, size: usize, counter: &Arc<dyn Tokenizer>) {
    let assert_fits = |strategy: &str, chunk: &str| {
        let count = counter.count(chunk);
        let fits = count <= size || chunk.chars().count() == 1;
        assert!(
            fits,
            "{strategy} of {name}: {count} for {size}: {chunk:.200?}"
        );
    };
    let recursive = RecursiveCharacterTextSplitter::new(size, size / 5).expect("the size is legal");
    for chunk in recursive.with_length(counter.clone()).chunks(text) {
        assert_fits("recursive", &chunk.text);
    }
    let sentences = SentenceChunker::new(size).expect("the size is legal");
    for chunk in sentences.chunks(text, counter) {
        assert_fits("sentence", &chunk.text);
    }
    let tokens = TokenChunker::new(size, size / 8).expect("the size is legal");
    // Windows are of the tokens of the whole text; counted alone one may have a few more.
    for chunk in tokens.with_min_tokens(1).chunks(text, &**counter) {
        let count = chunk.tokens.expect("windows are counted");
        assert!(count <= size, "token of {name}: {count} for {size}");
    }
    let config = MarkdownChunkerConfig {
        max_chunk_size: size,
        chunk_overlap: size / 5,
        ..MarkdownChunkerConfig::default()
    };
    let markdown = MarkdownChunker::new(config).expect("the size is legal");
    for chunk in markdown.chunks(text, counter) {
        assert_fits("markdown", &chunk.chunk.text);
    }
    let options = SectionOptions::default().with_max_tokens(size);
    let tree = sections("a.md", text, &markdown_outline(text), &options, counter);
    for section in tree.expect("the size is legal").sections {
        assert_fits("sections", section.span.of(text));
    }
}

fn counters() -> Vec<Arc<dyn Tokenizer>> {
    vec![
        Arc::new(Characters),
        Arc::new(Heuristic),
        #[cfg(feature = "tiktoken")]
        Arc::new(sectile_chunk::Bpe::cl100k_base()),
    ]
}

/// Texts without the ends that sentences and lines are cut at.
fn hostile() -> Vec<(&'static str, String)> {
    let base64 = (0..60_000_u64).map(|at| {
        const LETTERS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let hash = at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58;
        char::from(LETTERS[hash as usize])
    });
    let row = |at: usize| {
        format!(
            "{at},Ada Lovelace {at},\"12 St James's Square\",{}.5\n",
            at * 7
        )
    };
    let cell = |at: usize| {
        format!(
            "| {at} | a cell with some words in it | {} |\n",
            "x".repeat(at % 90)
        )
    };
    vec![
        (
            "Chinese without stops",
            "検索文書的大小必須保持不變".repeat(3_000),
        ),
        ("a CSV", (0..2_000).map(row).collect()),
        ("one line", "word, and another ".repeat(4_000)),
        ("one word", "a".repeat(70_000)),
        ("base64", base64.collect()),
        (
            "a table",
            format!(
                "# A\n\n| a | b | c |\n|---|---|---|\n{}",
                (0..500).map(cell).collect::<String>()
            ),
        ),
        (
            "a fence",
            format!(
                "# A\n\n```rs\n{}```\n\n## B\n",
                "let words = one + two;\n".repeat(2_000)
            ),
        ),
        ("emoji", "👩\u{200d}🚀".repeat(2_000)),
    ]
}

#[test]
fn sizes_hold_in_hostile_texts() {
    for counter in counters() {
        for (name, text) in hostile() {
            check(name, &text, 400, &counter);
        }
    }
}

proptest! {
    #![proptest_config(crate::cases(500))]

    // Sizes are sums over sentences, each counted alone: of tokens a few more may be in all of them at once,
    // so that small sizes hold for what adds up.
    #[test]
    fn sizes_hold_in_random_texts(text in texts(), size in 1_usize..60) {
        for counter in counters().into_iter().take(2) {
            check("a random text", &text, size, &counter);
        }
    }
}
