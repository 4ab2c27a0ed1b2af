//! The text of drawings (SVG).

use std::rc::Rc;

use htmd::Node;
use markup5ever_rcdom::NodeData;

use super::node::{children, has_attribute, tag, text};
use super::word;

/// Counts the words of a drawing, without its name.
pub(super) fn words(drawing: &Rc<Node>) -> usize {
    let texts = texts(drawing).into_iter();
    texts
        .map(|node| text(&node).map_or(0, |text| word::count(&text)))
        .sum()
}

/// Returns the texts of the drawings of a page, each on one line.
pub(super) fn lines(page: &Rc<Node>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut open = vec![Rc::clone(page)];
    while let Some(node) = open.pop() {
        if tag(&node) == Some("svg") {
            lines.extend(texts(&node).iter().map(line));
        } else {
            open.extend(children(&node).into_iter().rev());
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// Returns the elements of a drawing that hold text, in order.
fn texts(drawing: &Rc<Node>) -> Vec<Rc<Node>> {
    let mut texts = Vec::new();
    let mut open = vec![Rc::clone(drawing)];
    while let Some(node) = open.pop() {
        match tag(&node) {
            Some("text" | "foreignObject") => texts.push(node),
            _ => open.extend(children(&node).into_iter().rev()),
        }
    }
    texts
}

/// Returns a text on one line; parts that have a place of their own are apart.
fn line(element: &Rc<Node>) -> String {
    if tag(element) != Some("text") {
        return text(element).unwrap_or_default();
    }
    let mut line = String::new();
    let mut open = vec![Rc::clone(element)];
    while let Some(node) = open.pop() {
        if let NodeData::Text { contents } = &node.data {
            line.push_str(&contents.borrow());
        } else if has_attribute(&node, "x") || has_attribute(&node, "y") {
            line.push(' ');
        }
        open.extend(children(&node).into_iter().rev());
    }
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
