//! From the bytes of a page to its text.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Within how many bytes a web page names its encoding, as browsers look for it.
const PRESCANNED: usize = 1_024;

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Converts bytes to UTF-8 if their encoding is declared: by a byte order mark, by the content type or, in a web page,
/// by the page itself. A byte order mark overrules the declaration of the page. Many servers send everything as
/// ISO-8859-1: what is UTF-8 is read as UTF-8. Without a declaration, the bytes stay as they are, and the loader guesses
/// the encoding.
pub(crate) fn unified(bytes: Vec<u8>, content_type: &str, is_html: bool) -> Vec<u8> {
    let (of_page, is_marked) = match Encoding::for_bom(&bytes) {
        Some((encoding, _)) => (Some(encoding), true),
        None => (declared(&bytes).filter(|_| is_html), false),
    };
    let encoding = of_page.filter(|_| is_marked);
    let encoding = encoding.or_else(|| charset(content_type)).or(of_page);
    let is_ascii = bytes.is_ascii();
    let is_utf_8 = || std::str::from_utf8(&bytes).is_ok();
    let encoding = match encoding {
        Some(encoding) if encoding == WINDOWS_1252 && !is_ascii && is_utf_8() => Some(UTF_8),
        encoding => encoding,
    };
    match encoding {
        // Of a page that says so itself, everybody knows; of what is not UTF-8, someone else may know better.
        Some(encoding) if encoding == UTF_8 => {
            let is_known = is_marked || of_page.is_none_or(|of_page| of_page == UTF_8);
            if is_known || !is_utf_8() {
                bytes
            } else {
                [MARK, &bytes].concat()
            }
        }
        Some(encoding) => [MARK, encoding.decode(&bytes).0.as_bytes()].concat(),
        None => bytes,
    }
}

/// Decodes bytes by their byte order mark, or as UTF-8. The mark is not part of the text.
pub(crate) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    UTF_8.decode(bytes).0
}

/// Returns the encoding that a content type names.
fn charset(content_type: &str) -> Option<&'static Encoding> {
    let parameters = content_type.split(';').skip(1);
    let value = parameters.into_iter().find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        is_charset.then(|| value.trim().trim_matches(['"', '\'']))
    });
    Encoding::for_label_no_replacement(value?.as_bytes())
}

/// Returns the encoding that a web page names in a `meta` element.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let beginning = &bytes[..bytes.len().min(PRESCANNED)];
    let text = String::from_utf8_lossy(beginning).to_ascii_lowercase();
    let elements = text.split("<meta").skip(1);
    let encoding = elements.into_iter().find_map(|element| {
        let element = element.split('>').next()?;
        let (_, value) = element.split_once("charset")?;
        let value = value.trim_start().strip_prefix('=')?.trim_start();
        let value = value.trim_start_matches(['"', '\'']);
        let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '/' | '>');
        Encoding::for_label_no_replacement(value.split(is_end).next()?.as_bytes())
    })?;
    // What is found in bytes is not in units of two.
    Some(encoding.output_encoding())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], content_type: &str, expected: &[u8]) {
        let is_html = content_type.starts_with("text/html");
        let unified = unified(bytes.to_vec(), content_type, is_html);
        let shown = String::from_utf8_lossy(&unified);
        assert_eq!(unified, expected, "{content_type}: {shown}");
    }

    #[test]
    fn the_content_type_says_what_bytes_mean() {
        let marked = "\u{FEFF}caf\u{e9}".as_bytes();
        check(b"caf\xe9", "text/plain; charset=ISO-8859-1", marked);
        check(b"caf\xe9", "text/plain; Charset=\"latin1\"; x=y", marked);
        check(b"caf\x8e", "text/plain; charset=macintosh", marked);
        for unknown in ["unheard-of", "iso-2022-kr"] {
            let content_type = format!("text/plain; charset={unknown}");
            check(b"caf\xe9", &content_type, b"caf\xe9");
        }
        check(b"caf\xe9", "text/plain", b"caf\xe9");
        // A mark goes before it, and a server that is wrong of UTF-8 says nothing.
        check(marked, "text/plain; charset=ISO-8859-1", marked);
        check(b"caf\xe9", "text/plain; charset=utf-8", b"caf\xe9");
        check(
            "caf\u{e9}".as_bytes(),
            "text/plain; charset=utf-8",
            "caf\u{e9}".as_bytes(),
        );
        check(b"\xff\xfea\0b\0", "text/plain", "\u{FEFF}ab".as_bytes());
    }

    #[test]
    fn what_is_utf_8_is_not_read_as_the_default_of_a_server() {
        let page = "<meta charset=utf-8>caf\u{e9} \u{2013} \u{436}".as_bytes();
        check(page, "text/html; charset=ISO-8859-1", page);
        let silent = "caf\u{e9}".as_bytes();
        check(silent, "text/plain; charset=ISO-8859-1", silent);
        let wrong = "<meta charset=latin1>caf\u{e9}".as_bytes();
        let marked = [MARK, wrong].concat();
        check(wrong, "text/html; charset=ISO-8859-1", &marked);
        // Other encodings are no defaults.
        let named = "caf\u{e9}".as_bytes();
        let expected = "\u{FEFF}caf\u{413}\u{a9}".as_bytes();
        check(named, "text/plain; charset=windows-1251", expected);
    }

    #[test]
    fn a_web_page_says_what_its_bytes_mean_where_its_server_does_not() {
        let page = |bytes: &[u8]| [b"<meta charset='windows-1251'>", bytes].concat();
        let decoded = |letter: &str| page(letter.as_bytes());
        let marked = |letter: &str| [MARK, &decoded(letter)].concat();
        check(&page(b"\xe6"), "text/html", &marked("\u{436}"));
        check(
            &page(b"\xe6"),
            "text/html; charset=latin1",
            &marked("\u{e6}"),
        );
        check(
            &decoded("\u{436}"),
            "text/html; charset=utf-8",
            &marked("\u{436}"),
        );
        check(&page(b"\xe6"), "text/plain", &page(b"\xe6"));
        let old = b"<META http-equiv=content-type content=\"text/html; charset=koi8-r\">\xd6";
        let shown = unified(old.to_vec(), "text/html", true);
        assert!(String::from_utf8(shown).unwrap().ends_with('\u{436}'));
    }
}
