//! The styles of lists, and the numbers of their items.

use std::collections::HashMap;

use crate::blocks::Marker;
use crate::failure::Failure;
use crate::xml::{Node, Walk};

/// The first number of each level of each list style; nothing for bullets.
#[derive(Debug, Default)]
pub(super) struct Lists {
    levels: HashMap<(String, usize), Option<u32>>,
}

impl Lists {
    /// Reads the list styles of a part.
    pub(super) fn read(&mut self, xml: &str) -> Result<(), Failure> {
        let mut walk = Walk::new(xml);
        let mut style = None;
        loop {
            match walk.next()? {
                Node::Open(element) => match element.name() {
                    "body" => walk.skip()?,
                    "list-style" => style = element.attribute("name"),
                    name @ ("list-level-style-number" | "list-level-style-bullet") => {
                        let level = element.attribute("level");
                        let level = level.and_then(|level| level.parse().ok()).unwrap_or(1);
                        let start = element.attribute("start-value");
                        let start = start.and_then(|start| start.parse().ok()).unwrap_or(1);
                        // A number without a format shows nothing.
                        let format = element.attribute("num-format").unwrap_or_default();
                        let is_number = name.ends_with("number") && !format.is_empty();
                        if let Some(style) = &style {
                            let key = (style.clone(), level);
                            self.levels.insert(key, is_number.then_some(start));
                        }
                    }
                    _ => {}
                },
                Node::End => return Ok(()),
                Node::Close | Node::Text(_) => {}
            }
        }
    }

    /// Returns the first number of a level, from 1, of a style.
    fn first(&self, style: &str, level: usize) -> Option<u32> {
        let levels = self.levels.get(&(style.to_owned(), level));
        levels.copied().flatten()
    }
}

/// An open list.
#[derive(Debug)]
struct Open {
    style: String,
    next: Option<u32>,
    /// What stands before the next text of the open item.
    marker: Option<Marker>,
}

/// The open lists, from the outermost in.
#[derive(Debug)]
pub(super) struct Counters<'a> {
    lists: &'a Lists,
    open: Vec<Open>,
    /// The number after the last of each style, for lists that go on.
    last: HashMap<String, u32>,
}

impl<'a> Counters<'a> {
    pub(super) fn new(lists: &'a Lists) -> Self {
        Self {
            lists,
            open: Vec::new(),
            last: HashMap::new(),
        }
    }

    /// Opens a list. One without a style has that of the list it is in.
    pub(super) fn open(&mut self, style: Option<String>, goes_on: bool) {
        let outer = self.open.last().map(|list| list.style.clone());
        let style = style.or(outer).unwrap_or_default();
        let first = self.lists.first(&style, self.open.len() + 1);
        let next = first.map(|first| match self.last.get(&style) {
            Some(last) if goes_on => *last,
            _ => first,
        });
        self.open.push(Open {
            style,
            next,
            marker: None,
        });
    }

    /// Opens an item, which may have a number of its own.
    pub(super) fn open_item(&mut self, start: Option<u32>) {
        if let Some(list) = self.open.last_mut() {
            if list.next.is_some() && start.is_some() {
                list.next = start;
            }
            list.marker = Some(list.next.map_or(Marker::Bullet, Marker::Number));
            list.next = list.next.map(|next| next.saturating_add(1));
        }
    }

    /// Closes a list.
    pub(super) fn close(&mut self) {
        if let Some(list) = self.open.pop()
            && let Some(next) = list.next
        {
            self.last.insert(list.style, next);
        }
    }

    /// Returns the marker of the item whose first text begins, and its level.
    pub(super) fn marker(&mut self) -> Option<(Marker, usize)> {
        let level = self.open.len().checked_sub(1)?;
        let marker = self.open.last_mut()?.marker.take()?;
        Some((marker, level))
    }
}
