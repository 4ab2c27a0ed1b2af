//! The frames and groups that pictures stand in.

use crate::alternative_text::Picture;
use crate::blocks::Block;
use crate::xml::Element;

/// The open frames and groups, from the outermost in.
#[derive(Debug, Default)]
pub(crate) struct Drawings(Vec<Drawing>);

/// A frame or a group while it is read.
#[derive(Debug)]
struct Drawing {
    is_group: bool,
    has_picture: bool,
    /// Whether its picture stands for an object.
    has_object: bool,
    picture: Picture,
}

impl Drawings {
    /// Begins a frame or a group.
    pub(crate) fn begin(&mut self, element: &Element) {
        let decorates = element.attribute("decorative");
        self.0.push(Drawing {
            is_group: element.name() == "g",
            has_picture: false,
            has_object: false,
            picture: Picture {
                is_decorative: decorates.as_deref() == Some("true"),
                ..Picture::default()
            },
        });
    }

    /// Notes that there is a picture in the innermost frame.
    pub(crate) fn add_picture(&mut self) {
        if let Some(drawing) = self.0.last_mut() {
            drawing.has_picture = true;
        }
    }

    /// Notes that the picture in the innermost frame stands for an object.
    pub(crate) fn add_object(&mut self) {
        if let Some(drawing) = self.0.last_mut() {
            drawing.has_object = true;
        }
    }

    pub(crate) fn add_title(&mut self, text: &str) {
        if let Some(drawing) = self.0.last_mut() {
            drawing.picture.title.push_str(text);
        }
    }

    pub(crate) fn add_description(&mut self, text: &str) {
        if let Some(drawing) = self.0.last_mut() {
            drawing.picture.description.push_str(text);
        }
    }

    /// Ends the innermost frame or group, and returns what is said of the picture in it. A picture of which nothing is
    /// said shows what is said of its group.
    pub(crate) fn end(&mut self) -> Option<Block> {
        let ended = self.0.pop()?;
        let is_picture = ended.has_picture && !ended.has_object;
        let shown = is_picture.then(|| ended.picture.block()).flatten();
        if is_picture
            && shown.is_none()
            && !ended.picture.is_decorative
            && let Some(outer) = self.0.last_mut().filter(|outer| outer.is_group)
        {
            outer.has_picture = true;
        }
        shown
    }
}
