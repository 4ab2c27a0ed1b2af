//! The arguments of `sectile ingest`.

use std::path::PathBuf;

use clap::Args;
use sectile::store::Language;

use super::range::from_one;
use super::{EmbedderArguments, LimitArguments, name};

/// Add documents to the store, or update them
///
/// Adds new files, updates changed ones, and removes documents whose files are gone. In folders, skips
/// hidden files and the files that .ignore lists, and in a Git repository also those that .gitignore
/// lists, as ripgrep does. For a web site, reads the pages of its llms-full.txt, or else those that its
/// llms.txt lists.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile ingest docs/ --collection handbook
  sectile ingest https://docs.example.org
  sectile ingest https://example.org/guide/ --crawl --max-pages 200
  sectile ingest docs/ --embedder ollama:nomic-embed-text
  sectile ingest filings/ --collection filings --key ticker,fiscal_year,doc_type
  sectile ingest /shared/reports --shared --store postgres://db/library")]
pub(crate) struct IngestArguments {
    /// Files, folders, and web sites by their URL or domain
    #[arg(required = true, value_name = "PATH|URL|DOMAIN")]
    pub(crate) sources: Vec<PathBuf>,
    /// Collection for the documents [default: `default`, or the host of a site]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) collection: Option<String>,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) site: SiteArguments,
    /// Metadata fields that identify a document; no two documents of the collection may have the same
    /// values in them
    #[arg(long, value_name = "FIELDS", value_delimiter = ',', value_parser = name)]
    pub(crate) key: Option<Vec<String>>,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
    /// Store new vectors with one byte per number (SQLite only): a quarter of the size
    #[arg(long)]
    pub(crate) int8: bool,
    /// Recompute all vectors of the collection if they are from another model
    #[arg(long)]
    pub(crate) replace_vectors: bool,
    /// Share the work with other processes that run the same command (Postgres only); each file is read
    /// by one of them
    #[arg(long)]
    pub(crate) shared: bool,
}

/// How ingested files are read
#[derive(Debug, Args)]
pub(crate) struct ReadingArguments {
    /// Language of the documents, such as `de` [default: set for the collection, or declared, or detected]
    #[arg(long, value_name = "CODE")]
    pub(crate) language: Option<Language>,
    /// Recognize text on scanned PDF pages (OCR) in these languages, such as eng+deu [default: eng];
    /// needs tesseract
    #[arg(long, value_name = "LANGUAGES", num_args = 0..=1, require_equals = true, default_missing_value = "eng")]
    pub(crate) ocr: Option<String>,
    /// Load whole web pages, with navigation and comments, not only the main content
    #[arg(long)]
    pub(crate) whole_page: bool,
    /// Password of encrypted PDF files
    #[arg(long, value_name = "PASSWORD")]
    pub(crate) password: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// How web sites are read
#[derive(Debug, Args)]
#[command(next_help_heading = "Web sites")]
pub(crate) struct SiteArguments {
    /// Follow links if the site has no llms.txt
    #[arg(long)]
    pub(crate) crawl: bool,
    /// Read only the page at the address, even if it asks not to be indexed
    #[arg(long, conflicts_with_all = ["crawl", "optional"])]
    pub(crate) page: bool,
    /// Also read the pages that llms.txt lists as optional
    #[arg(long)]
    pub(crate) optional: bool,
    /// Allow private addresses, such as those of this machine, for the hosts of the given sites and the
    /// hosts named here
    #[arg(long, value_name = "HOST", num_args = 0.., require_equals = true, value_delimiter = ',')]
    pub(crate) allow_private: Option<Vec<String>>,
    /// Maximum number of pages to request [default: 500]
    #[arg(long, value_name = "N", value_parser = from_one::<usize>)]
    pub(crate) max_pages: Option<usize>,
}
