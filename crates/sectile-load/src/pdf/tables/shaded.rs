//! Shading that is not a grid: some cells of a table are filled, and the others are not.

use std::collections::HashSet;

use super::{Cell, Found, Row, Word, markdown, rows};

/// How many pieces stand beside each other at least in what is several cells, and which part of the words are in such
/// cells where most rows are not filled cell by cell.
const MIN_PIECES: usize = 3;
const JOINED: f64 = 0.3;

/// Which part of the words of such a table another one has at least to take its place.
const COVERED: f64 = 0.9;

/// Leaves out what is shaded if it is part of one of the tables `between_gaps`, so that no word leaves its row, or if one
/// of these parts the cells that it joins.
pub(super) fn leave_out(tables: &mut Vec<Found<'_>>, between_gaps: &[Found<'_>]) {
    tables.retain(|table| {
        let is_part = || between_gaps.iter().any(|whole| is_part(table, whole));
        let is_covered = || {
            let mut others = between_gaps.iter();
            others.any(|other| covers(other, table) && !is_joined(other))
        };
        !(table.is_shaded && (is_part() || is_joined(table) && is_covered()))
    });
}

/// Returns whether many words of a table are in cells that are several, as the words on a line of them stand far apart.
fn is_joined(table: &Found<'_>) -> bool {
    let are_several = |cell: &&Cell<'_>| {
        let lines = rows(cell);
        lines
            .iter()
            .any(|line: &Row<'_>| line.pieces().len() >= MIN_PIECES)
    };
    let joined = table.rows.iter().flatten().filter(are_several);
    joined.map(Vec::len).sum::<usize>() as f64 >= JOINED * table.words.len() as f64
}

/// Returns whether a table has nearly all words of another one.
fn covers(whole: &Found<'_>, table: &Found<'_>) -> bool {
    let (own, all) = (places(table), places(whole));
    own.intersection(&all).count() as f64 >= COVERED * own.len() as f64 && markdown(whole).is_some()
}

/// Returns whether a table has all words of what is shaded, and more in most of their rows, or rows below a shaded
/// head. The grid of a chart, which is mostly empty, is part of none.
fn is_part(shaded: &Found<'_>, whole: &Found<'_>) -> bool {
    let cells = || shaded.rows.iter().flatten();
    let filled = cells().filter(|cell| !cell.is_empty()).count();
    let own = places(shaded);
    let all = places(whole);
    if filled * 2 < cells().count() || own.len() == all.len() || !own.is_subset(&all) {
        return false;
    }
    let is_own = |word: &Word<'_>| own.contains(&word.place);
    let has_own = |row: &&Vec<Cell<'_>>| row.iter().flatten().any(is_own);
    let rows: Vec<&Vec<Cell<'_>>> = whole.rows.iter().filter(has_own).collect();
    let goes_on = |row: &&&Vec<Cell<'_>>| !row.iter().flatten().all(is_own);
    let longer = rows.iter().filter(goes_on).count();
    (longer * 2 > rows.len() || shaded.rows.len() == 1) && markdown(whole).is_some()
}

fn places(table: &Found<'_>) -> HashSet<(usize, usize)> {
    table.words.iter().map(|word| word.place).collect()
}
