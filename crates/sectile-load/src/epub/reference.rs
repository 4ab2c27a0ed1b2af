//! References from one part of a book to another.

use sectile_core::percent_decoded;

use crate::archive::joined;

/// Resolves a reference, which may be escaped and lead into a part, against a folder.
pub(super) fn resolve(folder: &str, reference: &str) -> String {
    let reference = reference.split('#').next().unwrap_or_default();
    joined(folder, &percent_decoded(reference))
}

/// Returns the place in a part that a reference leads to; empty where it leads to the part as a whole.
pub(super) fn place(reference: &str) -> String {
    let place = reference.split_once('#').map(|(_, place)| place);
    percent_decoded(place.unwrap_or_default()).into_owned()
}
