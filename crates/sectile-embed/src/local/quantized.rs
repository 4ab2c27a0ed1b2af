//! Rows of numbers as bytes.

/// The greatest byte.
const GREATEST: f32 = 127.0;

/// Rows of numbers, a byte each, that are multiplied by the scale of their row.
pub(super) struct Quantized {
    pub(super) bytes: Vec<i8>,
    pub(super) scales: Vec<f32>,
}

impl Quantized {
    /// Takes each number to the nearest step of its row.
    pub(super) fn new(numbers: &[f32], columns: usize) -> Self {
        let rows = numbers.chunks_exact(columns);
        let scales: Vec<f32> = rows.clone().map(scale).collect();
        let mut bytes = Vec::with_capacity(numbers.len());
        for (row, scale) in rows.zip(&scales) {
            let inverse = 1.0 / scale;
            bytes.extend(
                row.iter()
                    .map(|number| low_byte(number * inverse).cast_signed()),
            );
        }
        Self { bytes, scales }
    }
}

/// Returns the lowest byte of the whole number that is nearest to a small one. Unlike `round` it is made
/// of instructions that every processor has for many numbers at once.
#[inline(always)]
pub(super) fn low_byte(number: f32) -> u8 {
    // Added to a small number this leaves its whole part in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    (number + ROUND).to_bits() as u8
}

/// Returns what a step is worth.
fn scale(row: &[f32]) -> f32 {
    let greatest = row
        .iter()
        .fold(0.0_f32, |greatest, number| greatest.max(number.abs()));
    // Where all is 0 any scale will do.
    if greatest == 0.0 {
        1.0
    } else {
        greatest / GREATEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_a_scale_of_its_own() {
        let numbers = [1.0, -0.5, 0.0, 200.0, 3.2, -100.0, 0.0, 0.0, 0.0];
        let quantized = Quantized::new(&numbers, 3);
        assert_eq!(quantized.bytes, [127, -64, 0, 127, 2, -64, 0, 0, 0]);
        assert!(quantized.scales.iter().all(|&scale| scale > 0.0));
    }
}
