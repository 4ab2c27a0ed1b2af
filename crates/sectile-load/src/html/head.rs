//! What the head of a page says.

use htmd::Node;
use sectile_core::Metadata;
use serde_json::Value;

use super::node::{attribute, text};
use super::tree::Tree;

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
    // Other properties of items may be those of a comment.
    let name = name.or_else(|| attribute(meta, "itemprop").filter(|name| name.starts_with("date")));
    let (Some(name), Some(content)) = (name, attribute(meta, "content")) else {
        return;
    };
    let name = name.to_lowercase();
    match name.as_str() {
        "author" | "article:author" | "dc.creator" | "citation_author" => {
            metadata.author = Some(joined(metadata.author.take(), content));
        }
        "date"
        | "article:published_time"
        | "datepublished"
        | "dc.date"
        | "dcterms.created"
        | "dcterms.issued"
        | "citation_publication_date" => {
            metadata.created.get_or_insert(content);
        }
        "article:modified_time" | "last-modified" | "datemodified" | "dcterms.modified" => {
            metadata.modified.get_or_insert(content);
        }
        "dc.description" => keep(metadata, "description", content),
        "dc.subject" | "citation_keywords" => keep(metadata, "keywords", content),
        "description" | "keywords" => keep(metadata, &name, content),
        _ => {}
    }
}

/// Keeps a field that may be there several times.
fn keep(metadata: &mut Metadata, name: &str, content: String) {
    let earlier = metadata.extra.get(name).and_then(Value::as_str);
    let all = joined(earlier.map(str::to_owned), content);
    metadata.extra.insert(name.to_owned(), all.into());
}

/// Puts a value behind those that are there, unless it is one of them: pages say the same in several vocabularies.
fn joined(earlier: Option<String>, value: String) -> String {
    match earlier {
        None => value,
        Some(all) if all == value || all.split(", ").any(|one| one == value) => all,
        Some(all) => format!("{all}, {value}"),
    }
}
