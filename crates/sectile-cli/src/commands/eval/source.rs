//! The documents of a measurement, and the stores that they are put into.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sectile::{ChunkSettings, DEFAULT_COLLECTION, Library, Scope};
use sectile_eval::{Documents, add_corpus};
use tempfile::TempDir;

use crate::args::{DraftArguments, MeasureArguments};
use crate::commands::{ingest, open, open_to_read};
use crate::progress::Progress;

/// The origin of the documents.
#[derive(Debug)]
pub(super) enum Source {
    /// In a store, as they were ingested.
    Store {
        url: Option<String>,
        collection: Option<String>,
    },
    /// Files and folders.
    Paths(Vec<PathBuf>),
    /// A file of JSON lines.
    Corpus(PathBuf),
}

impl Source {
    /// Takes what is named, or else what was `found` with the questions, or else the store.
    pub(super) fn new(
        arguments: &MeasureArguments,
        store: Option<String>,
        found: Option<Documents>,
    ) -> Self {
        let MeasureArguments {
            paths,
            corpus,
            collection,
            ..
        } = arguments;
        match (corpus, found) {
            _ if !paths.is_empty() => Self::Paths(paths.clone()),
            (Some(corpus), _) => Self::Corpus(corpus.clone()),
            (None, Some(documents)) if collection.is_none() => match documents {
                Documents::Corpus(path) => Self::Corpus(path),
                Documents::Folder(path) => Self::Paths(vec![path]),
            },
            _ => Self::Store {
                url: store,
                collection: collection.clone(),
            },
        }
    }

    pub(super) fn of_drafts(arguments: &DraftArguments, store: Option<String>) -> Self {
        match &*arguments.paths {
            [] => Self::Store {
                url: store,
                collection: arguments.collection.clone(),
            },
            paths => Self::Paths(paths.to_vec()),
        }
    }

    /// Returns whether the documents can be cut in several ways.
    pub(super) const fn can_be_cut(&self) -> bool {
        !matches!(self, Self::Store { .. })
    }

    /// Brings a library up to date with the documents, and returns where to search.
    pub(super) async fn fill(&self, library: &Library) -> anyhow::Result<Scope> {
        match self {
            Self::Store { collection, .. } => Ok(collection
                .as_deref()
                .map_or_else(Scope::all, Scope::collection)),
            Self::Paths(paths) => {
                let report = ingest::with_progress(library, DEFAULT_COLLECTION, paths).await?;
                ingest::report_read(&report);
                Ok(library.scope(Some(DEFAULT_COLLECTION), paths)?)
            }
            Self::Corpus(path) => {
                // A store that is kept may have other documents, too.
                let collection = path.display().to_string();
                add_corpus(library, &collection, path).await?;
                if library.embedder().is_some() {
                    let progress = Progress::new();
                    let show = |event| progress.show(&event);
                    let report = library.embed(&collection, &show).await?;
                    ingest::warn_of_documents(&report.failed);
                }
                Ok(Scope::collection(&collection))
            }
        }
    }
}

/// The folder of the stores of a measurement, one for each way to cut.
pub(super) enum Stores {
    Kept(PathBuf),
    Temporary(TempDir),
}

impl Stores {
    pub(super) fn new(arguments: &MeasureArguments) -> anyhow::Result<Self> {
        let Some(folder) = &arguments.cache else {
            return Self::temporary();
        };
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        Ok(Self::Kept(folder.clone()))
    }

    pub(super) fn temporary() -> anyhow::Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        Ok(Self::Temporary(folder))
    }

    fn folder(&self) -> &Path {
        match self {
            Self::Kept(folder) => folder,
            Self::Temporary(folder) => folder.path(),
        }
    }

    /// Opens the store of the source, or that of one way to cut.
    pub(super) async fn open(
        &self,
        source: &Source,
        chunks: Option<&ChunkSettings>,
    ) -> anyhow::Result<Library> {
        if let Source::Store { url, .. } = source {
            return open_to_read(url.clone()).await;
        }
        let name = match chunks {
            None => "usual".to_owned(),
            Some(chunks) => {
                let (strategy, unit) = (chunks.strategy, chunks.unit());
                format!("{strategy}-{}-{}-{unit}", chunks.size(), chunks.overlap())
            }
        };
        let path = self.folder().join(name).with_extension("db");
        let library = open(Some(format!("sqlite:{}", path.display()))).await?;
        Ok(match chunks {
            None => library,
            Some(chunks) => library.with_chunks(chunks)?,
        })
    }
}
