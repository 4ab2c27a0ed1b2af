//! Running text: what stands in a paragraph.

use super::tree::Tree;
use super::{names, references};
use crate::one_line::one_line;

/// A part of what stands in a paragraph.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Text on one line.
    Text(String),
    /// An element that is a block of its own.
    Block(usize),
}

/// Returns what stands in an element of running text.
pub(super) fn parts(tree: &Tree, at: usize) -> Vec<Part> {
    let mut parts = Parts {
        tree,
        done: Vec::new(),
        text: String::new(),
        is_within_word: false,
    };
    parts.inside(at);
    parts.end_text();
    parts.done
}

/// Returns a formula in Markdown, with its label; nothing where it is neither in TeX nor in MathML.
fn formula(tree: &Tree, at: usize) -> Option<String> {
    let named = |at: usize, name: &str| tree.elements(at).find(|&one| tree.name(one) == Some(name));
    let within = |name: &str| named(at, name).or_else(|| named(named(at, "alternatives")?, name));
    let in_tex = within("tex-math").and_then(|one| tex(tree, at, &tree.flat(one)));
    let in_mathml = || within("math").map(|one| tree.flat(one));
    let formula = in_tex.or_else(in_mathml).filter(|text| !text.is_empty())?;
    let label = named(at, "label")
        .map(|label| tree.flat(label))
        .unwrap_or_default();
    let space = if label.is_empty() { "" } else { " " };
    Some(format!("{formula}{space}{label}"))
}

/// Returns the TeX of a formula between its dollar signs.
fn tex(tree: &Tree, at: usize, text: &str) -> Option<String> {
    // Some hold a whole document.
    let (_, inner) = text.split_once("\\begin{document}").unwrap_or(("", text));
    let (inner, _) = inner.split_once("\\end{document}").unwrap_or((inner, ""));
    let tex = inner.trim();
    if tex.is_empty() {
        return None;
    }
    let sign = match tree.name(at) {
        _ if tex.starts_with('$') => "",
        Some("disp-formula") => "$$",
        _ => "$",
    };
    Some(format!("{sign}{tex}{sign}"))
}

/// Returns all text in an element on one line, with its links.
pub(super) fn line(tree: &Tree, at: usize) -> String {
    if tree.name(at).is_some_and(names::is_formula)
        && let Some(formula) = formula(tree, at)
    {
        return formula;
    }
    let mut line = String::new();
    for part in parts(tree, at) {
        let text = match part {
            Part::Text(text) => text,
            Part::Block(block) => tree.flat(block),
        };
        if !line.is_empty() && !text.is_empty() {
            line.push(' ');
        }
        line.push_str(&text);
    }
    line
}

struct Parts<'t> {
    tree: &'t Tree,
    done: Vec<Part>,
    text: String,
    /// Whether the text goes on within a word, over the end of a line.
    is_within_word: bool,
}

impl Parts<'_> {
    fn inside(&mut self, at: usize) {
        for child in self.tree.children(at) {
            match self.tree.name(child) {
                None => self.push_text(child),
                Some(name) if self.is_block(name, child) => {
                    self.end_text();
                    self.done.push(Part::Block(child));
                }
                Some(name) => self.element(name, child),
            }
        }
    }

    /// Returns whether an element is a block, or one of an unknown kind that has blocks in it.
    fn is_block(&self, name: &str, at: usize) -> bool {
        let node = self.tree.node(at);
        let has_blocks = node.holds_blocks && !names::is_note(name) && !names::is_formula(name);
        node.length > 0 && (names::is_block(name) || has_blocks || self.is_object(name, at))
    }

    /// Returns whether an element is a box, a list of definitions or the like, which holds
    /// paragraphs.
    fn is_object(&self, name: &str, at: usize) -> bool {
        let node = self.tree.node(at);
        let is_formal =
            names::is_formal(name) && !names::is_note(name) && !names::is_captioned(name);
        self.tree.is_markup && is_formal && node.has_elements && !node.is_mixed
    }

    fn push_text(&mut self, at: usize) {
        let text = &*self.tree.node(at).text;
        let is_within_word = std::mem::take(&mut self.is_within_word);
        self.text.push_str(if is_within_word {
            text.trim_start()
        } else {
            text
        });
    }

    fn element(&mut self, name: &str, at: usize) {
        if self.tree.is_within_word(at) {
            self.text.truncate(self.text.trim_end().len());
            self.is_within_word = true;
            return;
        }
        if names::is_break(name) {
            return self.text.push(' ');
        }
        if names::is_formula(name)
            && let Some(formula) = formula(self.tree, at)
        {
            return self.text.push_str(&formula);
        }
        if names::is_note(name) {
            let note = line(self.tree, at);
            self.text.push_str(" (");
            self.text.push_str(&note);
            return self.text.push_str(") ");
        }
        if self.tree.is_markup
            && let Some(text) = references::text(self.tree, at)
        {
            return self.text.push_str(&text);
        }
        let node = self.tree.node(at);
        let mut links = node
            .attributes
            .iter()
            .filter(|(name, _)| names::is_link(name));
        let Some((_, link)) = links.next().filter(|_| !self.tree.is_drawing) else {
            let is_apart = node.has_elements && !node.is_mixed;
            // Names and numbers in a citation have no space between them in the source.
            if is_apart {
                self.apart(at);
            } else {
                self.inside(at);
            }
            return self.attributes(at);
        };
        let text = self.tree.flat(at);
        let written = if text.is_empty() || text == *link {
            format!("<{link}>")
        } else {
            crate::link::link(&text, link)
        };
        self.text.push_str(&written);
    }

    /// Writes the attributes of an element in brackets, behind its name where it has no text, unless they
    /// mark up the running text.
    fn attributes(&mut self, at: usize) {
        if self.tree.is_markup || self.tree.is_drawing {
            return;
        }
        let node = self.tree.node(at);
        let said = node.attributes.iter();
        let said = said.filter(|(name, _)| !names::is_markup(name));
        let said: Vec<String> = said
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        if said.is_empty() {
            return;
        }
        if node.length == 0 {
            self.text.push(' ');
            self.text.push_str(self.tree.label(at));
        }
        self.text.push_str(" (");
        self.text.push_str(&said.join(", "));
        self.text.push_str(") ");
    }

    /// Writes the elements in an element that holds no text itself, with spaces between them, or with the signs that
    /// readers see.
    fn apart(&mut self, at: usize) {
        let sign = self.tree.sign_between(at);
        let mut before = None;
        for child in self.tree.elements(at) {
            if let (Some(sign), Some(before)) = (sign, before) {
                self.text.truncate(self.text.trim_end().len());
                self.text.push_str(self.tree.sign_behind(before, sign));
            } else if !self.text.ends_with(char::is_whitespace) && child != at + 1 {
                self.text.push(' ');
            }
            before = Some(child);
            match self.tree.name(child) {
                Some(name) if !names::is_block(name) => self.element(name, child),
                _ => self.text.push_str(&self.tree.flat(child)),
            }
        }
    }

    fn end_text(&mut self) {
        let text = one_line(&self.text);
        if !text.is_empty() {
            self.done.push(Part::Text(text));
        }
        self.text.clear();
    }
}
