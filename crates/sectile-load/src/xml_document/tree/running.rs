//! The heads and feet of the pages of an edition.

use super::Tree;
use crate::running_lines::RunningLines;

impl Tree {
    /// Takes the heads, feet and catchwords of printed pages (`fw` of TEI) out of the text, and returns them.
    pub(in super::super) fn take_running_lines(&mut self) -> RunningLines {
        let mut lines = RunningLines::default();
        for at in 0..self.nodes.len() {
            if self.name(at) != Some("fw") || self.nodes[at].length == 0 {
                continue;
            }
            let line = self.flat(at);
            if !line.is_empty() {
                lines.add(line);
            }
            self.take_out(at);
        }
        lines
    }
}
