//! Files in gzip.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

/// Returns whether a file is in gzip.
pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x1F\x8B\x08")
}

/// Returns the name of what a file in gzip holds: `a.txt` for `a.txt.gz`.
pub(crate) fn inner_name(path: &Path) -> PathBuf {
    let extension = path.extension().unwrap_or_default();
    if extension.eq_ignore_ascii_case("gz") {
        path.with_extension("")
    } else {
        path.into()
    }
}

/// Returns what a file in gzip holds, up to `limit` bytes of it.
///
/// # Errors
///
/// Fails when the file is damaged or cut off before the limit.
pub(crate) fn unpack(bytes: &[u8], limit: u64) -> io::Result<Vec<u8>> {
    let mut unpacked = Vec::new();
    let decoder = MultiGzDecoder::new(bytes);
    decoder.take(limit).read_to_end(&mut unpacked)?;
    Ok(unpacked)
}
