//! The outline of components of Vue, Svelte and Astro: their scripts, styles and markup.

use sectile_core::{Heading, Span};

use super::lines::MOST;
use super::signature::title;
use super::{MAX_LEVEL, Outline, by_grammar};
use crate::Language;

/// The tags that hold the parts of a component. In Vue, others do so, too.
const TAGS: [&str; 3] = ["script", "style", "template"];

/// The title of what stands in none of them, behind one.
const MARKUP: &str = "markup";

/// The line that the script of an Astro component begins and ends with.
const FENCE: &str = "---";

/// How long a tag may be.
const MAX_TAG: usize = 2_000;

/// Finds the parts of a component, and the definitions in its scripts, which the grammar of TypeScript reads.
pub(super) fn outline(
    text: &str,
    language: Language,
    is_over: &mut dyn FnMut() -> bool,
) -> Outline {
    let mut reader = Reader {
        text,
        language,
        is_over,
        found: Outline::default(),
        comments: None,
        is_markup: true,
    };
    let mut at = reader.front_matter();
    while at < text.len() {
        at = reader.read(at);
        if reader.found.headings.len() > MOST {
            return Outline {
                is_unparsed: true,
                ..Outline::default()
            };
        }
    }
    reader.found
}

/// A tag and what it holds.
#[derive(Clone, Copy)]
struct Part<'a> {
    name: &'a str,
    tag: Span,
    inner: Span,
    /// Where the tag that closes it ends.
    end: usize,
}

struct Reader<'a, 'f> {
    text: &'a str,
    language: Language,
    is_over: &'f mut dyn FnMut() -> bool,
    found: Outline,
    /// Where the comments directly above begin.
    comments: Option<usize>,
    /// Whether markup here belongs to the section before it.
    is_markup: bool,
}

impl<'a> Reader<'a, '_> {
    /// Reads the script that an Astro component begins with, and returns where it ends.
    fn front_matter(&mut self) -> usize {
        let mut lines = self.text.split_inclusive('\n');
        let first = lines.next().unwrap_or_default();
        if self.language != Language::Svelte || first.trim_end() != FENCE {
            return 0;
        }
        let mut end = first.len();
        for line in lines {
            if line.trim_end() == FENCE {
                self.add_script(Span::new(first.len(), end), Language::TypeScript, 0);
                self.is_markup = self.found.headings.is_empty();
                return end + line.len();
            }
            end += line.len();
        }
        0
    }

    /// Reads the line that begins at `at`, or the part that begins with it, and returns where it ends.
    fn read(&mut self, at: usize) -> usize {
        if let Some(part) = self.part(at) {
            let first = self.comments.take().unwrap_or(at);
            self.add_part(part, first);
            return part.end;
        }
        let rest = &self.text[at..];
        let line = rest.split_inclusive('\n').next().unwrap_or(rest);
        let shown = line.trim();
        if shown.is_empty() {
            self.comments = None;
        } else if shown.starts_with("<!--") {
            self.comments.get_or_insert(at);
            let close = rest.find("-->").map_or(rest.len(), |close| close + 3);
            let length = rest[close..].find('\n').map(|length| close + length + 1);
            return at + length.unwrap_or(rest.len());
        } else {
            let first = self.comments.take().unwrap_or(at);
            self.add_markup(Span::new(first, at + line.trim_end().len()));
        }
        at + line.len()
    }

    /// Returns the part of the component that begins at `at`.
    fn part(&self, at: usize) -> Option<Part<'a>> {
        let rest = &self.text[at..];
        let inner = rest.strip_prefix('<')?;
        let is_end = |letter: char| !letter.is_ascii_alphanumeric() && letter != '-';
        let name = inner.split(is_end).next()?;
        let is_part = TAGS.contains(&name) || (self.language == Language::Vue && !name.is_empty());
        let length = Some(rest).filter(|_| is_part).and_then(tag_length)?;
        let tag = Span::new(at, at + length);
        let part = |inner_end: usize, end: usize| Part {
            name,
            tag,
            inner: Span::new(tag.end, inner_end),
            end,
        };
        if tag.of(self.text).ends_with("/>") {
            return Some(part(tag.end, tag.end));
        }
        let closing = self.closing(name, tag.end);
        let Some(close) = closing else {
            return Some(part(self.text.len(), self.text.len()));
        };
        let end = self.text[close..]
            .find('>')
            .map(|length| close + length + 1);
        Some(part(close, end.unwrap_or(self.text.len())))
    }

    /// Returns where the tag begins that closes what begins at `start`. A script or style ends with the first one. Another
    /// element may hold elements of its name; what closes it stands on the same line or at the margin.
    fn closing(&self, name: &str, start: usize) -> Option<usize> {
        let rest = &self.text[start..];
        let tag = format!("</{name}");
        let first = rest.find(&tag)?;
        let is_raw = matches!(name, "script" | "style");
        if is_raw || !rest[..first].contains('\n') {
            return Some(start + first);
        }
        let place = rest.find(&format!("\n{tag}"))?;
        Some(start + place + 1)
    }

    fn add_markup(&mut self, span: Span) {
        if !self.is_markup {
            self.add(MARKUP.to_owned(), span);
            self.is_markup = true;
        }
    }

    fn add_part(&mut self, part: Part<'_>, first: usize) {
        let tag = part.tag.of(self.text);
        self.add(title(tag), Span::new(first, part.tag.end));
        self.is_markup = false;
        // Data are no script.
        if part.name == "script" && !tag.contains("json") {
            let is_jsx = tag.contains("tsx") || tag.contains("jsx");
            let language = if is_jsx {
                Language::Tsx
            } else {
                Language::TypeScript
            };
            self.add_script(part.inner, language, 1);
        }
    }

    fn add(&mut self, title: String, span: Span) {
        self.found.headings.push(Heading {
            level: 1,
            title,
            span,
        });
    }

    /// Adds the definitions of a script, as deep below it as `depth`.
    fn add_script(&mut self, script: Span, language: Language, depth: u8) {
        let inner = by_grammar(script.of(self.text), language, &mut *self.is_over);
        self.found.has_errors |= inner.has_errors;
        self.found.is_unparsed |= inner.is_unparsed;
        let shifted = |heading: Heading| Heading {
            level: (heading.level + depth).min(MAX_LEVEL as u8),
            span: heading.span.shifted(script.start),
            ..heading
        };
        self.found
            .headings
            .extend(inner.headings.into_iter().map(shifted));
    }
}

/// Returns the length of the tag that a text begins with. Values in quotes may hold its last sign.
fn tag_length(text: &str) -> Option<usize> {
    let mut quote = None;
    let end = text.bytes().take(MAX_TAG).position(|byte| {
        match quote {
            Some(open) if open == byte => quote = None,
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            _ => {}
        }
        quote.is_none() && byte == b'>'
    });
    end.map(|end| end + 1)
}
