//! The index in this database.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sectile_core::{DocumentId, EmbeddingModel, SectionId};
use sectile_migrations::Tables;
use sectile_store::index::{
    self, Block, Chunk, ChunkPlace, InScope, IndexCache, IndexReader, IndexWriter, Part,
    StoredBlock, StoredPage, StoredSegment,
};
use sectile_store::{Error, FoundChunk, HitDocument, HitMetadata, QueryVector, Result, Scope};
use sqlx::PgConnection;
use sqlx::postgres::{PgArguments, PgRow, Postgres};
use sqlx::query::Query;

use crate::columns::{
    chunk, chunk_text, column, format, integer, json, level, number, pages, table_head,
};
use crate::error::backend;
use crate::read::uri_ranges;
use crate::sql::{index as sql, query};
use crate::vectors::{self, nearest};

/// A connection with the names of its tables.
pub(crate) struct Index<'c> {
    pub(crate) connection: &'c mut PgConnection,
    pub(crate) tables: &'c Tables,
    /// What the store remembers of the index.
    pub(crate) cache: &'c IndexCache,
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

/// Reads what the index has for each chunk of a collection.
pub(crate) async fn checksums(index: &mut Index<'_>, collection: &str) -> Result<index::Checksums> {
    let listed = query(index.tables, sql::INDEXED_CHUNKS).bind(collection);
    let rows = listed.fetch_all(&mut *index.connection).await;
    let rows = rows.map_err(backend("list chunks"))?;
    let numbers = |row| {
        let numbers = (
            number(row, "document")? as u64,
            number(row, "chunk")? as u64,
        );
        Ok((Some(DocumentId(column(row, "uid")?)), numbers))
    };
    let listed = rows.iter().map(numbers).collect::<Result<Vec<_>>>()?;
    index::checksums(index, collection, listed).await
}

#[async_trait]
impl IndexReader for Index<'_> {
    fn cache(&self) -> &IndexCache {
        self.cache
    }

    async fn segments(&mut self, collection: Option<&str>) -> Result<Vec<StoredSegment>> {
        let segments = query(self.tables, sql::SEGMENTS).bind(collection);
        let rows = self.rows("read the index", segments).await?;
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
            let created_at = Some(number(row, "created_at")? as u64);
            let (uri, language) = (column(row, "uri")?, column(row, "language")?);
            if scope.has_document(uri, language, &metadata, created_at) {
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

    async fn pages(&mut self, pages: &[(&str, i64, u64)]) -> Result<Vec<(usize, StoredPage)>> {
        let pages = rows_asked(query(self.tables, sql::PAGES), pages);
        let rows = self.rows("read the index", pages).await?;
        let found = |row| Ok((place(row, "asked")?, page(row)?));
        rows.iter().map(found).collect()
    }

    async fn parts(
        &mut self,
        parts: &[(&str, i64, u64)],
        with_positions: bool,
    ) -> Result<Vec<(usize, Part)>> {
        let parts = rows_asked(query(self.tables, sql::PARTS), parts).bind(with_positions);
        let rows = self.rows("read the index", parts).await?;
        let found = |row| Ok((place(row, "asked")?, part(row)?));
        rows.iter().map(found).collect()
    }

    async fn words(&mut self, segments: &[(String, i64)]) -> Result<Vec<(usize, Vec<u8>)>> {
        let (collections, numbers): (Vec<String>, Vec<i64>) = segments.iter().cloned().unzip();
        let words = query(self.tables, sql::WORDS)
            .bind(collections)
            .bind(numbers);
        let rows = self.rows("read the index", words).await?;
        let found = |row| Ok((place(row, "asked")?, column(row, "words")?));
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
                uri: Some(column(row, "uri")?),
                position: number(row, "position")?,
                index: number(row, "chunk_index")?,
            };
            Ok((chunk(row)?, place))
        };
        rows.iter().map(place).collect()
    }

    async fn uris(&mut self, documents: &[(String, u64)]) -> Result<Vec<((String, u64), String)>> {
        let documents = documents.iter().cloned();
        let (collections, numbers): (Vec<String>, Vec<i64>) = documents
            .map(|(collection, number)| (collection, number.cast_signed()))
            .unzip();
        let uris = query(self.tables, sql::URIS)
            .bind(collections)
            .bind(numbers);
        let rows = self.rows("look up what was found", uris).await?;
        let uri = |row| {
            let document = (column(row, "collection")?, number(row, "document")? as u64);
            Ok((document, column(row, "uri")?))
        };
        rows.iter().map(uri).collect()
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
        segment: &StoredSegment,
        pages: Vec<StoredPage>,
        words: Vec<u8>,
    ) -> Result<i64> {
        let add = query(self.tables, sql::ADD_SEGMENT)
            .bind(&segment.collection)
            .bind(segment.chunks.cast_signed())
            .bind(segment.terms.cast_signed())
            .bind(&segment.languages);
        let row = add.fetch_one(&mut *self.connection).await;
        let number: i64 = column(&row.map_err(backend("add to the index"))?, "segment")?;
        let places: Vec<i64> = pages.iter().map(|page| page.page.cast_signed()).collect();
        let numbers: Vec<&[u8]> = pages.iter().map(|page| &*page.numbers).collect();
        let lengths: Vec<&[u8]> = pages.iter().map(|page| &*page.lengths).collect();
        let add = query(self.tables, sql::ADD_PAGES)
            .bind(&segment.collection)
            .bind(number)
            .bind(places)
            .bind(numbers)
            .bind(lengths);
        self.execute("add to the index", add).await?;
        let add = query(self.tables, sql::ADD_WORDS)
            .bind(&segment.collection)
            .bind(number)
            .bind(words);
        self.execute("add to the index", add).await?;
        Ok(number)
    }

    async fn add_blocks(
        &mut self,
        collection: &str,
        segment: i64,
        blocks: Vec<Block>,
        parts: Vec<Part>,
    ) -> Result<()> {
        let terms = blocks.iter().map(|block| block.last_term.as_str());
        let entries = blocks.iter().map(|block| &*block.entries);
        let positions = blocks.iter().map(|block| &*block.positions);
        let add = query(self.tables, sql::ADD_BLOCKS)
            .bind(collection)
            .bind(segment)
            .bind(terms.collect::<Vec<_>>())
            .bind(entries.collect::<Vec<_>>())
            .bind(positions.collect::<Vec<_>>());
        self.execute("add to the index", add).await?;
        if parts.is_empty() {
            return Ok(());
        }
        let numbers = parts.iter().map(|part| part.part.cast_signed());
        let entries = parts.iter().map(|part| &*part.entries);
        let positions = parts.iter().map(|part| &*part.positions);
        let add = query(self.tables, sql::ADD_PARTS)
            .bind(collection)
            .bind(segment)
            .bind(numbers.collect::<Vec<_>>())
            .bind(entries.collect::<Vec<_>>())
            .bind(positions.collect::<Vec<_>>());
        self.execute("add to the index", add).await
    }

    async fn segments_of(&mut self, collection: &str) -> Result<Vec<StoredSegment>> {
        IndexReader::segments(self, Some(collection)).await
    }

    async fn dead_in(&mut self, collection: &str) -> Result<Vec<(u64, u64)>> {
        let dead = IndexReader::dead(self, Some(collection)).await?;
        Ok(dead
            .iter()
            .map(|dead| (dead.document, dead.chunk))
            .collect())
    }

    async fn pages_of(&mut self, collection: &str, segment: i64) -> Result<Vec<StoredPage>> {
        let pages = query(self.tables, sql::PAGES_OF)
            .bind(collection)
            .bind(segment);
        let rows = self.rows("read the index", pages).await?;
        rows.iter().map(page).collect()
    }

    async fn words_of(&mut self, collection: &str, segment: i64) -> Result<Vec<u8>> {
        let words = IndexReader::words(self, &[(collection.to_owned(), segment)]).await?;
        let words = words.into_iter().next().map(|(_, words)| words);
        words.ok_or_else(|| Error::corrupt("a segment without words"))
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

    async fn parts_from(
        &mut self,
        collection: &str,
        segment: i64,
        first: u64,
        count: u64,
    ) -> Result<Vec<Part>> {
        let parts = query(self.tables, sql::PARTS_OF)
            .bind(collection)
            .bind(segment)
            .bind(first.cast_signed())
            .bind(first.saturating_add(count).cast_signed());
        let rows = self.rows("read the index", parts).await?;
        rows.iter().map(part).collect()
    }

    async fn remove(
        &mut self,
        collection: &str,
        segments: &[i64],
        dead: &[(u64, u64)],
    ) -> Result<()> {
        for statement in sql::REMOVE_SEGMENTS {
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

/// Binds rows of segments that are asked for.
fn rows_asked<'q>(
    query: Query<'q, Postgres, PgArguments>,
    rows: &[(&str, i64, u64)],
) -> Query<'q, Postgres, PgArguments> {
    let collections = rows.iter().map(|row| row.0.to_owned());
    let segments = rows.iter().map(|row| row.1);
    let numbers = rows.iter().map(|row| row.2.cast_signed());
    query
        .bind(collections.collect::<Vec<_>>())
        .bind(segments.collect::<Vec<_>>())
        .bind(numbers.collect::<Vec<_>>())
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

/// Reads a place in a list, which Postgres counts from 1.
fn place(row: &PgRow, name: &str) -> Result<usize> {
    let place = number(row, name)?.checked_sub(1);
    place.ok_or_else(|| Error::corrupt(format!("0 in the column `{name}`")))
}

fn segment(row: &PgRow) -> Result<StoredSegment> {
    Ok(StoredSegment {
        collection: column(row, "collection")?,
        segment: column(row, "segment")?,
        chunks: number(row, "chunks")? as u64,
        terms: number(row, "terms")? as u64,
        languages: column(row, "languages")?,
    })
}

fn page(row: &PgRow) -> Result<StoredPage> {
    Ok(StoredPage {
        page: number(row, "page")? as u64,
        numbers: column(row, "numbers")?,
        lengths: column(row, "lengths")?,
    })
}

fn part(row: &PgRow) -> Result<Part> {
    Ok(Part {
        part: number(row, "part")? as u64,
        entries: column(row, "entries")?,
        positions: column(row, "positions")?,
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
    let metadata: HitMetadata = json(row, "metadata")?;
    let (text, newlines) = chunk_text(row)?;
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
        table_head: table_head(row)?,
        text: text.to_owned(),
        first_line: number(row, "first_line")? + newlines,
        pages: pages(row)?,
        // A newer program may know others.
        language: column::<String>(row, "language")?
            .parse()
            .unwrap_or_default(),
        section_count: number(row, "section_count")?,
    })
}
