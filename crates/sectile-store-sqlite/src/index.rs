//! The index in this database.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sectile_core::{DocumentId, EmbeddingModel, Metadata, SectionId, Span};
use sectile_sqlite::rusqlite::{Connection, Row, ToSql, params};
use sectile_store::index::{
    Chunk, ChunkPlace, CollectionSize, InScope, IndexReader, IndexWriter, PAGE, Posting,
    StoredPosting,
};
use sectile_store::{Error, FoundChunk, HitDocument, QueryVector, Result, Scope};
use serde::Serialize;

use crate::error::backend;
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
    async fn sizes(&mut self) -> Result<Vec<CollectionSize>> {
        self.rows(sql::SIZES, &[], |row| {
            Ok(CollectionSize {
                collection: column(row, "collection")?,
                chunks: number(row, "chunks")? as u64,
                terms: number(row, "terms")? as u64,
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

    async fn postings(
        &mut self,
        collections: &[String],
        terms: &[&str],
        with_positions: bool,
    ) -> Result<Vec<StoredPosting>> {
        let values = params![list(collections)?, list(terms)?, with_positions];
        self.rows(sql::POSTINGS, values, |row| {
            Ok(StoredPosting {
                collection: column(row, "collection")?,
                term: column(row, "term")?,
                posting: posting(row)?,
            })
        })
    }

    async fn dead(&mut self) -> Result<Vec<Chunk>> {
        self.rows(sql::DEAD, &[], chunk)
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

    async fn add_segment(&mut self, collection: &str, chunks: u64) -> Result<i64> {
        let values = params![collection, chunks.cast_signed()];
        self.execute(sql::ADD_SEGMENT, values)?;
        Ok(self.connection.last_insert_rowid())
    }

    async fn resize_segment(&mut self, _: &str, segment: i64, chunks: u64) -> Result<()> {
        let values = params![segment, chunks.cast_signed()];
        self.execute(sql::RESIZE_SEGMENT, values)
    }

    async fn add_postings(
        &mut self,
        collection: &str,
        segment: i64,
        postings: &[(String, Posting)],
    ) -> Result<()> {
        let add = || {
            // Of all statements this one runs the most often; its values come in their order.
            let mut add = self.connection.prepare_cached(sql::ADD_POSTING)?;
            for (term, posting) in postings {
                let chunks = posting.chunks.cast_signed();
                let (entry, positions) = (&posting.entry, &posting.positions);
                add.execute(params![collection, term, segment, chunks, entry, positions])?;
            }
            Ok(())
        };
        add().map_err(backend("write the index"))
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

    async fn postings_after(
        &mut self,
        collection: &str,
        term: &str,
        segments: &[i64],
    ) -> Result<Vec<(String, Posting)>> {
        let values = params![collection, term, list(segments)?, integer(PAGE)];
        self.rows(sql::POSTINGS_AFTER, values, |row| {
            Ok((column(row, "term")?, posting(row)?))
        })
    }

    async fn remove(
        &mut self,
        collection: &str,
        segments: &[i64],
        dead: &[(u64, u64)],
    ) -> Result<()> {
        let segments = list(segments)?;
        self.execute(sql::REMOVE_POSTINGS, params![collection, segments])?;
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

fn posting(row: &Row<'_>) -> Result<Posting> {
    Ok(Posting {
        chunks: number(row, "chunks")? as u64,
        entry: column(row, "entry")?,
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
