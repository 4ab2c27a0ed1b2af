//! Snippets: the few words of a chunk that show why it was found.

use std::ops::Range;

use rustc_hash::FxHashMap;
use sectile_core::Span;
use serde::{Deserialize, Serialize};

use crate::analyzer::Initials;
use crate::{Analyzer, Clause, Clauses, Query};

/// The width of a snippet in words.
const WIDTH: usize = 40;

/// How many words of a snippet stand before the first marked one.
const LEAD: usize = 6;

/// A part of a text with the words that a query asked for marked.
///
/// White space is folded: the snippet is one line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snippet {
    /// The text.
    pub text: String,
    /// Where the marked words stand in `text`, in bytes.
    pub marks: Vec<Span>,
}

/// A word of the text, between white space, and which matches begin in it.
struct Token {
    span: Span,
    matches: Range<usize>,
}

impl Snippet {
    /// Cuts the part out of `text` that holds most of the query's terms, by what they weigh.
    ///
    /// Ties go to the part that stands first. A heading line that opens the text is left out when
    /// more follows: what shows a snippet shows the heading path beside it.
    pub fn new(text: &str, query: &Query, analyzer: &Analyzer) -> Self {
        let text = without_heading(text);
        let marks = matches(text, query.clauses(), analyzer);
        let tokens = tokens(text, &marks);
        let window = best_window(&tokens, &marks, |place| query.weight(place));
        render(
            text,
            &tokens[window.clone()],
            &marks,
            window.start > 0,
            window.end < tokens.len(),
        )
    }

    /// Writes the text with `before` and `after` round each marked word.
    pub fn marked(&self, before: &str, after: &str) -> String {
        let mut marked = String::with_capacity(self.text.len() + 16 * self.marks.len());
        let mut end = 0;
        for mark in &self.marks {
            marked.push_str(&self.text[end..mark.start]);
            marked.push_str(before);
            marked.push_str(mark.of(&self.text));
            marked.push_str(after);
            end = mark.end;
        }
        marked.push_str(&self.text[end..]);
        marked
    }
}

/// Leaves out a first line that begins with number signs, unless there is nothing else.
fn without_heading(text: &str) -> &str {
    match text.split_once('\n') {
        Some((line, rest)) if line.starts_with('#') && !rest.trim().is_empty() => rest,
        _ => text,
    }
}

/// Finds the words of `text` that are asked for, each with the clause that asks for it.
/// Pairs of CJK characters overlap: touching and overlapping words stay apart here.
fn matches(text: &str, asked: &Clauses, analyzer: &Analyzer) -> Vec<(Span, usize)> {
    let clauses = clauses_by_term(asked);
    let initials = Initials::of(clauses.keys().copied());
    let mut found = Vec::new();
    analyzer.for_each_of(text, initials, |term, span| {
        if let Some(&place) = clauses.get(term) {
            found.push((span, place));
        }
    });
    found.sort_by_key(|(span, _)| (span.start, span.end));
    found
}

/// Returns for each term the first clause that asks for it. A stop word that only ranks beside another
/// word is not asked for.
fn clauses_by_term(asked: &Clauses) -> FxHashMap<&str, usize> {
    let mut clauses = FxHashMap::default();
    let only_ranks = |clause: &Clause| {
        let mut variants = clause.variants.iter();
        variants.all(|of| of.terms.len() > 1 && of.weight < 1.0)
    };
    let scored = asked.scored.iter().enumerate();
    for (place, clause) in scored.filter(|(_, clause)| !only_ranks(clause)) {
        for term in clause.variants.iter().flat_map(|variant| &variant.terms) {
            clauses.entry(term.as_str()).or_insert(place);
        }
    }
    clauses
}

/// Splits a text at white space and notes which matches begin in each word.
fn tokens(text: &str, matches: &[(Span, usize)]) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 6);
    let mut first = 0;
    for_each_word(text, |span| {
        let after = matches[first..].iter();
        let inside = after
            .take_while(|(found, _)| found.start < span.end)
            .count();
        tokens.push(Token {
            span,
            matches: first..first + inside,
        });
        first += inside;
    });
    tokens
}

/// Calls `found` with each word between white space. Runs longer than a line of text are cut into pieces, and links,
/// paths and identifiers, which are of ASCII alone, not before they are as long as a paragraph.
fn for_each_word(text: &str, mut found: impl FnMut(Span)) {
    const LONGEST: usize = 48;
    const LONGEST_ASCII: usize = 400;
    let mut end = 0;
    while let Some(start) = next(text, end, |is_white| !is_white) {
        end = next(text, start, |is_white| is_white).unwrap_or(text.len());
        let word = &text[start..end];
        let longest = if word.len() <= LONGEST || word.is_ascii() {
            LONGEST_ASCII
        } else {
            LONGEST
        };
        let mut at = 0;
        while at < word.len() {
            let piece = word.ceil_char_boundary((at + longest).min(word.len()));
            found(Span::new(at, piece).shifted(start));
            at = piece;
        }
    }
}

/// Returns where the first character from `at` on stands that is white space, or is none.
fn next(text: &str, mut at: usize, is_wanted: impl Fn(bool) -> bool) -> Option<usize> {
    while let Some(&byte) = text.as_bytes().get(at) {
        let (is_white, length) = if byte.is_ascii() {
            // The vertical tab is white space too.
            (matches!(byte, b'\t'..=b'\r' | b' '), 1)
        } else {
            let character = text[at..].chars().next()?;
            (character.is_whitespace(), character.len_utf8())
        };
        if is_wanted(is_white) {
            return Some(at);
        }
        at += length;
    }
    None
}

/// Returns the window with the most distinct terms by what they weigh, then the most matches, then the first.
fn best_window(
    tokens: &[Token],
    matches: &[(Span, usize)],
    weight: impl Fn(usize) -> f64,
) -> Range<usize> {
    let mut terms = Vec::new();
    let mut best: Option<((f64, usize), usize)> = None;
    let starts = tokens.iter().enumerate();
    for (start, token) in starts.filter(|(_, token)| !token.matches.is_empty()) {
        let last = &tokens[tokens.len().min(start + WIDTH - LEAD) - 1];
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
    let start = best.map_or(0, |(_, start)| start).saturating_sub(LEAD);
    start..tokens.len().min(start + WIDTH)
}

/// Writes the tokens on one line and moves the marks that lie in them along.
fn render(
    text: &str,
    tokens: &[Token],
    matches: &[(Span, usize)],
    cut_before: bool,
    cut_after: bool,
) -> Snippet {
    let mut snippet = Snippet::default();
    snippet.text.push_str(if cut_before { "… " } else { "" });
    let mut end = None;
    for token in tokens {
        if end.is_some_and(|end| end < token.span.start) {
            snippet.text.push(' ');
        }
        let start = snippet.text.len();
        let inside = matches
            .iter()
            .filter(|(span, _)| token.span.overlaps(*span));
        for (span, _) in inside {
            let first = span.start.max(token.span.start) - token.span.start + start;
            let last = span.end.min(token.span.end) - token.span.start + start;
            push_mark(&mut snippet.marks, Span::new(first, last));
        }
        snippet.text.push_str(token.span.of(text));
        end = Some(token.span.end);
    }
    snippet.text.push_str(if cut_after { " …" } else { "" });
    snippet
}

/// Adds a mark, joined with the last one where they touch.
fn push_mark(marks: &mut Vec<Span>, mark: Span) {
    match marks.last_mut() {
        Some(last) if mark.start <= last.end => last.end = last.end.max(mark.end),
        _ => marks.push(mark),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn snippet(text: &str, query: &str) -> Snippet {
        let analyzer = Analyzer::english();
        let query = Query::parse(query, &[]).unwrap();
        Snippet::new(text, &query, &analyzer)
    }

    fn check(text: &str, query: &str, expected: &str) {
        assert_eq!(snippet(text, query).marked("[", "]"), expected);
    }

    #[test]
    fn every_form_of_a_word_is_marked() {
        check(
            "He reads; she was\n  reading.",
            "read",
            "He [reads]; she was [reading].",
        );
        check("call read_chunks()", "chunks", "call read_[chunks]()");
        check("call read_chunks()", "read_chunks", "call [read_chunks]()");
        check("全文検索する", "検索", "全文[検索]する");
    }

    #[test]
    fn stop_words_that_only_rank_beside_others_are_not_marked() {
        check("He is out: log out.", "log out", "He is out: [log] out.");
        check("He is out.", "out", "He is [out].");
    }

    #[test]
    fn the_window_with_most_terms_is_shown() {
        let filler = "word ".repeat(60);
        let text = format!("alpha {filler} alpha beta {filler}");
        let shown = snippet(&text, "alpha beta").marked("[", "]");
        assert!(shown.contains("[alpha] [beta]"), "{shown}");
        assert!(
            shown.starts_with("… word") && shown.ends_with("word …"),
            "{shown}"
        );
    }

    #[test]
    fn rare_words_are_shown_before_common_ones() {
        let filler = "word ".repeat(60);
        let text = format!("Name | Place | Place {filler} Resistor | 470 {filler}");
        let mut query = Query::parse("resistor place", &[]).unwrap();
        let held = |of: &crate::Variant| match &*of.terms[0] {
            "resistor" => 1,
            "place" => 90,
            _ => 0,
        };
        query.weigh(held, |chunks| if chunks == 1 { 4.0 } else { 1.0 });
        let shown = Snippet::new(&text, &query, &Analyzer::english());
        assert!(shown.marked("[", "]").contains("[Resistor] | 470"));
    }

    #[test]
    fn the_heading_line_is_left_out_where_text_follows() {
        check("## Reading\n\nHow to read.", "read", "How to [read].");
        check("## Reading\n\n", "read", "## [Reading]");
    }

    #[test]
    fn links_and_identifiers_stay_whole() {
        let link = format!("https://example.org/{}/index.html", "path/".repeat(30));
        let text = format!("{} see {link} {}", "word ".repeat(50), "word ".repeat(50));
        assert!(snippet(&text, "see").text.contains(&link));
    }

    #[test]
    fn a_text_without_the_terms_is_shown_from_its_beginning() {
        check("Only this.", "absent", "Only this.");
        check("", "absent", "");
    }

    proptest! {
        #[test]
        fn words_are_what_stands_between_white_space(text in r"([a-zé字]|\PC|\s|\u{85}|\u{b}){0,80}") {
            let mut words = Vec::new();
            for_each_word(&text, |span| words.push(span.of(&text)));
            prop_assert_eq!(words.concat(), text.split_whitespace().collect::<String>());
            let is_whole = |word: &&str| !word.is_empty() && !word.contains(char::is_whitespace);
            prop_assert!(words.iter().all(is_whole), "{:?}", words);
        }

        #[test]
        fn marks_lie_in_the_text(text in any::<String>(), query in "[a-zé字]{1,3}( [a-z0-9]{1,2})?") {
            let shown = snippet(&text, &query);
            prop_assert!(shown.marks.iter().all(|mark| shown.text.get(mark.start..mark.end).is_some()));
            prop_assert!(shown.marks.windows(2).all(|pair| pair[0].end < pair[1].start));
        }
    }
}
