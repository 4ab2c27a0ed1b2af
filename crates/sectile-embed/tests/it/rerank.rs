//! Rerankers behind servers that speak each of the protocols.

use std::time::{Duration, Instant};

use sectile_embed::{Error, OpenAiOptions, RemoteReranker, RerankProtocol, Reranker};
use serde_json::{Value, json};

use crate::server::{Asked, Reply, Server};
use crate::support::kind;

const TEXTS: [&str; 3] = ["of the sea", "of the land", "of the wind"];

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

fn cohere(server: &Server) -> RemoteReranker {
    let options = OpenAiOptions::new(server.base_url(), "a-model").with_key("sk-secret");
    RemoteReranker::new(&options, RerankProtocol::Cohere).unwrap()
}

fn tei(server: &Server) -> RemoteReranker {
    let options = OpenAiOptions::new(server.base_url(), "a-model");
    RemoteReranker::new(&options, RerankProtocol::TextEmbeddingsInference).unwrap()
}

async fn answered(answer: Value) -> Result<Vec<f32>, Error> {
    let server = Server::start(move |_, _| Reply::json(&answer)).await;
    let reranker = cohere(&server);
    reranker.rerank("which?", &texts(&TEXTS)).await
}

/// Answers with the length of each text, longest first, as text-embeddings-inference does.
fn lengths(_: usize, asked: &Asked) -> Reply {
    let texts = asked.body["texts"].as_array().unwrap().iter().enumerate();
    let mut scored: Vec<_> = texts
        .map(|(index, text)| (text.as_str().unwrap().len(), index))
        .collect();
    scored.sort_unstable_by(|one, other| other.cmp(one));
    let scored = scored.into_iter();
    Reply::json(
        &scored
            .map(|(score, index)| json!({"index": index, "score": score}))
            .collect(),
    )
}

#[tokio::test]
async fn scores_come_in_the_order_of_the_texts() {
    // vLLM and Jina send documents along, Cohere facts about the bill.
    let answer = json!({"id": "1", "usage": {"total_tokens": 9}, "results": [
        {"index": 2, "relevance_score": 0.9, "document": {"text": TEXTS[2]}},
        {"index": 0, "relevance_score": -1.5},
        {"index": 1, "relevance_score": 0},
    ]});
    let server = Server::start(move |_, _| Reply::json(&answer)).await;
    let reranker = cohere(&server);
    assert_eq!(reranker.name(), "a-model");
    let scores = reranker.rerank("which?", &texts(&TEXTS)).await.unwrap();
    assert_eq!(scores, [-1.5, 0.0, 0.9]);
    let asked = server.asked();
    assert_eq!(asked[0].path(), "/v1/rerank");
    assert_eq!(asked[0].header("authorization"), Some("Bearer sk-secret"));
    let body = json!({"model": "a-model", "query": "which?", "documents": TEXTS});
    assert_eq!(asked[0].body, body);
}

#[tokio::test]
async fn each_form_of_answer_is_read() {
    let with = |name: &str| {
        let scored = |index: usize| json!({"index": index, name: 0.5 - index as f32});
        json!([scored(1), scored(0), scored(2)])
    };
    for answer in [
        with("score"),
        with("relevance_score"),
        json!({"results": with("score")}),
        json!({"results": with("relevance_score")}),
        json!({"object": "list", "data": with("relevance_score")}),
    ] {
        assert_eq!(answered(answer).await.unwrap(), [0.5, -0.5, -1.5]);
    }
}

#[tokio::test]
async fn text_embeddings_inference_is_asked_in_batches() {
    let server = Server::start(lengths).await;
    let many: Vec<String> = (0..70).map(|length| "x".repeat(length + 1)).collect();
    let scores = tei(&server).rerank("which?", &many).await.unwrap();
    assert!(
        scores
            .iter()
            .zip(1_u8..)
            .all(|(&score, length)| (score - f32::from(length)).abs() < 1e-6)
    );
    let asked = server.asked();
    let mut sizes: Vec<usize> = asked
        .iter()
        .map(|asked| asked.body["texts"].as_array().unwrap().len())
        .collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [6, 32, 32]);
    assert_eq!(asked[0].body["truncate"], true);
    assert_eq!(asked[0].body["raw_scores"], true);
    assert_eq!(asked[0].body["query"], "which?");
}

#[tokio::test]
async fn nothing_is_asked_about_no_texts() {
    let server = Server::start(lengths).await;
    assert!(tei(&server).rerank("which?", &[]).await.unwrap().is_empty());
    assert!(
        cohere(&server)
            .rerank("which?", &[])
            .await
            .unwrap()
            .is_empty()
    );
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn answers_that_do_not_fit_the_texts_are_refused() {
    let check = async |scored: &[(usize, Value)], expected: &str| {
        let scored = scored.iter();
        let scored = scored.map(|(index, score)| json!({"index": index, "score": score}));
        let error = answered(json!({"results": scored.collect::<Value>()})).await;
        let error = error.unwrap_err();
        assert_eq!(kind(&error), "answer");
        assert!(error.to_string().contains(expected), "{error}");
        assert!(error.to_string().contains("a-model"), "{error}");
    };
    let one = || json!(1);
    check(&[(0, one()), (1, one())], "2 scores for 3 texts").await;
    check(
        &[(0, one()), (1, one()), (1, one())],
        "two scores for text 1",
    )
    .await;
    check(
        &[(0, one()), (1, one()), (3, one())],
        "a score for text 3, of 3",
    )
    .await;
    check(&[(0, one()), (1, one()), (2, json!(1e300))], "not finite").await;
    check(&[(0, one()), (1, one()), (2, json!(null))], "base URL").await;
    let error = answered(json!({"error": {"message": "no reranking here"}})).await;
    assert!(error.unwrap_err().to_string().contains("no reranking here"));
}

#[tokio::test]
async fn failures_are_sorted_and_slow_servers_given_up() {
    let server = Server::start(|_, _| Reply::new(404, r#"{"detail":"no model `a-model`"}"#)).await;
    let error = cohere(&server).rerank("which?", &texts(&TEXTS)).await;
    let error = error.unwrap_err();
    assert_eq!(kind(&error), "configuration");
    assert!(error.to_string().contains("no model"), "{error}");

    let slow = Server::start(|_, _| Reply::new(200, "[]").after(Duration::from_mins(1))).await;
    let options = OpenAiOptions::new(slow.base_url(), "a-model");
    let options = options.with_timeout(Duration::from_millis(50));
    let reranker = RemoteReranker::new(&options, RerankProtocol::Cohere).unwrap();
    let error = reranker.rerank("which?", &texts(&TEXTS)).await.unwrap_err();
    assert_eq!(kind(&error), "unreachable");
}

#[tokio::test]
async fn what_there_is_no_time_to_repeat_has_failed() {
    let hour = Duration::from_hours(1);
    let check = async |header: &str, left: Duration, requests: usize| {
        let failed = Reply::new(500, "out of memory").with_header(header);
        let server = Server::start(move |_, _| failed.clone()).await;
        let options = OpenAiOptions::new(server.base_url(), "a-model").with_retries(1);
        let reranker = RemoteReranker::new(&options, RerankProtocol::Cohere).unwrap();
        let deadline = Instant::now() + left;
        let error = reranker.rerank_by("which?", &texts(&TEXTS), deadline).await;
        let error = error.unwrap_err();
        assert_eq!(kind(&error), "unavailable");
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains("500"), "{cause}");
        assert_eq!(server.asked().len(), requests, "{header} {left:?}");
    };
    check("Retry-After: 0", hour, 2).await;
    check("Retry-After: 0", Duration::ZERO, 1).await;
    // There would be time for a shorter wait than the server asks for.
    check("Retry-After: 60", Duration::from_secs(59), 1).await;
}

#[tokio::test]
async fn an_answer_without_end_is_not_read_to_it() {
    let server = Server::start(|_, _| Reply::new(200, vec![b' '; 1 << 20])).await;
    let error = cohere(&server).rerank("which?", &texts(&TEXTS)).await;
    assert!(error.unwrap_err().to_string().contains("bytes"));
}
