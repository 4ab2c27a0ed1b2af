//! From ranked chunks to the sections or documents they stand for.
//!
//! Chunks that score the same are ordered by the names of their documents and by their places in these. As
//! a word of a common heading may tie thousands of chunks, only as much is read as decides which groups come
//! first: of a long tie the URIs alone, then the places in the documents that come first. And between two
//! chunks of a section stand only chunks of it, so of a section of thousands few are read.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::score::Key;
use super::search::Search;
use crate::{Error, GroupBy, Result};

/// Of more chunks than this that score the same, the URIs are read before the places.
const LONG_TIE: usize = 64;

/// Of a document with more unknown chunks than this, some are read first.
const MANY: usize = 64;

/// How many these are.
const SAMPLES: usize = 16;

/// What a hit stands for: a collection, a document, and unless it is that a section or a chunk.
pub(super) type Group = (u32, u64, Option<usize>);

/// Chunks with their scores, best first.
pub(super) type Scored = Vec<(Key, f64)>;

/// A document: the place of its collection, its number.
type Document = (u32, u64);

/// The groups of ranked chunks, each with its best chunk and the score of that: ordered by score, then by
/// collection, URI, section and place.
#[derive(Debug)]
pub(super) struct Groups {
    group_by: GroupBy,
    known: FxHashSet<Group>,
    found: Vec<(Group, Key, f64)>,
    /// How many chunks were looked at.
    looked_at: usize,
    /// The rest of a long tie: its score, and its chunks by document, the last one first.
    tied: (f64, Vec<Vec<Key>>),
}

impl Groups {
    pub(super) fn new(group_by: GroupBy) -> Self {
        Self {
            group_by,
            known: FxHashSet::default(),
            found: Vec::new(),
            looked_at: 0,
            tied: (0.0, Vec::new()),
        }
    }

    pub(super) fn found(&self) -> &[(Group, Key, f64)] {
        &self.found
    }

    /// Takes up ranked chunks until so many groups are found, and returns how many these are. The chunks go
    /// on where the last call ended.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] for chunks that the store does not have, and those of the reader.
    pub(super) async fn take_up(
        &mut self,
        ranked: &[(Key, f64)],
        limit: usize,
        places: &mut Places,
        search: &mut Search<'_>,
    ) -> Result<usize> {
        let mut rest = ranked;
        while self.found.len() < limit {
            let size = self.looked_at.max(limit);
            let batch = if let Some(first) = self.tied.1.pop() {
                let mut batch = first;
                while batch.len() < size
                    && let Some(next) = self.tied.1.pop()
                {
                    batch.extend(next);
                }
                let score = self.tied.0;
                batch.into_iter().map(|key| (key, score)).collect()
            } else if let Some(tie) = rest.chunk_by(is_tie).next() {
                let (batch, after) = if tie.len() > LONG_TIE {
                    self.tied = (tie[0].1, places.by_document(tie, search).await?);
                    (Vec::new(), &rest[tie.len()..])
                } else {
                    let (batch, after) = rest.split_at(end_of_batch(rest, size));
                    (batch.to_vec(), after)
                };
                rest = after;
                batch
            } else {
                break;
            };
            self.add(&batch, places, search).await?;
        }
        Ok(ranked.len() - rest.len())
    }

    /// Adds chunks of which no tie is broken off within a document.
    async fn add(
        &mut self,
        batch: &[(Key, f64)],
        places: &mut Places,
        search: &mut Search<'_>,
    ) -> Result<()> {
        self.looked_at += batch.len();
        places
            .read(batch.iter().map(|(key, _)| *key), search)
            .await?;
        places.read_uris_of_ties(batch, search).await?;
        let place = |&(key, score): &(Key, f64)| {
            let uri = places.uris.get(&document(key));
            Ok((score, (key.0, uri, places.place(key)?), key))
        };
        let mut ordered: Vec<_> = batch.iter().map(place).collect::<Result<_>>()?;
        ordered.sort_unstable_by(|(left, left_place, _), (right, right_place, _)| {
            let by_score = right.total_cmp(left);
            by_score.then_with(|| left_place.cmp(right_place))
        });
        for (score, (.., (position, _)), key) in ordered {
            let group = group(key, position, self.group_by);
            if self.known.insert(group) {
                self.found.push((group, key, score));
            }
        }
        Ok(())
    }
}

/// Where the chunks stand that were looked at.
#[derive(Debug, Default)]
pub(super) struct Places {
    uris: FxHashMap<Document, String>,
    /// By the first chunk that is known of a section.
    runs: BTreeMap<Key, Run>,
}

/// Chunks of a section in a row.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The number of the last.
    last: u64,
    /// The position of the section.
    position: usize,
    /// The place of the first in it.
    index: usize,
}

impl Places {
    /// Returns the group that a chunk is of, whose place was read.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] if the store does not have it.
    pub(super) fn group(&self, key: Key, group_by: GroupBy) -> Result<Group> {
        let (position, _) = self.place(key)?;
        Ok(group(key, position, group_by))
    }

    /// Reads where chunks stand, unless that is known.
    ///
    /// # Errors
    ///
    /// Those of the reader.
    pub(super) async fn read(
        &mut self,
        chunks: impl IntoIterator<Item = Key>,
        search: &mut Search<'_>,
    ) -> Result<()> {
        let mut unknown: Vec<Key> = chunks.into_iter().collect();
        unknown.retain(|key| self.run(*key).is_none());
        unknown.sort_unstable();
        let samples = unknown
            .chunk_by(is_of_one_document)
            .filter(|of| of.len() > MANY)
            .flat_map(|of| of.iter().step_by(of.len() / SAMPLES).chain(of.last()));
        let samples: Vec<Key> = samples.copied().collect();
        self.fetch(&samples, search).await?;
        unknown.retain(|key| self.run(*key).is_none());
        self.fetch(&unknown, search).await
    }

    async fn fetch(&mut self, chunks: &[Key], search: &mut Search<'_>) -> Result<()> {
        if chunks.is_empty() {
            return Ok(());
        }
        let chunks = search.chunks(chunks);
        for (chunk, place) in search.reader.places(&chunks).await? {
            let key = search.key(&chunk)?;
            if let Some(uri) = place.uri {
                self.uris.entry(document(key)).or_insert(uri);
            }
            self.add(key, place.position, place.index);
        }
        Ok(())
    }

    /// Notes where a chunk stands, with others of its section where they are known.
    fn add(&mut self, key: Key, position: usize, index: usize) {
        let before = self.runs.range_mut(..key).next_back();
        if let Some((first, run)) = before
            && is_of_one_document(first, &key)
            && run.position == position
        {
            run.last = run.last.max(key.2);
            return;
        }
        let mut run = Run {
            last: key.2,
            position,
            index,
        };
        let after = self.runs.range(key..).next();
        if let Some((&first, next)) = after
            && is_of_one_document(&first, &key)
            && next.position == position
        {
            run.last = next.last;
            self.runs.remove(&first);
        }
        self.runs.insert(key, run);
    }

    /// Returns the chunks of a tie by document, the document that comes first last.
    async fn by_document(
        &mut self,
        tie: &[(Key, f64)],
        search: &mut Search<'_>,
    ) -> Result<Vec<Vec<Key>>> {
        let mut keys: Vec<Key> = tie.iter().map(|(key, _)| *key).collect();
        keys.sort_unstable();
        let documents = keys.chunk_by(is_of_one_document);
        let mut documents: Vec<Vec<Key>> = documents.map(<[Key]>::to_vec).collect();
        let all = documents.iter().map(|of| document(of[0]));
        let unknown: Vec<Document> = all.filter(|of| !self.uris.contains_key(of)).collect();
        self.read_uris(&unknown, search).await?;
        let name = |of: &Vec<Key>| (of[0].0, self.uris.get(&document(of[0])));
        documents.sort_unstable_by(|left, right| name(right).cmp(&name(left)));
        Ok(documents)
    }

    /// Reads the URIs that decide the order of chunks with the same score, which lie in a row.
    async fn read_uris_of_ties(
        &mut self,
        chunks: &[(Key, f64)],
        search: &mut Search<'_>,
    ) -> Result<()> {
        let ties = chunks.chunk_by(is_tie);
        let across = ties.filter(|tie| {
            !tie.iter()
                .all(|(key, _)| is_of_one_document(key, &tie[0].0))
        });
        let all = across.flatten().map(|(key, _)| document(*key));
        let mut unknown: Vec<Document> = all.filter(|of| !self.uris.contains_key(of)).collect();
        unknown.sort_unstable();
        unknown.dedup();
        self.read_uris(&unknown, search).await?;
        let are_known = unknown.iter().all(|of| self.uris.contains_key(of));
        are_known.then_some(()).ok_or_else(gone)
    }

    async fn read_uris(&mut self, documents: &[Document], search: &mut Search<'_>) -> Result<()> {
        if documents.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = documents.iter().map(|of| search.document(*of)).collect();
        for ((collection, number), uri) in search.reader.uris(&names).await? {
            let collection = search.place(&collection).ok_or_else(gone)?;
            self.uris.insert((collection, number), uri);
        }
        Ok(())
    }

    /// Returns the section of a chunk and its place in it.
    fn place(&self, key: Key) -> Result<(usize, usize)> {
        let (first, run) = self.run(key).ok_or_else(gone)?;
        Ok((run.position, run.index + (key.2 - first) as usize))
    }

    /// Returns the run that a chunk is in, with the number of its first chunk.
    fn run(&self, key: Key) -> Option<(u64, Run)> {
        let (first, run) = self.runs.range(..=key).next_back()?;
        let is_in = is_of_one_document(first, &key) && key.2 <= run.last;
        is_in.then_some((first.2, *run))
    }
}

/// Returns the first so many of some chunks, and what ties with the last.
pub(super) fn cut(mut chunks: Scored, count: usize) -> Scored {
    if let Some(&(_, least)) = count.checked_sub(1).and_then(|last| chunks.get(last)) {
        let end = chunks.partition_point(|(_, score)| *score >= least);
        chunks.truncate(end);
    }
    chunks
}

fn group((collection, document, chunk): Key, position: usize, group_by: GroupBy) -> Group {
    let part = match group_by {
        GroupBy::Chunk => Some(chunk as usize),
        GroupBy::Section => Some(position),
        GroupBy::Document => None,
    };
    (collection, document, part)
}

/// Returns where a batch of so many chunks ends, or of some more, as it breaks off no tie. A long tie is
/// not in it, unless it is the first.
fn end_of_batch(ranked: &[(Key, f64)], size: usize) -> usize {
    let mut end = 0;
    for tie in ranked.chunk_by(is_tie) {
        if end > 0 && (end >= size || tie.len() > LONG_TIE) {
            break;
        }
        end += tie.len();
    }
    end
}

fn is_tie(left: &(Key, f64), right: &(Key, f64)) -> bool {
    left.1.total_cmp(&right.1).is_eq()
}

fn document((collection, document, _): Key) -> Document {
    (collection, document)
}

fn is_of_one_document(left: &Key, right: &Key) -> bool {
    document(*left) == document(*right)
}

fn gone() -> Error {
    Error::corrupt("a chunk that is gone")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::index::exhaustive::memory::Memory;
    use crate::index::exhaustive::now;
    use crate::index::{Chunk, ChunkPlace, StoredSegment};

    const COLLECTIONS: [&str; 2] = ["one", "two"];

    /// A store of documents, each given by its collection and by the number of chunks that each of its
    /// sections has, with a score for each chunk.
    #[derive(Default)]
    struct Store {
        memory: Memory,
        ranked: Scored,
    }

    impl Store {
        fn new(documents: &[(usize, Vec<usize>)], scored: impl Fn(u64) -> u8) -> Self {
            let mut made = Self::default();
            let mut chunk = 0;
            for (number, (collection, sections)) in documents.iter().enumerate() {
                for (position, chunks) in sections.iter().enumerate() {
                    for index in 0..*chunks {
                        chunk += 1;
                        let key = (*collection as u32, number as u64, chunk);
                        made.ranked.push((key, f64::from(scored(chunk))));
                        let place = ChunkPlace {
                            uri: Some(format!("file:{:04}", number * 6_007 % 10_007)),
                            position,
                            index,
                        };
                        let chunk = Chunk {
                            collection: COLLECTIONS[*collection].to_owned(),
                            document: key.1,
                            chunk,
                        };
                        made.memory.places.push((chunk, place));
                    }
                }
            }
            made.memory.segments = COLLECTIONS.map(segment).to_vec();
            made.ranked
                .sort_by(|left, right| right.1.total_cmp(&left.1));
            made
        }

        /// Groups all chunks, in the order of all places.
        fn expected(&self, group_by: GroupBy) -> Vec<(Group, Key, f64)> {
            let place = |key: Key| &self.memory.places[key.2 as usize - 1].1;
            let mut all = self.ranked.clone();
            all.sort_by(|&(left, score), &(right, other)| {
                let name = |key: Key| {
                    (
                        key.0,
                        &place(key).uri,
                        place(key).position,
                        place(key).index,
                    )
                };
                other
                    .total_cmp(&score)
                    .then_with(|| name(left).cmp(&name(right)))
            });
            let mut known = HashSet::new();
            let all = all.into_iter();
            let grouped =
                all.map(|(key, score)| (group(key, place(key).position, group_by), key, score));
            grouped.filter(|(group, ..)| known.insert(*group)).collect()
        }

        /// Takes up so many more groups at once until none is left.
        fn found(&mut self, group_by: GroupBy, more: usize) -> Vec<(Group, Key, f64)> {
            let mut search = now(Search::begin(&mut self.memory, None)).unwrap();
            let (mut places, mut groups) = (Places::default(), Groups::new(group_by));
            let (mut taken_up, mut limit) = (0, more);
            while taken_up < self.ranked.len() || !groups.tied.1.is_empty() {
                let rest = &self.ranked[taken_up..];
                taken_up += now(groups.take_up(rest, limit, &mut places, &mut search)).unwrap();
                limit += more;
            }
            groups.found
        }
    }

    fn segment(collection: &str) -> StoredSegment {
        StoredSegment {
            collection: collection.to_owned(),
            segment: 1,
            chunks: 1,
            terms: 1,
            languages: String::new(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn groups_come_in_the_order_of_all_places(
            documents in prop::collection::vec((0_usize..2, prop::collection::vec(1_usize..90, 1..6)), 1..7),
            scores in prop::sample::select(vec![1_u64, 2, 5, 200]),
            more in 1_usize..30,
        ) {
            let mut store = Store::new(&documents, |chunk| (chunk * 31 % scores) as u8);
            for group_by in [GroupBy::Chunk, GroupBy::Section, GroupBy::Document] {
                let expected = store.expected(group_by);
                prop_assert_eq!(store.found(group_by, more), expected);
            }
        }
    }

    #[test]
    fn little_is_read_of_a_long_section_and_of_a_long_tie() {
        let one = (0, vec![3_000]);
        let mut store = Store::new(&[one], |chunk| (chunk % 200) as u8);
        assert_eq!(store.found(GroupBy::Section, 10).len(), 1);
        assert!(
            store.memory.places_read < 600,
            "{}",
            store.memory.places_read
        );
        let many = vec![(0, vec![1]); 2_000];
        let mut store = Store::new(&many, |_| 1);
        let mut search = now(Search::begin(&mut store.memory, None)).unwrap();
        let (mut places, mut groups) = (Places::default(), Groups::new(GroupBy::Section));
        now(groups.take_up(&store.ranked, 10, &mut places, &mut search)).unwrap();
        assert_eq!(groups.found().len(), 10);
        assert_eq!(store.memory.places_read, 10);
    }
}
