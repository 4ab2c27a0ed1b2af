//! The part of a text that is shown.

use std::ops::Range;

use sectile_core::Span;

use super::tokens::Token;

/// The width of a snippet in words.
const WIDTH: usize = 40;

/// The number of words of a snippet before the first marked one.
const LEAD: usize = 6;

/// Returns the window with the most distinct terms by what they weigh, then the most matches, then the first.
pub(super) fn best_window(
    tokens: &[Token],
    matches: &[(Span, usize)],
    weight: impl Fn(usize) -> f64,
) -> Range<usize> {
    let mut terms = Vec::new();
    let mut best: Option<((f64, usize), usize)> = None;
    let starts = tokens.iter().enumerate();
    for (start, token) in starts.filter(|(_, token)| !token.matches.is_empty()) {
        let last = &tokens[end_of_window(tokens, start, WIDTH - LEAD) - 1];
        let window = &matches[token.matches.start..last.matches.end];
        terms.clear();
        terms.extend(window.iter().map(|(_, term)| *term));
        terms.sort_unstable();
        terms.dedup();
        let weight = terms.iter().map(|&term| weight(term)).sum::<f64>();
        let rank = (weight, window.len());
        if best.is_none_or(|(best, _)| best < rank) {
            best = Some((rank, start));
        }
    }
    let first = best.map_or(0, |(_, start)| start);
    let lead = tokens.get(first).map_or(0, |token| token.words.start);
    let start = tokens.partition_point(|token| token.words.start + LEAD < lead);
    let end = end_of_window(tokens, start, WIDTH);
    start..end.max(tokens.len().min(first + 1))
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
