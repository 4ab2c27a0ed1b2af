//! Columns of text that are drawn row by row.

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
    let (one, other) = (lefts(last), lefts(line));
    let mut pairs = one.iter().zip(&other);
    last.turn == line.turn
        && one.len() == other.len()
        && last.y < line.y
        && pairs.all(|(one, other)| (one - other).abs() < SAME_LEFT * line.size)
}

/// Returns where the parts of a line begin that stand apart.
fn lefts(line: &Line) -> Vec<f64> {
    parts(line).iter().map(|part| part[0].left).collect()
}

fn parts(line: &Line) -> Vec<&[Word]> {
    line.words.chunk_by(|_, next| !next.is_apart).collect()
}

/// Moves lines on, column by column if they are columns of text.
fn flush(open: &mut Vec<Line>, read: &mut Vec<Line>) {
    let count = open.first().map_or(0, |line| parts(line).len());
    let words: usize = open.iter().map(|line| line.words.len()).sum();
    let is_text = words as f64 >= MIN_WORDS * (open.len() * count) as f64;
    if count < 2 || open.len() < MIN_ROWS || !is_text {
        read.append(open);
        return;
    }
    for column in 0..count {
        read.extend(open.iter().map(|line| Line {
            words: parts(line)[column].to_vec(),
            has_bullet: line.has_bullet && column == 0,
            ..line.clone()
        }));
    }
    open.clear();
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
    fn rows_of_cells_stay() {
        let row = |y| line(y, &[(0.0, "North"), (100.0, "12")]);
        let rows = vec![row(0.0), row(12.0), row(24.0), row(36.0)];
        assert_eq!(unweave(rows.clone()), rows);
    }
}
