//! Texts in fewer bytes: a [block of LZ4](https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md)
//! after the length of the text, which is four bytes with the lowest first.

use lz4_flex::block;
use sectile_store::{Error, Result};

/// Texts of fewer bytes are kept as they are.
const SHORTEST: usize = 128;

/// How many bytes a byte of LZ4 stands for at most.
const MOST: usize = 255;

/// Returns a text in fewer bytes, if that saves an eighth.
pub(crate) fn packed(text: &str) -> Option<Vec<u8>> {
    if text.len() < SHORTEST {
        return None;
    }
    let packed = block::compress_prepend_size(text.as_bytes());
    (packed.len() < text.len() - text.len() / 8).then_some(packed)
}

/// Returns the text of what [`packed`] returned.
///
/// # Errors
///
/// [`Error::Corrupt`] for other bytes.
pub(crate) fn unpacked(bytes: &[u8]) -> Result<String> {
    let (length, block) = block::uncompressed_size(bytes).map_err(Error::corrupt)?;
    // A length that the bytes cannot bear out takes no memory.
    if length > block.len().saturating_mul(MOST) {
        return Err(Error::corrupt(
            "a packed text that is longer than it can be",
        ));
    }
    let text = block::decompress(block, length).map_err(Error::corrupt)?;
    if text.len() != length {
        return Err(Error::corrupt("a packed text that ends early"));
    }
    String::from_utf8(text).map_err(Error::corrupt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        let long = "Sections hold the text; chunks are spans of sections. ".repeat(200);
        let letters: String = (0..500_u32)
            .map(|at| char::from_u32(0x4e00 + at * 37 % 20_000).unwrap())
            .collect();
        for text in [&*long, "short", "", &letters, &"\0".repeat(100_000)] {
            let bytes = packed(text);
            assert_eq!(bytes.is_some(), text.len() > 2_000, "{}", text.len());
            if let Some(bytes) = bytes {
                assert!(bytes.len() < text.len() - text.len() / 8);
                assert_eq!(unpacked(&bytes).unwrap(), text);
            }
        }
    }

    #[test]
    fn bytes_that_nobody_packed_are_errors() {
        let text = "Sections hold the text; chunks are spans of sections. ".repeat(20);
        let whole = packed(&text).unwrap();
        for end in 0..whole.len() {
            assert!(unpacked(&whole[..end]).is_err(), "{end}");
        }
        let mut long = whole;
        long[..4].copy_from_slice(&u32::MAX.to_le_bytes());
        let error = unpacked(&long).unwrap_err().to_string();
        assert!(error.contains("longer than it can be"), "{error}");
    }
}
