//! The fields of the metadata that say what loading noticed.

use sectile_core::Metadata;
use serde_json::Value;

use crate::omissions::{CUT_OFF, ENCODING_UNSURE, MAIN_PART_WORDS};

/// The names of these fields.
#[rustfmt::skip]
const NOTICES: [&str; 57] = [
    "alternative_words_left_out", "attachments_not_read", "attachments_partly_read", "charts_left_out",
    "comments_left_out", "cut_off", "cut_off_pages", "damaged_lines", "damaged_pages", "damaged_parts", "deletions_left_out", "delimiter",
    "encoding_unsure", "encrypted_chapters", "encrypted_parts", "failed_pages", "fields_left_out", "filled_by_script",
    "formulas_left_out", "formulas_without_value", "frames", "front_matter_left_out", "hidden_columns",
    "hidden_letters_left_out", "hidden_rows", "hidden_sheets", "hidden_slides",
    "left_out", "left_out_words", "main_part_words", "missing_pages", "missing_sheets", "non_linear_parts",
    "not_followed", "ocr_languages", "ocr_pages", "other_attachments_not_read", "outline_skipped",
    "pages_with_little_text", "pages_without_text", "parts_outside_spine", "properties_left_out", "read_as_text", "readings_left_out",
    "repeats_left_out", "replaced_characters", "running_lines", "signatures", "sparse_sheets", "syntax_errors",
    "unclosed_fence", "unmapped_letters", "unread_fields", "unread_parts", "unresolved_entities", "whole_page",
    "without_text",
];

/// What holds of the whole if it holds of a part. Other notices that only say yes are about a file as a whole.
const OF_ANY_PART: [&str; 2] = [CUT_OFF, ENCODING_UNSURE];

/// Returns whether a field of [`Metadata::extra`](sectile_core::Metadata::extra) tells how a file
/// was read, as opposed to metadata of the document itself.
///
/// ```
/// assert!(sectile_load::is_notice("failed_pages"));
/// assert!(!sectile_load::is_notice("team"));
/// ```
pub fn is_notice(name: &str) -> bool {
    NOTICES.contains(&name)
}

/// Adds the counts and the lists of what loading noticed of a part to those of the whole, and what holds of the whole as it
/// holds of the part.
pub(crate) fn add(whole: &mut Metadata, part: &Metadata) {
    // How much a part has beside what was left out says nothing of the whole.
    let is_added = |name: &str| is_notice(name) && name != MAIN_PART_WORDS;
    for (name, noticed) in part.extra.iter().filter(|(name, _)| is_added(name)) {
        match whole.extra.get_mut(name) {
            Some(sum) => add_value(sum, noticed),
            None if is_of_whole(name, noticed) => {
                whole.extra.insert(name.clone(), noticed.clone());
            }
            None => {}
        }
    }
}

/// Returns whether what was noticed of a part is to be said of the whole.
fn is_of_whole(name: &str, noticed: &Value) -> bool {
    match noticed {
        Value::Array(_) | Value::Number(_) | Value::Object(_) => true,
        Value::Bool(holds) => *holds && OF_ANY_PART.contains(&name),
        Value::Null | Value::String(_) => false,
    }
}

/// Adds a count, the entries of a list, or counts by names.
fn add_value(sum: &mut Value, more: &Value) {
    match (&mut *sum, more) {
        (Value::Array(sum), Value::Array(more)) => sum.extend(more.iter().cloned()),
        (Value::Object(sum), Value::Object(more)) => {
            for (name, more) in more {
                match sum.get_mut(name) {
                    Some(sum) => add_value(sum, more),
                    None => {
                        sum.insert(name.clone(), more.clone());
                    }
                }
            }
        }
        _ => {
            if let (Some(own), Some(more)) = (sum.as_u64(), more.as_u64()) {
                *sum = (own + more).into();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_noticed_of_parts_is_added_up() {
        let part = |extra: Value| Metadata {
            extra: serde_json::from_value(extra).unwrap(),
            ..Metadata::default()
        };
        let mut whole = part(json!({"fields_left_out": 2, "unread_parts": ["a"]}));
        let parts = [
            json!({"fields_left_out": 3, "left_out_words": {"hidden": 1}, "main_part_words": 9, "team": "x"}),
            json!({"unread_parts": ["b"], "left_out_words": {"hidden": 2, "readings": 1}, "cut_off": true}),
            json!({"encoding_unsure": false, "cut_off": true, "filled_by_script": true, "whole_page": true}),
        ];
        for noticed in parts {
            add(&mut whole, &part(noticed));
        }
        let expected = json!({
            "cut_off": true, "fields_left_out": 5, "left_out_words": {"hidden": 3, "readings": 1}, "unread_parts": ["a", "b"]
        });
        assert_eq!(json!(whole.extra), expected);
    }

    #[test]
    fn each_notice_is_documented() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
        let page = std::fs::read_to_string(page).unwrap();
        for name in NOTICES {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
    }
}
