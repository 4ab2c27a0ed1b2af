//! What is known of a model that makes vectors.

use serde::{Deserialize, Serialize};

/// The model that made a vector. Only vectors of one model can be compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EmbeddingModel {
    /// The unique name of the model, with its version or the hash of its weights.
    pub name: String,
    /// The number of dimensions of a vector.
    pub dimensions: usize,
    /// Whether the model makes vectors of length 1.
    pub is_normalized: bool,
}
