//! Where sentences end other than by the rules of UAX #29, which permits such tailoring.

use std::ops::Range;

/// What ends a sentence in scripts that have it in the place of a period, a question mark or three periods, if a capital
/// follows: a colon in Armenian, a semicolon in Greek, and an ellipsis.
const BEFORE_CAPITALS: [char; 3] = [':', ';', '…'];

/// The longest reference or tag behind the end of a sentence, in bytes.
const LONGEST: usize = 16;

/// The most marks that belong to one end, as each place between two marks may be an end, too: `[.][.][.]`.
const MOST_MARKS: usize = 16;

/// Brackets and quotation marks that open, which what follows begins with where no white space is between. Latin text
/// closes with `“` too, but has white space behind it.
const OPENING: [char; 12] = [
    '「', '『', '《', '〈', '（', '【', '〔', '〖', '“', '‘', '(', '[',
];

/// Quotation marks that close, and signs of notes.
const CLOSING: [char; 10] = ['”', '’', '»', '›', '“', '‘', '¹', '²', '³', '†'];

/// Returns `candidate`, which has no white space, with what belongs to the sentence before it, and the white space behind
/// that: marks of Markdown, references such as `[1]` and `[^note]`, and the ends of tags.
pub(super) fn with_marks(block: &str, candidate: Range<usize>) -> Range<usize> {
    let text = &block[candidate.clone()];
    let is_picture = text.starts_with("![");
    if is_picture || text.contains(char::is_whitespace) || candidate.end == block.len() {
        return candidate;
    }
    // The last bracket is the beginning of a reference or none of the candidate.
    let mut end = candidate.end - usize::from(text.ends_with('['));
    for _ in 0..MOST_MARKS {
        let Some(length) = mark_length(&block[end..]) else {
            break;
        };
        end += length;
    }
    let behind = &block[end..];
    let space = behind.len() - behind.trim_start().len();
    if space == 0 && !behind.is_empty() {
        return candidate;
    }
    candidate.start..end + space
}

/// Returns the length of a mark that a text begins with.
fn mark_length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    match first {
        '*' | '_' | '~' | ')' | ']' | '}' | '"' | '\'' => Some(1),
        '[' => group_length(text, 1, b']'),
        '<' if text.starts_with("</") => group_length(text, 2, b'>'),
        _ => CLOSING.contains(&first).then_some(first.len_utf8()),
    }
}

/// Returns the length of a group that a text begins with, whose first bytes, as many as `open`, are followed by letters
/// up to `close`.
fn group_length(text: &str, open: usize, close: u8) -> Option<usize> {
    let inner = &text.as_bytes()[open..];
    let length = inner.iter().take(LONGEST).position(|byte| *byte == close)?;
    let is_other = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'[';
    let is_group = length > 0 && !inner[..length].iter().any(is_other);
    is_group.then_some(open + length + 1)
}

/// Returns where a sentence ends that one of UAX #29 ends at `candidate`, if it ends there.
pub(super) fn end(block: &str, candidate: &Range<usize>) -> Option<usize> {
    let text = &block[candidate.clone()];
    let Some(next) = block[candidate.end..].chars().next() else {
        return Some(candidate.end);
    };
    if text.contains(char::is_whitespace) {
        return (!goes_on(text, next)).then_some(candidate.end);
    }
    let is_ascii = text.starts_with(['.', '!', '?']);
    if is_ascii && !is_without_spaces(next) {
        // Words are not parted by it: `![picture]`, `a?b=c`, `"x"."Y"`, `தி.மு.க`.
        return None;
    }
    // In Japanese, a particle goes on behind what is said.
    if next == 'と' && text.ends_with(['」', '』']) {
        return None;
    }
    let opening = text.find(OPENING);
    Some(opening.map_or(candidate.end, |at| candidate.start + at))
}

/// Returns whether a small letter goes on with a sentence behind what is said in it: `“Why?” she asked`.
fn goes_on(candidate: &str, next: char) -> bool {
    let is_closed = candidate.trim_end().len() > 1;
    candidate.starts_with(['!', '?']) && is_closed && next.is_lowercase()
}

/// Returns whether a letter is of a script that has no spaces behind sentences, or that is often written so.
pub(super) const fn is_without_spaces(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
        || matches!(letter, '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns whether a candidate ends a sentence only if a capital follows.
pub(super) fn is_before_capital(candidate: &str) -> bool {
    candidate.starts_with(BEFORE_CAPITALS)
}

/// Returns whether such a candidate, between `before` and `after`, ends a sentence.
pub(super) fn ends_before_capital(before: &str, candidate: &str, after: &str) -> bool {
    let is_around = |letter: char| "«»“”„\"'()[]—–-¿¡".contains(letter);
    let is_of_script = |letter: char| match candidate.chars().next() {
        Some(':') => matches!(letter, '\u{531}'..='\u{58f}'),
        Some(';') => matches!(letter, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}'),
        _ => true,
    };
    let after = after.trim_start_matches(|letter: char| is_around(letter) || letter == ' ');
    let last = before.trim_end_matches(is_around).chars().next_back();
    let next = after.chars().next();
    last.is_some_and(is_of_script)
        && next.is_none_or(|next| next.is_uppercase() && is_of_script(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extended<'a>(block: &'a str, candidate: &str) -> &'a str {
        let start = block.find(candidate).unwrap();
        &block[with_marks(block, start..start + candidate.len())]
    }

    #[test]
    fn marks_belong_to_the_sentence_before_them() {
        for (block, candidate, expected) in [
            ("**Note.** Next", ".", ".** "),
            ("So.[1] Next", ".[", ".[1] "),
            ("So.[^note][2] next", ".[", ".[^note][2] "),
            ("So.[1]", ".[", ".[1]"),
            ("<b>So.</b>\nNext", ".", ".</b>\n"),
            ("`so?` Next", "?", "?"),
            ("So.”¹ Next", ".”", ".”¹ "),
            ("So. Next", ". ", ". "),
            ("So.[a link](b) Next", ".[", ".["),
            ("a ![b](c) d", "![", "!["),
            ("**a.**b", ".", "."),
        ] {
            assert_eq!(extended(block, candidate), expected, "{block}");
        }
    }

    /// Returns the sentence that ends at a candidate.
    fn ends<'a>(block: &'a str, candidate: &str) -> Option<&'a str> {
        let start = block.find(candidate).unwrap();
        end(block, &(start..start + candidate.len())).map(|end| &block[..end])
    }

    #[test]
    fn only_so_many_marks_belong_to_an_end() {
        for (marks, is_extended) in [(MOST_MARKS, true), (MOST_MARKS + 1, false)] {
            let block = format!("So.{} Next", "[.]".repeat(marks));
            assert_eq!(extended(&block, ".[") != ".[", is_extended, "{marks}");
        }
    }

    #[test]
    fn what_joins_words_ends_no_sentence() {
        assert_eq!(ends("a ![b](c)", "!["), None);
        assert_eq!(ends("see /search?q=a", "?"), None);
        assert_eq!(ends("in \"x\".\"Y\" and", ".\""), None);
        assert_eq!(ends("“Why?” she", "?” "), None);
        assert_eq!(ends("“Why?” She", "?” "), Some("“Why?” "));
        assert_eq!(ends("Why? she", "? "), Some("Why? "));
        assert_eq!(ends("OK.我们", "."), Some("OK."));
        assert_eq!(ends("好。「是", "。「"), Some("好。"));
        assert_eq!(ends("好。」「是", "。」「"), Some("好。」"));
    }

    #[test]
    fn some_signs_end_a_sentence_before_a_capital() {
        let ends = ends_before_capital;
        assert!(ends("տուն", ": ", "Նա"));
        assert!(ends("τι είναι", "; ", "«Αυτό"));
        assert!(ends("and then", "… ", "He"));
        assert!(!ends("տուն", ": ", "նա"));
        assert!(!ends("a house", ": ", "He"));
        assert!(!ends("a house", "; ", "He"));
        assert!(!ends("and then", "… ", "he"));
    }
}
