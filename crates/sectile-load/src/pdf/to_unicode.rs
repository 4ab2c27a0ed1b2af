//! What the codes of a font stand for by a `ToUnicode` map that is not as it should be (ISO 32000-2, 9.10.3).
//!
//! The font crate drops a map whole of which an entry is not valid. Here the other entries hold. Letters outside of the
//! first plane of Unicode that are written as their numbers, and not in UTF-16, are read, too.

use std::collections::BTreeMap;

use hayro_cmap::CMap;
use hayro_syntax::object::dict::keys::TO_UNICODE;
use hayro_syntax::object::{Dict, Stream};

/// A map.
#[derive(Default)]
pub(super) struct ToUnicode {
    /// By their first codes.
    ranges: BTreeMap<u32, Range>,
    /// Whether letters are written as their numbers.
    has_numbers: bool,
}

/// Codes that follow each other, and so do the letters that they stand for.
struct Range {
    last: u32,
    /// What the first code stands for, in UTF-16.
    units: Vec<u16>,
}

impl ToUnicode {
    /// Reads the map of a font, if it is not valid as a whole or has letters that are written as their numbers.
    pub(super) fn of_font(font: &Dict<'_>) -> Option<Self> {
        let map = font.get::<Stream<'_>>(TO_UNICODE)?.decoded_data().ok()?;
        let is_valid = CMap::parse(&map, hayro_cmap::load_embedded).is_some();
        let is_of_use = |own: &Self| !is_valid || own.has_numbers;
        let own = (!is_valid || may_have_numbers(&map)).then(|| Self::valid_entries(&map));
        own.filter(is_of_use)
    }

    fn valid_entries(map: &[u8]) -> Self {
        let mut entries = Self::default();
        let mut tokens = Tokens(map);
        while let Some(token) = tokens.next() {
            match token {
                Token::Word(b"beginbfchar") => entries.add_chars(&mut tokens),
                Token::Word(b"beginbfrange") => entries.add_ranges(&mut tokens),
                _ => {}
            }
        }
        entries
    }

    /// Returns what a code stands for: nothing where another glyph stands for the letters of several.
    pub(super) fn letters(&self, code: u32) -> Option<String> {
        let (first, range) = self.ranges.range(..=code).next_back()?;
        let offset = (code <= range.last).then(|| code - first)?;
        let mut units = range.units.clone();
        if let Some(last) = units.last_mut() {
            *last = last.checked_add(u16::try_from(offset).ok()?)?;
        }
        String::from_utf16(&units).ok()
    }

    fn add_chars(&mut self, tokens: &mut Tokens<'_>) {
        while let Some(code) = tokens.operand()
            && let Some(text) = tokens.operand()
        {
            self.add(number(&code), number(&code), &text);
        }
    }

    fn add_ranges(&mut self, tokens: &mut Tokens<'_>) {
        while let Some(first) = tokens.operand()
            && let Some(last) = tokens.operand()
            && let Some(text) = tokens.next()
        {
            let first = number(&first);
            match text {
                Token::Text(text) => self.add(first, number(&last), &text),
                Token::Open => {
                    let mut code = first;
                    while let Some(text) = tokens.operand() {
                        self.add(code, code, &text);
                        code = code.and_then(|code| code.checked_add(1));
                    }
                }
                Token::Close | Token::Word(_) => {}
            }
        }
    }

    fn add(&mut self, first: Option<u32>, last: Option<u32>, text: &[u8]) {
        let Some((first, last)) = first.zip(last) else {
            return;
        };
        let unit = |bytes: &[u8]| {
            let bytes = bytes.iter().map(|&byte| u16::from(byte));
            bytes.fold(0, |unit, byte| (unit << 8) | byte)
        };
        // Where a byte is missing, it is the first.
        let units = match letter_of_number(text) {
            Some(letter) => {
                self.has_numbers = true;
                letter.encode_utf16(&mut [0; 2]).to_vec()
            }
            None => text.rchunks(2).rev().map(unit).collect(),
        };
        self.ranges.insert(first, Range { last, units });
    }
}

/// Returns whether a text of a map may be the number of a letter, by the count of its digits and the first of them.
fn may_have_numbers(map: &[u8]) -> bool {
    /// With blanks among its digits, a text is looked at no further.
    const MAX_TEXT: usize = 16;
    memchr::memchr_iter(b'<', map).any(|at| {
        let text = map[at + 1..].iter().take(MAX_TEXT);
        let text = text.take_while(|&&byte| byte != b'>');
        let mut digits = text.filter(|byte| byte.is_ascii_hexdigit());
        let zeros = digits
            .by_ref()
            .take(3)
            .filter(|&&digit| digit == b'0')
            .count();
        let others = digits.count();
        matches!(others, 2 | 3) || others == 5 && zeros == 3
    })
}

/// Returns the letter whose number a text is: in three bytes, or in four of which the first two would be a control character
/// that no text has.
fn letter_of_number(text: &[u8]) -> Option<char> {
    let number = match *text {
        [plane, high, low] => u32::from_be_bytes([0, plane, high, low]),
        [0, 1..=3 | 14, ..] if text.len() == 4 => number(text)?,
        _ => return None,
    };
    char::from_u32(number)
}

/// Returns the number that a code is.
fn number(code: &[u8]) -> Option<u32> {
    let bytes = code.iter().map(|&byte| u32::from(byte));
    (1..=4)
        .contains(&code.len())
        .then(|| bytes.fold(0, |number, byte| (number << 8) | byte))
}

/// What a map is written in.
enum Token<'m> {
    Text(Vec<u8>),
    Open,
    Close,
    /// A name, number or operator.
    Word(&'m [u8]),
}

/// The tokens of the rest of a map.
struct Tokens<'m>(&'m [u8]);

impl<'m> Tokens<'m> {
    /// Returns what an operator is applied to, if that is next: a text, which is empty where a name stands in its
    /// place.
    fn operand(&mut self) -> Option<Vec<u8>> {
        match self.next()? {
            Token::Text(text) => Some(text),
            Token::Word(word) => word.starts_with(b"/").then(Vec::new),
            Token::Open | Token::Close => None,
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            self.take_while(|byte| byte.is_ascii_whitespace() || byte == 0);
            if !self.0.starts_with(b"%") {
                return;
            }
            self.take_while(|byte| !matches!(byte, b'\r' | b'\n'));
        }
    }

    /// Takes the first bytes for which something holds.
    fn take_while(&mut self, is: impl Fn(u8) -> bool) -> &'m [u8] {
        let end = self.0.iter().position(|byte| !is(*byte));
        self.take(end.unwrap_or(self.0.len()))
    }

    fn take(&mut self, count: usize) -> &'m [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }
}

impl<'m> Iterator for Tokens<'m> {
    type Item = Token<'m>;

    fn next(&mut self) -> Option<Token<'m>> {
        self.skip_blanks();
        let is_in_word = |byte: u8| !byte.is_ascii_whitespace() && !b"<>[]/%".contains(&byte);
        let all = self.0;
        match self.take(1).first()? {
            b'<' if !self.0.starts_with(b"<") => {
                let text = bytes(self.take_while(|byte| byte != b'>'));
                self.take(1);
                Some(Token::Text(text))
            }
            b'[' => Some(Token::Open),
            b']' => Some(Token::Close),
            _ => {
                let length = 1 + self.take_while(is_in_word).len();
                Some(Token::Word(&all[..length]))
            }
        }
    }
}

/// Decodes a text that is written in hexadecimal digits. Where one is missing it is the last, but of the number of a letter,
/// in five digits, the first.
fn bytes(digits: &[u8]) -> Vec<u8> {
    let digits = digits
        .iter()
        .filter_map(|&digit| char::from(digit).to_digit(16));
    let mut digits: Vec<u8> = digits.map(|digit| digit as u8).collect();
    if digits.len() == 5 {
        digits.insert(0, 0);
    }
    let pairs = digits.chunks(2);
    let byte = |pair: &[u8]| (pair[0] << 4) | pair.get(1).copied().unwrap_or(0);
    pairs.map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_may_be_written_as_its_number() {
        let map = b"5 beginbfchar <01> <1F600> <02> <01F601> <03> <0001F602> <04> <D83DDE03> <05> <00090041> endbfchar\n\
                    1 beginbfrange <10> <12> <1F4D6> endbfrange";
        let map = ToUnicode::valid_entries(map);
        assert!(map.has_numbers);
        let expected = [
            (0x01, "😀"),
            (0x02, "😁"),
            (0x03, "😂"),
            (0x04, "😃"),
            (0x05, "\tA"),
            (0x10, "📖"),
            (0x12, "📘"),
        ];
        for (code, letters) in expected {
            assert_eq!(map.letters(code).as_deref(), Some(letters), "{code:x}");
        }
        assert!(!ToUnicode::valid_entries(b"1 beginbfchar <01> <0041> endbfchar").has_numbers);
    }

    #[test]
    fn most_maps_are_told_by_the_lengths_of_their_texts() {
        for text in ["1F600", "01F601", "0001F602", "000e0041", "01 f6 01"] {
            let map = format!("1 beginbfchar <01> <{text}> endbfchar");
            assert!(may_have_numbers(map.as_bytes()), "{text}");
        }
        for text in ["41", "0041", "D83DDE03", "00410042", "004100420043"] {
            let map = format!(
                "1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <01> <{text}> endbfchar"
            );
            assert!(!may_have_numbers(map.as_bytes()), "{text}");
        }
    }

    #[test]
    fn an_entry_that_is_not_valid_costs_no_other() {
        let map = b"<< /Registry (Adobe) >> 1 begincodespacerange <00> <ffff> endcodespacerange\n\
                    6 beginbfchar <01> <0061> <02> <> <03> /b <0000000004> <0064> <05> <65> <06> <D800> endbfchar\n\
                    % 1 beginbfchar <07> <0067> endbfchar\n\
                    3 beginbfrange <10> <12> <0041> <20> <22> [<0061> <> <00660069>] <30> <31> <FFFF>\nendbfrange";
        assert!(CMap::parse(map, hayro_cmap::load_embedded).is_none());
        let map = ToUnicode::valid_entries(map);
        let found = |code: u32| map.letters(code);
        let expected = [
            (0x01, Some("a")),
            (0x02, Some("")),
            (0x03, Some("")),
            (0x04, None),
            (0x05, Some("e")),
            (0x06, None),
            (0x07, None),
            (0x10, Some("A")),
            (0x12, Some("C")),
            (0x13, None),
            (0x20, Some("a")),
            (0x21, Some("")),
            (0x22, Some("fi")),
            (0x30, Some("\u{ffff}")),
            (0x31, None),
        ];
        for (code, letters) in expected {
            assert_eq!(found(code).as_deref(), letters, "{code:x}");
        }
    }
}
