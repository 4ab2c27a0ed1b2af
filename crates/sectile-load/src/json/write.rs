//! A tree of values as Markdown.

use sectile_core::{Heading, Span};

use super::scan::{Kind, Tree};
use super::{strings, table};

/// How deep sections go.
const MAX_LEVEL: u8 = 3;

/// How long a value is, as it is written, that has a section; at the first level all but the
/// shortest have.
const SECTION_FROM: usize = 160;
const FIRST_SECTION_FROM: usize = 60;

/// How long an array or object may be that stands on one line.
const LINE_UP_TO: usize = 100;

/// How deep lines are indented; what is deeper stands on one line.
const MAX_INDENT: usize = 16;

/// What names an element of an array.
const NAMES: [&str; 6] = ["name", "title", "id", "Name", "Title", "key"];

/// A text with its outline.
pub(super) struct Written {
    pub(super) text: String,
    pub(super) outline: Vec<Heading>,
    /// How many characters of it could not be read.
    pub(super) replaced: usize,
}

/// A value that stands at the top, and what it is called where it has no name.
pub(super) struct Value<'t, 'a> {
    pub(super) tree: &'t Tree<'a>,
    pub(super) node: usize,
    pub(super) place: String,
}

/// What a list of values is written as.
#[derive(Clone, Copy)]
struct List {
    level: u8,
    /// Whether the values that have a section are written, or the others.
    sections: bool,
}

pub(super) struct Writer {
    text: String,
    outline: Vec<Heading>,
    replaced: usize,
    limit: usize,
    /// Whether the next line goes on behind the dash of an element.
    behind_dash: bool,
}

impl Writer {
    /// Makes a writer that stops at `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            text: String::new(),
            outline: Vec::new(),
            replaced: 0,
            limit,
            behind_dash: false,
        }
    }

    /// Returns what was written; nothing when it is too long.
    pub(super) fn finish(mut self) -> Option<Written> {
        if self.is_full() {
            return None;
        }
        self.text.truncate(self.text.trim_end().len());
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        Some(Written {
            text: self.text,
            outline: self.outline,
            replaced: self.replaced,
        })
    }

    fn is_full(&self) -> bool {
        self.text.len() > self.limit
    }

    /// Writes all values of a text: one as it is, several each with a section.
    pub(super) fn write_all(&mut self, tree: &Tree<'_>) {
        let is_value = |&at: &usize| tree.node(at).kind != Kind::Comment;
        let count = tree.roots().filter(is_value).count();
        let mut number = 0;
        for root in tree.roots() {
            match tree.node(root).kind {
                Kind::Comment => self.comment(tree, root, 0),
                _ if count == 1 => self.body(tree, root, 0),
                _ => {
                    number += 1;
                    self.top(Value {
                        tree,
                        node: root,
                        place: format!("value {number}"),
                    });
                }
            }
        }
    }

    /// Writes a value in a section of its own.
    pub(super) fn top(&mut self, value: Value<'_, '_>) {
        let title = value.tree.named(value.node, &NAMES);
        self.heading(1, &title.unwrap_or(value.place));
        self.body(value.tree, value.node, 1);
    }

    /// Writes a line that is not JSON as it is.
    pub(super) fn damaged(&mut self, line: &str, number: usize) {
        self.heading(1, &format!("line {number}"));
        self.push(&strings::key(line));
        self.push("\n");
    }

    /// Writes records, one a line of the source, as a table.
    pub(super) fn table_of_lines<'a>(
        &mut self,
        columns: &[String],
        records: impl Iterator<Item = Tree<'a>>,
    ) {
        self.head(columns);
        for tree in records {
            self.row(&table::row(&tree, 0, columns));
        }
    }

    /// Writes what is in a value, below its heading.
    fn body(&mut self, tree: &Tree<'_>, node: usize, level: u8) {
        match tree.node(node).kind {
            Kind::Object => {
                for sections in [false, true] {
                    self.members(tree, node, List { level, sections });
                }
            }
            Kind::Array => self.elements(tree, node, level),
            _ => {
                let value = self.scalar(tree, node);
                self.push(&value);
                self.push("\n");
            }
        }
    }

    /// Writes the members of an object that have a section, or those that have none. A comment
    /// stands with what follows it.
    fn members(&mut self, tree: &Tree<'_>, object: usize, list: List) {
        let mut comments = Vec::new();
        for child in tree.children(object) {
            if tree.node(child).kind == Kind::Comment {
                comments.push(child);
                continue;
            }
            let is_section = has_section(tree, child, list.level + 1);
            if is_section != list.sections {
                comments.clear();
                continue;
            }
            let key = tree.key(child).unwrap_or_default();
            if is_section {
                self.heading(list.level + 1, &key);
            }
            for comment in comments.drain(..) {
                self.comment(tree, comment, 0);
            }
            if is_section {
                self.body(tree, child, list.level + 1);
            } else {
                self.entry(&format!("{}:", strings::key(&key)), tree, child, 0);
            }
        }
        if !list.sections {
            for comment in comments {
                self.comment(tree, comment, 0);
            }
        }
    }

    /// Writes the elements of an array: as a table, each with a section, or as a list.
    fn elements(&mut self, tree: &Tree<'_>, array: usize, level: u8) {
        if let Some(columns) = table::columns(tree, array) {
            self.head(&columns);
            for record in tree.children(array) {
                self.row(&table::row(tree, record, &columns));
            }
            return;
        }
        // In order, no element without a section could stand after one that has one.
        let mut children = tree.children(array);
        let has_sections = children.any(|child| {
            tree.node(child).length() >= SECTION_FROM && has_section(tree, child, level + 1)
        });
        for (index, child) in tree.children(array).enumerate() {
            if tree.node(child).kind == Kind::Comment {
                self.comment(tree, child, 0);
            } else if has_sections {
                let title = tree.named(child, &NAMES);
                self.heading(level + 1, &title.unwrap_or_else(|| format!("[{index}]")));
                self.body(tree, child, level + 1);
            } else {
                self.entry("-", tree, child, 0);
            }
        }
    }

    /// Writes a value behind its key or its dash, indented.
    fn entry(&mut self, lead: &str, tree: &Tree<'_>, node: usize, indent: usize) {
        if self.is_full() {
            return;
        }
        self.indent(indent);
        self.push(lead);
        if !tree.node(node).is_container() {
            let value = self.value(tree, node, indent);
            self.push(" ");
            self.push(&value);
            self.push("\n");
        } else if is_one_line(tree, node) || indent >= MAX_INDENT {
            self.push(" ");
            self.flow(tree, node);
            self.push("\n");
        } else {
            self.behind_dash = lead == "-";
            self.push(if self.behind_dash { " " } else { "\n" });
            self.nested(tree, node, indent + 1);
        }
    }

    /// Writes what is in a value below its line.
    fn nested(&mut self, tree: &Tree<'_>, node: usize, indent: usize) {
        for child in tree.children(node) {
            match tree.key(child) {
                _ if tree.node(child).kind == Kind::Comment => self.comment(tree, child, indent),
                Some(key) => self.entry(&format!("{}:", strings::key(&key)), tree, child, indent),
                None => self.entry("-", tree, child, indent),
            }
        }
    }

    /// Returns a string, number or word; a string of several lines as they are, below each other.
    fn value(&mut self, tree: &Tree<'_>, node: usize, indent: usize) -> String {
        if tree.node(node).kind == Kind::String {
            let text = strings::decode(tree.source(node)).replace("\r\n", "\n");
            if text.trim_end().contains('\n') {
                self.count(&text);
                let margin = format!("\n{}    ", "  ".repeat(indent.min(MAX_INDENT)));
                let lines: Vec<&str> = text.trim_end_matches('\n').split('\n').collect();
                return format!("|{margin}{}", lines.join(&margin));
            }
        }
        self.scalar(tree, node)
    }

    /// Returns a string, number or word on one line.
    fn scalar(&mut self, tree: &Tree<'_>, node: usize) -> String {
        let source = tree.source(node);
        if tree.node(node).kind != Kind::String {
            return source.into();
        }
        let text = strings::decode(source);
        self.count(&text);
        strings::plain(&text).into_owned()
    }

    fn count(&mut self, text: &str) {
        self.replaced += crate::encoding::count(text, crate::encoding::REPLACEMENT);
    }

    /// Writes a value on one line.
    fn flow(&mut self, tree: &Tree<'_>, node: usize) {
        let (open, close) = match tree.node(node).kind {
            Kind::Object => ("{", "}"),
            Kind::Array => ("[", "]"),
            Kind::String => {
                let text = strings::decode(tree.source(node));
                self.count(&text);
                return self.push(&strings::quoted(&text));
            }
            Kind::Bare | Kind::Comment => return self.push(tree.source(node)),
        };
        self.push(open);
        for (index, child) in tree.children(node).enumerate() {
            if self.is_full() {
                return;
            }
            if index > 0 {
                self.push(", ");
            }
            if let Some(key) = tree.key(child) {
                self.push(&strings::key(&key));
                self.push(": ");
            }
            self.flow(tree, child);
        }
        self.push(close);
    }

    fn comment(&mut self, tree: &Tree<'_>, node: usize, indent: usize) {
        for line in tree.source(node).lines() {
            self.indent(indent);
            self.push(line.trim());
            self.push("\n");
        }
    }

    fn heading(&mut self, level: u8, title: &str) {
        if self.is_full() {
            return;
        }
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.push("\n");
        }
        let words: Vec<&str> = title.split_whitespace().collect();
        let title = if words.is_empty() {
            "\"\"".into()
        } else {
            words.join(" ")
        };
        let start = self.text.len();
        self.push(&"#".repeat(level.into()));
        self.push(" ");
        self.push(&title);
        self.push("\n");
        self.outline.push(Heading {
            level,
            title,
            span: Span::new(start, self.text.len()),
        });
        self.push("\n");
    }

    fn head(&mut self, columns: &[String]) {
        let names: Vec<String> = columns
            .iter()
            .map(|name| strings::key(name).into_owned())
            .collect();
        self.row(&names);
        self.push("|");
        self.push(&" --- |".repeat(columns.len()));
        self.push("\n");
    }

    fn row(&mut self, cells: &[String]) {
        if self.is_full() {
            return;
        }
        self.push("|");
        for cell in cells {
            self.count(cell);
            self.push(" ");
            self.push(&cell.replace('|', "\\|"));
            self.push(" |");
        }
        self.push("\n");
    }

    fn indent(&mut self, indent: usize) {
        if !std::mem::take(&mut self.behind_dash) {
            self.text.push_str(&"  ".repeat(indent));
        }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

/// Returns whether a value has a section of its own at this level.
fn has_section(tree: &Tree<'_>, node: usize, level: u8) -> bool {
    let value = tree.node(node);
    let from = if level == 1 {
        FIRST_SECTION_FROM
    } else {
        SECTION_FROM
    };
    level <= MAX_LEVEL && value.is_container() && value.length() >= from && !is_numbers(tree, node)
}

/// Returns whether a value stands on one line: it is short and without comments, or only numbers.
fn is_one_line(tree: &Tree<'_>, node: usize) -> bool {
    let is_flat = |child: usize| !matches!(tree.node(child).kind, Kind::Comment);
    let is_short = tree.node(node).length() <= LINE_UP_TO;
    is_short && tree.children(node).all(is_flat) || is_numbers(tree, node)
}

/// Returns whether an array holds numbers alone.
fn is_numbers(tree: &Tree<'_>, node: usize) -> bool {
    let is_array = tree.node(node).kind == Kind::Array;
    is_array
        && tree
            .children(node)
            .all(|child| tree.node(child).kind == Kind::Bare)
}
