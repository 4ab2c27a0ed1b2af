//! Text to sections.

use std::collections::HashMap;

use sectile_core::{Heading, Section, SectionId, SectionTree, Span};

use crate::position::Positions;

mod adaptive;

pub use adaptive::{Oversize, SectionOptions, sections};

/// Cuts `text` at every heading of `outline`.
///
/// Joined in order, the sections are `text` again, byte for byte. Text before the first heading
/// is a section of level 0 without a heading. The parent of a section is the nearest earlier one
/// with a smaller level, even if levels are skipped. `document` is the document's natural key; a
/// section's id is [derived](SectionId::derive) from it, the heading path and the number of earlier
/// sections with that path.
///
/// Headings may come from PDF bookmarks: those that start at the same place, out of order or
/// beyond the end are put in order and moved into the text. Only then are sections empty.
///
/// ```
/// let text = "Hello.\n# A\n## B\n";
/// let tree = sectile_chunk::section_tree("a.md", text, &sectile_chunk::markdown_outline(text));
/// assert_eq!(tree.heading_path(2), ["A", "B"]);
/// assert_eq!(tree.sections[1].span.of(text), "# A\n");
/// ```
pub fn section_tree(document: &str, text: &str, outline: &[Heading]) -> SectionTree {
    Grower::new(document, text).grow(outline).tree
}

/// A tree, with how many earlier sections share the heading path of each section.
struct Grown {
    tree: SectionTree,
    occurrences: Vec<usize>,
}

/// Builds a tree section by section, in the order of the text.
struct Grower<'a> {
    document: &'a str,
    text: &'a str,
    positions: Positions,
    /// The open sections, which can be parents of the next heading, outermost first.
    open: Vec<usize>,
    /// How many sections so far have each heading path.
    seen: HashMap<Vec<String>, usize>,
    grown: Grown,
}

impl<'a> Grower<'a> {
    fn new(document: &'a str, text: &'a str) -> Self {
        Self {
            document,
            text,
            positions: Positions::default(),
            open: Vec::new(),
            seen: HashMap::new(),
            grown: Grown {
                tree: SectionTree::default(),
                occurrences: Vec::new(),
            },
        }
    }

    fn grow(mut self, outline: &[Heading]) -> Grown {
        if self.text.is_empty() {
            return self.grown;
        }
        let starts = self.starts(outline);
        let ends = starts.iter().skip(1).map(|&(start, _)| start);
        let ends: Vec<usize> = ends.chain([self.text.len()]).collect();
        let intro = starts.first().map_or(self.text.len(), |&(start, _)| start);
        if intro > 0 {
            self.push(None, Span::new(0, intro));
        }
        for ((start, heading), end) in starts.into_iter().zip(ends) {
            self.push(Some(heading), Span::new(start, end));
        }
        self.grown
    }

    /// Returns the headings in the order of the text, each with a start inside it.
    fn starts<'h>(&self, outline: &'h [Heading]) -> Vec<(usize, &'h Heading)> {
        let boundary = |heading: &Heading| self.text.floor_char_boundary(heading.span.start);
        let mut starts: Vec<_> = outline
            .iter()
            .map(|heading| (boundary(heading), heading))
            .collect();
        starts.sort_by_key(|&(start, _)| start);
        starts
    }

    fn push(&mut self, heading: Option<&Heading>, span: Span) {
        let level = heading.map_or(0, |heading| heading.level);
        let sections = &self.grown.tree.sections;
        while self
            .open
            .pop_if(|at| sections[*at].level >= level)
            .is_some()
        {}
        let parent = self.open.last().copied();
        let path = self.path(heading);
        let id = self.identify(&path);
        let lines = self.positions.lines(self.text, span);
        // Text before the first heading is nobody's parent.
        self.open
            .extend(heading.map(|_| self.grown.tree.sections.len()));
        self.grown.tree.sections.push(Section {
            id,
            parent,
            heading: heading.map(|heading| heading.title.clone()),
            level,
            span,
            lines,
        });
    }

    fn path(&self, heading: Option<&Heading>) -> Vec<String> {
        let titles = self
            .open
            .iter()
            .map(|&at| self.grown.tree.sections[at].heading.clone());
        let own = heading.map(|heading| heading.title.clone());
        titles.flatten().chain(own).collect()
    }

    /// Derives the id of the next section with this heading path.
    fn identify(&mut self, path: &[String]) -> SectionId {
        let count = self.seen.entry(path.to_vec()).or_default();
        let occurrence = *count;
        *count += 1;
        self.grown.occurrences.push(occurrence);
        SectionId::derive(self.document, path, occurrence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(level: u8, title: &str, start: usize) -> Heading {
        Heading {
            level,
            title: title.into(),
            span: Span::new(start, start),
        }
    }

    fn tree(text: &str) -> SectionTree {
        section_tree("doc", text, &crate::markdown_outline(text))
    }

    fn parents(tree: &SectionTree) -> Vec<Option<usize>> {
        tree.sections.iter().map(|section| section.parent).collect()
    }

    #[test]
    fn an_empty_text_has_no_sections() {
        assert_eq!(tree(""), SectionTree::default());
    }

    #[test]
    fn text_before_the_first_heading_is_a_root_of_level_0() {
        let tree = tree("intro\n\n# A\ntext\n");
        assert_eq!(
            (tree.sections[0].level, &tree.sections[0].heading),
            (0, &None)
        );
        assert_eq!(parents(&tree), [None, None]);
        assert_eq!(
            tree.sections[1].lines,
            sectile_core::Lines { first: 3, last: 4 }
        );
    }

    #[test]
    fn a_level_jump_hangs_under_the_nearest_smaller_level() {
        let tree = tree("# A\n### B\n## C\n###### D\n# E\n");
        assert_eq!(parents(&tree), [None, Some(0), Some(0), Some(2), None]);
        assert_eq!(tree.heading_path(3), ["A", "C", "D"]);
    }

    #[test]
    fn repeated_paths_have_ids_by_occurrence() {
        let tree = tree("# A\n# A\n## B\n# A\n## B\n");
        let ids: Vec<_> = tree.sections.iter().map(|section| section.id).collect();
        assert_eq!(ids[1], SectionId::derive("doc", &["A"], 1));
        assert_eq!(ids[4], SectionId::derive("doc", &["A", "B"], 1));
    }

    #[test]
    fn an_edit_elsewhere_leaves_ids_alone() {
        let (before, after) = (
            tree("# A\n# B\ntext\n"),
            tree("# New\nmore\n# A\n# B\ntext\n"),
        );
        assert_eq!(before.sections[1].id, after.sections[2].id);
    }

    #[test]
    fn bookmarks_may_be_unordered_equal_or_beyond_the_end() {
        let text = "aé bc";
        let outline = [
            heading(1, "End", 99),
            heading(2, "Mid", 2),
            heading(1, "Same", 1),
        ];
        let tree = section_tree("doc", text, &outline);
        let spans: Vec<_> = tree
            .sections
            .iter()
            .map(|section| section.span.of(text))
            .collect();
        assert_eq!(spans, ["a", "", "é bc", ""]);
        let titles: Vec<_> = tree
            .sections
            .iter()
            .flat_map(|section| &section.heading)
            .collect();
        assert_eq!(titles, ["Mid", "Same", "End"]);
    }
}
