//! What is not markup of a page though it stands in it: kept aside while the rest is read.

use std::collections::{HashMap, HashSet};

use crate::entity_names;

/// What stands around the number of a piece that is kept aside. The characters are of no script.
const BEGIN: char = '\u{E000}';
const END: char = '\u{E001}';

/// What stands where the notes of a page are shown.
pub(super) const NOTES: char = '\u{E002}';

/// How far behind a `<` the end of its tag is looked for, in bytes.
const LONGEST_TAG: usize = 1_000;

/// Elements whose content is not markup, or is read on its own.
const ELEMENTS: [&str; 11] = [
    "gallery",
    "math",
    "nowiki",
    "pre",
    "ref",
    "references",
    "score",
    "source",
    "syntaxhighlight",
    "templatedata",
    "timeline",
];

/// A piece that is kept aside.
pub(super) enum Literal {
    Text(String),
    Code(String),
    Formula(String),
    /// The number of a note, from 0 on.
    Note(usize),
}

/// The pieces of a page, and its notes.
#[derive(Default)]
pub(super) struct Literals {
    pieces: Vec<Literal>,
    /// The markup of each note.
    notes: Vec<String>,
    names: HashMap<String, usize>,
}

/// A tag: the name of its element, what stands behind the name, and its length with the signs around it.
pub(super) struct Tag<'t> {
    pub(super) name: String,
    pub(super) is_end: bool,
    pub(super) rest: &'t str,
    pub(super) length: usize,
}

/// Returns the tag that a text begins with.
pub(super) fn tag(text: &str) -> Option<Tag<'_>> {
    let inner = text.strip_prefix('<')?;
    let is_end = inner.starts_with('/');
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let letters = inner.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let behind = &inner[letters..];
    let near = &behind[..behind.floor_char_boundary(LONGEST_TAG)];
    let is_name = letters > 0
        && near.starts_with(|sign: char| sign == '>' || sign == '/' || sign.is_whitespace());
    if !is_name {
        return None;
    }
    let end = near.find('>')?;
    Some(Tag {
        name: inner[..letters].to_ascii_lowercase(),
        is_end,
        rest: &near[..end],
        length: text.len() - behind.len() + end + 1,
    })
}

/// Finds the end tag of an element: where it begins and where it ends.
pub(super) fn end_tag(text: &str, name: &str) -> Option<(usize, usize)> {
    text.match_indices("</").find_map(|(at, _)| {
        let behind = &text[at + 2..];
        let found = behind.get(..name.len())?;
        let close = behind[name.len()..].trim_start();
        let is_end = found.eq_ignore_ascii_case(name) && close.starts_with('>');
        is_end.then(|| (at, text.len() - close.len() + 1))
    })
}

/// Returns the value of an attribute.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, value) = tag.split_once(name)?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value
        .chars()
        .next()
        .filter(|sign| matches!(sign, '"' | '\''));
    let inner = match quote {
        Some(quote) => value[1..].split(quote).next(),
        None => value.split(['/', ' ']).next(),
    };
    inner.map(str::trim).filter(|value| !value.is_empty())
}

impl Literals {
    /// Keeps aside what is not markup, and returns the rest with a mark for each piece.
    pub(super) fn take(&mut self, source: &str) -> String {
        self.take_from(source, false)
    }

    /// Returns the piece whose mark a text begins with, and the length of the mark.
    pub(super) fn piece(&self, text: &str) -> Option<(&Literal, usize)> {
        let (number, _) = text.strip_prefix(BEGIN)?.split_once(END)?;
        let piece = self.pieces.get(number.parse::<usize>().ok()?)?;
        Some((piece, BEGIN.len_utf8() + number.len() + END.len_utf8()))
    }

    /// Returns whether a text has a mark.
    pub(super) fn is_marked(text: &str) -> bool {
        text.contains(BEGIN)
    }

    /// Returns the markup of the notes, from the first on.
    pub(super) fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    fn take_from(&mut self, source: &str, is_note: bool) -> String {
        let mut text = String::with_capacity(source.len());
        let mut unclosed = HashSet::new();
        let mut rest = source;
        while let Some(at) = rest.find('<') {
            push(&mut text, &rest[..at]);
            rest = &rest[at..];
            let read = if rest.starts_with("<!--") {
                comment(rest, &text, &mut unclosed)
            } else {
                self.element(rest, is_note, &mut text, &mut unclosed)
            };
            let length = read.unwrap_or_else(|| {
                text.push('<');
                1
            });
            rest = &rest[length..];
        }
        push(&mut text, rest);
        text
    }

    /// Reads an element whose content is kept aside, and returns its length.
    fn element(
        &mut self,
        source: &str,
        is_note: bool,
        text: &mut String,
        unclosed: &mut HashSet<&'static str>,
    ) -> Option<usize> {
        let tag = tag(source)?;
        let name = *ELEMENTS.iter().find(|name| **name == tag.name)?;
        if tag.is_end || is_note && name.starts_with("ref") {
            return None;
        }
        if tag.rest.trim_end().ends_with('/') {
            self.keep(name, tag.rest, "", text);
            return Some(tag.length);
        }
        let inner = &source[tag.length..];
        if unclosed.contains(name) {
            return self.without_end(name, tag.length, text);
        }
        let Some((end, after)) = end_tag(inner, name) else {
            unclosed.insert(name);
            return self.without_end(name, tag.length, text);
        };
        self.keep(name, tag.rest, &inner[..end], text);
        // Behind a block of code a space does not begin another.
        let behind = &inner[after..];
        let spaces = behind.len() - behind.trim_start_matches(' ').len();
        let left_out = if text.ends_with('\n') { spaces } else { 0 };
        Some(tag.length + after + left_out)
    }

    /// Reads an element that does not end: notes may be shown without an end.
    fn without_end(&mut self, name: &str, length: usize, text: &mut String) -> Option<usize> {
        (name == "references").then(|| {
            self.keep(name, "", "", text);
            length
        })
    }

    fn keep(&mut self, name: &str, attributes: &str, content: &str, text: &mut String) {
        match name {
            "ref" => {
                let number = self.note(attributes, content);
                self.mark(Literal::Note(number), text);
            }
            "references" => {
                // The notes in it are shown, but nothing refers to them from here.
                self.take_from(content, false);
                text.push('\n');
                text.push(NOTES);
                text.push('\n');
            }
            "math" => self.mark(Literal::Formula(content.trim().into()), text),
            "nowiki" => self.mark(Literal::Text(decoded(content)), text),
            "pre" => {
                let content = content.replace("<nowiki>", "").replace("</nowiki>", "");
                self.mark_block(Literal::Code(decoded(&content)), text);
            }
            "source" | "syntaxhighlight"
                if attributes
                    .split_whitespace()
                    .any(|word| word.starts_with("inline")) =>
            {
                self.mark(Literal::Code(clean(content)), text);
            }
            "source" | "syntaxhighlight" => self.mark_block(Literal::Code(clean(content)), text),
            "gallery" => {
                for (_, caption) in content.lines().filter_map(|line| line.split_once('|')) {
                    text.push_str("\n\n");
                    push(text, caption.trim());
                }
                text.push_str("\n\n");
            }
            _ => {}
        }
    }

    /// Keeps a note, and returns its number from 0 on.
    fn note(&mut self, attributes: &str, content: &str) -> usize {
        let name = attribute(attributes, "name").map(str::to_owned);
        let known = name.as_ref().and_then(|name| self.names.get(name).copied());
        let number = known.unwrap_or_else(|| {
            self.notes.push(String::new());
            self.notes.len() - 1
        });
        if let Some(name) = name {
            self.names.insert(name, number);
        }
        if self.notes[number].is_empty() {
            self.notes[number] = self.take_from(content, true);
        }
        number
    }

    fn mark(&mut self, piece: Literal, text: &mut String) {
        text.push(BEGIN);
        text.push_str(&self.pieces.len().to_string());
        text.push(END);
        self.pieces.push(piece);
    }

    /// Keeps a piece that has lines of its own.
    fn mark_block(&mut self, piece: Literal, text: &mut String) {
        text.push('\n');
        self.mark(piece, text);
        text.push('\n');
    }
}

/// Leaves out a comment, with its line if it has one of its own, and returns its length.
fn comment(source: &str, text: &str, unclosed: &mut HashSet<&'static str>) -> Option<usize> {
    const CLOSE: &str = "-->";
    if unclosed.contains(CLOSE) {
        return None;
    }
    let Some(end) = source.find(CLOSE) else {
        unclosed.insert(CLOSE);
        return None;
    };
    let end = end + CLOSE.len();
    let has_line = (text.is_empty() || text.ends_with('\n')) && source[end..].starts_with('\n');
    Some(end + usize::from(has_line))
}

/// Adds a text, in which nothing can be taken for a mark.
fn push(text: &mut String, source: &str) {
    text.push_str(&clean(source));
}

fn clean(source: &str) -> String {
    source.replace([BEGIN, END, NOTES], "\u{FFFD}")
}

/// Returns a text with what its references stand for in their places.
fn decoded(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find('&') {
        push(&mut text, &rest[..at]);
        rest = &rest[at..];
        let (character, length) = entity_names::reference(rest).unwrap_or(('&', 1));
        text.push(character);
        rest = &rest[length..];
    }
    push(&mut text, rest);
    text
}
