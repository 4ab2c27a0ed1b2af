//! A text that comes in parts is cut as the whole is.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sectile_chunk::{
    Bpe, Characters, KeepSeparator, LongSentences, RecursiveCharacterTextSplitter, SentenceChunker,
    Stream, TokenChunker,
};
use sectile_core::Chunk;
use sectile_fuzz::Input;

fuzz_target!(|bytes: &[u8]| {
    let input = Input::read(bytes);
    let text = &input.text;
    let (size, part) = (1 + input.choice(0, 60), 1 + input.choice(1, 40));
    match input.choice(2, 3) {
        0 => {
            let keep = [
                KeepSeparator::Start,
                KeepSeparator::End,
                KeepSeparator::None,
            ];
            let splitter = RecursiveCharacterTextSplitter::new(size, input.choice(3, 30)).unwrap();
            let splitter = splitter.with_keep_separator(keep[input.choice(4, 3)]);
            compare(splitter.stream(), text, part, &splitter.chunks(text));
        }
        1 => {
            let long = [LongSentences::Keep, LongSentences::Split][input.choice(3, 2)];
            let chunker = SentenceChunker::new(size)
                .unwrap()
                .with_long_sentences(long);
            compare(
                chunker.stream(&Characters),
                text,
                part,
                &chunker.chunks(text, &Characters),
            );
        }
        _ => {
            let (chunker, counter) = (TokenChunker::new(size, 0).unwrap(), Bpe::cl100k_base());
            let chunker = chunker.with_min_tokens(input.choice(3, 10));
            compare(
                chunker.stream(&counter),
                text,
                part,
                &chunker.chunks(text, &counter),
            );
        }
    }
});

fn compare(mut stream: Stream<'_>, text: &str, part: usize, expected: &[Chunk<'_>]) {
    let (mut chunks, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let (first, after) = rest.split_at(rest.ceil_char_boundary(part));
        chunks.extend(stream.push(first));
        rest = after;
    }
    chunks.extend(stream.finish());
    assert_eq!(chunks, expected);
}
