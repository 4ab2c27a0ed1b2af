//! Columns of text that are drawn row by row.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use kurbo::Affine;

use super::direction::Flow;
use super::drawn::Rule;
use super::lines::{Line, Word};
use super::line_groups::{PITCH, is_led};

/// How many rows go over both sides of a gutter at least, and how many words a part of a row has on average at least:
/// those of both sides, and those of each.
const MIN_ROWS: usize = 4;
const MIN_WORDS: f64 = 4.0;
const MIN_SIDE_WORDS: f64 = 3.0;

/// How wide a gutter is at least, and how far apart lines beside one may be, in multiples of the type size.
const NARROWEST: f64 = 0.6;
const APART: f64 = 3.0;

/// How many lines stand together on average, without white across both columns: rows of cells have fewer.
const MIN_TOGETHER: usize = 4;

/// How far lines of text go over their column, and which part of them does.
const FULL: f64 = 0.75;
const FILLED: f64 = 0.5;

/// How many lines, and how many gutters, are looked at.
const MAX_LINES: usize = 3_000;
const MAX_GUTTERS: usize = 100;

/// Brings lines that run over several columns of text into the order in which the columns are read.
pub(super) fn unweave(lines: Vec<Line>, rules: &[Rule]) -> Vec<Line> {
    let Some(gutter) = gutter(&lines, rules) else {
        return lines;
    };
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut sides = [Vec::new(), Vec::new()];
    for line in lines {
        if gutter.has_beside(&line) {
            for (side, part) in sides.iter_mut().zip(gutter.parts(&line)) {
                side.extend(part);
            }
        } else if sides.iter().all(Vec::is_empty) {
            before.push(line);
        } else {
            after.push(line);
        }
    }
    if sides.iter().flatten().filter(|line| line.is_back()).count() * 2
        > sides.iter().map(Vec::len).sum()
    {
        sides.reverse();
    }
    let [first, second] = sides;
    let all = [before, first, second, after];
    all.into_iter()
        .flat_map(|lines| unweave(lines, rules))
        .collect()
}

/// White between two columns.
#[derive(Clone, Copy, Debug)]
struct Gutter {
    turn: i32,
    left: f64,
    right: f64,
    /// The baselines of the first and the last line beside it.
    top: f64,
    bottom: f64,
}

/// Returns the gutter over which most lines of text are drawn from column to column.
fn gutter(lines: &[Line], rules: &[Rule]) -> Option<Gutter> {
    if lines.len() > MAX_LINES {
        return None;
    }
    let gaps = gaps(lines);
    let mut order: Vec<&Line> = lines.iter().filter(|line| is_across(line)).collect();
    order.sort_by(|one, other| one.y.total_cmp(&other.y));
    let mut gutters: Vec<Gutter> = Vec::new();
    for gap in &gaps {
        if gutters.len() < MAX_GUTTERS && !gutters.iter().any(|gutter| gutter.is_in(gap)) {
            gutters.push(gap.grown(&order, rules));
        }
    }
    let count = |gutter: &Gutter| gaps.iter().filter(|gap| gutter.is_in(gap)).count();
    gutters.retain(|gutter| count(gutter) >= MIN_ROWS);
    gutters.sort_by_cached_key(|gutter| Reverse(count(gutter)));
    let parts_text = |gutter: &&Gutter| gutter.parts_text(lines, &gutters);
    gutters.iter().find(parts_text).copied()
}

/// Returns the gaps in lines, and between those that are drawn one after the other beside each other.
fn gaps(lines: &[Line]) -> Vec<Gutter> {
    let between = |line: &Line, one: (f64, f64), other: (f64, f64)| Gutter {
        turn: line.turn,
        left: one.1.min(other.1),
        right: one.0.max(other.0),
        top: line.y,
        bottom: line.y,
    };
    let across = lines.iter().filter(|line| is_across(line));
    let within = across.flat_map(|line| {
        let pairs = line.words.windows(2).filter(|pair| pair[1].is_apart);
        let edges = |word: &Word| (word.left, word.right);
        pairs.map(move |pair| between(line, edges(&pair[0]), edges(&pair[1])))
    });
    let are_beside = |pair: &&[Line]| {
        let size = pair[0].size.max(pair[1].size);
        pair.iter().all(is_across)
            && pair[0].turn == pair[1].turn
            && (pair[0].y - pair[1].y).abs() < size
    };
    let pairs = lines.windows(2).filter(are_beside);
    let edges = |line: &Line| (line.left(), line.right());
    let beside = pairs.map(|pair| between(&pair[0], edges(&pair[0]), edges(&pair[1])));
    within
        .chain(beside.filter(|gap| gap.right > gap.left))
        .collect()
}

fn is_across(line: &Line) -> bool {
    line.flow != Flow::Down
}

impl Gutter {
    /// Makes it as long as it stays white between lines that are in order from the top.
    fn grown(mut self, order: &[&Line], rules: &[Rule]) -> Self {
        let from = order.partition_point(|line| line.y < self.top);
        let (above, below) = order.split_at(from);
        for line in below.iter().filter(|line| line.turn == self.turn) {
            match self.beside(line, self.bottom, rules) {
                Some((left, right)) => (self.left, self.right, self.bottom) = (left, right, line.y),
                None => break,
            }
        }
        for line in above.iter().rev().filter(|line| line.turn == self.turn) {
            match self.beside(line, self.top, rules) {
                Some((left, right)) => (self.left, self.right, self.top) = (left, right, line.y),
                None => break,
            }
        }
        self
    }

    /// Returns what stays white of it beside the next line, unless that goes over it or stands apart.
    fn beside(&self, line: &Line, last: f64, rules: &[Rule]) -> Option<(f64, f64)> {
        let (mut left, mut right) = (self.left, self.right);
        for word in &line.words {
            if word.right <= left || right <= word.left {
                continue;
            }
            if word.left - left > right - word.right {
                right = word.left;
            } else {
                left = word.right;
            }
        }
        let is_white = right - left >= NARROWEST * line.size;
        let is_near = (line.y - last).abs() <= APART * line.size;
        let between = line.y.min(last)..line.y.max(last);
        let is_ruled = || rules.iter().any(|rule| self.is_crossed(rule, &between));
        (is_white && is_near && !is_ruled()).then_some((left, right))
    }

    /// Says whether a line is drawn over it between two baselines.
    fn is_crossed(&self, rule: &Rule, between: &Range<f64>) -> bool {
        let turned = Affine::rotate(-f64::from(self.turn).to_radians());
        let (start, end) = (turned * rule.start, turned * rule.end);
        let middle = self.middle();
        between.contains(&start.y)
            && between.contains(&end.y)
            && (start.x < middle) != (end.x < middle)
    }

    fn middle(&self) -> f64 {
        f64::midpoint(self.left, self.right)
    }

    /// Says whether it is part of a gap.
    fn is_in(&self, gap: &Self) -> bool {
        self.turn == gap.turn
            && (self.top..=self.bottom).contains(&gap.top)
            && gap.left <= self.left
            && self.right <= gap.right
    }

    fn has_beside(&self, line: &Line) -> bool {
        is_across(line) && line.turn == self.turn && (self.top..=self.bottom).contains(&line.y)
    }

    /// Returns what stands to the left of it and to the right.
    fn parts(&self, line: &Line) -> [Option<Line>; 2] {
        let middle = self.middle();
        let (left, right): (Vec<Word>, Vec<Word>) = line
            .words
            .iter()
            .cloned()
            .partition(|word| f64::midpoint(word.left, word.right) < middle);
        let is_first_left = right.is_empty() || (!left.is_empty() && !line.is_back());
        let part = |words: Vec<Word>, is_first: bool| {
            (!words.is_empty()).then(|| Line {
                words,
                mark: line.mark.clone().filter(|_| is_first),
                ..line.clone()
            })
        };
        [part(left, is_first_left), part(right, !is_first_left)]
    }

    /// Says whether there are columns of text on both sides, of which others of the gutters may part each.
    fn parts_text(&self, lines: &[Line], gutters: &[Self]) -> bool {
        let beside: Vec<&Line> = lines.iter().filter(|line| self.has_beside(line)).collect();
        let mut sides = [Vec::new(), Vec::new()];
        for line in &beside {
            for (side, part) in sides.iter_mut().zip(self.parts(line)) {
                side.extend(part);
            }
        }
        let means = sides.each_ref().map(|side| words_of_parts(side));
        !beside.iter().any(|line| is_led(line))
            && are_together(&beside)
            && means.iter().all(|mean| *mean >= MIN_SIDE_WORDS)
            && means.iter().sum::<f64>() >= 2.0 * MIN_WORDS
            && sides.iter().all(|side| is_filled(side, gutters))
    }
}

/// Returns how many words the parts of some lines have on average that stand apart.
fn words_of_parts(lines: &[Line]) -> f64 {
    let parts = lines
        .iter()
        .flat_map(|line| line.words.chunk_by(|_, next| !next.is_apart));
    let words: usize = lines.iter().map(|line| line.words.len()).sum();
    words as f64 / parts.count().max(1) as f64
}

/// Says whether many lines follow each other, in whatever column, without white below them.
fn are_together(lines: &[&Line]) -> bool {
    let mut places: Vec<f64> = lines.iter().map(|line| line.y).collect();
    places.sort_by(f64::total_cmp);
    let size = lines.iter().map(|line| line.size).fold(0.0, f64::max);
    let is_same = |pair: &[f64]| pair[1] - pair[0] < size / 2.0;
    let gaps = places.windows(2).filter(|pair| !is_same(pair));
    let mut gaps: Vec<f64> = gaps.map(|pair| pair[1] - pair[0]).collect();
    if gaps.is_empty() {
        return false;
    }
    let middle = gaps.len() / 2;
    let pitch = gaps.select_nth_unstable_by(middle, f64::total_cmp).1;
    let pitch = pitch.max(size);
    let wide = gaps.iter().filter(|gap| **gap > PITCH * pitch).count();
    gaps.len() + 1 >= MIN_TOGETHER * (wide + 1)
}

/// Says whether many lines go over most of their columns, which gutters part from each other.
fn is_filled(lines: &[Line], gutters: &[Gutter]) -> bool {
    let mut gutters = gutters.to_vec();
    gutters.sort_by(|one, other| one.middle().total_cmp(&other.middle()));
    let mut columns: BTreeMap<_, Vec<(f64, f64)>> = BTreeMap::new();
    for line in lines {
        let near = (0..gutters.len()).filter(|at| gutters[*at].has_beside(line));
        let near: Vec<usize> = near.collect();
        let column = |word: &Word| {
            let middle = f64::midpoint(word.left, word.right);
            let at = near.partition_point(|gutter| gutters[*gutter].middle() < middle);
            let before = at.checked_sub(1).map(|before| near[before]);
            (before, near.get(at).copied())
        };
        let mut parts: BTreeMap<_, (f64, f64)> = BTreeMap::new();
        for word in &line.words {
            let part = parts.entry(column(word)).or_insert((word.left, word.right));
            *part = (part.0.min(word.left), part.1.max(word.right));
        }
        for (column, part) in parts {
            columns.entry(column).or_default().push(part);
        }
    }
    let full = |column: &Vec<(f64, f64)>| {
        let left = column.iter().map(|part| part.0).fold(f64::MAX, f64::min);
        let right = column.iter().map(|part| part.1).fold(f64::MIN, f64::max);
        let is_full = |part: &&(f64, f64)| part.1 - part.0 > FULL * (right - left);
        column.iter().filter(is_full).count()
    };
    let all: usize = columns.values().map(Vec::len).sum();
    columns.values().map(full).sum::<usize>() as f64 >= FILLED * all as f64
}

/// How many lines make a column that stands beside another, how many words they have on average, and how far
/// up the next one begins, in multiples of the type size.
const MIN_LINES: usize = 8;
const MIN_LINE_WORDS: f64 = 2.5;
const UP: f64 = 5.0;

/// Returns for each line of a page the number of the column that it stands in: columns of text are drawn one
/// after the other, and stand beside each other.
pub(super) fn of_lines(lines: &[Line]) -> Vec<usize> {
    let mut columns = vec![0; lines.len()];
    let mut starts = vec![0];
    for (index, pair) in lines.windows(2).enumerate() {
        if pair[0].turn != pair[1].turn || pair[0].y - pair[1].y > UP * pair[1].size {
            starts.push(index + 1);
        }
    }
    starts.push(lines.len());
    let flows: Vec<_> = starts.windows(2).map(|pair| pair[0]..pair[1]).collect();
    let is_beside = |one: &&[Line], other: &&[Line]| {
        let edges = |flow: &[Line]| {
            let left = flow.iter().map(Line::left).fold(f64::MAX, f64::min);
            (left, flow.iter().map(Line::right).fold(f64::MIN, f64::max))
        };
        let (one, other) = (edges(one), edges(other));
        one.1 <= other.0 || other.1 <= one.0
    };
    let large: Vec<&[Line]> = flows
        .iter()
        .map(|flow| &lines[flow.clone()])
        .filter(|flow| is_text(flow))
        .collect();
    let are_columns = large.windows(2).any(|pair| is_beside(&pair[0], &pair[1]));
    if are_columns {
        for (number, flow) in flows.into_iter().enumerate() {
            columns[flow].fill(number);
        }
    }
    columns
}

/// Says whether lines are enough text for a column.
fn is_text(lines: &[Line]) -> bool {
    let words: usize = lines.iter().map(|line| line.words.len()).sum();
    lines.len() >= MIN_LINES && words as f64 >= MIN_LINE_WORDS * lines.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(y: f64, parts: &[(f64, &str)]) -> Line {
        let words = parts.iter().flat_map(|(left, text)| {
            text.split(' ').enumerate().map(move |(index, word)| Word {
                text: word.to_owned(),
                left: left + 10.0 * index as f64,
                right: left + 10.0 * index as f64 + 8.0,
                is_apart: index == 0 && *left > 0.0,
                role: None,
            })
        });
        Line {
            words: words.collect(),
            y,
            size: 10.0,
            ..Line::default()
        }
    }

    fn texts(lines: &[Line]) -> Vec<String> {
        lines.iter().map(Line::text).collect()
    }

    #[test]
    fn columns_drawn_row_by_row_are_read_one_after_the_other() {
        let row = |y| {
            line(
                y,
                &[(0.0, "one two three four"), (100.0, "five six seven eight")],
            )
        };
        let read = unweave(vec![row(0.0), row(12.0), row(24.0), row(36.0)], &[]);
        let mut expected = vec!["one two three four"; 4];
        expected.extend(vec!["five six seven eight"; 4]);
        assert_eq!(texts(&read), expected);
    }

    #[test]
    fn columns_of_text_stand_beside_each_other() {
        let column = |left: f64, text: &'static str| {
            (0..10).map(move |row| line(12.0 * f64::from(row), &[(left, text)]))
        };
        let text: Vec<Line> = column(0.0, "one two three")
            .chain(column(100.0, "four five six"))
            .collect();
        assert_eq!(of_lines(&text), [[0; 10], [1; 10]].concat());
        let cells: Vec<Line> = column(0.0, "North").chain(column(100.0, "12")).collect();
        assert_eq!(of_lines(&cells), [0; 20]);
    }

    #[test]
    fn rows_of_cells_stay() {
        let row = |y| line(y, &[(0.0, "North"), (100.0, "12")]);
        let rows = vec![row(0.0), row(12.0), row(24.0), row(36.0)];
        assert_eq!(unweave(rows.clone(), &[]), rows);
    }
}
