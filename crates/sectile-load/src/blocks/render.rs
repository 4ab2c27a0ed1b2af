//! Blocks as Markdown, and where the headings stand in it.

use sectile_core::{Heading, Span};

use super::{Block, Cell};
use crate::anchor_sign;
use crate::table_caption::{self, FEW_ROWS};

/// The indent of each level of a list: enough for items below a number of two digits.
const INDENT: &str = "    ";

const EMPTY_CELL: &str = "  |";

/// Writes `blocks` as Markdown and returns it with its outline.
pub(crate) fn render(blocks: &[Block]) -> (String, Vec<Heading>) {
    let Writer {
        mut text, outline, ..
    } = Writer::over(blocks);
    if !text.is_empty() {
        text.push('\n');
    }
    (text, outline)
}

/// Writes `blocks` as Markdown without a newline at the end.
pub(crate) fn join(blocks: &[Block]) -> String {
    Writer::over(blocks).text
}

#[derive(Default)]
struct Writer {
    text: String,
    outline: Vec<Heading>,
    /// The levels of the items that are open, from the outermost in.
    items: Vec<usize>,
}

impl Writer {
    fn over(blocks: &[Block]) -> Self {
        let mut writer = Self::default();
        for block in blocks {
            writer.write(block);
        }
        writer
    }

    fn write(&mut self, block: &Block) {
        if let Block::Title(title) = block {
            return self.write(&title.alone());
        }
        let is_item = matches!(block, Block::Item { .. });
        if !self.text.is_empty() {
            let follows_item = !self.items.is_empty() && is_item;
            self.text.push_str(if follows_item { "\n" } else { "\n\n" });
        }
        if !is_item {
            self.items.clear();
        }
        match block {
            Block::Text(text) => self.push(text),
            Block::Heading { level, text } => self.heading(*level, text),
            Block::Item {
                marker,
                level,
                text,
            } => {
                // An item deeper than its list would be read as code.
                let indent = INDENT.repeat(self.depth(*level));
                let text = text.replace('\n', &format!("\n{INDENT}{indent}"));
                self.push(&format!("{indent}{marker} {text}"));
            }
            Block::Table(rows) => {
                let (captions, rows) = rows.split_at(captions(rows));
                for cell in captions
                    .iter()
                    .flatten()
                    .filter(|cell| !cell.text.is_empty())
                {
                    self.push(&cell.text);
                    self.push("\n\n");
                }
                self.table(rows);
            }
            Block::Note { number, text } => {
                let text = text.replace('\n', &format!("\n{INDENT}"));
                self.push(&format!("[^{number}]: {text}"));
            }
            // Written above.
            Block::Title(_) => {}
        }
    }

    /// Opens an item of this level, and returns how many others it is in.
    fn depth(&mut self, level: usize) -> usize {
        while self.items.pop_if(|open| *open >= level).is_some() {}
        self.items.push(level);
        self.items.len() - 1
    }

    /// Writes text; U+0000, which no store can hold, is replaced.
    fn push(&mut self, text: &str) {
        self.text.push_str(&text.replace('\0', "\u{FFFD}"));
    }

    /// Writes a heading. One that holds no more than a sign is text.
    fn heading(&mut self, level: u8, text: &str) {
        let title = anchor_sign::title(text);
        if title.is_empty() {
            return self.push(text);
        }
        let start = self.text.len();
        self.push(&"#".repeat(level.into()));
        self.push(" ");
        let begin = self.text.len();
        self.push(title);
        self.outline.push(Heading {
            level,
            title: self.text[begin..].into(),
            // The newline belongs to the line, and always follows.
            span: Span::new(start, self.text.len() + 1),
        });
    }

    /// Writes a table with its first row as header, as wide as the widest row.
    fn table(&mut self, rows: &[Vec<Cell>]) {
        let width = |row: &Vec<Cell>| row.iter().map(|cell| cell.span).sum();
        let columns: usize = rows.iter().map(width).max().unwrap_or(0);
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                self.push("\n");
            }
            self.row(row);
            if index == 0 {
                let missing = columns - width(row);
                self.push(&EMPTY_CELL.repeat(missing));
                self.push("\n|");
                self.push(&" --- |".repeat(columns));
            }
        }
    }

    /// Writes a row. A cell over several columns keeps the ones after it in theirs.
    fn row(&mut self, row: &[Cell]) {
        self.push("|");
        for cell in row {
            self.push(&format!(" {} |", cell.text.replace('|', "\\|")));
            self.push(&EMPTY_CELL.repeat(cell.span - 1));
        }
    }
}

/// Returns the text of each column of a row.
fn texts(row: &[Cell]) -> Vec<&str> {
    let mut texts = Vec::new();
    for cell in row {
        texts.push(cell.text.as_str());
        texts.resize(texts.len() + cell.span - 1, "");
    }
    texts
}

/// Counts the rows at the beginning of a table that are captions.
fn captions(rows: &[Vec<Cell>]) -> usize {
    let first = rows.iter().take(FEW_ROWS);
    let texts: Vec<Vec<&str>> = first.map(|row| texts(row)).collect();
    let columns = texts.iter().map(Vec::len).max().unwrap_or_default();
    let rows = texts.into_iter().zip(rows).map(|(texts, row)| {
        let is_one_cell = row.len() == 1 && texts.len() == columns;
        table_caption::Row {
            texts,
            is_one_cell,
            is_head: None,
        }
    });
    table_caption::count(&rows.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::super::Marker;
    use super::*;

    fn item(level: usize, text: &str) -> Block {
        Block::Item {
            marker: Marker::Bullet,
            level,
            text: text.into(),
        }
    }

    fn check(blocks: &[Block], expected: &str) {
        assert_eq!(render(blocks).0, expected);
    }

    #[test]
    fn headings_are_in_the_outline() {
        let heading = Block::Heading {
            level: 2,
            text: "Two".into(),
        };
        let (text, outline) = render(&[Block::Text("one".into()), heading]);
        assert_eq!(text, "one\n\n## Two\n");
        assert_eq!(outline[0].span.of(&text), "## Two\n");
        assert_eq!((outline[0].level, outline[0].title.as_str()), (2, "Two"));
    }

    #[test]
    fn a_sign_is_no_heading_and_ends_none() {
        let heading = |text: &str| Block::Heading {
            level: 2,
            text: text.into(),
        };
        let (text, outline) = render(&[heading("#"), heading("Two ¶"), heading("5 §")]);
        assert_eq!(text, "#\n\n## Two\n\n## 5 §\n");
        let titles: Vec<&str> = outline.iter().map(|one| one.title.as_str()).collect();
        assert_eq!(titles, ["Two", "5 §"]);
    }

    #[test]
    fn items_stand_together_and_never_too_deep() {
        check(
            &[
                item(3, "a"),
                item(3, "b\nc"),
                item(5, "d"),
                item(4, "e"),
                item(0, "f"),
            ],
            "- a\n- b\n    c\n    - d\n    - e\n- f\n",
        );
        check(
            &[item(0, "a"), Block::Text("b".into()), item(1, "c")],
            "- a\n\nb\n\n- c\n",
        );
    }

    #[test]
    fn tables_are_as_wide_as_their_widest_row() {
        let cell = |text: &str, span| Cell {
            text: text.into(),
            span,
        };
        check(
            &[Block::Table(vec![
                vec![cell("a", 1)],
                vec![cell("b|c", 2), cell("d", 1)],
            ])],
            "| a |  |  |\n| --- | --- | --- |\n| b\\|c |  | d |\n",
        );
    }

    #[test]
    fn a_row_that_is_a_caption_stands_above_the_table() {
        let cell = |text: &str, span| Cell {
            text: text.into(),
            span,
        };
        let row = |texts: [&str; 3]| texts.map(|text| cell(text, 1)).to_vec();
        check(
            &[Block::Table(vec![
                vec![cell("Sales | 2024", 3)],
                row(["Region", "Q1", "Q2"]),
                row(["North", "10", "12"]),
            ])],
            "Sales | 2024\n\n| Region | Q1 | Q2 |\n| --- | --- | --- |\n| North | 10 | 12 |\n",
        );
    }

    #[test]
    fn notes_keep_their_paragraphs() {
        let note = Block::Note {
            number: 1,
            text: "a\n\nb".into(),
        };
        check(&[note], "[^1]: a\n    \n    b\n");
        check(&[], "");
    }
}
