//! `ingest`: files and web sites into the store.

use std::fmt::Write as _;
use std::path::Path;

use rmcp::model::{JsonObject, Tool};
use schemars::JsonSchema;
use sectile::{DEFAULT_COLLECTION, IngestReport};
use serde::{Deserialize, Serialize};

use crate::Server;
use crate::answer::{Answer, Outcome, count, cut};
use crate::arguments::read;
use crate::budget::Budget;
use crate::folders;
use crate::problem::{Problem, quoted};
use crate::progress::Progress;
use crate::server::Handler;
use crate::tools::Effect;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A file, a folder, or the URL of a web site.
    source: String,
    /// The collection to put it into; `default` by default, for a web site its host.
    collection: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Report {
    outcome: Outcome,
    source: String,
    /// Documents that were not there before.
    added: usize,
    /// Documents of which there was another version.
    updated: usize,
    unchanged: usize,
    /// Documents that are gone from the source.
    removed: usize,
    /// Files that are no documents.
    skipped: usize,
    /// Vectors that were made.
    vectors: usize,
    /// How many files could not be read; their earlier versions stay.
    failed: usize,
    /// Some of these, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<Failure>,
}

#[derive(Serialize, JsonSchema)]
struct Failure {
    source: String,
    reason: String,
}

pub(crate) fn tool(server: &Server) -> Tool {
    let folders: Vec<String> = server
        .folders
        .iter()
        .map(|folder| quoted(&folder.display().to_string()))
        .collect();
    let files = if folders.is_empty() {
        "Files cannot be ingested here.".to_owned()
    } else {
        format!(
            "Files must be in {}; relative paths begin there.",
            folders.join(" or ")
        )
    };
    super::tool::<Arguments, Report>(
        "ingest",
        "Add or update documents",
        &Effect::Updates,
        format!(
            "Puts a file, all documents of a folder (Markdown, text, HTML, PDF, DOCX) or the \
             documentation of a web site into the store, or brings what is there up to date: what is \
             unchanged costs nothing, what is gone from the source is removed. {files} May take minutes; \
             can be cancelled, and called again to go on."
        ),
    )
}

pub(crate) async fn call(
    handler: &Handler,
    tool: &Tool,
    arguments: Option<JsonObject>,
    progress: &Progress,
) -> Result<Answer, Problem> {
    let Arguments { source, collection } = read(tool, arguments)?;
    let _turn = handler.ingests.acquire().await;
    let is_site = source.starts_with("http://") || source.starts_with("https://");
    let collection = collection.as_deref();
    let report = if is_site {
        site(handler, &source, collection, progress).await?
    } else {
        files(handler, &source, collection, progress).await?
    };
    let budget = Budget::new(handler.library.counter(), None)?;
    budget.fit(report.failed.len(), &|shown, width| {
        written(&source, &report, shown, width)
    })
}

async fn files(
    handler: &Handler,
    source: &str,
    collection: Option<&str>,
    progress: &Progress,
) -> Result<IngestReport, Problem> {
    let path = folders::resolve(&handler.folders, source)?;
    let paths = [path];
    let on_event = |event| progress.note(&event);
    let collection = collection.unwrap_or(DEFAULT_COLLECTION);
    let work = handler.library.ingest(collection, &paths, &on_event);
    let report = progress.during(work).await?;
    if report.documents() + report.removed + report.failed.len() == 0 {
        return Err(Problem::no_results(format!(
            "{} holds no documents",
            quoted(source)
        )));
    }
    Ok(report)
}

/// Ingests a web site.
async fn site(
    handler: &Handler,
    source: &str,
    collection: Option<&str>,
    progress: &Progress,
) -> Result<IngestReport, Problem> {
    let _ = (handler.allows_private, collection, progress);
    let message = format!(
        "{} cannot be ingested: this build reads no web sites",
        quoted(source)
    );
    Err(Problem::new(Outcome::Refused, message))
}

fn written(source: &str, report: &IngestReport, shown: usize, width: usize) -> Answer {
    let failures = report.failed.iter().take(shown);
    let written = Report {
        outcome: if report.documents() + report.removed > 0 {
            Outcome::Ok
        } else {
            Outcome::Failed
        },
        source: cut(source, 4 * width),
        added: report.added,
        updated: report.updated,
        unchanged: report.unchanged,
        removed: report.removed,
        skipped: report.skipped.len(),
        vectors: report.embedded,
        failed: report.failed.len(),
        failures: failures
            .map(|(path, reason)| failure(path, reason, width))
            .collect(),
    };
    let answer = Answer::new(drawn(&written, report), &written);
    Answer {
        is_error: written.outcome.is_error(),
        ..answer
    }
}

fn failure(path: &Path, reason: &str, width: usize) -> Failure {
    Failure {
        source: cut(&path.display().to_string(), 4 * width),
        reason: cut(reason, 2 * width),
    }
}

fn drawn(written: &Report, report: &IngestReport) -> String {
    let Report {
        added,
        updated,
        unchanged,
        removed,
        skipped,
        failed,
        ..
    } = written;
    let mut text = format!(
        "{added} added, {updated} updated, {unchanged} unchanged, {removed} removed, {skipped} skipped, \
         {failed} failed."
    );
    for Failure { source, reason } in &written.failures {
        let _ = write!(text, "\n- {source}: {reason}");
    }
    let hidden = failed - written.failures.len();
    if hidden > 0 {
        let _ = write!(text, "\n- and {}", count(hidden, "other"));
    }
    match report.documents() {
        0 => {}
        1 => text.push_str("\nNext: `toc` of it, or `search`."),
        _ => text.push_str("\nNext: `search`, or `list` for the names."),
    }
    text
}
