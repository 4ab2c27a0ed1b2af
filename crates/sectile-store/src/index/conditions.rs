//! What is required of a hit, and what no hit has. A hit is a section or a document, so its chunks may hold different
//! words of those that are required, and one that holds an excluded word excludes all.

use rustc_hash::FxHashSet;

use super::data::Needs;
use super::document_languages::{self, Spoken};
use super::groups::{Places, Scored};
use super::postings::Decoded;
use super::question_terms::Known;
use super::reader::IndexReader;
use super::score::Key;
use super::search::Search;
use super::terms::Segments;
use crate::{Clauses, GroupBy, Result, Variant};

/// The conditions of a question, by the chunks that hold them.
#[derive(Debug)]
pub(super) struct Conditions {
    group_by: GroupBy,
    required: Vec<Holders>,
    excluded: Vec<Holders>,
}

/// The living chunks that hold one of the ways to write something, in order.
#[derive(Debug)]
struct Holders(Vec<Key>);

impl Conditions {
    /// Returns the documents that hold all that is required, unless it takes less than two chunks to do so.
    pub(super) fn documents(&self) -> Option<FxHashSet<(u32, u64)>> {
        let (first, others) = self.required.split_first()?;
        let documents = first
            .0
            .iter()
            .map(|&(collection, document, _)| (collection, document));
        let mut documents: FxHashSet<_> = documents.collect();
        for holders in others {
            documents.retain(|&(collection, document)| {
                holders.nearest((collection, document, 0)).next().is_some()
            });
        }
        (!others.is_empty()).then_some(documents)
    }

    /// Keeps the chunks that hold something of what is required and nothing of what is excluded, and whose hits meet the
    /// conditions.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) for chunks that the store does not have, and those of the reader.
    pub(super) async fn keep(
        &self,
        mut chunks: Scored,
        places: &mut Places,
        search: &mut Search<'_>,
    ) -> Result<Scored> {
        chunks.retain(|(key, _)| self.may_meet(*key));
        if self.group_by == GroupBy::Section {
            let asked = chunks.iter().flat_map(|(key, _)| self.asked_of(*key));
            let asked: Vec<Key> = asked.collect();
            places.read(asked, search).await?;
        }
        let mut kept = Vec::with_capacity(chunks.len());
        for (key, score) in chunks {
            if self.is_met(key, places)? {
                kept.push((key, score));
            }
        }
        Ok(kept)
    }

    /// Returns whether a chunk holds what it must, and its document the rest.
    fn may_meet(&self, key: Key) -> bool {
        let holds_any = self.required.is_empty() || self.required.iter().any(|of| of.has(key));
        let is_possible = |of: &Holders| of.nearest(key).next().is_some();
        holds_any
            && self.required.iter().all(is_possible)
            && !self.excluded.iter().any(|of| of.has(key))
    }

    /// Returns the chunks whose places say whether the hit of one meets the conditions.
    fn asked_of(&self, key: Key) -> impl Iterator<Item = Key> {
        let all = self.required.iter().chain(&self.excluded);
        let open = all.filter(move |of| !of.has(key));
        open.flat_map(move |of| of.nearest(key).flat_map(move |other| [key, other]))
    }

    fn is_met(&self, key: Key, places: &Places) -> Result<bool> {
        for holders in &self.required {
            if !self.is_held(holders, key, places)? {
                return Ok(false);
            }
        }
        for holders in &self.excluded {
            if self.is_held(holders, key, places)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether a chunk of the hit that a chunk stands for is among some.
    fn is_held(&self, holders: &Holders, key: Key, places: &Places) -> Result<bool> {
        if holders.has(key) {
            return Ok(true);
        }
        for other in holders.nearest(key) {
            let is_together = match self.group_by {
                GroupBy::Chunk => false,
                GroupBy::Document => true,
                by @ GroupBy::Section => places.group(key, by)? == places.group(other, by)?,
            };
            if is_together {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Holders {
    fn has(&self, key: Key) -> bool {
        self.0.binary_search(&key).is_ok()
    }

    /// Returns the nearest to a chunk in its document, before it and from it on. The chunks of a section have numbers in
    /// a row: if one of them is among these, so is one that is nearest.
    fn nearest(&self, (collection, document, chunk): Key) -> impl Iterator<Item = Key> {
        let after = self
            .0
            .partition_point(|of| *of < (collection, document, chunk));
        let around = self.0[after.saturating_sub(1)..].iter().take(2).copied();
        around.filter(move |of| (of.0, of.1) == (collection, document))
    }
}

impl Segments {
    /// Reads which chunks hold what a question requires and excludes.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) for lists that cannot be read, and those of the reader.
    pub(super) async fn conditions(
        &mut self,
        reader: &mut dyn IndexReader,
        question: &Clauses,
        known: &Known,
        group_by: GroupBy,
    ) -> Result<Conditions> {
        let spoken = self.spoken(reader, question).await?;
        let all = question.required.iter().chain(&question.excluded);
        let mut needs = Needs::default();
        for held in all.flatten().map(|of| known.of(&of.terms)) {
            for (at, list) in held.lists.iter().enumerate() {
                for (list, block) in list
                    .iter()
                    .flat_map(|of| (0..of.heads.len()).map(move |n| (of, n)))
                {
                    needs.block(at, list, block);
                }
            }
        }
        self.data.fetch(reader, needs).await?;
        let segments: Vec<usize> = (0..self.list.len()).collect();
        self.fetch_pages(reader, &segments).await?;
        let holders = |of: &Vec<Variant>| self.holders(of, known, &spoken);
        Ok(Conditions {
            group_by,
            required: question
                .required
                .iter()
                .map(holders)
                .collect::<Result<_>>()?,
            excluded: question
                .excluded
                .iter()
                .map(holders)
                .collect::<Result<_>>()?,
        })
    }

    /// Returns the living chunks that hold one of some variants.
    fn holders(&self, variants: &[Variant], known: &Known, spoken: &Spoken) -> Result<Holders> {
        let (mut keys, mut decoded) = (Vec::new(), Decoded::default());
        for variant in variants {
            let only = spoken.of(variant.languages);
            let lists = known.of(&variant.terms).lists.iter().enumerate();
            for (at, list) in lists.filter_map(|(at, list)| Some((at, list.as_ref()?))) {
                for block in 0..list.heads.len() {
                    self.data.read(at, list, block, &mut decoded)?;
                    for &ordinal in decoded.ordinals() {
                        if self.list[at].is_alive(ordinal)
                            && document_languages::has(&only, at, ordinal)
                        {
                            let (document, chunk) = self.data.page(at, ordinal)?.number(ordinal);
                            keys.push((self.list[at].collection, document, chunk));
                        }
                    }
                }
            }
        }
        keys.sort_unstable();
        Ok(Holders(keys))
    }
}
