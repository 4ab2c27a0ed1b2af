//! Answers to questions.

use sectile_store::{Answer, Scope, SearchMode, SearchRequest, VectorCoverage};
use tracing::Instrument as _;

use super::Library;
use crate::traced::search_span;
use crate::truncated::question_note;
use crate::{Error, Result, embed, tree};

/// How many collections that lack vectors a note names.
const NAMED: usize = 5;

impl Library {
    /// Answers a question, best hit first. If the mode compares vectors, the library's embedder
    /// makes the vector of the question unless the request has one. In collections whose [searches
    /// are always reranked](crate::RerankOptions::collections), it does the same as
    /// [`search_reranked`](Self::search_reranked).
    ///
    /// # Errors
    ///
    /// [`Error::Store`], also for a question without a word in it or when vectors cannot be
    /// compared, [`Error::Model`] when a model fails, and [`Error::NoEmbedder`] or
    /// [`Error::NoChatModel`] when a mode needs one that the library does not have.
    pub async fn search(&self, request: &SearchRequest) -> Result<Answer> {
        let span = search_span(request);
        let answer = self.search_as_usual(request).instrument(span.clone());
        let answer = answer.await?;
        span.record("hits", answer.hits.len());
        Ok(answer)
    }

    async fn search_as_usual(&self, request: &SearchRequest) -> Result<Answer> {
        let Some(reranking) = &self.reranking else {
            return self.search_once(request).await;
        };
        let always = reranking.collections();
        if !self.is_within(&request.scope, always).await? {
            return self.search_once(request).await;
        }
        Ok(self.reranked(reranking, request).await?.into_answer())
    }

    /// Answers a question by the first ranking, and says which documents have no date to filter by.
    pub(crate) async fn search_once(&self, request: &SearchRequest) -> Result<Answer> {
        let mut answer = self.first_ranking(request).await?;
        answer
            .notes
            .extend(self.note_of_undated(&request.scope).await?);
        Ok(answer)
    }

    /// Says how many documents a scope leaves out because they have no date; nothing if it asks for no date.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn note_of_undated(&self, scope: &Scope) -> Result<Option<String>> {
        let Some(undated) = scope.undated() else {
            return Ok(None);
        };
        let left_out = match self.documents(&undated).await?.len() {
            0 => return Ok(None),
            1 => "1 document has no date, and is left out".to_owned(),
            number => format!("{number} documents have no date, and are left out"),
        };
        Ok(Some(format!("{left_out} by `since` and `until`")))
    }

    async fn first_ranking(&self, request: &SearchRequest) -> Result<Answer> {
        if request.mode == SearchMode::Tree {
            let model = self.chat_model.as_deref().ok_or(Error::NoChatModel)?;
            let counter = self.indexer.shared_counter();
            return tree::search(&*self.store, model, counter, request).await;
        }
        let needs = matches!(request.mode, SearchMode::Vector | SearchMode::Hybrid);
        let takes = needs || request.mode == SearchMode::Value;
        let mut request = request.clone();
        let mut truncated = None;
        if takes && request.vector.is_none() {
            match self.embedder.as_deref() {
                Some(embedder) => {
                    let (vector, is_truncated) = embed::question(embedder, &request.query).await?;
                    request.vector = Some(vector);
                    truncated = is_truncated.then(|| question_note(embedder));
                }
                None if needs => return Err(Error::NoEmbedder),
                None => {}
            }
        }
        let mut answer = self.store.search(&request).await?;
        self.prefer_existing(&mut answer.hits).await?;
        answer.notes.extend(truncated);
        if takes && request.vector.is_some() {
            answer.notes.extend(self.note_of_vectors(&request).await?);
        }
        Ok(answer)
    }

    /// Says which of the collections that are searched lack vectors.
    async fn note_of_vectors(&self, request: &SearchRequest) -> Result<Option<String>> {
        let collection = request.scope.collection_name();
        let lacking = self.store.lacking_vectors(collection).await?;
        let of = |(name, coverage): (String, VectorCoverage)| {
            let VectorCoverage { chunks, vectors } = coverage;
            format!("{vectors} of {chunks} chunks of `{name}`")
        };
        let more = match lacking.len().saturating_sub(NAMED) {
            0 => String::new(),
            1 => ", and parts of 1 other collection".to_owned(),
            more => format!(", and parts of {more} other collections"),
        };
        let named: Vec<String> = lacking.into_iter().take(NAMED).map(of).collect();
        if named.is_empty() {
            return Ok(None);
        }
        let others = match request.mode {
            SearchMode::Vector => "this mode does not find the others",
            _ => "the others are ranked by their words alone",
        };
        let named = named.join(", ");
        Ok(Some(format!("{named}{more} have vectors; {others}")))
    }
}
