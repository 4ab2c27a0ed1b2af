//! The numbers of items and headings.

use std::collections::HashMap;

use super::styles::Styles;
use crate::numerals::Numerals;

/// How many levels headings have.
const OUTLINE_LEVELS: usize = 10;

/// What stands before an item: a number as it is shown, or nothing for a bullet.
pub(super) type Label = Option<String>;

/// An open list.
#[derive(Debug)]
struct Open {
    style: String,
    /// How its numbers are written, and the number of the open item.
    number: Option<(Numerals, u32)>,
    next: Option<u32>,
    /// What stands before the next text of the open item.
    label: Option<Label>,
    /// Whether what is open is the header of the list, which has no number.
    is_header: bool,
}

/// The open lists, from the outermost in, and the numbers of headings.
#[derive(Debug)]
pub(super) struct Counters<'a> {
    styles: &'a Styles,
    open: Vec<Open>,
    /// The number after the last of each style, for lists that go on.
    last: HashMap<String, u32>,
    headings: [Option<u32>; OUTLINE_LEVELS],
}

impl<'a> Counters<'a> {
    pub(super) fn new(styles: &'a Styles) -> Self {
        Self {
            styles,
            open: Vec::new(),
            last: HashMap::new(),
            headings: [None; OUTLINE_LEVELS],
        }
    }

    /// Opens a list. One without a style has that of the list it is in.
    pub(super) fn open(&mut self, style: Option<String>, goes_on: bool) {
        let outer = self.open.last().map(|list| list.style.clone());
        let style = style.or(outer).unwrap_or_default();
        let level = self.styles.level(&style, self.open.len() + 1);
        let next = level.map(|level| match self.last.get(&style) {
            Some(last) if goes_on => *last,
            _ => level.start,
        });
        self.open.push(Open {
            style,
            number: None,
            next,
            label: None,
            is_header: false,
        });
    }

    /// Opens an item, which may have a number of its own.
    pub(super) fn open_item(&mut self, start: Option<u32>) {
        let depth = self.open.len();
        let Some(list) = self.open.last_mut() else {
            return;
        };
        list.is_header = false;
        let Some(level) = self.styles.level(&list.style, depth) else {
            list.label = Some(None);
            return;
        };
        let number = start.or(list.next).unwrap_or(level.start);
        list.number = Some((level.numerals, number));
        list.next = Some(number.saturating_add(1));
        let numbers: Vec<(Numerals, u32)> =
            self.open.iter().filter_map(|list| list.number).collect();
        if let Some(list) = self.open.last_mut() {
            list.label = Some(Some(level.label(&numbers)));
        }
    }

    /// Opens the header of a list.
    pub(super) fn open_header(&mut self) {
        if let Some(list) = self.open.last_mut() {
            list.label = None;
            list.is_header = true;
        }
    }

    /// Returns whether the text that is read is the header of a list.
    pub(super) fn is_in_header(&self) -> bool {
        self.open.last().is_some_and(|list| list.is_header)
    }

    /// Closes a list.
    pub(super) fn close(&mut self) {
        if let Some(list) = self.open.pop()
            && let Some(next) = list.next
        {
            self.last.insert(list.style, next);
        }
    }

    /// Returns the label of the item whose first text begins, and its level.
    pub(super) fn label(&mut self) -> Option<(Label, usize)> {
        let level = self.open.len().checked_sub(1)?;
        let label = self.open.last_mut()?.label.take()?;
        Some((label, level))
    }

    /// Counts a heading of a level, from 1, and returns its number as it is shown.
    pub(super) fn heading(&mut self, level: usize, start: Option<u32>) -> Option<String> {
        let level = level.clamp(1, OUTLINE_LEVELS);
        let own = self.styles.outline(level)?;
        let last = self.headings[level - 1];
        let next = start.unwrap_or_else(|| last.map_or(own.start, |last| last.saturating_add(1)));
        self.headings[level - 1] = Some(next);
        self.headings[level..].fill(None);
        let numbers = (1..=level).filter_map(|at| {
            let style = self.styles.outline(at)?;
            Some((style.numerals, self.headings[at - 1].unwrap_or(style.start)))
        });
        Some(own.label(&numbers.collect::<Vec<_>>()))
    }
}
