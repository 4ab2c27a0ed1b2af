//! Vectors that a server makes.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use sectile_embed::{Embedder, OpenAiEmbedder, OpenAiOptions, Purpose};
use serde_json::{Value, json};
use tokio::sync::Barrier;
use tokio::time::timeout;

use crate::server::{Asked, Reply, Server};
use crate::support::kind;

/// Makes a vector that tells its text, as the texts of these tests are numbers or the probe.
fn vector(text: &str) -> Value {
    let number: f32 = text.rsplit(' ').next().unwrap().parse().unwrap_or(0.0);
    json!([number, 1.0])
}

/// Answers as a server may, last vector first.
fn answer(asked: &Asked) -> Reply {
    let texts = asked.texts().into_iter().enumerate();
    let data: Vec<Value> = texts
        .map(|(index, text)| json!({"index": index, "embedding": vector(text)}))
        .rev()
        .collect();
    Reply::json(&json!({"object": "list", "data": data}))
}

fn numbers(count: usize) -> Vec<String> {
    (0..count).map(|number| number.to_string()).collect()
}

fn options(server: &Server) -> OpenAiOptions {
    OpenAiOptions::new(server.base_url(), "a-model")
}

/// Lets the server answer the probe as a model of two dimensions does, and then by the script.
async fn connected(
    script: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
) -> (Server, OpenAiEmbedder) {
    let server = Server::start(move |number, asked| match number {
        0 => answer(asked),
        _ => script(asked),
    })
    .await;
    let embedder = OpenAiEmbedder::connect(&options(&server)).await.unwrap();
    (server, embedder)
}

#[tokio::test]
async fn connecting_learns_dimension_and_length() {
    let check = async |vector: &'static [f32], is_normalized: bool| {
        let data = json!({"data": [{"index": 0, "embedding": vector}]});
        let server = Server::start(move |_, _| Reply::json(&data)).await;
        let embedder = OpenAiEmbedder::connect(&options(&server)).await.unwrap();
        let model = embedder.model();
        assert_eq!(model.name, "a-model");
        assert_eq!(model.dimensions, vector.len());
        assert_eq!(model.is_normalized, is_normalized, "{vector:?}");
        assert_eq!(server.asked().len(), 1);
    };
    check(&[0.6, 0.8], true).await;
    check(&[0.6, 0.0, 0.7], false).await;
}

#[tokio::test]
async fn vectors_stand_in_the_order_of_their_texts() {
    let server = Server::start(|_, asked| answer(asked)).await;
    let options = options(&server).with_batch(3).with_concurrency(2);
    let embedder = OpenAiEmbedder::connect(&options).await.unwrap();
    let vectors = embedder
        .embed(&numbers(8), Purpose::Document)
        .await
        .unwrap();
    let firsts: Vec<f32> = vectors.iter().map(|vector| vector[0]).collect();
    assert_eq!(firsts, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);

    let asked = server.asked();
    let mut sizes: Vec<_> = asked[1..].iter().map(|asked| asked.texts().len()).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [2, 3, 3]);
    assert!(asked.iter().all(|asked| asked.path() == "/v1/embeddings"));
    assert!(asked.iter().all(|asked| asked.body["model"] == "a-model"));
}

#[tokio::test]
async fn progress_is_told_after_each_request() {
    let server = Server::start(|_, asked| answer(asked)).await;
    let options = options(&server).with_batch(3).with_concurrency(2);
    let embedder = OpenAiEmbedder::connect(&options).await.unwrap();
    let told = Mutex::new(Vec::new());
    let on_done = |texts| told.lock().unwrap().push(texts);
    let texts = numbers(8);
    let vectors = embedder.embed_with_progress(&texts, Purpose::Document, &on_done);
    assert_eq!(vectors.await.unwrap().len(), 8);
    let mut told = told.into_inner().unwrap();
    told.sort_unstable();
    assert_eq!(told, [2, 3, 3]);
}

#[tokio::test]
async fn vectors_without_numbers_are_in_order() {
    let (_server, embedder) = connected(|asked| {
        let texts = asked.texts().into_iter();
        let data: Vec<Value> = texts
            .map(|text| json!({"embedding": vector(text)}))
            .collect();
        Reply::json(&json!({ "data": data }))
    })
    .await;
    let vectors = embedder
        .embed(&numbers(3), Purpose::Document)
        .await
        .unwrap();
    assert_eq!(vectors, [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]);
}

#[tokio::test]
async fn no_texts_make_no_request() {
    let (server, embedder) = connected(answer).await;
    let vectors = embedder.embed(&[], Purpose::Document).await.unwrap();
    assert!(vectors.is_empty());
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn requests_at_once_are_bounded_for_all_callers() {
    // All requests but the probe wait for two others, and then for more than there may be.
    let barrier = Arc::new(Barrier::new(3));
    let server = Server::start(move |number, asked| match number {
        0 => answer(asked),
        _ => answer(asked)
            .together(&barrier)
            .after(Duration::from_millis(50)),
    });
    let server = server.await;
    let options = options(&server).with_batch(1).with_concurrency(3);
    let embedder = OpenAiEmbedder::connect(&options).await.unwrap();
    let (texts, other) = (numbers(9), embedder.clone());
    let both = async {
        tokio::join!(
            embedder.embed(&texts, Purpose::Document),
            other.embed(&texts, Purpose::Query),
        )
    };
    let (one, two) = timeout(Duration::from_mins(1), both).await.unwrap();
    assert_eq!((one.unwrap().len(), two.unwrap().len()), (9, 9));
    assert_eq!(server.most_at_once(), 3);
}

#[tokio::test]
async fn the_key_is_sent_and_only_if_there_is_one() {
    let server = Server::start(|_, asked| answer(asked)).await;
    let with_key = options(&server).with_key("sk-secret");
    let embedder = OpenAiEmbedder::connect(&with_key).await.unwrap();
    OpenAiEmbedder::connect(&options(&server)).await.unwrap();
    let headers: Vec<_> = server
        .asked()
        .iter()
        .map(|asked| asked.header("authorization").map(str::to_owned))
        .collect();
    assert_eq!(headers, [Some("Bearer sk-secret".to_owned()), None]);
    assert!(!format!("{embedder:?}").contains("sk-secret"));
}

#[tokio::test]
async fn texts_have_the_prefix_of_their_purpose() {
    let server = Server::start(|_, asked| answer(asked)).await;
    let options = options(&server).with_prefixes("search_document: ", "search_query: ");
    let embedder = OpenAiEmbedder::connect(&options).await.unwrap();
    embedder
        .embed(&numbers(1), Purpose::Document)
        .await
        .unwrap();
    embedder.embed(&numbers(1), Purpose::Query).await.unwrap();
    let asked = server.asked();
    assert!(asked[0].texts()[0].starts_with("search_document: "));
    assert_eq!(asked[1].texts(), ["search_document: 0"]);
    assert_eq!(asked[2].texts(), ["search_query: 0"]);
}

#[tokio::test]
async fn answers_that_are_no_vectors_for_the_texts_are_errors() {
    let check = async |body: &str, expected: &str| {
        let body = body.to_owned();
        let (_server, embedder) = connected(move |_| Reply::new(200, body.clone())).await;
        let error = embedder
            .embed(&numbers(2), Purpose::Document)
            .await
            .unwrap_err();
        assert_eq!(kind(&error), "answer", "{error}");
        let text = error.to_string();
        assert!(
            text.contains("a-model") && text.contains(expected),
            "{text}"
        );
    };
    let two = |first: &str, second: &str| format!(r#"{{"data":[{first},{second}]}}"#);
    let good = r#"{"index":0,"embedding":[1,1]}"#;
    check(&format!(r#"{{"data":[{good}]}}"#), "1 vectors for 2 texts").await;
    check(&two(good, good), "two vectors for text 0").await;
    check(&two(good, r#"{"index":2,"embedding":[1,1]}"#), "text 2").await;
    check(
        &two(good, r#"{"index":1,"embedding":[1]}"#),
        "1 numbers, not 2",
    )
    .await;
    check(&two(good, r#"{"index":1,"embedding":[]}"#), "0 numbers").await;
    check(&two(good, r#"{"index":1,"embedding":[1,null]}"#), "null").await;
    check(&two(good, r#"{"index":1,"embedding":[1,NaN]}"#), "expected").await;
    check(&two(good, r#"{"index":1,"embedding":[1,1e39]}"#), "range").await;
    check(&two(good, r#"{"index":1,"embedding":[1,1e999]}"#), "range").await;
    check(r#"{"data":[{"index":0,"embedd"#, "EOF").await;
    check("<html>Welcome</html>", "check the base URL").await;
    check(r#"{"error":{"message":"no such model"}}"#, "no such model").await;
    check("", "EOF").await;
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_not_read_to_the_end() {
    let (_server, embedder) = connected(|_| Reply::new(200, vec![b' '; 4 << 20])).await;
    let error = embedder
        .embed(&numbers(2), Purpose::Document)
        .await
        .unwrap_err();
    assert_eq!(kind(&error), "answer");
    assert!(
        error.to_string().contains("bytes that can be right"),
        "{error}"
    );
}

#[tokio::test]
async fn one_batch_that_fails_fails_all() {
    let (_server, embedder) = connected(|asked| match asked.texts()[0] {
        "64" => Reply::new(500, "out of memory"),
        _ => answer(asked),
    })
    .await;
    let error = embedder
        .embed(&numbers(200), Purpose::Document)
        .await
        .unwrap_err();
    assert_eq!(kind(&error), "unavailable");
}
