//! Text that stands in columns and is no table: lists and paragraphs beside each other.

use super::{Cell, Piece, Word};

/// How many items a list has at least, and which part of its lines begin one.
const MIN_ITEMS: usize = 2;
const ITEMS: f64 = 0.3;

/// Which part of the lines of columns follow each other as they are drawn.
const DRAWN: f64 = 0.7;

/// Which part of the lines of a paragraph begin with a small letter.
const SMALL: f64 = 0.5;

/// How much the gaps of a line differ that is set to fill its column, in points.
const EVEN: f64 = 0.5;

/// How many lines a paragraph has at least.
const MIN_LINES: usize = 3;

/// Says whether most pieces of several words are put together of words that were drawn apart, as columns are
/// that stand so near each other that their cells cannot be told.
pub(super) fn is_woven(lines: &[Vec<Piece<'_>>]) -> bool {
    let is_apart = |pair: &[Word<'_>]| pair[0].place.0.abs_diff(pair[1].place.0) > 1;
    let several = || {
        let pieces = lines.iter().flatten();
        pieces.filter(|piece| piece.words.len() > 1)
    };
    let woven = several().filter(|piece| piece.words.windows(2).any(is_apart));
    let woven = woven.count();
    woven >= MIN_LINES && woven * 2 > several().count()
}

/// Says whether the gaps of each line are as wide as each other, and wider or narrower than those of other
/// lines: the words are set apart to fill the lines of a narrow column.
pub(super) fn is_justified(lines: &[Vec<Piece<'_>>]) -> bool {
    let bounds = |line: &Vec<Piece<'_>>| {
        let gaps = line.windows(2).map(|pair| pair[1].left - pair[0].right);
        gaps.fold((f64::MAX, f64::MIN), |(least, most), gap| {
            (least.min(gap), most.max(gap))
        })
    };
    let several = lines.iter().filter(|line| line.len() > 2).map(bounds);
    let several: Vec<(f64, f64)> = several.collect();
    let are_even = several.iter().all(|(least, most)| most - least < EVEN);
    let least = several
        .iter()
        .map(|(least, _)| *least)
        .fold(f64::MAX, f64::min);
    let most = several
        .iter()
        .map(|(_, most)| *most)
        .fold(f64::MIN, f64::max);
    several.len() > 1 && are_even && most - least > 2.0 * EVEN
}

/// Says whether most cells are lines of lists, or several columns hold paragraphs that were drawn one after the
/// other.
pub(super) fn is_text(rows: &[Vec<Cell<'_>>]) -> bool {
    let columns = 0..rows.first().map_or(0, Vec::len);
    let is_filled = |column: usize| rows.iter().filter(move |row| !row[column].is_empty());
    let all: usize = columns
        .clone()
        .map(|column| is_filled(column).count())
        .sum();
    let listed = columns.clone().filter_map(|column| {
        let items = is_filled(column)
            .filter(|row| row[column][0].is_marked)
            .count();
        let lines = is_filled(column).count();
        (items >= MIN_ITEMS && items as f64 >= ITEMS * lines as f64).then_some(lines)
    });
    let paragraphs = columns.filter(|column| is_paragraph(*column, rows));
    listed.sum::<usize>() * 2 > all || paragraphs.count() > 1
}

/// Says whether a column was drawn line by line, with nothing beside it, and sentences go on in its lines.
fn is_paragraph(column: usize, rows: &[Vec<Cell<'_>>]) -> bool {
    let filled = rows.iter().filter(|row| !row[column].is_empty());
    let filled: Vec<&Vec<Cell<'_>>> = filled.collect();
    let line = |row: &[Cell<'_>]| row[column][0].place.0;
    let is_alone = |row: &[Cell<'_>]| {
        let of_line = row
            .iter()
            .flatten()
            .filter(|word| word.place.0 == line(row));
        of_line.count() == row[column].len()
    };
    let breaks = filled.len().saturating_sub(1) as f64;
    let pairs = || filled.windows(2);
    let next = pairs().filter(|pair| line(pair[1]) == line(pair[0]) + 1 && is_alone(pair[1]));
    let small = pairs().filter(|pair| pair[1][column][0].text.starts_with(char::is_lowercase));
    filled.len() >= MIN_LINES
        && next.count() as f64 >= DRAWN * breaks
        && small.count() as f64 >= SMALL * breaks
}
