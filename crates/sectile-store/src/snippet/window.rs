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

/// What ends a sentence, and what may stand behind that.
const ENDS: [char; 7] = ['.', '!', '?', '…', '。', '！', '？'];
const BEHIND_END: [char; 10] = ['"', '\'', ')', ']', '”', '’', '»', '*', '_', '`'];

/// Returns the window with the most distinct terms by what they weigh, then the most matches, then the first. One with the
/// heaviest term comes before one that does not weigh twice as much.
pub(super) fn best_window(
    text: &str,
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
    let start = start_of_window(text, tokens, matches, first);
    let end = end_of_window(tokens, start, WIDTH).max(tokens.len().min(first + 1));
    if end < tokens.len() {
        return start..end;
    }
    // What is left of the width shows more of what is before.
    let all = tokens.last().map_or(0, |last| last.words.end);
    let earliest = tokens.partition_point(|token| token.words.start + WIDTH < all);
    start.min(earliest)..end
}

/// Returns where the window begins whose first match is in a token: with the sentence, which often has the answer before the
/// words of the question, if all terms are then shown with a few words behind them; or else a few words before the match.
fn start_of_window(text: &str, tokens: &[Token], matches: &[(Span, usize)], first: usize) -> usize {
    let begins_near = start_of_sentence(text, tokens, first).filter(|&start| {
        let last = last_new_term(tokens, matches, first);
        tokens[last].words.end + LEAD <= tokens[start].words.start + WIDTH
    });
    begins_near.unwrap_or_else(|| {
        let lead = tokens.get(first).map_or(0, |token| token.words.start);
        tokens.partition_point(|token| token.words.start + LEAD < lead)
    })
}

/// Returns the last token of a window that has a term which none before it has.
fn last_new_term(tokens: &[Token], matches: &[(Span, usize)], first: usize) -> usize {
    let mut terms = Vec::new();
    let mut last = first;
    let window = first..end_of_window(tokens, first, WIDTH - LEAD);
    for (at, token) in window.clone().zip(&tokens[window]) {
        for (_, term) in &matches[token.matches.clone()] {
            if !terms.contains(term) {
                terms.push(*term);
                last = at;
            }
        }
    }
    last
}

/// Returns where the sentence of a token of prose begins, if that is near.
fn start_of_sentence(text: &str, tokens: &[Token], at: usize) -> Option<usize> {
    let token = tokens.get(at).filter(|token| !token.is_line)?;
    let is_near = |of: &usize| token.words.start - tokens[*of].words.start < WIDTH;
    let mut near = (0..=at).rev().take_while(is_near);
    near.find(|of| begins_sentence(text, tokens, *of))
}

/// Returns whether a token is the first of a sentence or of a paragraph.
fn begins_sentence(text: &str, tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    let Some(before) = at.checked_sub(1).map(|before| &tokens[before]) else {
        return true;
    };
    let between = &text[before.span.end..token.span.start];
    let line_ends = between.bytes().filter(|byte| *byte == b'\n').count();
    if before.is_line || line_ends > 1 {
        return true;
    }
    // An abbreviation ends no sentence.
    let continues = token.span.of(text).starts_with(char::is_lowercase);
    let word = before.span.of(text).trim_end_matches(BEHIND_END);
    !continues && word.ends_with(ENDS)
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
