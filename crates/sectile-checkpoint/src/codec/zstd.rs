//! Values compressed with zstd.

use std::io::Read as _;

use super::{Codec, ZSTD};
use crate::{Error, MAX_STATE_BYTES, Result, TypedValue};

/// Shorter values are kept as they are.
const SHORTEST: usize = 128;

/// Compresses values that get smaller.
#[derive(Clone, Copy, Debug)]
pub struct Zstd {
    level: i32,
}

impl Zstd {
    /// Returns a codec with a level, 1 to 22; 3 is zstd's own choice.
    pub const fn new(level: i32) -> Self {
        Self { level }
    }
}

impl Default for Zstd {
    fn default() -> Self {
        Self::new(zstd::DEFAULT_COMPRESSION_LEVEL)
    }
}

impl Codec for Zstd {
    fn seal(&self, value: TypedValue) -> Result<TypedValue> {
        // What is called so already would be taken for compressed.
        let must = value.kind.starts_with(ZSTD);
        if value.bytes.len() < SHORTEST && !must {
            return Ok(value);
        }
        let failed = |source: std::io::Error| Error::Backend {
            doing: "compress a value",
            source: source.into(),
        };
        let packed = zstd::bulk::compress(&value.bytes, self.level).map_err(failed)?;
        if packed.len() >= value.bytes.len() && !must {
            return Ok(value);
        }
        Ok(TypedValue::new(&format!("{ZSTD}{}", value.kind), packed))
    }

    fn open(&self, value: TypedValue) -> Result<TypedValue> {
        let Some(kind) = value.kind.strip_prefix(ZSTD) else {
            return Ok(value);
        };
        let mut bytes = Vec::new();
        let unpacked = zstd::stream::read::Decoder::new(&*value.bytes).and_then(|decoder| {
            decoder
                .take(MAX_STATE_BYTES as u64 + 1)
                .read_to_end(&mut bytes)
        });
        match unpacked {
            Ok(size) if size <= MAX_STATE_BYTES => Ok(TypedValue::new(kind, bytes)),
            Ok(_) => Err(damaged(&format!("is larger than {MAX_STATE_BYTES} bytes"))),
            Err(error) => Err(damaged(&error.to_string())),
        }
    }
}

fn damaged(reason: &str) -> Error {
    Error::Corrupt {
        what: format!("a compressed value: {reason}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_becomes_smaller_is_compressed() {
        let long = TypedValue::new("x", "long ".repeat(1_000).into_bytes());
        let packed = Zstd::default().seal(long.clone()).unwrap();
        assert!(packed.bytes.len() < 100 && &*packed.kind == "zstd:x");
        assert_eq!(Zstd::default().open(packed).unwrap(), long);
        for kept in [
            TypedValue::new("x", *b"short"),
            TypedValue::new("x", (0..=255).collect::<Vec<u8>>()),
        ] {
            assert_eq!(Zstd::default().seal(kept.clone()).unwrap(), kept);
        }
    }

    #[test]
    fn a_value_that_is_called_compressed_comes_back() {
        let value = TypedValue::new("zstd:x", *b"not at all");
        let packed = Zstd::default().seal(value.clone()).unwrap();
        assert_eq!(Zstd::default().open(packed).unwrap(), value);
        let refused = Zstd::default().open(value);
        assert!(matches!(refused, Err(Error::Corrupt { .. })), "{refused:?}");
    }
}
