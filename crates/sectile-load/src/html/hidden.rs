//! What a page does not show.

use super::node::has_attribute;
use super::page::Page;
use super::tree::Element;

/// How many percent of the text are hidden at most: what shows nothing without a script is a page, too.
pub(super) const MOST_HIDDEN: usize = 80;

impl Page<'_> {
    /// Returns how many percent of the text a hidden element holds at most to be left out. Of documentation that shows
    /// its title and a sentence, it is all: what is hidden there helps to search, and may be longer than the text.
    pub(super) fn most_hidden(&self, at: usize) -> usize {
        let shows_text = self.at(self.body).all.content > self.at(at).all.content;
        if self.is_documentation && shows_text && self.has_title_beside(at) {
            100
        } else {
            MOST_HIDDEN
        }
    }
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
