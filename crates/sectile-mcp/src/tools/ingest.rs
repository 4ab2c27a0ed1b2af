//! `ingest`: files and web sites into the store.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use rmcp::model::Tool;
use schemars::JsonSchema;
use sectile::sites::Error as SiteError;
use sectile::{DEFAULT_COLLECTION, HeldElsewhere, IngestReport};
use serde::{Deserialize, Serialize};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use crate::Server;
use crate::answer::{Answer, Outcome, count, cut, is_zero};
use crate::arguments::in_range;
use crate::folders;
use crate::handler::Handler;
use crate::problem::{Problem, quoted};
use crate::progress::Progress;
use crate::tools::Effect;

/// The maximum number of removed, kept and skipped files that are shown. Skipped pictures next to documents are not
/// interesting.
const SKIPS_SHOWN: usize = 20;

/// How long a call waits for the one before it, less than clients wait for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// The maximum of `max_pages`.
const MOST_PAGES: usize = 100_000;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A file, a folder, or the URL or domain of a web site.
    source: String,
    collection: Option<String>,
    /// Follow links where there is no `llms.txt`.
    crawl: Option<bool>,
    /// Also what `llms.txt` lists as optional.
    optional: Option<bool>,
    /// 500 by default.
    max_pages: Option<usize>,
    /// Only the page at the URL.
    page: Option<bool>,
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
    /// How many files or pages were left out, such as those that are no documents.
    skipped: usize,
    /// Vectors that were made.
    vectors: usize,
    /// How many files could not be read; their earlier versions stay.
    failed: usize,
    /// Some of these, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<Reason>,
    /// How many documents have not all that a reader sees, such as pages that are pictures.
    #[serde(skip_serializing_if = "is_zero")]
    incomplete: usize,
    /// Some of these, with what is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    omissions: Vec<Reason>,
    /// Some of those that were skipped, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skips: Vec<Reason>,
    /// Some of those that were removed, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    removals: Vec<Reason>,
    /// How many documents stay though nothing led to them this time.
    kept: usize,
    /// Some of these, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keeps: Vec<Reason>,
    /// What else there is to know, such as another collection that has the source. It is rare, and each field of the
    /// schema costs tokens in each conversation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    notes: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct Reason {
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
        format!("Files must be in {}.", folders.join(" or "))
    };
    super::tool::<Arguments, Report>(
        "ingest",
        &Effect::Updates,
        format!(
            "Puts a file, a folder's documents or a web site into the store, or brings it up to date. {files} \
             May take minutes; can be called again."
        ),
    )
}

pub(crate) async fn call(
    handler: &Handler,
    arguments: Arguments,
    progress: &Progress,
) -> Result<Answer, Problem> {
    check(&arguments)?;
    let _turn = turn(&handler.ingests).await?;
    let source = &arguments.source;
    let path = folders::resolve(&handler.folders, source);
    let (report, mut notes) = match sectile::site_url(source).filter(|_| path.is_err()) {
        Some(url) => (site(handler, &url, &arguments, progress).await?, Vec::new()),
        None => files(handler, path?, &arguments, progress).await?,
    };
    notes.extend(report.truncated.iter().map(ToString::to_string));
    let told: usize = told(&report).iter().map(|list| list.len()).sum();
    if report.documents() + report.removed + told == 0 {
        let message = format!("{} holds no documents", quoted(source));
        return Err(Problem::no_results(message));
    }
    let budget = handler.budget(None)?;
    budget.fit(told, &|shown, width| {
        written(source, &report, &notes, shown, width)
    })
}

/// Refuses a collection without a name, and arguments of which one makes another one useless.
fn check(arguments: &Arguments) -> Result<(), Problem> {
    let collection = arguments.collection.as_deref();
    if collection.is_some_and(|name| name.trim().is_empty()) {
        let message = "`collection` is empty; name one, or leave it out";
        return Err(Problem::invalid(message.into()));
    }
    let is_set = |argument: Option<bool>| argument == Some(true);
    if is_set(arguments.page) && (is_set(arguments.crawl) || is_set(arguments.optional)) {
        let message =
            "`page` reads only the page at the URL; leave out `crawl` and `optional`, or `page`";
        return Err(Problem::invalid(message.into()));
    }
    Ok(())
}

/// Waits until no other ingest runs, for some time.
async fn turn(ingests: &Semaphore) -> Result<SemaphorePermit<'_>, Problem> {
    let turn = timeout(PATIENCE, ingests.acquire()).await;
    turn.ok().and_then(Result::ok).ok_or_else(|| {
        let message = "another ingest is still running; call again when it has ended";
        Problem::new(Outcome::Transient, message.into())
    })
}

/// Ingests a path. Returns the report and the notes.
async fn files(
    handler: &Handler,
    path: PathBuf,
    arguments: &Arguments,
    progress: &Progress,
) -> Result<(IngestReport, Vec<String>), Problem> {
    let of_sites = [arguments.crawl, arguments.optional, arguments.page];
    // Some clients send every argument, and `false` for those that are not set.
    if of_sites.contains(&Some(true)) || arguments.max_pages.is_some() {
        let message = "`crawl`, `optional`, `page` and `max_pages` are for web sites; leave them out for files";
        return Err(Problem::invalid(message.into()));
    }
    let paths = [path];
    let collection = arguments.collection.as_deref();
    let held = match collection {
        Some(_) => Vec::new(),
        None => handler.library.held_elsewhere(&paths).await?,
    };
    let on_event = |event| progress.note(&event);
    let work = handler
        .library
        .ingest(collection.unwrap_or(DEFAULT_COLLECTION), &paths, &on_event);
    let report = progress.during(work).await?;
    Ok((report, held.iter().map(note_of).collect()))
}

/// Says which collection has a path, and how to update it there.
fn note_of(held: &HeldElsewhere) -> String {
    let name = quoted(&held.collection);
    format!("{held}; to update {name}, call again with it as `collection`")
}

async fn site(
    handler: &Handler,
    url: &str,
    arguments: &Arguments,
    progress: &Progress,
) -> Result<IngestReport, Problem> {
    let max_pages = in_range("max_pages", arguments.max_pages, 1..=MOST_PAGES)?;
    let options = handler.sites.clone();
    let max_pages = max_pages.unwrap_or(options.max_pages);
    let options = options
        .with_max_pages(max_pages)
        .with_crawl(arguments.crawl.unwrap_or_default())
        .with_page_only(arguments.page.unwrap_or_default())
        .with_optional(arguments.optional.unwrap_or_default());
    let collection = arguments.collection.as_deref();
    let on_event = |event| progress.note(&event);
    let work = handler
        .library
        .ingest_site(collection, url, &options, &on_event);
    match progress.during(work).await {
        Err(sectile::Error::Site(SiteError::NoHost { .. }))
            if !arguments.source.contains("://") =>
        {
            let source = quoted(&arguments.source);
            let message =
                format!("there is no file {source}, and no host of that name can be found");
            Err(Problem::invalid(message))
        }
        report => Ok(report?),
    }
}

/// Returns the lists of single files and pages, the most important first.
fn told(report: &IngestReport) -> [&[(String, String)]; 5] {
    [
        &report.failed,
        &report.incomplete,
        few(&report.removals),
        few(&report.kept),
        few(&report.skipped),
    ]
}

fn few(list: &[(String, String)]) -> &[(String, String)] {
    &list[..list.len().min(SKIPS_SHOWN)]
}

fn written(
    source: &str,
    report: &IngestReport,
    notes: &[String],
    shown: usize,
    width: usize,
) -> Answer {
    let mut room = shown;
    let [failures, omissions, removals, keeps, skips] = told(report).map(|list| {
        let shown = &list[..list.len().min(room)];
        room -= shown.len();
        let reason = |(name, why): &(String, String)| reason(name, why, width);
        shown.iter().map(reason).collect()
    });
    let written = Report {
        outcome: outcome(report),
        source: cut(source, 4 * width),
        added: report.added,
        updated: report.updated,
        unchanged: report.unchanged,
        removed: report.removed,
        skipped: report.skipped.len(),
        vectors: report.embedded,
        failed: report.failed_documents(),
        failures,
        incomplete: report.incomplete.len(),
        omissions,
        skips,
        removals,
        kept: report.kept.len(),
        keeps,
        notes: notes.iter().map(|note| cut(note, 4 * width)).collect(),
    };
    let answer = Answer::new(drawn(&written, report), &written);
    Answer {
        is_error: written.outcome.is_error(),
        ..answer
    }
}

fn outcome(report: &IngestReport) -> Outcome {
    if report.documents() + report.removed + report.kept.len() > 0 {
        Outcome::Ok
    } else if report.failed.is_empty() {
        Outcome::NoResults
    } else {
        Outcome::Failed
    }
}

fn reason(name: &str, reason: &str, width: usize) -> Reason {
    Reason {
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
        kept,
        ..
    } = written;
    let mut text = format!(
        "{added} added, {updated} updated, {unchanged} unchanged, {removed} removed, {skipped} skipped, \
         {failed} failed."
    );
    draw_reasons(&mut text, "failed", &written.failures, *failed);
    let incomplete = written.incomplete;
    draw_reasons(&mut text, "incomplete", &written.omissions, incomplete);
    draw_reasons(&mut text, "removed", &written.removals, *removed);
    draw_reasons(&mut text, "kept", &written.keeps, *kept);
    draw_reasons(&mut text, "skipped", &written.skips, *skipped);
    match report.without_text.len() {
        0 => {}
        1 => text.push_str("\n- 1 document holds no text"),
        empty => {
            let _ = write!(text, "\n- {empty} documents hold no text");
        }
    }
    for note in &written.notes {
        let _ = write!(text, "\n- {note}");
    }
    match report.documents() {
        0 => {}
        1 => text.push_str("\nNext: `toc` of it, or `search`."),
        _ => text.push_str("\nNext: `search`, or `list` for the names."),
    }
    text
}

/// Lists what was not taken, and says how many more there are.
fn draw_reasons(text: &mut String, what: &str, shown: &[Reason], all: usize) {
    for Reason { source, reason } in shown {
        let _ = write!(text, "\n- {what} {source}: {reason}");
    }
    let hidden = all - shown.len();
    if hidden > 0 {
        let _ = write!(text, "\n- {what} {}", count(hidden, "other"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_ingest_waits_for_another_but_not_for_ever() {
        let ingests = Semaphore::new(1);
        let running = turn(&ingests).await.unwrap();
        let refused = turn(&ingests).await.unwrap_err();
        assert!(format!("{refused:?}").contains("Transient"), "{refused:?}");
        let (next, ()) = tokio::join!(turn(&ingests), async { drop(running) });
        assert!(next.is_ok());
    }
}
