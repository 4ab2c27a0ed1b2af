//! Sections, and the tree they form.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{Lines, SectionId, Span};

/// A section: a heading and its own text, before the first of its children.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The id, stable as long as the heading path and its occurrence are.
    pub id: SectionId,
    /// The position of the parent in the tree.
    pub parent: Option<usize>,
    /// The heading without markup; `None` for text before the first heading.
    pub heading: Option<String>,
    /// The heading's level, 1 to 6; 0 for text before the first heading.
    pub level: u8,
    /// The section's own text, heading line included.
    pub span: Span,
    /// The lines that the section's own text touches.
    pub lines: Lines,
}

/// The sections of one text in document order, each with its parent.
///
/// The spans of the sections, joined in order, are the text, without gaps or overlaps. The order is
/// a depth-first walk, so a section's descendants follow it directly.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionTree {
    /// The sections in document order; a section's position is its index.
    pub sections: Vec<Section>,
}

impl SectionTree {
    /// Returns the headings from the root down to the section at `position`, its own included.
    ///
    /// # Panics
    ///
    /// When there is no section at `position`.
    pub fn heading_path(&self, position: usize) -> Vec<&str> {
        let mut path: Vec<&str> = self
            .ancestors(position)
            .filter_map(|at| self.sections[at].heading.as_deref())
            .collect();
        path.reverse();
        path
    }

    /// Returns the positions from the section at `position` up to its root, itself first.
    pub fn ancestors(&self, position: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(position), |&at| self.sections[at].parent)
    }

    /// Returns the positions of the section at `position` and all its descendants.
    ///
    /// # Panics
    ///
    /// When there is no section at `position`.
    pub fn subtree(&self, position: usize) -> Range<usize> {
        subtree(&self.sections, position, |section| section.parent)
    }

    /// Returns the positions of the sections without a parent.
    pub fn roots(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.sections.len()).filter(|&at| self.sections[at].parent.is_none())
    }
}

/// Returns the positions of the section at `position` and all its descendants, in any list of
/// sections that are in the order of a depth-first walk and have the positions of their parents.
///
/// # Panics
///
/// When there is no section at `position`.
pub fn subtree<T>(
    sections: &[T],
    position: usize,
    parent: impl Fn(&T) -> Option<usize>,
) -> Range<usize> {
    let rest = &sections[position + 1..];
    let is_outside = |section: &T| parent(section).is_none_or(|parent| parent < position);
    let descendants = rest.iter().position(is_outside).unwrap_or(rest.len());
    position..position + 1 + descendants
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a tree from the parent of each section; headings are `s0`, `s1` and so on.
    fn tree(parents: &[Option<usize>]) -> SectionTree {
        let section = |(at, &parent): (usize, &Option<usize>)| Section {
            id: SectionId::derive("test", &[at.to_string()], 0),
            parent,
            heading: Some(format!("s{at}")),
            level: 1,
            span: Span::new(at, at + 1),
            lines: Lines { first: 1, last: 1 },
        };
        SectionTree {
            sections: parents.iter().enumerate().map(section).collect(),
        }
    }

    #[test]
    fn a_subtree_ends_where_the_next_sibling_begins() {
        let tree = tree(&[None, Some(0), Some(1), Some(0), None]);
        assert_eq!(tree.subtree(0), 0..4);
        assert_eq!(tree.subtree(1), 1..3);
        assert_eq!(tree.subtree(2), 2..3);
        assert_eq!(tree.subtree(4), 4..5);
        assert_eq!(tree.roots().collect::<Vec<_>>(), [0, 4]);
    }

    #[test]
    fn a_heading_path_runs_from_the_root() {
        let tree = tree(&[None, Some(0), Some(1)]);
        assert_eq!(tree.heading_path(2), ["s0", "s1", "s2"]);
    }
}
