//! Vectors of documents that were loaded elsewhere.

use std::collections::HashMap;
use std::sync::Arc;

use sectile_core::{DocumentId, EmbeddingModel, Span};
use sectile_embed::{Embedder, Purpose};
use sectile_store::index::Chunk;
use sectile_store::{ChunkRecord, ChunkVector, Scope, dot, vector_of};

use super::parts::{DocumentPart, Loading, PartVector};
use crate::blocking::run_blocking;
use crate::embed::{expect_each, set_model};
use crate::{Result, error_chain};

/// The minimum cosine of two vectors of one text from one model. Rounding to bytes changes vectors only slightly.
const SAME: f32 = 0.9;

impl Loading<'_> {
    /// Adds the vectors of a part to the chunks of its documents, or says why they cannot be added.
    pub(super) async fn add_vectors(
        &self,
        part: &Arc<dyn DocumentPart>,
    ) -> Result<Result<(), String>> {
        let Some(embedder) = self.embedder else {
            return Ok(Ok(()));
        };
        let reader = Arc::clone(part);
        let mut batches = match run_blocking(move || reader.vectors()).await {
            Ok(Some(batches)) => batches,
            Ok(None) => return Ok(Ok(())),
            Err(error) => return Ok(Err(error_chain(&*error))),
        };
        let model = embedder.model();
        let mut is_checked = false;
        loop {
            let next;
            (next, batches) = run_blocking(move || (batches.next(), batches)).await;
            let batch = match next {
                None => return Ok(Ok(())),
                Some(Ok(batch)) => batch,
                Some(Err(error)) => return Ok(Err(error_chain(&*error))),
            };
            let first = batch.iter().flat_map(|(_, vectors)| vectors).next();
            if let Some(first) = first.filter(|_| !is_checked) {
                if !is_of(embedder, first).await? {
                    return Ok(Err(other_model(model)));
                }
                set_model(self.store, self.collection, model, self.encoding).await?;
                is_checked = true;
            }
            if let Some(fault) = fault(&batch, model) {
                return Ok(Err(fault));
            }
            self.put_vectors(model, batch).await?;
        }
    }

    /// Adds vectors to the chunks that they are of, which may have them already.
    async fn put_vectors(
        &self,
        model: &EmbeddingModel,
        batch: Vec<(String, Vec<PartVector>)>,
    ) -> Result<()> {
        let mut given: HashMap<String, Vec<PartVector>> = batch.into_iter().collect();
        let scope = Scope::collection(self.collection);
        let scope = given.keys().fold(scope, |scope, uri| scope.with_uri(uri));
        if given.is_empty() {
            return Ok(());
        }
        let mut vectors = Vec::new();
        for document in self.store.documents(&scope).await? {
            let of_it = given.remove(&document.uri).unwrap_or_default();
            if document.vectors < document.chunks {
                vectors.extend(self.placed(document.id, of_it).await?);
            }
        }
        if vectors.is_empty() {
            return Ok(());
        }
        let put = self.store.put_vectors(self.collection, model, vectors);
        Ok(put.await?)
    }

    /// Finds the chunks of a document that vectors are of. The store may have kept another version of it.
    async fn placed(
        &self,
        document: DocumentId,
        vectors: Vec<PartVector>,
    ) -> Result<Vec<ChunkVector>> {
        let sections = self.store.sections(document).await?.len();
        let contents = self.store.content(document, 0..sections).await?;
        let mut end = 0;
        let start = |content: &String| {
            end += content.len();
            end - content.len()
        };
        let starts: Vec<usize> = contents.iter().map(start).collect();
        let place = |record: ChunkRecord| {
            let (start, content) = (starts.get(record.section)?, contents.get(record.section)?);
            let text = content.get(record.span.start..record.span.end)?;
            Some((record.span.shifted(*start), (record.chunk, text)))
        };
        let chunks = self.store.chunks(document).await?.into_iter();
        let mut chunks: HashMap<Span, (Chunk, &str)> = chunks.filter_map(place).collect();
        let placed = vectors.into_iter().filter_map(|given| {
            let (chunk, text) = chunks.remove(&given.span)?;
            let vector = given.vector;
            given
                .text
                .ends_with(text)
                .then_some(ChunkVector { chunk, vector })
        });
        Ok(placed.collect())
    }
}

/// Returns whether a model makes such a vector of its text.
async fn is_of(embedder: &dyn Embedder, given: &PartVector) -> Result<bool> {
    let texts = [given.text.clone()];
    let made = embedder.embed(&texts, Purpose::Document).await?;
    expect_each(embedder, made.len(), 1)?;
    let model = embedder.model();
    let Ok(given) = vector_of(&given.vector, model) else {
        return Ok(false);
    };
    Ok(dot(&given, &vector_of(&made[0], model)?) >= SAME)
}

/// Says which vector cannot be used.
fn fault(batch: &[(String, Vec<PartVector>)], model: &EmbeddingModel) -> Option<String> {
    let mut vectors = batch
        .iter()
        .flat_map(|(uri, vectors)| vectors.iter().map(move |given| (uri, given)));
    vectors.find_map(|(uri, given)| {
        let error = vector_of(&given.vector, model).err()?;
        Some(format!("a vector of `{uri}`: {}", error_chain(&error)))
    })
}

fn other_model(model: &EmbeddingModel) -> String {
    format!(
        "its vectors are not those that the model `{}` makes; name the model that made them with \
         --embedder",
        model.name
    )
}
