//! OpenDocument presentations, written as Markdown.

mod pages;

use std::path::Path;

use sectile_core::{Document, Format};

use super::body::Body;
use super::{Beside, load, note_left_out};
use crate::blocks::Block;
use crate::failure::Failure;
use crate::one_line::one_line;
use crate::slides::{self, Kind, Slide, Slides};
use crate::{Error, LoadOptions, Loader};
use pages::{Page, Pages, Shape};

/// Loads OpenDocument presentations (`.odp`, `.otp`, and `.fodp` in one XML file) as
/// [`PptxLoader`](crate::PptxLoader) does those of PowerPoint.
///
/// Each slide is a page and a section under its title, or `Slide 3`. Placeholders come first, then the other shapes
/// from top to bottom and from left to right, those of a group together. Lists, tables and the numbers of charts are
/// loaded, and speaker notes after `Notes:`. Annotations are read on [request](crate::DocxOptions::comments).
/// `hidden_slides` in the metadata has the numbers of hidden slides, and `running_lines` footers and headers.
#[derive(Clone, Debug, Default)]
pub struct OdpLoader {
    options: LoadOptions,
}

impl OdpLoader {
    /// Creates a loader with these options.
    pub fn new(options: LoadOptions) -> Self {
        Self { options }
    }
}

impl Loader for OdpLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        load(bytes, path, Format::Odp, &self.options, write)
    }
}

fn write(
    xml: &str,
    mut body: Body<'_>,
    beside: Beside,
    options: &LoadOptions,
) -> Result<Document, Failure> {
    let mut metadata = beside.metadata;
    let found = Pages::read(xml)?;
    let mut slides = Slides::default();
    for page in found.slides {
        let is_hidden = found.hidden.contains(&page.style);
        let slide = Slide {
            is_hidden,
            ..slide(page, &mut body)?
        };
        slides.add(None, 1, slide, &options.limits)?;
    }
    slides.add_running(found.running);
    slides.add_running(beside.running.lines().collect());
    note_left_out(&mut metadata, body.finish());
    Ok(slides.finish(Format::Odp, metadata))
}

/// Reads the shapes of a slide, and its notes.
fn slide(page: Page<'_>, body: &mut Body<'_>) -> Result<Slide, Failure> {
    let mut slide = Slide::default();
    add(page.shapes, body, &mut slide)?;
    let mut notes = page.notes;
    notes.retain(|shape| !matches!(shape.kind, Kind::Footer | Kind::Number));
    for shape in &mut notes {
        shape.kind = Kind::Other;
    }
    let mut spoken = Slide::default();
    add(notes, body, &mut spoken)?;
    if !spoken.blocks.is_empty() {
        slide.blocks.push(Block::Text("Notes:".into()));
        slide.blocks.extend(spoken.blocks);
    }
    Ok(slide)
}

/// Adds what shapes hold, in the order in which they are read.
fn add(mut shapes: Vec<Shape<'_>>, body: &mut Body<'_>, slide: &mut Slide) -> Result<(), Failure> {
    slides::in_reading_order(&mut shapes, |shape| shape.kind, |shape| shape.place);
    let mut notes = Vec::new();
    for shape in shapes {
        let blocks = body.read(shape.xml)?;
        let is_note = |block: &Block| matches!(block, Block::Note { .. });
        let (own_notes, blocks): (Vec<Block>, Vec<Block>) = blocks.into_iter().partition(is_note);
        notes.extend(own_notes);
        match shape.kind {
            Kind::Title if slide.title.is_none() => {
                slide.title = Some(line(&blocks)).filter(|line| !line.is_empty());
            }
            Kind::Number => {}
            Kind::Footer => slide
                .running
                .extend(Some(line(&blocks)).filter(|line| !line.is_empty())),
            _ => slide.blocks.extend(blocks.into_iter().map(without_heading)),
        }
    }
    slide.blocks.extend(notes);
    Ok(())
}

/// Returns a heading as text: those of a presentation are the titles of its slides.
fn without_heading(block: Block) -> Block {
    match block {
        Block::Heading { text, .. } => Block::Text(text),
        other => other,
    }
}

/// Returns blocks on one line, without the marks of items.
fn line(blocks: &[Block]) -> String {
    let lines = blocks.iter().map(|block| match block {
        Block::Item { text, .. } => one_line(text),
        other => other.flat(),
    });
    lines.collect::<Vec<_>>().join(" ")
}
