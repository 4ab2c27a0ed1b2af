//! From letters to lines: words are apart, and what is written from right to left is in the order in which it is
//! read.

use std::collections::HashMap;

use super::direction::{
    Around, Brackets, Counts, Flow, Part, is_line_back, mirrored, reading_order,
};
use super::drawn::{Drawn, Letter};
use super::raised::{self, baseline, texts};
use super::runs::{OVERLAP, Placed, Run, SAME_LINE, runs};
use super::spacing::{Spacing, gap};
use super::tags::Role;

/// Letters without a gap between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) left: f64,
    pub(super) right: f64,
    /// Whether a wide gap is before it, as between the cells of a row.
    pub(super) is_apart: bool,
    /// What it is part of, where the file is tagged.
    pub(super) role: Option<Role>,
}

impl Word {
    fn of(letter: &Placed<'_>, text: String, is_apart: bool) -> Self {
        Self {
            text,
            left: letter.left,
            right: letter.right,
            is_apart,
            role: letter.letter.role,
        }
    }

    fn add(&mut self, letter: &Placed<'_>, text: &str) {
        self.text.push_str(text);
        self.left = self.left.min(letter.left);
        self.right = self.right.max(letter.right);
    }
}

/// What stands on one baseline, in the order in which it was drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    pub(super) words: Vec<Word>,
    /// Where the baseline is, from the upper end of the page as the line sees it.
    pub(super) y: f64,
    pub(super) size: f64,
    /// The direction of the line in degrees.
    pub(super) turn: i32,
    pub(super) is_bold: bool,
    pub(super) is_monospace: bool,
    pub(super) flow: Flow,
    /// What marks it as an item of a list: a dash for all kinds of bullets, or the number that was drawn apart.
    pub(super) mark: Option<String>,
}

impl Line {
    pub(super) fn left(&self) -> f64 {
        self.words
            .iter()
            .map(|word| word.left)
            .fold(f64::MAX, f64::min)
    }

    pub(super) fn right(&self) -> f64 {
        self.words
            .iter()
            .map(|word| word.right)
            .fold(f64::MIN, f64::max)
    }

    /// Returns whether it is read from right to left.
    pub(super) fn is_back(&self) -> bool {
        self.flow == Flow::Back
    }

    /// Returns where something begins and ends that stands from a left to a right edge, as the line is read: it
    /// ends at a larger number also where it is read from right to left.
    pub(super) fn along(&self, left: f64, right: f64) -> (f64, f64) {
        if self.is_back() {
            (-right, -left)
        } else {
            (left, right)
        }
    }

    /// Returns where it begins, as it is read.
    pub(super) fn start(&self) -> f64 {
        self.along(self.left(), self.right()).0
    }

    /// Returns where it ends, as it is read.
    pub(super) fn end(&self) -> f64 {
        self.along(self.left(), self.right()).1
    }

    /// Returns its text, with two spaces where there is a wide gap.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for word in &self.words {
            if !text.is_empty() {
                text.push_str(if word.is_apart { "  " } else { " " });
            }
            text.push_str(&word.text);
        }
        text
    }

    /// Returns the level and the number of the heading that it is part of, where the file is tagged.
    pub(super) fn heading(&self) -> Option<(u8, u32)> {
        match self.words.first()?.role? {
            Role::Heading { level, number } => Some((level, number)),
            _ => None,
        }
    }

    pub(super) fn is_level_with(&self, other: &Self) -> bool {
        let size = self.size.max(other.size);
        self.turn == other.turn && (self.y - other.y).abs() < size * SAME_LINE
    }
}

/// Returns the lines of a page. What is written into forms and notes stands behind what is beside it.
pub(super) fn lines(drawn: &Drawn) -> Vec<Line> {
    let (of_page, of_notes) = drawn.letters.split_at(drawn.of_page);
    let mut lines = joined(of_page);
    for note in joined(of_notes) {
        insert(&mut lines, note);
    }
    lines
}

/// Makes lines of letters.
fn joined(letters: &[Letter]) -> Vec<Line> {
    let runs = raised::joined(runs(letters));
    if runs.iter().any(Run::has_back) {
        return of_both_directions(runs);
    }
    runs.iter().filter_map(of_one_direction).collect()
}

/// Makes a line of a run that is read from left to right.
fn of_one_direction(run: &Run<'_>) -> Option<Line> {
    let letters = run.letters();
    let spacing = Spacing::of(letters);
    let mut words: Vec<Word> = Vec::new();
    let mut last: Option<&Placed<'_>> = None;
    for (of, text) in letters.iter().zip(texts(letters, size(letters))) {
        let gap = last.map_or(0.0, |last| gap(last, of));
        let size = last.map_or(of.letter.size, |last| last.letter.size.max(of.letter.size));
        let is_apart = last.is_some_and(|last| spacing.is_wide(last, of));
        let is_drawn = of.is_spaced && gap > -size * OVERLAP / 2.0;
        let is_parted = is_drawn || is_apart || last.is_some_and(|last| spacing.parts(last, of));
        match words.last_mut().filter(|_| !is_parted) {
            Some(word) => word.add(of, &text),
            None => words.push(Word::of(of, text.into_owned(), is_apart)),
        }
        last = Some(of);
    }
    let is_down = letters.first().is_some_and(|of| of.letter.is_vertical);
    line(
        letters,
        words,
        if is_down { Flow::Down } else { Flow::Forth },
    )
}

/// Makes lines of the runs of a page on which letters are written from right to left.
fn of_both_directions(runs: Vec<Run<'_>>) -> Vec<Line> {
    let letters = runs.iter().flat_map(Run::letters);
    let counts = Counts::of(letters.map(|of| &*of.letter.text));
    let runs = Run::joined(runs);
    let is_page_back = counts.are_mostly_back();
    let are_set_back = Run::are_set_back(&runs).into_iter();
    let around = are_set_back.zip(Run::are_among_forth(&runs));
    let around = around.map(|(is_set_back, is_among_forth)| Around {
        is_page_back,
        is_set_back,
        is_among_forth,
    });
    let readings = runs.iter().zip(around);
    let readings = readings.map(|(run, around)| run.has_back().then(|| Reading::of(run, around)));
    let readings: Vec<Option<Reading<'_, '_>>> = readings.collect();
    let mut brackets = Brackets::default();
    for reading in readings.iter().flatten() {
        brackets.add(reading.back());
    }
    let mirrors = brackets.are_as_seen();
    let lines = runs.iter().zip(&readings);
    let lines = lines.filter_map(|(run, reading)| match reading {
        Some(reading) => reading.line(mirrors),
        None => of_one_direction(run),
    });
    lines.collect()
}

/// What stands on a line from left to right, and the order in which it is read.
struct Reading<'r, 'a> {
    letters: &'r [Placed<'a>],
    parts: Vec<Part<'r>>,
    /// Which letter each part is.
    at: Vec<usize>,
    /// The parts as they are read, each with whether it is read from right to left.
    order: Vec<(usize, bool)>,
    flow: Flow,
}

impl<'r, 'a> Reading<'r, 'a> {
    fn of(run: &'r Run<'a>, around: Around) -> Self {
        let letters = run.letters();
        let spacing = Spacing::of(letters);
        let (mut parts, mut at) = (Vec::new(), Vec::new());
        let mut last: Option<&Placed<'_>> = None;
        for (index, of) in letters.iter().enumerate() {
            let gap = last.and_then(|last| {
                let is_gap = of.is_spaced || spacing.parts(last, of);
                spacing
                    .is_wide(last, of)
                    .then_some(Part::WideGap)
                    .or(is_gap.then_some(Part::Gap))
            });
            for part in gap.into_iter().chain([Part::Letter(&of.letter.text)]) {
                parts.push(part);
                at.push(index);
            }
            last = Some(of);
        }
        let is_back = is_line_back(&parts, around);
        Self {
            order: reading_order(&parts, is_back),
            letters,
            parts,
            at,
            flow: if is_back { Flow::Back } else { Flow::Forth },
        }
    }

    /// Returns the letters that are read from right to left.
    fn back(&self) -> impl Iterator<Item = &'r str> {
        let back = self.order.iter().filter(|(_, is_back)| *is_back);
        back.filter_map(|(part, _)| match self.parts[*part] {
            Part::Letter(letter) => Some(letter),
            Part::Gap | Part::WideGap => None,
        })
    }

    /// Makes a line of it, and mirrors the brackets that are read from right to left if asked to.
    fn line(&self, mirrors: bool) -> Option<Line> {
        let texts = texts(self.letters, size(self.letters));
        let mut words: Vec<Word> = Vec::new();
        let mut gap = None;
        for &(part, is_back) in &self.order {
            let Part::Letter(letter) = self.parts[part] else {
                gap = Some(self.parts[part]);
                continue;
            };
            let at = self.at[part];
            let bracket = mirrored(letter).filter(|_| mirrors && is_back);
            let text = bracket.map_or_else(|| texts[at].to_string(), String::from);
            let is_apart = gap == Some(Part::WideGap) && !words.is_empty();
            match words.last_mut().filter(|_| gap.is_none()) {
                Some(word) => word.add(&self.letters[at], &text),
                None => words.push(Word::of(&self.letters[at], text, is_apart)),
            }
            gap = None;
        }
        line(self.letters, words, self.flow)
    }
}

/// Makes a line of words of some letters.
fn line(letters: &[Placed<'_>], words: Vec<Word>, flow: Flow) -> Option<Line> {
    let first = letters.first()?;
    let size = size(letters);
    Some(Line {
        words,
        y: baseline(letters, size).unwrap_or(first.y),
        size,
        turn: first.turn,
        is_bold: letters.iter().all(|of| of.letter.is_bold),
        is_monospace: letters.iter().all(|of| of.letter.is_monospace),
        flow,
        mark: None,
    })
}

/// Returns the type size that most letters have.
fn size(letters: &[Placed<'_>]) -> f64 {
    let mut counts: HashMap<i64, usize> = HashMap::new();
    for of in letters {
        *counts
            .entry((of.letter.size * 4.0).round() as i64)
            .or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by_key(|(size, count)| (*count, *size));
    most.map_or(0.0, |(size, _)| size as f64 / 4.0)
}

/// Puts a line behind what stands to its left or, where there is nothing, above it.
fn insert(lines: &mut Vec<Line>, mut note: Line) {
    let beside = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.is_level_with(&note) && line.right() <= note.left() + note.size);
    if let Some((at, _)) = beside.max_by(|one, other| one.1.right().total_cmp(&other.1.right())) {
        note.words[0].is_apart = true;
        lines[at].words.extend(note.words);
        return;
    }
    let above = lines
        .iter()
        .rposition(|line| line.turn == note.turn && line.y < note.y);
    lines.insert(above.map_or(0, |at| at + 1), note);
}
