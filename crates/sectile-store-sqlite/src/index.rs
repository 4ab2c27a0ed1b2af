//! The index in this database.

use async_trait::async_trait;
use sectile_core::{DocumentId, Metadata, SectionId, Span};
use sectile_sqlite::rusqlite::{Connection, Row, ToSql, params};
use sectile_store::index::{
    Chunk, ChunkPlace, CollectionSize, IndexReader, IndexWriter, PAGE, Posting, StoredPosting,
};
use sectile_store::{Error, FoundChunk, HitDocument, Result, Scope};
use serde::Serialize;

use crate::error::backend;
use crate::read::{all, column, format, integer, json, number, pages, text, uid, uri_ranges};
use crate::sql;
use crate::write::execute;

/// A connection.
pub(crate) struct Index<'c>(pub(crate) &'c mut Connection);

impl Index<'_> {
    fn rows<T>(
        &self,
        sql: &'static str,
        values: &[&dyn ToSql],
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        all(self.0, "read the index", sql, values, read)
    }

    fn execute(&self, sql: &'static str, values: &[&dyn ToSql]) -> Result<()> {
        execute(self.0, "write the index", sql, values).map(drop)
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
        self.rows(sql::DOCUMENTS, values, |row| {
            Ok((column(row, "collection")?, number(row, "id")? as u64))
        })
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
        Ok(self.0.last_insert_rowid())
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
            let mut add = self.0.prepare_cached(sql::ADD_POSTING)?;
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
