//! Words that no white space stands between and that a page shows apart: the fields of a line, such as a quantity and
//! what it is of, each in an element that a style gives a place of its own.

use std::cell::RefCell;
use std::rc::Rc;

use htmd::Node;
use markup5ever_rcdom::NodeData;

use super::code;
use super::joined_links::words;
use super::node::{attribute, attribute_is, neighbours, tag};
use super::typeset;

/// Elements that fields are written as.
const FIELDS: [&str; 4] = ["label", "small", "span", "time"];

/// Words in the classes of labels that stand in boxes beside the words that they tell of.
const LABELS: [&str; 8] = [
    "badge", "badges", "chip", "label", "labels", "mlabel", "mlabels", "pill",
];

/// Words in the classes of empty elements that draw a sign between two words.
const SEPARATORS: [&str; 7] = [
    "bullet",
    "delim",
    "delimiter",
    "divider",
    "dot",
    "sep",
    "separator",
];

/// Elements whose content stays as it is written.
const AS_WRITTEN: [&str; 8] = [
    "code",
    "kbd",
    "math",
    "pre",
    "samp",
    "textarea",
    typeset::BLOCK,
    typeset::INLINE,
];

/// What ends the number of a place in an order.
const ORDINALS: [&str; 8] = ["er", "ième", "nd", "rd", "re", "st", "th", "ème"];

/// How many letters a word has at least that is no unit or abbreviation.
const WORD: usize = 3;

/// How many letters a word of a class has at least that says something.
const TELLING: usize = 4;

/// Words of classes that say how letters look: one word may be in several.
const LOOKS: [&str; 7] = [
    "bold",
    "color",
    "font",
    "italic",
    "smallcaps",
    "style",
    "underline",
];

/// Writes a space between fields that have none between them.
pub(super) fn part(root: &Rc<Node>) {
    let mut open = vec![Rc::clone(root)];
    while let Some(node) = open.pop() {
        if tag(&node).is_some_and(|tag| AS_WRITTEN.contains(&tag)) || code::is_block(&node) {
            continue;
        }
        part_children(&node);
        open.extend(node.children.borrow().iter().map(Rc::clone));
    }
}

fn part_children(node: &Rc<Node>) {
    let has_lines = has_lines(node);
    let is_line = |node: &Node| has_lines && tag(node) == Some("span");
    let children = node.children.borrow();
    let pairs = children.windows(2);
    let apart: Vec<bool> = pairs
        .map(|two| {
            is_line(&two[0]) && is_line(&two[1])
                || are_parted(&two[0], &two[1])
                || stands_apart(&two[1])
        })
        .collect();
    drop(children);
    if !apart.contains(&true) {
        return;
    }
    let mut parted: Vec<Rc<Node>> = Vec::new();
    let spaces = std::iter::once(false).chain(apart);
    for (is_apart, child) in spaces.zip(node.children.take()) {
        if is_apart {
            let space = Node::new(NodeData::Text {
                contents: RefCell::new(" ".into()),
            });
            space.parent.set(Some(Rc::downgrade(node)));
            parted.push(space);
        }
        parted.push(child);
    }
    node.children.replace(parted);
}

/// Returns whether the class of an element says that what is in it are lines, as that of several names of one function does
/// in the reference of C++.
fn has_lines(node: &Node) -> bool {
    tag(node) == Some("span")
        && attribute_is(node, "class", |class| {
            class.split([' ', '-', '_']).any(|word| word == "lines")
        })
}

/// Returns whether an element stands apart from the word before it, whatever element that is in: a label, as Doxygen writes
/// `abstract` beside the name of a class, or one that draws what separates the parts of a name.
fn stands_apart(element: &Rc<Node>) -> bool {
    if !tag(element).is_some_and(|tag| FIELDS.contains(&tag) || tag == "i") {
        return false;
    }
    let class = attribute(element, "class").unwrap_or_default();
    let has_one_of = |names: &[&str]| {
        let mut words = class.split(|letter: char| !letter.is_ascii_alphabetic());
        words.any(|word| names.contains(&word))
    };
    let (is_label, is_separator) = (has_one_of(&LABELS), has_one_of(&SEPARATORS));
    if !is_label && !is_separator {
        return false;
    }
    let (last, next) = neighbours(element);
    let (Some(last), Some(shown)) = (last, words(element)) else {
        return false;
    };
    if shown.is_empty() {
        is_separator && !last.is_whitespace() && next.is_some_and(|next| !next.is_whitespace())
    } else {
        is_label && last.is_alphanumeric() && shown.starts_with(char::is_alphanumeric)
    }
}

/// Returns whether two elements are fields and not parts of one word: a number and a word, a phrase and a number or what
/// begins with a capital letter, or anything of which the classes say that it is something else. Letters in styles of
/// their own, as the first of a chapter, are parts of a word, and so are two words that may be one, such as a name.
fn are_parted(first: &Node, second: &Node) -> bool {
    let is_field = |node: &Node| tag(node).is_some_and(|tag| FIELDS.contains(&tag));
    if !is_field(first) || !is_field(second) {
        return false;
    }
    let (Some(before), Some(after)) = (words(first), words(second)) else {
        return false;
    };
    let (Some(last), Some(next)) = (before.chars().next_back(), after.chars().next()) else {
        return false;
    };
    if !last.is_alphanumeric() || !next.is_alphanumeric() || is_one_letter(&before) {
        return false;
    }
    let word: String = after
        .chars()
        .take_while(|letter| letter.is_alphabetic())
        .collect();
    if last.is_numeric() && ORDINALS.contains(&word.to_lowercase().as_str()) {
        return false;
    }
    let has_words = |text: &str| text.split_whitespace().nth(1).is_some();
    let is_phrase = has_words(&before) || has_words(&after);
    if is_number(&before) && next.is_alphabetic() {
        let is_word = word.chars().count() >= WORD;
        return is_word || is_phrase || tell_apart(first, second);
    }
    let begins_anew = (last.is_lowercase() || last.is_numeric()) && next.is_uppercase();
    if tell_apart(first, second) {
        last.is_numeric() || next.is_numeric() || begins_anew || is_phrase
    } else {
        is_phrase && (begins_anew || last.is_alphabetic() && is_number(&after))
    }
}

fn is_one_letter(text: &str) -> bool {
    let mut letters = text.trim().chars();
    letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
}

fn is_number(text: &str) -> bool {
    let mut signs = text.trim().chars();
    signs.all(|sign| sign.is_numeric() || matches!(sign, '.' | ','))
}

/// Returns whether the classes of two elements say of each what it is, and of both not the same.
fn tell_apart(first: &Node, second: &Node) -> bool {
    match (attribute(first, "class"), attribute(second, "class")) {
        (Some(before), Some(after)) => before != after && is_telling(&before) && is_telling(&after),
        _ => false,
    }
}

/// Returns whether a class has a name of words, and not one that a program numbered, such as `c12` or `cmr-10`, or that
/// tells of a font. What stands behind two underlines may be numbered.
fn is_telling(class: &str) -> bool {
    class.split_whitespace().any(|name| {
        let name = name.split_once("__").map_or(name, |(name, _)| name);
        let is_numbered = name.contains(|letter: char| letter.is_ascii_digit());
        let words = || name.split(|letter: char| !letter.is_ascii_alphabetic());
        !is_numbered
            && words().any(|word| word.len() >= TELLING)
            && !words().any(|word| LOOKS.contains(&word))
    })
}
