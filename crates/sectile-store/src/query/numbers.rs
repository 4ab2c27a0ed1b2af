//! Numbers that may be written in several ways: with or without marks between thousands, and joined to a
//! unit or not.

use super::units::is_unit;
use crate::{Analyzer, Language, Languages, Variant};

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

/// The most letters of the name before a number.
const LONGEST_NAME: usize = 16;

/// The word that is written as a `v` before a number.
const VERSION: &str = "version";
const VERSION_MARKS: [char; 2] = ['v', 'V'];

/// The fewest digits before a full stop that is not known to be that of a fraction.
const FEWEST_WHOLE: usize = 3;

/// What an amount counts without its fraction, if that is nothing.
const WHOLE_ALONE: f64 = 0.5;

/// Splits what is a number and its unit, written as one word: `500GB`, `2,5kg`.
pub(super) fn measure(word: &str) -> Option<(&str, &str)> {
    let is_of_number = |of: char| of.is_ascii_digit() || matches!(of, '.' | ',');
    let unit = word.trim_start_matches(is_of_number);
    let number = &word[..word.len() - unit.len()];
    let is_measure = is_number(number) && is_unit(unit) && !is_decade(number, unit);
    is_measure.then_some((number, unit))
}

/// Returns whether a number with an `s` is a decade, such as `1990s`.
fn is_decade(number: &str, unit: &str) -> bool {
    let is_year = number.len() == 4 && is_digits(number) && number.starts_with(['1', '2']);
    unit == "s" && is_year && number.ends_with('0')
}

/// Splits what is a number with marks and its unit, apart or as one: `2,5 kg`, `1,600km`.
pub(super) fn marked_measure(text: &str) -> Option<(&str, &str)> {
    let is_of_number =
        |of: char| of.is_ascii_digit() || matches!(of, '.' | ' ') || MARKS.contains(&of);
    let unit = text.trim_start_matches(is_of_number);
    let number = text[..text.len() - unit.len()].trim_end();
    let is_marked = grouped(number).is_some() || Amount::read(number).is_some();
    (is_marked && is_unit(unit)).then_some((number, unit))
}

/// Returns the ways in which documents write a number with marks and its unit, with something between the two.
pub(super) fn with_unit(
    number: &str,
    between: &str,
    unit: &str,
    languages: &[Language],
) -> Vec<Variant> {
    let mut texts = vec![number.to_owned()];
    if let Some(plain) = grouped(number) {
        texts.extend([groups(&plain), plain]);
    }
    let amount = Amount::read(number);
    texts.extend(amount.iter().flat_map(Amount::texts));
    let ways = texts.iter().flat_map(|text| {
        let text = format!("{text}{between}{unit}");
        Variant::in_a_row(&text, languages)
    });
    ways.collect()
}

/// Joins words in a row that may be written as one: a number and its unit, groups of digits of a number.
pub(super) fn joined(first: &str, second: &str) -> Option<String> {
    let are_groups = is_digits(first)
        && is_digits(second)
        && (1..=3).contains(&first.len())
        && second.len() == 3;
    let is_measure = is_number(first) && is_unit(second);
    (are_groups || is_measure).then(|| format!("{first}{second}"))
}

/// Joins a name of letters and the number behind it, which documents may write as one: `RFC 4627`, `L. 211-1`, `API v2`,
/// and `v2` for `version 2`.
pub(super) fn designation(name: &str, number: &str) -> Option<String> {
    let bare = number.strip_prefix(VERSION_MARKS).unwrap_or(number);
    if !is_name(name) || !is_designating(bare) {
        return None;
    }
    let is_version = name.eq_ignore_ascii_case(VERSION) && is_digits(number);
    let name = if is_version { "v" } else { name };
    Some(format!("{name}{number}"))
}

/// Writes a name of letters apart from the number behind it, with the `v` of a version before that and without: `RFC4627`,
/// `L211-1`, `IPv4`, and `version 2` for `v2`.
pub(super) fn designations_apart(word: &str) -> Vec<String> {
    let is_of_number = |of: char| of.is_ascii_digit() || matches!(of, '-' | '.');
    let marked = word.trim_end_matches(is_of_number);
    let number = &word[marked.len()..];
    if marked.eq_ignore_ascii_case("v") && is_digits(number) {
        return vec![format!("{VERSION} {number}")];
    }
    let name = Analyzer::without_version_mark(marked, number);
    if !is_name(name) || !is_designating(number) {
        return Vec::new();
    }
    let has_mark = name.len() < marked.len() && is_digits(number);
    let with_mark = has_mark.then(|| format!("{name} v{number}"));
    std::iter::once(format!("{name} {number}"))
        .chain(with_mark)
        .collect()
}

/// Returns whether a word with letters has numbers on both sides of a hyphen, of which the whole says nothing: `L211-1`
/// is not `L21-11`.
pub(super) fn joins_numbers(word: &str) -> bool {
    let is_digit = |of: &u8| of.is_ascii_digit();
    let are_parted = |of: &[u8]| is_digit(&of[0]) && of[1] == b'-' && is_digit(&of[2]);
    word.contains(char::is_alphabetic) && word.as_bytes().windows(3).any(are_parted)
}

/// Returns whether a word may be the name before a number; the `v` of a version is none. Digits stand between letters:
/// `Log4j`.
fn is_name(word: &str) -> bool {
    let mut runs = word.split(|of: char| of.is_ascii_digit());
    let is_word = runs.all(|run| !run.is_empty() && Analyzer::is_of_letters(run));
    let is_short = word.chars().nth(LONGEST_NAME).is_none();
    is_word && is_short && !Analyzer::is_unspaced(word) && !word.eq_ignore_ascii_case("v")
}

/// Returns whether it is a number such as `4627`, `3.11` or `211-1`.
fn is_designating(text: &str) -> bool {
    let mut parts = text.split(['-', '.']);
    text.len() <= LONGEST && parts.all(is_digits)
}

/// Writes a text with its numbers and units as one, and the groups of digits of a number: `10MB` for `10 MB`. Nothing
/// where there are none.
pub(super) fn joined_in(text: &str) -> Option<String> {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut words: Vec<String> = Vec::new();
    // Of a number that has a group there may come more.
    let (mut is_grouped, mut is_any) = (false, false);
    for word in text.split_whitespace() {
        let is_group =
            |last: &str| is_grouped && is_digits(last) && is_digits(word) && word.len() == 3;
        let last = words.last_mut();
        if let Some(last) = last.filter(|last| is_group(last) || joined(last, word).is_some()) {
            last.push_str(word);
            (is_grouped, is_any) = (is_digits(word), true);
        } else {
            words.push(word.to_owned());
            is_grouped = false;
        }
    }
    is_any.then(|| words.join(" "))
}

/// Writes a text with its numbers apart from their units: `10 MB` for `10MB`. Nothing where there are none.
pub(super) fn apart_in(text: &str) -> Option<String> {
    let words = text.split_whitespace();
    let apart = words.map(|word| match measure(word) {
        Some((number, unit)) => format!("{number} {unit}"),
        None => word.to_owned(),
    });
    let apart = apart.collect::<Vec<_>>().join(" ");
    let is_any = text.split_whitespace().any(|word| measure(word).is_some());
    is_any.then_some(apart)
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
    let is_first = is_digits(first) && (1..=3).contains(&first.len()) && !first.starts_with('0');
    let mut rest = groups.clone();
    let are_groups = rest.next().is_some() && groups.all(|of| of.len() == 3 && is_digits(of));
    let is_one = is_first && are_groups && text.len() <= 2 * LONGEST;
    is_one.then(|| text.replace(marks, ""))
}

/// A number with a fraction, in digits alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Amount {
    whole: String,
    fraction: String,
}

impl Amount {
    /// Reads a number whose groups and fraction are told apart by their marks: `1,200.50`, `1.200,50`, `1 200,50`. Without
    /// groups a fraction has one or two digits, and after a full stop there are three before it: `3.12` is a version.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (whole, fraction) = text.rsplit_once(['.', ','])?;
        let is_short = (1..=LONGEST).contains(&fraction.len());
        if !is_short || !is_digits(fraction) {
            return None;
        }
        let mark = text[whole.len()..].chars().next()?;
        let others: Vec<char> = MARKS
            .into_iter()
            .chain(['.', ' '])
            .filter(|of| *of != mark)
            .collect();
        let is_plain = is_digits(whole)
            && whole.len() <= LONGEST
            && fraction.len() <= 2
            && (mark == ',' || whole.len() >= FEWEST_WHOLE);
        let whole = joined_groups(whole, &others).or_else(|| is_plain.then(|| whole.to_owned()))?;
        Some(Self {
            whole,
            fraction: fraction.to_owned(),
        })
    }

    /// Returns the ways in which documents in some languages write it; one without a fraction counts less.
    pub(super) fn ways(&self, languages: &[Language]) -> Vec<Variant> {
        let texts = self.texts().into_iter();
        let mut ways: Vec<Variant> = texts.flat_map(|text| in_digits(&text)).collect();
        if self.fraction.bytes().all(|digit| digit == b'0') {
            let whole = in_digits(&self.whole).into_iter();
            let whole = whole.chain(in_groups(&self.whole, languages));
            ways.extend(whole.map(|way| Variant {
                weight: WHOLE_ALONE,
                ..way
            }));
        }
        ways
    }

    /// Returns the texts of documents that write it, with its fraction.
    fn texts(&self) -> Vec<String> {
        let least = self.fraction.trim_end_matches('0');
        let mut fractions = vec![
            self.fraction.clone(),
            least.to_owned(),
            format!("{least:0<2}"),
        ];
        fractions.sort_unstable();
        fractions.dedup();
        let groups = groups(&self.whole);
        let mut texts = Vec::new();
        for fraction in fractions.iter().filter(|of| !of.is_empty()) {
            for whole in [&self.whole, &groups] {
                texts.push(format!("{whole}.{fraction}"));
                texts.push(format!("{whole} {fraction}"));
            }
            texts.push(format!("{} {fraction}", groups.replace(' ', ".")));
        }
        texts
    }
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
    let groups = groups(number);
    let mut ways = Variant::in_a_row(&groups, languages);
    let with_stops = |languages| Variant::term(&groups.replace(' ', "."), 1.0, languages);
    ways.extend(writing_stops(languages).map(with_stops));
    ways
}

/// Returns a number in groups of three digits.
pub(super) fn groups(number: &str) -> String {
    let mut groups = String::new();
    for (at, digit) in number.char_indices() {
        if at > 0 && (number.len() - at).is_multiple_of(3) {
            groups.push(' ');
        }
        groups.push(digit);
    }
    groups
}

/// Returns what documents hold where numbers stand in a row: the same in every language.
pub(super) fn in_digits(text: &str) -> Vec<Variant> {
    Variant::in_a_row(text, &[])
}

pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn is_number(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.ends_with(|last: char| last.is_ascii_digit())
        && text.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_joined_with_what_belongs_to_them() {
        for (text, joined) in [
            ("limit of 10 MB each", Some("limit of 10MB each")),
            ("1 234 567 rows", Some("1234567 rows")),
            ("32 768", Some("32768")),
            ("10 2021", None),
            ("two words", None),
            ("2,5 kg of it", Some("2,5kg of it")),
            ("", None),
        ] {
            assert_eq!(joined_in(text).as_deref(), joined, "{text}");
        }
        let apart = apart_in("limit of 10MB or 2,5kg each");
        assert_eq!(apart.as_deref(), Some("limit of 10 MB or 2,5 kg each"));
        assert_eq!(apart_in("limit of 10 MB"), None);
    }

    #[test]
    fn numbers_with_marks_and_their_units_are_read_in_each_notation() {
        for (text, number, unit) in [
            ("2,5 kg", "2,5", "kg"),
            ("2,5kg", "2,5", "kg"),
            ("1 200,50 kg", "1 200,50", "kg"),
            ("1,600km", "1,600", "km"),
        ] {
            assert_eq!(marked_measure(text), Some((number, unit)), "{text}");
        }
        for text in ["2.5 kg", "5 kg", "2,5", "kg", "2,5 apples", "5, 10 kg", ""] {
            assert_eq!(marked_measure(text), None, "{text}");
        }
        let ways = with_unit("2,5", "", "kg", &[]);
        let ways: Vec<String> = ways.iter().map(Variant::shown).collect();
        for way in ["2 5kg", "2.5kg", "2 50kg"] {
            assert!(ways.iter().any(|of| of == way), "{way}: {ways:?}");
        }
    }

    #[test]
    fn numbers_and_units_are_told_apart() {
        assert_eq!(measure("500GB"), Some(("500", "GB")));
        assert_eq!(measure("1.5kg"), Some(("1.5", "kg")));
        assert_eq!(measure("3pm"), Some(("3", "pm")));
        assert_eq!(measure("2,5kg"), Some(("2,5", "kg")));
        assert_eq!(measure("180C"), Some(("180", "C")));
        assert_eq!(measure("10㎏"), Some(("10", "㎏")));
        assert_eq!(measure("180℃"), Some(("180", "℃")));
        assert_eq!(measure("10kΩ"), Some(("10", "kΩ")));
        for word in ["GB", "500", "x86", "2nd", "v2", "3.", "sha256", "1990s"] {
            assert_eq!(measure(word), None, "{word}");
        }
        assert_eq!(joined("5", "\u{b5}m").as_deref(), Some("5\u{b5}m"));
        assert_eq!(joined("9", "a.m").as_deref(), Some("9a.m"));
        assert_eq!(joined("1", "600").as_deref(), Some("1600"));
        assert_eq!(joined("1600", "600"), None);
        assert_eq!(joined("5", "apples"), None);
    }

    #[test]
    fn a_name_and_its_number_are_one_and_apart() {
        for (name, number) in [
            ("RFC", "4627"),
            ("L", "211-1"),
            ("Windows", "3.11"),
            ("தமிழ்", "5"),
            ("Log4j", "2"),
        ] {
            let joined = format!("{name}{number}");
            assert_eq!(designation(name, number).as_deref(), Some(&*joined));
            let apart = format!("{name} {number}");
            assert_eq!(designations_apart(&joined), [apart]);
        }
        for (word, apart) in [
            ("TLSv1.3", &["TLS 1.3"][..]),
            ("tlsv1.3", &["tls 1.3"]),
            ("IPv4", &["IP 4", "IP v4"]),
            ("v2", &["version 2"]),
            ("cv2", &["cv 2"]),
        ] {
            assert_eq!(designations_apart(word), apart, "{word}");
        }
        for (name, number, joined) in [
            ("API", "v2", Some("APIv2")),
            ("Version", "2", Some("v2")),
            ("v", "2", None),
            ("API", "v", None),
        ] {
            assert_eq!(designation(name, number).as_deref(), joined, "{name}");
        }
        for word in [
            "v2.3.1",
            "rfc",
            "4627",
            "2nd",
            "a-1",
            "sha256sum",
            "第5",
            "L211-",
            "",
        ] {
            assert_eq!(designations_apart(word), [""; 0], "{word}");
        }
        assert!(joins_numbers("L211-1") && !joins_numbers("ORA-00942"));
        assert!(!joins_numbers("2023-04-05"));
    }

    #[test]
    fn amounts_are_read_with_the_marks_of_any_language() {
        let read = |text| Amount::read(text).map(|of| format!("{}|{}", of.whole, of.fraction));
        for text in [
            "1,200.50", "1200.50", "1.200,50", "1 200,50", "1'200.50", "1200,50",
        ] {
            assert_eq!(read(text).as_deref(), Some("1200|50"), "{text}");
        }
        assert_eq!(read("3,5").as_deref(), Some("3|5"));
        for text in [
            "1.200.50", "1,200,50", "3.12", "1.600", "1,600", "1200", ",50", "a,50", "12,34.5",
            "1,",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        let ways = |text: &str| -> Vec<String> {
            let ways = Amount::read(text).unwrap().ways(&[Language::German]);
            ways.iter().map(Variant::shown).collect()
        };
        for way in [
            "1200.50", "1200 50", "1 200.50", "1 200 50", "1.200 50", "1200.5",
        ] {
            assert!(ways("1,200.50").iter().any(|of| of == way), "{way}");
        }
        assert!(ways("980.00").contains(&"980".to_owned()));
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
