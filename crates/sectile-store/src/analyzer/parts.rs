//! The parts of identifiers and of compound words.

use sectile_core::Span;
use unicode_normalization::char::is_combining_mark as is_mark;

/// Calls `found` with each part of a word: between underscores, hyphens, spaces without a width, full stops that do
/// not stand between digits, and what parts letters of Arabic script without a space, and where the case changes from lower to upper
/// (`use|State`) or ends a run of capitals (`HTTP|Server`).
pub(super) fn parts(word: &str, mut found: impl FnMut(Span)) {
    let mut start = 0;
    let mut previous: Option<char> = None;
    let mut emit = |start, end| {
        if start < end {
            found(Span::new(start, end));
        }
    };
    for (at, character) in word.char_indices() {
        let rest = &word[at + character.len_utf8()..];
        if is_between(previous, character, rest) {
            emit(start, at);
            start = at + character.len_utf8();
            previous = None;
            continue;
        }
        if previous.is_some_and(|previous| is_hump(previous, character, rest)) {
            emit(start, at);
            start = at;
        }
        previous = Some(character);
    }
    emit(start, word.len());
}

/// Returns the names between the full stops of a word that have several parts: `setIndex` of `self.setIndex`. What has
/// slashes is a path.
pub(super) fn names(word: &str) -> Vec<Span> {
    let mut names = Vec::new();
    let mut start = 0;
    for (at, _) in word.match_indices('.') {
        let previous = word[..at].chars().next_back();
        if is_between(previous, '.', &word[at + 1..]) {
            names.push(Span::new(start, at));
            start = at + 1;
        }
    }
    if start > 0 {
        names.push(Span::new(start, word.len()));
    }
    names.retain(|name| {
        let mut count = 0;
        parts(name.of(word), |_| count += 1);
        count > 1 && !name.of(word).contains('/')
    });
    names
}

/// Returns whether the character stands between parts.
fn is_between(previous: Option<char>, character: char, rest: &str) -> bool {
    let is_digit = |character: char| character.is_ascii_digit();
    match character {
        '_' | '-' | '@' | '\\' | '\u{2010}' | '\u{2011}' | '/' | '&' | '\u{200b}' => true,
        '.' => !(previous.is_some_and(is_digit) && rest.starts_with(is_digit)),
        // Elsewhere it only says that two letters are drawn apart.
        '\u{200c}' => previous.is_some_and(is_arabic),
        _ => false,
    }
}

fn is_arabic(character: char) -> bool {
    matches!(character, '\u{600}'..='\u{6ff}')
}

/// Returns whether a new part begins at `character`, which `rest` follows.
///
/// A lone `s` after capitals is a plural (`APIs`) and begins no part, nor does the `v` of a version (`TLSv1.3`).
fn is_hump(previous: char, character: char, rest: &str) -> bool {
    let mut after = rest.chars();
    let (first, second) = (after.next(), after.next());
    let is_plural = first == Some('s') && !second.is_some_and(char::is_alphanumeric);
    let is_version = first == Some('v') && second.is_some_and(|digit| digit.is_ascii_digit());
    let opens_word = first.is_some_and(char::is_lowercase) && !is_plural && !is_version;
    character.is_uppercase() && (previous.is_lowercase() || (previous.is_uppercase() && opens_word))
}

/// A number of several components, such as a version, at the beginning of a word.
pub(super) struct Number<'a> {
    /// The word from the number on: without the `v` of `v2.3.1`.
    pub(super) word: &'a str,
    /// The length in bytes of the number in it.
    length: usize,
}

impl<'a> Number<'a> {
    /// Reads the number that a word begins with.
    pub(super) fn of(word: &'a str) -> Option<Self> {
        let word = word.strip_prefix(['v', 'V']).unwrap_or(word);
        if !word.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        let is_outside = |byte: u8| !(byte.is_ascii_digit() || byte == b'.');
        let length = word.bytes().position(is_outside).unwrap_or(word.len());
        word[..length]
            .contains('.')
            .then_some(Self { word, length })
    }

    /// Calls `found` with each shorter form (`2.3` of `2.3.1`), the longest first. One of several components that lacks
    /// others has the full stop behind it (`2.3.`), so that it is no number that stands alone.
    pub(super) fn beginnings(&self, mut found: impl FnMut(&'a str)) {
        let whole = &self.word[..self.length];
        let end = whole.match_indices('.').nth(MOST_COMPONENTS - 1);
        let mut shorter = end.map_or(whole, |(at, _)| &whole[..at]);
        if shorter.len() < self.word.len() {
            found(self.with_stop(shorter));
        }
        while let Some((beginning, _)) = shorter.rsplit_once('.') {
            if beginning.len() > 1 {
                found(self.with_stop(beginning));
            }
            shorter = beginning;
        }
    }

    /// Returns a beginning of the number with the full stop behind it, if it has several components and more follow.
    fn with_stop(&self, beginning: &'a str) -> &'a str {
        let has_more = self.word[beginning.len()..].starts_with('.');
        let has_several = beginning.contains('.');
        &self.word[..beginning.len() + usize::from(has_more && has_several)]
    }

    /// Calls `found` with each component but the first (`03` and `2026` of `21.03.2026`), where there
    /// are three or more.
    pub(super) fn components(&self, found: impl FnMut(&'a str)) {
        let components = self.word[..self.length].split('.').skip(1);
        if components.clone().count() > 1 {
            components
                .filter(|component| component.len() > 1)
                .for_each(found);
        }
    }
}

/// Returns the term of all longer numbers that begin with a number of several components: `2.3.` for `2.3`.
pub(super) fn longer_number(term: &str) -> Option<String> {
    let is_of_number = |of: u8| of.is_ascii_digit() || of == b'.';
    let is_number = term.bytes().all(is_of_number) && term.contains('.') && !term.ends_with('.');
    is_number.then(|| format!("{term}."))
}

/// How many components a shorter form of a number has at most.
const MOST_COMPONENTS: usize = 8;

/// The longest word in bytes that is read as a name with a number.
const LONGEST_NUMBERED: usize = 32;

/// The shortest word in bytes that is not a name with a number where it may be a hash.
const SHORTEST_HASH: usize = 4;

/// A name with a number behind it, written as one: `Python3.8`, `TLSv1.3`, `log4j2`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Numbered<'a> {
    /// The name, of two letters or more, without the `v` of a version.
    pub(super) name: &'a str,
    pub(super) number: &'a str,
    /// Whether there is a `v` between the two.
    pub(super) has_mark: bool,
}

impl<'a> Numbered<'a> {
    /// Reads a word without anything between its parts. Names have letters alone, but for one digit between some, so that
    /// those of `x86` and of most hashes are none.
    pub(super) fn of(word: &'a str) -> Option<Self> {
        let end = word
            .trim_end_matches(|of: char| of.is_ascii_digit() || of == '.')
            .len();
        let (marked, number) = word.split_at(end);
        let is_number = number.starts_with(|of: char| of.is_ascii_digit());
        let is_hash = word.len() >= SHORTEST_HASH && word.bytes().all(|of| of.is_ascii_hexdigit());
        if !is_number || is_hash || word.len() > LONGEST_NUMBERED {
            return None;
        }
        let name = without_version_mark(marked, number);
        is_name(name).then_some(Self {
            name,
            number,
            has_mark: name.len() < marked.len(),
        })
    }

    /// Calls `found` with each shorter form of the number (`3.8` and `3` of `3.8.10`), the longest first.
    pub(super) fn beginnings(&self, mut found: impl FnMut(&'a str)) {
        let mut shorter = self.number;
        while let Some((beginning, _)) = shorter.rsplit_once('.') {
            found(beginning);
            shorter = beginning;
        }
    }
}

/// Names in small letters that end in the `v` of no version. Sorted.
const ENDING_IN_V: &[&str] = &[
    "adv", "conv", "csv", "env", "flv", "hsv", "inv", "mkv", "recv", "serv", "srv", "tsv", "wmv",
];

/// Returns a name without the `v` that stands before the number of a version: `TLS` of `TLSv` and `1.3`. Two letters or more
/// are before it, unlike in `cv2`. A small one right before it is a consonant, as in `tlsv1.3` and `sslv3` but not `dev2`,
/// and the number has full stops or one digit.
pub(super) fn without_version_mark<'n>(name: &'n str, number: &str) -> &'n str {
    let is_consonant = |of: char| of.is_ascii_lowercase() && !"aeiou".contains(of);
    let is_listed = || {
        ENDING_IN_V
            .binary_search(&&*name.to_ascii_lowercase())
            .is_ok()
    };
    let may_be_version = number.len() == 1 || number.contains('.');
    let bare = name.strip_suffix('v');
    bare.filter(|bare| {
        let has_name = bare.chars().nth(1).is_some();
        let is_small = bare.ends_with(is_consonant) && may_be_version && !is_listed();
        has_name && (bare.ends_with(char::is_uppercase) || is_small)
    })
    .unwrap_or(name)
}

/// Returns whether a word may be the name before a number: of two letters or more, with one digit between others at
/// most.
fn is_name(word: &str) -> bool {
    let mut runs = word.split(|of: char| of.is_ascii_digit());
    let is_of_letters =
        |run: &str| !run.is_empty() && run.chars().all(|of| of.is_alphabetic() || is_mark(of));
    let begins = runs
        .next()
        .is_some_and(|first| is_of_letters(first) && first.chars().nth(1).is_some());
    begins && runs.next().is_none_or(is_of_letters) && runs.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(word: &str) -> Option<(&str, &str)> {
        Numbered::of(word).map(|of| (of.name, of.number))
    }

    #[test]
    fn a_number_has_a_few_beginnings_however_long_it_is() {
        let mut found = Vec::new();
        let mut add = |beginning: &str| found.push(beginning.len());
        Number::of("21.3.1").unwrap().beginnings(&mut add);
        Number::of(&format!("12{}", ".34".repeat(10_000)))
            .unwrap()
            .beginnings(&mut add);
        assert_eq!(found, [5, 2, 24, 21, 18, 15, 12, 9, 6, 2]);
    }

    #[test]
    fn a_beginning_of_a_longer_number_is_no_number_that_stands_alone() {
        for (word, expected) in [
            ("2.3.1", &["2.3."][..]),
            ("v10.3.1", &["10.3.", "10"]),
            ("1.0rc1", &["1.0"]),
            ("12.5", &["12"]),
        ] {
            let mut found = Vec::new();
            Number::of(word)
                .unwrap()
                .beginnings(|beginning| found.push(beginning));
            assert_eq!(found, expected, "{word}");
        }
        assert_eq!(longer_number("2.3").as_deref(), Some("2.3."));
        for term in ["2", "2.3.", "2.3rc1", "foo", ""] {
            assert_eq!(longer_number(term), None, "{term}");
        }
    }

    #[test]
    fn a_name_with_a_number_is_both() {
        for (word, name, number) in [
            ("Python3.8", "Python", "3.8"),
            ("Qt5", "Qt", "5"),
            ("Log4j2", "Log4j", "2"),
            ("TLSv1.3", "TLS", "1.3"),
            ("SSLv3", "SSL", "3"),
            ("tlsv1.3", "tls", "1.3"),
            ("sslv3", "ssl", "3"),
            ("dev2", "dev", "2"),
            ("env2", "env", "2"),
            ("hpv16", "hpv", "16"),
            ("cv2", "cv", "2"),
            ("Tv2", "Tv", "2"),
            ("KB5005565", "KB", "5005565"),
            ("версия2", "версия", "2"),
        ] {
            assert_eq!(numbered(word), Some((name, number)), "{word}");
        }
        for word in [
            "x86",
            "h2",
            "b12",
            "v2.3",
            "2nd",
            "12",
            "Python",
            "cafe123",
            "ab12",
            "deadbeef0123456789",
            "a1b2c3",
            "ab1cd2ef3",
            "xy1xy2xy3",
            "sha256sum",
            "foo.",
            "",
        ] {
            assert_eq!(numbered(word), None, "{word}");
        }
        assert_eq!(numbered(&format!("{}1", "x".repeat(5_000))), None);
    }

    #[test]
    fn names_between_full_stops_have_several_parts() {
        for (word, expected) in [
            ("self.combo.setIndex", &["setIndex"][..]),
            ("np.random_sample", &["random_sample"]),
            ("myApp.setIndex.of", &["myApp", "setIndex"]),
            ("package-lock.json", &["package-lock"]),
            ("a.b_2.5", &["b_2.5"]),
            ("foo.bar", &[]),
            ("setIndex", &[]),
            ("2.5", &[]),
            ("src/main_loop.rs", &[]),
            ("", &[]),
        ] {
            let names = names(word).into_iter().map(|name| name.of(word));
            assert_eq!(names.collect::<Vec<_>>(), expected, "{word}");
        }
    }

    #[test]
    fn names_that_end_in_v_are_sorted() {
        assert!(ENDING_IN_V.is_sorted());
    }

    #[test]
    fn the_mark_of_a_version_begins_no_part() {
        let all = |word: &'static str| {
            let mut found = Vec::new();
            parts(word, |part| found.push(part.of(word)));
            found
        };
        assert_eq!(all("TLSv1.3"), ["TLSv1.3"]);
        assert_eq!(all("MyAPIv2"), ["My", "APIv2"]);
        assert_eq!(all("HTTPServer"), ["HTTP", "Server"]);
    }
}
