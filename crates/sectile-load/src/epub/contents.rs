//! The table of contents of a book: `nav.xhtml` of EPUB 3, `toc.ncx` of EPUB 2.

use std::collections::HashMap;

use super::reference::{place, resolve};
use crate::failure::Failure;
use crate::one_line::one_line;
use crate::xml::{Node, Walk};

/// What a table of contents says of a place in a part.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) level: u8,
    pub(super) title: String,
    /// The name of the place; empty for the part as a whole.
    pub(super) place: String,
}

/// The entries for each part, in their order.
#[derive(Debug, Default)]
pub(super) struct Contents {
    entries: HashMap<String, Vec<Entry>>,
}

impl Contents {
    /// Returns the entries for a part.
    pub(super) fn of(&self, part: &str) -> &[Entry] {
        self.entries.get(part).map_or(&[], Vec::as_slice)
    }

    /// Reads a table of contents that stands in `folder`.
    pub(super) fn read(xml: &str, folder: &str) -> Result<Self, Failure> {
        let mut walk = Walk::new(xml);
        let mut contents = Self::default();
        let mut open: Vec<String> = Vec::new();
        let (mut level, mut target, mut title) = (0_u8, None, String::new());
        loop {
            match walk.next()? {
                Node::Open(element) => {
                    match element.name() {
                        "ol" | "navPoint" => level = level.saturating_add(1),
                        "a" => {
                            target = element.attribute("href");
                            title.clear();
                        }
                        // The landmarks and the list of pages are no contents.
                        "nav" if element.attribute("type").is_some_and(|kind| kind != "toc") => {
                            walk.skip()?;
                            continue;
                        }
                        "navLabel" => title.clear(),
                        "content" => {
                            let target = element.attribute("src").unwrap_or_default();
                            contents.add(folder, &target, level, &title);
                        }
                        "pageList" | "navList" | "docTitle" => {
                            walk.skip()?;
                            continue;
                        }
                        _ => {}
                    }
                    open.push(element.name().into());
                }
                Node::Text(text) => title.push_str(&text),
                Node::Close => match open.pop().as_deref() {
                    Some("ol" | "navPoint") => level = level.saturating_sub(1),
                    Some("a") => {
                        let target = target.take().unwrap_or_default();
                        contents.add(folder, &target, level, &title);
                    }
                    _ => {}
                },
                Node::End => return Ok(contents),
            }
        }
    }

    fn add(&mut self, folder: &str, target: &str, level: u8, title: &str) {
        let title = one_line(title);
        if !title.is_empty() && !target.is_empty() {
            let part = resolve(folder, target);
            self.entries.entry(part).or_default().push(Entry {
                level: level.max(1),
                title,
                place: place(target),
            });
        }
    }
}
