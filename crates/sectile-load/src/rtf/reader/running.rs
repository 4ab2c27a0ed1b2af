//! The heads and feet of the pages of a document in Rich Text Format.

use std::collections::HashSet;

use super::{Destination, Reader};
use crate::blocks::Block;
use crate::one_line::one_line;
use crate::running_lines::RunningLines;

/// The lines at the heads and feet of the pages of all sections, each once.
#[derive(Debug, Default)]
pub(super) struct Running {
    headers: Vec<String>,
    footers: Vec<String>,
    seen: HashSet<(bool, String)>,
    /// The text that a head interrupts, and what stands before its item.
    interrupted: (String, String),
}

impl Running {
    fn add(&mut self, is_header: bool, line: String) {
        if line.is_empty() || !self.seen.insert((is_header, line.clone())) {
            return;
        }
        if is_header {
            self.headers.push(line);
        } else {
            self.footers.push(line);
        }
    }
}

/// Returns where the text of a head or foot goes.
pub(super) fn destination(name: &str) -> Option<Destination> {
    let (is_header, kind) = match name.strip_prefix("header") {
        Some(kind) => (true, kind),
        None => (false, name.strip_prefix("footer")?),
    };
    matches!(kind, "" | "l" | "r" | "f").then_some(Destination::Running { is_header })
}

impl Reader {
    pub(super) fn begin_running(&mut self) {
        self.end_raised();
        let text = std::mem::take(&mut self.text);
        self.running.interrupted = (text, std::mem::take(&mut self.marker));
    }

    pub(super) fn end_running(&mut self, is_header: bool) {
        self.end_raised();
        let (text, marker) = std::mem::take(&mut self.running.interrupted);
        let lines = std::mem::replace(&mut self.text, text);
        self.marker = marker;
        for line in lines.lines() {
            self.running.add(is_header, one_line(line));
        }
    }

    /// Takes a word that ends a line or a cell of a head or foot.
    pub(super) fn end_running_line(&mut self, name: &str) {
        match name {
            "par" | "sect" | "page" | "row" | "nestrow" => self.text.push('\n'),
            "cell" | "nestcell" => self.text.push(' '),
            _ => {}
        }
    }

    /// Puts the heads before the text and the feet behind it if they are asked for, and names them otherwise.
    pub(super) fn place_running(&mut self) {
        let Running {
            headers, footers, ..
        } = std::mem::take(&mut self.running);
        if self.reads_running {
            let text = std::mem::take(&mut self.blocks);
            let headers = headers.into_iter().map(Block::Text);
            let footers = footers.into_iter().map(Block::Text);
            self.blocks = headers.chain(text).chain(footers).collect();
            return;
        }
        let mut lines = RunningLines::default();
        for line in headers.into_iter().chain(footers) {
            lines.add(line);
        }
        lines.write_into(&mut self.metadata);
    }
}
