//! Windows of tokens are the text, and hold no more than their tokens.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sectile_chunk::{Bpe, Characters, Heuristic, TokenChunker, Tokenizer};
use sectile_fuzz::{Input, Promise, check};

fuzz_target!(|bytes: &[u8]| {
    let input = Input::read(bytes);
    let size = 1 + input.choice(0, 60);
    let chunker = TokenChunker::new(size, input.choice(1, size))
        .unwrap()
        .with_min_tokens(1);
    let (cl100k, o200k) = (Bpe::cl100k_base(), Bpe::o200k_base());
    let tokenizers: [&dyn Tokenizer; 4] = [&cl100k, &o200k, &Heuristic, &Characters];
    let which = input.choice(2, 4);
    let chunks = chunker.chunks(&input.text, tokenizers[which]);
    check(
        &chunks,
        &input.text,
        Promise {
            is_borrowed: true,
            covers_all: true,
        },
    );
    assert!(chunks.iter().all(|chunk| chunk.tokens <= Some(size)));
    let ends = tokenizers[which].token_ends(&input.text);
    assert!(ends.is_sorted() && ends.last().copied().unwrap_or(0) == input.text.len());
});
