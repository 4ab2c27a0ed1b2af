//! What is written in the cells of a table.

use super::{Cell, Piece, Word};
use crate::pdf::direction::is_from_the_right;
use crate::pdf::spacing::joint;

/// How far below a word the next line begins, as a part of the height of a line.
const BELOW: f64 = 0.5;

/// Returns the text of each cell, row by row.
///
/// A name that is longer than its column is broken at any letter to stay in it. It is one word again where its
/// lines are as full as can be.
pub(super) fn texts(rows: &[Vec<Cell<'_>>]) -> Vec<Vec<String>> {
    let limits = limits(rows);
    let row = |row: &Vec<Cell<'_>>| {
        let cells = row.iter().zip(&limits);
        cells
            .map(|(cell, limit)| joined(cell, Some(*limit)))
            .collect()
    };
    rows.iter().map(row).collect()
}

/// Returns the text of some words, in the order in which they are read.
pub(super) fn text(words: &[Word<'_>]) -> String {
    joined(words, None)
}

/// Returns whether a cell holds a number, with its signs, or a dash.
pub(super) fn is_number(cell: &[Word<'_>]) -> bool {
    let text: String = cell.iter().map(|word| word.text).collect();
    let is_sign = |c: char| c.is_ascii_digit() || "-–—−()<>~+.,%€$£  ".contains(c);
    !text.is_empty() && text.chars().all(is_sign)
}

/// Returns how far to the right each column is written, but for what is written over the next one, too.
fn limits(rows: &[Vec<Cell<'_>>]) -> Vec<f64> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let words = |column: usize| rows.iter().filter_map(move |row| row.get(column)).flatten();
    let mut next = f64::MAX;
    let mut limits = vec![0.0; columns];
    for column in (0..columns).rev() {
        let inside = words(column)
            .map(|word| word.right)
            .filter(|&right| right <= next);
        limits[column] = inside.fold(f64::MIN, f64::max);
        next = words(column).map(|word| word.left).fold(next, f64::min);
    }
    limits
}

/// Joins words by spaces, but for the parts of a name that fills its lines up to the limit.
fn joined(words: &[Word<'_>], limit: Option<f64>) -> String {
    let words = read(words);
    let mut text = String::new();
    // Where the name begins that is written last, and whether it has its line for itself.
    let (mut start, mut is_alone) = (0, true);
    for (index, word) in words.iter().enumerate() {
        let last = index.checked_sub(1).map(|last| &words[last]);
        let breaks = last.is_some_and(|last| is_below(last, word));
        let goes_on = breaks
            && is_alone
            && last.is_some_and(|last| limit.is_some_and(|limit| is_full(last, word, limit)))
            && is_name(&text[start..], word.text);
        if !goes_on {
            text.push_str(match breaks {
                true => joint(&text, word.text),
                false if index > 0 => " ",
                false => "",
            });
            start = text.len();
            is_alone = breaks || index == 0;
        }
        text.push_str(word.text);
    }
    text
}

/// Returns whether a word is on a line below that of another, however small one of them is, as notes are.
fn is_below(one: &Word<'_>, other: &Word<'_>) -> bool {
    other.middle() - one.middle() > BELOW * one.height().max(other.height())
}

/// Returns words in the order in which they are read: as they were drawn, unless what stands before something on
/// its line, or above it, was drawn after it, as labels are after the values of a form.
fn read<'a>(words: &[Word<'a>]) -> Vec<Word<'a>> {
    let mut words = words.to_vec();
    words.sort_by_key(|word| word.place);
    let lines: Vec<&[Word<'_>]> = words
        .chunk_by(|one, other| one.place.0 == other.place.0)
        .collect();
    let goes_back = |pair: &[&[Word<'_>]]| {
        let (last, next) = (Piece::of(pair[0].to_vec()), Piece::of(pair[1].to_vec()));
        let (one, other) = (&pair[0][0], &pair[1][0]);
        if is_below(other, one) {
            next.left < last.right && last.left < next.right
        } else {
            !is_below(one, other) && next.right <= last.left
        }
    };
    let is_plain = |word: &Word<'_>| !word.is_turned && !is_from_the_right(word.text);
    if words.iter().all(is_plain) && lines.windows(2).any(goes_back) {
        words.sort_by(|one, other| one.middle().total_cmp(&other.middle()));
        for line in words.chunk_by_mut(|one, other| !is_below(one, other)) {
            line.sort_by(|one, other| one.left.total_cmp(&other.left));
        }
    }
    words
}

/// Returns whether not one letter of the next word has room behind a word.
fn is_full(word: &Word<'_>, next: &Word<'_>, limit: f64) -> bool {
    let letters = next.text.chars().count().max(1) as f64;
    word.right + (next.right - next.left) / letters > limit && word.right <= limit + 1.0
}

/// Returns whether two parts make a name as programs have them, such as `max_tokens`, `maxTokens`, or an address.
fn is_name(before: &str, after: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || "_-./[]".contains(character);
    let is_broken = before.ends_with(|c: char| c.is_alphabetic() || c == '_')
        && after.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let humps = |text: &str| {
        let mut pairs = text.chars().zip(text.chars().skip(1));
        pairs.any(|(one, other)| one.is_lowercase() && other.is_uppercase())
    };
    let is_address = |text: &str| text.contains("://") || text.matches('.').count() > 1;
    let is_of_program = |text: &str| text.contains('_') || humps(text) || is_address(text);
    is_broken
        && before
            .chars()
            .chain(after.chars())
            .all(|c| is_part(c) || "\":,()".contains(c))
        && (is_of_program(before) || after.contains('_') || humps(after))
}
