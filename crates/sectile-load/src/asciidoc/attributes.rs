//! The attributes of AsciiDoc: names that stand for text.

use std::collections::HashMap;

/// The longest value that is kept: attributes of attributes can stand for gigabytes.
const MAX_VALUE: usize = 4_000;

/// Attributes that every document has.
const USUAL: [(&str, &str); 28] = [
    ("amp", "&"),
    ("apos", "'"),
    ("asterisk", "*"),
    ("backslash", "\\"),
    ("backtick", "`"),
    ("blank", ""),
    ("caret", "^"),
    ("cpp", "C++"),
    ("deg", "°"),
    ("empty", ""),
    ("gt", ">"),
    ("ldquo", "“"),
    ("lsquo", "‘"),
    ("lt", "<"),
    ("nbsp", " "),
    ("plus", "+"),
    ("quot", "\""),
    ("rdquo", "”"),
    ("rsquo", "’"),
    ("sp", " "),
    ("startsb", "["),
    ("endsb", "]"),
    ("tilde", "~"),
    ("two-colons", "::"),
    ("two-semicolons", ";;"),
    ("vbar", "|"),
    ("wj", ""),
    ("zwsp", ""),
];

/// The attributes that are set so far.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    values: HashMap<String, String>,
}

impl Attributes {
    /// Sets an attribute, or takes it away where its name has an exclamation mark.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let bare = name.trim_matches('!').to_lowercase();
        if bare.len() == name.len() {
            let value = self.resolve(value.trim());
            self.values.insert(bare, value);
        } else {
            self.values.remove(&bare);
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Puts the values of attributes into a text; a name that is not set stays.
    pub(super) fn resolve(&self, text: &str) -> String {
        let mut resolved = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            resolved.push_str(&rest[..at]);
            rest = &rest[at..];
            let reference = self.reference(rest);
            let (value, length) = reference.unwrap_or(("{", 1));
            resolved.push_str(value);
            rest = &rest[length..];
            if resolved.len() > MAX_VALUE {
                resolved.truncate(resolved.floor_char_boundary(MAX_VALUE));
                return resolved;
            }
        }
        resolved.push_str(rest);
        resolved
    }

    /// Returns the value of the reference that a text begins with, and the reference's length.
    fn reference(&self, text: &str) -> Option<(&str, usize)> {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let length = text.bytes().skip(1).take_while(is_name).count();
        let name = text[1..=length].to_lowercase();
        let usual = || USUAL.iter().find(|(usual, _)| *usual == name);
        let value = self.get(&name).or_else(|| usual().map(|(_, value)| *value));
        let is_closed = text.as_bytes().get(length + 1) == Some(&b'}');
        value.filter(|_| is_closed).map(|value| (value, length + 2))
    }
}

/// Returns the name and the value, if a line sets an attribute.
pub(super) fn entry(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix(':')?.split_once(':')?;
    let is_start = |char: char| char.is_alphanumeric() || matches!(char, '_' | '!');
    let is_entry =
        name.starts_with(is_start) && (value.is_empty() || value.starts_with([' ', '\t']));
    is_entry.then_some((name, value.trim()))
}
