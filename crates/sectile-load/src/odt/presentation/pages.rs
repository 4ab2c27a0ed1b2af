//! The slides of a presentation, with where the XML of each shape is.

use std::collections::HashSet;

use crate::failure::Failure;
use crate::one_line::one_line;
use crate::slides::Kind;
use crate::xml::{Element, Node, Walk};

/// What the content of a presentation says of its slides.
#[derive(Debug, Default)]
pub(super) struct Pages<'a> {
    pub(super) slides: Vec<Page<'a>>,
    /// The styles of hidden slides.
    pub(super) hidden: HashSet<String>,
    /// The footers and headers that slides may show.
    pub(super) running: Vec<String>,
}

/// A slide.
#[derive(Debug, Default)]
pub(super) struct Page<'a> {
    pub(super) style: String,
    pub(super) shapes: Vec<Shape<'a>>,
    /// The shapes on its page of notes.
    pub(super) notes: Vec<Shape<'a>>,
}

/// A shape with its place.
#[derive(Debug)]
pub(super) struct Shape<'a> {
    pub(super) kind: Kind,
    /// From the top and from the left, where the slide says so.
    pub(super) place: Option<(i64, i64)>,
    /// The element that it is.
    pub(super) xml: &'a str,
}

/// An open element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Page,
    Notes,
    Other,
}

impl<'a> Pages<'a> {
    /// Lists the slides of a presentation in this XML.
    pub(super) fn read(xml: &'a str) -> Result<Self, Failure> {
        let xml = xml.trim_start_matches('\u{FEFF}');
        let mut walk = Walk::new(xml);
        let mut found = Self::default();
        let (mut open, mut style) = (Vec::new(), String::new());
        loop {
            let start = walk.position();
            match walk.next()? {
                Node::Open(element) => match (element.name(), open.last().copied()) {
                    ("notes", Some(Open::Page)) => open.push(Open::Notes),
                    (_, Some(at @ (Open::Page | Open::Notes))) => {
                        walk.skip()?;
                        let own = xml.get(start..walk.position()).unwrap_or_default();
                        found.add(shape(&element, own)?, at);
                    }
                    ("page", _) => {
                        found.slides.push(Page {
                            style: element.attribute("style-name").unwrap_or_default(),
                            ..Page::default()
                        });
                        open.push(Open::Page);
                    }
                    ("footer-decl" | "header-decl", _) => {
                        let line = one_line(&text(&mut walk)?);
                        found
                            .running
                            .extend(Some(line).filter(|line| !line.is_empty()));
                    }
                    (name, _) => {
                        if name == "style" {
                            style = element.attribute("name").unwrap_or_default();
                        } else if name == "drawing-page-properties" && is_hidden(&element) {
                            found.hidden.insert(style.clone());
                        }
                        open.push(Open::Other);
                    }
                },
                Node::Close => drop(open.pop()),
                Node::Text(_) => {}
                Node::End => return Ok(found),
            }
        }
    }

    /// Adds a shape to the last slide, or to its notes.
    fn add(&mut self, shape: Shape<'a>, at: Open) {
        if let Some(page) = self.slides.last_mut() {
            match at {
                Open::Notes => page.notes.push(shape),
                Open::Page | Open::Other => page.shapes.push(shape),
            }
        }
    }
}

fn is_hidden(properties: &Element) -> bool {
    properties.attribute("visibility").as_deref() == Some("hidden")
}

fn shape<'a>(element: &Element, xml: &'a str) -> Result<Shape<'a>, Failure> {
    let kind = match element.attribute("class").as_deref() {
        Some("title") => Kind::Title,
        Some("subtitle") => Kind::Subtitle,
        Some("outline") => Kind::Outline,
        Some("page-number") => Kind::Number,
        Some("footer" | "header" | "date-time") => Kind::Footer,
        _ => Kind::Other,
    };
    let place = match (place(element), element.name()) {
        // What stands around others has no place of its own.
        (None, "g" | "a") => place_within(xml)?,
        (place, _) => place,
    };
    Ok(Shape { kind, place, xml })
}

/// Returns how far an element is from the top and from the left.
fn place(element: &Element) -> Option<(i64, i64)> {
    let length = |name: &str| length(&element.attribute(name)?);
    let top = length("y").or_else(|| length("y1"))?;
    Some((top, length("x").or_else(|| length("x1"))?))
}

/// Returns the place of the first shape in a group that has one.
fn place_within(xml: &str) -> Result<Option<(i64, i64)>, Failure> {
    let mut walk = Walk::new(xml);
    loop {
        match walk.next()? {
            Node::Open(element) => {
                if let Some(place) = place(&element) {
                    return Ok(Some(place));
                }
            }
            Node::Close | Node::Text(_) => {}
            Node::End => return Ok(None),
        }
    }
}

/// Reads a length, such as `2.54cm`, in units of 1/914,400 inch.
fn length(text: &str) -> Option<i64> {
    let end = text.find(|sign: char| sign.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(end);
    let units = match unit {
        "cm" => 360_000.0,
        "mm" => 36_000.0,
        "in" => 914_400.0,
        "pc" => 152_400.0,
        "pt" => 12_700.0,
        "px" => 9_525.0,
        _ => return None,
    };
    let number: f64 = number.trim().parse().ok()?;
    Some((number * units).round() as i64)
}

/// Returns the text directly in the element that was opened last, and ends it.
fn text(walk: &mut Walk<'_>) -> Result<String, Failure> {
    let mut text = String::new();
    loop {
        match walk.next()? {
            Node::Open(_) => walk.skip()?,
            Node::Text(part) => text.push_str(&part),
            Node::Close | Node::End => return Ok(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_their_units() {
        assert_eq!(length("1in"), Some(914_400));
        assert_eq!(length("2.54cm"), length("25.4mm"));
        assert_eq!(length("-72pt"), Some(-914_400));
        for text in ["", "7", "cm", "1em", "x1cm"] {
            assert_eq!(length(text), None, "{text}");
        }
    }
}
