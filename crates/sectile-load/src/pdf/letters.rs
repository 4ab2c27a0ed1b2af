//! Texts of a PDF as they read: without control characters, and with letters for their forms.
//!
//! Adobe's list of glyphs puts forms of letters into the private use area: small capitals, figures of old style, raised and
//! lowered letters, parts of brackets, and the vowels and tones of Thai by their places.

/// The letters from U+F6DF on.
const RAISED: &str = "¢¢,,$$--..abdeilmorst˘ˇˆ˙˝łœ˛˚š˜ž";
const FIRST_RAISED: u32 = 0xF6DF;

/// Accents and signs from U+F6C9 on; a blank where a character is not one of them.
const ACCENTS: &str = "´ˇ¨΅῭`˝¯        ©®™1 —";
const FIRST_ACCENT: u32 = 0xF6C9;

/// The vowels and tones of Thai from U+F884 on.
const THAI: &str = "\u{e31}\u{e34}\u{e35}\u{e36}\u{e37}\u{e47}\u{e48}\u{e48}\u{e48}\u{e49}\u{e49}\u{e49}\
                    \u{e4a}\u{e4a}\u{e4a}\u{e4b}\u{e4b}\u{e4b}\u{e4c}\u{e4c}\u{e4c}\u{e4d}";
const FIRST_THAI: u32 = 0xF884;

/// The parts of roots, arrows and brackets, and signs, from U+F8E5 on.
const PARTS: &str = "‾⏐⎯®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭";
const FIRST_PART: u32 = 0xF8E5;

/// Returns a text as it reads.
pub(super) fn readable(text: &str) -> String {
    shown(text).map(plain).collect()
}

/// Returns the letters of a text without control characters other than tabs and the ends of lines. Those of the upper half
/// are what Windows has in their places.
pub(super) fn shown(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter_map(|letter| match letter {
        '\t' | '\n' | '\r' => Some(letter),
        '\u{80}'..='\u{9f}' => of_windows(letter as u8),
        _ => (!letter.is_control()).then_some(letter),
    })
}

fn of_windows(byte: u8) -> Option<char> {
    let bytes = [byte];
    let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes);
    text.chars().find(|letter| !letter.is_control())
}

/// Returns the letter that one of private use is a form of, or the letter itself.
///
/// A small capital stands where a small letter was typed, and is that letter.
fn plain(letter: char) -> char {
    let code = u32::from(letter);
    let of = |first: u32, letters: &str| {
        let at = code.checked_sub(first)?;
        letters
            .chars()
            .nth(at as usize)
            .filter(|&found| found != ' ')
    };
    let found = match code {
        // The lower byte is that of Latin-1.
        0xF721
        | 0xF724
        | 0xF726
        | 0xF730..=0xF739
        | 0xF73F
        | 0xF760..=0xF77A
        | 0xF7A1
        | 0xF7A2
        | 0xF7A8
        | 0xF7AF
        | 0xF7B4
        | 0xF7B8
        | 0xF7BF
        | 0xF7E0..=0xF7F6
        | 0xF7F8..=0xF7FF => char::from_u32(code & 0xFF),
        0xF6BE => Some('ȷ'),
        FIRST_ACCENT..FIRST_RAISED => of(FIRST_ACCENT, ACCENTS),
        FIRST_RAISED..=0xF6FF => of(FIRST_RAISED, RAISED),
        FIRST_THAI..=0xF899 => of(FIRST_THAI, THAI),
        FIRST_PART..=0xF8FE => of(FIRST_PART, PARTS),
        _ => None,
    };
    found.unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_left_out() {
        assert_eq!(
            readable("a\0\u{1f}b\tc\r\nd\u{7f}\u{92}\u{81}\u{f761}"),
            "ab\tc\r\nd’a"
        );
    }

    #[test]
    fn forms_of_letters_are_letters() {
        for (letter, expected) in [
            ('\u{f761}', 'a'),
            ('\u{f77a}', 'z'),
            ('\u{f7e9}', 'é'),
            ('\u{f7ff}', 'ÿ'),
            ('\u{f739}', '9'),
            ('\u{f724}', '$'),
            ('\u{f6c9}', '´'),
            ('\u{f6d9}', '©'),
            ('\u{f6dc}', '1'),
            ('\u{f6de}', '—'),
            ('\u{f6df}', '¢'),
            ('\u{f6e9}', 'a'),
            ('\u{f6f3}', 't'),
            ('\u{f6f9}', 'ł'),
            ('\u{f6ff}', 'ž'),
            ('\u{f884}', '\u{e31}'),
            ('\u{f899}', '\u{e4d}'),
            ('\u{f8e7}', '⎯'),
            ('\u{f8eb}', '⎛'),
            ('\u{f8fe}', '⎭'),
        ] {
            assert_eq!(plain(letter), expected, "{letter:?}");
        }
        for letter in [
            'a', '\u{f0b7}', '\u{f6d1}', '\u{f722}', '\u{f7f7}', '\u{f8ff}',
        ] {
            assert_eq!(plain(letter), letter);
        }
    }
}
