//! The lines above the text of a message.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use memchr::memmem;

use crate::encoding;

/// How many bytes of a message are looked at for its encoding.
const LOOKED_AT: usize = 1 << 16;

/// Returns a message or a mailbox from its first header on, in UTF-8 where it is in UTF-16.
pub(super) fn begun(bytes: &[u8]) -> Cow<'_, [u8]> {
    if let Some(text) = encoding::utf16(bytes) {
        return text.trim_ascii_start().as_bytes().to_vec().into();
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.trim_ascii_start().into()
}

/// Returns a message with the letters in its head as UTF-8, which old programs wrote in the encoding of the text
/// (before RFC 2047).
pub(super) fn decoded(message: &[u8]) -> Cow<'_, [u8]> {
    let end = memmem::find(message, b"\n\n").into_iter();
    let end = end.chain(memmem::find(message, b"\n\r\n")).min();
    let (head, text) = message.split_at(end.map_or(message.len(), |end| end + 1));
    if std::str::from_utf8(head).is_ok() {
        return message.into();
    }
    // It is not UTF-8, whatever the text is.
    let declared = encoding::declared(head).filter(|encoding| *encoding != UTF_8);
    let encoding = declared.unwrap_or_else(|| guessed(message));
    let mut decoded = Vec::with_capacity(message.len());
    for line in head.split_inclusive(|byte| *byte == b'\n') {
        // Words that name their own encoding are in it.
        let is_sound = std::str::from_utf8(line).is_ok() || memmem::find(line, b"=?").is_some();
        if is_sound {
            decoded.extend(line);
        } else {
            decoded.extend(encoding.decode_without_bom_handling(line).0.bytes());
        }
    }
    decoded.extend(text);
    decoded.into()
}

fn guessed(message: &[u8]) -> &'static Encoding {
    let beginning = &message[..message.len().min(LOOKED_AT)];
    let guess = encoding::guess(beginning).ok();
    guess
        .filter(|encoding| *encoding != UTF_8)
        .unwrap_or(WINDOWS_1252)
}
