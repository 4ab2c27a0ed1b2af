//! Computes the vectors of the chunks in a store.

use std::sync::atomic::{AtomicUsize, Ordering};

use sectile_core::EmbeddingModel;
use sectile_embed::{Embedder, Purpose};
use sectile_store::index::Chunk;
use sectile_store::{
    ChunkVector, Error as StoreError, PendingChunk, QueryVector, Scope, Store, VectorEncoding,
};

use crate::index::{document_name, embedded_text};
use crate::ingest::IngestEvent;
use crate::{Error, Result, TruncatedChunks};

/// How many chunks are read, given to the model and written at once. The model says itself how far it is with them.
const TOGETHER: usize = 256;

/// What became of the chunks that lacked vectors.
#[derive(Debug, Default)]
pub(crate) struct Embedded {
    /// The number of vectors that were made.
    pub(crate) vectors: usize,
    pub(crate) truncated: Option<TruncatedChunks>,
}

/// Makes the vectors that a collection lacks.
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
        on_event(IngestEvent::Embedded { chunks, of });
    };
    let mut last: Option<Chunk> = None;
    let (mut vectors, mut truncated) = (0, 0);
    loop {
        let pending = store.pending(collection, last.as_ref(), TOGETHER).await?;
        let Some(newest) = pending.last() else {
            break;
        };
        last = Some(newest.chunk.clone());
        vectors += pending.len();
        match embed_some(store, embedder, collection, pending, &on_done).await {
            Ok(longer) => truncated += longer,
            Err(error) => {
                let reason = crate::error_chain(&error);
                // If this write fails as well, the first error is the one to return.
                let _ = store.put_vector_error(collection, &reason).await;
                return Err(error);
            }
        }
    }
    let truncated = TruncatedChunks::new(embedder, truncated);
    if let Some(truncated) = &truncated {
        on_event(IngestEvent::Truncated(truncated.clone()));
    }
    Ok(Embedded { vectors, truncated })
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

/// Makes and writes some vectors, and returns how many texts were longer than the model reads.
async fn embed_some(
    store: &dyn Store,
    embedder: &dyn Embedder,
    collection: &str,
    pending: Vec<PendingChunk>,
    on_done: &(dyn Fn(usize) + Send + Sync),
) -> Result<usize> {
    let (vectors, truncated) = vectors(embedder, pending, on_done).await?;
    store
        .put_vectors(collection, embedder.model(), vectors)
        .await?;
    Ok(truncated)
}

async fn vectors(
    embedder: &dyn Embedder,
    pending: Vec<PendingChunk>,
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
    let chunks = pending.into_iter().map(|pending| pending.chunk);
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
