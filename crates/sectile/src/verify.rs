//! Checks that what a store has of a document fits together: its stored metadata, text, sections, chunks, index and vectors.

mod repair;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

use sectile_store::{
    Analyzer, DocumentRecord, Error as StoreError, FoundDocument, GroupBy, IndexedDocument,
    IndexedSection, Scope, SearchRequest, SectionRecord, VectorCheck,
};
use tracing::{Instrument as _, debug_span};

pub use repair::Repairs;

use crate::index::document_name;
use crate::ingest::reindex::{self, Renewed};
use crate::{Error, Library, Result};

/// How many words of a chunk it is searched by.
const WORDS: usize = 12;

/// How many letters words have that say something and that an index has: shorter ones are often too common,
/// and longer ones are addresses and the like.
const SAYING: RangeInclusive<usize> = 5..=24;

/// Words that mean something in a question.
const OPERATORS: [&str; 3] = ["AND", "NOT", "OR"];

/// How many letters words begin with that may have the same stem.
const STEM: usize = 4;

/// Among how many hits a chunk is looked for first. Where many are alike, it is looked for among all.
const FIRST_HITS: usize = 20;

/// A fault that `verify` finds in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The text or its stored metadata was changed. The document must be ingested again.
    Text(String),
    /// The text is intact, but a search does not find all of it, or its stored metadata differs
    /// from that computed from the text. The document can be indexed again.
    Index(String),
    /// The vectors were changed. Once they are removed, the document waits for new ones.
    Vectors(String),
    /// The URI cannot be read. The document can be written under it with the damaged bytes replaced.
    Uri(String),
    /// The id or the collection of the document cannot be read. The document cannot be repaired.
    Identity(String),
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
            | Self::Vectors(says)
            | Self::Uri(says)
            | Self::Identity(says) => says,
        }
    }

    /// Says that the store does not know the document any more: it cannot be asked for it.
    const fn is_of_identity(&self) -> bool {
        matches!(self, Self::Identity(_))
    }

    /// Says what cannot be read of a document's row.
    fn of_row(found: &FoundDocument) -> Option<Self> {
        let says = found.faults.first()?.to_string();
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
    /// sections. A search for each chunk by its own words must find it. Vectors are counted, and
    /// must have the dimensions of their model and length 1.
    ///
    /// This reads everything and searches for each chunk. `on_document` gets the number of finished
    /// documents and the total. A document that changes in the meantime is compared again.
    /// Documents that another release indexed are read and only compared with their checksum,
    /// because the next ingest indexes them again. Documents of earlier releases, and documents
    /// whose newest version could not be read, have no checksum. The hashes of documents with pages
    /// are not compared, because the positions of pages are not stored to the byte. Summaries,
    /// times and the states of documents are not compared either.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the store cannot be reached.
    pub async fn verify(&self, on_document: &(dyn Fn(usize, usize) + Sync)) -> Result<Vec<Misfit>> {
        let documents = self.store().found_documents().await?;
        let count = documents.len();
        let mut misfits = Vec::new();
        for (done, found) in documents.into_iter().enumerate() {
            on_document(done, count);
            let span = debug_span!("document.verify", uri = found.record.uri);
            misfits.extend(self.misfit(found).instrument(span).await?);
        }
        on_document(count, count);
        Ok(misfits)
    }

    /// Compares a document, and anew for as long as somebody changes it meanwhile.
    async fn misfit(&self, mut found: FoundDocument) -> Result<Option<Misfit>> {
        loop {
            let fault = match Fault::of_row(&found) {
                None => self.fault_of(&found.record).await?,
                fault => fault,
            };
            let document = found.record;
            let Some(misfit) = fault.map(|fault| Misfit { document, fault }) else {
                return Ok(None);
            };
            if misfit.fault.is_of_identity() {
                return Ok(Some(misfit));
            }
            match self.store().found_document(misfit.document.id).await? {
                None => return Ok(None),
                Some(now) if now.record == misfit.document => return Ok(Some(misfit)),
                Some(now) => found = now,
            }
        }
    }

    async fn fault_of(&self, document: &DocumentRecord) -> Result<Option<Fault>> {
        let made = match self.made_again(document).await {
            Err(Error::Store(error)) => return of_reading(error),
            made => made?,
        };
        // What never could be read has no text.
        let has_text = document.sections > 0 || !made.sections.is_empty();
        let is_current = has_text && self.is_current(document);
        let says = is_current.then(|| difference(document, &made)).flatten();
        if let Some(says) = says.or(changed(document, &made)?) {
            // What the text gives again is as it was written.
            let expected = made.indexed.checksum()?;
            return Ok(Some(if document.checksum == Some(expected) {
                Fault::Index(says)
            } else {
                Fault::Text(says)
            }));
        }
        if !is_current {
            return Ok(None);
        }
        let lost = self.lost_chunk(document, &made.indexed).await;
        match lost {
            Err(Error::Store(error @ StoreError::Corrupt { .. })) => {
                Ok(Some(Fault::Index(error.to_string())))
            }
            lost => match lost? {
                Some(says) => Ok(Some(Fault::Index(says))),
                None => self.vector_fault(document).await,
            },
        }
    }

    async fn vector_fault(&self, document: &DocumentRecord) -> Result<Option<Fault>> {
        let VectorCheck { vectors, damaged } = match self.store().check_vectors(document.id).await {
            Err(error @ StoreError::Corrupt { .. }) => {
                return Ok(Some(Fault::Vectors(error.to_string())));
            }
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
        reindex::index(self.store(), self.indexer(), document.clone()).await
    }

    /// Returns the first chunk that is not found by its own words.
    async fn lost_chunk(
        &self,
        document: &DocumentRecord,
        made: &IndexedDocument,
    ) -> Result<Option<String>> {
        let analyzer = Analyzer::for_language(made.language.parse().unwrap_or_default());
        for section in &made.sections {
            let name = document_name(document.metadata.title.as_deref(), &document.uri);
            let above = format!("{name} {}", section.heading_path.join(" "));
            for chunk in &section.chunks {
                let text = chunk.span.of(&section.content);
                let query = words(text, &above, &analyzer);
                if !self.finds(document, &query, text).await? {
                    let lines = section.section.lines;
                    return Ok(Some(format!(
                        "no search finds a chunk of the lines {lines} by its own words"
                    )));
                }
            }
        }
        Ok(None)
    }

    async fn finds(&self, document: &DocumentRecord, query: &str, text: &str) -> Result<bool> {
        for limit in [FIRST_HITS, document.chunks] {
            if self.finds_by(document, query, limit.max(1), text).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn finds_by(
        &self,
        document: &DocumentRecord,
        query: &str,
        limit: usize,
        text: &str,
    ) -> Result<bool> {
        let request = SearchRequest::new(query)
            .with_scope(Scope::collection(&document.collection).with_uri(&document.uri))
            .with_group_by(GroupBy::Chunk)
            .with_limit(limit);
        match self.store().search(&request).await {
            // What holds no word cannot be searched for.
            Err(StoreError::EmptyQuery { .. }) => Ok(true),
            answer => Ok(answer?.hits.iter().any(|hit| hit.text == text)),
        }
    }
}

/// Says what the error of a document that cannot be read is; that of a store that cannot is the caller's.
fn of_reading(error: StoreError) -> Result<Option<Fault>> {
    match error {
        StoreError::Corrupt { .. } => Ok(Some(Fault::Text(error.to_string()))),
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

/// Returns words of a text by which it has to be found: the longest of those that an index has of it, which say most,
/// without those that stand in the headings above, by which it is found anyway. Where only such are left as no index may
/// have, they are all of its first words.
fn words(text: &str, above: &str, analyzer: &Analyzer) -> String {
    let all = indexed_words(text, analyzer);
    let above = indexed_words(above, analyzer);
    let is_own = |word: &&str| !above.iter().any(|other| begins_alike(word, other));
    let says_something = |word: &str| SAYING.contains(&word.chars().count());
    let own: BTreeSet<&str> = all.iter().copied().filter(is_own).collect();
    if !own.iter().any(|word| says_something(word)) {
        return all[..all.len().min(2 * WORDS)].join(" ");
    }
    let mut own: Vec<&str> = own.into_iter().collect();
    own.retain(|word| word.chars().count() <= *SAYING.end());
    own.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    own.truncate(WORDS);
    own.join(" ")
}

/// Returns the words of a text that an index has, as they stand there: not those of the targets of links.
fn indexed_words<'t>(text: &'t str, analyzer: &Analyzer) -> Vec<&'t str> {
    let mut words = Vec::new();
    analyzer.for_each(text, |_, span| {
        let word = span.of(text);
        if word.chars().all(char::is_alphanumeric) && !OPERATORS.contains(&word) {
            words.push(word);
        }
    });
    words
}

/// Says whether two words may have the same stem.
fn begins_alike(one: &str, other: &str) -> bool {
    let beginning = |word: &str| word.to_lowercase().chars().take(STEM).collect::<String>();
    beginning(one) == beginning(other)
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
