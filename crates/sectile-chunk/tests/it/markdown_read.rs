//! Sections and metadata that are read from JSON.

use super::*;

#[test]
fn sections_that_are_read_are_validated() {
    let section = json!({
        "header": "## B", "header_text": "B", "level": 2, "content": "## B\nb\n",
        "start_line": 3, "end_line": 5, "parent_headers": ["# A"],
    });
    let read = |field: &str, value: serde_json::Value| {
        let mut section = section.clone();
        section[field] = value;
        serde_json::from_value::<MarkdownSection<'_>>(section).map_err(|error| error.to_string())
    };
    assert!(read("level", json!(2)).is_ok());
    let refusals = [
        ("level", json!(0), "Invalid header level: 0"),
        ("level", json!(7), "Invalid header level: 7"),
        ("level", json!(-1), "Invalid header level: -1"),
        ("header", json!("# B"), "Header format mismatch"),
        ("header", json!("##B"), "Header format mismatch"),
        ("header", json!("## C"), "Header format mismatch"),
        ("content", json!(""), "Section content cannot be empty"),
        ("start_line", json!(-1), "Invalid start line"),
        ("end_line", json!(3), "End line must be after start line"),
        ("end_line", json!(-5), "End line must be after start line"),
    ];
    for (field, value, expected) in refusals {
        assert_eq!(read(field, value).expect_err("it is refused"), expected);
    }
}

#[test]
fn metadata_that_is_read_is_validated() {
    let read = serde_json::from_value::<MarkdownChunkMetadata>;
    let refusals = [
        (
            json!({"header_level": 7}),
            InvalidMarkdown::ChunkLevel,
            "Invalid header level",
        ),
        (
            json!({"chunk_index": -1}),
            InvalidMarkdown::ChunkIndex,
            "Chunk index must be non-negative",
        ),
        (
            json!({"total_section_chunks": 0}),
            InvalidMarkdown::TotalChunks,
            "Total chunks must be positive",
        ),
        (
            json!({"chunk_index": 1}),
            InvalidMarkdown::ChunkIndexExceedsTotal,
            "Chunk index exceeds total",
        ),
    ];
    for (value, error, text) in refusals {
        assert_eq!(read(value).expect_err("it is refused").to_string(), text);
        assert_eq!(error.to_string(), text);
    }
    // Chunks of before have none of the fields.
    let old = read(json!({"source_id": "abc-123"})).expect("it is valid");
    assert!(!old.is_header_split && old.section_header.is_none());
}
