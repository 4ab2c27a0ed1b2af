//! Lines that are drawn from below, or from the right: some writers begin at the end of a paragraph.

use super::direction::Flow;
use super::lines::{Line, Word};

/// How far one line is above another that is drawn before it in a paragraph, in multiples of the type size.
const LEAST_RISE: f64 = 0.8;
const MOST_RISE: f64 = 3.0;

/// How many lines are drawn each above the one before at least: of two, each may be on its own.
const MIN_ROWS: usize = 3;

/// How many words most rows have at least.
const MIN_WORDS: usize = 2;

/// How far apart what is drawn next may stand to the left, in multiples of the type size.
const NEAR: f64 = 1.5;

/// Brings lines that were drawn from below into their order, and what stands beside each other into its own.
pub(super) fn downward(lines: Vec<Line>) -> Vec<Line> {
    let mut rows: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        match rows.last_mut().filter(|row| is_in_row(row, &line)) {
            Some(row) => row.push(line),
            None => rows.push(vec![line]),
        }
    }
    rows.iter_mut()
        .filter(|row| row.windows(2).all(goes_left))
        .for_each(|row| row.reverse());
    for run in rows.chunk_by_mut(|row, next| rises(row, next)) {
        if run.len() >= MIN_ROWS && is_text(run) {
            run.reverse();
        }
    }
    rows.into_iter().flatten().collect()
}

/// Returns whether most rows have several words with letters: the labels of a chart may stand in any order.
fn is_text(rows: &[Vec<Line>]) -> bool {
    let is_word = |word: &&Word| word.text.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let words = |row: &&Vec<Line>| {
        let words = row.iter().flat_map(|line| &line.words);
        words.filter(is_word).count() >= MIN_WORDS
    };
    rows.iter().filter(words).count() * 2 > rows.len()
}

fn is_in_row(row: &[Line], line: &Line) -> bool {
    row.last().is_some_and(|last| last.is_level_with(line))
}

/// Returns whether a line stands right before the one that was drawn before it.
fn goes_left(pair: &[Line]) -> bool {
    let size = pair[0].size.max(pair[1].size);
    let gap = pair[0].left() - pair[1].right();
    is_forth(&pair[0]) && is_forth(&pair[1]) && (0.0..NEAR * size).contains(&gap)
}

/// Returns whether a row is drawn as the one above the last.
fn rises(row: &[Line], next: &[Line]) -> bool {
    let is_above = |line: &Line, next: &Line| {
        let rise = (line.y - next.y) / line.size.max(next.size);
        line.turn == next.turn
            && is_forth(line)
            && is_forth(next)
            && (LEAST_RISE..=MOST_RISE).contains(&rise)
            && line.left() < next.right()
            && next.left() < line.right()
    };
    row.iter()
        .any(|line| next.iter().any(|next| is_above(line, next)))
}

fn is_forth(line: &Line) -> bool {
    line.flow == Flow::Forth
}
