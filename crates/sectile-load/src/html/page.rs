//! The parts of a page: what its head says, and where its main text stands.

use std::rc::Rc;

use htmd::Node;
use markup5ever_rcdom::NodeData;
use sectile_core::Metadata;
use serde_json::Value;

/// Elements that hold no text of the page.
const LEFT_OUT: [&str; 17] = [
    "aside", "button", "canvas", "dialog", "embed", "form", "iframe", "input", "nav", "noscript",
    "object", "script", "select", "style", "svg", "template", "textarea",
];

/// Elements that hold no text of the page where they are not within its article.
const OF_THE_SITE: [&str; 2] = ["footer", "header"];

/// Roles of the same.
const ROLES_LEFT_OUT: [&str; 5] = [
    "banner",
    "complementary",
    "contentinfo",
    "navigation",
    "search",
];

/// What links to the heading beside them show.
const PERMALINKS: [&str; 5] = ["", "#", "\u{B6}", "\u{A7}", "\u{1F517}"];

/// Names of `meta` elements that are kept beside the fields of the metadata.
const KEPT: [&str; 2] = ["description", "keywords"];

/// A page whose tree has been walked and pruned.
pub(super) struct Page {
    body: Rc<Node>,
    mains: Vec<Rc<Node>>,
    articles: Vec<Rc<Node>>,
    pub(super) metadata: Metadata,
}

impl Page {
    /// Walks a tree that is nested no deeper than `max_depth`.
    pub(super) fn new(tree: &Rc<Node>, max_depth: usize) -> Option<Self> {
        let mut page = Self {
            body: Rc::clone(tree),
            mains: Vec::new(),
            articles: Vec::new(),
            metadata: Metadata::default(),
        };
        let mut open = vec![(Rc::clone(tree), 0, false)];
        while let Some((node, depth, is_within_article)) = open.pop() {
            if depth > max_depth {
                return None;
            }
            let is_within_article = page.visit(&node) || is_within_article;
            let mut children = node.children.borrow_mut();
            children.retain(|child| !is_left_out(child, is_within_article));
            let children = children.iter().rev();
            open.extend(children.map(|child| (Rc::clone(child), depth + 1, is_within_article)));
        }
        Some(page)
    }

    /// Returns the node that holds the main text.
    pub(super) fn main(&self) -> &Rc<Node> {
        match (self.mains.first(), self.articles.as_slice()) {
            (Some(main), _) if has_text(main) => main,
            (_, [article]) if has_text(article) => article,
            _ => &self.body,
        }
    }

    /// Takes what is of use of an element, and says whether it is the main text or an article.
    fn visit(&mut self, node: &Rc<Node>) -> bool {
        let Some(tag) = tag(node) else { return false };
        match tag {
            "html" => self.metadata.language = attribute(node, "lang"),
            "title" if self.metadata.title.is_none() => self.metadata.title = text(node),
            "meta" => self.describe(node),
            "body" => self.body = Rc::clone(node),
            "article" => self.articles.push(Rc::clone(node)),
            _ if tag == "main" || attribute(node, "role").as_deref() == Some("main") => {
                self.mains.push(Rc::clone(node));
            }
            _ => return false,
        }
        matches!(tag, "article" | "main")
    }

    fn describe(&mut self, meta: &Node) {
        let name = attribute(meta, "name").or_else(|| attribute(meta, "property"));
        let (Some(name), Some(content)) = (name, attribute(meta, "content")) else {
            return;
        };
        let name = name.to_lowercase();
        let metadata = &mut self.metadata;
        match name.as_str() {
            "author" | "article:author" => metadata.author = Some(content),
            "date" | "article:published_time" => metadata.created = Some(content),
            "article:modified_time" | "last-modified" => metadata.modified = Some(content),
            other if KEPT.contains(&other) => {
                metadata.extra.insert(name, Value::from(content));
            }
            _ => {}
        }
    }
}

fn is_left_out(node: &Node, is_within_article: bool) -> bool {
    let Some(tag) = tag(node) else { return false };
    let role = attribute(node, "role");
    let is_of_the_site = OF_THE_SITE.contains(&tag) && !is_within_article;
    LEFT_OUT.contains(&tag)
        || is_of_the_site
        || attribute_exists(node, "hidden")
        || attribute(node, "aria-hidden").as_deref() == Some("true")
        || role.is_some_and(|role| ROLES_LEFT_OUT.contains(&role.as_str()))
        || (tag == "a" && is_permalink(node))
}

/// Says whether a link is the mark beside a heading that links to it.
fn is_permalink(link: &Node) -> bool {
    let is_local = attribute(link, "href").is_some_and(|target| target.starts_with('#'));
    is_local && PERMALINKS.contains(&text(link).unwrap_or_default().as_str())
}

fn tag(node: &Node) -> Option<&str> {
    match &node.data {
        NodeData::Element { name, .. } => Some(&name.local),
        _ => None,
    }
}

fn attribute_exists(node: &Node, wanted: &str) -> bool {
    match &node.data {
        NodeData::Element { attrs, .. } => {
            let attributes = attrs.borrow();
            attributes.iter().any(|one| &*one.name.local == wanted)
        }
        _ => false,
    }
}

/// Returns the trimmed value of an attribute, unless it is blank.
fn attribute(node: &Node, wanted: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else {
        return None;
    };
    let attributes = attrs.borrow();
    let found = attributes.iter().find(|one| &*one.name.local == wanted)?;
    let value = found.value.trim();
    (!value.is_empty()).then(|| value.into())
}

fn has_text(node: &Rc<Node>) -> bool {
    text_nodes(node, |text| !text.trim().is_empty())
}

/// Returns the text in an element on one line, unless it is blank.
fn text(node: &Node) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    for child in node.children.borrow().iter() {
        text_nodes(child, |text| {
            words.extend(text.split_whitespace().map(str::to_owned));
            false
        });
    }
    let text = words.join(" ");
    (!text.is_empty()).then_some(text)
}

/// Calls `is_enough` with each text in `node` until one is, and says whether one was.
fn text_nodes(node: &Rc<Node>, mut is_enough: impl FnMut(&str) -> bool) -> bool {
    let mut open = vec![Rc::clone(node)];
    while let Some(node) = open.pop() {
        if let NodeData::Text { contents } = &node.data
            && is_enough(&contents.borrow())
        {
            return true;
        }
        let children = node.children.borrow();
        open.extend(children.iter().rev().map(Rc::clone));
    }
    false
}
