//! The formulas of a file, written in Markdown.

use super::{Tree, names};
use crate::mathml::Math;

/// How many nodes of a formula in MathML are looked at to find a sign.
const SIGN_WITHIN: usize = 100;

impl Tree {
    /// Writes the formulas in Markdown, each as the only text in its element.
    pub(super) fn write_formulas(&mut self) {
        // Where the last element ends whose formulas stand on lines of their own.
        let mut end_of_block = 0;
        let mut at = 0;
        while at < self.nodes.len() {
            if self.name(at).is_some_and(names::is_block_of_formula) {
                end_of_block = end_of_block.max(self.nodes[at].next);
            }
            let Some(markdown) = self.formula(at, at < end_of_block) else {
                at += 1;
                continue;
            };
            self.put_formula(at, markdown);
            at = self.nodes[at].next;
        }
    }

    /// Returns an element in Markdown that is MathML, or that says that it is TeX, as in TEI.
    fn formula(&self, at: usize, is_block: bool) -> Option<String> {
        let is_sign = |one: usize| matches!(self.name(one), Some("mi" | "mn" | "mo" | "mtext"));
        let node = &self.nodes[at];
        match self.name(at)? {
            "math" if self.inside(at).take(SIGN_WITHIN).any(is_sign) => {
                let math = self.math(at);
                Some(math.markdown(math.is_block || is_block))
            }
            "formula" if node.length > 0 && self.is_leaf(at) => {
                let mut attributes = node.attributes.iter();
                let notation = attributes.find(|(name, _)| name == "notation");
                let is_tex = notation.is_some_and(|(_, value)| value.eq_ignore_ascii_case("tex"));
                let tex = is_tex.then(|| self.flat(at))?;
                Some(format!("${}$", tex.trim_matches('$')))
            }
            _ => None,
        }
    }

    fn math(&self, at: usize) -> Math {
        let mut math = Math::default();
        // Where the elements end that are open.
        let mut ends: Vec<usize> = Vec::new();
        for one in std::iter::once(at).chain(self.inside(at)) {
            while ends.pop_if(|end| *end <= one).is_some() {
                math.close();
            }
            let node = &self.nodes[one];
            match self.name(one) {
                Some(name) => {
                    math.open(name, node.attributes.clone());
                    ends.push(node.next);
                }
                None => math.text(&node.text),
            }
        }
        for _ in ends {
            math.close();
        }
        math
    }

    /// Puts a text in the place of what is in an element.
    fn put_formula(&mut self, at: usize, markdown: String) {
        for one in self.inside(at) {
            self.nodes[one].name = None;
            self.nodes[one].text.clear();
        }
        let end = self.nodes[at].next;
        let text = &mut self.nodes[at + 1];
        text.text = markdown;
        text.next = end;
        let math = &mut self.nodes[at];
        math.attributes.clear();
        math.has_elements = false;
        math.is_mixed = false;
        math.is_formula = true;
    }
}
