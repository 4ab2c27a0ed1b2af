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

/// How many digits longer ones have, with zeros before them.
const LONG_HEXADECIMAL: usize = 16;

/// How many signs the code of a classification has before its full stop, and how many behind it at most.
const BEFORE_STOP: usize = 3;
const BEHIND_STOP: usize = 4;

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
    let is_capital = typed.starts_with(|of: char| of.is_ascii_uppercase());
    let code = coded(&lower).filter(|code| is_capital || code.len() < lower.len());
    let all = [greek, language, apart, contraction, code];
    let numbers = hexadecimal(&lower).into_iter();
    all.into_iter().flatten().chain(numbers).collect()
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

/// Writes a hexadecimal number without its `0x` and with it, where it is long (`80070005`), and with zeros before its digits
/// and without: `0x0000001E` is `0x1E`.
fn hexadecimal(word: &str) -> Vec<String> {
    let is_long = |of: &str| of.len() == HEXADECIMAL && is_hexadecimal(of);
    let has_digit = word.contains(|of: char| of.is_ascii_digit());
    let Some(bare) = word.strip_prefix("0x").filter(|bare| is_hexadecimal(bare)) else {
        let is_one = is_long(word) && has_digit;
        return is_one.then(|| format!("0x{word}")).into_iter().collect();
    };
    let digits = bare.trim_start_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    let padded = [
        format!("0x{digits}"),
        format!("0x{digits:0>HEXADECIMAL$}"),
        format!("0x{digits:0>LONG_HEXADECIMAL$}"),
    ];
    let others = padded.into_iter().filter(|of| of != word);
    let bare = is_long(bare).then(|| bare.to_owned());
    let mut all: Vec<String> = others.chain(bare).collect();
    all.dedup();
    all
}

fn is_hexadecimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|of| of.is_ascii_hexdigit())
}

/// Writes the code of a classification with the full stop behind its first three signs, or without: `T67.6` and `T676`.
fn coded(word: &str) -> Option<String> {
    let (first, rest) = word.split_at_checked(BEFORE_STOP)?;
    let (bare, has_stop) = match rest.strip_prefix('.') {
        Some(bare) => (bare, true),
        None => (rest, false),
    };
    let is_category = matches!(first.as_bytes(), [letter, one, other]
        if letter.is_ascii_alphabetic() && one.is_ascii_digit() && other.is_ascii_digit());
    let is_rest = (1..=BEHIND_STOP).contains(&bare.len())
        && bare.bytes().all(|of| of.is_ascii_alphanumeric())
        && bare.starts_with(|of: char| of.is_ascii_digit());
    (is_category && is_rest).then(|| {
        let stop = if has_stop { "" } else { "." };
        format!("{first}{stop}{bare}")
    })
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
            ("80070005", "0x80070005"),
            ("T67.6", "t676"),
            ("S72001A", "s72.001a"),
            ("shouldn", "shouldn't"),
        ] {
            assert_eq!(others(word), [other], "{word}");
        }
        for word in [
            "begin",
            "option",
            "in",
            "defaced",
            "deadbeef",
            "0xyz",
            "0x",
            "c",
            "",
            "T67",
            "T6.76",
            "TT6.7",
            "A10.b",
            "v10.12.13",
        ] {
            assert_eq!(others(word), [""; 0], "{word}");
        }
        for (word, all) in [
            ("0x1E", &["0x0000001e", "0x000000000000001e"][..]),
            ("0x0000001E", &["0x1e", "0x000000000000001e", "0000001e"]),
            ("0x80070005", &["0x0000000080070005", "80070005"]),
            ("0x0", &["0x00000000", "0x0000000000000000"]),
        ] {
            assert_eq!(others(word), all, "{word}");
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
