//! How words are told apart on a line.

use super::runs::Placed;

/// The narrowest gap between words, in multiples of the type size: kerning is less.
const SPACE: f64 = 0.12;

/// The widest gap between the letters of words that are set apart.
const WIDEST_TRACKING: f64 = 0.2;

/// The widest gap between letters that are evenly set apart letter by letter, how much their gaps differ at most, how much
/// wider those between words are at least, in multiples of the type size, and between how many letters they are at least.
const WIDEST_EVEN: f64 = 0.5;
const EVEN: f64 = 0.06;
const WIDER: f64 = 0.15;
const MIN_EVEN: usize = 4;

/// One gap in so many at least is wide on such a line.
const LEAST_APART: usize = 3;

/// How many letters follow each other at least that character spacing sets apart, unless most of the line are: some
/// writers make spaces of it, and undo it between the letters of words.
const MIN_TRACKED: usize = 3;

/// How many times as wide as the character spacing within the words of a line another one is at most that sets no words
/// apart.
const SAME_TRACKING: f64 = 1.5;

/// The narrowest gap between the cells of a row, in multiples of the type size.
const GAP: f64 = 0.9;

/// The narrowest gap between words of scripts that are written without spaces.
const SPACE_OF_UNSPACED: f64 = 0.6;

/// How words are told apart on a line: type of a fixed pitch may stand beside other type on it.
#[derive(Clone, Copy)]
pub(super) struct Spacing {
    of_monospace: Rule,
    of_others: Rule,
    /// The character spacing that sets letters of words apart, in points.
    tracking: f64,
}

/// How words are told apart among letters of a kind.
#[derive(Clone, Copy)]
enum Rule {
    /// By gaps of so many multiples of the type size.
    Gap(f64),
    /// Letters are set as far apart as those of a typewriter, whatever their widths: by what is so far from
    /// the letter before. Spaces are narrower where the words stand in other text; they are so wide at least.
    Pitch(f64, f64),
    /// Letters, but no digits, are set apart by so many multiples of the type size.
    Even(f64),
}

/// The widest distance of letters of a pitch, in multiples of the type size.
const WIDEST_PITCH: f64 = 0.9;

/// How much the distances of letters of a pitch may differ.
const SAME_PITCH: f64 = 0.05;

/// The narrowest gap behind a letter that is wider than the others of its pitch.
const LEAST: f64 = 0.04;

/// How far letters are apart at least that are not set in a pitch, in multiples of it.
const OTHER_STEP: f64 = 1.2;

impl Spacing {
    /// Returns how words are told apart on a line of some letters.
    pub(super) fn of(letters: &[Placed<'_>]) -> Self {
        Self {
            of_monospace: Rule::of(letters, true),
            of_others: Rule::of(letters, false),
            tracking: tracking(letters),
        }
    }

    /// Returns whether a letter, which no drawn space stands before, begins a word.
    pub(super) fn parts(self, before: &Placed<'_>, next: &Placed<'_>) -> bool {
        let is_tracked =
            (f64::MIN_POSITIVE..=self.tracking * SAME_TRACKING).contains(&next.letter.tracking);
        !is_tracked && self.rule(before, next).parts(before, next)
    }

    /// Returns whether the gap before a letter is as wide as between the cells of a row. Between words that are set
    /// apart letter by letter, it is wider by what is around the space.
    pub(super) fn is_wide(self, before: &Placed<'_>, next: &Placed<'_>) -> bool {
        let size = before.letter.size.max(next.letter.size);
        let even = if let Rule::Even(tracking) = self.rule(before, next) {
            tracking * size
        } else {
            0.0
        };
        let tracking = next.letter.tracking.max(even);
        gap(before, next) > GAP * size + 2.0 * tracking
    }

    fn rule(self, before: &Placed<'_>, next: &Placed<'_>) -> Rule {
        if before.letter.is_monospace && next.letter.is_monospace {
            self.of_monospace
        } else {
            self.of_others
        }
    }
}

impl Rule {
    /// Returns how words are told apart among the letters of a line that are of a fixed pitch, or that are not. Where
    /// all are set apart, words are further apart than that.
    fn of(letters: &[Placed<'_>], is_monospace: bool) -> Self {
        let is_of_kind = |of: &Placed<'_>| of.letter.is_monospace == is_monospace;
        if !letters.iter().any(is_of_kind) {
            return Self::Gap(SPACE);
        }
        let is_plain =
            |of: &Placed<'_>| is_of_kind(of) && of.letter.text.chars().all(char::is_alphanumeric);
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
        let tracking = Some(part(&mut gaps, 10)).filter(|of| *of < WIDEST_TRACKING);
        let narrowest = SPACE + tracking.unwrap_or(0.0).max(0.0);
        if is_typed && is_ragged && pitch < WIDEST_PITCH {
            return Self::Pitch(pitch, narrowest);
        }
        even_tracking(letters, is_of_kind).map_or(Self::Gap(narrowest), Self::Even)
    }

    fn parts(self, before: &Placed<'_>, next: &Placed<'_>) -> bool {
        let size = next.letter.size.max(before.letter.size);
        match self {
            Self::Pitch(pitch, narrowest) => {
                let steps = (next.left - before.left) / (pitch * size);
                let gap = gap(before, next) / size;
                gap > LEAST && steps > 1.5 || gap > narrowest && steps > OTHER_STEP
            }
            Self::Gap(_) | Self::Even(_) if is_unspaced(before) && is_unspaced(next) => {
                gap(before, next) > SPACE_OF_UNSPACED * size
            }
            Self::Gap(narrowest) => gap(before, next) > narrowest * size,
            Self::Even(tracking) => {
                let are_letters = is_of_letters(before) && is_of_letters(next);
                let tracking = if are_letters { tracking } else { 0.0 };
                gap(before, next) > (SPACE + tracking) * size
            }
        }
    }
}

/// Returns the character spacing that sets letters of a line apart within words, none if nothing does: it does so for most,
/// or for some that follow each other.
fn tracking(letters: &[Placed<'_>]) -> f64 {
    let is_tracked = |of: &Placed<'_>| of.letter.tracking > 0.0;
    let tracked = letters.iter().filter(|of| is_tracked(of));
    let mut all: Vec<f64> = tracked.map(|of| of.letter.tracking).collect();
    let are_most = !all.is_empty() && all.len() * 2 + 1 >= letters.len();
    let of_most = if are_most { part(&mut all, 2) } else { 0.0 };
    let runs = letters.chunk_by(|one, next| is_tracked(one) && is_tracked(next));
    let least = |run: &[Placed<'_>]| {
        let tracking = run.iter().map(|of| of.letter.tracking);
        tracking.fold(f64::MAX, f64::min)
    };
    let of_runs = runs.filter(|run| run.len() >= MIN_TRACKED).map(least);
    of_runs.fold(of_most, f64::max)
}

/// Returns how far the letters of a line are set apart, in multiples of the type size, where only their places tell it:
/// nearly all gaps between them are wide and even, and the others wider. Letters in the order of the alphabet number
/// something.
fn even_tracking(letters: &[Placed<'_>], is_of_kind: impl Fn(&Placed<'_>) -> bool) -> Option<f64> {
    let is_letter = |of: &Placed<'_>| is_of_kind(of) && is_of_letters(of);
    let pairs = letters.windows(2);
    // Of most lines only the gaps between words are wide.
    let is_apart =
        |pair: &&[Placed<'_>]| gap(&pair[0], &pair[1]) >= WIDEST_TRACKING * pair[1].letter.size;
    if pairs.clone().filter(is_apart).count() * LEAST_APART < pairs.len() {
        return None;
    }
    let pairs = pairs.filter(|pair| !pair[1].is_spaced && pair.iter().all(is_letter));
    let are_in_order = pairs
        .clone()
        .all(|pair| pair[0].letter.text <= pair[1].letter.text);
    let gaps = pairs.map(|pair| gap(&pair[0], &pair[1]) / pair[1].letter.size);
    let mut gaps: Vec<f64> = gaps.collect();
    if gaps.len() < MIN_EVEN || are_in_order {
        return None;
    }
    let tracking = part(&mut gaps, 2);
    let is_even = |gap: &f64| (gap - tracking).abs() < EVEN;
    let are_even = gaps.iter().filter(|gap| is_even(gap)).count() * 3 >= gaps.len() * 2;
    let is_word_gap = |gap: &f64| *gap > tracking + WIDER;
    let is_told = gaps.iter().all(|gap| is_even(gap) || is_word_gap(gap));
    let is_wide = (WIDEST_TRACKING..WIDEST_EVEN).contains(&tracking);
    (are_even && is_told && is_wide).then_some(tracking)
}

/// Returns whether something drawn is letters, and no digits or signs.
fn is_of_letters(of: &Placed<'_>) -> bool {
    of.letter.text.chars().all(char::is_alphabetic)
}

/// Returns the number that one in so many of some are not larger than.
fn part(numbers: &mut [f64], one_in: usize) -> f64 {
    let at = numbers.len() / one_in;
    *numbers.select_nth_unstable_by(at, f64::total_cmp).1
}

/// Returns whether a letter is of a script that is written without spaces.
fn is_unspaced(of: &Placed<'_>) -> bool {
    of.letter.text.chars().all(is_of_unspaced)
}

fn is_of_unspaced(letter: char) -> bool {
    is_full_width(letter) || matches!(letter, '\u{e00}'..='\u{eff}')
}

/// Returns whether a letter is as wide as it is high, as those of Chinese and Japanese are.
pub(super) fn is_full_width(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}')
}

/// Stands for the end of a line behind a hyphen, until broken words are put together again: a hyphen and a space in
/// the midst of a line are as they were printed.
pub(super) const LINE_END: char = '\u{2028}';

/// Returns what stands between the end of a line and the beginning of the next, where a sentence goes on:
/// nothing in scripts without spaces and within words, [`LINE_END`] behind a hyphen.
pub(super) fn joint(before: &str, after: &str) -> &'static str {
    let ends = before.chars().next_back().zip(after.chars().next());
    let is_unspaced = ends.is_some_and(|(end, start)| is_of_unspaced(end) && is_of_unspaced(start));
    let is_first = before.is_empty();
    if is_first || is_unspaced || is_in_word(before, after) {
        ""
    } else if before.ends_with(['-', '\u{2010}']) {
        "\u{2028}"
    } else {
        " "
    }
}

/// Returns whether a line ends in a word with a hyphen that a capital or a digit goes on, such as `UTF-8`.
pub(super) fn is_in_word(before: &str, after: &str) -> bool {
    let word = before.strip_suffix(['-', '\u{2010}']);
    let has_letters = word.is_some_and(|word| word.ends_with(char::is_alphanumeric));
    has_letters && after.starts_with(|start: char| start.is_uppercase() || start.is_numeric())
}

/// Returns how far apart two letters are that follow each other, in either direction.
pub(super) fn gap(before: &Placed<'_>, next: &Placed<'_>) -> f64 {
    let right = next.left - before.right;
    let left = before.left - next.right;
    right.max(left)
}
