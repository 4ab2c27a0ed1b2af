//! The outline of source code without a grammar: the lines near the margin that begin a definition.

use sectile_core::{Heading, Span};

use super::MAX_LEVEL;
use super::gaps::{MIN_LINES, is_code};
use super::signature::title;
use ends::{Body, Ends, Line, has_text, is_end_of_tags};
use literals::{End, Finder};
use syntax::Syntax;

use crate::Language;

mod ends;
mod forms;
mod literals;
mod pod;
mod syntax;
mod words;

/// How many definitions an outline has at most. A text with more is data: nobody looks for one of them by its heading.
pub(super) const MOST: usize = 20_000;

/// The line that ends the documentation of Perl.
const POD_END: &str = "=cut";

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

/// Finds a heading for each definition. Each begins with the comments directly above it. Code behind the end of one has
/// a heading, too, from two lines on. Returns nothing for a text with too many of them.
pub(super) fn headings(text: &str, language: Language) -> Option<Vec<Heading>> {
    let syntax = syntax::of(language);
    let mut scan = Scan {
        literals: syntax.literals(text),
        syntax,
        found: Vec::new(),
        documentation: Vec::new(),
        around: Vec::new(),
        last: None,
        comments: None,
        open: None,
        is_joined: false,
        is_after_blank: false,
        keeps_comments: false,
        has_ended_all: false,
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        scan.line(line, start);
        if scan.found.len() > MOST {
            return None;
        }
        start += line.len();
    }
    put_below(&mut scan.found, &scan.documentation);
    Some(scan.found)
}

/// Puts what is defined between headings of documentation, whose positions are given, as deep as the next of these is, so
/// that it has no definition as its parent.
fn put_below(found: &mut [Heading], documentation: &[usize]) {
    let mut deeper = 0;
    for (at, heading) in found.iter_mut().enumerate().rev() {
        if documentation.binary_search(&at).is_ok() {
            deeper = heading.level - 1;
        } else {
            heading.level = (heading.level + deeper).min(MAX_LEVEL as u8);
        }
    }
}

/// A definition that the next lines may stand in.
struct Outer {
    indent: usize,
    /// The indent of definitions in it: that of the first line in it, or of the first definition if that is more. Before
    /// these, its head may go on.
    inner: Option<usize>,
    /// Whether a definition in it was read.
    has_definitions: bool,
    is_container: bool,
    /// Whether it is a container whose end is a line of its own, which was not read yet.
    is_unended: bool,
}

/// The definition that was found last, and what follows it.
struct Last {
    body: Body,
    gap: Option<Gap>,
    /// Whether lines of the string or the document that is open count as code.
    counts_literal: bool,
}

impl From<Body> for Last {
    fn from(body: Body) -> Self {
        Self {
            body,
            gap: None,
            counts_literal: false,
        }
    }
}

/// Code that belongs to no definition.
struct Gap {
    /// The heading, until it has enough lines.
    heading: Option<Heading>,
    lines: usize,
    /// Whether the title says something: in a template, tags alone do not.
    is_named: bool,
}

#[expect(
    clippy::struct_excessive_bools,
    reason = "each is known or not by itself"
)]
struct Scan<'a> {
    syntax: Syntax,
    literals: Finder<'a>,
    found: Vec<Heading>,
    /// Which of the headings are those of documentation.
    documentation: Vec<usize>,
    /// The definitions around the line, outermost first.
    around: Vec<Outer>,
    last: Option<Last>,
    /// Where the comments directly above the line begin.
    comments: Option<usize>,
    /// What ends the comment, the string or the document that the line stands in.
    open: Option<End>,
    /// Whether the line belongs to the one before it.
    is_joined: bool,
    /// Whether a blank line stands before the code.
    is_after_blank: bool,
    /// Whether blank lines do not part the comments from what follows: documentation is apart.
    keeps_comments: bool,
    /// Whether a line ended all definitions. Behind such a line of Pascal, procedures have bodies.
    has_ended_all: bool,
}

impl Scan<'_> {
    fn line(&mut self, line: &str, start: usize) {
        if self.is_documentation(line, start) {
            return;
        }
        let shown = line.trim();
        if self.is_inside(shown) {
            self.count_literal(shown);
            return;
        }
        if shown.is_empty() {
            self.is_after_blank = true;
            self.comments = self.comments.filter(|_| self.keeps_comments);
            return;
        }
        let line_of_code = Line {
            shown,
            indent: self.syntax.indent(shown, indent_of(line)),
            is_after_blank: self.is_after_blank,
            is_keyword: self.syntax.begins_definition(shown),
            is_astray: false,
        };
        self.code(
            line_of_code,
            Span::new(start, start + line.trim_end().len()),
        );
    }

    /// Reads a line that is not blank, and begins in no literal.
    fn code(&mut self, line: Line<'_>, span: Span) {
        let Line { shown, indent, .. } = line;
        // A condition of the compiler may be indented less than what it is for.
        if !shown.starts_with('#') {
            self.enter(indent);
        }
        if self.syntax.ends_all(shown) {
            self.around.clear();
            self.has_ended_all = true;
        }
        self.open = self.literals.begun(shown, indent == 0);
        let is_at_margin = indent == 0 || self.has_ended_all;
        let definition = self.syntax.definition(shown, is_at_margin);
        if definition.is_none() && line.is_keyword {
            self.stand_in(indent, false);
        } else if definition.is_some() && self.syntax.is_form_certain() {
            self.enter_with_definition(indent);
        }
        let is_found =
            |definition: &Definition| self.is_reached(indent) && !self.goes_on(definition);
        let definition = definition.filter(is_found);
        let is_comment = definition.is_none() && self.syntax.is_comment(shown);
        if is_comment && self.open != Some(End::Never) {
            self.comments.get_or_insert(span.start);
            if let Some(last) = &mut self.last {
                last.counts_literal = false;
            }
            return;
        }
        let first = self.comments.take().unwrap_or(span.start);
        let span = Span::new(first, span.end);
        match definition {
            Some(definition) => {
                let body = Body::new(self.syntax.ends, line, definition.is_container);
                let is_unended = definition.is_container && body.has_own_end();
                self.last = Some(body.into());
                self.define(definition, indent, span);
                if let Some(outer) = self.around.last_mut() {
                    outer.is_unended = is_unended;
                }
            }
            None => self.add_to_gap(line, span),
        }
        (self.is_after_blank, self.keeps_comments) = (false, false);
    }

    /// Reads a line that belongs to no definition or to the last one. Where the code ends, data follow that belong to
    /// none.
    fn add_to_gap(&mut self, line: Line<'_>, span: Span) {
        let is_end = self.open == Some(End::Never);
        let Some(last) = &mut self.last else {
            return;
        };
        last.counts_literal = true;
        let reached = self.around.iter_mut();
        let mut reached = reached.filter(|outer| outer.indent >= line.indent);
        let line = if last.body.ends_with(line.shown) {
            for outer in reached {
                outer.is_unended = false;
            }
            line
        } else {
            let is_astray = reached.any(|outer| outer.is_unended);
            Line { is_astray, ..line }
        };
        let is_behind = last.body.is_behind(line) || is_end;
        let is_template = self.syntax.ends == Ends::Directive;
        let is_end_of_block = is_template && is_end_of_tags(line.shown);
        if !is_behind || is_end_of_block || !is_code(line.shown) {
            return;
        }
        let is_named = !is_template || has_text(line.shown);
        if let Some(gap) = last.gap.as_mut().filter(|_| !is_end) {
            gap.lines += 1;
            // With enough lines, its heading is the last one that was found.
            if is_named
                && !gap.is_named
                && let Some(heading) = gap.heading.as_mut().or(self.found.last_mut())
            {
                heading.title = title(line.shown);
                gap.is_named = true;
            }
        } else {
            let indent = line.indent.min(last.body.indent);
            let is_outer = |outer: &&Outer| outer.indent < indent || outer.is_unended;
            let outer = self.around.iter().filter(is_outer);
            let heading = Heading {
                level: (outer.count() + 1).min(MAX_LEVEL) as u8,
                title: title(line.shown),
                span,
            };
            last.gap = Some(Gap {
                heading: Some(heading),
                lines: 1,
                is_named,
            });
        }
        self.end_gap();
    }

    /// Counts a line in a string or a document that code opened, and reads where it ends.
    fn count_literal(&mut self, shown: &str) {
        let is_closed = self.open.is_none();
        // A directive of documentation is no data.
        let is_directive = self.syntax.has_pod && shown.starts_with('=');
        self.keeps_comments |= is_closed && is_directive;
        let Some(last) = &mut self.last else {
            return;
        };
        if is_closed {
            last.body.read_end_of_literal(shown);
        }
        if let Some(gap) = &mut last.gap
            && last.counts_literal
            && is_code(shown)
            && !is_directive
        {
            gap.lines += 1;
            self.end_gap();
        }
    }

    /// Adds the heading of a gap that has enough lines.
    fn end_gap(&mut self) {
        let gap = self.last.as_mut().and_then(|last| last.gap.as_mut());
        if let Some(gap) = gap.filter(|gap| gap.lines >= MIN_LINES) {
            self.found.extend(gap.heading.take());
        }
    }

    /// Reads a heading in the documentation of Perl, if the line is one and stands in no string.
    fn is_documentation(&mut self, line: &str, start: usize) -> bool {
        let is_free = match &self.open {
            None => !self.is_joined,
            Some(End::Line(mark)) => *mark == POD_END,
            Some(end) => *end == End::Never,
        };
        let heading = pod::heading(line).filter(|_| self.syntax.has_pod && is_free);
        let Some((level, title)) = heading else {
            return false;
        };
        self.documentation.push(self.found.len());
        self.found.push(Heading {
            level,
            title,
            span: Span::new(start, start + line.trim_end().len()),
        });
        self.last = Some(Body::ended(Ends::Braces, 0).into());
        self.comments = None;
        self.open = Some(match self.open.take() {
            Some(End::Never) => End::Never,
            _ => End::Line(POD_END),
        });
        true
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

    /// Takes note of the indent of the first definition in a container.
    fn enter_with_definition(&mut self, indent: usize) {
        let mut outer = self.around.iter_mut().rev();
        if let Some(outer) = outer.find(|outer| outer.indent < indent)
            && !std::mem::replace(&mut outer.has_definitions, true)
        {
            outer.inner = outer.inner.max(Some(indent));
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
            has_definitions: false,
            is_container,
            is_unended: false,
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
