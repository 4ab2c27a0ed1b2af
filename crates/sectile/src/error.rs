//! The errors of the library.

use std::path::PathBuf;

/// The error of every operation of a [`Library`](crate::Library).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A path to ingest cannot be read.
    #[error("cannot read `{}`; check that it exists and may be read", path.display())]
    Path {
        /// The path as given.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// This build cannot open the address of the store.
    #[error("cannot open the store `{url}`: {reason}")]
    StoreUrl {
        /// The address as given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The document is not in the store.
    #[error("`{uri}` is not in the store")]
    NotIngested {
        /// The document's URI.
        uri: String,
    },
    /// Several collections contain a document with this URI.
    #[error("`{uri}` is in several collections ({}); name one", collections.join(", "))]
    AmbiguousDocument {
        /// The document's URI.
        uri: String,
        /// The collections that hold it.
        collections: Vec<String>,
    },
    /// The document has no such heading.
    #[error("`{uri}` has no heading `{heading}`{}", meant(similar))]
    NoSuchHeading {
        /// The document's URI.
        uri: String,
        /// The heading or heading path that was asked for.
        heading: String,
        /// Headings that are like it, best first; at most three.
        similar: Vec<String>,
    },
    /// Several sections have this heading.
    #[error(
        "several sections have the heading `{heading}`; ask for one of them:{}",
        list(candidates)
    )]
    AmbiguousHeading {
        /// The heading or heading path that was asked for.
        heading: String,
        /// The heading path, id and first line of each.
        candidates: Vec<Candidate>,
    },
    /// No document in scope has a section with this id.
    #[error("no document in the store has the section `{id}`; the document may have changed")]
    NoSuchSection {
        /// The id.
        id: sectile_core::SectionId,
    },
    /// The document has none of these lines.
    #[error("`{uri}` has no lines {}; it has {lines}, numbered from 1", range(first, last, &usize::MAX))]
    NoSuchLines {
        /// The document's URI.
        uri: String,
        /// The first line that was asked for.
        first: usize,
        /// The last line that was asked for.
        last: usize,
        /// The number of lines that it has.
        lines: usize,
    },
    /// The document has none of these pages.
    #[error("`{uri}` has no pages{}", which_pages(*first, *last, *pages))]
    NoSuchPages {
        /// The document's URI.
        uri: String,
        /// The first page that was asked for.
        first: u32,
        /// The last page that was asked for.
        last: u32,
        /// The number of pages that it has, 0 where its format has none.
        pages: u32,
    },
    /// The cursor is not from an earlier answer.
    #[error(
        "the cursor {cursor} is not valid for this text; use the cursor from the previous answer"
    )]
    InvalidCursor {
        /// The cursor as given.
        cursor: usize,
    },
    /// A size or overlap is not usable.
    #[error("the chunk settings cannot be used")]
    Settings(#[source] sectile_chunk::Error),
    /// The request needs an embedding model, and the library has none.
    #[error("this needs an embedding model; name one")]
    NoEmbedder,
    /// The request needs a chat model, and the library has none.
    #[error("this needs a chat model; name one")]
    NoChatModel,
    /// The request needs a reranking model, and the library has none.
    #[error("this needs a reranking model; name one")]
    NoReranker,
    /// A metadata field has the name of a standard field, but a value of another type.
    #[error(transparent)]
    Metadata(#[from] sectile_core::MisfitField),
    /// The text of a memory is empty.
    #[error("there is nothing to remember; give a text")]
    EmptyMemory,
    /// No memory or piece of knowledge has this id.
    #[error("there is no memory `{id}`")]
    NoSuchMemory {
        /// The id.
        id: sectile_core::DocumentId,
    },
    /// A web site could not be read.
    #[cfg(feature = "site")]
    #[error(transparent)]
    Site(#[from] sectile_site::Error),
    /// A model failed.
    #[error(transparent)]
    Model(#[from] sectile_embed::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] sectile_store::Error),
}

/// A section that a heading may refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The headings from the root to the section.
    pub heading_path: Vec<String>,
    /// The section's id.
    pub id: sectile_core::SectionId,
    /// The line at which it begins.
    pub line: usize,
}

/// Returns what the program `sectile` can do about an error of a damaged store, for the messages of
/// the program and its servers. `None` if no command helps.
pub const fn store_remedy(error: &sectile_store::Error) -> Option<&'static str> {
    match error {
        sectile_store::Error::Corrupt { .. } => Some("run `sectile doctor --repair`"),
        sectile_store::Error::Damaged { .. } => {
            Some("`sectile doctor --deep` names the damaged documents")
        }
        _ => None,
    }
}

/// Writes an error and its causes on one line, outermost first. A cause is left out if the error before it already ends
/// with it.
pub fn error_chain(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let mut said: Vec<String> = Vec::new();
    for cause in causes.map(ToString::to_string) {
        if !said.last().is_some_and(|last| last.ends_with(&cause)) {
            said.push(cause);
        }
    }
    said.join(": ")
}

/// Writes a range as it was asked for: `9`, `9-12`, or `9-` for all from there on, which ends at `end`.
fn range<T: PartialEq + std::fmt::Display>(first: &T, last: &T, end: &T) -> String {
    if last == end {
        format!("{first}-")
    } else if first == last {
        first.to_string()
    } else {
        format!("{first}-{last}")
    }
}

fn which_pages(first: u32, last: u32, pages: u32) -> String {
    if pages == 0 {
        return "; ask for lines".to_owned();
    }
    let range = range(&first, &last, &u32::MAX);
    format!(" {range}; it has {pages}, numbered from 1")
}

/// Asks whether one of some names was meant.
fn meant(similar: &[String]) -> String {
    if similar.is_empty() {
        return String::new();
    }
    format!("; did you mean `{}`?", similar.join("` or `"))
}

fn list(candidates: &[Candidate]) -> String {
    let line = |candidate: &Candidate| {
        let Candidate {
            heading_path,
            id,
            line,
        } = candidate;
        format!(
            "\n  {}  (line {line}, section {id})",
            heading_path.join(" > ")
        )
    };
    candidates.iter().map(line).collect()
}

/// The result of every operation of a [`Library`](crate::Library).
pub type Result<T, E = Error> = std::result::Result<T, E>;
