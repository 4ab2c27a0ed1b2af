//! The fields of the metadata that say what loading noticed.

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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn each_notice_is_documented() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
        let page = std::fs::read_to_string(page).unwrap();
        for name in NOTICES {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
    }
}
