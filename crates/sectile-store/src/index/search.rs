//! Searching the index.

use std::collections::{HashMap, HashSet};

use async_trait::async_trait;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Posting;
use super::postings::{Occurrence, read_entries, read_positions};
use super::score::{Key, Match, Matches, Parts, Size, rank};
use crate::{Analyzer, Error, FoundChunk, GroupBy, Hit, Query, Result, Scope, SearchRequest};

/// How many chunks are looked at first for each hit that is asked for: a section has several.
const CHUNKS_A_HIT: usize = 4;

/// A connection of an engine that reads, as far as searching needs it. All that it reads in one search
/// is of one moment.
#[async_trait]
pub trait IndexReader: Send {
    /// Returns how large each collection is.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn sizes(&mut self) -> Result<Vec<CollectionSize>>;

    /// Returns the numbers of the documents in a scope that has ranges of URIs, with their
    /// collections.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn documents_in(&mut self, scope: &Scope) -> Result<Vec<(String, u64)>>;

    /// Returns what the index has for some terms in some collections; positions only if they are
    /// asked for.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn postings(
        &mut self,
        collections: &[String],
        terms: &[&str],
        with_positions: bool,
    ) -> Result<Vec<StoredPosting>>;

    /// Returns the chunks that are in the index and not in the store any more.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn dead(&mut self) -> Result<Vec<Chunk>>;

    /// Says where chunks stand.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn places(&mut self, chunks: &[Chunk]) -> Result<Vec<(Chunk, ChunkPlace)>>;

    /// Reads chunks with their sections and documents, in the order in which they are asked for.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn chunks(&mut self, chunks: &[Chunk]) -> Result<Vec<FoundChunk>>;
}

/// How large a collection is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionSize {
    /// The collection.
    pub collection: String,
    /// The number of chunks.
    pub chunks: u64,
    /// The number of their terms, those of their paths included.
    pub terms: u64,
}

/// A row of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPosting {
    /// The collection.
    pub collection: String,
    /// The term.
    pub term: String,
    /// What the row has.
    pub posting: Posting,
}

/// A chunk, as the index names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chunk {
    /// The collection.
    pub collection: String,
    /// The number of the document in the database.
    pub document: u64,
    /// The number of the chunk, which its document uses once.
    pub chunk: u64,
}

/// Where a chunk stands, in the order in which equal scores are ordered within a collection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChunkPlace {
    /// The URI of the document.
    pub uri: String,
    /// The position of the section.
    pub position: usize,
    /// The place in the section.
    pub index: usize,
}

/// Answers a request with BM25.
///
/// # Errors
///
/// [`Error::EmptyQuery`] when there is nothing to search for, and those of the reader.
pub async fn search(
    reader: &mut dyn IndexReader,
    request: &SearchRequest,
    analyzer: &Analyzer,
) -> Result<Vec<Hit>> {
    let question = Query::parse(&request.query, analyzer)?;
    if request.limit == 0 {
        return Ok(Vec::new());
    }
    let mut search = Search::begin(reader).await?;
    let known = search.known(&question, &request.scope).await?;
    let of = |terms: &[String]| &known[terms];
    let single = question.terms().iter().map(std::slice::from_ref);
    let parts = Parts {
        any: single
            .chain(question.phrases().iter().map(Vec::as_slice))
            .map(of)
            .collect(),
        required: question.required().iter().map(|terms| of(terms)).collect(),
        excluded: question.excluded().iter().map(|terms| of(terms)).collect(),
    };
    let mut ranked = rank(&parts, search.size);
    let best = search.best(&mut ranked, request).await?;
    search.hits(&best, &question, analyzer).await
}

/// A search on its way.
struct Search<'r> {
    reader: &'r mut dyn IndexReader,
    collections: Vec<String>,
    size: Size,
    dead: FxHashSet<Key>,
}

/// What is known of each sequence of terms of a question.
type Known = HashMap<Vec<String>, Matches>;

/// Where chunks hold terms.
type Held = FxHashMap<Key, HeldBy>;

/// Where a chunk holds each of some terms.
#[derive(Default)]
struct HeldBy {
    length: u64,
    path: HashMap<String, HashSet<u64>>,
    text: HashMap<String, HashSet<u64>>,
}

/// A chunk with its score and its place.
type Ranked<'p> = (f64, u32, &'p ChunkPlace, Key);

impl<'r> Search<'r> {
    async fn begin(reader: &'r mut dyn IndexReader) -> Result<Self> {
        let sizes = reader.sizes().await?;
        let size = Size {
            chunks: sizes.iter().map(|size| size.chunks).sum(),
            terms: sizes.iter().map(|size| size.terms).sum(),
        };
        let mut collections: Vec<_> = sizes.into_iter().map(|size| size.collection).collect();
        collections.sort_unstable();
        let mut search = Self {
            reader,
            collections,
            size,
            dead: FxHashSet::default(),
        };
        for chunk in search.reader.dead().await? {
            // The last document of a collection may be gone with it.
            if let Ok(key) = search.key(&chunk) {
                search.dead.insert(key);
            }
        }
        Ok(search)
    }

    /// Finds the chunks that hold each sequence of terms of a question.
    async fn known(&mut self, question: &Query, scope: &Scope) -> Result<Known> {
        let (phrases, required, excluded) =
            (question.phrases(), question.required(), question.excluded());
        let sequences = || phrases.iter().chain(required).chain(excluded);
        let alone = sequences().filter(|terms| terms.len() == 1).flatten();
        let terms: HashSet<&str> = question
            .terms()
            .iter()
            .chain(alone)
            .map(String::as_str)
            .collect();
        let in_scope = self.scope(scope).await?;
        let mut known = self.single(&terms, &in_scope).await?;
        for terms in sequences().filter(|terms| terms.len() > 1) {
            if !known.contains_key(terms) {
                let matches = self.phrase(terms, &in_scope).await?;
                known.insert(terms.clone(), matches);
            }
        }
        Ok(known)
    }

    async fn scope(&mut self, scope: &Scope) -> Result<InScope> {
        let named = scope.collection_name();
        let is_named = |of: &String| named.is_none_or(|name| name == of);
        let documents = if scope.uri_ranges().is_empty() {
            None
        } else {
            let documents = self.reader.documents_in(scope).await?;
            let key =
                |(collection, document): (String, u64)| Some((self.place(&collection)?, document));
            Some(documents.into_iter().filter_map(key).collect())
        };
        Ok(InScope {
            collections: self.collections.iter().map(is_named).collect(),
            documents,
        })
    }

    /// Finds the chunks that hold each of some terms.
    async fn single(&mut self, terms: &HashSet<&str>, scope: &InScope) -> Result<Known> {
        let list: Vec<&str> = terms.iter().copied().collect();
        let rows = self
            .reader
            .postings(&self.collections, &list, false)
            .await?;
        let empty = |term: &&str| (vec![(*term).to_owned()], Matches::default());
        let mut known: Known = terms.iter().map(empty).collect();
        for row in rows {
            let collection = self.known_place(&row.collection)?;
            let Some(matches) = known.get_mut(std::slice::from_ref(&row.term)) else {
                continue;
            };
            read_entries(&row.posting.entry, |occurrence| {
                let key = (collection, occurrence.document, occurrence.chunk);
                if self.dead.contains(&key) {
                    return;
                }
                matches.chunks += 1;
                if scope.has(key) {
                    matches.found.push(single(key, occurrence));
                }
            })?;
        }
        Ok(known)
    }

    /// Finds the chunks that hold terms one after the other.
    async fn phrase(&mut self, terms: &[String], scope: &InScope) -> Result<Matches> {
        let list: Vec<&str> = terms.iter().map(String::as_str).collect();
        let rows = self.reader.postings(&self.collections, &list, true).await?;
        let mut held = Held::default();
        for row in rows {
            let collection = self.known_place(&row.collection)?;
            let Posting {
                entry, positions, ..
            } = &row.posting;
            read_positions(entry, positions, |occurrence, path, text| {
                let key = (collection, occurrence.document, occurrence.chunk);
                if self.dead.contains(&key) {
                    return;
                }
                let held = held.entry(key).or_default();
                held.length = occurrence.length;
                held.path
                    .insert(row.term.clone(), path.into_iter().collect());
                held.text
                    .insert(row.term.clone(), text.into_iter().collect());
            })?;
        }
        let matches = held.iter().map(|(key, held)| Match {
            chunk: *key,
            in_path: count(terms, &held.path),
            in_text: count(terms, &held.text),
            length: held.length,
        });
        let mut found: Vec<Match> = matches
            .filter(|found| found.in_path + found.in_text > 0)
            .collect();
        let chunks = found.len() as u64;
        found.retain(|found| scope.has(found.chunk));
        Ok(Matches { chunks, found })
    }

    /// Returns the best chunk of each of the best sections or documents. Everything that ties with
    /// the last place is kept until names decide.
    async fn best(
        &mut self,
        ranked: &mut [(Key, f64)],
        request: &SearchRequest,
    ) -> Result<Vec<(Key, f64)>> {
        let mut looked_at = request.limit.saturating_mul(CHUNKS_A_HIT);
        loop {
            let count = best_with_ties(ranked, looked_at);
            let some = &ranked[..count];
            let places = self.places(some).await?;
            let mut groups: HashMap<_, Ranked<'_>> = HashMap::new();
            for &(key, score) in some {
                let place = places
                    .get(&key)
                    .ok_or_else(|| Error::corrupt("a chunk that is gone"))?;
                let position = (request.group_by == GroupBy::Section).then_some(place.position);
                let candidate = (score, key.0, place, key);
                let best = groups
                    .entry((key.0, &place.uri, position))
                    .or_insert(candidate);
                if order(&candidate, best).is_lt() {
                    *best = candidate;
                }
            }
            if groups.len() < request.limit && count < ranked.len() {
                looked_at = looked_at.saturating_mul(CHUNKS_A_HIT);
                continue;
            }
            let mut best: Vec<_> = groups.into_values().collect();
            best.sort_unstable_by(order);
            best.truncate(request.limit);
            return Ok(best
                .into_iter()
                .map(|(score, .., key)| (key, score))
                .collect());
        }
    }

    async fn places(&mut self, ranked: &[(Key, f64)]) -> Result<FxHashMap<Key, ChunkPlace>> {
        let places = self.reader.places(&self.chunks(ranked)).await?;
        let keyed = |(chunk, place)| Ok((self.key(&chunk)?, place));
        places.into_iter().map(keyed).collect()
    }

    async fn hits(
        &mut self,
        best: &[(Key, f64)],
        question: &Query,
        analyzer: &Analyzer,
    ) -> Result<Vec<Hit>> {
        let chunks = self.reader.chunks(&self.chunks(best)).await?;
        let ranked = chunks.into_iter().zip(best).zip(1..);
        ranked
            .map(|((chunk, &(_, score)), rank)| chunk.into_hit(score, rank, question, analyzer))
            .collect()
    }

    fn chunks(&self, ranked: &[(Key, f64)]) -> Vec<Chunk> {
        let chunk = |&((collection, document, chunk), _): &(Key, f64)| Chunk {
            collection: self.collections[collection as usize].clone(),
            document,
            chunk,
        };
        ranked.iter().map(chunk).collect()
    }

    fn key(&self, chunk: &Chunk) -> Result<Key> {
        let collection = self.known_place(&chunk.collection)?;
        Ok((collection, chunk.document, chunk.chunk))
    }

    /// Returns the place of a collection in the list of them, which is in order.
    fn place(&self, collection: &str) -> Option<u32> {
        let place = self
            .collections
            .binary_search_by(|known| known.as_str().cmp(collection));
        place.ok().and_then(|place| u32::try_from(place).ok())
    }

    fn known_place(&self, collection: &str) -> Result<u32> {
        let place = self.place(collection);
        place.ok_or_else(|| {
            Error::corrupt(format!("the collection `{collection}` without documents"))
        })
    }
}

/// What a scope has, by number.
struct InScope {
    /// Whether each collection is.
    collections: Vec<bool>,
    documents: Option<FxHashSet<(u32, u64)>>,
}

impl InScope {
    fn has(&self, (collection, document, _): Key) -> bool {
        let is_named = self.collections[collection as usize];
        let documents = self.documents.as_ref();
        is_named && documents.is_none_or(|documents| documents.contains(&(collection, document)))
    }
}

/// Orders the best first: by score, then by collection, URI and position.
fn order(left: &Ranked<'_>, right: &Ranked<'_>) -> std::cmp::Ordering {
    let by_score = right.0.total_cmp(&left.0);
    by_score.then_with(|| (left.1, left.2).cmp(&(right.1, right.2)))
}

/// Moves the best so many to the front, and what ties with the last of them, and returns how many
/// those are.
fn best_with_ties(ranked: &mut [(Key, f64)], count: usize) -> usize {
    if count >= ranked.len() {
        return ranked.len();
    }
    let best_first = |left: &(Key, f64), right: &(Key, f64)| right.1.total_cmp(&left.1);
    let (_, &mut (_, last), after) = ranked.select_nth_unstable_by(count - 1, best_first);
    let mut ties = 0;
    for at in 0..after.len() {
        if after[at].1 >= last {
            after.swap(ties, at);
            ties += 1;
        }
    }
    count + ties
}

/// Counts the places where terms stand one after the other.
fn count(terms: &[String], held: &HashMap<String, HashSet<u64>>) -> u64 {
    let Some(starts) = terms.first().and_then(|first| held.get(first)) else {
        return 0;
    };
    let follows = |start: u64| {
        (start..).zip(terms).all(|(position, term)| {
            held.get(term)
                .is_some_and(|positions| positions.contains(&position))
        })
    };
    starts.iter().filter(|&&start| follows(start)).count() as u64
}

fn single(key: Key, occurrence: Occurrence) -> Match {
    Match {
        chunk: key,
        in_path: occurrence.in_path,
        in_text: occurrence.in_text,
        length: occurrence.length,
    }
}
