//! The progress bar of long work, on a terminal only.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sectile::IngestEvent;
use sectile::load::LoadEvent;

use crate::output::{self, Verbosity};

/// A bar over the files of an ingest.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Makes the bar; it is not drawn where standard error is not a terminal.
    pub(crate) fn new() -> Self {
        Self(bar(0))
    }

    /// Shows what happened.
    pub(crate) fn show(&self, event: &IngestEvent) {
        match event {
            IngestEvent::Walked { files } => self.0.set_length(*files as u64),
            IngestEvent::File { name, outcome } => {
                self.0.inc(1);
                self.0.set_message(name.clone());
                output::detail(format_args!("{name}: {}", outcome.name()));
            }
            IngestEvent::Embedded { chunks } => {
                self.0.set_message(format!("{chunks} vectors made"));
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
        Self(bar(files as u64))
    }

    /// Shows what happened.
    pub(crate) fn show(&self, event: &LoadEvent) {
        match event {
            LoadEvent::Started { path } => self.0.set_message(path.display().to_string()),
            LoadEvent::Page { path, done, of } => {
                let path = path.display();
                self.0.set_message(format!("{path}, page {done} of {of}"));
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

/// Makes a bar over files; it is not drawn where standard error is not a terminal, nor where less is to
/// be said, or more, which would tear it.
fn bar(files: u64) -> ProgressBar {
    let is_wanted = output::verbosity() == Verbosity::Normal;
    let target = if is_wanted && std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr_with_hz(10)
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} files  {wide_msg:.dim}")
        .expect("the template is well formed");
    ProgressBar::with_draw_target(Some(files), target).with_style(style)
}
