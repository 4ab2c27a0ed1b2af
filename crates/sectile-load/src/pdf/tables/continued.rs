//! Rows of several lines: which lines go on the cells of the row before.

use std::collections::HashSet;

use super::cells::is_number;
use super::labels::Labels;
use super::{Cell, GAP, Row, median};

/// How many rows are parted by lines at least where all are, and how many lines half of them have at most.
const MIN_RULED: usize = 4;
const MAX_LINES: usize = 4;

/// Which part of the lines that go on rows fill only some of their cells.
const PARTIAL: f64 = 0.7;

/// How far the lines of a cell are apart at most where rows are as near, as a part of their height.
const NEAR: f64 = 0.6;

/// How wide a space is, as a part of the height of a line.
const SPACE: f64 = 0.2;

/// Joins lines that go on the cells of the row before. Where lines are drawn between rows, those that have
/// none before them; else those that stand nearer to it than rows do to each other or, where all are as near,
/// those with an empty first cell and no numbers. What goes on a wrapped label always does.
pub(super) fn with_continued<'a>(
    rows: Vec<Vec<Cell<'a>>>,
    lines: &[Row<'a>],
    ruled: &HashSet<usize>,
    labels: &Labels,
) -> Vec<Vec<Cell<'a>>> {
    let gaps: Vec<f64> = lines
        .windows(2)
        .map(|pair| pair[1].top() - pair[0].bottom())
        .collect();
    let height = median(
        lines
            .iter()
            .map(|line| line.bottom() - line.top())
            .collect(),
    );
    let continued = by_rules(&rows, ruled)
        .or_else(|| by_gaps(&rows, &gaps, height))
        .unwrap_or_else(|| by_cells(&rows, &gaps, lines));
    let goes_on = |index| {
        let is_begun = labels.begun.contains(&index);
        continued.contains(&index) && !is_begun || labels.continued.contains(&index)
    };
    let mut joined: Vec<Vec<Cell<'a>>> = Vec::new();
    for (index, row) in rows.into_iter().enumerate() {
        match joined.last_mut() {
            Some(last) if goes_on(index) && !ruled.contains(&index) => {
                for (cell, more) in last.iter_mut().zip(row) {
                    cell.extend(more);
                }
            }
            _ => joined.push(row),
        }
    }
    joined
}

/// Returns the lines that go on rows where most rows of a few lines are parted by lines that are drawn.
fn by_rules(rows: &[Vec<Cell<'_>>], ruled: &HashSet<usize>) -> Option<HashSet<usize>> {
    let mut starts: Vec<usize> = ruled.iter().copied().chain([0, rows.len()]).collect();
    starts.sort_unstable();
    let mut sizes: Vec<usize> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    sizes.sort_unstable();
    if sizes.len() < MIN_RULED || sizes[sizes.len() / 2] > MAX_LINES {
        return None;
    }
    let continued = continued(rows, |line| !ruled.contains(&line));
    let is_sure = are_partial(rows, &continued) || are_above(rows, &continued);
    is_sure.then_some(continued)
}

/// Returns the lines that go on rows where there are gaps of two sizes, and most of those after small ones
/// fill only some cells. Where few are large, as above a total, or only that below the head is, the lines after
/// small ones are rows, too, unless they are near and their labels are wrapped.
fn by_gaps(rows: &[Vec<Cell<'_>>], gaps: &[f64], height: f64) -> Option<HashSet<usize>> {
    let mut sorted = gaps.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (least, most) = (sorted.first()?, sorted.last()?);
    if sorted.len() < 2 || most - least <= 2.0 {
        return None;
    }
    let limit = f64::midpoint(*least, sorted[sorted.len() - (sorted.len() / 8 + 1)]);
    let continued = continued(rows, |line| gaps[line - 1] <= limit);
    let large = gaps[1..].iter().filter(|gap| **gap > limit).count();
    let is_regular = large >= 2 && large * MAX_LINES >= gaps.len() - 1 - large;
    let are_near = || continued.iter().all(|line| gaps[line - 1] < NEAR * height);
    let are_wrapped = || are_near() && are_wrapped(rows, &continued, height);
    let are_lines = || {
        are_partial(rows, &continued) && (is_regular || are_wrapped())
            || is_regular && are_above(rows, &continued)
    };
    let is_sure = !continued.is_empty() && continued.len() + 1 < rows.len() && are_lines();
    is_sure.then_some(continued)
}

/// Returns the lines that are near the one above and do not begin a row.
fn continued(rows: &[Vec<Cell<'_>>], is_near: impl Fn(usize) -> bool) -> HashSet<usize> {
    let mut continued = HashSet::new();
    let mut open = Open::default();
    for (index, line) in rows.iter().enumerate() {
        if index > 0 && is_near(index) && !open.ends_before(line) {
            continued.insert(index);
        } else {
            open = Open::default();
        }
        open.add(line);
    }
    continued
}

/// What is known of the lines of a row, column by column.
#[derive(Default)]
struct Open {
    is_filled: Vec<bool>,
    has_number: Vec<bool>,
}

impl Open {
    fn add(&mut self, line: &[Cell<'_>]) {
        self.is_filled.resize(line.len(), false);
        self.has_number.resize(line.len(), false);
        for (column, cell) in line.iter().enumerate() {
            self.is_filled[column] |= !cell.is_empty();
            self.has_number[column] |= is_number(cell);
        }
    }

    /// Returns whether a line begins the next row, however near it is: it has a number under a
    /// number, or several, and this row has its label or its cells in these columns.
    fn ends_before(&self, line: &[Cell<'_>]) -> bool {
        let is_number_under = |known: &[bool]| {
            let mut cells = known.iter().zip(line);
            cells.any(|(known, cell)| *known && is_number(cell))
        };
        let has_row = self.is_filled.first() == Some(&true) || is_number_under(&self.is_filled);
        is_number_under(&self.has_number) || has_row && has_numbers(line)
    }
}

/// Returns whether several cells of a line hold numbers, and most of those that hold anything.
fn has_numbers(line: &[Cell<'_>]) -> bool {
    let numbers = line.iter().filter(|cell| is_number(cell)).count();
    let filled = line.iter().filter(|cell| !cell.is_empty()).count();
    numbers > 1 && numbers * 2 > filled
}

/// Returns whether most of some lines fill only some cells, and not with numbers alone.
fn are_partial(rows: &[Vec<Cell<'_>>], lines: &HashSet<usize>) -> bool {
    let is_partial = |line: &&usize| {
        let filled = || rows[**line].iter().filter(|cell| !cell.is_empty());
        filled().count() < rows[**line].len() && !filled().all(|cell| is_number(cell))
    };
    lines.iter().filter(is_partial).count() as f64 >= PARTIAL * lines.len() as f64
}

/// Returns whether the lines of rows of several stand above the one that has the label and most cells, as they do
/// in cells that are aligned at the bottom.
fn are_above(rows: &[Vec<Cell<'_>>], continued: &HashSet<usize>) -> bool {
    let filled = |line: &usize| rows[*line].iter().filter(|cell| !cell.is_empty()).count();
    let lines: Vec<usize> = (0..rows.len()).collect();
    let of_row = lines.chunk_by(|_, line| continued.contains(line));
    let above = of_row.filter_map(|row| {
        let (last, others) = row.split_last()?;
        let is_above = |line: &usize| rows[*line][0].is_empty() && filled(line) < filled(last);
        others.iter().all(is_above).then_some(others.len())
    });
    above.sum::<usize>() as f64 >= PARTIAL * continued.len() as f64
}

/// Returns whether most of some lines have no label, or one that the line above had no room for.
fn are_wrapped(rows: &[Vec<Cell<'_>>], lines: &HashSet<usize>, height: f64) -> bool {
    let limit = label_limit(rows, height);
    let is_wrapped = |line: &&usize| {
        let (above, label) = (&rows[**line - 1][0], &rows[**line][0]);
        label.is_empty() || is_full(above, label, limit, height)
    };
    lines.iter().filter(is_wrapped).count() as f64 >= PARTIAL * lines.len() as f64
}

/// Returns how far to the right labels may go: up to the next column.
fn label_limit(rows: &[Vec<Cell<'_>>], height: f64) -> f64 {
    let others = rows.iter().flat_map(|row| &row[1..]).flatten();
    others.map(|word| word.left).fold(f64::MAX, f64::min) - GAP * height
}

/// Returns whether what stands above a cell had no room for its first word.
fn is_full(above: &Cell<'_>, cell: &Cell<'_>, limit: f64, height: f64) -> bool {
    let end = above.iter().map(|word| word.right).reduce(f64::max);
    end.zip(cell.first())
        .is_some_and(|(end, first)| end + SPACE * height + first.right - first.left > limit)
}

fn by_cells(rows: &[Vec<Cell<'_>>], gaps: &[f64], lines: &[Row<'_>]) -> HashSet<usize> {
    let mut continued = HashSet::new();
    let mut filled: Vec<bool> = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let has: Vec<bool> = row.iter().map(|cell| !cell.is_empty()).collect();
        let count = has.iter().filter(|has| **has).count();
        let numbers = row.iter().filter(|cell| is_number(cell)).count();
        let goes_on = index > 0 && {
            let height = lines[index - 1].bottom() - lines[index - 1].top();
            let is_near = gaps[index - 1] < NEAR * height;
            let fits = has.iter().zip(&filled).all(|(has, filled)| !has || *filled);
            is_near && fits && !has[0] && count < row.len() && numbers == 0
        };
        if goes_on {
            continued.insert(index);
        } else {
            filled = has;
        }
    }
    continued
}
