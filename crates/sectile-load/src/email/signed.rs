//! Messages that are wrapped together with their signature (S/MIME, RFC 5652).

use std::borrow::Cow;

/// The content type of data with signatures: 1.2.840.113549.1.7.2.
const SIGNED_DATA: &[u8] = b"\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02";

const OCTET_STRING: u8 = 0x04;
const OBJECT_IDENTIFIER: u8 = 0x06;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const INTEGER: u8 = 0x02;
/// The first element that is tagged by its place, which wraps another.
const WRAPPED: u8 = 0xA0;
/// The bit of a tag that says that elements stand within.
const CONSTRUCTED: u8 = 0x20;

/// How deep elements may stand in each other.
const MAX_DEPTH: usize = 64;

/// Elements one after the other.
struct Elements<'a>(&'a [u8]);

impl<'a> Elements<'a> {
    /// Reads the next element: its tag and what it holds.
    fn next(&mut self) -> Option<(u8, &'a [u8])> {
        let (tag, content, rest) = element(self.0, 0)?;
        self.0 = rest;
        Some((tag, content))
    }

    /// Reads the next element if it has this tag.
    fn expect(&mut self, tag: u8) -> Option<&'a [u8]> {
        let (found, content) = self.next()?;
        (found == tag).then_some(content)
    }
}

/// Reads an element: its tag, what it holds, and what follows it.
fn element(bytes: &[u8], depth: usize) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&length, rest) = rest.split_first()?;
    if length == 0x80 {
        let length = open_length(rest, depth)?;
        return Some((tag, &rest[..length], &rest[length + 2..]));
    }
    let (length, rest) = if length < 0x80 {
        (usize::from(length), rest)
    } else {
        let (digits, rest) = rest.split_at_checked(usize::from(length & 0x7F))?;
        let add = |sum: usize, digit: &u8| Some(sum.checked_mul(256)? + usize::from(*digit));
        (digits.iter().try_fold(0, add)?, rest)
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

/// Returns the length of what stands before the two zeros that end an element without a length.
fn open_length(bytes: &[u8], depth: usize) -> Option<usize> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut rest = bytes;
    while !rest.starts_with(&[0, 0]) {
        (_, _, rest) = element(rest, depth + 1)?;
    }
    Some(bytes.len() - rest.len())
}

/// Returns the message that was signed; nothing when it is not in `bytes`, or encrypted.
pub(super) fn content(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let mut info = Elements(Elements(bytes).expect(SEQUENCE)?);
    if info.expect(OBJECT_IDENTIFIER)? != SIGNED_DATA {
        return None;
    }
    let mut signed = Elements(Elements(info.expect(WRAPPED)?).expect(SEQUENCE)?);
    signed.expect(INTEGER)?;
    signed.expect(SET)?;
    let mut wrapped = Elements(signed.expect(SEQUENCE)?);
    wrapped.expect(OBJECT_IDENTIFIER)?;
    let (tag, text) = Elements(wrapped.expect(WRAPPED)?).next()?;
    match tag {
        OCTET_STRING => Some(Cow::Borrowed(text)),
        // A long text may be in pieces.
        tag if tag == OCTET_STRING | CONSTRUCTED => {
            let mut pieces = Elements(text);
            let mut joined = Vec::new();
            while let Some(piece) = pieces.expect(OCTET_STRING) {
                joined.extend_from_slice(piece);
            }
            Some(Cow::Owned(joined))
        }
        _ => None,
    }
}
