//! The progress bar of long work, on a terminal only.

#[cfg(feature = "parquet")]
mod parts;

use std::fmt::Write;
use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use sectile::load::LoadEvent;
use sectile::models::HubEvent;
use sectile::{IngestEvent, TruncatedChunks};

use crate::output::{self, Verbosity};
#[cfg(feature = "parquet")]
pub(crate) use parts::PartsProgress;

/// A bar over the files of an ingest.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Makes the bar; it is not drawn where standard error is not a terminal.
    pub(crate) fn new() -> Self {
        Self(bar(0, FILES))
    }

    /// Makes the bar over documents of a store.
    pub(crate) fn of_documents() -> Self {
        Self(bar(0, DOCUMENTS))
    }

    /// Shows how much is done of how much.
    pub(crate) fn show_done(&self, done: usize, of: usize) {
        self.0.set_length(of as u64);
        self.0.set_position(done as u64);
    }

    /// Shows what happened.
    pub(crate) fn show(&self, event: &IngestEvent) {
        match event {
            IngestEvent::Walked { files } => self.0.set_length(*files as u64),
            IngestEvent::File { name, outcome } => {
                self.0.inc(1);
                tell(&self.0, name);
                output::detail(format_args!(
                    "{}: {}",
                    output::one_line(name),
                    outcome.name()
                ));
            }
            IngestEvent::Renewed { documents } => {
                let documents = output::count(*documents, "document");
                tell(&self.0, &format!("{documents} indexed again"));
            }
            IngestEvent::Embedded { chunks: 0, of } => {
                self.0.set_style(style(VECTORS));
                // The time for files says nothing about the time for vectors.
                self.0.reset();
                self.0.set_length(*of as u64);
            }
            IngestEvent::Embedded { chunks, .. } => self.0.set_position(*chunks as u64),
            IngestEvent::Truncated(truncated) => self.0.suspend(|| note_truncated(truncated)),
            _ => {}
        }
    }
}

/// Says that chunks are longer than the model reads.
pub(crate) fn note_truncated(truncated: &TruncatedChunks) {
    output::note(format_args!(
        "{truncated}; `sectile model list` names models"
    ));
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A bar over files that are loaded, with the pages of the latest one.
#[derive(Clone, Debug)]
pub(crate) struct LoadProgress(ProgressBar);

impl LoadProgress {
    /// Creates the bar for a number of files.
    pub(crate) fn new(files: usize) -> Self {
        Self(bar(files as u64, FILES))
    }

    /// Shows what happened.
    pub(crate) fn show(&self, event: &LoadEvent) {
        match event {
            LoadEvent::Started { path } => tell(&self.0, &path.display().to_string()),
            LoadEvent::Page { path, done, of } => {
                let path = path.display();
                tell(&self.0, &format!("{path}, page {done} of {of}"));
            }
            LoadEvent::Finished { .. } => self.0.inc(1),
            _ => {}
        }
    }

    /// Takes the bar off the terminal while something is printed.
    pub(crate) fn pause<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }
}

/// A bar over the bytes of a model that is received.
#[derive(Debug)]
pub(crate) struct HubProgress {
    bar: ProgressBar,
    model: String,
}

impl HubProgress {
    /// Makes the bar.
    pub(crate) fn new(model: &str) -> Self {
        Self {
            bar: bar(0, BYTES),
            model: model.to_owned(),
        }
    }

    /// Shows what happened.
    pub(crate) fn show(&self, event: HubEvent) {
        match event {
            HubEvent::Waiting => {
                output::note(format_args!(
                    "another process is adding {}; waiting",
                    self.model
                ));
            }
            HubEvent::Found { files, bytes } => {
                self.bar.set_length(bytes);
                let megabytes = bytes as f64 / 1e6;
                let files = output::count(files, "file");
                output::detail(format_args!("{files}, {megabytes:.1} MB"));
            }
            HubEvent::Received { file, bytes } => {
                self.bar.set_position(bytes);
                let file = output::for_terminal(&file);
                if self.bar.message() != file {
                    self.bar.set_message(file);
                }
            }
            _ => {}
        }
    }
}

impl Drop for HubProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar over the questions of a measurement.
#[derive(Debug)]
pub(crate) struct EvalProgress(ProgressBar);

impl EvalProgress {
    /// Creates the bar for a number of questions.
    pub(crate) fn new(questions: usize) -> Self {
        Self(bar(questions as u64, QUESTIONS))
    }

    /// Shows that one was answered in a setting.
    pub(crate) fn step(&self, setting: &str) {
        tell(&self.0, setting);
        self.0.inc(1);
    }
}

impl Drop for EvalProgress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// The templates of bars: over files, documents, vectors, bytes and questions. On a narrow terminal only the text is
/// shown.
const FILES: &str = "{bar:30} {pos}/{len} files  {wide_msg:.dim}";
const DOCUMENTS: &str = "{bar:30} {pos}/{len} documents{pace}";
const VECTORS: &str = "{bar:30} {pos}/{len} vectors{pace}";
const BYTES: &str = "{bar:30} {bytes}/{total_bytes}, {bytes_per_sec}, {eta}  {wide_msg:.dim}";
const QUESTIONS: &str = "{bar:30} {pos}/{len} questions  {wide_msg:.dim}";

/// The part that a template omits in a terminal with fewer columns than [`NARROW`].
const BAR: &str = "{bar:30} ";
const NARROW: u16 = 60;

/// How often a bar is drawn again while nothing happens, for the time that is left.
const TICK: Duration = Duration::from_millis(500);

/// Creates a bar. It is not drawn if standard error is not a terminal, with `--quiet`, or with
/// `--verbose`, whose lines would break it.
fn bar(length: u64, template: &str) -> ProgressBar {
    let is_wanted = output::verbosity() == Verbosity::Normal;
    let is_drawn = is_wanted && std::io::stderr().is_terminal();
    let target = if is_drawn {
        ProgressDrawTarget::stderr_with_hz(10)
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(length), target).with_style(style(template));
    if is_drawn {
        bar.enable_steady_tick(TICK);
    }
    bar
}

/// Shows a message next to a bar.
fn tell(bar: &ProgressBar, message: &str) {
    bar.set_message(output::for_terminal(message));
}

/// Makes the style of a bar, without the bar itself where a terminal has no room for it.
fn style(template: &str) -> ProgressStyle {
    let (_, columns) = console::Term::stderr().size();
    let template = if columns < NARROW {
        template.trim_start_matches(BAR)
    } else {
        template
    };
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    style.with_key("pace", write_pace)
}

/// Writes how fast the work goes and how long it still takes, once some of it is done.
fn write_pace(state: &ProgressState, text: &mut dyn Write) {
    if state.pos() > 0 {
        let _ = text.write_str(&pace(state.per_sec(), state.eta()));
    }
}

/// Formats a speed and the remaining time. Speeds below one per second are per minute.
fn pace(per_second: f64, left: Duration) -> String {
    let left = HumanDuration(left);
    if per_second < 1.0 {
        format!(", {:.0}/min, {left:#} left", per_second * 60.0)
    } else {
        format!(", {per_second:.0}/s, {left:#} left")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_has_no_decimals() {
        let left = Duration::from_secs(40);
        assert_eq!(pace(2_816.317, left), ", 2816/s, 40s left");
        assert_eq!(pace(0.25, left), ", 15/min, 40s left");
    }

    #[test]
    fn every_bar_can_go_without_its_bar() {
        for template in [FILES, DOCUMENTS, VECTORS, BYTES, QUESTIONS] {
            assert!(template.starts_with(BAR), "{template}");
        }
    }
}
