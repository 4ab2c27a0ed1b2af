//! What stands in columns: lines that go over them, and sentences that go on from line to line.

use std::collections::BTreeMap;

use super::super::lines::{Line, Word};

/// How far lines of text go over their column, and which part of them does.
const FULL: f64 = 0.75;
const FILLED: f64 = 0.5;

/// How many lines tell whether sentences go on in a column, and in which part of them one goes on from the line above.
const MIN_LINES: usize = 5;
const RUNNING: f64 = 0.6;

/// What stands in a line of a column.
pub(super) struct Part<'a> {
    left: f64,
    right: f64,
    first: &'a str,
    last: &'a str,
}

impl<'a> Part<'a> {
    fn of(word: &'a Word) -> Self {
        Self {
            left: word.left,
            right: word.right,
            first: &word.text,
            last: &word.text,
        }
    }

    fn add(&mut self, word: &'a Word) {
        self.left = self.left.min(word.left);
        self.right = self.right.max(word.right);
        self.last = &word.text;
    }
}

/// Returns the columns of lines, beside which there are gutters with these numbers and middles, in order from the left.
pub(super) fn columns<'a>(
    lines: &'a [Line],
    gutters: impl Fn(&Line) -> Vec<(usize, f64)>,
) -> Vec<Vec<Part<'a>>> {
    let mut columns: BTreeMap<_, Vec<Part<'a>>> = BTreeMap::new();
    for line in lines {
        let near = gutters(line);
        let column = |word: &Word| {
            let middle = f64::midpoint(word.left, word.right);
            let at = near.partition_point(|gutter| gutter.1 < middle);
            let before = at.checked_sub(1).map(|before| near[before].0);
            (before, near.get(at).map(|gutter| gutter.0))
        };
        let mut parts: BTreeMap<_, Part<'a>> = BTreeMap::new();
        for word in &line.words {
            let part = parts.entry(column(word));
            part.and_modify(|part| part.add(word))
                .or_insert_with(|| Part::of(word));
        }
        for (column, part) in parts {
            columns.entry(column).or_default().push(part);
        }
    }
    columns.into_values().collect()
}

/// Returns whether many lines go over most of their columns.
pub(super) fn is_filled(columns: &[Vec<Part<'_>>]) -> bool {
    let full = |column: &Vec<Part<'_>>| {
        let left = column.iter().map(|part| part.left).fold(f64::MAX, f64::min);
        let right = column
            .iter()
            .map(|part| part.right)
            .fold(f64::MIN, f64::max);
        let is_full = |part: &&Part<'_>| part.right - part.left > FULL * (right - left);
        column.iter().filter(is_full).count()
    };
    let all: usize = columns.iter().map(Vec::len).sum();
    columns.iter().map(full).sum::<usize>() as f64 >= FILLED * all as f64
}

/// Returns whether sentences go on from line to line in all columns of several lines, and begin in some, as they do not in
/// cells.
pub(super) fn runs_on(columns: &[Vec<Part<'_>>]) -> bool {
    let ends = |word: &str| word.ends_with(['.', '!', '?', ':', ';']);
    let goes_on =
        |pair: &&[Part<'_>]| !ends(pair[0].last) && pair[1].first.starts_with(char::is_lowercase);
    let mut several = columns.iter().filter(|column| column.len() >= MIN_LINES);
    let runs = |column: &Vec<Part<'_>>| {
        let running = column.windows(2).filter(goes_on).count();
        let begun = column[1..].iter();
        let mut begun = begun.filter(|part| part.first.starts_with(char::is_uppercase));
        running as f64 >= RUNNING * (column.len() - 1) as f64 && begun.next().is_some()
    };
    columns.iter().any(|column| column.len() >= MIN_LINES) && several.all(runs)
}
