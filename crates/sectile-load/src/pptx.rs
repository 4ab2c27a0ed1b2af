//! PowerPoint presentations, written as Markdown.

mod comments;
mod diagram;
mod presentation;
mod shapes;
mod slide;
mod text;

use std::path::Path;

use sectile_core::{Document, Format, Heading, Page, Span};
use serde_json::Value;

use crate::blocks::{Block, render};
use crate::failure::Failure;
use crate::loader::with_source;
use crate::omissions::FAILED_PAGES;
use crate::opc::{Package, flat, related};
use crate::{Error, Limits, LoadOptions, Loader};
use presentation::Presentation;
use slide::Slide;

/// Where the main part stands when nothing in the package says so.
const USUAL_MAIN_PART: &str = "ppt/presentation.xml";

/// The names in `Metadata::extra` of hidden slides and of the lines at the foot of slides.
const HIDDEN_SLIDES: &str = "hidden_slides";
const RUNNING_LINES: &str = "running_lines";

/// Loads PowerPoint presentations (`.pptx`, `.pptm`, `.potx`, `.ppsx`, and Flat OPC in one XML file) and writes them
/// as Markdown.
///
/// Each slide is a page and a section under its title, or `Slide 3`: of level 1, or of level 2 below
/// the named sections of the presentation. Placeholders come first, then the other shapes from top
/// to bottom and from left to right, those of a group together. Lists keep their levels; tables,
/// the numbers of charts and the text of diagrams (`SmartArt`) are loaded. Speaker notes follow
/// after `Notes:`, then comments. Hidden slides are loaded, and `hidden_slides` in the metadata has
/// their numbers. Footers and dates are not in the text but in `running_lines`.
#[derive(Clone, Debug, Default)]
pub struct PptxLoader {
    options: LoadOptions,
}

impl PptxLoader {
    /// Makes a loader with these options.
    pub fn new(options: LoadOptions) -> Self {
        Self { options }
    }
}

impl Loader for PptxLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let limits = &self.options.limits;
        let parsed = flat::packed(bytes, limits)
            .and_then(|packed| parse(packed.as_deref().unwrap_or(bytes), limits));
        let document = parsed.map_err(|failure| failure.into_error(path, Format::Pptx))?;
        Ok(with_source(document, bytes))
    }
}

/// What is written so far.
#[derive(Default)]
struct Output {
    text: String,
    outline: Vec<Heading>,
    pages: Vec<Page>,
    hidden: Vec<u32>,
    failed: Vec<u32>,
    running: Vec<String>,
}

fn parse(bytes: &[u8], limits: &Limits) -> Result<Document, Failure> {
    let mut package = Package::open(bytes, limits)?;
    let main = package.main_part(USUAL_MAIN_PART)?;
    let presentation = Presentation::read(&package.read(&main)?)?;
    let relationships = package.relationships(&main)?;
    let authors = match related(&relationships, "commentAuthors") {
        Some(name) => package.secondary(&name, comments::read_authors)?,
        None => match related(&relationships, "authors") {
            Some(name) => package.secondary(&name, comments::read_authors)?,
            None => comments::Authors::default(),
        },
    };
    let mut output = Output::default();
    for (index, named) in presentation.slides.iter().enumerate() {
        let number = index as u32 + 1;
        let found = relationships
            .iter()
            .find(|one| one.id == named.relationship);
        let part = found.map(|found| found.part.clone()).unwrap_or_default();
        let slide = slide::read(&mut package, &part, &authors)?;
        let section = presentation.sections.get(&named.id).map(String::as_str);
        output.add(number, section, !presentation.sections.is_empty(), slide);
        let written = output.text.len() as u64;
        if written > limits.inflated_bytes {
            return Err(Failure::Limit {
                what: "the bytes of the text of a presentation",
                limit: limits.inflated_bytes,
            });
        }
    }
    let mut metadata = package.metadata()?;
    package.name_damage(&mut metadata);
    metadata.page_count = Some(presentation.slides.len() as u32);
    for (key, numbers) in [
        (HIDDEN_SLIDES, output.hidden),
        (FAILED_PAGES, output.failed),
    ] {
        if !numbers.is_empty() {
            metadata.extra.insert(key.into(), Value::from(numbers));
        }
    }
    if !output.running.is_empty() {
        let lines = Value::from(output.running);
        metadata.extra.insert(RUNNING_LINES.into(), lines);
    }
    Ok(Document {
        text: output.text,
        format: Format::Pptx,
        outline: output.outline,
        pages: output.pages,
        metadata,
    })
}

impl Output {
    /// Writes a slide, below the section that begins with it.
    fn add(&mut self, number: u32, section: Option<&str>, has_sections: bool, slide: Slide) {
        let heading = |level, text: &str| Block::Heading {
            level,
            text: text.into(),
        };
        let mut blocks: Vec<Block> = section.map(|name| heading(1, name)).into_iter().collect();
        let title = slide.title.unwrap_or_else(|| format!("Slide {number}"));
        blocks.push(heading(1 + u8::from(has_sections), &title));
        blocks.extend(slide.blocks);
        let (text, outline) = render(&blocks);
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let start = self.text.len();
        self.text.push_str(&text);
        self.outline
            .extend(outline.into_iter().map(|heading| Heading {
                span: Span::new(start + heading.span.start, start + heading.span.end),
                ..heading
            }));
        if let Some(last) = self.pages.last_mut() {
            last.span.end = start;
        }
        self.pages.push(Page {
            number,
            label: None,
            span: Span::new(start, self.text.len()),
        });
        self.hidden.extend(slide.is_hidden.then_some(number));
        self.failed.extend(slide.is_damaged.then_some(number));
        for line in slide.running {
            if !self.running.contains(&line) && self.running.len() < 100 {
                self.running.push(line);
            }
        }
    }
}
