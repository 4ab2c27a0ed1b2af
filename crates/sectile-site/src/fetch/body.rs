//! The bytes of an answer, as sent and unpacked, no more than may be.

use std::io::{self, ErrorKind, Read};

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap, TRANSFER_ENCODING};

/// The header `Accept-Encoding`: the encodings that can be decoded.
pub(super) const ENCODINGS: &str = "gzip, br, deflate";

/// What servers name where nothing is packed: some confuse the header with the encoding of the text.
const NO_ENCODINGS: [&str; 5] = ["", "identity", "none", "utf-8", "utf8"];

/// The memory that an unpacker of Brotli reads into, in bytes.
const BUFFER: usize = 4 << 10;

/// Why there is no body.
#[derive(Debug)]
pub(super) enum Failure {
    /// It has more bytes than may be.
    TooLarge,
    /// The connection broke off.
    Broken(reqwest::Error),
    /// The connection ended, as it does behind a body without a length, but the packed bytes go on.
    Unfinished,
    /// It cannot be unpacked.
    Unreadable(String),
}

/// How a body is sent.
struct Manner {
    /// The name of its encoding, or nothing.
    encoding: String,
    /// Whether only the end of the connection says where it ends, which may come too early.
    is_unmeasured: bool,
}

/// The first bytes of a body.
struct Beginning {
    bytes: Vec<u8>,
    /// Whether there are more.
    is_cut: bool,
}

/// Reads a body of at most `limit` bytes, packed and unpacked.
pub(super) async fn read(response: Response, limit: usize) -> Result<Vec<u8>, Failure> {
    let manner = manner(response.headers());
    let sent = whole(receive(response, limit).await?)?;
    whole(unpack(sent, manner, limit).await?).map(|body| body.bytes)
}

/// Reads at most the first `limit` bytes of a body, as far as its first `limit` packed bytes tell them.
pub(super) async fn read_beginning(response: Response, limit: usize) -> Result<Vec<u8>, Failure> {
    let manner = manner(response.headers());
    let sent = receive(response, limit).await?;
    Ok(unpack(sent, manner, limit).await?.bytes)
}

fn whole(beginning: Beginning) -> Result<Beginning, Failure> {
    if beginning.is_cut {
        return Err(Failure::TooLarge);
    }
    Ok(beginning)
}

async fn receive(mut response: Response, limit: usize) -> Result<Beginning, Failure> {
    let mut bytes = Vec::new();
    while let Some(part) = response.chunk().await.map_err(Failure::Broken)? {
        let room = limit - bytes.len();
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        if part.len() > room {
            let is_cut = true;
            return Ok(Beginning { bytes, is_cut });
        }
    }
    let is_cut = false;
    Ok(Beginning { bytes, is_cut })
}

/// Returns whether an answer has more bytes than may be, as far as its head tells.
pub(super) fn is_too_large(response: &Response, limit: usize) -> bool {
    let length = response.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    length.is_some_and(|length| length > limit as u64)
}

fn manner(headers: &HeaderMap) -> Manner {
    let is_measured =
        headers.contains_key(CONTENT_LENGTH) || headers.contains_key(TRANSFER_ENCODING);
    Manner {
        encoding: encoding(headers),
        is_unmeasured: !is_measured,
    }
}

fn encoding(headers: &HeaderMap) -> String {
    let values = headers.get_all(CONTENT_ENCODING).iter();
    let names: Vec<_> = values
        .map(|value| {
            String::from_utf8_lossy(value.as_bytes())
                .trim()
                .to_lowercase()
        })
        .filter(|name| !NO_ENCODINGS.contains(&name.as_str()))
        .collect();
    names.join(", ")
}

/// Decompresses bytes on a blocking thread, because the result may be large. Bytes without an
/// encoding stay as they are, and no bytes are an empty text in every encoding.
async fn unpack(sent: Beginning, manner: Manner, limit: usize) -> Result<Beginning, Failure> {
    if manner.encoding.is_empty() || sent.bytes.is_empty() {
        return Ok(sent);
    }
    let unpacked = tokio::task::spawn_blocking(move || unpack_as(&sent, &manner, limit)).await;
    unpacked.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

fn unpack_as(sent: &Beginning, manner: &Manner, limit: usize) -> Result<Beginning, Failure> {
    let unpacked = unpacker(&sent.bytes, &manner.encoding).ok_or_else(|| {
        let name = manner.encoding.escape_debug();
        Failure::Unreadable(format!("it is packed as `{name}`, which was not requested"))
    })?;
    let mut bytes = Vec::new();
    match unpacked.take(limit as u64 + 1).read_to_end(&mut bytes) {
        Ok(_) => {}
        Err(error) if sent.is_cut && error.kind() == ErrorKind::UnexpectedEof => {}
        Err(error) if manner.is_unmeasured && error.kind() == ErrorKind::UnexpectedEof => {
            return Err(Failure::Unfinished);
        }
        Err(error) => return Err(Failure::Unreadable(format!("it is damaged: {error}"))),
    }
    let is_cut = sent.is_cut || bytes.len() > limit;
    bytes.truncate(limit);
    Ok(Beginning { bytes, is_cut })
}

fn unpacker<'a>(packed: &'a [u8], encoding: &str) -> Option<Box<dyn Read + 'a>> {
    Some(match encoding {
        "gzip" | "x-gzip" => Box::new(MultiGzDecoder::new(packed)),
        "br" => {
            let packed = packed.chain(Ended);
            Box::new(brotli_decompressor::Decompressor::new(packed, BUFFER))
        }
        // Some servers send the stream of RFC 1951 alone where RFC 1950 wraps it.
        "deflate" if packed.first().is_some_and(|first| first & 0x0f == 8) => {
            Box::new(ZlibDecoder::new(packed))
        }
        "deflate" => Box::new(DeflateDecoder::new(packed)),
        _ => return None,
    })
}

/// The end of packed bytes for an unpacker that tells no missing bytes from damaged ones: reading on is an error.
struct Ended;

impl Read for Ended {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(ErrorKind::UnexpectedEof.into())
    }
}
