//! A BERT with one layer and eight numbers a token, in a folder that is gone after the test.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use safetensors::tensor::{Dtype, TensorView};
use sectile_embed::{Embedder, LocalEmbedder, Purpose};
use serde_json::{Value, json};
use tempfile::TempDir;

const SIZE: usize = 8;
const INNER: usize = 16;
const POSITIONS: usize = 40;
const WORDS: [&str; 12] = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "sea", "land", "wind", "rises", "falls", "the", ".", "##s",
];

/// The folder of a tiny model.
pub(crate) struct Tiny(TempDir);

impl Tiny {
    /// Writes a model of which the weights follow from a seed.
    pub(crate) fn new(seed: usize) -> Self {
        let tiny = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(tiny.path().join("1_Pooling")).unwrap();
        tiny.write_json("config.json", &configuration());
        tiny.write_json("tokenizer.json", &tokenizer());
        tiny.write_json("1_Pooling/config.json", &json!({ "pooling_mode": "mean" }));
        tiny.write_weights(&weights(seed));
        tiny
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().join("tiny")
    }

    pub(crate) fn write(&self, file: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path().join(file), bytes).unwrap();
    }

    pub(crate) fn write_json(&self, file: &str, value: &Value) {
        self.write(file, value.to_string());
    }

    pub(crate) fn write_weights(&self, weights: &HashMap<String, Tensor>) {
        let views = weights.iter().map(|(name, tensor)| (name, tensor.view()));
        self.write(
            "model.safetensors",
            safetensors::serialize(views, None).unwrap(),
        );
    }

    /// Changes a value of a file of JSON.
    pub(crate) fn set(&self, file: &str, key: &str, value: Value) {
        let mut settings: Value = serde_json::from_slice(&self.read(file)).unwrap();
        settings[key] = value;
        self.write_json(file, &settings);
    }

    pub(crate) fn read(&self, file: &str) -> Vec<u8> {
        fs::read(self.path().join(file)).unwrap()
    }

    /// Lists the steps of the model.
    pub(crate) fn write_modules(&self, kinds: &[&str]) {
        let path = |kind: &str| if kind == "Pooling" { "1_Pooling" } else { "" };
        let module = |kind: &&str| json!({ "path": path(kind), "type": format!("models.{kind}") });
        self.write_json("modules.json", &kinds.iter().map(module).collect());
    }

    pub(crate) fn open(&self) -> LocalEmbedder {
        LocalEmbedder::open(self.path()).unwrap()
    }
}

/// Embeds documents.
pub(crate) async fn embed(embedder: &LocalEmbedder, texts: &[&str]) -> Vec<Vec<f32>> {
    let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
    embedder.embed(&texts, Purpose::Document).await.unwrap()
}

/// Returns the greatest difference between the numbers of two vectors.
pub(crate) fn difference(one: &[f32], other: &[f32]) -> f32 {
    assert_eq!(one.len(), other.len());
    let differences = one
        .iter()
        .zip(other)
        .map(|(one, other)| (one - other).abs());
    differences.fold(0.0, f32::max)
}

fn configuration() -> Value {
    json!({
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": SIZE,
        "intermediate_size": INNER,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": POSITIONS,
        "num_attention_heads": 2,
        "num_hidden_layers": 1,
        "type_vocab_size": 2,
        "vocab_size": WORDS.len(),
    })
}

fn tokenizer() -> Value {
    let vocabulary: HashMap<&str, usize> = WORDS
        .iter()
        .enumerate()
        .map(|(id, &word)| (word, id))
        .collect();
    json!({
        "version": "1.0",
        "added_tokens": [],
        "normalizer": { "type": "Lowercase" },
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "post_processor": { "type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2] },
        "decoder": null,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": vocabulary,
        },
    })
}

/// Returns the tensors of the model, by name.
pub(crate) fn weights(seed: usize) -> HashMap<String, Tensor> {
    let mut state = seed as u32;
    shapes()
        .into_iter()
        .map(|(name, shape)| (name, tensor(&shape, &mut state)))
        .collect()
}

/// A tensor as a file has it.
#[derive(Clone)]
pub(crate) struct Tensor {
    pub(crate) kind: Dtype,
    pub(crate) shape: Vec<usize>,
    pub(crate) bytes: Vec<u8>,
}

impl Tensor {
    pub(crate) fn new(shape: &[usize], numbers: impl IntoIterator<Item = f32>) -> Self {
        Self {
            kind: Dtype::F32,
            shape: shape.to_vec(),
            bytes: numbers.into_iter().flat_map(f32::to_le_bytes).collect(),
        }
    }

    /// Returns the tensor with numbers of this kind, of two bytes.
    pub(crate) fn shortened(&self, kind: Dtype) -> Self {
        let numbers = self
            .bytes
            .as_chunks()
            .0
            .iter()
            .map(|&bytes| u32::from_le_bytes(bytes));
        let short = |bits: u32| {
            if kind == Dtype::BF16 {
                return (bits >> 16) as u16;
            }
            // No number is so great that its exponent leaves the range; the smallest become 0.
            let rest = (bits & 0x7fff_ffff).saturating_sub(112 << 23) >> 13;
            (bits >> 16 & 0x8000) as u16 | rest as u16
        };
        Self {
            kind,
            shape: self.shape.clone(),
            bytes: numbers.flat_map(|bits| short(bits).to_le_bytes()).collect(),
        }
    }

    fn view(&self) -> TensorView<'_> {
        TensorView::new(self.kind, self.shape.clone(), &self.bytes).unwrap()
    }
}

fn tensor(shape: &[usize], state: &mut u32) -> Tensor {
    let next = |_| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (*state >> 16) as f32 / 65_536.0 - 0.5
    };
    Tensor::new(shape, (0..shape.iter().product()).map(next))
}

fn shapes() -> Vec<(String, Vec<usize>)> {
    let mut shapes = Vec::new();
    let mut add = |name: &str, shape: &[usize]| shapes.push((name.to_owned(), shape.to_vec()));
    add("embeddings.word_embeddings.weight", &[WORDS.len(), SIZE]);
    add("embeddings.position_embeddings.weight", &[POSITIONS, SIZE]);
    add("embeddings.token_type_embeddings.weight", &[2, SIZE]);
    let linear = [
        ("attention.self.query", SIZE, SIZE),
        ("attention.self.key", SIZE, SIZE),
        ("attention.self.value", SIZE, SIZE),
        ("attention.output.dense", SIZE, SIZE),
        ("intermediate.dense", INNER, SIZE),
        ("output.dense", SIZE, INNER),
    ];
    for (name, rows, columns) in linear {
        add(&format!("encoder.layer.0.{name}.weight"), &[rows, columns]);
        add(&format!("encoder.layer.0.{name}.bias"), &[rows]);
    }
    for name in [
        "embeddings",
        "encoder.layer.0.attention.output",
        "encoder.layer.0.output",
    ] {
        add(&format!("{name}.LayerNorm.weight"), &[SIZE]);
        add(&format!("{name}.LayerNorm.bias"), &[SIZE]);
    }
    shapes
}
