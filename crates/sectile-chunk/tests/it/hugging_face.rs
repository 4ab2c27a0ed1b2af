//! Tokens of `tokenizer.json` files against those that the Python library made of them.

use std::fs;
use std::path::PathBuf;

use sectile_chunk::{Error, HuggingFace, SentenceChunker, TokenChunker, TokenCounter, Tokenizer};
use serde_json::Value;

fn fixture(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tokenizers");
    folder.join(name)
}

fn tokenizer(name: &str) -> HuggingFace {
    let bytes = fs::read(fixture(&format!("{name}.json"))).expect("the fixture is there");
    HuggingFace::from_bytes(name, bytes).expect("the fixture is a tokenizer")
}

/// Returns the texts with the characters that their tokens begin at.
fn expected(name: &str) -> Vec<(String, Vec<usize>)> {
    let lines =
        fs::read_to_string(fixture(&format!("{name}.jsonl"))).expect("the fixture is there");
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).expect("the line is JSON");
        let offsets = row["offsets"].as_array().expect("it has offsets").iter();
        let starts = offsets.map(|offset| offset[0].as_u64().expect("it is a number") as usize);
        (
            row["text"].as_str().expect("it has a text").to_string(),
            starts.collect(),
        )
    };
    lines.lines().map(row).collect()
}

fn check(name: &str) {
    let tokenizer = tokenizer(name);
    assert_eq!(tokenizer.name(), name);
    for (text, starts) in expected(name) {
        assert_eq!(tokenizer.count(&text), starts.len(), "{name} of {text:?}");
        let ends = tokenizer.token_ends(&text);
        let byte = |chars: usize| {
            text.char_indices()
                .nth(chars)
                .map_or(text.len(), |(at, _)| at)
        };
        let next = starts.iter().skip(1).map(|&start| byte(start));
        let next: Vec<usize> = next.chain(starts.last().map(|_| text.len())).collect();
        assert_eq!(ends, next, "{name} of {text:?}");
    }
}

#[test]
fn byte_pairs_are_those_of_the_library() {
    check("byte_pair");
}

#[test]
fn word_pieces_are_those_of_the_library() {
    check("word_piece");
}

#[test]
fn unigrams_are_those_of_the_library() {
    check("unigram");
}

#[test]
fn the_limits_of_a_model_do_not_cut_a_count_off() {
    // The file asks for 16 tokens, no more and no less.
    let tokenizer = tokenizer("word_piece");
    assert!(tokenizer.count(&"the lamp ".repeat(100)) >= 200);
    assert!(tokenizer.count("a") < 16);
}

#[test]
fn chunks_are_measured_in_its_tokens() {
    let tokenizer = tokenizer("byte_pair");
    let text = include_str!("../fixtures/prose.txt");
    let chunker = SentenceChunker::new(60).expect("the limit is valid");
    assert!(chunker.chunks(text, &tokenizer).len() > 3);
    let windows = TokenChunker::new(20, 5)
        .expect("the sizes are valid")
        .with_min_tokens(1);
    let chunks = windows.chunks(text, &tokenizer);
    assert_eq!(chunks[0].tokens, Some(20));
    assert_eq!(chunks.last().map(|chunk| chunk.span.end), Some(text.len()));
}

#[test]
fn a_text_without_tokens_makes_no_windows() {
    let windows = TokenChunker::default().with_min_tokens(1);
    assert!(windows.chunks(" \n ", &tokenizer("word_piece")).is_empty());
}

#[test]
fn bytes_that_are_no_tokenizer_are_refused() {
    let error = HuggingFace::from_bytes("model", b"{}").expect_err("it is refused");
    assert!(matches!(error, Error::InvalidTokenizer { .. }));
    let expected =
        "the bytes of the tokenizer `model` are not a tokenizer.json; use the file of the model";
    assert_eq!(error.to_string(), expected);
}
