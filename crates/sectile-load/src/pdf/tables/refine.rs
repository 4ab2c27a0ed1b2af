//! Cells that a writer did not part by lines.

use std::collections::HashSet;

use super::column::columns;
use super::continued::with_continued;
use super::labels::Labels;
use super::rules::slot;
use super::{Cell, Piece, Row, Word, cells, rows};

/// In how many of its lines a column has a gap to be several columns.
const PARTED: f64 = 0.6;

/// In how many of its lines a column has numbers to make a row of each, and in how many there are several
/// cells.
const NUMBERS: f64 = 0.85;
const SEVERAL: f64 = 0.7;

/// In how many of the lines of a list there is room left for the first word of the next, and how wide a
/// space is, as a part of the height of a line.
const LISTED: f64 = 0.8;
const NAMES: usize = 4;
const SPACE: f64 = 0.4;

/// Which part of the words of a table may be in such cells, and how many lines a long cell has.
const UNSURE: f64 = 0.3;
const LONG: usize = 12;

/// Cells between lines, each where its region begins.
pub(super) struct Grid<'a> {
    /// The edges of the columns.
    pub(super) edges: Vec<f64>,
    /// The edges of the rows.
    pub(super) heights: Vec<f64>,
    pub(super) rows: Vec<Vec<Cell<'a>>>,
    /// What is turned to the side in the rows, as heads of narrow columns are.
    pub(super) turned: Vec<Cell<'a>>,
}

/// Parts columns and rows that no line parts, and cells that were joined only because walls are missing;
/// nothing where that leaves cells of which nobody can tell the rows: they are the boxes of a form, or frames.
pub(super) fn refined(mut grid: Grid<'_>) -> Option<Vec<Vec<Cell<'_>>>> {
    let turned = std::mem::take(&mut grid.turned);
    let words: Vec<Word<'_>> = grid.rows.iter().flatten().flatten().copied().collect();
    let edges = parted_columns(&grid.edges, &rows(&words));
    let mut refined = Vec::new();
    let mut unsure = 0;
    for (band, turned) in bands(grid).into_iter().zip(turned) {
        let row = row(band, &edges);
        if row.iter().all(Vec::is_empty) && turned.is_empty() {
            continue;
        }
        let mut rows = parted_rows(&row, &edges).unwrap_or_else(|| {
            unsure += boxed(&row, &edges, words.len());
            vec![row]
        });
        for word in turned {
            rows[0][slot(&edges, word.center())].push(word);
        }
        refined.extend(rows);
    }
    ((unsure as f64) < UNSURE * words.len() as f64).then_some(refined)
}

/// Returns how many words of a row are in cells of which nobody can tell the rows: lists beside each other,
/// and what is long and most of the table.
fn boxed(row: &[Cell<'_>], edges: &[f64], all: usize) -> usize {
    let cells = || row.iter().zip(&edges[1..]);
    let lists: Vec<usize> = cells()
        .filter(|(cell, right)| is_list(cell, **right))
        .map(|(cell, _)| cell.len())
        .collect();
    let pages = row
        .iter()
        .filter(|cell| cell.len() * 2 > all && rows(cell).len() > LONG)
        .map(Vec::len)
        .sum();
    if lists.len() > 1 {
        lists.iter().sum::<usize>().max(pages)
    } else {
        pages
    }
}

/// Returns the edges of columns, with new ones where most lines of a column leave a common gap.
fn parted_columns(edges: &[f64], lines: &[Row<'_>]) -> Vec<f64> {
    let lines: Vec<Vec<Piece<'_>>> = lines.iter().map(Row::pieces).collect();
    let mut parted = vec![edges[0]];
    for pair in edges.windows(2) {
        let (left, right) = (pair[0], pair[1]);
        let is_inside = |piece: &&Piece<'_>| {
            let center = piece.center();
            left - 1.0 <= center
                && center <= right + 1.0
                && piece.right - piece.left < right - left + 4.0
        };
        let inside = lines
            .iter()
            .map(|line| line.iter().filter(is_inside).cloned().collect());
        let inside: Vec<Vec<Piece<'_>>> = inside.filter(|line: &Vec<_>| !line.is_empty()).collect();
        let count = inside.len() as f64;
        let several: Vec<&Vec<Piece<'_>>> = inside.iter().filter(|line| line.len() > 1).collect();
        let pieces = || several.iter().copied().flatten();
        let words = pieces().map(|piece| piece.words.len()).sum::<usize>() as f64;
        let is_parted = inside.len() >= 3
            && several.len() as f64 >= PARTED * count
            && words < 5.0 * pieces().count() as f64;
        if is_parted {
            let mut of = columns(&inside);
            of.retain(|column| column.count as f64 >= 0.5 * count);
            let gaps = of
                .windows(2)
                .map(|pair| f64::midpoint(pair[0].right, pair[1].left));
            parted.extend(gaps);
        }
        parted.push(right);
    }
    parted
}

/// Returns the bands of rows. A list that goes over several is parted where they are.
fn bands(mut grid: Grid<'_>) -> Vec<Vec<Cell<'_>>> {
    for row in 0..grid.rows.len() {
        for column in 0..grid.rows[row].len() {
            if is_list(&grid.rows[row][column], grid.edges[column + 1]) {
                for word in std::mem::take(&mut grid.rows[row][column]) {
                    let band = slot(&grid.heights, word.middle()).max(row);
                    grid.rows[band][column].push(word);
                }
            }
        }
    }
    grid.rows
}

/// Puts the regions that begin in a band of rows into columns.
fn row<'a>(band: Vec<Cell<'a>>, edges: &[f64]) -> Vec<Cell<'a>> {
    let mut row: Vec<Cell<'a>> = vec![Vec::new(); edges.len() - 1];
    let inner = &edges[1..edges.len() - 1];
    for region in band.into_iter().filter(|region| !region.is_empty()) {
        let lines: Vec<Vec<Piece<'a>>> = rows(&region).iter().map(Row::pieces).collect();
        let of = |line: &Vec<Piece<'a>>| -> HashSet<usize> {
            line.iter()
                .map(|piece| slot(edges, piece.center()))
                .collect()
        };
        let is_crossed = |line: &&Vec<Piece<'a>>| line.iter().any(|piece| piece.crosses(inner));
        let slots: HashSet<usize> = lines.iter().flat_map(of).collect();
        let crossed = lines.iter().filter(is_crossed).count();
        let several = lines
            .iter()
            .filter(|line| !is_crossed(line) && of(line).len() > 1);
        // What is written over a wall that is not there spans columns; pieces in several columns are cells.
        let has_cells = crossed == 0 || several.count() as f64 >= PARTED * lines.len() as f64;
        if slots.len() > 1 && has_cells {
            for piece in lines.into_iter().flatten() {
                row[slot(edges, piece.center())].extend(piece.words);
            }
        } else {
            let left = region.iter().map(|word| word.left).fold(f64::MAX, f64::min);
            row[slot(edges, left + 1.0)].extend(region);
        }
    }
    row
}

/// Makes rows of the lines of a row, if several of its columns have lines at the same heights, of which one
/// has numbers or two are lists.
fn parted_rows<'a>(row: &[Cell<'a>], edges: &[f64]) -> Option<Vec<Vec<Cell<'a>>>> {
    let words: Vec<Word<'a>> = row.iter().flatten().copied().collect();
    let lines = rows(&words);
    let part = |line: &Row<'a>| -> Vec<Cell<'a>> {
        let places: HashSet<_> = line.words.iter().map(|word| word.place).collect();
        let is_level = |word: &&Word<'a>| places.contains(&word.place);
        let cells = row.iter();
        cells
            .map(|cell| cell.iter().filter(is_level).copied().collect())
            .collect()
    };
    let parts: Vec<Vec<Cell<'a>>> = lines.iter().map(part).collect();
    if is_headed(&parts) {
        return Some(parts);
    }
    if let Some(rows) = numbered(&parts) {
        return Some(rows);
    }
    if lines.len() < 3 {
        return None;
    }
    let several = parts
        .iter()
        .filter(|line| line.iter().filter(|cell| !cell.is_empty()).count() > 1);
    let has_numbers = |column: usize| {
        let cells = || parts.iter().map(|line| &line[column]);
        let filled = cells().filter(|cell| !cell.is_empty()).count();
        let numbers = cells()
            .filter(|cell| cell.is_empty() || cells::is_number(cell))
            .count();
        filled >= 3 && numbers as f64 >= NUMBERS * lines.len() as f64
    };
    let is_parted = several.count() as f64 >= SEVERAL * lines.len() as f64;
    let lists = row
        .iter()
        .zip(&edges[1..])
        .filter(|(cell, right)| is_list(cell, **right));
    if !is_parted {
        return None;
    }
    if lists.count() > 1 {
        return Some(parts);
    }
    let is_sure = (0..row.len()).any(has_numbers);
    is_sure.then(|| with_continued(parts, &lines, &HashSet::new(), &Labels::default()))
}

/// Returns whether the first of some lines has the heads of columns, without a label, and each other one has a label and
/// numbers below these heads.
fn is_headed(lines: &[Vec<Cell<'_>>]) -> bool {
    let Some((head, rows)) = lines.split_first() else {
        return false;
    };
    let heads: Vec<usize> = (0..head.len()).filter(|at| !head[*at].is_empty()).collect();
    let is_row = |row: &Vec<Cell<'_>>| {
        !row[0].is_empty() && heads.iter().all(|at| cells::is_number(&row[*at]))
    };
    heads.len() > 1
        && head[0].is_empty()
        && !heads.iter().any(|at| has_digits(&head[*at]))
        && !rows.is_empty()
        && rows.iter().all(is_row)
}

fn has_digits(cell: &Cell<'_>) -> bool {
    let mut words = cell.iter();
    words.any(|word| word.text.contains(|sign: char| sign.is_ascii_digit()))
}

/// Makes rows of lines that have numbers in the same columns, several in each. What stands between them, in
/// columns of its own, is part of the first.
fn numbered<'a>(lines: &[Vec<Cell<'a>>]) -> Option<Vec<Vec<Cell<'a>>>> {
    let has_number =
        |cell: &Cell<'_>| cells::is_number(cell) && cell.iter().any(Word::is_set_number);
    let numbers = |line: &Vec<Cell<'_>>| line.iter().map(has_number).collect::<Vec<bool>>();
    let is_row = |line: &Vec<Cell<'_>>| line.iter().filter(|cell| has_number(cell)).count() > 1;
    let first = lines.iter().find(|line| is_row(line)).map(numbers)?;
    let (of_rows, others): (Vec<&Vec<Cell<'a>>>, Vec<_>) = lines
        .iter()
        .partition(|line| is_row(line) && numbers(line) == first);
    let is_free = |column: usize| of_rows.iter().all(|row| row[column].is_empty());
    let is_between = |line: &&Vec<Cell<'_>>| {
        let mut cells = line.iter().enumerate();
        cells.all(|(column, cell)| cell.is_empty() || is_free(column))
    };
    if of_rows.len() < 2 || !others.iter().all(is_between) {
        return None;
    }
    let mut rows: Vec<Vec<Cell<'a>>> = of_rows.into_iter().cloned().collect();
    for (cell, more) in others.iter().flat_map(|line| (0..).zip(line.iter())) {
        rows[0][cell].extend(more);
    }
    Some(rows)
}

/// Returns whether most lines of a cell end where the first word of the next would have found room, or begin as
/// names and values do.
fn is_list(cell: &Cell<'_>, right: f64) -> bool {
    let lines = rows(cell);
    let begins = |line: &&Row<'_>| {
        let first = line.words[0].text.chars().find(|c| c.is_alphanumeric());
        first.is_none_or(|first| first.is_uppercase() || first.is_numeric())
    };
    let begun = lines.iter().filter(begins).count();
    if lines.len() >= NAMES && begun as f64 >= LISTED * lines.len() as f64 {
        return true;
    }
    let has_room = |pair: &&[Row<'_>]| {
        let (last, next) = (&pair[0], &pair[1].words[0]);
        let end = last
            .words
            .iter()
            .map(|word| word.right)
            .fold(f64::MIN, f64::max);
        end + SPACE * next.height() + next.right - next.left < right
    };
    let breaks = lines.len().saturating_sub(1) as f64;
    lines.len() >= 3 && lines.windows(2).filter(has_room).count() as f64 >= LISTED * breaks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the cells of a line, whose texts are parted by `|`.
    fn line(texts: &'static str) -> Vec<Cell<'static>> {
        let cell = |text: &'static str| -> Cell<'static> {
            let words = text.split_whitespace();
            words.map(word).collect()
        };
        texts.split('|').map(cell).collect()
    }

    fn word(text: &'static str) -> Word<'static> {
        Word {
            text,
            left: 0.0,
            right: 1.0,
            top: 0.0,
            bottom: 1.0,
            is_monospace: false,
            is_marked: false,
            is_turned: false,
            place: (0, 0),
            role: None,
        }
    }

    #[test]
    fn heads_of_columns_are_no_part_of_the_row_below() {
        let head = "|Lab Positive|%";
        assert!(is_headed(&[line(head), line("<20 years|0|0%")]));
        assert!(is_headed(&[
            line(head),
            line("Female|1|100%"),
            line("Male|0|0%")
        ]));
        assert!(!is_headed(&[
            line("Lab|Positive|%"),
            line("<20 years|0|0%")
        ]));
        assert!(!is_headed(&[line(head), line("|0|0%")]));
        assert!(!is_headed(&[line(head), line("<20 years|none|0%")]));
        assert!(!is_headed(&[line("|1|2"), line("<20 years|0|0%")]));
        assert!(!is_headed(&[line("||%"), line("<20 years|0|0%")]));
    }
}
