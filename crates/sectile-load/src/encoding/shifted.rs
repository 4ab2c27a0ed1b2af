//! ISO-2022-KR and ISO-2022-CN: seven bits a byte, with characters that begin and end what takes two bytes a letter.

use encoding_rs::{EUC_KR, Encoding, GBK};

use super::{Decoded, decode_as};

/// What begins the name of a set of characters, and what stands before and behind those of the set.
const NAMED: [&[u8]; 2] = [b"\x1B$)", b"\x1B$*"];
const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

/// A byte that is malformed in both encodings.
const MALFORMED: u8 = 0xFF;

/// Which of the two encodings a text is in.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Shifted {
    Korean,
    Chinese,
}

impl Shifted {
    /// Finds out the encoding by the first set that is named; nothing where the bytes are no such text.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let named = memchr::memmem::find(bytes, NAMED[0])?;
        let is_shifted = bytes[named..].contains(&SHIFT_OUT) && bytes.is_ascii();
        match bytes.get(named + NAMED[0].len()) {
            Some(b'C') if is_shifted => Some(Self::Korean),
            Some(b'A') if is_shifted => Some(Self::Chinese),
            _ => None,
        }
    }

    /// The last byte of the name of the set of which there is a table, and the encoding with the same letters, in which
    /// the upper bit is set.
    fn set(self) -> (u8, &'static Encoding) {
        match self {
            Self::Korean => (b'C', EUC_KR),
            Self::Chinese => (b'A', GBK),
        }
    }

    /// Says what to do with a text that is read part by part.
    pub(super) const fn advice(self) -> &'static str {
        match self {
            Self::Korean => "its encoding is ISO-2022-KR; save it as UTF-8",
            Self::Chinese => "its encoding is ISO-2022-CN; save it as UTF-8",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Korean => "ISO-2022-KR",
            Self::Chinese => "ISO-2022-CN",
        }
    }
}

/// Decodes a text. A letter of a set without a table is malformed.
pub(super) fn decode(bytes: &[u8], shifted: Shifted) -> Result<Decoded, &'static str> {
    let (wanted, encoding) = shifted.set();
    let mut written = Vec::with_capacity(bytes.len());
    let (mut set, mut is_wide) = (wanted, false);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        at += 1;
        match byte {
            0x1B if NAMED.iter().any(|name| rest.starts_with(name)) => {
                set = rest.get(3).copied().unwrap_or(wanted);
                at += 3;
            }
            SHIFT_OUT => is_wide = true,
            SHIFT_IN => is_wide = false,
            0x21..=0x7E if is_wide && set == wanted => written.push(byte | 0x80),
            0x21..=0x7E if is_wide => {
                written.push(MALFORMED);
                at += 1;
            }
            _ => {
                // A line ends in ASCII.
                is_wide &= byte != b'\n';
                written.push(byte);
            }
        }
    }
    let decoded = decode_as(&written, encoding)?;
    Ok(Decoded {
        encoding: shifted.name(),
        ..decoded
    })
}

#[cfg(test)]
mod tests {
    use super::super::{check, decode, guess};

    #[test]
    fn korean_and_chinese_of_seven_bits_are_read() {
        let korean = b"\x1B$)C\x0EGQ1[9.\x0F 123\n\x0E1[\x0F.\n";
        let chinese = b"\x1B$)A\x0EVPND\x0F 123\n";
        for (bytes, text, encoding) in [
            (&korean[..], "한글문 123\n글.\n", "ISO-2022-KR"),
            (chinese, "中文 123\n", "ISO-2022-CN"),
        ] {
            let decoded = decode(bytes).unwrap();
            assert_eq!((decoded.text.as_str(), decoded.encoding), (text, encoding));
            assert_eq!(decoded.replaced, 0);
            assert!(check(bytes).is_ok());
            assert!(guess(bytes).unwrap_err().contains(encoding));
        }
    }

    #[test]
    fn letters_without_a_table_are_malformed() {
        let decoded = decode(b"\x1B$)A\x0EVP\x1B$)GGc\x0F.").unwrap();
        assert_eq!(
            (decoded.text.as_str(), decoded.replaced),
            ("中\u{FFFD}.", 1)
        );
    }

    #[test]
    fn ascii_with_other_escapes_stays() {
        let text = "\u{1B}$)C is how it begins";
        assert_eq!(decode(text.as_bytes()).unwrap().text, text);
    }
}
