//! The trees of all documents in one list.

use std::borrow::Cow;
use std::fmt;

use sectile_core::{DocumentTree, SectionId, TreeNode};

use crate::prompt_text::{TokenCount, cut, quoted};

/// The name of an entry in prompts and answers, which no other entry has.
///
/// The nodes are numbered on over all documents, so those of a single document keep the ids they
/// have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Label {
    Document(usize),
    Node(usize),
}

/// Documents and nodes, each before what is below it.
#[derive(Debug)]
pub(super) struct Forest<'a> {
    pub(super) entries: Vec<Entry<'a>>,
}

/// A document or a node.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) label: Label,
    pub(super) document: usize,
    /// The section; a document is none.
    pub(super) section: Option<SectionId>,
    title: Cow<'a, str>,
    summary: Option<Cow<'a, str>>,
    /// How many entries it is below.
    pub(super) depth: usize,
    /// The index after the last entry below.
    pub(super) end: usize,
    /// The tokens of it alone, at least.
    pub(super) cost: usize,
}

/// How much of an entry is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// All; nothing is below.
    Leaf,
    /// Itself, and how much is below.
    Closed,
    /// Itself, and what is below in `nodes`.
    Open,
}

impl Label {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (digits, make): (_, fn(usize) -> Self) = match text.strip_prefix('d') {
            Some(digits) => (digits, Self::Document),
            None => (text, Self::Node),
        };
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.parse().ok().filter(|_| is_number)?;
        Some(make(number))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document(number) => write!(formatter, "d{number}"),
            Self::Node(number) => write!(formatter, "{number:04}"),
        }
    }
}

impl<'a> Forest<'a> {
    /// Lists documents with all their nodes, and counts the tokens of each.
    pub(super) fn new(documents: &'a [DocumentTree], count: TokenCount<'_>) -> Self {
        let mut forest = Self {
            entries: Vec::new(),
        };
        for (document, tree) in documents.iter().enumerate() {
            forest.push_document(document, tree);
        }
        for index in 0..forest.entries.len() {
            forest.weigh(index, count);
        }
        forest
    }

    // The stack is a list of its own, as a tree may be deeper than the thread's.
    fn push_document(&mut self, document: usize, tree: &'a DocumentTree) {
        let root = self.push(Entry::document(document, tree));
        let mut open = vec![(root, tree.structure.iter())];
        while let Some((index, nodes)) = open.last_mut() {
            if let Some(node) = nodes.next() {
                let number = self.entries.len() - document - 1;
                let child = self.push(Entry::node(document, number, open.len(), node));
                open.push((child, node.nodes.iter()));
            } else {
                self.entries[*index].end = self.entries.len();
                open.pop();
            }
        }
    }

    fn push(&mut self, entry: Entry<'a>) -> usize {
        self.entries.push(entry);
        self.entries.len() - 1
    }

    fn weigh(&mut self, index: usize, count: TokenCount<'_>) {
        let mut text = String::new();
        let shape = self.shape(index, 1);
        self.write_entry(index, shape, &mut text);
        // One more for each comma, and for what a counter that rounds leaves out.
        self.entries[index].cost = count(&text) + 2;
    }

    /// Cuts the titles and summaries of entries of more than `most` tokens.
    pub(super) fn shorten(&mut self, most: usize, count: TokenCount<'_>) {
        let count_quoted = |text: &str| count(&quoted(text));
        for index in 0..self.entries.len() {
            let entry = &mut self.entries[index];
            if entry.cost <= most {
                continue;
            }
            entry.title = shortened(&entry.title, most / 4, &count_quoted);
            if let Some(summary) = &entry.summary {
                entry.summary = Some(shortened(summary, most / 4, &count_quoted));
            }
            self.weigh(index, count);
        }
    }

    /// Returns the documents that have nodes.
    pub(super) fn documents(&self) -> Vec<usize> {
        let mut documents = Vec::new();
        let mut index = 0;
        while let Some(entry) = self.entries.get(index) {
            if entry.end > index + 1 {
                documents.push(index);
            }
            index = entry.end;
        }
        documents
    }

    /// Returns the entries directly below one.
    pub(super) fn children(&self, index: usize) -> impl Iterator<Item = usize> {
        let end = self.entries[index].end;
        let first = Some(index + 1).filter(|child| *child < end);
        std::iter::successors(first, move |child| {
            Some(self.entries[*child].end).filter(|next| *next < end)
        })
    }

    /// Returns how an entry is shown if `levels` of its levels are shown.
    pub(super) fn shape(&self, index: usize, levels: usize) -> Shape {
        match self.entries[index].end {
            end if end == index + 1 => Shape::Leaf,
            _ if levels <= 1 => Shape::Closed,
            _ => Shape::Open,
        }
    }

    /// Writes an entry; one that is open lacks what is below and `]}`.
    pub(super) fn write_entry(&self, index: usize, shape: Shape, text: &mut String) {
        let entry = &self.entries[index];
        let name = match entry.section {
            Some(_) => "title",
            None => "doc_name",
        };
        text.push('{');
        // A document that is open cannot be chosen.
        if entry.section.is_some() || shape == Shape::Closed {
            text.extend(["\"node_id\":\"", &entry.label.to_string(), "\","]);
        }
        text.extend(["\"", name, "\":", &quoted(&entry.title)]);
        if let Some(summary) = &entry.summary {
            text.extend([",\"summary\":", &quoted(summary)]);
        }
        match shape {
            Shape::Leaf => text.push('}'),
            Shape::Closed => {
                let hidden = entry.end - index - 1;
                text.extend([",\"hidden\":", &hidden.to_string(), "}"]);
            }
            Shape::Open => text.push_str(",\"nodes\":["),
        }
    }
}

impl<'a> Entry<'a> {
    fn document(document: usize, tree: &'a DocumentTree) -> Self {
        Self {
            label: Label::Document(document),
            document,
            section: None,
            title: Cow::Borrowed(&tree.doc_name),
            summary: None,
            depth: 0,
            end: 0,
            cost: 0,
        }
    }

    fn node(document: usize, number: usize, depth: usize, node: &'a TreeNode) -> Self {
        Self {
            label: Label::Node(number),
            document,
            section: Some(node.section_id),
            title: Cow::Borrowed(&node.title),
            summary: node.summary.as_deref().map(Cow::Borrowed),
            depth,
            end: 0,
            cost: 0,
        }
    }
}

fn shortened<'a>(text: &str, limit: usize, count: TokenCount<'_>) -> Cow<'a, str> {
    Cow::Owned(cut(text, limit, count).into_owned())
}
