//! `ingest`: files and web sites into the store.

use std::fmt::Write as _;

use rmcp::model::{JsonObject, Tool};
use schemars::JsonSchema;
use sectile::{DEFAULT_COLLECTION, IngestReport, SiteOptions};
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
    /// Of a web site without `llms-full.txt` and `llms.txt`, follow the links to find its pages.
    crawl: Option<bool>,
    /// Of a web site, read what its `llms.txt` lists as optional, too.
    optional: Option<bool>,
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
    let arguments: Arguments = read(tool, arguments)?;
    let _turn = handler.ingests.acquire().await;
    let source = &arguments.source;
    let is_site = source.starts_with("http://") || source.starts_with("https://");
    let report = if is_site {
        site(handler, &arguments, progress).await?
    } else {
        files(handler, &arguments, progress).await?
    };
    if report.documents() + report.removed + report.failed.len() == 0 {
        let message = format!("{} holds no documents", quoted(source));
        return Err(Problem::no_results(message));
    }
    let budget = Budget::new(handler.library.counter(), None)?;
    budget.fit(report.failed.len(), &|shown, width| {
        written(source, &report, shown, width)
    })
}

async fn files(
    handler: &Handler,
    arguments: &Arguments,
    progress: &Progress,
) -> Result<IngestReport, Problem> {
    if arguments.crawl.is_some() || arguments.optional.is_some() {
        let message = "`crawl` and `optional` are for web sites; leave them out for files";
        return Err(Problem::invalid(message.into()));
    }
    let paths = [folders::resolve(&handler.folders, &arguments.source)?];
    let collection = arguments.collection.as_deref();
    let on_event = |event| progress.note(&event);
    let work = handler
        .library
        .ingest(collection.unwrap_or(DEFAULT_COLLECTION), &paths, &on_event);
    Ok(progress.during(work).await?)
}

async fn site(
    handler: &Handler,
    arguments: &Arguments,
    progress: &Progress,
) -> Result<IngestReport, Problem> {
    let options = SiteOptions::default()
        .with_crawl(arguments.crawl.unwrap_or_default())
        .with_optional(arguments.optional.unwrap_or_default())
        .with_private(handler.allows_private);
    let (collection, url) = (arguments.collection.as_deref(), &arguments.source);
    let on_event = |event| progress.note(&event);
    let work = handler
        .library
        .ingest_site(collection, url, &options, &on_event);
    Ok(progress.during(work).await?)
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
            .map(|(name, reason)| failure(name, reason, width))
            .collect(),
    };
    let answer = Answer::new(drawn(&written, report), &written);
    Answer {
        is_error: written.outcome.is_error(),
        ..answer
    }
}

fn failure(name: &str, reason: &str, width: usize) -> Failure {
    Failure {
        source: cut(name, 4 * width),
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
