//! A BERT with one layer and eight numbers a token, in a folder that is gone after the test.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use safetensors::tensor::{Dtype, TensorView};
use sectile_embed::{Embedder, LocalEmbedder, LocalReranker, Precision, Purpose};
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

    /// Writes a cross-encoder.
    pub(crate) fn reranker(seed: usize, family: Family) -> Self {
        let tiny = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(tiny.path()).unwrap();
        tiny.write_json("config.json", &configuration());
        tiny.set(
            "config.json",
            "architectures",
            json!([family.architecture()]),
        );
        tiny.set("config.json", "id2label", json!({ "0": "LABEL_0" }));
        tiny.set("config.json", "model_type", json!(family.model_type()));
        tiny.set("config.json", "type_vocab_size", json!(family.kinds()));
        tiny.set("config.json", "pad_token_id", json!(1));
        tiny.write_json("tokenizer.json", &tokenizer());
        tiny.set("tokenizer.json", "post_processor", family.pairs());
        tiny.write_weights(&reranker_weights(seed, family));
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

    /// Opens the model in floats, which round the least.
    pub(crate) fn open(&self) -> LocalEmbedder {
        self.open_with(Precision::Float32)
    }

    pub(crate) fn open_with(&self, precision: Precision) -> LocalEmbedder {
        LocalEmbedder::open_with(self.path(), precision).unwrap()
    }

    pub(crate) fn open_reranker(&self, precision: Precision) -> LocalReranker {
        LocalReranker::open_with(self.path(), precision).unwrap()
    }
}

/// The two kinds of models, and in what they differ.
#[derive(Clone, Copy)]
pub(crate) enum Family {
    Bert,
    XlmRoberta,
}

impl Family {
    fn model_type(self) -> &'static str {
        match self {
            Self::Bert => "bert",
            Self::XlmRoberta => "xlm-roberta",
        }
    }

    fn architecture(self) -> &'static str {
        match self {
            Self::Bert => "BertForSequenceClassification",
            Self::XlmRoberta => "XLMRobertaForSequenceClassification",
        }
    }

    /// How many kinds of tokens there are.
    fn kinds(self) -> usize {
        match self {
            Self::Bert => 2,
            Self::XlmRoberta => 1,
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::Bert => "bert",
            Self::XlmRoberta => "roberta",
        }
    }

    fn head(self) -> [&'static str; 2] {
        match self {
            Self::Bert => ["bert.pooler.dense", "classifier"],
            Self::XlmRoberta => ["classifier.dense", "classifier.out_proj"],
        }
    }

    fn pairs(self) -> Value {
        let (sep, cls) = (json!(["[SEP]", 3]), json!(["[CLS]", 2]));
        match self {
            Self::Bert => json!({ "type": "BertProcessing", "sep": sep, "cls": cls }),
            Self::XlmRoberta => json!({
                "type": "RobertaProcessing", "sep": sep, "cls": cls, "trim_offsets": true,
                "add_prefix_space": true,
            }),
        }
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

/// Returns the cosine of the angle between two vectors.
pub(crate) fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let product = |one: &[f32], other: &[f32]| -> f32 {
        one.iter().zip(other).map(|(one, other)| one * other).sum()
    };
    product(one, other) / (product(one, one) * product(other, other)).sqrt()
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
    tensors(seed, shapes(2))
}

/// Returns the tensors of a cross-encoder, by name. `fixtures/make_scores.py` makes the same.
pub(crate) fn reranker_weights(seed: usize, family: Family) -> HashMap<String, Tensor> {
    let mut all = shapes(family.kinds());
    for (name, _) in &mut all {
        *name = format!("{}.{name}", family.prefix());
    }
    for (name, rows) in family.head().into_iter().zip([SIZE, 1]) {
        all.push((format!("{name}.weight"), vec![rows, SIZE]));
        all.push((format!("{name}.bias"), vec![rows]));
    }
    tensors(seed, all)
}

fn tensors(seed: usize, shapes: Vec<(String, Vec<usize>)>) -> HashMap<String, Tensor> {
    let mut state = seed as u32;
    shapes
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

fn shapes(kinds: usize) -> Vec<(String, Vec<usize>)> {
    let mut shapes = Vec::new();
    let mut add = |name: &str, shape: &[usize]| shapes.push((name.to_owned(), shape.to_vec()));
    add("embeddings.word_embeddings.weight", &[WORDS.len(), SIZE]);
    add("embeddings.position_embeddings.weight", &[POSITIONS, SIZE]);
    add("embeddings.token_type_embeddings.weight", &[kinds, SIZE]);
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
