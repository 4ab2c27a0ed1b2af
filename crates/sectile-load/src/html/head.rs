//! What the head of a page says.

use htmd::Node;
use sectile_core::Metadata;
use serde_json::Value;

use super::node::{attribute, text};
use super::tree::Tree;

/// Names of `meta` elements that are kept beside the fields of the metadata.
const KEPT: [&str; 2] = ["description", "keywords"];

/// Returns what a page says about itself.
pub(super) fn metadata(tree: &Tree) -> Metadata {
    let mut metadata = Metadata::default();
    for element in &tree.elements {
        match element.tag() {
            "html" => metadata.language = attribute(&element.node, "lang"),
            "title" if metadata.title.is_none() => metadata.title = text(&element.node),
            "meta" => describe(&mut metadata, &element.node),
            _ => {}
        }
    }
    metadata
}

fn describe(metadata: &mut Metadata, meta: &Node) {
    let name = attribute(meta, "name").or_else(|| attribute(meta, "property"));
    let (Some(name), Some(content)) = (name, attribute(meta, "content")) else {
        return;
    };
    let name = name.to_lowercase();
    match name.as_str() {
        "author" | "article:author" => metadata.author = Some(content),
        "date" | "article:published_time" => metadata.created = Some(content),
        "article:modified_time" | "last-modified" => metadata.modified = Some(content),
        other if KEPT.contains(&other) => {
            metadata.extra.insert(name, Value::from(content));
        }
        _ => {}
    }
}
