//! The numbers of the items of lists.

use super::inline;
use super::tree::Tree;
use crate::numerals::Numerals;

/// How a list counts its items.
#[derive(Debug)]
pub(super) struct Numbering {
    numerals: Numerals,
    /// The number of the next item.
    pub(super) next: u32,
}

impl Numbering {
    /// Returns how a list counts its items; nothing for one that does not. One that continues the list before begins with
    /// `following`.
    pub(super) fn of(tree: &Tree, list: usize, following: u32) -> Option<Self> {
        let name = tree.name(list).unwrap_or_default();
        let mut attributes = tree.node(list).attributes.iter();
        let said = attributes.find_map(|(_, value)| numerals(name, value));
        let is_ordered = matches!(name, "orderedlist" | "ol" | "procedure" | "substeps");
        let numerals = said.or_else(|| is_ordered.then_some(Numerals::Decimal))?;
        let goes_on = attribute(tree, list, &["continuation"]) == Some("continues");
        let start = attribute(tree, list, &["startingnumber", "start"]).and_then(number);
        let next = start.unwrap_or(if goes_on { following } else { 1 });
        Some(Self { numerals, next })
    }

    /// Returns what stands before the next item: its label as it is written, or its number.
    pub(super) fn label(&mut self, tree: &Tree, item: usize, label: Option<String>) -> String {
        let given = attribute(tree, item, &["override", "value", "n"]);
        let own = label.as_deref().or(given).and_then(number);
        self.next = own.unwrap_or(self.next);
        let counted = format!("{}.", self.numerals.write(self.next));
        self.next = self.next.saturating_add(1);
        let given = given.filter(|_| own.is_none()).map(str::to_owned);
        label.or(given).unwrap_or(counted)
    }
}

/// Returns the label that an item begins with, as those of JATS do.
pub(super) fn label(tree: &Tree, item: usize) -> Option<String> {
    let first = tree.elements(item).next()?;
    let is_item = tree.name(item) == Some("list-item") && !tree.node(item).is_mixed;
    let is_label = is_item && tree.name(first) == Some("label");
    let label = is_label.then(|| inline::line(tree, first));
    label.filter(|label| !label.is_empty())
}

/// Returns the numerals that an attribute of a list names: those of `DocBook`, JATS and HTML, and TEI as pandoc writes it.
fn numerals(list: &str, value: &str) -> Option<Numerals> {
    let value = value.trim();
    Some(match value.strip_prefix("ordered:").unwrap_or(value) {
        "loweralpha" | "alpha-lower" | "lower-alpha" => Numerals::LowerLetter,
        "upperalpha" | "alpha-upper" | "upper-alpha" => Numerals::UpperLetter,
        "lowerroman" | "roman-lower" | "lower-roman" => Numerals::LowerRoman,
        "upperroman" | "roman-upper" | "upper-roman" => Numerals::UpperRoman,
        "a" if list == "ol" => Numerals::LowerLetter,
        "A" if list == "ol" => Numerals::UpperLetter,
        "i" if list == "ol" => Numerals::LowerRoman,
        "I" if list == "ol" => Numerals::UpperRoman,
        "order" | "ordered" | "numbered" => Numerals::Decimal,
        _ if value.starts_with("ordered:") => Numerals::Decimal,
        _ => return None,
    })
}

/// Returns the first of these attributes that an element has, unless it is blank.
fn attribute<'t>(tree: &'t Tree, at: usize, names: &[&str]) -> Option<&'t str> {
    let mut attributes = tree.node(at).attributes.iter();
    let (_, value) = attributes.find(|(name, _)| names.contains(&name.as_str()))?;
    Some(value.trim()).filter(|value| !value.is_empty())
}

/// Reads a number with the signs that may stand around it.
fn number(text: &str) -> Option<u32> {
    text.trim_matches(['(', ')', '.', ' ']).parse().ok()
}
