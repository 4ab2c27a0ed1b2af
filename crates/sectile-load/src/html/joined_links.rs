//! Links that stand directly beside each other and lead to the same address: editors make one of each run of letters that
//! look alike.

use std::rc::Rc;

use htmd::Node;
use markup5ever_rcdom::NodeData;

use super::node::{attribute, tag};

/// Elements whose content stands on lines of its own, or is no text.
const APART: [&str; 8] = ["br", "dl", "div", "img", "ol", "p", "table", "ul"];

/// How many nodes a part of a line has at most that is looked at.
const FEW_NODES: usize = 100;

/// How many bytes it has at most.
const FEW_BYTES: usize = 10_000;

/// Joins such links in a part of a page.
pub(super) fn join(root: &Rc<Node>) {
    let mut open = vec![Rc::clone(root)];
    while let Some(node) = open.pop() {
        join_children(&node);
        open.extend(node.children.borrow().iter().map(Rc::clone));
    }
}

fn join_children(node: &Node) {
    let links = node.children.borrow();
    if links.iter().filter(|one| tag(one) == Some("a")).count() < 2 {
        return;
    }
    drop(links);
    let mut kept: Vec<Rc<Node>> = Vec::new();
    for child in node.children.take() {
        match kept.last().filter(|last| are_one(last, &child)) {
            Some(last) => {
                let words = child.children.take();
                for word in &words {
                    word.parent.set(Some(Rc::downgrade(last)));
                }
                last.children.borrow_mut().extend(words);
            }
            None => kept.push(child),
        }
    }
    node.children.replace(kept);
}

/// Returns whether two links are one: they lead to the same address, and the words of the second go on from those of the
/// first. Cards have a title and a `Read more` without a space between them, which are two.
fn are_one(first: &Node, second: &Node) -> bool {
    if tag(first) != Some("a") || tag(second) != Some("a") {
        return false;
    }
    let target = attribute(first, "href");
    if target.is_none() || target != attribute(second, "href") {
        return false;
    }
    let (Some(before), Some(after)) = (words(first), words(second)) else {
        return false;
    };
    match (before.chars().next_back(), after.chars().next()) {
        (Some(last), Some(next)) => {
            let goes_on = last.is_alphabetic() && next.is_alphabetic() && !next.is_uppercase();
            last.is_whitespace() || next.is_whitespace() || goes_on
        }
        _ => false,
    }
}

/// Returns the text of a link or another short part of one line, as it is written.
pub(super) fn words(part: &Node) -> Option<String> {
    let mut words = String::new();
    let mut open: Vec<Rc<Node>> = part.children.borrow().iter().rev().map(Rc::clone).collect();
    let mut left = FEW_NODES;
    while let Some(node) = open.pop() {
        left = left.checked_sub(1)?;
        if tag(&node).is_some_and(|tag| APART.contains(&tag)) {
            return None;
        }
        if let NodeData::Text { contents } = &node.data {
            words.push_str(&contents.borrow());
        }
        if words.len() > FEW_BYTES {
            return None;
        }
        open.extend(node.children.borrow().iter().rev().map(Rc::clone));
    }
    Some(words)
}
