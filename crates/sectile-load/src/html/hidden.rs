//! What a page does not show.

use super::node::has_attribute;
use super::page::Page;
use super::tree::Element;

/// How many percent of the text are hidden at most: what shows nothing without a script is a page, too.
pub(super) const MOST_HIDDEN: usize = 80;

/// Words in the ids and classes of what helps to search a site.
const HELP: [&str; 2] = ["help", "search"];

impl Page<'_> {
    /// Returns how many percent of the text a hidden element holds at most to be left out. It is all for help with the
    /// search on a page of documentation that shows its title and a sentence: help may be longer than the text.
    pub(super) fn most_hidden(&self, at: usize) -> usize {
        let shows_text = self.at(self.body).all.content > self.at(at).all.content;
        let is_beside_text = shows_text && self.has_title_beside(at);
        if self.is_documentation && is_beside_text && is_help(self.at(at)) {
            100
        } else {
            MOST_HIDDEN
        }
    }
}

/// Returns whether the id or the class of an element says that it helps to search.
fn is_help(element: &Element) -> bool {
    ["id", "class"].into_iter().any(|name| {
        let value = element.attribute(name).unwrap_or_default();
        let mut words = value.split(|letter: char| !letter.is_ascii_alphabetic());
        words.any(|word| HELP.iter().any(|help| word.eq_ignore_ascii_case(help)))
    })
}

/// Returns whether an element says that it is not shown.
pub(super) fn is_hidden(element: &Element) -> bool {
    let hidden = element.attribute("hidden");
    let is_found = hidden.is_some_and(|value| value.eq_ignore_ascii_case("until-found"));
    (has_attribute(&element.node, "hidden") && !is_found)
        || element.attribute("aria-hidden").as_deref() == Some("true")
        || element
            .attribute("style")
            .is_some_and(|style| hides(&style))
}

fn hides(style: &str) -> bool {
    let mut style: String = style.split_whitespace().collect();
    style.make_ascii_lowercase();
    style.contains("display:none") || style.contains("visibility:hidden")
}
