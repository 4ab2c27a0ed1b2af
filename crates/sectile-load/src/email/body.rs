//! The text of a part as it is read.

use encoding_rs::Encoding as Charset;
use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::{HeaderName, Message, MessagePart, MimeHeaders};

use super::head;
use super::headers::first;
use super::transfer::{sent, unread};
use crate::encoding;
use crate::one_line::one_line;

/// How ASCII is called.
const ASCII: [&str; 3] = ["us-ascii", "ascii", "ansi_x3.4-1968"];

/// How many letters of several bytes hardly stand by chance in a text that is not UTF-8.
const SEVERAL: usize = 2;

/// How many bytes a date has at most that is shown as it is written.
const LONGEST_DATE: usize = 100;

/// Returns the date of a message in ISO 8601.
pub(super) fn date(message: &Message<'_>) -> Option<String> {
    let date = first(message, &HeaderName::Date)?.value.as_datetime()?;
    (date.is_valid() && date.year > 0).then(|| date.to_rfc3339())
}

/// Returns the date of a message, as it is written if it cannot be parsed.
pub(super) fn shown_date(message: &Message<'_>) -> Option<String> {
    date(message).or_else(|| {
        let mut headers = message.headers().iter();
        let header = headers.find(|header| header.name == HeaderName::Date)?;
        let (from, to) = (header.offset_start as usize, header.offset_end as usize);
        let written = message.raw_message.get(from..to)?;
        let written = one_line(std::str::from_utf8(written).ok()?);
        Some(written).filter(|written| written.len() <= LONGEST_DATE)
    })
}

/// Returns plain text with its lines ended by newlines, and joined where they were wrapped.
pub(super) fn plain(message: &Message<'_>, part: &MessagePart<'_>) -> String {
    let text = guessed(message, part).unwrap_or_else(|| match part.text_contents() {
        Some(text) => text.into(),
        None => encoding::decode(part.contents())
            .map(|decoded| decoded.text)
            .unwrap_or_default(),
    });
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let kind = part.content_type();
    let attribute = |name| {
        kind.and_then(|kind| kind.attribute(name))
            .unwrap_or_default()
    };
    if attribute("format").eq_ignore_ascii_case("flowed") {
        unwrapped(&text, attribute("delsp").eq_ignore_ascii_case("yes"))
    } else {
        text
    }
}

/// Decodes a text whose encoding is not named, or named wrongly, by its look, and one that the parser left as it was sent.
pub(super) fn guessed(message: &Message<'_>, part: &MessagePart<'_>) -> Option<String> {
    let named = part
        .content_type()
        .and_then(|kind| kind.attribute("charset"));
    let named = named.unwrap_or_default().trim();
    let known = head::known_name(named.as_bytes());
    if let Some(decode) = known.and_then(|name| charset_decoder(name.as_bytes())) {
        return Some(decode(&sent(message, part)?));
    }
    let left = unread(message, part).map(|bytes| decoded(&bytes, named));
    let text: &str = match &left {
        Some(text) => text,
        None => part.text_contents()?,
    };
    // Each byte is a character in these encodings, so that no damage shows.
    let is_narrow = Charset::for_label(named.as_bytes()).is_some_and(Charset::is_single_byte);
    let is_damaged = text.contains(encoding::REPLACEMENT);
    if text.is_ascii() || !is_narrow && !is_damaged {
        return left;
    }
    let bytes = sent(message, part)?;
    if is_narrow && !is_damaged && !is_misnamed(&bytes, named) {
        return left;
    }
    let damage = |text: &str| encoding::count(text, encoding::REPLACEMENT);
    let better = encoding::decode(&bytes).ok().map(|decoded| decoded.text);
    let better = better.filter(|better| !is_damaged || damage(better) < damage(text));
    better.or(left)
}

/// Returns whether nothing names the encoding of a text, and the guess may be wrong.
pub(super) fn is_unsure(message: &Message<'_>, part: &MessagePart<'_>) -> bool {
    let named = part
        .content_type()
        .and_then(|kind| kind.attribute("charset"));
    let is_plain = part.text_contents().is_none_or(str::is_ascii);
    if is_plain || named.is_some_and(|name| Charset::for_label(name.as_bytes()).is_some()) {
        return false;
    }
    let decoded = sent(message, part).and_then(|bytes| encoding::decode(&bytes).ok());
    decoded.is_some_and(|decoded| decoded.is_unsure)
}

/// Decodes bytes in an encoding, or as UTF-8 where its name is not known.
fn decoded(bytes: &[u8], name: &str) -> String {
    match charset_decoder(name.as_bytes()) {
        Some(decode) => decode(bytes),
        None => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Returns whether the bytes of a text contradict the name of an encoding in which each byte is a character:
/// they are not ASCII, or UTF-8 with several letters that are none.
fn is_misnamed(bytes: &[u8], name: &str) -> bool {
    let is_ascii = ASCII.iter().any(|ascii| name.eq_ignore_ascii_case(ascii));
    let letters = |text: &str| text.chars().filter(|letter| !letter.is_ascii()).count();
    is_ascii || std::str::from_utf8(bytes).is_ok_and(|text| letters(text) >= SEVERAL)
}

/// Joins the lines that end with a space, as far as they are quoted equally deep (RFC 3676).
fn unwrapped(text: &str, drops_space: bool) -> String {
    let mut joined = String::with_capacity(text.len());
    // The depth of the line before, where the next one goes on with it.
    let mut open: Option<usize> = None;
    for line in text.split('\n') {
        let content = line.trim_start_matches('>');
        let depth = line.len() - content.len();
        let content = content.strip_prefix(' ').unwrap_or(content);
        let is_signature = content == "-- ";
        if open != Some(depth) || is_signature {
            if open.is_some() {
                joined.truncate(joined.trim_end_matches(' ').len());
            }
            if !joined.is_empty() {
                joined.push('\n');
            }
            joined.push_str(&">".repeat(depth));
            if depth > 0 {
                joined.push(' ');
            }
        }
        let is_open = content.ends_with(' ') && !is_signature;
        let kept = if is_open && drops_space {
            &content[..content.len() - 1]
        } else {
            content
        };
        joined.push_str(kept);
        open = is_open.then_some(depth);
    }
    joined
}

/// Returns HTML as Markdown, or as plain text where that cannot be written, and how many words it hides.
pub(super) fn html(html: &str) -> (String, u64) {
    #[cfg(feature = "html")]
    if let Some(converted) = crate::html::fragment_with_hidden(html) {
        return converted;
    }
    (mail_parser::decoders::html::html_to_text(html), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flowed_lines_are_joined_at_their_depth() {
        let text = "One \nline.\n> a \n> b\n>> c \n> d\n-- \nAnn \nLee";
        assert_eq!(
            unwrapped(text, false),
            "One line.\n> a b\n>> c\n> d\n-- \nAnn Lee"
        );
        assert_eq!(unwrapped("ab \ncd", true), "abcd");
        assert_eq!(unwrapped(" >no quote", false), ">no quote");
    }
}
