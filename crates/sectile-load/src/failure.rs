//! Why a document in an archive could not be loaded, before the file's name is known.

use std::path::Path;

use sectile_core::Format;
use zip::result::ZipError;

use crate::Error;

/// A failure inside the package.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The archive is damaged.
    #[error(transparent)]
    Zip(#[from] ZipError),
    /// The archive has no such part.
    #[error("the part {0} is missing")]
    Missing(String),
    /// A part is cut off, or its checksum is wrong.
    #[error("the part {part} cannot be unpacked")]
    Unpack {
        part: String,
        source: std::io::Error,
    },
    /// A part is not XML.
    #[error(transparent)]
    Xml(#[from] quick_xml::Error),
    /// The document breaks a rule that we rely on.
    #[error("{0}")]
    Damaged(&'static str),
    /// It is another kind of document.
    #[error("{0}")]
    Unsupported(String),
    /// It is encrypted.
    #[error("it is encrypted")]
    Encrypted,
    /// It is too large.
    #[error("more than {limit} for {what}")]
    Limit { what: &'static str, limit: u64 },
}

impl Failure {
    /// Returns whether only the part it happened in is lost.
    pub(crate) fn is_damage(&self) -> bool {
        !matches!(
            self,
            Self::Encrypted | Self::Limit { .. } | Self::Unsupported(_)
        )
    }

    /// Names the file and the format it is in.
    pub(crate) fn into_error(self, path: &Path, format: Format) -> Error {
        match self {
            Self::Limit { what, limit } => Error::LimitExceeded {
                path: path.into(),
                what: what.into(),
                limit,
            },
            Self::Encrypted => Error::Encrypted {
                path: path.into(),
                is_wrong: false,
            },
            Self::Unsupported(reason) => Error::unsupported(path, reason),
            other => Error::parse(path, format, other),
        }
    }
}
