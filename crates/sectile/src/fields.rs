//! The fields of metadata that a filter can ask for.

use std::collections::BTreeSet;

use sectile_core::Metadata;
use sectile_load::is_notice;
use serde_json::Value;

/// The field of the metadata of a document that the walk of a folder above leaves out: the URI of what is hidden or
/// ignored, its file or a folder on the way to what the user named all the same.
pub(crate) const NAMED_APART: &str = "named_apart";

/// The field of the metadata of a document that the user named by a link: the URI of the link, or of a path through it.
pub(crate) const NAMED_BY_LINK: &str = "named_by_link";

/// The field of the metadata of a document that names the version of the loader that read it. Documents that a release read
/// which kept none are of version 0, so that all are read once more.
pub(crate) const LOADER_VERSION: &str = "sectile_loader_version";

/// The fields that say where a page of a site comes from: the file that it was read in, the `llms.txt` that lists it, what
/// the server calls that version, and, of a file of many pages, how many there are and by which version of the rules it
/// was cut.
pub(crate) const SOURCE: &str = "source_url";
pub(crate) const LIST: &str = "listed_in";
pub(crate) const ETAG: &str = "etag";
pub(crate) const LAST_MODIFIED: &str = "last_modified";
pub(crate) const PAGES: &str = "pages";
pub(crate) const SPLIT: &str = "split";

/// The fields that an ingest keeps for itself.
const KEPT: [&str; 9] = [
    NAMED_APART,
    NAMED_BY_LINK,
    LOADER_VERSION,
    SOURCE,
    LIST,
    ETAG,
    LAST_MODIFIED,
    PAGES,
    SPLIT,
];

/// The fields of [`Metadata`] itself that tell of a document, and not of its file.
const OWN: [&str; 5] = ["author", "created", "modified", "page_count", "title"];

/// Names the fields that documents have and a filter is likely to ask for, in the order of the alphabet: not those that tell
/// how a file was read, nor those that an ingest keeps for itself.
pub(crate) fn field_names<'a>(documents: impl Iterator<Item = &'a Metadata>) -> Vec<String> {
    // Each document is indexed in a language, whether it states one or not.
    let mut names = BTreeSet::from(["language".to_owned()]);
    for metadata in documents {
        let own = OWN.iter().filter(|name| metadata.field(name).is_some());
        names.extend(own.map(|name| (*name).to_owned()));
        let others = metadata.extra.iter();
        let others = others.filter(|(name, value)| is_of_document(name) && has_words(value));
        names.extend(others.map(|(name, _)| name.clone()));
    }
    names.into_iter().collect()
}

fn is_of_document(name: &str) -> bool {
    !is_notice(name) && !KEPT.contains(&name)
}

/// Returns whether a filter can be equal to a value, or to one in a list.
fn has_words(value: &Value) -> bool {
    match value {
        Value::Null | Value::Object(_) => false,
        Value::Array(items) => items.iter().any(has_words),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use sectile_core::ContentHash;
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_tells_of_a_document_is_named() {
        let extra = json!({
            "team": "red", "tags": ["a"], "draft": false, "weight": 3, "site": "https://example.org/",
            "named_apart": "file:///a", "etag": "1", "source_url": "https://example.org/llms-full.txt", "pages": 2,
            "split": 1, "failed_pages": [2], "left_out_words": {"footer": 3}, "empty": null, "none": [], "map": {"a": 1},
        });
        let metadata = Metadata {
            title: Some("T".into()),
            encoding: Some("UTF-8".into()),
            size: Some(7),
            content_hash: Some(ContentHash::of(b"x")),
            extra: serde_json::from_value(extra).unwrap(),
            ..Metadata::default()
        };
        assert_eq!(
            field_names([&metadata, &Metadata::default()].into_iter()),
            [
                "draft", "language", "site", "tags", "team", "title", "weight"
            ]
        );
    }
}
