//! Lists, and paragraphs that Word draws as items of one.

use std::rc::Rc;

use htmd::element_handler::{HandlerResult, Handlers};
use htmd::{Element, Node};
use markup5ever_rcdom::NodeData;

use super::node::{attribute, children, has_attribute, is_heading, parent, tag};
use crate::numerals::Numerals;

/// Among how many nodes of an item of a list a heading is sought that it begins with.
const FEW_NODES: usize = 50;

/// Elements of which an item consists that only lays out what it holds, and among how many nodes of these a heading is
/// sought.
const BLOCKS: [&str; 5] = ["article", "div", "li", "section", "ul"];
const MOST_BLOCKS: usize = 500;

/// The deepest level of a list.
const MAX_LEVEL: usize = 9;

/// What Word draws before the items of a list, in fonts of signs, too.
const BULLETS: [char; 8] = [
    '\u{B7}', '\u{2022}', '\u{2013}', '-', 'o', '\u{A7}', '\u{F0B7}', '\u{F0A7}',
];

/// Marks of tasks that are done, and that are not.
const DONE: &str = "[x] ";
const OPEN: &str = "[ ] ";

/// Writes a list. One whose items begin with headings, or of which the only item has some, as Javadoc writes, only lays
/// out what it holds.
pub(super) fn write(handlers: &dyn Handlers, list: Element) -> Option<HandlerResult> {
    if has_headings(list.node) {
        let items = children(list.node).into_iter();
        let items = items.map(|item| handlers.walk_children(&item).content);
        let items: Vec<String> = items.map(|item| item.trim().to_owned()).collect();
        return Some(format!("\n\n{}\n\n", items.join("\n\n")).into());
    }
    if list.tag == "ol" {
        let numerals = numerals(list.node);
        if numerals != Numerals::Decimal || numbers_items(list.node) {
            return Some(write_numbered(handlers, list.node, numerals).into());
        }
    }
    handlers.fallback(list)
}

/// Returns whether an item of a list begins with a heading, or the only item of one without numbers has one further on.
fn has_headings(list: &Rc<Node>) -> bool {
    let children = children(list);
    if children.iter().any(begins_with_heading) {
        return true;
    }
    let mut items = children.iter().filter(|child| tag(child) == Some("li"));
    match (items.next(), items.next()) {
        (Some(only), None) => tag(list) != Some("ol") && holds_heading(only),
        _ => false,
    }
}

/// Returns whether a heading is one of the blocks in an element, other than those of a quotation or a table.
fn holds_heading(element: &Rc<Node>) -> bool {
    let mut open = vec![Rc::clone(element)];
    for _ in 0..MOST_BLOCKS {
        let Some(node) = open.pop() else { return false };
        if is_heading(&node) {
            return true;
        }
        if tag(&node).is_some_and(|tag| BLOCKS.contains(&tag)) {
            open.extend(children(&node).into_iter().rev());
        }
    }
    false
}

/// Returns whether a heading stands before all other text of an element; pictures may stand before it.
fn begins_with_heading(element: &Rc<Node>) -> bool {
    let mut open = vec![Rc::clone(element)];
    for _ in 0..FEW_NODES {
        let Some(node) = open.pop() else { return false };
        if is_heading(&node) {
            return true;
        }
        if let NodeData::Text { contents } = &node.data
            && !contents.borrow().trim().is_empty()
        {
            return false;
        }
        open.extend(children(&node).into_iter().rev());
    }
    false
}

/// Returns whether the items of a list do not count up from its first number.
fn numbers_items(list: &Node) -> bool {
    has_attribute(list, "reversed")
        || children(list)
            .iter()
            .any(|item| has_attribute(item, "value"))
}

/// Returns what the items of a list count in, by its type, its style or the class that Docutils gives it.
fn numerals(list: &Node) -> Numerals {
    match attribute(list, "type").as_deref() {
        Some("a") => return Numerals::LowerLetter,
        Some("A") => return Numerals::UpperLetter,
        Some("i") => return Numerals::LowerRoman,
        Some("I") => return Numerals::UpperRoman,
        _ => {}
    }
    let said = |name| attribute(list, name).unwrap_or_default();
    let said = [said("style"), said("class")].join(" ");
    let mut words = said.split([' ', ':', ';']);
    let found = words.find_map(|word| match word {
        "lower-alpha" | "lower-latin" | "loweralpha" => Some(Numerals::LowerLetter),
        "upper-alpha" | "upper-latin" | "upperalpha" => Some(Numerals::UpperLetter),
        "lower-roman" | "lowerroman" => Some(Numerals::LowerRoman),
        "upper-roman" | "upperroman" => Some(Numerals::UpperRoman),
        _ => None,
    });
    found.unwrap_or_default()
}

/// Writes a list whose items have the numbers that they say, count down, or count in letters.
fn write_numbered(handlers: &dyn Handlers, list: &Node, numerals: Numerals) -> String {
    let is_reversed = has_attribute(list, "reversed");
    let children = children(list);
    let items = children.iter().filter(|child| tag(child) == Some("li"));
    let first = if is_reversed { items.count() } else { 1 };
    let first = value(list, "start").or_else(|| i64::try_from(first).ok());
    let mut number = first.unwrap_or(1);
    let mut lines = Vec::new();
    for child in children {
        let written = handlers.handle(&child).map(|written| written.content);
        let text = written.unwrap_or_default();
        let mut mark = "   ".to_owned();
        if tag(&child) == Some("li") {
            number = value(&child, "value").unwrap_or(number);
            mark = mark_of(number, numerals);
            number = number.saturating_add(if is_reversed { -1 } else { 1 });
        } else if text.trim().is_empty() {
            continue;
        }
        let indent = mark.find(' ').map_or(0, |space| space + 1);
        let indent = format!("\n{}", " ".repeat(indent));
        lines.push(format!("{mark}{}", text.trim().replace('\n', &indent)));
    }
    format!("\n\n{}\n\n", lines.join("\n"))
}

/// Returns what stands before an item. Markdown has no lists with letters: they follow its bullet.
fn mark_of(number: i64, numerals: Numerals) -> String {
    match u32::try_from(number) {
        Ok(number) if numerals != Numerals::Decimal => format!("- {}. ", numerals.write(number)),
        _ => format!("{number}. "),
    }
}

fn value(node: &Node, name: &str) -> Option<i64> {
    attribute(node, name)?.parse().ok()
}

/// Writes an item of a list; that of a list of tasks with whether it is done, as Confluence says by classes.
pub(super) fn write_item(handlers: &dyn Handlers, item: Element) -> Option<HandlerResult> {
    let class = |node: &Node| attribute(node, "class").unwrap_or_default();
    let is_task = parent(item.node).is_some_and(|list| class(&list).contains("inline-task-list"));
    let mark = if class(item.node)
        .split_whitespace()
        .any(|name| name == "checked")
    {
        DONE
    } else {
        OPEN
    };
    let written = handlers.fallback(item)?;
    match written.content.strip_prefix("\n- ") {
        Some(text) if is_task => Some(format!("\n- {mark}{text}").into()),
        _ => Some(written),
    }
}

/// Writes the box of a task that is drawn by its class, as Notion writes it.
pub(super) fn checkbox(class: &str) -> Option<&'static str> {
    let mut names = class.split_whitespace();
    names.find_map(|name| match name {
        "checkbox-on" => Some(DONE),
        "checkbox-off" => Some(OPEN),
        _ => None,
    })
}

/// Writes a paragraph. One that Word draws as an item of a list is one, with its number, if it has one.
pub(super) fn write_paragraph(
    handlers: &dyn Handlers,
    paragraph: Element,
) -> Option<HandlerResult> {
    let Some(level) = level_by_word(paragraph.node) else {
        return handlers.fallback(paragraph);
    };
    let text = handlers.walk_children(paragraph.node).content;
    let text = text.trim();
    let (mark, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let mark = if mark.chars().count() == 1 && mark.starts_with(BULLETS) {
        "-"
    } else {
        mark
    };
    let indent = "  ".repeat(level.clamp(1, MAX_LEVEL) - 1);
    Some(format!("\n\n{indent}{mark} {}\n\n", rest.trim()).into())
}

/// Returns the level of the item of a list that a paragraph is by its style, from 1.
fn level_by_word(paragraph: &Node) -> Option<usize> {
    let style = attribute(paragraph, "style")?;
    let (_, list) = style.split_once("mso-list:")?;
    let list = list.split(';').next().unwrap_or_default();
    let level = list
        .split_whitespace()
        .find_map(|word| word.strip_prefix("level"))?;
    level.parse().ok()
}
