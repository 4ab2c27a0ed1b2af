//! Letters of a line that are raised or lowered.

use std::borrow::Cow;
use std::ops::Range;

use super::runs::{Placed, Run, SAME_LINE};
use super::spacing::gap;
use crate::superscript::{Rise, joins, subscripts, superscripts};

/// How much smaller than its line a raised letter is, and how far above the baseline, in multiples of the type
/// size.
const RAISED_SIZE: f64 = 0.85;
const RAISED: f64 = 0.15;

/// How far a digit is raised at least that is no smaller than the number before it, and how far below the baseline a
/// lowered letter is, in multiples of the type size.
const RAISED_FAR: f64 = 0.2;
const LOWERED: f64 = 0.1;

/// How many letters the mark of a note has at most that stands before it.
const LONGEST_MARK: usize = 3;

/// The gap between letters without a space between them, in multiples of the type size.
const TOUCHING: f64 = 0.2;

/// How small such a letter may be, as a part of the type size of its line: an initial is larger beside its text.
const SMALLEST: f64 = 0.45;

/// How far type reaches above its baseline and below it, in multiples of its size.
const ABOVE: f64 = 0.75;
const BELOW: f64 = 0.25;

/// The gap between a line and what is raised or lowered beside it, in multiples of the type size.
const BESIDE: Range<f64> = -0.2..0.6;

/// How much the type sizes of what stands above each other in a fraction differ at most, how far they are apart, and
/// how far one stands over the other at least, in multiples of the type size.
const SAME_SIZE: f64 = 1.12;
const STACKED: f64 = 2.0;
const OVER: f64 = 0.1;

/// Where a run stands, and its largest type.
#[derive(Clone, Copy)]
struct Place {
    left: f64,
    right: f64,
    y: f64,
    size: f64,
    turn: i32,
    has_back: bool,
    /// Whether it is one half of a fraction, or a line of a paragraph.
    is_stacked: bool,
}

impl Place {
    fn of(run: &Run<'_>) -> Self {
        let letters = run.letters();
        let largest = letters.iter().fold(&letters[0], |largest, of| {
            if of.letter.size < largest.letter.size {
                largest
            } else {
                of
            }
        });
        Self {
            left: run.left(),
            right: run.right(),
            y: largest.y,
            size: largest.letter.size,
            turn: largest.turn,
            has_back: run.has_back(),
            is_stacked: false,
        }
    }

    /// Returns whether another one of its type stands above or below it.
    fn is_stacked_with(&self, other: &Self) -> bool {
        let size = self.size.max(other.size);
        let over = self.right.min(other.right) - self.left.max(other.left);
        self.turn == other.turn
            && size < SAME_SIZE * self.size.min(other.size)
            && over > OVER * size
            && (self.y - other.y).abs() < STACKED * size
    }

    /// Returns whether the next one stands on its line.
    fn goes_on(&self, next: &Self) -> bool {
        if self.turn != next.turn || self.has_back || next.has_back {
            return false;
        }
        let size = self.size.max(next.size);
        let gap = (next.left - self.right) / size;
        let is_level = (self.y - next.y).abs() < SAME_LINE * size;
        gap >= BESIDE.start && (is_level || gap < BESIDE.end && self.overlaps(next))
    }

    /// Returns whether the smaller of two is raised or lowered, but within the height of the
    /// larger.
    fn overlaps(&self, next: &Self) -> bool {
        let (small, large) = if self.size < next.size {
            (self, next)
        } else {
            (next, self)
        };
        let down = small.y - large.y;
        !small.is_stacked
            && (SMALLEST..RAISED_SIZE).contains(&(small.size / large.size))
            && (-ABOVE * large.size..BELOW * large.size + ABOVE * small.size).contains(&down)
    }

    /// Returns the place of both together.
    fn with(self, next: Self) -> Self {
        let largest = if next.size < self.size { self } else { next };
        Self {
            left: self.left.min(next.left),
            right: self.right.max(next.right),
            ..largest
        }
    }
}

/// Joins the runs of a line that are apart as smaller type between them is raised or lowered far.
pub(super) fn joined(runs: Vec<Run<'_>>) -> Vec<Run<'_>> {
    let mut places: Vec<Place> = runs.iter().map(Place::of).collect();
    for at in 1..places.len() {
        if places[at - 1].is_stacked_with(&places[at]) {
            places[at - 1].is_stacked = true;
            places[at].is_stacked = true;
        }
    }
    let mut joined: Vec<(Run<'_>, Place)> = Vec::with_capacity(runs.len());
    for (run, place) in runs.into_iter().zip(places) {
        match joined.last_mut().filter(|last| last.1.goes_on(&place)) {
            Some((last, of_last)) => {
                last.append(run);
                *of_last = of_last.with(place);
            }
            None => joined.push((run, place)),
        }
    }
    joined.into_iter().map(|(run, _)| run).collect()
}

/// Returns whether a letter is smaller than those of a line of this type size.
fn is_small(of: &Placed<'_>, size: f64) -> bool {
    of.letter.size < RAISED_SIZE * size
}

/// Returns where the baseline of a line of this type size is, unless all its letters are small.
pub(super) fn baseline(letters: &[Placed<'_>], size: f64) -> Option<f64> {
    let first = letters.iter().find(|of| !is_small(of, size));
    first.map(|of| of.y)
}

/// Returns what the letters of a line of this type size stand for: digits and signs that are raised, as notes
/// and powers are, are written as such, and those that are lowered beside a number. `4,512` with a note 1 is not 45,121.
pub(super) fn texts<'a>(letters: &[Placed<'a>], size: f64) -> Vec<Cow<'a, str>> {
    let rises = rises(letters, size);
    let mut texts = Vec::with_capacity(letters.len());
    for run in rises.chunk_by(|one, other| one == other) {
        let (start, end) = (texts.len(), texts.len() + run.len());
        let pieces: Vec<&'a str> = letters[start..end].iter().map(of_letter).collect();
        let before = start.checked_sub(1);
        let before = before.filter(|at| rises[*at] == Rise::None && touch(letters, *at));
        let before = before.and_then(|at| letters[at].letter.text.chars().next_back());
        let is_level = rises.get(end) == Some(&Rise::None) && touch(letters, end - 1);
        let next = letters.get(end).filter(|_| is_level);
        let after = next.and_then(|of| of.letter.text.chars().next());
        let moved = match run[0] {
            Rise::None => None,
            Rise::Raised => raised_pieces(before, &pieces),
            Rise::Lowered => subscripts(before, &pieces, after),
        };
        match moved {
            Some(moved) => texts.extend(moved.into_iter().map(Cow::Owned)),
            None => texts.extend(pieces.into_iter().map(Cow::Borrowed)),
        }
    }
    texts
}

fn of_letter<'a>(of: &Placed<'a>) -> &'a str {
    &of.letter.text
}

/// Returns raised pieces in superscript characters, or behind a mark where they would be a part of the number before.
fn raised_pieces(before: Option<char>, pieces: &[&str]) -> Option<Vec<String>> {
    superscripts(pieces).or_else(|| {
        joins(before, &pieces.concat()).then(|| {
            let marks = std::iter::once("^").chain(std::iter::repeat(""));
            let marked = marks
                .zip(pieces)
                .map(|(mark, piece)| format!("{mark}{piece}"));
            marked.collect()
        })
    })
}

/// Says for each letter of a line of this type size whether it is raised or lowered: by its tag, beside the line, or
/// beside the letters before it, which may be few of their size.
fn rises(letters: &[Placed<'_>], size: f64) -> Vec<Rise> {
    let line = baseline(letters, size).unwrap_or(f64::MIN);
    let tagged = tagged_rises(letters);
    let is_above = |of: &Placed<'_>| is_small(of, size) && of.y < line - RAISED * size;
    let mut base: Option<&Placed<'_>> = None;
    let rises = letters.iter().enumerate().map(|(at, of)| {
        let beside = || {
            let is_beside = at > 0 && touch(letters, at - 1);
            base.filter(|_| is_beside)
                .map_or(Rise::None, |base| rise_beside(base, of))
        };
        let rise = if tagged[at] != Rise::None {
            tagged[at]
        } else if is_above(of) {
            Rise::Raised
        } else {
            beside()
        };
        if rise == Rise::None {
            base = Some(of);
        }
        rise
    });
    rises.collect()
}

/// Returns where letters stand by their tags. A line that is raised as a whole is none, and neither is a word that is no
/// mark before a note: some are so for their looks.
fn tagged_rises(letters: &[Placed<'_>]) -> Vec<Rise> {
    let mut rises: Vec<Rise> = letters.iter().map(|of| of.letter.rise).collect();
    let is_whole = !rises.contains(&Rise::None);
    let mut start = 0;
    for end in 1..=rises.len() {
        if end == rises.len() || !touch(letters, end - 1) {
            let word = &mut rises[start..end];
            let is_mark = start == 0 && word.len() <= LONGEST_MARK;
            if is_whole || !is_mark && !word.contains(&Rise::None) {
                word.fill(Rise::None);
            }
            start = end;
        }
    }
    rises
}

/// Returns where a letter stands beside one on the line. A digit that is as large as the one before it is raised farther.
fn rise_beside(base: &Placed<'_>, of: &Placed<'_>) -> Rise {
    let size = base.letter.size;
    let up = (base.y - of.y) / size;
    if is_small(of, size) {
        let is_moved = !(-LOWERED..=RAISED).contains(&up);
        return if is_moved {
            Rise::of_height(up)
        } else {
            Rise::None
        };
    }
    let is_as_large = of.letter.size < SAME_SIZE * size;
    let is_number = [base, of].iter().all(|of| ends_in_digit(of));
    Rise::from(is_as_large && is_number && up > RAISED_FAR)
}

fn ends_in_digit(of: &Placed<'_>) -> bool {
    of.letter
        .text
        .ends_with(|letter: char| letter.is_ascii_digit())
}

/// Returns whether there is no space between a letter and the next.
fn touch(letters: &[Placed<'_>], at: usize) -> bool {
    let (Some(one), Some(next)) = (letters.get(at), letters.get(at + 1)) else {
        return false;
    };
    let size = one.letter.size.max(next.letter.size);
    !next.is_spaced && gap(one, next) < TOUCHING * size
}
