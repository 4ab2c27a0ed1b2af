//! Numbers of lines beside running text, as manuscripts have them: they part no sentence and no word.

use std::collections::HashSet;
use std::ops::Range;

use super::direction::Flow;
use super::lines::{Line, Word};

/// How many lines of a column have numbers at least, how many digits these have at most, and how many numbers of a page are
/// looked at.
const MIN_NUMBERED: usize = 4;
const MAX_DIGITS: usize = 4;
const MAX_NUMBERS: usize = 500;

/// How far apart baselines are at most that are the same, how far apart the numbers of a column end, and how far in a line
/// begins, in multiples of the type size.
const SAME_LINE: f64 = 0.3;
const ALIGNED: f64 = 0.5;
const INDENT: f64 = 4.0;

/// How many lines of text there are for each that is counted: not all of them may have numbers.
const COUNTED: Range<f64> = 0.75..1.25;

/// How far below a line the next one of its text is at most, in multiples of the type size.
const NEXT: f64 = 2.5;

/// How many words lines of text have at least, how far they go over their column, which part of them does, and in which part
/// of them a sentence goes on: rows and items are shorter, and end.
const MIN_WORDS: usize = 3;
const FULL: f64 = 0.75;
const FILLED: f64 = 0.6;
const RUNNING: f64 = 0.5;

/// Puts the numbers of the lines of running text behind it, as a line of their own.
pub(super) fn behind_text(lines: &mut Vec<Line>) {
    let all: &[Line] = lines;
    let columns = columns(all);
    if columns.is_empty() {
        return;
    }
    let taken: HashSet<usize> = columns.iter().flatten().map(|number| number.line).collect();
    let of_column = |column: &Vec<Number>| {
        let words = column.iter().map(|number| Word {
            is_apart: false,
            ..all[number.line].words[0].clone()
        });
        let numbers = Line {
            words: words.collect(),
            mark: None,
            ..all[column[0].line].clone()
        };
        (end_of_text(all, column), numbers)
    };
    let mut numbers: Vec<(usize, Line)> = columns.iter().map(of_column).collect();
    let mut kept = Vec::with_capacity(lines.len());
    for (at, mut line) in std::mem::take(lines).into_iter().enumerate() {
        if taken.contains(&at) {
            line.words.remove(0);
        }
        if let Some(first) = line.words.first_mut() {
            first.is_apart = false;
            kept.push(line);
        }
        let here = numbers.extract_if(.., |(end, _)| *end == at);
        kept.extend(here.map(|(_, line)| line));
    }
    *lines = kept;
}

/// A number that may be that of its line.
struct Number {
    /// The line that it begins or is.
    line: usize,
    value: u32,
    right: f64,
    y: f64,
    size: f64,
}

impl Number {
    /// Returns the number that a line begins with, or is, if text stands apart to its right.
    fn of(lines: &[Line], at: usize) -> Option<Self> {
        let line = &lines[at];
        let first = line.words.first()?;
        if !is_number(&first.text) || line.flow != Flow::Forth || line.turn != 0 {
            return None;
        }
        let is_beside = line.words.get(1).map_or_else(
            || {
                let near = [at.checked_sub(1), at.checked_add(1)].into_iter().flatten();
                let mut near = near.filter_map(|near| lines.get(near));
                near.any(|text| is_left_of(line, text))
            },
            |next| next.is_apart,
        );
        Some(Self {
            line: at,
            value: first.text.parse().ok().filter(|_| is_beside)?,
            right: first.right,
            y: line.y,
            size: line.size,
        })
    }
}

/// Returns whether a word may be the number of a line.
pub(super) fn is_number(text: &str) -> bool {
    text.len() <= MAX_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a line stands left of another on its baseline.
pub(super) fn is_left_of(number: &Line, text: &Line) -> bool {
    text.turn == number.turn
        && text.flow == Flow::Forth
        && (text.y - number.y).abs() < SAME_LINE * text.size
        && number.right() < text.left()
}

/// Finds the columns of numbers that count the lines of running text.
fn columns(lines: &[Line]) -> Vec<Vec<Number>> {
    let numbers = (0..lines.len()).filter_map(|at| Number::of(lines, at));
    let mut columns: Vec<Vec<Number>> = Vec::new();
    for number in numbers.take(MAX_NUMBERS) {
        let is_aligned = |column: &&mut Vec<Number>| {
            (column[0].right - number.right).abs() < ALIGNED * number.size
        };
        match columns.iter_mut().find(is_aligned) {
            Some(column) => column.push(number),
            None => columns.push(vec![number]),
        }
    }
    columns.retain(|column| is_count(column) && count_lines(column, &texts(lines, column)));
    columns
}

/// Returns whether numbers rise evenly down the page.
fn is_count(column: &[Number]) -> bool {
    let mut steps = column.windows(2).map(|pair| {
        let step = pair[1].value.checked_sub(pair[0].value);
        step.filter(|step| *step > 0 && pair[1].y > pair[0].y)
    });
    let first = steps.next().flatten();
    column.len() >= MIN_NUMBERED && first.is_some() && steps.all(|step| step == first)
}

/// Returns whether numbers count lines of running text, not paragraphs.
fn count_lines(column: &[Number], texts: &[Text<'_>]) -> bool {
    let ends = column.first().zip(column.last());
    let counted = ends.map_or(0, |(first, last)| last.value - first.value + 1);
    COUNTED.contains(&(texts.len() as f64 / f64::from(counted))) && runs(texts)
}

/// A line of text without its number, and without what stands apart behind it: cells of a row, or another column.
struct Text<'a> {
    words: usize,
    left: f64,
    right: f64,
    y: f64,
    first: &'a str,
    last: &'a str,
    is_monospace: bool,
}

/// Returns the lines of text beside a column of numbers, from the top.
fn texts<'a>(lines: &'a [Line], column: &[Number]) -> Vec<Text<'a>> {
    let (Some(start), Some(end)) = (column.first(), column.last()) else {
        return Vec::new();
    };
    let numbered: HashSet<usize> = column.iter().map(|number| number.line).collect();
    let near = SAME_LINE * start.size;
    let text = |(at, line): (usize, &'a Line)| {
        let words = &line.words[usize::from(numbered.contains(&at))..];
        let words = words.chunk_by(|_, next| !next.is_apart).next()?;
        let (first, last) = (words.first()?, words.last()?);
        let is_beside = line.turn == 0
            && line.flow == Flow::Forth
            && (start.y - near..=end.y + near).contains(&line.y)
            && first.left > start.right;
        is_beside.then_some(Text {
            words: words.len(),
            left: first.left,
            right: last.right,
            y: line.y,
            first: &first.text,
            last: &last.text,
            is_monospace: line.is_monospace,
        })
    };
    let mut texts: Vec<Text<'a>> = lines.iter().enumerate().filter_map(text).collect();
    let left = texts.iter().map(|text| text.left).fold(f64::MAX, f64::min);
    texts.retain(|text| text.left < left + INDENT * start.size);
    texts.sort_by(|one, other| one.y.total_cmp(&other.y));
    texts
}

/// Returns whether lines are running text, and no code, rows or contents, which end with the numbers of pages.
fn runs(texts: &[Text<'_>]) -> bool {
    let left = texts.iter().map(|text| text.left).fold(f64::MAX, f64::min);
    let right = texts.iter().map(|text| text.right).fold(f64::MIN, f64::max);
    let is_full = |text: &&Text<'_>| {
        text.words >= MIN_WORDS && text.right - text.left > FULL * (right - left)
    };
    let goes_on = |pair: &&[Text<'_>]| {
        let last = pair[0].last;
        let ends = last.ends_with(['.', '!', '?', ':', ';']) || !last.contains(char::is_alphabetic);
        !ends && pair[1].first.starts_with(char::is_lowercase)
    };
    let count = texts.len();
    let monospace = texts.iter().filter(|text| text.is_monospace).count();
    let full = texts.iter().filter(is_full).count();
    let running = texts.windows(2).filter(goes_on).count();
    count >= MIN_NUMBERED
        && monospace * 2 < count
        && full as f64 >= FILLED * count as f64
        && running as f64 >= RUNNING * (count - 1) as f64
}

/// Returns the last line of the text that numbers stand beside: the paragraph of the last of them may go on.
fn end_of_text(lines: &[Line], column: &[Number]) -> usize {
    let number = column.iter().map(|number| number.line).max().unwrap_or(0);
    let is_text = |at: &usize| {
        let text = lines.get(*at);
        text.is_some_and(|text| is_left_of(&lines[number], text))
    };
    let near = [number.checked_sub(1), number.checked_add(1)];
    let text = near.into_iter().flatten().find(is_text);
    let mut last = text
        .filter(|_| lines[number].words.len() == 1)
        .unwrap_or(number);
    let mut end = last.max(number);
    for (at, next) in lines.iter().enumerate().skip(end + 1) {
        if !goes_on(&lines[last], next) {
            break;
        }
        (last, end) = (at, at);
    }
    end
}

/// Returns whether the next line stands below one of its text, or beside it.
fn goes_on(line: &Line, next: &Line) -> bool {
    let down = (next.y - line.y) / line.size.max(next.size);
    let is_over = next.left() < line.right() && next.right() > line.left();
    let is_next = down.abs() < SAME_LINE || is_over && (0.0..NEXT).contains(&down);
    line.turn == next.turn && is_next
}
