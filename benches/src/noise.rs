//! A model whose vectors mean nothing and cost nothing.

use async_trait::async_trait;
use sectile::core::{ContentHash, EmbeddingModel};
use sectile::models::{Embedder, Purpose, Result};

/// Makes vectors out of the hashes of texts: the same for the same text, and in no direction more
/// than in another.
#[derive(Clone, Debug)]
pub struct Noise(EmbeddingModel);

impl Noise {
    /// Makes vectors of so many dimensions.
    pub fn new(dimensions: usize) -> Self {
        Self(EmbeddingModel {
            name: "noise".into(),
            dimensions,
            is_normalized: false,
        })
    }

    /// Makes the vector of a text.
    pub fn vector(&self, text: &str) -> Vec<f32> {
        let hash = ContentHash::of(text.as_bytes());
        let (seed, _) = hash.as_bytes().split_at(8);
        let mut chance = seed
            .iter()
            .fold(1, |chance, byte| chance << 8 | u64::from(*byte));
        let mut number = |_| {
            chance ^= chance << 13;
            chance ^= chance >> 7;
            chance ^= chance << 17;
            (chance >> 40) as f32 / (1u64 << 24) as f32 - 0.5
        };
        (0..self.0.dimensions).map(&mut number).collect()
    }
}

#[async_trait]
impl Embedder for Noise {
    fn model(&self) -> &EmbeddingModel {
        &self.0
    }

    async fn embed(&self, texts: &[String], _: Purpose) -> Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}
