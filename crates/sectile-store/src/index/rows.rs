//! The rows of a new segment.

use super::block::Blocks;
use super::list::List;
use super::segment::Described;
use super::words;
use super::writer::{IndexWriter, StoredSegment};
use crate::Result;

/// How many bytes of rows are written at once, or a little more.
const PAGE: usize = 1 << 20;

/// Rows of a new segment, which are written when there are enough of them.
pub(super) struct Rows<'c> {
    collection: &'c str,
    segment: i64,
    blocks: Blocks,
}

impl<'c> Rows<'c> {
    pub(super) async fn begin(
        writer: &mut dyn IndexWriter,
        collection: &'c str,
        described: &Described,
    ) -> Result<Self> {
        let chunks = &described.chunks;
        let languages: Vec<&str> = described.languages.iter().map(String::as_str).collect();
        let stored = StoredSegment {
            collection: collection.to_owned(),
            segment: 0,
            chunks: chunks.len() as u64,
            terms: chunks.lengths().iter().map(|&of| u64::from(of)).sum(),
            languages: languages.join(","),
        };
        let words = words::stored(&described.words)?;
        let segment = writer.add_segment(&stored, chunks.to_stored(), words);
        Ok(Self {
            collection,
            segment: segment.await?,
            blocks: Blocks::default(),
        })
    }

    /// Adds what there is for a term that comes after the others.
    pub(super) async fn push(
        &mut self,
        writer: &mut dyn IndexWriter,
        term: &str,
        list: List,
    ) -> Result<()> {
        self.blocks.push(term, list);
        if self.blocks.bytes() < PAGE {
            return Ok(());
        }
        let (blocks, parts) = self.blocks.take();
        writer
            .add_blocks(self.collection, self.segment, blocks, parts)
            .await
    }

    /// Writes the rest.
    pub(super) async fn finish(self, writer: &mut dyn IndexWriter) -> Result<()> {
        let (blocks, parts) = self.blocks.finish();
        writer
            .add_blocks(self.collection, self.segment, blocks, parts)
            .await
    }
}
