//! The functions between the matrices, by what the processor does best.

use rten_simd::{SimdOp, SimdUnaryOp};
use rten_vecmath::{Gelu, Normalize, NormalizeOptions, Softmax, Sum, SumSquareSub};
use serde::Deserialize;

use super::weights::Weights;

/// The activation function of a layer.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Activation {
    Gelu,
    Relu,
}

impl Activation {
    pub(super) fn apply(self, numbers: &mut [f32]) {
        match self {
            Self::Gelu => Gelu {}.map_mut(numbers),
            Self::Relu => numbers
                .iter_mut()
                .for_each(|number| *number = number.max(0.0)),
        }
    }
}

/// Makes numbers shares of 1, by the exponential function.
pub(super) fn softmax(numbers: &mut [f32]) {
    Softmax::new_mut(numbers).dispatch();
}

/// Gives each row the mean and the variance that were learned.
pub(super) struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

impl Norm {
    pub(super) fn load(
        weights: &Weights,
        path: &str,
        size: usize,
        epsilon: f32,
    ) -> Result<Self, String> {
        Ok(Self {
            weight: weights.numbers(&format!("{path}.LayerNorm.weight"), &[size])?,
            bias: weights.numbers(&format!("{path}.LayerNorm.bias"), &[size])?,
            epsilon,
        })
    }

    #[cfg(test)]
    pub(super) fn new(weight: Vec<f32>, bias: Vec<f32>) -> Self {
        let epsilon = 1e-12;
        Self {
            weight,
            bias,
            epsilon,
        }
    }

    /// Returns how far each column reaches as a rule: four times its deviation from its mean.
    pub(super) fn reach(&self) -> Vec<f32> {
        let columns = self.weight.iter().zip(&self.bias);
        columns
            .map(|(weight, bias)| 4.0 * weight.abs() + bias.abs())
            .collect()
    }

    pub(super) fn apply(&self, states: &mut [f32]) {
        let size = self.weight.len();
        for state in states.chunks_exact_mut(size) {
            let mean = Sum::new(state).dispatch() / size as f32;
            let variance = SumSquareSub::new(state, mean).dispatch() / size as f32;
            let options = NormalizeOptions {
                pre_scale_bias: mean,
                scale: 1.0 / (variance + self.epsilon).sqrt(),
                element_scale: Some(&self.weight),
                bias: 0.0,
                element_bias: Some(&self.bias),
            };
            Normalize::new_mut(state, options).dispatch();
        }
    }
}
