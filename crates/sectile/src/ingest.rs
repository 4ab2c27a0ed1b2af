//! From paths to a store: what changed is loaded and cut in parallel and written in batches.

pub(crate) mod claims;
pub(crate) mod files;
#[cfg(feature = "site")]
pub(crate) mod full_text;
mod ignore_rules;
mod keys;
mod known;
mod left_behind;
pub(crate) mod loaders;
mod part_vectors;
pub(crate) mod parts;
pub(crate) mod reading;
pub(crate) mod reindex;
mod report;
pub(crate) mod shares;
#[cfg(feature = "site")]
pub(crate) mod site;
mod vanished;
mod worker;
mod writer;

use std::sync::Arc;

use sectile_store::{Scope, Store};

use crate::Result;
use crate::blocking::run_blocking;
use crate::index::Indexer;
use files::{Sources, Subset};
use known::{Known, known};
use left_behind::left_behind;
use reading::Reading;
pub use report::{FileOutcome, IngestEvent, IngestReport};
use vanished::absent;
use worker::Maker;
pub(crate) use worker::now;
use writer::Ingest;

/// A collection of a store, and how files become documents in it.
#[derive(Clone, Copy)]
pub(crate) struct IngestContext<'a> {
    pub(crate) store: &'a dyn Store,
    pub(crate) reading: &'a Reading,
    pub(crate) indexer: &'a Arc<Indexer>,
    pub(crate) collection: &'a str,
}

/// Brings what the store has of `sources` up to date.
pub(crate) async fn ingest(
    context: IngestContext<'_>,
    mut sources: Sources,
    on_event: &(dyn Fn(IngestEvent) + Send + Sync),
) -> Result<IngestReport> {
    let IngestContext {
        store, collection, ..
    } = context;
    // A removed or updated document may free the key that another document, whose file did not change, waits for.
    if let Some(changed) = sources.subset.paths().filter(|changed| !changed.is_empty()) {
        let mut paths = keys::waiting(store, collection).await?;
        paths.extend(changed.iter().cloned());
        sources.subset = Subset::below(paths);
    }
    let mut report = bring(context, sources, on_event).await?;
    tidy(store, &mut report).await;
    Ok(report)
}

async fn bring(
    context: IngestContext<'_>,
    sources: Sources,
    on_event: &(dyn Fn(IngestEvent) + Send + Sync),
) -> Result<IngestReport> {
    let IngestContext {
        store,
        reading,
        indexer,
        collection,
    } = context;
    if sources.is_empty() {
        return Ok(IngestReport::default());
    }
    let left_behind = left_behind(store, collection, &sources).await?;
    let scope = sources.within(Scope::collection(collection));
    let mut known = known(store, indexer, reading, &scope).await?;
    known.retain(|uri, _| sources.has(uri));
    let known = Arc::new(known);
    let of_walk = Arc::clone(&known);
    let walk = move || {
        let mut walked = files::walk(&sources);
        let mut absent = absent(&of_walk, &sources.roots, &mut walked);
        absent.keep_emptied(&sources.roots);
        (walked, absent)
    };
    let (walked, mut absent) = run_blocking(walk).await;
    for left in left_behind {
        left.settle(&walked, &mut absent);
    }
    on_event(IngestEvent::Walked {
        files: walked.files.len(),
    });
    let mut ingest = Ingest::into(store, collection, on_event).await?;
    for (path, reason) in walked.unreadable {
        ingest.finish(path.display().to_string(), FileOutcome::Failed(reason));
    }
    for (path, reason) in walked.skipped {
        ingest.finish(path.display().to_string(), FileOutcome::Skipped(reason));
    }
    // A file that was renamed has the key of the one that is gone.
    ingest.settle(absent).await?;
    let maker = Maker {
        loader: reading.loader.clone(),
        indexer: Arc::clone(indexer),
        collection: collection.to_owned(),
        known,
    };
    let (receiver, threads) = worker::start(maker, walked.files);
    ingest.write(receiver).await?;
    threads.join().await;
    ingest.write_late().await?;
    Ok(ingest.report)
}

/// Tidies the index when so much of it is new that the work is worth it. All documents are stored by then, so where
/// that fails, a full disk for example, it is a line of the report.
async fn tidy(store: &dyn Store, report: &mut IngestReport) {
    let changed = report.added + report.updated + report.removed;
    let work = async {
        if changed > 0 && changed * 4 >= store.totals().await?.documents {
            store.optimize().await?;
        }
        Ok::<(), sectile_store::Error>(())
    };
    if let Err(error) = work.await {
        let reason =
            format!("every document is stored, but the index could not be tidied: {error}");
        report.failed.push((report::THE_STORE.to_owned(), reason));
    }
}
