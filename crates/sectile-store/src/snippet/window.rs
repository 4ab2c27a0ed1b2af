//! The part of a text that is shown.

use std::ops::Range;

use sectile_core::Span;

use super::tokens::Token;

/// The width of a snippet in words.
const WIDTH: usize = 40;

/// The number of words of a snippet before the first marked one.
const LEAD: usize = 6;

/// What the terms of a window with the heaviest one weigh at least, where those of another that has more of them weigh 1.
const SHARE_WITH_HEAVIEST: f64 = 0.5;

/// A window by what its terms weigh and how many matches it has, with where it starts.
type Ranked = ((f64, usize), usize);

/// Returns the window with the most distinct terms by what they weigh, then the most matches, then the first. One with the
/// heaviest term comes before one that does not weigh twice as much.
pub(super) fn best_window(
    tokens: &[Token],
    matches: &[(Span, usize)],
    weight: impl Fn(usize) -> f64,
) -> Range<usize> {
    let mut terms = Vec::new();
    let (mut best, mut with_heaviest): (Option<Ranked>, Option<Ranked>) = (None, None);
    let weights = matches.iter().map(|(_, term)| weight(*term));
    let heaviest = weights.fold(0.0, f64::max);
    let starts = tokens.iter().enumerate();
    for (start, token) in starts.filter(|(_, token)| !token.matches.is_empty()) {
        let last = &tokens[end_of_window(tokens, start, WIDTH - LEAD) - 1];
        let window = &matches[token.matches.start..last.matches.end];
        terms.clear();
        terms.extend(window.iter().map(|(_, term)| *term));
        terms.sort_unstable();
        terms.dedup();
        let sum = terms.iter().map(|&term| weight(term)).sum::<f64>();
        let rank = (sum, window.len());
        keep_better(&mut best, (rank, start));
        if terms.iter().any(|&term| weight(term) >= heaviest) {
            keep_better(&mut with_heaviest, (rank, start));
        }
    }
    let least = best.map_or(0.0, |((most, _), _)| most * SHARE_WITH_HEAVIEST);
    let best = with_heaviest.filter(|((sum, _), _)| *sum >= least).or(best);
    let first = best.map_or(0, |(_, start)| start);
    let lead = tokens.get(first).map_or(0, |token| token.words.start);
    let start = tokens.partition_point(|token| token.words.start + LEAD < lead);
    let end = end_of_window(tokens, start, WIDTH);
    start..end.max(tokens.len().min(first + 1))
}

/// Keeps the better of two windows, or the first.
fn keep_better(best: &mut Option<Ranked>, other: Ranked) {
    if best.is_none_or(|(best, _)| best < other.0) {
        *best = Some(other);
    }
}

/// Returns where the tokens end that begin at one and have so many words together, at least that one.
fn end_of_window(tokens: &[Token], start: usize, words: usize) -> usize {
    let Some(first) = tokens.get(start) else {
        return tokens.len();
    };
    let fitting =
        tokens[start..].partition_point(|token| token.words.end <= first.words.start + words);
    start + fitting.max(1)
}
