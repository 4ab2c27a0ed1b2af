//! The pictures of a document while it is read.

use crate::alternative_text::Picture;
use crate::xml::Element;

/// What is said of the drawing, and of the picture in it, that are read.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    drawing: Picture,
    picture: Option<Picture>,
}

impl Pictures {
    /// Begins a picture in a drawing, if an element is one. What is said of the drawing is said of its first picture.
    pub(super) fn begins(&mut self, element: &Element) -> bool {
        let begins = element.name() == "pic";
        if begins {
            self.picture = Some(std::mem::take(&mut self.drawing));
        }
        begins
    }

    /// Takes what an element says of a drawing or of a picture.
    pub(super) fn describe(&mut self, element: &Element) {
        match element.name() {
            "docPr" => self.drawing = Picture::of_properties(element),
            "decorative" => {
                let picture = self.picture.as_mut().unwrap_or(&mut self.drawing);
                picture.is_decorative |= element.is_on();
            }
            "cNvPr" => self.describe_picture(element),
            // Those of the vector graphics that Word had before.
            "shape" | "rect" | "roundrect" | "oval" | "image" => {
                let description = element.attribute("alt").unwrap_or_default();
                self.drawing = Picture {
                    description,
                    ..Picture::default()
                };
            }
            _ => {}
        }
    }

    /// Takes what is said of a picture in a drawing of several, where nothing is said of the drawing.
    fn describe_picture(&mut self, element: &Element) {
        if let Some(picture) = &mut self.picture
            && !picture.is_decorative
            && picture.block().is_none()
        {
            *picture = Picture::of_properties(element);
        }
    }

    /// Ends the picture, and returns what is said of it.
    pub(super) fn end(&mut self) -> Picture {
        self.picture.take().unwrap_or_default()
    }

    /// Returns what is said of a shape that is a picture.
    pub(super) fn end_shape(&mut self) -> Picture {
        std::mem::take(&mut self.drawing)
    }
}
