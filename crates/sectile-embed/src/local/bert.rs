//! The encoder of BERT, over texts of any length at once.
//!
//! The architecture is that of [Devlin et al. 2018](https://arxiv.org/abs/1810.04805), the names of
//! the tensors are those of Hugging Face. The tokens of all texts stand one after the other in one
//! matrix, and only attention looks at each text alone. So nothing is padded, nothing is masked, and
//! a text's vectors do not depend on its neighbours.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, Axis, concatenate};
use serde::Deserialize;

use super::functions::{Activation, softmax, standardize};
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
    #[serde(default)]
    #[expect(dead_code, reason = "reading it refuses a model with another value")]
    position_embedding_type: Positions,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Positions {
    #[default]
    Absolute,
}

impl Configuration {
    /// Says what is wrong with sizes that no model can have.
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
        Ok(())
    }

    fn head_size(&self) -> usize {
        self.hidden_size / self.num_attention_heads
    }
}

/// A BERT encoder with its weights.
pub(super) struct Bert {
    words: Array2<f32>,
    positions: Array2<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

impl Bert {
    /// Takes the weights out of a file, or says which of them does not fit the configuration.
    pub(super) fn load(weights: &Weights, configuration: &Configuration) -> Result<Self, String> {
        let size = configuration.hidden_size;
        let table = |rows, name| weights.matrix(&format!("embeddings.{name}.weight"), rows, size);
        let positions = configuration.max_position_embeddings;
        let kinds = table(configuration.type_vocab_size, "token_type_embeddings")?;
        let layers = 0..configuration.num_hidden_layers;
        let layers = layers.map(|at| Layer::load(weights, at, configuration));
        Ok(Self {
            words: table(configuration.vocab_size, "word_embeddings")?,
            // Every token here is of the first kind.
            positions: table(positions, "position_embeddings")? + kinds.row(0),
            norm: Norm::load(weights, "embeddings", configuration)?,
            layers: layers.collect::<Result<_, String>>()?,
        })
    }

    /// Returns a row for each token, text by text. No text may have more tokens than the model has
    /// positions, and no token may be out of its vocabulary.
    pub(super) fn encode(&self, texts: &[Vec<u32>]) -> Array2<f32> {
        let lengths: Vec<usize> = texts.iter().map(Vec::len).collect();
        let mut states = Array2::zeros((lengths.iter().sum(), self.words.ncols()));
        let tokens = texts.iter().flat_map(|text| text.iter().enumerate());
        for (mut state, (position, &token)) in states.rows_mut().into_iter().zip(tokens) {
            state += &self.words.row(token as usize);
            state += &self.positions.row(position);
        }
        self.norm.apply(&mut states);
        for layer in &self.layers {
            layer.apply(&mut states, &lengths);
        }
        states
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
    fn load(weights: &Weights, at: usize, configuration: &Configuration) -> Result<Self, String> {
        let (size, inner) = (configuration.hidden_size, configuration.intermediate_size);
        let path = format!("encoder.layer.{at}");
        let (attention, output) = (format!("{path}.attention"), format!("{path}.output"));
        Ok(Self {
            attention: Attention::load(weights, &attention, configuration)?,
            attention_norm: Norm::load(weights, &format!("{attention}.output"), configuration)?,
            up: Linear::load(weights, &format!("{path}.intermediate.dense"), size, inner)?,
            activation: configuration.hidden_act,
            down: Linear::load(weights, &format!("{output}.dense"), inner, size)?,
            norm: Norm::load(weights, &output, configuration)?,
        })
    }

    fn apply(&self, states: &mut Array2<f32>, lengths: &[usize]) {
        let attended = self.attention.attend(states, lengths);
        self.attention.output.add_to(states, &attended);
        self.attention_norm.apply(states);
        let mut inner = self.up.of(states);
        inner
            .iter_mut()
            .for_each(|number| *number = self.activation.of(*number));
        self.down.add_to(states, &inner);
        self.norm.apply(states);
    }
}

struct Attention {
    /// Queries, keys and values in one, the queries already divided by the root of the head's size.
    project: Linear,
    head: usize,
    output: Linear,
}

impl Attention {
    fn load(weights: &Weights, path: &str, configuration: &Configuration) -> Result<Self, String> {
        let size = configuration.hidden_size;
        let part = |name| Linear::load(weights, &format!("{path}.self.{name}"), size, size);
        let head = configuration.head_size();
        let scale = 1.0 / (head as f32).sqrt();
        let parts = [part("query")?.scaled(scale), part("key")?, part("value")?];
        Ok(Self {
            project: Linear::joined(&parts),
            head,
            output: Linear::load(weights, &format!("{path}.output.dense"), size, size)?,
        })
    }

    /// Lets the tokens of each text attend to each other.
    fn attend(&self, states: &Array2<f32>, lengths: &[usize]) -> Array2<f32> {
        let projected = self.project.of(states);
        let mut attended = Array2::zeros(states.dim());
        let mut start = 0;
        for length in lengths {
            let rows = start..start + length;
            let text = projected.slice_axis(Axis(0), rows.clone().into());
            self.attend_in(&text, attended.slice_axis_mut(Axis(0), rows.into()));
            start += length;
        }
        attended
    }

    fn attend_in(&self, text: &ArrayView2<f32>, mut attended: ArrayViewMut2<f32>) {
        let size = attended.ncols();
        let mut scores = Array2::zeros((text.nrows(), text.nrows()));
        for start in (0..size).step_by(self.head) {
            let columns = |part: usize| part * size + start..part * size + start + self.head;
            let head = |part| text.slice_axis(Axis(1), columns(part).into());
            general_mat_mul(1.0, &head(0), &head(1).t(), 0.0, &mut scores);
            scores.rows_mut().into_iter().for_each(softmax);
            let mut attended = attended.slice_axis_mut(Axis(1), columns(0).into());
            general_mat_mul(1.0, &scores, &head(2), 0.0, &mut attended);
        }
    }
}

struct Linear {
    /// A row for each number of the result.
    weight: Array2<f32>,
    bias: Array1<f32>,
}

impl Linear {
    fn load(weights: &Weights, path: &str, from: usize, to: usize) -> Result<Self, String> {
        Ok(Self {
            weight: weights.matrix(&format!("{path}.weight"), to, from)?,
            bias: weights.vector(&format!("{path}.bias"), to)?,
        })
    }

    fn scaled(self, factor: f32) -> Self {
        Self {
            weight: self.weight * factor,
            bias: self.bias * factor,
        }
    }

    /// Returns what gives the results of all parts, one beside the other.
    fn joined(parts: &[Self; 3]) -> Self {
        let weights = parts.each_ref().map(|part| part.weight.view());
        let biases = parts.each_ref().map(|part| part.bias.view());
        let reason = "parts of one size can be joined";
        Self {
            weight: concatenate(Axis(0), &weights).expect(reason),
            bias: concatenate(Axis(0), &biases).expect(reason),
        }
    }

    fn of(&self, states: &Array2<f32>) -> Array2<f32> {
        let mut results = Array2::zeros((states.nrows(), self.bias.len()));
        self.add_to(&mut results, states);
        results
    }

    /// Adds what it makes of `from` to `to`.
    fn add_to(&self, to: &mut Array2<f32>, from: &Array2<f32>) {
        *to += &self.bias;
        general_mat_mul(1.0, from, &self.weight.t(), 1.0, to);
    }
}

struct Norm {
    weight: Array1<f32>,
    bias: Array1<f32>,
    epsilon: f32,
}

impl Norm {
    fn load(weights: &Weights, path: &str, configuration: &Configuration) -> Result<Self, String> {
        let size = configuration.hidden_size;
        Ok(Self {
            weight: weights.vector(&format!("{path}.LayerNorm.weight"), size)?,
            bias: weights.vector(&format!("{path}.LayerNorm.bias"), size)?,
            epsilon: configuration.layer_norm_eps,
        })
    }

    fn apply(&self, states: &mut Array2<f32>) {
        for mut state in states.rows_mut() {
            standardize(&mut state, self.epsilon);
            state *= &self.weight;
            state += &self.bias;
        }
    }
}
