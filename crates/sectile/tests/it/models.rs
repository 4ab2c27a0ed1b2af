//! Models that fail, or answer otherwise than they will.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use sectile::core::EmbeddingModel;
use sectile::models::{ChatModel, ChatRequest, Embedder, Error, Purpose, Reranker, Result};
use sectile::store::VectorEncoding;
use sectile::{IngestEvent, NotReranked, RerankOptions, Scope, SearchMode, SearchRequest};

use crate::place::Place;

#[path = "models/refused.rs"]
mod refused;

const TEXT: &str = "# A\n\nThe kumquat is a small fruit.\n";

/// A model whose vectors have so many numbers, or that makes none.
#[derive(Debug)]
struct Numbers {
    model: EmbeddingModel,
    is_broken: bool,
}

fn numbers(dimensions: usize, is_broken: bool) -> Arc<dyn Embedder> {
    let model = EmbeddingModel {
        name: "emb".to_owned(),
        dimensions,
        is_normalized: false,
    };
    Arc::new(Numbers { model, is_broken })
}

#[async_trait]
impl Embedder for Numbers {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[String], _: Purpose) -> Result<Vec<Vec<f32>>> {
        let each = || vec![1.0; self.model.dimensions];
        let count = if self.is_broken { 0 } else { texts.len() };
        Ok(std::iter::repeat_with(each).take(count).collect())
    }
}

#[tokio::test]
async fn a_model_that_made_no_vector_gives_way_to_another() {
    let place = Place::new().await;
    let wrong = place.library.clone().with_embedder(numbers(3, true));
    place.ingest(&wrong, TEXT).await.unwrap_err();
    let right = place.library.clone().with_embedder(numbers(8, false));
    place.ingest(&right, TEXT).await.unwrap();
    let documents = place.library.documents(&Scope::all()).await.unwrap();
    assert_eq!(documents[0].vectors, documents[0].chunks);

    // One that has made some does not.
    let other = place.library.clone().with_embedder(numbers(3, false));
    let error = place.ingest(&other, TEXT).await.unwrap_err();
    let expected = "`emb (8 dimensions)`, not of `emb (3 dimensions)`";
    assert!(error.to_string().contains(expected), "{error}");
}

#[tokio::test]
async fn vectors_that_are_kept_as_floats_do_not_become_bytes_in_silence() {
    let place = Place::new().await;
    let floats = place.library.clone().with_embedder(numbers(8, false));
    let bytes = floats.clone().with_vector_encoding(VectorEncoding::Int8);
    place.ingest(&floats, TEXT).await.unwrap();
    let error = place.ingest(&bytes, TEXT).await.unwrap_err().to_string();
    assert!(error.contains("replace the vectors"), "{error}");
    floats.remove_vectors("docs").await.unwrap();
    place.ingest(&bytes, TEXT).await.unwrap();
    // Those that are bytes stay bytes.
    place.ingest(&floats, "# A\n\nThe pomelo.\n").await.unwrap();
    place.ingest(&bytes, TEXT).await.unwrap();
}

#[tokio::test]
async fn how_far_the_vectors_are_is_told_from_none_on() {
    let place = Place::new().await;
    place.ingest(&place.library, TEXT).await.unwrap();
    let library = place.library.clone().with_embedder(numbers(8, false));
    let told = Mutex::new(Vec::new());
    let on_event = |event| {
        if let IngestEvent::Embedded { chunks, of } = event {
            told.lock().unwrap().push((chunks, of));
        }
    };
    for made in [1, 0] {
        let report = library.embed("docs", &on_event).await.unwrap();
        assert_eq!((report.embedded, report.failed.len()), (made, 0));
    }
    assert_eq!(told.into_inner().unwrap(), [(0, 1), (1, 1)]);
}

/// A model that reads two tokens of a text, of which each byte is one.
#[derive(Debug)]
struct ShortSighted(EmbeddingModel);

const READ: usize = 2;

fn count_longer(texts: &[String]) -> usize {
    texts.iter().filter(|text| text.len() > READ).count()
}

#[async_trait]
impl Embedder for ShortSighted {
    fn model(&self) -> &EmbeddingModel {
        &self.0
    }

    fn max_tokens(&self) -> Option<usize> {
        Some(READ)
    }

    async fn count_truncated(&self, texts: &[String], _: Purpose) -> Result<usize> {
        Ok(count_longer(texts))
    }

    async fn embed(&self, texts: &[String], _: Purpose) -> Result<Vec<Vec<f32>>> {
        Ok(vec![vec![1.0; self.0.dimensions]; texts.len()])
    }
}

#[async_trait]
impl Reranker for ShortSighted {
    fn name(&self) -> &'static str {
        "reader"
    }

    async fn count_truncated(&self, _: &str, texts: &[String]) -> Result<usize> {
        Ok(count_longer(texts))
    }

    async fn rerank(&self, _: &str, texts: &[String]) -> Result<Vec<f32>> {
        Ok(vec![1.0; texts.len()])
    }
}

fn short_sighted() -> Arc<ShortSighted> {
    let model = numbers(8, false).model().clone();
    Arc::new(ShortSighted(model))
}

#[tokio::test]
async fn chunks_that_a_model_reads_in_part_are_counted() {
    let place = Place::new().await;
    let library = place.library.clone().with_embedder(short_sighted());
    let path = place.write("a.md", "# A\n\nThe kumquat.\n\n# B\n\nThe pomelo.\n");
    let told = Mutex::new(Vec::new());
    let on_event = |event| {
        if let IngestEvent::Truncated(truncated) = event {
            told.lock().unwrap().push(truncated);
        }
    };
    let paths = [path];
    let report = library.ingest("docs", &paths, &on_event).await.unwrap();
    let [truncated] = &report.truncated[..] else {
        panic!("{report:?}");
    };
    assert_eq!((truncated.chunks, report.embedded), (2, 2));
    assert_eq!(truncated.max_tokens, Some(READ));
    let said = truncated.to_string();
    assert!(said.starts_with("2 chunks are longer than the 2 tokens that `emb` reads"));
    assert_eq!(told.into_inner().unwrap(), report.truncated);

    // What has its vectors already is not said again.
    let report = library.ingest("docs", &paths, &|_| ()).await.unwrap();
    assert!(report.truncated.is_empty(), "{report:?}");
}

#[tokio::test]
async fn a_question_that_a_model_reads_in_part_is_said() {
    let place = Place::new().await;
    let library = place.library.clone().with_embedder(short_sighted());
    place.ingest(&library, TEXT).await.unwrap();
    for (question, mode, is_said) in [
        ("kumquat", SearchMode::Vector, true),
        ("kumquat", SearchMode::Hybrid, true),
        ("kumquat", SearchMode::Text, false),
        ("is", SearchMode::Vector, false),
    ] {
        let request = SearchRequest::new(question).with_mode(mode);
        let notes = library.search(&request).await.unwrap().notes;
        let said = "the question is longer than the 2 tokens that `emb` reads";
        let found = notes.iter().any(|note| note.starts_with(said));
        assert_eq!(found, is_said, "{question} in {notes:?}");
    }
}

#[tokio::test]
async fn hits_that_a_reranker_reads_in_part_are_said() {
    let place = Place::new().await;
    place.ingest(&place.library, TEXT).await.unwrap();
    let library = place.library.clone();
    let library = library.with_reranker(short_sighted(), RerankOptions::default());
    let request = SearchRequest::new("kumquat");
    let answer = library.search_reranked(&request).await.unwrap().answer;
    let said = "`reader` did not read the ends of 1 of 1 hits";
    let is_said = answer.notes.iter().any(|note| note.starts_with(said));
    assert!(is_said, "{:?}", answer.notes);
}

#[tokio::test]
async fn collections_that_lack_vectors_are_named_or_counted() {
    let place = Place::new().await;
    let (first, second) = (
        place.write("a.md", TEXT),
        place.write("b.md", "# B\n\nPomelo.\n"),
    );
    let embedded = place.library.clone().with_embedder(numbers(8, false));
    for number in 0..7 {
        let name = format!("c{number}");
        for (library, path) in [(&embedded, &first), (&place.library, &second)] {
            let report = library
                .ingest(&name, std::slice::from_ref(path), &|_| ())
                .await;
            assert_eq!(report.unwrap().added, 1);
        }
    }
    let request = SearchRequest::new("kumquat").with_mode(SearchMode::Hybrid);
    let notes = embedded.search(&request).await.unwrap().notes;
    let expected =
        "1 of 2 chunks of `c4`, and parts of 2 other collections have vectors; the others";
    assert!(
        notes.iter().any(|note| note.contains(expected)),
        "{notes:?}"
    );
}

/// A model that cannot say anything of one section.
#[derive(Debug)]
struct Brief;

#[async_trait]
impl ChatModel for Brief {
    fn name(&self) -> &'static str {
        "brief"
    }

    async fn complete(&self, request: &ChatRequest) -> Result<String> {
        if request.user.contains("kumquat") {
            return Err(Error::Answer {
                model: "brief".to_owned(),
                reason: "it was cut before its end".to_owned(),
            });
        }
        Ok("Fruit.".to_owned())
    }
}

#[tokio::test]
async fn a_summary_that_was_cut_takes_nothing_from_the_others() {
    let place = Place::new().await;
    let section = |word: &str| format!("# {word}\n\n{}\n\n", format!("{word} ").repeat(300));
    let text = section("kumquat") + &section("pomelo");
    place.ingest(&place.library, &text).await.unwrap();
    let library = place.library.clone().with_chat_model(Arc::new(Brief));
    let documents = library.documents(&Scope::all()).await.unwrap();
    let error = library.summarize(&documents[0]).await.unwrap_err();
    assert!(error.to_string().contains("cut before its end"), "{error}");
    let sections = library.toc(documents[0].id).await.unwrap();
    let summaries = sections.iter().map(|section| section.summary.as_deref());
    assert_eq!(summaries.collect::<Vec<_>>(), [None, Some("Fruit.")]);
}

/// A model that chooses each section that it is shown.
#[derive(Debug)]
struct ChoosesAll;

#[async_trait]
impl ChatModel for ChoosesAll {
    fn name(&self) -> &'static str {
        "chooses all"
    }

    async fn complete(&self, request: &ChatRequest) -> Result<String> {
        let nodes = request.user.split("\"node_id\":\"").skip(1);
        let ids: Vec<&str> = nodes.filter_map(|node| node.split('"').next()).collect();
        Ok(format!("{{\"thinking\": \"\", \"node_list\": {ids:?}}}"))
    }
}

#[tokio::test]
async fn a_tree_search_says_which_sections_it_left_out() {
    let place = Place::new().await;
    let text = "# Fruit\n\nKinds.\n\n## Kumquat\n\nSmall.\n";
    place.ingest(&place.library, text).await.unwrap();
    let library = place.library.clone().with_chat_model(Arc::new(ChoosesAll));
    let request = SearchRequest::new("fruit").with_mode(SearchMode::Tree);
    let all = library.search(&request).await.unwrap();
    assert_eq!((all.hits.len(), all.notes), (2, Vec::new()));
    let scope = Scope::all().with_filter("heading=kumquat").unwrap();
    let some = library.search(&request.with_scope(scope)).await.unwrap();
    assert_eq!(some.hits.len(), 1);
    let note = "1 section that the model chose does not match the filters";
    assert_eq!(some.notes, [note]);
}

#[tokio::test]
async fn a_tree_search_says_how_many_sections_the_model_did_not_see() {
    let place = Place::new().await;
    let title = "the cutting of stones and what rests of them ".repeat(8);
    let chapter = |chapter: usize| {
        let sections = (0..45).map(|section: usize| format!("## {section} {title}\n\nText.\n\n"));
        format!("# Chapter {chapter}\n\n{}", sections.collect::<String>())
    };
    let text: String = (0..40).map(chapter).collect();
    place.ingest(&place.library, &text).await.unwrap();
    let library = place.library.clone().with_chat_model(Arc::new(ChoosesAll));
    let request = SearchRequest::new("stones").with_mode(SearchMode::Tree);
    let notes = library.search(&request).await.unwrap().notes;
    let [note] = &notes[..] else {
        panic!("{notes:?}");
    };
    assert!(
        note.contains("sections were not shown to the model"),
        "{note}"
    );
    assert!(note.ends_with("search fewer documents"), "{note}");
}

/// A model that is told when it has to be done, and fails.
#[derive(Debug)]
struct Busy;

#[async_trait]
impl Reranker for Busy {
    fn name(&self) -> &'static str {
        "busy"
    }

    async fn rerank(&self, _: &str, _: &[String]) -> Result<Vec<f32>> {
        std::future::pending().await
    }

    async fn rerank_by(&self, _: &str, _: &[String], deadline: Instant) -> Result<Vec<f32>> {
        assert!(deadline > Instant::now());
        Err(Error::Unavailable {
            model: "busy".to_owned(),
            source: "status 429".into(),
        })
    }
}

#[tokio::test]
async fn a_reranker_that_fails_in_time_is_not_called_late() {
    let place = Place::new().await;
    place.ingest(&place.library, TEXT).await.unwrap();
    let options = RerankOptions {
        timeout: Duration::from_mins(1),
        ..RerankOptions::default()
    };
    let library = place.library.clone().with_reranker(Arc::new(Busy), options);
    let reranked = library
        .search_reranked(&SearchRequest::new("kumquat"))
        .await;
    let problem = reranked.unwrap().problem.unwrap();
    assert!(matches!(problem, NotReranked::Failed { .. }), "{problem}");
    assert!(sectile::error_chain(&problem).contains("status 429"));
}

/// A model that never answers.
#[derive(Debug)]
struct Silent;

#[async_trait]
impl Reranker for Silent {
    fn name(&self) -> &'static str {
        "silent"
    }

    async fn rerank(&self, _: &str, _: &[String]) -> Result<Vec<f32>> {
        std::future::pending().await
    }
}

#[tokio::test]
async fn the_first_ranking_stands_where_the_reranker_is_late_and_that_is_said() {
    let place = Place::new().await;
    let text = format!("{TEXT}\n# B\n\nA kumquat, a kumquat and a kumquat.\n");
    place.ingest(&place.library, &text).await.unwrap();
    let request = SearchRequest::new("kumquat");
    let usual = place.library.search(&request).await.unwrap();
    assert_eq!(usual.hits.len(), 2);
    let options = RerankOptions {
        timeout: Duration::from_millis(1),
        collections: vec!["docs".to_owned()],
        ..RerankOptions::default()
    };
    let library = place.library.clone();
    let library = library.with_reranker(Arc::new(Silent), options);
    let asked = library.search_reranked(&request).await.unwrap();
    let problem = asked.problem.unwrap();
    assert!(matches!(problem, NotReranked::Late { .. }), "{problem}");
    assert_eq!(asked.answer.hits, usual.hits);
    // Where a collection sets it, it need not be asked for, nor the only collection be named.
    let in_docs = request.clone().with_scope(Scope::collection("docs"));
    let note = "`silent` timed out after 1ms; results are not reranked";
    for request in [&in_docs, &request] {
        let answer = library.search(request).await.unwrap();
        assert_eq!(answer.hits, usual.hits);
        assert!(answer.notes.iter().any(|of| of == note), "{answer:?}");
    }
    let other = place.write("b.md", "# Other\n\nNothing of it.\n");
    library.ingest("other", &[other], &|_| ()).await.unwrap();
    let usual = place.library.search(&request).await.unwrap();
    let elsewhere = library.search(&request).await.unwrap();
    assert_eq!((elsewhere.hits, elsewhere.notes), (usual.hits, usual.notes));
}
