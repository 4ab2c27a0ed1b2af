//! What drawings show in a document in Rich Text Format: the words of `WordArt`, and what is said of pictures.

use super::{Destination, Reader};
use crate::alternative_text::Picture;
use crate::blocks::Block;
use crate::one_line::one_line;

/// Groups whose content is no part of the text that a bookmark stands around.
const SHOWN_APART: [&str; 4] = ["moMath", "object", "pict", "shppict"];

/// The properties that hold the words of `WordArt`, the picture of a shape, and what is said of it.
const WORDS: &str = "gtextUNICODE";
const PICTURE: &str = "pib";
const DESCRIPTION: &str = "wzDescription";

/// Groups in the name or the value of a property that are no text of it.
const NO_VALUES: [&str; 10] = [
    "nonshppict",
    "object",
    "pict",
    "shp",
    "shpinst",
    "shppict",
    "shprslt",
    "sn",
    "sp",
    "sv",
];

/// The drawing that is read.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    /// The name of the property whose value comes next.
    property: String,
    /// Whether the shape has a picture in it.
    has_picture: bool,
    /// Where the text goes that it stands in.
    around: Destination,
    /// What is shown after the paragraph.
    pub(super) beside: Vec<Block>,
    /// What is shown after the table, as it stands in its rows.
    pub(super) in_rows: Vec<Block>,
}

fn is_property(destination: Destination) -> bool {
    matches!(
        destination,
        Destination::PropertyName | Destination::PropertyValue { .. }
    )
}

/// Returns what a group is that begins or goes on with a drawing.
fn destination(outer: Destination, name: &str) -> Option<Destination> {
    match (outer, name) {
        // What stands in for a picture or a shape repeats what it shows.
        (_, "nonshppict" | "shprslt") => Some(Destination::Skipped),
        // Some programs write the properties of a picture before it.
        (_, "pict" | "picprop") => Some(Destination::Drawing { is_picture: true }),
        (Destination::Drawing { .. }, "sn") => Some(Destination::PropertyName),
        (Destination::Drawing { is_picture }, "sv") => {
            Some(Destination::PropertyValue { is_picture })
        }
        (Destination::Drawing { .. }, _) => Some(outer),
        (_, "shppict" | "sp") => Some(Destination::Drawing { is_picture: false }),
        _ => None,
    }
}

impl Reader {
    /// Begins a group of a drawing, if it is one. Returns whether that is all that its first word means.
    pub(super) fn begin_drawing(&mut self, name: &str) -> Option<bool> {
        if SHOWN_APART.contains(&name) {
            self.cut_bookmarks();
        }
        if name == "shpinst" {
            self.drawing.has_picture = false;
        }
        let outer = self.state.destination;
        if is_property(outer) {
            return Some(self.begin_in_property(name));
        }
        let destination = destination(outer, name)?;
        let is_drawing = |one: Destination| matches!(one, Destination::Drawing { .. });
        if is_drawing(destination) && !is_drawing(outer) {
            self.drawing.around = outer;
        }
        if is_property(destination) {
            self.value.clear();
        }
        self.state.destination = destination;
        Some(true)
    }

    /// Begins a group in the name or the value of a property: most often a part of its text that looks different. Returns
    /// whether its first word means nothing else.
    fn begin_in_property(&mut self, name: &str) -> bool {
        // It is the same text once more, in Unicode.
        if name == "ud" {
            self.value.clear();
            return true;
        }
        let is_skipped = self.state.is_optional || NO_VALUES.contains(&name);
        if is_skipped {
            self.state.destination = Destination::Skipped;
        }
        is_skipped
    }

    /// Ends the name of a property.
    pub(super) fn end_property_name(&mut self) {
        self.drawing.property = one_line(&std::mem::take(&mut self.value));
        self.drawing.has_picture |= self.drawing.property == PICTURE;
    }

    /// Ends the value of a property of a picture, or of a shape.
    pub(super) fn end_property_value(&mut self, is_picture: bool) {
        let value = one_line(&std::mem::take(&mut self.value));
        let shown = match self.drawing.property.as_str() {
            WORDS if !value.is_empty() => Some(Block::Text(value)),
            DESCRIPTION if is_picture || self.drawing.has_picture => {
                let picture = Picture {
                    description: value,
                    ..Picture::default()
                };
                picture.block()
            }
            _ => None,
        };
        let is_shown = !self.state.is_hidden && !self.state.is_deleted;
        if let Some(shown) = shown.filter(|_| is_shown) {
            self.add_drawn(shown);
        }
    }

    /// Adds what a drawing shows: after the paragraph, or as a line of the head or foot of pages that it stands in.
    fn add_drawn(&mut self, shown: Block) {
        if matches!(self.drawing.around, Destination::Running { .. }) {
            self.text.push('\n');
            self.text.push_str(&shown.flat());
            self.text.push('\n');
        } else {
            self.drawing.beside.push(shown);
        }
    }
}
