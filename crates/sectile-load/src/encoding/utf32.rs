//! UTF-32, four bytes a character, which no page of the web is in.

use super::{Decoded, NOT_TEXT, REPLACEMENT, is_of_few_scripts, is_stray_control, settled};

/// How many characters are looked at to find UTF-32 without a byte order mark, and how many they are at least.
const LOOKED_AT: usize = 1_024;
const FEWEST: usize = 2;

/// The order of the bytes of a character.
#[derive(Clone, Copy)]
pub(super) enum Order {
    Little,
    Big,
}

impl Order {
    /// Finds the order by a byte order mark, or else by the zero bytes of characters that are text; nothing for what is
    /// no UTF-32.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(&[0xFF, 0xFE, 0, 0]) {
            Some(Self::Little)
        } else if bytes.starts_with(&[0, 0, 0xFE, 0xFF]) {
            Some(Self::Big)
        } else {
            let orders = [Self::Little, Self::Big];
            orders.into_iter().find(|order| order.fits(bytes))
        }
    }

    /// Returns whether the beginning of `bytes` is text in this order, most of it in the first plane of Unicode. Other
    /// bytes hardly ever are: half of them would have to be zeros at the right places.
    fn fits(self, bytes: &[u8]) -> bool {
        let characters = self.characters(bytes).take(LOOKED_AT);
        let Some(text) = characters.collect::<Option<String>>() else {
            return false;
        };
        let is_control = |letter: char| u8::try_from(letter).is_ok_and(is_stray_control);
        let all = text.chars().count();
        let usual = text.chars().filter(|&letter| letter <= '\u{FFFF}').count();
        all >= FEWEST
            && usual * 2 > all
            && !text
                .chars()
                .any(|letter| letter == '\0' || is_control(letter))
            && is_of_few_scripts(&text)
    }

    /// Returns the characters, or nothing for each that is none.
    fn characters(self, bytes: &[u8]) -> impl Iterator<Item = Option<char>> {
        bytes.chunks_exact(4).map(move |unit| {
            let unit = [unit[0], unit[1], unit[2], unit[3]];
            char::from_u32(match self {
                Self::Little => u32::from_le_bytes(unit),
                Self::Big => u32::from_be_bytes(unit),
            })
        })
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Little => "UTF-32LE",
            Self::Big => "UTF-32BE",
        }
    }
}

/// Decodes UTF-32 in an order; a part of a character at the end is not text.
pub(super) fn decode(bytes: &[u8], order: Order) -> Result<Decoded, &'static str> {
    if !bytes.chunks_exact(4).remainder().is_empty() {
        return Err(NOT_TEXT);
    }
    let mut malformed = 0;
    let characters = order.characters(bytes).map(|character| {
        malformed += usize::from(character.is_none());
        character.unwrap_or(REPLACEMENT)
    });
    let text: String = characters.collect();
    if malformed > 0 && malformed * 10 > bytes.len() / 4 {
        return Err(NOT_TEXT);
    }
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    settled(text.into(), order.name(), malformed)
}

#[cfg(test)]
mod tests {
    use super::super::{check, decode, guess};

    type Unit = fn(u32) -> [u8; 4];

    fn bytes(text: &str, bytes: Unit) -> Vec<u8> {
        text.chars().map(u32::from).flat_map(bytes).collect()
    }

    #[test]
    fn utf32_is_read_with_and_without_a_mark() {
        let orders: [(Unit, &str); 2] = [
            (u32::to_le_bytes, "UTF-32LE"),
            (u32::to_be_bytes, "UTF-32BE"),
        ];
        for text in [
            "hi",
            "première,1\r\nÅ,2\r\n",
            "Табель за май 2024",
            "日本語の文書",
            "猫と犬 🐈",
        ] {
            for marked in [format!("\u{FEFF}{text}"), text.to_owned()] {
                for (order, name) in orders {
                    let bytes = bytes(&marked, order);
                    let decoded = decode(&bytes).unwrap();
                    assert_eq!((decoded.text.as_str(), decoded.encoding), (text, name));
                    assert_eq!(decoded.replaced, 0);
                    assert!(check(&bytes).is_ok());
                    assert!(guess(&bytes).unwrap_err().contains("UTF-32"));
                }
            }
        }
    }

    #[test]
    fn what_is_no_character_is_replaced() {
        let mut malformed = bytes("\u{FEFF}abcdefghijkl", u32::to_le_bytes);
        malformed[8..12].copy_from_slice(&0xD800_u32.to_le_bytes());
        let decoded = decode(&malformed).unwrap();
        let expected = ("a\u{FFFD}cdefghijkl", 1);
        assert_eq!((decoded.text.as_str(), decoded.replaced), expected);
        // Behind a mark, too, bytes may be no text.
        malformed[4..20].fill(0xFF);
        assert!(decode(&malformed).is_err());
    }

    #[test]
    fn numbers_of_four_bytes_are_no_text() {
        let numbers: Vec<u8> = (1..400_u32).flat_map(u32::to_le_bytes).collect();
        assert!(decode(&numbers).is_err());
        let numbers: Vec<u8> = (1..400_u32)
            .flat_map(|at| (at * 777).to_be_bytes())
            .collect();
        assert!(decode(&numbers).is_err());
        assert!(decode(b"\0\0\0a").is_err());
        assert!(decode(b"\xFF\xFE\0\0a\0\0\0b").is_err());
    }
}
