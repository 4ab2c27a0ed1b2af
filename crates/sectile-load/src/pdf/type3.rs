//! What the codes of Type 3 fonts stand for whose glyphs have names that say nothing, as the bitmaps have that TeX
//! draws with.
//!
//! Most of these codes are those of the letters, in the file or in the number that the glyph has for a name; some
//! writers number the glyphs anew. The widths of the letters tell which: `i` is narrower than `n`, and `n` than `m`.
//! Where these do not tell, the codes are those of Windows if each glyph has its code for a name, and a blank, a comma or
//! a full stop and small letters are among them. A font with few letters follows another one of the file whose letters are
//! as wide, in proportion, and one of digits any other.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use hayro_syntax::object::dict::keys::{DIFFERENCES, ENCODING, SUBTYPE, TO_UNICODE};
use hayro_syntax::object::{Array, Dict, Name, Object};

use super::tex_encodings::{Encoding, are_few, base};

/// Letters by width: in nearly all fonts, each is narrower than all letters of the next kind.
const KINDS: [&str; 3] = ["ijl", "acdeghknopquvy", "mw"];

/// How many letters of these kinds a font has at least, and how many of each, to tell what its codes are.
const MIN_LETTERS: usize = 10;
const MIN_OF_KIND: [usize; 3] = [2, 5, 1];

/// How many small letters a font has at least whose names are its codes.
const MIN_SMALL: usize = 3;

/// How many letters two fonts share at least whose widths are compared, how many times as wide the widest is at least as
/// the narrowest, and how much a width may differ from what is in proportion.
const MIN_SHARED: usize = 6;
const SPREAD: f64 = 1.8;
const SAME_PROPORTION: f64 = 0.1;

/// How many digits a font of digits has at least, and how much their widths may differ.
const MIN_DIGITS: usize = 3;
const SAME_WIDTH: f64 = 1.01;

/// What else is in such a font: the signs of ASCII, and the dashes of T1 and OT1.
const SIGNS: [RangeInclusive<u32>; 5] = [21..=22, 33..=47, 58..=59, 91..=93, 123..=124];

/// The first code of a letter with an accent in the encodings of Windows and TeX.
const FIRST_ACCENTED: u32 = 192;

/// How wide small letters are in most type, and capitals and digits, in multiples of the type size.
const SMALL: [f64; 26] = [
    0.47, 0.53, 0.44, 0.53, 0.44, 0.31, 0.5, 0.53, 0.28, 0.3, 0.53, 0.28, 0.8, 0.53, 0.5, 0.53,
    0.53, 0.39, 0.39, 0.36, 0.53, 0.53, 0.72, 0.53, 0.53, 0.44,
];
const CAPITAL: f64 = 0.7;
const DIGIT: f64 = 0.5;

/// How many times as large as its font says type is at least that is measured, or as small.
const OFF: f64 = 2.0;

/// Returns whether a font is of Type 3: its glyphs are drawn like pages.
pub(super) fn is_type3(font: &Dict<'_>) -> bool {
    let subtype = font.get::<Name<'_>>(SUBTYPE);
    subtype.is_some_and(|name| name.as_ref() == b"Type3")
}

/// Returns the type size of a font whose size is 1, by the widths of some of its letters: glyphs may be drawn at
/// any scale.
pub(super) fn size(letters: impl Iterator<Item = (char, f64)>) -> f64 {
    let usual = |letter: char| match letter {
        'a'..='z' => Some(SMALL[(letter as usize) - ('a' as usize)]),
        'A'..='Z' => Some(CAPITAL),
        '0'..='9' => Some(DIGIT),
        _ => None,
    };
    let sizes = letters.filter_map(|(letter, width)| Some(width / usual(letter)?));
    let mut sizes: Vec<f64> = sizes.filter(|size| *size > 0.0).collect();
    if sizes.is_empty() {
        return 1.0;
    }
    let middle = sizes.len() / 2;
    let size = *sizes.select_nth_unstable_by(middle, f64::total_cmp).1;
    if (1.0 / OFF..OFF).contains(&size) {
        1.0
    } else {
        size
    }
}

/// The fonts of a file whose widths tell what their codes are.
#[derive(Debug, Default)]
pub(super) struct Bitmaps {
    known: RefCell<Vec<Known>>,
}

/// A font whose codes are known.
#[derive(Debug)]
struct Known {
    encoding: Encoding,
    /// The widths of the letters of ASCII.
    widths: BTreeMap<u32, f64>,
}

impl Bitmaps {
    /// Returns the letters by their codes, if the font does not say them and its widths do, or those of another one.
    pub(super) fn letters(
        &self,
        font: &Dict<'_>,
        width: impl Fn(u32) -> f64,
    ) -> Option<HashMap<u32, String>> {
        let names = unsaid(font)?;
        let Some(numbers) = told(&names, &width) else {
            return self
                .letters_of_kin(&names, &width)
                .or_else(|| self.letters_of_digits(&names, &width))
                .or_else(|| letters_of_windows(&names));
        };
        let encoding = encoding(&numbers, &width);
        if own(&names).is_some() {
            let widths = widths(&numbers, &width);
            self.known.borrow_mut().push(Known { encoding, widths });
        }
        Some(texts(&numbers, encoding))
    }

    /// Returns the letters of a font whose glyphs have their codes for names, if it is like one that is known.
    fn letters_of_kin(
        &self,
        names: &BTreeMap<u32, String>,
        width: impl Fn(u32) -> f64,
    ) -> Option<HashMap<u32, String>> {
        let numbers = own(names)?;
        let widths = widths(&numbers, width);
        let known = self.known.borrow();
        let kin = known
            .iter()
            .find(|known| are_in_proportion(&widths, &known.widths))?;
        Some(texts(&numbers, kin.encoding))
    }

    /// Returns the letters of a font of digits whose glyphs have their codes for names, if other fonts are known: they are
    /// all as wide, and with them are none but the signs that stand beside digits. Pieces of large brackets have the codes
    /// of digits from 2 on.
    fn letters_of_digits(
        &self,
        names: &BTreeMap<u32, String>,
        width: impl Fn(u32) -> f64,
    ) -> Option<HashMap<u32, String>> {
        let codes: Vec<u32> = own(names)?.into_keys().collect();
        let encoding = self.known.borrow().first()?.encoding;
        let ascii = |code: u32| char::from_u32(code).filter(char::is_ascii_graphic);
        let is_digit = |code: &u32| ascii(*code).is_some_and(|sign| sign.is_ascii_digit());
        let (digits, others): (Vec<u32>, Vec<u32>) = codes.iter().copied().partition(is_digit);
        let (least, most) = bounds(digits.iter().map(|code| width(*code)));
        let has_first = ['0', '1']
            .iter()
            .any(|first| digits.contains(&u32::from(*first)));
        let is_sign = |code: &u32| SIGNS.iter().any(|signs| signs.contains(code));
        let are_digits = digits.len() >= MIN_DIGITS
            && has_first
            && least > 0.0
            && most <= least * SAME_WIDTH
            && others.iter().all(is_sign);
        let text = |code: u32| {
            let letter = encoding.letter(code);
            letter.or_else(|| ascii(code).map(String::from))
        };
        let texts = codes.iter().filter_map(|code| Some((*code, text(*code)?)));
        are_digits.then(|| texts.collect())
    }
}

/// Returns whether nothing but another font can tell the letters of one.
pub(super) fn needs_kin(font: &Dict<'_>, width: impl Fn(u32) -> f64) -> bool {
    let names = unsaid(font);
    names.is_some_and(|names| own(&names).is_some() && told(&names, width).is_none())
}

/// Returns the names of the glyphs by their codes, of a font of Type 3 that does not say its letters.
fn unsaid(font: &Dict<'_>) -> Option<BTreeMap<u32, String>> {
    if !is_type3(font) || font.contains_key(TO_UNICODE) {
        return None;
    }
    names(font)
}

/// Returns the numbers of the letters by their codes, if the widths tell them.
fn told(names: &BTreeMap<u32, String>, width: impl Fn(u32) -> f64) -> Option<BTreeMap<u32, u32>> {
    let of_names = names
        .iter()
        .filter_map(|(code, name)| Some((*code, number(name)?)));
    let of_codes = names.keys().map(|code| (*code, *code));
    [of_names.collect(), of_codes.collect()]
        .into_iter()
        .find(|numbers| are_letters(numbers, &width))
}

/// Returns the codes of a font, if they are the numbers in the names of its glyphs.
fn own(names: &BTreeMap<u32, String>) -> Option<BTreeMap<u32, u32>> {
    let drawn = names.iter().filter(|(_, name)| *name != ".notdef");
    let codes = drawn.map(|(code, name)| {
        let number = number(name).filter(|number| number == code)?;
        Some((*code, number))
    });
    codes.collect()
}

/// Returns the encoding of a font with these numbers of letters.
fn encoding(numbers: &BTreeMap<u32, u32>, width: impl Fn(u32) -> f64) -> Encoding {
    let codes: HashMap<u32, u32> = numbers
        .iter()
        .map(|(code, number)| (*number, *code))
        .collect();
    let all: Vec<u32> = codes.keys().copied().collect();
    Encoding::of(&all, |number| {
        codes.get(&number).map_or(0.0, |code| width(*code))
    })
}

/// Returns the widths of the letters of ASCII.
fn widths(numbers: &BTreeMap<u32, u32>, width: impl Fn(u32) -> f64) -> BTreeMap<u32, f64> {
    let is_letter = |number: u32| char::from_u32(number).is_some_and(|c| c.is_ascii_alphabetic());
    let letters = numbers.iter().filter(|(_, number)| is_letter(**number));
    let widths = letters.map(|(code, number)| (*number, width(*code)));
    widths.filter(|(_, width)| *width > 0.0).collect()
}

/// Returns whether the letters of two fonts are as wide, but for the size of the type.
fn are_in_proportion(one: &BTreeMap<u32, f64>, other: &BTreeMap<u32, f64>) -> bool {
    let shared = one
        .iter()
        .filter_map(|(letter, width)| Some((*width, *other.get(letter)?)));
    let shared: Vec<(f64, f64)> = shared.collect();
    if shared.len() < MIN_SHARED {
        return false;
    }
    let mut ratios: Vec<f64> = shared.iter().map(|(one, other)| one / other).collect();
    let middle = ratios.len() / 2;
    let ratio = *ratios.select_nth_unstable_by(middle, f64::total_cmp).1;
    let (least, most) = bounds(shared.iter().map(|(one, _)| *one));
    most >= least * SPREAD
        && ratios
            .iter()
            .all(|own| (own / ratio - 1.0).abs() <= SAME_PROPORTION)
}

/// Returns the least and the most of some widths.
fn bounds(widths: impl Iterator<Item = f64>) -> (f64, f64) {
    widths.fold((f64::MAX, f64::MIN), |(least, most), of| {
        (least.min(of), most.max(of))
    })
}

/// Returns the number in a name such as `65`, `a65` or `cid65`.
fn number(name: &str) -> Option<u32> {
    let digits = name.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    digits.parse().ok()
}

/// Returns the letters of codes that are the names of their glyphs, if the font is one for texts.
fn letters_of_windows(names: &BTreeMap<u32, String>) -> Option<HashMap<u32, String>> {
    let is_own =
        |(code, name): (&u32, &String)| name.parse::<u32>() == Ok(*code) || name == ".notdef";
    let codes: Vec<u32> = names.keys().copied().collect();
    (names.iter().all(is_own) && are_for_text(&codes)).then(|| of_windows(&codes))
}

/// Returns whether codes are those of a font for texts, if they are the letters' own: it has a blank, a comma or a full
/// stop, or a letter with an accent and without. Other letters than those of Latin are none.
pub(super) fn are_for_text(codes: &[u32]) -> bool {
    let has = |sign: char| codes.contains(&u32::from(sign));
    let is_accented = |code: &u32| {
        let letter = char::from_u32(*code).filter(|_| *code >= FIRST_ACCENTED);
        letter.and_then(base).is_some_and(has)
    };
    let small = u32::from('a')..=u32::from('z');
    ([' ', ',', '.'].into_iter().any(has) || codes.iter().any(is_accented))
        && codes.iter().filter(|code| small.contains(*code)).count() >= MIN_SMALL
        && are_few(codes, FIRST_ACCENTED)
}

/// Returns the letters that codes have in Windows.
pub(super) fn of_windows(codes: &[u32]) -> HashMap<u32, String> {
    let letter = |code: u32| {
        let byte = u8::try_from(code).ok()?;
        let bytes = [byte];
        let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes);
        (!text.contains(char::is_control)).then(|| text.into_owned())
    };
    let letters = codes
        .iter()
        .filter_map(|code| Some((*code, letter(*code)?)));
    letters.collect()
}

/// Returns the names of the glyphs by their codes.
pub(super) fn names(font: &Dict<'_>) -> Option<BTreeMap<u32, String>> {
    let encoding = font.get::<Dict<'_>>(ENCODING)?;
    let mut names = BTreeMap::new();
    let mut code = 0;
    for part in encoding.get::<Array<'_>>(DIFFERENCES)?.iter::<Object<'_>>() {
        match part {
            Object::Number(first) => code = u32::try_from(first.as_i64()).unwrap_or(0),
            Object::Name(name) if code < 256 => {
                names.insert(code, name.as_str().to_owned());
                code += 1;
            }
            _ => {}
        }
    }
    Some(names)
}

/// Returns whether the widths of the glyphs are those of the letters with these numbers.
pub(super) fn are_letters(numbers: &BTreeMap<u32, u32>, width: impl Fn(u32) -> f64) -> bool {
    let of_kind = |kind: &str| -> Vec<f64> {
        let is_of_kind = |number: &u32| char::from_u32(*number).is_some_and(|c| kind.contains(c));
        let codes = numbers.iter().filter(|(_, number)| is_of_kind(number));
        let widths = codes.map(|(code, _)| width(*code));
        widths.filter(|width| *width > 0.0).collect()
    };
    let kinds = KINDS.map(of_kind);
    let bounds = |widths: &[f64]| bounds(widths.iter().copied());
    let are_enough = (0..)
        .zip(&kinds)
        .all(|(kind, widths): (usize, _)| widths.len() >= MIN_OF_KIND[kind]);
    are_enough
        && kinds.iter().map(Vec::len).sum::<usize>() >= MIN_LETTERS
        && kinds
            .windows(2)
            .all(|pair| bounds(&pair[0]).1 < bounds(&pair[1]).0)
}

/// Returns the texts of numbered letters. A font without a comma and a full stop is one for formulas, which have
/// other signs than texts, but the same letters; those for formulas do not have T1.
pub(super) fn texts(numbers: &BTreeMap<u32, u32>, encoding: Encoding) -> HashMap<u32, String> {
    let has = |sign: char| numbers.values().any(|number| *number == u32::from(sign));
    let is_for_text = encoding == Encoding::Cork || has(',') || has('.');
    let ascii = |number: u32| {
        let letter = char::from_u32(number).filter(char::is_ascii_graphic)?;
        (is_for_text || letter.is_ascii_alphabetic()).then(|| letter.to_string())
    };
    let of_encoding = |number: u32| encoding.letter(number).filter(|_| is_for_text);
    let text = |number: u32| of_encoding(number).or_else(|| ascii(number));
    let texts = numbers
        .iter()
        .filter_map(|(code, number)| Some((*code, text(*number)?)));
    texts.collect()
}
