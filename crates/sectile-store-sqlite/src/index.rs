//! The index in this database.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sectile_core::{DocumentId, EmbeddingModel, Metadata, SectionId, Span};
use sectile_sqlite::rusqlite::{Connection, Row, ToSql, params};
use sectile_store::index::{
    Block, Chunk, ChunkPlace, InScope, IndexReader, IndexWriter, StoredBlock, StoredChunks,
    StoredSegment,
};
use sectile_store::{Error, FoundChunk, HitDocument, QueryVector, Result, Scope};
use serde::Serialize;

use crate::read::{all, column, format, integer, json, number, pages, text, uid, uri_ranges};
use crate::sql;
use crate::vectors::{self, Cache};
use crate::write::execute;

/// A connection, and what was read of vectors before.
pub(crate) struct Index<'c> {
    connection: &'c mut Connection,
    vectors: Cache,
}

impl<'c> Index<'c> {
    /// Returns a connection that has read no vectors.
    pub(crate) fn new(connection: &'c mut Connection) -> Self {
        Self::with_vectors(connection, Cache::default())
    }

    pub(crate) fn with_vectors(connection: &'c mut Connection, vectors: Cache) -> Self {
        Self {
            connection,
            vectors,
        }
    }

    fn rows<T>(
        &self,
        sql: &'static str,
        values: &[&dyn ToSql],
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        all(self.connection, "read the index", sql, values, read)
    }

    fn execute(&self, sql: &'static str, values: &[&dyn ToSql]) -> Result<()> {
        execute(self.connection, "write the index", sql, values).map(drop)
    }
}

/// Writes a list as a JSON array.
fn list(items: impl Serialize) -> Result<String> {
    serde_json::to_string(&items).map_err(Error::corrupt)
}

#[async_trait]
impl IndexReader for Index<'_> {
    async fn segments(&mut self, collection: Option<&str>) -> Result<Vec<StoredSegment>> {
        self.rows(sql::SEGMENTS_IN, params![collection], |row| {
            Ok(StoredSegment {
                collection: column(row, "collection")?,
                segment: column(row, "segment")?,
                chunks: stored_chunks(row)?,
            })
        })
    }

    async fn documents_in(&mut self, scope: &Scope) -> Result<Vec<(String, u64)>> {
        let values = params![scope.collection_name(), uri_ranges(scope)?];
        let documents = self.rows(sql::DOCUMENTS, values, |row| {
            let metadata = scope.asks_of_documents().then(|| json(row, "metadata"));
            let metadata = metadata.transpose()?.unwrap_or_default();
            let is_in = scope.has_document(text(row, "uri")?, &metadata);
            let key = (column(row, "collection")?, number(row, "id")? as u64);
            Ok(is_in.then_some(key))
        });
        Ok(documents?.into_iter().flatten().collect())
    }

    async fn chunks_in(&mut self, scope: &Scope) -> Result<Vec<Chunk>> {
        let mut chunks = Vec::new();
        for (collection, document) in self.documents_in(scope).await? {
            let values = params![document.cast_signed()];
            let found = self.rows(sql::CHUNKS_IN, values, |row| {
                let heading_path: Vec<String> = json(row, "heading_path")?;
                let is_in = scope.has_section(column(row, "level")?, &heading_path);
                Ok(is_in.then_some(number(row, "chunk")? as u64))
            });
            chunks.extend(found?.into_iter().flatten().map(|chunk| Chunk {
                collection: collection.clone(),
                document,
                chunk,
            }));
        }
        Ok(chunks)
    }

    async fn models(&mut self) -> Result<BTreeMap<String, EmbeddingModel>> {
        vectors::models(self.connection)
    }

    async fn nearest(
        &mut self,
        question: &QueryVector,
        in_scope: &InScope,
        count: usize,
    ) -> Result<Vec<(Chunk, f32)>> {
        self.vectors
            .nearest(self.connection, question, in_scope, count)
    }

    async fn blocks(
        &mut self,
        segments: &[(String, i64)],
        terms: &[&str],
        with_positions: bool,
    ) -> Result<Vec<StoredBlock>> {
        let numbers: Vec<i64> = segments.iter().map(|(_, segment)| *segment).collect();
        let values = params![list(numbers)?, list(terms)?, with_positions];
        self.rows(sql::BLOCKS, values, |row| {
            Ok(StoredBlock {
                segment: number(row, "asked")?,
                term: number(row, "wanted")?,
                block: block(row)?,
            })
        })
    }

    async fn dead(&mut self, collection: Option<&str>) -> Result<Vec<Chunk>> {
        self.rows(sql::DEAD, params![collection], chunk)
    }

    async fn places(&mut self, chunks: &[Chunk]) -> Result<Vec<(Chunk, ChunkPlace)>> {
        self.rows(sql::PLACES, params![asked(chunks)?], |row| {
            let place = ChunkPlace {
                uri: column(row, "uri")?,
                position: number(row, "position")?,
                index: number(row, "chunk_index")?,
            };
            Ok((chunk(row)?, place))
        })
    }

    async fn chunks(&mut self, chunks: &[Chunk]) -> Result<Vec<FoundChunk>> {
        self.rows(sql::HITS, params![asked(chunks)?], found)
    }
}

#[async_trait]
impl IndexWriter for Index<'_> {
    async fn may_merge(&mut self, _: &str) -> Result<bool> {
        // Only one transaction writes.
        Ok(true)
    }

    async fn add_segment(
        &mut self,
        collection: &str,
        count: u64,
        chunks: &StoredChunks,
    ) -> Result<i64> {
        let (numbers, lengths) = (&chunks.numbers, &chunks.lengths);
        let values = params![collection, count.cast_signed(), numbers, lengths];
        self.execute(sql::ADD_SEGMENT, values)?;
        Ok(self.connection.last_insert_rowid())
    }

    async fn add_blocks(&mut self, _: &str, segment: i64, blocks: Vec<Block>) -> Result<()> {
        for block in blocks {
            let values = params![segment, block.last_term, block.entries, block.positions];
            self.execute(sql::ADD_BLOCK, values)?;
        }
        Ok(())
    }

    async fn segments(&mut self, collection: &str) -> Result<Vec<(i64, u64)>> {
        self.rows(sql::SEGMENTS, params![collection], |row| {
            Ok((column(row, "segment")?, number(row, "chunks")? as u64))
        })
    }

    async fn dead_in(&mut self, collection: &str) -> Result<Vec<(u64, u64)>> {
        self.rows(sql::DEAD_IN, params![collection], |row| {
            let document = number(row, "document")? as u64;
            Ok((document, number(row, "chunk")? as u64))
        })
    }

    async fn chunks_of(&mut self, _: &str, segments: &[i64]) -> Result<Vec<(i64, StoredChunks)>> {
        self.rows(sql::CHUNKS_OF, params![list(segments)?], |row| {
            Ok((column(row, "segment")?, stored_chunks(row)?))
        })
    }

    async fn blocks_after(
        &mut self,
        _: &str,
        segment: i64,
        term: &str,
        count: usize,
    ) -> Result<Vec<Block>> {
        let values = params![segment, term, integer(count)];
        self.rows(sql::BLOCKS_AFTER, values, block)
    }

    async fn remove(&mut self, _: &str, segments: &[i64], dead: &[(u64, u64)]) -> Result<()> {
        let segments = list(segments)?;
        self.execute(sql::REMOVE_BLOCKS, params![segments])?;
        self.execute(sql::REMOVE_SEGMENTS, params![segments])?;
        // Chunks have numbers of their own here.
        let chunks: Vec<u64> = dead.iter().map(|dead| dead.1).collect();
        self.execute(sql::REMOVE_DEAD, params![list(chunks)?])
    }
}

/// Writes chunks that are asked for; their own numbers say enough.
fn asked(chunks: &[Chunk]) -> Result<String> {
    list(chunks.iter().map(|chunk| chunk.chunk).collect::<Vec<_>>())
}

fn chunk(row: &Row<'_>) -> Result<Chunk> {
    Ok(Chunk {
        collection: column(row, "collection")?,
        document: number(row, "document")? as u64,
        chunk: number(row, "chunk")? as u64,
    })
}

fn stored_chunks(row: &Row<'_>) -> Result<StoredChunks> {
    Ok(StoredChunks {
        numbers: column(row, "numbers")?,
        lengths: column(row, "lengths")?,
    })
}

fn block(row: &Row<'_>) -> Result<Block> {
    Ok(Block {
        last_term: column(row, "last_term")?,
        entries: column(row, "entries")?,
        positions: column(row, "positions")?,
    })
}

fn found(row: &Row<'_>) -> Result<FoundChunk> {
    let metadata: Metadata = json(row, "metadata")?;
    Ok(FoundChunk {
        document: HitDocument {
            id: DocumentId(uid(row, "document_uid")?),
            collection: column(row, "collection")?,
            uri: column(row, "uri")?,
            title: metadata.title,
            format: format(row)?,
        },
        section: SectionId(uid(row, "section_uid")?),
        heading_path: json(row, "heading_path")?,
        content: text(row, "content")?.to_owned(),
        first_line: number(row, "first_line")?,
        span: Span::new(number(row, "span_start")?, number(row, "span_end")?),
        pages: pages(row)?,
    })
}
