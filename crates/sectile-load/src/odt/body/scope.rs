//! What is open while a document is read.

use crate::titles::TextLook;

/// An open element, as far as it matters what is inside and when it ends.
#[derive(Debug)]
pub(super) enum Scope {
    Paragraph {
        is_code: bool,
        look: TextLook,
        is_hidden: bool,
    },
    /// A heading: its level, its number as it is shown, and whether it is hidden.
    Heading(u8, Option<String>, bool),
    /// A part of a paragraph that may be raised.
    Span,
    List,
    Item,
    Table,
    Row,
    Cell {
        is_covered: bool,
    },
    /// A section: the file that it shows, how many paragraphs were filled before it, and whether it is hidden.
    Section {
        source: Option<String>,
        filled: usize,
        is_hidden: bool,
    },
    /// What stands in hidden text, such as a note.
    Hidden,
    Frame,
    Drawing,
    /// The title of a picture, and its description.
    PictureTitle,
    PictureDescription,
    /// A note: its number, and who wrote it.
    Note(usize, Option<String>),
    NoteBody,
    Link(usize, String),
    Other,
}
