//! The frames and groups that pictures stand in.

use crate::alternative_text::Picture;
use crate::blocks::Block;
use crate::xml::Element;

/// A frame or a group while it is read.
#[derive(Debug, Default)]
pub(crate) struct Drawing {
    pub(crate) has_picture: bool,
    /// Whether its picture stands for an object.
    pub(crate) has_object: bool,
    pub(crate) picture: Picture,
}

impl Drawing {
    /// Begins a frame or a group.
    pub(crate) fn new(element: &Element) -> Self {
        let mut drawing = Self::default();
        let decorates = element.attribute("decorative");
        drawing.picture.is_decorative = decorates.as_deref() == Some("true");
        drawing
    }

    /// Returns what is said of the picture in it.
    pub(crate) fn block(&self) -> Option<Block> {
        let is_picture = self.has_picture && !self.has_object;
        is_picture.then(|| self.picture.block()).flatten()
    }
}
