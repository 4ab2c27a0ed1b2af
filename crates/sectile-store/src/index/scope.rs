//! A scope in the numbers of a database.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::place::Chunk;
use super::score::Key;

/// The chunks that a search is about.
#[derive(Debug)]
pub struct InScope {
    /// Those in the scope that hold anything, in order.
    collections: Vec<String>,
    pub(super) documents: Option<FxHashSet<(u32, u64)>>,
    pub(super) chunks: Option<FxHashSet<Key>>,
}

impl InScope {
    /// Returns the scope of all chunks of some collections, which are in order.
    pub(super) const fn all(collections: Vec<String>) -> Self {
        Self {
            collections,
            documents: None,
            chunks: None,
        }
    }

    /// Returns the collections in the scope.
    pub fn collections(&self) -> impl Iterator<Item = &str> {
        self.collections.iter().map(String::as_str)
    }

    /// Returns the place of a collection in the list of those in the scope, if it is one.
    pub fn place(&self, collection: &str) -> Option<u32> {
        let by_name = |known: &String| known.as_str().cmp(collection);
        let place = self.collections.binary_search_by(by_name).ok()?;
        u32::try_from(place).ok()
    }

    /// Returns whether only some chunks of the collections are in the scope.
    pub(super) fn is_narrow(&self) -> bool {
        self.documents.is_some() || self.chunks.is_some()
    }

    /// Narrows it to some documents.
    pub(super) fn keep_documents(&mut self, mut kept: FxHashSet<(u32, u64)>) {
        if let Some(known) = &self.documents {
            kept.retain(|document| known.contains(document));
        }
        self.documents = Some(kept);
    }

    /// Adds those of a run of chunks that are in the scope. Given are the first chunk and the ordinals.
    pub(super) fn add_ranges(
        &self,
        (collection, document, chunk): Key,
        ordinals: Range<u32>,
        ranges: &mut Vec<Range<u32>>,
    ) {
        let documents = self.documents.as_ref();
        if documents.is_some_and(|documents| !documents.contains(&(collection, document))) {
            return;
        }
        if self.chunks.is_none() {
            ranges.push(ordinals);
            return;
        }
        let each = ordinals.zip(chunk..);
        let in_scope = each.filter(|(_, chunk)| self.has((collection, document, *chunk)));
        ranges.extend(in_scope.map(|(ordinal, _)| ordinal..ordinal + 1));
    }

    /// Returns whether a chunk is in the scope, by the place of its collection, the number of its
    /// document and its own.
    pub fn has(&self, (collection, document, chunk): (u32, u64, u64)) -> bool {
        let documents = self.documents.as_ref();
        let chunks = self.chunks.as_ref();
        documents.is_none_or(|documents| documents.contains(&(collection, document)))
            && chunks.is_none_or(|chunks| chunks.contains(&(collection, document, chunk)))
    }

    /// Returns the documents that the scope is narrowed to; nothing where it is not, or to chunks.
    pub fn documents(&self) -> Option<impl Iterator<Item = (&str, u64)>> {
        let documents = self.documents.as_ref()?.iter();
        Some(documents.map(|(collection, document)| (self.name(*collection), *document)))
    }

    /// Returns the chunks that the scope is narrowed to; nothing where it is not.
    pub fn chunks(&self) -> Option<impl Iterator<Item = Chunk>> {
        let chunks = self.chunks.as_ref()?.iter();
        Some(chunks.map(|&(collection, document, chunk)| Chunk {
            collection: self.name(collection).to_owned(),
            document,
            chunk,
        }))
    }

    fn name(&self, place: u32) -> &str {
        &self.collections[place as usize]
    }
}
