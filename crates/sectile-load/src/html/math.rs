//! Formulas, written in TeX between dollar signs.

use std::rc::Rc;

use htmd::Node;
use markup5ever_rcdom::NodeData;

use super::node::{attribute, children, is_small, tag, text};
use super::typeset;
use crate::mathml::Math;

/// Parts of the classes of pictures and elements that are formulas.
const CLASSES: [&str; 5] = ["arithmatex", "latex", "math", "mwe-math", "tex"];

/// Elements around the MathML of formulas that `MathJax` has drawn.
pub(super) const DRAWN: [&str; 2] = ["mjx-assistive-mml", "mjx-container"];

/// Marks around TeX in a page.
const DELIMITERS: [(&str, &str, bool); 4] = [
    ("\\(", "\\)", false),
    ("\\[", "\\]", true),
    ("$$", "$$", true),
    ("$", "$", false),
];

/// Writes a formula in MathML: the TeX that it has with it, or TeX of its elements; one on a line as its letters.
pub(super) fn of_mathml(math: &Rc<Node>) -> String {
    let math = read(math);
    if let Some(tex) = math.tex() {
        return write(&tex, math.is_block);
    }
    math.line().replace('*', "\\*").replace('_', "\\_")
}

fn read(math: &Rc<Node>) -> Math {
    let mut formula = Math::default();
    // Nothing stands for the end of an element.
    let mut steps = vec![Some(Rc::clone(math))];
    while let Some(step) = steps.pop() {
        let Some(node) = step else {
            formula.close();
            continue;
        };
        match &node.data {
            NodeData::Text { contents } => formula.text(&contents.borrow()),
            NodeData::Element { name, attrs, .. } => {
                let attributes = attrs.borrow();
                let attributes = attributes.iter();
                let attributes =
                    attributes.map(|one| (one.name.local.to_string(), one.value.to_string()));
                formula.open(&name.local, attributes.collect());
                steps.push(None);
                steps.extend(children(&node).into_iter().rev().map(Some));
            }
            _ => {}
        }
    }
    formula
}

/// Writes an element whose text is TeX between the marks that `MathJax` looks for.
pub(super) fn of_marked(element: &Node, class: &str) -> Option<String> {
    let is_math = class.split_whitespace().any(|name| CLASSES.contains(&name));
    if !is_math || !is_small(element) {
        return None;
    }
    let text = text(element)?;
    let within = DELIMITERS.iter().find_map(|(begin, end, is_block)| {
        let within = text.strip_prefix(begin)?.strip_suffix(end)?;
        Some((within, *is_block))
    });
    within.map(|(tex, is_block)| write(tex, is_block))
}

/// Writes a picture of a formula whose alternative text is TeX.
pub(super) fn of_picture(picture: &Node) -> Option<String> {
    let class = attribute(picture, "class")?;
    let is_math = class
        .split_whitespace()
        .any(|name| CLASSES.contains(&name) || name.starts_with("mwe-math"));
    let alt = is_math.then(|| attribute(picture, "alt")).flatten()?;
    Some(write(&alt, class.contains("display")))
}

/// Returns whether an element is around a formula that `MathJax` has drawn: its class says what a click on it opens.
pub(super) fn is_drawn(node: &Node) -> bool {
    tag(node).is_some_and(|tag| DRAWN.contains(&tag))
}

/// Writes a formula of a page that a script typesets.
pub(super) fn of_text(formula: &Node) -> String {
    let tex = text(formula).unwrap_or_default();
    write(&tex, tag(formula) == Some(typeset::BLOCK))
}

fn write(tex: &str, is_block: bool) -> String {
    let tex = tex.trim();
    // `MediaWiki` puts each formula into a group that says how it is drawn.
    let group = ["{\\displaystyle", "{\\textstyle"]
        .iter()
        .find_map(|begin| tex.strip_prefix(begin)?.strip_suffix('}'));
    let tex = group.unwrap_or(tex).trim();
    if is_block {
        format!("\n\n$${tex}$$\n\n")
    } else {
        format!("${tex}$")
    }
}
