//! Folders that hold no model, or one of another kind: an error says which file, and what to do.

use std::fs;

use safetensors::tensor::Dtype;
use sectile_embed::{Error, LocalEmbedder, Precision};
use serde_json::json;

use crate::tiny::{Tensor, Tiny, weights};

/// Checks that a changed folder is refused for a reason with these words.
#[track_caller]
fn check(change: impl FnOnce(&Tiny), words: &[&str]) {
    let tiny = Tiny::new(1);
    change(&tiny);
    let error = LocalEmbedder::open(tiny.path()).unwrap_err();
    let Error::Configuration { model, reason } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(*model, tiny.path().display().to_string());
    for word in words {
        assert!(reason.contains(word), "{word:?} is not in {reason:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_is_not_waited_for() {
    for file in [
        "config.json",
        "sentence_bert_config.json",
        "tokenizer.json",
        "model.safetensors",
        "1_Pooling/config.json",
    ] {
        let make_pipe = |tiny: &Tiny| {
            let path = tiny.path().join(file);
            let _ = fs::remove_file(&path);
            let made = std::process::Command::new("mkfifo").arg(path).status();
            assert!(made.unwrap().success());
        };
        let reason = "cannot be read: it is a pipe, a socket or a device, and no file";
        check(make_pipe, &[file, reason]);
    }
}

#[test]
fn each_file_that_is_missing_is_named() {
    for file in [
        "config.json",
        "tokenizer.json",
        "model.safetensors",
        "1_Pooling/config.json",
    ] {
        check(
            |tiny| fs::remove_file(tiny.path().join(file)).unwrap(),
            &[file, "is missing", "download"],
        );
    }
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    check(
        |tiny| fs::remove_dir_all(tiny.path()).unwrap(),
        &["no such folder"],
    );
}

#[test]
fn a_file_in_the_place_of_the_folder_is_refused() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = LocalEmbedder::open(file.path()).unwrap_err();
    assert!(error.to_string().contains("no such folder"), "{error}");
}

#[test]
fn garbage_in_each_file_is_named() {
    let files = [
        "config.json",
        "tokenizer.json",
        "model.safetensors",
        "1_Pooling/config.json",
        "modules.json",
        "sentence_bert_config.json",
        "tokenizer_config.json",
        "config_sentence_transformers.json",
    ];
    for file in files {
        for garbage in [
            &b""[..],
            b"{",
            b"[1, 2]",
            b"\xff\xfe\x00",
            b"<html>not found</html>",
        ] {
            check(|tiny| tiny.write(file, garbage), &[file]);
        }
    }
}

#[test]
fn weights_that_end_too_early_are_refused_wherever_they_end() {
    let whole = Tiny::new(1).read("model.safetensors");
    for length in (0..whole.len()).step_by(97) {
        check(
            |tiny| tiny.write("model.safetensors", &whole[..length]),
            &["model.safetensors"],
        );
    }
}

#[test]
fn a_header_longer_than_the_file_is_refused() {
    check(
        |tiny| tiny.write("model.safetensors", [0xff; 64]),
        &["model.safetensors"],
    );
}

#[test]
fn a_tensor_that_is_missing_or_of_another_shape_is_named() {
    for name in weights(1).keys() {
        let without = |tiny: &Tiny| {
            let mut weights = weights(1);
            weights.remove(name);
            tiny.write_weights(&weights);
        };
        check(without, &["model.safetensors", name]);
        let flat = |tiny: &Tiny| {
            let mut weights = weights(1);
            weights.insert(name.clone(), Tensor::new(&[3], [1.0; 3]));
            tiny.write_weights(&weights);
        };
        check(flat, &["model.safetensors", name]);
    }
}

#[test]
fn numbers_of_another_type_are_refused() {
    let change = |tiny: &Tiny| {
        let mut weights = weights(1);
        for tensor in weights.values_mut() {
            tensor.kind = Dtype::I32;
        }
        tiny.write_weights(&weights);
    };
    check(change, &["model.safetensors", "I32", "F32, F16 or BF16"]);
}

#[test]
fn sizes_that_no_model_has_are_named() {
    let keys = [
        "hidden_size",
        "intermediate_size",
        "max_position_embeddings",
        "num_attention_heads",
        "num_hidden_layers",
        "type_vocab_size",
        "vocab_size",
    ];
    for key in keys {
        check(
            |tiny| tiny.set("config.json", key, json!(0)),
            &["config.json", key],
        );
        check(
            |tiny| tiny.set("config.json", key, json!(-1)),
            &["config.json"],
        );
        check(|tiny| tiny.set("config.json", key, json!(u64::MAX)), &[]);
    }
    check(
        |tiny| tiny.set("config.json", "num_attention_heads", json!(3)),
        &["config.json", "num_attention_heads"],
    );
}

#[test]
fn another_architecture_is_named_with_the_one_that_is_wanted() {
    for other in [json!("mpnet"), json!(null)] {
        check(
            |tiny| tiny.set("config.json", "model_type", other),
            &[
                "config.json",
                "use a model of the architecture `bert`, `roberta` or `xlm-roberta`",
            ],
        );
    }
    check(
        |tiny| {
            tiny.set(
                "config.json",
                "position_embedding_type",
                json!("relative_key"),
            );
        },
        &["config.json", "relative_key", "absolute"],
    );
    check(
        |tiny| tiny.set("config.json", "hidden_act", json!("swish")),
        &["config.json", "swish", "gelu"],
    );
}

#[test]
fn another_pooling_is_named_with_those_that_are_wanted() {
    let poolings = [
        json!({ "pooling_mode": "lasttoken" }),
        json!({ "pooling_mode": ["cls", "mean"] }),
        json!({ "pooling_mode_mean_tokens": true, "pooling_mode_max_tokens": true }),
        json!({}),
    ];
    for pooling in poolings {
        check(
            |tiny| tiny.write_json("1_Pooling/config.json", &pooling),
            &["1_Pooling/config.json", "`mean` or `cls`"],
        );
    }
}

#[test]
fn pooling_without_the_prompt_is_refused_where_there_are_prompts() {
    let pooling = json!({ "pooling_mode": "mean", "include_prompt": false });
    let prompts = json!({ "prompts": { "query": "wind" } });
    let tiny = Tiny::new(1);
    tiny.write_json("1_Pooling/config.json", &pooling);
    tiny.open();
    check(
        |tiny| {
            tiny.write_json("1_Pooling/config.json", &pooling);
            tiny.write_json("config_sentence_transformers.json", &prompts);
        },
        &["1_Pooling/config.json", "prompt"],
    );
}

#[test]
fn steps_that_are_not_known_are_named() {
    check(
        |tiny| tiny.write_modules(&["Transformer", "Pooling", "Dense", "Normalize"]),
        &["modules.json", "Dense"],
    );
    check(|tiny| tiny.write_modules(&[]), &["modules.json"]);
}

#[test]
fn a_tokenizer_of_a_larger_model_is_refused() {
    check(
        |tiny| tiny.set("config.json", "vocab_size", json!(11)),
        &["tokenizer.json", "config.json"],
    );
}

#[test]
fn tokens_at_the_ends_that_the_model_does_not_have_are_refused() {
    let ends = json!({ "type": "BertProcessing", "sep": ["[SEP]", 99], "cls": ["[CLS]", 2] });
    check(
        |tiny| tiny.set("tokenizer.json", "post_processor", ends),
        &["tokenizer.json", "token 99"],
    );
}

#[test]
fn a_limit_without_room_for_text_is_refused() {
    for limit in 0..3 {
        let limits = json!({ "max_seq_length": limit });
        check(
            |tiny| tiny.write_json("sentence_bert_config.json", &limits),
            &["max_seq_length"],
        );
    }
}

#[test]
fn weights_that_are_not_finite_are_named() {
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let name = "encoder.layer.0.intermediate.dense.bias";
        let change = |tiny: &Tiny| {
            let mut weights = weights(1);
            let mut numbers = [0.1; 16];
            numbers[5] = number;
            weights.insert(name.to_owned(), Tensor::new(&[16], numbers));
            tiny.write_weights(&weights);
        };
        check(change, &["model.safetensors", name, "not finite"]);
    }
}

#[tokio::test]
async fn weights_that_make_no_finite_numbers_are_an_error_of_the_answer() {
    use sectile_embed::{Embedder, Purpose};

    for name in [
        "embeddings.LayerNorm.weight",
        "encoder.layer.0.output.LayerNorm.bias",
    ] {
        let tiny = Tiny::new(1);
        let mut weights = weights(1);
        weights.insert(name.to_owned(), Tensor::new(&[8], [f32::MAX; 8]));
        tiny.write_weights(&weights);
        for precision in [Precision::Float32, Precision::Int8] {
            let embedder = tiny.open_with(precision);
            let answer = embedder.embed(&["sea".to_owned()], Purpose::Query).await;
            assert!(
                matches!(answer, Err(Error::Answer { .. })),
                "{answer:?} of {name}"
            );
        }
    }
}
