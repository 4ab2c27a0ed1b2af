//! Indexing again what an ingest does not read: memories, pages of other sites and files of other folders, if an earlier
//! version indexed them, or if they are not in the language that is set for their collection. The store has their text,
//! byte for byte.

use std::num::NonZero;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _};
use sectile_core::{Document, DocumentId, Span};
use sectile_store::{
    ChunkRecord, DocumentRecord, Error as StoreError, FailedDocument, GIVEN, IndexedDocument,
    Language, Scope, SectionRecord, Status, Store, Summary,
};

use super::IngestEvent;
use super::writer::BATCH_BYTES;
use crate::blocking::run_blocking;
use crate::index::{Indexer, SetLanguages};
use crate::{KNOWLEDGE, MEMORIES, Result, StoredDocument, memory};

/// A document that is indexed again.
pub(crate) struct Renewed {
    record: DocumentRecord,
    /// The stored sections.
    pub(crate) sections: Vec<SectionRecord>,
    /// The document as it is made now.
    pub(crate) indexed: IndexedDocument,
}

/// Counts the documents that another version indexed, or that are not in the language that is set for their collection.
pub(crate) async fn outdated(store: &dyn Store, indexer: &Indexer) -> Result<usize> {
    let version = indexer.version();
    let mut count = store.outdated(version).await?;
    for (collection, language) in indexer.languages().of_stored() {
        let others = store.in_other_language(collection, language, version);
        count += others.await?;
    }
    Ok(count)
}

/// Indexes all these documents again, and returns how many.
pub(crate) async fn renew(
    store: &dyn Store,
    indexer: &Arc<Indexer>,
    on_event: &(dyn Fn(IngestEvent) + Send + Sync),
) -> Result<usize> {
    if outdated(store, indexer).await? == 0 {
        return Ok(0);
    }
    let documents = store.documents(&Scope::all()).await?.into_iter();
    let is_old = |of: &DocumentRecord| !indexer.is_as_set(of) && of.sections > 0;
    let work = documents.filter(is_old).map(|record| {
        let language = indexer.languages().of_record(&record);
        index(store, indexer, record, language)
    });
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    let mut works = stream::iter(work).buffered(processors);
    let (mut batch, mut bytes, mut count) = (Vec::new(), 0, 0);
    while let Some(renewed) = works.next().await {
        let renewed = renewed?;
        let sections = renewed.indexed.sections.iter();
        bytes += sections.map(|section| section.content.len()).sum::<usize>();
        batch.push(renewed);
        if bytes >= BATCH_BYTES {
            count += write(store, std::mem::take(&mut batch)).await?;
            bytes = 0;
            on_event(IngestEvent::Renewed { documents: count });
        }
    }
    if !batch.is_empty() {
        count += write(store, batch).await?;
        on_event(IngestEvent::Renewed { documents: count });
    }
    store.optimize().await?;
    Ok(count)
}

/// Makes a document again out of what the store has of it, in a language.
pub(crate) async fn index(
    store: &dyn Store,
    indexer: &Indexer,
    record: DocumentRecord,
    language: Option<Language>,
) -> Result<Renewed> {
    let stored = StoredDocument::read(store, &record).await?;
    let given = if record.index_version.contains(GIVEN) {
        Some(given_chunks(store, &record, &stored).await?)
    } else {
        None
    };
    let languages = SetLanguages::default().with_all(language);
    let indexer = indexer.clone().with_languages(languages);
    Ok(run_blocking(move || made(&indexer, record, stored, given.as_deref())).await)
}

/// Returns the spans of given chunks in the text of their document.
async fn given_chunks(
    store: &dyn Store,
    record: &DocumentRecord,
    stored: &StoredDocument,
) -> Result<Vec<Span>> {
    let place = |chunk: ChunkRecord| {
        let span = chunk.span.shifted(stored.spans.get(chunk.section)?.start);
        stored.text.get(span.start..span.end).map(|_| span)
    };
    let chunks = store.chunks(record.id).await?.into_iter();
    let places: Option<Vec<Span>> = chunks.map(place).collect();
    let outside = || StoreError::corrupt(format!("a chunk of `{}` outside its text", record.uri));
    Ok(places.ok_or_else(outside)?)
}

fn made(
    indexer: &Indexer,
    record: DocumentRecord,
    stored: StoredDocument,
    given: Option<&[Span]>,
) -> Renewed {
    let is_memory = matches!(&*record.collection, MEMORIES | KNOWLEDGE);
    let is_memory = is_memory && record.uri.ends_with(&format!(":{}", record.id));
    let mut document = if is_memory {
        let metadata = record.metadata.clone();
        memory::index(
            indexer,
            &record.collection,
            &stored.text,
            metadata,
            record.id,
        )
    } else {
        let document = Document {
            format: record.format,
            outline: stored.outline(),
            pages: Vec::new(),
            metadata: record.metadata.clone(),
            text: stored.text,
        };
        let (collection, uri) = (&record.collection, &record.uri);
        let (hash, now) = (record.content_hash, record.updated_at);
        match given {
            Some(chunks) => indexer.index_given(collection, uri, &document, chunks, hash, now),
            None => indexer.index(collection, uri, &document, hash, now),
        }
    };
    document.content_hash = record.content_hash;
    document.now = record.updated_at;
    // The store has the pages of each section, but not where pages begin.
    for (section, known) in document.sections.iter_mut().zip(&stored.sections) {
        section.pages = known.pages;
        for chunk in &mut section.chunks {
            chunk.pages = known.pages;
        }
    }
    Renewed {
        record,
        sections: stored.sections,
        indexed: document,
    }
}

/// Writes documents in place of what the store has of them; summaries stay, and why a newer version could
/// not be read.
pub(crate) async fn write(store: &dyn Store, batch: Vec<Renewed>) -> Result<usize> {
    let count = batch.len();
    let (mut documents, mut failures, mut summaries) = (Vec::new(), Vec::new(), Vec::new());
    for Renewed {
        record,
        sections,
        indexed,
    } in batch
    {
        if sections.iter().any(|section| section.summary.is_some()) {
            summaries.push((record.id, sections));
        }
        if record.status == Status::Failed {
            failures.push(FailedDocument {
                id: record.id,
                index_version: indexed.index_version.clone(),
                collection: record.collection,
                uri: record.uri,
                content_hash: record.content_hash,
                error: record.error.unwrap_or_default(),
                now: record.updated_at,
            });
        }
        documents.push(indexed);
    }
    store.put(documents).await?;
    if !failures.is_empty() {
        store.put_failed(failures).await?;
    }
    for (document, sections) in summaries {
        keep_summaries(store, document, sections).await?;
    }
    Ok(count)
}

/// Gives sections the summaries back that they had.
async fn keep_summaries(
    store: &dyn Store,
    document: DocumentId,
    before: Vec<SectionRecord>,
) -> Result<()> {
    let now = store.sections(document).await?;
    let kept = before.into_iter().filter_map(|section| {
        let same = now.iter().find(|same| same.id == section.id)?;
        Some(Summary {
            section: section.id,
            content_hash: same.content_hash,
            text: section.summary?,
        })
    });
    Ok(store.put_summaries(document, kept.collect()).await?)
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use std::sync::Mutex;

    use sectile_core::{ContentHash, Metadata};
    use sectile_load::{FileLoader, LoadOptions};

    use super::*;
    use crate::{DEFAULT_COLLECTION, Library, SearchRequest};

    async fn library(folder: &std::path::Path) -> Library {
        let path = folder.join("library.db");
        Library::open(&format!("sqlite:{}", path.display()))
            .await
            .unwrap()
    }

    async fn finds(library: &Library, question: &str) -> bool {
        let found = library.search(&SearchRequest::new(question)).await;
        !found.unwrap().hits.is_empty()
    }

    /// Writes every document as an earlier version would have: by its name, and with other terms.
    async fn make_old(library: &Library) {
        let store = library.store();
        let records = store.documents(&Scope::all()).await.unwrap();
        for record in records {
            let stored = StoredDocument::read(store, &record).await.unwrap();
            let mut old = made(&library.indexer, record, stored, None).indexed;
            old.index_version = "of an earlier version".into();
            old.language = "en".into();
            for section in &mut old.sections {
                section.path_terms.clear();
                for chunk in &mut section.chunks {
                    chunk.terms = "old".into();
                }
            }
            store.put(vec![old]).await.unwrap();
        }
    }

    #[tokio::test]
    async fn what_an_earlier_version_indexed_is_indexed_again() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        let kept = library
            .remember("Deploys are on Tuesdays.", Metadata::default())
            .await
            .unwrap();
        library
            .learn("Backups run at night.", Metadata::default())
            .await
            .unwrap();
        let page = Document {
            text: "# Guide\n\nIntro.\n\n## Install\n\nRun the installer.\n".into(),
            ..Document::default()
        };
        let outline = sectile_chunk::markdown_outline(&page.text);
        let page = Document { outline, ..page };
        let uri = "https://docs.example/guide".to_owned();
        library
            .add("docs.example", &[(uri.clone(), page)])
            .await
            .unwrap();
        let before = library.documents(&Scope::all()).await.unwrap();
        assert_eq!(library.outdated().await.unwrap(), 0);

        make_old(&library).await;
        assert_eq!(library.outdated().await.unwrap(), 3);
        assert!(!finds(&library, "deploys").await);

        let file = folder.path().join("a.md");
        std::fs::write(&file, "# Another\n\nText.\n").unwrap();
        let told = Mutex::new(Vec::new());
        let on_event = |event| {
            if let IngestEvent::Renewed { documents } = event {
                told.lock().unwrap().push(documents);
            }
        };
        let report = library
            .ingest(DEFAULT_COLLECTION, &[file], &on_event)
            .await
            .unwrap();
        assert_eq!((report.added, report.renewed), (1, 3));
        assert_eq!(*told.lock().unwrap(), [3]);
        assert_eq!(library.outdated().await.unwrap(), 0);
        for question in ["deploys", "backups", "installer", "guide"] {
            assert!(finds(&library, question).await, "{question}");
        }
        let after = library
            .documents(&Scope::all().with_uri(&format!("memory:{}", kept.id)))
            .await
            .unwrap();
        let memory = before.iter().find(|record| record.id == kept.id).unwrap();
        assert_eq!(after[0], *memory);
        let page = library.document(None, &uri).await.unwrap();
        let headings = library.toc(page.id).await.unwrap();
        let paths: Vec<_> = headings
            .iter()
            .map(|section| section.heading_path.join(" > "))
            .collect();
        assert_eq!(paths, ["Guide", "Guide > Install"]);
    }

    #[tokio::test]
    async fn why_a_newer_version_could_not_be_read_stays() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        library
            .remember("Deploys are on Tuesdays.", Metadata::default())
            .await
            .unwrap();
        make_old(&library).await;
        let record = library.documents(&Scope::all()).await.unwrap().remove(0);
        let failure = FailedDocument {
            id: record.id,
            collection: record.collection,
            uri: record.uri,
            content_hash: ContentHash::of(b"broken"),
            index_version: "of an earlier version".into(),
            error: "it is damaged".into(),
            now: 1,
        };
        library.store().put_failed(vec![failure]).await.unwrap();
        renew(library.store(), &library.indexer, &|_| ())
            .await
            .unwrap();
        let record = library.documents(&Scope::all()).await.unwrap().remove(0);
        assert_eq!(
            (record.status, record.error.as_deref()),
            (Status::Failed, Some("it is damaged"))
        );
        assert!(finds(&library, "deploys").await);
    }

    #[tokio::test]
    async fn the_earlier_version_of_a_file_that_cannot_be_read_is_indexed_again() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        let files = [folder.path().join("a.md")];
        std::fs::write(&files[0], "Deploys are on Tuesdays.\n").unwrap();
        let ingest = library.ingest(DEFAULT_COLLECTION, &files, &|_| ());
        assert_eq!(ingest.await.unwrap().added, 1);
        make_old(&library).await;
        let mut options = LoadOptions::default();
        options.limits.file_bytes = 1;
        let limited = library.clone().with_loader(FileLoader::new(options));
        for renewed in [1, 0] {
            let ingest = limited.ingest(DEFAULT_COLLECTION, &files, &|_| ());
            let report = ingest.await.unwrap();
            assert_eq!((report.failed.len(), report.renewed), (1, renewed));
            assert!(finds(&library, "deploys").await);
        }
    }

    #[tokio::test]
    async fn documents_have_the_language_that_is_set_or_stated_or_detected() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        let docs = folder.path().join("docs");
        std::fs::create_dir(&docs).unwrap();
        let german = "Die Datei wird gelesen und in die Datenbank geschrieben.\n";
        std::fs::write(docs.join("a.md"), german).unwrap();
        std::fs::write(
            docs.join("b.md"),
            format!("---\nlang: fr-CA\n---\n{german}"),
        )
        .unwrap();
        std::fs::write(docs.join("c.md"), "The file is read.\n").unwrap();
        let languages = |library: Library| async move {
            let paths = [docs.clone()];
            let report = library
                .ingest(DEFAULT_COLLECTION, &paths, &|_| ())
                .await
                .unwrap();
            let records = library.documents(&Scope::all()).await.unwrap();
            let languages: Vec<_> = records.into_iter().map(|record| record.language).collect();
            (report.updated, languages.join(" "))
        };
        let detected = languages.clone()(library.clone()).await;
        assert_eq!(detected, (0, "de fr en".into()));
        let italian = library.clone().with_language("it".parse().ok());
        assert_eq!(languages.clone()(italian).await, (3, "it it it".into()));
        // What was set once stays until the file changes.
        assert_eq!(languages(library).await, (0, "it it it".into()));
    }

    #[tokio::test]
    async fn documents_are_indexed_in_the_language_of_their_collection() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        let docs = folder.path().join("docs");
        std::fs::create_dir(&docs).unwrap();
        let text = "---\nlang: fr\n---\nThe file is read.\n";
        std::fs::write(docs.join("a.md"), text).unwrap();
        let page = Document {
            text: "The page is read.\n".into(),
            ..Document::default()
        };
        let pages = [("https://docs.example/a".to_owned(), page)];
        library.add("handbook", &pages).await.unwrap();
        library.add("minutes", &pages).await.unwrap();
        let memory = library.remember("The page is read.", Metadata::default());
        memory.await.unwrap();
        let paths = [docs];
        let ingest = async |library: &Library| {
            let report = library.ingest("handbook", &paths, &|_| ()).await.unwrap();
            let records = library.documents(&Scope::all()).await.unwrap();
            let languages: Vec<_> = records.into_iter().map(|record| record.language).collect();
            (report.updated, report.renewed, languages.join(" "))
        };
        // The file and the page of the handbook, the memory, and the page of the minutes.
        assert_eq!(ingest(&library).await, (0, 0, "fr en en en".into()));
        let set = [("handbook", Language::German), (MEMORIES, Language::Dutch)];
        let set = set.map(|(name, language)| (name.to_owned(), language));
        let german = library.clone().with_collection_languages(set.into());
        assert_eq!(german.outdated().await.unwrap(), 3);
        assert_eq!(ingest(&german).await, (1, 2, "de de nl en".into()));
        assert_eq!(german.outdated().await.unwrap(), 0);
        assert_eq!(ingest(&german).await, (0, 0, "de de nl en".into()));
        // The language of an ingest goes before that of the collection.
        let italian = german.clone().with_language(Some(Language::Italian));
        assert_eq!(ingest(&italian).await, (1, 0, "it de nl en".into()));
        assert_eq!(ingest(&german).await, (1, 0, "de de nl en".into()));
        // Without a setting, documents stay as they are.
        assert_eq!(ingest(&library).await, (0, 0, "de de nl en".into()));
        let misfits = italian.verify(&|_, _| ()).await.unwrap();
        assert!(misfits.is_empty(), "{misfits:?}");
    }

    #[tokio::test]
    async fn a_file_that_cannot_be_read_is_not_tried_again_for_its_language() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        let set = [(DEFAULT_COLLECTION.to_owned(), Language::German)];
        let library = library.with_collection_languages(set.into());
        let docs = folder.path().join("docs");
        std::fs::create_dir(&docs).unwrap();
        std::fs::write(docs.join("a.pdf"), "%PDF-1.4\nnothing\n").unwrap();
        let paths = [docs];
        let failed = async || {
            let ingest = library.ingest(DEFAULT_COLLECTION, &paths, &|_| ());
            assert_eq!(ingest.await.unwrap().failed.len(), 1);
            let records = library.documents(&Scope::all()).await.unwrap();
            library.indexer.is_current(&records[0])
        };
        assert!(failed().await);
        assert!(failed().await);
    }
}
