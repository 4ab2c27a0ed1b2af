//! Scores of a cross-encoder in this process, beside those of `transformers`.

use std::path::Path;

use sectile_embed::{Error, LocalReranker, Precision, Reranker};
use serde::Deserialize;
use serde_json::json;

use crate::tiny::{Family, Tensor, Tiny, reranker_weights};

/// A pair, and the scores of `fixtures/make_scores.py`.
#[derive(Deserialize)]
struct Expected {
    question: String,
    text: String,
    bert: f32,
    xlm_roberta: f32,
}

fn expected() -> Vec<Expected> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/scores.json");
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

async fn score(reranker: &LocalReranker, question: &str, text: &str) -> f32 {
    let scores = reranker.rerank(question, &[text.to_owned()]).await;
    scores.unwrap()[0]
}

#[tokio::test]
async fn scores_are_those_of_transformers() {
    let bert = Tiny::reranker(1, Family::Bert).open_reranker(Precision::Float32);
    let roberta = Tiny::reranker(1, Family::XlmRoberta).open_reranker(Precision::Float32);
    for pair in expected() {
        let Expected { question, text, .. } = &pair;
        for (reranker, expected) in [(&bert, pair.bert), (&roberta, pair.xlm_roberta)] {
            let score = score(reranker, question, text).await;
            let difference = (score - expected).abs();
            assert!(
                difference < 1e-5,
                "{score}, not {expected}, of {question:?} and {text:?}"
            );
        }
    }
}

#[tokio::test]
async fn scores_in_bytes_are_near_those_in_floats() {
    let tiny = Tiny::reranker(1, Family::Bert);
    let reranker = LocalReranker::open_with(tiny.path(), Precision::Int8).unwrap();
    for pair in expected() {
        let score = score(&reranker, &pair.question, &pair.text).await;
        let difference = (score - pair.bert).abs();
        assert!(
            difference < 0.02,
            "{score}, not {}, of {:?}",
            pair.bert,
            pair.text
        );
    }
    let name = tiny.open_reranker(Precision::Float32).name().to_owned();
    assert_eq!(reranker.name(), format!("{name}-int8"));
}

#[tokio::test]
async fn a_score_is_in_the_place_of_its_text() {
    let reranker = Tiny::reranker(1, Family::Bert).open_reranker(Precision::Int8);
    let texts = ["the sea rises", "", &"wind ".repeat(50), "land"];
    let texts: Vec<String> = texts.repeat(40).into_iter().map(str::to_owned).collect();
    let together = reranker.rerank("the sea", &texts).await.unwrap();
    assert_eq!(together.len(), texts.len());
    for (text, together) in texts.iter().zip(together).take(4) {
        let alone = score(&reranker, "the sea", text).await;
        assert!(
            (alone - together).abs() < 1e-6,
            "{alone}, {together} of {text:?}"
        );
    }
    assert_eq!(
        reranker.rerank("sea", &[]).await.unwrap(),
        Vec::<f32>::new()
    );
}

#[tokio::test]
async fn texts_that_do_not_fit_beside_the_question_are_counted() {
    for (family, added) in [(Family::Bert, 3), (Family::XlmRoberta, 4)] {
        let tiny = Tiny::reranker(1, family);
        let limit = json!({ "max_seq_length": 6 + added });
        tiny.write_json("sentence_bert_config.json", &limit);
        let reranker = tiny.open_reranker(Precision::Float32);
        let texts = ["sea land wind rises", "sea land wind rises falls", "sea"];
        let texts = texts.map(str::to_owned);
        let count = reranker.count_truncated("the sea", &texts).await;
        assert_eq!(count.unwrap(), 1);
        // A long question leaves room for none.
        let count = reranker.count_truncated(&"sea ".repeat(50), &texts).await;
        assert_eq!(count.unwrap(), 3);
    }
}

/// Checks that a changed folder is refused for a reason with these words.
#[track_caller]
fn check(change: impl FnOnce(&Tiny), words: &[&str]) {
    let tiny = Tiny::reranker(1, Family::Bert);
    change(&tiny);
    let error = LocalReranker::open(tiny.path()).unwrap_err();
    let Error::Configuration { reason, .. } = &error else {
        panic!("{error:?}");
    };
    for word in words {
        assert!(reason.contains(word), "{word:?} is not in {reason:?}");
    }
}

#[test]
fn a_model_that_is_no_cross_encoder_is_refused() {
    for other in [json!(["BertModel"]), json!([])] {
        check(
            |tiny| tiny.set("config.json", "architectures", other),
            &["config.json", "use a cross-encoder"],
        );
    }
    check(
        |tiny| tiny.set("config.json", "id2label", json!({ "0": "no", "1": "yes" })),
        &["config.json", "2 labels"],
    );
    check(
        |tiny| tiny.set("tokenizer.json", "post_processor", json!(null)),
        &["tokenizer.json", "no token before a pair"],
    );
}

#[test]
fn a_tensor_of_the_head_that_is_missing_is_named() {
    for name in ["bert.pooler.dense.weight", "classifier.bias"] {
        let without = |tiny: &Tiny| {
            let mut weights = reranker_weights(1, Family::Bert);
            weights.remove(name);
            tiny.write_weights(&weights);
        };
        check(without, &["model.safetensors", name]);
    }
}

#[test]
fn a_head_that_is_not_finite_is_named() {
    let change = |tiny: &Tiny| {
        let mut weights = reranker_weights(1, Family::Bert);
        weights.insert("classifier.bias".to_owned(), Tensor::new(&[1], [f32::NAN]));
        tiny.write_weights(&weights);
    };
    check(
        change,
        &["model.safetensors", "classifier.bias", "not finite"],
    );
}
