//! Errors of loading.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sectile_core::Format;

/// The cause of an error, from whichever library found it.
pub(crate) type Cause = Box<dyn std::error::Error + Send + Sync>;

/// An error of loading one file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file could not be read.
    #[error("cannot read {}; {}", path.display(), read_advice(source))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The file is in a format that cannot be loaded, or is not a document at all.
    #[error("cannot load {}: {reason}", path.display())]
    UnsupportedFormat {
        /// The file.
        path: PathBuf,
        /// What the file is, and what to do.
        reason: String,
    },
    /// The file is a document that could not be parsed.
    #[error(
        "cannot parse the {} {}; it may be damaged: open it in the program that made it, or in \
         another that reads it, and save it again",
        format.description(),
        path.display()
    )]
    Parse {
        /// The file.
        path: PathBuf,
        /// The format it is in.
        format: Format,
        /// What the parser says.
        source: Cause,
    },
    /// The file is encrypted, and does not open with the given password, or without one.
    #[error(
        "{} is encrypted; {}",
        path.display(),
        encrypted_advice(path, *is_wrong)
    )]
    Encrypted {
        /// The file.
        path: PathBuf,
        /// Whether a password was given and does not open the file.
        is_wrong: bool,
    },
    /// The file has pages but no text on any of them.
    #[error("{} {}{}", path.display(), no_text_advice(*has_pictures), attached(attachments))]
    NoText {
        /// The file.
        path: PathBuf,
        /// Whether there are pictures on its pages, whose text may be recognized.
        has_pictures: bool,
        /// The names of the files that it holds, the first thousand of them. They are not read.
        attachments: Vec<String>,
    },
    /// The file has letters, but none of them can be read.
    #[error(
        "{} has fonts without character mappings, and no other text; recognize it with `ocr`, which needs tesseract",
        path.display()
    )]
    UnmappedText {
        /// The file.
        path: PathBuf,
    },
    /// The text of pages that are pictures could not be recognized.
    #[error("cannot recognize the text in {}: {reason}", path.display())]
    Ocr {
        /// The file.
        path: PathBuf,
        /// What went wrong, as `tesseract` says it.
        reason: String,
    },
    /// The file has none of the requested pages.
    #[error("{} has none of these pages; it has {page_count}", path.display())]
    NoSuchPage {
        /// The file.
        path: PathBuf,
        /// How many pages it has.
        page_count: u32,
    },
    /// The file exceeds the limits, packed or unpacked.
    #[error("{} exceeds the limit of {}", path.display(), limit_advice(what, *limit))]
    LimitExceeded {
        /// The file.
        path: PathBuf,
        /// The subject of the limit.
        what: Cow<'static, str>,
        /// The limit.
        limit: u64,
    },
    /// The worker process timed out, and was stopped.
    #[error(
        "{} takes longer than {} s to load; if you trust it, raise the time limit or split it",
        path.display(),
        limit.as_secs_f64()
    )]
    TimedOut {
        /// The file.
        path: PathBuf,
        /// The time limit.
        limit: Duration,
    },
    /// The worker process crashed on the file, or could not be started.
    #[error("{} cannot be loaded: the process that parsed it {reason}", path.display())]
    WorkerDied {
        /// The file.
        path: PathBuf,
        /// What happened to the process.
        reason: String,
    },
    /// The splitter's settings cannot be used.
    #[error("the text cannot be split with these settings")]
    SplitConfig(#[from] sectile_chunk::Error),
}

/// Why something at a path is not read: a pipe would block until somebody writes to it, and a device may never end.
#[derive(Debug, thiserror::Error)]
#[error("it is a pipe, a socket or a device, and no file")]
pub(crate) struct NotAFile;

fn is_no_file(source: &io::Error) -> bool {
    let inner = source.get_ref();
    inner.is_some_and(<dyn std::error::Error + Send + Sync>::is::<NotAFile>)
}

/// Says what to do about a file that cannot be read.
fn read_advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::IsADirectory => "it is a folder; name the files in it",
        _ if is_no_file(source) => "name a file, or pass what a program writes as standard input",
        _ => "check that it exists and may be read",
    }
}

/// Says what to do about an encrypted file: of those with a known name, only a PDF opens with a password.
fn encrypted_advice(path: &Path, is_wrong: bool) -> &'static str {
    let extension = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    match extension.as_str() {
        _ if is_wrong => "the password does not open it",
        "pdf" => "give its password, or save it without one",
        name if crate::is_known_extension(name) => "save it without a password",
        _ => "give its password if it is a PDF, or save it without one",
    }
}

/// Says why there is no text, and what to do.
/// What [`Error::LimitExceeded`] names when a file itself is too large.
pub(crate) const FILE_BYTES: &str = "the bytes of a file";

/// Says how much is accepted of what, and what helps. Users raise the limit for the size of files; the others guard
/// against hostile ones.
fn limit_advice(what: &str, limit: u64) -> String {
    if what == FILE_BYTES {
        let limit = size(limit);
        return format!(
            "{limit} for a file; if you trust it, raise the limit of file sizes or split it"
        );
    }
    let accepted = match what.strip_prefix("the bytes of ") {
        Some(part) => format!("{} for {part}", size(limit)),
        None => format!("{limit} for {what}"),
    };
    format!("{accepted}; split it, or save it in another format")
}

/// Writes a number of bytes with the largest unit that gives a whole number.
fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let is_whole = |shift: u32| bytes > 0 && bytes.trailing_zeros() >= shift;
    match units.iter().find(|(shift, _)| is_whole(*shift)) {
        Some((shift, unit)) => format!("{} {unit}", bytes >> shift),
        None => format!("{bytes} bytes"),
    }
}

/// How many attached files are named.
const MAX_NAMED: usize = 12;

fn no_text_advice(has_pictures: bool) -> &'static str {
    if has_pictures {
        "has no text, as scanned pages do; recognize it with `ocr`, which needs tesseract"
    } else {
        "has neither text nor pictures, as blank pages do"
    }
}

/// Names the files within one that has no text of its own.
fn attached(names: &[String]) -> String {
    let first = names[..names.len().min(MAX_NAMED)].join(", ");
    match (names.len(), names.len().saturating_sub(MAX_NAMED)) {
        (0, _) => String::new(),
        (1, _) => {
            format!("; it holds the file {first}, which is not read: save it as a file of its own")
        }
        (_, 0) => format!(
            "; it holds the files {first}, which are not read: save them as files of their own"
        ),
        (_, others) => format!(
            "; it holds the files {first} and {others} others, which are not read: save them as files of their own"
        ),
    }
}

impl Error {
    /// Makes the error for a file of a format that cannot be loaded.
    pub(crate) fn unsupported(path: &Path, reason: impl Into<String>) -> Self {
        Self::UnsupportedFormat {
            path: path.into(),
            reason: reason.into(),
        }
    }

    /// Makes the error for a file of this format that its parser refuses.
    pub(crate) fn parse(path: &Path, format: Format, source: impl Into<Cause>) -> Self {
        Self::Parse {
            path: path.into(),
            format,
            source: source.into(),
        }
    }

    /// Returns the same error with another name for messages, such as standard input.
    #[must_use]
    pub fn with_path(mut self, name: impl Into<PathBuf>) -> Self {
        match &mut self {
            Self::Read { path, .. }
            | Self::UnsupportedFormat { path, .. }
            | Self::Parse { path, .. }
            | Self::Encrypted { path, .. }
            | Self::NoText { path, .. }
            | Self::UnmappedText { path }
            | Self::Ocr { path, .. }
            | Self::NoSuchPage { path, .. }
            | Self::LimitExceeded { path, .. }
            | Self::TimedOut { path, .. }
            | Self::WorkerDied { path, .. } => *path = name.into(),
            Self::SplitConfig(_) => {}
        }
        self
    }

    /// Returns the file that could not be loaded, or `None` for an error of settings.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Read { path, .. }
            | Self::UnsupportedFormat { path, .. }
            | Self::Parse { path, .. }
            | Self::Encrypted { path, .. }
            | Self::NoText { path, .. }
            | Self::UnmappedText { path }
            | Self::Ocr { path, .. }
            | Self::NoSuchPage { path, .. }
            | Self::LimitExceeded { path, .. }
            | Self::TimedOut { path, .. }
            | Self::WorkerDied { path, .. } => Some(path),
            Self::SplitConfig(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exceeded_limit_says_what_helps() {
        let check = |what: &'static str, limit: u64, expected: &str| {
            let error = Error::LimitExceeded {
                path: "a.xlsx".into(),
                what: what.into(),
                limit,
            };
            assert_eq!(
                error.to_string(),
                format!("a.xlsx exceeds the limit of {expected}")
            );
        };
        let raise = "if you trust it, raise the limit of file sizes or split it";
        check(
            FILE_BYTES,
            512 << 20,
            &format!("512 MiB for a file; {raise}"),
        );
        check(FILE_BYTES, 3 << 30, &format!("3 GiB for a file; {raise}"));
        check(
            FILE_BYTES,
            1_000,
            &format!("1000 bytes for a file; {raise}"),
        );
        check(FILE_BYTES, 0, &format!("0 bytes for a file; {raise}"));
        check(
            "the bytes of the text of a workbook",
            512 << 20,
            "512 MiB for the text of a workbook; split it, or save it in another format",
        );
        check(
            "nested values",
            128,
            "128 for nested values; split it, or save it in another format",
        );
    }
}
