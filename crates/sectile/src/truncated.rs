//! Texts that are longer than a model reads.

use std::fmt;

use sectile_embed::Embedder;
use serde::Serialize;

/// Chunks whose ends are not in their vectors, because they are longer than the model reads. What
/// counts is what the model is given: the title, the headings and the text of a chunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TruncatedChunks {
    /// The name of the model.
    pub model: String,
    /// The number of tokens that the model reads of a text, if it is known.
    pub max_tokens: Option<usize>,
    /// The number of chunks.
    pub chunks: usize,
}

impl TruncatedChunks {
    pub(crate) fn new(embedder: &dyn Embedder, chunks: usize) -> Option<Self> {
        (chunks > 0).then(|| Self {
            model: embedder.model().name.clone(),
            max_tokens: embedder.max_tokens(),
            chunks,
        })
    }
}

/// Says it in one line, with what can be done.
impl fmt::Display for TruncatedChunks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (chunks, their) = match self.chunks {
            1 => ("1 chunk is".to_owned(), "its end is not in its vector"),
            chunks => (
                format!("{chunks} chunks are"),
                "their ends are not in their vectors",
            ),
        };
        let read = what_it_reads(&self.model, self.max_tokens);
        write!(
            formatter,
            "{chunks} longer than {read}: {their}, and found by words alone; a model that reads more tokens \
             reads all"
        )
    }
}

/// Says that the end of a question is not in its vector.
pub(crate) fn question_note(embedder: &dyn Embedder) -> String {
    let read = what_it_reads(&embedder.model().name, embedder.max_tokens());
    format!(
        "the question is longer than {read}, and its end is not in its vector; ask a shorter one"
    )
}

/// Says how many hits a reranker read only in part.
pub(crate) fn reranked_note(model: &str, truncated: usize, of: usize) -> String {
    format!(
        "`{model}` did not read the ends of {truncated} of {of} hits: with the question, they are longer than it \
         reads"
    )
}

fn what_it_reads(model: &str, max_tokens: Option<usize>) -> String {
    match max_tokens {
        Some(tokens) => format!("the {tokens} tokens that `{model}` reads"),
        None => format!("`{model}` reads"),
    }
}
