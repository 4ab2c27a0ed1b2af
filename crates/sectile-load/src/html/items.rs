//! Lists that are part of an article though they hold no sentences: the ingredients of a recipe, what a tour includes.

use super::node::beginning;
use super::page::Page;
use super::tree::Element;

/// How many items such a list has at least.
const SEVERAL: usize = 3;

/// How many elements are looked at.
const FEW_ELEMENTS: usize = 2_000;

/// How many percent of the text of what holds such a list are in links at most.
const FEW_LINKS: usize = 25;

/// How many letters the name of a thing has at most.
const LONGEST_NAME: usize = 30;

/// What the class of a column beside a text has in it.
const SIDEBARS: [&str; 3] = ["right-col", "side-bar", "sidebar"];

impl Page<'_> {
    /// Returns whether an element of an article holds a list of items that link to nothing, and few links beside it.
    pub(super) fn holds_items(&self, at: usize) -> bool {
        let element = self.at(at);
        let is_plain = |item: &Element| item.all.linked == 0;
        element.is_within_article
            && !element.all.is_linked(FEW_LINKS)
            && self
                .items(at)
                .filter(|at| is_plain(self.at(*at)))
                .nth(SEVERAL - 1)
                .is_some()
    }

    /// Returns whether an element is a column within an article that holds such a list.
    pub(super) fn is_column_of_items(&self, at: usize) -> bool {
        let class = self.at(at).attribute("class").unwrap_or_default();
        let class = class.to_lowercase();
        SIDEBARS.iter().any(|name| class.contains(name)) && self.holds_items(at)
    }

    /// Returns whether most items of a list say how many there are of what they link to, before its short name, and do not
    /// just count themselves.
    pub(super) fn has_amounts(&self, at: usize) -> bool {
        let is_amount = |item: &Element| {
            let begins = beginning(&item.node).starts_with(char::is_numeric);
            begins && item.all.plain() > 0 && (1..=LONGEST_NAME).contains(&item.all.linked)
        };
        let (mut items, mut amounts, mut places) = (0, 0, 0);
        for item in self.items(at).map(|item| self.at(item)) {
            items += 1;
            if is_amount(item) {
                amounts += 1;
                places += usize::from(number(&beginning(&item.node)) == Some(amounts));
            }
        }
        amounts >= SEVERAL && amounts * 3 >= items * 2 && places < amounts
    }

    /// Returns the items of lists with text in an element.
    fn items(&self, at: usize) -> impl Iterator<Item = usize> {
        let kept = self.tree.kept(at).take(FEW_ELEMENTS);
        kept.filter(move |at| {
            let element = self.at(*at);
            matches!(element.tag(), "dd" | "dt" | "li") && element.all.text > 0
        })
    }
}

/// Returns the number that a text begins with.
fn number(text: &str) -> Option<usize> {
    let end = text.find(|sign: char| !sign.is_ascii_digit());
    text[..end.unwrap_or(text.len())].parse().ok()
}
