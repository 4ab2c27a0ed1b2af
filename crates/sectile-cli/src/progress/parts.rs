//! The progress of a load in parts.

use indicatif::ProgressBar;
use sectile::PartEvent;

use super::{bar, tell};
use crate::output;

const PARTS: &str = "{bar:30} {pos}/{len} parts  {wide_msg:.dim}";

/// A bar over the parts of a load.
#[derive(Debug)]
pub(crate) struct PartsProgress(ProgressBar);

impl PartsProgress {
    /// Creates the bar for a number of parts.
    pub(crate) fn new(parts: usize) -> Self {
        Self(bar(parts as u64, PARTS))
    }

    /// Shows what happened.
    pub(crate) fn show(&self, event: &PartEvent) {
        match event {
            PartEvent::Loaded { name, report } => {
                self.0.inc(1);
                tell(&self.0, name);
                let documents = output::count(report.documents(), "document");
                output::detail(format_args!("{name}: {documents}"));
            }
            PartEvent::Retried { name, error } => self.0.suspend(|| {
                output::note(format_args!("retrying {name}: {error}"));
            }),
            PartEvent::Failed { .. } => self.0.inc(1),
            PartEvent::Lost { name } => self.0.suspend(|| {
                output::note(format_args!("another process took over {name}"));
            }),
            _ => {}
        }
    }
}

impl Drop for PartsProgress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
