//! The outline of source code without a grammar: the lines near the margin that begin a definition.

use sectile_core::{Heading, Span};

use super::MAX_LEVEL;
use literals::{End, Finder};
use syntax::Syntax;

use crate::Language;

mod forms;
mod literals;
mod syntax;
mod words;

/// How many definitions an outline has at most. A text with more is data: nobody looks for one of them by its heading.
const MOST: usize = 20_000;

/// How many columns a tab takes.
const TAB: usize = 4;

/// A line that begins a definition.
#[derive(Debug, PartialEq, Eq)]
struct Definition {
    title: String,
    /// Whether other definitions may stand in it.
    is_container: bool,
}

impl Definition {
    fn leaf(title: &str) -> Self {
        Self {
            title: super::signature::title(title),
            is_container: false,
        }
    }
}

/// Finds a heading for each definition. Each begins with the comments directly above it. Returns nothing for a text with
/// too many of them.
pub(super) fn headings(text: &str, language: Language) -> Option<Vec<Heading>> {
    let syntax = syntax::of(language);
    let mut scan = Scan {
        literals: syntax.literals(text),
        syntax,
        found: Vec::new(),
        around: Vec::new(),
        comments: None,
        open: None,
        is_joined: false,
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        scan.line(line, start);
        if scan.found.len() > MOST {
            return None;
        }
        start += line.len();
    }
    Some(scan.found)
}

/// A definition that the next lines may stand in.
struct Outer {
    indent: usize,
    /// The indent of the first line in it, which definitions in it have.
    inner: Option<usize>,
    is_container: bool,
}

struct Scan<'a> {
    syntax: Syntax,
    literals: Finder<'a>,
    found: Vec<Heading>,
    /// The definitions around the line, outermost first.
    around: Vec<Outer>,
    /// Where the comments directly above the line begin.
    comments: Option<usize>,
    /// What ends the comment, the string or the document that the line stands in.
    open: Option<End>,
    /// Whether the line belongs to the one before it.
    is_joined: bool,
}

impl Scan<'_> {
    fn line(&mut self, line: &str, start: usize) {
        let shown = line.trim();
        if self.is_inside(shown) {
            return;
        }
        if shown.is_empty() {
            self.comments = None;
            return;
        }
        let indent = self.syntax.indent(shown, indent_of(line));
        self.enter(indent);
        if self.syntax.ends_all(shown) {
            self.around.clear();
        }
        self.open = self.literals.begun(shown, indent == 0);
        let definition = self.syntax.definition(shown, indent == 0);
        if definition.is_none() && self.syntax.begins_definition(shown) {
            self.stand_in(indent, false);
        }
        let is_found =
            |definition: &Definition| self.is_reached(indent) && !self.goes_on(definition);
        if let Some(definition) = definition.filter(is_found) {
            let first = self.comments.take().unwrap_or(start);
            let end = start + line.trim_end().len();
            self.define(definition, indent, Span::new(first, end));
        } else if self.syntax.is_comment(shown) {
            self.comments.get_or_insert(start);
        } else {
            self.comments = None;
        }
    }

    /// Returns whether a line begins in a comment, a string or a document, or belongs to the line before it, and reads it
    /// then.
    fn is_inside(&mut self, shown: &str) -> bool {
        let was_joined = std::mem::replace(&mut self.is_joined, self.syntax.is_joined(shown));
        if let Some(end) = self.open.take() {
            self.open = match end.behind(shown) {
                Some(rest) => self.literals.opened(rest),
                None => Some(end),
            };
            return true;
        }
        if was_joined {
            self.open = self.literals.opened(shown);
        }
        was_joined
    }

    /// Takes note of the indent of the first line in a definition.
    fn enter(&mut self, indent: usize) {
        if let Some(outer) = self.around.last_mut()
            && indent > outer.indent
        {
            outer.inner.get_or_insert(indent);
        }
    }

    /// Returns whether a definition with this indent is a part of the outline, and not of the body of a function.
    fn is_reached(&self, indent: usize) -> bool {
        let outer = self.around.iter().rfind(|outer| outer.indent < indent);
        match outer {
            Some(outer) => outer.is_container && outer.inner.is_some_and(|inner| indent <= inner),
            None => indent <= self.syntax.margin(),
        }
    }

    /// Returns whether a definition is a part of the one before it: a lock file has hundreds of tables of one name.
    fn goes_on(&self, definition: &Definition) -> bool {
        let last = self.found.last();
        last.is_some_and(|last| self.syntax.goes_on(&definition.title, &last.title))
    }

    /// Takes note that the next lines stand in a definition with this indent.
    fn stand_in(&mut self, indent: usize, is_container: bool) {
        while self.around.pop_if(|outer| outer.indent >= indent).is_some() {}
        self.around.push(Outer {
            indent,
            inner: None,
            is_container,
        });
    }

    fn define(&mut self, definition: Definition, indent: usize, span: Span) {
        self.stand_in(indent, definition.is_container);
        self.found.push(Heading {
            level: self.around.len().min(MAX_LEVEL) as u8,
            title: definition.title,
            span,
        });
    }
}

/// Returns the column that the text of a line begins at.
fn indent_of(line: &str) -> usize {
    let space = line.bytes().take_while(u8::is_ascii_whitespace);
    space.map(|byte| if byte == b'\t' { TAB } else { 1 }).sum()
}
