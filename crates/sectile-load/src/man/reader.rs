//! Reads a manual page line by line.

use super::macros;
use super::mdoc::Mdoc;
use super::source::{Call, Line, Source};
use super::table;
use super::writer::{Page, Writer, marker};
use crate::blocks::Block;
use crate::not_followed::NotFollowed;

/// What a line ends with that the next one joins.
const CONTINUED: &str = "\\c";

/// What was read.
pub(super) struct Found {
    pub(super) page: Page,
    pub(super) blocks: Vec<Block>,
    pub(super) not_followed: NotFollowed,
}

/// Reads all lines of a source.
pub(super) fn read(text: &str) -> Found {
    let mut reader = Reader {
        source: Source::new(text.trim_start_matches('\u{feff}')),
        writer: Writer::default(),
        mdoc: None,
    };
    while let Some(line) = reader.source.next_line() {
        match line {
            Line::Text(text) => reader.text(&text),
            Line::Call(call) => reader.call(&call),
        }
    }
    if let Some(mdoc) = &mut reader.mdoc {
        mdoc.end_lists(&mut reader.writer);
    }
    let (page, blocks) = reader.writer.finish();
    Found {
        page,
        blocks,
        not_followed: reader.source.not_followed,
    }
}

struct Reader<'a> {
    source: Source<'a>,
    writer: Writer,
    /// What is open in `mdoc`, if the page is in it.
    mdoc: Option<Mdoc>,
}

impl Reader<'_> {
    fn text(&mut self, source: &str) {
        if source.trim().is_empty() {
            self.writer.space();
            return;
        }
        let text = self.source.definitions.plain(source);
        let goes_on = source.ends_with(CONTINUED);
        // DocBook writes items so.
        if goes_on && marker(text.trim()).is_some() {
            self.writer.term(&text);
            return;
        }
        match &mut self.mdoc {
            Some(mdoc) => mdoc.text(&text, &mut self.writer),
            None => self.writer.text(&text, false),
        }
        self.writer.join_next(goes_on);
    }

    fn call(&mut self, call: &Call) {
        match &*call.name {
            "TS" => {
                let rows = table::read(&mut self.source);
                self.writer.table(rows);
                return;
            }
            "Dd" | "Dt" => {
                self.mdoc.get_or_insert_default();
            }
            _ => {}
        }
        // Manual pages define macros of these names for other uses.
        let is_own = self.source.macros.contains_key(&call.name);
        let (definitions, writer) = (&mut self.source.definitions, &mut self.writer);
        let is_known = match &mut self.mdoc {
            Some(mdoc) => {
                mdoc.call(call, definitions, writer) || macros::call(call, definitions, writer)
            }
            None => macros::call(call, definitions, writer),
        };
        if !is_known && (is_own || !macros::paper(call, definitions, writer)) {
            self.unknown(call);
        }
        self.writer.join_next(call.rest.ends_with(CONTINUED));
    }

    /// Writes what a macro of the file's own, or of another package, may say.
    fn unknown(&mut self, call: &Call) {
        let text = macros::of_unknown(call, &mut self.source).unwrap_or_default();
        match &mut self.mdoc {
            Some(mdoc) if !text.is_empty() => mdoc.text(&text, &mut self.writer),
            _ => self.writer.text(&text, false),
        }
    }
}
