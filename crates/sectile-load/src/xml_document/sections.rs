//! Elements as sections, paragraphs, lists and lines.

mod headings;
mod items;

#[cfg(feature = "html")]
use super::html;
use super::inline::{self, Part};
use super::tree::Tree;
use super::{article, names, records, references, tables};
use crate::blocks::{Block, fenced};
use crate::one_line::one_line;

/// How much text an element without a title has that is a section, in a file without running text.
const SECTION_FROM: usize = 160;

/// The deepest level of a heading.
const MAX_LEVEL: u8 = 6;

/// How deep lines are indented.
const MAX_INDENT: usize = 16;

/// How long a value may be that stands behind its name.
const LINE_UP_TO: usize = 300;

/// Returns the blocks of a file.
pub(super) fn blocks(tree: &Tree) -> Vec<Block> {
    let mut writer = Writer {
        tree,
        blocks: Vec::new(),
        lines: Vec::new(),
        is_in_front: false,
        is_in_object: false,
        is_followed: false,
        next_number: 1,
    };
    for root in tree.roots() {
        writer.element(root, 1);
    }
    writer.end_lines();
    writer.blocks
}

struct Writer<'t> {
    tree: &'t Tree,
    blocks: Vec<Block>,
    /// The lines `name: value` that stand together.
    lines: Vec<String>,
    /// Whether what is written stands in front matter, where no article begins.
    is_in_front: bool,
    /// Whether what is written stands in an example, a table, a note or the like, where titles are captions.
    is_in_object: bool,
    /// Whether text follows what is written, in the same section.
    is_followed: bool,
    /// The number after the last of the list before.
    next_number: u32,
}

impl Writer<'_> {
    fn push(&mut self, block: Block) {
        self.end_lines();
        self.blocks.push(block);
    }

    fn end_lines(&mut self) {
        if !self.lines.is_empty() {
            let lines = std::mem::take(&mut self.lines).join("\n");
            self.blocks.push(Block::Text(lines));
        }
    }

    fn paragraph(&mut self, text: &str) {
        let text = one_line(text);
        if !text.is_empty() {
            self.push(Block::Text(text));
        }
    }

    /// Writes an element or a text. A heading in it has this level.
    fn element(&mut self, at: usize, level: u8) {
        let Some(name) = self.tree.name(at) else {
            return self.paragraph(&self.tree.node(at).text);
        };
        let node = self.tree.node(at);
        if node.is_taken {
            return;
        }
        if node.is_formula {
            return self.paragraph(&self.tree.flat(at));
        }
        if self.tree.is_markup && names::is_alternative(name) {
            return self.alternative(at);
        }
        if names::is_table(name)
            && let Some(rows) = tables::table(self.tree, at)
        {
            return self.table(at, rows);
        }
        if !self.is_in_front
            && let Some(front) = article::front(self.tree, at)
        {
            self.article(at, front, level);
        } else if self.tree.is_prose && names::is_labelled(name) {
            self.paragraph(&inline::line(self.tree, at));
        } else if article::is_reference(self.tree, at) {
            self.paragraph(&article::reference(self.tree, at));
        } else if self.is_figure(at) {
            self.figure(at, level);
        } else if names::is_list(name) && self.is_list_of_items(at) {
            self.list(at, 0);
        } else if names::is_code(name) && node.length > 0 {
            self.code(at);
        } else if let Some(heading) = self.heading(at, name) {
            self.push(heading);
        } else if node.is_mixed || self.is_running_text(name) && node.length > 0 {
            self.running_text(at, level);
        } else if self.tree.is_leaf(at) {
            self.leaf(at, 0);
        } else {
            self.container(at, level);
        }
    }

    /// Writes an article below its title and a short head.
    fn article(&mut self, at: usize, front: article::Front, level: u8) {
        let mut inner = level;
        if let Some(text) = front.title {
            let level = level.min(MAX_LEVEL);
            self.push(Block::Heading { level, text });
            inner = level.saturating_add(1);
        }
        for line in front.lines {
            self.lines.push(line);
        }
        self.end_lines();
        self.is_in_front = true;
        for part in front.abstracts {
            let (title, taken) = self.title(part);
            let text = title.unwrap_or_else(|| "Abstract".into());
            let level = inner.min(MAX_LEVEL);
            self.push(Block::Heading { level, text });
            for child in self.tree.children(part) {
                if !taken.contains(&child) {
                    self.element(child, inner.saturating_add(1));
                }
            }
        }
        self.is_in_front = false;
        for child in self.tree.children(at) {
            if child != front.at {
                self.element(child, inner);
            }
        }
    }

    /// Returns whether an element is a figure with a label or a caption, and no text beside them.
    fn is_figure(&self, at: usize) -> bool {
        let has_caption = |child| matches!(self.tree.name(child), Some("label" | "caption"));
        self.tree.name(at).is_some_and(names::is_captioned)
            && !self.tree.node(at).is_mixed
            && self.tree.elements(at).any(has_caption)
    }

    /// Writes the label and the caption of a figure as a paragraph, and what else is in it.
    fn figure(&mut self, at: usize, level: u8) {
        let is_caption =
            |&child: &usize| matches!(self.tree.name(child), Some("label" | "caption" | "title"));
        let captions = self.tree.elements(at).filter(is_caption);
        let captions: Vec<String> = captions.map(|one| inline::line(self.tree, one)).collect();
        self.paragraph(&captions.join(" "));
        for child in self.tree.elements(at) {
            let is_picture = self.tree.name(child).is_some_and(names::is_picture);
            if !is_caption(&child) && !is_picture {
                self.element(child, level);
            }
        }
    }

    /// Writes the words that stand for a picture, unless its title before them says the same.
    fn alternative(&mut self, at: usize) {
        let text = one_line(&inline::line(self.tree, at));
        self.end_lines();
        let is_said = matches!(self.blocks.last(), Some(Block::Text(before)) if *before == text);
        if !is_said {
            self.paragraph(&text);
        }
    }

    /// Returns whether the text of an element is written without its name.
    fn is_running_text(&self, name: &str) -> bool {
        names::is_paragraph(name) || self.tree.is_markup && names::is_definition(name)
    }

    /// Writes running text, and the blocks that stand in it.
    fn running_text(&mut self, at: usize, level: u8) {
        let name = self.tree.name(at).unwrap_or_default();
        let parts = inline::parts(self.tree, at);
        let is_named = !self.is_running_text(name) && !names::is_block(name) && parts.len() == 1;
        let is_short = |part: &Part| matches!(part, Part::Text(text) if text.len() <= LINE_UP_TO);
        let is_line = is_named && parts.iter().all(is_short);
        if !is_line && !self.tree.is_markup && !self.attributes(at).is_empty() {
            self.line(at, "", 0);
        }
        let last = parts.len().saturating_sub(1);
        let was_followed = self.is_followed;
        for (index, part) in parts.into_iter().enumerate() {
            self.is_followed = was_followed || index < last;
            match part {
                Part::Text(text) if is_line => self.line(at, &text, 0),
                Part::Text(text) => self.push(Block::Text(text)),
                Part::Block(block) => self.element(block, level),
            }
        }
        self.is_followed = was_followed;
    }

    /// Returns a line `name (attribute: value): text`.
    fn named(&self, at: usize, text: &str) -> String {
        let attributes: Vec<String> = self.attributes(at);
        let mut line = self.tree.label(at).to_string();
        if !attributes.is_empty() {
            line.push_str(" (");
            line.push_str(&attributes.join(", "));
            line.push(')');
        }
        if !text.is_empty() {
            line.push_str(": ");
            line.push_str(text);
        }
        line
    }

    /// Returns the attributes that say something.
    fn attributes(&self, at: usize) -> Vec<String> {
        let node = self.tree.node(at);
        let all = node.attributes.iter();
        // An order has a number, a paragraph a mark to link to.
        let is_paragraph = || self.tree.name(at).is_some_and(names::is_paragraph);
        let is_text = self.tree.has_paragraphs && (node.is_mixed || is_paragraph());
        let marks_up = self.tree.is_markup || is_text;
        let says = |(name, _): &&(String, String)| {
            !(self.tree.is_drawing || marks_up && names::is_markup(name))
        };
        let texts = all
            .filter(says)
            .map(|(name, value)| format!("{name}: {}", one_line(value)));
        texts.collect()
    }

    /// Writes an element without elements.
    fn leaf(&mut self, at: usize, indent: usize) {
        let text = self.tree.leaf_text(at);
        let text = text.trim();
        let has_attributes = !self.attributes(at).is_empty();
        if text.is_empty() {
            let is_picture = self.tree.name(at).is_some_and(names::is_picture);
            if self.tree.is_markup && is_picture {
                return;
            }
            // In running text an empty element marks a place, in data it is a value.
            if has_attributes || !self.tree.is_prose && !self.tree.is_drawing {
                let shown = self.tree.is_markup.then(|| references::text(self.tree, at));
                self.line(at, &shown.flatten().unwrap_or_default(), indent);
            }
            return;
        }
        #[cfg(feature = "html")]
        if let Some(markdown) = html::markdown(self.tree, at, text) {
            self.line(at, "", indent);
            self.push(Block::Text(markdown));
            return;
        }
        if text.contains('\n') || text.len() > LINE_UP_TO {
            let lines: Vec<String> = text.lines().map(one_line).collect();
            self.line(at, "", indent);
            self.push(Block::Text(lines.join("\n")));
        } else {
            self.line(at, &one_line(text), indent);
        }
    }

    fn line(&mut self, at: usize, text: &str, indent: usize) {
        let line = self.named(at, text);
        let indent = "  ".repeat(indent.min(MAX_INDENT));
        self.lines.push(format!("{indent}{line}"));
    }

    /// Writes an element with elements: a section where it has a title or much text.
    fn container(&mut self, at: usize, level: u8) {
        let (title, taken) = self.title(at);
        let is_data = !self.tree.is_prose && !self.tree.is_drawing;
        let is_root = level == 1;
        let is_small = self.tree.node(at).length < SECTION_FROM;
        let is_record = is_small
            && if is_data {
                !is_root
            } else {
                self.is_record(at, &taken)
            };
        let title = match title {
            Some(title) if !is_record => Some(title),
            None if is_data && !is_root && !is_small => Some(self.tree.label(at).to_string()),
            None if !is_data || is_root && self.tree.node(at).label.is_none() => None,
            _ => return self.nested(at, 0),
        };
        let is_in_object = self.is_in_object || self.is_formal(at);
        let mut inner = level;
        match title {
            Some(title) if is_in_object => self.paragraph(&title),
            Some(title) => {
                self.push(Block::Heading {
                    level: level.min(MAX_LEVEL),
                    text: one_line(&title),
                });
                inner = level.saturating_add(1);
            }
            None if is_root && is_data => inner = 2,
            None => {}
        }
        if !self.tree.is_markup {
            self.lines.extend(self.attributes(at));
        }
        if let Some(rows) = records::records(self.tree, at).filter(|_| is_data) {
            return self.push(Block::Table(rows));
        }
        let was_in_object = std::mem::replace(&mut self.is_in_object, is_in_object);
        self.inside(at, inner, &taken);
        self.is_in_object = was_in_object;
    }

    /// Writes what is in an element, but for its title.
    fn inside(&mut self, at: usize, level: u8, taken: &[usize]) {
        let is_text = |&child: &usize| self.tree.node(child).length > 0 && !self.is_section(child);
        let last = self.tree.elements(at).filter(is_text).last();
        let was_followed = self.is_followed;
        // What follows a section does not belong to it.
        let is_followed = was_followed && !self.is_section(at);
        for child in self.tree.children(at) {
            if !taken.contains(&child) {
                self.is_followed = is_followed || last.is_some_and(|last| child < last);
                self.child(child, level, taken);
            }
        }
        self.is_followed = was_followed;
    }

    fn is_section(&self, at: usize) -> bool {
        self.tree.name(at).is_some_and(names::is_section)
    }

    /// Returns whether the title of an element is a caption. That of the whole file never is, nor
    /// that of a box with sections in it which no text follows.
    fn is_formal(&self, at: usize) -> bool {
        let is_formal = self.tree.name(at).is_some_and(names::is_formal);
        let is_within =
            || self.is_followed || !self.tree.elements(at).any(|child| self.is_section(child));
        let is_root = || self.tree.roots().any(|root| root == at);
        self.tree.is_markup && is_formal && !is_root() && is_within()
    }

    /// Writes what is in a section; what holds its title is written without it.
    fn child(&mut self, at: usize, level: u8, taken: &[usize]) {
        let holds_title = self.tree.elements(at).any(|inside| taken.contains(&inside));
        if !holds_title {
            return self.element(at, level);
        }
        for inside in self.tree.children(at) {
            if !taken.contains(&inside) {
                self.element(inside, level);
            }
        }
    }

    /// Writes a small element of data as lines, indented below its name.
    fn nested(&mut self, at: usize, indent: usize) {
        self.line(at, "", indent);
        for child in self.tree.elements(at) {
            if self.tree.node(child).is_taken {
                continue;
            }
            if self.tree.is_leaf(child) {
                self.leaf(child, indent + 1);
            } else {
                self.nested(child, indent + 1);
            }
        }
    }

    /// Returns the title of a section and the nodes that it is taken from.
    fn title(&self, at: usize) -> (Option<String>, Vec<usize>) {
        let mut found = self.title_in(at, &[]);
        if found.is_empty() {
            let is_information = |&child: &usize| {
                let name = self.tree.name(child).unwrap_or_default();
                names::INFORMATION.contains(&name)
            };
            let information = self.tree.elements(at).take(8).filter(is_information);
            let mut titles = information.map(|one| self.title_in(one, &names::NAMES_OF_PAGES));
            found = titles.find(|found| !found.is_empty()).unwrap_or_default();
        }
        if !found.is_empty() {
            let texts: Vec<String> = found.iter().map(|&title| self.tree.flat(title)).collect();
            // What was in it may have been the head of a page.
            let title = Some(texts.join(" ")).filter(|title| !title.trim().is_empty());
            return (title, found);
        }
        if let Some(entity) = self.tree.leading_entity(at) {
            return (Some(self.tree.node(entity).text.clone()), vec![entity]);
        }
        (self.title_attribute(at), Vec::new())
    }

    /// Returns the elements right inside one that title it: a label and a title, or one of them. Those of `more` names do,
    /// too.
    fn title_in(&self, at: usize, more: &[&str]) -> Vec<usize> {
        let is_text = |&child: &usize| {
            let node = self.tree.node(child);
            node.length > 0
                && !node.is_taken
                && (self.tree.is_leaf(child) || node.is_mixed || self.is_short(child))
        };
        let named = |name: &str| {
            let mut children = self.tree.elements(at).take(24).filter(is_text);
            children.find(|&child| self.tree.name(child) == Some(name))
        };
        let mut titles = names::TITLES.iter().chain(more);
        let Some(title) = titles.find_map(|name| named(name)) else {
            return Vec::new();
        };
        match named("label") {
            Some(label) if label < title => vec![label, title],
            _ => vec![title],
        }
    }

    /// Returns whether an element of elements is a title. In a file of data, a head holds what is said of the file.
    fn is_short(&self, at: usize) -> bool {
        let is_other = match self.tree.name(at) {
            Some("head") => !self.tree.is_prose,
            name => name == Some("name"),
        };
        self.tree.node(at).length <= LINE_UP_TO && !is_other
    }

    fn title_attribute(&self, at: usize) -> Option<String> {
        let attributes = &self.tree.node(at).attributes;
        let find = |wanted: &str| attributes.iter().find(|(name, _)| name == wanted);
        let (_, value) = ["title", "name"].into_iter().find_map(find)?;
        let is_data = !self.tree.is_prose && !self.tree.is_drawing;
        let is_titled = is_data || matches!(self.tree.name(at), Some("section" | "subsection"));
        (is_titled && !value.trim().is_empty()).then(|| one_line(value))
    }

    fn code(&mut self, at: usize) {
        let texts = self
            .tree
            .inside(at)
            .map(|inside| self.tree.node(inside).text.as_str());
        let code: String = texts.collect();
        self.push(fenced(&code));
    }

    /// Writes a table, below its title and what else stands beside its rows.
    fn table(&mut self, at: usize, rows: Vec<Vec<crate::blocks::Cell>>) {
        let mut texts = Vec::new();
        for child in self.tree.elements(at) {
            let holds_rows = |inside: usize| self.tree.name(inside).is_some_and(names::is_row);
            let is_rows = holds_rows(child) || self.tree.inside(child).any(holds_rows);
            if !is_rows && self.tree.node(child).length > 0 {
                texts.push(inline::line(self.tree, child));
            }
        }
        for text in texts {
            self.paragraph(&text);
        }
        self.push(Block::Table(rows));
    }
}
