//! What the codes of a font stand for whose glyphs all have numbers for names: `0041`, `u00e9`, `c65` or `G41`.
//!
//! Numbers of four to six hexadecimal digits are letters of Unicode if one of them has such a digit as `a` to `f`, or if
//! all end as their codes do. Other numbers are codes of letters if they are the glyphs' own codes, or if the widths of
//! the glyphs are those of the letters: many programs number the glyphs of a font anew, and then nothing is known.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use hayro_syntax::object::dict::keys::{
    BASE_ENCODING, ENCODING, FONT_DESC, FONT_FILE, FONT_FILE3, SUBTYPE, TO_UNICODE,
};
use hayro_syntax::object::{Dict, Name, Stream};
use skrifa::raw::ps::cff::CffFontRef;
use skrifa::raw::ps::type1::Type1Font;

use super::tex_encodings::Encoding;
use super::type3::{self, are_for_text, are_letters, of_windows, texts};

/// How many digits the number of a letter of Unicode has.
const DIGITS: RangeInclusive<usize> = 4..=6;

/// The last number in Unicode that is neither of a tag nor of private use.
const LAST_LETTER: u32 = 0x3_FFFF;

/// The first code that is no control character.
const BLANK: u32 = 32;

/// Returns the letters by their codes, if the names of all glyphs are numbers and tell them.
pub(super) fn letters(font: &Dict<'_>, width: impl Fn(u32) -> f64) -> Option<HashMap<u32, String>> {
    let kind = font.get::<Name<'_>>(SUBTYPE)?;
    if kind.as_ref() == b"Type0" || font.contains_key(TO_UNICODE) {
        return None;
    }
    letters_of_names(&names(font)?, width)
}

fn letters_of_names(
    names: &BTreeMap<u32, String>,
    width: impl Fn(u32) -> f64,
) -> Option<HashMap<u32, String>> {
    let prefix = prefix(names)?;
    let digits = behind(names, prefix);
    // What TeX calls `a233` is no hexadecimal number.
    let are_codes = !prefix.is_empty() && numbers(&digits, 10).is_some_and(|of| are_own(&of));
    if are_codes && !says_unicode(prefix) {
        return of_codes(&digits, width);
    }
    of_unicode("", &behind(names, ""))
        .or_else(|| of_unicode(prefix, &digits))
        .or_else(|| of_codes(&digits, width))
}

/// Returns what stands behind a prefix in each name.
fn behind<'n>(names: &'n BTreeMap<u32, String>, prefix: &str) -> Vec<(u32, &'n str)> {
    let names = names.iter();
    let names = names.filter_map(|(code, name)| Some((*code, name.get(prefix.len()..)?)));
    names.collect()
}

/// Returns what all names begin with, up to the first digit of the first.
fn prefix(names: &BTreeMap<u32, String>) -> Option<&str> {
    let first = names.values().next()?;
    let same = |name: &String| {
        let pairs = first.bytes().zip(name.bytes());
        pairs.take_while(|(one, other)| one == other).count()
    };
    let length = names.values().map(same).min()?;
    let digit = first.find(|sign: char| sign.is_ascii_digit());
    first.get(..length.min(digit.unwrap_or(length)))
}

/// Returns the letters whose numbers in Unicode the names are, in hexadecimal digits.
fn of_unicode(prefix: &str, digits: &[(u32, &str)]) -> Option<HashMap<u32, String>> {
    let has_length = |digits: &str| DIGITS.contains(&digits.len());
    if !digits.iter().all(|(_, digits)| has_length(digits)) {
        return None;
    }
    let numbers = numbers(digits, 16)?;
    let is_hex = |digits: &str| digits.contains(|sign: char| sign.is_ascii_alphabetic());
    let is_said = says_unicode(prefix)
        || prefix.is_empty() && digits.iter().any(|(_, digits)| is_hex(digits))
        || numbers.iter().all(|(code, number)| number & 0xFF == *code);
    let letter = |number: u32| {
        let letter = char::from_u32(number).filter(|_| number <= LAST_LETTER)?;
        let is_text = !letter.is_control() || letter.is_ascii_whitespace();
        is_text.then(|| letter.to_string())
    };
    let letters = numbers.iter();
    let letters = letters.map(|(code, number)| Some((*code, letter(*number)?)));
    let letters: Option<HashMap<u32, String>> = letters.collect();
    letters.filter(|_| is_said)
}

/// Returns the letters whose codes the names are.
fn of_codes(digits: &[(u32, &str)], width: impl Fn(u32) -> f64) -> Option<HashMap<u32, String>> {
    let codes: Vec<u32> = digits.iter().map(|(code, _)| *code).collect();
    let [decimal, hexadecimal] = [10, 16].map(|radix| numbers(digits, radix));
    let has_own = [&decimal, &hexadecimal].into_iter().flatten().any(are_own);
    if has_own && !are_numbered_anew(&codes) && are_for_text(&codes) {
        return Some(of_windows(&codes));
    }
    let known = decimal.filter(|numbers| are_letters(numbers, width));
    known.map(|numbers| texts(&numbers, Encoding::Open))
}

/// Returns whether a prefix says that a number in Unicode follows.
fn says_unicode(prefix: &str) -> bool {
    ["u", "uni"].contains(&&*prefix.to_ascii_lowercase())
}

/// Returns whether numbers are the codes that they belong to.
fn are_own(numbers: &BTreeMap<u32, u32>) -> bool {
    numbers.iter().all(|(code, own)| code == own)
}

/// Returns whether codes follow each other without a gap, or are those of control characters.
fn are_numbered_anew(codes: &[u32]) -> bool {
    let mut pairs = codes.windows(2);
    codes.iter().any(|code| *code < BLANK) || pairs.all(|pair| pair[1] == pair[0] + 1)
}

/// Returns the numbers by their codes, if all are numbers.
fn numbers(digits: &[(u32, &str)], radix: u32) -> Option<BTreeMap<u32, u32>> {
    let is_number = |digits: &str| digits.chars().all(|sign| sign.is_digit(radix));
    let numbers = digits.iter().map(|(code, digits)| {
        let number = u32::from_str_radix(digits, radix).ok();
        number
            .filter(|_| is_number(digits))
            .map(|number| (*code, number))
    });
    numbers.collect()
}

/// Returns the names of the glyphs by their codes, but for those that all fonts have.
fn names(font: &Dict<'_>) -> Option<BTreeMap<u32, String>> {
    let encoding = font.get::<Dict<'_>>(ENCODING);
    let has_base = font.get::<Name<'_>>(ENCODING).is_some()
        || encoding.is_some_and(|of| of.contains_key(BASE_ENCODING));
    let own = if has_base { None } else { of_program(font) };
    let mut names = own.unwrap_or_default();
    names.extend(type3::names(font).unwrap_or_default());
    names.retain(|_, name| !name.starts_with('.') && name != "space");
    (!names.is_empty()).then_some(names)
}

/// Returns the names of the glyphs by the codes that they have in the program of a font.
fn of_program(font: &Dict<'_>) -> Option<BTreeMap<u32, String>> {
    let descriptor = font.get::<Dict<'_>>(FONT_DESC)?;
    let program = descriptor.get::<Stream<'_>>(FONT_FILE3);
    let program = program.or_else(|| descriptor.get::<Stream<'_>>(FONT_FILE))?;
    let data = program.decoded_data().ok()?;
    of_cff(&data).or_else(|| of_type1(&data))
}

fn of_cff(data: &[u8]) -> Option<BTreeMap<u32, String>> {
    const VERSION: u8 = 1;
    data.first().filter(|version| **version == VERSION)?;
    let program = CffFontRef::new_cff(data, 0, None).ok()?;
    let (encoding, charset) = (program.encoding()?, program.charset()?);
    let name = |code: u8| {
        let glyph = encoding.map(code).filter(|glyph| glyph.to_u32() > 0)?;
        let name = program.string(charset.string_id(glyph)?)?;
        std::str::from_utf8(name).ok().map(str::to_owned)
    };
    Some(by_codes(name))
}

fn of_type1(data: &[u8]) -> Option<BTreeMap<u32, String>> {
    let program = Type1Font::new(data).ok()?;
    let encoding = program.encoding()?;
    let name = |code: u8| {
        encoding.map(code).filter(|glyph| glyph.to_u32() > 0)?;
        encoding.glyph_name(code).map(str::to_owned)
    };
    Some(by_codes(name))
}

fn by_codes(name: impl Fn(u8) -> Option<String>) -> BTreeMap<u32, String> {
    let names = (0..=u8::MAX).filter_map(|code| Some((u32::from(code), name(code)?)));
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the letters of glyphs, all as wide, with names by their codes.
    fn check(names: &[(u32, &str)], expected: Option<&str>) {
        let names = names.iter().map(|(code, name)| (*code, (*name).to_owned()));
        let names: BTreeMap<u32, String> = names.collect();
        let letters = letters_of_names(&names, |_| 500.0);
        let found = letters.map(|letters| {
            let letters: BTreeMap<u32, String> = letters.into_iter().collect();
            letters.into_values().collect::<String>()
        });
        assert_eq!(found.as_deref(), expected, "{names:?}");
    }

    #[test]
    fn numbers_of_unicode_are_letters() {
        check(&[(1, "0041"), (2, "006e"), (3, "1F600")], Some("An😀"));
        check(&[(0x14, "2014"), (0x18, "2018")], Some("—‘"));
        check(&[(1, "u0041"), (2, "u00e9")], Some("Aé"));
        check(&[(1, "uni0041"), (2, "uni00e9")], Some("Aé"));
        check(&[(0x41, "g0041"), (0xe9, "g00e9")], Some("Aé"));
        // These may number anything.
        check(&[(1, "0041"), (2, "0042")], None);
        check(&[(1, "0001"), (2, "000a")], None);
        check(&[(1, "g0041"), (2, "g00e9")], None);
        check(&[(1, "c0041"), (2, "c00e9")], None);
        check(&[(1, "0041"), (2, "A")], None);
    }

    /// Checks the letters of glyphs whose names are made of their codes.
    fn check_named(codes: &[u32], name: fn(u32) -> String, expected: Option<&str>) {
        let names: Vec<(u32, String)> = codes.iter().map(|code| (*code, name(*code))).collect();
        let names: Vec<(u32, &str)> = names.iter().map(|(code, name)| (*code, &**name)).collect();
        check(&names, expected);
    }

    #[test]
    fn codes_in_names_are_letters_of_texts() {
        const NAMES: [fn(u32) -> String; 5] = [
            |code| format!("c{code}"),
            |code| format!("char{code}"),
            |code| format!("cid:{code:05}"),
            |code| format!("G{code:02X}"),
            |code| format!("g{code:x}"),
        ];
        let text = [32, 97, 100, 103, 111, 233];
        for name in NAMES {
            check_named(&text, name, Some(" adgoé"));
        }
        check_named(&text, |code| format!("c{}", code + 1), None);
        // An accent tells as a blank does; other letters than those of Latin are more.
        let accented = [97, 99, 100, 101, 109, 115, 233];
        check_named(&accented, |code| format!("a{code}"), Some("acdemsé"));
        check_named(
            &[101, 102, 109, 116, 233],
            |code| format!("a{code}"),
            Some("efmté"),
        );
        let formula = [97, 99, 100, 101, 109, 115];
        check_named(&formula, |code| format!("a{code}"), None);
        let russian = [32, 97, 99, 101, 224, 228, 232, 233, 238];
        check_named(&russian, |code| format!("a{code}"), None);
        // Glyphs that were numbered anew have numbers that follow each other.
        let all: Vec<u32> = (33..120).collect();
        check_named(&all, |code| format!("g{code}"), None);
        let low: Vec<u32> = (1..120).filter(|code| code % 7 > 0).collect();
        check_named(&low, |code| format!("g{code}"), None);
    }

    /// Makes a program of the format CFF with glyphs of two names for the codes 65 and 66.
    fn program(one: &[u8; 4], other: &[u8; 4]) -> Vec<u8> {
        const TOP: u8 = 29;
        let number = |number: u8| [29, 0, 0, 0, number];
        let entry = |at: u8, operator: u8| [&number(at)[..], &[operator]].concat();
        let strings = [&[0_u8, 2, 1, 1, 5, 9][..], one, other].concat();
        let head = [1, 0, 4, 1, 0, 1, 1, 1, 2, b'F', 0, 1, 1, 1, TOP + 1];
        let charset = head.len() as u8 + TOP + strings.len() as u8 + 2;
        let (encoding, glyphs) = (charset + 5, charset + 9);
        let private = [&number(0)[..], &number(glyphs), &[18]].concat();
        [
            &head[..],
            &entry(charset, 15),
            &entry(encoding, 16),
            &entry(glyphs, 17),
            &private,
            &strings,
            &[0, 0],
            &[0, 1, 135, 1, 136],
            &[0, 2, 65, 66],
            &[0, 3, 1, 1, 2, 3, 4, 14, 14, 14],
        ]
        .concat()
    }

    #[test]
    fn names_are_in_the_program_of_a_font() {
        let names = of_cff(&program(b"0041", b"00e9")).unwrap();
        let expected = [(65, "0041".to_owned()), (66, "00e9".to_owned())];
        assert_eq!(names, BTreeMap::from(expected));
        assert_eq!(of_cff(b"%!PS"), None);
        assert_eq!(of_type1(b"%!PS"), None);
    }
}
