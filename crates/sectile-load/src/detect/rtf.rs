//! Whether a file is in Rich Text Format.

use std::path::Path;

use super::look;

const HEADER: &[u8] = b"{\\rtf";

/// How far into a file with the name of the format the header may stand.
const HEADER_WITHIN: usize = 1_024;

/// Returns whether a file is a document in Rich Text Format: it begins with the header, behind white space at most. In
/// a file with the name of the format, the header may stand on a later line, or be missing before a group with a
/// control word.
pub(super) fn is_document(bytes: &[u8], path: &Path) -> bool {
    let text = look::trimmed(bytes);
    let is_named = || super::extension(path) == "rtf";
    text.starts_with(HEADER) || is_named() && (begins_below(bytes) || is_part(text))
}

fn begins_below(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(HEADER_WITHIN)];
    let mut lines = beginning.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.any(|line| line.starts_with(HEADER))
}

fn is_part(text: &[u8]) -> bool {
    let word = text.strip_prefix(b"{\\").and_then(<[u8]>::first);
    word.is_some_and(u8::is_ascii_alphabetic)
}
