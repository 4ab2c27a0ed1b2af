//! Markdown chunks are the text where nothing is added or left out, and fit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sectile_chunk::{Characters, MarkdownChunker, MarkdownChunkerConfig};
use sectile_fuzz::{Input, Promise, check};

fuzz_target!(|bytes: &[u8]| {
    let input = Input::read(bytes);
    let size = 1 + input.choice(0, 150);
    let config = MarkdownChunkerConfig {
        max_chunk_size: size,
        chunk_overlap: input.choice(1, size),
        min_headers_threshold: input.choice(2, 4),
        include_header_in_chunk: !input.flag(3),
        merge_below: input.choice(4, 60),
        heading_path_in_text: input.flag(5),
        ..MarkdownChunkerConfig::default()
    };
    let covers_all = config.include_header_in_chunk;
    let chunker = MarkdownChunker::new(config).unwrap();
    let text = &input.text;
    let chunks = chunker.chunks(text, &Characters);
    for chunk in &chunks {
        assert_eq!(chunk.metadata.validate(), Ok(()));
        assert!(chunk.chunk.text.ends_with(chunk.chunk.span.of(text)));
        let is_character = chunk.chunk.span.of(text).chars().nth(1).is_none();
        assert!(chunk.chunk.text.chars().count() <= size || is_character);
    }
    let chunks: Vec<_> = chunks.into_iter().map(|chunk| chunk.chunk).collect();
    check(
        &chunks,
        text,
        Promise {
            is_borrowed: false,
            covers_all,
        },
    );
    assert!(
        chunker
            .sections(text, &Characters)
            .iter()
            .all(|section| section.validate().is_ok())
    );
});
