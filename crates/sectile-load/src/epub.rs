//! Books in EPUB: their chapters, written as Markdown one after the other.

mod contents;
mod package;
mod reference;
mod targets;
mod xhtml;

use std::path::Path;

use sectile_core::{Document, Format, Metadata};

use crate::archive::Archive;
use crate::blocks::{Block, from_markdown, render};
use crate::failure::Failure;
use crate::loader::with_source;
use crate::omissions::{DAMAGED_PARTS, ENCRYPTED_CHAPTERS, PARTS_OUTSIDE_SPINE, UNREAD_PARTS};
use crate::{Error, LoadOptions, Loader, html, notices};
use contents::Contents;
use package::{Item, Kind, Package};

/// The name in `Metadata::extra` of the parts that stand outside of the order of reading.
const NON_LINEAR_PARTS: &str = "non_linear_parts";

/// Loads books in EPUB 2 and 3 and writes them as Markdown.
///
/// Chapters come in the order of the spine; those outside the reading order come last. A chapter without
/// headings gets its title, and those of its sections, from the table of contents. Footnotes, sidebars and
/// the alternative texts of images are kept, and so are pop-up notes. `left_out_words` in the metadata counts the words
/// that chapters hide. A chapter that is a single drawing, also in an SVG file, has the
/// text of the drawing.
///
/// Title, authors, language, dates and publisher come from the package. `encrypted_chapters` in the metadata
/// lists the encrypted chapters. A book with only encrypted chapters is refused; obfuscated fonts do no harm.
#[derive(Clone, Debug, Default)]
pub struct EpubLoader {
    options: LoadOptions,
}

impl EpubLoader {
    /// Creates a loader with these options.
    pub fn new(options: LoadOptions) -> Self {
        Self { options }
    }
}

impl Loader for EpubLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let document = parse(bytes, path, &self.options)
            .map_err(|failure| failure.into_error(path, Format::Epub))?;
        Ok(with_source(document, bytes))
    }
}

fn parse(bytes: &[u8], path: &Path, options: &LoadOptions) -> Result<Document, Failure> {
    let mut archive = Archive::open(bytes, &options.limits)?;
    let package = Package::read(&mut archive)?;
    let mut book = Book {
        contents: package.contents(&mut archive),
        metadata: package.metadata.clone(),
        ..Book::default()
    };
    let encrypted = package::encrypted_parts(&mut archive)?;
    for is_linear in [true, false] {
        let items = package.spine.iter();
        for item in items.filter(|item| item.is_linear == is_linear) {
            if encrypted.contains(&item.part) {
                book.encrypted.push(item.part.clone());
            } else {
                book.read(item, &mut archive, path)?;
            }
        }
    }
    if book.blocks.is_empty() && !book.encrypted.is_empty() {
        return Err(Failure::Encrypted);
    }
    let outside = package.outside_spine(&archive);
    if !outside.is_empty() {
        let extra = &mut book.metadata.extra;
        extra.insert(PARTS_OUTSIDE_SPINE.into(), outside.into());
    }
    Ok(book.finish())
}

/// A book while it is read.
#[derive(Debug, Default)]
struct Book {
    contents: Contents,
    metadata: Metadata,
    blocks: Vec<Block>,
    damaged: Vec<String>,
    unread: Vec<String>,
    encrypted: Vec<String>,
    non_linear: Vec<String>,
}

impl Book {
    fn read(&mut self, item: &Item, archive: &mut Archive, path: &Path) -> Result<(), Failure> {
        if item.kind == Kind::Other {
            self.unread.push(item.part.clone());
            return Ok(());
        }
        let page = match archive.read(&item.part) {
            Ok(page) => xhtml::normalized(&page),
            Err(failure) if failure.is_damage() => {
                self.damaged.push(item.part.clone());
                return Ok(());
            }
            Err(failure) => return Err(failure),
        };
        let Ok(chapter) = html::load_shown(page.as_bytes(), path) else {
            self.damaged.push(item.part.clone());
            return Ok(());
        };
        if item.kind == Kind::Drawing && chapter.text.trim().is_empty() {
            self.unread.push(item.part.clone());
            return Ok(());
        }
        notices::add(&mut self.metadata, &chapter.metadata);
        if !item.is_linear {
            self.non_linear.push(item.part.clone());
        }
        let is_titled = !chapter.outline.is_empty() || chapter.text.trim().is_empty();
        self.blocks.extend(if is_titled {
            from_markdown(&chapter.text, &chapter.outline)
        } else {
            self.titled(item, &page, &chapter, path)
        });
        Ok(())
    }

    /// Returns the blocks of a chapter without headings, with those that the table of contents has for it.
    fn titled(&self, item: &Item, page: &str, chapter: &Document, path: &Path) -> Vec<Block> {
        let entries = self.contents.of(&item.part);
        let headed = targets::with_headings(page, entries).and_then(|headed| {
            let chapter = html::load_shown(headed.page.as_bytes(), path).ok()?;
            Some((chapter, headed.has_first))
        });
        let has_first = headed.as_ref().is_some_and(|(_, has_first)| *has_first);
        let of_part = entries.first().filter(|_| !has_first);
        let title = of_part.map(|entry| Block::Heading {
            level: entry.level.min(6),
            text: entry.title.clone(),
        });
        let chapter = headed.as_ref().map_or(chapter, |(chapter, _)| chapter);
        let mut blocks: Vec<Block> = title.into_iter().collect();
        blocks.extend(from_markdown(&chapter.text, &chapter.outline));
        without_repeated_titles(blocks)
    }

    fn finish(mut self) -> Document {
        for (name, parts) in [
            (DAMAGED_PARTS, self.damaged),
            (UNREAD_PARTS, self.unread),
            (ENCRYPTED_CHAPTERS, self.encrypted),
            (NON_LINEAR_PARTS, self.non_linear),
        ] {
            if !parts.is_empty() {
                self.metadata.extra.insert(name.into(), parts.into());
            }
        }
        let (text, outline) = render(&self.blocks);
        Document {
            text,
            format: Format::Epub,
            outline,
            pages: Vec::new(),
            metadata: self.metadata,
        }
    }
}

/// Leaves out the titles that are the first lines behind their headings, too.
fn without_repeated_titles(blocks: Vec<Block>) -> Vec<Block> {
    let mut kept: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks {
        let block = match (kept.last(), block) {
            (Some(Block::Heading { text: title, .. }), Block::Text(text)) => {
                Block::Text(without_title(&text, title).to_owned())
            }
            (_, block) => block,
        };
        let is_blank = matches!(&block, Block::Text(text) if text.trim().is_empty());
        if !is_blank {
            kept.push(block);
        }
    }
    kept
}

/// Returns a text without the title above it, where that is its first line, in bold type at times.
fn without_title<'a>(text: &'a str, title: &str) -> &'a str {
    let lines = text.trim_start();
    let (first, rest) = lines.split_once('\n').unwrap_or((lines, ""));
    let words = first.trim().trim_matches(['*', '_']);
    if words == title {
        rest.trim_start_matches('\n')
    } else {
        text
    }
}
