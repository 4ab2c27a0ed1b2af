//! Shading that is not a grid: some cells of a table are filled, and the others are not.

use std::collections::HashSet;

use super::{Cell, Found, Word, markdown};

/// Leaves out what is shaded if it is part of one of the tables `between_gaps`, so that no word leaves its row.
pub(super) fn leave_out(tables: &mut Vec<Found<'_>>, between_gaps: &[Found<'_>]) {
    tables.retain(|table| {
        let is_part = || between_gaps.iter().any(|whole| is_part(table, whole));
        !(table.is_shaded && is_part())
    });
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
