//! The progress bar of long work, on a terminal only.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sectile::IngestEvent;

/// A bar over the files of an ingest.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Makes the bar; it is not drawn where standard error is not a terminal.
    pub(crate) fn new() -> Self {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} files  {wide_msg:.dim}")
            .expect("the template is well formed");
        Self(ProgressBar::with_draw_target(Some(0), target).with_style(style))
    }

    /// Shows what happened.
    pub(crate) fn show(&self, event: &IngestEvent) {
        match event {
            IngestEvent::Walked { files } => self.0.set_length(*files as u64),
            IngestEvent::File { path, .. } => {
                self.0.inc(1);
                self.0.set_message(path.display().to_string());
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
