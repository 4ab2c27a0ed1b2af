//! The lines above the text of a message.

use std::borrow::Cow;

use encoding_rs::UTF_8;
use memchr::memmem;

use crate::code_pages::CodePage;
use crate::encoding;

/// How many bytes of a message are looked at for its encoding.
const LOOKED_AT: usize = 1 << 16;

/// Names of encodings that programs write and the parser does not know, in small letters, and those that it knows. The
/// letters of code page 437 are those of 850; its frames are not.
#[rustfmt::skip]
const ALIASES: [(&str, &str); 22] = [
    ("cp437", "cp850"), ("ibm437", "cp850"), ("437", "cp850"), ("cp858", "cp850"), ("ibm858", "cp850"), ("ibm00858", "cp850"),
    ("cp932", "shift_jis"), ("ms932", "shift_jis"), ("windows-932", "shift_jis"), ("x-windows-932", "shift_jis"), ("x-ms-cp932", "shift_jis"),
    ("cp949", "euc-kr"), ("ms949", "euc-kr"), ("x-windows-949", "euc-kr"), ("uhc", "euc-kr"),
    ("ms936", "gbk"), ("windows-936", "gbk"), ("x-windows-936", "gbk"),
    ("cp950", "big5"), ("ms950", "big5"), ("windows-950", "big5"),
    ("cp65001", "utf-8"),
];

/// How long such a name is at most, with its end.
const LONGEST_NAME: usize = 20;

/// Returns a message or a mailbox from its first header on, in UTF-8 where it is in UTF-16.
pub(super) fn begun(bytes: &[u8]) -> Cow<'_, [u8]> {
    if let Some(text) = encoding::utf16(bytes) {
        return text.trim_ascii_start().as_bytes().to_vec().into();
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.trim_ascii_start().into()
}

/// Returns a message whose head the parser can read.
pub(super) fn decoded(message: &[u8]) -> Cow<'_, [u8]> {
    let end = memmem::find(message, b"\n\n").into_iter();
    let end = end.chain(memmem::find(message, b"\n\r\n")).min();
    let (head, text) = message.split_at(end.map_or(message.len(), |end| end + 1));
    match with_known_names(in_utf8(head, message)) {
        Cow::Borrowed(_) => message.into(),
        Cow::Owned(mut head) => {
            head.extend(text);
            head.into()
        }
    }
}

/// Returns a head with its letters as UTF-8, which old programs wrote in the encoding of the text (before RFC 2047).
fn in_utf8<'m>(head: &'m [u8], message: &[u8]) -> Cow<'m, [u8]> {
    if std::str::from_utf8(head).is_ok() {
        return head.into();
    }
    // It is not UTF-8, whatever the text is.
    let declared = encoding::declared(head).filter(|encoding| *encoding != UTF_8);
    let page = declared.map_or_else(|| guessed(message), CodePage::Web);
    let mut decoded = Vec::with_capacity(head.len());
    for line in head.split_inclusive(|byte| *byte == b'\n') {
        // Words that name their own encoding are in it.
        let is_sound = std::str::from_utf8(line).is_ok() || memmem::find(line, b"=?").is_some();
        if is_sound {
            decoded.extend(line);
        } else {
            decoded.extend(page.decode(line).bytes());
        }
    }
    decoded.into()
}

/// Returns what the parser calls an encoding that it does not know by this name.
pub(super) fn known_name(label: &[u8]) -> Option<&'static str> {
    let mut aliases = ALIASES.iter();
    let found = aliases.find(|(alias, _)| label.eq_ignore_ascii_case(alias.as_bytes()));
    found.map(|(_, name)| *name)
}

/// Calls the encodings of words such as `=?cp932?B?…?=` what the parser calls them.
fn with_known_names(head: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let mut named = Vec::new();
    let mut done = 0;
    for start in memmem::find_iter(&head, b"=?").map(|at| at + 2) {
        let label = &head[start..head.len().min(start + LONGEST_NAME)];
        let end = label.iter().position(|byte| matches!(byte, b'?' | b'*'));
        let label = &label[..end.unwrap_or(0)];
        if let Some(name) = known_name(label) {
            named.extend_from_slice(&head[done..start]);
            named.extend_from_slice(name.as_bytes());
            done = start + label.len();
        }
    }
    if done == 0 {
        return head;
    }
    named.extend_from_slice(&head[done..]);
    named.into()
}

fn guessed(message: &[u8]) -> CodePage {
    let beginning = &message[..message.len().min(LOOKED_AT)];
    let guess = encoding::guess(beginning).map(|guess| guess.page).ok();
    guess
        .filter(|page| *page != CodePage::Web(UTF_8))
        .unwrap_or_default()
}
