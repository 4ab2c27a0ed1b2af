//! Text that a document does not show.

use super::super::paragraph::Paragraph;
use super::Body;
use super::scope::Scope;
use crate::xml::Element;

impl Body<'_> {
    /// Returns whether the text that comes next is hidden.
    pub(super) fn is_hidden(&self) -> bool {
        let paragraph = self.paragraphs.last();
        self.hidden_around > 0 || paragraph.is_some_and(Paragraph::hides_text)
    }

    /// Counts text that is hidden.
    pub(super) fn hide(&mut self, text: &str) {
        if !self.paragraphs.is_empty() {
            self.hidden.add_text(text);
        }
    }

    /// Returns whether the style of a paragraph or a heading hides it.
    pub(super) fn hides(&self, element: &Element) -> bool {
        let style = element.attribute("style-name");
        style.is_some_and(|style| self.styles.hides_paragraph(&style))
    }

    /// Opens text that is shown under a condition. A hidden one stands in an attribute.
    pub(super) fn open_hidden_text(&mut self, element: &Element) -> Option<Scope> {
        if !is_met(element) {
            return Some(Scope::Other);
        }
        self.hide(&element.attribute("string-value").unwrap_or_default());
        None
    }

    /// Takes the field that hides the paragraph around it under a condition.
    pub(super) fn pass_hidden_paragraph(&mut self, element: &Element) {
        if !is_met(element) {
            return;
        }
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.end_raised();
            self.hidden.add_text(&std::mem::take(&mut paragraph.text));
            paragraph.is_hidden = true;
            paragraph.hides.fill(true);
        }
    }
}

/// Returns whether a section is hidden, by itself or under a condition that is met.
pub(super) fn is_section(element: &Element) -> bool {
    match element.attribute("display").as_deref() {
        Some("none") => true,
        Some("condition") => is_met(element),
        _ => false,
    }
}

/// Returns whether an element is a field whose value is set and not shown.
pub(super) fn is_field(element: &Element) -> bool {
    let is_field = matches!(
        element.name(),
        "variable-set" | "variable-input" | "user-field-get"
    );
    is_field && element.attribute("display").as_deref() == Some("none")
}

/// Returns whether an element has text of its own, which is hidden as the text around it.
pub(super) fn is_apart(element: &Element) -> bool {
    matches!(
        element.name(),
        "note" | "frame" | "custom-shape" | "g" | "text-box" | "object" | "object-ole"
    )
}

/// Returns whether the condition is met under which an element is hidden.
fn is_met(element: &Element) -> bool {
    element.attribute("is-hidden").as_deref() == Some("true")
}
