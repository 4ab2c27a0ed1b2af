//! Writing words that mean the same with the same characters.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

use super::language::Language;
use super::length::has;
use super::scan::{is_fraction, is_letter, looks_like_apostrophe};

/// The dot above, which is left of a capital `İ` in lower case.
const DOT_ABOVE: char = '\u{307}';

/// The acute accent, which is typed for an apostrophe; its compatibility form has a blank.
const ACUTE: char = '\u{b4}';

/// What stands in a fraction that is taken apart.
const FRACTION_SLASH: char = '\u{2044}';

/// Turkish words of fewer letters are read as names in capitals are, such as `API`, if they have no letter beyond
/// ASCII.
const SHORTEST_TURKISH: usize = 6;

/// Marks of Devanagari: of a nasal before a consonant in two forms, the dot below, and what a consonant without a
/// vowel has.
const CANDRABINDU: char = '\u{901}';
const ANUSVARA: char = '\u{902}';
const NUKTA: char = '\u{93c}';
const VIRAMA: char = '\u{94d}';

/// The zeros of scripts with digits of their own, behind each of which the others follow in order: the decimal digits
/// of Unicode 16 that are not compatibility forms. Sorted.
#[rustfmt::skip]
const ZEROS: &[char] = &[
    '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}',
    '\u{be6}', '\u{c66}', '\u{ce6}', '\u{d66}', '\u{de6}', '\u{e50}', '\u{ed0}', '\u{f20}',
    '\u{1040}', '\u{1090}', '\u{17e0}', '\u{1810}', '\u{1946}', '\u{19d0}', '\u{1a80}', '\u{1a90}',
    '\u{1b50}', '\u{1bb0}', '\u{1c40}', '\u{1c50}', '\u{a620}', '\u{a8d0}', '\u{a900}', '\u{a9d0}',
    '\u{a9f0}', '\u{aa50}', '\u{abf0}', '\u{104a0}', '\u{10d30}', '\u{10d40}', '\u{11066}', '\u{110f0}',
    '\u{11136}', '\u{111d0}', '\u{112f0}', '\u{11450}', '\u{114d0}', '\u{11650}', '\u{116c0}', '\u{116d0}',
    '\u{116da}', '\u{11730}', '\u{118e0}', '\u{11950}', '\u{11bf0}', '\u{11c50}', '\u{11d50}', '\u{11da0}',
    '\u{11f50}', '\u{16a60}', '\u{16ac0}', '\u{16b50}', '\u{16d70}', '\u{1e140}', '\u{1e2f0}', '\u{1e4f0}',
    '\u{1e5f1}', '\u{1e950}',
];

/// Lowers the case of a word, takes compatibility forms apart, drops accents and vowel signs, and
/// writes letters that have several forms in one.
pub(super) fn folded(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return lowered(word);
    }
    let word = plain_devanagari(word);
    let plain: String = characters(&word)
        .nfkd()
        .filter(|&letter| !is_dropped(letter))
        .nfc()
        .collect();
    let mut folded = String::with_capacity(plain.len());
    for letter in plain.to_lowercase().chars() {
        match plain_form(letter) {
            Some(form) => folded.push_str(form),
            None if is_kept(letter) => folded.push(letter),
            None => {}
        }
    }
    Cow::Owned(folded)
}

/// Lowers the case of a word and takes compatibility forms apart; accents stay, for the stemmers.
pub(super) fn lowered(word: &str) -> Cow<'_, str> {
    if !word.is_ascii() {
        let word = plain_devanagari(word);
        let plain: String = characters(&word).nfkc().collect::<String>().to_lowercase();
        let plain = without_dot_above(&plain);
        let letters = plain
            .chars()
            .map(|letter| if is_apostrophe(letter) { '\'' } else { letter });
        return Cow::Owned(letters.filter(|letter| is_kept(*letter)).collect());
    }
    if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(word.to_ascii_lowercase())
    } else {
        Cow::Borrowed(word)
    }
}

/// What Danish and Norwegian letters are written as where a keyboard lacks them, and in names of old: `Aarhus`.
const SCANDINAVIAN: [(&str, &str); 3] = [("aa", "å"), ("ae", "æ"), ("oe", "ø")];

/// Words of English, and names, in which these are two letters: texts in any language have some. Sorted.
#[rustfmt::skip]
const IN_TWO_LETTERS: &[&str] = &[
    "aardvark", "aardvarks", "aaron", "bazaar", "bazaars", "canoe", "canoes", "doe", "does",
    "doesn't", "doesnt", "echoes", "goes", "heroes", "isaac", "joe", "oboe", "phoebe", "phoenix",
    "poe", "poem", "poems", "poet", "poetic", "poetry", "poets", "potatoes", "shoe", "shoes", "toe",
    "toes", "tomatoes", "zoe",
];

/// Returns a word in lower case in which the letters of its language that are written as two are one.
pub(super) fn with_letters(word: Cow<'_, str>, language: Language) -> Cow<'_, str> {
    let is_scandinavian = matches!(language, Language::Danish | Language::Norwegian);
    // `AA` is a size of batteries.
    let is_of_one = word.chars().all(|letter| letter == 'a');
    if !is_scandinavian || is_of_one || IN_TWO_LETTERS.binary_search(&&*word).is_ok() {
        return word;
    }
    let written = SCANDINAVIAN.iter().filter(|(two, _)| word.contains(two));
    written.fold(word.clone(), |word, (two, one)| {
        word.replace(two, one).into()
    })
}

/// Lowers the case of a word as its language does: in Turkish `I` is the capital of a letter of its own.
pub(super) fn lowered_in(word: &str, language: Language) -> Cow<'_, str> {
    let is_word = || !word.is_ascii() || has(word, SHORTEST_TURKISH);
    if language == Language::Turkish && word.contains('I') && is_word() {
        let dotless = word.replace('I', "ı");
        return Cow::Owned(lowered(&dotless).into_owned());
    }
    lowered(word)
}

/// Returns the two numbers of a word that is a fraction in one character, such as `½`.
pub(super) fn fraction(word: &str) -> Option<(String, String)> {
    let mut letters = word.chars();
    letters.next().filter(|&first| is_fraction(first))?;
    let plain: String = word.nfkd().collect();
    let (above, below) = plain.split_once(FRACTION_SLASH)?;
    Some((above.to_owned(), below.to_owned()))
}

/// Returns whether a character stands for an apostrophe: the typographic one, the letters that Ukrainian, Hawaiian and
/// transcriptions of Arabic have, the geresh of Hebrew, and [signs that look like one](looks_like_apostrophe).
pub(super) fn is_apostrophe(character: char) -> bool {
    matches!(
        character,
        '\'' | '\u{2019}' | '\u{2b9}'..='\u{2bf}' | '\u{5f3}'
    ) || looks_like_apostrophe(character)
}

/// Returns the characters of a word, of which none is an accent on a blank.
fn characters(word: &str) -> impl Iterator<Item = char> {
    word.chars().map(|of| if of == ACUTE { '\'' } else { of })
}

/// Drops the dot that `İ` in lower case has twice.
fn without_dot_above(word: &str) -> Cow<'_, str> {
    if word.contains(DOT_ABOVE) {
        Cow::Owned(word.replace("i\u{307}", "i"))
    } else {
        Cow::Borrowed(word)
    }
}

/// Writes Devanagari as most people type it: without the dot below, and with one mark for each nasal before a
/// consonant (`हिन्दी` is `हिंदी`).
fn plain_devanagari(word: &str) -> Cow<'_, str> {
    if !word.contains(is_devanagari) {
        return Cow::Borrowed(word);
    }
    let is_seen = |letter: &char| *letter != NUKTA && is_kept(*letter);
    let letters: Vec<char> = word.nfkd().filter(is_seen).collect();
    let mut plain = String::with_capacity(word.len());
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let after = letters.get(at + 1).zip(letters.get(at + 2));
        let is_mark =
            after.is_some_and(|(&mark, &next)| mark == VIRAMA && is_nasal_before(letter, next));
        plain.push(if is_mark || letter == CANDRABINDU {
            ANUSVARA
        } else {
            letter
        });
        at += if is_mark { 2 } else { 1 };
    }
    Cow::Owned(plain)
}

fn is_devanagari(character: char) -> bool {
    matches!(character, '\u{900}'..='\u{97f}')
}

/// Returns whether a letter is the nasal of the row of consonants that another one is of: the last of five.
fn is_nasal_before(letter: char, next: char) -> bool {
    let is_nasal = matches!(letter, 'ङ' | 'ञ' | 'ण' | 'न' | 'म');
    let of_row = u32::from(letter) - 4..u32::from(letter);
    is_nasal && of_row.contains(&u32::from(next))
}

/// Returns whether words that differ by this mark alone are the same: accents of Latin, Greek and
/// Cyrillic, vowel signs and cantillation of Hebrew, vowel signs, hamza and tatweel of Arabic. In
/// other scripts marks are vowels and tones, and words differ by them.
fn is_dropped(mark: char) -> bool {
    matches!(mark,
        '\u{300}'..='\u{36f}'
        | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}'
        | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}' | '\u{6e7}' | '\u{6e8}' | '\u{6ea}'..='\u{6ed}')
}

/// Returns whether a character is one of terms and stems: a compatibility form may have others.
fn is_kept(character: char) -> bool {
    is_letter(character) || character == '.' || character == '\''
}

/// Returns the common form of a letter in lower case, if it is another one.
fn plain_form(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ı' => "i",
        'ς' => "σ",
        'ґ' => "г",
        _ if is_apostrophe(letter) => "'",
        // Alef wasla and alef maqsura, and the Persian letters for yeh and kaf.
        '\u{671}' => "\u{627}",
        '\u{649}' | '\u{6cc}' => "\u{64a}",
        '\u{6a9}' => "\u{643}",
        _ => return digit(letter),
    })
}

/// Returns the digit of ASCII that stands for one of another script.
fn digit(letter: char) -> Option<&'static str> {
    let after = ZEROS.partition_point(|zero| *zero <= letter);
    let zero = ZEROS[..after].last()?;
    let value = usize::try_from(u32::from(letter) - u32::from(*zero)).ok()?;
    "0123456789".get(value..=value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_words_keep_their_letters_in_danish() {
        assert!(IN_TWO_LETTERS.is_sorted());
        let written = |word: &'static str| with_letters(word.into(), Language::Danish);
        for word in ["does", "aardvark", "shoes", "aa", "aaa"] {
            assert_eq!(written(word), word);
        }
        assert_eq!(written("aarhus"), "århus");
        assert_eq!(written("groen"), "grøn");
    }

    #[test]
    fn digits_of_all_scripts_are_those_of_ascii() {
        assert!(ZEROS.is_sorted());
        for zero in ZEROS {
            let digits = (0..10).filter_map(|value| char::from_u32(u32::from(*zero) + value));
            assert_eq!(folded(&digits.collect::<String>()), "0123456789", "{zero}");
            let next = char::from_u32(u32::from(*zero) + 10).unwrap();
            assert!(ZEROS.contains(&next) || digit(next).is_none(), "{next}");
        }
        assert_eq!(folded("๒๕๖๔"), "2564");
        assert_eq!((digit('0'), digit('a'), digit('字')), (None, None, None));
    }
}
