//! Paragraphs, cells and rows of a document in Rich Text Format.

use super::{Destination, Paragraph, Reader};
use crate::blocks::Block;
use crate::titles::{self, ParagraphLook};

impl Reader {
    /// Takes a word that ends a paragraph, a cell or a row, or says what they are.
    pub(super) fn structure(&mut self, name: &str, number: Option<i32>) {
        let destination = self.state.destination;
        // Notes and markers say of their own paragraphs what they are, which is not kept.
        let mut other = Paragraph::default();
        let paragraph = match destination {
            Destination::Style => &mut self.style,
            Destination::Text => &mut self.paragraph,
            _ => &mut other,
        };
        if matches!(
            name,
            "par" | "sect" | "page" | "nestcell" | "nestrow" | "cell"
        ) {
            self.pending_rise.finish(&mut self.text);
            if destination == Destination::Text {
                self.bookmarks.add(" ");
            }
        }
        match name {
            "pard" => *paragraph = Paragraph::default(),
            "s" => paragraph.style = number,
            "outlinelevel" => paragraph.outline_level = number,
            "intbl" => paragraph.in_table = true,
            "ilvl" => {
                paragraph.list_level = usize::try_from(number.unwrap_or(0)).unwrap_or(0).min(8);
            }
            "par" | "sect" | "page" if destination == Destination::Note => {
                self.text.push_str("\n\n");
            }
            _ if matches!(destination, Destination::Running { .. }) => self.end_running_line(name),
            _ if destination != Destination::Text => {}
            "par" | "sect" | "page" if self.paragraph.in_table => self.end_line_of_cell(),
            "par" | "sect" | "page" => self.end_paragraph(),
            "nestcell" | "nestrow" => self.end_line_of_cell(),
            "trowd" => self.table.begin_definition(),
            "clmrg" => self.table.merge(),
            "cellx" => self.table.define_cell(),
            "cell" => {
                self.look = ParagraphLook::default();
                self.end_line_of_cell();
                let cell = std::mem::take(&mut self.cell);
                self.table.end_cell(&cell);
            }
            "row" => {
                self.table.end_row();
                self.drawing.in_rows.append(&mut self.drawing.beside);
            }
            _ => {}
        }
    }

    /// Ends a paragraph of a cell, and writes what it has as an item of a list before it.
    fn end_line_of_cell(&mut self) {
        self.ended += 1;
        let text = std::mem::take(&mut self.text);
        let marker = std::mem::take(&mut self.marker);
        self.cell.extend([marker.as_str(), text.as_str(), "\n"]);
    }

    pub(super) fn end_table(&mut self) {
        let table = self.table.take();
        self.blocks.extend(table);
        self.blocks.append(&mut self.drawing.in_rows);
    }

    pub(super) fn end_paragraph(&mut self) {
        self.end_raised();
        self.ended += 1;
        // A paragraph that is no part of a table ends one that was to be a cell.
        let mut text = std::mem::take(&mut self.cell);
        text.push_str(&std::mem::take(&mut self.text));
        let marker = std::mem::take(&mut self.marker);
        let look = std::mem::take(&mut self.look);
        let text = text.trim();
        if text.is_empty() && self.drawing.beside.is_empty() {
            return;
        }
        if !self.table.is_empty() {
            self.end_table();
        }
        if text.is_empty() {
            return self.blocks.append(&mut self.drawing.beside);
        }
        let of_style = self.headings.get(&self.paragraph.style.unwrap_or(0));
        let own = self.paragraph.outline_level.map(|level| level + 1);
        let level = own.or(of_style.copied());
        let is_item = !marker.trim().is_empty();
        let otherwise = if is_item {
            Block::item(&marker, self.paragraph.list_level, text)
        } else {
            Block::Text(text.into())
        };
        let level = level.filter(|level| (1..=9).contains(level));
        let level = level.and_then(|level| u8::try_from(level.min(6)).ok());
        if let Some(level) = level {
            self.sequences.begin_heading(level, &marker, text);
        }
        let is_bullet = is_item && !marker.contains(char::is_alphanumeric);
        let title = titles::Paragraph {
            text,
            label: &marker,
            level,
            places: Vec::new(),
            look,
        };
        let block = if is_bullet && level.is_none() {
            otherwise
        } else {
            title.or(otherwise)
        };
        self.blocks.push(block);
        self.blocks.append(&mut self.drawing.beside);
    }
}
