//! Columns of text that are drawn row by row.

use super::line_groups::is_led;
use super::lines::{Line, Word};

/// How many rows columns have at least, and how many words the part of a row in each has on average.
const MIN_ROWS: usize = 4;
const MIN_WORDS: f64 = 4.0;

/// How much the beginnings of the rows of a column may differ, in multiples of the type size.
const SAME_LEFT: f64 = 0.5;

/// Brings lines that run over several columns of text into the order in which the columns are read.
pub(super) fn unweave(lines: Vec<Line>) -> Vec<Line> {
    let mut read = Vec::with_capacity(lines.len());
    let mut open: Vec<Line> = Vec::new();
    for line in lines {
        if open.last().is_some_and(|last| !is_alike(last, &line)) {
            flush(&mut open, &mut read);
        }
        open.push(line);
    }
    flush(&mut open, &mut read);
    read
}

/// Says whether the parts of a line stand under those of the one before.
fn is_alike(last: &Line, line: &Line) -> bool {
    let (one, other) = (starts(last), starts(line));
    let mut pairs = one.iter().zip(&other);
    last.turn == line.turn
        && one.len() == other.len()
        && last.y < line.y
        && pairs.all(|(one, other)| (one - other).abs() < SAME_LEFT * line.size)
}

/// Returns where the parts of a line begin that stand apart.
fn starts(line: &Line) -> Vec<f64> {
    let start = |part: &&[Word]| line.along(part[0].left, part[0].right).0;
    parts(line).iter().map(start).collect()
}

fn parts(line: &Line) -> Vec<&[Word]> {
    line.words.chunk_by(|_, next| !next.is_apart).collect()
}

/// Moves lines on, column by column if they are columns of text.
fn flush(open: &mut Vec<Line>, read: &mut Vec<Line>) {
    let count = open.first().map_or(0, |line| parts(line).len());
    let words: usize = open.iter().map(|line| line.words.len()).sum();
    let is_text =
        words as f64 >= MIN_WORDS * (open.len() * count) as f64 && !open.iter().any(is_led);
    if count < 2 || open.len() < MIN_ROWS || !is_text {
        read.append(open);
        return;
    }
    for column in 0..count {
        read.extend(open.iter().map(|line| Line {
            words: parts(line)[column].to_vec(),
            mark: line.mark.clone().filter(|_| column == 0),
            ..line.clone()
        }));
    }
    open.clear();
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
        let read = unweave(vec![row(0.0), row(12.0), row(24.0), row(36.0)]);
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
        assert_eq!(unweave(rows.clone()), rows);
    }
}
