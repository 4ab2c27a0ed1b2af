//! Reading documents: the whole text or a part of it, in pieces that fit a budget.

mod headings;

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

#[cfg(test)]
mod tests {
    use sectile_chunk::Characters;
    use sectile_core::{ContentHash, Pages};

    use super::*;

    /// Makes a section of these lines, below the one at `parent`.
    fn section(position: usize, lines: (usize, usize), pages: Option<(u32, u32)>) -> SectionRecord {
        SectionRecord {
            id: SectionId::derive("x", &[position.to_string()], 0),
            position,
            parent: None,
            level: 1,
            heading_path: vec![position.to_string()],
            lines: Lines {
                first: lines.0,
                last: lines.1,
            },
            pages: pages.map(|(first, last)| Pages { first, last }),
            tokens: 1,
            summary: None,
            content_hash: ContentHash::of(b""),
        }
    }

    /// A text of nine lines in three sections.
    const TEXT: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9";

    fn sections() -> Vec<SectionRecord> {
        vec![
            section(0, (1, 2), Some((1, 1))),
            section(1, (3, 6), Some((1, 3))),
            section(2, (7, 9), Some((4, 4))),
        ]
    }

    /// Reads a part of the text as a library does: the sections that are needed, and of these the
    /// part.
    fn read(part: &Part) -> Result<(Range<usize>, String, Lines)> {
        let place = place(&sections(), "x", Format::Text, part)?;
        let positions = place.positions.clone();
        let contents = ["1\n2\n", "3\n4\n5\n6\n", "7\n8\n9"];
        let text = contents[positions.clone()].concat();
        let passage = place.passage("x", &text, 0, None, &Characters)?;
        Ok((positions, passage.text, passage.lines))
    }

    #[test]
    fn lines_are_read_out_of_the_sections_that_hold_them() {
        let lines = |lines| read(&Part::Lines(lines)).unwrap();
        let of = |first, last| Lines { first, last };
        assert_eq!(lines(1..=1), (0..1, "1\n".into(), of(1, 1)));
        assert_eq!(lines(2..=3), (0..2, "2\n3\n".into(), of(2, 3)));
        assert_eq!(lines(4..=5), (1..2, "4\n5\n".into(), of(4, 5)));
        assert_eq!(lines(9..=9), (2..3, "9".into(), of(9, 9)));
        assert_eq!(lines(8..=usize::MAX), (2..3, "8\n9".into(), of(8, 9)));
        assert_eq!(lines(1..=9), (0..3, TEXT.into(), of(1, 9)));
    }

    #[test]
    fn pages_are_read_by_sections() {
        let pages = |pages| read(&Part::Pages(pages)).unwrap().0;
        assert_eq!(pages(1..=1), 0..2);
        assert_eq!(pages(2..=2), 1..2);
        assert_eq!(pages(3..=9), 1..3);
        assert_eq!(pages(4..=4), 2..3);
    }

    #[test]
    fn what_is_not_there_is_refused_with_how_much_there_is() {
        for (lines, said) in [
            (10..=12, " 10-12; it has 9"),
            (0..=3, " 0-3; it has 9"),
            (10..=10, " 10; it has 9"),
            (10..=usize::MAX, " 10-; it has 9"),
        ] {
            let error = read(&Part::Lines(lines)).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        for (pages, said) in [
            (5..=6, " 5-6; it has 4, numbered"),
            (0..=1, " 0-1; it has 4, numbered"),
            (5..=5, " 5; it has 4, numbered"),
            (5..=u32::MAX, " 5-; it has 4, numbered"),
        ] {
            let error = read(&Part::Pages(pages)).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        #[expect(clippy::reversed_empty_ranges, reason = "that is what is refused")]
        let reversed = [Part::Lines(4..=3), Part::Pages(4..=3)];
        assert!(reversed.iter().all(|part| read(part).is_err()));
        let pageless = [section(0, (1, 1), None)];
        let error = place(&pageless, "x", Format::Text, &Part::Pages(1..=1)).unwrap_err();
        assert_eq!(error.to_string(), "`x` has no pages; ask for lines");
        assert!(place(&[], "x", Format::Text, &Part::Lines(1..=1)).is_err());
    }

    #[test]
    fn a_heading_may_be_written_as_in_markdown() {
        let mut sections = sections();
        sections[0].heading_path = vec!["Start".into()];
        sections[1].heading_path = vec!["# Start".into()];
        sections[2].heading_path = vec!["#tag".into()];
        for (heading, expected) in [
            ("Start", Some(0)),
            ("## Start", Some(0)),
            ("# start", Some(1)),
            ("#tag", Some(2)),
            ("# #tag", Some(2)),
            ("#Start", None),
            ("tag", None),
        ] {
            let found = find_heading(&sections, "x", Format::Markdown, heading).ok();
            assert_eq!(found, expected, "{heading}");
        }
    }

    #[test]
    fn a_heading_may_hold_what_stands_between_headings() {
        let mut sections = sections();
        let path = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        sections[0].heading_path = path(&["Guide"]);
        sections[1].heading_path = path(&["Guide", "Install > now"]);
        sections[2].heading_path = path(&["Guide", "Install > now", "x > y"]);
        for (heading, expected) in [
            ("Install > now", Some(1)),
            ("guide  > install >  now", Some(1)),
            ("## Install > now", Some(1)),
            ("Install > now > x > y", Some(2)),
            ("now > x > y", None),
            ("now", None),
        ] {
            let found = find_heading(&sections, "x", Format::Markdown, heading).ok();
            assert_eq!(found, expected, "{heading}");
        }
        let error = find_heading(&sections, "x", Format::Markdown, "Instal > now").unwrap_err();
        assert!(error.to_string().contains("`Install > now`"), "{error}");
    }

    #[test]
    fn a_definition_is_found_by_its_name() {
        let paths: [&[&str]; 8] = [
            &["class Pool(Base)"],
            &[
                "class Pool(Base)",
                "def acquire(self, timeout: float = 1.0) -> Conn",
            ],
            &["func (s *Server[T]) Run(ctx context.Context) error"],
            &["void shapes::Circle::draw(int scale)"],
            &["impl<T> From<T> for Matrix<T>", "fn from(value: T) -> Self"],
            &["resource \"aws_vpc\" \"this\""],
            &["class Queue", "def acquire(self)"],
            &["def pool()"],
        ];
        let with_path = |(at, path): (usize, &&[&str])| SectionRecord {
            heading_path: path.iter().map(|&title| title.to_owned()).collect(),
            ..section(at, (at + 1, at + 1), None)
        };
        let sections: Vec<_> = paths.iter().enumerate().map(with_path).collect();
        let find = |heading| find_heading(&sections, "x", Format::Code, heading);
        for (heading, expected) in [
            ("Pool", Some(0)),
            ("Pool > acquire", Some(1)),
            ("Pool.acquire()", Some(1)),
            ("POOL::acquire", Some(1)),
            ("Run", Some(2)),
            ("Server.Run", Some(2)),
            ("Circle::draw", Some(3)),
            ("Matrix::from", Some(4)),
            ("Matrix<T>::from", Some(4)),
            ("aws_vpc.this", Some(5)),
            ("Queue#acquire", Some(6)),
            ("pool", Some(7)),
            ("acquir", None),
            ("Base", None),
            ("::", None),
        ] {
            assert_eq!(find(heading).ok(), expected, "{heading}");
        }
        let error = find("acquire").unwrap_err();
        assert!(
            matches!(error, Error::AmbiguousHeading { candidates, .. } if candidates.len() == 2)
        );
        let prose = find_heading(&sections, "x", Format::Markdown, "Run");
        assert!(matches!(prose, Err(Error::NoSuchHeading { .. })));
    }

    #[test]
    fn a_budget_is_kept_whatever_the_text() {
        let texts = [
            "one two. three four. five",
            "\n\n\n\n\n\n\n\n\n\n\n\nend",
            "ééééééééééééé",
            "🙂🙂🙂🙂🙂🙂",
        ];
        for text in texts {
            for max in 1..=30 {
                let first = first_tokens(text, max, &Characters).unwrap();
                let count = first.chars().count();
                assert!((1..=max).contains(&count), "{first:?} of {text:?} in {max}");
                assert!(text.starts_with(first));
            }
        }
        assert_eq!(first_tokens("", 3, &Characters).unwrap(), "");
        assert!(first_tokens("x", 0, &Characters).is_err());
        assert_eq!(
            first_tokens("One two. Three four.", 12, &Characters).unwrap(),
            "One two. "
        );
    }

    #[test]
    fn a_text_is_cut_where_it_must_be() {
        let text = "x".repeat(10_000);
        for max in [1, 2, 63, 64, 65, 4_095, 9_999, 10_000, 20_000] {
            assert_eq!(within(&text, max, &Characters).len(), max.min(10_000));
        }
    }
}
