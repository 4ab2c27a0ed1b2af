//! What is known of a model that makes vectors.

use serde::{Deserialize, Serialize};

/// The model that made a vector. Only vectors of one model can be compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EmbeddingModel {
    /// The name that tells the model from all others, with its version or the hash of its weights.
    pub name: String,
    /// How many numbers a vector has.
    pub dimensions: usize,
    /// Whether the model makes vectors of length 1.
    pub is_normalized: bool,
}
