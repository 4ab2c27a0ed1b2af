//! Which keys of YAML are headings.

use std::iter;

use sectile_core::{Heading, Span};

use super::lines::{Entry, Line, Reader};

/// How deep headings go, besides the one of a document.
const MAX_DEPTH: u8 = 3;

/// How long the lines below a heading are together; at the first level all count.
const SECTION_FROM: usize = 160;

/// How long short keys in a row are together that have one heading.
const ROW_UP_TO: usize = 1_200;

/// How long a title may be in characters.
const MAX_TITLE: usize = 120;

/// What names an element of a list.
const NAMES: [&str; 5] = ["name", "title", "id", "key", "hosts"];

/// What is found in a text.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) outline: Vec<Heading>,
    /// The name of the only document.
    pub(super) title: Option<String>,
}

/// Finds the headings of a YAML text.
pub(super) fn find(text: &str) -> Found {
    let mut documents = Scan::new(text).run();
    documents.retain(|document| !document.nodes.is_empty());
    let base = u8::from(documents.len() > 1);
    let mut found = Found::default();
    for (index, document) in documents.iter().enumerate() {
        if base > 0 {
            let title = document
                .name()
                .unwrap_or_else(|| format!("document {}", index + 1));
            let first_line = line_end(text, document.start);
            found.outline.push(Heading {
                level: 1,
                title,
                span: Span::new(document.start, first_line),
            });
        } else {
            found.title = document.name();
        }
        document.headings(base, &mut found.outline);
    }
    found
}

fn line_end(text: &str, at: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |end| at + end + 1)
}

/// A key or an element near the top of a document.
#[derive(Debug)]
struct Node {
    parent: Option<usize>,
    depth: u8,
    /// Its line, and the comment above it.
    span: Span,
    /// Where what is below it ends.
    end: usize,
    key: Option<String>,
    /// The text on its line.
    value: String,
    /// How many elements of the same list stand before it.
    index: usize,
    children: usize,
}

/// A node that is a heading, and the short keys behind it that stand below this heading, too.
#[derive(Debug)]
struct Chosen {
    at: usize,
    beside: Vec<usize>,
}

/// What was chosen right below a node.
#[derive(Clone, Debug, Default)]
struct Below {
    /// Whether there is a heading already, or all elements are headings as one of them is large.
    has_heading: bool,
    /// The place among those chosen of the heading that short keys go on with.
    row: Option<usize>,
}

#[derive(Debug)]
struct Tree {
    start: usize,
    nodes: Vec<Node>,
}

impl Tree {
    /// Returns what a document calls itself: `kind/name` for a Kubernetes resource.
    fn name(&self) -> Option<String> {
        let value = |depth: u8, key: &str, parent: Option<&str>| {
            let found = self.nodes.iter().take(200).find(|node| {
                let above = node.parent.and_then(|at| self.nodes[at].key.as_deref());
                node.depth == depth && node.key.as_deref() == Some(key) && above == parent
            })?;
            (!found.value.is_empty()).then(|| found.value.clone())
        };
        let kind = value(1, "kind", None);
        let name = value(2, "name", Some("metadata"));
        match (kind, name) {
            (Some(kind), Some(name)) => Some(format!("{kind}/{name}")),
            (kind, _) => value(1, "title", None)
                .or_else(|| value(2, "title", Some("info")))
                .or_else(|| value(1, "name", None))
                .or(kind),
        }
    }

    /// Adds the headings, whose levels begin below `base`.
    fn headings(&self, base: u8, outline: &mut Vec<Heading>) {
        let names = self.names();
        let title = |at: usize| {
            let node = &self.nodes[at];
            let name = node.key.clone().or_else(|| names[at].clone());
            name.unwrap_or_else(|| format!("[{}]", node.index))
        };
        for Chosen { at, beside } in self.choose() {
            let titles: Vec<String> = iter::once(at).chain(beside).map(title).collect();
            let node = &self.nodes[at];
            outline.push(Heading {
                level: base + node.depth,
                title: short(&titles.join(", ")),
                span: node.span,
            });
        }
    }

    /// Chooses the nodes that are headings: those with enough below them, and what follows one beside
    /// it, which would else stand below it. Short keys in a row there have one heading.
    fn choose(&self) -> Vec<Chosen> {
        let mut chosen: Vec<Chosen> = Vec::new();
        let mut is_heading = vec![false; self.nodes.len()];
        let mut below = vec![Below::default(); self.nodes.len() + 1];
        let of = |parent: Option<usize>| parent.map_or(0, |at| at + 1);
        for node in self
            .nodes
            .iter()
            .filter(|node| node.key.is_none() && node.is_large())
        {
            below[of(node.parent)].has_heading = true;
        }
        for (at, node) in self.nodes.iter().enumerate() {
            let siblings = &mut below[of(node.parent)];
            let is_open = node.parent.is_none_or(|parent| is_heading[parent]);
            let may_be = node.depth <= MAX_DEPTH && is_open;
            if !(may_be && (node.is_large() || siblings.has_heading)) {
                continue;
            }
            let is_short =
                node.key.is_some() && !node.is_large() && node.end - node.span.start < SECTION_FROM;
            let fits = |row: &usize| {
                is_short && node.end - self.nodes[chosen[*row].at].span.start <= ROW_UP_TO
            };
            if let Some(row) = siblings.row.filter(fits) {
                chosen[row].beside.push(at);
                continue;
            }
            is_heading[at] = true;
            *siblings = Below {
                has_heading: true,
                row: is_short.then_some(chosen.len()),
            };
            chosen.push(Chosen {
                at,
                beside: Vec::new(),
            });
        }
        chosen
    }

    /// Returns for each element of a list what its own keys call it.
    fn names(&self) -> Vec<Option<String>> {
        let mut names: Vec<(usize, Option<String>)> = vec![(usize::MAX, None); self.nodes.len()];
        for node in &self.nodes {
            let (Some(parent), Some(key)) = (node.parent, &node.key) else {
                continue;
            };
            let rank = NAMES.iter().position(|name| name == key);
            if let Some(rank) =
                rank.filter(|rank| *rank < names[parent].0 && !node.value.is_empty())
            {
                names[parent] = (rank, Some(node.value.clone()));
            }
        }
        names.into_iter().map(|(_, name)| name).collect()
    }
}

impl Node {
    fn is_large(&self) -> bool {
        let from = if self.depth == 1 && self.key.is_some() {
            0
        } else {
            SECTION_FROM
        };
        self.children > 0 && self.end - self.span.start >= from
    }
}

/// Reads the documents of a text.
struct Scan<'a> {
    text: &'a str,
    documents: Vec<Tree>,
    /// The nodes that are open: their indentation, whether they are elements, and their place.
    open: Vec<(usize, bool, Option<usize>)>,
    /// Where the comment right above the line begins, and its indentation.
    comment: Option<usize>,
    at: usize,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            documents: vec![Tree {
                start: 0,
                nodes: Vec::new(),
            }],
            open: Vec::new(),
            comment: None,
            at: 0,
        }
    }

    fn run(mut self) -> Vec<Tree> {
        let mut reader = Reader::default();
        for line in self.text.split_inclusive('\n') {
            let span = Span::new(self.at, self.at + line.len());
            match reader.read(line) {
                Line::Mark => self.mark(span),
                Line::Blank => self.comment = None,
                Line::Comment => self.comment = self.comment.or(Some(span.start)),
                Line::Entries(entries) => {
                    self.see(&entries, span);
                    self.comment = None;
                }
            }
            self.at = span.end;
        }
        self.close(0);
        self.documents
    }

    /// Begins another document.
    fn mark(&mut self, span: Span) {
        self.close(0);
        self.comment = None;
        let last = self.documents.last_mut().expect("there is always one");
        if last.nodes.is_empty() {
            last.start = span.start;
        } else {
            self.documents.push(Tree {
                start: span.start,
                nodes: Vec::new(),
            });
        }
    }

    /// Closes the nodes from this one on: what is below them ends here.
    fn close(&mut self, from: usize) {
        let end = self.comment.unwrap_or(self.at);
        for (_, _, node) in self.open.drain(from..) {
            let document = self.documents.last_mut().expect("there is always one");
            if let Some(node) = node {
                document.nodes[node].end = end;
            }
        }
    }

    fn see(&mut self, entries: &[Entry<'a>], line: Span) {
        for (place, entry) in entries.iter().enumerate() {
            let is_element = entry.key.is_none();
            let is_outside = |&(indent, other, _): &(usize, bool, Option<usize>)| {
                // The elements of a list may stand right below its key.
                indent > entry.indent || indent == entry.indent && (other || !is_element)
            };
            let from = self
                .open
                .iter()
                .position(is_outside)
                .unwrap_or(self.open.len());
            self.close(from);
            let start = self.comment.filter(|_| place == 0).unwrap_or(line.start);
            let node = self.add(entry, Span::new(start, line.end));
            self.open.push((entry.indent, is_element, node));
        }
    }

    /// Keeps a node where it may be a heading, or name one.
    fn add(&mut self, entry: &Entry<'a>, span: Span) -> Option<usize> {
        let depth = u8::try_from(self.open.len() + 1).ok()?;
        if depth > MAX_DEPTH + 1 {
            return None;
        }
        let parent = self.open.last().and_then(|(_, _, node)| *node);
        let nodes = &mut self
            .documents
            .last_mut()
            .expect("there is always one")
            .nodes;
        let index = parent.map_or(0, |parent| {
            nodes[parent].children += 1;
            nodes[parent].children - 1
        });
        let (key, value) = entry
            .key
            .map_or((None, ""), |(key, value)| (Some(name_of(key)), value));
        nodes.push(Node {
            parent,
            depth,
            span,
            end: span.end,
            key,
            value: short(&unquoted(
                value.split(" #").next().unwrap_or_default().trim(),
            )),
            index,
            children: 0,
        });
        Some(nodes.len() - 1)
    }
}

/// Returns what a key is called: without its quotes, unless nothing is in them.
fn name_of(key: &str) -> String {
    let name = unquoted(key);
    if name.is_empty() { key.into() } else { name }
}

/// Leaves out the quotes round a key or a value.
fn unquoted(text: &str) -> String {
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text).into()
}

fn short(text: &str) -> String {
    text.chars().take(MAX_TITLE).collect()
}
