//! Tables whose cells are parted by drawn lines.

use std::collections::{BTreeSet, HashSet};

use super::rules::{Edge, slot};
use super::{Cell, Found, Row, SNAP, Word, refine, rows};

/// How many crossings of lines are looked for, and how many places for cells a table has, at most.
const MAX_CROSSINGS: usize = 400_000;
const MAX_PLACES: usize = 6_000;

/// How far bands of one table may be apart, in points: tables are filled in every other row.
const BAND: f64 = 90.0;

/// How many times as high as the others a row is at most that stands above or below filled ones, and how far its
/// lines are apart at most, as a part of their height.
const MAX_ROW: f64 = 3.0;
const LEADING: f64 = 0.3;

/// How many filled rows a table has at least whose head stands above them, and in which part of them there are several
/// cells.
const MIN_BANDS: usize = 3;
const SEVERAL: f64 = 0.7;

/// How many rows a grid has at least whose head stands above it, and in which part of its columns something is written.
const MIN_GRID: usize = 2;
const WRITTEN: f64 = 0.5;

/// One in so many words at most goes over a wall between the cells of a table, and how far, in points: boxes are drawn
/// around parts of a text as well.
const ONE_CUT_IN: usize = 5;
const CUT: f64 = 2.0;

/// Lines that cross each other.
#[derive(Clone, Debug, Default)]
struct Net {
    across: Vec<Edge>,
    down: Vec<Edge>,
}

impl Net {
    /// Returns its left, top, right and bottom.
    fn bounds(&self) -> [f64; 4] {
        let xs = self.across.iter().flat_map(|edge| [edge.start, edge.end]);
        let ys = self.down.iter().flat_map(|edge| [edge.start, edge.end]);
        let xs: Vec<f64> = xs.chain(self.down.iter().map(|edge| edge.at)).collect();
        let ys: Vec<f64> = ys.chain(self.across.iter().map(|edge| edge.at)).collect();
        let least = |all: &[f64]| all.iter().copied().fold(f64::MAX, f64::min);
        let most = |all: &[f64]| all.iter().copied().fold(f64::MIN, f64::max);
        [least(&xs), least(&ys), most(&xs), most(&ys)]
    }
}

impl Net {
    /// Returns whether nothing but the edges of filled areas parts its columns.
    fn is_shaded(&self) -> bool {
        self.down.iter().all(|edge| edge.is_shade)
    }

    /// Returns how high its rows are if they are filled from its left to its right, and hold cells that nothing parts.
    fn bands(&self, words: &[Word<'_>]) -> Option<f64> {
        let [left, top, right, bottom] = self.bounds();
        let columns = clustered(self.down.iter().map(|edge| edge.at).collect());
        let count = clustered(self.across.iter().map(|edge| edge.at).collect()).len() - 1;
        if !self.is_shaded() || columns.len() > 2 || count < MIN_BANDS {
            return None;
        }
        let is_inside = |word: &&Word<'_>| {
            let (x, y) = (word.center(), word.middle());
            left < x && x < right && top < y && y < bottom
        };
        let lines = rows(&words.iter().filter(is_inside).copied().collect::<Vec<_>>());
        let several = lines.iter().filter(|line| line.pieces().len() > 1).count();
        let are_rows = several as f64 >= SEVERAL * lines.len().max(count) as f64;
        are_rows.then(|| (bottom - top) / count as f64)
    }

    /// Returns whether its walls go through many of some words.
    fn cuts(&self, words: &[Word<'_>]) -> bool {
        let is_through = |word: &Word<'_>, wall: &Edge| {
            word.left + CUT < wall.at && wall.at < word.right - CUT && wall.passes(word.middle())
        };
        let is_cut = |word: &&Word<'_>| self.down.iter().any(|wall| is_through(word, wall));
        words.len() * self.down.len() <= MAX_CROSSINGS
            && words.iter().filter(is_cut).count() * ONE_CUT_IN > words.len()
    }

    fn with(mut self, other: Self) -> Self {
        self.across.extend(other.across);
        self.down.extend(other.down);
        self
    }

    /// Takes in the head of a grid that is drawn from the row below it on: a cell above each column, but the first may
    /// have none. What is in others is not looked at, unless it is in one of those around the grid.
    fn extend_to_head(&mut self, words: &[Word<'_>], others: &[[f64; 4]]) {
        let [left, top, right, bottom] = self.bounds();
        let rows = clustered(self.across.iter().map(|edge| edge.at).collect()).len() - 1;
        let edges = self.down.iter().map(|edge| edge.at).chain([left, right]);
        let edges = clustered(edges.collect());
        let columns = edges.len() - 1;
        if self.is_shaded() || rows < MIN_GRID || columns < 2 {
            return;
        }
        let is_inside = |word: &&Word<'_>| {
            let (x, y) = (word.center(), word.middle());
            left < x && x < right && top < y && y < bottom
        };
        let written = words.iter().filter(is_inside);
        let written: BTreeSet<usize> = written.map(|word| slot(&edges, word.center())).collect();
        if (written.len() as f64) < WRITTEN * columns as f64 {
            return;
        }
        let reach = (bottom - top) / rows as f64;
        let is_around = |other: &&[f64; 4]| {
            other[0] <= left && other[1] <= top && right <= other[2] && bottom <= other[3]
        };
        let beside: Vec<&[f64; 4]> = others.iter().filter(|other| !is_around(other)).collect();
        let is_free = |word: &&Word<'_>| {
            let (x, y) = (word.center(), word.middle());
            let is_above = top - MAX_ROW * reach < y && y < top;
            let is_in = |of: &&[f64; 4]| of[0] < x && x < of[2] && of[1] < y && y < of[3];
            is_above && !beside.iter().any(is_in)
        };
        let free: Vec<Word<'_>> = words.iter().filter(is_free).copied().collect();
        self.extend(true, reach, (columns - 1).max(2), &free);
    }

    /// Takes in the row above or below it, if it stands within reach and has so many cells between its walls.
    fn extend(&mut self, is_above: bool, reach: f64, cells: usize, words: &[Word<'_>]) {
        let [left, top, right, bottom] = self.bounds();
        let (least, most) = if is_above {
            (top - MAX_ROW * reach, top)
        } else {
            (bottom, bottom + MAX_ROW * reach)
        };
        let is_between = |word: &&Word<'_>| {
            let is_level = least < word.middle() && word.middle() < most;
            is_level && word.right > left && word.left < right
        };
        let between: Vec<Word<'_>> = words.iter().filter(is_between).copied().collect();
        let mut lines = rows(&between);
        if is_above {
            lines.reverse();
        }
        let apart = |one: &Row<'_>, other: &Row<'_>| {
            let gap = one.top().max(other.top()) - one.bottom().min(other.bottom());
            gap > LEADING * (one.bottom() - one.top())
        };
        let edge = if is_above { top } else { bottom };
        let walls = clustered(self.down.iter().map(|edge| edge.at).collect());
        let crosses = |line: &Row<'_>| line.pieces().iter().any(|piece| piece.crosses(&walls));
        let near = lines.chunk_by(|one, other| !apart(one, other)).next();
        let row: Vec<&Row<'_>> = near
            .into_iter()
            .flatten()
            .take_while(|line| !crosses(line))
            .collect();
        let is_near = row
            .first()
            .is_some_and(|line| (line.middle - edge).abs() < reach);
        if !is_near || !row.iter().any(|line| line.pieces().len() >= cells) {
            return;
        }
        let top = row.iter().map(|line| line.top()).fold(edge, f64::min);
        let bottom = row.iter().map(|line| line.bottom()).fold(edge, f64::max);
        let is_shade = self.is_shaded();
        let edge = |at, start, end| Edge {
            at,
            start,
            end,
            is_shade,
        };
        self.across
            .extend([top, bottom].map(|at| edge(at, left, right)));
        self.down
            .extend(walls.iter().map(|at| edge(*at, top, bottom)));
    }
}

/// Finds the tables between some lines. What is turned to the side is part of a table that has more upright words.
pub(super) fn find<'a>(
    across: &[Edge],
    down: &[Edge],
    words: &[Word<'a>],
    turned: &[Word<'a>],
) -> Vec<Found<'a>> {
    if across.len() * down.len() > MAX_CROSSINGS {
        return Vec::new();
    }
    let area = |net: &Net| {
        let [left, top, right, bottom] = net.bounds();
        (right - left) * (bottom - top)
    };
    let mut nets = stacked(nets(across, down), words);
    nets.sort_by(|one, other| area(other).total_cmp(&area(one)));
    let mut kept: Vec<([f64; 4], Found<'a>)> = Vec::new();
    let mut taken = HashSet::new();
    for net in nets {
        let bounds = net.bounds();
        let is_within = |other: &[f64; 4]| {
            other[0] - 2.0 <= bounds[0]
                && other[1] - 2.0 <= bounds[1]
                && bounds[2] <= other[2] + 2.0
                && bounds[3] <= other[3] + 2.0
        };
        if kept.iter().any(|(other, _)| is_within(other)) {
            continue;
        }
        // Of lines that cross others by chance, as those of diagrams do, nothing is in two tables.
        if let Some(table) = table(&net, words, turned, &taken) {
            taken.extend(table.words.iter().map(|word| word.place));
            kept.push((bounds, table));
        }
    }
    kept.into_iter().map(|(_, table)| table).collect()
}

/// Gathers lines that cross each other.
fn nets(across: &[Edge], down: &[Edge]) -> Vec<Net> {
    let mut groups = Groups::new(across.len() + down.len());
    for (row, horizontal) in across.iter().enumerate() {
        for (column, vertical) in down.iter().enumerate() {
            if horizontal.passes(vertical.at) && vertical.passes(horizontal.at) {
                groups.join(row, across.len() + column);
            }
        }
    }
    let mut nets = vec![Net::default(); across.len() + down.len()];
    for (row, edge) in across.iter().enumerate() {
        nets[groups.of(row)].across.push(*edge);
    }
    for (column, edge) in down.iter().enumerate() {
        nets[groups.of(across.len() + column)].down.push(*edge);
    }
    nets.retain(|net| net.across.len() >= 2 && !net.down.is_empty());
    nets
}

/// Puts the bands together that are filled rows of one table: as wide as each other, with nothing between
/// them that crosses their walls. Every other row is filled, so those above and below the bands are some, too.
fn stacked(mut nets: Vec<Net>, words: &[Word<'_>]) -> Vec<Net> {
    nets.sort_by(|one, other| one.bounds()[1].total_cmp(&other.bounds()[1]));
    let all: Vec<[f64; 4]> = nets.iter().map(Net::bounds).collect();
    let mut stacked: Vec<Vec<Net>> = Vec::new();
    for net in nets {
        match stacked.last_mut() {
            Some(bands) if bands.last().is_some_and(|last| is_one(last, &net, words)) => {
                bands.push(net);
            }
            _ => stacked.push(vec![net]),
        }
    }
    let whole = |bands: Vec<Net>| {
        let count = bands.len();
        let mut net = bands.into_iter().reduce(Net::with).unwrap_or_default();
        if count > 1 {
            let [_, top, _, bottom] = net.bounds();
            let reach = (bottom - top) / (2 * count - 1) as f64;
            net.extend(true, reach, 2, words);
            net.extend(false, reach, 2, words);
        } else if let Some(reach) = net.bands(words) {
            net.extend(true, reach, 2, words);
        } else {
            net.extend_to_head(words, &all);
        }
        net
    };
    stacked.into_iter().map(whole).collect()
}

fn is_one(last: &Net, next: &Net, words: &[Word<'_>]) -> bool {
    let (above, below) = (last.bounds(), next.bounds());
    let is_as_wide = (above[0] - below[0]).abs() <= SNAP && (above[2] - below[2]).abs() <= SNAP;
    if !is_as_wide || !(-2.0..=BAND).contains(&(below[1] - above[3])) {
        return false;
    }
    let walls = last.down.iter().chain(&next.down).map(|edge| edge.at);
    let walls = clustered(walls.collect());
    let between: Vec<Word<'_>> = words
        .iter()
        .filter(|word| {
            let is_level = above[3] - 1.0 <= word.middle() && word.middle() <= below[1] + 1.0;
            is_level && word.right > above[0] && word.left < above[2]
        })
        .copied()
        .collect();
    let rows = rows(&between);
    let mut pieces = rows.iter().flat_map(Row::pieces);
    walls.len() > 2 && !pieces.any(|piece| piece.crosses(&walls))
}

/// Makes a table of lines that cross each other, unless they are a frame, boxes around parts of a text, or the lines of a
/// chart. What is taken already is no part of it.
fn table<'a>(
    net: &Net,
    words: &[Word<'a>],
    turned: &[Word<'a>],
    taken: &HashSet<(usize, usize)>,
) -> Option<Found<'a>> {
    let [left, top, right, bottom] = net.bounds();
    let is_inside = |word: &&Word<'a>| {
        let (x, y) = (word.center(), word.middle());
        let is_within = left - 2.0 <= x && x <= right + 2.0 && top - 1.0 <= y && y <= bottom + 1.0;
        is_within && !taken.contains(&word.place)
    };
    let mut inside: Vec<Word<'a>> = words.iter().filter(is_inside).copied().collect();
    let turned: Vec<Word<'a>> = turned.iter().filter(is_inside).copied().collect();
    if inside.is_empty() || turned.len() > inside.len() || net.cuts(&inside) {
        return None;
    }
    let xs = net.down.iter().map(|edge| edge.at).chain([left, right]);
    let ys = net.across.iter().map(|edge| edge.at).chain([top, bottom]);
    let xs = without_gutters(clustered(xs.collect()), &inside);
    let ys = clustered(ys.collect());
    let (columns, rows) = (xs.len().saturating_sub(1), ys.len().saturating_sub(1));
    if columns * rows < 2 || columns * rows > MAX_PLACES {
        return None;
    }
    let mut regions = regions(net, &xs, &ys);
    let mut cells: Vec<Cell<'a>> = vec![Vec::new(); columns * rows];
    for &word in &inside {
        let (row, column) = (slot(&ys, word.middle()), slot(&xs, word.center()));
        cells[regions.of(row * columns + column)].push(word);
    }
    let mut roots: Vec<usize> = (0..columns * rows).map(|place| regions.of(place)).collect();
    roots.sort_unstable();
    roots.dedup();
    let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
    if roots.len() < 4 || filled < 2 {
        return None;
    }
    let mut of_rows: Vec<Cell<'a>> = vec![Vec::new(); rows];
    for &word in &turned {
        let place = slot(&ys, word.middle()) * columns + slot(&xs, word.center());
        of_rows[regions.of(place) / columns].push(word);
    }
    inside.extend(turned);
    let grid = refine::Grid {
        edges: xs,
        heights: ys,
        rows: cells.chunks(columns).map(<[Cell<'a>]>::to_vec).collect(),
        turned: of_rows,
    };
    Some(Found {
        rows: refine::refined(grid)?,
        words: inside,
        head: None,
        is_shaded: net.is_shaded(),
    })
}

/// Joins the places between which no wall is drawn.
fn regions(net: &Net, xs: &[f64], ys: &[f64]) -> Groups {
    let (columns, rows) = (xs.len() - 1, ys.len() - 1);
    let mut regions = Groups::new(columns * rows);
    let has_wall = |edges: &[Edge], at: f64, start: f64, end: f64| {
        let middle = f64::midpoint(start, end);
        edges
            .iter()
            .any(|edge| (edge.at - at).abs() <= SNAP && edge.passes(middle))
    };
    for row in 0..rows {
        for column in 0..columns {
            let place = row * columns + column;
            if column + 1 < columns && !has_wall(&net.down, xs[column + 1], ys[row], ys[row + 1]) {
                regions.join(place, place + 1);
            }
            if row + 1 < rows && !has_wall(&net.across, ys[row + 1], xs[column], xs[column + 1]) {
                regions.join(place, place + columns);
            }
        }
    }
    regions
}

/// Returns numbers, each as the mean of those near it.
fn clustered(mut numbers: Vec<f64>) -> Vec<f64> {
    numbers.sort_by(f64::total_cmp);
    let mut groups: Vec<Vec<f64>> = Vec::new();
    for number in numbers {
        match groups.last_mut() {
            Some(group) if group.last().is_some_and(|last| number - last <= SNAP) => {
                group.push(number);
            }
            _ => groups.push(vec![number]),
        }
    }
    let mean = |group: &Vec<f64>| group.iter().sum::<f64>() / group.len() as f64;
    groups.iter().map(mean).collect()
}

/// Takes one of two edges away where nothing is written between them, as between double lines.
fn without_gutters(mut edges: Vec<f64>, words: &[Word<'_>]) -> Vec<f64> {
    const NARROW: f64 = 5.0;
    let mut index = 1;
    while index + 1 < edges.len() {
        let (start, end) = (edges[index], edges[index + 1]);
        let mut centers = words.iter().map(Word::center);
        let is_empty = !centers.any(|center| start < center && center < end);
        if end - start < NARROW && is_empty {
            edges[index] = f64::midpoint(start, end);
            edges.remove(index + 1);
        } else {
            index += 1;
        }
    }
    edges
}

/// Numbers in groups that can be joined.
struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// Returns the least number of a group.
    fn of(&mut self, number: usize) -> usize {
        let mut root = number;
        while self.0[root] != root {
            self.0[root] = self.0[self.0[root]];
            root = self.0[root];
        }
        root
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one.max(other)] = one.min(other);
    }
}
