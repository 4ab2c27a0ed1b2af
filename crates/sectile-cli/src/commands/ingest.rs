//! `sectile ingest`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use sectile::{IngestReport, Library};

use super::{Outcome, open};
use crate::args::IngestArguments;
use crate::output;
use crate::progress::Progress;

pub(crate) async fn run(
    arguments: IngestArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let library = open(store).await?;
    let start = Instant::now();
    let report = with_progress(&library, &arguments.collection, &arguments.paths).await?;
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
    for (path, reason) in &report.skipped {
        output::note(format_args!("skipped {}: {reason}", path.display()));
    }
    for (path, reason) in &report.failed {
        output::warning(format_args!("{}: {reason}", path.display()));
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
    format!(
        "{added} added, {updated} updated, {unchanged} unchanged, {removed} removed, {skipped} \
         skipped, {failed} failed; {megabytes:.1} MB written in {seconds:.1} s\n"
    )
}
