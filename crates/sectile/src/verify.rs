//! Whether what a store has of a document fits together: its text, its sections, its chunks and its index.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

use sectile_store::{
    Analyzer, DocumentRecord, Error as StoreError, FailedDocument, GroupBy, IndexedDocument, Scope,
    SearchRequest,
};
use tracing::{Instrument as _, debug_span};

use crate::index::document_name;
use crate::ingest::renew::{self, Renewed};
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

/// What index version a document has while it is repaired: none that is current, so that the next ingest
/// ends what was broken off.
const REPAIRING: &str = "repairing";

/// What does not fit in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The text is not the one that was stored. It has to be ingested again.
    Text(String),
    /// The text is whole, and a search does not find all of it. It can be indexed again.
    Index(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Text(says) | Self::Index(says)) = self;
        formatter.write_str(says)
    }
}

/// A document in which something does not fit.
#[derive(Clone, Debug)]
pub struct Misfit {
    /// The document.
    pub document: DocumentRecord,
    /// What does not fit.
    pub fault: Fault,
}

/// What was done to documents in which something did not fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// How many were indexed again.
    pub indexed: usize,
    /// How many were marked, so that the next ingest reads their source again.
    pub marked: usize,
}

impl Library {
    /// Compares what the store has of each document: its text with the hashes of its sections, its sections
    /// and chunks with those that an ingest makes of the text, and the index with the chunks, each of which a
    /// search by its own words has to find. Returns the documents in which something does not fit.
    ///
    /// This reads everything and searches for each chunk. `on_document` is told how many documents are done, of how
    /// many. Documents that another release indexed are only read: the next ingest indexes them again. Of
    /// documents with pages, whose places are not kept to the byte, the hashes are not compared.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the store cannot be reached.
    pub async fn verify(&self, on_document: &(dyn Fn(usize, usize) + Sync)) -> Result<Vec<Misfit>> {
        let documents = self.documents(&Scope::all()).await?;
        let count = documents.len();
        let mut misfits = Vec::new();
        for (done, document) in documents.into_iter().enumerate() {
            on_document(done, count);
            if document.sections > 0 {
                let span = debug_span!("document.verify", uri = document.uri);
                let fault = self.fault_of(&document).instrument(span).await?;
                misfits.extend(fault.map(|fault| Misfit { document, fault }));
            }
        }
        on_document(count, count);
        Ok(misfits)
    }

    /// Indexes documents again whose text is whole, and marks the others, which stay as they are until an
    /// ingest reads their source again. Vectors of unchanged texts stay.
    ///
    /// # Errors
    ///
    /// [`Error::Store`]; what was repaired by then is.
    pub async fn repair(&self, misfits: &[Misfit]) -> Result<Repairs> {
        let mut repairs = Repairs::default();
        for misfit in misfits {
            match &misfit.fault {
                Fault::Index(_) => {
                    self.index_again(&misfit.document).await?;
                    repairs.indexed += 1;
                }
                Fault::Text(says) => {
                    // What has the same hash would not be written by an ingest. A text that cannot be read at all
                    // has none.
                    if let Ok(mut read) = self.made_again(&misfit.document).await {
                        REPAIRING.clone_into(&mut read.indexed.index_version);
                        renew::write(self.store(), vec![read]).await?;
                    }
                    let marked = marked(&misfit.document, says);
                    self.store().put_failed(vec![marked]).await?;
                    repairs.marked += 1;
                }
            }
        }
        if repairs.indexed > 0 {
            self.store().optimize().await?;
        }
        Ok(repairs)
    }

    async fn fault_of(&self, document: &DocumentRecord) -> Result<Option<Fault>> {
        let made = match self.made_again(document).await {
            Err(Error::Store(error)) => return of_reading(error),
            made => made?,
        };
        if document.index_version != self.index_version() {
            return Ok(None);
        }
        if let Some(says) = difference(document, &made) {
            return Ok(Some(Fault::Text(says)));
        }
        let lost = self.lost_chunk(document, &made.indexed).await;
        match lost {
            Err(Error::Store(error @ StoreError::Corrupt { .. })) => {
                Ok(Some(Fault::Index(error.to_string())))
            }
            lost => Ok(lost?.map(Fault::Index)),
        }
    }

    async fn made_again(&self, document: &DocumentRecord) -> Result<Renewed> {
        renew::index(self.store(), self.indexer(), document.clone()).await
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

    /// Writes a document twice: what is written as it was is not indexed anew.
    async fn index_again(&self, document: &DocumentRecord) -> Result<()> {
        let store = self.store();
        let mut first = self.made_again(document).await?;
        REPAIRING.clone_into(&mut first.indexed.index_version);
        renew::write(store, vec![first]).await?;
        let again = self.made_again(document).await?;
        renew::write(store, vec![again]).await?;
        Ok(())
    }
}

/// Says what the error of a document that cannot be read is; that of a store that cannot is the caller's.
fn of_reading(error: StoreError) -> Result<Option<Fault>> {
    match error {
        StoreError::Corrupt { .. } => Ok(Some(Fault::Text(error.to_string()))),
        error => Err(error.into()),
    }
}

/// Says where a document differs from what an ingest would make of its text.
fn difference(document: &DocumentRecord, made: &Renewed) -> Option<String> {
    let indexed = &made.indexed;
    let (found, expected) = (made.sections.len(), indexed.sections.len());
    if found != expected || found != document.sections {
        let said = document.sections;
        return Some(format!(
            "it has {found} sections, its text {expected}, and it is noted with {said}"
        ));
    }
    let chunks: usize = indexed
        .sections
        .iter()
        .map(|section| section.chunks.len())
        .sum();
    if chunks != document.chunks {
        let said = document.chunks;
        return Some(format!(
            "its text has {chunks} chunks, and it is noted with {said}"
        ));
    }
    let pairs = made.sections.iter().zip(&indexed.sections);
    for (section, expected) in pairs {
        let is_paged = section.pages.is_some();
        let is_same = section.id == expected.section.id
            && section.heading_path == expected.heading_path
            && section.tokens == expected.tokens
            && (is_paged || section.content_hash == indexed.index_hash(expected));
        if !is_same {
            let lines = section.lines;
            return Some(format!(
                "the text of the lines {lines} is not the one that was stored"
            ));
        }
    }
    None
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

fn marked(document: &DocumentRecord, says: &str) -> FailedDocument {
    FailedDocument {
        id: document.id,
        collection: document.collection.clone(),
        uri: document.uri.clone(),
        content_hash: document.content_hash,
        index_version: String::new(),
        error: format!("damaged in the store: {says}; ingest it again"),
        now: document.updated_at,
    }
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::DEFAULT_COLLECTION;

    const GUIDE: &str = "# Guide\n\nDeploys are on Tuesdays.\n\n## Install\n\nRun the installer.\n";
    const NOTES: &str =
        "# Notes\n\n---\n\nBackups run at night.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";

    async fn library(folder: &Path) -> Library {
        for (name, text) in [("guide.md", GUIDE), ("notes.md", NOTES)] {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let store = format!("sqlite:{}", folder.join("library.db").display());
        let library = Library::open(&store).await.unwrap();
        ingest(&library, folder).await;
        library
    }

    async fn ingest(library: &Library, folder: &Path) {
        let paths = ["guide.md", "notes.md"].map(|name| folder.join(name));
        let report = library.ingest(DEFAULT_COLLECTION, &paths, &|_| ()).await;
        assert_eq!(report.unwrap().failed, []);
    }

    async fn faults(library: &Library) -> Vec<Misfit> {
        library.verify(&|_, _| ()).await.unwrap()
    }

    async fn is_found(library: &Library, question: &str) -> bool {
        let found = library.search(&SearchRequest::new(question)).await;
        !found.unwrap().hits.is_empty()
    }

    /// Writes a document as it is, with other terms in the index.
    async fn spoil_index(library: &Library, name: &str) {
        let documents = library.documents(&Scope::all()).await.unwrap();
        let document = documents
            .iter()
            .find(|one| one.uri.ends_with(name))
            .unwrap();
        let mut first = library.made_again(document).await.unwrap().indexed;
        first.index_version = "another".to_owned();
        library.store().put(vec![first]).await.unwrap();
        let mut spoiled = library.made_again(document).await.unwrap().indexed;
        for chunk in spoiled
            .sections
            .iter_mut()
            .flat_map(|section| &mut section.chunks)
        {
            chunk.terms = "spoiled".to_owned();
        }
        library.store().put(vec![spoiled]).await.unwrap();
    }

    #[tokio::test]
    async fn what_is_not_found_is_indexed_again() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        assert!(faults(&library).await.is_empty());
        spoil_index(&library, "guide.md").await;
        assert!(!is_found(&library, "deploys").await);
        let misfits = faults(&library).await;
        assert_eq!(misfits.len(), 1);
        assert!(misfits[0].document.uri.ends_with("guide.md"));
        assert!(matches!(misfits[0].fault, Fault::Index(_)), "{misfits:?}");
        let done = library.repair(&misfits).await.unwrap();
        assert_eq!((done.indexed, done.marked), (1, 0));
        assert!(is_found(&library, "deploys").await);
        assert!(faults(&library).await.is_empty());
    }

    #[tokio::test]
    async fn a_text_that_changed_in_the_store_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        let file = rusqlite::Connection::open(folder.path().join("library.db")).unwrap();
        let change = "UPDATE sections SET content = replace(content, 'Tuesdays', 'Thursday')";
        file.execute(&format!("{change} WHERE content LIKE '%Tuesdays%'"), ())
            .map(|changed| assert_eq!(changed, 1))
            .unwrap();
        let misfits = faults(&library).await;
        assert_eq!(misfits.len(), 1);
        let says = misfits[0].fault.to_string();
        assert!(matches!(misfits[0].fault, Fault::Text(_)), "{says}");
        assert!(says.contains("lines 1-4"), "{says}");
        let done = library.repair(&misfits).await.unwrap();
        assert_eq!((done.indexed, done.marked), (0, 1));
        // The source has not changed, and is read all the same.
        ingest(&library, folder.path()).await;
        assert!(faults(&library).await.is_empty());
        assert!(is_found(&library, "Tuesdays").await);
    }

    #[test]
    fn the_longest_words_say_most() {
        let words = |text, above| words(text, above, &Analyzer::english());
        let text = "--- | 1 | Über-Größe NOT und größer";
        assert_eq!(words(text, ""), "größer Größe Über und 1");
        assert_eq!(words(text, "Größen und"), "1 Über Größe und größer");
        assert_eq!(words(text, "Größen überall"), "1 Über Größe und größer");
        assert_eq!(words("Run the Installer", "Run it"), "Installer the");
        assert_eq!(words("Install", "Installing"), "Install");
        assert_eq!(words("---", ""), "");
        // The index does not have what a link to another page leads to.
        let link = "See the [architecture diagram](/manual/overview.html).";
        assert_eq!(words(link, ""), "architecture diagram See the");
    }
}
