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

/// Names of headers without a hyphen.
const USUAL: [&[u8]; 18] = [
    b"approved",
    b"bcc",
    b"cc",
    b"comments",
    b"date",
    b"from",
    b"keywords",
    b"lines",
    b"newsgroups",
    b"organization",
    b"path",
    b"precedence",
    b"received",
    b"references",
    b"sender",
    b"status",
    b"subject",
    b"to",
];

/// How names of headers begin that have a hyphen: a text may have such words with a colon, too.
#[rustfmt::skip]
const BEGINNINGS: [&[u8]; 26] = [
    b"accept", b"apparently", b"arc", b"archived", b"authentication", b"auto", b"content", b"delivered", b"disposition", b"dkim", b"envelope", b"errors", b"followup",
    b"in", b"list", b"message", b"mime", b"nntp", b"original", b"received", b"reply", b"resent", b"return", b"thread", b"user", b"x",
];

/// Returns a message or a mailbox from its first header on, in UTF-8 where it is in UTF-16.
pub(super) fn begun(bytes: &[u8]) -> Cow<'_, [u8]> {
    if let Some(text) = encoding::utf16(bytes) {
        return text.trim_ascii_start().as_bytes().to_vec().into();
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.trim_ascii_start().into()
}

/// Returns a message whose head the parser can read, and ends before an empty line.
pub(super) fn decoded(message: &[u8]) -> Cow<'_, [u8]> {
    let end = memmem::find(message, b"\n\n").into_iter();
    let end = end.chain(memmem::find(message, b"\n\r\n")).min();
    let head = &message[..end.map_or(message.len(), |end| end + 1)];
    let text_at = text_in(head);
    let (head, text) = message.split_at(text_at.unwrap_or(head.len()));
    let mut whole = match with_known_names(in_utf8(head, message)) {
        Cow::Borrowed(_) if text_at.is_none() => return message.into(),
        head => head.into_owned(),
    };
    if text_at.is_some() {
        whole.push(b'\n');
    }
    whole.extend(text);
    whole.into()
}

/// Returns where the text begins that no empty line parts from the headers: with the first line that is no header and is
/// not indented, if no header follows.
fn text_in(head: &[u8]) -> Option<usize> {
    let mut text = None;
    let mut has_header = false;
    let mut start = 0;
    for line in head.split_inclusive(|byte| *byte == b'\n') {
        let name = header_name(line);
        if name.is_some_and(|name| text.is_none() || is_usual(name)) {
            has_header = true;
            text = None;
        } else if text.is_none()
            && has_header
            && !line.starts_with(b" ")
            && !line.starts_with(b"\t")
        {
            text = Some(start);
        }
        start += line.len();
    }
    text
}

/// Returns the name of the header that a line is. An address is none.
fn header_name(line: &[u8]) -> Option<&[u8]> {
    let colon = memchr::memchr(b':', line)?;
    let name = line[..colon].trim_ascii_end();
    let is_name = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
    (is_name && !line[colon..].starts_with(b"://")).then_some(name)
}

/// Returns whether a header with this name is a usual one. A text may have a word with a colon, too.
fn is_usual(name: &[u8]) -> bool {
    let is_one_of =
        |names: &[&[u8]], name: &[u8]| names.iter().any(|one| name.eq_ignore_ascii_case(one));
    let hyphen = memchr::memchr(b'-', name);
    hyphen.map_or_else(
        || is_one_of(&USUAL, name),
        |end| is_one_of(&BEGINNINGS, &name[..end]),
    )
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
