//! Reading documents: the whole text or a part of it, in pieces that fit a budget.

mod headings;
#[cfg(test)]
mod tests;

use std::ops::{Range, RangeInclusive};

use sectile_chunk::{LongSentences, SentenceChunker, TokenCounter};
use sectile_core::{Format, Lines, SectionId, subtree};
use sectile_store::{GroupBy, Hit, SectionRecord};
use serde::Serialize;

use crate::{Error, Result};
pub use headings::{find_heading, similar_headings};

/// The part of a document to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    #[default]
    Whole,
    /// The section with this heading, with its subsections: a heading, or the end of a heading path
    /// written as `A > B`. In source code it may also be the name of a definition: `acquire`,
    /// `Pool.acquire`.
    Heading(String),
    /// The section with this id, with its subsections.
    Section(SectionId),
    /// These lines, numbered from 1 as hits and tables of contents number them. The range may end
    /// after the last line.
    Lines(RangeInclusive<usize>),
    /// The sections on these pages, numbered from 1. The first may begin on an earlier page and the
    /// last may end on a later one. The range may end after the last page.
    Pages(RangeInclusive<u32>),
}

impl Part {
    /// Returns the part of its document that a hit represents, in an answer with this grouping.
    pub const fn of_hit(hit: &Hit, group_by: GroupBy) -> Self {
        match group_by {
            GroupBy::Chunk => Self::Lines(hit.lines.first..=hit.lines.last),
            GroupBy::Section => Self::Section(hit.section),
            GroupBy::Document => Self::Whole,
        }
    }
}

/// A part of a document, as read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Passage {
    /// The document's URI.
    pub uri: String,
    /// The headings from the root to the requested part.
    pub heading_path: Vec<String>,
    /// The lines of the text.
    pub lines: Lines,
    /// The text.
    pub text: String,
    /// The number of tokens of the text.
    pub tokens: usize,
    /// The cursor of the next call, if the budget did not suffice for the whole text.
    pub next: Option<usize>,
}

/// Where a part stands in its document.
#[derive(Debug)]
pub(crate) struct Place {
    /// The positions of its sections.
    pub(crate) positions: Range<usize>,
    heading_path: Vec<String>,
    /// The line that the first of its sections begins at.
    first_line: usize,
    /// The lines that are wanted of its sections, where that is not all of them.
    lines: Option<RangeInclusive<usize>>,
}

/// Finds a part among the sections of its document.
pub(crate) fn place(
    sections: &[SectionRecord],
    uri: &str,
    format: Format,
    part: &Part,
) -> Result<Place> {
    let below = |root: usize| Place {
        heading_path: sections[root].heading_path.clone(),
        ..spanning(
            sections,
            subtree(sections, root, |section| section.parent),
            None,
        )
    };
    match part {
        Part::Whole => Ok(spanning(sections, 0..sections.len(), None)),
        Part::Heading(heading) => Ok(below(find_heading(sections, uri, format, heading)?)),
        Part::Section(id) => {
            let root = sections.iter().position(|section| section.id == *id);
            Ok(below(root.ok_or(Error::NoSuchSection { id: *id })?))
        }
        Part::Lines(lines) => of_lines(sections, uri, lines),
        Part::Pages(pages) => of_pages(sections, uri, pages),
    }
}

fn spanning(
    sections: &[SectionRecord],
    positions: Range<usize>,
    lines: Option<RangeInclusive<usize>>,
) -> Place {
    let first = sections.get(positions.start);
    Place {
        first_line: first.map_or(1, |section| section.lines.first),
        positions,
        heading_path: Vec::new(),
        lines,
    }
}

fn of_lines(sections: &[SectionRecord], uri: &str, asked: &RangeInclusive<usize>) -> Result<Place> {
    let touches = |section: &SectionRecord| {
        section.lines.first <= *asked.end() && section.lines.last >= *asked.start()
    };
    match touching(sections, touches) {
        Some(positions) if *asked.start() > 0 && !asked.is_empty() => {
            Ok(spanning(sections, positions, Some(asked.clone())))
        }
        _ => Err(Error::NoSuchLines {
            uri: uri.to_owned(),
            first: *asked.start(),
            last: *asked.end(),
            lines: sections.last().map_or(0, |section| section.lines.last),
        }),
    }
}

fn of_pages(sections: &[SectionRecord], uri: &str, asked: &RangeInclusive<u32>) -> Result<Place> {
    let touches = |section: &SectionRecord| {
        let pages = section.pages;
        pages.is_some_and(|pages| pages.first <= *asked.end() && pages.last >= *asked.start())
    };
    match touching(sections, touches) {
        Some(positions) if *asked.start() > 0 && !asked.is_empty() => {
            Ok(spanning(sections, positions, None))
        }
        _ => Err(Error::NoSuchPages {
            uri: uri.to_owned(),
            first: *asked.start(),
            last: *asked.end(),
            pages: last_page(sections),
        }),
    }
}

/// Returns the positions from the first section that is meant to the last one.
fn touching(
    sections: &[SectionRecord],
    is_meant: impl Fn(&SectionRecord) -> bool,
) -> Option<Range<usize>> {
    let first = sections.iter().position(&is_meant)?;
    let last = sections.iter().rposition(is_meant)?;
    Some(first..last + 1)
}

fn last_page(sections: &[SectionRecord]) -> u32 {
    let pages = sections.iter().filter_map(|section| section.pages);
    pages.map(|pages| pages.last).max().unwrap_or(0)
}

impl Place {
    /// Cuts what is wanted out of the text of the sections, and says which line it begins at.
    fn cut<'a>(&self, text: &'a str) -> (&'a str, usize) {
        let Some(lines) = &self.lines else {
            return (text, self.first_line);
        };
        let skipped = lines.start().saturating_sub(self.first_line);
        let start = after_lines(text, skipped);
        let first_line = self.first_line + skipped;
        let count = (lines.end() - first_line).saturating_add(1);
        let rest = &text[start..];
        (&rest[..after_lines(rest, count)], first_line)
    }

    /// Returns the part's text from `cursor` on.
    pub(crate) fn rest<'a>(&self, text: &'a str, cursor: usize) -> Result<&'a str> {
        let (text, _) = self.cut(text);
        text.get(cursor..).ok_or(Error::InvalidCursor { cursor })
    }

    /// Cuts what fits `max_tokens` out of the text of the sections, from `cursor` on.
    pub(crate) fn passage(
        self,
        uri: &str,
        text: &str,
        cursor: usize,
        max_tokens: Option<usize>,
        counter: &dyn TokenCounter,
    ) -> Result<Passage> {
        let rest = self.rest(text, cursor)?;
        let (text, first_line) = self.cut(text);
        let shown = max_tokens.map_or(Ok(rest), |max| first_tokens(rest, max, counter))?;
        let first = first_line + newlines(&text[..cursor]);
        Ok(Passage {
            uri: uri.to_owned(),
            heading_path: self.heading_path,
            lines: Lines {
                first,
                last: first + newlines(shown.strip_suffix('\n').unwrap_or(shown)),
            },
            text: shown.to_owned(),
            tokens: counter.count(shown),
            next: (shown.len() < rest.len()).then_some(cursor + shown.len()),
        })
    }
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

/// Returns where a text goes on after so many lines.
fn after_lines(text: &str, count: usize) -> usize {
    let mut ends = text.match_indices('\n').map(|(at, _)| at + 1);
    match count {
        0 => 0,
        count => ends.nth(count - 1).unwrap_or(text.len()),
    }
}

/// Returns the beginning of a text, with at most `max` tokens. It ends after a paragraph or
/// sentence if possible, and has at least one character.
///
/// # Errors
///
/// [`Error::Settings`] when `max` is 0.
pub fn first_tokens<'a>(text: &'a str, max: usize, counter: &dyn TokenCounter) -> Result<&'a str> {
    let chunker = SentenceChunker::new(max).map_err(Error::Settings)?;
    let chunker = chunker.with_long_sentences(LongSentences::Split);
    let first = chunker.iter(text, counter).next();
    let end = first.map_or(text.len(), |first| first.span.end);
    Ok(within(&text[..end], max, counter))
}

/// Cuts a text to `max` tokens wherever that is. A chunk is counted sentence by sentence, which may
/// be less than it is as a whole, and blanks before it are not counted.
fn within<'a>(text: &'a str, max: usize, counter: &dyn TokenCounter) -> &'a str {
    let fits = |end: usize| counter.count(&text[..end]) <= max;
    let Some(first) = text.chars().next() else {
        return text;
    };
    let mut fitting = first.len_utf8();
    let mut step = max.saturating_mul(8);
    // Finds the end in steps that grow first, so that no more is counted than some times the result.
    loop {
        let end = text.floor_char_boundary(fitting.saturating_add(step));
        if end > fitting && fits(end) {
            fitting = end;
            step = step.saturating_mul(2);
        } else if step <= 1 || fitting == text.len() {
            return &text[..fitting];
        } else {
            step = (step / 2).min(text.len() - fitting);
        }
    }
}
