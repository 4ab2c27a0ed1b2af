//! The splitter for JSON.

use sectile_chunk::{Error, RecursiveJsonSplitter};
use serde_json::Value;

#[test]
fn pieces_are_langchains() {
    let mut compared = 0;
    for line in include_str!("../fixtures/json.jsonl").lines() {
        let line: Value = serde_json::from_str(line).expect("a line is JSON");
        let size = line["size"].as_u64().expect("a line has a size") as usize;
        let mut splitter = RecursiveJsonSplitter::new(size)
            .expect("LangChain took the size")
            .with_lists_as_objects(line["lists"] == true)
            .with_ascii(line["ascii"] == true);
        if let Some(least) = line["least"].as_u64() {
            splitter = splitter.with_min_chunk_size(least as usize);
        }
        let text = line["text"].as_str().expect("a line has a text");
        let pieces = splitter.split_text(text).expect("LangChain took the text");
        assert_eq!(Value::from(pieces), line["pieces"], "{text}");
        compared += 1;
    }
    assert_eq!(compared, 40);
}

#[test]
fn numbers_stay_as_they_are_written() {
    let text = r#"{"price":1.50,"id":123456789012345678901234567890}"#;
    let pieces = RecursiveJsonSplitter::default().split_text(text);
    let expected = [r#"{"price": 1.50, "id": 123456789012345678901234567890}"#];
    assert_eq!(pieces.expect("the text is an object"), expected);
}

#[test]
fn the_last_of_two_values_of_a_key_counts() {
    let pieces = RecursiveJsonSplitter::default().split_text(r#"{"a": 1, "b": 2, "a": 3}"#);
    assert_eq!(
        pieces.expect("the text is an object"),
        [r#"{"a": 3, "b": 2}"#]
    );
}

#[test]
fn what_is_empty_has_no_pieces() {
    let splitter = RecursiveJsonSplitter::new(1)
        .expect("a size")
        .with_min_chunk_size(0);
    for text in ["{}", "null", " { } "] {
        assert!(
            splitter
                .split_text(text)
                .expect("the text is JSON")
                .is_empty()
        );
    }
    let pieces = splitter.split_text(r#"{"a": {"b": 1}}"#);
    assert_eq!(
        pieces.expect("the text is an object"),
        [r#"{"a": {"b": 1}}"#]
    );
}

#[test]
fn what_cannot_be_split_is_refused_with_a_reason() {
    let splitter = RecursiveJsonSplitter::default();
    let refused = |text: &str| match splitter.split_text(text) {
        Err(Error::InvalidJson { reason }) => reason,
        other => panic!("{text:.20} gave {other:?}"),
    };
    assert!(refused("[1, 2]").contains("arrays are split when they may become objects"));
    assert!(refused("7").contains("not an object"));
    assert!(refused("").contains("EOF"));
    assert!(refused("{\"a\": 1} x").contains("trailing"));
    let deep = r#"{"a":"#.repeat(100_000) + "1" + &"}".repeat(100_000);
    assert!(refused(&deep).contains("deep") || refused(&deep).contains("recursion"));
    assert!(RecursiveJsonSplitter::new(0).is_err());
}

#[test]
fn an_array_may_become_an_object() {
    let splitter = RecursiveJsonSplitter::new(20)
        .expect("a size")
        .with_min_chunk_size(5)
        .with_lists_as_objects(true);
    let pieces = splitter.split_text(r#"[{"a": "one"}, {"a": "two"}]"#);
    let expected = [r#"{"0": {"a": "one"}}"#, r#"{"1": {"a": "two"}}"#];
    assert_eq!(pieces.expect("the text is an array"), expected);
}
