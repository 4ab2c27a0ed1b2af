//! The encoder of BERT, over texts of any length at once.
//!
//! The architecture is that of [Devlin et al. 2018](https://arxiv.org/abs/1810.04805), the names of
//! the tensors are those of Hugging Face. The tokens of all texts stand one after the other in one
//! matrix, and only attention looks at each text alone. So nothing is padded, nothing is masked, and
//! a text's vectors do not depend on its neighbours.

use rten_tensor::{Matrix, MatrixLayout};
use serde::Deserialize;

use super::functions::{Activation, Norm, softmax};
use super::linear::{Linear, Precision, multiply, rows};
use super::tokens::TokenizedText;
use super::weights::Weights;

/// The sizes of a model, by the names of `config.json`.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Configuration {
    pub(super) vocab_size: usize,
    pub(super) hidden_size: usize,
    pub(super) max_position_embeddings: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    type_vocab_size: usize,
    hidden_act: Activation,
    layer_norm_eps: f32,
    model_type: ModelType,
    /// `RoBERTa` counts positions from the one after this.
    pad_token_id: Option<usize>,
    #[serde(default)]
    #[expect(dead_code, reason = "reading it refuses a model with another value")]
    position_embedding_type: Positions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ModelType {
    Bert,
    Roberta,
    XlmRoberta,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Positions {
    #[default]
    Absolute,
}

impl Configuration {
    /// Refuses impossible sizes.
    pub(super) fn check(&self) -> Result<(), String> {
        let sizes = [
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("max_position_embeddings", self.max_position_embeddings),
            ("num_hidden_layers", self.num_hidden_layers),
            ("num_attention_heads", self.num_attention_heads),
            ("intermediate_size", self.intermediate_size),
            ("type_vocab_size", self.type_vocab_size),
        ];
        if let Some((name, _)) = sizes.iter().find(|(_, size)| *size == 0) {
            return Err(format!("`{name}` must not be 0"));
        }
        if !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            return Err("`num_attention_heads` must divide `hidden_size`".to_owned());
        }
        if self.positions() == 0 {
            return Err("`max_position_embeddings` must be above `pad_token_id` + 1".to_owned());
        }
        Ok(())
    }

    pub(super) fn is_roberta(&self) -> bool {
        self.model_type != ModelType::Bert
    }

    /// Returns the most tokens that a text can have.
    pub(super) fn positions(&self) -> usize {
        self.max_position_embeddings
            .saturating_sub(self.first_position())
    }

    fn first_position(&self) -> usize {
        if self.is_roberta() {
            self.pad_token_id.unwrap_or(1).saturating_add(1)
        } else {
            0
        }
    }

    fn head_size(&self) -> usize {
        self.hidden_size / self.num_attention_heads
    }
}

/// A BERT encoder with its weights.
pub(super) struct Bert {
    size: usize,
    words: Vec<f32>,
    positions: Vec<f32>,
    kinds: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

impl Bert {
    /// Reads the weights from a file, or returns which of them does not match the configuration.
    pub(super) fn load(
        weights: &Weights,
        configuration: &Configuration,
        precision: Precision,
    ) -> Result<Self, String> {
        let size = configuration.hidden_size;
        let table =
            |rows, name| weights.numbers(&format!("embeddings.{name}.weight"), &[rows, size]);
        let mut positions = table(configuration.max_position_embeddings, "position_embeddings")?;
        positions.drain(..configuration.first_position() * size);
        let norm = Norm::load(weights, "embeddings", size, configuration.layer_norm_eps)?;
        let mut layers: Vec<Layer> = Vec::new();
        for at in 0..configuration.num_hidden_layers {
            let before = layers.last().map_or(&norm, |layer| &layer.norm);
            layers.push(Layer::load(weights, at, configuration, precision, before)?);
        }
        Ok(Self {
            size,
            words: table(configuration.vocab_size, "word_embeddings")?,
            positions,
            kinds: table(configuration.type_vocab_size, "token_type_embeddings")?,
            norm,
            layers,
        })
    }

    /// Returns a row for each token, text by text. No text may have more tokens than the model has
    /// positions, and no token may be out of its vocabulary.
    pub(super) fn encode(&self, texts: &[TokenizedText]) -> Vec<f32> {
        let lengths: Vec<usize> = texts.iter().map(TokenizedText::len).collect();
        let mut states = vec![0.0; lengths.iter().sum::<usize>() * self.size];
        if states.is_empty() {
            return states;
        }
        let mut rows = states.chunks_exact_mut(self.size);
        for text in texts {
            let tokens = text.tokens.iter().zip(&text.kinds).enumerate();
            for ((position, (&token, &kind)), state) in tokens.zip(&mut rows) {
                self.embed(state, token, position, kind);
            }
        }
        self.norm.apply(&mut states);
        for layer in &self.layers {
            layer.apply(&mut states, &lengths);
        }
        states
    }

    /// Adds up what a token is, where it stands and in which of two texts.
    fn embed(&self, state: &mut [f32], token: u32, position: usize, kind: u32) {
        // Models without kinds have one row for all.
        let kind = (kind as usize).min(self.kinds.len() / self.size - 1);
        add(state, row(&self.words, token as usize, self.size));
        add(state, row(&self.positions, position, self.size));
        add(state, row(&self.kinds, kind, self.size));
    }
}

fn row(table: &[f32], at: usize, size: usize) -> &[f32] {
    &table[at * size..(at + 1) * size]
}

fn add(to: &mut [f32], from: &[f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from;
    }
}

struct Layer {
    attention: Attention,
    attention_norm: Norm,
    up: Linear,
    activation: Activation,
    down: Linear,
    norm: Norm,
}

impl Layer {
    fn load(
        weights: &Weights,
        at: usize,
        configuration: &Configuration,
        precision: Precision,
        before: &Norm,
    ) -> Result<Self, String> {
        let (size, inner) = (configuration.hidden_size, configuration.intermediate_size);
        let path = format!("encoder.layer.{at}");
        let (attention, output) = (format!("{path}.attention"), format!("{path}.output"));
        let norm = |path: &str| Norm::load(weights, path, size, configuration.layer_norm_eps);
        let attention_norm = norm(&format!("{attention}.output"))?;
        let up = format!("{path}.intermediate.dense");
        let up = Linear::load(
            weights,
            &[&up],
            [size, inner],
            precision,
            Some(&attention_norm),
        )?;
        Ok(Self {
            attention: Attention::load(weights, &attention, configuration, precision, before)?,
            attention_norm,
            up,
            activation: configuration.hidden_act,
            down: Linear::load(
                weights,
                &[&format!("{output}.dense")],
                [inner, size],
                precision,
                None,
            )?,
            norm: norm(&output)?,
        })
    }

    fn apply(&self, states: &mut [f32], lengths: &[usize]) {
        add(states, &self.attention.of(states, lengths));
        self.attention_norm.apply(states);
        let inner = self.up.of(states, |row| self.activation.apply(row));
        add(states, &self.down.of(&inner, |_| ()));
        self.norm.apply(states);
    }
}

struct Attention {
    /// Queries, keys and values in one.
    project: Linear,
    size: usize,
    head: usize,
    output: Linear,
}

impl Attention {
    fn load(
        weights: &Weights,
        path: &str,
        configuration: &Configuration,
        precision: Precision,
        before: &Norm,
    ) -> Result<Self, String> {
        let size = configuration.hidden_size;
        let parts = ["query", "key", "value"].map(|part| format!("{path}.self.{part}"));
        let parts = parts.each_ref().map(String::as_str);
        let output = format!("{path}.output.dense");
        Ok(Self {
            project: Linear::load(weights, &parts, [size, size], precision, Some(before))?,
            size,
            head: configuration.head_size(),
            output: Linear::load(weights, &[&output], [size, size], precision, None)?,
        })
    }

    /// Lets the tokens of each text attend to each other.
    fn of(&self, states: &[f32], lengths: &[usize]) -> Vec<f32> {
        // With this the products of queries and keys do not grow with the size of the head.
        let scale = 1.0 / (self.head as f32).sqrt();
        let scale_queries = |row: &mut [f32]| {
            row[..self.size]
                .iter_mut()
                .for_each(|number| *number *= scale);
        };
        let projected = self.project.of(states, scale_queries);
        let mut attended = vec![0.0; states.len()];
        let (mut from, mut to) = (&projected[..], &mut attended[..]);
        for length in lengths {
            let (text, after) = from.split_at(length * 3 * self.size);
            let (results, rest) = to.split_at_mut(length * self.size);
            self.attend(text, results);
            (from, to) = (after, rest);
        }
        self.output.of(&attended, |_| ())
    }

    fn attend(&self, text: &[f32], attended: &mut [f32]) {
        let text = rows(text, 3 * self.size);
        let length = text.rows();
        if length == 0 {
            return;
        }
        let mut scores = vec![0.0; length * length];
        let mut mixed = vec![0.0; length * self.head];
        for start in (0..self.size).step_by(self.head) {
            let part = |part: usize| part * self.size + start..part * self.size + start + self.head;
            let part = |at| -> Matrix<f32> { text.slice((.., part(at))) };
            multiply(&mut scores, part(0), part(1).transposed());
            scores.chunks_exact_mut(length).for_each(softmax);
            multiply(&mut mixed, rows(&scores, length), part(2));
            let results = attended.chunks_exact_mut(self.size);
            for (result, mixed) in results.zip(mixed.chunks_exact(self.head)) {
                result[start..start + self.head].copy_from_slice(mixed);
            }
        }
    }
}
