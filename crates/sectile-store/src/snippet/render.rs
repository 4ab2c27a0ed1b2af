//! Writes the tokens of a snippet with the marks in them.

use std::ops::Range;

use sectile_core::Span;

use super::tokens::{Token, Tokens};
use super::{Snippet, inline};

/// Writes the tokens of a window, and moves the marks that lie in them along.
pub(super) fn render(
    text: &str,
    tokens: &Tokens,
    window: Range<usize>,
    matches: &[(Span, usize)],
) -> Snippet {
    let mut snippet = Snippet::default();
    let mut before = None;
    let mut rest = matches;
    for token in &tokens.all[window.clone()] {
        let is_past = |(span, _): &&(Span, usize)| span.end <= token.span.start;
        rest = &rest[rest.iter().take_while(is_past).count()..];
        let separator = match before {
            None if window.start == 0 => "",
            None if token.is_line => "…\n",
            None => "… ",
            Some(before) => between(before, token),
        };
        snippet.text.push_str(separator);
        let mut end = None;
        for part in tokens.inline.shown(token.span) {
            if end.is_some_and(|end| inline::parts_words(&text[end..part.start])) {
                snippet.text.push(' ');
            }
            push_part(&mut snippet, text, part, token.is_line, rest);
            end = Some(part.end);
        }
        before = Some(token);
    }
    if window.end < tokens.all.len() {
        let is_line = before.is_some_and(|before| before.is_line);
        snippet.text.push_str(if is_line { "\n…" } else { " …" });
    }
    snippet
}

/// Returns the separator of two tokens.
fn between(before: &Token, token: &Token) -> &'static str {
    if before.is_line || token.is_line {
        "\n"
    } else if before.span.end < token.span.start {
        " "
    } else {
        ""
    }
}

/// Adds a part of a text with the marks in it. White space keeps its length, so that marks stay where they are.
fn push_part(
    snippet: &mut Snippet,
    text: &str,
    part: Span,
    is_line: bool,
    matches: &[(Span, usize)],
) {
    let start = snippet.text.len();
    let begun = matches.iter().take_while(|(span, _)| span.start < part.end);
    for (span, _) in begun.filter(|(span, _)| part.overlaps(*span)) {
        let first = span.start.max(part.start) - part.start + start;
        let last = span.end.min(part.end) - part.start + start;
        push_mark(&mut snippet.marks, Span::new(first, last));
    }
    let part = part.of(text);
    if is_line || !part.contains(['\n', '\r']) {
        snippet.text.push_str(part);
    } else {
        snippet.text.push_str(&part.replace(['\n', '\r'], " "));
    }
}

/// Adds a mark, joined with the last one where they touch.
fn push_mark(marks: &mut Vec<Span>, mark: Span) {
    match marks.last_mut() {
        Some(last) if mark.start <= last.end => last.end = last.end.max(mark.end),
        _ => marks.push(mark),
    }
}
