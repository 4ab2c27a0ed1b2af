//! Lists and their items.

use super::super::inline::{self, Part};
use super::super::lists::{self, Numbering};
use super::{Writer, names};
use crate::blocks::Block;

impl Writer<'_> {
    pub(super) fn is_list_of_items(&self, at: usize) -> bool {
        let is_item = |child: usize| self.tree.name(child).is_some_and(names::is_item);
        self.tree.elements(at).any(is_item)
    }

    /// Writes a list, its title before it.
    pub(super) fn list(&mut self, at: usize, level: usize) {
        let tree = self.tree;
        let mut numbering = Numbering::of(tree, at, self.next_number);
        let mut label = None;
        for child in tree.elements(at) {
            match tree.name(child) {
                Some("title" | "head" | "caption") if level == 0 => {
                    self.paragraph(&inline::line(tree, child));
                }
                Some("label") if numbering.is_some() => label = Some(inline::line(tree, child)),
                Some(name) if names::is_item(name) => {
                    let given = lists::label(tree, child).or_else(|| label.take());
                    let label = match &mut numbering {
                        Some(numbering) => numbering.label(tree, child, given),
                        None => given.unwrap_or_default(),
                    };
                    self.item(child, &label, level);
                }
                _ if tree.node(child).length > 0 => self.item(child, "", level),
                _ => {}
            }
        }
        if let Some(numbering) = numbering {
            self.next_number = numbering.next;
        }
    }

    /// Writes an item, with the lists in it below it.
    fn item(&mut self, at: usize, label: &str, level: usize) {
        let mut texts = Vec::new();
        let mut lists = Vec::new();
        self.gather(at, &mut texts, &mut lists);
        // The label stands before the text already.
        if lists::label(self.tree, at).is_some_and(|label| texts.first() == Some(&label)) {
            texts.remove(0);
        }
        self.push(Block::item(label, level, &texts.join("\n")));
        for list in lists {
            self.list(list, level + 1);
        }
    }

    /// Gathers the texts of an item and the lists in it.
    fn gather(&self, at: usize, texts: &mut Vec<String>, lists: &mut Vec<usize>) {
        let name = self.tree.name(at).unwrap_or_default();
        if names::is_code(name) {
            let code = self
                .tree
                .inside(at)
                .map(|inside| self.tree.node(inside).text.as_str());
            return texts.push(code.collect::<String>().trim().to_string());
        }
        if self.tree.node(at).has_elements
            && !self.tree.node(at).is_mixed
            && !names::is_paragraph(name)
        {
            for child in self.tree.elements(at) {
                let name = self.tree.name(child).unwrap_or_default();
                if names::is_list(name) && self.is_list_of_items(child) {
                    lists.push(child);
                } else {
                    self.gather(child, texts, lists);
                }
            }
            return;
        }
        for part in inline::parts(self.tree, at) {
            match part {
                Part::Text(text) => texts.push(text),
                Part::Block(block) => {
                    let name = self.tree.name(block).unwrap_or_default();
                    if names::is_list(name) && self.is_list_of_items(block) {
                        lists.push(block);
                    } else {
                        self.gather(block, texts, lists);
                    }
                }
            }
        }
    }
}
