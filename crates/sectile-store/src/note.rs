//! Users' notes on documents.

use serde::{Deserialize, Serialize};

/// A user's note on a collection or on some of its documents, for example on their subject, their
/// reliability or their replacement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The collection.
    pub collection: String,
    /// The URI of a document, or that of a folder with its last slash; empty for the whole collection.
    pub prefix: String,
    /// The note, on one line.
    pub text: String,
}

impl Note {
    /// Creates a note. White space and control characters are collapsed, so that it is one line.
    pub fn new(collection: impl Into<String>, prefix: impl Into<String>, text: &str) -> Self {
        let words = text.split(|letter: char| letter.is_whitespace() || letter.is_control());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        Self {
            collection: collection.into(),
            prefix: prefix.into(),
            text: words.join(" "),
        }
    }

    /// Returns whether it is about a document.
    pub fn is_about(&self, collection: &str, uri: &str) -> bool {
        let is_in = self.prefix.is_empty()
            || self.prefix == uri
            || self.prefix.ends_with('/') && uri.starts_with(&self.prefix);
        self.collection == collection && is_in
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_one_line() {
        let note = Note::new("c", "", "  Superseded\n\tby \u{1b}[1mthe\0wiki. ");
        assert_eq!(note.text, "Superseded by [1mthe wiki.");
        assert_eq!(Note::new("c", "", "\n \u{7f}").text, "");
    }

    #[test]
    fn it_is_about_a_collection_a_folder_or_a_document() {
        let is_about = |prefix: &str, uri: &str| Note::new("c", prefix, "n").is_about("c", uri);
        assert!(is_about("", "file:///a/b.md"));
        assert!(is_about("file:///a/", "file:///a/b.md"));
        assert!(is_about("file:///a/b.md", "file:///a/b.md"));
        assert!(!is_about("file:///a/b.md", "file:///a/b.md2"));
        assert!(!is_about("file:///a/b/", "file:///a/b.md"));
        assert!(!Note::new("c", "", "n").is_about("d", "file:///a/b.md"));
    }
}
