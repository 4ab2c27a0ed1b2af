//! References without words, which show the title of the place that they refer to (`xref` of `DocBook`).

use std::collections::HashMap;

use super::names;
use super::tree::Tree;
use crate::one_line::one_line;

/// Returns the elements by their ids, the first of each.
pub(super) fn places(tree: &Tree) -> HashMap<String, usize> {
    let mut places = HashMap::new();
    for root in tree.roots() {
        for at in std::iter::once(root).chain(tree.inside(root)) {
            let attributes = tree.node(at).attributes.iter();
            for (_, id) in attributes.filter(|(name, _)| matches!(name.as_str(), "id" | "xml:id")) {
                places.entry(id.clone()).or_insert(at);
            }
        }
    }
    places
}

/// Returns what a reference without words shows: the label or the title of its place, or else its id.
pub(super) fn text(tree: &Tree, at: usize) -> Option<String> {
    let is_reference = tree.name(at) == Some("xref") && tree.node(at).length == 0;
    let id = attribute(tree, at, "endterm")
        .or_else(|| attribute(tree, at, "linkend"))
        .or_else(|| attribute(tree, at, "xlink:href")?.strip_prefix('#'));
    let id = id.filter(|_| is_reference)?;
    let shown = tree.places.get(id).and_then(|&place| title(tree, place));
    Some(shown.unwrap_or_else(|| id.to_owned()))
}

fn title(tree: &Tree, at: usize) -> Option<String> {
    let label = attribute(tree, at, "xreflabel").map(one_line);
    let own = |at: usize| {
        let is_title = |&child: &usize| {
            let name = tree.name(child).unwrap_or_default();
            names::TITLES.contains(&name) || name == "term" || names::NAMES_OF_PAGES.contains(&name)
        };
        tree.elements(at).find(is_title)
    };
    let of_information = || {
        let is_information =
            |&child: &usize| names::INFORMATION.contains(&tree.name(child).unwrap_or_default());
        let mut information = tree.elements(at).filter(is_information);
        information.find_map(own)
    };
    let is_title = tree
        .name(at)
        .is_some_and(|name| names::TITLES.contains(&name));
    let found = || {
        let found = if is_title { Some(at) } else { own(at) };
        found.or_else(of_information).map(|found| tree.flat(found))
    };
    label.or_else(found).filter(|title| !title.is_empty())
}

fn attribute<'t>(tree: &'t Tree, at: usize, name: &str) -> Option<&'t str> {
    let mut attributes = tree.node(at).attributes.iter();
    let found = attributes.find(|(own, _)| own == name)?;
    Some(found.1.as_str())
}
