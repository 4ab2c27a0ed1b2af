//! The site: what it shows, and under which addresses.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use axum::routing::get;
use sectile::checkpoint::Records;
use sectile::core::{ContentHash, DocumentId};
use sectile::store::DocumentRecord;
use sectile::{Library, StoredDocument};

use crate::cache::Recent;
use crate::failure::Failure;
use crate::picture::Cut;
use crate::views::chunking::CutBy;
use crate::work_queue::WorkQueue;
use crate::{assets, views};

/// How many bytes of documents are kept in memory.
const TEXTS: usize = 64 << 20;

/// How many bytes of chunks are kept in memory.
const CUTS: usize = 32 << 20;

/// The content security policy: a browser loads only our own style, script and pictures, and sends
/// requests only to us.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The headers of every answer.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// What the pages show.
///
/// Cloning is cheap; clones share what is kept in memory.
#[derive(Clone, Debug)]
pub struct Site(Arc<Shown>);

#[derive(Debug)]
struct Shown {
    library: Library,
    checkpoints: Option<Checkpoints>,
    texts: Recent<Version, StoredDocument>,
    /// The key is the text and the chunk settings, because a document may change after its record
    /// was fetched.
    cuts: Recent<(ContentHash, CutBy), Cut>,
    queue: WorkQueue,
}

#[derive(Clone)]
struct Checkpoints(Arc<dyn Records>);

impl std::fmt::Debug for Checkpoints {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Checkpoints")
    }
}

/// A version of a document.
#[derive(Debug, PartialEq, Eq)]
struct Version {
    id: DocumentId,
    updated_at: u64,
    source: ContentHash,
    index: String,
}

impl Version {
    fn of(record: &DocumentRecord) -> Self {
        Self {
            id: record.id,
            updated_at: record.updated_at,
            source: record.content_hash,
            index: record.index_version.clone(),
        }
    }
}

impl Site {
    /// Creates a site for the documents of a library. It only reads.
    pub fn new(library: Library) -> Self {
        Self::of(library, None)
    }

    /// Adds the checkpoints of graph runs.
    #[must_use]
    pub fn with_checkpoints(self, checkpoints: Arc<dyn Records>) -> Self {
        Self::of(self.0.library.clone(), Some(Checkpoints(checkpoints)))
    }

    fn of(library: Library, checkpoints: Option<Checkpoints>) -> Self {
        Self(Arc::new(Shown {
            library,
            checkpoints,
            texts: Recent::new(TEXTS),
            cuts: Recent::new(CUTS),
            queue: WorkQueue::new(),
        }))
    }

    pub(crate) fn library(&self) -> &Library {
        &self.0.library
    }

    pub(crate) fn checkpoints(&self) -> Option<&dyn Records> {
        let records = self.0.checkpoints.as_ref();
        records.map(|records| &*records.0)
    }

    /// Reads a document, or takes it from the cache.
    pub(crate) async fn text(
        &self,
        record: &DocumentRecord,
    ) -> Result<Arc<StoredDocument>, Failure> {
        let version = Version::of(record);
        if let Some(known) = self.0.texts.get(&version) {
            return Ok(known);
        }
        let stored = self.library().read(record).await?;
        let bytes = stored.text.len() + stored.sections.len() * 512;
        Ok(self.0.texts.put(version, stored, bytes))
    }

    /// Splits a document into chunks, or takes them from the cache.
    pub(crate) async fn cut(
        &self,
        uri: &str,
        stored: &Arc<StoredDocument>,
        by: CutBy,
    ) -> Result<Arc<Cut>, Failure> {
        if let Some(known) = self.0.cuts.get(&(stored.hash, by)) {
            return Ok(known);
        }
        let (site, uri, stored) = (self.clone(), uri.to_owned(), Arc::clone(stored));
        self.work(move || site.cut_now(&uri, &stored, by)).await?
    }

    /// Splits a document into chunks, unless another request has done so in the meantime.
    fn cut_now(&self, uri: &str, stored: &StoredDocument, by: CutBy) -> Result<Arc<Cut>, Failure> {
        let key = (stored.hash, by);
        if let Some(known) = self.0.cuts.get(&key) {
            return Ok(known);
        }
        let cut = by.cut(self.library(), uri, stored)?;
        let bytes = cut.bytes();
        Ok(self.0.cuts.put(key, cut, bytes))
    }

    /// Does long-running work on a blocking thread, through the queue.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        self.0.queue.work(work).await
    }
}

/// Creates the routes of a site. All of them only read, and answer only `GET`.
pub fn router(site: Site) -> Router {
    Router::new()
        .route("/", get(views::home::page))
        .route("/document", get(views::document::page))
        .route("/document/pane", get(views::document::pane))
        .route("/search", get(views::search::page))
        .route("/threads", get(views::threads::page))
        .route("/thread", get(views::thread::page))
        .route("/checkpoint", get(views::checkpoint::page))
        .route("/diff", get(views::diff::page))
        .route("/assets/{file}", get(assets::serve))
        .method_not_allowed_fallback(|| async { Failure::read_only() })
        .fallback(|| async { Failure::no_page() })
        .layer(axum::middleware::map_response(guarded))
        .with_state(site)
}

/// Adds headers that allow the browser only to show an answer.
async fn guarded(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let caching = headers.entry(header::CACHE_CONTROL);
    caching.or_insert(HeaderValue::from_static("no-cache"));
    response
}

#[cfg(test)]
mod tests {
    use sectile::load::FileLoader;

    use super::*;

    #[tokio::test]
    async fn what_is_cut_is_what_was_read() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("store.db").display());
        let library = Library::open(&url).await.unwrap();
        let site = Site::new(library.clone());
        let mut spans = Vec::new();
        for text in ["# A\n\nOne two three four five.\n", "# Ä\n\nÖÖ.\n"] {
            let document = FileLoader::default().load_bytes(text.as_bytes(), "a.md".as_ref());
            let document = [("note:a".to_owned(), document.unwrap())];
            library.add("notes", &document).await.unwrap();
            let record = library.document(None, "note:a").await.unwrap();
            let stored = Arc::new(library.read(&record).await.unwrap());
            // As if it had changed after the record was fetched.
            let cut = site.cut(&record.uri, &stored, CutBy::Stored).await.unwrap();
            assert!(cut.chunks.iter().all(|chunk| chunk.span.end <= text.len()));
            spans.push(cut.chunks[0].span);
        }
        assert_ne!(spans[0], spans[1]);
    }
}
