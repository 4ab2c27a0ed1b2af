//! From a web site to a store.

mod page_reader;
mod page_split;
mod repeated_texts;
mod stored_pages;
mod unseen;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures_util::future::join;
use sectile_site::{Error as SiteError, Site};
use sectile_store::Store;
use tokio::sync::mpsc;
use url::Url;

use super::vanished::Vanished;
use super::worker::{Maker, Worked};
use super::{Ingest, IngestEvent, IngestReport, tidy};
use crate::Result;
use crate::error_chain;
use crate::index::Indexer;
use page_reader::PageReader;
use stored_pages::{StoredPage, StoredPages, hashes, stored_pages, versions};

/// How many finished documents may wait to be written.
const WAITING: usize = 32;

/// What remains to be done after all pages were read.
#[derive(Default)]
struct Rest {
    seen: HashSet<String>,
    /// Those of these that could not be read.
    unread: HashSet<String>,
    /// The stored pages that the server says are gone, or no pages of their own any more.
    lost: Vec<(String, SiteError)>,
    /// The targets of pages that redirect to others.
    leads: HashMap<String, Url>,
    /// The pages that stay as they are stored, whatever was read, with the reason.
    kept: Vec<(String, String)>,
    /// The lists that were read.
    full: Option<String>,
    index: Option<String>,
    /// A list that was read and has no page.
    empty: Option<String>,
    /// Whether all of the list was read and asked for.
    is_whole: bool,
    /// Whether there is a list that could not be read.
    is_unread: bool,
    /// Whether the list is the one that the last ingest read.
    is_list_known: bool,
    last: Option<Worked>,
}

/// Brings what the store has of a site up to date.
pub(crate) async fn ingest(
    store: &dyn Store,
    reading: &super::reading::Reading,
    indexer: &Arc<Indexer>,
    collection: &str,
    site: &Site,
    on_event: &(dyn Fn(IngestEvent) + Send + Sync),
) -> Result<IngestReport> {
    let reading = &reading.of_sites();
    let stored = stored_pages(store, indexer, reading, collection).await?;
    let opened = site.open(Arc::new(versions(&stored))).await;
    let mut ingest = Ingest::into(store, collection, on_event).await?;
    let mut pages = match opened {
        Ok(pages) => pages,
        Err(error) => {
            let gone = only_page(&stored, site.url(), &error).ok_or(error)?;
            ingest.remove(vec![gone]).await?;
            return Ok(ingest.report);
        }
    };
    pages.prefer(hashes(&stored, site.url()));
    let known = stored
        .iter()
        .map(|(uri, held)| (uri.clone(), held.known.clone()));
    let maker = Maker {
        loader: reading.loader.clone(),
        indexer: Arc::clone(indexer),
        collection: collection.to_owned(),
        known: Arc::new(known.collect()),
    };
    let (sender, receiver) = mpsc::channel(WAITING);
    let pages_read = PageReader::new(maker, &stored, site.url().clone(), sender, on_event);
    let (mut rest, written) = join(pages_read.read(&mut pages), ingest.write(receiver)).await;
    written?;
    let absent = unseen::decide(&stored, site.url(), &mut rest, &pages).await;
    ingest.settle(absent).await?;
    ingest.write_late().await?;
    if let Some(last) = rest.last {
        ingest.write_last(last).await?;
    }
    tidy(store, &mut ingest.report).await;
    Ok(ingest.report)
}

/// Returns the page that an address names, if it is all that the store has of it and the server says that it is gone.
fn only_page(stored: &StoredPages, site: &Url, error: &SiteError) -> Option<Vanished> {
    let SiteError::NotFound { url, .. } = error else {
        return None;
    };
    let is_of_site = |held: &&StoredPage| held.site.as_deref() == Some(site.as_str());
    let held = stored.get(site.as_str()).filter(is_of_site)?;
    let is_only = stored.values().filter(is_of_site).count() == 1;
    let reason = error_chain(error);
    (is_only && url == site).then(|| unseen::vanished(site.as_str(), held, reason))
}
