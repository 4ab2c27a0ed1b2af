//! Letters that follow each other on one baseline. What was printed twice is there once.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;
use std::ops::Range;

use kurbo::{Point, Vec2};

use super::direction::{Counts, is_from_the_right, is_invisible, is_mark};
use super::drawn::Letter;
use super::overprint::repeated;

/// How far, in multiples of the type size, the baselines of letters on one line may be apart: as far as
/// an exponent is raised.
pub(super) const SAME_LINE: f64 = 0.5;

/// How far, in multiples of the type size, a letter may begin before the end of the one before it and
/// still go on its line.
pub(super) const OVERLAP: f64 = 1.0;

/// The widest gap between runs of a line that is read from right to left, in multiples of the type size.
const SAME_RUN: f64 = 3.0;

/// How far apart lines end that end together, in multiples of the type size.
const SAME_EDGE: f64 = 0.3;

/// How far apart the baselines of a paragraph are, in multiples of the type size, and how long a line is at least in
/// proportion to the next.
const BELOW: Range<f64> = 0.8..2.0;
const MIN_LENGTH: f64 = 0.75;

/// How many pairs of lines begin together at the right at least where text is set so, and how many times as many as
/// begin together at the left.
const MIN_SET_BACK: usize = 2;
const MOSTLY: usize = 2;

/// How far before where it is drawn something without a width stands, in multiples of the type size.
const INVISIBLE: f64 = 0.02;

/// How far before the letter that it belongs to a mark may be drawn, in multiples of the type size.
const NEAR_BASE: f64 = 0.1;

/// How many letters are drawn each to the left of the one before at least where text is drawn so (four may be signs of a
/// formula), how far they may overlap, in multiples of the type size, and how much their directions may differ, in
/// radians.
const MIN_LEFTWARD: usize = 5;
const LEFTWARD_OVERLAP: f64 = 0.1;
const SAME_ANGLE: f64 = 0.01;

/// A letter as its line sees it.
pub(super) struct Placed<'a> {
    pub(super) letter: &'a Letter,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) y: f64,
    pub(super) turn: i32,
    /// Whether a space was drawn before it.
    pub(super) is_spaced: bool,
}

/// Letters that follow each other on one baseline, in the order in which they were drawn or, where some are
/// written from right to left, from left to right.
pub(super) struct Run<'a> {
    letters: Vec<Placed<'a>>,
    /// The middles of the spaces that were drawn.
    spaces: Vec<f64>,
    left: f64,
    right: f64,
    has_back: bool,
    /// How many of them were drawn last.
    last_spaces: usize,
    /// Where what was drawn last and is not written from right to left begins.
    forth: Option<f64>,
}

/// Parts letters into runs.
pub(super) fn runs(letters: &[Letter]) -> Vec<Run<'_>> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    let is_repeated = repeated(letters);
    let mut spaces: Vec<Placed<'_>> = Vec::new();
    let mut unknown: Vec<Placed<'_>> = Vec::new();
    for place in from_the_left(letters) {
        let (letter, is_repeated) = (&letters[place], is_repeated[place]);
        if letter.text.is_empty() {
            unknown.push(Placed::new(letter, false));
            continue;
        }
        if letter.text.trim().is_empty() {
            spaces.push(Placed::new(letter, false));
            continue;
        }
        if is_repeated {
            continue;
        }
        let mut next = Placed::new(letter, !spaces.is_empty());
        if let Some(last) = runs.last_mut() {
            last.add_spaces(&spaces);
            next.is_spaced |= last.reserve(&unknown, &next);
        }
        match runs.last_mut().filter(|last| last.goes_on(&next)) {
            Some(last) => last.push(next),
            None => runs.push(Run::of(next, &spaces)),
        }
        spaces.clear();
        unknown.clear();
    }
    runs
}

/// Returns the places of letters in the order in which they are read on a page without letters that are written from right
/// to left: some writers draw each letter to the left of the one before.
fn from_the_left(letters: &[Letter]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..letters.len()).collect();
    if letters.iter().any(|of| is_from_the_right(&of.text)) {
        return places;
    }
    for drawn in places.chunk_by_mut(|last, next| goes_left(&letters[*last], &letters[*next])) {
        if drawn.len() >= MIN_LEFTWARD {
            drawn.reverse();
        }
    }
    places
}

/// Returns whether a letter stands right before the one that was drawn before it.
fn goes_left(last: &Letter, next: &Letter) -> bool {
    let size = last.size.max(next.size);
    let back = last.start - next.end;
    if last.is_vertical || back.hypot() > size || (last.angle - next.angle).abs() > SAME_ANGLE {
        return false;
    }
    let (sin, cos) = last.angle.sin_cos();
    let along = |of: Vec2| (of.x * cos + of.y * sin) / size;
    let across = (back.y * cos - back.x * sin) / size;
    across.abs() < SAME_LINE
        && along(back) > -LEFTWARD_OVERLAP
        && along(last.start - next.start) > LEFTWARD_OVERLAP
}

impl<'a> Run<'a> {
    fn of(first: Placed<'a>, spaces: &[Placed<'_>]) -> Self {
        let has_back = is_from_the_right(&first.letter.text);
        let mut run = Self {
            left: first.left,
            right: first.right,
            has_back,
            forth: (!has_back).then_some(first.left),
            letters: vec![first],
            spaces: Vec::new(),
            last_spaces: 0,
        };
        run.add_spaces(spaces);
        run.last_spaces = 0;
        run
    }

    pub(super) fn letters(&self) -> &[Placed<'a>] {
        &self.letters
    }

    pub(super) fn left(&self) -> f64 {
        self.left
    }

    pub(super) fn right(&self) -> f64 {
        self.right
    }

    /// Returns whether letters of it are written from right to left.
    pub(super) fn has_back(&self) -> bool {
        self.has_back
    }

    fn push(&mut self, mut next: Placed<'a>) {
        if let Some(last) = self.letters.last().filter(|_| !self.has_back) {
            next.stand_over(last);
        }
        let is_back = is_from_the_right(&next.letter.text);
        if is_back {
            self.move_spaces(next.right, next.letter.size);
        }
        self.last_spaces = 0;
        self.left = self.left.min(next.left);
        self.right = self.right.max(next.right);
        self.has_back |= is_back;
        let forth = || self.forth.map_or(next.left, |left| left.min(next.left));
        self.forth = (!is_back).then(forth);
        self.letters.push(next);
    }

    /// Adds what stands on its line.
    pub(super) fn append(&mut self, next: Self) {
        next.letters.into_iter().for_each(|next| self.push(next));
        self.spaces.extend(next.spaces);
        self.last_spaces = next.last_spaces;
    }

    /// Adds the room of letters that nobody knows to the last one, as far as they stand beside it and before the
    /// next: what is around them is no further apart than a reader sees. Says whether there are any. Where text
    /// runs from right to left, they may stand on either side.
    fn reserve(&mut self, unknown: &[Placed<'_>], next: &Placed<'_>) -> bool {
        let goes_on = self.goes_on(next);
        let Some(last) = self.letters.last_mut().filter(|_| !self.has_back) else {
            return false;
        };
        let end = last.right;
        for of in unknown {
            let size = last.letter.size.max(of.letter.size);
            let is_beside = (-OVERLAP * size..size).contains(&(of.left - last.right));
            if last.is_level_with(of) && is_beside {
                last.right = last.right.max(of.right);
            }
        }
        if goes_on {
            last.right = last.right.min(next.left).max(end);
        }
        self.right = self.right.max(last.right);
        last.right > end
    }

    /// Moves the spaces that were drawn last to where they are read. Some writers draw the space behind a foreign
    /// word to its right, as it would be in its own language, though what is next ends to its left.
    fn move_spaces(&mut self, right: f64, size: f64) {
        let is_next = |left: &f64| (left - right).abs() < size * OVERLAP;
        if let Some(left) = self.forth.filter(is_next) {
            let last = self.spaces.iter_mut().rev().take(self.last_spaces);
            last.filter(|at| **at > left)
                .for_each(|at| *at = f64::midpoint(left, right));
        }
    }

    /// Adds those of the spaces that stand on its line.
    fn add_spaces(&mut self, spaces: &[Placed<'_>]) {
        let last = self.letters.last().into_iter();
        let level = last.flat_map(|last| spaces.iter().filter(|space| last.is_level_with(space)));
        let before = self.spaces.len();
        self.spaces.extend(level.map(Placed::middle));
        self.last_spaces += self.spaces.len() - before;
    }

    fn goes_on(&self, next: &Placed<'_>) -> bool {
        self.letters.last().is_some_and(|last| goes_on(last, next))
    }

    /// Joins runs of a line on which letters are written from right to left: some writers draw each run of a
    /// direction by itself, to the right or to the left of the one before.
    pub(super) fn joined(runs: Vec<Self>) -> Vec<Self> {
        let mut joined: Vec<Self> = Vec::new();
        for run in runs {
            match joined.last_mut().filter(|last| last.is_beside(&run)) {
                Some(last) => {
                    if let Some(next) = run.letters.first().filter(|_| run.has_back) {
                        last.move_spaces(run.right, next.letter.size);
                    }
                    last.append(run);
                }
                None => joined.push(run),
            }
        }
        for run in joined.iter_mut().filter(|run| run.has_back) {
            run.sort();
        }
        joined
    }

    /// Says for each run of a page whether it is set as what is read from right to left: it begins at the right where
    /// the one before or behind it does, and on this page few begin together at the left.
    pub(super) fn are_set_back(runs: &[Self]) -> Vec<bool> {
        let is_same = |pair: &[Self], edge: fn(&Self) -> f64| {
            let (one, other) = (&pair[0].letters[0], &pair[1].letters[0]);
            let size = one.letter.size.max(other.letter.size);
            let is_near = (edge(&pair[0]) - edge(&pair[1])).abs() < SAME_EDGE * size;
            is_near && one.turn == other.turn && !one.is_level_with(other)
        };
        let pairs = || runs.windows(2);
        let at_right: Vec<bool> = pairs().map(|pair| is_same(pair, |run| run.right)).collect();
        let at_left = pairs().filter(|pair| is_same(pair, |run| run.left)).count();
        let count = at_right.iter().filter(|is| **is).count();
        let is_page_back = count >= MIN_SET_BACK && count > MOSTLY * at_left;
        let is_at =
            |pair: Option<usize>| pair.is_some_and(|pair| at_right.get(pair) == Some(&true));
        let run_is = |at: usize| is_page_back && (is_at(at.checked_sub(1)) || is_at(Some(at)));
        (0..runs.len()).map(run_is).collect()
    }

    /// Says for each run of a page whether most letters of its paragraph are written from left to right.
    pub(super) fn are_among_forth(runs: &[Self]) -> Vec<bool> {
        let paragraphs = runs.chunk_by(Self::is_above);
        let are = paragraphs.flat_map(|paragraph| {
            let letters = paragraph.iter().flat_map(|run| &run.letters);
            let counts = Counts::of(letters.map(|of| &*of.letter.text));
            paragraph.iter().map(move |_| counts.are_mostly_forth())
        });
        are.collect()
    }

    /// Returns whether the next one is the next line of its paragraph, where lines begin at the
    /// left.
    fn is_above(&self, next: &Self) -> bool {
        let (one, other) = (&self.letters[0], &next.letters[0]);
        let size = one.letter.size.max(other.letter.size);
        one.turn == other.turn
            && (self.left - next.left).abs() < SAME_EDGE * size
            && BELOW.contains(&((other.y - one.y) / size))
            && self.right - self.left > MIN_LENGTH * (next.right - next.left)
    }

    fn is_beside(&self, next: &Self) -> bool {
        let (Some(one), Some(other)) = (self.letters.last(), next.letters.first()) else {
            return false;
        };
        let size = one.letter.size.max(other.letter.size);
        let gap = (next.left - self.right).max(self.left - next.right);
        (self.has_back || next.has_back)
            && one.is_level_with(other)
            && (-OVERLAP * size..SAME_RUN * size).contains(&gap)
    }

    /// Brings its letters into their order from left to right. A mark stands before a letter that is read from
    /// right to left, so that it is read behind it.
    fn sort(&mut self) {
        let (marks, mut letters): (Vec<_>, Vec<_>) = std::mem::take(&mut self.letters)
            .into_iter()
            .partition(|of| is_mark(&of.letter.text));
        for of in letters
            .iter_mut()
            .filter(|of| is_invisible(&of.letter.text))
        {
            of.left -= INVISIBLE * of.letter.size;
            of.right = of.left;
        }
        letters.sort_by(|one, other| one.left.total_cmp(&other.left));
        let base = |mark: &Placed<'_>| {
            let at = mark.middle() + NEAR_BASE * mark.letter.size;
            let behind = letters.partition_point(|of| of.left <= at);
            behind.saturating_sub(1)
        };
        let mut of_base: BTreeMap<usize, Vec<Placed<'a>>> = BTreeMap::new();
        for mark in marks {
            of_base.entry(base(&mark)).or_default().push(mark);
        }
        let mut letters: Vec<(usize, Placed<'a>)> = letters.into_iter().enumerate().collect();
        settle_overlaps(&mut letters);
        for (at, letter) in letters {
            let is_back = is_from_the_right(&letter.letter.text);
            let edge = if is_back { letter.left } else { letter.right };
            let mut letter = Some(letter);
            self.letters.extend(letter.take_if(|_| !is_back));
            let marks = of_base.remove(&at).unwrap_or_default();
            self.letters.extend(marks.into_iter().map(|mark| Placed {
                left: edge,
                right: edge,
                ..mark
            }));
            self.letters.extend(letter);
        }
        self.letters.extend(of_base.into_values().flatten());
        self.spaces.sort_by(f64::total_cmp);
        let spaces_before = |of: &Placed<'_>| self.spaces.partition_point(|at| *at < of.middle());
        let counts: Vec<usize> = self.letters.iter().map(spaces_before).collect();
        let mut before = counts.first().copied().unwrap_or(0);
        for (of, count) in self.letters.iter_mut().zip(counts) {
            of.is_spaced = count > before;
            before = before.max(count);
        }
    }
}

impl<'a> Placed<'a> {
    fn new(letter: &'a Letter, is_spaced: bool) -> Self {
        let quarter = (letter.angle / FRAC_PI_2).round();
        let is_square = (letter.angle - quarter * FRAC_PI_2).abs() < 0.1;
        let angle = if is_square {
            quarter * FRAC_PI_2
        } else {
            letter.angle
        };
        let turn = angle.to_degrees().round() as i32;
        let (sin, cos) = f64::from(turn).to_radians().sin_cos();
        let along = |point: Point| point.x * cos + point.y * sin;
        Self {
            letter,
            left: along(letter.start),
            right: along(letter.end),
            y: letter.start.y * cos - letter.start.x * sin,
            turn: turn.rem_euclid(360),
            is_spaced,
        }
    }

    /// Makes a mark that is drawn back over the letter before it end where the letter does: the next is no further
    /// apart than it looks.
    fn stand_over(&mut self, base: &Self) {
        let text = &self.letter.text;
        if self.left < base.right && !text.is_ascii() && is_mark(text) {
            self.left = base.left;
            self.right = self.right.max(base.right);
        }
    }

    fn is_level_with(&self, other: &Self) -> bool {
        let size = self.letter.size.max(other.letter.size);
        self.turn == other.turn && (self.y - other.y).abs() < size * SAME_LINE
    }

    fn middle(&self) -> f64 {
        f64::midpoint(self.left, self.right)
    }
}

/// Puts letters in order that are read from right to left, stand in order of their left edges, and are kerned so closely
/// that the one that is read first reaches further to the left, as ra may below alef.
fn settle_overlaps(letters: &mut [(usize, Placed<'_>)]) {
    for at in 1..letters.len() {
        let [(_, one), (_, next)] = &letters[at - 1..=at] else {
            continue;
        };
        let are_back = [one, next]
            .iter()
            .all(|of| is_from_the_right(&of.letter.text));
        if are_back && next.middle() < one.middle() {
            letters.swap(at - 1, at);
        }
    }
}

fn goes_on(last: &Placed<'_>, next: &Placed<'_>) -> bool {
    if !last.is_level_with(next) {
        return false;
    }
    let size = last.letter.size.max(next.letter.size);
    let is_back = is_from_the_right(&next.letter.text) || is_from_the_right(&last.letter.text);
    next.left > last.right - size * OVERLAP
        || is_back && (last.left - next.right).abs() < size * OVERLAP
}
