#![doc = include_str!("../README.md")]

mod added;
mod blocking;
mod checkpoints;
mod embed;
mod error;
mod existing_files;
mod fields;
mod index;
mod ingest;
mod library;
mod memory;
mod named;
mod notes;
mod open_model;
mod read;
mod rerank;
mod settings;
mod similar;
#[cfg(feature = "site")]
mod site;
mod store_url;
mod stored;
mod traced;
mod tree;
mod truncated;
mod uri;
mod verify;
#[cfg(feature = "watch")]
mod watch;

pub use sectile_checkpoint as checkpoint;
#[cfg(feature = "postgres")]
pub use sectile_checkpoint_postgres as checkpoint_postgres;
#[cfg(feature = "sqlite")]
pub use sectile_checkpoint_sqlite as checkpoint_sqlite;
pub use sectile_chunk as chunk;
pub use sectile_core as core;
pub use sectile_embed as models;
pub use sectile_load as load;
#[cfg(feature = "site")]
pub use sectile_site as sites;
pub use sectile_store as store;
#[cfg(feature = "postgres")]
pub use sectile_store_postgres as store_postgres;
#[cfg(feature = "sqlite")]
pub use sectile_store_sqlite as store_sqlite;

pub use added::{added_models, only_added};
pub use checkpoints::{CheckpointOptions, Checkpoints};
pub use embed::EmbedReport;
pub use error::{Candidate, Error, Result, error_chain, store_remedy};
pub use ingest::claims::{PartEvent, PartsOptions, PartsReport};
#[cfg(feature = "site")]
pub use ingest::full_text::{give_pages, is_full_text};
pub use ingest::loaders::was_read_by_older_loader;
pub use ingest::parts::{
    DocumentBatches, DocumentPart, PartDocument, PartError, PartVector, VectorBatches,
};
pub use ingest::{FileOutcome, IngestEvent, IngestReport};
pub use library::{DEFAULT_COLLECTION, Emptiness, HeldElsewhere, Library};
pub use memory::{KNOWLEDGE, Kept, KeptOutcome, MEMORIES};
pub use named::Named;
pub use notes::note_subject;
pub use open_model::{check_model_name, open_chat_model, open_embedder, open_reranker};
pub use read::{Part, Passage, find_heading, first_tokens, similar_headings};
pub use rerank::{NotReranked, RerankOptions, Reranked};
pub use sectile_store::{Answer, GroupBy, Hit, Scope, SearchMode, SearchRequest, shown_url};
pub use settings::{ChunkSettings, CutChunk, CutStream, Cutter, Strategy, StrategyOptions, Unit};
pub use similar::{most_similar, similar_documents};
#[cfg(feature = "site")]
pub use site::{SiteOptions, Source, site_collection, site_url};
pub use store_url::{check_store_url, sqlite_file};
pub use stored::StoredDocument;
pub use truncated::TruncatedChunks;
pub use uri::{
    document_path, document_uri, document_uris, is_gone, path_uri, uri_contains, uri_ends_with,
};
pub use verify::{Fault, Misfit, Repairs, is_being_repaired};
#[cfg(feature = "watch")]
pub use watch::{WatchEvent, WatchOptions};

/// The examples of the repository's README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The examples of the guides.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/chunking.md")]
#[doc = include_str!("../../../docs/checkpoints.md")]
struct Guides;
