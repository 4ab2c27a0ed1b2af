//! Passages that define the term that a question asks for.

use super::Asking;
use super::legs::Best;
use crate::definition::Definition;
use crate::index::definitions::{LOOKED_AT, Saying};
use crate::{Result, SearchMode};

impl Asking<'_> {
    /// Returns what the question asks to define, if only words rank.
    pub(super) fn definition(&self) -> Option<&Definition> {
        let definition = self.query.definition();
        definition.filter(|_| self.request.mode == SearchMode::Text)
    }

    /// Lets a chunk that defines the term stand for its section, if the best chunk of that does not.
    pub(super) async fn prefer_definitions(&mut self, best: &mut [Best]) -> Result<()> {
        if self.definition().is_none() {
            return Ok(());
        }
        let others = self.others_of_groups(best, LOOKED_AT).await?;
        let chunks: Vec<Best> = others.iter().map(|(_, other)| other.clone()).collect();
        self.read_chunks(best).await?;
        self.read_chunks(&chunks).await?;
        for (place, other) in others {
            if !self.defines(&best[place]) && self.defines(&other) {
                best[place] = other;
            }
        }
        Ok(())
    }

    /// Returns the other chunks of some groups among so many of the first by text, each with the place of its group.
    pub(super) async fn others_of_groups(
        &mut self,
        best: &[Best],
        count: usize,
    ) -> Result<Vec<(usize, Best)>> {
        let Some(leg) = &self.text_leg else {
            return Ok(Vec::new());
        };
        let first = leg.first(count).to_vec();
        let keys = first.iter().map(|(key, _)| *key);
        self.places.read(keys, &mut self.search).await?;
        let mut others = Vec::new();
        for (key, score) in first {
            let group = self.places.group(key, self.request.group_by)?;
            let place = best.iter().position(|of| of.group == group);
            if let Some(place) = place.filter(|place| best[*place].chunk != key) {
                others.push((place, best[place].with_chunk(key, score)));
            }
        }
        Ok(others)
    }

    /// Returns whether a chunk that was read defines the term.
    fn defines(&self, best: &Best) -> bool {
        let chunk = self.chunks.get(&best.chunk);
        let saying = chunk.zip(self.definition());
        saying.is_some_and(|(chunk, of)| Saying::of(chunk, of).defines())
    }
}
