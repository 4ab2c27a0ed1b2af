//! The definition of a Sectile store: the [`Store`] trait, its records, and all parts of search
//! that do not depend on a database.
//!
//! All databases use the same terms. The [`Analyzer`] makes them from documents and queries alike,
//! so two stores with the same documents give the same hits.
//!
//! ```
//! use sectile_store::{Analyzer, Query};
//!
//! let analyzer = Analyzer::english();
//! assert_eq!(analyzer.terms("Reading of read_chunks"), "read of readchunk\nread chunk");
//!
//! // Any input is safe: nothing the user types is read as a database's query syntax.
//! let query = Query::parse("new `col:val`? NOT draft", &[])?;
//! // They are `new`, `col`, `val`, and the last two in a row.
//! assert_eq!(query.reading().words.len(), 4);
//! # Ok::<(), sectile_store::Error>(())
//! ```
//!
//! The crate does no I/O. An implementation, such as `sectile-store-sqlite`, passes the test cases
//! of the `conformance` feature.

mod address;
mod analyzer;
mod clause;
#[cfg(feature = "conformance")]
pub mod conformance;
mod definition;
mod demotion;
mod error;
mod explain;
mod fusion;
pub mod index;
mod jobs;
mod names;
mod natural_key;
mod note;
mod promotion;
mod query;
mod reading;
mod record;
mod scope;
mod search;
mod snippet;
mod store;
mod vector;

pub use address::shown_url;
pub use analyzer::{
    ANALYZER_VERSION, Alternative, AnalyzedWord, Analyzer, BESIDE, Form, Language, Languages,
    Sequence, WordCounts,
};
pub use clause::{Clause, Clauses, Variant};
pub use demotion::Demotion;
pub use error::{Error, Result};
pub use fusion::{Ranking, node_score, reciprocal_rank_fusion};
pub use jobs::{Claim, ClaimedJob, Job, JobRecord, JobState, Jobs, OpenJobs};
pub use names::name_words;
pub use natural_key::natural_key;
pub use note::Note;
pub use promotion::Promotion;
pub use query::Query;
pub use reading::{CutBeginning, Reading, TakenApart, WordKind, WordReading};
pub use record::{
    ChunkRecord, ChunkVector, DocumentRecord, FailedDocument, Faults, FoundDocument, GIVEN, Health,
    IndexedChunk, IndexedDocument, IndexedSection, PendingChunk, REPAIRING, SectionRecord, Status,
    Summary, Totals, VectorCheck, VectorCoverage, current_checksum,
};
pub use scope::Scope;
pub use search::{
    Answer, FoundChunk, GroupBy, Hit, HitDocument, HitMetadata, Leg, SameText, SearchMode,
    SearchRequest, WordScore, text_of_chunk,
};
pub use snippet::Snippet;
pub use store::Store;
pub use vector::{Matrix, QueryVector, VectorEncoding, dot, is_normalized, normalized, vector_of};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
