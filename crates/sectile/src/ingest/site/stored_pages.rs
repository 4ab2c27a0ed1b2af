//! The stored pages of sites, with their origins.

use std::collections::HashMap;

use sectile_core::{ContentHash, Format, Metadata};
use sectile_site::{SPLIT_VERSION, Validators};
use sectile_store::{DocumentRecord, Scope, Store};
use serde_json::Value;
use url::Url;

use crate::Result;
use crate::fields::{ETAG, LAST_MODIFIED, LIST, PAGES, SOURCE, SPLIT};
use crate::index::Indexer;
use crate::ingest::reading::Reading;
use crate::ingest::{FileOutcome, Known};

/// The metadata field with the site of a page.
const SITE: &str = "site";

/// Data about a page from its server and its list.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct About {
    format: Format,
    title: Option<String>,
    pub(super) list: Option<String>,
    pub(super) validators: Validators,
}

impl About {
    pub(super) fn of(format: Format, metadata: &Metadata) -> Self {
        let field = |name| metadata.field(name)?.as_str().map(str::to_owned);
        Self {
            format,
            title: metadata.title.clone(),
            list: field(LIST),
            validators: Validators {
                etag: field(ETAG),
                last_modified: field(LAST_MODIFIED),
            },
        }
    }

    /// Returns whether the same bytes may make another document, or one that is described otherwise. A title that is
    /// listed counts for pages that have none.
    pub(super) fn may_change(
        &self,
        format: Format,
        title: Option<&String>,
        origin: &Origin,
    ) -> bool {
        self.format != format
            || self.list != origin.list
            || self.validators != origin.validators
            || title.is_some_and(|title| self.title.as_ref() != Some(title))
    }

    /// Returns the outcome for unchanged bytes, or `None` if nothing changed. Other validators of the server do not
    /// count as a change.
    pub(super) fn outcome(&self, now: &Self) -> Option<FileOutcome> {
        let validators = now.validators.clone();
        let before = Self {
            validators,
            ..self.clone()
        };
        match before == *now {
            true if self == now => None,
            true => Some(FileOutcome::Unchanged),
            false => Some(FileOutcome::Updated),
        }
    }
}

/// A page that the store has.
pub(super) struct StoredPage {
    pub(super) known: Known,
    pub(super) site: Option<String>,
    pub(super) source: Option<String>,
    pub(super) about: About,
    /// How many pages are cut out of it, where it is an `llms-full.txt`.
    pub(super) pages: Option<u64>,
}

impl StoredPage {
    /// Returns whether it is a page of a site, and not a list of its pages.
    pub(super) fn is_page_of(&self, site: &Url, uri: &str) -> bool {
        let is_list = self.pages.is_some() || self.about.list.as_deref() == Some(uri);
        self.site.as_deref() == Some(site.as_str()) && !is_list
    }
}

/// The pages of a collection, by their addresses.
pub(super) type StoredPages = HashMap<String, StoredPage>;

/// The origin of pages.
#[derive(Clone)]
pub(super) struct Origin {
    pub(super) site: String,
    pub(super) source: String,
    /// The list that it was found in.
    pub(super) list: Option<String>,
    pub(super) validators: Validators,
    /// How many pages it has, where it is an `llms-full.txt`.
    pub(super) pages: Option<usize>,
}

/// Returns the pages of a collection.
pub(super) async fn stored_pages(
    store: &dyn Store,
    indexer: &Indexer,
    reading: &Reading,
    collection: &str,
) -> Result<StoredPages> {
    let scope = Scope::collection(collection);
    let scope = scope.with_prefix("http:").with_prefix("https:");
    let records = store.documents(&scope).await?;
    let held = |record: DocumentRecord| {
        let field = |name| record.metadata.field(name)?.as_str().map(str::to_owned);
        let number = |name| record.metadata.extra.get(name)?.as_u64();
        let is_cut = number(SPLIT) == Some(SPLIT_VERSION.into());
        let held = StoredPage {
            known: Known::of(&record, indexer, reading),
            site: field(SITE),
            source: field(SOURCE),
            about: About::of(record.format, &record.metadata),
            pages: number(PAGES).filter(|_| is_cut),
        };
        (record.uri, held)
    };
    Ok(records.into_iter().map(held).collect())
}

/// Returns the versions that the store has of what can be asked for. A file of many pages counts only
/// as long as all of them are there as they would be made now.
pub(super) fn versions(stored: &StoredPages) -> sectile_site::Known {
    let mut sources: HashMap<&str, Vec<&StoredPage>> = HashMap::new();
    for held in stored.values() {
        if let Some(source) = &held.source {
            sources.entry(source).or_default().push(held);
        }
    }
    let version = |(source, pages): (&str, Vec<&StoredPage>)| {
        let is_current = pages.iter().all(|held| held.known.is_current);
        let file = pages.iter().find(|held| held.pages.is_some());
        let is_complete = match file.and_then(|file| file.pages) {
            // Its text says whether it is a list without pages.
            Some(0) => false,
            Some(count) => pages.len() as u64 == count + 1,
            None => pages.iter().all(|held| held.known.error.is_none()),
        };
        let validators = &file.or(pages.first())?.about.validators;
        let is_known = is_current && is_complete && !validators.is_empty();
        is_known.then(|| (source.to_owned(), validators.clone()))
    };
    sources.into_iter().filter_map(version).collect()
}

/// Returns the pages that the store has of a site, by the hashes of their bytes.
pub(super) fn hashes(stored: &StoredPages, site: &Url) -> HashMap<ContentHash, Url> {
    let is_of_site = |held: &StoredPage| held.site.as_deref() == Some(site.as_str());
    let mut uris: Vec<_> = stored.iter().filter(|(_, held)| is_of_site(held)).collect();
    // Among several copies, the shortest address is the best.
    uris.sort_unstable_by_key(|(uri, _)| std::cmp::Reverse((uri.len(), *uri)));
    let hash = |(uri, held): (&String, &StoredPage)| {
        Some((held.known.content_hash, Url::parse(uri).ok()?))
    };
    uris.into_iter().filter_map(hash).collect()
}

impl Origin {
    /// Adds the origin of a page to its metadata. The page's own data about its origin is replaced.
    pub(super) fn describe(&self, metadata: &mut Metadata, title: Option<String>) {
        let text = |text: &Option<String>| text.clone().map(Value::from);
        let fields = [
            (SITE, Some(self.site.clone().into())),
            (SOURCE, Some(self.source.clone().into())),
            (LIST, text(&self.list)),
            (ETAG, text(&self.validators.etag)),
            (LAST_MODIFIED, text(&self.validators.last_modified)),
            (PAGES, self.pages.map(Value::from)),
            (SPLIT, self.pages.map(|_| SPLIT_VERSION.into())),
        ];
        for (name, value) in fields {
            match value {
                Some(value) => metadata.extra.insert(name.to_owned(), value),
                None => metadata.extra.remove(name),
            };
        }
        if metadata.title.is_none() {
            metadata.title = title;
        }
    }
}
