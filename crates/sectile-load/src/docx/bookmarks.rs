//! What the bookmarks of a document stand around, for references without a result.

use std::collections::HashMap;

use super::notes::NoteKind;
use crate::one_line::one_line;
use crate::xml::{Element, Node, Walk};

/// How many bookmarks may be open at once, and how many are kept.
const MAX_OPEN: usize = 32;
const MAX_KEPT: usize = 10_000;

/// How many bytes the text of a bookmark has at most: a longer one is a part of the document, and no words of it.
const MAX_BYTES: usize = 1_000;

/// What a bookmark stands around.
#[derive(Debug, Default)]
pub(super) struct Bookmark {
    text: String,
    /// The first note that is referred to there.
    pub(super) note: Option<(NoteKind, String)>,
    /// Where the text of the field that is open begins.
    field: usize,
    /// Whether there is more than its text has.
    is_cut: bool,
}

impl Bookmark {
    /// Returns the text on one line, if it is known as a whole.
    pub(super) fn line(&self) -> Option<String> {
        let line = one_line(&self.text);
        (!self.is_cut && !line.is_empty()).then_some(line)
    }

    fn add(&mut self, text: &str) {
        if self.text.len() + text.len() > MAX_BYTES {
            self.is_cut = true;
        } else {
            self.text.push_str(text);
        }
    }

    fn begin_field(&mut self) {
        self.field = self.text.len();
    }

    /// Ends a field; of one without a result, what it shows is not known here.
    fn end_field(&mut self) {
        self.is_cut |= self.text.len() == self.field;
    }
}

/// The bookmarks of the main part, which is read for them at the first reference without a result.
#[derive(Debug, Default)]
pub(super) struct Bookmarks<'a> {
    xml: &'a str,
    found: Option<HashMap<String, Bookmark>>,
}

impl<'a> Bookmarks<'a> {
    pub(super) fn of(xml: &'a str) -> Self {
        Self { xml, found: None }
    }

    /// Returns the bookmark of this name.
    pub(super) fn get(&mut self, name: &str) -> Option<&Bookmark> {
        let xml = self.xml;
        self.found.get_or_insert_with(|| read(xml)).get(name)
    }
}

/// The walk over the main part.
#[derive(Default)]
struct Reader {
    found: HashMap<String, Bookmark>,
    /// The open bookmarks with their ids and names.
    open: Vec<(String, String, Bookmark)>,
}

/// Reads the bookmarks, as far as the part is sound.
fn read(xml: &str) -> HashMap<String, Bookmark> {
    let mut walk = Walk::new(xml);
    let mut reader = Reader::default();
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
                reader.open(&element);
                names.push(element.name().to_owned());
            }
            Node::Text(text) => {
                if names.last().is_some_and(|name| name == "t") {
                    reader.add(&text);
                }
            }
            Node::Close => {
                if names.pop().as_deref() == Some("fldSimple") {
                    reader.each(Bookmark::end_field);
                }
            }
            Node::End => break,
        }
    }
    reader.found
}

impl Reader {
    fn open(&mut self, element: &Element) {
        let attribute = |name| element.attribute(name).unwrap_or_default();
        match element.name() {
            "bookmarkStart" if self.open.len() < MAX_OPEN => {
                let opened = (attribute("id"), attribute("name"), Bookmark::default());
                self.open.push(opened);
            }
            "bookmarkEnd" => self.end(&attribute("id")),
            "footnoteReference" => self.note(NoteKind::Footnote, &attribute("id")),
            "endnoteReference" => self.note(NoteKind::Endnote, &attribute("id")),
            "p" | "tab" | "br" | "cr" => self.add(" "),
            "noBreakHyphen" => self.add("\u{2011}"),
            // What these show is not read here.
            "sym" | "oMath" | "drawing" | "pict" => self.each(|bookmark| bookmark.is_cut = true),
            // What is hidden is not shown there either.
            "vanish" if element.is_on() => {
                self.each(|bookmark| bookmark.is_cut = true);
            }
            "fldSimple" => self.each(Bookmark::begin_field),
            "fldChar" => match attribute("fldCharType").as_str() {
                "begin" => self.each(Bookmark::begin_field),
                "end" => self.each(Bookmark::end_field),
                _ => {}
            },
            _ => {}
        }
    }

    fn each(&mut self, change: impl Fn(&mut Bookmark)) {
        for (_, _, bookmark) in &mut self.open {
            change(bookmark);
        }
    }

    fn add(&mut self, text: &str) {
        self.each(|bookmark| bookmark.add(text));
    }

    fn note(&mut self, kind: NoteKind, id: &str) {
        for (_, _, bookmark) in &mut self.open {
            bookmark.note.get_or_insert_with(|| (kind, id.to_owned()));
        }
    }

    fn end(&mut self, id: &str) {
        let Some(at) = self.open.iter().position(|(other, ..)| other == id) else {
            return;
        };
        let (_, name, bookmark) = self.open.remove(at);
        if self.found.len() < MAX_KEPT {
            self.found.entry(name).or_insert(bookmark);
        }
    }
}
