//! What answers cost: time, and the tokens to read them.

use std::collections::HashMap;
use std::time::Duration;

use sectile::core::{DocumentId, Lines};
use sectile::{Hit, Library, Scope};

use crate::Result;

/// Returns the processor time of this process so far, where the system tells.
pub(crate) fn processor_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::try_from(time).ok()
    }
    #[cfg(not(unix))]
    None
}

/// The tokens of the chunks that hits are, by document and lines.
pub(crate) struct ChunkTokens<'a> {
    library: &'a Library,
    documents: HashMap<DocumentId, HashMap<Lines, usize>>,
}

impl<'a> ChunkTokens<'a> {
    pub(crate) fn new(library: &'a Library) -> Self {
        Self {
            library,
            documents: HashMap::new(),
        }
    }

    /// Returns the tokens of the best chunks of hits.
    pub(crate) async fn of(&mut self, hits: &[Hit]) -> Result<usize> {
        let mut tokens = 0;
        for hit in hits {
            let id = hit.document.id;
            if !self.documents.contains_key(&id) {
                let chunks = self.read(hit).await?;
                self.documents.insert(id, chunks);
            }
            tokens += self.documents[&id]
                .get(&hit.lines)
                .copied()
                .unwrap_or_default();
        }
        Ok(tokens)
    }

    /// Cuts a document into the chunks that are searched. Where several are on the same lines, as of a
    /// paragraph on one line, each has their average.
    async fn read(&self, hit: &Hit) -> Result<HashMap<Lines, usize>> {
        let scope = Scope::collection(&hit.document.collection).with_uri(&hit.document.uri);
        let mut sums: HashMap<Lines, (usize, usize)> = HashMap::new();
        for record in self.library.documents(&scope).await? {
            let document = self.library.read(&record).await?;
            for chunk in self.library.indexed_chunks(&document) {
                let (tokens, chunks) = sums.entry(chunk.lines).or_default();
                *tokens += chunk.tokens.unwrap_or_default();
                *chunks += 1;
            }
        }
        let average = |(lines, (tokens, chunks)): (Lines, (usize, usize))| (lines, tokens / chunks);
        Ok(sums.into_iter().map(average).collect())
    }
}
