//! The index in this database.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sectile_core::{DocumentId, EmbeddingModel, Metadata, SectionId, Span};
use sectile_migrations::Tables;
use sectile_store::index::{
    Block, Chunk, ChunkPlace, InScope, IndexReader, IndexWriter, StoredBlock, StoredChunks,
    StoredSegment,
};
use sectile_store::{Error, FoundChunk, HitDocument, QueryVector, Result, Scope};
use sqlx::PgConnection;
use sqlx::postgres::{PgArguments, PgRow, Postgres};
use sqlx::query::Query;

use crate::error::backend;
use crate::read::{column, format, integer, json, level, number, pages, query, uri_ranges};
use crate::sql;
use crate::vectors::{self, nearest};

/// A connection with the names of its tables.
pub(crate) struct Index<'c> {
    pub(crate) connection: &'c mut PgConnection,
    pub(crate) tables: &'c Tables,
}

impl Index<'_> {
    async fn rows(
        &mut self,
        doing: &'static str,
        query: Query<'_, Postgres, PgArguments>,
    ) -> Result<Vec<PgRow>> {
        let rows = query.fetch_all(&mut *self.connection).await;
        rows.map_err(backend(doing))
    }

    async fn execute(
        &mut self,
        doing: &'static str,
        query: Query<'_, Postgres, PgArguments>,
    ) -> Result<()> {
        let done = query.execute(&mut *self.connection).await;
        done.map(drop).map_err(backend(doing))
    }
}

#[async_trait]
impl IndexReader for Index<'_> {
    async fn segments(&mut self, collection: Option<&str>) -> Result<Vec<StoredSegment>> {
        let segments = query(self.tables, sql::SEGMENTS_IN).bind(collection);
        let rows = self.rows("read the index", segments).await?;
        let segment = |row| {
            Ok(StoredSegment {
                collection: column(row, "collection")?,
                segment: column(row, "segment")?,
                chunks: stored_chunks(row)?,
            })
        };
        rows.iter().map(segment).collect()
    }

    async fn documents_in(&mut self, scope: &Scope) -> Result<Vec<(String, u64)>> {
        let (first, last) = uri_ranges(scope).unzip();
        let numbers = query(self.tables, sql::NUMBERS)
            .bind(scope.collection_name())
            .bind(first)
            .bind(last);
        let rows = self.rows("read the scope", numbers).await?;
        let mut documents = Vec::new();
        for row in &rows {
            let metadata = scope.asks_of_documents().then(|| json(row, "metadata"));
            let metadata = metadata.transpose()?.unwrap_or_default();
            if scope.has_document(column(row, "uri")?, &metadata) {
                documents.push((column(row, "collection")?, number(row, "document")? as u64));
            }
        }
        Ok(documents)
    }

    async fn chunks_in(&mut self, scope: &Scope) -> Result<Vec<Chunk>> {
        let documents = self.documents_in(scope).await?;
        let collections: Vec<&str> = documents.iter().map(|document| &*document.0).collect();
        let numbers = documents.iter().map(|document| document.1.cast_signed());
        let chunks = query(self.tables, sql::CHUNKS_IN)
            .bind(collections)
            .bind(numbers.collect::<Vec<_>>());
        let rows = self.rows("read the scope", chunks).await?;
        let mut chunks = Vec::new();
        for row in &rows {
            let heading_path: Vec<String> = json(row, "heading_path")?;
            if scope.has_section(level(row)?, &heading_path) {
                chunks.push(chunk(row)?);
            }
        }
        Ok(chunks)
    }

    async fn models(&mut self) -> Result<BTreeMap<String, EmbeddingModel>> {
        vectors::models(self.connection, self.tables).await
    }

    async fn nearest(
        &mut self,
        question: &QueryVector,
        in_scope: &InScope,
        count: usize,
    ) -> Result<Vec<(Chunk, f32)>> {
        nearest::nearest(self.connection, self.tables, question, in_scope, count).await
    }

    async fn blocks(
        &mut self,
        segments: &[(String, i64)],
        terms: &[&str],
        with_positions: bool,
    ) -> Result<Vec<StoredBlock>> {
        let (collections, numbers): (Vec<&str>, Vec<i64>) = segments
            .iter()
            .map(|(collection, segment)| (collection.as_str(), *segment))
            .unzip();
        let blocks = query(self.tables, sql::BLOCKS)
            .bind(collections)
            .bind(numbers)
            .bind(terms)
            .bind(with_positions);
        let rows = self.rows("read the index", blocks).await?;
        let found = |row| {
            Ok(StoredBlock {
                segment: place(row, "asked")?,
                term: place(row, "wanted")?,
                block: block(row)?,
            })
        };
        rows.iter().map(found).collect()
    }

    async fn dead(&mut self, collection: Option<&str>) -> Result<Vec<Chunk>> {
        let dead = query(self.tables, sql::DEAD).bind(collection);
        let rows = self.rows("read the index", dead).await?;
        rows.iter().map(chunk).collect()
    }

    async fn places(&mut self, chunks: &[Chunk]) -> Result<Vec<(Chunk, ChunkPlace)>> {
        let places = asked(query(self.tables, sql::PLACES), chunks);
        let rows = self.rows("look up what was found", places).await?;
        let place = |row| {
            let place = ChunkPlace {
                uri: column(row, "uri")?,
                position: number(row, "position")?,
                index: number(row, "chunk_index")?,
            };
            Ok((chunk(row)?, place))
        };
        rows.iter().map(place).collect()
    }

    async fn chunks(&mut self, chunks: &[Chunk]) -> Result<Vec<FoundChunk>> {
        let hits = asked(query(self.tables, sql::HITS), chunks);
        let rows = self.rows("read what was found", hits).await?;
        rows.iter().map(found).collect()
    }
}

#[async_trait]
impl IndexWriter for Index<'_> {
    async fn may_merge(&mut self, collection: &str) -> Result<bool> {
        let lock = query(self.tables, sql::LOCK_SEGMENTS).bind(collection);
        let rows = self.rows("lock the index", lock).await?;
        rows.first()
            .map_or(Ok(false), |row| column(row, "is_locked"))
    }

    async fn add_segment(
        &mut self,
        collection: &str,
        count: u64,
        chunks: &StoredChunks,
    ) -> Result<i64> {
        let add = query(self.tables, sql::ADD_SEGMENT)
            .bind(collection)
            .bind(count.cast_signed())
            .bind(&chunks.numbers)
            .bind(&chunks.lengths);
        let row = add.fetch_one(&mut *self.connection).await;
        column(&row.map_err(backend("add to the index"))?, "segment")
    }

    async fn add_blocks(
        &mut self,
        collection: &str,
        segment: i64,
        blocks: Vec<Block>,
    ) -> Result<()> {
        let terms: Vec<&str> = blocks
            .iter()
            .map(|block| block.last_term.as_str())
            .collect();
        let entries: Vec<&[u8]> = blocks.iter().map(|block| &*block.entries).collect();
        let positions: Vec<&[u8]> = blocks.iter().map(|block| &*block.positions).collect();
        let add = query(self.tables, sql::ADD_BLOCKS)
            .bind(collection)
            .bind(segment)
            .bind(terms)
            .bind(entries)
            .bind(positions);
        self.execute("add to the index", add).await
    }

    async fn segments(&mut self, collection: &str) -> Result<Vec<(i64, u64)>> {
        let segments = query(self.tables, sql::SEGMENTS).bind(collection);
        let rows = self.rows("read the index", segments).await?;
        let segment = |row| Ok((column(row, "segment")?, number(row, "chunks")? as u64));
        rows.iter().map(segment).collect()
    }

    async fn dead_in(&mut self, collection: &str) -> Result<Vec<(u64, u64)>> {
        let dead = query(self.tables, sql::DEAD_IN).bind(collection);
        let rows = self.rows("read the index", dead).await?;
        let key = |row| {
            let document = number(row, "document")? as u64;
            Ok((document, number(row, "chunk")? as u64))
        };
        rows.iter().map(key).collect()
    }

    async fn chunks_of(
        &mut self,
        collection: &str,
        segments: &[i64],
    ) -> Result<Vec<(i64, StoredChunks)>> {
        let chunks = query(self.tables, sql::CHUNKS_OF)
            .bind(collection)
            .bind(segments);
        let rows = self.rows("read the index", chunks).await?;
        let segment = |row| Ok((column(row, "segment")?, stored_chunks(row)?));
        rows.iter().map(segment).collect()
    }

    async fn blocks_after(
        &mut self,
        collection: &str,
        segment: i64,
        term: &str,
        count: usize,
    ) -> Result<Vec<Block>> {
        let after = query(self.tables, sql::BLOCKS_AFTER)
            .bind(collection)
            .bind(segment)
            .bind(term)
            .bind(integer(count));
        let rows = self.rows("read the index", after).await?;
        rows.iter().map(block).collect()
    }

    async fn remove(
        &mut self,
        collection: &str,
        segments: &[i64],
        dead: &[(u64, u64)],
    ) -> Result<()> {
        for statement in [sql::REMOVE_BLOCKS, sql::REMOVE_SEGMENTS] {
            let remove = query(self.tables, statement)
                .bind(collection)
                .bind(segments);
            self.execute("clear the index", remove).await?;
        }
        let documents: Vec<i64> = dead.iter().map(|dead| dead.0.cast_signed()).collect();
        let chunks: Vec<i64> = dead.iter().map(|dead| dead.1.cast_signed()).collect();
        let remove = query(self.tables, sql::REMOVE_DEAD)
            .bind(collection)
            .bind(documents)
            .bind(chunks);
        self.execute("clear the index", remove).await
    }
}

/// Binds chunks that are asked for.
fn asked<'q>(
    query: Query<'q, Postgres, PgArguments>,
    chunks: &[Chunk],
) -> Query<'q, Postgres, PgArguments> {
    let collections: Vec<String> = chunks
        .iter()
        .map(|chunk| chunk.collection.clone())
        .collect();
    let documents: Vec<i64> = chunks
        .iter()
        .map(|chunk| chunk.document.cast_signed())
        .collect();
    let numbers: Vec<i64> = chunks
        .iter()
        .map(|chunk| chunk.chunk.cast_signed())
        .collect();
    query.bind(collections).bind(documents).bind(numbers)
}

pub(crate) fn chunk(row: &PgRow) -> Result<Chunk> {
    Ok(Chunk {
        collection: column(row, "collection")?,
        document: number(row, "document")? as u64,
        chunk: number(row, "chunk")? as u64,
    })
}

/// Reads a place in a list, which Postgres counts from 1.
fn place(row: &PgRow, name: &str) -> Result<usize> {
    let place = number(row, name)?.checked_sub(1);
    place.ok_or_else(|| Error::corrupt(format!("0 in the column `{name}`")))
}

fn stored_chunks(row: &PgRow) -> Result<StoredChunks> {
    Ok(StoredChunks {
        numbers: column(row, "numbers")?,
        lengths: column(row, "lengths")?,
    })
}

fn block(row: &PgRow) -> Result<Block> {
    Ok(Block {
        last_term: column(row, "last_term")?,
        entries: column(row, "entries")?,
        positions: column(row, "positions")?,
    })
}

fn found(row: &PgRow) -> Result<FoundChunk> {
    let metadata: Metadata = json(row, "metadata")?;
    Ok(FoundChunk {
        document: HitDocument {
            id: DocumentId(column(row, "document_uid")?),
            collection: column(row, "collection")?,
            uri: column(row, "uri")?,
            title: metadata.title,
            format: format(row)?,
        },
        section: SectionId(column(row, "section_uid")?),
        heading_path: json(row, "heading_path")?,
        content: column(row, "content")?,
        first_line: number(row, "first_line")?,
        span: Span::new(number(row, "span_start")?, number(row, "span_end")?),
        pages: pages(row)?,
    })
}
