//! Text that stands in columns and is not a table: lists and paragraphs beside each other.

use std::collections::BTreeSet;

use super::column::Column;
use super::{Cell, Piece, Row, Word};

/// How many items a list has at least, and which part of its lines begin one.
const MIN_ITEMS: usize = 2;
const ITEMS: f64 = 0.3;

/// Which part of the lines of columns follow each other as they are drawn.
const DRAWN: f64 = 0.7;

/// Which part of the lines of a paragraph begin with a small letter.
const SMALL: f64 = 0.5;

/// How much the gaps of a line differ that is set to fill its column, in points.
const EVEN: f64 = 0.5;

/// Which part of the pieces stand where others of their columns do, and how far they may be from there, as a part
/// of the height of a line.
const ALIGNED: f64 = 0.6;
const SAME_PLACE: f64 = 0.25;

/// How many pieces are signs of formulas at least, and which part of all.
const MIN_SIGNS: usize = 2;
const SIGNS: f64 = 0.2;

/// How many lines are numbered at least, and in which part of them the number is the next.
const MIN_NUMBERED: usize = 4;
const NUMBERED: f64 = 0.8;

/// How many lines a paragraph has at least.
const MIN_LINES: usize = 3;

/// How many rows above a table may be drawn apart from it, and in how many rows there may be one of these.
const MOST_APART: usize = 3;
const ONE_APART_IN: usize = 4;

/// Which part of the lines that are drawn from the first line of a table to its last one are its own at least.
const OWN: f64 = 0.5;

/// One of so many lines of a table may be drawn long before the others, and one long after them, as its sum is.
const ONE_ELSEWHERE_IN: usize = 10;

/// Which part of the cells of blocks of text is drawn right after the cell above, and which part has its baseline
/// elsewhere than the cell to its left.
const BELOW: f64 = 0.5;
const UNEVEN: f64 = 0.5;

/// How far baselines of one row are apart at most, as a part of the height of a line.
const SAME_BASELINE: f64 = 0.08;

/// How far below the upper end of a word its baseline is, as a part of its height.
const ASCENT: f64 = 0.75;

/// Returns whether most pieces of several words are put together of words that were drawn apart, as columns are
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

/// Returns whether the gaps of each line are as wide as each other, and wider or narrower than those of other
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

/// Returns whether few pieces begin, end or have their middles where most others of their columns do, or many reach
/// over several columns: the gaps between them are those of a text, as recognized texts and formulas have them.
pub(super) fn is_scattered(lines: &[Vec<Piece<'_>>], columns: &[Column], height: f64) -> bool {
    let pieces = || lines.iter().flatten();
    let is_over =
        |piece: &Piece<'_>, column: &Column| column.left < piece.right && piece.left < column.right;
    let spanning = pieces().filter(|piece| {
        let mut under = columns.iter().filter(|column| is_over(piece, column));
        under.nth(1).is_some()
    });
    let spanning = spanning.count() as f64 / pieces().count() as f64;
    let of_columns: Vec<(usize, usize)> = columns
        .iter()
        .map(|column| {
            let is_in = |piece: &&Piece<'_>| (column.left..=column.right).contains(&piece.center());
            let of: Vec<&Piece<'_>> = pieces().filter(is_in).collect();
            (aligned(&of, SAME_PLACE * height), of.len())
        })
        .collect();
    // Of three lines, two cells in a column are as many as can be asked for.
    [MIN_LINES, MIN_LINES.min(lines.len() - 1)]
        .into_iter()
        .any(|least| {
            let counts = of_columns.iter().filter(|(_, all)| *all >= least);
            let (aligned, all) =
                counts.fold((0, 0), |(aligned, all), of| (aligned + of.0, all + of.1));
            all > 0 && (aligned as f64 / all as f64) - spanning < ALIGNED
        })
}

/// Returns how many pieces begin, end or have their middles at the same place, which most of them share.
fn aligned(pieces: &[&Piece<'_>], far: f64) -> usize {
    let places: [fn(&Piece<'_>) -> f64; 3] = [|of| of.left, |of| of.right, |of| of.center()];
    let most = places.map(|place| {
        let all = pieces.iter().map(|piece| place(piece)).collect();
        most_alike(all, far)
    });
    most.into_iter().max().unwrap_or(0)
}

/// Returns whether many pieces are nothing but the brackets and signs of formulas that are set over several lines.
pub(super) fn is_formula(lines: &[Vec<Piece<'_>>]) -> bool {
    let is_sign = |piece: &&Piece<'_>| {
        let mut letters = piece.words.iter().flat_map(|word| word.text.chars());
        letters.all(is_sign)
    };
    let pieces = || lines.iter().flatten();
    let signs = pieces().filter(is_sign).count();
    signs >= MIN_SIGNS && signs as f64 >= SIGNS * pieces().count() as f64
}

/// Returns whether a letter is a bracket or an operator, or a part of one.
fn is_sign(letter: char) -> bool {
    matches!(
        letter,
        '(' | ')' | '[' | ']' | '{' | '}' | '|' | '=' | '·' | '∣' | '∥' | '‾' | '⏐'
    ) || matches!(letter, '∏'..='∑' | '√' | '∫'..='∳' | '⋀'..='⋃' | '⨀'..='⨆')
        || matches!(letter, '\u{239b}'..='\u{23b3}' | '\u{23dc}'..='\u{23e1}' | '\u{fe35}'..='\u{fe38}')
}

/// Returns how many of some numbers are no further than this from one of them.
fn most_alike(mut numbers: Vec<f64>, far: f64) -> usize {
    numbers.sort_by(f64::total_cmp);
    let around = |number: &f64| {
        let before = numbers.partition_point(|other| *other <= number - far);
        numbers.partition_point(|other| *other < number + far) - before
    };
    numbers.iter().map(around).max().unwrap_or(0)
}

/// Returns whether the lines are numbered, from the first on, as those of programs are.
pub(super) fn is_numbered(lines: &[Vec<Piece<'_>>], columns: usize) -> bool {
    let number = |line: &Vec<Piece<'_>>| {
        let [word] = &*line.first()?.words else {
            return None;
        };
        let bare = word.text.strip_suffix(':');
        let number: u32 = bare.unwrap_or(word.text).parse().ok()?;
        Some((number, bare.is_some()))
    };
    let numbers: Vec<Option<(u32, bool)>> = lines.iter().map(number).collect();
    let follows = |pair: &&[Option<(u32, bool)>]| match pair {
        [Some((one, _)), Some((next, _))] => one.checked_add(1) == Some(*next),
        _ => false,
    };
    let is_marked = |number: &Option<(u32, bool)>| number.is_some_and(|(_, is_marked)| is_marked);
    let following = numbers.windows(2).filter(follows).count();
    lines.len() >= MIN_NUMBERED
        && numbers[0].is_some()
        && following as f64 >= NUMBERED * (lines.len() - 1) as f64
        && (columns == 2 || is_marked(&numbers[0]) || lines.iter().all(|line| line.len() <= 2))
}

/// Returns whether most cells are lines of lists, or several columns hold paragraphs that were drawn one after the
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

/// Returns how many of the first rows are drawn apart from those below them, with something else in between, as the
/// head of a page is that stands above a table.
pub(super) fn drawn_apart(rows: &[Row<'_>]) -> usize {
    let span = |rows: &[Row<'_>]| drawn(rows.iter().flat_map(|row| &row.words));
    let is_apart = |at: &usize| {
        let (above, below) = (span(&rows[..*at]), span(&rows[*at..]));
        above.1 + 1 < below.0 || below.1 + 1 < above.0
    };
    let most = MOST_APART.min(rows.len() / ONE_APART_IN);
    (1..=most).rev().find(is_apart).unwrap_or(0)
}

/// Returns whether most lines that are drawn between its first and its last one stand elsewhere: what stands in columns
/// by chance was drawn here and there, as the labels of a form are.
pub(super) fn is_gathered(rows: &[Vec<Cell<'_>>]) -> bool {
    let words = rows.iter().flatten().flatten();
    let own: BTreeSet<usize> = words.map(|word| word.place.0).collect();
    let own: Vec<usize> = own.into_iter().collect();
    let elsewhere = own.len() / ONE_ELSEWHERE_IN;
    let near = &own[elsewhere..own.len() - elsewhere];
    let (Some(first), Some(last)) = (near.first(), near.last()) else {
        return false;
    };
    (near.len() as f64) < OWN * (last - first + 1) as f64
}

/// Returns the first and the last line, as they are drawn, in which some words stand.
fn drawn<'a, 'b: 'a>(words: impl Iterator<Item = &'a Word<'b>>) -> (usize, usize) {
    let lines = words.map(|word| word.place.0);
    lines.fold((usize::MAX, 0), |(first, last), line| {
        (first.min(line), last.max(line))
    })
}

/// Returns whether most cells were drawn right after the one above, and their baselines are not those of the cells beside
/// them: addresses and other blocks of text that stand beside each other.
pub(super) fn are_blocks(rows: &[Vec<Cell<'_>>]) -> bool {
    let is_alone = |row: &[Cell<'_>], column: usize| {
        let line = row[column][0].place.0;
        let mut others = (0..row.len()).filter(|other| *other != column);
        !others.any(|other| row[other].iter().any(|word| word.place.0 == line))
    };
    let (mut pairs, mut below) = (0_usize, 0_usize);
    for column in 0..rows.first().map_or(0, Vec::len) {
        let filled = rows.iter().filter(|row| !row[column].is_empty());
        let filled: Vec<&Vec<Cell<'_>>> = filled.collect();
        pairs += filled.len().saturating_sub(1);
        let is_below = |pair: &&[&Vec<Cell<'_>>]| {
            let above = pair[0][column].last().map(|word| word.place.0 + 1);
            above == Some(pair[1][column][0].place.0) && is_alone(pair[1], column)
        };
        below += filled.windows(2).filter(is_below).count();
    }
    let baseline = |word: &Word<'_>| word.top + ASCENT * word.height();
    let is_uneven = |pair: &&[&Cell<'_>]| {
        let (one, other) = (&pair[0][0], &pair[1][0]);
        let far = SAME_BASELINE * one.height().max(other.height());
        (baseline(one) - baseline(other)).abs() > far
    };
    let (mut beside, mut uneven) = (0_usize, 0_usize);
    for row in rows {
        let cells: Vec<&Cell<'_>> = row.iter().filter(|cell| !cell.is_empty()).collect();
        beside += cells.len().saturating_sub(1);
        uneven += cells.windows(2).filter(is_uneven).count();
    }
    below as f64 > BELOW * pairs as f64 && uneven as f64 > UNEVEN * beside as f64
}

/// Returns whether a column was drawn line by line, with nothing beside it, and sentences go on in its lines.
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
