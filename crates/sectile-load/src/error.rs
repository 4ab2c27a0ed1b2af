//! What can go wrong while a file is loaded.

use std::io;
use std::path::{Path, PathBuf};

/// An error of loading one file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file could not be read.
    #[error("cannot read {}; check that it exists and may be read", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The file is in a format that cannot be loaded, or is no document at all.
    #[error("cannot load {}: {reason}", path.display())]
    UnsupportedFormat {
        /// The file.
        path: PathBuf,
        /// What the file is instead, and what to do.
        reason: String,
    },
    /// The file is a PDF that could not be parsed.
    #[error(
        "cannot parse the PDF {}; it may be damaged: open it in a viewer and save it again",
        path.display()
    )]
    ParsePdf {
        /// The file.
        path: PathBuf,
        /// What the parser says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The file is a Word document that could not be parsed.
    #[error(
        "cannot parse the Word document {}; it may be damaged: open it in Word or LibreOffice \
         and save it again",
        path.display()
    )]
    ParseDocx {
        /// The file.
        path: PathBuf,
        /// What the parser says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The file is encrypted and needs a password.
    #[error("{} is encrypted; remove its password first", path.display())]
    Encrypted {
        /// The file.
        path: PathBuf,
    },
    /// The file has pages but no text on any of them.
    #[error(
        "{} holds no text, as scanned pages do; run text recognition (OCR) on it first",
        path.display()
    )]
    NoText {
        /// The file.
        path: PathBuf,
    },
    /// The file is larger, once unpacked, than a document can reasonably be.
    #[error("{} exceeds the limit of {limit} for {what}; it may be hostile", path.display())]
    LimitExceeded {
        /// The file.
        path: PathBuf,
        /// What there is too much of.
        what: &'static str,
        /// How much of it is accepted.
        limit: u64,
    },
}

impl Error {
    /// Makes the error for a file of a format that cannot be loaded.
    pub(crate) fn unsupported(path: &Path, reason: impl Into<String>) -> Self {
        Self::UnsupportedFormat {
            path: path.into(),
            reason: reason.into(),
        }
    }

    /// Returns the file that could not be loaded.
    pub fn path(&self) -> &Path {
        match self {
            Self::Read { path, .. }
            | Self::UnsupportedFormat { path, .. }
            | Self::ParsePdf { path, .. }
            | Self::ParseDocx { path, .. }
            | Self::Encrypted { path }
            | Self::NoText { path }
            | Self::LimitExceeded { path, .. } => path,
        }
    }
}
