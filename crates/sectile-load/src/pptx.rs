//! PowerPoint presentations, written as Markdown.

mod comments;
mod diagram;
mod presentation;
mod shapes;
mod slide;
mod text;

use std::collections::HashSet;
use std::path::Path;

use sectile_core::{Document, Format};

use crate::failure::Failure;
use crate::loader::with_source;
use crate::opc::{Package, flat, related};
use crate::slides::Slides;
use crate::{Error, Limits, LoadOptions, Loader};
use presentation::Presentation;

/// Where the main part stands when nothing in the package says so.
const USUAL_MAIN_PART: &str = "ppt/presentation.xml";

/// Loads PowerPoint presentations (`.pptx`, `.pptm`, `.potx`, `.ppsx`, and Flat OPC in one XML file) and writes them
/// as Markdown.
///
/// Each slide is a page and a section under its title, or `Slide 3`: of level 1, or of level 2 below the named sections
/// of the presentation. Placeholders come first, then the other shapes from top to bottom and from left to right, those
/// of a group together. Lists keep their levels; tables, the numbers of charts, the text of diagrams (`SmartArt`) and
/// the alternative texts of pictures are loaded. Speaker notes follow after `Notes:`, then comments. Hidden slides are
/// loaded, and `hidden_slides` in the metadata has their numbers. Footers, dates, and what layouts and masters show
/// on each slide are not in the text but in `running_lines`.
#[derive(Clone, Debug, Default)]
pub struct PptxLoader {
    options: LoadOptions,
}

impl PptxLoader {
    /// Creates a loader with these options.
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
    let mut slides = Slides::default();
    let mut layouts = HashSet::new();
    let level = 1 + u8::from(!presentation.sections.is_empty());
    for named in &presentation.slides {
        let found = relationships
            .iter()
            .find(|one| one.id == named.relationship);
        let part = found.map(|found| found.part.clone()).unwrap_or_default();
        let slide = slide::read(&mut package, &part, &authors)?;
        let section = presentation.sections.get(&named.id).map(String::as_str);
        slides.add(section, level, slide, limits)?;
        slides.add_running(slide::lines_of_layout(&mut package, &part, &mut layouts)?);
    }
    let mut metadata = package.metadata()?;
    package.name_omissions(&mut metadata);
    Ok(slides.finish(Format::Pptx, metadata))
}
