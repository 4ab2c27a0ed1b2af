//! What each clause of a question brings to a chunk, to explain a ranking.

use rustc_hash::FxHashMap;

use super::data::Needs;
use super::document_languages;
use super::postings::{Decoded, Occurrence};
use super::question_terms::{Held, Known, Scored};
use super::reader::IndexReader;
use super::score::{Key, frequency};
use super::terms::Segments;
use crate::{Clauses, Result, WordScore};

/// What a clause brings to a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contribution {
    /// The place of the clause among those that score.
    pub(super) clause: usize,
    /// The place of the variant that counts among those of the clause.
    pub(super) variant: usize,
    /// How many chunks of the collections in scope hold the variant.
    pub(super) chunks: u64,
    /// How often the heading path of the chunk holds it.
    pub(super) in_path: u32,
    /// How often its text does.
    pub(super) in_text: u32,
    /// How many terms the chunk has, those of its path included.
    pub(super) length: u32,
    /// What it adds to the score.
    pub(super) score: f64,
}

impl Contribution {
    /// Returns it as an answer has it.
    pub(super) fn explained(&self, question: &Clauses) -> WordScore {
        let clause = &question.scored[self.clause];
        WordScore {
            typed: clause.typed.clone(),
            term: clause.variants[self.variant].shown(),
            chunks: self.chunks,
            frequency: frequency(self.in_path, self.in_text),
            score: self.score,
        }
    }
}

impl Segments {
    /// Returns for each of some chunks what the clauses that it matches bring to it, in their order.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) for lists that cannot be read, and those of the reader.
    pub(super) async fn contributions(
        &mut self,
        reader: &mut dyn IndexReader,
        question: &Clauses,
        known: &Known,
        keys: &[Key],
    ) -> Result<Vec<Vec<Contribution>>> {
        let places = self.places(reader, keys).await?;
        let spoken = self.spoken(reader, question).await?;
        let of_question = spoken.of_question(question);
        let clauses: Vec<_> = self.scored(question, known, &spoken).collect();
        self.fetch_postings(reader, &clauses, &places).await?;
        let mut all = Vec::new();
        for place in places {
            let mut of_chunk = Vec::new();
            if let Some((at, ordinal)) = place {
                let factor = document_languages::factor(&of_question, at, ordinal);
                for (clause, variants) in clauses.iter().enumerate() {
                    let found = self.contribution(clause, variants, (at, ordinal))?;
                    of_chunk.extend(found.map(|of| Contribution {
                        score: of.score * factor,
                        ..of
                    }));
                }
            }
            if let [only] = &mut *of_chunk {
                only.score *= question.of_one(only.clause);
            }
            all.push(of_chunk);
        }
        Ok(all)
    }

    /// Fetches the blocks of posting lists that may have some chunks, given by their segments and ordinals.
    async fn fetch_postings(
        &mut self,
        reader: &mut dyn IndexReader,
        clauses: &[Vec<Scored<'_>>],
        places: &[Option<(usize, u32)>],
    ) -> Result<()> {
        let variants = || clauses.iter().flatten().map(|variant| variant.held);
        let mut needs = Needs::default();
        for &(at, ordinal) in places.iter().flatten() {
            for list in variants().filter_map(|held| held.lists[at].as_ref()) {
                let block = list.heads.partition_point(|head| head.last < ordinal);
                if block < list.heads.len() {
                    needs.block(at, list, block);
                }
            }
        }
        self.data.fetch(reader, needs).await
    }

    /// Returns what a clause brings to a chunk, by the best of its variants, in whatever language the document is.
    fn contribution(
        &self,
        clause: usize,
        variants: &[Scored<'_>],
        place: (usize, u32),
    ) -> Result<Option<Contribution>> {
        let (at, ordinal) = place;
        let saturation = self.size.saturation();
        let mut best: Option<Contribution> = None;
        for (variant, Scored { weight, held, only }) in variants.iter().enumerate() {
            if !document_languages::has(only, at, ordinal) {
                continue;
            }
            let Some((found, length)) = self.occurrence(held, place)? else {
                continue;
            };
            let score = saturation.score(*weight, found, length);
            if best.is_none_or(|best| score > best.score) {
                best = Some(Contribution {
                    clause,
                    variant,
                    chunks: held.chunks,
                    in_path: found.in_path,
                    in_text: found.in_text,
                    length,
                    score,
                });
            }
        }
        Ok(best)
    }

    /// Finds the segments of chunks and their ordinals there.
    async fn places(
        &mut self,
        reader: &mut dyn IndexReader,
        keys: &[Key],
    ) -> Result<Vec<Option<(usize, u32)>>> {
        let known = keys.iter().map(|key| self.ranked.get(key).copied());
        let mut places: Vec<_> = known.collect();
        let mut wanted: FxHashMap<(u32, u64), Vec<usize>> = FxHashMap::default();
        let unknown = keys.iter().enumerate();
        for (key, &(collection, document, _)) in unknown.filter(|(key, _)| places[*key].is_none()) {
            wanted.entry((collection, document)).or_default().push(key);
        }
        if wanted.is_empty() {
            return Ok(places);
        }
        let all: Vec<usize> = (0..self.list.len()).collect();
        self.fetch_pages(reader, &all).await?;
        for at in all {
            self.each_run(at, |collection, document, first, ordinals, _| {
                for &key in wanted.get(&(collection, document)).into_iter().flatten() {
                    let distance = keys[key].2.wrapping_sub(first);
                    if distance < u64::from(ordinals.end - ordinals.start) {
                        places[key] = Some((at, ordinals.start + distance as u32));
                    }
                }
            })?;
        }
        Ok(places)
    }

    /// Returns how often a chunk holds something, and its length.
    fn occurrence(
        &self,
        held: &Held,
        (at, ordinal): (usize, u32),
    ) -> Result<Option<(Occurrence, u32)>> {
        let Some(list) = &held.lists[at] else {
            return Ok(None);
        };
        let block = list.heads.partition_point(|head| head.last < ordinal);
        if list
            .heads
            .get(block)
            .is_none_or(|head| head.first > ordinal)
        {
            return Ok(None);
        }
        let mut decoded = Decoded::default();
        self.data.read(at, list, block, &mut decoded)?;
        let found = decoded.ordinals().binary_search(&ordinal).ok();
        let length = self.data.page(at, ordinal)?.length(ordinal);
        Ok(found.map(|found| (decoded.get(found), length)))
    }
}
