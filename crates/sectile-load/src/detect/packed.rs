//! Files in gzip: how what they hold begins.

use std::path::{Path, PathBuf};

/// Returns the beginning of what a file in gzip holds, and its name.
#[cfg(feature = "gzip")]
pub(super) fn beginning(bytes: &[u8], path: &Path) -> Option<(Vec<u8>, PathBuf)> {
    use crate::gzip;

    if !gzip::is_gzip(bytes) {
        return None;
    }
    let beginning = gzip::unpack(bytes, super::look::LOOKED_AT as u64).ok()?;
    // One in another may go on for ever.
    (!gzip::is_gzip(&beginning)).then(|| (beginning, gzip::inner_name(path)))
}

#[cfg(not(feature = "gzip"))]
pub(super) fn beginning(_: &[u8], _: &Path) -> Option<(Vec<u8>, PathBuf)> {
    None
}
