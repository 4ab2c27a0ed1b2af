//! Encodings that are not read, and would be noise: EBCDIC, EUC-TW, and those whose bytes are ASCII, HZ and UTF-7.

use std::collections::HashSet;

/// How many bytes are looked at.
const LOOKED_AT: usize = 1 << 16;

/// One byte in so many of EBCDIC is a space, at least, and one in so many a letter.
const BYTES_PER_SPACE: usize = 12;
const BYTES_PER_LETTER: usize = 4;

/// How many percent of it are letters, digits and usual signs, at least.
const LEAST_PERCENT: usize = 90;

/// How many different characters EUC-TW has at least: fewer may be in another encoding.
const MIN_DIFFERENT: usize = 16;

/// How many characters of HZ a text has at least, and how many runs of UTF-7.
const MIN_CHARACTERS: usize = 4;
const MIN_RUNS: usize = 3;

/// Returns whether bytes are EBCDIC: most are its letters, digits, spaces and signs, and none is a space or a line end
/// of ASCII.
pub(super) fn is_ebcdic(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(LOOKED_AT)];
    let (mut letters, mut spaces, mut signs) = (0, 0, 0);
    for &byte in beginning {
        match byte {
            b' ' | b'\n' => return false,
            0x40 => spaces += 1,
            0x81..=0x89 | 0x91..=0x99 | 0xA2..=0xA9 | 0xC1..=0xC9 | 0xD1..=0xD9 | 0xE2..=0xE9 => {
                letters += 1;
            }
            // Line ends, punctuation and digits.
            0x0D
            | 0x15
            | 0x25
            | 0x4B..=0x50
            | 0x5A..=0x61
            | 0x6B..=0x6F
            | 0x7A..=0x7F
            | 0xF0..=0xF9 => signs += 1,
            _ => {}
        }
    }
    let all = beginning.len();
    all > 0
        && spaces * BYTES_PER_SPACE >= all
        && letters * BYTES_PER_LETTER >= all
        && (letters + spaces + signs) * 100 >= all * LEAST_PERCENT
}

/// Returns whether bytes are EUC-TW: pairs of bytes as those of other encodings of East Asia, none of which begins with a
/// byte that half the characters of the others begin with. A text may end within a character.
pub(super) fn is_euc_tw(bytes: &[u8]) -> bool {
    let mut rest = &bytes[..bytes.len().min(LOOKED_AT)];
    let mut characters = HashSet::new();
    while !rest.is_empty() {
        let length = match rest {
            [0..=0x7F, ..] => 1,
            // Signs.
            [0xA1..=0xA9, 0xA1..=0xFE, ..] => 2,
            [lead @ 0xC4..=0xFD, trail @ 0xA1..=0xFE, ..] => {
                characters.insert([*lead, *trail]);
                2
            }
            // Rare characters.
            [0x8E, 0xA1..=0xB0, 0xA1..=0xFE, 0xA1..=0xFE, ..] => 4,
            [_, _, _, _, ..] => return false,
            _ => break,
        };
        rest = &rest[length..];
    }
    characters.len() >= MIN_DIFFERENT
}

/// Returns whether ASCII is likely a text in HZ or UTF-7.
pub(super) fn is_seven_bit(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(LOOKED_AT)];
    beginning.is_ascii() && (is_hz(beginning) || is_utf7(beginning))
}

/// Returns whether pairs of bytes, each a character of Chinese, stand between all `~{` and `~}`.
fn is_hz(bytes: &[u8]) -> bool {
    let is_character = |pair: &[u8]| matches!(pair, [b'!'..=b'w', b'!'..=b'~']);
    let mut characters = 0;
    for begin in memchr::memmem::find_iter(bytes, b"~{") {
        let rest = &bytes[begin + 2..];
        let Some(end) = memchr::memmem::find(rest, b"~}") else {
            return false;
        };
        if !rest[..end].chunks(2).all(is_character) {
            return false;
        }
        characters += end / 2;
    }
    characters >= MIN_CHARACTERS
}

/// Returns whether a run of letters that are not ASCII, in Base64 of UTF-16, or a minus follows each plus.
fn is_utf7(bytes: &[u8]) -> bool {
    let mut runs = 0;
    for plus in memchr::memchr_iter(b'+', bytes) {
        let rest = &bytes[plus + 1..];
        if rest.first() == Some(&b'-') {
            continue;
        }
        let values = rest.iter().map_while(|&byte| value(byte));
        if !are_letters(values) {
            return false;
        }
        runs += 1;
    }
    runs >= MIN_RUNS
}

/// Returns the six bits that a sign of Base64 stands for.
fn value(sign: u8) -> Option<u32> {
    let value = match sign {
        b'A'..=b'Z' => sign - b'A',
        b'a'..=b'z' => sign - b'a' + 26,
        b'0'..=b'9' => sign - b'0' + 52,
        b'/' => 63,
        _ => return None,
    };
    Some(value.into())
}

/// Returns whether values of six bits are letters and marks beyond ASCII, with nothing but zeros behind.
fn are_letters(values: impl Iterator<Item = u32>) -> bool {
    let (mut bits, mut length, mut letters) = (0, 0, 0);
    for value in values {
        bits = (bits << 6) | value;
        length += 6;
        if length >= 16 {
            length -= 16;
            let is_letter = char::from_u32(bits >> length)
                .is_some_and(|letter| !letter.is_ascii() && letter.is_alphabetic());
            if !is_letter {
                return false;
            }
            letters += 1;
            bits &= (1 << length) - 1;
        }
    }
    letters > 0 && length < 6 && bits == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ebcdic_is_known_by_its_letters_and_spaces() {
        let text = b"\xE3\x88\x85@\x98\xA4\x89\x83\x92@\xF5@\xA6\x96\x99\x84\xA2K@\xD7\xD9\xD6\xC7\xD9\xC1\xD4`\xC9\xC4K";
        assert!(is_ebcdic(text));
        for other in [
            &b"Caf\xE9 @ M\xFCnchen"[..],
            b"",
            b"\xC4\xE3\xBA\xC3@\xC4\xE3\xBA\xC3",
            b"@@@@@@@@",
        ] {
            assert!(!is_ebcdic(other), "{other:?}");
        }
    }

    #[test]
    fn euc_tw_is_told_from_other_pairs_of_bytes() {
        // This is a document in Chinese, with some words in it. Open it with a computer, and save it.
        let text = b"\xDD\xD5\xD1\xD2\xC4\xA1\xC7\xB9\xC4\xE3\xC5\xC6\xC5\xC6\xC7\xB5\xA1\xA2\xE6\xD3\xD3\xF2\xC8\xB4\xC4\xA1\xCB\xE8\xC5\xC6\xC7\xF3\xA1\xA4\xCB\xF0\xC6\xEE\xE7\xD9\xE6\xAA\xE2\xE4\xDA\xF6\xF3\xF2\xD5\xF9\xA1\xA2\xE0\xD3\xD1\xA5\xC7\xF4\xF3\xF2\xA1\xA4";
        assert!(is_euc_tw(text));
        assert!(is_euc_tw(&text[..text.len() - 1]));
        assert!(!is_euc_tw(&text[..20].repeat(10)));
        for (encoding, text) in [
            (encoding_rs::GBK, "这是一份中文文件，里面有一些文字。"),
            (encoding_rs::BIG5, "這是一份中文文件，裡面有一些文字。"),
            (encoding_rs::EUC_KR, "한국어 문서와 숫자가 있는 글이다."),
            (
                encoding_rs::EUC_JP,
                "日本語の文書です。全角空白と数字の説明。",
            ),
            (
                encoding_rs::WINDOWS_1251,
                "Вчера мы ходили в лес и собирали грибы.",
            ),
            (encoding_rs::KOI8_R, "Привет, Москва"),
        ] {
            let bytes = encoding.encode(text).0.repeat(4);
            assert!(!is_euc_tw(&bytes), "{text}");
        }
    }

    #[test]
    fn encodings_of_ascii_bytes_are_told_from_ascii() {
        assert!(is_seven_bit(b"HZ: ~{<:Ky2;S{~} and ~{VPND~}.\n"));
        assert!(is_seven_bit(b"Gr+APY-ne t+AOk- caf+AOk-, 1 +- 1"));
        for other in [
            &b"(format t \"~{~a~^, ~}\" list)"[..],
            b"~{ab~}",
            b"a + b+c, +49 30 12345, x+=1",
            b"+abc-",
            b"C++ and g++ and +1",
            b"",
        ] {
            assert!(!is_seven_bit(other), "{other:?}");
        }
    }
}
