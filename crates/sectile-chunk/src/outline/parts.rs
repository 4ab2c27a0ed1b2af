//! The outline of a text that comes in parts.

use std::borrow::Cow;
use std::collections::HashSet;

use sectile_core::{Heading, Span};

use super::Finder;
use super::definitions::add_definitions;
use super::front_matter::{is_content, is_key, metadata_end};
use crate::line_run::{Kind, LineRun, LineRuns, with_newlines};

/// The labels of the link definitions of a Markdown text, found part by part.
///
/// A heading with a reference, `## [Guide]`, has a different title if the label is defined anywhere
/// in the text. See [`MarkdownStream::with_definitions`](crate::MarkdownStream::with_definitions).
#[derive(Debug, Default)]
pub struct LinkDefinitions {
    walk: Walk,
    /// The text that arrived and was not examined yet.
    text: String,
    labels: HashSet<String>,
}

impl LinkDefinitions {
    /// Adds `part` to the text.
    pub fn push(&mut self, part: &str) {
        self.text.push_str(part);
        self.advance(false);
    }

    /// Ends the text.
    #[must_use]
    pub fn finish(mut self) -> Self {
        self.advance(true);
        self
    }

    fn advance(&mut self, is_complete: bool) {
        if !self.walk.is_due(self.text.len(), is_complete) {
            return;
        }
        let labels = &mut self.labels;
        let text = readable(&self.text, is_complete);
        self.walk.advance(&text, is_complete, &mut |run| {
            add_definitions(&text, run, labels);
        });
        drop(text);
        let done = self.walk.forget(self.walk.scanned);
        self.text.drain(..done);
    }
}

/// What finds the definitions of the whole text when they are needed.
pub(crate) type FindDefinitions<'s> = Box<dyn FnOnce() -> LinkDefinitions + Send + 's>;

/// Finds the headings of a text that arrives in parts. The caller keeps the last parts.
#[derive(Default)]
pub(crate) struct OutlineParts<'s> {
    walk: Walk,
    finder: Finder,
    find_definitions: Option<FindDefinitions<'s>>,
}

impl<'s> OutlineParts<'s> {
    pub(crate) fn set_definitions(&mut self, find: FindDefinitions<'s>) {
        self.find_definitions = Some(find);
    }

    /// Returns the headings of the buffered `text` that have become certain.
    pub(crate) fn advance(&mut self, text: &str, is_complete: bool) -> Vec<Heading> {
        if !self.walk.is_due(text.len(), is_complete) {
            return Vec::new();
        }
        let text = &*readable(text, is_complete);
        let finder = &mut self.finder;
        self.walk.advance(text, is_complete, &mut |run| {
            finder.read(text, run);
        });
        let is_referring = !finder.referring.is_empty();
        if let Some(find) = self.find_definitions.take_if(|_| is_referring) {
            finder.defined = find().labels;
            let again = Finder {
                defined: finder.defined.clone(),
                ..Finder::default()
            };
            finder.read_again(text, again);
        }
        let defined = std::mem::take(&mut finder.defined);
        let headings = std::mem::take(finder).finish(text);
        finder.defined = defined;
        headings
    }

    /// Does the same, however little has arrived since the last time.
    pub(crate) fn advance_at_once(&mut self, text: &str) -> Vec<Heading> {
        self.walk.needed = 0;
        self.advance(text, false)
    }

    /// Returns how many bytes of the buffer have known headings.
    pub(crate) fn scanned(&self) -> usize {
        self.walk.scanned
    }

    /// Drops the first bytes of the buffer, whose headings are known.
    pub(crate) fn forget(&mut self, bytes: usize) {
        self.walk.forget(bytes);
    }
}

/// The way over the line runs of a text that comes in parts.
#[derive(Debug, Default)]
struct Walk {
    is_begun: bool,
    /// How far the held text has been cut into line runs.
    scanned: usize,
    /// How many bytes have to follow before another try is worth it: the last one found no end of
    /// a run in half as many.
    needed: usize,
}

impl Walk {
    /// Returns whether a held text of so many bytes is worth a try.
    fn is_due(&self, bytes: usize, is_complete: bool) -> bool {
        is_complete || bytes >= self.scanned + self.needed
    }

    /// Calls `see` with the line runs of `text` that end in it.
    fn advance(&mut self, text: &str, is_complete: bool, see: &mut dyn FnMut(LineRun)) {
        let certain = if is_complete { text } else { whole_lines(text) };
        if !self.is_begun {
            if !is_complete && may_go_on(certain) {
                self.needed = 2 * text.len();
                return;
            }
            self.is_begun = true;
            self.scanned = metadata_end(certain);
        }
        // The parser takes these two for white space: from there on it is asked for all at once.
        let rest = &certain.as_bytes()[self.scanned..];
        let odd = memchr::memchr2(b'\x0b', b'\x0c', rest).map(|at| self.scanned + at);
        let plain = odd.map_or(certain, |at| whole_lines(&certain[..at]));
        let is_last = is_complete && odd.is_none();
        for run in LineRuns::new(plain, self.scanned.min(plain.len())) {
            if run.span.end == plain.len() && !is_last {
                break;
            }
            see(run);
            self.scanned = run.span.end;
        }
        if is_complete && self.scanned < text.len() {
            let span = Span::new(self.scanned, text.len());
            let kind = Kind::Unknown;
            see(LineRun { span, kind });
            self.scanned = text.len();
        }
        self.needed = 2 * (text.len() - self.scanned);
    }

    /// Forgets the first bytes of the held text, which have been scanned; returns how many.
    fn forget(&mut self, bytes: usize) -> usize {
        self.scanned -= bytes;
        bytes
    }
}

/// Returns a text as parsers read it, with newlines alone: without a carriage return at its end, unless it is complete, as
/// what follows tells whether that ends a line.
fn readable(text: &str, is_complete: bool) -> Cow<'_, str> {
    let known = text.strip_suffix('\r').filter(|_| !is_complete);
    with_newlines(known.unwrap_or(text))
}

/// Leaves out the line that may go on.
fn whole_lines(text: &str) -> &str {
    let end = memchr::memrchr(b'\n', text.as_bytes()).map_or(0, |at| at + 1);
    &text[..end]
}

/// Returns whether the front matter that a text may begin with is not all there.
fn may_go_on(text: &str) -> bool {
    let mut lines = text.lines();
    let is_open = match lines.next().map(str::trim_end) {
        None | Some("+++") => true,
        Some("---") => lines.find(|line| is_content(line)).is_none_or(is_key),
        Some(_) => false,
    };
    is_open && metadata_end(text) == 0
}
