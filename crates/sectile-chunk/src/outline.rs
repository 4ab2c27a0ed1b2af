//! The headings and the front matter of Markdown.

mod anchors;
mod definitions;
mod fences;
mod front_matter;
mod html_headings;
mod parts;
mod titles;

use std::collections::HashSet;
use std::ops::Range;

use pulldown_cmark::{BrokenLink, Event, Parser, Tag, TagEnd};
use sectile_core::{Heading, Span};

use crate::line_run::{DIALECT, Kind, LineRun, LineRuns, with_newlines};
use crate::mdx;
use anchors::Anchors;
use definitions::{definitions, normalized};
pub use fences::UnclosedFence;
pub use front_matter::front_matter;
use front_matter::metadata_end;
use html_headings::HtmlHeading;
pub use parts::LinkDefinitions;
pub(crate) use parts::OutlineParts;
use titles::{braces_taken, clean, whole_lines, without_overline};

/// Finds the top-level headings of a `CommonMark` text, with tables and `{#id}` attributes.
///
/// ATX and setext headings count; lines that look like one inside a fence, an HTML block, a block
/// quote, a list item or front matter do not. Headings of HTML (`<h1 align="center">Guide</h1>`) count where they begin a
/// line of an HTML block that is no comment, code, list, quotation or table; a line of links is none, and neither is a
/// sentence in `<h4>` to `<h6>`. A heading's span is its source lines, final newline
/// included, and of one in HTML also the tags that its block begins with. Its title is plain text: code, link and image
/// texts are kept, markup, zero-width characters, a trailing MDX comment (`{/*…*/}`) and a sign that leads to a
/// heading (`[#](#guide)`) are not. A heading without text has the title `""`; one that consists of an anchor only does not
/// count. A title ends after 1,000 characters, so that the heading paths of many sections below a long
/// one stay small.
///
/// Front matter counts at the very start only. So two thematic breaks further down hide nothing.
///
/// ```
/// let outline = sectile_chunk::markdown_outline("# Guide {#top}\n\nUse `cargo`\n---\n");
/// let titles: Vec<_> = outline.iter().map(|heading| (heading.level, heading.title.as_str())).collect();
/// assert_eq!(titles, [(1, "Guide"), (2, "Use cargo")]);
/// ```
pub fn markdown_outline(text: &str) -> Vec<Heading> {
    let text = &*with_newlines(text);
    let body = metadata_end(text);
    let mut finder = Finder::default();
    // The parser takes these two for white space, which lines may begin and end with.
    if memchr::memchr2(b'\x0b', b'\x0c', text.as_bytes()).is_some() {
        finder.parse(text, Span::new(body, text.len()));
        return finder.finish(text);
    }
    for run in LineRuns::new(text, body) {
        finder.read(text, run);
    }
    finder.resolve(text, body);
    finder.finish(text)
}

/// Finds the top-level headings of a text in MDX, as [`markdown_outline`] does those of Markdown.
///
/// MDX has no indented code, and its components are not HTML: headings inside them count, however deep they are
/// indented. Lines of tags, expressions, comments (`{/*…*/}`) and of blocks that `import` or `export` are no headings.
///
/// ```
/// let text = "# Guide\n\n<Tabs>\n  <Tab>\n    ## Install\n  </Tab>\n</Tabs>\n\n{/*\n## Old\n*/}\n";
/// let outline = sectile_chunk::mdx_outline(text);
/// let titles: Vec<_> = outline.iter().map(|heading| heading.title.as_str()).collect();
/// assert_eq!(titles, ["Guide", "Install"]);
/// assert_eq!(outline[1].span.of(text), "    ## Install\n");
/// ```
pub fn mdx_outline(text: &str) -> Vec<Heading> {
    markdown_outline(&mdx::as_markdown(text, metadata_end(text)))
}

/// Collects headings from parser events.
#[derive(Default)]
struct Finder {
    headings: Vec<Heading>,
    /// Whether each of `headings` has an id or a class.
    named: Vec<bool>,
    /// The number of open elements around the current event.
    depth: usize,
    /// Whether the last of `headings` is still open.
    in_heading: bool,
    anchors: Anchors,
    /// The labels that the text defines, as far as they are known.
    defined: HashSet<String>,
    /// The labels of other references in parts with headings.
    references: HashSet<String>,
    /// Those parts, each with the position of its first heading.
    referring: Vec<(usize, Span)>,
}

impl Finder {
    /// Finds the headings of a run.
    fn read(&mut self, text: &str, run: LineRun) {
        match run.kind {
            Kind::Heading => self.read_line(text, run.span),
            Kind::Unknown => self.parse(text, run.span),
            Kind::Fence | Kind::Blocks => {}
        }
    }

    /// Reads the headings with references again, where these turn out to be defined: only then are
    /// they links.
    fn resolve(&mut self, text: &str, body: usize) {
        let mut again = Self::default();
        if !self.references.is_empty() {
            again.defined = definitions(text, body, &self.references);
        }
        if again.defined.is_empty() {
            return;
        }
        self.read_again(text, again);
    }

    /// Replaces the headings with references by those that `again` reads, which knows labels.
    fn read_again(&mut self, text: &str, mut again: Self) {
        for (first, part) in self.referring.drain(..) {
            again.parse(text, part);
            let found = first..first + again.headings.len();
            self.headings
                .splice(found.clone(), again.headings.drain(..));
            self.named.splice(found, again.named.drain(..));
        }
    }

    /// Reads an ATX heading; the parser is needed only where its title may have markup.
    fn read_line(&mut self, text: &str, part: Span) {
        let source = part.of(text);
        let line = source.trim_start_matches([' ', '\t', '\r', '\n']);
        let start = part.end - line.len();
        let line = line.lines().next().unwrap_or_default().trim_end();
        let title = line.trim_start_matches('#');
        let is_plain = |byte: u8| {
            byte.is_ascii_alphanumeric() || !byte.is_ascii() || b" -.,:;()/'\"?%+=".contains(&byte)
        };
        if !title.bytes().all(is_plain) {
            return self.parse(text, part);
        }
        self.headings.push(Heading {
            level: (line.len() - title.len()) as u8,
            title: title.to_string(),
            span: Span::new(start, start + line.len()),
        });
        self.named.push(false);
    }

    /// Finds the headings of a part of the text that can be parsed apart.
    fn parse(&mut self, text: &str, part: Span) {
        let earlier = self.headings.len();
        let mut references = Vec::new();
        let defined = std::mem::take(&mut self.defined);
        let mut resolve = |link: BrokenLink<'_>| {
            let label = normalized(&link.reference);
            let target = defined.contains(&label).then(|| ("".into(), "".into()));
            references.push(label);
            target
        };
        let source = part.of(text);
        let parser = Parser::new_with_broken_link_callback(source, DIALECT, Some(&mut resolve));
        for (event, range) in parser.into_offset_iter() {
            if self.depth == 0 && matches!(event, Event::Start(Tag::HtmlBlock)) {
                self.read_html(&source[range.clone()], part.start + range.start);
            }
            self.see(&event, &(part.start + range.start..part.start + range.end));
        }
        self.defined = defined;
        if self.headings.len() > earlier && !references.is_empty() {
            self.references.extend(references);
            self.referring.push((earlier, part));
        }
    }

    /// Adds the headings of a block of HTML that begins at the place `at` of the text.
    fn read_html(&mut self, block: &str, at: usize) {
        for HtmlHeading {
            level,
            title,
            start,
            end,
        } in html_headings::headings(block)
        {
            self.headings.push(Heading {
                level,
                title,
                span: Span::new(at + start, at + end),
            });
            // Braces are text in HTML.
            self.named.push(true);
        }
    }

    fn see(&mut self, event: &Event<'_>, range: &Range<usize>) {
        if let Some(heading) = self.headings.last_mut().filter(|_| self.in_heading) {
            self.anchors.see(event, &mut heading.title);
        }
        match event {
            Event::Start(Tag::Heading {
                level, id, classes, ..
            }) if self.depth == 0 => {
                self.open(*level as u8, Span::from(range.clone()));
                self.named.push(id.is_some() || !classes.is_empty());
            }
            Event::Start(_) => self.depth += 1,
            Event::End(TagEnd::Heading(_)) if self.depth == 0 => self.close(),
            Event::End(_) => self.depth = self.depth.saturating_sub(1),
            Event::Text(part) | Event::Code(part) => self.add(part),
            Event::SoftBreak | Event::HardBreak => self.add(" "),
            _ => {}
        }
    }

    fn open(&mut self, level: u8, span: Span) {
        self.in_heading = true;
        self.anchors = Anchors::default();
        self.headings.push(Heading {
            level,
            title: String::new(),
            span,
        });
    }

    fn close(&mut self) {
        self.in_heading = false;
        let is_anchor = |heading: &mut Heading| self.anchors.are_all_of(&heading.title);
        if self.headings.pop_if(is_anchor).is_some() {
            self.named.pop();
        }
    }

    fn add(&mut self, part: &str) {
        if let Some(heading) = self.headings.last_mut().filter(|_| self.in_heading) {
            heading.title.push_str(part);
        }
    }

    fn finish(mut self, text: &str) -> Vec<Heading> {
        for (heading, named) in self.headings.iter_mut().zip(self.named) {
            heading.span = whole_lines(text, heading.span);
            if !named {
                heading
                    .title
                    .push_str(braces_taken(heading.span.of(text), &heading.title));
            }
            let title = without_overline(heading.span.of(text), &heading.title);
            heading.title = clean(title);
        }
        self.headings
            .retain(|heading| !is_of_conflict(heading.span.of(text)));
        self.headings
    }
}

/// Returns whether a heading is text between the marks of a conflict of versions, the second of which underlines it.
fn is_of_conflict(source: &str) -> bool {
    source.lines().any(|line| line.starts_with("<<<<<<< "))
}

#[cfg(test)]
mod tests;
