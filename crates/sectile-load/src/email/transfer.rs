//! How the bytes of a part are made ready to be sent: base64 and quoted-printable (RFC 2045).

use std::borrow::Cow;

use mail_parser::decoders::{base64::base64_decode, quoted_printable::quoted_printable_decode};
use mail_parser::{Encoding, Message, MessagePart, MimeHeaders, PartType};

/// One byte of so many of base64 may be none of its letters, at most. What has more is text that is misnamed.
const BYTES_PER_STRAY: usize = 20;

/// No word of a text is as long as the lines of base64 are, in bytes.
const MAX_WORD: usize = 40;

/// What the line above the base64 of keys and certificates begins with (RFC 7468).
const ARMOUR: &[u8] = b"-----BEGIN ";

/// The encodings that bytes are sent in.
#[derive(Clone, Copy)]
enum Transfer {
    Base64,
    QuotedPrintable,
}

/// Returns the bytes of a part as they were before they were made ready to be sent.
pub(super) fn sent<'m>(message: &'m Message<'_>, part: &MessagePart<'_>) -> Option<Cow<'m, [u8]>> {
    let bytes = raw(message, part)?;
    match part.encoding {
        Encoding::None => unread(message, part).or(Some(bytes.into())),
        Encoding::QuotedPrintable => quoted_printable_decode(bytes).map(Cow::from),
        Encoding::Base64 => unread(message, part).or_else(|| base64_decode(bytes).map(Cow::from)),
    }
}

/// Returns the bytes of a part that the parser leaves as they were sent: the message ends before the part does, there
/// are strange letters in it, or there is more in the header than the name of the encoding. Those of a text that is only
/// called base64 are as they were sent, too.
pub(super) fn unread<'m>(
    message: &'m Message<'_>,
    part: &MessagePart<'_>,
) -> Option<Cow<'m, [u8]>> {
    let is_whole = matches!(part.body, PartType::Multipart(_) | PartType::Message(_));
    if part.encoding == Encoding::Base64 && !is_whole {
        let bytes = raw(message, part).filter(|bytes| is_words(bytes))?;
        return (!is_text(part.contents())).then_some(Cow::Borrowed(bytes));
    }
    let transfer = transfer(part);
    let is_left = part.is_encoding_problem || transfer.is_some();
    if is_whole || part.encoding != Encoding::None || !is_left {
        return None;
    }
    let bytes = raw(message, part)?;
    let undone = match transfer {
        Some(Transfer::Base64) => base64(bytes),
        Some(Transfer::QuotedPrintable) => quoted_printable_decode(bytes),
        None => None,
    };
    Some(undone.map_or(Cow::Borrowed(bytes), Cow::Owned))
}

/// Returns the bytes of a part as they stand in the message.
fn raw<'m>(message: &'m Message<'_>, part: &MessagePart<'_>) -> Option<&'m [u8]> {
    let (from, to) = (part.offset_body as usize, part.offset_end as usize);
    message.raw_message.get(from..to)
}

/// Returns the encoding that a header names, whatever stands behind the name: `base64;`, `"base64"`, `base64 (all)`.
fn transfer(part: &MessagePart<'_>) -> Option<Transfer> {
    let header = part.content_transfer_encoding()?;
    let name = header.split([';', ',', '(']).next()?;
    let name = name.trim().trim_matches('"');
    if name.eq_ignore_ascii_case("base64") {
        Some(Transfer::Base64)
    } else if name.eq_ignore_ascii_case("quoted-printable") {
        Some(Transfer::QuotedPrintable)
    } else {
        None
    }
}

/// Returns whether bytes look like words with spaces between them.
fn is_words(bytes: &[u8]) -> bool {
    let mut words = bytes.split(u8::is_ascii_whitespace);
    let is_between_words = |three: &[u8]| {
        three[1] == b' ' && three[0].is_ascii_alphanumeric() && three[2].is_ascii_alphanumeric()
    };
    words.all(|word| word.len() < MAX_WORD) && bytes.windows(3).any(is_between_words)
}

/// Returns whether bytes are text: no letter of it is damaged or controls a machine.
fn is_text(bytes: &[u8]) -> bool {
    let is_strange = |letter: char| {
        letter == char::REPLACEMENT_CHARACTER || letter.is_control() && !letter.is_whitespace()
    };
    std::str::from_utf8(bytes).is_ok_and(|text| !text.contains(is_strange))
}

/// Decodes base64 with a few strange letters in it; nothing where they are many, or where it stands in armour.
fn base64(bytes: &[u8]) -> Option<Vec<u8>> {
    if memchr::memmem::find(bytes, ARMOUR).is_some() {
        return None;
    }
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let strays = bytes
        .iter()
        .filter(|&byte| !is_letter(byte) && !is_end(byte));
    if strays.count() * BYTES_PER_STRAY > bytes.len() {
        return None;
    }
    let letters: Vec<u8> = bytes.iter().copied().filter(is_letter).collect();
    base64_decode(&letters)
}
