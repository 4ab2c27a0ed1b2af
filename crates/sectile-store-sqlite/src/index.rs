//! The index in this database.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sectile_core::{DocumentId, EmbeddingModel, SectionId};
use sectile_sqlite::now;
use sectile_sqlite::rusqlite::{Connection, ToSql, params};
use sectile_store::index::{
    self, Block, Chunk, ChunkPlace, InScope, IndexCache, IndexReader, IndexWriter, Part,
    StoredBlock, StoredPage, StoredSegment,
};
use sectile_store::{Error, FoundChunk, HitDocument, HitMetadata, QueryVector, Result, Scope};
use serde::Serialize;

use crate::columns::{
    chunk_text, column, format, integer, json, number, pages, table_head, text, uid,
};
use crate::read::uri_ranges;
use crate::row::{Row, all, execute};
use crate::sql;
use crate::vectors::{self, Cache};

/// What a store remembers of its index and of its vectors.
#[derive(Clone, Default)]
pub(crate) struct Caches {
    pub(crate) index: IndexCache,
    pub(crate) vectors: Cache,
}

/// A connection that reads, and what was read before.
pub(crate) struct Index<'c> {
    connection: &'c mut Connection,
    caches: Caches,
}

/// A connection that writes.
pub(crate) struct Writer<'c>(pub(crate) &'c mut Connection);

/// Rows of a segment have numbers that begin with that of the segment; this much is left for the place.
const SEGMENT: i64 = 1 << 32;

/// Returns the number of a row of a segment.
fn row_of(segment: i64, place: u64) -> Result<i64> {
    let place = i64::try_from(place).ok().filter(|place| *place < SEGMENT);
    let number = place.and_then(|place| segment.checked_mul(SEGMENT)?.checked_add(place));
    number.ok_or_else(|| Error::corrupt("a row of the index beyond its segment"))
}

/// Returns the place in its segment of a row of a number.
fn place_of(number: i64) -> u64 {
    number.rem_euclid(SEGMENT).cast_unsigned()
}

impl<'c> Index<'c> {
    pub(crate) fn new(connection: &'c mut Connection, caches: Caches) -> Self {
        Self { connection, caches }
    }

    fn rows<T>(
        &self,
        sql: &'static str,
        values: &[&dyn ToSql],
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        all(self.connection, "read the index", sql, values, read)
    }
}

impl Writer<'_> {
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

/// Reads what the index has for each chunk of a collection.
pub(crate) fn checksums(connection: &mut Connection, collection: &str) -> Result<index::Checksums> {
    let listed = all(
        connection,
        "list chunks",
        sql::INDEXED_CHUNKS,
        params![collection],
        |row| {
            let numbers = (
                number(row, "document")? as u64,
                number(row, "chunk")? as u64,
            );
            Ok((uid(row, "uid").ok().map(DocumentId), numbers))
        },
    )?;
    now(index::checksums(
        &mut Writer(connection),
        collection,
        listed,
    ))
}

/// Writes a list as a JSON array.
fn list(items: impl Serialize) -> Result<String> {
    serde_json::to_string(&items).map_err(Error::corrupt)
}

#[async_trait]
impl IndexReader for Index<'_> {
    fn cache(&self) -> &IndexCache {
        &self.caches.index
    }

    async fn segments(&mut self, collection: Option<&str>) -> Result<Vec<StoredSegment>> {
        self.rows(sql::SEGMENTS, params![collection], segment)
    }

    async fn documents_in(&mut self, scope: &Scope) -> Result<Vec<(String, u64)>> {
        let values = params![scope.collection_name(), uri_ranges(scope)?];
        let documents = self.rows(sql::DOCUMENTS, values, |row| {
            let metadata = scope.asks_of_documents().then(|| json(row, "metadata"));
            let metadata = metadata.transpose()?.unwrap_or_default();
            let created_at = scope.asks_of_documents().then(|| number(row, "created_at"));
            let created_at = created_at.transpose()?.map(|time| time as u64);
            let (uri, language) = (text(row, "uri")?, text(row, "language")?);
            let is_in = scope.has_document(uri, language, &metadata, created_at);
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
        self.caches
            .vectors
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

    async fn pages(&mut self, pages: &[(&str, i64, u64)]) -> Result<Vec<(usize, StoredPage)>> {
        self.rows(sql::PAGES, params![numbers(pages)?], |row| {
            Ok((number(row, "asked")?, page(row)?))
        })
    }

    async fn parts(
        &mut self,
        parts: &[(&str, i64, u64)],
        with_positions: bool,
    ) -> Result<Vec<(usize, Part)>> {
        let values = params![numbers(parts)?, with_positions];
        self.rows(sql::PARTS, values, |row| {
            Ok((number(row, "asked")?, part(row)?))
        })
    }

    async fn words(&mut self, segments: &[(String, i64)]) -> Result<Vec<(usize, Vec<u8>)>> {
        let numbers: Vec<i64> = segments.iter().map(|(_, segment)| *segment).collect();
        self.rows(sql::WORDS, params![list(numbers)?], |row| {
            Ok((number(row, "asked")?, column(row, "words")?))
        })
    }

    async fn dead(&mut self, collection: Option<&str>) -> Result<Vec<Chunk>> {
        self.rows(sql::DEAD, params![collection], chunk)
    }

    async fn places(&mut self, chunks: &[Chunk]) -> Result<Vec<(Chunk, ChunkPlace)>> {
        // There may be thousands: to find a column by its name takes as long as to read it.
        self.rows(sql::PLACES, params![asked(chunks)?], |row| {
            let chunk = chunks.get(number(row, 0)?);
            let chunk = chunk.ok_or_else(|| Error::corrupt("a chunk that was not asked for"))?;
            let place = ChunkPlace {
                uri: None,
                position: number(row, 1)?,
                index: number(row, 2)?,
            };
            Ok((chunk.clone(), place))
        })
    }

    async fn uris(&mut self, documents: &[(String, u64)]) -> Result<Vec<((String, u64), String)>> {
        let numbers = documents.iter().map(|(_, number)| number);
        let values = params![list(numbers.collect::<Vec<_>>())?];
        self.rows(sql::URIS, values, |row| {
            let document = (column(row, "collection")?, number(row, "document")? as u64);
            Ok((document, column(row, "uri")?))
        })
    }

    async fn chunks(&mut self, chunks: &[Chunk]) -> Result<Vec<FoundChunk>> {
        let mut hits = self.rows(sql::HITS, params![asked(chunks)?], |row| {
            Ok((number(row, "asked")?, found(row)?))
        })?;
        hits.sort_by_key(|(asked, _)| *asked);
        Ok(hits.into_iter().map(|(_, found)| found).collect())
    }
}

#[async_trait]
impl IndexWriter for Writer<'_> {
    async fn may_merge(&mut self, _: &str) -> Result<bool> {
        // Only one transaction writes.
        Ok(true)
    }

    async fn add_segment(
        &mut self,
        segment: &StoredSegment,
        pages: Vec<StoredPage>,
        words: Vec<u8>,
    ) -> Result<i64> {
        let (chunks, terms) = (segment.chunks.cast_signed(), segment.terms.cast_signed());
        let values = params![segment.collection, chunks, terms, segment.languages];
        self.execute(sql::ADD_SEGMENT, values)?;
        let number = self.0.last_insert_rowid();
        for StoredPage {
            page,
            numbers,
            lengths,
        } in pages
        {
            let values = params![row_of(number, page)?, numbers, lengths];
            self.execute(sql::ADD_PAGE, values)?;
        }
        self.execute(sql::ADD_WORDS, params![number, words])?;
        Ok(number)
    }

    async fn add_blocks(
        &mut self,
        _: &str,
        segment: i64,
        blocks: Vec<Block>,
        parts: Vec<Part>,
    ) -> Result<()> {
        for block in blocks {
            let values = params![segment, block.last_term, block.entries, block.positions];
            self.execute(sql::ADD_BLOCK, values)?;
        }
        for part in parts {
            let number = row_of(segment, part.part)?;
            let values = params![number, part.entries, part.positions];
            self.execute(sql::ADD_PART, values)?;
        }
        Ok(())
    }

    async fn segments_of(&mut self, collection: &str) -> Result<Vec<StoredSegment>> {
        self.rows(sql::SEGMENTS, params![collection], segment)
    }

    async fn dead_in(&mut self, collection: &str) -> Result<Vec<(u64, u64)>> {
        self.rows(sql::DEAD, params![collection], |row| {
            let dead = chunk(row)?;
            Ok((dead.document, dead.chunk))
        })
    }

    async fn pages_of(&mut self, _: &str, segment: i64) -> Result<Vec<StoredPage>> {
        let values = params![row_of(segment, 0)?, row_of(segment + 1, 0)?];
        self.rows(sql::PAGES_BETWEEN, values, page)
    }

    async fn words_of(&mut self, _: &str, segment: i64) -> Result<Vec<u8>> {
        let words = self.rows(sql::WORDS, params![list([segment])?], |row| {
            column(row, "words")
        })?;
        let words = words.into_iter().next();
        words.ok_or_else(|| Error::corrupt("a segment without words"))
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

    async fn parts_from(
        &mut self,
        _: &str,
        segment: i64,
        first: u64,
        count: u64,
    ) -> Result<Vec<Part>> {
        let end = first.saturating_add(count);
        let values = params![row_of(segment, first)?, row_of(segment, end)?];
        self.rows(sql::PARTS_BETWEEN, values, part)
    }

    async fn remove(&mut self, _: &str, segments: &[i64], dead: &[(u64, u64)]) -> Result<()> {
        for &segment in segments {
            let rows = params![row_of(segment, 0)?, row_of(segment + 1, 0)?];
            self.execute(sql::REMOVE_PAGES, rows)?;
            self.execute(sql::REMOVE_PARTS, rows)?;
            for statement in sql::REMOVE_SEGMENT {
                self.execute(statement, params![segment])?;
            }
        }
        // Chunks have numbers of their own here.
        let chunks: Vec<u64> = dead.iter().map(|dead| dead.1).collect();
        self.execute(sql::REMOVE_DEAD, params![list(chunks)?])
    }
}

/// Writes the numbers of rows that are asked for.
fn numbers(rows: &[(&str, i64, u64)]) -> Result<String> {
    let numbers = rows
        .iter()
        .map(|&(_, segment, place)| row_of(segment, place));
    list(numbers.collect::<Result<Vec<_>>>()?)
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

fn segment(row: &Row<'_>) -> Result<StoredSegment> {
    Ok(StoredSegment {
        collection: column(row, "collection")?,
        segment: column(row, "segment")?,
        chunks: number(row, "chunks")? as u64,
        terms: number(row, "terms")? as u64,
        languages: column(row, "languages")?,
    })
}

fn page(row: &Row<'_>) -> Result<StoredPage> {
    Ok(StoredPage {
        page: place_of(column(row, "page")?),
        numbers: column(row, "numbers")?,
        lengths: column(row, "lengths")?,
    })
}

fn part(row: &Row<'_>) -> Result<Part> {
    Ok(Part {
        part: place_of(column(row, "part")?),
        entries: column(row, "entries")?,
        positions: column(row, "positions")?,
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
    let metadata: HitMetadata = json(row, "metadata")?;
    let (text, newlines) = chunk_text(row)?;
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
        table_head: table_head(row)?,
        text,
        first_line: number(row, "first_line")? + newlines,
        pages: pages(row)?,
        // A newer program may know others.
        language: column::<String>(row, "language")?
            .parse()
            .unwrap_or_default(),
        section_count: number(row, "section_count")?,
    })
}
