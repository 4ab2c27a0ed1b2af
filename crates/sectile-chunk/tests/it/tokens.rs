//! Counts of the built-in vocabularies against `tiktoken-rs`.

use proptest::prelude::*;
use sectile_chunk::{Bpe, TokenChunker, TokenCounter};
use tiktoken_rs::{CoreBPE, cl100k_base_singleton, o200k_base_singleton, r50k_base_singleton};

use super::corpus;

fn check(text: &str) {
    let pairs = [
        (Bpe::cl100k_base(), cl100k_base_singleton()),
        (Bpe::o200k_base(), o200k_base_singleton()),
        (Bpe::r50k_base(), r50k_base_singleton()),
    ];
    for (counter, oracle) in pairs {
        let expected = oracle.encode_ordinary(text).len();
        assert_eq!(
            counter.count(text),
            expected,
            "{} of {text:?}",
            counter.name()
        );
    }
}

#[test]
fn counts_of_chosen_texts_are_those_of_the_oracle() {
    let long = "a".repeat(2000);
    let texts = [
        "",
        " ",
        "\n\n\n",
        "hello world",
        "<|endoftext|> <|im_start|>",
        "fn main() {\r\n\t1\n}",
        "It's don't WE'LL M'ſ",
        "3.14159 1234567",
        "你好，世界。",
        "приве́т",
        "👩‍🚀👩‍🚀",
        "a\u{300}\u{301}",
        "https://example.com/a?b=c&d=%20",
        "          indented",
        "trailing   \n  ",
        &long,
    ];
    texts.into_iter().for_each(check);
}

/// The windows of LangChain's `TokenTextSplitter`, by its rule.
fn windows(tokens: &[u32], size: usize, overlap: usize, oracle: &CoreBPE) -> Vec<String> {
    let (mut windows, mut start) = (Vec::new(), 0);
    while start < tokens.len() {
        let end = tokens.len().min(start + size);
        let bytes = oracle.decode_bytes(&tokens[start..end]);
        let bytes = bytes.expect("the tokens are of the vocabulary");
        windows.push(String::from_utf8_lossy(&bytes).into_owned());
        if end == tokens.len() {
            break;
        }
        start += size - overlap;
    }
    windows
}

#[test]
fn windows_split_characters_as_langchains_do() {
    let text = "Wörter, 漢字 and 👩‍🚀👩‍🚀 in a row: приве́т!\n".repeat(20);
    let pairs = [
        (Bpe::cl100k_base(), cl100k_base_singleton()),
        (Bpe::r50k_base(), r50k_base_singleton()),
    ];
    for (counter, oracle) in pairs {
        let tokens = oracle.encode_ordinary(&text);
        for (size, overlap) in [(1, 0), (2, 1), (3, 0), (7, 3), (100, 99), (9_999, 0)] {
            let chunker = TokenChunker::langchain(size, overlap).expect("the sizes are right");
            let chunks = chunker.chunks(&text, &counter);
            let found: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
            assert_eq!(found, windows(&tokens, size, overlap, oracle));
            for chunk in chunks {
                let span = chunk.span.of(&text);
                assert!(span.contains(chunk.text.trim_matches('\u{fffd}')));
            }
        }
    }
}

/// Every text of the corpus, counted whole.
#[test]
fn counts_of_real_documents_are_those_of_the_oracle() {
    let mut texts = corpus::files("markdown/files", "md");
    texts.extend(corpus::files("llms", "txt"));
    for text in texts.values() {
        check(text);
    }
}

/// Makes numbers that look random, the same ones each time (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// Makes a character: of ASCII, of what the patterns tell apart, or any.
    fn char(&mut self) -> char {
        const SPECIAL: [char; 32] = [
            '\'', '’', 'ſ', 'K', 's', 'S', 't', 'L', 'l', ' ', ' ', '\n', '\r', '\t', '\u{a0}',
            '\u{3000}', '\u{85}', '\u{2028}', '1', '٣', '½', 'Ⅷ', 'ǅ', 'ʰ', '中', 'ア', '\u{301}',
            '\u{93e}', '\u{200d}', '🚀', '/', '<',
        ];
        match self.below(4) {
            0 => char::from(self.below(128) as u8),
            1 | 2 => SPECIAL[self.below(SPECIAL.len())],
            _ => char::from_u32(self.below(0x11_0000) as u32).unwrap_or('\u{fffd}'),
        }
    }

    fn text(&mut self) -> String {
        const WORDS: [&str; 8] = [
            "the",
            " lamp",
            "'LL",
            "<|endoftext|>",
            "   ",
            "\n\n",
            "12345",
            "é",
        ];
        let length = self.below(12);
        let part = |_| match self.below(3) {
            0 => WORDS[self.below(WORDS.len())].to_string(),
            _ => self.char().to_string(),
        };
        (0..length).map(part).collect()
    }
}

#[test]
fn counts_of_a_hundred_thousand_texts_are_those_of_the_oracle() {
    let mut random = Random(2026);
    (0..100_000).for_each(|_| check(&random.text()));
}

proptest! {
    #![proptest_config(crate::cases(2000))]

    #[test]
    fn counts_of_any_text_are_those_of_the_oracle(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn counts_of_wordlike_texts_are_those_of_the_oracle(
        text in "([a-zA-Z]{1,8}|[0-9]{1,5}|'s|'LL| |  |\n|\r\n|[.,;!?é中ß/]|\t){0,30}",
    ) {
        check(&text);
    }
}
