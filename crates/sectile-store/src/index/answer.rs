//! From the legs of a search to its hits.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use super::scope::InScope;
use super::score::Key;
use super::search::{ChunkPlace, IndexReader, Search};
use crate::{
    Analyzer, Clauses, Error, GroupBy, Hit, Leg, Query, QueryVector, Ranking, Result, SearchMode,
    SearchRequest, node_score, reciprocal_rank_fusion,
};

/// How many chunks are looked at first for each hit that is asked for: a section has several.
const CHUNKS_A_HIT: usize = 4;

/// How many hits of each leg are fused at least, and how many for each hit that is asked for. Where a
/// hundred are asked for, twice as many find more (recall@100 on Cranfield .787, with as many .757),
/// and ten times as many less again (.781).
const FUSED: usize = 100;
const FUSED_A_HIT: usize = 2;

/// The constant of rank fusion, as its authors have it.
pub const FUSION_K: f64 = 60.0;

/// How much the text counts in a fusion, where the vectors count 1.
pub const TEXT_WEIGHT: f64 = 2.0;

/// How many of the best chunks are retrieved for each hit, to score sections by value. With more,
/// sections that have many middling chunks come before the one that answers.
const RETRIEVED_A_HIT: usize = 2;

/// Answers a request.
///
/// # Errors
///
/// [`Error::EmptyQuery`] when there is nothing to search for, [`Error::NoQueryVector`],
/// [`Error::OtherModel`] or [`Error::NoVectors`] when vectors cannot be compared,
/// [`Error::UnsupportedMode`] for what needs a chat model, and those of the reader.
pub async fn search(
    reader: &mut dyn IndexReader,
    request: &SearchRequest,
    analyzer: &Analyzer,
) -> Result<Vec<Hit>> {
    let query = match (Query::parse(&request.query, analyzer), request.mode) {
        // Words are only marked then.
        (Err(_), SearchMode::Vector) => Query::default(),
        (query, _) => query?,
    };
    if request.limit == 0 {
        return Ok(Vec::new());
    }
    let mut search = Search::begin(reader, request.scope.collection_name()).await?;
    let in_scope = InScope::read(&mut search, &request.scope).await?;
    if in_scope.collections().next().is_none() {
        return Ok(Vec::new());
    }
    let mut answer = Answer {
        search,
        in_scope,
        request,
        clauses: query.clauses(),
        query,
    };
    let best = answer.best().await?;
    answer.hits(best, analyzer).await
}

/// What a hit stands for: a collection, a document, and unless it is that a section or a chunk.
type Group = (u32, u64, Option<usize>);

/// Chunks with their scores.
type Scored = Vec<(Key, f64)>;

/// The best chunk of a group.
#[derive(Clone, Debug)]
struct Best {
    group: Group,
    chunk: Key,
    score: f64,
    legs: Vec<Leg>,
}

/// A chunk with its score and its place.
type Ranked<'p> = (f64, u32, &'p ChunkPlace, Key);

struct Answer<'a> {
    search: Search<'a>,
    in_scope: InScope,
    request: &'a SearchRequest,
    query: Query,
    clauses: Clauses,
}

impl Answer<'_> {
    async fn best(&mut self) -> Result<Vec<Best>> {
        let limit = self.request.limit;
        match self.request.mode {
            SearchMode::Text => self.text_leg(limit).await,
            SearchMode::Vector => self.vector_leg(limit).await,
            SearchMode::Hybrid => self.fused().await,
            SearchMode::Value => self.by_value().await,
            mode @ SearchMode::Tree => Err(Error::UnsupportedMode { mode }),
        }
    }

    async fn text_leg(&mut self, limit: usize) -> Result<Vec<Best>> {
        let mut segments = self.search.segments().await?;
        let known = segments.known(self.search.reader, &self.clauses).await?;
        let mut looked_at = limit.saturating_mul(CHUNKS_A_HIT);
        loop {
            let reader = &mut *self.search.reader;
            let (clauses, in_scope) = (&self.clauses, &self.in_scope);
            let found = segments.best(reader, clauses, &known, looked_at, in_scope);
            let found = found.await?;
            let best = self.grouped(&found, limit, SearchMode::Text).await?;
            if best.len() >= limit || found.len() < looked_at {
                return Ok(best);
            }
            looked_at = looked_at.saturating_mul(CHUNKS_A_HIT);
        }
    }

    async fn vector_leg(&mut self, limit: usize) -> Result<Vec<Best>> {
        let vector = self.vector().await?;
        let mut looked_at = limit.saturating_mul(CHUNKS_A_HIT);
        loop {
            let ranked = self.nearest(&vector, looked_at).await?;
            let is_all = ranked.len() < looked_at;
            let best = self.grouped(&ranked, limit, SearchMode::Vector).await?;
            if best.len() >= limit || is_all {
                return Ok(best);
            }
            looked_at = looked_at.saturating_mul(CHUNKS_A_HIT);
        }
    }

    async fn fused(&mut self) -> Result<Vec<Best>> {
        let depth = self.request.limit.saturating_mul(FUSED_A_HIT).max(FUSED);
        let legs = [
            (TEXT_WEIGHT, self.text_leg(depth).await?),
            (1.0, self.vector_leg(depth).await?),
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
        let limit = self.request.limit;
        Ok(fused.into_iter().filter_map(scored).take(limit).collect())
    }

    /// Scores sections, or documents, by those of the best chunks of the store that they have.
    async fn by_value(&mut self) -> Result<Vec<Best>> {
        let retrieved = self.request.limit.saturating_mul(RETRIEVED_A_HIT);
        let (ranked, mode) = if self.request.vector.is_some() {
            let vector = self.vector().await?;
            (self.nearest(&vector, retrieved).await?, SearchMode::Vector)
        } else {
            (self.best_chunks(retrieved).await?, SearchMode::Text)
        };
        let places = self.places(&ranked).await?;
        let mut scores: FxHashMap<Group, Vec<f64>> = FxHashMap::default();
        for (key, score) in &ranked {
            let group = self.group(*key, place(&places, *key)?);
            scores.entry(group).or_default().push(*score);
        }
        let mut best = self.grouped(&ranked, usize::MAX, mode).await?;
        for best in &mut best {
            best.score = node_score(&scores[&best.group]);
        }
        // Those that score the same stay in the order of their best chunks.
        best.sort_by(|left, right| right.score.total_cmp(&left.score));
        best.truncate(self.request.limit);
        Ok(best)
    }

    /// Returns so many of the best chunks by text, and what ties with the last.
    async fn best_chunks(&mut self, count: usize) -> Result<Scored> {
        let mut segments = self.search.segments().await?;
        let reader = &mut *self.search.reader;
        let known = segments.known(reader, &self.clauses).await?;
        let found = segments.best(reader, &self.clauses, &known, count, &self.in_scope);
        found.await
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

    /// Returns so many of the nearest chunks, and what ties with the last.
    async fn nearest(&mut self, vector: &QueryVector, count: usize) -> Result<Scored> {
        let reader = &mut self.search.reader;
        let mut found = reader.nearest(vector, &self.in_scope, count).await?;
        found.sort_by(|left, right| right.1.total_cmp(&left.1));
        if let Some(&(_, least)) = count.checked_sub(1).and_then(|last| found.get(last)) {
            let end = found.partition_point(|(_, score)| *score >= least);
            found.truncate(end);
        }
        let keyed = |(chunk, score)| Ok((self.search.key(&chunk)?, f64::from(score)));
        found.into_iter().map(keyed).collect()
    }

    /// Returns the best chunk of each of the best groups. Everything that ties with the last place is
    /// kept until names decide.
    async fn grouped(
        &mut self,
        ranked: &[(Key, f64)],
        limit: usize,
        leg: SearchMode,
    ) -> Result<Vec<Best>> {
        let places = self.places(ranked).await?;
        let mut groups: HashMap<Group, Ranked<'_>> = HashMap::new();
        for &(key, score) in ranked {
            let place = place(&places, key)?;
            let candidate = (score, key.0, place, key);
            let best = groups.entry(self.group(key, place)).or_insert(candidate);
            if order(&candidate, best).is_lt() {
                *best = candidate;
            }
        }
        let mut best: Vec<_> = groups.into_iter().collect();
        best.sort_unstable_by(|left, right| order(&left.1, &right.1));
        best.truncate(limit);
        let numbered = best.into_iter().zip(1..);
        Ok(numbered
            .map(|((group, (score, .., chunk)), rank)| Best {
                group,
                chunk,
                score,
                legs: vec![Leg {
                    name: leg.name().into(),
                    rank,
                    score,
                }],
            })
            .collect())
    }

    fn group(&self, (collection, document, chunk): Key, place: &ChunkPlace) -> Group {
        let part = match self.request.group_by {
            GroupBy::Chunk => Some(chunk as usize),
            GroupBy::Section => Some(place.position),
            GroupBy::Document => None,
        };
        (collection, document, part)
    }

    async fn places(&mut self, ranked: &[(Key, f64)]) -> Result<FxHashMap<Key, ChunkPlace>> {
        let places = self
            .search
            .reader
            .places(&self.search.chunks(ranked))
            .await?;
        let keyed = |(chunk, place)| Ok((self.search.key(&chunk)?, place));
        places.into_iter().map(keyed).collect()
    }

    async fn hits(&mut self, best: Vec<Best>, analyzer: &Analyzer) -> Result<Vec<Hit>> {
        let scored: Scored = best.iter().map(|best| (best.chunk, best.score)).collect();
        let chunks = self
            .search
            .reader
            .chunks(&self.search.chunks(&scored))
            .await?;
        let found = chunks.into_iter().zip(best);
        found
            .map(|(chunk, best)| chunk.into_hit(best.score, best.legs, &self.query, analyzer))
            .collect()
    }
}

impl Best {
    /// Adds what another leg found of the same group; the chunk is that of the better rank.
    fn join(&mut self, other: &Self) {
        if other.legs[0].rank < self.legs[0].rank {
            self.chunk = other.chunk;
        }
        self.legs.extend_from_slice(&other.legs);
    }
}

fn place(places: &FxHashMap<Key, ChunkPlace>, key: Key) -> Result<&ChunkPlace> {
    let place = places.get(&key);
    place.ok_or_else(|| Error::corrupt("a chunk that is gone"))
}

/// Orders the best first: by score, then by collection, URI and position.
fn order(left: &Ranked<'_>, right: &Ranked<'_>) -> std::cmp::Ordering {
    let by_score = right.0.total_cmp(&left.0);
    by_score.then_with(|| (left.1, left.2).cmp(&(right.1, right.2)))
}
