//! Content streams with damage: where an instruction ends that can be read, and what can be read of the next.

use hayro_syntax::content::UntypedIter;
use hayro_syntax::object::Object;

/// What is put behind a content stream: where it is read as an operator, all before it was read.
pub(super) const END: &[u8] = b"endOfContent";

/// How far an operator within a list looks for the end of the list, in bytes.
const MAX_LOOK: usize = 200;

/// How long a text is at most, in bytes, and after how many that nothing closes an instruction ends.
const MAX_TEXT: usize = 65_536;
const MAX_UNCLOSED: usize = 100;

/// The operators of content streams (ISO 32000-2, annex A).
#[rustfmt::skip]
const OPERATORS: &[&str] = &[
    "b", "B", "b*", "B*", "BDC", "BI", "BMC", "BT", "BX", "c", "cm", "CS", "cs", "d", "d0", "d1", "Do", "DP", "EI",
    "EMC", "ET", "EX", "f", "F", "f*", "G", "g", "gs", "h", "i", "ID", "j", "J", "K", "k", "l", "m", "M", "MP", "n",
    "q", "Q", "re", "RG", "rg", "ri", "s", "S", "SC", "sc", "SCN", "scn", "sh", "T*", "Tc", "Td", "TD", "Tf", "Tj",
    "TJ", "TL", "Tm", "Tr", "Ts", "Tw", "Tz", "v", "w", "W", "W*", "y", "'", "\"",
];

/// Puts [`END`] behind a content stream.
pub(super) fn ended(content: &[u8]) -> Vec<u8> {
    [content, b"\n", END].concat()
}

/// Returns where the first `count` instructions of some content end.
pub(super) fn end_of(content: &[u8], count: usize) -> usize {
    let place = |part: &[u8]| {
        let at = (part.as_ptr() as usize).checked_sub(content.as_ptr() as usize)?;
        Some(at + part.len()).filter(|end| *end <= content.len())
    };
    let mut instructions = UntypedIter::new(content);
    let mut end = 0;
    for _ in 0..count {
        let Some(instruction) = instructions.next() else {
            break;
        };
        // The data of a picture stand behind their operator.
        let picture = match instruction.operands().last() {
            Some(Object::Stream(picture)) => place(&picture.raw_data()).map(|end| end + 2),
            _ => None,
        };
        let last = picture.or_else(|| place(instruction.operator));
        end = last.map_or(end, |last| end.max(last.min(content.len())));
    }
    end
}

/// What could be read of a damaged instruction.
pub(super) struct Mended {
    pub(super) instruction: Vec<u8>,
    /// Where the next one begins.
    pub(super) end: usize,
    /// How many bytes were looked at for the ends of texts that nothing closes.
    pub(super) looked_at: usize,
}

/// Returns what can be read of the instruction that some content begins with.
///
/// Texts and numbers are kept, and signs that nothing opens or closes are left out. A list that nothing closes ends
/// before the next operator; if it holds texts, these are shown.
pub(super) fn mended(content: &[u8]) -> Mended {
    let mut instruction = Instruction::default();
    let (mut at, mut unclosed) = (0, 0);
    let mut operator = &b""[..];
    while let Some((token, end)) = next(content, at) {
        let bytes = &content[at..end];
        at = end;
        match token {
            Token::Blank | Token::Stray => {
                unclosed += usize::from(bytes == b"(");
                if unclosed > MAX_UNCLOSED {
                    break;
                }
            }
            Token::Text => instruction.text(bytes),
            Token::Hex => {
                let digits = bytes.iter().filter(|byte| byte.is_ascii_hexdigit());
                let digits: Vec<u8> = digits.copied().collect();
                instruction.text(&[&b"<"[..], &digits, b">"].concat());
            }
            Token::Name => instruction.push(bytes),
            Token::Open => instruction.open(),
            Token::Close => instruction.close(),
            Token::OpenDictionary => instruction.open_dictionary(),
            Token::CloseDictionary => instruction.close_dictionary(),
            Token::Word if is_operator(bytes) => {
                if !(instruction.is_list && bytes != b"TJ" && is_in_list(&content[end..])) {
                    operator = bytes;
                    break;
                }
            }
            Token::Word => instruction.number(bytes),
        }
    }
    Mended {
        instruction: instruction.end(operator),
        end: at,
        looked_at: unclosed * content.len().min(MAX_TEXT),
    }
}

fn is_operator(word: &[u8]) -> bool {
    OPERATORS.iter().any(|operator| operator.as_bytes() == word)
}

/// Returns whether a list ends before another begins, and before another text object does.
fn is_in_list(rest: &[u8]) -> bool {
    let rest = &rest[..rest.len().min(MAX_LOOK)];
    let mut at = 0;
    while let Some((token, end)) = next(rest, at) {
        let word = &rest[at..end];
        match token {
            Token::Close => return true,
            Token::Open => return false,
            Token::Word if [&b"BT"[..], b"ET", b"TJ", b"Tj"].contains(&word) => return false,
            _ => at = end,
        }
    }
    false
}

/// What content consists of.
enum Token {
    /// White space, or a comment.
    Blank,
    /// What nothing opens or closes.
    Stray,
    Text,
    /// A text in hexadecimal digits, some of which may be none.
    Hex,
    Name,
    Open,
    Close,
    OpenDictionary,
    CloseDictionary,
    /// A number or an operator.
    Word,
}

/// Returns the token at a place, and where it ends.
fn next(content: &[u8], at: usize) -> Option<(Token, usize)> {
    let rest = &content[at..];
    let (token, length) = match rest {
        [] => return None,
        [b'(', ..] => match text(rest) {
            Some(length) => (Token::Text, length),
            None => (Token::Stray, 1),
        },
        [b'<', b'<', ..] => (Token::OpenDictionary, 2),
        [b'>', b'>', ..] => (Token::CloseDictionary, 2),
        [b'<', ..] => match hex(rest) {
            Some(length) => (Token::Hex, length),
            None => (Token::Stray, 1),
        },
        [b'[', ..] => (Token::Open, 1),
        [b']', ..] => (Token::Close, 1),
        [b')' | b'>' | b'{' | b'}', ..] => (Token::Stray, 1),
        [b'%', ..] => (
            Token::Blank,
            length_of(rest, |byte| !b"\r\n".contains(&byte)),
        ),
        [b'/', name @ ..] => (Token::Name, 1 + length_of(name, is_regular)),
        [first, ..] if is_regular(*first) => (Token::Word, length_of(rest, is_regular)),
        _ => (Token::Blank, 1),
    };
    Some((token, at + length))
}

fn length_of(bytes: &[u8], is_part: impl Fn(u8) -> bool) -> usize {
    let end = bytes.iter().position(|byte| !is_part(*byte));
    end.unwrap_or(bytes.len())
}

/// Returns whether a byte is neither white space nor a sign that parts words.
fn is_regular(byte: u8) -> bool {
    !b"\0\t\n\x0c\r ()<>[]{}/%".contains(&byte)
}

/// Returns how long the text in brackets is that begins here, unless nothing closes it.
fn text(rest: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut bytes = rest.iter().enumerate().take(MAX_TEXT);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
            }
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns how long the text in digits is that begins here, unless another sign comes before its end.
fn hex(rest: &[u8]) -> Option<usize> {
    let end = rest[1..]
        .iter()
        .position(|byte| b"<>()[]{}/%".contains(byte))?
        + 1;
    (rest[end] == b'>').then_some(end + 1)
}

/// An instruction that is put together again.
#[derive(Default)]
struct Instruction {
    bytes: Vec<u8>,
    /// Whether a list is open, whether there is one at all, and whether the last one holds texts.
    is_list: bool,
    has_list: bool,
    has_texts: bool,
    /// How many dictionaries are open.
    dictionaries: usize,
}

impl Instruction {
    fn push(&mut self, token: &[u8]) {
        self.bytes.extend_from_slice(token);
        self.bytes.push(b' ');
    }

    fn text(&mut self, text: &[u8]) {
        self.has_texts |= self.is_list;
        self.push(text);
    }

    /// Adds the number that a word begins with.
    fn number(&mut self, word: &[u8]) {
        let is_part = |byte: u8| byte.is_ascii_digit() || b"+-.".contains(&byte);
        let number = std::str::from_utf8(&word[..length_of(word, is_part)]);
        if let Ok(number) = number
            && number.parse::<f64>().is_ok()
        {
            self.push(number.as_bytes());
        }
    }

    fn open(&mut self) {
        if !std::mem::replace(&mut self.is_list, true) {
            self.has_list = true;
            self.has_texts = false;
            self.push(b"[");
        }
    }

    fn close(&mut self) {
        if std::mem::take(&mut self.is_list) {
            self.push(b"]");
        }
    }

    fn open_dictionary(&mut self) {
        self.dictionaries += 1;
        self.push(b"<<");
    }

    fn close_dictionary(&mut self) {
        if self.dictionaries > 0 {
            self.dictionaries -= 1;
            self.push(b">>");
        }
    }

    /// Ends with an operator, of which there may be none.
    fn end(mut self, operator: &[u8]) -> Vec<u8> {
        if self.is_list {
            self.close();
            if self.has_texts && operator != b"TJ" {
                self.push(b"TJ");
            }
        } else if operator == b"TJ" && !self.has_list {
            self.bytes = [&b"[ "[..], &self.bytes, b"] "].concat();
        }
        for _ in 0..self.dictionaries {
            self.push(b">>");
        }
        self.bytes.extend_from_slice(operator);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &str, expected: &str, rest: &str) {
        let mended = mended(content.as_bytes());
        let instruction = String::from_utf8(mended.instruction).unwrap();
        let found = (instruction.trim(), &content[mended.end..]);
        assert_eq!(found, (expected, rest));
    }

    #[test]
    fn what_can_be_read_of_an_instruction_is_kept() {
        check("[(a))-20(b)]TJ ET", "[ (a) -20 (b) ] TJ", " ET");
        check("[(a)>-20(b)]TJ ET", "[ (a) -20 (b) ] TJ", " ET");
        check("[<61G2>]TJ ET", "[ <612> ] TJ", " ET");
        check("[(a)-20Td(b)]TJ ET", "[ (a) -20 (b) ] TJ", " ET");
        check("[(a)[(b)-20(c)]TJ ET", "[ (a) (b) -20 (c) ] TJ", " ET");
        check("[(a)-20{(b)]TJ } ET", "[ (a) -20 (b) ] TJ", " } ET");
        check("[(a)-20 ET Q", "[ (a) -20 ] TJ ET", " Q");
        check("(open Tj ET", "Tj", " ET");
        check("(a)-20(b)]TJ ET", "[ (a) -20 (b) ] TJ", " ET");
        check("/P <</MCID 0 BDC q", "/P << /MCID 0 >> BDC", " q");
        check("1 2) 3", "1 2 3", "");
    }

    #[test]
    fn what_is_looked_at_for_the_ends_of_texts_is_counted() {
        let content = "(".repeat(100_000);
        let Mended { end, looked_at, .. } = mended(content.as_bytes());
        assert!(end > MAX_UNCLOSED && end < 1_000);
        assert_eq!(looked_at, end * MAX_TEXT);
        assert_eq!(mended(b"[(a))-20(b)]TJ").looked_at, 0);
    }

    #[test]
    fn instructions_end_behind_their_operators_and_pictures() {
        let content = b"q 1 0 0 1 2 3 cm BI /W 1 /H 1 /BPC 8 ID x EI Q )";
        let ends: Vec<&[u8]> = (0..4)
            .map(|count| &content[..end_of(content, count)])
            .collect();
        assert_eq!(ends[0], b"");
        assert_eq!(ends[1], b"q");
        assert!(ends[2].ends_with(b"cm"));
        assert!(ends[3].ends_with(b"EI"));
        assert!(content[..end_of(content, 9)].ends_with(b"Q"));
    }
}
