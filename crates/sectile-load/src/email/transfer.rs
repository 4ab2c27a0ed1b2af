//! How the bytes of a part are made ready to be sent: base64 and quoted-printable (RFC 2045).

use std::borrow::Cow;

use mail_parser::decoders::{base64::base64_decode, quoted_printable::quoted_printable_decode};
use mail_parser::{Encoding, Message, MessagePart, MimeHeaders, PartType};

/// One byte of so many of base64 may be none of its letters, at most. What has more is text that is misnamed.
const BYTES_PER_STRAY: usize = 20;

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
        Encoding::Base64 => base64_decode(bytes).map(Cow::from),
    }
}

/// Returns the bytes of a part that the parser leaves as they were sent: the message ends before the part does, there
/// are strange letters in it, or there is more in the header than the name of the encoding.
pub(super) fn unread<'m>(
    message: &'m Message<'_>,
    part: &MessagePart<'_>,
) -> Option<Cow<'m, [u8]>> {
    let is_whole = matches!(part.body, PartType::Multipart(_) | PartType::Message(_));
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

/// Decodes base64 with a few strange letters in it; nothing where they are many.
fn base64(bytes: &[u8]) -> Option<Vec<u8>> {
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
