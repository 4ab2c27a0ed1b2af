//! Which lines of a page belong together.

use std::collections::HashSet;
use std::ops::Range;

use super::lines::{Line, Word};

/// How far the baselines of a paragraph may be apart, in multiples of what they are on most of the page.
pub(super) const PITCH: f64 = 1.35;

/// How far they may be apart at most, in multiples of the type size.
const WIDEST_PITCH: f64 = 2.2;

/// How many empty lines may stand between lines of code.
const EMPTY_LINES: f64 = 3.0;

/// How much the type sizes of lines of one paragraph may differ.
pub(super) const SAME_SIZE: f64 = 1.12;

/// How many lines make text, and how many words they have on average, at least.
const MIN_TEXT_LINES: usize = 4;
const MIN_TEXT_WORDS: f64 = 4.5;

/// Returns how far baselines are apart on most of a page, in multiples of the type size.
pub(super) fn pitch(lines: &[Line]) -> f64 {
    let pairs = lines.windows(2).filter(|pair| pair[0].turn == pair[1].turn);
    let pitches = pairs.map(|pair| (pair[1].y - pair[0].y) / pair[0].size.max(pair[1].size));
    let mut pitches: Vec<f64> = pitches
        .filter(|of| (0.8..WIDEST_PITCH).contains(of))
        .collect();
    if pitches.is_empty() {
        return 1.2;
    }
    let middle = pitches.len() / 2;
    *pitches.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// Returns whether a line goes on what some lines before it began.
pub(super) fn belongs(block: &[Line], line: &Line, pitch: f64) -> bool {
    let Some(last) = block.last() else {
        return false;
    };
    let size = last.size.max(line.size);
    let down = (line.y - last.y) / size;
    let is_like = last.turn == line.turn
        && size / last.size.min(line.size) < SAME_SIZE
        && last.is_monospace == line.is_monospace
        && last.heading() == line.heading();
    if !is_like {
        return false;
    }
    if line.is_monospace {
        return down > -0.1 && down < pitch.max(1.0) * (EMPTY_LINES + 1.0);
    }
    let left = block.iter().map(Line::left).fold(f64::MAX, f64::min);
    let right = block.iter().map(Line::right).fold(f64::MIN, f64::max);
    let is_below = down > 0.3 && down < (pitch * PITCH).min(WIDEST_PITCH);
    let is_beside = down.abs() <= 0.3;
    let is_over = line.left() < right + size && line.right() > left - size;
    let is_set_alike = last.is_bold == line.is_bold || last.mark.is_some() || line.mark.is_some();
    let goes_on = last.is_back() == line.is_back() && line.start() >= last.end();
    (is_below && is_over && is_set_alike) || (is_beside && goes_on)
}

/// Parts lines into runs that belong together, each drawn one line after the other.
pub(super) fn runs(lines: &[Line]) -> Vec<Range<usize>> {
    let pitch = pitch(lines);
    let mut runs = Vec::new();
    let mut start = 0;
    for end in 1..=lines.len() {
        if end == lines.len() || !belongs(&lines[start..end], &lines[end], pitch) {
            runs.push(start..end);
            start = end;
        }
    }
    runs
}

/// Returns the numbers of the lines that are drawn one after the other as text, several words in each: they
/// are no cells, whatever stands beside them.
pub(super) fn running_text(lines: &[Line]) -> HashSet<usize> {
    let is_text = |run: &Range<usize>| {
        let block = &lines[run.clone()];
        let words: usize = block.iter().map(|line| line.words.len()).sum();
        block.len() >= MIN_TEXT_LINES
            && words as f64 >= MIN_TEXT_WORDS * block.len() as f64
            && !block.iter().any(is_row)
    };
    runs(lines).into_iter().filter(is_text).flatten().collect()
}

/// Returns whether a line leads to something at its end, as those of a table of contents do.
pub(super) fn is_led(line: &Line) -> bool {
    let dots = line
        .words
        .iter()
        .map(|word| word.text.chars().filter(|&c| c == '.').count());
    dots.sum::<usize>() >= 5 && line.text().contains("...") || line.text().contains(". . . ")
}

/// Returns whether the cells of a row stand apart on the line.
pub(super) fn is_row(line: &Line) -> bool {
    let along = |word: &Word| line.along(word.left, word.right);
    let gap = |pair: &[Word]| along(&pair[1]).0 - along(&pair[0]).1;
    let mut pairs = line.words.windows(2);
    pairs.any(|pair| pair[1].is_apart && gap(pair) > 1.5 * line.size)
}
