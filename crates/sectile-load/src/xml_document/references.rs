//! References without words, which show the title of the place that they refer to (`xref` and `glosssee` of `DocBook`), or
//! the key or page that they name (DITA, Mallard).

use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};

use super::names;
use super::tree::Tree;
use crate::markup::short;
use crate::one_line::one_line;

/// How many places a reference names at most that are shown.
const MAX_PLACES: usize = 20;

/// Returns what references without words show, by the ids of their places: the label or the title of the first place with
/// each id. A place may be referred to very often, so its title is found once, and is short.
pub(super) fn shown(tree: &Tree) -> HashMap<String, String> {
    let mut shown = HashMap::new();
    let references = all(tree).filter_map(|at| reference(tree, at));
    let wanted: HashSet<&str> = references.flat_map(places).collect();
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

/// Returns what a reference without words shows: what is known of its places, or else their ids.
pub(super) fn text(tree: &Tree, at: usize) -> Option<String> {
    let places = places(reference(tree, at)?);
    let texts = places.map(|id| tree.shown.get(id).map_or(id, String::as_str));
    Some(texts.collect::<Vec<&str>>().join(", "))
}

/// Returns the ids of the places that a reference has in its attribute: those of JATS may have several.
fn places(ids: &str) -> impl Iterator<Item = &str> {
    ids.split_whitespace().take(MAX_PLACES)
}

/// Returns the ids, or the key, that a reference without words has.
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
