//! Other names for the words of a question, as documents may have them.

use sectile_core::Span;

use crate::Analyzer;

/// The letters of Greek with their names.
const GREEK: &[(&str, &str)] = &[
    ("α", "alpha"),
    ("β", "beta"),
    ("γ", "gamma"),
    ("δ", "delta"),
    ("ε", "epsilon"),
    ("ζ", "zeta"),
    ("η", "eta"),
    ("θ", "theta"),
    ("ι", "iota"),
    ("κ", "kappa"),
    ("λ", "lambda"),
    ("μ", "mu"),
    ("ν", "nu"),
    ("ξ", "xi"),
    ("ο", "omicron"),
    ("π", "pi"),
    ("ρ", "rho"),
    ("σ", "sigma"),
    ("τ", "tau"),
    ("υ", "upsilon"),
    ("φ", "phi"),
    ("χ", "chi"),
    ("ψ", "psi"),
    ("ω", "omega"),
];

/// Languages of programs, by two names.
const LANGUAGES: &[(&str, &str)] = &[("c++", "cpp"), ("c#", "csharp"), ("f#", "fsharp")];

/// English verbs, and what is written as one word with them where it is a noun: `log in` and `login`. Both sorted.
const VERBS: &[&str] = &[
    "back", "break", "build", "call", "check", "clean", "cut", "drop", "fall", "hand", "lay",
    "lock", "log", "look", "mark", "mock", "opt", "pick", "plug", "pop", "print", "roll", "scale",
    "set", "shut", "sign", "stand", "start", "take", "time", "turn", "warm", "work", "write",
];
const PARTICLES: &[&str] = &[
    "around", "away", "back", "by", "down", "in", "off", "on", "out", "over", "up",
];

/// The digits of Roman numerals up to 39, with what each counts.
const ROMAN: &[(&str, usize)] = &[("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1)];
const GREATEST_ROMAN: usize = 39;

/// The fewest letters of a word before a numeral.
const SHORTEST_BEFORE_NUMERAL: usize = 3;

/// How many hexadecimal digits a number has that may be written without `0x`.
const HEXADECIMAL: usize = 8;

/// The most letters of a word that may be written as one with that behind a sign: `TCP/IP`, `q&a`.
const LONGEST_BESIDE_SIGN: usize = 4;

/// What is left of contractions without `'t`, where the apostrophe was left out or typed as a space. Sorted.
const CONTRACTED: &[&str] = &[
    "couldn", "didn", "doesn", "hadn", "hasn", "shouldn", "wasn", "weren", "wouldn",
];

/// Returns what else a word is called.
pub(super) fn others(typed: &str) -> Vec<String> {
    let lower = typed.to_lowercase();
    let (first, rest) = lower.split_at(lower.find('-').unwrap_or(lower.len()));
    let greek = other_in(GREEK, first).map(|name| format!("{name}{rest}"));
    let language = other_in(LANGUAGES, &lower).map(str::to_owned);
    let apart = phrasal(&lower).map(|(verb, particle)| format!("{verb} {particle}"));
    let is_contracted = CONTRACTED.binary_search(&&*lower).is_ok();
    let contraction = is_contracted.then(|| format!("{lower}'t"));
    let all = [greek, language, apart, hexadecimal(&lower), contraction];
    all.into_iter().flatten().collect()
}

fn other_in(table: &[(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find_map(|&(one, other)| {
        let second = (name == other).then_some(one);
        (name == one).then_some(other).or(second)
    })
}

/// Splits a noun that is made of a verb and what belongs to it: `login`.
fn phrasal(word: &str) -> Option<(&str, &str)> {
    PARTICLES.iter().find_map(|particle| {
        let verb = word.strip_suffix(particle)?;
        let is_verb = VERBS.binary_search(&verb).is_ok();
        is_verb.then(|| word.split_at(verb.len()))
    })
}

/// Returns whether two words are a verb and what belongs to it.
pub(super) fn are_phrasal(first: &str, second: &str) -> bool {
    phrasal(&format!("{first}{second}").to_lowercase())
        .is_some_and(|(verb, _)| verb.eq_ignore_ascii_case(first))
}

/// Writes a hexadecimal number without its `0x`, or with it: `80070005`.
fn hexadecimal(word: &str) -> Option<String> {
    let is_number =
        |of: &str| of.len() == HEXADECIMAL && of.bytes().all(|of| of.is_ascii_hexdigit());
    let has_digit = word.contains(|of: char| of.is_ascii_digit());
    match word.strip_prefix("0x") {
        Some(bare) => is_number(bare).then(|| bare.to_owned()),
        None => (is_number(word) && has_digit).then(|| format!("0x{word}")),
    }
}

/// Writes a word and the number behind it with a Roman numeral in place of a number, or the other way round: `War II`
/// and `War 2`.
pub(super) fn with_other_numeral(name: &str, number: &str) -> Option<String> {
    let is_long = name.chars().nth(SHORTEST_BEFORE_NUMERAL - 1).is_some();
    let is_roman = number.bytes().all(|of| matches!(of, b'I' | b'V' | b'X'));
    let other = match number.parse::<usize>() {
        Ok(value) => roman(value).filter(|_| !number.starts_with('0'))?,
        Err(_) if is_roman => (1..=GREATEST_ROMAN)
            .find(|value| roman(*value).as_deref() == Some(number))?
            .to_string(),
        Err(_) => return None,
    };
    (is_long && Analyzer::is_of_letters(name)).then(|| format!("{name} {other}"))
}

fn roman(value: usize) -> Option<String> {
    if !(1..=GREATEST_ROMAN).contains(&value) {
        return None;
    }
    let (mut numeral, mut rest) = (String::new(), value);
    for &(digits, counts) in ROMAN {
        numeral.push_str(&digits.repeat(rest / counts));
        rest %= counts;
    }
    Some(numeral)
}

/// Joins short words of a text that only a `/` or an `&` parts: `TCP/IP` is also `TCPIP`.
pub(super) fn joined_by_sign(text: &str, first: Span, second: Span) -> Option<String> {
    let is_short =
        |of: &str| of.len() <= LONGEST_BESIDE_SIGN && of.bytes().all(|of| of.is_ascii_alphabetic());
    let is_sign = matches!(text.get(first.end..second.start), Some("/" | "&"));
    let is_rate = text
        .get(first.start..second.end)
        .is_some_and(Analyzer::is_rate);
    let (first, second) = (first.of(text), second.of(text));
    (is_sign && !is_rate && is_short(first) && is_short(second)).then(|| format!("{first}{second}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_other_names() {
        assert!(VERBS.is_sorted() && PARTICLES.is_sorted() && CONTRACTED.is_sorted());
        for (word, other) in [
            ("β", "beta"),
            ("Beta-blocker", "β-blocker"),
            ("C++", "cpp"),
            ("CSharp", "c#"),
            ("Login", "log in"),
            ("rollback", "roll back"),
            ("0x80070005", "80070005"),
            ("80070005", "0x80070005"),
            ("shouldn", "shouldn't"),
        ] {
            assert_eq!(others(word), [other], "{word}");
        }
        for word in [
            "begin", "option", "in", "defaced", "deadbeef", "0x1", "c", "",
        ] {
            assert_eq!(others(word), [""; 0], "{word}");
        }
        assert!(are_phrasal("Log", "in") && are_phrasal("time", "out"));
        assert!(!are_phrasal("lo", "gin") && !are_phrasal("apple", "in"));
    }

    #[test]
    fn numerals_are_roman_and_other_ones() {
        for (name, number, other) in [
            ("War", "2", Some("War II")),
            ("War", "II", Some("War 2")),
            ("chapter", "39", Some("chapter XXXIX")),
            ("Louis", "XIV", Some("Louis 14")),
            ("chapter", "40", None),
            ("chapter", "02", None),
            ("chapter", "ii", None),
            ("chapter", "IIII", None),
            ("5", "2", None),
            ("to", "2", None),
        ] {
            assert_eq!(
                with_other_numeral(name, number).as_deref(),
                other,
                "{name} {number}"
            );
        }
    }

    #[test]
    fn short_words_beside_a_sign_may_be_one() {
        let joined = |text: &str, at: usize| {
            joined_by_sign(text, Span::new(0, at), Span::new(at + 1, text.len()))
        };
        assert_eq!(joined("TCP/IP", 3).as_deref(), Some("TCPIP"));
        assert_eq!(joined("q&a", 1).as_deref(), Some("qa"));
        assert_eq!(joined("TCP IP", 3), None);
        assert_eq!(joined("m/s", 1), None);
        assert_eq!(joined("docs/files", 4), None);
        assert_eq!(joined("1/a", 1), None);
    }
}
