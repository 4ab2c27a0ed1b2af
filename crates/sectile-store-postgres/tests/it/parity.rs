//! The same documents give the same hits, in the same order and with the same scores, as in SQLite.

use std::path::PathBuf;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use sectile_core::{
    ContentHash, DocumentId, EmbeddingModel, Format, Lines, Metadata, Section, SectionId, Span,
};
use sectile_store::{
    Analyzer, ChunkVector, GroupBy, IndexedChunk, IndexedDocument, IndexedSection, Language,
    QueryVector, Scope, SearchMode, SearchRequest, Store, VectorEncoding,
};
use sectile_store_postgres::PostgresStore;
use sectile_store_sqlite::SqliteStore;
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// How many words a chunk has.
const WORDS: usize = 60;

/// The words of random documents and questions: few, so that much ties and phrases are found.
const VOCABULARY: [&str; 11] = [
    "wing",
    "flow",
    "heat",
    "shock",
    "wave",
    "plate",
    "the",
    "mach_number",
    "läuft",
    "l'onde",
    "流体力学",
];

const COLLECTIONS: [&str; 2] = ["even", "odd"];

/// The languages of random documents: in each the words have other stems.
const LANGUAGES: [Language; 4] = [
    Language::English,
    Language::German,
    Language::French,
    Language::Chinese,
];

fn model() -> EmbeddingModel {
    EmbeddingModel {
        name: "words".into(),
        dimensions: VOCABULARY.len(),
        is_normalized: false,
    }
}

/// Makes a vector out of how often each word stands in a text.
fn vector(text: &str) -> Vec<f32> {
    let count = |word: &&str| text.matches(*word).count() as f32 + 0.125;
    VOCABULARY.iter().map(count).collect()
}

/// Both stores.
pub(crate) struct Stores {
    _folder: TempDir,
    pub(crate) sqlite: SqliteStore,
    pub(crate) postgres: PostgresStore,
}

impl Stores {
    pub(crate) async fn fresh() -> Self {
        Self::on(&sectile_test_postgres::database().await.unwrap()).await
    }

    /// Opens a store on a database, and an empty one in SQLite.
    pub(crate) async fn on(url: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = SqliteStore::open(folder.path().join("store.db")).await;
        Self {
            sqlite: sqlite.unwrap(),
            postgres: PostgresStore::open(url).await.unwrap(),
            _folder: folder,
        }
    }

    pub(crate) async fn put(&self, documents: &[IndexedDocument]) {
        self.sqlite.put(documents.to_vec()).await.unwrap();
        self.postgres.put(documents.to_vec()).await.unwrap();
    }

    /// Gives each chunk a vector that lacks one.
    async fn embed(&self) {
        for store in [&self.sqlite as &dyn Store, &self.postgres] {
            for collection in COLLECTIONS {
                let encoding = VectorEncoding::Float32;
                store
                    .set_model(collection, &model(), encoding)
                    .await
                    .unwrap();
                let pending = store.pending(collection, None, 10_000).await.unwrap();
                let vectors = pending.into_iter().map(|pending| ChunkVector {
                    vector: vector(&pending.text),
                    chunk: pending.chunk,
                });
                let vectors = vectors.collect();
                store
                    .put_vectors(collection, &model(), vectors)
                    .await
                    .unwrap();
            }
        }
    }

    async fn clear(&self) {
        for store in [&self.sqlite as &dyn Store, &self.postgres] {
            let documents = store.documents(&Scope::all()).await.unwrap();
            let ids: Vec<_> = documents.iter().map(|document| document.id).collect();
            store.remove(&ids).await.unwrap();
        }
    }

    /// Asks both, and returns how many hits they agree on.
    pub(crate) async fn compare(&self, request: &SearchRequest) -> usize {
        let expected = self.sqlite.search(request).await;
        let found = self.postgres.search(request).await;
        let (Ok(expected), Ok(found)) = (&expected, &found) else {
            assert!(expected.is_err() && found.is_err(), "{request:?}");
            return 0;
        };
        assert_eq!(expected.reading, found.reading, "{request:?}");
        let (expected, found) = (&expected.hits, &found.hits);
        for (expected, found) in expected.iter().zip(found) {
            assert_eq!(expected, found, "{request:?}");
        }
        assert_eq!(expected.len(), found.len(), "{request:?}");
        found.len()
    }
}

/// Cuts a text every so many words.
fn chunks(content: &str, analyzer: Analyzer) -> Vec<IndexedChunk> {
    let mut ends: Vec<usize> = content
        .char_indices()
        .filter(|(_, character)| character.is_whitespace())
        .map(|(at, _)| at)
        .skip(WORDS - 1)
        .step_by(WORDS)
        .collect();
    ends.push(content.len());
    let starts = std::iter::once(0).chain(ends.clone());
    let spans = starts.zip(ends).filter(|(start, end)| start < end);
    spans
        .map(|(start, end)| IndexedChunk {
            span: Span::new(start, end),
            table_head: None,
            pages: None,
            tokens: WORDS,
            terms: analyzer.terms(&content[start..end]),
            text_hash: ContentHash::of(&content.as_bytes()[start..end]),
        })
        .collect()
}

pub(crate) fn document(
    collection: &str,
    uri: &str,
    sections: &[(String, String)],
) -> IndexedDocument {
    document_in(Language::English, collection, uri, sections)
}

/// Makes a document in a language, as an ingest does.
fn document_in(
    language: Language,
    collection: &str,
    uri: &str,
    sections: &[(String, String)],
) -> IndexedDocument {
    let analyzer = Analyzer::for_language(language);
    let section = |(at, (heading, text)): (usize, &(String, String))| IndexedSection {
        section: Section {
            id: SectionId::derive(uri, &[heading.as_str()], at),
            parent: None,
            heading: Some(heading.clone()),
            level: 1,
            span: Span::new(0, text.len()),
            lines: Lines {
                first: at + 1,
                last: at + 1,
            },
        },
        heading_path: vec![heading.clone()],
        content: text.clone(),
        pages: None,
        tokens: 1,
        path_terms: analyzer.terms(heading),
        chunks: chunks(text, analyzer),
    };
    let texts = sections.iter();
    let texts = texts.map(|(heading, text)| format!("{heading}\n{text}\n"));
    let words = analyzer.words(&texts.collect::<String>());
    let hash = ContentHash::of(format!("{collection} {uri}").as_bytes());
    IndexedDocument {
        id: DocumentId::new(1, hash.as_bytes()[..10].try_into().unwrap()),
        collection: collection.into(),
        uri: uri.into(),
        format: Format::Text,
        content_hash: hash,
        index_version: "parity".into(),
        metadata: Metadata::default(),
        sections: sections.iter().enumerate().map(section).collect(),
        words,
        language: language.code().into(),
        now: 1,
    }
}

/// Reads a file of JSON lines of a collection, or says that there is none.
fn lines(file: &str) -> Option<Vec<Value>> {
    let Some(corpus) = std::env::var_os("SECTILE_CORPUS") else {
        eprintln!("SECTILE_CORPUS is not set: nothing is compared on Cranfield");
        return None;
    };
    let text = std::fs::read_to_string(PathBuf::from(corpus).join("cranfield").join(file));
    let text = text.unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    Some(lines.collect())
}

fn text(line: &Value, name: &str) -> String {
    line[name].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cranfield_is_ranked_alike() {
    let (Some(documents), Some(queries)) = (lines("documents.jsonl"), lines("queries.jsonl"))
    else {
        return;
    };
    let stores = Stores::fresh().await;
    let documents: Vec<_> = documents
        .iter()
        .map(|line| {
            let section = (text(line, "title"), text(line, "text"));
            document("cranfield", &text(line, "id"), &[section])
        })
        .collect();
    stores.put(&documents).await;
    let mut hits = 0;
    for query in &queries {
        let request = SearchRequest::new(text(query, "text")).with_limit(100);
        hits += stores.compare(&request).await;
        let request = request.with_group_by(GroupBy::Document).with_limit(10);
        hits += stores.compare(&request).await;
    }
    assert_eq!((queries.len(), hits), (225, 225 * 110));
}

fn words(most: usize) -> impl Strategy<Value = String> {
    vec(proptest::sample::select(&VOCABULARY[..]), 0..most).prop_map(|words| words.join(" "))
}

/// A document's number, of few, so that some are written twice, and its sections.
fn random_document() -> impl Strategy<Value = (u8, Vec<(String, String)>)> {
    (0..12_u8, vec((words(3), words(150)), 0..4))
}

/// A word with two of its letters swapped, which most documents have as it should be.
fn misspelt() -> impl Strategy<Value = String> {
    let word = proptest::sample::select(&VOCABULARY[..]);
    (word, any::<proptest::sample::Index>()).prop_map(|(word, at)| {
        let mut letters: Vec<char> = word.chars().collect();
        let at = at.index(letters.len() - 1);
        letters.swap(at, at + 1);
        letters.into_iter().collect()
    })
}

/// The beginning of a word, of two letters or more.
fn beginning() -> impl Strategy<Value = String> {
    let word = proptest::sample::select(&VOCABULARY[..]);
    (word, any::<proptest::sample::Index>()).prop_map(|(word, at)| {
        let count = 2 + at.index(word.chars().count() - 1);
        let letters: String = word.chars().take(count).collect();
        format!("{letters}*")
    })
}

/// What is required or excluded.
fn condition() -> impl Strategy<Value = String> {
    prop_oneof![3 => words(2), 1 => misspelt(), 1 => beginning()]
}

fn random_question() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => words(3),
        1 => misspelt(),
        1 => beginning(),
        2 => words(4).prop_map(|words| format!("\"{words}\"")),
        1 => words(2).prop_map(|word| format!("-{word}")),
        1 => (condition(), condition()).prop_map(|(one, other)| format!("{one} AND {other}")),
        1 => condition().prop_map(|word| format!("NOT {word}")),
    ];
    vec(part, 1..4).prop_map(|parts| parts.join(" "))
}

fn random_request() -> impl Strategy<Value = SearchRequest> {
    let scope = prop_oneof![
        Just(Scope::all()),
        Just(Scope::collection("even")),
        Just(Scope::all().with_prefix("doc/1")),
        Just(Scope::collection("odd").with_uri("doc/3").with_uri("doc/5")),
        Just(Scope::all().with_heading("WING")),
        Just(Scope::all().with_path("doc/?").unwrap()),
    ];
    let group_by = prop_oneof![
        Just(GroupBy::Chunk),
        Just(GroupBy::Section),
        Just(GroupBy::Document),
    ];
    let mode = prop_oneof![
        3 => Just(SearchMode::Text),
        1 => Just(SearchMode::Vector),
        1 => Just(SearchMode::Hybrid),
        1 => Just(SearchMode::Value),
    ];
    (random_question(), scope, group_by, mode, 0..12_usize).prop_map(
        |(question, scope, group_by, mode, limit)| {
            let vector = QueryVector {
                model: model(),
                vector: vector(&question),
            };
            let request = SearchRequest::new(question).with_scope(scope);
            let request = request.with_limit(limit).with_group_by(group_by);
            request.with_mode(mode).with_vector(vector)
        },
    )
}

#[test]
fn random_collections_are_ranked_alike() {
    let runtime = Runtime::new().unwrap();
    let stores = runtime.block_on(Stores::fresh());
    let strategy = (vec(random_document(), 0..15), vec(random_request(), 8));
    let config = Config {
        cases: 64,
        failure_persistence: None,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&strategy, |(documents, requests)| {
        runtime.block_on(async {
            stores.clear().await;
            for (number, sections) in documents {
                let collection = COLLECTIONS[usize::from(number % 2)];
                let language = LANGUAGES[usize::from(number / 2) % LANGUAGES.len()];
                let uri = format!("doc/{number}");
                let document = document_in(language, collection, &uri, &sections);
                stores.put(&[document]).await;
            }
            stores.embed().await;
            for request in &requests {
                stores.compare(request).await;
            }
        });
        Ok(())
    });
    outcome.unwrap();
}
