//! What a local model makes of texts.

use std::sync::Mutex;

use safetensors::tensor::Dtype;
use sectile_embed::{Embedder, LocalEmbedder, Precision, Purpose};
use serde_json::json;

use crate::tiny::{Tiny, cosine, difference, embed, weights};

const TEXTS: [&str; 6] = ["the sea rises.", "", "wind", "lands", "the wind falls", "?"];

#[tokio::test]
async fn vectors_have_the_dimensions_and_the_length_that_the_model_promises() {
    let tiny = Tiny::new(1);
    let embedder = tiny.open();
    assert_eq!(embedder.model().dimensions, 8);
    assert!(embedder.model().is_normalized);
    for vector in embed(&embedder, &TEXTS).await {
        assert_eq!(vector.len(), 8);
        let length: f32 = vector.iter().map(|number| number * number).sum();
        assert!((length - 1.0).abs() < 1e-5, "{length}");
    }
}

#[tokio::test]
async fn no_texts_make_no_vectors() {
    let embedder = Tiny::new(1).open();
    assert_eq!(embed(&embedder, &[]).await, Vec::<Vec<f32>>::new());
}

#[tokio::test]
async fn a_vector_is_in_the_place_of_its_text_and_does_not_depend_on_the_others() {
    let embedder = Tiny::new(1).open();
    let repeated = TEXTS.repeat(200);
    let together = embed(&embedder, &repeated).await;
    for (text, vector) in repeated.iter().zip(&together) {
        let alone = embed(&embedder, &[text]).await;
        assert!(difference(&alone[0], vector) < 1e-6, "{text:?}");
    }
    assert!(difference(&together[0], &together[2]) > 1e-2);
}

#[tokio::test]
async fn vectors_of_bytes_are_near_those_of_floats_and_do_not_depend_on_other_texts() {
    let tiny = Tiny::new(1);
    let floats = embed(&tiny.open(), &TEXTS).await;
    let embedder = tiny.open_with(Precision::Int8);
    let bytes = embed(&embedder, &TEXTS).await;
    for ((text, floats), bytes) in TEXTS.iter().zip(&floats).zip(&bytes) {
        let cosine = cosine(floats, bytes);
        assert!(cosine > 0.99 && floats != bytes, "{cosine} at {text:?}");
        assert_eq!(embed(&embedder, &[text]).await[0], *bytes, "{text:?}");
    }
}

#[tokio::test]
async fn many_may_ask_at_once() {
    let embedder = Tiny::new(1).open();
    let expected = embed(&embedder, &TEXTS).await;
    let asked: Vec<_> = (0..8)
        .map(|_| {
            let embedder = embedder.clone();
            tokio::spawn(async move { embed(&embedder, &TEXTS).await })
        })
        .collect();
    for answer in asked {
        assert_eq!(answer.await.unwrap(), expected);
    }
}

#[tokio::test]
async fn progress_changes_no_vector() {
    let embedder = Tiny::new(1).open();
    let texts: Vec<String> = (0..70)
        .map(|at| TEXTS[at % TEXTS.len()].to_owned())
        .collect();
    let told = Mutex::new(Vec::new());
    let on_done = |texts| told.lock().unwrap().push(texts);
    let vectors = embedder.embed_with_progress(&texts, Purpose::Document, &on_done);
    let expected = embedder.embed(&texts, Purpose::Document).await.unwrap();
    assert_eq!(vectors.await.unwrap(), expected);
    let mut told = told.into_inner().unwrap();
    told.sort_unstable();
    assert_eq!(told, [6, 32, 32]);
}

#[tokio::test]
async fn of_a_long_text_the_first_tokens_count() {
    let tiny = Tiny::new(1);
    tiny.write_json("sentence_bert_config.json", &json!({ "max_seq_length": 6 }));
    let embedder = tiny.open();
    let vectors = embed(
        &embedder,
        &[
            "sea land wind rises",
            "sea land wind rises falls",
            "sea land wind",
        ],
    )
    .await;
    assert_eq!(vectors[0], vectors[1]);
    assert!(difference(&vectors[0], &vectors[2]) > 1e-3);
}

/// Counts texts that are truncated.
async fn count_truncated(embedder: &LocalEmbedder, texts: &[&str], purpose: Purpose) -> usize {
    let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
    embedder.count_truncated(&texts, purpose).await.unwrap()
}

#[tokio::test]
async fn texts_beyond_the_limit_are_counted_and_those_that_just_fit_are_not() {
    let tiny = Tiny::new(1);
    let fits = "sea land wind rises";
    let texts = [fits, "sea land wind rises falls", "", &"sea ".repeat(500)];
    for added in [2, 0] {
        if added == 0 {
            tiny.set("tokenizer.json", "post_processor", json!(null));
        }
        let limit = json!({ "max_seq_length": 4 + added });
        tiny.write_json("sentence_bert_config.json", &limit);
        let embedder = tiny.open();
        assert_eq!(embedder.max_tokens(), Some(4 + added));
        for purpose in [Purpose::Document, Purpose::Query] {
            assert_eq!(count_truncated(&embedder, &texts, purpose).await, 2);
        }
        assert_eq!(count_truncated(&embedder, &[], Purpose::Document).await, 0);
        let vectors = embed(&embedder, &texts).await;
        assert_eq!(vectors[0], vectors[1]);
        assert!(difference(&vectors[0], &embed(&embedder, &["sea land wind"]).await[0]) > 1e-3);
    }
}

#[tokio::test]
async fn the_prompt_of_the_model_takes_room_from_a_text() {
    let tiny = Tiny::new(1);
    let settings = json!({ "prompts": { "query": "wind " } });
    tiny.write_json("config_sentence_transformers.json", &settings);
    tiny.write_json("sentence_bert_config.json", &json!({ "max_seq_length": 6 }));
    let embedder = tiny.open();
    let texts = ["sea land wind rises"];
    assert_eq!(
        count_truncated(&embedder, &texts, Purpose::Document).await,
        0
    );
    assert_eq!(count_truncated(&embedder, &texts, Purpose::Query).await, 1);
}

#[tokio::test]
async fn a_text_has_no_more_tokens_than_the_model_has_positions() {
    let tiny = Tiny::new(1);
    tiny.write_json(
        "tokenizer_config.json",
        &json!({ "model_max_length": 1e30 }),
    );
    let vectors = embed(&tiny.open(), &[&"sea ".repeat(38), &"sea ".repeat(5000)]).await;
    assert_eq!(vectors[0], vectors[1]);
}

#[tokio::test]
async fn the_limit_of_the_tokenizer_counts_where_there_is_no_other() {
    let tiny = Tiny::new(1);
    tiny.write_json("tokenizer_config.json", &json!({ "model_max_length": 5 }));
    let vectors = embed(&tiny.open(), &["sea sea sea", "sea sea sea land"]).await;
    assert_eq!(vectors[0], vectors[1]);
}

#[tokio::test]
async fn padding_and_truncation_of_the_tokenizer_file_do_not_count() {
    let tiny = Tiny::new(1);
    let expected = embed(&tiny.open(), &TEXTS).await;
    let padding = json!({
        "strategy": { "Fixed": 20 }, "direction": "Right", "pad_to_multiple_of": null,
        "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]",
    });
    let truncation = json!({
        "max_length": 3, "strategy": "LongestFirst", "stride": 0, "direction": "Right",
    });
    tiny.set("tokenizer.json", "padding", padding);
    tiny.set("tokenizer.json", "truncation", truncation);
    assert_eq!(embed(&tiny.open(), &TEXTS).await, expected);
}

#[tokio::test]
async fn modules_without_normalize_leave_the_length_of_vectors() {
    let tiny = Tiny::new(1);
    let scaled = embed(&tiny.open(), &["sea"]).await.remove(0);
    tiny.write_modules(&["Transformer", "Pooling"]);
    let embedder = tiny.open();
    assert!(!embedder.model().is_normalized);
    let vector = embed(&embedder, &["sea"]).await.remove(0);
    let length = vector
        .iter()
        .map(|number| number * number)
        .sum::<f32>()
        .sqrt();
    assert!((length - 1.0).abs() > 1e-3);
    let rescaled: Vec<f32> = vector.iter().map(|number| number / length).collect();
    assert!(difference(&scaled, &rescaled) < 1e-6);
}

#[tokio::test]
async fn the_mean_of_the_tokens_is_not_the_first_one() {
    let tiny = Tiny::new(1);
    let mean = embed(&tiny.open(), &["sea"]).await;
    let switches = json!({
        "pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false, "pooling_mode_max_tokens": false,
    });
    tiny.write_json("1_Pooling/config.json", &switches);
    let first = embed(&tiny.open(), &["sea"]).await;
    assert!(difference(&mean[0], &first[0]) > 1e-3);
}

#[tokio::test]
async fn a_text_without_any_token_has_a_vector_without_direction() {
    let tiny = Tiny::new(1);
    tiny.set("tokenizer.json", "post_processor", json!(null));
    for pooling in ["mean", "cls"] {
        let pooling = json!({ "pooling_mode": pooling });
        tiny.write_json("1_Pooling/config.json", &pooling);
        let vectors = embed(&tiny.open(), &["", "sea", ""]).await;
        assert_eq!(vectors[0], vec![0.0; 8]);
        assert_eq!(embed(&tiny.open(), &[""]).await[0], vec![0.0; 8]);
        assert!(difference(&vectors[0], &vectors[1]) > 1e-3);
    }
}

#[tokio::test]
async fn prompts_stand_before_texts() {
    let tiny = Tiny::new(1);
    let settings = json!({ "prompts": { "query": "wind ", "passage": "land " } });
    let plain = embed(&tiny.open(), &["wind sea", "land sea"]).await;
    tiny.write_json("config_sentence_transformers.json", &settings);
    let embedder = tiny.open();
    let question = embedder
        .embed(&["sea".to_owned()], Purpose::Query)
        .await
        .unwrap();
    assert_eq!(question[0], plain[0]);
    assert_eq!(embed(&embedder, &["sea"]).await[0], plain[1]);
}

#[tokio::test]
async fn prompts_that_are_known_of_an_added_model_stand_before_texts() {
    let tiny = Tiny::new(1);
    let plain = embed(&tiny.open(), &["land sea", "wind sea"]).await;
    let record = json!({ "name": "tiny", "prompts": { "document": "land " } });
    tiny.write_json("model.json", &record);
    assert_eq!(embed(&tiny.open(), &["sea"]).await[0], plain[0]);
    // What the model's own files say comes first.
    let settings = json!({ "prompts": { "document": "wind " } });
    tiny.write_json("config_sentence_transformers.json", &settings);
    assert_eq!(embed(&tiny.open(), &["sea"]).await[0], plain[1]);
}

#[tokio::test]
async fn text_is_made_lower_case_where_the_model_wants_it() {
    let tiny = Tiny::new(1);
    tiny.set("tokenizer.json", "normalizer", json!(null));
    let vectors = embed(&tiny.open(), &["SEA", "sea"]).await;
    assert!(difference(&vectors[0], &vectors[1]) > 1e-3);
    tiny.write_json(
        "sentence_bert_config.json",
        &json!({ "do_lower_case": true }),
    );
    let vectors = embed(&tiny.open(), &["SEA", "sea"]).await;
    assert_eq!(vectors[0], vectors[1]);
}

#[tokio::test]
async fn tensors_may_have_the_name_of_the_architecture_before_theirs() {
    let tiny = Tiny::new(1);
    let expected = embed(&tiny.open(), &TEXTS).await;
    let named = weights(1)
        .into_iter()
        .map(|(name, tensor)| (format!("bert.{name}"), tensor));
    tiny.write_weights(&named.collect());
    assert_eq!(embed(&tiny.open(), &TEXTS).await, expected);
}

#[tokio::test]
async fn weights_may_have_two_bytes_a_number() {
    let tiny = Tiny::new(1);
    let expected = embed(&tiny.open(), &TEXTS).await;
    // Half precision keeps three digits, and this other one two.
    for (kind, precision) in [(Dtype::F16, 5e-3), (Dtype::BF16, 5e-2)] {
        let short = weights(1)
            .into_iter()
            .map(|(name, tensor)| (name, tensor.shortened(kind)));
        tiny.write_weights(&short.collect());
        let vectors = embed(&tiny.open(), &TEXTS).await;
        for (vector, expected) in vectors.iter().zip(&expected) {
            let difference = difference(vector, expected);
            assert!(
                difference > 0.0 && difference < precision,
                "{difference} of {kind}"
            );
        }
    }
}

#[test]
fn the_model_is_named_for_its_folder_and_its_weights() {
    let (one, same, other) = (Tiny::new(1), Tiny::new(1), Tiny::new(2));
    let name = |tiny: &Tiny| tiny.open().model().name.clone();
    let (folder, hash) = name(&one)
        .split_once('@')
        .map(|(folder, hash)| (folder.to_owned(), hash.to_owned()))
        .unwrap();
    assert_eq!(folder, "tiny");
    assert_eq!(hash.len(), 12);
    assert_eq!(name(&one), name(&same));
    assert_ne!(name(&one), name(&other));
    let inside = LocalEmbedder::open_with(one.path().join("1_Pooling/.."), Precision::Float32);
    assert_eq!(inside.unwrap().model(), one.open().model());
}

#[test]
fn a_model_in_bytes_has_a_name_of_its_own() {
    let tiny = Tiny::new(1);
    let bytes = LocalEmbedder::open_with(tiny.path(), Precision::Int8).unwrap();
    assert_eq!(
        bytes.model().name,
        format!("{}-int8", tiny.open().model().name)
    );
}

#[tokio::test]
async fn models_of_roberta_count_positions_after_that_of_padding() {
    let tiny = Tiny::new(1);
    let bert = embed(&tiny.open(), &TEXTS).await;
    tiny.set("config.json", "model_type", json!("roberta"));
    tiny.set("config.json", "pad_token_id", json!(1));
    let mut weights = weights(1);
    let positions = weights
        .get_mut("embeddings.position_embeddings.weight")
        .unwrap();
    // Two rows for what has no position.
    let row = positions.bytes.len() / positions.shape[0];
    positions.bytes.rotate_right(2 * row);
    tiny.write_weights(&weights);
    assert_eq!(embed(&tiny.open(), &TEXTS).await, bert);
}
