//! Writing words that mean the same with the same characters.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

use super::scan::is_letter;

/// Lowers the case of a word, takes compatibility forms apart, drops accents and vowel signs, and
/// writes letters that have several forms in one.
pub(super) fn folded(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return lowered(word);
    }
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
        let plain: String = word.nfkc().collect::<String>().to_lowercase();
        let letters = plain
            .chars()
            .map(|letter| if letter == '\u{2019}' { '\'' } else { letter });
        return Cow::Owned(letters.filter(|letter| is_kept(*letter)).collect());
    }
    if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(word.to_ascii_lowercase())
    } else {
        Cow::Borrowed(word)
    }
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
        '\u{2019}' => "'",
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
