//! What a document holds and does not show: hidden text, and text that was deleted while changes were tracked.

use sectile_core::Metadata;
use serde_json::Value;

/// The names in [`Metadata::extra`] of how many letters of hidden text, and how many tracked deletions, are not in the text.
const HIDDEN_LETTERS_LEFT_OUT: &str = "hidden_letters_left_out";
const DELETIONS_LEFT_OUT: &str = "deletions_left_out";

/// Counts what a document does not show.
#[cfg(any(feature = "docx", feature = "odt", feature = "rtf"))]
#[derive(Debug, Default)]
pub(crate) struct Hidden {
    letters: usize,
    deletions: usize,
}

#[cfg(any(feature = "docx", feature = "odt", feature = "rtf"))]
impl Hidden {
    /// Counts the letters of hidden text.
    pub(crate) fn add_text(&mut self, text: &str) {
        let letters = text.chars().filter(|letter| !letter.is_whitespace());
        self.letters += letters.count();
    }

    /// Counts a tracked deletion.
    pub(crate) fn add_deletion(&mut self) {
        self.deletions += 1;
    }

    pub(crate) fn write_into(&self, metadata: &mut Metadata) {
        for (name, count) in [
            (HIDDEN_LETTERS_LEFT_OUT, self.letters),
            (DELETIONS_LEFT_OUT, self.deletions),
        ] {
            if count > 0 {
                metadata.extra.insert(name.into(), count.into());
            }
        }
    }
}

/// Says how much of a document is hidden or deleted.
pub(super) fn said(metadata: &Metadata) -> Vec<String> {
    let count = |name: &str| metadata.extra.get(name).and_then(Value::as_u64);
    let hidden = count(HIDDEN_LETTERS_LEFT_OUT).map(|count| match count {
        1 => "1 letter of hidden text is left out".to_owned(),
        _ => format!("{count} letters of hidden text are left out"),
    });
    let deleted = count(DELETIONS_LEFT_OUT).map(|count| match count {
        1 => "1 tracked deletion is left out, as if it was accepted".to_owned(),
        _ => format!("{count} tracked deletions are left out, as if they were accepted"),
    });
    hidden.into_iter().chain(deleted).collect()
}
