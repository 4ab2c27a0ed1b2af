//! What every store does with vectors and models.

mod nearest;

pub use nearest::*;

use sectile_core::{DocumentId, EmbeddingModel, Span};

use super::{COLLECTION, chunk, document, put_texts, uris};
use crate::{
    ChunkVector, Error, GroupBy, Hit, IndexedDocument, PendingChunk, QueryVector, Scope,
    SearchMode, SearchRequest, Status, Store, VectorCheck, VectorCoverage, VectorEncoding, index,
};

fn model(name: &str) -> EmbeddingModel {
    EmbeddingModel {
        name: name.into(),
        dimensions: 3,
        is_normalized: false,
    }
}

fn compass() -> EmbeddingModel {
    model("compass")
}

/// Makes a vector out of how often three words stand in a text.
fn vector(text: &str) -> Vec<f32> {
    let count = |word| text.matches(word).count() as f32 + 0.001;
    vec![count("north"), count("east"), count("sky")]
}

async fn set_model(store: &dyn Store) {
    store
        .set_model(COLLECTION, &compass(), VectorEncoding::Float32)
        .await
        .unwrap();
}

async fn pending(store: &dyn Store) -> Vec<PendingChunk> {
    store.pending(COLLECTION, None, 100).await.unwrap()
}

/// Gives each chunk that waits for it a vector, and returns how many did.
async fn embed(store: &dyn Store) -> usize {
    let pending = pending(store).await;
    let vectors = pending.iter().map(|pending| ChunkVector {
        chunk: pending.chunk.clone(),
        vector: vector(&pending.text),
    });
    store
        .put_vectors(COLLECTION, &compass(), vectors.collect())
        .await
        .unwrap();
    pending.len()
}

async fn put_embedded(store: &dyn Store, texts: &[(&str, &str)]) {
    set_model(store).await;
    put_texts(store, texts).await;
    embed(store).await;
}

fn request(question: &str, mode: SearchMode) -> SearchRequest {
    let vector = QueryVector {
        model: compass(),
        vector: vector(question),
    };
    SearchRequest::new(question)
        .with_mode(mode)
        .with_vector(vector)
}

async fn search(store: &dyn Store, question: &str, mode: SearchMode) -> Vec<Hit> {
    store.search(&request(question, mode)).await.unwrap().hits
}

/// Searches by vector with a hit for every chunk, so that equal texts stay apart.
async fn each_chunk(store: &dyn Store, question: &str) -> Vec<Hit> {
    let request = request(question, SearchMode::Vector).with_group_by(GroupBy::Chunk);
    store.search(&request).await.unwrap().hits
}

async fn status(store: &dyn Store, uri: &str) -> (Status, usize, Option<String>) {
    let scope = Scope::all().with_uri(uri);
    let found = store.documents(&scope).await.unwrap().remove(0);
    (found.status, found.vectors, found.error)
}

/// Makes a document of one section with a chunk for each line.
fn lines(uri: &str, heading: &str, text: &str) -> IndexedDocument {
    let mut made = document(uri, &[(1, heading, text)]);
    let section = &mut made.sections[0];
    let mut start = 0;
    let spans = section.content.split_inclusive('\n').map(|line| {
        start += line.len();
        Span::new(start - line.len(), start)
    });
    section.chunks = spans.map(|span| chunk(&section.content, span)).collect();
    made
}

pub async fn a_document_is_completed_by_its_vectors(store: &dyn Store) {
    put_texts(store, &[("before", "north")]).await;
    assert_eq!(status(store, "before").await.0, Status::Completed);
    set_model(store).await;
    assert_eq!(status(store, "before").await.0, Status::Processing);
    put_texts(store, &[("after", "east")]).await;
    assert_eq!(status(store, "after").await, (Status::Processing, 0, None));
    store
        .put_vector_error(COLLECTION, "no answer")
        .await
        .unwrap();
    let waiting = (Status::Processing, 0, Some("no answer".to_owned()));
    assert_eq!(status(store, "after").await, waiting);
    let found = pending(store).await;
    let uris: Vec<_> = found.iter().map(|pending| &*pending.uri).collect();
    assert_eq!(uris, ["before", "after"]);
    assert_eq!(found[0].heading_path, ["Zzz"]);
    assert!(found[0].text.contains("north"), "{found:?}");
    let rest = store.pending(COLLECTION, Some(&found[0].chunk), 9).await;
    assert_eq!(rest.unwrap(), found[1..]);
    assert_eq!(store.pending(COLLECTION, None, 1).await.unwrap().len(), 1);
    embed(store).await;
    for uri in ["before", "after"] {
        assert_eq!(status(store, uri).await, (Status::Completed, 1, None));
    }
    let totals = store.totals().await.unwrap();
    assert_eq!((totals.vectors, totals.vector_bytes), (2, 2 * 3 * 4));
    assert_eq!(totals.models, [(COLLECTION.to_owned(), compass())].into());
}

pub async fn vectors_of_a_document_are_counted_and_looked_at(store: &dyn Store) {
    put_texts(store, &[("a", "north"), ("b", "east")]).await;
    let document = document_of(store, "a").await;
    let none = VectorCheck::default();
    assert_eq!(store.check_vectors(document).await.unwrap(), none);
    set_model(store).await;
    assert_eq!(store.check_vectors(document).await.unwrap(), none);
    assert_eq!(embed(store).await, 2);
    let one = VectorCheck {
        vectors: 1,
        damaged: 0,
    };
    assert_eq!(store.check_vectors(document).await.unwrap(), one);
    let nobody = DocumentId::new(0, [0; 10]);
    assert_eq!(store.check_vectors(nobody).await.unwrap(), none);
    store.remove_vectors(COLLECTION).await.unwrap();
    assert_eq!(store.check_vectors(document).await.unwrap(), none);
}

async fn document_of(store: &dyn Store, uri: &str) -> DocumentId {
    let scope = Scope::all().with_uri(uri);
    store.documents(&scope).await.unwrap().remove(0).id
}

pub async fn an_empty_document_waits_for_no_vector(store: &dyn Store) {
    set_model(store).await;
    store.put(vec![document("empty", &[])]).await.unwrap();
    assert_eq!(status(store, "empty").await.0, Status::Completed);
}

pub async fn text_that_stays_keeps_its_vector(store: &dyn Store) {
    set_model(store).await;
    let put = async |documents: Vec<IndexedDocument>| {
        store.put(documents).await.unwrap();
        let pending = pending(store).await;
        embed(store).await;
        pending
            .into_iter()
            .map(|pending| pending.text)
            .collect::<Vec<_>>()
    };
    let first = put(vec![
        lines("d", "H", "north\neast\n"),
        document("e", &[(1, "E", "sky")]),
    ]);
    assert_eq!(first.await.len(), 5);
    // A line is added before and one changes; what is written again has its old vector.
    let changed = put(vec![lines("d", "H", "sky\nnorth\neast east\n")]).await;
    assert_eq!(changed, ["sky\n", "east east\n"]);
    assert_eq!(
        put(vec![lines("d", "H", "sky\nnorth\neast east\n")]).await,
        [""; 0]
    );
    let mut request = request("north", SearchMode::Vector);
    request.group_by = GroupBy::Chunk;
    let hits = store.search(&request).await.unwrap().hits;
    assert!(
        (hits[0].score - 1.0).abs() < 1e-6 && hits[0].snippet.text == "north",
        "{hits:?}"
    );
    assert_eq!(
        store.totals().await.unwrap().vectors,
        store.totals().await.unwrap().chunks
    );
}

pub async fn what_is_gone_is_not_found_by_its_vector(store: &dyn Store) {
    let texts: Vec<(String, &str)> = (0..40).map(|n| (format!("{n:02}"), "north")).collect();
    let texts: Vec<_> = texts.iter().map(|(uri, text)| (&**uri, *text)).collect();
    put_embedded(store, &texts).await;
    assert_eq!(each_chunk(store, "north").await.len(), 10);
    let documents = store.documents(&Scope::all()).await.unwrap();
    let gone: Vec<_> = documents[..35].iter().map(|document| document.id).collect();
    store.remove(&gone).await.unwrap();
    put_texts(store, &[("36", "east")]).await;
    let hits = each_chunk(store, "north").await;
    assert_eq!(uris(&hits), ["35", "37", "38", "39"]);
    assert_eq!(store.totals().await.unwrap().vectors, 4);
    embed(store).await;
    let hits = each_chunk(store, "east").await;
    assert_eq!((hits.len(), &*hits[0].document.uri), (5, "36"));
}

pub async fn models_are_never_mixed(store: &dyn Store) {
    put_embedded(store, &[("a", "north")]).await;
    let other = model("other");
    let is_refused = |outcome: crate::Result<()>| {
        let error = outcome.unwrap_err();
        let names = error.to_string();
        assert!(matches!(error, Error::OtherModel { .. }), "{error}");
        assert!(
            names.contains("compass") && names.contains("other"),
            "{names}"
        );
    };
    is_refused(
        store
            .set_model(COLLECTION, &other, VectorEncoding::Float32)
            .await,
    );
    is_refused(store.put_vectors(COLLECTION, &other, Vec::new()).await);
    let mut request = request("north", SearchMode::Vector);
    request.vector.as_mut().unwrap().model = other.clone();
    is_refused(store.search(&request).await.map(drop));
    // A scope without those vectors is no matter.
    request.scope = Scope::collection("nowhere");
    assert_eq!(store.search(&request).await.unwrap().hits, []);
    let mut elsewhere = document("b", &[(1, "B", "north")]);
    elsewhere.collection = "elsewhere".into();
    store.put(vec![elsewhere]).await.unwrap();
    request.scope = Scope::collection("elsewhere");
    assert!(matches!(
        store.search(&request).await,
        Err(Error::NoVectors)
    ));
    store.remove_vectors(COLLECTION).await.unwrap();
    assert_eq!(status(store, "a").await, (Status::Completed, 0, None));
    assert_eq!(store.totals().await.unwrap().models, [].into());
    assert_eq!(pending(store).await, []);
    store
        .set_model(COLLECTION, &other, VectorEncoding::Float32)
        .await
        .unwrap();
    assert_eq!(pending(store).await.len(), 1);
    request.scope = Scope::all();
    assert_eq!(store.search(&request).await.unwrap().hits, []);
}

pub async fn vectors_that_cannot_be_are_refused(store: &dyn Store) {
    set_model(store).await;
    put_texts(store, &[("a", "north"), ("b", "east")]).await;
    let waiting = pending(store).await;
    let put = async |second: Vec<f32>| {
        let chunks = waiting.iter().map(|pending| pending.chunk.clone());
        let vectors = chunks.zip([vec![1.0, 0.0, 0.0], second]);
        let vectors = vectors.map(|(chunk, vector)| ChunkVector { chunk, vector });
        store
            .put_vectors(COLLECTION, &compass(), vectors.collect())
            .await
    };
    for wrong in [vec![1.0; 2], vec![f32::NAN; 3], vec![0.0; 3]] {
        let refused = put(wrong).await;
        assert!(
            matches!(refused, Err(Error::InvalidVector { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(store.totals().await.unwrap().vectors, 0);
    let mut request = request("north", SearchMode::Vector);
    request.vector.as_mut().unwrap().vector = vec![1.0; 4];
    let refused = store.search(&request).await;
    assert!(
        matches!(refused, Err(Error::InvalidVector { .. })),
        "{refused:?}"
    );
    request.vector = None;
    let refused = store.search(&request).await.unwrap_err().to_string();
    assert!(
        refused.contains("vector") && refused.contains("model"),
        "{refused}"
    );
    let tree = store
        .search(&SearchRequest::new("a").with_mode(SearchMode::Tree))
        .await;
    assert!(
        matches!(tree, Err(Error::UnsupportedMode { .. })),
        "{tree:?}"
    );
}

pub async fn a_vector_of_a_chunk_that_is_gone_is_left_out(store: &dyn Store) {
    set_model(store).await;
    put_texts(store, &[("a", "north")]).await;
    let mut vectors: Vec<ChunkVector> = Vec::new();
    for pending in pending(store).await {
        let vector = vector(&pending.text);
        vectors.push(ChunkVector {
            chunk: pending.chunk,
            vector,
        });
    }
    put_texts(store, &[("a", "east")]).await;
    store
        .put_vectors(COLLECTION, &compass(), vectors)
        .await
        .unwrap();
    assert_eq!(status(store, "a").await, (Status::Processing, 0, None));
    assert_eq!(embed(store).await, 1);
    // Twice is once.
    let vectors = vec![ChunkVector {
        chunk: embedded_chunk(store).await,
        vector: vector("sky"),
    }];
    store
        .put_vectors(COLLECTION, &compass(), vectors)
        .await
        .unwrap();
    assert_eq!(status(store, "a").await, (Status::Completed, 1, None));
    let hits = search(store, "east", SearchMode::Vector).await;
    assert!((hits[0].score - 1.0).abs() < 1e-6, "{hits:?}");
}

/// Makes all vectors again and returns a chunk that has one.
async fn embedded_chunk(store: &dyn Store) -> index::Chunk {
    store.remove_vectors(COLLECTION).await.unwrap();
    set_model(store).await;
    let chunk = pending(store).await.remove(0).chunk;
    embed(store).await;
    chunk
}

pub async fn collections_that_lack_vectors_are_counted(store: &dyn Store) {
    let counted = async |collection: Option<&str>| {
        let lacking = store.lacking_vectors(collection).await.unwrap();
        let counts =
            |(name, coverage): (String, VectorCoverage)| (name, coverage.vectors, coverage.chunks);
        lacking.into_iter().map(counts).collect::<Vec<_>>()
    };
    assert!(counted(None).await.is_empty());
    put_embedded(store, &[("a", "north"), ("b", "east")]).await;
    assert!(counted(None).await.is_empty());
    put_texts(store, &[("c", "sky")]).await;
    let mut other = lines("d", "Other", "one\ntwo\n");
    other.collection = "other".into();
    store.put(vec![other]).await.unwrap();
    // The heading and the empty line are chunks, too.
    let expected = [(COLLECTION.to_owned(), 2, 3), ("other".to_owned(), 0, 4)];
    let mut all = counted(None).await;
    all.sort();
    let mut sorted = expected.to_vec();
    sorted.sort();
    assert_eq!(all, sorted);
    assert_eq!(counted(Some(COLLECTION)).await, expected[..1]);
    embed(store).await;
    assert_eq!(counted(None).await, expected[1..]);
}
