//! Sections as large as a budget allows.

use std::collections::HashSet;

use sectile_core::{Heading, Section, SectionId, SectionTree, Span};

use super::{Grower, Grown};
use crate::position::Positions;
use crate::{Error, LongSentences, SentenceChunker, TokenCounter};

/// How to treat a section that is too large and has no heading to split at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Oversize {
    /// It is split at sentence ends.
    #[default]
    Split,
    /// It is an error.
    Error,
}

/// The options of [`sections`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionOptions {
    /// The largest section in tokens; 8192 by default.
    pub max_tokens: usize,
    /// How to treat a larger section without headings; it is split by default.
    pub oversize: Oversize,
    /// Whether the text is source code, which is split at blank lines and line ends; not by default.
    pub is_source_code: bool,
}

impl Default for SectionOptions {
    fn default() -> Self {
        Self {
            max_tokens: 8192,
            oversize: Oversize::Split,
            is_source_code: false,
        }
    }
}

impl SectionOptions {
    /// Sets the largest section in tokens.
    #[must_use]
    pub const fn with_max_tokens(mut self, max_tokens: usize) -> Self {
        self.max_tokens = max_tokens;
        self
    }

    /// Sets whether the text is source code, which is split at blank lines and line ends.
    #[must_use]
    pub const fn with_source_code(mut self, is_source_code: bool) -> Self {
        self.is_source_code = is_source_code;
        self
    }

    /// Sets how to treat a larger section without headings.
    #[must_use]
    pub const fn with_oversize(mut self, oversize: Oversize) -> Self {
        self.oversize = oversize;
        self
    }
}

/// Cuts `text` into sections as large as `options` allow.
///
/// A heading with everything under it is one section if it fits. If not, the heading and the text
/// up to its first child are a section, and the children are cut in the same way. A document that
/// fits is one section: its only root heading's if it starts with that, one of level 0 without a
/// heading if not. Joined in order, the sections are `text` again, byte for byte.
///
/// Sizes are sums over the sections of [`section_tree`](crate::section_tree), each counted once.
///
/// With [`Oversize::Split`] a section's own text that does not fit is cut at sentence ends into
/// several sections with the same heading, level and parent. The first keeps the id. The others'
/// ids are derived from the heading path with `part 2` and so on at its end, and the first
/// occurrence, from the section's own, that no other section has. Children hang under the last
/// part, so that descendants follow their ancestors directly.
///
/// # Errors
///
/// [`Error::InvalidConfig`] when `max_tokens` is 0, [`Error::SectionTooLarge`] under
/// [`Oversize::Error`].
///
/// ```
/// use sectile_chunk::{Heuristic, SectionOptions, markdown_outline, sections};
///
/// let text = "# Guide\n\n## Install\n\nRun the installer.\n\n## Use\n\nCall it.\n";
/// let options = SectionOptions::default().with_max_tokens(12);
/// let tree = sections("guide.md", text, &markdown_outline(text), &options, &Heuristic)?;
/// assert_eq!(tree.heading_path(1), ["Guide", "Install"]);
/// # Ok::<(), sectile_chunk::Error>(())
/// ```
pub fn sections(
    document: &str,
    text: &str,
    outline: &[Heading],
    options: &SectionOptions,
    counter: &dyn TokenCounter,
) -> Result<SectionTree, Error> {
    let splitter = SentenceChunker::new(options.max_tokens)?
        .with_overlap(0.0)?
        .with_long_sentences(LongSentences::Split)
        .with_source_code(options.is_source_code);
    let grown = Grower::new(document, text).grow(outline);
    let walk = Walk {
        document,
        text,
        positions: Positions::default(),
        options,
        counter,
        splitter,
        ids: grown
            .tree
            .sections
            .iter()
            .map(|section| section.id)
            .collect(),
        moved: vec![0; grown.tree.sections.len()],
        cut: SectionTree::default(),
    };
    walk.run(&grown, &Sizes::of(&grown.tree, text, counter))
}

/// Sizes in tokens of the sections of a tree.
struct Sizes {
    /// The size of each section's own text.
    own: Vec<usize>,
    /// The size of each section with its descendants.
    subtree: Vec<usize>,
    /// The size of the document.
    total: usize,
}

impl Sizes {
    fn of(tree: &SectionTree, text: &str, counter: &dyn TokenCounter) -> Self {
        let count = |section: &Section| counter.count(section.span.of(text));
        let own: Vec<usize> = tree.sections.iter().map(count).collect();
        let mut subtree = own.clone();
        for (at, section) in tree.sections.iter().enumerate().rev() {
            if let Some(parent) = section.parent {
                subtree[parent] += subtree[at];
            }
        }
        let total = own.iter().sum();
        Self {
            own,
            subtree,
            total,
        }
    }
}

/// A walk over a full tree that makes the cut one.
struct Walk<'a> {
    document: &'a str,
    text: &'a str,
    positions: Positions,
    options: &'a SectionOptions,
    counter: &'a dyn TokenCounter,
    splitter: SentenceChunker,
    /// The ids that are taken.
    ids: HashSet<SectionId>,
    /// The position in the cut tree of each section of the full one.
    moved: Vec<usize>,
    cut: SectionTree,
}

impl Walk<'_> {
    fn run(mut self, grown: &Grown, sizes: &Sizes) -> Result<SectionTree, Error> {
        let several_roots = grown.tree.roots().nth(1).is_some();
        if several_roots && sizes.total <= self.options.max_tokens {
            return Ok(self.whole());
        }
        let mut at = 0;
        while at < sizes.own.len() {
            if sizes.subtree[at] <= self.options.max_tokens {
                at = self.keep_subtree(grown, at);
            } else {
                self.keep_own(grown, at, sizes.own[at])?;
                at += 1;
            }
        }
        Ok(self.cut)
    }

    /// Makes one section without a heading of the document.
    fn whole(mut self) -> SectionTree {
        let span = Span::new(0, self.text.len());
        let lines = self.positions.lines(self.text, span);
        self.cut.sections.push(Section {
            id: SectionId::derive::<&str>(self.document, &[], 0),
            parent: None,
            heading: None,
            level: 0,
            span,
            lines,
        });
        self.cut
    }

    /// Makes one section of a subtree and returns the position after it.
    fn keep_subtree(&mut self, grown: &Grown, at: usize) -> usize {
        let sections = &grown.tree.sections;
        let after = grown.tree.subtree(at).end;
        let span = Span::new(sections[at].span.start, sections[after - 1].span.end);
        self.push(grown, at, span);
        after
    }

    /// Makes one section of a section's own text, or several if it does not fit.
    fn keep_own(&mut self, grown: &Grown, at: usize, tokens: usize) -> Result<(), Error> {
        if tokens <= self.options.max_tokens {
            self.push(grown, at, grown.tree.sections[at].span);
            return Ok(());
        }
        match self.options.oversize {
            Oversize::Split => self.push_parts(grown, at),
            Oversize::Error => return Err(self.too_large(&grown.tree, at, tokens)),
        }
        Ok(())
    }

    fn push(&mut self, grown: &Grown, at: usize, span: Span) {
        let section = &grown.tree.sections[at];
        let lines = self.positions.lines(self.text, span);
        let parent = section.parent.map(|parent| self.moved[parent]);
        self.moved[at] = self.cut.sections.len();
        self.cut.sections.push(Section {
            parent,
            span,
            lines,
            ..section.clone()
        });
    }

    fn push_parts(&mut self, grown: &Grown, at: usize) {
        let whole = grown.tree.sections[at].span;
        let parts = self.splitter.chunks(whole.of(self.text), self.counter);
        for part in parts {
            self.push(grown, at, part.span.shifted(whole.start));
            if part.index > 0 {
                let id = self.part_id(grown, at, part.index + 1);
                self.cut.sections[self.moved[at]].id = id;
            }
        }
    }

    /// Derives an id that no other section has for the `number`-th part of a section.
    fn part_id(&mut self, grown: &Grown, at: usize, number: usize) -> SectionId {
        let name = format!("part {number}");
        let mut path = grown.tree.heading_path(at);
        path.push(&name);
        let first = grown.occurrences[at];
        let ids = (first..).map(|occurrence| SectionId::derive(self.document, &path, occurrence));
        let mut fresh = ids.filter(|&id| self.ids.insert(id));
        fresh.next().expect("finitely many ids are taken")
    }

    fn too_large(&self, tree: &SectionTree, at: usize, tokens: usize) -> Error {
        let path = tree.heading_path(at);
        Error::SectionTooLarge {
            heading_path: path.into_iter().map(String::from).collect(),
            tokens,
            max_tokens: self.options.max_tokens,
            line: tree.sections[at].lines.first,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Characters;

    fn cut(text: &str, max_tokens: usize) -> SectionTree {
        let options = SectionOptions::default().with_max_tokens(max_tokens);
        let outline = crate::markdown_outline(text);
        sections("doc", text, &outline, &options, &Characters).unwrap()
    }

    fn shape<'a>(tree: &SectionTree, text: &'a str) -> Vec<(u8, Option<usize>, &'a str)> {
        let row = |section: &Section| (section.level, section.parent, section.span.of(text));
        tree.sections.iter().map(row).collect()
    }

    #[test]
    fn a_document_that_fits_is_one_section() {
        let one_root = cut("# A\n## B\n", 100);
        assert_eq!(one_root.sections.len(), 1);
        assert_eq!(one_root.sections[0].heading.as_deref(), Some("A"));
        let two_roots = cut("# A\n# B\n", 100);
        assert_eq!(two_roots.sections.len(), 1);
        let whole = &two_roots.sections[0];
        assert_eq!((whole.level, &whole.heading), (0, &None));
        assert_eq!(cut("", 1), SectionTree::default());
    }

    #[test]
    fn what_fits_stays_whole_and_what_does_not_recurses() {
        let text = "# A\na\n## B\nb\n### C\nc\n## D\n### E\neeee\n### F\nffff\n";
        let expected = [
            (1, None, "# A\na\n"),
            (2, Some(0), "## B\nb\n### C\nc\n"),
            (2, Some(0), "## D\n"),
            (3, Some(2), "### E\neeee\n"),
            (3, Some(2), "### F\nffff\n"),
        ];
        assert_eq!(shape(&cut(text, 18), text), expected);
    }

    #[test]
    fn a_section_without_headings_is_split_at_sentences() {
        let text = "# A\nOne is here. Two is here.\n## B\nb\n";
        let tree = cut(text, 18);
        let expected = [
            (1, None, "# A\nOne is here. "),
            (1, None, "Two is here.\n"),
            (2, Some(1), "## B\nb\n"),
        ];
        assert_eq!(shape(&tree, text), expected);
        let second = SectionId::derive("doc", &["A", "part 2"], 0);
        assert_eq!(tree.sections[1].id, second);
        assert_eq!(tree.heading_path(2), ["A", "B"]);
        assert_eq!(tree.subtree(1), 1..3);
    }

    #[test]
    fn part_ids_do_not_collide_with_headings() {
        let text = "# A\nOne is here. Two is here.\n## part 2\nb\n";
        let tree = cut(text, 18);
        let ids: HashSet<_> = tree.sections.iter().map(|section| section.id).collect();
        assert_eq!((ids.len(), tree.sections.len()), (3, 3));
    }

    #[test]
    fn an_oversize_section_is_an_error_on_request() {
        let text = "# A\n\n## B\nmuch too long\n";
        let options = SectionOptions::default()
            .with_max_tokens(12)
            .with_oversize(Oversize::Error);
        let outline = crate::markdown_outline(text);
        let error = sections("doc", text, &outline, &options, &Characters).unwrap_err();
        let expected = "section `A > B` at line 3 has 19 tokens and no headings to split at; \
                        the limit is 12";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn a_limit_of_0_is_an_error() {
        let options = SectionOptions::default().with_max_tokens(0);
        assert!(sections("doc", "a", &[], &options, &Characters).is_err());
    }
}
