//! all-MiniLM-L6-v2 beside sentence-transformers.

use std::path::{Path, PathBuf};

use sectile_embed::{Embedder, LocalEmbedder, Precision, Purpose};
use serde::Deserialize;

use crate::tiny::{cosine, difference};

/// A text, and what sentence-transformers makes of it.
#[derive(Deserialize)]
struct Expected {
    text: String,
    vector: Vec<f32>,
}

fn expected() -> Vec<Expected> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/minilm.json");
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// Opens the model of `SECTILE_MODEL`, or says that there is none.
#[expect(
    clippy::print_stderr,
    reason = "a test that compares nothing should say so"
)]
fn open(precision: Precision) -> Option<LocalEmbedder> {
    let folder = std::env::var_os("SECTILE_MODEL").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("SECTILE_MODEL is not set: nothing is compared with sentence-transformers");
    }
    folder.map(|folder| LocalEmbedder::open_with(folder, precision).unwrap())
}

#[tokio::test]
async fn vectors_are_those_of_sentence_transformers() {
    let Some(embedder) = open(Precision::Float32) else {
        return;
    };
    let expected = expected();
    let texts: Vec<String> = expected.iter().map(|pair| pair.text.clone()).collect();
    let vectors = embedder.embed(&texts, Purpose::Document).await.unwrap();
    let mut greatest = 0.0_f32;
    for (pair, vector) in expected.iter().zip(&vectors) {
        let difference = difference(&pair.vector, vector);
        assert!(difference < 1e-5, "{difference} at {:?}", pair.text);
        greatest = greatest.max(difference);
    }
    println!(
        "the greatest difference in {} texts is {greatest:e}",
        vectors.len()
    );
}

#[tokio::test]
async fn vectors_of_bytes_point_where_those_of_floats_do() {
    let Some(embedder) = open(Precision::Int8) else {
        return;
    };
    let expected = expected();
    let texts: Vec<String> = expected.iter().map(|pair| pair.text.clone()).collect();
    let vectors = embedder.embed(&texts, Purpose::Document).await.unwrap();
    for (pair, vector) in expected.iter().zip(&vectors) {
        let cosine = cosine(&pair.vector, vector);
        // The farthest is at .9957.
        assert!(cosine > 0.995, "{cosine} at {:?}", pair.text);
    }
}

#[tokio::test]
async fn texts_of_a_batch_do_not_change_each_other() {
    let Some(embedder) = open(Precision::Int8) else {
        return;
    };
    let mut texts: Vec<String> = expected().into_iter().map(|pair| pair.text).collect();
    let there = embedder.embed(&texts, Purpose::Document).await.unwrap();
    texts.reverse();
    let mut back = embedder.embed(&texts, Purpose::Document).await.unwrap();
    back.reverse();
    for ((one, other), text) in there.iter().zip(&back).zip(texts.iter().rev()) {
        assert!(difference(one, other) < 1e-6, "{text:?}");
    }
}

#[tokio::test]
async fn a_question_is_nearest_to_its_answer() {
    let Some(embedder) = open(Precision::Int8) else {
        return;
    };
    let answers = [
        "Invoices are paid within thirty days of their date.",
        "Twice a day the sea rises and falls.",
        "A dog sleeps on the warm stones.",
    ];
    let answers = embedder
        .embed(&answers.map(str::to_owned), Purpose::Document)
        .await
        .unwrap();
    let question = ["How often is high tide?".to_owned()];
    let question = embedder
        .embed(&question, Purpose::Query)
        .await
        .unwrap()
        .remove(0);
    let likeness =
        |answer: &Vec<f32>| -> f32 { answer.iter().zip(&question).map(|(a, q)| a * q).sum() };
    let likenesses: Vec<f32> = answers.iter().map(likeness).collect();
    assert!(
        likenesses[1] > likenesses[0].max(likenesses[2]) + 0.2,
        "{likenesses:?}"
    );
}
