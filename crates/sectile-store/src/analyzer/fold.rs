//! Writing words that mean the same with the same characters.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

use super::language::Language;
use super::scan::{is_fraction, is_letter};

/// The dot above, which is left of a capital `İ` in lower case.
const DOT_ABOVE: char = '\u{307}';

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

/// Lowers the case of a word, takes compatibility forms apart, drops accents and vowel signs, and
/// writes letters that have several forms in one.
pub(super) fn folded(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return lowered(word);
    }
    let word = plain_devanagari(word);
    let plain: String = word
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
        let plain: String = word.nfkc().collect::<String>().to_lowercase();
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

/// Lowers the case of a word as its language does: in Turkish `I` is the capital of a letter of its own.
pub(super) fn lowered_in(word: &str, language: Language) -> Cow<'_, str> {
    let is_word = || !word.is_ascii() || word.chars().nth(SHORTEST_TURKISH - 1).is_some();
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

/// Says whether a character stands for an apostrophe: the typographic one, and the letter that Ukrainian has.
pub(super) fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '\u{2019}' | '\u{2bc}')
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

/// Says whether a letter is the nasal of the row of consonants that another one is of: the last of five.
fn is_nasal_before(letter: char, next: char) -> bool {
    let is_nasal = matches!(letter, 'ङ' | 'ञ' | 'ण' | 'न' | 'म');
    let of_row = u32::from(letter) - 4..u32::from(letter);
    is_nasal && of_row.contains(&u32::from(next))
}

/// Says whether words that differ by this mark alone are the same: accents of Latin, Greek and
/// Cyrillic, vowel signs and cantillation of Hebrew, vowel signs, hamza and tatweel of Arabic. In
/// other scripts marks are vowels and tones, and words differ by them.
fn is_dropped(mark: char) -> bool {
    matches!(mark,
        '\u{300}'..='\u{36f}'
        | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}'
        | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}' | '\u{6e7}' | '\u{6e8}' | '\u{6ea}'..='\u{6ed}')
}

/// Says whether a character is one of terms and stems: a compatibility form may have others.
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
        _ if is_apostrophe(letter) => "'",
        // Alef wasla and alef maqsura, and the Persian letters for yeh and kaf.
        '\u{671}' => "\u{627}",
        '\u{649}' | '\u{6cc}' => "\u{64a}",
        '\u{6a9}' => "\u{643}",
        '\u{660}' | '\u{6f0}' | '\u{966}' => "0",
        '\u{661}' | '\u{6f1}' | '\u{967}' => "1",
        '\u{662}' | '\u{6f2}' | '\u{968}' => "2",
        '\u{663}' | '\u{6f3}' | '\u{969}' => "3",
        '\u{664}' | '\u{6f4}' | '\u{96a}' => "4",
        '\u{665}' | '\u{6f5}' | '\u{96b}' => "5",
        '\u{666}' | '\u{6f6}' | '\u{96c}' => "6",
        '\u{667}' | '\u{6f7}' | '\u{96d}' => "7",
        '\u{668}' | '\u{6f8}' | '\u{96e}' => "8",
        '\u{669}' | '\u{6f9}' | '\u{96f}' => "9",
        _ => return None,
    })
}
