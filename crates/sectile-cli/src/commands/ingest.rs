//! `sectile ingest`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use sectile::store::{DocumentRecord, Status, VectorEncoding};
use sectile::{IngestReport, Library, Scope};

use super::{Outcome, open_with};
use crate::args::IngestArguments;
use crate::output;
use crate::progress::Progress;

pub(crate) async fn run(
    arguments: IngestArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let mut library = open_with(store, &arguments.embedder).await?;
    let collection = &arguments.collection;
    if arguments.int8 {
        library = library.with_vector_encoding(VectorEncoding::Int8);
    }
    if let Some(fields) = &arguments.key {
        library.declare_key(collection, fields).await?;
    }
    if arguments.replace_vectors {
        library.remove_vectors(collection).await?;
    }
    let start = Instant::now();
    let report = with_progress(&library, collection, &arguments.paths).await?;
    if arguments.embedder.embedder.is_none() {
        note_waiting(&library, collection).await?;
    }
    if json {
        output::value(&report)?;
    } else {
        report_problems(&report);
        output::text(&summary(&report, start.elapsed()))?;
    }
    Ok(outcome(&report))
}

/// Ingests paths with a progress bar.
pub(crate) async fn with_progress(
    library: &Library,
    collection: &str,
    paths: &[PathBuf],
) -> anyhow::Result<IngestReport> {
    let progress = Progress::new();
    let report = library
        .ingest(collection, paths, &|event| progress.show(&event))
        .await?;
    Ok(report)
}

/// Says that documents wait for vectors, which nobody makes just now.
async fn note_waiting(library: &Library, collection: &str) -> anyhow::Result<()> {
    let totals = library.totals().await?;
    let Some(model) = totals.models.get(collection) else {
        return Ok(());
    };
    let documents = library.documents(&Scope::collection(collection)).await?;
    let is_waiting = |document: &&DocumentRecord| document.status == Status::Processing;
    let waiting = documents.iter().filter(is_waiting).count();
    if waiting > 0 {
        output::note(format_args!(
            "{waiting} documents wait for vectors of `{}`; ingest with --embedder to make them",
            model.name
        ));
    }
    Ok(())
}

fn outcome(report: &IngestReport) -> Outcome {
    if !report.failed.is_empty() {
        Outcome::SomeFailed
    } else if report.documents() + report.removed == 0 {
        Outcome::NothingFound
    } else {
        Outcome::Done
    }
}

fn report_problems(report: &IngestReport) {
    for (name, reason) in &report.skipped {
        output::note(format_args!("skipped {name}: {reason}"));
    }
    for (name, reason) in &report.failed {
        output::warning(format_args!("{name}: {reason}"));
    }
}

fn summary(report: &IngestReport, elapsed: Duration) -> String {
    let IngestReport {
        added,
        updated,
        unchanged,
        removed,
        ..
    } = report;
    let (skipped, failed) = (report.skipped.len(), report.failed.len());
    let megabytes = report.bytes_written as f64 / 1e6;
    let seconds = elapsed.as_secs_f64();
    let vectors = match report.embedded {
        0 => String::new(),
        made => format!(", {made} vectors made"),
    };
    format!(
        "{added} added, {updated} updated, {unchanged} unchanged, {removed} removed, {skipped} \
         skipped, {failed} failed; {megabytes:.1} MB written{vectors} in {seconds:.1} s\n"
    )
}
