//! References without words, which show the title of the place that they refer to (`xref` and `glosssee` of `DocBook`), or
//! the key or page that they name (DITA, Mallard).

use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};

use super::names;
use super::tree::Tree;
use crate::markup::short;
use crate::one_line::one_line;

/// Returns what references without words show, by the ids of their places: the label or the title of the first place with
/// each id. A place may be referred to very often, so its title is found once, and is short.
pub(super) fn shown(tree: &Tree) -> HashMap<String, String> {
    let mut shown = HashMap::new();
    let wanted: HashSet<&str> = all(tree).filter_map(|at| reference(tree, at)).collect();
    if wanted.is_empty() {
        return shown;
    }
    for at in all(tree) {
        let attributes = tree.node(at).attributes.iter();
        let is_titled = tree.name(at).is_some_and(names::is_section);
        let is_id = |name: &str| matches!(name, "id" | "xml:id") || name == "anchor" && is_titled;
        for (_, id) in attributes.filter(|(name, _)| is_id(name)) {
            if wanted.contains(id.as_str())
                && let Entry::Vacant(place) = shown.entry(id.clone())
            {
                let title = title(tree, at).map(|title| short(&title));
                place.insert(title.unwrap_or_else(|| id.clone()));
            }
        }
    }
    shown
}

/// Returns all elements and texts.
fn all(tree: &Tree) -> impl Iterator<Item = usize> + '_ {
    let roots = tree.roots();
    roots.flat_map(move |root| std::iter::once(root).chain(tree.inside(root)))
}

/// Returns what a reference without words shows: what is known of its place, or else the id of that.
pub(super) fn text(tree: &Tree, at: usize) -> Option<String> {
    let id = reference(tree, at)?;
    let shown = tree.shown.get(id).cloned();
    Some(shown.unwrap_or_else(|| id.to_owned()))
}

/// Returns the id, or the key, that a reference without words has.
fn reference(tree: &Tree, at: usize) -> Option<&str> {
    let name = tree.name(at)?;
    if tree.node(at).length > 0 || names::is_picture(name) {
        return None;
    }
    // In DITA a key may stand for the words of any element, in Mallard any link names a page.
    let key = attribute(tree, at, "keyref").or_else(|| attribute(tree, at, "xref"));
    match name {
        "xref" => attribute(tree, at, "endterm")
            .or_else(|| attribute(tree, at, "linkend"))
            .or_else(|| attribute(tree, at, "xlink:href")?.strip_prefix('#'))
            .or_else(|| attribute(tree, at, "rid"))
            .or_else(|| attribute(tree, at, "target"))
            .or(key),
        "glosssee" | "glossseealso" => attribute(tree, at, "otherterm"),
        _ => key,
    }
}

fn title(tree: &Tree, at: usize) -> Option<String> {
    let label = attribute(tree, at, "xreflabel").map(one_line);
    let own = |at: usize| {
        let is_title = |&child: &usize| {
            let name = tree.name(child).unwrap_or_default();
            names::TITLES.contains(&name)
                || matches!(name, "term" | "glossterm")
                || names::NAMES_OF_PAGES.contains(&name)
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
