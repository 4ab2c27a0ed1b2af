//! `sectile watch`, and what the servers watch.

use std::path::Path;
use std::time::Duration;

use sectile::{
    DEFAULT_COLLECTION, IngestEvent, IngestReport, Library, WatchEvent, WatchOptions, error_chain,
};
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::ingest::{
    files, held_elsewhere, note_held_elsewhere, note_renewed, report_problems, summary,
    with_what_is_left,
};
use super::{Outcome, loader_of_ingest, open_with};
use crate::args::{WatchArguments, WatchedArguments};
use crate::output;
use crate::progress::{Progress, note_truncated};

pub(crate) async fn run(
    arguments: WatchArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let paths = files(&arguments.paths)?;
    let loader = loader_of_ingest(&arguments.reading)?;
    let library = open_with(store, &arguments.embedder).await?;
    let library = library
        .with_language(arguments.reading.language)
        .with_loader(loader);
    if arguments.collection.is_none() {
        note_held_elsewhere(&library, &paths).await?;
    }
    let collection = collection(arguments.collection.as_deref());
    let options = match arguments.poll {
        None => WatchOptions::default(),
        Some(seconds) => WatchOptions::default()
            .with_polling(true)
            .with_poll_interval(Duration::from_secs(seconds)),
    };
    let (sender, mut events) = mpsc::unbounded_channel();
    // If the receiver is gone, the command has ended.
    let on_event = |event| drop(sender.send(event));
    let watch = library.watch(collection, &paths, &options, &on_event);
    let end = told_to_end();
    tokio::pin!(watch, end);
    let mut teller = Teller::new(json);
    loop {
        tokio::select! {
            Some(event) = events.recv() => teller.tell(&event)?,
            ended = &mut watch => {
                let Err(error) = ended;
                return Err(with_what_is_left(&library, Some(collection), error).await?);
            }
            outcome = &mut end => return Ok(outcome),
        }
    }
}

/// Watches the paths of a server in the background, until the returned value is dropped.
pub(crate) async fn beside(
    library: Library,
    arguments: WatchedArguments,
) -> anyhow::Result<JoinSet<()>> {
    let mut tasks = JoinSet::new();
    let WatchedArguments { paths, collection } = arguments;
    let paths = files(&paths)?;
    if paths.is_empty() {
        return Ok(tasks);
    }
    let name = self::collection(collection.as_deref()).to_owned();
    // Missing paths are reported before anything is served.
    if let Err(error) = library.scope(Some(&name), &paths) {
        return Err(with_what_is_left(&library, Some(&name), error).await?);
    }
    if collection.is_none() {
        for message in held_elsewhere(&library, &paths, "--watch-collection").await? {
            tracing::warn!("{message}");
        }
    }
    tasks.spawn(async move {
        let options = WatchOptions::default();
        let on_event = |event| log(&event);
        match library.watch(&name, &paths, &options, &on_event).await {
            Err(error) => tracing::error!("files are not watched: {}", error_chain(&error)),
            Ok(never) => match never {},
        }
    });
    Ok(tasks)
}

/// Listens for signals to end, from now on. The returned future waits for one, and returns how the process
/// ends.
pub(crate) fn told_to_end() -> impl Future<Output = Outcome> {
    #[cfg(unix)]
    let signals = {
        use tokio::signal::unix::{SignalKind, signal};
        (
            signal(SignalKind::terminate()),
            signal(SignalKind::interrupt()),
        )
    };
    async move {
        #[cfg(unix)]
        if let (Ok(mut terminate), Ok(mut interrupt)) = signals {
            return tokio::select! {
                _ = terminate.recv() => Outcome::Done,
                _ = interrupt.recv() => Outcome::Interrupted,
            };
        }
        let _ = tokio::signal::ctrl_c().await;
        Outcome::Interrupted
    }
}

fn collection(named: Option<&str>) -> &str {
    named.unwrap_or(DEFAULT_COLLECTION)
}

/// Tells a user what happens.
struct Teller {
    json: bool,
    /// The bar of the first ingest.
    progress: Option<Progress>,
}

impl Teller {
    fn new(json: bool) -> Self {
        Self {
            json,
            progress: Some(Progress::new()),
        }
    }

    fn tell(&mut self, event: &WatchEvent) -> anyhow::Result<()> {
        match (event, &self.progress) {
            (WatchEvent::Ingest(event), Some(progress)) => progress.show(event),
            (WatchEvent::Ingest(IngestEvent::File { name, outcome }), None) => {
                output::detail(format_args!(
                    "{}: {}",
                    output::one_line(name),
                    outcome.name()
                ));
            }
            (WatchEvent::Ingest(IngestEvent::Truncated(truncated)), None) => {
                note_truncated(truncated);
            }
            (WatchEvent::Watching { .. }, _) => self.progress = None,
            _ => {}
        }
        match Line::of(event) {
            Some(line) if self.json => output::line(&line),
            Some(line) => line.print(),
            None => Ok(()),
        }
    }
}

/// What is printed of an event. The names are documented in `docs/json.md` and do not change.
#[derive(Serialize)]
#[serde(rename_all = "lowercase", tag = "event")]
enum Line<'a> {
    Watching {
        paths: usize,
        polled: usize,
        seconds: f64,
        #[serde(flatten)]
        report: &'a IngestReport,
    },
    Updated {
        seconds: f64,
        #[serde(flatten)]
        report: &'a IngestReport,
    },
    Polled {
        path: &'a Path,
        reason: &'a str,
    },
    Gone {
        path: &'a Path,
    },
    Back {
        path: &'a Path,
    },
    Failed {
        error: String,
        retry_seconds: u64,
    },
}

impl<'a> Line<'a> {
    /// Returns the line for an event, if it has one.
    fn of(event: &'a WatchEvent) -> Option<Self> {
        Some(match event {
            WatchEvent::Watching {
                report,
                elapsed,
                paths,
                polled,
            } => Self::Watching {
                paths: *paths,
                polled: *polled,
                seconds: elapsed.as_secs_f64(),
                report,
            },
            WatchEvent::Updated { report, elapsed } if !is_idle(report) => Self::Updated {
                seconds: elapsed.as_secs_f64(),
                report,
            },
            WatchEvent::Polled { path, reason } => Self::Polled { path, reason },
            WatchEvent::Gone { path } => Self::Gone { path },
            WatchEvent::Back { path } => Self::Back { path },
            WatchEvent::Failed { error, retry_in } => Self::Failed {
                error: error_chain(error),
                retry_seconds: retry_in.as_secs(),
            },
            _ => return None,
        })
    }

    /// Prints it for a person: changes to standard output, everything else to standard error.
    fn print(&self) -> anyhow::Result<()> {
        match self {
            Self::Watching {
                seconds, report, ..
            } => {
                note_renewed(report);
                report_problems(report);
                output::text(&summary(report, Duration::from_secs_f64(*seconds)))?;
                output::note(format_args!("watching; press Ctrl-C to stop"));
            }
            Self::Updated { seconds, report } => {
                report_problems(report);
                output::text(&format!("{} in {seconds:.1} s\n", counted(report)))?;
            }
            Self::Failed { .. } => output::warning(format_args!("{}", self.said())),
            _ => output::note(format_args!("{}", self.said())),
        }
        Ok(())
    }

    /// Says it in a sentence.
    fn said(&self) -> String {
        match self {
            Self::Watching { report, .. } | Self::Updated { report, .. } => counted(report),
            Self::Polled { path, reason } => {
                let path = path.display();
                format!("`{path}` is polled for changes: {reason}")
            }
            Self::Gone { path } => {
                let path = path.display();
                format!(
                    "`{path}` disappeared. Its documents stay, and watching resumes when it returns"
                )
            }
            Self::Back { path } => format!("`{}` is back", path.display()),
            Self::Failed {
                error,
                retry_seconds,
            } => format!("cannot apply changes: {error}; retrying in {retry_seconds} s"),
        }
    }
}

/// Logs what happens to the watched files of a server.
fn log(event: &WatchEvent) {
    let Some(line) = Line::of(event) else {
        return;
    };
    match event {
        WatchEvent::Watching { report, .. } | WatchEvent::Updated { report, .. } => {
            tracing::info!("watched files: {}", line.said());
            for (name, reason) in &report.removals {
                tracing::info!("removed {name}: {reason}");
            }
            for (name, reason) in &report.kept {
                tracing::info!("kept {name}: {reason}");
            }
            for (name, reason) in &report.skipped {
                tracing::info!("skipped {name}: {reason}");
            }
            for name in &report.without_text {
                tracing::info!("{name} holds no text");
            }
            for problem in problems(report) {
                tracing::warn!("{problem}");
            }
        }
        _ => tracing::warn!("{}", line.said()),
    }
}

/// Describes the documents that failed, those whose text lacks something, and chunks that a model did not read to their
/// ends.
fn problems(report: &IngestReport) -> impl Iterator<Item = String> {
    let documents = report.failed.iter().chain(&report.incomplete);
    let documents = documents.map(|(name, reason)| format!("{name}: {reason}"));
    documents.chain(report.truncated.iter().map(ToString::to_string))
}

/// Returns whether there is nothing to tell of an ingest.
fn is_idle(report: &IngestReport) -> bool {
    counts(report).all(|(count, _)| count == 0)
}

/// Writes what an ingest did, without what it did not.
fn counted(report: &IngestReport) -> String {
    let counts = counts(report).filter(|(count, _)| *count > 0);
    let said: Vec<String> = counts
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    said.join(", ")
}

fn counts(report: &IngestReport) -> impl Iterator<Item = (usize, &'static str)> {
    let vectors = if report.embedded == 1 {
        "vector made"
    } else {
        "vectors made"
    };
    let counts = [
        (report.updated, "updated"),
        (report.added, "added"),
        (report.removed, "removed"),
        (report.kept.len(), "kept"),
        (report.skipped.len(), "skipped"),
        (report.failed.len(), "failed"),
        (report.embedded, vectors),
    ];
    counts.into_iter()
}

#[cfg(test)]
mod tests {
    use sectile::TruncatedChunks;

    use super::*;

    #[test]
    fn failed_and_incomplete_documents_are_problems() {
        let document = |name: &str, reason: &str| (name.to_owned(), reason.to_owned());
        let report = IngestReport {
            failed: vec![document("a.pdf", "it is damaged")],
            incomplete: vec![document("b.pdf", "1 page is a picture")],
            truncated: vec![TruncatedChunks {
                model: "small".to_owned(),
                max_tokens: Some(256),
                chunks: 2,
            }],
            ..IngestReport::default()
        };
        let problems: Vec<String> = problems(&report).collect();
        let documents = ["a.pdf: it is damaged", "b.pdf: 1 page is a picture"];
        assert_eq!(problems[..2], documents);
        assert!(
            problems[2].starts_with("2 chunks are longer"),
            "{problems:?}"
        );
    }
}
