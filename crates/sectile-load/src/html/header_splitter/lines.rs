//! The text of a page, element by element.

use std::rc::Rc;

use htmd::{HtmlToMarkdown, Node};
use markup5ever_rcdom::NodeData;

use super::super::node::{self, has_attribute, tag};
use super::super::tree;
use super::super::{MAX_DEPTH, nesting};

/// The text of an element, or of a part of it between others.
pub(super) struct Line {
    pub(super) text: String,
    /// The level of a heading.
    pub(super) level: Option<usize>,
    /// How deep the element is nested.
    pub(super) depth: usize,
}

/// Parses a page; nothing when its elements are too many or nested too deep. Elements last as long as the page.
pub(super) fn parse(html: &str) -> Option<Rc<Node>> {
    if !nesting::is_parsable(html, MAX_DEPTH) {
        return None;
    }
    let parser = HtmlToMarkdown::builder().scripting_enabled(false).build();
    parser.html_to_tree(html).ok()
}

/// Returns the body of a page.
pub(super) fn body(page: &Rc<Node>) -> Rc<Node> {
    let mut open = vec![Rc::clone(page)];
    while let Some(node) = open.pop() {
        if tag(&node) == Some("body") {
            return node;
        }
        open.extend(node.children.borrow().iter().map(Rc::clone));
    }
    Rc::clone(page)
}

/// Returns the level of a heading.
fn level(node: &Node) -> Option<usize> {
    let digit = tag(node)?.strip_prefix('h')?;
    let level = digit.parse().ok()?;
    (1..=6).contains(&level).then_some(level)
}

/// Returns for each element what stands directly in it, as `LangChain` has it: comments and scripts
/// included, and an element before what is nested in it.
pub(super) fn own_text_first(body: &Rc<Node>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut open = vec![(Rc::clone(body), 0)];
    while let Some((node, depth)) = open.pop() {
        let children = children(&node);
        let own: Vec<String> = children
            .iter()
            .filter_map(|child| own_text(child))
            .collect();
        if !own.is_empty() {
            lines.push(Line {
                text: own.join(" "),
                level: level(&node),
                depth,
            });
        }
        let elements = children.iter().rev().filter(|child| tag(child).is_some());
        open.extend(elements.map(|child| (Rc::clone(child), depth + 1)));
    }
    lines
}

/// Returns what stands directly in an element. What stands in a template is no child of it.
fn children(node: &Node) -> Vec<Rc<Node>> {
    let contents = match &node.data {
        NodeData::Element {
            template_contents, ..
        } => template_contents.borrow().clone(),
        _ => None,
    };
    contents.map_or_else(
        || node::children(node),
        |contents| node::children(&contents),
    )
}

/// Returns whether an element is a template that browsers show as the contents of the element around it.
fn is_shadow_root(node: &Node) -> bool {
    tag(node) == Some("template") && has_attribute(node, "shadowrootmode")
}

fn own_text(node: &Node) -> Option<String> {
    let text = match &node.data {
        NodeData::Text { contents } => contents.borrow().trim().to_owned(),
        NodeData::Comment { contents } => contents.trim().to_owned(),
        _ => String::new(),
    };
    (!text.is_empty()).then_some(text)
}

/// Returns the text in its order: a line for each block, and one more where it goes on behind another.
pub(super) fn in_order(body: &Rc<Node>) -> Vec<Line> {
    let mut walk = Walk::default();
    let mut steps = vec![Step::Into(Rc::clone(body), 0)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Into(node, depth) => walk.enter(&node, depth, &mut steps),
            Step::OutOf => walk.leave(),
        }
    }
    walk.lines
}

enum Step {
    Into(Rc<Node>, usize),
    /// Out of the innermost block.
    OutOf,
}

/// A block whose text is read.
struct Block {
    level: Option<usize>,
    depth: usize,
    is_preformatted: bool,
}

#[derive(Default)]
struct Walk {
    lines: Vec<Line>,
    blocks: Vec<Block>,
    /// The text since the last block began or ended.
    text: String,
}

impl Walk {
    fn enter(&mut self, node: &Rc<Node>, depth: usize, steps: &mut Vec<Step>) {
        if let NodeData::Text { contents } = &node.data {
            return self.add(&contents.borrow());
        }
        if tree::is_without_text(node) && !is_shadow_root(node) {
            return;
        }
        if tag(node) == Some("br") {
            self.text.push('\n');
        } else if !tree::is_inline(node) {
            self.begin(node, depth);
            steps.push(Step::OutOf);
        }
        let children = children(node).into_iter().rev();
        steps.extend(children.map(|child| Step::Into(child, depth + 1)));
    }

    fn add(&mut self, text: &str) {
        if self
            .blocks
            .last()
            .is_some_and(|block| block.is_preformatted)
        {
            self.text.push_str(text);
            return;
        }
        if text.starts_with(char::is_whitespace) {
            self.blank();
        }
        for (at, word) in text.split_whitespace().enumerate() {
            if at > 0 {
                self.blank();
            }
            self.text.push_str(word);
        }
        if text.ends_with(char::is_whitespace) {
            self.blank();
        }
    }

    fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(char::is_whitespace) {
            self.text.push(' ');
        }
    }

    fn begin(&mut self, node: &Node, depth: usize) {
        let outer = self.blocks.last();
        let outer_heading = outer.filter(|block| block.level.is_some());
        let block = match outer_heading {
            // All text in a heading is the heading.
            Some(heading) => Block { ..*heading },
            None => Block {
                level: level(node),
                depth,
                is_preformatted: outer.is_some_and(|block| block.is_preformatted)
                    || tag(node) == Some("pre"),
            },
        };
        if outer_heading.is_some() {
            self.blank();
        } else {
            self.flush();
        }
        self.blocks.push(block);
    }

    fn leave(&mut self) {
        let is_nested = self
            .blocks
            .iter()
            .filter(|block| block.level.is_some())
            .count()
            > 1;
        if is_nested {
            self.blank();
        } else {
            self.flush();
        }
        self.blocks.pop();
    }

    /// Ends the line.
    fn flush(&mut self) {
        let text = self.text.trim().to_owned();
        self.text.clear();
        if let Some(block) = self.blocks.last().filter(|_| !text.is_empty()) {
            self.lines.push(Line {
                text,
                level: block.level,
                depth: block.depth,
            });
        }
    }
}
