//! The lines of vCard and iCalendar: a name, parameters and a value.

use encoding_rs::{Encoding, UTF_8};

/// The name of the parameter that a word without a name stands for.
const TYPE: &str = "TYPE";

/// A line without its folds.
#[derive(Debug, Default)]
pub(crate) struct ContentLine {
    /// What lines of a vCard that belong together begin with, such as `item1`, in capitals.
    pub(crate) group: String,
    /// The name in capitals, without its group.
    pub(crate) name: String,
    parameters: Vec<(String, String)>,
    /// The value as it is written, decoded from quoted-printable.
    pub(crate) value: String,
}

impl ContentLine {
    /// Returns the value of a parameter.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        let mut parameters = self.parameters.iter();
        let found = parameters.find(|(own, _)| own == name)?;
        Some(&found.1)
    }

    /// Returns all values of a parameter that has several.
    pub(crate) fn types(&self) -> impl Iterator<Item = &str> {
        let types = self.parameters.iter().filter(|(name, _)| name == TYPE);
        types.flat_map(|(_, value)| value.split(','))
    }

    /// Returns whether the value is not text.
    pub(crate) fn is_binary(&self) -> bool {
        let encoding = self.parameter("ENCODING").unwrap_or_default();
        let is_encoded = ["B", "BASE64"]
            .iter()
            .any(|name| encoding.eq_ignore_ascii_case(name));
        let is_data = self.value.split_once(',').is_some_and(|(head, _)| {
            let head = head.trim_end_matches('\\').to_ascii_lowercase();
            head.starts_with("data:") && head.ends_with(";base64")
        });
        let mut types = self.types();
        is_encoded || is_data || types.any(|kind| kind.eq_ignore_ascii_case("BASE64"))
    }

    /// Returns the value as text.
    pub(crate) fn text(&self) -> String {
        unescaped(&self.value).trim().to_owned()
    }

    /// Returns the parts of the value that a sign separates.
    pub(crate) fn parts(&self, sign: char) -> Vec<String> {
        let parts = split_unescaped(&self.value, sign);
        parts
            .map(|part| unescaped(part).trim().to_owned())
            .collect()
    }
}

/// Reads the lines of a text.
pub(crate) fn read(text: &str) -> impl Iterator<Item = ContentLine> + '_ {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut lines = text.lines().peekable();
    std::iter::from_fn(move || {
        let mut line = lines.next()?.to_owned();
        let is_quoted = is_quoted_printable(&line);
        loop {
            if is_quoted && line.ends_with('=') {
                line.pop();
                line.push_str(lines.next().unwrap_or_default());
            } else if let Some(next) = lines.next_if(|next| next.starts_with([' ', '\t'])) {
                line.push_str(&next[1..]);
            } else {
                break;
            }
        }
        Some(parse(&line, is_quoted))
    })
}

/// Returns whether the value of a line is in quoted-printable, as its parameters say.
fn is_quoted_printable(line: &str) -> bool {
    let head = line.split(':').next().unwrap_or_default();
    head.to_ascii_uppercase().contains("QUOTED-PRINTABLE")
}

fn parse(line: &str, is_quoted: bool) -> ContentLine {
    let Some(colon) = outside_quotes(line, ':') else {
        return ContentLine::default();
    };
    let (head, value) = (&line[..colon], &line[colon + 1..]);
    let mut words = Vec::new();
    let mut rest = head;
    while let Some(at) = outside_quotes(rest, ';') {
        words.push(&rest[..at]);
        rest = &rest[at + 1..];
    }
    words.push(rest);
    let (group, name) = words[0].rsplit_once('.').unwrap_or(("", words[0]));
    let parameters = words[1..].iter().map(|word| parameter(word));
    let mut line = ContentLine {
        group: group.to_ascii_uppercase(),
        name: name.to_ascii_uppercase(),
        parameters: parameters.collect(),
        value: value.to_owned(),
    };
    if is_quoted {
        let charset = line.parameter("CHARSET").unwrap_or_default();
        let encoding = Encoding::for_label(charset.as_bytes()).unwrap_or(UTF_8);
        line.value = encoding.decode(&unquoted(value)).0.into_owned();
    }
    line
}

/// Reads `NAME=value`, or a word that stands for a type.
fn parameter(word: &str) -> (String, String) {
    let (name, value) = word.split_once('=').unwrap_or((TYPE, word));
    (
        name.to_ascii_uppercase(),
        value.trim_matches('"').to_owned(),
    )
}

/// Finds a sign that does not stand between quotation marks.
fn outside_quotes(text: &str, wanted: char) -> Option<usize> {
    let mut is_quoted = false;
    let mut signs = text.char_indices();
    let found = signs.find(|(_, sign)| {
        is_quoted ^= *sign == '"';
        !is_quoted && *sign == wanted
    });
    found.map(|(at, _)| at)
}

/// Decodes quoted-printable on one line.
fn unquoted(value: &str) -> Vec<u8> {
    let mut rest = value.as_bytes();
    let mut decoded = Vec::with_capacity(rest.len());
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after
            .get(..2)
            .filter(|digits| byte == b'=' && digits.iter().all(u8::is_ascii_hexdigit));
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(code.unwrap_or(byte));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    decoded
}

/// Splits a value at a sign that no backslash stands before.
fn split_unescaped(value: &str, sign: char) -> impl Iterator<Item = &str> {
    let mut is_escaped = false;
    value.split(move |letter: char| {
        let splits = letter == sign && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        splits
    })
}

/// Puts what backslashes stand for in their places.
fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut signs = value.chars();
    while let Some(sign) = signs.next() {
        let escaped = if sign == '\\' { signs.next() } else { None };
        text.push(match escaped {
            Some('n' | 'N') => '\n',
            Some(other) => other,
            None => sign,
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_unfolded_and_decoded() {
        let text = "item1.TEL;CELL;PREF=1:+49 1\r\nNOTE;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Stra=DFe=\r\n 5\r\n\
             SUMMARY;X=\"a:b;c\":One\\, two\\n th\r\n ree\r\nno colon\r\n";
        let lines: Vec<ContentLine> = read(text).collect();
        assert_eq!(
            (lines[0].name.as_str(), lines[0].value.as_str()),
            ("TEL", "+49 1")
        );
        assert_eq!(lines[0].group, "ITEM1");
        assert_eq!(lines[0].types().collect::<Vec<_>>(), ["CELL"]);
        assert_eq!(lines[0].parameter("PREF"), Some("1"));
        assert_eq!(lines[1].text(), "Straße 5");
        assert_eq!(lines[2].parameter("X"), Some("a:b;c"));
        assert_eq!(lines[2].text(), "One, two\n three");
        assert_eq!(lines[3].name, "");
    }

    #[test]
    fn only_what_is_encoded_is_binary() {
        for (text, is_binary) in [
            ("NOTE:data: see the file, then call", false),
            ("ATTACH:data:image/png;base64,iVBO", true),
            ("ATTACH:data:image/png;base64\\,iVBO", true),
            ("PHOTO;ENCODING=b:iVBO", true),
            ("PHOTO;jpeg;base64:iVBO", true),
        ] {
            let lines: Vec<ContentLine> = read(text).collect();
            assert_eq!(lines[0].is_binary(), is_binary, "{text}");
        }
    }

    #[test]
    fn only_two_digits_are_a_byte_of_quoted_printable() {
        assert_eq!(unquoted("=+5=-5=4a="), b"=+5=-5J=");
    }

    #[test]
    fn parts_are_split_where_no_backslash_stands() {
        let line = ContentLine {
            value: "a\\;b;c\\\\;d".into(),
            ..ContentLine::default()
        };
        assert_eq!(line.parts(';'), ["a;b", "c\\", "d"]);
    }
}
