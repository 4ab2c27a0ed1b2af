//! Checks that what a store has of a document fits together: its stored metadata, text, sections, chunks, index and vectors.

mod repair;

use std::collections::BTreeSet;
use std::fmt;

use sectile_store::index::{self, Checksums};
use sectile_store::{
    ChunkRecord, DocumentRecord, Error as StoreError, FoundDocument, IndexedDocument,
    IndexedSection, SectionRecord, VectorCheck,
};
use tracing::{Instrument as _, debug_span};

pub use repair::{Repairs, is_being_repaired};

use crate::ingest::reindex::{self, Renewed};
use crate::{Error, Library, Result, error_chain};

/// A fault that `verify` finds in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The text or its stored metadata was changed. The document must be ingested again.
    Text(String),
    /// The text is intact, but a search does not find all of it, or its stored metadata differs
    /// from that computed from the text. The document can be indexed again.
    Index(String),
    /// The index of the collection cannot be read. All its documents can be indexed again.
    Collection(String),
    /// The vectors were changed. Once they are removed, the document waits for new ones.
    Vectors(String),
    /// The URI cannot be read. The document can be written under it with the damaged bytes replaced.
    Uri(String),
    /// The id or the collection of the document cannot be read. The document cannot be repaired.
    Identity(String),
    /// The database cannot read a part of its file that the document is on. The document cannot be
    /// repaired.
    Unreadable(String),
    /// The database cannot read a part of its file that the index of the collection is on. It cannot
    /// be repaired either.
    UnreadableIndex(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.says())
    }
}

impl Fault {
    fn says(&self) -> &str {
        match self {
            Self::Text(says)
            | Self::Index(says)
            | Self::Collection(says)
            | Self::Vectors(says)
            | Self::Uri(says)
            | Self::Identity(says)
            | Self::Unreadable(says)
            | Self::UnreadableIndex(says) => says,
        }
    }

    /// Returns whether the store cannot look the document up, to compare or repair it once more.
    const fn is_final(&self) -> bool {
        matches!(self, Self::Identity(_) | Self::Unreadable(_))
    }

    /// Returns whether the database cannot read a part of its file.
    pub const fn is_of_file(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::UnreadableIndex(_))
    }

    /// Returns the fault of a document that the database cannot read.
    fn unreadable(source: &(dyn std::error::Error + 'static)) -> Self {
        Self::Unreadable(format!(
            "the part of the file that holds it is damaged: {}",
            error_chain(source)
        ))
    }

    /// Says what cannot be read of a document's row.
    fn of_row(found: &FoundDocument) -> Option<Self> {
        let says = match found.faults.first()? {
            StoreError::Damaged { source } => return Some(Self::unreadable(&**source)),
            error => error.to_string(),
        };
        let has = |column| found.faults.has(column);
        Some(if has("uid") || has("collection") {
            Self::Identity(says)
        } else if has("uri") {
            Self::Uri(says)
        } else {
            Self::Text(says)
        })
    }
}

/// A document with a fault.
#[derive(Clone, Debug)]
pub struct Misfit {
    /// The document.
    pub document: DocumentRecord,
    /// The fault.
    pub fault: Fault,
}

impl Library {
    /// Compares the stored data of each document, and returns the documents with faults. The stored
    /// metadata of a document and its sections is compared with the checksum that was written with
    /// it, and with a new computation from the text. The text is compared with the hashes of its
    /// sections. The places of chunks, and of the heads of their tables, are compared with those in the
    /// text. The index must have each term of each chunk, at its position, and nothing else; it
    /// is read as a whole, with the words for spellings. Vectors are counted, and must have the
    /// dimensions of their model and length 1.
    ///
    /// This reads everything once. `on_document` gets the number of finished documents and the
    /// total. A document that changes in the meantime is compared again after the others.
    /// Documents that another release indexed are read and only compared with their checksum,
    /// because the next ingest indexes them again. If the database cannot read a part of its file, the
    /// documents on it are returned; the others of their collection are not compared with its index if
    /// that cannot be read either. Documents of earlier releases, and documents
    /// whose newest version could not be read, have no checksum. The hashes of documents with pages
    /// are not compared, because the positions of pages are not stored to the byte. Summaries,
    /// times and the states of documents are not compared either.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the store cannot be reached.
    pub async fn verify(&self, on_document: &(dyn Fn(usize, usize) + Sync)) -> Result<Vec<Misfit>> {
        let documents = self.store().found_documents().await?;
        self.misfits_of(documents, on_document).await
    }

    /// Compares documents. Documents that change in the meantime are compared again after the others, with the index as
    /// it is then, because the index is read as a whole.
    async fn misfits_of(
        &self,
        documents: Vec<FoundDocument>,
        on_document: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Vec<Misfit>> {
        let count = documents.len();
        let (mut misfits, mut done, mut left) = (Vec::new(), 0, documents);
        while !left.is_empty() {
            let (mut changed, mut index) = (Vec::new(), None);
            for found in left {
                on_document(done, count);
                let span = debug_span!("document.verify", uri = found.record.uri);
                let compared = self.compare(found, &mut index).instrument(span);
                match compared.await? {
                    Compared::Fits => done += 1,
                    Compared::HasFault(misfit) => {
                        done += 1;
                        misfits.push(*misfit);
                    }
                    Compared::Changed(now) => changed.push(*now),
                }
            }
            left = changed;
        }
        on_document(count, count);
        Ok(without_consequences(misfits))
    }

    /// Compares a document. `index` is kept from one document of a collection to the next.
    async fn compare(
        &self,
        found: FoundDocument,
        index: &mut Option<CollectionIndex>,
    ) -> Result<Compared> {
        let fault = match Fault::of_row(&found) {
            None => self.fault_of(&found.record, index).await?,
            fault => fault,
        };
        let document = found.record;
        let Some(misfit) = fault.map(|fault| Misfit { document, fault }) else {
            return Ok(Compared::Fits);
        };
        if misfit.fault.is_final() {
            return Ok(Compared::HasFault(Box::new(misfit)));
        }
        let now = match self.store().found_document(misfit.document.id).await {
            Err(StoreError::Damaged { .. }) => return Ok(Compared::HasFault(Box::new(misfit))),
            now => now?,
        };
        Ok(match now {
            None => Compared::Fits,
            Some(now) if now.record == misfit.document => Compared::HasFault(Box::new(misfit)),
            Some(now) => Compared::Changed(Box::new(now)),
        })
    }

    async fn fault_of(
        &self,
        document: &DocumentRecord,
        index: &mut Option<CollectionIndex>,
    ) -> Result<Option<Fault>> {
        let made = match self.made_again(document).await {
            Err(Error::Store(error)) => return of_reading(error),
            made => made?,
        };
        // A document that could never be read has no text.
        let has_text = document.sections > 0 || !made.sections.is_empty();
        let is_current = has_text && self.indexer().is_version(&document.index_version);
        let says = is_current.then(|| difference(document, &made)).flatten();
        if let Some(says) = says.or(changed(document, &made)?) {
            // If the text still gives the stored checksum, the text is intact.
            let expected = made.indexed.checksum()?;
            return Ok(Some(if document.checksum == Some(expected) {
                Fault::Index(says)
            } else {
                Fault::Text(says)
            }));
        }
        let index = self.index_of(&document.collection, index).await?;
        let says = match &index.checksums {
            Err(fault) if document.sections > 0 => return Ok(Some(fault.clone())),
            Ok(found) if is_current => lost_chunk(document, found, &made.indexed),
            _ => return Ok(None),
        };
        if let Some(says) = says {
            return Ok(Some(Fault::Index(says)));
        }
        match self.chunk_fault(document, &made.indexed).await? {
            None => self.vector_fault(document).await,
            fault => Ok(fault),
        }
    }

    /// Returns what the index has for a collection, which is read once.
    async fn index_of<'i>(
        &self,
        collection: &str,
        index: &'i mut Option<CollectionIndex>,
    ) -> Result<&'i CollectionIndex> {
        let known = index.take().filter(|index| index.name == collection);
        let read = match known {
            Some(known) => known,
            None => CollectionIndex {
                name: collection.to_owned(),
                checksums: match self.store().index_checksums(collection).await {
                    Err(StoreError::Corrupt { what }) => {
                        let says = format!("the index of its collection is damaged: {what}");
                        Err(Fault::Collection(says))
                    }
                    Err(StoreError::Damaged { source }) => {
                        let reason = error_chain(&*source);
                        let says = format!(
                            "the part of the file that holds the index of its collection is damaged: {reason}"
                        );
                        Err(Fault::UnreadableIndex(says))
                    }
                    checksums => Ok(checksums?),
                },
            },
        };
        Ok(index.insert(read))
    }

    /// Compares where the chunks of a document are noted with what its text gives.
    async fn chunk_fault(
        &self,
        document: &DocumentRecord,
        made: &IndexedDocument,
    ) -> Result<Option<Fault>> {
        let found = match self.store().chunks(document.id).await {
            Err(error @ StoreError::Corrupt { .. }) => {
                return Ok(Some(Fault::Index(error.to_string())));
            }
            Err(StoreError::Damaged { source }) => return Ok(Some(Fault::unreadable(&*source))),
            found => found?,
        };
        Ok(displaced_chunk(&found, made).map(Fault::Index))
    }

    async fn vector_fault(&self, document: &DocumentRecord) -> Result<Option<Fault>> {
        let VectorCheck { vectors, damaged } = match self.store().check_vectors(document.id).await {
            Err(error @ StoreError::Corrupt { .. }) => {
                return Ok(Some(Fault::Vectors(error.to_string())));
            }
            Err(StoreError::Damaged { source }) => return Ok(Some(Fault::unreadable(&*source))),
            check => check?,
        };
        let noted = document.vectors;
        let says = if damaged > 0 {
            format!("{damaged} of its {vectors} vectors are damaged")
        } else if vectors != noted {
            format!("it has {vectors} vectors, and its record says {noted}")
        } else {
            return Ok(None);
        };
        Ok(Some(Fault::Vectors(says)))
    }

    async fn made_again(&self, document: &DocumentRecord) -> Result<Renewed> {
        // It is compared as it is, whatever is set for its collection.
        let language = document.language.parse().ok();
        reindex::index(self.store(), self.indexer(), document.clone(), language).await
    }
}

/// The result of a comparison.
enum Compared {
    Fits,
    HasFault(Box<Misfit>),
    /// The document changed in the meantime; this is the new version.
    Changed(Box<FoundDocument>),
}

/// The index of a collection, or the reason why it cannot be read.
struct CollectionIndex {
    name: String,
    checksums: Result<Checksums, Fault>,
}

/// Leaves out that the index of a collection cannot be read where documents of it cannot be read either: its chunks are
/// listed with them.
fn without_consequences(mut misfits: Vec<Misfit>) -> Vec<Misfit> {
    let unreadable = |misfit: &&Misfit| matches!(misfit.fault, Fault::Unreadable(_));
    let collections = misfits.iter().filter(unreadable);
    let collections: BTreeSet<String> = collections
        .map(|misfit| misfit.document.collection.clone())
        .collect();
    misfits.retain(|misfit| {
        let is_of_index = matches!(misfit.fault, Fault::UnreadableIndex(_));
        !is_of_index || !collections.contains(&misfit.document.collection)
    });
    misfits
}

/// Says which chunk the index does not have as its text is.
fn lost_chunk(
    document: &DocumentRecord,
    found: &Checksums,
    made: &IndexedDocument,
) -> Option<String> {
    let found = found.get(&document.id).map_or(&[][..], Vec::as_slice);
    let (expected, count) = (made.chunk_count(), found.len());
    if count != expected {
        return Some(format!(
            "the store has {count} chunks of it, and its text gives {expected}"
        ));
    }
    let mut found = found.iter();
    for section in &made.sections {
        for (chunk, found) in section.chunks.iter().zip(&mut found) {
            let expected = index::checksum(&made.language, &section.path_terms, &chunk.terms);
            if *found != Some(expected) {
                let lines = section.section.lines;
                return Some(format!(
                    "the index does not have a chunk of the lines {lines} as it is"
                ));
            }
        }
    }
    None
}

/// Says which chunk is noted at another place than its text gives, or with the head of another table.
fn displaced_chunk(found: &[ChunkRecord], made: &IndexedDocument) -> Option<String> {
    let sections = made.sections.iter().enumerate();
    let expected = sections.flat_map(|(position, section)| {
        let chunks = section.chunks.iter();
        chunks.map(move |chunk| (position, section.section.lines, chunk))
    });
    let mut pairs = found.iter().zip(expected);
    pairs.find_map(|(found, (position, lines, chunk))| {
        let what = if found.section != position || found.span != chunk.span {
            "at another place"
        } else if found.table_head != chunk.table_head {
            "with the head of another table"
        } else {
            return None;
        };
        Some(format!("a chunk of the lines {lines} is noted {what}"))
    })
}

/// Returns the fault of a document that cannot be read. Errors of the whole store are passed on.
fn of_reading(error: StoreError) -> Result<Option<Fault>> {
    match error {
        StoreError::Corrupt { .. } => Ok(Some(Fault::Text(error.to_string()))),
        StoreError::Damaged { source } => Ok(Some(Fault::unreadable(&*source))),
        error => Err(error.into()),
    }
}

/// Says that the stored metadata of a document is not what was written.
fn changed(document: &DocumentRecord, made: &Renewed) -> Result<Option<String>> {
    let Some(written) = document.checksum else {
        return Ok(None);
    };
    let found = document.checksum_with(&made.sections)?;
    let says = "its stored metadata, or that of its sections, is not what was written";
    Ok((found != written).then(|| says.to_owned()))
}

/// Says where a document differs from what an ingest would make of its text.
fn difference(document: &DocumentRecord, made: &Renewed) -> Option<String> {
    let indexed = &made.indexed;
    let (found, expected) = (made.sections.len(), indexed.sections.len());
    if found != expected || found != document.sections {
        let said = document.sections;
        return Some(format!(
            "it has {found} sections, its text gives {expected}, and its record says {said}"
        ));
    }
    let (chunks, said) = (indexed.chunk_count(), document.chunks);
    if chunks != said {
        return Some(format!(
            "its text gives {chunks} chunks, and its record says {said}"
        ));
    }
    if let Some(says) = section_difference(made) {
        return Some(says);
    }
    let (tokens, said) = (indexed.token_count(), document.tokens);
    let says = || format!("its text has {tokens} tokens, and its record says {said}");
    (tokens != said).then(says)
}

/// Says which section differs from what an ingest would make of the text.
fn section_difference(made: &Renewed) -> Option<String> {
    let indexed = &made.indexed;
    let mut pairs = made.sections.iter().zip(&indexed.sections).enumerate();
    pairs.find_map(|(position, (section, expected))| {
        let lines = expected.section.lines;
        if !is_same_text(section, expected, indexed) {
            let says = format!("the text of the lines {lines} is not the one that was stored");
            return Some(says);
        }
        let is_in_place = section.position == position
            && section.lines == lines
            && section.level == expected.section.level
            && section.parent == expected.section.parent;
        let says = || format!("the section of the lines {lines} is noted at another place");
        (!is_in_place).then(says)
    })
}

fn is_same_text(
    section: &SectionRecord,
    expected: &IndexedSection,
    indexed: &IndexedDocument,
) -> bool {
    let is_paged = section.pages.is_some();
    section.id == expected.section.id
        && section.heading_path == expected.heading_path
        && section.tokens == expected.tokens
        && (is_paged || section.content_hash == indexed.index_hash(expected))
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
