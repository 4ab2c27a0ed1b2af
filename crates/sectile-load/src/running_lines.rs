//! The heads and feet of the pages of a document, which are left out of its text.

use sectile_core::Metadata;
use serde_json::Value;

/// The name of these lines in [`Metadata::extra`].
const RUNNING_LINES: &str = "running_lines";

/// How many lines are kept: more are no heads and feet.
const MAX_LINES: usize = 1_000;

/// Collects lines, each once.
#[derive(Debug, Default)]
pub(crate) struct RunningLines(Vec<String>);

impl RunningLines {
    /// Adds a line, unless it is no more than the number of a page.
    pub(crate) fn add(&mut self, line: String) {
        let is_number = line.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number && self.0.len() < MAX_LINES && !self.0.contains(&line) {
            self.0.push(line);
        }
    }

    pub(crate) fn write_into(self, metadata: &mut Metadata) {
        if !self.0.is_empty() {
            let lines = Value::from(self.0);
            metadata.extra.insert(RUNNING_LINES.into(), lines);
        }
    }
}
