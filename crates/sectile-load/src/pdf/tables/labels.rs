//! Labels of rows that are wrapped: their first column is narrower than what is written in it.

use std::collections::BTreeSet;

use super::{Piece, Row};

/// How many lines a label has at most.
const MAX_LINES: usize = 6;

/// How far the lines of a label are apart, how much their beginnings differ, and how wide a space is, as parts
/// of the height of a line.
const LEADING: f64 = 0.4;
const SAME_LEFT: f64 = 0.4;
const SPACE: f64 = 0.2;

/// How many lines before and behind a label are compared with it, and how many labels that begin small in
/// other rows show that a small letter does not go on anything.
const NEAR: usize = 12;
const SMALL: usize = 2;

/// The lines of labels of several lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    /// The first lines of labels whose cells stand further down.
    pub(super) begun: BTreeSet<usize>,
    /// The lines that go on a label, and the cells between them.
    pub(super) continued: BTreeSet<usize>,
}

impl Labels {
    /// Returns whether a line is part of a label, with or without cells beside it.
    pub(super) fn has(&self, line: usize) -> bool {
        self.begun.contains(&line) || self.continued.contains(&line)
    }

    /// Returns those of the lines from one to another, counted from the first.
    pub(super) fn between(&self, start: usize, end: usize) -> Self {
        let of = |lines: &BTreeSet<usize>| {
            let lines = lines.range(start..).take_while(|line| **line < end);
            lines.map(|line| line - start).collect()
        };
        Self {
            begun: of(&self.begun),
            continued: of(&self.continued),
        }
    }
}

/// Returns the lines of labels that are wrapped. The cells beside a label may stand at its first line, its last
/// one, or between two.
pub(super) fn wrapped(lines: &[Row<'_>], pieces: &[Vec<Piece<'_>>], height: f64) -> Labels {
    let page = Page {
        lines,
        pieces,
        height,
    };
    let mut wrapped = Labels::default();
    let mut start = 0;
    while start < lines.len() {
        let mut label = vec![start];
        while let Some(next) = page.next(label[label.len() - 1]) {
            label.push(next);
        }
        let end = label[label.len() - 1];
        if label.len() > 1 && page.is_label(&label) {
            wrapped
                .begun
                .extend((pieces[start].len() == 1).then_some(start));
            wrapped.continued.extend(start + 1..=end);
        }
        start = end.max(start + 1);
    }
    wrapped
}

struct Page<'a, 'b> {
    lines: &'b [Row<'a>],
    pieces: &'b [Vec<Piece<'a>>],
    height: f64,
}

impl Page<'_, '_> {
    /// Returns the line that may go on a label: the next one, or the one behind cells that stand between.
    fn next(&self, line: usize) -> Option<usize> {
        let next = line + 1;
        if next < self.lines.len() && self.are_one(line, next) {
            return Some(next);
        }
        let behind = next + 1;
        let is_between = || {
            let cells = &self.pieces[next];
            let ends = self.pieces[line][0].right.max(self.pieces[behind][0].right);
            self.pieces[line].len() == 1 && self.pieces[behind].len() == 1 && cells[0].left > ends
        };
        let is_behind = behind < self.lines.len() && self.are_one(line, behind) && is_between();
        is_behind.then_some(behind)
    }

    fn are_one(&self, above: usize, below: usize) -> bool {
        let (one, other) = (&self.pieces[above], &self.pieces[below]);
        let gap = self.lines[below].top() - self.lines[above].bottom();
        let last = one[0].words.last().map_or("", |word| word.text);
        (one.len() == 1 || other.len() == 1)
            && gap < LEADING * self.height
            && self.are_level(above, below)
            && begins_small(&other[0])
            && !other[0].words[0].is_monospace
            && !last.ends_with(['.', ':', ';', '!', '?'])
    }

    /// Returns whether the labels of two lines begin at the same place.
    fn are_level(&self, one: usize, other: usize) -> bool {
        let left = |line: usize| self.pieces[line][0].left;
        (left(one) - left(other)).abs() < SAME_LEFT * self.height
    }

    /// Returns whether lines are a label: one of them, or one between, has the cells of the row
    /// behind the label, and none has room for the first word of the next.
    fn is_label(&self, label: &[usize]) -> bool {
        let span = label[0]..=label[label.len() - 1];
        let mut cells = span.clone().filter_map(|line| {
            let of_label = usize::from(label.contains(&line));
            self.pieces[line].get(of_label)
        });
        let (Some(cell), None) = (cells.next(), cells.next()) else {
            return false;
        };
        let first = |line: usize| &self.pieces[line][0];
        let near = span.start().saturating_sub(NEAR)..(span.end() + NEAR).min(self.lines.len());
        let of_column = || near.clone().filter(|line| self.are_level(label[0], *line));
        let ends = of_column().map(|line| first(line).right);
        let end = ends.filter(|end| *end < cell.left).fold(f64::MIN, f64::max);
        let is_full = |pair: &[usize]| {
            let word = &first(pair[1]).words[0];
            first(pair[0]).right + SPACE * self.height + word.right - word.left > end
        };
        let small = of_column().filter(|line| {
            let is_row = self.pieces[*line].len() > 1 && begins_small(first(*line));
            is_row && !label.contains(line) && !(*line > 0 && self.are_one(*line - 1, *line))
        });
        label.len() <= MAX_LINES
            && label.iter().all(|line| first(*line).right < cell.left)
            && label.windows(2).all(is_full)
            && small.count() < SMALL
    }
}

fn begins_small(piece: &Piece<'_>) -> bool {
    let text = piece.words[0].text.trim_start_matches('(');
    text.starts_with(char::is_lowercase)
}
