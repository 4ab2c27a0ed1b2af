//! The bytes of an answer, as sent and unpacked, no more than may be.

use std::io::{self, Read};

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap};

/// The encodings that are understood, as they are asked for.
pub(super) const ENCODINGS: &str = "gzip, br, deflate";

/// The memory that an unpacker of Brotli reads into, in bytes.
const BUFFER: usize = 4 << 10;

/// Why there is no body.
#[derive(Debug)]
pub(super) enum Failure {
    /// It has more bytes than may be; these are the first of them, where it is not packed.
    TooLarge(Vec<u8>),
    /// The connection broke off.
    Broken(reqwest::Error),
    /// It cannot be unpacked.
    Unreadable(String),
}

/// Reads a body of at most `limit` bytes, packed and unpacked.
pub(super) async fn read(mut response: Response, limit: usize) -> Result<Vec<u8>, Failure> {
    let encoding = encoding(response.headers());
    let mut bytes = Vec::new();
    while let Some(part) = response.chunk().await.map_err(Failure::Broken)? {
        let room = limit - bytes.len();
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        if part.len() > room {
            return Err(Failure::TooLarge(bytes));
        }
    }
    unpack(bytes, &encoding, limit)
}

/// Says whether an answer has more bytes than may be, as far as its head tells.
pub(super) fn is_too_large(response: &Response, limit: usize) -> bool {
    let length = response.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    length.is_some_and(|length| length > limit as u64)
}

fn encoding(headers: &HeaderMap) -> String {
    let values = headers.get_all(CONTENT_ENCODING).iter();
    let names: Vec<_> = values
        .map(|value| {
            String::from_utf8_lossy(value.as_bytes())
                .trim()
                .to_lowercase()
        })
        .filter(|name| !matches!(name.as_str(), "" | "identity"))
        .collect();
    names.join(", ")
}

/// Unpacks bytes; those of no encoding are as they should be.
fn unpack(bytes: Vec<u8>, encoding: &str, limit: usize) -> Result<Vec<u8>, Failure> {
    let packed = bytes.as_slice();
    match encoding {
        "" => Ok(bytes),
        "gzip" | "x-gzip" => take(MultiGzDecoder::new(packed), limit),
        "br" => take(
            brotli_decompressor::Decompressor::new(packed, BUFFER),
            limit,
        ),
        // Some servers send the stream of RFC 1951 alone where RFC 1950 wraps it.
        "deflate" if packed.first().is_some_and(|first| first & 0x0f == 8) => {
            take(ZlibDecoder::new(packed), limit)
        }
        "deflate" => take(DeflateDecoder::new(packed), limit),
        other => Err(Failure::Unreadable(format!(
            "it is packed as `{}`, which nobody asked for",
            other.escape_debug()
        ))),
    }
}

fn take(unpacked: impl Read, limit: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = unpacked.take(limit as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error: io::Error| Failure::Unreadable(format!("it is damaged: {error}")))?;
    if bytes.len() > limit {
        bytes.truncate(limit);
        return Err(Failure::TooLarge(bytes));
    }
    Ok(bytes)
}
