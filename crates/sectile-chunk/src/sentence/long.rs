//! Parts of a sentence that does not fit into a chunk.

use sectile_core::Span;

use crate::TokenCounter;
use crate::source::Source;

/// The rest of a sentence that is being cut: its parts in reverse order.
///
/// A part is halved until it has at most a number of tokens or is one character. The cut nearest to
/// the middle is taken: after a line end if there is one, else after a clause, else after white space. A part that is
/// very probably too large is halved without being counted, so every byte is counted a bounded
/// number of times. The search for cuts looks at a byte once per halving.
#[derive(Default)]
pub(crate) struct LongSentence {
    rest: Vec<Span>,
}

impl LongSentence {
    pub(crate) fn new(span: Span) -> Self {
        Self { rest: vec![span] }
    }

    /// Returns the next part and its tokens, at most `limit` of them where that is possible.
    pub(crate) fn next_part(
        &mut self,
        source: Source<'_>,
        limit: usize,
        counter: &dyn TokenCounter,
    ) -> Option<(Span, usize)> {
        while let Some(span) = self.rest.pop() {
            let text = source.of(span);
            let may_fit = text.len() / 16 <= limit;
            let tokens = may_fit.then(|| counter.count(text));
            if let Some(tokens) = tokens.filter(|&tokens| tokens <= limit) {
                return Some((span, tokens));
            }
            let Some(middle) = middle_cut(text) else {
                return Some((span, tokens.unwrap_or_else(|| counter.count(text))));
            };
            let middle = span.start + middle;
            self.rest.push(Span::new(middle, span.end));
            self.rest.push(Span::new(span.start, middle));
        }
        None
    }
}

/// Returns the best position to cut `text` in two, or `None` if it is one character.
fn middle_cut(text: &str) -> Option<usize> {
    nearest(text, |_, char| char == '\n')
        .or_else(|| nearest(text, |at, char| ends_clause(&text[..at], char)))
        .or_else(|| nearest(text, |_, char| char.is_whitespace()))
        .or_else(|| nearest(text, |_, _| true))
}

/// Returns whether a clause ends with `char`, which stands behind `before`: full-width punctuation, or
/// the white space after a comma, semicolon or colon.
fn ends_clause(before: &str, char: char) -> bool {
    let is_full_width = matches!(char, '、' | '，' | '；' | '：' | '。' | '！' | '？');
    is_full_width || char.is_whitespace() && before.ends_with([',', ';', ':'])
}

/// Returns the end of the `wanted` character that lies nearest to the middle of `text`, the last
/// one excepted.
fn nearest(text: &str, wanted: impl Fn(usize, char) -> bool) -> Option<usize> {
    let (before, after) = text.split_at(text.floor_char_boundary(text.len() / 2));
    let end = |(at, char): (usize, char)| at + char.len_utf8();
    let left = before
        .char_indices()
        .rev()
        .find(|&(at, char)| wanted(at, char))
        .map(end);
    let right = after
        .char_indices()
        .find(|&(at, char)| wanted(before.len() + at, char))
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
        let mut sentence = LongSentence::new(Span::new(0, text.len()));
        let parts = || sentence.next_part(Source::whole(text), limit, &Characters);
        let texts: Vec<_> = std::iter::from_fn(parts)
            .map(|(span, _)| span.of(text))
            .collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn line_ends_come_before_clauses_before_white_space_before_characters() {
        check("a b c\nd", 6, &["a b c\n", "d"]);
        check("a, b c d e", 8, &["a, ", "b c d e"]);
        check("検、索文書の", 5, &["検、", "索文書の"]);
        check("aa bb cc", 5, &["aa ", "bb cc"]);
        check("éééé", 2, &["éé", "éé"]);
    }

    #[test]
    fn one_character_is_never_cut() {
        check("é👩", 1, &["é", "👩"]);
    }
}
