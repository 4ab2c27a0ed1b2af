//! Tables: cells between drawn lines, and cells that stand in columns without any.
//!
//! Words are gathered into cells by the lines that are drawn ([`lattice`]), whose cells are parted again
//! where a writer drew only some of the walls ([`refine`]), and then by the gaps between columns ([`gaps`]).

mod cells;
mod column;
mod continued;
mod gaps;
mod labels;
mod lattice;
mod page_breaks;
mod refine;
mod rules;
mod shaded;
mod tagged;
mod text;

use std::collections::{BTreeMap, HashMap, HashSet};

use kurbo::Rect;

use super::columns;
use super::direction::{Counts, Flow};
use super::drawn::Drawn;
use super::line_groups::running_text;
use super::lines::Line;
use super::page::height;
use super::tags::Role;
use crate::table_caption::{self, FEW_ROWS};
pub(super) use page_breaks::join;

/// How near lines and edges are that are the same, in points.
const SNAP: f64 = 3.0;

/// The narrowest gap between cells, as a part of the height of a line.
const GAP: f64 = 0.9;

/// The narrowest gap between two numbers that are two cells, which is wider than that between the digits of one,
/// and between words on both sides of the gap between two columns.
const NARROW_GAP: f64 = 0.38;

/// Of more columns than this, at least such a part of the cells is filled: grids of charts are not tables.
const CHART: usize = 6;
const FILLED: f64 = 0.25;

/// How many words of a page are looked at.
const MAX_WORDS: usize = 30_000;

/// A word as tables see it.
#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    text: &'a str,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    is_monospace: bool,
    /// Whether it begins an item of a list.
    is_marked: bool,
    /// Whether it runs up or down where the others run across.
    is_turned: bool,
    /// The numbers of its line and of the word in it.
    place: (usize, usize),
    role: Option<Role>,
}

impl Word<'_> {
    fn center(&self) -> f64 {
        f64::midpoint(self.left, self.right)
    }

    fn middle(&self) -> f64 {
        f64::midpoint(self.top, self.bottom)
    }

    fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Returns whether it is a number that is not set as by a typewriter, whose spaces are as wide
    /// as digits.
    fn is_set_number(&self) -> bool {
        let has_digits = self.text.contains(|c: char| c.is_ascii_digit());
        let is_whole = has_digits && !self.text.ends_with(',');
        is_whole && !self.is_monospace && cells::is_number(std::slice::from_ref(self))
    }
}

/// Words at one height, from left to right.
#[derive(Clone, Debug)]
struct Row<'a> {
    words: Vec<Word<'a>>,
    middle: f64,
}

/// Words of a row without a wide gap between them.
#[derive(Clone, Debug)]
struct Piece<'a> {
    words: Vec<Word<'a>>,
    left: f64,
    right: f64,
}

impl<'a> Row<'a> {
    fn top(&self) -> f64 {
        self.words
            .iter()
            .map(|word| word.top)
            .fold(f64::MAX, f64::min)
    }

    fn bottom(&self) -> f64 {
        self.words
            .iter()
            .map(|word| word.bottom)
            .fold(f64::MIN, f64::max)
    }

    fn pieces(&self) -> Vec<Piece<'a>> {
        let height = self.bottom() - self.top();
        let mut pieces: Vec<Piece<'a>> = Vec::new();
        for &word in &self.words {
            match pieces.last_mut() {
                Some(piece) if !piece.ends_before(&word, height) => {
                    piece.right = piece.right.max(word.right);
                    piece.words.push(word);
                }
                _ => pieces.push(Piece::of(vec![word])),
            }
        }
        pieces
    }
}

impl<'a> Piece<'a> {
    fn of(words: Vec<Word<'a>>) -> Self {
        Self {
            left: words.iter().map(|word| word.left).fold(f64::MAX, f64::min),
            right: words.iter().map(|word| word.right).fold(f64::MIN, f64::max),
            words,
        }
    }

    /// Returns whether the next word of its line, which is so high, begins another cell.
    fn ends_before(&self, word: &Word<'_>, height: f64) -> bool {
        let last = self.words.last();
        let are_numbers = word.is_set_number() && last.is_some_and(Word::is_set_number);
        let gap = if are_numbers { NARROW_GAP } else { GAP };
        word.left - self.right > gap * height
    }

    fn center(&self) -> f64 {
        f64::midpoint(self.left, self.right)
    }

    /// Returns whether it goes over one of some edges.
    fn crosses(&self, edges: &[f64]) -> bool {
        edges
            .iter()
            .any(|edge| self.left < edge - 2.0 && self.right > edge + 2.0)
    }
}

/// The words of a cell.
type Cell<'a> = Vec<Word<'a>>;

/// A table: its cells, row by row, and all its words.
#[derive(Clone, Debug)]
struct Found<'a> {
    rows: Vec<Vec<Cell<'a>>>,
    words: Vec<Word<'a>>,
    /// The head, where it stands on a page before.
    head: Option<Vec<String>>,
    /// Whether nothing but the edges of filled areas parts its columns.
    is_shaded: bool,
}

impl Found<'_> {
    /// Brings columns that stand in order from left to right into the order in which they are read.
    fn in_reading_order(mut self) -> Self {
        let letters = self.words.iter().flat_map(|word| word.text.split(""));
        if Counts::of(letters).are_mostly_back() {
            self.rows.iter_mut().for_each(|row| row.reverse());
        }
        self
    }

    fn top(&self) -> f64 {
        let tops = self.words.iter().map(|word| word.top);
        tops.fold(f64::MAX, f64::min)
    }

    /// Returns where its words stand.
    fn area(&self) -> Rect {
        let areas = self.words.iter();
        let areas = areas.map(|word| Rect::new(word.left, word.top, word.right, word.bottom));
        areas
            .reduce(|one, other| one.union(other))
            .unwrap_or_default()
    }
}

/// A table of a page, as Markdown.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    pub(super) text: String,
    /// What stands in rows of its own above its head.
    pub(super) captions: Vec<String>,
    /// Whether its head stands on a page before, and not on this one.
    pub(super) has_lent_head: bool,
    /// How far down the page it begins, as a part of the height of the page.
    pub(super) height: f64,
    /// Where it stands, as text of its direction sees it, and that direction in degrees.
    pub(super) area: Rect,
    pub(super) turn: i32,
    /// The number of the line before which it stands, of those that are left.
    pub(super) at: usize,
}

/// The heads of tables that the file itself says are some, by their numbers.
pub(super) type Heads = HashMap<u32, Vec<String>>;

/// Takes tables out of the lines of a page, which may be turned to any side. What begins on a page before has the
/// head that it has there.
pub(super) fn take(lines: &mut Vec<Line>, drawn: &Drawn, heads: &mut Heads) -> Vec<Table> {
    if lines.iter().map(|line| line.words.len()).sum::<usize>() > MAX_WORDS {
        return Vec::new();
    }
    let mut tables: Vec<((usize, usize), Table)> = Vec::new();
    let mut all = HashSet::new();
    let has_any = |turn: &i32| lines.iter().any(|line| line.turn.rem_euclid(360) == *turn);
    for turn in [0, 90, 180, 270].into_iter().filter(has_any) {
        for table in &found(lines, &all, turn, drawn, heads) {
            let text = markdown(table);
            let first = table.words.iter().map(|word| word.place).min();
            if let (Some((captions, text)), Some(first)) = (text, first) {
                all.extend(table.words.iter().map(|word| word.place));
                let table = Table {
                    text,
                    captions,
                    has_lent_head: table.head.is_some(),
                    height: height(table.top(), turn, drawn.size),
                    area: table.area(),
                    turn,
                    at: first.0,
                };
                tables.push((first, table));
            }
        }
    }
    tables.sort_by_key(|(first, _)| *first);
    without(lines, &all, tables.into_iter().map(|(_, table)| table))
}

/// Finds the tables of a page whose text has a direction, in which no word is one of those taken.
fn found<'a>(
    lines: &'a [Line],
    taken: &HashSet<(usize, usize)>,
    turn: i32,
    drawn: &Drawn,
    heads: &mut Heads,
) -> Vec<Found<'a>> {
    let mut all = words(lines, turn);
    all.retain(|word| !taken.contains(&word.place));
    let (turned, words): (Vec<Word<'a>>, Vec<Word<'a>>) =
        all.into_iter().partition(|word| word.is_turned);
    if words.is_empty() {
        return Vec::new();
    }
    let (across, down) = rules::joined(&drawn.rules, turn);
    let mut found = tagged::find(&words, heads);
    let of_tags = places(&found);
    let mut untagged = words.clone();
    untagged.retain(|word| !of_tags.contains(&word.place));
    let mut of_lines = lattice::find(&across, &down, &untagged, &turned);
    let text = running_text(lines);
    let column = columns::of_lines(lines);
    let monospace = words.iter().filter(|word| word.is_monospace).count();
    let is_typewritten = monospace * 2 >= words.len();
    let between_gaps = |taken: &HashSet<(usize, usize)>| -> Vec<Found<'a>> {
        let is_left =
            |word: &&Word<'_>| !taken.contains(&word.place) && !text.contains(&word.place.0);
        let mut columns: BTreeMap<usize, Vec<Word<'a>>> = BTreeMap::new();
        for word in words.iter().filter(is_left) {
            columns.entry(column[word.place.0]).or_default().push(*word);
        }
        let columns = columns.values();
        columns
            .flat_map(|words| gaps::find(words, is_typewritten, &across))
            .collect()
    };
    if of_lines.iter().any(|table| table.is_shaded) {
        let ruled = of_lines.iter().filter(|table| !table.is_shaded);
        let taken = places(found.iter().chain(ruled));
        shaded::leave_out(&mut of_lines, &between_gaps(&taken));
    }
    found.extend(of_lines.into_iter().map(Found::in_reading_order));
    // Single lines that run up a page, as beside charts and boxes, stand in columns by chance.
    if turn != 0 && words.len() <= turned.len() {
        return found;
    }
    let of_gaps = between_gaps(&places(&found));
    found.extend(of_gaps.into_iter().map(Found::in_reading_order));
    found
}

/// Takes words out of lines, and lines of which nothing is left; tables stand where their first words were.
fn without(
    lines: &mut Vec<Line>,
    taken: &HashSet<(usize, usize)>,
    tables: impl Iterator<Item = Table>,
) -> Vec<Table> {
    let mut left_before = Vec::with_capacity(lines.len());
    let mut kept = Vec::with_capacity(lines.len());
    for (number, mut line) in std::mem::take(lines).into_iter().enumerate() {
        left_before.push(kept.len());
        let mut index = 0..;
        line.words.retain(|_| {
            index
                .next()
                .is_some_and(|word| !taken.contains(&(number, word)))
        });
        if !line.words.is_empty() {
            kept.push(line);
        }
    }
    *lines = kept;
    let placed = |table: Table| Table {
        at: left_before[table.at],
        ..table
    };
    tables.map(placed).collect()
}

/// Lists the words of lines, as those see them that have a direction; not those that stand on their heads, nor
/// those that are written from top to bottom.
fn words(lines: &[Line], turn: i32) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let numbered = lines.iter().enumerate();
    for (number, line) in numbered.filter(|(_, line)| line.flow != Flow::Down) {
        let (top, bottom) = (line.y - 0.9 * line.size, line.y + 0.3 * line.size);
        let turn = (line.turn - turn).rem_euclid(360);
        for (index, word) in line.words.iter().enumerate() {
            let [left, top, right, bottom] = match turn {
                0 => [word.left, top, word.right, bottom],
                90 => [-bottom, word.left, -top, word.right],
                270 => [top, -word.right, bottom, -word.left],
                _ => break,
            };
            words.push(Word {
                text: &word.text,
                left,
                right,
                top,
                bottom,
                is_monospace: line.is_monospace,
                is_marked: index == 0 && line.mark.is_some(),
                is_turned: turn != 0,
                place: (number, index),
                role: word.role,
            });
        }
    }
    words
}

fn places<'a, 'b: 'a>(found: impl IntoIterator<Item = &'a Found<'b>>) -> HashSet<(usize, usize)> {
    let words = found.into_iter().flat_map(|table| &table.words);
    words.map(|word| word.place).collect()
}

/// Gathers words into rows by their height.
fn rows<'a>(words: &[Word<'a>]) -> Vec<Row<'a>> {
    /// How many rows above may have the next word.
    const NEAR: usize = 6;
    let mut words = words.to_vec();
    words.sort_by(|one, other| {
        let by_height = one.middle().total_cmp(&other.middle());
        by_height.then(one.left.total_cmp(&other.left))
    });
    let mut rows: Vec<Row<'a>> = Vec::new();
    for word in words {
        let belongs = |row: &&mut Row<'a>| {
            let height = word.height().min(row.words[0].height());
            (row.middle - word.middle()).abs() < 0.4 * height.max(1.0)
        };
        match rows.iter_mut().rev().take(NEAR).find(belongs) {
            Some(row) => {
                let count = row.words.len() as f64;
                row.middle = (row.middle * count + word.middle()) / (count + 1.0);
                row.words.push(word);
            }
            None => rows.push(Row {
                middle: word.middle(),
                words: vec![word],
            }),
        }
    }
    for row in &mut rows {
        row.words
            .sort_by(|one, other| one.left.total_cmp(&other.left));
    }
    rows.sort_by(|one, other| one.middle.total_cmp(&other.middle));
    rows
}

/// Returns the middle one of some numbers.
fn median(mut numbers: Vec<f64>) -> f64 {
    if numbers.is_empty() {
        return 0.0;
    }
    let middle = numbers.len() / 2;
    *numbers.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// Writes cells as a Markdown table, of which the first row is the head, and returns the captions above it apart; nothing
/// for less than two columns.
fn markdown(table: &Found<'_>) -> Option<(Vec<String>, String)> {
    let texts = cells::texts(&table.rows);
    let texts: Vec<Vec<String>> = table
        .head
        .iter()
        .cloned()
        .chain(texts)
        .filter(|row: &Vec<_>| row.iter().any(|cell: &String| !cell.is_empty()))
        .collect();
    let columns = texts.iter().map(Vec::len).max()?;
    let is_used = |column: &usize| {
        texts
            .iter()
            .any(|row| row.get(*column).is_some_and(|cell| !cell.is_empty()))
    };
    let used: Vec<usize> = (0..columns).filter(is_used).collect();
    let filled = texts
        .iter()
        .flatten()
        .filter(|cell| !cell.is_empty())
        .count();
    let places = texts.len() * used.len();
    let is_sparse = (filled as f64) < FILLED * places as f64 && used.len() > CHART;
    let has_numbers_alone = || {
        let mut cells = table.rows.iter().flatten();
        cells.all(|cell| cell.is_empty() || cells::is_number(cell))
    };
    let is_chart = is_sparse || (filled * 2 <= places && has_numbers_alone());
    if used.len() < 2 || texts.len() < 2 || is_chart {
        return None;
    }
    let has_own_head = table.head.is_none();
    let captions = if has_own_head {
        captions(&texts, &used)
    } else {
        0
    };
    let (captions, texts) = texts.split_at(captions);
    let mut table = String::new();
    for (number, row) in texts.iter().enumerate() {
        for column in &used {
            let cell = row.get(*column).map(String::as_str).unwrap_or_default();
            table.push_str("| ");
            table.push_str(&cell.replace('|', "\\|"));
            table.push(' ');
        }
        table.push_str("|\n");
        if number == 0 {
            table.push_str(&"|---".repeat(used.len()));
            table.push_str("|\n");
        }
    }
    table.truncate(table.trim_end().len());
    let captions = captions.iter().flatten().filter(|cell| !cell.is_empty());
    Some((captions.cloned().collect(), table))
}

/// Counts the rows at the beginning of a table that are captions, by the columns that are used.
fn captions(texts: &[Vec<String>], used: &[usize]) -> usize {
    let rows = texts.iter().take(FEW_ROWS).map(|row| {
        let text = |column: &usize| row.get(*column).map_or("", String::as_str);
        table_caption::Row {
            texts: used.iter().map(text).collect(),
            ..table_caption::Row::default()
        }
    });
    table_caption::count(&rows.collect::<Vec<_>>())
}
