//! The shapes of a slide, and the order in which they are read.

use crate::alternative_text::Picture;
use crate::blocks::{Block, Cell};
use crate::failure::Failure;
use crate::office_math;
use crate::opc::Relationship;
use crate::slides::{self, Kind};
use crate::xml::{Element, Node, Walk};

use super::text::TextBody;

/// How many columns a cell may span.
const MAX_SPAN: usize = 1_000;

/// How deep groups may be; the shapes of deeper ones belong to the last.
const MAX_GROUPS: usize = 32;

#[derive(Debug)]
pub(super) enum Content {
    Text(TextBody),
    Table(Vec<Vec<Cell>>),
    /// The relationship of a chart, and of the data of a diagram.
    Chart(String),
    Diagram(String),
    Group(Vec<Shape>),
    /// What is said of a picture.
    Picture(Block),
}

/// A shape with its place.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    pub(super) content: Content,
    /// From the top and from the left, where the slide says so.
    place: Option<(i64, i64)>,
}

/// The shapes of a slide.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub(super) shapes: Vec<Shape>,
    pub(super) is_hidden: bool,
}

/// Puts shapes, and those of groups, in the order in which they are read.
pub(super) fn in_reading_order(mut shapes: Vec<Shape>) -> Vec<Shape> {
    slides::in_reading_order(&mut shapes, |shape| shape.kind, |shape| shape.place);
    for shape in &mut shapes {
        // Groups in groups are few, and no deeper than MAX_GROUPS.
        if let Content::Group(inner) = &mut shape.content {
            *inner = in_reading_order(std::mem::take(inner));
        }
    }
    shapes
}

/// A shape or group while it is read.
#[derive(Debug, Default)]
struct Open {
    kind: Kind,
    place: Option<(i64, i64)>,
    body: Option<TextBody>,
    table: Vec<Vec<Cell>>,
    part: Option<Content>,
    picture: Option<Picture>,
    /// The address that a click on the shape leads to.
    link: Option<String>,
    /// The shapes of a group.
    shapes: Vec<Shape>,
    is_group: bool,
}

/// What ends when an element does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Shape,
    Run,
    Text,
    Cell { span: usize },
    Other,
}

struct Reader<'a> {
    relationships: &'a [Relationship],
    open: Vec<Open>,
    ends: Vec<End>,
    groups: usize,
}

/// Reads the shapes of a slide or of a page of notes; those before an error are in `sheet`.
pub(super) fn read(
    xml: &str,
    relationships: &[Relationship],
    sheet: &mut Sheet,
) -> Result<(), Failure> {
    let mut walk = Walk::new(xml);
    let mut reader = Reader {
        relationships,
        open: Vec::new(),
        ends: Vec::new(),
        groups: 0,
    };
    loop {
        match walk.next() {
            // What stands in for a shape that a reader does not know repeats its text.
            Ok(Node::Open(element)) if element.name() == "Fallback" => walk.skip()?,
            Ok(Node::Open(element)) if office_math::is_equation(&element) => {
                match office_math::read(&mut walk, &element) {
                    Ok(equation) => reader.push_equation(&equation),
                    Err(failure) => return Err(reader.stop(failure, sheet)),
                }
            }
            Ok(Node::Open(element)) => {
                if element.name() == "sld" {
                    let show = element.attribute("show");
                    sheet.is_hidden = matches!(show.as_deref(), Some("0" | "false"));
                }
                let end = reader.open(&element);
                reader.ends.push(end);
            }
            Ok(Node::Text(text)) => reader.text(&text),
            Ok(Node::Close) => {
                let end = reader.ends.pop().unwrap_or(End::Other);
                sheet.shapes.extend(reader.close(end));
            }
            Ok(Node::End) => return Ok(()),
            Err(failure) => return Err(reader.stop(failure, sheet)),
        }
    }
}

impl Reader<'_> {
    fn open(&mut self, element: &Element) -> End {
        match element.name() {
            name @ ("sp" | "graphicFrame" | "cxnSp" | "pic") => {
                self.open.push(Open {
                    picture: (name == "pic").then(Picture::default),
                    ..Open::default()
                });
                return End::Shape;
            }
            "grpSp" if self.groups < MAX_GROUPS => {
                self.groups += 1;
                self.open.push(Open {
                    is_group: true,
                    ..Open::default()
                });
                return End::Shape;
            }
            "t" => return End::Text,
            "r" | "fld" => return End::Run,
            _ => {}
        }
        let Some(shape) = self.open.last_mut() else {
            return End::Other;
        };
        match element.name() {
            "cNvPr" if shape.picture.is_some() => {
                shape.picture = Some(Picture::of_properties(element));
            }
            "decorative" => {
                if let Some(picture) = &mut shape.picture {
                    picture.is_decorative |= element.is_on();
                }
            }
            "hlinkClick" if shape.body.is_none() => {
                let target = target(self.relationships, element);
                shape.link = shape.link.take().or(target.map(str::to_owned));
            }
            "ph" => shape.kind = kind(element),
            "off" if shape.place.is_none() => shape.place = place(element),
            "txBody" => shape.body = Some(TextBody::default()),
            "tr" => shape.table.push(Vec::new()),
            "tc" => {
                shape.body = None;
                return begin_cell(element);
            }
            "chart" => shape.part = element.prefixed("id").map(Content::Chart),
            "relIds" => shape.part = element.prefixed("dm").map(Content::Diagram),
            name => {
                if let Some(body) = &mut shape.body {
                    match name {
                        "p" => body.begin_paragraph(),
                        "br" => body.push("\n"),
                        "hlinkClick" => {
                            if let Some(target) = target(self.relationships, element) {
                                body.begin_link(target);
                            }
                        }
                        _ => body.set(element),
                    }
                }
            }
        }
        End::Other
    }

    fn text(&mut self, text: &str) {
        if self.ends.last() == Some(&End::Text)
            && let Some(body) = self.open.last_mut().and_then(|shape| shape.body.as_mut())
        {
            body.write(text);
        }
    }

    fn push_equation(&mut self, equation: &str) {
        if let Some(body) = self.open.last_mut().and_then(|shape| shape.body.as_mut()) {
            body.push_equation(equation);
        }
    }

    /// Ends all shapes, as nothing more can be read.
    fn stop(&mut self, failure: Failure, sheet: &mut Sheet) -> Failure {
        while !self.open.is_empty() {
            sheet.shapes.extend(self.close(End::Shape));
        }
        failure
    }

    /// Ends an element; returns the shape that is complete and in no group.
    fn close(&mut self, end: End) -> Option<Shape> {
        match end {
            End::Run => {
                let shape = self.open.last_mut();
                shape.and_then(|shape| shape.body.as_mut())?.end_run();
            }
            End::Cell { span } => {
                let shape = self.open.last_mut()?;
                let text = shape.body.take().map(TextBody::line);
                let row = shape.table.last_mut()?;
                if span > 0 {
                    row.push(Cell {
                        text: text.unwrap_or_default(),
                        span,
                    });
                }
            }
            End::Shape => {
                let open = self.open.pop()?;
                self.groups -= usize::from(open.is_group);
                let shape = open.finish()?;
                match self.open.last_mut() {
                    Some(group) => group.shapes.push(shape),
                    None => return Some(shape),
                }
            }
            End::Text | End::Other => {}
        }
        None
    }
}

impl Open {
    fn finish(self) -> Option<Shape> {
        let mut table = self.table;
        table.retain(|row| !row.is_empty());
        let content = if self.is_group {
            Content::Group(self.shapes)
        } else if !table.is_empty() {
            Content::Table(table)
        } else if let Some(part) = self.part {
            part
        } else if let Some(picture) = self.picture {
            Content::Picture(linked(picture.block(), self.link.as_deref())?)
        } else {
            let mut body = self.body?;
            if let Some(target) = &self.link {
                body.link_all(target);
            }
            Content::Text(body)
        };
        Some(Shape {
            kind: self.kind,
            content,
            place: self.place,
        })
    }
}

/// Returns the address that an element leads to.
fn target<'r>(relationships: &'r [Relationship], element: &Element) -> Option<&'r str> {
    let id = element.prefixed("id").unwrap_or_default();
    let mut links = relationships.iter();
    let link = links.find(|one| one.id == id && one.kind == "hyperlink")?;
    Some(&link.target)
}

/// Puts the address that a picture leads to behind what is said of the picture.
fn linked(picture: Option<Block>, target: Option<&str>) -> Option<Block> {
    let Some(target) = target.filter(|target| target.contains(':')) else {
        return picture;
    };
    let shown = picture.map(|picture| picture.flat() + " ");
    Some(Block::Text(format!(
        "{}<{target}>",
        shown.unwrap_or_default()
    )))
}

/// Finds out what a placeholder is for.
fn kind(element: &Element) -> Kind {
    match element.attribute("type").as_deref() {
        Some("title" | "ctrTitle") => Kind::Title,
        Some("subTitle") => Kind::Subtitle,
        Some("sldNum") => Kind::Number,
        Some("ftr" | "hdr" | "dt") => Kind::Footer,
        _ => Kind::Outline,
    }
}

/// Reads how far from the top and from the left a shape is.
fn place(element: &Element) -> Option<(i64, i64)> {
    let number = |name| element.attribute(name)?.parse().ok();
    Some((number("y")?, number("x")?))
}

/// Begins a cell: one that another covers to its right has no place of its own.
fn begin_cell(element: &Element) -> End {
    let is_covered = matches!(element.attribute("hMerge").as_deref(), Some("1" | "true"));
    let span = element
        .attribute("gridSpan")
        .and_then(|span| span.parse().ok());
    End::Cell {
        span: if is_covered {
            0
        } else {
            span.unwrap_or(1).clamp(1, MAX_SPAN)
        },
    }
}
