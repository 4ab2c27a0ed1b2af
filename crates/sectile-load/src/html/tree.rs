//! The elements of a page in one list, with figures of the text in each.

use std::collections::HashMap;
use std::rc::Rc;

use htmd::Node;
use markup5ever_rcdom::NodeData;

use super::code;
use super::drawing;
use super::figures::{Figures, Own};
use super::kind::Kind;
use super::layout;
use super::math;
use super::node::{attribute, attribute_is, has_attribute, is_heading, tag, text};
use super::typeset;
use super::vocabulary::{self, Signal};

/// Elements whose text is not text of a page, or stands in the page twice.
const WITHOUT_TEXT: [&str; 11] = [
    "audio", "canvas", "embed", "frame", "iframe", "input", "script", "style", "svg", "template",
    "video",
];

/// Elements that texts are written as.
pub(super) const TEXTS: [&str; 8] = [
    "address",
    "blockquote",
    "dl",
    "ol",
    "p",
    "pre",
    "table",
    "ul",
];

/// Elements within a line.
const INLINE: [&str; 39] = [
    "a",
    "abbr",
    "acronym",
    "b",
    "bdi",
    "bdo",
    "big",
    "br",
    "cite",
    "code",
    "data",
    "del",
    "dfn",
    "em",
    "font",
    "i",
    "img",
    "ins",
    "kbd",
    "label",
    "mark",
    "nobr",
    "q",
    "ruby",
    "rp",
    "rt",
    "s",
    "samp",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "sup",
    typeset::INLINE,
    typeset::BLOCK,
    "time",
    "u",
    "var",
];

/// How many letters a paragraph has at least.
const PARAGRAPH: usize = 25;

/// How many elements of a class there are at least where each tells of something else.
const SEVERAL: usize = 3;

/// An element.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something else of the place of an element"
)]
pub(super) struct Element {
    pub(super) node: Rc<Node>,
    pub(super) parent: usize,
    /// The index behind its last descendant.
    pub(super) end: usize,
    /// What its class and id say.
    pub(super) signal: Signal,
    /// The element before it in the same parent.
    pub(super) before: Option<usize>,
    /// Whether it stands in an `article` or `main`.
    pub(super) is_within_article: bool,
    /// Whether it stands in code, where classes name parts of the language, comments above all.
    pub(super) is_within_code: bool,
    /// Whether it stands in a table of data, of which nothing is left out on its own.
    pub(super) is_within_data: bool,
    /// As what it is left out, if it is.
    pub(super) left_out: Option<Kind>,
    /// Text that is in no block within it; nothing for elements within a line.
    pub(super) own: Own,
    /// How much of it stands in elements whose class says that it is not of the text.
    pub(super) own_marked: usize,
    /// All text in it that is not left out.
    pub(super) all: Figures,
    /// Whether it is a list with an item of which no class says that it is not of the text.
    pub(super) has_plain_items: bool,
    /// Whether it holds a part of a table of data that is not left out.
    pub(super) holds_data: bool,
    /// The first element directly in it that has text.
    pub(super) first_with_text: Option<usize>,
}

impl Element {
    pub(super) fn tag(&self) -> &str {
        tag(&self.node).unwrap_or_default()
    }

    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        attribute(&self.node, name)
    }

    pub(super) fn is_heading(&self) -> bool {
        is_heading(&self.node)
    }

    /// Counts its own text, where it is a paragraph or stands in a table of data.
    pub(super) fn content(&self) -> usize {
        let plain = self.own.plain();
        let is_paragraph = plain >= PARAGRAPH || self.is_within_data;
        if is_paragraph && plain >= self.own.linked && !self.is_heading() {
            plain
        } else {
            0
        }
    }

    /// Returns the text, where the element is small enough to be one line.
    pub(super) fn line(&self, at: usize, max_letters: usize) -> Option<String> {
        let is_small = self.end - at <= 40 && self.all.text <= max_letters;
        is_small.then(|| text(&self.node)).flatten()
    }
}

/// All elements of a page, each behind its parent.
pub(super) struct Tree {
    pub(super) elements: Vec<Element>,
    /// The words of drawings, each with the element that it stands in.
    pub(super) drawn: Vec<(usize, usize)>,
    /// The addresses of the pages that frames show.
    pub(super) frames: Vec<(usize, String)>,
    /// What the classes and ids say that were seen: most are seen often.
    signals: HashMap<String, Signal>,
    /// How often each class is seen that says that an element tells of the text.
    details: HashMap<String, usize>,
}

impl Tree {
    /// Lists the elements of a page that is nested no deeper than `max_depth`. Cuts out what never holds
    /// text.
    pub(super) fn new(root: &Rc<Node>, max_depth: usize) -> Option<Self> {
        let mut tree = Self {
            elements: Vec::new(),
            drawn: Vec::new(),
            frames: Vec::new(),
            signals: HashMap::new(),
            details: HashMap::new(),
        };
        let mut open = vec![(Rc::clone(root), Place::default())];
        while let Some((node, place)) = open.pop() {
            if place.depth > max_depth {
                return None;
            }
            match &node.data {
                NodeData::Text { contents } => tree.add_text(&contents.borrow(), place),
                NodeData::Document | NodeData::Element { .. } => {
                    let signal = tree.signal(&node);
                    let within = tree.place_within(&node, signal, place);
                    tree.cut_without_text(&node);
                    let children = node.children.borrow();
                    let children = children.iter().rev();
                    open.extend(children.map(|child| (Rc::clone(child), within)));
                    tree.add(Rc::clone(&node), signal, place);
                }
                _ => {}
            }
        }
        tree.close();
        tree.count();
        Some(tree)
    }

    /// Returns whether the class of an element that tells of a text is on so many others that each tells of something
    /// else: the dates of a timeline, the authors of a list.
    pub(super) fn is_repeated(&self, at: usize) -> bool {
        let class = self.elements[at].attribute("class").unwrap_or_default();
        self.details
            .get(&class)
            .is_some_and(|count| *count >= SEVERAL)
    }

    fn add(&mut self, node: Rc<Node>, signal: Signal, place: Place) {
        self.elements.push(Element {
            signal,
            before: None,
            node,
            parent: place.parent,
            end: self.elements.len() + 1,
            is_within_article: place.is_within_article,
            is_within_code: place.is_within_code,
            is_within_data: place.is_within_data,
            left_out: None,
            own: Own::default(),
            own_marked: 0,
            all: Figures::default(),
            has_plain_items: false,
            holds_data: false,
            first_with_text: None,
        });
    }

    fn signal(&mut self, node: &Node) -> Signal {
        if math::is_drawn(node) || is_paid_text(node) || is_comment_in_code(node) {
            return Signal::None;
        }
        let mut says = |name| {
            let names = attribute(node, name)?;
            if let Some(signal) = self.signals.get(&names) {
                return Some(*signal);
            }
            let signal = vocabulary::signal(&names);
            self.signals.insert(names, signal);
            Some(signal)
        };
        let by_class = says("class");
        if by_class == Some(Signal::Detail) {
            let class = attribute(node, "class").unwrap_or_default();
            *self.details.entry(class).or_default() += 1;
        }
        // The id of a heading is made of its words, and that of a figure of what it shows.
        let is_made = is_heading(node) || tag(node) == Some("figure");
        let by_id = if is_made { None } else { says("id") };
        by_class.max(by_id).unwrap_or_default()
    }

    /// Cuts out of the element that is added next what has no text of the page, and notes what it shows.
    fn cut_without_text(&mut self, node: &Node) {
        let at = self.elements.len();
        node.children.borrow_mut().retain(|child| {
            if !is_without_text(child) {
                return true;
            }
            match tag(child) {
                Some("svg") => {
                    let words = drawing::words(child);
                    self.drawn.extend((words > 0).then_some((at, words)));
                }
                Some("frame" | "iframe") => {
                    let address = attribute(child, "src");
                    let address = address.filter(|address| !address.starts_with("about:"));
                    self.frames.extend(address.map(|address| (at, address)));
                }
                _ => {}
            }
            false
        });
    }

    fn add_text(&mut self, text: &str, place: Place) {
        if let Some(block) = self.elements.get_mut(place.block) {
            let letters = letters(text);
            block.own.text += letters;
            block.own.linked += if place.is_linked { letters } else { 0 };
            block.own_marked += if place.is_marked { letters } else { 0 };
        }
    }

    /// Returns the place of what stands in the element that is added next.
    fn place_within(&self, node: &Node, signal: Signal, place: Place) -> Place {
        let name = tag(node).unwrap_or_default();
        let is_inline = is_inline(node);
        if name == "a" {
            tidy_link(node);
        }
        let next = self.elements.len();
        let is_block_of_code = name == "pre" || code::is_block(node);
        // Names in code may be links each, and are no way through a site.
        let is_way = name == "a" && !place.is_within_block_of_code;
        Place {
            depth: place.depth + 1,
            parent: next,
            block: if is_inline { place.block } else { next },
            is_marked: is_inline && (place.is_marked || signal.is_beside_text()),
            is_linked: place.is_linked || (is_way && has_attribute(node, "href")),
            is_within_article: place.is_within_article || matches!(name, "article" | "main"),
            is_within_code: place.is_within_code
                || is_block_of_code
                || matches!(name, "code" | "samp"),
            is_within_block_of_code: place.is_within_block_of_code || is_block_of_code,
            is_within_data: place.is_within_data || (name == "table" && layout::is_data(node)),
        }
    }

    fn close(&mut self) {
        for at in (1..self.elements.len()).rev() {
            let (parent, end) = (self.elements[at].parent, self.elements[at].end);
            self.elements[parent].end = self.elements[parent].end.max(end);
        }
        for parent in 0..self.elements.len() {
            let children: Vec<usize> = self.children(parent).collect();
            for (before, child) in children.iter().zip(children.iter().skip(1)) {
                self.elements[*child].before = Some(*before);
            }
        }
    }

    /// Counts the text that is not left out.
    pub(super) fn count(&mut self) {
        for element in &mut self.elements {
            let content = element.content();
            element.all = Figures {
                text: element.own.text,
                linked: element.own.linked,
                content,
                data: if element.is_within_data { content } else { 0 },
            };
            element.has_plain_items = false;
            element.holds_data = element.is_within_data;
            element.first_with_text = None;
        }
        for at in (1..self.elements.len()).rev() {
            let element = &self.elements[at];
            if element.left_out.is_none() && element.all.text > 0 {
                let (all, holds_data) = (element.all, element.holds_data);
                let is_plain_item = is_plain_item(element);
                let parent = element.parent;
                let parent = &mut self.elements[parent];
                parent.all += all;
                parent.has_plain_items |= is_plain_item;
                parent.holds_data |= holds_data;
                parent.first_with_text = Some(at);
            }
        }
    }

    /// Returns the elements that stand directly in one.
    pub(super) fn children(&self, parent: usize) -> impl Iterator<Item = usize> {
        let end = self.elements[parent].end;
        let first = (parent + 1 < end).then_some(parent + 1);
        std::iter::successors(first, move |at| {
            let next = self.elements[*at].end;
            (next < end).then_some(next)
        })
    }

    /// Returns the elements in one, itself included, that are not left out.
    pub(super) fn kept(&self, root: usize) -> impl Iterator<Item = usize> {
        let end = self.elements[root].end;
        let kept = move |mut at: usize| {
            while at < end && self.elements[at].left_out.is_some() {
                at = self.elements[at].end;
            }
            (at < end).then_some(at)
        };
        std::iter::successors(kept(root), move |at| kept(at + 1))
    }

    /// Cuts what is left out, out of the page.
    pub(super) fn cut(&self) {
        for (at, element) in self.elements.iter().enumerate() {
            let mut kept = self
                .children(at)
                .map(|child| self.elements[child].left_out.is_none());
            let mut children = element.node.children.borrow_mut();
            children.retain(|child| tag(child).is_none() || kept.next().unwrap_or(true));
        }
    }
}

/// Where a node stands.
#[derive(Clone, Copy, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something else of the place of a node"
)]
struct Place {
    depth: usize,
    parent: usize,
    block: usize,
    is_linked: bool,
    is_marked: bool,
    is_within_article: bool,
    is_within_code: bool,
    is_within_block_of_code: bool,
    is_within_data: bool,
}

/// Returns whether an element is an item of a list, and no class says that it is not of the text.
fn is_plain_item(element: &Element) -> bool {
    matches!(element.tag(), "dd" | "dt" | "li") && !element.signal.is_beside_text()
}

/// Counts letters; those of Chinese, Japanese and Korean say as much as two others.
fn letters(text: &str) -> usize {
    let letters = text.chars().filter(|letter| !letter.is_whitespace());
    letters
        .map(|letter| if letter >= '\u{2E80}' { 2 } else { 1 })
        .sum()
}

/// Returns whether an element stands within a line; what is not an element does.
pub(super) fn is_inline(node: &Node) -> bool {
    tag(node).is_none_or(|tag| INLINE.contains(&tag)) || math::is_drawn(node)
}

pub(super) fn is_without_text(node: &Node) -> bool {
    tag(node).is_some_and(|tag| WITHOUT_TEXT.contains(&tag)) && !is_box(node)
}

/// Returns whether an element is a comment in code, and not one of readers.
fn is_comment_in_code(node: &Node) -> bool {
    attribute_is(node, "class", vocabulary::is_comment_in_code)
}

/// Returns whether an element is text that readers pay for, and not a notice about that.
fn is_paid_text(node: &Node) -> bool {
    let is_text = tag(node).is_some_and(|tag| TEXTS.contains(&tag)) || is_heading(node);
    is_text && attribute_is(node, "class", vocabulary::is_behind_paywall)
}

/// Returns whether an element is the box of a task in a list, which nobody can tick here.
fn is_box(node: &Node) -> bool {
    let is_task = || attribute(node, "class").is_some_and(|class| class.contains("task"));
    tag(node) == Some("input")
        && attribute(node, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"))
        && (has_attribute(node, "disabled") || is_task())
}

/// Takes from a link what is neither text nor address: its title, and a script that it runs.
fn tidy_link(link: &Node) {
    if let NodeData::Element { attrs, .. } = &link.data {
        attrs.borrow_mut().retain(|one| match &*one.name.local {
            "title" => false,
            "href" => !starts_with_script(&one.value),
            _ => true,
        });
    }
}

fn starts_with_script(address: &str) -> bool {
    let start = address.trim_start().as_bytes();
    start
        .get(..11)
        .is_some_and(|start| start.eq_ignore_ascii_case(b"javascript:"))
}
