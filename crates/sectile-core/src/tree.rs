//! The section tree in the forms that programs and language models read.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Document, Pages, Section, SectionId, SectionTree};

/// A document as a tree of nodes, one for each section.
///
/// The forms and field names are those of PageIndex: the full tree, the tree without text for a
/// prompt, and a flat map for looking a node up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentTree {
    /// The document's name.
    pub doc_name: String,
    /// The nodes without a parent.
    pub structure: Vec<TreeNode>,
}

/// A node of a [`DocumentTree`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TreeNode {
    /// The heading, or the document's name for text before the first heading.
    pub title: String,
    /// The number of the section in a depth-first walk, with at least four digits.
    pub node_id: String,
    /// The section's id, which, unlike the number, does not change if another part of the document
    /// changes.
    pub section_id: SectionId,
    /// The first page of the node and its descendants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_index: Option<u32>,
    /// The last page of the node and its descendants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_index: Option<u32>,
    /// The line at which the node begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_num: Option<usize>,
    /// A summary of the node and its descendants, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The node's own text, before the first of its children.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The children.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<TreeNode>,
}

/// The data of one section for a [`DocumentTree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionNode {
    /// The section's id.
    pub id: SectionId,
    /// The position of the parent, which is smaller than the section's own.
    pub parent: Option<usize>,
    /// The heading; `None` for text before the first heading.
    pub heading: Option<String>,
    /// The line at which it begins.
    pub line: usize,
    /// The pages of its own text.
    pub pages: Option<Pages>,
    /// Its summary.
    pub summary: Option<String>,
    /// Its own text.
    pub text: String,
}

impl DocumentTree {
    /// Makes the full tree of a document that was cut into `sections`.
    pub fn new(name: &str, document: &Document, sections: &SectionTree) -> Self {
        let node = |section: &Section| SectionNode {
            id: section.id,
            parent: section.parent,
            heading: section.heading.clone(),
            line: section.lines.first,
            pages: document.pages_of(section.span),
            summary: None,
            text: section.span.of(&document.text).to_owned(),
        };
        Self::of_sections(name, sections.sections.iter().map(node).collect())
    }

    /// Makes the full tree of a document from its sections, in order.
    pub fn of_sections(name: &str, sections: Vec<SectionNode>) -> Self {
        // Ids of one document have one width, so that they sort as their numbers do.
        let width = sections.len().to_string().len().max(4);
        let mut waiting: Vec<Vec<TreeNode>> = vec![Vec::new(); sections.len()];
        let mut structure = Vec::new();
        // Children stand after their parents: backwards, each node is complete when it is reached.
        for (position, section) in sections.into_iter().enumerate().rev() {
            let parent = section.parent;
            let mut node = TreeNode::new(name, section, format!("{position:0width$}"));
            node.adopt(std::mem::take(&mut waiting[position]));
            match parent {
                Some(parent) => waiting[parent].push(node),
                None => structure.push(node),
            }
        }
        structure.reverse();
        Self {
            doc_name: name.to_owned(),
            structure,
        }
    }

    /// Returns the tree with only titles, summaries and ids.
    #[must_use]
    pub fn without_text(mut self) -> Self {
        self.structure.iter_mut().for_each(TreeNode::strip);
        self
    }

    /// Returns the nodes without their children, by node id.
    pub fn node_map(self) -> BTreeMap<String, TreeNode> {
        let mut map = BTreeMap::new();
        let mut waiting = self.structure;
        while let Some(mut node) = waiting.pop() {
            waiting.append(&mut node.nodes);
            map.insert(node.node_id.clone(), node);
        }
        map
    }
}

impl TreeNode {
    /// Returns the place of the node: the pages of the node and its descendants, as in `p. 3-5`, or
    /// else the line at which it begins, as in `line 12`.
    pub fn place(&self) -> String {
        match (self.start_index.zip(self.end_index), self.line_num) {
            (Some((first, last)), _) => format!("p. {}", Pages { first, last }),
            (None, Some(line)) => format!("line {line}"),
            (None, None) => String::new(),
        }
    }

    fn new(name: &str, section: SectionNode, node_id: String) -> Self {
        Self {
            title: section.heading.unwrap_or_else(|| name.to_owned()),
            node_id,
            section_id: section.id,
            start_index: section.pages.map(|pages| pages.first),
            end_index: section.pages.map(|pages| pages.last),
            line_num: Some(section.line),
            summary: section.summary,
            text: Some(section.text),
            nodes: Vec::new(),
        }
    }

    /// Takes in its children, the last one first, with their pages.
    fn adopt(&mut self, mut children: Vec<Self>) {
        children.reverse();
        for child in &children {
            self.start_index = self.start_index.into_iter().chain(child.start_index).min();
            self.end_index = self.end_index.max(child.end_index);
        }
        self.nodes = children;
    }

    fn strip(&mut self) {
        self.start_index = None;
        self.end_index = None;
        self.line_num = None;
        self.text = None;
        self.nodes.iter_mut().for_each(Self::strip);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lines, Page, Span};

    fn sample() -> DocumentTree {
        let text = "abcd";
        let page = |number: u32, start| Page {
            number,
            label: None,
            span: Span::new(start, start + 2),
        };
        let section = |(at, parent): (usize, Option<usize>)| Section {
            id: SectionId::derive("d", &[at.to_string()], 0),
            parent,
            heading: (at > 0).then(|| format!("H{at}")),
            level: 1,
            span: Span::new(at, at + 1),
            lines: Lines { first: 1, last: 1 },
        };
        let parents = [None, None, Some(1), Some(1)];
        let sections = SectionTree {
            sections: parents.into_iter().enumerate().map(section).collect(),
        };
        let document = Document {
            text: text.into(),
            pages: vec![page(1, 0), page(2, 2)],
            ..Document::default()
        };
        DocumentTree::new("report", &document, &sections)
    }

    #[test]
    fn nodes_hold_their_own_text_and_the_pages_of_all_below() {
        let tree = sample();
        assert_eq!(tree.structure[0].title, "report");
        let parent = &tree.structure[1];
        assert_eq!((parent.start_index, parent.end_index), (Some(1), Some(2)));
        assert_eq!(parent.text.as_deref(), Some("b"));
        let children: Vec<_> = parent
            .nodes
            .iter()
            .map(|node| node.node_id.as_str())
            .collect();
        assert_eq!(children, ["0002", "0003"]);
    }

    #[test]
    fn the_tree_for_a_prompt_holds_titles_and_ids_alone() {
        let json = serde_json::to_value(sample().without_text()).unwrap();
        let node = &json["structure"][1]["nodes"][0];
        let mut keys: Vec<_> = node.as_object().unwrap().keys().collect();
        keys.sort_unstable();
        assert_eq!(keys, ["node_id", "section_id", "title"]);
    }

    #[test]
    fn the_tree_for_a_prompt_keeps_summaries() {
        let mut tree = sample();
        tree.structure[1].nodes[0].summary = Some("about H2".into());
        let json = serde_json::to_value(tree.without_text()).unwrap();
        assert_eq!(json["structure"][1]["nodes"][0]["summary"], "about H2");
    }

    #[test]
    fn the_node_map_holds_every_node_once() {
        let map = sample().node_map();
        assert_eq!(
            map.keys().collect::<Vec<_>>(),
            ["0000", "0001", "0002", "0003"]
        );
        assert!(map.values().all(|node| node.nodes.is_empty()));
    }
}
