//! From letters to lines: what was printed twice is once, words are apart, and what is written from right
//! to left is in the order in which it is read.

use std::borrow::Cow;
use std::collections::HashMap;
use std::f64::consts::FRAC_PI_2;

use kurbo::Point;

use super::content::{Drawn, Letter};
use super::tags::Role;
use crate::superscript::superscript;

/// How far, in multiples of the type size, the baselines of letters on one line may be apart: as far as
/// an exponent is raised.
const SAME_LINE: f64 = 0.5;

/// How far, in multiples of the type size, a letter may begin before the end of the one before it and
/// still go on its line.
const OVERLAP: f64 = 1.0;

/// The narrowest gap between words, in multiples of the type size: kerning is less.
const SPACE: f64 = 0.12;

/// How much smaller than its line a raised letter is, and how far above the baseline, in multiples of the type
/// size.
const RAISED_SIZE: f64 = 0.85;
const RAISED: f64 = 0.15;

/// The widest gap between the letters of words that are set apart.
const WIDEST_TRACKING: f64 = 0.2;

/// The narrowest gap between words of scripts that are written without spaces.
const SPACE_OF_UNSPACED: f64 = 0.6;

/// The narrowest gap between the cells of a row, in multiples of the type size.
const GAP: f64 = 0.9;

/// How near, in multiples of the type size, the same letter is printed again to look bold.
const AGAIN: f64 = 0.12;

/// How far a bullet stands before its text, in multiples of the type size.
const BULLET: f64 = 3.5;

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

/// What marks items of lists in Markdown.
const DASH: &str = "-";

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
    /// Whether it is written from top to bottom.
    pub(super) is_vertical: bool,
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

    fn is_level_with(&self, other: &Self) -> bool {
        let size = self.size.max(other.size);
        self.turn == other.turn && (self.y - other.y).abs() < size * SAME_LINE
    }
}

/// A letter as its line sees it.
struct Placed<'a> {
    letter: &'a Letter,
    left: f64,
    right: f64,
    y: f64,
    turn: i32,
    /// Whether a space was drawn before it.
    is_spaced: bool,
}

/// Returns the lines of a page. What is written into forms and notes stands behind what is beside it.
pub(super) fn lines(drawn: &Drawn) -> Vec<Line> {
    let (of_page, of_notes) = drawn.letters.split_at(drawn.of_page);
    let mut lines = joined(of_page);
    for note in joined(of_notes) {
        insert(&mut lines, note);
    }
    take_bullets(&mut lines);
    mark_bullets(&mut lines, drawn);
    lines
}

/// Joins letters that follow each other on one baseline.
fn joined(letters: &[Letter]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut open: Vec<Placed<'_>> = Vec::new();
    let mut printed = Printed::default();
    let mut is_spaced = false;
    for letter in letters {
        if letter.text.trim().is_empty() {
            is_spaced = true;
            continue;
        }
        if printed.is_again(letter) {
            continue;
        }
        let placed = Placed::new(letter, is_spaced);
        if open.last().is_some_and(|last| !goes_on(last, &placed)) {
            lines.extend(line(&mut open));
        }
        open.push(placed);
        is_spaced = false;
    }
    lines.extend(line(&mut open));
    lines
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
}

fn goes_on(last: &Placed<'_>, next: &Placed<'_>) -> bool {
    let size = last.letter.size.max(next.letter.size);
    if last.turn != next.turn || (last.y - next.y).abs() >= size * SAME_LINE {
        return false;
    }
    let is_back = is_from_the_right(&next.letter.text) || is_from_the_right(&last.letter.text);
    next.left > last.right - size * OVERLAP
        || is_back && (last.left - next.right).abs() < size * OVERLAP
}

/// Makes a line of the letters that are open.
fn line(open: &mut Vec<Placed<'_>>) -> Option<Line> {
    let mut letters = std::mem::take(open);
    let first = letters.first()?;
    let (y, turn) = (first.y, first.turn);
    let size = most(&letters, |of| (of.letter.size * 4.0).round() as i64) as f64 / 4.0;
    let is_bold = letters.iter().all(|of| of.letter.is_bold);
    let is_monospace = letters.iter().all(|of| of.letter.is_monospace);
    let is_vertical = first.letter.is_vertical;
    if letters.iter().any(|of| is_from_the_right(&of.letter.text)) {
        letters.sort_by(|one, other| one.left.total_cmp(&other.left));
        letters = in_reading_order(letters);
    }
    let spacing = Spacing::of(&letters);
    let mut words: Vec<Word> = Vec::new();
    let mut last: Option<&Placed<'_>> = None;
    for (of, text) in letters.iter().zip(texts(&letters, size)) {
        let gap = last.map_or(0.0, |last| gap(last, of));
        let size = last
            .map_or(0.0, |last| last.letter.size)
            .max(of.letter.size);
        let is_apart = gap > size * GAP;
        let is_drawn = of.is_spaced && gap > -size * OVERLAP / 2.0;
        match words.last_mut() {
            Some(word)
                if !is_drawn && !is_apart && !last.is_some_and(|last| spacing.parts(last, of)) =>
            {
                word.text.push_str(&text);
                word.left = word.left.min(of.left);
                word.right = word.right.max(of.right);
            }
            _ => words.push(Word {
                text: text.into_owned(),
                left: of.left,
                right: of.right,
                is_apart,
                role: of.letter.role,
            }),
        }
        last = Some(of);
    }
    Some(Line {
        words,
        y,
        size,
        turn,
        is_bold,
        is_monospace,
        is_vertical,
        mark: None,
    })
}

/// Returns what the letters of a line of this type size stand for: digits and signs that are raised, as notes
/// and powers are, are written as such. `4,512` with a note 1 is not 45,121.
fn texts<'a>(letters: &[Placed<'a>], size: f64) -> Vec<Cow<'a, str>> {
    let is_small = |of: &Placed<'_>| of.letter.size < RAISED_SIZE * size;
    let baseline = letters
        .iter()
        .find(|of| !is_small(of))
        .map_or(f64::MIN, |of| of.y);
    let is_raised = |of: &Placed<'_>| is_small(of) && of.y < baseline - RAISED * size;
    let runs = letters.chunk_by(|one, other| is_raised(one) == is_raised(other));
    let texts = runs.flat_map(|run| {
        let text: String = run.iter().map(|of| &*of.letter.text).collect();
        let has_superscript = is_raised(&run[0]) && superscript(&text).is_some();
        run.iter().map(move |of| {
            let raised = has_superscript
                .then(|| superscript(&of.letter.text))
                .flatten();
            raised.map_or(Cow::Borrowed(&*of.letter.text), Cow::Owned)
        })
    });
    texts.collect()
}

/// Returns how far apart two letters are that follow each other, in either direction.
fn gap(before: &Placed<'_>, next: &Placed<'_>) -> f64 {
    let right = next.left - before.right;
    let left = before.left - next.right;
    right.max(left)
}

/// How words are told apart on a line.
#[derive(Clone, Copy)]
enum Spacing {
    /// By gaps of so many multiples of the type size.
    Gap(f64),
    /// Letters are set as far apart as those of a typewriter, whatever their widths: by what is so far from
    /// the letter before.
    Pitch(f64),
}

/// The widest distance of letters of a pitch, in multiples of the type size.
const WIDEST_PITCH: f64 = 0.9;

/// How much the distances of letters of a pitch may differ.
const SAME_PITCH: f64 = 0.05;

impl Spacing {
    /// Returns how words are told apart on a line of some letters. Where all are set apart, words are further
    /// apart than that.
    fn of(letters: &[Placed<'_>]) -> Self {
        let is_plain = |of: &Placed<'_>| of.letter.text.chars().all(char::is_alphanumeric);
        let pairs = letters
            .windows(2)
            .filter(|pair| !pair[1].is_spaced && pair.iter().all(is_plain));
        let pairs = pairs.map(|pair| {
            let size = pair[1].letter.size;
            (
                gap(&pair[0], &pair[1]) / size,
                (pair[1].left - pair[0].left) / size,
            )
        });
        let (mut gaps, mut pitches): (Vec<f64>, Vec<f64>) = pairs.unzip();
        if gaps.len() < 4 {
            return Self::Gap(SPACE);
        }
        let pitch = part(&mut pitches, 2);
        let has_pitch = |of: &&f64| (**of - pitch).abs() < pitch * SAME_PITCH;
        let is_typed = pitches.iter().filter(has_pitch).count() * 4 >= pitches.len() * 3;
        let wide = gaps.iter().filter(|gap| **gap > SPACE).count();
        let is_ragged = wide >= 2 && gaps.len() - wide >= 2;
        if is_typed && is_ragged && pitch < WIDEST_PITCH {
            return Self::Pitch(pitch);
        }
        let tracking = part(&mut gaps, 10);
        Self::Gap(
            SPACE
                + if tracking < WIDEST_TRACKING {
                    tracking.max(0.0)
                } else {
                    0.0
                },
        )
    }

    /// Says whether a letter, which no drawn space stands before, begins a word.
    fn parts(self, before: &Placed<'_>, next: &Placed<'_>) -> bool {
        let size = next.letter.size.max(before.letter.size);
        match self {
            Self::Pitch(pitch) => next.left - before.left > 1.5 * pitch * size,
            Self::Gap(_) if is_unspaced(before) && is_unspaced(next) => {
                gap(before, next) > SPACE_OF_UNSPACED * size
            }
            Self::Gap(narrowest) => gap(before, next) > narrowest * size,
        }
    }
}

/// Returns the number that one in so many of some are not larger than.
fn part(numbers: &mut [f64], one_in: usize) -> f64 {
    let at = numbers.len() / one_in;
    *numbers.select_nth_unstable_by(at, f64::total_cmp).1
}

/// Says whether a letter is of a script that is written without spaces.
fn is_unspaced(of: &Placed<'_>) -> bool {
    of.letter.text.chars().all(is_of_unspaced)
}

fn is_of_unspaced(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}')
        || matches!(letter, '\u{e00}'..='\u{eff}')
}

/// Returns what stands between the end of a line and the beginning of the next, where a sentence goes on:
/// nothing in scripts without spaces and within words.
pub(super) fn joint(before: &str, after: &str) -> &'static str {
    let ends = before.chars().next_back().zip(after.chars().next());
    let is_unspaced = ends.is_some_and(|(end, start)| is_of_unspaced(end) && is_of_unspaced(start));
    let is_first = before.is_empty();
    if is_first || is_unspaced || is_in_word(before, after) {
        ""
    } else {
        " "
    }
}

/// Says whether a line ends in a word with a hyphen that a capital or a digit goes on, such as `UTF-8`.
pub(super) fn is_in_word(before: &str, after: &str) -> bool {
    let word = before.strip_suffix(['-', '\u{2010}']);
    let has_letters = word.is_some_and(|word| word.ends_with(char::is_alphanumeric));
    has_letters && after.starts_with(|start: char| start.is_uppercase() || start.is_numeric())
}

/// Returns what most letters have.
fn most(letters: &[Placed<'_>], of: impl Fn(&Placed<'_>) -> i64) -> i64 {
    let mut counts: HashMap<i64, usize> = HashMap::new();
    for letter in letters {
        *counts.entry(of(letter)).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by_key(|(value, count)| (*count, *value));
    most.map_or(0, |(value, _)| value)
}

pub(super) fn is_from_the_right(text: &str) -> bool {
    text.chars().any(|c| {
        matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
            && c.is_alphabetic()
    })
}

/// Brings letters, which are in order from left to right, into the order in which they are read, where most
/// are read from right to left: numbers and foreign words in it are read the other way.
fn in_reading_order(letters: Vec<Placed<'_>>) -> Vec<Placed<'_>> {
    let is_back = |of: &Placed<'_>| is_from_the_right(&of.letter.text);
    let is_forth =
        |of: &Placed<'_>| !is_back(of) && of.letter.text.chars().any(char::is_alphanumeric);
    let back = letters.iter().filter(|of| is_back(of)).count();
    let forth = letters.iter().filter(|of| is_forth(of)).count();
    // Runs of one direction; marks between letters of one direction belong to their run.
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let mut direction = None;
    let mut marks: Vec<usize> = Vec::new();
    for (place, letter) in letters.iter().enumerate() {
        let is_mark = !is_back(letter) && !is_forth(letter);
        if is_mark {
            marks.push(place);
        } else if direction == Some(is_back(letter)) {
            let run = runs.last_mut().into_iter();
            run.for_each(|run| run.extend(marks.drain(..).chain([place])));
        } else {
            runs.extend((!marks.is_empty()).then(|| std::mem::take(&mut marks)));
            runs.push(vec![place]);
            direction = Some(is_back(letter));
        }
    }
    runs.extend((!marks.is_empty()).then_some(marks));
    for run in runs
        .iter_mut()
        .filter(|run| run.iter().any(|&place| is_back(&letters[place])))
    {
        run.reverse();
    }
    if back >= forth {
        runs.reverse();
    }
    let order: Vec<usize> = runs.into_iter().flatten().collect();
    in_order(letters, &order)
}

/// Brings letters into an order. A space that was drawn between two of them stays there.
fn in_order<'a>(letters: Vec<Placed<'a>>, order: &[usize]) -> Vec<Placed<'a>> {
    let spaced: Vec<bool> = letters.iter().map(|of| of.is_spaced).collect();
    let is_spaced = |place: usize| spaced.get(place).copied().unwrap_or(false);
    let mut letters: Vec<Option<Placed<'a>>> = letters.into_iter().map(Some).collect();
    let mut last: Option<usize> = None;
    let mut ordered = Vec::with_capacity(order.len());
    for &place in order {
        let is_apart = last.is_some_and(|last| {
            let (left, right) = (last.min(place), last.max(place));
            let is_next = right == left + 1;
            is_spaced(right)
                || (!is_next && (is_spaced(left) || is_spaced(left + 1) || is_spaced(right + 1)))
        });
        last = Some(place);
        ordered.extend(letters[place].take().map(|of| Placed {
            is_spaced: is_apart,
            ..of
        }));
    }
    ordered
}

/// What was printed where, so that it is read once.
#[derive(Default)]
struct Printed(HashMap<(i64, i64), Vec<Print>>);

/// Where a letter was printed, and a hash of it.
type Print = (f64, f64, u64);

impl Printed {
    /// Says whether the same letter was printed in nearly the same place, and notes this one.
    fn is_again(&mut self, letter: &Letter) -> bool {
        let near = (letter.size * AGAIN)
            .min((letter.end - letter.start).hypot() / 2.0)
            .max(0.01);
        let cell = |at: f64| (at / 8.0).floor() as i64;
        let Point { x, y } = letter.start;
        let text = hash(&letter.text);
        for column in cell(x - near)..=cell(x + near) {
            for row in cell(y - near)..=cell(y + near) {
                let known = self.0.get(&(column, row)).into_iter().flatten();
                let mut same = known.filter(|of| of.2 == text);
                if same.any(|of| (of.0 - x).abs() < near && (of.1 - y).abs() < near) {
                    return true;
                }
            }
        }
        let here = self.0.entry((cell(x), cell(y))).or_default();
        // Hostile pages print thousands of letters in one place.
        if here.len() < 256 {
            here.push((x, y, text));
        }
        false
    }
}

fn hash(text: &str) -> u64 {
    use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
    BuildHasherDefault::<DefaultHasher>::default().hash_one(text)
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

/// Says whether a text is nothing but a bullet.
pub(super) fn is_bullet(text: &str) -> bool {
    let mut letters = text.chars();
    let first = letters.next().is_some_and(|c| {
        matches!(
            c,
            '•' | '◦'
                | '▪'
                | '▫'
                | '■'
                | '□'
                | '●'
                | '○'
                | '‣'
                | '⁃'
                | '∙'
                | '·'
                | '➢'
                | '➤'
                | '►'
                | '❖'
                | '✓'
                | '✔'
                | '◆'
                | '\u{f0b7}'
                | '\u{f0a7}'
                | '\u{f0d8}'
                | '\u{f0fc}'
        )
    });
    first && letters.next().is_none()
}

/// Returns what marks an item of a list that begins with a word: a dash for bullets.
fn mark(word: &str) -> Option<String> {
    if is_bullet(word) {
        return Some(DASH.to_owned());
    }
    let number = word.strip_suffix(['.', ')'])?;
    let is_number =
        (1..=3).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| word.to_owned())
}

/// Joins bullets and numbers that were drawn apart with the text behind them.
fn take_bullets(lines: &mut Vec<Line>) {
    /// How many lines around a bullet may be its text on a page of so many lines: some writers draw the
    /// bullets of a page last.
    const NEAR: usize = 40;
    const ALL: usize = 2_000;
    let mut index = 0;
    while index < lines.len() {
        let bullet = &lines[index];
        let found = match &*bullet.words {
            [only] => mark(&only.text),
            _ => None,
        };
        let belongs = |line: &Line| {
            let distance = line.left() - bullet.right();
            let is_near = (0.0..line.size * BULLET).contains(&distance);
            is_near && line.is_level_with(bullet) && line.mark.is_none()
        };
        let near = if lines.len() < ALL {
            0..lines.len()
        } else {
            index.saturating_sub(NEAR)..lines.len().min(index + NEAR)
        };
        let mut near = near.filter(|&at| at != index);
        let text = found
            .as_ref()
            .and_then(|_| near.find(|&at| belongs(&lines[at])));
        if let Some(text) = text {
            lines[text].mark = found;
            lines.remove(index);
        } else {
            index += 1;
        }
    }
    for line in lines {
        if line.words.len() > 1 && is_bullet(&line.words[0].text) {
            line.words.remove(0);
            line.mark = Some(DASH.to_owned());
        }
    }
}

/// Marks the lines before which a small shape is drawn.
fn mark_bullets(lines: &mut [Line], drawn: &Drawn) {
    /// A chart has more of them, and they are no bullets.
    const MOST: usize = 500;
    if drawn.dots.is_empty() || drawn.dots.len() > MOST {
        return;
    }
    let bare = |line: &&mut Line| line.turn == 0 && line.mark.is_none();
    for line in lines.iter_mut().filter(bare) {
        let (left, size) = (line.left(), line.size);
        let has_dot = drawn.dots.iter().any(|dot| {
            let is_small = dot.width().max(dot.height()) < size * 0.7
                && dot.width().min(dot.height()) > size * 0.1;
            let distance = left - dot.x1;
            let height = line.y - dot.center().y;
            is_small
                && distance > 0.0
                && distance < size * BULLET / 2.0
                && height > 0.0
                && height < size * 0.8
        });
        if has_dot {
            line.mark = Some(DASH.to_owned());
        }
    }
}
