//! Tables without lines: cells that stand in columns.

use std::collections::HashSet;

use super::cells;
use super::column::{Column, columns};
use super::continued::with_continued;
use super::labels::{self, Labels};
use super::rules::Edge;
use super::{Cell, Found, NARROW_GAP, Piece, Row, Word, median, rows, text};

/// How far lines of a table may be apart, in multiples of their height.
const PITCH: f64 = 2.2;

/// How many lines of a single piece may follow each other in a table, and how wide they may be.
const MAX_SINGLE: usize = 2;
const WIDEST_SINGLE: f64 = 0.6;

/// How far the beginning of a line of a cell may be from that of the cell, as a part of the height of a line.
const SAME_LEFT: f64 = 0.4;

/// How much further from a table than its lines from each other a line stands that is not part of it, as a part
/// of the height of a line.
const APART: f64 = 0.4;

/// How many rows a table has at least.
const MIN_ROWS: usize = 3;

/// How much wider a gap between cells is than the spaces beside it.
const WIDER: f64 = 1.4;

/// How many words a cell has on average in what is text in columns.
const PROSE: f64 = 6.0;

/// Which part of the cells begins with a number where they may stand out of line, as numbers with brackets do.
const FEW_NUMBERS: f64 = 0.35;

/// How many dots lead from a title to its page, and which part of the lines of a table of contents have them.
const DOTS: usize = 5;
const LED: f64 = 0.3;

/// How much of a table a line between its rows goes over.
const RULED: f64 = 0.3;

/// Finds tables among words of a page, on which most may be typewritten; lines across it part rows.
pub(super) fn find<'a>(
    words: &[Word<'a>],
    is_typewritten: bool,
    across: &[Edge],
) -> Vec<Found<'a>> {
    let height = median(words.iter().map(Word::height).collect());
    let lines = rows(words);
    let pieces: Vec<Vec<Piece<'a>>> = lines.iter().map(Row::pieces).collect();
    let labels = labels::wrapped(&lines, &pieces, height);
    let mut found = Vec::new();
    let mut start = 0;
    while start < lines.len() {
        let end = block(start, &lines, &pieces, &labels, height);
        let head = has_line_above(&lines[start..end], &pieces[start..end], height);
        let below = start + usize::from(head);
        let first = below + text::drawn_apart(&lines[below..end]);
        let candidate = Candidate {
            lines: &lines[first..end],
            pieces: &pieces[first..end],
            labels: labels.between(first, end),
        };
        let part = candidate.below_text(height);
        let rows = table(
            part.as_ref().unwrap_or(&candidate),
            across,
            height,
            is_typewritten,
        );
        let tables = rows.into_iter().flat_map(parted);
        let tables = tables.filter(|rows| !text::is_gathered(rows) && !text::are_blocks(rows));
        found.extend(tables.map(|rows| {
            let words = rows.iter().flatten().flatten().copied().collect();
            Found {
                rows,
                words,
                head: None,
                is_shaded: false,
            }
        }));
        start = end.max(start + 1);
    }
    found
}

/// Parts rows that are those of several tables, each with the same head. What stands alone before a head is
/// what the table is called, and no row.
fn parted(rows: Vec<Vec<Cell<'_>>>) -> Vec<Vec<Vec<Cell<'_>>>> {
    let texts = |row: &Vec<Cell<'_>>| row.iter().map(|cell| cells::text(cell)).collect::<Vec<_>>();
    let filled = |row: &Vec<Cell<'_>>| row.iter().filter(|cell| !cell.is_empty()).count();
    let head = rows.first().map(texts);
    let mut tables: Vec<Vec<Vec<Cell<'_>>>> = Vec::new();
    for row in rows {
        if Some(texts(&row)) == head {
            if let Some(last) = tables.last_mut()
                && last.last().is_some_and(|row| filled(row) == 1)
            {
                last.pop();
            }
            tables.push(vec![row]);
        } else if let Some(table) = tables.last_mut() {
            table.push(row);
        }
    }
    tables
}

/// Lines that may be those of a table.
struct Candidate<'a, 'b> {
    lines: &'b [Row<'a>],
    pieces: &'b [Vec<Piece<'a>>],
    labels: Labels,
}

impl Candidate<'_, '_> {
    /// Returns the part from the line of most cells on, if what is above it is the text of columns.
    fn below_text(&self, height: f64) -> Option<Self> {
        let most = self.pieces.iter().map(Vec::len).max()?;
        let at = self.pieces.iter().position(|line| line.len() == most)?;
        (at >= MIN_ROWS && is_scattered(self.pieces, &columns(self.pieces), height)).then(|| Self {
            lines: &self.lines[at..],
            pieces: &self.pieces[at..],
            labels: self.labels.between(at, self.lines.len()),
        })
    }
}

/// Returns whether few cells are numbers, and the others stand out of line or are parts of formulas.
fn is_scattered(pieces: &[Vec<Piece<'_>>], columns: &[Column], height: f64) -> bool {
    let all = || pieces.iter().flatten();
    let numbers = all().filter(|piece| has_number(piece)).count() as f64;
    numbers < FEW_NUMBERS * all().count() as f64
        && (text::is_formula(pieces) || text::is_scattered(pieces, columns, height))
}

/// Returns whether a piece begins with a number, or with a word that has one.
fn has_number(piece: &Piece<'_>) -> bool {
    piece.words[0].text.contains(|c: char| c.is_ascii_digit())
}

/// Returns where the lines end that may be those of a table that begins with one.
fn block(
    start: usize,
    lines: &[Row<'_>],
    pieces: &[Vec<Piece<'_>>],
    labels: &Labels,
    height: f64,
) -> usize {
    if pieces[start].len() < 2 {
        return start;
    }
    let (mut end, mut single) = (start + 1, 0);
    let (mut left, mut right) = (f64::MAX, f64::MIN);
    for index in start + 1..lines.len() {
        for piece in &pieces[index - 1] {
            (left, right) = (left.min(piece.left), right.max(piece.right));
        }
        if lines[index].top() - lines[index - 1].bottom() > PITCH * height {
            break;
        }
        match &*pieces[index] {
            [only] if goes_on(only, &pieces[start..index], height) => end = index + 1,
            [_] if labels.continued.contains(&index) => end = index + 1,
            [_] if labels.begun.contains(&index) => {}
            [only] => {
                single += 1;
                if single > MAX_SINGLE || only.right - only.left > WIDEST_SINGLE * (right - left) {
                    break;
                }
            }
            _ => {
                single = 0;
                end = index + 1;
            }
        }
    }
    end
}

/// Returns whether the first line is none of the table: it stands further from the others than any of them from the
/// next, and its parts are not those of the columns below, as a running head is above a table.
fn has_line_above(lines: &[Row<'_>], pieces: &[Vec<Piece<'_>>], height: f64) -> bool {
    let gaps = lines
        .windows(2)
        .map(|pair| pair[1].top() - pair[0].bottom());
    let gaps: Vec<f64> = gaps.collect();
    let Some((first, others)) = gaps
        .split_first()
        .filter(|(_, others)| others.len() >= MIN_ROWS - 1)
    else {
        return false;
    };
    let most = others.iter().copied().fold(f64::MIN, f64::max);
    let is_apart = *first > most + APART * height;
    let spans = |columns: &[Column], piece: &Piece<'_>| {
        let is_under = |column: &&Column| column.left < piece.right && piece.left < column.right;
        columns.iter().filter(is_under).count() != 1
    };
    is_apart && {
        let columns = columns(&pieces[1..]);
        pieces[0].iter().any(|piece| spans(&columns, piece))
    }
}

/// Returns whether the only piece of a line goes on a cell of the last row of several, but the first: it begins
/// where the cell does, and ends before the next.
fn goes_on(piece: &Piece<'_>, before: &[Vec<Piece<'_>>], height: f64) -> bool {
    let Some(row) = before.iter().rev().find(|line| line.len() > 1) else {
        return false;
    };
    let begins = |cell: &Piece<'_>| (cell.left - piece.left).abs() < SAME_LEFT * height;
    let at = row.iter().rposition(begins).filter(|at| *at > 0);
    at.is_some_and(|at| row.get(at + 1).is_none_or(|next| piece.right < next.left))
}

/// Makes a table of lines, unless they are text, a list or code.
fn table<'a>(
    candidate: &Candidate<'a, '_>,
    across: &[Edge],
    height: f64,
    is_typewritten: bool,
) -> Option<Vec<Vec<Cell<'a>>>> {
    let (lines, pieces, labels) = (candidate.lines, candidate.pieces, &candidate.labels);
    if lines.len() < MIN_ROWS {
        return None;
    }
    let pieces = &parted_cells(pieces, &columns(pieces), height)[..];
    let columns = columns(pieces);
    let count =
        |of: &dyn Fn(&Vec<Piece<'a>>) -> bool| pieces.iter().filter(|line| of(line)).count() as f64;
    let several = count(&|line| line.len() > 1);
    let going_on = (1..lines.len()).filter(|&index| {
        matches!(&*pieces[index],
            [only] if labels.has(index) || goes_on(only, &pieces[..index], height))
    });
    let beginning = (lines.len() - going_on.count()) as f64;
    let all = || pieces.iter().flatten();
    let total = all().count() as f64;
    let words = all().map(|piece| piece.words.len()).sum::<usize>() as f64;
    let mean = words / total;
    let numbers = all().filter(|piece| has_number(piece)).count() as f64;
    let marked = count(&|line| is_item(line));
    let monospace = all()
        .flat_map(|piece| &piece.words)
        .filter(|word| word.is_monospace)
        .count() as f64;
    let is_code = monospace > 0.8 * words && !is_typewritten;
    let is_list = marked >= 0.6 * several;
    let is_prose = mean > PROSE && columns.len() <= 3;
    let is_contents = lines.iter().filter(|line| is_led(line)).count() as f64 > LED * beginning;
    let is_full = total > 0.4 * beginning * columns.len() as f64;
    let has_cells = columns.len() >= 3 || mean < 4.0 || numbers > 0.3 * total;
    let rows = filled(pieces, &columns);
    let is_text = text::is_woven(pieces)
        || text::is_justified(pieces)
        || text::is_numbered(pieces, columns.len())
        || text::is_text(&rows)
        || is_scattered(pieces, &columns, height);
    let is_table = columns.len() >= 2
        && several > 0.6 * beginning
        && is_full
        && has_cells
        && !(is_prose || is_list || is_code || is_contents || is_text);
    is_table.then(|| with_continued(rows, lines, &ruled(lines, across), labels))
}

/// Returns whether dots lead to what stands at the end of a line; cells of dots, which have no value, do not.
fn is_led(line: &Row<'_>) -> bool {
    let single = line.words.iter().filter(|word| word.text == ".").count();
    let mut words = line.words.iter();
    single >= DOTS
        || words.any(|word| word.text.matches('.').count() >= DOTS && word.text.contains(".."))
}

/// Returns whether a line is an item of a list, or several beside each other: not if cells follow what is numbered,
/// which may be marks without a text.
fn is_item(line: &[Piece<'_>]) -> bool {
    let is_mark = |piece: &Piece<'_>| piece.words.len() == 1 && is_mark(piece.words[0].text);
    let begins = |pair: &[Piece<'_>]| is_mark(&pair[0]) && !is_mark(&pair[1]);
    let cells = line.get(2..).unwrap_or_default();
    is_mark(&line[0]) && (cells.is_empty() || cells.windows(2).any(begins))
}

/// Returns whether a word is a bullet or the number of an item.
fn is_mark(word: &str) -> bool {
    let bare = word.trim_start_matches('(').trim_end_matches(['.', ')']);
    let is_number =
        bare.len() <= 3 && !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit());
    let is_letter = bare.len() == 1 && bare.bytes().all(|byte| byte.is_ascii_alphabetic());
    matches!(word, "-" | "–" | "*")
        || super::super::bullets::is_bullet(word)
        || (bare.len() < word.len() && (is_number || is_letter))
}

/// Parts the pieces that reach from one column into the next where there is a gap in them between the two that
/// is no space like others in them.
fn parted_cells<'a>(
    lines: &[Vec<Piece<'a>>],
    columns: &[Column],
    height: f64,
) -> Vec<Vec<Piece<'a>>> {
    let is_between = |last: &Word<'_>, next: &Word<'_>| {
        let reaches = |pair: &[Column]| last.right < pair[1].left && pair[0].right < next.left;
        columns.windows(2).any(reaches)
    };
    let parted = |piece: &Piece<'a>| -> Vec<Piece<'a>> {
        let is_in = |column: &&Column| column.left < piece.right && piece.left < column.right;
        if columns.iter().filter(is_in).count() < 2 {
            return vec![piece.clone()];
        }
        let pairs = piece.words.windows(2);
        let gap = |pair: &[Word<'_>]| pair[1].left - pair[0].right;
        let space = match piece.words.len() {
            0..=2 => 0.0,
            _ => pairs.map(gap).fold(f64::MAX, f64::min),
        };
        let narrowest = (NARROW_GAP * height).max(WIDER * space);
        let goes_on = |last: &Word<'a>, next: &Word<'a>| {
            next.left - last.right <= narrowest || !is_between(last, next)
        };
        let parts = piece.words.chunk_by(goes_on);
        parts.map(|words| Piece::of(words.to_vec())).collect()
    };
    let line = |line: &Vec<Piece<'a>>| line.iter().flat_map(parted).collect();
    lines.iter().map(line).collect()
}

/// Puts pieces into the columns that they share most with.
fn filled<'a>(lines: &[Vec<Piece<'a>>], columns: &[Column]) -> Vec<Vec<Cell<'a>>> {
    let row = |line: &Vec<Piece<'a>>| {
        let mut row: Vec<Cell<'a>> = vec![Vec::new(); columns.len()];
        for piece in line {
            let shared =
                |column: &Column| piece.right.min(column.right) - piece.left.max(column.left);
            let best = columns.iter().enumerate().rev();
            let best = best.max_by(|one, other| shared(one.1).total_cmp(&shared(other.1)));
            if let Some((best, _)) = best {
                row[best].extend(&piece.words);
            }
        }
        row
    };
    lines.iter().map(row).collect()
}

/// Returns the numbers of the lines before which a line is drawn.
fn ruled(lines: &[Row<'_>], across: &[Edge]) -> HashSet<usize> {
    let of = |get: fn(&Word<'_>) -> f64| lines.iter().flat_map(|line| &line.words).map(get);
    let left = of(|word| word.left).fold(f64::MAX, f64::min);
    let right = of(|word| word.right).fold(f64::MIN, f64::max);
    let is_wide =
        |edge: &&Edge| edge.end.min(right) - edge.start.max(left) > RULED * (right - left);
    let edges: Vec<&Edge> = across.iter().filter(is_wide).collect();
    let is_ruled = |line: &usize| {
        let (above, below) = (&lines[line - 1], &lines[*line]);
        edges
            .iter()
            .any(|edge| above.middle < edge.at && edge.at < below.middle)
    };
    (1..lines.len()).filter(is_ruled).collect()
}
