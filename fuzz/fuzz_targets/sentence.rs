//! Sentence chunks are the text, and fit if long sentences are split.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sectile_chunk::{Characters, LongSentences, SentenceChunker};
use sectile_fuzz::{Input, Promise, check};

fuzz_target!(|bytes: &[u8]| {
    let input = Input::read(bytes);
    let limit = 1 + input.choice(0, 100);
    let long = if input.flag(2) {
        LongSentences::Split
    } else {
        LongSentences::Keep
    };
    let chunker = SentenceChunker::new(limit)
        .unwrap()
        .with_long_sentences(long);
    let chunker = chunker
        .with_overlap(input.choice(1, 100) as f64 / 100.0)
        .unwrap();
    let chunks = chunker.chunks(&input.text, &Characters);
    check(
        &chunks,
        &input.text,
        Promise {
            is_borrowed: true,
            covers_all: true,
        },
    );
    let fit = chunks
        .iter()
        .all(|chunk| chunk.text.chars().count() <= limit);
    assert!(fit || long == LongSentences::Keep);
});
