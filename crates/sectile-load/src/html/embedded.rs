//! What browsers show in the place of an element: a shadow root that a page declares, a frame with its document in
//! an attribute, and what a page with frames has for browsers without.

use std::rc::Rc;

use htmd::{HtmlToMarkdown, Node};
use markup5ever_rcdom::NodeData;

use super::nesting;
use super::node::{attribute, children, has_attribute, tag, written};

/// Which templates of a page are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Templates {
    /// Those that are shadow roots, as browsers do.
    Declared,
    /// All, as the scripts of the page may do.
    All,
}

/// Puts what is shown in the place of each such element of a page.
pub(super) fn unfold(
    root: &Rc<Node>,
    parser: &HtmlToMarkdown,
    max_depth: usize,
    templates: Templates,
) {
    let is_folded = |node: &Node| is_folded(node, templates);
    let mut open = vec![Rc::clone(root)];
    while let Some(node) = open.pop() {
        if node.children.borrow().iter().any(|child| is_folded(child)) {
            let mut nodes = Vec::new();
            let mut folded = children(&node);
            folded.reverse();
            // What is shown in the place of an element may have its own directly in it.
            while let Some(child) = folded.pop() {
                if is_folded(&child) {
                    folded.extend(shown(&child, parser, max_depth).into_iter().rev());
                } else {
                    nodes.push(child);
                }
            }
            for child in &nodes {
                child.parent.set(Some(Rc::downgrade(&node)));
            }
            *node.children.borrow_mut() = nodes;
        }
        open.extend(children(&node));
    }
}

fn is_folded(node: &Node, templates: Templates) -> bool {
    match tag(node) {
        Some("template") => templates == Templates::All || has_attribute(node, "shadowrootmode"),
        Some("iframe") => has_attribute(node, "srcdoc"),
        Some("noframes") => true,
        _ => false,
    }
}

/// Returns what is shown in the place of an element.
fn shown(node: &Node, parser: &HtmlToMarkdown, max_depth: usize) -> Vec<Rc<Node>> {
    match &node.data {
        NodeData::Element {
            template_contents, ..
        } if template_contents.borrow().is_some() => {
            let contents = template_contents.borrow();
            contents
                .iter()
                .flat_map(|contents| taken(contents))
                .collect()
        }
        // The parser leaves it as it is written.
        _ if tag(node) == Some("noframes") => of_document(&written(node), parser, max_depth),
        _ => of_document(
            &attribute(node, "srcdoc").unwrap_or_default(),
            parser,
            max_depth,
        ),
    }
}

/// Returns what stands in the body of a document; nothing when it is too large or nested too deep.
fn of_document(html: &str, parser: &HtmlToMarkdown, max_depth: usize) -> Vec<Rc<Node>> {
    let is_parsable = nesting::is_parsable(html, max_depth);
    let document = is_parsable.then(|| parser.html_to_tree(html).ok());
    let document = document.flatten();
    let elements = document.iter().flat_map(|root| children(root));
    let parts = elements.flat_map(|element| children(&element));
    let body = parts.filter(|part| tag(part) == Some("body"));
    body.flat_map(|body| taken(&body)).collect()
}

/// Takes what stands in a node out of it: the end of a node is the end of all that it holds.
fn taken(node: &Node) -> Vec<Rc<Node>> {
    std::mem::take(&mut *node.children.borrow_mut())
}
