//! Numbers that may be written in several ways: with or without marks between thousands, and joined to a
//! unit or not.

use crate::{Language, Languages, Variant};

/// What stands between groups of three digits, beside white space.
const MARKS: [char; 4] = [',', '\'', '\u{2019}', '_'];

/// Languages in which full stops stand there: `1.600`.
const WITH_STOPS: &[Language] = &[
    Language::Basque,
    Language::Catalan,
    Language::Croatian,
    Language::Danish,
    Language::Dutch,
    Language::German,
    Language::Greek,
    Language::Indonesian,
    Language::Italian,
    Language::Portuguese,
    Language::Romanian,
    Language::Serbian,
    Language::Spanish,
    Language::Turkish,
    Language::Vietnamese,
];

/// The most digits of a number that is written in groups.
const LONGEST: usize = 15;

/// Units that follow a number, with or without a space between. Sorted.
const UNITS: &[&str] = &[
    "a", "ah", "b", "bar", "bit", "bits", "bpm", "bps", "byte", "bytes", "cal", "ch", "cl", "cm",
    "core", "cores", "d", "db", "deg", "dpi", "em", "f", "fps", "ft", "g", "gb", "gbit", "gbps",
    "ghz", "gib", "h", "hp", "hr", "hrs", "hz", "in", "inch", "j", "k", "kb", "kbit", "kbps",
    "kcal", "kg", "khz", "kib", "kj", "km", "kn", "kpa", "kv", "kva", "kw", "kwh", "l", "lb",
    "lbs", "lm", "lx", "m", "ma", "mah", "mb", "mbit", "mbps", "mg", "mhz", "mi", "mib", "min",
    "ml", "mm", "mol", "mp", "mph", "ms", "mv", "mw", "mwh", "n", "nf", "nm", "ns", "oz", "pa",
    "pb", "pf", "pib", "ppi", "ppm", "pt", "px", "rem", "rpm", "s", "sec", "t", "tb", "tbps",
    "thz", "tib", "uf", "us", "v", "va", "vdc", "vh", "vw", "w", "wh", "x", "μf", "μg", "μm", "μs",
    "ω",
];

/// Splits what is a number and its unit, written as one word: `500GB`.
pub(super) fn measure(word: &str) -> Option<(&str, &str)> {
    let unit = word.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let number = &word[..word.len() - unit.len()];
    (is_number(number) && is_unit(unit)).then_some((number, unit))
}

/// Joins words in a row that may be written as one: a number and its unit, groups of digits of a number.
pub(super) fn joined(first: &str, second: &str) -> Option<String> {
    let is_group = |of: &str| of.bytes().all(|byte| byte.is_ascii_digit());
    let are_groups =
        is_group(first) && is_group(second) && (1..=3).contains(&first.len()) && second.len() == 3;
    let is_measure = is_number(first) && is_unit(second);
    (are_groups || is_measure).then(|| format!("{first}{second}"))
}

/// Reads a number with marks between its groups of digits: `1,600`.
pub(super) fn grouped(text: &str) -> Option<String> {
    joined_groups(text, &MARKS)
}

/// Reads a number that some languages write with full stops between its groups of digits, and returns these
/// languages of the documents: elsewhere `1.600` is a version.
pub(super) fn with_stops(text: &str, languages: &[Language]) -> Option<(String, Languages)> {
    Some((joined_groups(text, &['.'])?, writing_stops(languages)?))
}

fn joined_groups(text: &str, marks: &[char]) -> Option<String> {
    let mut groups = text.split(marks);
    let first = groups.next()?;
    let is_digits = |of: &str| of.bytes().all(|byte| byte.is_ascii_digit());
    let is_first = is_digits(first) && (1..=3).contains(&first.len()) && !first.starts_with('0');
    let mut rest = groups.clone();
    let are_groups = rest.next().is_some() && groups.all(|of| of.len() == 3 && is_digits(of));
    let is_one = is_first && are_groups && text.len() <= 2 * LONGEST;
    is_one.then(|| text.replace(marks, ""))
}

/// Returns the languages of some that write full stops between groups of digits.
fn writing_stops(languages: &[Language]) -> Option<Languages> {
    let writing = languages.iter().copied();
    let writing: Vec<Language> = writing.filter(|of| WITH_STOPS.contains(of)).collect();
    match writing.len() {
        0 => None,
        all if all == languages.len() => Some(Languages::ALL),
        _ => Some(writing.into_iter().collect()),
    }
}

/// Returns the groups of digits of a number as documents have them that write them apart: in a row, and in some
/// languages with full stops between.
pub(super) fn in_groups(number: &str, languages: &[Language]) -> Vec<Variant> {
    let is_whole = number.bytes().all(|byte| byte.is_ascii_digit());
    if !is_whole || !(4..=LONGEST).contains(&number.len()) || number.starts_with('0') {
        return Vec::new();
    }
    let first = (number.len() - 1) % 3 + 1;
    let (mut groups, mut rest) = (number[..first].to_owned(), &number[first..]);
    while !rest.is_empty() {
        groups.push(' ');
        groups.push_str(&rest[..3]);
        rest = &rest[3..];
    }
    let mut ways = Variant::in_a_row(&groups, languages);
    let with_stops = |languages| Variant::term(&groups.replace(' ', "."), 1.0, languages);
    ways.extend(writing_stops(languages).map(with_stops));
    ways
}

/// Says whether a word is a number that documents may write in groups of digits.
pub(super) fn has_groups(word: &str) -> bool {
    let is_part =
        |letter: char| letter.is_ascii_digit() || letter == '.' || MARKS.contains(&letter);
    word.starts_with(|first: char| first.is_ascii_digit()) && word.chars().all(is_part)
}

fn is_number(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.ends_with(|last: char| last.is_ascii_digit())
        && text.bytes().all(is_part)
}

fn is_unit(text: &str) -> bool {
    // The micro sign and the ohm sign are other characters than the Greek letters.
    let lower = text.to_lowercase().replace('\u{b5}', "\u{3bc}");
    UNITS.binary_search(&&*lower).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_units_are_told_apart() {
        assert_eq!(measure("500GB"), Some(("500", "GB")));
        assert_eq!(measure("1.5kg"), Some(("1.5", "kg")));
        for word in ["GB", "500", "x86", "2nd", "v2", "3.", "sha256"] {
            assert_eq!(measure(word), None, "{word}");
        }
        assert_eq!(joined("5", "\u{b5}m").as_deref(), Some("5\u{b5}m"));
        assert_eq!(joined("1", "600").as_deref(), Some("1600"));
        assert_eq!(joined("1600", "600"), None);
        assert_eq!(joined("5", "apples"), None);
        assert!(UNITS.is_sorted());
    }

    #[test]
    fn groups_of_digits_are_one_number() {
        assert_eq!(grouped("1,600").as_deref(), Some("1600"));
        assert_eq!(grouped("12'345'678").as_deref(), Some("12345678"));
        for text in ["1,60", "1600,600", "a,600", ",600", "1600", "1,600,"] {
            assert_eq!(grouped(text), None, "{text}");
        }
        let rows = |number| -> Vec<String> {
            let rows = in_groups(number, &[]).into_iter();
            rows.map(|row| row.shown()).collect()
        };
        assert_eq!(rows("1600"), ["1 600"]);
        assert_eq!(rows("12345678"), ["12 345 678"]);
        let with_stops = |languages: &[Language]| with_stops("1.600", languages);
        assert_eq!(with_stops(&[Language::English]), None);
        let german = Languages::only(Language::German);
        let both = [Language::English, Language::German];
        assert_eq!(with_stops(&both), Some(("1600".into(), german)));
        let last = in_groups("1600", &both).pop().unwrap();
        assert_eq!((last.shown().as_str(), last.languages), ("1.600", german));
        assert!(rows("160").is_empty() && rows("0160").is_empty() && rows("16a0").is_empty());
    }
}
