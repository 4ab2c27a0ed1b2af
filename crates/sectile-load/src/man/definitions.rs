//! Escape sequences of roff, and the strings and number registers that they name.

use std::collections::HashMap;

use super::characters;

/// The longest value of a string that is kept, in bytes.
const MAX_VALUE: usize = 1_000;

/// How many bytes strings may add to a text beside as many as the file has.
const BESIDES: usize = 10_000;

/// The longest name of a string, a register or a character, in bytes.
const MAX_NAME: usize = 100;

/// Escapes whose arguments stand between two equal characters.
const DELIMITED: &str = "ABCDHLNRSXZbhlovwx";

/// Strings that the macro packages define.
const PREDEFINED: [(&str, &str); 26] = [
    ("lq", "“"),
    ("rq", "”"),
    ("Lq", "“"),
    ("Rq", "”"),
    ("``", "“"),
    ("''", "”"),
    ("q", "\""),
    ("Aq", "'"),
    ("aa", "´"),
    ("ga", "`"),
    ("R", "®"),
    ("Tm", "™"),
    ("Le", "≤"),
    ("<=", "≤"),
    ("Ge", "≥"),
    (">=", "≥"),
    ("Ne", "≠"),
    ("Lt", "<"),
    ("Gt", ">"),
    ("Pm", "±"),
    ("If", "∞"),
    ("Pi", "π"),
    ("Na", "NaN"),
    ("Ba", "|"),
    ("Am", "&"),
    ("Px", "POSIX"),
];

/// The strings and registers that are set so far.
#[derive(Debug)]
pub(super) struct Definitions {
    /// Strings with their values, without escapes.
    strings: HashMap<String, String>,
    registers: HashMap<String, i64>,
    /// How many bytes strings may still add to the text.
    budget: usize,
}

impl Definitions {
    /// Makes the definitions of a file of so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            strings: HashMap::new(),
            registers: HashMap::from([(".g".to_owned(), 1)]),
            budget: bytes + BESIDES,
        }
    }

    /// Sets a string from the arguments of `ds`: its name, and the rest of the line, which may begin with a
    /// quotation mark. Adds to it with `as`.
    pub(super) fn define(&mut self, arguments: &str, adds: bool) {
        let (name, value) = split_word(arguments);
        let value = self.plain(value.strip_prefix('"').unwrap_or(value));
        let own = self.strings.entry(name.to_owned()).or_default();
        if !adds {
            own.clear();
        }
        own.push_str(&value);
        own.truncate(own.floor_char_boundary(MAX_VALUE));
    }

    /// Sets a register to a value.
    pub(super) fn set_register(&mut self, name: &str, value: i64) {
        self.registers.insert(name.to_owned(), value);
    }

    /// Returns the value of a register, which is nought if it was never set.
    pub(super) fn register(&self, name: &str) -> i64 {
        self.registers.get(name).copied().unwrap_or_default()
    }

    /// Returns whether a string is set.
    pub(super) fn has_string(&self, name: &str) -> bool {
        self.strings.contains_key(name)
    }

    /// Returns whether a register is set.
    pub(super) fn has_register(&self, name: &str) -> bool {
        self.registers.contains_key(name)
    }

    /// Returns a text as a reader sees it, without escapes.
    pub(super) fn plain(&mut self, source: &str) -> String {
        let mut text = String::with_capacity(source.len());
        let mut rest = source;
        while let Some(at) = rest.find('\\') {
            text.push_str(&rest[..at]);
            rest = self.escape(&rest[at + 1..], &mut text);
        }
        text.push_str(rest);
        text
    }

    /// Writes what the escape behind a backslash shows, and returns what follows it.
    fn escape<'a>(&mut self, rest: &'a str, text: &mut String) -> &'a str {
        let Some(letter) = rest.chars().next() else {
            return rest;
        };
        let behind = &rest[letter.len_utf8()..];
        match letter {
            '(' | '[' => {
                let (name, behind) = named(rest);
                characters::push(name, text);
                return behind;
            }
            '*' => {
                let (name, behind) = named(behind);
                self.interpolate(name, text);
                return behind;
            }
            'n' => return self.count(behind, text),
            // Fonts, colours, marks and arguments of macros, whose names may be strings.
            'f' | 'F' | 'g' | 'k' | 'm' | 'M' | 'V' | 'Y' | '$' => {
                return named(behind.strip_prefix("\\*").unwrap_or(behind)).1;
            }
            's' => return behind_size(behind),
            '"' | '#' => return "",
            _ if DELIMITED.contains(letter) => {
                let (inner, behind) = delimited(behind);
                push_delimited(letter, inner, text);
                return behind;
            }
            ' ' | '~' | '0' => text.push(' '),
            't' => text.push('\t'),
            'e' => text.push('\\'),
            // What has no width, moves, or belongs to conditions.
            '&' | ')' | '%' | ':' | '/' | ',' | '|' | '^' | '{' | '}' | '!' | '?' | 'a' | 'c'
            | 'd' | 'p' | 'r' | 'u' | 'z' | 'E' | 'O' => {}
            _ => text.push(letter),
        }
        behind
    }

    /// Writes the value of a string, as long as there is room.
    fn interpolate(&mut self, name: &str, text: &mut String) {
        let name = split_word(name).0;
        let own = self.strings.get(name).map(String::as_str);
        let known = || PREDEFINED.iter().find(|(known, _)| *known == name);
        let value = own.or_else(|| known().map(|(_, value)| *value));
        let value = value.unwrap_or_default();
        if value.len() <= self.budget {
            self.budget -= value.len();
            text.push_str(value);
        }
    }

    /// Writes the value of a register, which a sign before its name changes first.
    fn count<'a>(&mut self, rest: &'a str, text: &mut String) -> &'a str {
        let unsigned = rest.trim_start_matches(['+', '-']);
        let (name, behind) = named(unsigned);
        let step = match &rest[..rest.len() - unsigned.len()] {
            "" => 0,
            "-" => -1,
            _ => 1,
        };
        let value = self.register(name).saturating_add(step);
        if step != 0 {
            self.set_register(name, value);
        }
        text.push_str(&value.to_string());
        behind
    }
}

/// Splits a text behind its first word and the white space after it.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches([' ', '\t']);
    let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    (word, rest.trim_start_matches([' ', '\t']))
}

/// Returns the name that a text begins with, and what follows: one character, two behind a parenthesis, or
/// any between brackets.
pub(super) fn named(text: &str) -> (&str, &str) {
    let from = |start: usize, chars: usize| {
        let taken = text[start..].chars().take(chars).map(char::len_utf8);
        let end = start + taken.sum::<usize>();
        (&text[start..end], &text[end..])
    };
    if text.starts_with('(') {
        return from(1, 2);
    }
    let near = &text[..text.floor_char_boundary(MAX_NAME)];
    match near.strip_prefix('[').and_then(|name| name.find(']')) {
        Some(end) => (&text[1..=end], &text[end + 2..]),
        None => from(0, 1),
    }
}

/// Returns what follows the size of a font.
fn behind_size(text: &str) -> &str {
    let unsigned = text.trim_start_matches(['+', '-']);
    let is_digit = |at: usize| unsigned.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    match unsigned.as_bytes().first() {
        Some(b'(' | b'[') => named(unsigned).1,
        Some(b'\'') => delimited(unsigned).1,
        // Sizes from 10 to 39 have two digits.
        Some(b'1'..=b'3') if unsigned.len() == text.len() && is_digit(1) => &unsigned[2..],
        Some(b'0'..=b'9') => &unsigned[1..],
        _ => unsigned,
    }
}

/// Returns what stands between a text's first character and the same further on, and what follows. Escapes
/// between them may have such arguments, too.
fn delimited(text: &str) -> (&str, &str) {
    let mut chars = text.char_indices();
    let Some((_, first)) = chars.next() else {
        return ("", "");
    };
    let mut ends = vec![first];
    while let Some((at, char)) = chars.next() {
        if ends.last() == Some(&char) {
            ends.pop();
            if ends.is_empty() {
                return (&text[first.len_utf8()..at], &text[at + char.len_utf8()..]);
            }
        } else if char == '\\'
            && let Some((_, letter)) = chars.next()
            && DELIMITED.contains(letter)
            && let Some((_, end)) = chars.next()
        {
            ends.push(end);
        }
    }
    ("", "")
}

/// Writes what an escape shows of its argument.
fn push_delimited(letter: char, inner: &str, text: &mut String) {
    match letter {
        'C' => characters::push(inner, text),
        'N' => characters::push_number(inner, text),
        'Z' | 'b' | 'o' if !inner.contains('\\') => text.push_str(inner),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        let mut definitions = Definitions::new(source.len());
        assert_eq!(definitions.plain(source), expected, "{source}");
    }

    #[test]
    fn fonts_sizes_and_motions_show_nothing() {
        check("\\fBname\\fPserver \\f(CWx\\f[B]y\\f[]z", "nameserver xyz");
        check("\\f\\*(FCx\\fR y", "x y");
        check("\\s-1UNIX\\s0 \\s10a\\s'12'b\\s[9]c", "UNIX abc");
        check(
            "a\\h'-\\w'xy'u'b\\v'.4m'c\\|d\\^e\\&f\\%g\\/h\\c",
            "abcdefgh",
        );
        check("\\h'open", "");
    }

    #[test]
    fn characters_are_shown() {
        check("\\-\\-all\\ x\\~y\\0z", "--all x y z");
        check("\\(lqa\\(rq \\[u00E9]\\('e \\N'65'\\C'bu'", "“a” éé A•");
        check("C:\\e\\.x \\\\y \\'s", "C:\\.x \\y 's");
        check("open \\[x", "open x");
        check("end \\", "end ");
        check("\\*(lqa\\*(rq\\*R\\*[none]", "“a”®");
    }

    #[test]
    fn strings_and_registers_are_those_of_the_file() {
        let mut definitions = Definitions::new(100);
        definitions.define("C` \"\"", false);
        definitions.define("X \\fBa\\fP", false);
        definitions.define("X b", true);
        assert_eq!(definitions.plain("\\*(C`\\*X\\*[X y]"), "\"abab");
        assert_eq!(definitions.plain("\\n+[s].\\n+(st\\ns"), "1.11");
    }

    #[test]
    fn strings_of_strings_end() {
        let mut definitions = Definitions::new(0);
        definitions.define("a xxxxxxxxxx", false);
        for _ in 0..100 {
            definitions.define("a \\*a\\*a", false);
        }
        assert!(definitions.plain(&"\\*a".repeat(1_000)).len() <= BESIDES);
    }
}
