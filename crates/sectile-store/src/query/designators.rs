//! Letters before the numbers of articles in French codes, which texts write in several ways: `L. 212-2`, `L 212-2`,
//! `R*119-8`, `L212-2`.

use std::borrow::Cow;

use super::markers::is_number;

/// The letters: of laws, of decrees, and of laws of their own kind. The longer ones are before those that they begin with.
const LETTERS: [&str; 6] = ["LO", "LP", "L", "R", "D", "A"];

/// What articles are called, beside which their numbers need no hyphen.
const ARTICLE: [&str; 4] = ["article", "articles", "art", "arts"];

/// The fewest digits before the hyphen of a number without that name.
const FEWEST_DIGITS: usize = 2;

/// The most marks between a letter and its number.
const MOST_MARKS: usize = 3;

/// Writes such letters and their numbers as one, without the marks between them. What is in quotes stays as it was typed.
pub(super) fn joined(text: &str) -> Cow<'_, str> {
    let code = end_of_code(text);
    let mut joined = String::new();
    let mut copied = 0;
    let mut is_quoted = false;
    for (at, sign) in text.match_indices(['L', 'R', 'D', 'A', '"']) {
        is_quoted ^= sign == "\"";
        if at < copied || is_quoted {
            continue;
        }
        if let Some((letters, number, end)) = marked(text, at, code) {
            joined.push_str(&text[copied..at]);
            joined.push_str(letters);
            joined.push_str(number);
            copied = end;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    joined.push_str(&text[copied..]);
    Cow::Owned(joined)
}

/// Reads letters with marks behind them and a number at a place of a text, and returns these and where they end. `code` is
/// where the first name of a code ends.
fn marked(text: &str, at: usize, code: Option<usize>) -> Option<(&str, &str, usize)> {
    let (before, rest) = text.split_at(at);
    if before.ends_with(char::is_alphanumeric) {
        return None;
    }
    let letters = LETTERS.iter().find(|letters| rest.starts_with(**letters))?;
    let behind = &rest[letters.len()..];
    let number = behind.trim_start_matches(['.', '*', ' ']);
    let marks = behind.len() - number.len();
    let is_of_number = |of: char| of.is_ascii_digit() || of == '-';
    let number = &number[..number.find(|of| !is_of_number(of)).unwrap_or(number.len())];
    let number = number.trim_end_matches('-');
    let digits = number.find('-');
    let is_after_name = || {
        let name = before.trim_end().trim_end_matches('.');
        let name = name.rsplit(|of: char| !of.is_alphabetic()).next();
        name.is_some_and(|name| ARTICLE.iter().any(|of| name.eq_ignore_ascii_case(of)))
    };
    // The parts of a date may begin with a zero.
    let has_zero = number.split('-').any(|part| part.starts_with('0'));
    // `vitamin A 700-900` has a range.
    let is_of_code = code.is_some_and(|end| end <= at);
    let may_be_range =
        || !is_of_code && behind[..marks].trim().is_empty() && !before.trim().is_empty();
    let is_designated = digits.is_some_and(|digits| digits >= FEWEST_DIGITS)
        && !(is_range(number) && may_be_range());
    let is_one = is_number(number)
        && !has_zero
        && (1..=MOST_MARKS).contains(&marks)
        && (is_designated || is_after_name());
    let end = at + letters.len() + marks + number.len();
    is_one.then_some((*letters, number, end))
}

/// Returns whether a number has two parts, of which the second is the greater one.
fn is_range(number: &str) -> bool {
    let parts = number.split_once('-');
    let parts = parts.and_then(|(from, to)| {
        let [from, to] = [from, to].map(str::parse::<u32>);
        from.ok().zip(to.ok())
    });
    parts.is_some_and(|(from, to)| from < to)
}

/// Returns where the first name of a code ends in a text, with the character behind it: `code de procédure pénale D 49-67`.
fn end_of_code(text: &str) -> Option<usize> {
    let is_between = |of: char| !of.is_alphabetic();
    let mut end = 0;
    let mut words = text.split_inclusive(is_between);
    words.find_map(|word| {
        end += word.len();
        let is_code = word
            .trim_end_matches(is_between)
            .eq_ignore_ascii_case("code");
        is_code.then_some(end)
    })
}

/// Reads a number with its letters as one, in lower case: `l212-2`.
pub(super) fn designated(text: &str) -> Option<String> {
    let number = text.trim_start_matches(|of: char| of.is_ascii_uppercase());
    let letters = text.len() - number.len();
    let is_one = (1..=2).contains(&letters) && is_number(number);
    is_one.then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_numbers_are_written_as_one() {
        for (text, expected) in [
            ("article L. 212-2 du code", "article L212-2 du code"),
            ("L 212-2 et R. 119-13", "L212-2 et R119-13"),
            ("R*119-8", "R119-8"),
            ("Article LO 141", "Article LO141"),
            ("art. R 132", "art. R132"),
            ("L212-2", "L212-2"),
            ("R 132", "R 132"),
            ("A 4-5", "A 4-5"),
            ("Windows XL. 212-2", "Windows XL. 212-2"),
            ("plan A. 2024", "plan A. 2024"),
            ("plan A 2024-05-13", "plan A 2024-05-13"),
            ("vitamin A 700-900", "vitamin A 700-900"),
            ("vitamin D 10-20 mcg", "vitamin D 10-20 mcg"),
            ("travail L 212-2", "travail L212-2"),
            ("D 49-67", "D49-67"),
            ("code pénal, R 57-60", "code pénal, R57-60"),
            ("Code D 49-67", "Code D49-67"),
            ("vitamin D 49-67 code", "vitamin D 49-67 code"),
            ("selon l'article D 49-67", "selon l'article D49-67"),
            ("voir D. 49-67", "voir D49-67"),
            (
                "\"l'article L. 212-2\" et R. 119-8",
                "\"l'article L. 212-2\" et R119-8",
            ),
            ("L. ", "L. "),
            ("article L. 5-", "article L5-"),
        ] {
            assert_eq!(joined(text), expected);
        }
        assert_eq!(designated("L212-2").as_deref(), Some("l212-2"));
        assert_eq!(designated("212-2"), None);
        assert_eq!(designated("ISO9001"), None);
        assert_eq!(designated("x86"), None);
    }
}
