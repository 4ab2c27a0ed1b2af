//! The documents that the store has before an ingest.

use std::collections::HashMap;

use sectile_core::{ContentHash, DocumentId};
use sectile_load::LoadOptions;
use sectile_store::{DocumentRecord, Scope, Status, Store};

use super::loaders::is_of_older_loader;
use super::reading::{Reading, is_loaded_as};
use crate::Result;
use crate::fields::{NAMED_APART, NAMED_BY_LINK};
use crate::index::Indexer;

/// A document that the store already has.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) id: DocumentId,
    pub(super) content_hash: ContentHash,
    /// Whether it is as it would be made now.
    pub(super) is_current: bool,
    /// Whether an earlier version of its loader read it.
    pub(super) is_of_older_loader: bool,
    /// The index version of its text, if the store has any.
    pub(super) text_version: Option<String>,
    /// How it is to be read, where the loader has other options.
    pub(super) options: Option<LoadOptions>,
    pub(super) error: Option<String>,
    /// The path that the user named, if a walk of the folder above leaves it out.
    pub(super) apart: Option<String>,
    /// The link that the user named to have it.
    pub(super) link: Option<String>,
}

/// Returns what the store has of a scope, by URI.
pub(super) async fn known(
    store: &dyn Store,
    indexer: &Indexer,
    reading: &Reading,
    scope: &Scope,
) -> Result<HashMap<String, Known>> {
    let records = store.documents(scope).await?;
    let known = |record: DocumentRecord| (record.uri.clone(), Known::of(&record, indexer, reading));
    Ok(records.into_iter().map(known).collect())
}

impl Known {
    pub(super) fn of(record: &DocumentRecord, indexer: &Indexer, reading: &Reading) -> Self {
        let known = Self::as_indexed(record, indexer);
        let is_of_older_loader = is_of_older_loader(record);
        let is_current = known.is_current && !is_of_older_loader;
        let options = reading.kept(record, is_current);
        let wanted = options.as_ref().unwrap_or(reading.loader.options());
        Self {
            is_current: is_current && is_loaded_as(record, wanted),
            is_of_older_loader,
            options,
            ..known
        }
    }

    /// Returns what is known of a document, however it was loaded.
    pub(super) fn as_indexed(record: &DocumentRecord, indexer: &Indexer) -> Self {
        let is_failed = record.status == Status::Failed;
        let field = |name| Some(record.metadata.extra.get(name)?.as_str()?.to_owned());
        Self {
            id: record.id,
            content_hash: record.content_hash,
            is_current: indexer.is_current(record),
            is_of_older_loader: false,
            text_version: (record.sections > 0).then(|| record.index_version.clone()),
            options: None,
            error: record.error.clone().filter(|_| is_failed),
            apart: field(NAMED_APART),
            link: field(NAMED_BY_LINK),
        }
    }
}
