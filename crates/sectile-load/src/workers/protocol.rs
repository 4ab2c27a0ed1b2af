//! What goes over the pipes: a request for each file, and replies until one ends it.
//!
//! A message is a JSON header and a body of bytes, each after its length as a `u64` in little
//! endian order. The body of a request is the file, that of the last reply the text.

use std::error::Error as StdError;
use std::io::{self, Read, Write};
use std::path::Path;

use sectile_core::{Document, Format};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::Cause;
use crate::{Error, LoadOptions};

/// How long a header may be, in bytes: an outline and metadata.
const MAX_HEADER_BYTES: u64 = 256 << 20;

/// Asks for a file to be loaded.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    /// The name of the file, a hint of its format.
    pub(super) name: String,
    pub(super) options: LoadOptions,
}

/// What a worker says of a file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// So many pages are done of so many; more replies follow.
    Page(u32, u32),
    /// The document; its text is the body.
    Loaded(Box<Document>),
    /// The file cannot be loaded.
    Failed(Failure),
}

/// An error without the path, which the other side knows better.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Failure {
    UnsupportedFormat(String),
    Parse(Format, Vec<String>),
    Encrypted {
        is_wrong: bool,
    },
    NoText {
        has_pictures: bool,
        attachments: Vec<String>,
    },
    UnmappedText,
    Ocr(String),
    NoSuchPage {
        page_count: u32,
    },
    LimitExceeded {
        what: String,
        limit: u64,
    },
    /// An error that loading bytes does not make.
    Other(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::UnsupportedFormat { reason, .. } => Self::UnsupportedFormat(reason),
            Error::Parse { format, source, .. } => Self::Parse(format, chain(&*source)),
            Error::Encrypted { is_wrong, .. } => Self::Encrypted { is_wrong },
            Error::NoText {
                has_pictures,
                attachments,
                ..
            } => Self::NoText {
                has_pictures,
                attachments,
            },
            Error::UnmappedText { .. } => Self::UnmappedText,
            Error::Ocr { reason, .. } => Self::Ocr(reason),
            Error::NoSuchPage { page_count, .. } => Self::NoSuchPage { page_count },
            Error::LimitExceeded { what, limit, .. } => Self::LimitExceeded {
                what: what.into_owned(),
                limit,
            },
            other => Self::Other(other.to_string()),
        }
    }
}

impl Failure {
    /// Names the file.
    pub(super) fn into_error(self, path: &Path) -> Error {
        let path = path.into();
        match self {
            Self::UnsupportedFormat(reason) => Error::UnsupportedFormat { path, reason },
            Self::Parse(format, causes) => Error::Parse {
                path,
                format,
                source: cause(causes),
            },
            Self::Encrypted { is_wrong } => Error::Encrypted { path, is_wrong },
            Self::NoText {
                has_pictures,
                attachments,
            } => Error::NoText {
                path,
                has_pictures,
                attachments,
            },
            Self::UnmappedText => Error::UnmappedText { path },
            Self::Ocr(reason) => Error::Ocr { path, reason },
            Self::NoSuchPage { page_count } => Error::NoSuchPage { path, page_count },
            Self::LimitExceeded { what, limit } => Error::LimitExceeded {
                path,
                what: what.into(),
                limit,
            },
            Self::Other(reason) => Error::WorkerDied { path, reason },
        }
    }
}

/// An error that happened in another process.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct Remote {
    message: String,
    source: Option<Box<Remote>>,
}

fn chain(error: &(dyn StdError + 'static)) -> Vec<String> {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes.map(ToString::to_string).collect()
}

fn cause(messages: Vec<String>) -> Cause {
    let last_first = messages.into_iter().rev();
    let cause = last_first.fold(None, |source, message| {
        Some(Box::new(Remote { message, source }))
    });
    cause.map_or_else(|| "for no reason given".into(), |cause| cause as Cause)
}

/// Writes a message.
pub(super) fn write(
    output: &mut impl Write,
    header: &impl Serialize,
    body: &[u8],
) -> io::Result<()> {
    let header = serde_json::to_vec(header)?;
    for part in [&header, body] {
        output.write_all(&(part.len() as u64).to_le_bytes())?;
        output.write_all(part)?;
    }
    output.flush()
}

/// Reads a message whose body has no more than `max_body` bytes, or nothing at the end.
pub(super) fn read<T: DeserializeOwned>(
    input: &mut impl Read,
    max_body: u64,
) -> io::Result<Option<(T, Vec<u8>)>> {
    let mut length = [0; 8];
    if input.read(&mut length[..1])? == 0 {
        return Ok(None);
    }
    input.read_exact(&mut length[1..])?;
    let header = part(input, u64::from_le_bytes(length), MAX_HEADER_BYTES)?;
    input.read_exact(&mut length)?;
    let body = part(input, u64::from_le_bytes(length), max_body)?;
    Ok(Some((serde_json::from_slice(&header)?, body)))
}

/// Reads `length` bytes, for which memory is taken as they come.
fn part(input: &mut impl Read, length: u64, most: u64) -> io::Result<Vec<u8>> {
    if length > most {
        return Err(io::Error::other(format!("a message of {length} bytes")));
    }
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written() {
        let mut pipe = Vec::new();
        write(&mut pipe, &Reply::Page(3, 7), b"").unwrap();
        let attachments = vec!["a.csv".to_owned()];
        let failure = Failure::NoText {
            has_pictures: true,
            attachments,
        };
        write(&mut pipe, &Reply::Failed(failure), b"body").unwrap();
        let mut input = pipe.as_slice();
        let (first, body) = read::<Reply>(&mut input, 10).unwrap().unwrap();
        assert!(matches!(first, Reply::Page(3, 7)));
        assert!(body.is_empty());
        let (second, body) = read::<Reply>(&mut input, 10).unwrap().unwrap();
        assert!(matches!(
            second,
            Reply::Failed(Failure::NoText { has_pictures: true, attachments }) if attachments == ["a.csv"]
        ));
        assert_eq!(body, b"body");
        assert!(read::<Reply>(&mut input, 10).unwrap().is_none());
    }

    #[test]
    fn messages_that_are_cut_off_or_too_long_are_errors() {
        let mut pipe = Vec::new();
        write(&mut pipe, &Reply::Page(3, 7), b"body").unwrap();
        for length in 1..pipe.len() {
            assert!(read::<Reply>(&mut &pipe[..length], 10).is_err(), "{length}");
        }
        assert!(read::<Reply>(&mut pipe.as_slice(), 3).is_err());
        let claimed = u64::MAX.to_le_bytes();
        assert!(read::<Reply>(&mut claimed.as_slice(), 10).is_err());
    }

    #[test]
    fn errors_keep_their_causes() {
        let source = cause(vec!["the part is cut off".into(), "end of file".into()]);
        let there = Path::new("there.pdf");
        let failure = Failure::from(Error::parse(there, Format::Pdf, source));
        let error = failure.into_error(Path::new("here.pdf"));
        assert_eq!(error.path(), Some(Path::new("here.pdf")));
        let Error::Parse { source, .. } = error else {
            panic!("{error}");
        };
        assert_eq!(chain(&*source), ["the part is cut off", "end of file"]);
    }
}
