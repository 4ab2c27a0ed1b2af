//! What was read of the index, so that a process reads it once.

use std::fmt;
use std::sync::Arc;

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{OptionsBuilder, Weighter};
use rustc_hash::FxBuildHasher;

use super::chunks::Chunks;
use super::list::List;
use super::question_terms::Dead;
use super::words::Words;

/// How many bytes stay in memory.
const BYTES: u64 = 64 << 20;

/// Into how many parts the cache is cut, each with a lock and its share of the bytes.
const SHARDS: usize = 4;

/// What an entry takes beside what it holds.
const OVERHEAD: usize = 128;

/// The segment cache of a store handle, at most 64 MiB. Segments never change and their numbers are
/// never reused, so the cache is never out of date. Clones share it.
#[derive(Clone)]
pub struct IndexCache(Arc<Cache<Key, Cached, Weigh, FxBuildHasher>>);

/// Something of a segment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// The list of a term, and whether its positions are with it.
    List(i64, String, bool),
    /// Blocks of a long list.
    Entries(i64, u64),
    /// The positions of such blocks.
    Positions(i64, u64),
    Page(i64, u64),
    Words(i64),
    Dead(i64),
}

#[derive(Clone, Debug)]
pub(super) enum Cached {
    /// Nothing if the segment does not have the term.
    List(Option<Arc<List>>),
    Bytes(Arc<Vec<u8>>),
    Page(Arc<Chunks>),
    Words(Arc<Words>),
    Dead(Arc<Dead>),
}

#[derive(Clone)]
struct Weigh;

impl Weighter<Key, Cached> for Weigh {
    fn weight(&self, key: &Key, cached: &Cached) -> u64 {
        let term = match key {
            Key::List(_, term, _) => term.len(),
            _ => 0,
        };
        let size = match cached {
            Cached::List(list) => list.as_ref().map_or(0, |list| list.size()),
            Cached::Bytes(bytes) => bytes.len(),
            Cached::Page(page) => page.size(),
            Cached::Words(words) => words.size(),
            Cached::Dead(dead) => dead.size(),
        };
        (OVERHEAD + term + size) as u64
    }
}

impl Default for IndexCache {
    fn default() -> Self {
        Self::of_size(BYTES)
    }
}

impl IndexCache {
    fn of_size(bytes: u64) -> Self {
        let options = OptionsBuilder::new()
            .estimated_items_capacity((bytes >> 12) as usize)
            .weight_capacity(bytes)
            .shards(SHARDS)
            .build()
            .expect("both capacities are given");
        let cache = Cache::with_options(options, Weigh, FxBuildHasher, DefaultLifecycle::default());
        Self(Arc::new(cache))
    }

    pub(super) fn get(&self, key: &Key) -> Option<Cached> {
        self.0.get(key)
    }

    pub(super) fn insert(&self, key: Key, cached: Cached) {
        self.0.insert(key, cached);
    }
}

impl fmt::Debug for IndexCache {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("IndexCache")
            .field("bytes", &self.0.weight())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_never_holds_more_than_its_bytes() {
        let cache = IndexCache::of_size(1 << 20);
        for part in 0..10_000 {
            let bytes = Arc::new(vec![0; 1 + part as usize % 3_000]);
            cache.insert(Key::Entries(1, part), Cached::Bytes(bytes));
            assert!(cache.0.weight() <= 1 << 20);
        }
        assert!(cache.0.weight() > 1 << 19);
        // What is larger than a part of the cache is not kept.
        cache.insert(
            Key::Entries(2, 0),
            Cached::Bytes(Arc::new(vec![0; 2 << 20])),
        );
        assert!(cache.get(&Key::Entries(2, 0)).is_none());
    }
}
