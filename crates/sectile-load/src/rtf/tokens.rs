//! The tokens of Rich Text Format.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// A control word and its number.
    Word(&'a str, Option<i32>),
    /// A control symbol.
    Symbol(u8),
    /// A byte that is written in hexadecimal.
    Byte(u8),
    Text(&'a [u8]),
}

/// The tokens of a file.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    fn control(&mut self) -> Option<Token<'a>> {
        self.take(1);
        let first = *self.rest.first()?;
        if first == b'\'' {
            self.take(1);
            let digits = std::str::from_utf8(self.rest.get(..2)?).ok();
            let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            // What is no number is left out, as Word does.
            if byte.is_some() {
                self.take(2);
            }
            return Some(byte.map_or(Token::Text(b""), Token::Byte));
        }
        if !first.is_ascii_alphabetic() {
            self.take(1);
            return Some(Token::Symbol(first));
        }
        let letters = self
            .rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic());
        let length = letters.count();
        let name = std::str::from_utf8(self.take(length)).unwrap_or_default();
        let number = self.number();
        if self.rest.first() == Some(&b' ') {
            self.take(1);
        }
        if name == "bin" {
            self.take(usize::try_from(number.unwrap_or(0)).unwrap_or(0));
        }
        Some(Token::Word(name, number))
    }

    fn number(&mut self) -> Option<i32> {
        let sign = usize::from(self.rest.first() == Some(&b'-'));
        let digits = self.rest.get(sign..).unwrap_or_default();
        let digits = digits
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if digits == 0 {
            return None;
        }
        let number = std::str::from_utf8(self.take(sign + digits)).ok()?;
        number.parse().ok()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        match *self.rest.first()? {
            b'{' => {
                self.take(1);
                Some(Token::Open)
            }
            b'}' => {
                self.take(1);
                Some(Token::Close)
            }
            b'\\' => self.control(),
            b'\r' | b'\n' | 0 => {
                self.take(1);
                Some(Token::Text(b""))
            }
            _ => {
                let is_text =
                    |byte: &&u8| !matches!(**byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0);
                let length = self.rest.iter().take_while(is_text).count();
                Some(Token::Text(self.take(length)))
            }
        }
    }
}
