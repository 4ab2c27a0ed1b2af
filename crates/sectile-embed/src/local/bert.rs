//! The encoder of BERT, over texts of any length at once.
//!
//! The architecture is that of [Devlin et al. 2018](https://arxiv.org/abs/1810.04805), the names of
//! the tensors are those of Hugging Face. The tokens of all texts stand one after the other in one
//! matrix, and only attention looks at each text alone. So nothing is padded, nothing is masked, and
//! a text's vectors do not depend on its neighbours.

use candle_core::{D, DType, Device, IndexOp, Result, Tensor};
use candle_nn::ops::softmax_last_dim;
use candle_nn::{LayerNorm, Linear, Module, VarBuilder};
use serde::Deserialize;

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
    layer_norm_eps: f64,
    #[serde(default)]
    #[expect(dead_code, reason = "reading it refuses a model with another value")]
    position_embedding_type: Positions,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Activation {
    Gelu,
    #[serde(alias = "gelu_pytorch_tanh", alias = "gelu_fast")]
    GeluNew,
    Relu,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Positions {
    #[default]
    Absolute,
}

impl Configuration {
    /// Says what is wrong with sizes that no model can have.
    pub(super) fn check(&self) -> std::result::Result<(), String> {
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
    words: Tensor,
    positions: Tensor,
    norm: LayerNorm,
    layers: Vec<Layer>,
}

impl Bert {
    /// Reads the weights out of the bytes of a `safetensors` file.
    pub(super) fn load(bytes: &[u8], configuration: &Configuration) -> Result<Self> {
        let weights = VarBuilder::from_slice_safetensors(bytes, DType::F32, &Device::Cpu)?;
        let weights = match weights.contains_tensor("bert.embeddings.word_embeddings.weight") {
            true => weights.pp("bert"),
            false => weights,
        };
        let size = configuration.hidden_size;
        let embeddings = weights.pp("embeddings");
        let table = |rows, name: &str| embeddings.pp(name).get((rows, size), "weight");
        let positions = table(configuration.max_position_embeddings, "position_embeddings")?;
        let kinds = table(configuration.type_vocab_size, "token_type_embeddings")?;
        let layers = weights.pp("encoder").pp("layer");
        let layers = (0..configuration.num_hidden_layers)
            .map(|at| Layer::load(&layers.pp(at), configuration));
        Ok(Self {
            words: table(configuration.vocab_size, "word_embeddings")?,
            // Every token here is of the first kind.
            positions: positions.broadcast_add(&kinds.i(0)?)?,
            norm: norm(&embeddings.pp("LayerNorm"), configuration)?,
            layers: layers.collect::<Result<_>>()?,
        })
    }

    /// Returns a row for each token of texts that are no longer than the model has positions, text
    /// by text.
    pub(super) fn encode(&self, texts: &[Vec<u32>]) -> Result<Tensor> {
        let lengths: Vec<usize> = texts.iter().map(Vec::len).collect();
        let tokens = Tensor::new(texts.concat(), &Device::Cpu)?;
        let positions: Vec<u32> = lengths
            .iter()
            .flat_map(|&length| 0..length as u32)
            .collect();
        let positions = Tensor::new(positions, &Device::Cpu)?;
        let words = self.words.index_select(&tokens, 0)?;
        let states = (words + self.positions.index_select(&positions, 0)?)?;
        let first = self.norm.forward(&states)?;
        self.layers
            .iter()
            .try_fold(first, |states, layer| layer.forward(&states, &lengths))
    }
}

struct Layer {
    attention: Attention,
    attention_norm: LayerNorm,
    up: Linear,
    activation: Activation,
    down: Linear,
    norm: LayerNorm,
}

impl Layer {
    fn load(weights: &VarBuilder, configuration: &Configuration) -> Result<Self> {
        let (size, inner) = (configuration.hidden_size, configuration.intermediate_size);
        let attention = weights.pp("attention");
        let output = weights.pp("output");
        Ok(Self {
            attention: Attention::load(&attention, configuration)?,
            attention_norm: norm(&attention.pp("output.LayerNorm"), configuration)?,
            up: candle_nn::linear(size, inner, weights.pp("intermediate.dense"))?,
            activation: configuration.hidden_act,
            down: candle_nn::linear(inner, size, output.pp("dense"))?,
            norm: norm(&output.pp("LayerNorm"), configuration)?,
        })
    }

    fn forward(&self, states: &Tensor, lengths: &[usize]) -> Result<Tensor> {
        let attended = self.attention.forward(states, lengths)?;
        let states = self.attention_norm.forward(&(states + attended)?)?;
        let inner = self.up.forward(&states)?;
        let inner = match self.activation {
            Activation::Gelu => inner.gelu_erf(),
            Activation::GeluNew => inner.gelu(),
            Activation::Relu => inner.relu(),
        }?;
        self.norm.forward(&(states + self.down.forward(&inner)?)?)
    }
}

struct Attention {
    /// Queries, keys and values in one, the queries already divided by the root of the head's size.
    project: Linear,
    heads: usize,
    output: Linear,
}

impl Attention {
    fn load(weights: &VarBuilder, configuration: &Configuration) -> Result<Self> {
        let size = configuration.hidden_size;
        let part = |name: &str| candle_nn::linear(size, size, weights.pp("self").pp(name));
        let scale = 1.0 / (configuration.head_size() as f64).sqrt();
        let (query, key, value) = (part("query")?, part("key")?, part("value")?);
        let query = Linear::new((query.weight() * scale)?, scaled_bias(&query, scale)?);
        let parts = [&query, &key, &value];
        let biases: Vec<&Tensor> = parts.iter().filter_map(|part| part.bias()).collect();
        Ok(Self {
            project: Linear::new(
                Tensor::cat(&parts.map(Linear::weight), 0)?,
                Some(Tensor::cat(&biases, 0)?),
            ),
            heads: configuration.num_attention_heads,
            output: candle_nn::linear(size, size, weights.pp("output.dense"))?,
        })
    }

    fn forward(&self, states: &Tensor, lengths: &[usize]) -> Result<Tensor> {
        let projected = self.project.forward(states)?;
        let mut start = 0;
        let texts = lengths.iter().map(|&length| {
            let text = projected.narrow(0, start, length)?;
            start += length;
            self.attend(&text)
        });
        let texts = texts.collect::<Result<Vec<_>>>()?;
        self.output.forward(&Tensor::cat(&texts, 0)?)
    }

    /// Lets the tokens of one text attend to each other.
    fn attend(&self, text: &Tensor) -> Result<Tensor> {
        let (length, columns) = text.dims2()?;
        let head = columns / 3 / self.heads;
        let parts = text.reshape((length, 3, self.heads, head))?;
        let parts = parts.permute((1, 2, 0, 3))?.contiguous()?;
        let (query, key, value) = (parts.i(0)?, parts.i(1)?, parts.i(2)?);
        let weights = softmax_last_dim(&query.matmul(&key.t()?)?)?;
        let heads = weights.matmul(&value)?.transpose(0, 1)?;
        heads.contiguous()?.flatten_from(D::Minus2)
    }
}

fn scaled_bias(linear: &Linear, scale: f64) -> Result<Option<Tensor>> {
    linear.bias().map(|bias| bias * scale).transpose()
}

fn norm(weights: &VarBuilder, configuration: &Configuration) -> Result<LayerNorm> {
    candle_nn::layer_norm(
        configuration.hidden_size,
        configuration.layer_norm_eps,
        weights.clone(),
    )
}
