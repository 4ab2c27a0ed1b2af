//! What a page does not show.

use super::node::has_attribute;
use super::tree::Element;

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
