//! Tables that the structure tags of the file name, row by row and cell by cell.

use std::collections::BTreeMap;

use super::cells::texts;
use super::{Cell, Found, Heads, Word};
use crate::pdf::tags::Role;

/// How many columns a table has at most.
const MAX_COLUMNS: u32 = 1_000;

/// The cells of a row, each with the number of its column and how many columns it goes over.
type Row<'a> = BTreeMap<(u32, u32), Cell<'a>>;

/// From where to where across the page something stands.
type Extent = (f64, f64);

/// Makes the tables of the words that the file says are in cells; what has less than two rows or columns on
/// the page is left to be found otherwise.
pub(super) fn find<'a>(words: &[Word<'a>], heads: &mut Heads) -> Vec<Found<'a>> {
    let mut tables: BTreeMap<u32, BTreeMap<u32, Row<'a>>> = BTreeMap::new();
    for &word in words {
        if let Some(Role::Cell {
            table,
            row,
            column,
            span,
        }) = word.role
        {
            let row = tables.entry(table).or_default().entry(row).or_default();
            row.entry((column, span)).or_default().push(word);
        }
    }
    let found = tables
        .into_iter()
        .filter_map(|(table, rows)| found(table, rows, heads));
    found.collect()
}

fn found<'a>(table: u32, rows: BTreeMap<u32, Row<'a>>, heads: &mut Heads) -> Option<Found<'a>> {
    // Where the head is drawn on each page, it is the first row of each.
    let head = heads.get(&table).filter(|_| !rows.contains_key(&0));
    let head = head.cloned();
    let columns = rows.values().map(width).max()?;
    let has_rows = rows.len() + usize::from(head.is_some()) > 1;
    if !has_rows || !(2..=MAX_COLUMNS).contains(&columns) {
        return None;
    }
    let words = rows.values().flat_map(BTreeMap::values);
    let words = words.flatten().copied().collect();
    let rows: Vec<Row<'a>> = rows.into_values().collect();
    let rows = in_columns(&rows, columns)?;
    let first = || texts(&rows).swap_remove(0);
    heads.entry(table).or_insert_with(first);
    Some(Found {
        rows,
        words,
        head,
        is_shaded: false,
    })
}

/// Returns how many columns a row goes over.
fn width(row: &Row<'_>) -> u32 {
    row.keys()
        .next_back()
        .map_or(0, |(column, span)| column + span)
}

/// Puts the cells of each row into columns. What a row lacks are empty cells, or cells that begin in a row
/// above, which no tag stands for: its cells belong to the columns under which they stand. Nothing where that
/// cannot be told.
fn in_columns<'a>(rows: &[Row<'a>], columns: u32) -> Option<Vec<Vec<Cell<'a>>>> {
    let mut table = Vec::with_capacity(rows.len());
    // What goes on beside itself, in the next column of the page, has its columns elsewhere there.
    for strand in rows.chunk_by(|above, below| top(above) <= top(below)) {
        let extents = extents(strand, columns);
        for row in strand {
            let places: Vec<usize> = if width(row) == columns {
                row.keys().map(|(column, _)| *column as usize).collect()
            } else {
                let extents: Option<Vec<Extent>> = extents.iter().copied().collect();
                let cells: Vec<Extent> = row.values().map(extent).collect();
                under(&cells, &extents?)
            };
            let mut cells = vec![Cell::new(); columns as usize];
            for (place, cell) in places.into_iter().zip(row.values()) {
                cells[place].extend(cell);
            }
            table.push(cells);
        }
    }
    Some(table)
}

fn top(row: &Row<'_>) -> f64 {
    let tops = row.values().flatten().map(|word| word.top);
    tops.fold(f64::MAX, f64::min)
}

/// Returns where the columns stand, from the rows that have a cell for each.
fn extents(rows: &[Row<'_>], columns: u32) -> Vec<Option<Extent>> {
    let mut extents: Vec<Option<Extent>> = vec![None; columns as usize];
    let whole = rows.iter().filter(|row| width(row) == columns);
    for ((column, _), cell) in whole.flatten().filter(|((_, span), _)| *span == 1) {
        let (left, right) = extent(cell);
        let known = &mut extents[*column as usize];
        let joined = known.map_or((left, right), |known| {
            (known.0.min(left), known.1.max(right))
        });
        *known = Some(joined);
    }
    extents
}

fn extent(cell: &Cell<'_>) -> Extent {
    let left = cell.iter().map(|word| word.left).fold(f64::MAX, f64::min);
    let right = cell.iter().map(|word| word.right).fold(f64::MIN, f64::max);
    (left, right)
}

/// Returns for each of some cells, from left to right, the column that it stands under: such that all together
/// are as near to theirs as can be.
fn under(cells: &[Extent], columns: &[Extent]) -> Vec<usize> {
    // The least distance of the cells so far, where the last stands under some column, by cell and column.
    let mut sums: Vec<Vec<f64>> = Vec::with_capacity(cells.len());
    for (index, &cell) in cells.iter().enumerate() {
        let mut before = f64::MAX;
        let sum = |(column, &of): (usize, &Extent)| {
            let known = match index {
                0 => 0.0,
                _ => before,
            };
            if let Some(last) = index.checked_sub(1).map(|last| sums[last][column]) {
                before = before.min(last);
            }
            known + distance(cell, of)
        };
        let row = columns.iter().enumerate().map(sum).collect();
        sums.push(row);
    }
    let mut end = columns.len();
    let mut places: Vec<usize> = Vec::with_capacity(cells.len());
    for row in sums.iter().rev() {
        let near = row[..end].iter().enumerate();
        let best = near.min_by(|one, other| one.1.total_cmp(other.1));
        end = best.map_or(0, |(place, _)| place);
        places.push(end);
    }
    places.reverse();
    places
}

/// Returns how far a cell is from a column: what is between them, and between their centers much less.
fn distance(cell: Extent, column: Extent) -> f64 {
    let apart = (column.0 - cell.1).max(cell.0 - column.1).max(0.0);
    let center = |(left, right): Extent| f64::midpoint(left, right);
    apart + (center(cell) - center(column)).abs() / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_under_the_nearest_columns_in_order() {
        let columns = [(0.0, 40.0), (50.0, 120.0), (150.0, 180.0), (200.0, 230.0)];
        let check = |cells: &[Extent], expected: &[usize]| {
            assert_eq!(under(cells, &columns), expected, "{cells:?}");
        };
        check(&[(0.0, 30.0), (50.0, 90.0), (205.0, 230.0)], &[0, 1, 3]);
        check(&[(160.0, 180.0), (202.0, 230.0)], &[2, 3]);
        check(&[(52.0, 118.0)], &[1]);
        // Both are nearest to the same one, and the next is nearer than the one before.
        check(&[(150.0, 160.0), (170.0, 180.0)], &[2, 3]);
    }
}
