//! Parts of a sentence that does not fit into a chunk.

use sectile_core::Span;

use super::Piece;
use crate::TokenCounter;

/// Halves `span` of `text` until every part has at most `limit` tokens or is one character.
///
/// The cut nearest to the middle is taken, after a line end if there is one, after white space if
/// not. A part that is very probably too large is halved without being counted, so every byte is
/// counted a bounded number of times. The search for cuts looks at a byte once per halving.
pub(crate) fn cut(
    text: &str,
    span: Span,
    limit: usize,
    counter: &dyn TokenCounter,
    add: &mut dyn FnMut(Piece),
) {
    let may_fit = span.len() / 16 <= limit;
    let tokens = may_fit.then(|| counter.count(span.of(text)));
    let fitting = tokens.filter(|&tokens| tokens <= limit);
    let middle = middle_cut(span.of(text));
    match (fitting, middle) {
        (Some(tokens), _) => add(Piece { span, tokens }),
        (None, Some(middle)) => {
            let middle = span.start + middle;
            cut(text, Span::new(span.start, middle), limit, counter, add);
            cut(text, Span::new(middle, span.end), limit, counter, add);
        }
        (None, None) => {
            let tokens = tokens.unwrap_or_else(|| counter.count(span.of(text)));
            add(Piece { span, tokens });
        }
    }
}

/// Returns the best place to cut `text` in two, or nothing if it is one character.
fn middle_cut(text: &str) -> Option<usize> {
    nearest(text, |char| char == '\n')
        .or_else(|| nearest(text, char::is_whitespace))
        .or_else(|| nearest(text, |_| true))
}

/// Returns the end of the `wanted` character that lies nearest to the middle of `text`, the last
/// one excepted.
fn nearest(text: &str, wanted: impl Fn(char) -> bool) -> Option<usize> {
    let (before, after) = text.split_at(text.floor_char_boundary(text.len() / 2));
    let end = |(at, char): (usize, char)| at + char.len_utf8();
    let left = before
        .char_indices()
        .rev()
        .find(|&(_, char)| wanted(char))
        .map(end);
    let right = after
        .char_indices()
        .find(|&(_, char)| wanted(char))
        .map(end);
    let right = right
        .map(|at| before.len() + at)
        .filter(|&at| at < text.len());
    let distance = |at: &usize| at.abs_diff(before.len());
    left.into_iter().chain(right).min_by_key(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Characters;

    fn check(text: &str, limit: usize, expected: &[&str]) {
        let mut parts = Vec::new();
        let span = Span::new(0, text.len());
        cut(text, span, limit, &Characters, &mut |part| {
            parts.push(part.span.of(text));
        });
        assert_eq!(parts, expected);
    }

    #[test]
    fn line_ends_come_before_white_space_before_characters() {
        check("a b c\nd", 6, &["a b c\n", "d"]);
        check("aa bb cc", 5, &["aa ", "bb cc"]);
        check("éééé", 2, &["éé", "éé"]);
    }

    #[test]
    fn one_character_is_never_cut() {
        check("é👩", 1, &["é", "👩"]);
    }
}
