//! The headings of a document as a tree, as much of it as a reader can use at once.

use std::collections::BTreeSet;

use sectile::StoredDocument;
use sectile::store::SectionRecord;

use crate::address::Address;
use crate::picture::Branch;
use crate::write::count;

/// The maximum number of headings that are all shown.
const ALL: usize = 300;

/// How many headings of one parent are shown on each side of the one that is open.
const BESIDE: usize = 60;

/// Draws the tree of a document's headings, opened at the section `here`. If there are many
/// headings, those that are not next to it or above it link to a tree that is opened there.
pub(crate) fn outline(
    stored: &StoredDocument,
    here: usize,
    link: &dyn Fn(&SectionRecord) -> Address,
) -> Vec<Branch> {
    let sections = &stored.sections;
    let parent = |&at: &usize| sections.get(at).and_then(|section| section.parent);
    let mut children = vec![Vec::new(); sections.len()];
    let mut roots = Vec::new();
    for section in sections {
        let siblings = section.parent.and_then(|parent| children.get_mut(parent));
        siblings.unwrap_or(&mut roots).push(section.position);
    }
    let outline = Outline {
        sections,
        children,
        above: std::iter::successors(Some(here), parent).collect(),
        here,
        link,
    };
    outline.branches(&roots)
}

struct Outline<'a> {
    sections: &'a [SectionRecord],
    children: Vec<Vec<usize>>,
    /// The shown section with its ancestors.
    above: BTreeSet<usize>,
    here: usize,
    link: &'a dyn Fn(&SectionRecord) -> Address,
}

impl Outline<'_> {
    fn branches(&self, positions: &[usize]) -> Vec<Branch> {
        let (first, last) = self.near(positions);
        let shown = positions[first..last].iter();
        let mut branches = Vec::with_capacity(last - first + 2);
        if let Some(before) = first.checked_sub(1) {
            branches.push(self.rest(positions[before], first));
        }
        branches.extend(shown.map(|&position| self.branch(position)));
        if let Some(&after) = positions.get(last) {
            branches.push(self.rest(after, positions.len() - last));
        }
        branches
    }

    /// Returns which of the children of one parent are shown.
    fn near(&self, positions: &[usize]) -> (usize, usize) {
        if self.sections.len() <= ALL {
            return (0, positions.len());
        }
        let is_open = |position: &usize| self.above.contains(position);
        let open = positions.iter().position(is_open).unwrap_or(0);
        let first = open.saturating_sub(BESIDE);
        (first, (open + BESIDE).min(positions.len()))
    }

    fn branch(&self, position: usize) -> Branch {
        let children = &self.children[position];
        let is_open = self.above.contains(&position);
        let is_drawn = is_open || self.sections.len() <= ALL;
        Branch {
            children: if is_drawn {
                self.branches(children)
            } else {
                Vec::new()
            },
            hidden: if is_drawn { 0 } else { children.len() },
            is_open: is_open || self.sections[position].level <= 1,
            is_here: position == self.here,
            ..self.bare(position)
        }
    }

    fn bare(&self, position: usize) -> Branch {
        let section = &self.sections[position];
        let title = section.heading_path.last().filter(|_| section.level > 0);
        Branch {
            title: title
                .cloned()
                .unwrap_or_else(|| "Before the first heading".to_owned()),
            place: count(section.tokens),
            share: None,
            link: Some((self.link)(section)),
            summary: None,
            is_open: false,
            is_here: false,
            children: Vec::new(),
            hidden: 0,
        }
    }

    /// Links to the headings that are left out.
    fn rest(&self, position: usize, more: usize) -> Branch {
        Branch {
            title: format!("… {} more", count(more)),
            place: String::new(),
            ..self.bare(position)
        }
    }
}
