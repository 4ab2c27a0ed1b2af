//! What can go wrong between questions and figures.

use std::fmt;
use std::path::PathBuf;

/// The error of every operation of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read.
    #[error("cannot read `{}`; {}", path.display(), read_advice(source))]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A file is larger than any list of questions.
    #[error("`{}` has more than {limit} bytes; is it the right file?", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most bytes that it may have.
        limit: u64,
    },
    /// A line is not what it should be.
    #[error("{place}: {reason}")]
    Line {
        /// The line.
        place: Place,
        /// What is wrong with it.
        reason: String,
    },
    /// An id is there twice.
    #[error("{place}: the id `{id}` is also that of line {first}; give each its own")]
    Repeated {
        /// The line that has it again.
        place: Place,
        /// The id.
        id: String,
        /// The line that has it first.
        first: usize,
    },
    /// A file has no questions, judgements or documents.
    #[error("`{}` has no {what}", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
        /// What it should have.
        what: &'static str,
    },
    /// No question has an answer to be found.
    #[error("no question has an answer ({questions} asked); add `answers`, or name judgements")]
    Unjudged {
        /// The number of questions.
        questions: usize,
    },
    /// A folder holds no test collection.
    #[error("`{}` holds no questions; name a file, or a folder with one of {}", path.display(), wanted.join(", "))]
    NoQuestions {
        /// The folder.
        path: PathBuf,
        /// The names of the files that were looked for.
        wanted: Vec<&'static str>,
    },
    /// There is no document to search: no such collection, for example.
    #[error("{reason}")]
    NoDocuments {
        /// Why there is none.
        reason: sectile::Emptiness,
    },
    /// An answer names a document that is not there.
    #[error("{place}: `{document}` is not among the {documents} documents that are searched")]
    NoSuchDocument {
        /// The line that names it.
        place: Place,
        /// The document, as it is named.
        document: String,
        /// The number of documents.
        documents: usize,
    },
    /// An answer names a document by an end of a path that several have.
    #[error("{place}: `{document}` is the end of several paths ({}); name more of it", candidates.join(", "))]
    AmbiguousDocument {
        /// The line that names it.
        place: Place,
        /// The document, as it is named.
        document: String,
        /// Some of the documents that it may mean.
        candidates: Vec<String>,
    },
    /// An answer names a heading or lines that its document does not have.
    #[error("{place}: the answer is not in its document")]
    NoSuchAnswer {
        /// The line that names it.
        place: Place,
        /// What is missing.
        source: Box<sectile::Error>,
    },
    /// The library failed.
    #[error(transparent)]
    Library(Box<sectile::Error>),
}

/// Says what to do about a file that cannot be read.
fn read_advice(source: &std::io::Error) -> &'static str {
    match source.kind() {
        std::io::ErrorKind::IsADirectory => "it is a folder; name a file in it",
        std::io::ErrorKind::InvalidData => "it is not text in UTF-8; name another file",
        _ => "check that it exists and may be read",
    }
}

impl From<sectile::Error> for Error {
    fn from(error: sectile::Error) -> Self {
        Self::Library(Box::new(error))
    }
}

/// The result of every operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A line of a file. Written as `questions.jsonl:3`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
}

impl Place {
    /// Says what is wrong with the line.
    pub(crate) fn refuse(&self, reason: impl fmt::Display) -> Error {
        Error::Line {
            place: self.clone(),
            reason: reason.to_string(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.path.display(), self.line)
    }
}
