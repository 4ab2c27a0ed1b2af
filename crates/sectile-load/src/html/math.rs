//! Formulas, written in TeX between dollar signs.

use std::rc::Rc;

use htmd::Node;

use super::mathml;
use super::node::{attribute, children, is_small, tag, text};
use super::typeset;

/// Parts of the classes of pictures and elements that are formulas.
const CLASSES: [&str; 5] = ["arithmatex", "latex", "math", "mwe-math", "tex"];

/// Elements around the MathML of formulas that `MathJax` has drawn.
pub(super) const DRAWN: [&str; 2] = ["mjx-assistive-mml", "mjx-container"];

/// How many letters a word has at least that is not a product of variables.
const LEAST_WORD: usize = 3;

/// Marks around TeX in a page.
const DELIMITERS: [(&str, &str, bool); 4] = [
    ("\\(", "\\)", false),
    ("\\[", "\\]", true),
    ("$$", "$$", true),
    ("$", "$", false),
];

/// Writes a formula in MathML: the TeX that it has with it, or TeX of its elements; one on a line as its letters.
pub(super) fn of_mathml(math: &Rc<Node>) -> String {
    let is_block = attribute(math, "display").is_some_and(|display| display == "block");
    if let Some(tex) = annotation(math).or_else(|| alternative(math)) {
        return write(&tex, is_block);
    }
    if let Some(tex) = mathml::tex(math) {
        return write(&tex, is_block);
    }
    let letters = text(math).unwrap_or_default();
    letters.replace('*', "\\*").replace('_', "\\_")
}

/// Returns the alternative text of a formula, where it is TeX or all that there is.
fn alternative(math: &Node) -> Option<String> {
    let alternative = attribute(math, "alttext")?;
    let is_all = text(math).is_none_or(|text| text.trim().is_empty());
    (is_all || !is_of_words(&alternative)).then_some(alternative)
}

/// Says whether a text has words, and no sign of TeX.
fn is_of_words(text: &str) -> bool {
    let mut words = text.split(|sign: char| !sign.is_alphabetic());
    let has_words = words.any(|word| word.chars().count() >= LEAST_WORD);
    has_words && !text.contains(['\\', '^', '_', '{', '='])
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

/// Says whether an element is around a formula that `MathJax` has drawn: its class says what a click on it opens.
pub(super) fn is_drawn(node: &Node) -> bool {
    tag(node).is_some_and(|tag| DRAWN.contains(&tag))
}

/// Writes a formula of a page that a script typesets.
pub(super) fn of_text(formula: &Node) -> String {
    let tex = text(formula).unwrap_or_default();
    write(&tex, tag(formula) == Some(typeset::BLOCK))
}

/// Returns the TeX that MathML carries with it.
fn annotation(math: &Rc<Node>) -> Option<String> {
    let mut open = vec![Rc::clone(math)];
    while let Some(node) = open.pop() {
        let is_tex = tag(&node) == Some("annotation")
            && attribute(&node, "encoding").is_some_and(|encoding| encoding.contains("tex"));
        if is_tex {
            return text(&node);
        }
        open.extend(children(&node));
    }
    None
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
