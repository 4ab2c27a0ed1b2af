//! The cells of a sheet, and how they are written as Markdown tables.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::BuildHasher as _;
use std::ops::Range;

/// A table whose rows, up to their last filled cells, have more than so many places for each cell
/// is written as a list of cells: else the text would grow with rows times columns.
const PLACES_PER_CELL: usize = 16;

/// How many places a table always may have.
const PLACES: usize = 100_000;

/// A text of so many bytes is kept once, in however many cells it stands.
const LONG: usize = 64;

/// How many titles, a row each, stand above the head of a table at most.
const MAX_TITLES: usize = 3;

/// How many bytes are written around the text of a cell.
const AROUND_CELL: usize = 4;

/// The filled cells of a sheet, row by row, in little more memory than their text takes.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    text: String,
    cells: Vec<Filled>,
    rows: Vec<Row>,
    /// How many bytes of text all cells have.
    written: usize,
    /// Where the long texts stand, by their hashes.
    long: HashMap<u64, Range<usize>>,
}

/// A cell with text.
#[derive(Clone, Copy, Debug)]
struct Filled {
    column: u32,
    start: usize,
    end: usize,
    is_text: bool,
}

/// A row with cells.
#[derive(Clone, Copy, Debug)]
struct Row {
    number: u32,
    /// Where its cells end in the list.
    end: usize,
}

impl Grid {
    /// Adds a cell; one without text is left out. Rows and columns count from 0. Cells of a row
    /// come one after the other.
    pub(crate) fn push(&mut self, row: u32, column: u32, text: &str, is_text: bool) {
        let start = self.text.len();
        push_cell(&mut self.text, text);
        let end = self.text.len();
        if start == end {
            return;
        }
        let Range { start, end } = self.kept_once(start..end);
        self.written += end - start;
        self.cells.push(Filled {
            column,
            start,
            end,
            is_text,
        });
        let cells = self.cells.len();
        match self.rows.last_mut() {
            Some(last) if last.number == row => last.end = cells,
            _ => self.rows.push(Row {
                number: row,
                end: cells,
            }),
        }
    }

    /// Returns the place of the text that was added last. A long one that was added before is taken back.
    fn kept_once(&mut self, added: Range<usize>) -> Range<usize> {
        if added.len() < LONG {
            return added;
        }
        let text = &self.text[added.clone()];
        let hash = self.long.hasher().hash_one(text);
        let before = self.long.entry(hash).or_insert_with(|| added.clone());
        if *before == added || self.text[before.clone()] != *text {
            return added;
        }
        self.text.truncate(added.start);
        before.clone()
    }

    /// Returns the size of the cells: of their text as it is written, and of what is kept of each.
    pub(crate) fn bytes(&self) -> usize {
        let of_cells = self.cells.len() * (AROUND_CELL + size_of::<Filled>());
        self.written + of_cells + self.rows.len() * size_of::<Row>()
    }

    /// Returns about how much the size grows with a cell of this text.
    #[cfg(feature = "ods")]
    pub(crate) const fn bytes_of_cell(text: &str) -> usize {
        text.len() + AROUND_CELL + size_of::<Filled>()
    }

    /// Returns the numbers of the rows with cells.
    #[cfg(any(feature = "ods", feature = "xlsx"))]
    pub(crate) fn rows(&self) -> impl Iterator<Item = u32> {
        self.rows.iter().map(|row| row.number)
    }

    /// Returns the number of the column of each cell.
    #[cfg(any(feature = "ods", feature = "xlsx"))]
    pub(crate) fn columns(&self) -> impl Iterator<Item = u32> {
        self.cells.iter().map(|cell| cell.column)
    }

    /// Writes the cells as tables. A row below an empty one that looks like the head of a table
    /// begins another. Rows and columns without text are left out. Returns whether there was a
    /// table of so few cells that they are written as a list.
    pub(crate) fn write(&mut self, out: &mut String) -> bool {
        self.sort();
        let mut is_sparse = false;
        for block in self.blocks() {
            let titles = self.titles(&block);
            for row in titles.clone() {
                begin(out);
                for cell in self.row(row) {
                    out.push_str(&self.text[cell.start..cell.end]);
                }
            }
            begin(out);
            is_sparse |= self.write_table(titles.end..block.end, out);
        }
        is_sparse
    }

    /// Puts the cells of each row in order, in which nearly all files have them.
    fn sort(&mut self) {
        let mut start = 0;
        for row in &self.rows {
            let cells = &mut self.cells[start..row.end];
            if !cells.is_sorted_by_key(|cell| cell.column) {
                cells.sort_by_key(|cell| cell.column);
            }
            start = row.end;
        }
    }

    fn row(&self, index: usize) -> &[Filled] {
        let start = index
            .checked_sub(1)
            .map_or(0, |before| self.rows[before].end);
        &self.cells[start..self.rows[index].end]
    }

    /// Finds the rows that make a table each, with the titles above it.
    fn blocks(&self) -> Vec<Range<usize>> {
        let mut blocks = Vec::new();
        let mut start = 0;
        let mut has_table = false;
        for index in 1..self.rows.len() {
            has_table |= self.row(index - 1).len() > 1;
            if has_table && self.follows_gap(index) && self.begins_table(index) {
                blocks.push(start..index);
                start = index;
                has_table = false;
            }
        }
        if start < self.rows.len() {
            blocks.push(start..self.rows.len());
        }
        blocks
    }

    /// Returns whether a row is the head of a table, or the first of a few titles above one. Empty rows may stand between
    /// words and the head, no more than above the words: a note stands close under its table.
    fn begins_table(&self, index: usize) -> bool {
        let is_title =
            |&row: &usize| self.row(row).len() == 1 && (row == index || !self.follows_gap(row));
        let rows = (index..self.rows.len()).take(MAX_TITLES);
        let head = index + rows.take_while(is_title).count();
        if !self.is_head(head) {
            return false;
        }
        let (first, below) = (&self.row(index)[0], &self.row(head)[0]);
        let is_apart = head > index && self.follows_gap(head);
        let is_nearer = || self.gap_above(head) <= self.gap_above(index);
        !is_apart || (first.is_text && first.column <= below.column && is_nearer())
    }

    /// Returns how far below the row before it a row stands.
    fn gap_above(&self, index: usize) -> u32 {
        let above = index
            .checked_sub(1)
            .map_or(0, |above| self.rows[above].number);
        self.rows[index].number.saturating_sub(above)
    }

    /// Returns whether there is a row with this index, below an empty one.
    fn follows_gap(&self, index: usize) -> bool {
        let number = |index: usize| self.rows.get(index).map(|row| row.number);
        let above = index.checked_sub(1).and_then(number);
        above
            .zip(number(index))
            .is_some_and(|(above, own)| own != above.wrapping_add(1))
    }

    /// Returns whether a row has words alone, at least two, and the row right below has a value.
    fn is_head(&self, index: usize) -> bool {
        if index + 1 >= self.rows.len() || self.follows_gap(index + 1) {
            return false;
        }
        let (head, below) = (self.row(index), self.row(index + 1));
        head.len() > 1
            && head.iter().all(|cell| cell.is_text)
            && below.iter().any(|cell| !cell.is_text)
    }

    /// Finds the rows at the beginning of a block that are not rows of its table: one cell each, in
    /// the first column, above rows with more.
    fn titles(&self, block: &Range<usize>) -> Range<usize> {
        let rows = || block.clone().map(|index| self.row(index));
        let first = rows().map(|row| row[0].column).min();
        let is_title = |row: &[Filled]| row.len() == 1 && Some(row[0].column) == first;
        let titles = rows().take_while(|row| is_title(row)).count();
        let end = block.start + titles;
        let has_table = end < block.end && self.row(end).len() > 1;
        block.start..if has_table { end } else { block.start }
    }

    fn write_table(&self, rows: Range<usize>, out: &mut String) -> bool {
        let start = rows
            .start
            .checked_sub(1)
            .map_or(0, |row| self.rows[row].end);
        let end = rows.end.checked_sub(1).map_or(0, |row| self.rows[row].end);
        let mut columns: Vec<u32> = self.cells[start..end]
            .iter()
            .map(|cell| cell.column)
            .collect();
        columns.sort_unstable();
        columns.dedup();
        let place = |column: u32| columns.partition_point(|&other| other < column);
        let width = |row: usize| place(self.row(row).last().map_or(0, |cell| cell.column)) + 1;
        let places: usize = rows.clone().map(width).sum::<usize>() + 2 * columns.len();
        if places > PLACES + PLACES_PER_CELL * (end - start) {
            self.write_list(rows, out);
            return true;
        }
        for (index, row) in rows.enumerate() {
            let mut next = 0;
            out.push('|');
            for cell in self.row(row) {
                let place = place(cell.column);
                // A cell that is given twice has its texts one after the other.
                push_empty(out, place.saturating_sub(next));
                push_filled(out, &self.text[cell.start..cell.end]);
                next = next.max(place + 1);
            }
            if index == 0 {
                push_empty(out, columns.len().saturating_sub(next));
                out.push('\n');
                push_rule(out, columns.len());
            }
            out.push('\n');
        }
        false
    }

    /// Writes a table of the cells with their names.
    fn write_list(&self, rows: Range<usize>, out: &mut String) {
        out.push_str("| Cell | Value |\n| --- | --- |\n");
        for index in rows {
            for cell in self.row(index) {
                let name = cell_name(self.rows[index].number, cell.column);
                let text = &self.text[cell.start..cell.end];
                let _ = writeln!(out, "| {name} | {text} |");
            }
        }
    }
}

/// Begins a block of Markdown.
pub(crate) fn begin(out: &mut String) {
    if out.is_empty() {
        return;
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out.push('\n');
}

/// Writes the text of a cell on one line, its pipes escaped and U+0000 replaced.
pub(crate) fn push_cell(out: &mut String, text: &str) {
    for (index, word) in text.split_whitespace().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        if word.contains(['|', '\0']) {
            out.push_str(&word.replace('|', "\\|").replace('\0', "\u{FFFD}"));
        } else {
            out.push_str(word);
        }
    }
}

/// Writes a cell with text, and the pipe after it.
fn push_filled(out: &mut String, text: &str) {
    out.push(' ');
    out.push_str(text);
    out.push_str(" |");
}

/// Writes cells without text.
pub(crate) fn push_empty(out: &mut String, count: usize) {
    for _ in 0..count {
        out.push_str("  |");
    }
}

/// Writes the line below the head of a table.
pub(crate) fn push_rule(out: &mut String, columns: usize) {
    out.push('|');
    for _ in 0..columns {
        out.push_str(" --- |");
    }
}

/// Returns the name of a cell, such as `B7`; rows and columns count from 0.
pub(crate) fn cell_name(row: u32, column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    let letters: String = letters.into_iter().rev().collect();
    format!("{letters}{}", u64::from(row) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cells: &[(u32, u32, &str)], expected: &str) {
        let mut grid = Grid::default();
        for &(row, column, text) in cells {
            grid.push(row, column, text, text.parse::<f64>().is_err());
        }
        let mut out = String::new();
        grid.write(&mut out);
        assert_eq!(out, expected);
    }

    #[test]
    fn empty_rows_and_columns_are_left_out() {
        check(
            &[(2, 3, "a"), (2, 5, "b"), (4, 5, "1")],
            "| a | b |\n| --- | --- |\n|  | 1 |\n",
        );
    }

    #[test]
    fn pipes_and_newlines_stay_in_their_cell() {
        check(&[(0, 0, "a|b\r\n c")], "| a\\|b c |\n| --- |\n");
    }

    #[test]
    fn titles_stand_above_and_a_second_head_begins_a_table() {
        check(
            &[
                (0, 0, "Sales"),
                (1, 0, "x"),
                (1, 1, "y"),
                (2, 0, "1"),
                (2, 1, "2"),
                (5, 0, "p"),
                (5, 1, "q"),
                (6, 0, "r"),
                (6, 1, "3"),
            ],
            "Sales\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\n| p | q |\n| --- | --- |\n| r | 3 |\n",
        );
    }

    #[test]
    fn a_title_above_an_empty_row_belongs_to_the_table_below() {
        let above = "| x | y |\n| --- | --- |\n| a | 2 |\n";
        let below = "| p | q |\n| --- | --- |\n| r | 3 |\n";
        let first = [(0, 0, "x"), (0, 1, "y"), (1, 0, "a"), (1, 1, "2")];
        let second = [(9, 0, "p"), (9, 1, "q"), (10, 0, "r"), (10, 1, "3")];
        let with =
            |between: &[(u32, u32, &'static str)]| [&first[..], between, &second[..]].concat();
        check(
            &with(&[(7, 0, "Costs")]),
            &format!("{above}\nCosts\n\n{below}"),
        );
        check(
            &with(&[(6, 0, "Costs"), (7, 0, "in EUR")]),
            &format!("{above}\nCosts\n\nin EUR\n\n{below}"),
        );
        check(
            &with(&[(3, 0, "Source: the bank"), (7, 0, "Costs")]),
            &format!("{above}| Source: the bank |\n\nCosts\n\n{below}"),
        );
        // Neither a note close under a table nor a sum that stands apart is one.
        check(
            &with(&[(3, 0, "Source: the bank")]),
            &format!("{above}| Source: the bank |\n\n{below}"),
        );
        check(&with(&[(7, 0, "2")]), &format!("{above}| 2 |\n\n{below}"));
    }

    #[test]
    fn a_diagonal_takes_no_more_than_its_cells() {
        let mut grid = Grid::default();
        for index in 0..16_000 {
            grid.push(index, index, "x", true);
        }
        let mut out = String::new();
        assert!(grid.write(&mut out));
        assert!(out.len() < 16_000 * 20 && out.contains("| WQJ16000 | x |"));
    }

    #[test]
    fn a_long_text_takes_memory_once_and_counts_each_time() {
        let mut grid = Grid::default();
        let (long, other) = ("x".repeat(LONG), "y".repeat(LONG));
        for row in 0..100 {
            grid.push(row, 0, &long, true);
            grid.push(row, 1, &other, true);
        }
        assert_eq!(grid.text.len(), 2 * LONG);
        assert!(grid.bytes() > 200 * LONG);
        let mut out = String::new();
        grid.write(&mut out);
        let row = format!("| {long} | {other} |\n");
        assert_eq!(out.matches(&row).count(), 100);
    }

    #[test]
    fn cells_are_named_as_in_workbooks() {
        assert_eq!(cell_name(0, 0), "A1");
        assert_eq!(cell_name(9, 27), "AB10");
        assert_eq!(cell_name(u32::MAX, 16_383), "XFD4294967296");
    }
}
