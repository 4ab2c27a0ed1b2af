//! References from one part of a book to another.

use crate::archive::joined;

/// Resolves a reference, which may be escaped and lead into a part, against a folder.
pub(super) fn resolve(folder: &str, reference: &str) -> String {
    let reference = reference.split('#').next().unwrap_or_default();
    joined(folder, &unescaped(reference))
}

/// Returns the place in a part that a reference leads to; empty where it leads to the part as a whole.
pub(super) fn place(reference: &str) -> String {
    let place = reference.split_once('#').map(|(_, place)| place);
    unescaped(place.unwrap_or_default())
}

fn unescaped(reference: &str) -> String {
    let mut bytes = Vec::with_capacity(reference.len());
    let mut rest = reference.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = (first == b'%').then(|| after.get(..2)).flatten();
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        if let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            bytes.push(byte);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
