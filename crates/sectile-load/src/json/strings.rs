//! Strings of JSON, as they read and as they are written again.

use std::borrow::Cow;

/// Returns what a string says, from its source with the quotes. U+0000 and halves of characters
/// become U+FFFD; escapes that JSON does not know stay as they are.
pub(super) fn decode(source: &str) -> String {
    let inner = source.get(1..source.len().saturating_sub(1)).unwrap_or("");
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        text.push_str(&rest[..at]);
        rest = escape(&rest[at + 1..], &mut text);
    }
    text.push_str(rest);
    text
}

/// Writes the character that an escape stands for and returns what follows.
fn escape<'a>(after: &'a str, text: &mut String) -> &'a str {
    let mut chars = after.chars();
    match chars.next() {
        Some('n') => text.push('\n'),
        Some('r') => text.push('\r'),
        Some('t') => text.push('\t'),
        Some('b') => text.push('\u{8}'),
        Some('f') => text.push('\u{c}'),
        Some(char @ ('"' | '\'' | '\\' | '/')) => text.push(char),
        // A line that goes on.
        Some('\n') => {}
        Some('u') => return unicode(chars.as_str(), text),
        Some(other) => text.extend(['\\', other]),
        None => text.push('\\'),
    }
    chars.as_str()
}

/// Writes the character of `\uXXXX`, or of two of them, and returns what follows.
fn unicode<'a>(after: &'a str, text: &mut String) -> &'a str {
    let Some(first) = unit(after) else {
        text.push_str("\\u");
        return after;
    };
    let rest = &after[4..];
    let second = rest.strip_prefix("\\u").and_then(unit);
    let pair = [first, second.unwrap_or(0)];
    match char::decode_utf16(pair).next() {
        Some(Ok('\0')) => text.push('\u{FFFD}'),
        Some(Ok(char)) => {
            text.push(char);
            return &rest[if char.len_utf16() == 2 { 6 } else { 0 }..];
        }
        _ => text.push('\u{FFFD}'),
    }
    rest
}

fn unit(text: &str) -> Option<u16> {
    let digits = text.get(..4)?;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| u16::from_str_radix(digits, 16).ok())?
}

/// Returns a string as it is written in a line: as it reads, or in quotes where it could be taken
/// for something else.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let is_bare = !text.is_empty()
        && text.trim() == text
        && !text.starts_with(['"', '\'', '[', '{', '#', '|', '-'])
        && !is_word(text)
        && !text.chars().any(char::is_control);
    if is_bare || text.starts_with("- ") {
        return text.into();
    }
    quoted(text).into()
}

/// Returns whether a text reads as a number or one of the words that are values.
fn is_word(text: &str) -> bool {
    matches!(text, "null" | "true" | "false") || text.parse::<f64>().is_ok()
}

/// Returns a string in quotes on one line. Control characters are spaces: the letter of an escape would be read as
/// one of the word behind it.
pub(super) fn quoted(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 2);
    written.push('"');
    for char in text.replace("\r\n", "\n").chars() {
        match char {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            other if other.is_control() => written.push(' '),
            other => written.push(other),
        }
    }
    written.push('"');
    written
}

/// Returns a key as it is written in a line.
pub(super) fn key(key: &str) -> Cow<'_, str> {
    let is_plain = !key.is_empty()
        && key.trim() == key
        && !key.contains(": ")
        && !key.starts_with(['#', '-', '>', '"', '+', '*', '|', '`', '~', '='])
        && !key.chars().any(char::is_control);
    if is_plain {
        key.into()
    } else {
        quoted(key).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read() {
        let check = |source, expected| assert_eq!(decode(source), expected);
        check(r#""a\n\t\"\\\/b""#, "a\n\t\"\\/b");
        check(r#""\u00e9\ud83d\ude00""#, "é😀");
        check(r#""\ud83d x\u0000\udc00""#, "\u{FFFD} x\u{FFFD}\u{FFFD}");
        check(r#""\ud83d\u0041""#, "\u{FFFD}A");
        check(r#""\q\u12\é""#, r"\q\u12\é");
    }

    #[test]
    fn what_could_be_something_else_keeps_its_quotes() {
        for text in ["", " a", "1", "-1.5e3", "true", "null", "[a", "# a", "a\tb"] {
            assert!(plain(text).starts_with('"'), "{text}");
        }
        for text in ["a", "1.2.3", "a: b", "it's", "2026-11-23"] {
            assert_eq!(plain(text), text);
        }
        assert_eq!(quoted("a\r\nb\tc\u{1f}\"\\"), r#""a b c \"\\""#);
        assert_eq!(key("a: b"), "\"a: b\"");
        assert_eq!(key("/users/{id}"), "/users/{id}");
    }
}
