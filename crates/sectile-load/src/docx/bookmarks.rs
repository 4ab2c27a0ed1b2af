//! The bookmarks of a document, for references without a result.

use super::notes::NoteKind;
use crate::field::{self, Bookmark};
use crate::xml::{Element, Node, Walk};

/// A note, by its kind and its id.
type Note = (NoteKind, String);

/// The bookmarks of the main part, which is read for them at the first reference without a result.
#[derive(Debug, Default)]
pub(super) struct Bookmarks<'a> {
    xml: &'a str,
    found: Option<field::Bookmarks<Note>>,
}

impl<'a> Bookmarks<'a> {
    pub(super) fn of(xml: &'a str) -> Self {
        Self { xml, found: None }
    }

    /// Returns the bookmark of this name.
    pub(super) fn get(&mut self, name: &str) -> Option<&Bookmark<Note>> {
        let xml = self.xml;
        self.found.get_or_insert_with(|| read(xml)).get(name)
    }
}

/// Reads the bookmarks, as far as the part is sound.
fn read(xml: &str) -> field::Bookmarks<Note> {
    let mut walk = Walk::new(xml);
    let mut found = field::Bookmarks::default();
    let mut names: Vec<String> = Vec::new();
    while let Ok(node) = walk.next() {
        match node {
            // What was moved away, what stands in for something else, and ruby annotations are not shown.
            Node::Open(element) if matches!(element.name(), "moveFrom" | "Fallback" | "rt") => {
                if walk.skip().is_err() {
                    break;
                }
            }
            Node::Open(element) => {
                open(&mut found, &element);
                names.push(element.name().to_owned());
            }
            Node::Text(text) => {
                if names.last().is_some_and(|name| name == "t") {
                    found.add(&text);
                }
            }
            Node::Close => {
                if names.pop().as_deref() == Some("fldSimple") {
                    found.end_field();
                }
            }
            Node::End => break,
        }
    }
    found
}

fn open(found: &mut field::Bookmarks<Note>, element: &Element) {
    let attribute = |name| element.attribute(name).unwrap_or_default();
    match element.name() {
        "bookmarkStart" => found.begin(attribute("id"), attribute("name")),
        "bookmarkEnd" => found.end(&attribute("id")),
        "footnoteReference" => found.note(&(NoteKind::Footnote, attribute("id"))),
        "endnoteReference" => found.note(&(NoteKind::Endnote, attribute("id"))),
        "p" | "tab" | "br" | "cr" => found.add(" "),
        "noBreakHyphen" => found.add("\u{2011}"),
        // What these show is not read here.
        "sym" | "oMath" | "drawing" | "pict" => found.cut(),
        // What is hidden is not shown there either.
        "vanish" if element.is_on() => found.cut(),
        "fldSimple" => found.begin_field(),
        "fldChar" => match attribute("fldCharType").as_str() {
            "begin" => found.begin_field(),
            "end" => found.end_field(),
            _ => {}
        },
        _ => {}
    }
}
