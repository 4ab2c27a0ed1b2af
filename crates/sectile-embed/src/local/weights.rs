//! The tensors of a `safetensors` file.

use safetensors::tensor::{Dtype, SafeTensors, TensorView};

/// What may stand before the names of an encoder's tensors.
const PREFIXES: [&str; 2] = ["bert.", "roberta."];

/// The tensors of a file, by their names without that of the architecture.
pub(super) struct Weights<'file> {
    tensors: SafeTensors<'file>,
    prefix: &'static str,
}

impl<'file> Weights<'file> {
    /// Reads where the tensors stand, or says why there are none.
    pub(super) fn read(bytes: &'file [u8]) -> Result<Self, String> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
        let is_there = |prefix: &&str| tensors.iter().any(|(name, _)| name.starts_with(prefix));
        let prefix = PREFIXES.into_iter().find(is_there).unwrap_or_default();
        Ok(Self { tensors, prefix })
    }

    /// Returns the numbers of a tensor, row by row.
    pub(super) fn numbers(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, String> {
        let prefixed = format!("{}{name}", self.prefix);
        let tensor = self.tensors.tensor(&prefixed);
        // What is not of the encoder has no prefix.
        let tensor = tensor.or_else(|error| self.tensors.tensor(name).map_err(|_| error));
        let tensor = tensor.map_err(|error| error.to_string())?;
        if tensor.shape() != shape {
            let found = tensor.shape();
            return Err(format!("`{name}` has the shape {found:?}, not {shape:?}"));
        }
        let numbers = read(&tensor).ok_or_else(|| {
            let found = tensor.dtype();
            format!("`{name}` has numbers of the type {found}, not F32, F16 or BF16")
        })?;
        if numbers.iter().all(|number| number.is_finite()) {
            return Ok(numbers);
        }
        Err(format!("`{name}` has numbers that are not finite"))
    }
}

fn read(tensor: &TensorView) -> Option<Vec<f32>> {
    let bytes = tensor.data();
    let halves = || {
        bytes
            .as_chunks()
            .0
            .iter()
            .map(|&bytes| u16::from_le_bytes(bytes))
    };
    match tensor.dtype() {
        Dtype::F32 => Some(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| f32::from_le_bytes(bytes))
                .collect(),
        ),
        Dtype::F16 => Some(halves().map(half).collect()),
        Dtype::BF16 => Some(
            halves()
                .map(|bits| f32::from_bits(u32::from(bits) << 16))
                .collect(),
        ),
        _ => None,
    }
}

/// Returns the number of these bits in the half precision of IEEE 754.
fn half(bits: u16) -> f32 {
    let (sign, rest) = (u32::from(bits & 0x8000) << 16, u32::from(bits & 0x7fff));
    if rest >= 0x7c00 {
        return f32::NAN;
    }
    // The exponent of the one type is 112 more than that of the other; multiplying moves it there for
    // the smallest numbers too, which have none.
    let number = f32::from_bits(rest << 13) * f32::from_bits((127 + 112) << 23);
    f32::from_bits(number.to_bits() | sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "every half is exactly a float")]
    fn halves_are_read() {
        let examples = [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x7bff, 65504.0),
            (0x0001, 2.0_f32.powi(-24)),
            (0x83ff, -1023.0 * 2.0_f32.powi(-24)),
        ];
        for (bits, number) in examples {
            assert_eq!(half(bits), number);
        }
        assert!(half(0x7c00).is_nan());
    }
}
