//! The legs of a search: rankings by text, by vector, by both, and by value.

use rustc_hash::FxHashMap;
use tracing::{Instrument as _, Span, debug_span};

use super::Asking;
use super::words::Words;
use crate::index::groups::{Group, Groups, Scored, cut};
use crate::index::score::Key;
use crate::{
    Error, Leg, QueryVector, Ranking, Result, SearchMode, node_score, reciprocal_rank_fusion,
};

/// How many chunks are looked at first for each hit that is asked for, as a section has several, and how
/// many times as many where that is too few.
const CHUNKS_A_HIT: usize = 2;
const MORE: usize = 4;

/// How many chunks are ranked at least. Where groups and equal texts leave too few hits, all are ranked over
/// again; but the more are wanted, the fewer are passed over: with 80 a search takes a tenth more instructions.
const FEWEST_RANKED: usize = 32;

/// How many hits of each leg are fused at least, and how many for each hit that is asked for. Where a
/// hundred are asked for, twice as many find more (recall@100 on Cranfield .787, with as many .757),
/// and ten times as many less again (.781).
const FUSED: usize = 100;
const FUSED_A_HIT: usize = 2;

/// The constant of rank fusion, as chosen by its authors.
pub const FUSION_K: f64 = 60.0;

/// The weight of the text ranking in a fusion; vectors have weight 1.
pub const TEXT_WEIGHT: f64 = 2.0;

/// How many of the best chunks are retrieved for each hit, to score sections by value. With more,
/// sections that have many middling chunks come before the one that answers.
const RETRIEVED_A_HIT: usize = 2;

/// The best chunk of a group.
#[derive(Clone, Debug)]
pub(super) struct Best {
    pub(super) group: Group,
    pub(super) chunk: Key,
    pub(super) score: f64,
    pub(super) legs: Vec<Leg>,
}

/// The ranking by text, as far as it went.
pub(super) struct TextLeg {
    /// How many chunks were asked for.
    asked: usize,
    ranked: Scored,
    /// How many of these the groups have.
    taken_up: usize,
    groups: Groups,
}

impl Asking<'_> {
    /// Returns the best chunk of each of so many groups, best first, as the mode of the request ranks them.
    pub(super) async fn best(&mut self, limit: usize) -> Result<Vec<Best>> {
        match self.request.mode {
            SearchMode::Text => self.text_leg(limit).instrument(leg("text")).await,
            SearchMode::Vector => self.vector_leg(limit).instrument(leg("vector")).await,
            SearchMode::Hybrid => self.fused(limit).await,
            SearchMode::Value => self.by_value(limit).instrument(leg("value")).await,
            mode @ SearchMode::Tree => Err(Error::UnsupportedMode { mode }),
        }
    }

    /// Goes on where the last call ended, so that more hits cost only what they add.
    async fn text_leg(&mut self, limit: usize) -> Result<Vec<Best>> {
        let mut leg = self.text_leg.take().unwrap_or_else(|| TextLeg {
            asked: 0,
            ranked: Vec::new(),
            taken_up: 0,
            groups: Groups::new(self.request.group_by),
        });
        loop {
            let rest = &leg.ranked[leg.taken_up..];
            let groups = leg
                .groups
                .take_up(rest, limit, &mut self.places, &mut self.search);
            leg.taken_up += groups.await?;
            if leg.groups.found().len() >= limit || leg.ranked.len() < leg.asked {
                break;
            }
            let least = limit.saturating_mul(CHUNKS_A_HIT).max(FEWEST_RANKED);
            // As many may tie with the last one.
            let known = leg.asked.max(leg.ranked.len());
            leg.asked = known.saturating_mul(MORE).max(least);
            leg.ranked = self.meeting(None, leg.asked).await?;
        }
        let best = numbered(leg.groups.found(), limit, SearchMode::Text);
        self.text_leg = Some(leg);
        Ok(best)
    }

    async fn vector_leg(&mut self, limit: usize) -> Result<Vec<Best>> {
        let vector = self.vector().await?;
        let mut looked_at = limit.saturating_mul(CHUNKS_A_HIT);
        loop {
            let ranked = self.meeting(Some(&vector), looked_at).await?;
            let is_all = ranked.len() < looked_at;
            let best = self.grouped(&ranked, limit, SearchMode::Vector).await?;
            if best.len() >= limit || is_all {
                return Ok(best);
            }
            looked_at = looked_at.saturating_mul(MORE);
        }
    }

    async fn fused(&mut self, limit: usize) -> Result<Vec<Best>> {
        let depth = limit.saturating_mul(FUSED_A_HIT).max(FUSED);
        let legs = [
            (
                TEXT_WEIGHT,
                self.text_leg(depth).instrument(leg("text")).await?,
            ),
            (1.0, self.vector_leg(depth).instrument(leg("vector")).await?),
        ];
        let ranking = |(weight, leg): &(f64, Vec<Best>)| Ranking {
            weight: *weight,
            items: leg.iter().map(|best| best.group).collect(),
        };
        let fused = reciprocal_rank_fusion(&legs.each_ref().map(ranking), FUSION_K);
        let mut found: FxHashMap<Group, Best> = FxHashMap::default();
        for best in legs.into_iter().flat_map(|(_, leg)| leg) {
            found
                .entry(best.group)
                .and_modify(|known| known.join(&best))
                .or_insert(best);
        }
        let scored = |(group, score)| found.remove(&group).map(|best| Best { score, ..best });
        Ok(fused.into_iter().filter_map(scored).take(limit).collect())
    }

    /// Scores sections, or documents, by those of the best chunks of the store that they have.
    async fn by_value(&mut self, limit: usize) -> Result<Vec<Best>> {
        let retrieved = limit.saturating_mul(RETRIEVED_A_HIT);
        let (ranked, mode) = if self.request.vector.is_some() {
            let vector = self.vector().await?;
            (
                self.meeting(Some(&vector), retrieved).await?,
                SearchMode::Vector,
            )
        } else {
            (self.meeting(None, retrieved).await?, SearchMode::Text)
        };
        let keys = ranked.iter().map(|(key, _)| *key);
        self.places.read(keys, &mut self.search).await?;
        let mut scores: FxHashMap<Group, Vec<f64>> = FxHashMap::default();
        for (key, score) in &ranked {
            let group = self.places.group(*key, self.request.group_by)?;
            scores.entry(group).or_default().push(*score);
        }
        let mut best = self.grouped(&ranked, usize::MAX, mode).await?;
        for best in &mut best {
            best.score = node_score(&scores[&best.group]);
        }
        // Those that score the same stay in the order of their best chunks.
        best.sort_by(|left, right| right.score.total_cmp(&left.score));
        best.truncate(limit);
        Ok(best)
    }

    /// Returns so many of the best chunks by text, and what ties with the last, best first.
    async fn best_chunks(&mut self, count: usize) -> Result<Scored> {
        let Some(Words { segments, known }) = &mut self.words else {
            return Ok(Vec::new());
        };
        let (reader, clauses) = (&mut *self.search.reader, self.query.clauses().of_chunks());
        let best = segments.best(reader, &clauses, known, count, &self.in_scope);
        best.await
    }

    /// Returns so many of the chunks that come first, by a vector or else by text, and whose hits meet the conditions of
    /// the question, and what ties with the last.
    async fn meeting(&mut self, vector: Option<&QueryVector>, count: usize) -> Result<Scored> {
        let mut looked_at = count;
        loop {
            let found = match vector {
                Some(vector) => self.nearest(vector, looked_at).await?,
                None => self.best_chunks(looked_at).await?,
            };
            let Some(conditions) = &self.conditions else {
                return Ok(found);
            };
            let is_all = found.len() < looked_at;
            let kept = conditions.keep(found, &mut self.places, &mut self.search);
            let kept = kept.await?;
            if is_all || kept.len() >= count {
                return Ok(cut(kept, count));
            }
            looked_at = looked_at.saturating_mul(MORE);
        }
    }

    /// Returns so many of the nearest chunks, and what ties with the last.
    async fn nearest(&mut self, vector: &QueryVector, count: usize) -> Result<Scored> {
        let reader = &mut self.search.reader;
        let mut found = reader.nearest(vector, &self.in_scope, count).await?;
        found.sort_by(|left, right| right.1.total_cmp(&left.1));
        let keyed = |(chunk, score)| Ok((self.search.key(&chunk)?, f64::from(score)));
        let found = found.into_iter().map(keyed).collect::<Result<_>>()?;
        Ok(cut(found, count))
    }

    /// Returns the best chunk of each of the best groups.
    async fn grouped(
        &mut self,
        ranked: &[(Key, f64)],
        limit: usize,
        leg: SearchMode,
    ) -> Result<Vec<Best>> {
        let mut groups = Groups::new(self.request.group_by);
        let taken_up = groups.take_up(ranked, limit, &mut self.places, &mut self.search);
        taken_up.await?;
        Ok(numbered(groups.found(), limit, leg))
    }

    /// Returns the question as a vector of the model that the collections have.
    async fn vector(&mut self) -> Result<QueryVector> {
        let mode = self.request.mode;
        let vector = self.request.vector.as_ref();
        let vector = vector.ok_or(Error::NoQueryVector { mode })?;
        let models = self.search.reader.models().await?;
        let mut in_scope = self.in_scope.collections().filter_map(|collection| {
            let model = models.get(collection)?;
            Some((collection, model))
        });
        let mut has_any = false;
        in_scope.try_for_each(|(collection, model)| {
            has_any = true;
            vector.check(collection, model)
        })?;
        if !has_any {
            return Err(Error::NoVectors);
        }
        vector.normalized()
    }
}

impl TextLeg {
    /// Returns at most `count` of the first chunks. Of chunks with equal scores it returns all or none.
    pub(super) fn first(&self, count: usize) -> &[(Key, f64)] {
        let end = self.ranked.get(count).map_or(self.ranked.len(), |next| {
            self.ranked.partition_point(|(_, score)| *score > next.1)
        });
        &self.ranked[..end]
    }
}

impl Best {
    /// Returns the same group by text with another of its chunks.
    pub(super) fn with_chunk(&self, chunk: Key, score: f64) -> Self {
        let legs = self.legs.iter().cloned();
        Self {
            group: self.group,
            chunk,
            score,
            legs: legs.map(|leg| Leg { score, ..leg }).collect(),
        }
    }

    /// Adds what another leg found of the same group; the chunk is that of the better rank.
    fn join(&mut self, other: &Self) {
        if other.legs[0].rank < self.legs[0].rank {
            self.chunk = other.chunk;
        }
        self.legs.extend_from_slice(&other.legs);
    }
}

/// Makes the span of a leg of a search.
fn leg(name: &'static str) -> Span {
    debug_span!("search.leg", leg = name)
}

/// Returns the first so many groups of a leg with their ranks in it.
fn numbered(groups: &[(Group, Key, f64)], limit: usize, leg: SearchMode) -> Vec<Best> {
    let best = |(&(group, chunk, score), rank): (&(Group, Key, f64), usize)| Best {
        group,
        chunk,
        score,
        legs: vec![Leg {
            name: leg.name().into(),
            rank,
            score,
        }],
    };
    groups.iter().take(limit).zip(1..).map(best).collect()
}
