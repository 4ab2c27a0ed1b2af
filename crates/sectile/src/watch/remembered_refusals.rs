//! A model that is not given again what it refused.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use sectile_core::{ContentHash, EmbeddingModel};
use sectile_embed::{Embedder, Error, Purpose, Result};

/// Refuses each text that a model refused when it was asked for this text alone, without asking the model again. After each
/// change, the model is asked for all texts that lack vectors, so it would get these every time.
#[derive(Debug)]
pub(super) struct RememberedRefusals {
    embedder: Arc<dyn Embedder>,
    /// Why each was refused, by the hash of its text.
    reasons: Mutex<HashMap<ContentHash, String>>,
}

impl RememberedRefusals {
    /// Makes one of a model.
    pub(super) fn around(embedder: Arc<dyn Embedder>) -> Arc<dyn Embedder> {
        Arc::new(Self {
            embedder,
            reasons: Mutex::default(),
        })
    }

    /// Refuses texts if one of them was refused.
    fn check(&self, texts: &[String]) -> Result<()> {
        let reasons = self.reasons.lock().unwrap_or_else(PoisonError::into_inner);
        if reasons.is_empty() {
            return Ok(());
        }
        let mut hashes = texts.iter().map(|text| ContentHash::of(text.as_bytes()));
        match hashes.find_map(|hash| reasons.get(&hash)) {
            None => Ok(()),
            Some(reason) => Err(Error::Refused {
                model: self.embedder.model().name.clone(),
                reason: reason.clone(),
            }),
        }
    }

    /// Notes that texts were refused, if it is one.
    fn remember(&self, texts: &[String], error: &Error) {
        if let ([text], Error::Refused { reason, .. }) = (texts, error) {
            let mut reasons = self.reasons.lock().unwrap_or_else(PoisonError::into_inner);
            reasons.insert(ContentHash::of(text.as_bytes()), reason.clone());
        }
    }
}

#[async_trait]
impl Embedder for RememberedRefusals {
    fn model(&self) -> &EmbeddingModel {
        self.embedder.model()
    }

    fn max_tokens(&self) -> Option<usize> {
        self.embedder.max_tokens()
    }

    async fn count_truncated(&self, texts: &[String], purpose: Purpose) -> Result<usize> {
        self.embedder.count_truncated(texts, purpose).await
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        self.embed_with_progress(texts, purpose, &|_| ()).await
    }

    async fn embed_with_progress(
        &self,
        texts: &[String],
        purpose: Purpose,
        on_done: &(dyn Fn(usize) + Send + Sync),
    ) -> Result<Vec<Vec<f32>>> {
        self.check(texts)?;
        let made = self.embedder.embed_with_progress(texts, purpose, on_done);
        made.await.inspect_err(|error| self.remember(texts, error))
    }
}
