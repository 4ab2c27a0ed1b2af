//! Panels that tabs show, each behind the name of its tab.

use std::rc::Rc;

use htmd::Node;

use super::node::{attribute, attribute_is, parent, tag};
use super::vocabulary;

/// How many elements up from the tabs their panels are sought.
const UP: usize = 3;

/// How many tabs a list has at most.
const MAX_TABS: usize = 50;

/// How many lists of tabs of a page are looked at, elements behind each, and nodes in each of those.
const MAX_LISTS: usize = 200;
const MAX_BEHIND: usize = 100;
const MAX_NODES: usize = 10_000;

/// Elements that tabs are written as.
const TABS: [&str; 5] = ["a", "button", "div", "label", "li"];

/// Moves the name of each tab into the panel that it shows, wherever there are as many of both.
pub(super) fn name_panels(root: &Rc<Node>) {
    for list in lists(root).into_iter().take(MAX_LISTS) {
        let tabs = tabs(&list);
        let panels = panels_behind(&list, tabs.len());
        for (tab, panel) in tabs.iter().zip(panels) {
            move_name(tab, &panel);
        }
    }
}

/// Finds the lists of tabs of a page.
fn lists(root: &Rc<Node>) -> Vec<Rc<Node>> {
    let mut lists = Vec::new();
    let mut open = vec![Rc::clone(root)];
    while let Some(node) = open.pop() {
        if tag(&node).is_some() && is_list(&node) {
            lists.push(Rc::clone(&node));
        }
        open.extend(node.children.borrow().iter().map(Rc::clone));
    }
    lists
}

fn is_list(node: &Node) -> bool {
    attribute_is(node, "role", |role| role == "tablist")
        || attribute_is(node, "class", |class| {
            let mut names = class.split_whitespace();
            names.any(|name| matches!(name, "tabbed-labels" | "tabs"))
        })
}

/// Returns the tabs of a list: what says that it is one, or else all elements in it.
fn tabs(list: &Rc<Node>) -> Vec<Rc<Node>> {
    let said = within(list, |node| {
        attribute(node, "role").is_some_and(|role| role == "tab")
    });
    if !said.is_empty() {
        return said;
    }
    let children = list.children.borrow();
    let tabs = children
        .iter()
        .filter(|child| tag(child).is_some_and(|tag| TABS.contains(&tag)));
    tabs.map(Rc::clone).collect()
}

/// Returns the panels behind a list of so many tabs; none when there are more or fewer.
fn panels_behind(list: &Rc<Node>, count: usize) -> Vec<Rc<Node>> {
    let mut at = Rc::clone(list);
    for _ in 0..UP {
        let Some(around) = parent(&at) else { break };
        let behind: Vec<Rc<Node>> = {
            let siblings = around.children.borrow();
            let place = siblings.iter().position(|sibling| Rc::ptr_eq(sibling, &at));
            siblings
                .iter()
                .skip(place.map_or(0, |place| place + 1))
                .take(MAX_BEHIND)
                .map(Rc::clone)
                .collect()
        };
        let panels: Vec<Rc<Node>> = behind
            .iter()
            .flat_map(|node| within(node, is_panel))
            .collect();
        if !panels.is_empty() {
            return if panels.len() == count {
                panels
            } else {
                Vec::new()
            };
        }
        at = around;
    }
    Vec::new()
}

fn is_panel(node: &Rc<Node>) -> bool {
    attribute(node, "role").is_some_and(|role| role == "tabpanel")
        || attribute(node, "class").is_some_and(|class| vocabulary::is_one_panel(&class))
        || parent(node).is_some_and(|around| {
            attribute(&around, "class").is_some_and(|class| class == "blocks")
                && tag(node).is_some()
        })
}

/// Finds the outermost elements in one, itself included, that are as wanted.
fn within(root: &Rc<Node>, is_wanted: impl Fn(&Rc<Node>) -> bool) -> Vec<Rc<Node>> {
    let mut found = Vec::new();
    let mut open = vec![Rc::clone(root)];
    for _ in 0..MAX_NODES {
        let Some(node) = open.pop().filter(|_| found.len() <= MAX_TABS) else {
            break;
        };
        if tag(&node).is_some() && is_wanted(&node) {
            found.push(node);
        } else {
            open.extend(node.children.borrow().iter().rev().map(Rc::clone));
        }
    }
    found
}

/// Moves what is in a tab to the beginning of its panel.
fn move_name(tab: &Rc<Node>, panel: &Rc<Node>) {
    let name = std::mem::take(&mut *tab.children.borrow_mut());
    for node in &name {
        node.parent.set(Some(Rc::downgrade(panel)));
    }
    panel.children.borrow_mut().splice(0..0, name);
    if let Some(list) = parent(tab) {
        let mut tabs = list.children.borrow_mut();
        tabs.retain(|one| !Rc::ptr_eq(one, tab));
    }
}
