//! How many words of a page are left out.

use std::collections::BTreeMap;

use htmd::Node;
use markup5ever_rcdom::NodeData;
use sectile_core::Metadata;
use serde_json::{Map, Value};

use super::kind::Kind;
use super::tree::Tree;
use super::word;
use crate::omissions::{FRAMES, LEFT_OUT_WORDS, MAIN_PART_WORDS, NOT_FOLLOWED};

/// The name of text in drawings.
const DRAWINGS: &str = "drawings";

/// The name of readings of characters.
const READINGS: &str = "readings";

/// Writes into the metadata how many words of each kind of part a page has outside of its main part, which
/// stands in `root`, how many words of readings were cut, and what frames it shows.
pub(super) fn describe(
    metadata: &mut Metadata,
    tree: &Tree,
    body: usize,
    root: usize,
    readings: usize,
) {
    let mut kinds: Vec<Option<Kind>> = vec![None; tree.elements.len()];
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kept = 0;
    let main = root..tree.elements[root].end;
    for at in body..tree.elements[body].end {
        let element = &tree.elements[at];
        let outside = (!main.contains(&at)).then_some(Kind::Other);
        // An element around the main part is neither left out nor in it.
        kinds[at] = element.left_out.or(kinds[element.parent]);
        let words = words_within(&element.node);
        match kinds[at].or(outside) {
            None => kept += words,
            Some(kind) if words > 0 => *counts.entry(kind.name()).or_default() += words,
            Some(_) => {}
        }
    }
    for (parent, words) in &tree.drawn {
        if main.contains(parent) && kinds[*parent].is_none() {
            *counts.entry(DRAWINGS).or_default() += words;
        }
    }
    if readings > 0 {
        counts.insert(READINGS, readings);
    }
    if !counts.is_empty() {
        let counts = counts.into_iter();
        let counts: Map<String, Value> = counts
            .map(|(name, words)| (name.to_owned(), words.into()))
            .collect();
        metadata.extra.insert(LEFT_OUT_WORDS.into(), counts.into());
        metadata.extra.insert(MAIN_PART_WORDS.into(), kept.into());
    }
    let is_shown = |parent: usize| main.contains(&parent) && kinds[parent].is_none();
    let frames = tree.frames.iter().filter(|(parent, _)| is_shown(*parent));
    let frames: Vec<String> = frames.map(|(_, address)| address.clone()).collect();
    if !frames.is_empty() {
        // A page that is only made of frames has no other text.
        let name = if kept == 0 { NOT_FOLLOWED } else { FRAMES };
        metadata.extra.insert(name.into(), frames.into());
    }
}

/// Counts the words of the text directly in an element.
fn words_within(node: &Node) -> usize {
    let children = node.children.borrow();
    let texts = children.iter().filter_map(|child| match &child.data {
        NodeData::Text { contents } => Some(word::count(&contents.borrow())),
        _ => None,
    });
    texts.sum()
}
