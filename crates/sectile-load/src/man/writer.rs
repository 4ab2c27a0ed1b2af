//! Paragraphs, terms, items and code of a manual page, as blocks of Markdown.

use crate::blocks::{Block, Cell, Marker, fenced};
use crate::markup::short;
use crate::one_line::one_line;

/// How deep lists are indented at most.
const MAX_DEPTH: usize = 6;

/// What the next text is.
#[derive(Clone, Copy, Debug)]
enum Expected {
    /// The title of a section of a level.
    Heading(u8),
    /// The term of a description.
    Term,
}

/// What a page says of itself.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) name: String,
    pub(super) section: String,
    pub(super) date: String,
    pub(super) source: String,
    pub(super) manual: String,
}

/// The blocks of a page, as far as they are written.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pub(super) page: Page,
    /// The address of the link whose text is being written.
    pub(super) address: String,
    blocks: Vec<Block>,
    paragraph: String,
    /// The lines of the block of code, if one is open.
    code: Option<String>,
    expected: Option<Expected>,
    /// Whether the next text joins what is before it.
    joins: bool,
    /// The terms whose description begins next.
    terms: String,
    /// The item whose text begins next.
    item: Option<(Marker, usize)>,
    /// Whether what follows belongs to the last item.
    is_in_item: bool,
    depth: usize,
}

impl Writer {
    /// Writes a text, which `joins` what is before it or follows it as the next word.
    pub(super) fn text(&mut self, text: &str, joins: bool) {
        if text.is_empty() {
            return;
        }
        let joins = std::mem::take(&mut self.joins) || joins;
        let is_in_term = joins && self.paragraph.is_empty() && !self.terms.is_empty();
        match self.expected.take() {
            Some(Expected::Heading(level)) => self.heading(level, text),
            Some(Expected::Term) => self.term(text),
            None if is_in_term => self.terms.push_str(&one_line(text)),
            None if self.code.is_some() => self.code_line(text, joins),
            None => self.fill(text, joins),
        }
    }

    /// Makes the next text join what is before it, or not.
    pub(super) fn join_next(&mut self, joins: bool) {
        self.joins = joins;
    }

    /// Makes the next text a title.
    pub(super) fn expect_heading(&mut self, level: u8) {
        self.end_block();
        self.expected = Some(Expected::Heading(level));
    }

    /// Makes the next text a term.
    pub(super) fn expect_term(&mut self) {
        self.expected = Some(Expected::Term);
    }

    /// Writes a title, which ends all that is open.
    pub(super) fn heading(&mut self, level: u8, title: &str) {
        self.end_block();
        self.depth = 0;
        let text = short(title);
        if !text.is_empty() {
            self.blocks.push(Block::Heading { level, text });
        }
    }

    /// Ends the paragraph, the item and the block of code.
    pub(super) fn end_block(&mut self) {
        self.close_code();
        self.end_paragraph();
        self.end_terms();
        (self.expected, self.item, self.is_in_item) = (None, None, false);
    }

    /// Ends the paragraph; what follows may belong to the same item. In code it is an empty line.
    pub(super) fn space(&mut self) {
        match &mut self.code {
            Some(code) if !code.is_empty() => code.push('\n'),
            Some(_) => {}
            None => self.end_paragraph(),
        }
    }

    /// Begins a paragraph that belongs to no item. In code it is an empty line.
    pub(super) fn paragraph(&mut self) {
        if self.code.is_some() {
            self.space();
        } else {
            self.end_block();
        }
    }

    /// Ends the line.
    pub(super) fn line_break(&mut self) {
        if self.code.is_none() && !self.paragraph.is_empty() && !self.paragraph.ends_with('\n') {
            self.paragraph.push('\n');
        }
    }

    /// Indents what follows. A paragraph of flags before it is their term.
    pub(super) fn indent(&mut self) {
        if self.code.is_none() {
            let paragraph = std::mem::take(&mut self.paragraph);
            self.end_terms();
            self.add(as_flags(paragraph.trim()));
        }
        self.depth += 1;
    }

    pub(super) fn outdent(&mut self) {
        self.space();
        self.depth = self.depth.saturating_sub(1);
    }

    /// Writes a term, behind others whose description is to come. Numbers and bullets begin an item.
    pub(super) fn term(&mut self, term: &str) {
        let term = one_line(term);
        if let Some(marker) = marker(&term) {
            self.item(marker);
        } else if !term.is_empty() {
            if !self.terms.is_empty() {
                self.terms.push_str(", ");
            }
            self.terms.push_str(&term);
        }
    }

    /// Begins an item.
    pub(super) fn item(&mut self, marker: Marker) {
        self.end_block();
        self.item = Some((marker, self.depth.min(MAX_DEPTH)));
    }

    /// Opens a block of code.
    pub(super) fn open_code(&mut self) {
        if self.code.is_none() {
            self.end_paragraph();
            self.code = Some(String::new());
        }
    }

    /// Closes the block of code, if one is open.
    pub(super) fn close_code(&mut self) {
        if let Some(code) = self.code.take()
            && !code.trim().is_empty()
            && let Block::Text(code) = fenced(&code)
        {
            self.end_terms();
            self.add(code);
        }
    }

    /// Writes a table of the texts of its cells.
    pub(super) fn table(&mut self, rows: Vec<Vec<String>>) {
        self.end_block();
        let cell = |text: String| Cell {
            text: one_line(&text),
            span: 1,
        };
        let rows = rows.into_iter().filter(|row| !row.is_empty());
        let rows: Vec<Vec<Cell>> = rows
            .map(|row| row.into_iter().map(cell).collect())
            .collect();
        if !rows.is_empty() {
            self.blocks.push(Block::Table(rows));
        }
    }

    /// Returns all that was written.
    pub(super) fn finish(mut self) -> (Page, Vec<Block>) {
        self.end_block();
        (self.page, self.blocks)
    }

    fn code_line(&mut self, text: &str, joins: bool) {
        let Some(code) = &mut self.code else { return };
        if joins && code.ends_with('\n') {
            code.pop();
        }
        code.push_str(text);
        code.push('\n');
    }

    fn fill(&mut self, text: &str, joins: bool) {
        if text.trim().is_empty() {
            return;
        }
        if text.starts_with([' ', '\t']) && !joins {
            self.line_break();
        }
        let mut joins = joins;
        for word in text.split_whitespace() {
            if !joins && !self.paragraph.is_empty() && !self.paragraph.ends_with('\n') {
                self.paragraph.push(' ');
            }
            self.paragraph.push_str(word);
            joins = false;
        }
    }

    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        let paragraph = paragraph.trim();
        if !paragraph.is_empty() {
            self.end_terms();
            self.add(paragraph.to_owned());
        }
    }

    /// Writes the terms that wait for their description.
    fn end_terms(&mut self) {
        let terms = std::mem::take(&mut self.terms);
        if !terms.is_empty() {
            self.blocks.push(Block::Text(as_flags(&terms)));
        }
    }

    /// Adds a text as the text of an item, as more of it, or as a block.
    fn add(&mut self, text: String) {
        if text.is_empty() {
            return;
        }
        if let Some((marker, level)) = self.item.take() {
            self.blocks.push(Block::Item {
                marker,
                level,
                text,
            });
            self.is_in_item = true;
        } else if let (true, Some(Block::Item { text: item, .. })) =
            (self.is_in_item, self.blocks.last_mut())
        {
            item.push_str("\n\n");
            item.push_str(&text);
        } else {
            self.blocks.push(Block::Text(text));
        }
    }
}

/// Returns a term; flags and placeholders are code, so that signs in them are not read as Markdown.
fn as_flags(term: &str) -> String {
    if term.starts_with(['-', '<']) && !term.contains(['`', '\n']) {
        format!("`{term}`")
    } else {
        term.to_owned()
    }
}

/// Returns what stands before an item, if a term is no more than that.
pub(super) fn marker(term: &str) -> Option<Marker> {
    let number = term.strip_suffix(['.', ')']);
    let number = number.and_then(|number| number.trim_start_matches('(').parse().ok());
    let is_bullet = matches!(
        term,
        "•" | "·" | "*" | "-" | "–" | "—" | "+" | "o" | "○" | "□"
    );
    number
        .map(Marker::Number)
        .or_else(|| is_bullet.then_some(Marker::Bullet))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::render;

    fn check(write: impl FnOnce(&mut Writer), expected: &str) {
        let mut writer = Writer::default();
        write(&mut writer);
        assert_eq!(render(&writer.finish().1).0, expected);
    }

    #[test]
    fn text_is_filled() {
        check(
            |writer| {
                writer.text("one  two", false);
                writer.text("three", true);
                writer.line_break();
                writer.text("four", false);
                writer.space();
                writer.text("five", false);
            },
            "one twothree\nfour\n\nfive\n",
        );
    }

    #[test]
    fn terms_stand_above_their_descriptions() {
        check(
            |writer| {
                writer.expect_term();
                writer.text("-a", false);
                writer.expect_term();
                writer.text("--all", false);
                writer.text("All.", false);
                writer.space();
                writer.text("-b, --bare", false);
                writer.indent();
                writer.text("Bare.", false);
            },
            "`-a, --all`\n\nAll.\n\n`-b, --bare`\n\nBare.\n",
        );
    }

    #[test]
    fn items_keep_their_paragraphs_and_code() {
        check(
            |writer| {
                writer.term("1.");
                writer.text("one", false);
                writer.open_code();
                writer.text("a  b", false);
                writer.close_code();
                writer.indent();
                writer.term("•");
                writer.text("two", false);
                writer.end_block();
                writer.text("three", false);
            },
            "1. one\n    \n    ```\n    a  b\n    ```\n    - two\n\nthree\n",
        );
    }
}
