//! Implements an embedder without a model, and compares texts by its vectors.
//!
//! ```sh
//! cargo run -p sectile-embed --example own_embedder
//! ```

use async_trait::async_trait;
use sectile_core::EmbeddingModel;
use sectile_embed::{Embedder, Purpose, Result};

const TEXTS: [&str; 2] = ["Installing the program", "Tides follow the moon"];
const QUESTION: &str = "how is the program installed?";

/// Counts how often each letter stands in a text. Texts with the same letters are alike to it: it shows the interface,
/// and understands nothing.
#[derive(Debug)]
struct Letters(EmbeddingModel);

impl Letters {
    fn new() -> Self {
        Self(EmbeddingModel {
            name: "letters 1".to_owned(),
            dimensions: 26,
            is_normalized: true,
        })
    }
}

#[async_trait]
impl Embedder for Letters {
    fn model(&self) -> &EmbeddingModel {
        &self.0
    }

    async fn embed(&self, texts: &[String], _: Purpose) -> Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| vector(text)).collect())
    }
}

/// Returns a vector of length 1, or of zeros for a text without letters.
fn vector(text: &str) -> Vec<f32> {
    let mut counts = vec![0.0f32; 26];
    for letter in text.bytes().filter(u8::is_ascii_alphabetic) {
        counts[usize::from(letter.to_ascii_lowercase() - b'a')] += 1.0;
    }
    let length = dot(&counts, &counts).sqrt().max(1.0);
    counts.iter().map(|count| count / length).collect()
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter()
        .zip(right)
        .map(|(left, right)| left * right)
        .sum()
}

#[expect(clippy::print_stdout, reason = "that is what it is for")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let letters = Letters::new();
    let question = [QUESTION.to_owned()];
    let question = letters.embed(&question, Purpose::Query).await?;
    let texts = TEXTS.map(str::to_owned);
    let vectors = letters.embed(&texts, Purpose::Document).await?;
    for (text, vector) in TEXTS.iter().zip(&vectors) {
        println!("{:.3}  {text}", dot(&question[0], vector));
    }
    Ok(())
}
