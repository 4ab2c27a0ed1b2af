//! Rows on their way into the database, collected so that one statement writes many.

use sectile_core::ContentHash;
use sectile_store::{IndexedSection, Result};
use serde::Serialize;
use sqlx::{Row as _, SqliteConnection};

use crate::error::{backend, corrupt};
use crate::sql;

/// How much text is collected before it is written, in bytes.
const FULL: usize = 4 << 20;

/// Rows to be deleted, moved and inserted, in the order of the columns of their statements.
#[derive(Default)]
pub(crate) struct Rows<'a> {
    last_section: i64,
    last_chunk: i64,
    bytes: usize,
    /// Sections to be deleted, before anything is inserted.
    pub(crate) deleted: Vec<i64>,
    moved: Vec<MovedSection>,
    sections: Vec<Section<'a>>,
    chunks: Vec<Chunk>,
    terms: Vec<(i64, &'a str, &'a str)>,
}

type MovedSection = (
    i64,
    usize,
    Option<usize>,
    u8,
    usize,
    usize,
    Option<u32>,
    Option<u32>,
);

type Chunk = (
    i64,
    i64,
    i64,
    usize,
    usize,
    usize,
    usize,
    Option<u32>,
    Option<u32>,
);

type Section<'a> = (
    i64,
    String,
    i64,
    usize,
    Option<usize>,
    u8,
    String,
    usize,
    usize,
    Option<u32>,
    Option<u32>,
    usize,
    String,
    &'a str,
);

impl<'a> Rows<'a> {
    /// Begins to collect rows that follow those in the database.
    pub(crate) async fn after_the_last(connection: &mut SqliteConnection) -> Result<Self> {
        let doing = "read its last rows";
        let row = sqlx::query(sql::LAST_ROWS)
            .fetch_one(connection)
            .await
            .map_err(backend(doing))?;
        Ok(Self {
            last_section: row.try_get(0).map_err(backend(doing))?,
            last_chunk: row.try_get(1).map_err(backend(doing))?,
            ..Self::default()
        })
    }

    /// Collects the new place of a section whose content did not change.
    pub(crate) fn move_section(&mut self, row: i64, position: usize, section: &IndexedSection) {
        let tree = &section.section;
        let first_page = section.pages.map(|pages| pages.first);
        let last_page = section.pages.map(|pages| pages.last);
        let (first, last) = (tree.lines.first, tree.lines.last);
        let place = (
            row,
            position,
            tree.parent,
            tree.level,
            first,
            last,
            first_page,
            last_page,
        );
        self.moved.push(place);
    }

    /// Collects a new section with its chunks.
    pub(crate) fn insert_section(
        &mut self,
        document: i64,
        position: usize,
        section: &'a IndexedSection,
        hash: ContentHash,
    ) -> Result<()> {
        self.last_section += 1;
        self.bytes += section.content.len();
        self.sections.push((
            self.last_section,
            section.section.id.0.simple().to_string(),
            document,
            position,
            section.section.parent,
            section.section.level,
            serde_json::to_string(&section.heading_path).map_err(corrupt)?,
            section.section.lines.first,
            section.section.lines.last,
            section.pages.map(|pages| pages.first),
            section.pages.map(|pages| pages.last),
            section.tokens,
            hash.to_string(),
            &section.content,
        ));
        self.insert_chunks(document, section);
        Ok(())
    }

    fn insert_chunks(&mut self, document: i64, section: &'a IndexedSection) {
        for (index, chunk) in section.chunks.iter().enumerate() {
            self.last_chunk += 1;
            self.chunks.push((
                self.last_chunk,
                self.last_section,
                document,
                index,
                chunk.span.start,
                chunk.span.end,
                chunk.tokens,
                chunk.pages.map(|pages| pages.first),
                chunk.pages.map(|pages| pages.last),
            ));
            self.terms
                .push((self.last_chunk, &section.path_terms, &chunk.terms));
        }
    }

    /// Says whether so much was collected that it should be written.
    pub(crate) const fn is_full(&self) -> bool {
        self.bytes >= FULL
    }

    /// Writes everything that was collected.
    pub(crate) async fn flush(&mut self, connection: &mut SqliteConnection) -> Result<()> {
        // What is deleted may stand in the way of what is inserted.
        write(connection, sql::DELETE_SECTIONS_INDEX, &self.deleted).await?;
        write(connection, sql::DELETE_SECTIONS, &self.deleted).await?;
        write(connection, sql::MOVE_SECTIONS, &self.moved).await?;
        write(connection, sql::INSERT_SECTIONS, &self.sections).await?;
        write(connection, sql::INSERT_CHUNKS, &self.chunks).await?;
        write(connection, sql::INSERT_CHUNKS_INDEX, &self.terms).await?;
        let Self {
            last_section,
            last_chunk,
            ..
        } = *self;
        *self = Self {
            last_section,
            last_chunk,
            ..Self::default()
        };
        Ok(())
    }
}

/// Runs a statement over rows given as JSON.
async fn write(
    connection: &mut SqliteConnection,
    statement: &'static str,
    rows: &[impl Serialize],
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let json = serde_json::to_string(rows).map_err(corrupt)?;
    let query = sqlx::query(statement).bind(json);
    query
        .execute(connection)
        .await
        .map_err(backend("write sections"))?;
    Ok(())
}
