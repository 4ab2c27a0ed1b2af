//! An index in lists.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sectile_core::EmbeddingModel;

use crate::index::StoredBlock;
use crate::index::scope::InScope;
use crate::index::{
    Block, Chunk, ChunkPlace, IndexCache, IndexReader, IndexWriter, Part, StoredPage, StoredSegment,
};
use crate::{FoundChunk, QueryVector, Result, Scope};

/// A database of lists, which counts how often it is asked.
#[derive(Debug, Default)]
pub(in crate::index) struct Memory {
    pub(in crate::index) cache: IndexCache,
    pub(in crate::index) segments: Vec<StoredSegment>,
    pub(in crate::index) pages: BTreeMap<(i64, u64), StoredPage>,
    pub(in crate::index) blocks: BTreeMap<(i64, String), Block>,
    pub(in crate::index) parts: BTreeMap<(i64, u64), Part>,
    pub(in crate::index) words: BTreeMap<i64, Vec<u8>>,
    pub(in crate::index) dead: Vec<Chunk>,
    pub(in crate::index) next: i64,
    pub(in crate::index) documents: Vec<(String, u64)>,
    pub(in crate::index) asked: usize,
    /// Where chunks stand.
    pub(in crate::index) places: Vec<(Chunk, ChunkPlace)>,
    /// How many places were read.
    pub(in crate::index) places_read: usize,
}

#[async_trait]
impl IndexReader for Memory {
    fn cache(&self) -> &IndexCache {
        &self.cache
    }

    async fn segments(&mut self, collection: Option<&str>) -> Result<Vec<StoredSegment>> {
        self.asked += 1;
        let all = self.segments.iter();
        let of = all.filter(|of| collection.is_none_or(|name| of.collection == name));
        Ok(of.cloned().collect())
    }

    async fn documents_in(&mut self, _: &Scope) -> Result<Vec<(String, u64)>> {
        Ok(self.documents.clone())
    }

    async fn chunks_in(&mut self, _: &Scope) -> Result<Vec<Chunk>> {
        Ok(Vec::new())
    }

    async fn models(&mut self) -> Result<BTreeMap<String, EmbeddingModel>> {
        Ok(BTreeMap::new())
    }

    async fn nearest(
        &mut self,
        _: &QueryVector,
        _: &InScope,
        _: usize,
    ) -> Result<Vec<(Chunk, f32)>> {
        Ok(Vec::new())
    }

    async fn blocks(
        &mut self,
        segments: &[(String, i64)],
        terms: &[&str],
        with_positions: bool,
    ) -> Result<Vec<StoredBlock>> {
        self.asked += 1;
        let mut found = Vec::new();
        for (segment, (_, number)) in segments.iter().enumerate() {
            for (term, &wanted) in terms.iter().enumerate() {
                let mut after = self.blocks.range((*number, wanted.to_owned())..);
                if let Some(((of, _), block)) = after.next()
                    && of == number
                {
                    let mut block = block.clone();
                    if !with_positions {
                        block.positions.clear();
                    }
                    found.push(StoredBlock {
                        segment,
                        term,
                        block,
                    });
                }
            }
        }
        Ok(found)
    }

    async fn pages(&mut self, pages: &[(&str, i64, u64)]) -> Result<Vec<(usize, StoredPage)>> {
        self.asked += usize::from(!pages.is_empty());
        let pages = pages.iter().enumerate();
        let page = |(at, &(_, of, page))| Some((at, self.pages.get(&(of, page))?.clone()));
        Ok(pages.filter_map(page).collect())
    }

    async fn parts(&mut self, parts: &[(&str, i64, u64)], _: bool) -> Result<Vec<(usize, Part)>> {
        self.asked += usize::from(!parts.is_empty());
        let parts = parts.iter().enumerate();
        let part = |(at, &(_, of, part))| Some((at, self.parts.get(&(of, part))?.clone()));
        Ok(parts.filter_map(part).collect())
    }

    async fn words(&mut self, segments: &[(String, i64)]) -> Result<Vec<(usize, Vec<u8>)>> {
        let segments = segments.iter().enumerate();
        Ok(segments
            .map(|(at, (_, of))| (at, self.words[of].clone()))
            .collect())
    }

    async fn dead(&mut self, collection: Option<&str>) -> Result<Vec<Chunk>> {
        let all = self.dead.iter();
        let of = all.filter(|of| collection.is_none_or(|name| of.collection == name));
        Ok(of.cloned().collect())
    }

    async fn places(&mut self, chunks: &[Chunk]) -> Result<Vec<(Chunk, ChunkPlace)>> {
        self.places_read += chunks.len();
        let asked = |(chunk, _): &&(Chunk, ChunkPlace)| chunks.contains(chunk);
        let without_uri = |(chunk, place): &(Chunk, ChunkPlace)| {
            let place = ChunkPlace {
                uri: None,
                ..place.clone()
            };
            (chunk.clone(), place)
        };
        let asked = self.places.iter().filter(asked);
        Ok(asked.map(without_uri).collect())
    }

    async fn uris(&mut self, documents: &[(String, u64)]) -> Result<Vec<((String, u64), String)>> {
        let uri = |(chunk, place): &(Chunk, ChunkPlace)| {
            let document = (chunk.collection.clone(), chunk.document);
            Some((document, place.uri.clone()?))
        };
        let all = self.places.iter().filter_map(uri);
        Ok(all.filter(|(of, _)| documents.contains(of)).collect())
    }

    async fn chunks(&mut self, _: &[Chunk]) -> Result<Vec<FoundChunk>> {
        Ok(Vec::new())
    }
}

#[async_trait]
impl IndexWriter for Memory {
    async fn may_merge(&mut self, _: &str) -> Result<bool> {
        Ok(true)
    }

    async fn add_segment(
        &mut self,
        segment: &StoredSegment,
        pages: Vec<StoredPage>,
        words: Vec<u8>,
    ) -> Result<i64> {
        self.next += 1;
        let (number, segment) = (self.next, segment.clone());
        self.segments.push(StoredSegment {
            segment: number,
            ..segment
        });
        let pages = pages.into_iter().map(|page| ((number, page.page), page));
        self.pages.extend(pages);
        self.words.insert(number, words);
        Ok(number)
    }

    async fn add_blocks(
        &mut self,
        _: &str,
        segment: i64,
        blocks: Vec<Block>,
        parts: Vec<Part>,
    ) -> Result<()> {
        let blocks = blocks.into_iter();
        self.blocks
            .extend(blocks.map(|of| ((segment, of.last_term.clone()), of)));
        self.parts
            .extend(parts.into_iter().map(|of| ((segment, of.part), of)));
        Ok(())
    }

    async fn segments_of(&mut self, collection: &str) -> Result<Vec<StoredSegment>> {
        self.segments(Some(collection)).await
    }

    async fn dead_in(&mut self, collection: &str) -> Result<Vec<(u64, u64)>> {
        let dead = self.dead(Some(collection)).await?;
        Ok(dead
            .iter()
            .map(|dead| (dead.document, dead.chunk))
            .collect())
    }

    async fn pages_of(&mut self, _: &str, segment: i64) -> Result<Vec<StoredPage>> {
        let pages = self.pages.range((segment, 0)..(segment + 1, 0));
        Ok(pages.map(|(_, page)| page.clone()).collect())
    }

    async fn words_of(&mut self, _: &str, segment: i64) -> Result<Vec<u8>> {
        Ok(self.words[&segment].clone())
    }

    async fn blocks_after(
        &mut self,
        _: &str,
        segment: i64,
        term: &str,
        count: usize,
    ) -> Result<Vec<Block>> {
        let all = self.blocks.iter();
        let after = all.filter(|((of, last), _)| *of == segment && last.as_str() > term);
        Ok(after.take(count).map(|(_, block)| block.clone()).collect())
    }

    async fn parts_from(
        &mut self,
        _: &str,
        segment: i64,
        part: u64,
        count: u64,
    ) -> Result<Vec<Part>> {
        let parts = self.parts.range((segment, part)..(segment, part + count));
        Ok(parts.map(|(_, part)| part.clone()).collect())
    }

    async fn remove(&mut self, _: &str, segments: &[i64], dead: &[(u64, u64)]) -> Result<()> {
        self.segments.retain(|of| !segments.contains(&of.segment));
        self.pages.retain(|(of, _), _| !segments.contains(of));
        self.blocks.retain(|(of, _), _| !segments.contains(of));
        self.parts.retain(|(of, _), _| !segments.contains(of));
        self.words.retain(|of, _| !segments.contains(of));
        self.dead
            .retain(|of| !dead.contains(&(of.document, of.chunk)));
        Ok(())
    }
}
