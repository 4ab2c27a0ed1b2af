//! The headings of a text, those to cut at, and the parts between them.

use std::sync::Arc;

use sectile_core::{Heading, Span};

/// A part of a text that no chunk reaches over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The position of its heading among those to cut at, if it has one.
    pub(super) heading: Option<usize>,
    pub(super) span: Span,
}

/// The headings of a text, and which of them are to be cut at.
#[derive(Clone, Debug)]
pub(super) struct Headings {
    /// All headings, in the order of the text.
    outline: Vec<Heading>,
    /// The positions in `outline` of those to cut at.
    wanted: Vec<usize>,
    /// For each of `wanted` the nearest earlier one with a smaller level, by its position there.
    parents: Vec<Option<usize>>,
    /// The number of headings in `wanted` that enclose the text and come before it.
    above: usize,
}

impl Headings {
    /// Takes the outline of a text, behind that of the headings `above` it, and those headings to
    /// cut at whose levels are `wanted`.
    pub(super) fn new(outline: Vec<Heading>, above: usize, wanted: impl Fn(u8) -> bool) -> Self {
        let at_levels = outline
            .iter()
            .enumerate()
            .filter(|(_, heading)| wanted(heading.level));
        let wanted: Vec<usize> = at_levels.map(|(at, _)| at).collect();
        let mut open: Vec<usize> = Vec::new();
        let mut parents = Vec::with_capacity(wanted.len());
        for (at, &heading) in wanted.iter().enumerate() {
            let level = outline[heading].level;
            while open
                .pop_if(|above| outline[wanted[*above]].level >= level)
                .is_some()
            {}
            parents.push(open.last().copied());
            open.push(at);
        }
        Self {
            outline,
            wanted,
            parents,
            above,
        }
    }

    /// Returns the number of headings of the text to cut at.
    pub(super) fn len(&self) -> usize {
        self.wanted.len() - self.above
    }

    /// Returns the headings around the place `at` of the text.
    pub(super) fn around(&self, at: usize) -> Vec<Heading> {
        let mut open: Vec<&Heading> = Vec::new();
        let is_before = |index: &usize| *index < self.above || self.outline[*index].span.start < at;
        for heading in self.wanted.iter().take_while(|index| is_before(index)) {
            let heading = &self.outline[*heading];
            while open.pop_if(|above| above.level >= heading.level).is_some() {}
            open.push(heading);
        }
        let around = open.into_iter().map(|heading| Heading {
            span: Span::new(0, 0),
            ..heading.clone()
        });
        around.collect()
    }

    /// Returns a heading to cut at.
    pub(super) fn get(&self, at: usize) -> &Heading {
        &self.outline[self.wanted[at]]
    }

    /// Returns the last heading to cut at that begins at the place `at` of the text or before it.
    pub(super) fn over(&self, at: usize) -> Option<usize> {
        let begins = |heading: &usize| self.outline[*heading].span.start <= at;
        self.wanted.partition_point(begins).checked_sub(1)
    }

    pub(super) fn parent(&self, at: usize) -> Option<usize> {
        self.parents[at]
    }

    /// Returns the headings around a heading and the heading itself, outermost first.
    pub(super) fn path(&self, at: usize) -> Vec<&Heading> {
        let above = std::iter::successors(Some(at), |&at| self.parents[at]);
        let mut path: Vec<_> = above.map(|at| self.get(at)).collect();
        path.reverse();
        path
    }

    /// Returns the titles of the [path](Self::path).
    pub(super) fn titles(&self, at: usize) -> Arc<[String]> {
        self.path(at)
            .iter()
            .map(|heading| heading.title.clone())
            .collect()
    }

    /// Returns the span of `text` from a heading to the next one to cut at.
    pub(super) fn section(&self, at: usize, text: &str) -> Span {
        let next = self
            .wanted
            .get(at + 1)
            .map(|&next| self.outline[next].span.start);
        Span::new(self.get(at).span.start, next.unwrap_or(text.len()))
    }

    /// Returns all headings inside `span`.
    pub(super) fn within(&self, span: Span) -> &[Heading] {
        let outline = &self.outline[self.above..];
        let position = |place: usize| outline.partition_point(|heading| heading.span.start < place);
        &outline[position(span.start)..position(span.end)]
    }

    /// Returns the parts of `text`. Joined, they are the text.
    ///
    /// A section with nothing but a heading belongs to its first subsection, and white space before
    /// the first heading to that one's section.
    pub(super) fn parts(&self, text: &str) -> Vec<Part> {
        let mut parts = Vec::new();
        let intro = Span::new(0, self.section(self.above, text).start);
        let mut start = 0;
        if !is_blank(text, intro) {
            parts.push(Part {
                heading: None,
                span: intro,
            });
            start = intro.end;
        }
        for at in self.above..self.wanted.len() {
            let section = self.section(at, text);
            if section.is_empty() {
                continue;
            }
            let has_subsection = self.parents.get(at + 1) == Some(&Some(at));
            if has_subsection && is_blank(text, self.body(at, text)) {
                continue;
            }
            parts.push(Part {
                heading: Some(at),
                span: Span::new(start, section.end),
            });
            start = section.end;
        }
        parts
    }

    /// Returns the parts of `text` without the headings that are cut at, and no empty ones.
    pub(super) fn bodies(&self, text: &str) -> Vec<Part> {
        let intro = Part {
            heading: None,
            span: Span::new(0, self.section(self.above, text).start),
        };
        let sections = (self.above..self.wanted.len()).map(|at| Part {
            heading: Some(at),
            span: self.body(at, text),
        });
        let parts = std::iter::once(intro).chain(sections);
        parts.filter(|part| !is_blank(text, part.span)).collect()
    }

    /// Returns the span of a section without its heading.
    fn body(&self, at: usize, text: &str) -> Span {
        Span::new(self.get(at).span.end, self.section(at, text).end)
    }
}

/// Sorts headings by position and limits them to `text`, so that none overlaps the one before.
pub(super) fn apart(text: &str, outline: &[Heading]) -> Vec<Heading> {
    let mut headings = outline.to_vec();
    headings.sort_by_key(|heading| heading.span.start);
    let mut next = text.len();
    for heading in headings.iter_mut().rev() {
        let start = text.floor_char_boundary(heading.span.start).min(next);
        let end = text.floor_char_boundary(heading.span.end);
        heading.span = Span::new(start, end.clamp(start, next));
        heading.level = heading.level.clamp(1, 6);
        next = start;
    }
    headings
}

fn is_blank(text: &str, span: Span) -> bool {
    span.of(text).trim().is_empty()
}
