//! The nodes of a page.

use std::rc::Rc;

use htmd::Node;
use markup5ever_rcdom::NodeData;

use crate::superscript::superscript;

/// How many nodes an element holds at most that is a part of a line: a formula, an exponent.
const FEW_NODES: usize = 100;

/// How many elements and texts a line has at most of which the neighbours are looked for.
const MOST_SIBLINGS: usize = 1_000;

/// How many letters the beginning of a text has that is looked at.
const BEGINNING: usize = 10;

pub(super) fn tag(node: &Node) -> Option<&str> {
    match &node.data {
        NodeData::Element { name, .. } => Some(&name.local),
        _ => None,
    }
}

/// Returns the elements and texts directly in one.
pub(super) fn children(node: &Node) -> Vec<Rc<Node>> {
    node.children.borrow().iter().map(Rc::clone).collect()
}

/// Returns the element that one stands in.
pub(super) fn parent(node: &Rc<Node>) -> Option<Rc<Node>> {
    let parent = node.parent.take();
    let found = parent.as_ref().and_then(std::rc::Weak::upgrade);
    node.parent.set(parent);
    found
}

pub(super) fn is_heading(node: &Node) -> bool {
    matches!(tag(node), Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
}

/// Returns whether an element is what Doxygen writes in the place of the first heading of a page.
pub(super) fn is_headertitle(node: &Rc<Node>) -> bool {
    let is_division = |node: &Node, class: &str| {
        tag(node) == Some("div") && attribute_is(node, "class", |value| value == class)
    };
    is_division(node, "title")
        && parent(node).is_some_and(|around| is_division(&around, "headertitle"))
}

pub(super) fn has_attribute(node: &Node, wanted: &str) -> bool {
    match &node.data {
        NodeData::Element { attrs, .. } => {
            let attributes = attrs.borrow();
            attributes.iter().any(|one| &*one.name.local == wanted)
        }
        _ => false,
    }
}

/// Returns whether a name is among those in the class of an element.
pub(super) fn has_class(node: &Node, wanted: &str) -> bool {
    attribute_is(node, "class", |class| {
        class.split_whitespace().any(|name| name == wanted)
    })
}

/// Returns whether an element holds one that is as wanted.
pub(super) fn holds(element: &Node, is_wanted: impl Fn(&Node) -> bool) -> bool {
    let mut open = children(element);
    while let Some(node) = open.pop() {
        if is_wanted(&node) {
            return true;
        }
        open.extend(children(&node));
    }
    false
}

/// Returns whether an element has an attribute whose value is as wanted.
pub(super) fn attribute_is(node: &Node, name: &str, is_wanted: impl Fn(&str) -> bool) -> bool {
    match &node.data {
        NodeData::Element { attrs, .. } => {
            let attributes = attrs.borrow();
            let mut named = attributes.iter().filter(|one| &*one.name.local == name);
            named.any(|one| is_wanted(&one.value))
        }
        _ => false,
    }
}

/// Returns the trimmed value of an attribute, unless it is blank.
pub(super) fn attribute(node: &Node, wanted: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else {
        return None;
    };
    let attributes = attrs.borrow();
    let found = attributes.iter().find(|one| &*one.name.local == wanted)?;
    let value = found.value.trim();
    (!value.is_empty()).then(|| value.into())
}

/// Returns the text in an element on one line, unless it is blank.
pub(super) fn text(node: &Node) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open: Vec<Rc<Node>> = node.children.borrow().iter().rev().map(Rc::clone).collect();
    while let Some(node) = open.pop() {
        if let NodeData::Text { contents } = &node.data {
            let text = contents.borrow();
            words.extend(text.split_whitespace().map(str::to_owned));
        }
        open.extend(node.children.borrow().iter().rev().map(Rc::clone));
    }
    let text = words.join(" ");
    (!text.is_empty()).then_some(text)
}

/// Returns the text directly in an element, as it is written.
pub(super) fn written(node: &Node) -> String {
    let children = node.children.borrow();
    let texts = children.iter().filter_map(|child| match &child.data {
        NodeData::Text { contents } => Some(contents.borrow().to_string()),
        _ => None,
    });
    texts.collect()
}

/// Returns whether an element holds few others.
pub(super) fn is_small(element: &Node) -> bool {
    let mut open = children(element);
    for _ in 0..FEW_NODES {
        let Some(node) = open.pop() else { return true };
        open.extend(children(&node));
    }
    false
}

/// Returns what a `sup` element raises in superscript characters, where each of its characters has one.
pub(super) fn raised(element: &Node) -> Option<String> {
    let is_exponent = tag(element) == Some("sup") && is_small(element);
    superscript(&is_exponent.then(|| text(element)).flatten()?)
}

/// Returns the letters that stand directly before and behind an element.
pub(super) fn neighbours(element: &Rc<Node>) -> (Option<char>, Option<char>) {
    let Some(around) = parent(element) else {
        return (None, None);
    };
    let siblings = around.children.borrow();
    let mut places = siblings.iter().take(MOST_SIBLINGS);
    let Some(at) = places.position(|one| Rc::ptr_eq(one, element)) else {
        return (None, None);
    };
    let before = at.checked_sub(1).and_then(|at| shown(&siblings[at]));
    let after = siblings.get(at + 1).and_then(|node| shown(node));
    (
        before.and_then(|text| text.chars().next_back()),
        after.and_then(|text| text.chars().next()),
    )
}

/// Returns a text, or that of a small element.
fn shown(node: &Node) -> Option<String> {
    match &node.data {
        NodeData::Text { contents } => Some(contents.borrow().to_string()),
        _ if is_small(node) => text(node),
        _ => None,
    }
}

/// Returns the beginning of the text in an element, without white space.
pub(super) fn beginning(element: &Node) -> String {
    let mut beginning = String::new();
    let mut open: Vec<Rc<Node>> = children(element).into_iter().rev().collect();
    for _ in 0..FEW_NODES {
        let Some(node) = open.pop().filter(|_| beginning.len() < BEGINNING) else {
            break;
        };
        if let NodeData::Text { contents } = &node.data {
            let text = contents.borrow();
            let letters = text.chars().filter(|letter| !letter.is_whitespace());
            beginning.extend(letters.take(BEGINNING));
        }
        open.extend(children(&node).into_iter().rev());
    }
    beginning
}
