//! Computes the vectors of the chunks in a store.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use sectile_core::EmbeddingModel;
use sectile_embed::{Embedder, Purpose};
use sectile_store::index::Chunk;
use sectile_store::{
    ChunkVector, Error as StoreError, PendingChunk, QueryVector, Scope, Store, VectorEncoding,
};
use serde::Serialize;

use crate::index::{document_name, embedded_text};
use crate::ingest::IngestEvent;
use crate::{Error, Result, TruncatedChunks};

/// How many chunks are read, given to the model and written at once. The model says itself how far it is with them.
const TOGETHER: usize = 256;

/// After how many refused texts in a row the work ends, if the model never took a text of the collection.
const MOST_REFUSED: usize = 64;

/// The result of making the vectors that a collection lacked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EmbedReport {
    /// The number of vectors that were made.
    pub embedded: usize,
    /// The chunks among them whose ends are not in their vectors, if there are any.
    pub truncated: Option<TruncatedChunks>,
    /// The documents of which the model refused texts, by path or URL, with the reason.
    pub failed: Vec<(String, String)>,
}

/// What became of the chunks that lacked vectors.
pub(crate) struct Embedded {
    pub(crate) report: EmbedReport,
    /// The first refusal.
    pub(crate) refusal: Option<Error>,
}

/// Makes the vectors that a collection lacks. If the model refuses a text, the others still get theirs.
pub(crate) async fn embed(
    store: &dyn Store,
    embedder: &dyn Embedder,
    collection: &str,
    encoding: VectorEncoding,
    on_event: &(dyn Fn(IngestEvent) + Send + Sync),
) -> Result<Embedded> {
    set_model(store, collection, embedder.model(), encoding).await?;
    let lacking = store.lacking_vectors(Some(collection)).await?;
    let lacking = lacking.get(collection).copied().unwrap_or_default();
    let of = lacking.chunks.saturating_sub(lacking.vectors);
    if of > 0 {
        on_event(IngestEvent::Embedded { chunks: 0, of });
    }
    let done = AtomicUsize::new(0);
    let on_done = |chunks: usize| {
        let chunks = done.fetch_add(chunks, Ordering::Relaxed) + chunks;
        // Texts in a batch with a refused one are given to the model again.
        let chunks = chunks.min(of);
        on_event(IngestEvent::Embedded { chunks, of });
    };
    let work = Work {
        store,
        embedder,
        collection,
        on_done: &on_done,
    };
    let made = match work.all().await {
        Ok(made) => made,
        Err(error) => {
            let reason = crate::error_chain(&error);
            // If this write fails as well, the first error is the one to return.
            let _ = store.put_vector_error(collection, &reason).await;
            return Err(error);
        }
    };
    if let Some((_, reason)) = made.refused.values().next() {
        store.put_vector_error(collection, reason).await?;
    }
    let truncated = TruncatedChunks::new(embedder, made.truncated);
    if let Some(truncated) = &truncated {
        on_event(IngestEvent::Truncated(truncated.clone()));
    }
    Ok(Embedded {
        report: EmbedReport {
            embedded: made.vectors,
            truncated,
            failed: made.refused.into_iter().map(told).collect(),
        },
        refusal: made.refusal,
    })
}

/// Names a document, and says what the model refused of it.
fn told((uri, (chunks, reason)): (String, (usize, String))) -> (String, String) {
    let path = crate::document_path(&uri);
    let name = path.map_or(uri, |path| path.display().to_string());
    let what = if chunks == 1 {
        "1 of its chunks has no vector".to_owned()
    } else {
        format!("{chunks} of its chunks have no vectors")
    };
    (name, format!("{what}: {reason}"))
}

/// The vectors that are being made.
struct Work<'a> {
    store: &'a dyn Store,
    embedder: &'a dyn Embedder,
    collection: &'a str,
    on_done: &'a (dyn Fn(usize) + Send + Sync),
}

/// What was made.
#[derive(Default)]
struct Made {
    vectors: usize,
    /// How many texts were longer than the model reads.
    truncated: usize,
    /// How many chunks of a document the model refused, and why the first, by the URI.
    refused: BTreeMap<String, (usize, String)>,
    /// The first refusal.
    refusal: Option<Error>,
    /// How many texts the model refused after the last one that it took.
    in_a_row: usize,
}

impl Work<'_> {
    async fn all(&self) -> Result<Made> {
        let Self {
            store, collection, ..
        } = *self;
        let mut last: Option<Chunk> = None;
        let mut made = Made::default();
        loop {
            let pending = store.pending(collection, last.as_ref(), TOGETHER).await?;
            let Some(newest) = pending.last() else {
                break;
            };
            last = Some(newest.chunk.clone());
            self.some(pending, &mut made).await?;
        }
        let is_wrong = made.refusal.is_some() && self.never_took_any(made.vectors).await?;
        match made.refusal.take() {
            Some(error) if is_wrong => Err(error),
            refusal => Ok(Made { refusal, ..made }),
        }
    }

    /// Makes and writes some vectors. Where the model refuses, it is given half as many texts, down to the one that it
    /// refuses.
    async fn some(&self, pending: Vec<PendingChunk>, made: &mut Made) -> Result<()> {
        let mut waiting = vec![pending];
        while let Some(mut some) = waiting.pop() {
            let done = self.at_once(&some).await;
            match done {
                Ok(longer) => {
                    made.vectors += some.len();
                    made.truncated += longer;
                    made.in_a_row = 0;
                }
                Err(error) if is_refusal(&error) && some.len() > 1 => {
                    let rest = some.split_off(some.len() / 2);
                    waiting.extend([rest, some]);
                }
                Err(error) if is_refusal(&error) => {
                    // Texts that were refused before come first, however many they are.
                    let is_doubtful = made.in_a_row == MOST_REFUSED;
                    if is_doubtful && self.never_took_any(made.vectors).await? {
                        return Err(error);
                    }
                    made.refuse(&some, error);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Returns whether the model took no text of the collection, now or earlier, so that it is not the right one.
    async fn never_took_any(&self, made: usize) -> Result<bool> {
        Ok(made == 0 && !has_vectors(self.store, self.collection).await?)
    }

    /// Makes and writes some vectors, and returns how many texts were longer than the model reads.
    async fn at_once(&self, pending: &[PendingChunk]) -> Result<usize> {
        let (vectors, truncated) = vectors(self.embedder, pending, self.on_done).await?;
        let model = self.embedder.model();
        self.store
            .put_vectors(self.collection, model, vectors)
            .await?;
        Ok(truncated)
    }
}

impl Made {
    /// Notes that the model refused texts.
    fn refuse(&mut self, pending: &[PendingChunk], error: Error) {
        self.in_a_row += pending.len();
        for chunk in pending {
            let first = || (0, crate::error_chain(&error));
            let refused = self.refused.entry(chunk.uri.clone());
            refused.or_insert_with(first).0 += 1;
        }
        self.refusal.get_or_insert(error);
    }
}

/// Returns whether an error may be that of one text: the model refused it, or made a vector of it that has no direction.
fn is_refusal(error: &Error) -> bool {
    matches!(
        error,
        Error::Model(sectile_embed::Error::Refused { .. })
            | Error::Store(StoreError::InvalidVector { .. })
    )
}

/// Sets the model of a collection. A stored model without any vectors is replaced, because an invalid answer of a
/// server may have described it.
pub(crate) async fn set_model(
    store: &dyn Store,
    collection: &str,
    model: &EmbeddingModel,
    encoding: VectorEncoding,
) -> Result<()> {
    match store.set_model(collection, model, encoding).await {
        Err(StoreError::OtherModel { .. } | StoreError::OtherEncoding { .. })
            if !has_vectors(store, collection).await? =>
        {
            store.remove_vectors(collection).await?;
            Ok(store.set_model(collection, model, encoding).await?)
        }
        set => Ok(set?),
    }
}

async fn has_vectors(store: &dyn Store, collection: &str) -> Result<bool> {
    let documents = store.documents(&Scope::collection(collection)).await?;
    Ok(documents.iter().any(|document| document.vectors > 0))
}

async fn vectors(
    embedder: &dyn Embedder,
    pending: &[PendingChunk],
    on_done: &(dyn Fn(usize) + Send + Sync),
) -> Result<(Vec<ChunkVector>, usize)> {
    let text = |pending: &PendingChunk| {
        let name = document_name(pending.title.as_deref(), &pending.uri);
        let head = pending.table_head.as_deref();
        embedded_text(&name, &pending.heading_path, head, &pending.text)
    };
    let texts: Vec<String> = pending.iter().map(text).collect();
    let vectors = embedder
        .embed_with_progress(&texts, Purpose::Document, on_done)
        .await?;
    expect_each(embedder, vectors.len(), texts.len())?;
    let truncated = embedder.count_truncated(&texts, Purpose::Document).await?;
    let chunks = pending.iter().map(|pending| pending.chunk.clone());
    let vectors = chunks
        .zip(vectors)
        .map(|(chunk, vector)| ChunkVector { chunk, vector })
        .collect();
    Ok((vectors, truncated))
}

/// Makes a vector of a question, and says whether the question is longer than the model reads.
pub(crate) async fn question(embedder: &dyn Embedder, text: &str) -> Result<(QueryVector, bool)> {
    let texts = [text.to_owned()];
    let mut vectors = embedder.embed(&texts, Purpose::Query).await?;
    expect_each(embedder, vectors.len(), 1)?;
    let is_truncated = embedder.count_truncated(&texts, Purpose::Query).await? > 0;
    let vector = QueryVector {
        model: embedder.model().clone(),
        vector: vectors.remove(0),
    };
    Ok((vector, is_truncated))
}

/// Checks that a model made a vector of each text.
pub(crate) fn expect_each(embedder: &dyn Embedder, found: usize, wanted: usize) -> Result<()> {
    if found == wanted {
        return Ok(());
    }
    Err(Error::Model(sectile_embed::Error::Answer {
        model: embedder.model().name.clone(),
        reason: format!("it made {found} vectors of {wanted} texts"),
    }))
}
