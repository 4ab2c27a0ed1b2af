//! The percent encoding of URIs.

use std::borrow::Cow;

/// Decodes the bytes of a URI that are written as `%` with two hexadecimal digits, as section 2.1 of RFC 3986 defines.
/// A `%` that begins no such byte stays. Bytes that are not UTF-8 become U+FFFD.
///
/// ```
/// use sectile_core::percent_decoded;
///
/// assert_eq!(percent_decoded("a%20b/caf%c3%A9.md"), "a b/café.md");
/// assert_eq!(percent_decoded("100%"), "100%");
/// ```
pub fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = (*first == b'%').then(|| escaped(after)).flatten();
        let (byte, after) = escaped.unwrap_or((*first, after));
        decoded.push(byte);
        rest = after;
    }
    Cow::Owned(String::from_utf8_lossy(&decoded).into_owned())
}

/// Reads the two digits of a byte, and returns what follows them.
fn escaped(digits: &[u8]) -> Option<(u8, &[u8])> {
    let (digits, after) = digits.split_at_checked(2)?;
    // The parser of numbers also takes a sign.
    let are_digits = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| are_digits)?;
    Some((u8::from_str_radix(digits, 16).ok()?, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_decoded() {
        for (text, decoded) in [
            ("", ""),
            ("a+b", "a+b"),
            ("%41%2f%2F", "A//"),
            ("%E4%BF%A1", "信"),
            ("%25%34%31", "%41"),
            ("%2541", "%41"),
            ("ü%20ü", "ü ü"),
            ("%FF!", "\u{FFFD}!"),
        ] {
            assert_eq!(percent_decoded(text), decoded, "{text}");
        }
    }

    #[test]
    fn other_percent_signs_stay() {
        for text in [
            "%", "%4", "100%", "%%", "%zz", "%4z", "%+5", "%-1", "% 4", "%é", "%ü1",
        ] {
            assert_eq!(percent_decoded(text), text);
        }
        assert_eq!(percent_decoded("%%41%"), "%A%");
    }
}
