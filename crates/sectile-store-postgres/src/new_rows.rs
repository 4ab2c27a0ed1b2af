//! The new sections and chunks of documents, on their way to their tables.

use std::collections::{HashMap, HashSet};

use sectile_core::Pages;
use sectile_migrations::Tables;
use sectile_store::{Error, IndexedChunk, IndexedDocument, IndexedSection, Result};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::columns::integer;
use crate::copy::Rows;
use crate::document::Key;
use crate::sql;

/// A chunk with its place.
pub(crate) struct Placed<'a> {
    pub(crate) number: i64,
    pub(crate) section: &'a IndexedSection,
    pub(crate) index: usize,
    pub(crate) is_new: bool,
}

impl Placed<'_> {
    /// Returns the chunk.
    pub(crate) fn chunk(&self) -> &IndexedChunk {
        &self.section.chunks[self.index]
    }
}

/// Returns all chunks of a document: those of sections that did not change with their numbers, the
/// others with new ones.
pub(crate) fn number_chunks<'d>(
    document: &'d IndexedDocument,
    numbers: &HashMap<(Uuid, i64), i64>,
    gone: &HashSet<Uuid>,
    mut next: i64,
) -> Vec<Placed<'d>> {
    let mut placed = Vec::with_capacity(document.chunk_count());
    for section in &document.sections {
        let uid = section.section.id.0;
        let is_gone = gone.contains(&uid);
        for index in 0..section.chunks.len() {
            let old = numbers.get(&(uid, integer(index))).filter(|_| !is_gone);
            placed.push(Placed {
                number: old.copied().unwrap_or(next),
                section,
                index,
                is_new: old.is_none(),
            });
            next += i64::from(old.is_none());
        }
    }
    placed
}

/// Rows that wait to be written, those of many documents in one statement for each table.
#[derive(Default)]
pub(crate) struct NewRows {
    sections: Rows,
    chunks: Rows,
}

impl NewRows {
    /// Adds the new sections of a document, with their positions.
    pub(crate) fn add_sections(
        &mut self,
        key: Key<'_>,
        document: &IndexedDocument,
        new: &[(usize, &IndexedSection)],
    ) -> Result<()> {
        for &(position, section) in new {
            let tree = &section.section;
            let path = serde_json::to_string(&section.heading_path).map_err(Error::corrupt)?;
            let hash = document.index_hash(section);
            let (first_page, last_page) = ends(section.pages);
            self.sections.push(&[
                &key.collection,
                &key.document,
                &tree.id.0,
                &integer(position),
                &tree.parent.map(integer),
                &i16::from(tree.level),
                &integer(tree.lines.first),
                &integer(tree.lines.last),
                &first_page,
                &last_page,
                &path.as_str(),
                &integer(section.tokens),
                &hash.as_bytes().as_slice(),
                &section.content.as_str(),
            ]);
        }
        Ok(())
    }

    /// Adds those of a document's chunks that are new.
    pub(crate) fn add_chunks(&mut self, key: Key<'_>, chunks: &[Placed<'_>]) {
        for placed in chunks.iter().filter(|placed| placed.is_new) {
            let chunk = placed.chunk();
            let hash = chunk.text_hash_prefix();
            let (first_page, last_page) = ends(chunk.pages);
            self.chunks.push(&[
                &key.collection,
                &key.document,
                &placed.number,
                &placed.section.section.id.0,
                &integer(placed.index),
                &integer(chunk.span.start),
                &integer(chunk.span.end),
                &integer(chunk.tokens),
                &first_page,
                &last_page,
                &hash.as_slice(),
                &chunk.table_head.map(|head| integer(head.start)),
                &chunk.table_head.map(|head| integer(head.end)),
            ]);
        }
    }

    /// Returns whether there are so many that they should be written.
    pub(crate) fn is_full(&self) -> bool {
        self.sections.is_full() || self.chunks.is_full()
    }

    /// Writes the rows, and forgets them.
    pub(crate) async fn write(
        &mut self,
        connection: &mut PgConnection,
        tables: &Tables,
    ) -> Result<()> {
        let sections = &mut self.sections;
        sections
            .write(connection, tables, "write sections", sql::COPY_SECTIONS)
            .await?;
        let chunks = &mut self.chunks;
        chunks
            .write(connection, tables, "write chunks", sql::COPY_CHUNKS)
            .await
    }
}

/// Returns the first and the last of pages as the database holds them.
pub(crate) fn ends(pages: Option<Pages>) -> (Option<i64>, Option<i64>) {
    let pages = pages.map(|pages| (i64::from(pages.first), i64::from(pages.last)));
    pages.unzip()
}
