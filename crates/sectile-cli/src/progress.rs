//! The progress bar of long work, on a terminal only.

#[cfg(feature = "parquet")]
mod parts;

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sectile::IngestEvent;
use sectile::load::LoadEvent;
use sectile::models::HubEvent;

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
            IngestEvent::Embedded { chunks, of } => {
                // The time that is left is reckoned from the first vectors on.
                if self.0.length() != Some(*of as u64) {
                    self.0.set_style(style(VECTORS));
                    self.0.reset();
                    self.0.set_length(*of as u64);
                }
                self.0.set_position(*chunks as u64);
            }
            _ => {}
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A bar over files that are loaded, and the pages of the one that is told of last.
#[derive(Clone, Debug)]
pub(crate) struct LoadProgress(ProgressBar);

impl LoadProgress {
    /// Makes the bar over so many files.
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
        let style = "{bar:30} {bytes}/{total_bytes}, {bytes_per_sec}, {eta}  {wide_msg:.dim}";
        Self {
            bar: bar(0, style),
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
                output::detail(format_args!("{files} files, {megabytes:.1} MB"));
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
    /// Makes the bar over so many questions.
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

/// What a bar over files looks like, and one over questions.
const FILES: &str = "{bar:30} {pos}/{len} files  {wide_msg:.dim}";
const VECTORS: &str = "{bar:30} {pos}/{len} vectors, {per_sec}, {eta} left";
const QUESTIONS: &str = "{bar:30} {pos}/{len} questions  {wide_msg:.dim}";

/// Makes a bar; it is not drawn where standard error is not a terminal, nor where less is to
/// be said, or more, which would tear it.
fn bar(length: u64, template: &str) -> ProgressBar {
    let is_wanted = output::verbosity() == Verbosity::Normal;
    let target = if is_wanted && std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr_with_hz(10)
    } else {
        ProgressDrawTarget::hidden()
    };
    ProgressBar::with_draw_target(Some(length), target).with_style(style(template))
}

/// Shows a message beside a bar.
fn tell(bar: &ProgressBar, message: &str) {
    bar.set_message(output::for_terminal(message));
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well formed")
}
