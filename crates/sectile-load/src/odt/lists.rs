//! The numbers of items and headings.

use std::collections::HashMap;

use super::styles::Styles;
use crate::numerals::Numerals;
use crate::xml::Element;

/// How many levels headings have.
const OUTLINE_LEVELS: usize = 10;

/// What stands before an item: a number as it is shown, or nothing for a bullet.
pub(super) type Label = Option<String>;

/// How a list begins, or a paragraph that is an item by itself.
#[derive(Debug)]
pub(super) struct Beginning {
    id: Option<String>,
    style: Option<String>,
    /// The list that it goes on with.
    continues: Option<String>,
    /// Whether it goes on with the last list in its style, where it says so.
    goes_on: Option<bool>,
    /// The level of a paragraph, from 1.
    level: Option<usize>,
}

impl Beginning {
    pub(super) fn of_list(element: &Element) -> Self {
        let goes_on = element.attribute("continue-numbering");
        Self {
            id: element.attribute("id"),
            style: element.attribute("style-name"),
            continues: element.attribute("continue-list"),
            goes_on: goes_on.map(|goes_on| goes_on == "true"),
            level: None,
        }
    }

    /// Reads how a numbered paragraph begins, which names the list that it is in.
    pub(super) fn of_paragraph(element: &Element) -> Self {
        let list = element.attribute("list-id");
        let level = element.attribute("level");
        let level: Option<usize> = level.and_then(|level| level.parse().ok());
        let goes_on = element.attribute("continue-numbering");
        Self {
            id: list.clone(),
            continues: list,
            goes_on: Some(goes_on.as_deref() != Some("false")),
            level: Some(level.unwrap_or(1).clamp(1, OUTLINE_LEVELS)),
            ..Self::of_list(element)
        }
    }
}

/// An open list.
#[derive(Debug)]
struct Open {
    style: String,
    /// Its level, from 1.
    level: usize,
    /// Which of the numberings its items count in.
    numbering: usize,
    /// The open item, until its first text begins.
    item: Option<Item>,
    /// Whether what is open is the header of the list, which has no number.
    is_header: bool,
}

/// An item without text so far.
#[derive(Debug)]
struct Item {
    start: Option<u32>,
    /// The list style that it has instead of that of the list.
    style: Option<String>,
}

/// The open lists, from the outermost in, and the numbers of headings.
#[derive(Debug)]
pub(super) struct Counters<'a> {
    styles: &'a Styles,
    open: Vec<Open>,
    /// The last number at each level of what counts together: a list with the lists in it, and those that go on with
    /// it.
    numberings: Vec<Vec<Option<u32>>>,
    /// The last numbering of each style, and those of the lists with an id.
    last: HashMap<String, usize>,
    ids: HashMap<String, usize>,
    /// The style of the paragraph that begins.
    paragraph: String,
    headings: [Option<u32>; OUTLINE_LEVELS],
}

impl<'a> Counters<'a> {
    pub(super) fn new(styles: &'a Styles) -> Self {
        Self {
            styles,
            open: Vec::new(),
            numberings: Vec::new(),
            last: HashMap::new(),
            ids: HashMap::new(),
            paragraph: String::new(),
            headings: [None; OUTLINE_LEVELS],
        }
    }

    /// Opens a list. One without a style has that of the list it is in.
    pub(super) fn open(&mut self, list: Beginning) {
        let outer = self.open.last();
        let level = outer.map_or(1, |outer| outer.level + 1);
        let level = list.level.unwrap_or(level);
        let style = list.style.clone();
        let style = style.or_else(|| outer.map(|outer| outer.style.clone()));
        let style = style.unwrap_or_default();
        let numbering = self.numbering(&list, &style);
        if list.goes_on == Some(false) {
            self.numberings[numbering].truncate(level - 1);
        }
        self.last.insert(style.clone(), numbering);
        if let Some(id) = list.id {
            self.ids.insert(id, numbering);
        }
        self.open.push(Open {
            style,
            level,
            numbering,
            item: None,
            is_header: false,
        });
    }

    /// Finds the numbering that a list counts in, or begins one.
    fn numbering(&mut self, list: &Beginning, style: &str) -> usize {
        let outer = self.open.last();
        let outer = outer.filter(|outer| outer.style == style && list.level.is_none());
        let known = match (&list.continues, outer) {
            (Some(id), _) => self.ids.get(id).copied(),
            (None, Some(outer)) => Some(outer.numbering),
            (None, None) if list.goes_on == Some(true) => self.last.get(style).copied(),
            (None, None) => None,
        };
        known.unwrap_or_else(|| {
            self.numberings.push(Vec::new());
            self.numberings.len() - 1
        })
    }

    /// Opens an item, which may have a number of its own, and another style than the list.
    pub(super) fn open_item(&mut self, element: &Element) {
        if let Some(list) = self.open.last_mut() {
            let start = element.attribute("start-value");
            list.item = Some(Item {
                start: start.and_then(|start| start.parse().ok()),
                style: element.attribute("style-override"),
            });
            list.is_header = false;
        }
    }

    /// Opens the header of a list.
    pub(super) fn open_header(&mut self) {
        if let Some(list) = self.open.last_mut() {
            list.item = None;
            list.is_header = true;
        }
    }

    /// Returns whether the text that is read is the header of a list.
    pub(super) fn is_in_header(&self) -> bool {
        self.open.last().is_some_and(|list| list.is_header)
    }

    /// Closes a list.
    pub(super) fn close(&mut self) {
        self.open.pop();
    }

    /// Takes the style of a paragraph that begins, which says how items are numbered whose list has no style.
    pub(super) fn begin_paragraph(&mut self, style: Option<String>) {
        self.paragraph = style.unwrap_or_default();
    }

    /// Returns the label of the item whose first text begins, and its level. An item without text of its own does not
    /// count.
    pub(super) fn label(&mut self) -> Option<(Label, usize)> {
        let styles = self.styles;
        let list = self.open.last_mut()?;
        let item = list.item.take()?;
        let (depth, level) = (list.level, list.level - 1);
        let named = Some(list.style.as_str()).filter(|style| !style.is_empty());
        let named = item.style.as_deref().or(named);
        let style = named.or_else(|| styles.list(&self.paragraph)).unwrap_or("");
        let numbers = &mut self.numberings[list.numbering];
        numbers.truncate(depth);
        let Some(own) = styles.level(style, depth) else {
            return Some((None, level));
        };
        let before = numbers.get(level).copied().flatten();
        let next = before.map_or(own.start, |before| before.saturating_add(1));
        let number = item.start.unwrap_or(next);
        numbers.truncate(level);
        // Levels above that have no item yet count as if they had one.
        for above in numbers.len()..level {
            numbers.push(styles.level(style, above + 1).map(|above| above.start));
        }
        numbers.push(Some(number));
        let first = depth.saturating_sub(own.shown) + 1;
        let numbers = (first..depth).filter_map(|above| self.number(above));
        let numbers: Vec<_> = numbers.chain([(own.numerals, number)]).collect();
        Some((Some(own.label(&numbers)), level))
    }

    /// Returns the number at a level above the item that is read; that of a list with bullets is not shown.
    fn number(&self, level: usize) -> Option<(Numerals, u32)> {
        let is_at_level = |list: &&Open| list.level == level;
        let list = self.open.get(level - 1).filter(is_at_level);
        let list = list.or_else(|| self.open.last())?;
        let own = self.styles.level(&list.style, level)?;
        let number = self.numberings[list.numbering].get(level - 1);
        Some((own.numerals, number.copied().flatten().unwrap_or(own.start)))
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
