//! The version of the loader that read a document. Documents are read again when their loader has changed, even if
//! their files have not.

use std::path::Path;

use sectile_core::{ContentHash, Document, Format};
use sectile_load::{detect, loader_version};
use sectile_store::{DocumentRecord, Status};

use crate::fields::LOADER_VERSION;

/// Notes in a document with which version of its loader it was read.
pub(super) fn note_loader(document: &mut Document, uri: &str) {
    let version = current_version(document.format, uri).into();
    let extra = &mut document.metadata.extra;
    extra.insert(LOADER_VERSION.to_owned(), version);
}

/// Returns whether an earlier version of its loader read a document. A document that could not be read has no version,
/// but a hash that contains it ([`failed_hash`]).
pub(super) fn is_of_older_loader(record: &DocumentRecord) -> bool {
    let known = version(record).unwrap_or_default();
    record.status != Status::Failed
        && known < u64::from(current_version(record.format, &record.uri))
}

/// Returns whether an ingest read a document with an earlier version of its loader. The next ingest
/// of its file or site reads it again.
pub fn was_read_by_older_loader(record: &DocumentRecord) -> bool {
    // For a document that was not read from a file, the hash is that of something else.
    let is_read = record.metadata.content_hash == Some(record.content_hash);
    is_of_older_loader(record) && (is_read || version(record).is_some())
}

/// Returns the version of what reads documents of a format. The pages of a file of many pages are found by rules of their own.
fn current_version(format: Format, uri: &str) -> u32 {
    #[cfg(feature = "site")]
    let rules = super::full_text::rules_version(uri);
    #[cfg(not(feature = "site"))]
    let (rules, _) = (0, uri);
    loader_version(format) + rules
}

fn version(record: &DocumentRecord) -> Option<u64> {
    record.metadata.extra.get(LOADER_VERSION)?.as_u64()
}

/// Returns the hash by which bytes are known that a loader could not read. It is another one for each version of the loader,
/// as a later one may read them.
pub(super) fn failed_hash(hash: ContentHash, bytes: &[u8], name: &Path) -> ContentHash {
    let version = |format: Format| format!("{format} {}", loader_version(format));
    let loader = detect(bytes, name).map(version).unwrap_or_default();
    ContentHash::of(format!("{hash} not read by {loader}").as_bytes())
}

/// Names the versions of all loaders at once.
pub(super) fn all_loaders() -> String {
    let versions = Format::ALL.map(|format| loader_version(format).to_string());
    versions.join("-")
}
