//! Columns of text that are drawn row by row.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use kurbo::Affine;

use super::direction::Flow;
use super::drawn::Rule;
use super::line_groups::{PITCH, is_led};
use super::lines::{Line, Word};
use filled::{columns, is_filled, runs_on};

mod filled;

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

/// How many lines, and how many gutters, are looked at.
const MAX_LINES: usize = 3_000;
const MAX_GUTTERS: usize = 100;

/// Brings lines that run over several columns of text into the order in which the columns are read.
pub(super) fn unweave(lines: Vec<Line>, rules: &[Rule]) -> Vec<Line> {
    let Some((gutter, woven)) = gutter(&lines, rules) else {
        return lines;
    };
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut sides = [Vec::new(), Vec::new()];
    for (number, line) in lines.into_iter().enumerate() {
        if woven.contains(&number) && gutter.has_beside(&line) {
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

/// White between two pieces of text beside each other.
#[derive(Clone, Copy, Debug)]
struct Gap {
    white: Gutter,
    /// Whether both pieces have several words.
    is_of_text: bool,
    /// The number of the line with the first piece.
    line: usize,
}

/// Returns the gutter over which most lines of text are drawn from column to column, and the lines among which that is so.
/// How far white goes is looked at only where lines of several words stand beside each other: on most pages none do.
fn gutter(lines: &[Line], rules: &[Rule]) -> Option<(Gutter, Range<usize>)> {
    let gaps = gaps(lines);
    let has_text = gaps.iter().any(|gap| gap.is_of_text);
    if lines.len() > MAX_LINES || gaps.len() < MIN_ROWS || !has_text {
        return None;
    }
    let page = Page::of(lines, rules, &gaps);
    let count = |gutter: &Gutter| gaps.iter().filter(|gap| gutter.is_in(&gap.white)).count();
    let mut of_text = page.gutters(gaps.iter().filter(|gap| gap.is_of_text));
    let woven = |gutter: &Gutter| &lines[gutter.woven(lines, &gaps)];
    of_text.retain(|gutter| count(gutter) >= MIN_ROWS && gutter.has_text_beside(woven(gutter)));
    if of_text.is_empty() {
        return None;
    }
    of_text.sort_by_cached_key(|gutter| Reverse(count(gutter)));
    let mut gutters = page.gutters(&gaps);
    gutters.retain(|gutter| count(gutter) >= MIN_ROWS);
    let has_columns = |gutter: &&Gutter| gutter.has_columns_beside(woven(gutter), &gutters);
    let found = *of_text.iter().find(has_columns)?;
    Some((found, found.woven(lines, &gaps)))
}

/// Returns the gaps in lines, and between those that are drawn one after the other beside each other.
fn gaps(lines: &[Line]) -> Vec<Gap> {
    let gap = |number: usize, one: (f64, f64), other: (f64, f64), words: usize| Gap {
        white: Gutter {
            turn: lines[number].turn,
            left: one.1.min(other.1),
            right: one.0.max(other.0),
            top: lines[number].y,
            bottom: lines[number].y,
        },
        is_of_text: words as f64 >= MIN_SIDE_WORDS,
        line: number,
    };
    let mut gaps = Vec::new();
    let numbered = lines.iter().enumerate();
    for (number, line) in numbered.filter(|(_, line)| is_across(line)) {
        let mut before: &[Word] = &[];
        for part in line.words.chunk_by(|_, next| !next.is_apart) {
            if let Some(last) = before.last() {
                let edges = |word: &Word| (word.left, word.right);
                let words = before.len().min(part.len());
                gaps.push(gap(number, edges(last), edges(&part[0]), words));
            }
            before = part;
        }
    }
    let are_beside = |(_, pair): &(usize, &[Line])| {
        let size = pair[0].size.max(pair[1].size);
        pair.iter().all(is_across)
            && pair[0].turn == pair[1].turn
            && (pair[0].y - pair[1].y).abs() < size
    };
    let pairs = lines.windows(2).enumerate();
    let beside = pairs.filter(are_beside).map(|(number, pair)| {
        let edges = |line: &Line| (line.left(), line.right());
        let words = pair[0].words.len().min(pair[1].words.len());
        gap(number, edges(&pair[0]), edges(&pair[1]), words)
    });
    gaps.extend(beside.filter(|gap| gap.white.right > gap.white.left));
    gaps
}

/// What ends white: the lines of a page from the top, and what is drawn across it, by the direction of the text.
struct Page<'a> {
    lines: Vec<&'a Line>,
    bars: BTreeMap<i32, Vec<Bar>>,
}

/// What is drawn across a page: how far down it is, and from where to where it goes.
struct Bar {
    y: f64,
    left: f64,
    right: f64,
}

impl<'a> Page<'a> {
    /// Keeps of a page what is looked at where it has these gaps.
    fn of(lines: &'a [Line], rules: &[Rule], gaps: &[Gap]) -> Self {
        let mut order: Vec<&Line> = lines.iter().filter(|line| is_across(line)).collect();
        order.sort_by(|one, other| one.y.total_cmp(&other.y));
        let turns: BTreeSet<i32> = gaps.iter().map(|gap| gap.white.turn).collect();
        let bars = turns.into_iter().map(|turn| (turn, bars(rules, turn)));
        Self {
            lines: order,
            bars: bars.collect(),
        }
    }

    /// Returns the gutters that gaps are part of.
    fn gutters<'g>(&self, gaps: impl IntoIterator<Item = &'g Gap>) -> Vec<Gutter> {
        let mut gutters: Vec<Gutter> = Vec::new();
        for gap in gaps {
            let is_new = !gutters.iter().any(|gutter| gutter.is_in(&gap.white));
            if is_new && gutters.len() < MAX_GUTTERS {
                let bars = self.bars.get(&gap.white.turn);
                gutters.push(
                    gap.white
                        .grown(&self.lines, bars.map_or(&[], Vec::as_slice)),
                );
            }
        }
        gutters
    }
}

/// Returns what is drawn across a page, from the top, as text of a direction sees it.
fn bars(rules: &[Rule], turn: i32) -> Vec<Bar> {
    let turned = Affine::rotate(-f64::from(turn).to_radians());
    let bar = |rule: &Rule| {
        let (start, end) = (turned * rule.start, turned * rule.end);
        Bar {
            y: f64::midpoint(start.y, end.y),
            left: start.x.min(end.x),
            right: start.x.max(end.x),
        }
    };
    let mut bars: Vec<Bar> = rules.iter().map(bar).collect();
    bars.sort_by(|one, other| one.y.total_cmp(&other.y));
    bars
}

fn is_across(line: &Line) -> bool {
    line.flow != Flow::Down
}

impl Gutter {
    /// Makes it as long as it stays white between lines that are in order from the top.
    fn grown(mut self, order: &[&Line], bars: &[Bar]) -> Self {
        let from = order.partition_point(|line| line.y < self.top);
        let (above, below) = order.split_at(from);
        for line in below.iter().filter(|line| line.turn == self.turn) {
            match self.beside(line, self.bottom, bars) {
                Some((left, right)) => (self.left, self.right, self.bottom) = (left, right, line.y),
                None => break,
            }
        }
        for line in above.iter().rev().filter(|line| line.turn == self.turn) {
            match self.beside(line, self.top, bars) {
                Some((left, right)) => (self.left, self.right, self.top) = (left, right, line.y),
                None => break,
            }
        }
        self
    }

    /// Returns what stays white of it beside the next line, unless that goes over it or stands apart.
    fn beside(&self, line: &Line, last: f64, bars: &[Bar]) -> Option<(f64, f64)> {
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
        let is_ruled = || {
            let (above, below) = (line.y.min(last), line.y.max(last));
            let from = bars.partition_point(|bar| bar.y < above);
            let mut between = bars[from..].iter().take_while(|bar| bar.y < below);
            between.any(|bar| bar.left < self.middle() && self.middle() <= bar.right)
        };
        (is_white && is_near && !is_ruled()).then_some((left, right))
    }

    fn middle(&self) -> f64 {
        f64::midpoint(self.left, self.right)
    }

    /// Returns whether it stands to the right of a word.
    fn is_right_of(&self, word: &Word) -> bool {
        f64::midpoint(word.left, word.right) < self.middle()
    }

    /// Returns whether it is part of a gap.
    fn is_in(&self, gap: &Self) -> bool {
        self.turn == gap.turn
            && (self.top..=self.bottom).contains(&gap.top)
            && gap.left <= self.left
            && self.right <= gap.right
    }

    fn has_beside(&self, line: &Line) -> bool {
        is_across(line) && line.turn == self.turn && (self.top..=self.bottom).contains(&line.y)
    }

    /// Returns the lines among which some go on over it, or are drawn in turn on both sides of it, with what is drawn beside
    /// it right before these and behind them. What else stands beside it was drawn as part of another column.
    fn woven(&self, lines: &[Line], gaps: &[Gap]) -> Range<usize> {
        let over = gaps.iter().filter(|gap| self.is_in(&gap.white));
        let over = over.map(|gap| gap.line);
        let Some((first, last)) = over.clone().min().zip(over.max()) else {
            return 0..0;
        };
        let (before, after) = (&lines[..first], &lines[last..]);
        let is_beside = |line: &&Line| self.has_beside(line);
        let before = before.iter().rev().take_while(is_beside).count();
        let after = after.iter().take_while(is_beside).count();
        first - before..last + after
    }

    /// Returns what stands to the left of it and to the right.
    fn parts(&self, line: &Line) -> [Option<Line>; 2] {
        let words = line.words.iter().cloned();
        let (left, right): (Vec<Word>, Vec<Word>) = words.partition(|word| self.is_right_of(word));
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

    /// Returns whether the parts of lines that stand apart on both sides of it have several words
    /// on average.
    fn has_text_beside(&self, lines: &[Line]) -> bool {
        let (mut words, mut parts) = ([0_u32; 2], [0_u32; 2]);
        for line in lines.iter().filter(|line| self.has_beside(line)) {
            let mut last = None;
            for word in &line.words {
                let side = usize::from(!self.is_right_of(word));
                words[side] += 1;
                parts[side] += u32::from(word.is_apart || last != Some(side));
                last = Some(side);
            }
        }
        let means = [0, 1].map(|side| f64::from(words[side]) / f64::from(parts[side].max(1)));
        means.iter().all(|mean| *mean >= MIN_SIDE_WORDS)
            && means.iter().sum::<f64>() >= 2.0 * MIN_WORDS
    }

    /// Returns whether there are columns on both sides, of which others of the gutters may part
    /// each.
    fn has_columns_beside(&self, lines: &[Line], gutters: &[Self]) -> bool {
        let beside: Vec<&Line> = lines.iter().filter(|line| self.has_beside(line)).collect();
        if beside.iter().any(|line| is_led(line)) {
            return false;
        }
        let mut sides = [Vec::new(), Vec::new()];
        for line in &beside {
            for (side, part) in sides.iter_mut().zip(self.parts(line)) {
                side.extend(part);
            }
        }
        let mut gutters: Vec<&Self> = gutters.iter().collect();
        gutters.sort_by(|one, other| one.middle().total_cmp(&other.middle()));
        let near = |line: &Line| -> Vec<(usize, f64)> {
            let all = gutters.iter().enumerate();
            let near = all.filter(|(_, gutter)| gutter.has_beside(line));
            near.map(|(at, gutter)| (at, gutter.middle())).collect()
        };
        let sides = sides.each_ref().map(|side| columns(side, near));
        (are_together(&beside) || sides.iter().all(|side| runs_on(side)))
            && sides.iter().all(|side| is_filled(side))
    }
}

/// Returns whether many lines follow each other, in whatever column, without white below them.
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

/// How many lines make a column that stands beside another, how many words they have on average, and how far
/// up the next one begins, in multiples of the type size.
const MIN_LINES: usize = 8;
const MIN_LINE_WORDS: f64 = 2.5;
const UP: f64 = 5.0;

/// One in so many lines drawn with a column may be wider, as the head of the page and a title above all columns are.
const ONE_ACROSS_IN: usize = 5;

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

/// Returns where a column begins and ends, but for the lines that go further.
pub(super) fn edges(lines: &[Line]) -> (f64, f64) {
    let across = lines.len() / ONE_ACROSS_IN;
    let mut lefts: Vec<f64> = lines.iter().map(Line::left).collect();
    let mut rights: Vec<f64> = lines.iter().map(Line::right).collect();
    let last = rights.len() - 1 - across;
    let left = *lefts.select_nth_unstable_by(across, f64::total_cmp).1;
    (left, *rights.select_nth_unstable_by(last, f64::total_cmp).1)
}

/// Returns whether lines are enough text for a column.
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
        let head = line(
            -24.0,
            &[(
                0.0,
                "a head goes over both of the columns that stand below it",
            )],
        );
        let headed: Vec<Line> = [head].into_iter().chain(text).collect();
        assert_eq!(of_lines(&headed), [vec![0; 11], vec![1; 10]].concat());
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
