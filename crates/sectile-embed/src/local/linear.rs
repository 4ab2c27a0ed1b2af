//! Products of the tokens' numbers with a model's matrices, in floats or in bytes.
//!
//! In bytes each part of a row of a matrix has its own scale, and each part of a token's numbers is given its own
//! when they arrive, with the byte that stands for 0. The sums of the products of a part are exact. An activation
//! function leaves few great numbers among many small ones, and these make only the parts coarse in which they are.
//!
//! Few of the numbers that a normalization gives a token are much greater than the rest, and always the same
//! ones; they would leave the rest few steps. So these columns are made smaller, and the matrix greater
//! there, as [Xiao et al. 2022](https://arxiv.org/abs/2211.10438) do, but by what the normalization has
//! learned in place of numbers that were seen.

use std::borrow::Cow;
use std::ops::Range;

use rten_gemm::{
    BiasVector, GemmExecutor, GemmInputA, GemmInputB, GemmOptions, GemmUninitOptions, PackedBMatrix,
};
use rten_simd::{Isa, SimdOp};
use rten_tensor::{Matrix, MatrixLayout, NdTensorView};
use rten_vecmath::{ExtendInit, MinMax};

use super::functions::Norm;
use super::quantized::{Quantized, low_byte};
use super::weights::Weights;

/// The precision of matrix products of a model in this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Bytes: weights and activations. It is nearly twice as fast as floats if the processor has byte dot
    /// products (VNNI, or those of ARM), and uses less memory. Its vectors differ from those of floats by an
    /// angle of a few degrees.
    Int8,
    /// Four-byte floats, as models are published.
    #[default]
    Float32,
}

impl Precision {
    /// Returns what sets the names of models apart whose results are not the same.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Int8 => "-int8",
            Self::Float32 => "",
        }
    }
}

/// If all numbers are 0, any scale with a finite inverse works.
const SMALLEST_RANGE: f32 = 1e-30;

const FITS: &str = "the sizes are those of the model";

thread_local! {
    // What this processor does best. Neither may go from one thread to another.
    static FLOATS: GemmExecutor = GemmExecutor::new();
    static BYTES: GemmExecutor<u8, i8, i32> = GemmExecutor::new();
}

/// Writes the product of two matrices, row by row.
pub(super) fn multiply(results: &mut [f32], left: Matrix<f32>, right: Matrix<f32>) {
    let (left, right) = (GemmInputA::Unpacked(left), GemmInputB::Unpacked(right));
    let options = GemmOptions::default();
    FLOATS
        .with(|floats| floats.gemm(results, left, right, options))
        .expect(FITS);
}

/// Sees numbers as rows of this many.
pub(super) fn rows<T>(numbers: &[T], columns: usize) -> Matrix<'_, T> {
    NdTensorView::from_data([numbers.len() / columns, columns], numbers)
}

/// How many numbers of a row or a token share a scale at most.
const PART: usize = 192;

/// A matrix in bytes.
struct ByteMatrix {
    /// What the columns of tokens are multiplied with first, if anything.
    balance: Option<Vec<f32>>,
    parts: Vec<BytePart>,
}

/// The part of a matrix that is multiplied with some of the numbers of each token.
struct BytePart {
    /// The places of these numbers in a token.
    of: Range<usize>,
    /// The matrices whose sum the part is: itself, or its halves.
    packed: Vec<PackedBMatrix<i8>>,
    /// What a step of each column is worth.
    scales: Vec<f32>,
    /// The sum of each column.
    sums: Vec<i32>,
}

/// A matrix and what is added to its products.
pub(super) struct Linear {
    from: usize,
    weight: Weight,
    bias: Vec<f32>,
}

enum Weight {
    Floats(PackedBMatrix<f32>),
    Bytes(ByteMatrix),
}

impl Linear {
    /// Reads matrices from a file, and puts them side by side. If a normalization is named, the input
    /// comes from it.
    pub(super) fn load(
        weights: &Weights,
        paths: &[&str],
        [from, to]: [usize; 2],
        precision: Precision,
        norm: Option<&Norm>,
    ) -> Result<Self, String> {
        let (mut weight, mut bias) = (Vec::new(), Vec::new());
        for path in paths {
            weight.extend(weights.numbers(&format!("{path}.weight"), &[to, from])?);
            bias.extend(weights.numbers(&format!("{path}.bias"), &[to])?);
        }
        Ok(Self {
            from,
            weight: Weight::new(weight, from, precision, norm),
            bias,
        })
    }

    /// Returns what `finish` makes of the results of each row of `states`.
    pub(super) fn of(&self, states: &[f32], finish: impl Fn(&mut [f32])) -> Vec<f32> {
        match &self.weight {
            Weight::Floats(packed) => self.of_floats(states, packed, finish),
            Weight::Bytes(matrix) => self.of_bytes(states, matrix, finish),
        }
    }

    fn of_floats(
        &self,
        states: &[f32],
        packed: &PackedBMatrix<f32>,
        finish: impl Fn(&mut [f32]),
    ) -> Vec<f32> {
        let states = GemmInputA::Unpacked(rows(states, self.from));
        let packed = GemmInputB::Packed(packed);
        let mut results = Vec::with_capacity(states.rows() * self.width());
        results.extend_init(|spare| {
            let options = GemmUninitOptions {
                bias: Some(BiasVector::Row(&self.bias)),
                ..GemmUninitOptions::default()
            };
            let spare = &mut spare[..states.rows() * self.width()];
            let made = FLOATS.with(|gemm| gemm.gemm_uninit(spare, states, packed, options));
            made.expect(FITS)
        });
        results.chunks_exact_mut(self.width()).for_each(finish);
        results
    }

    fn of_bytes(
        &self,
        states: &[f32],
        matrix: &ByteMatrix,
        finish: impl Fn(&mut [f32]),
    ) -> Vec<f32> {
        let states = match &matrix.balance {
            Some(balance) => Cow::Owned(balanced(states, balance)),
            None => Cow::Borrowed(states),
        };
        let mut results = vec![0.0; states.len() / self.from * self.width()];
        for (at, part) in (1..).zip(&matrix.parts) {
            let bytes = Bytes::new(states.chunks_exact(self.from), &part.of);
            let sums = part.sums(rows(&bytes.bytes, part.of.len()));
            let rows = sums.chunks_exact(self.width()).zip(&bytes.rows);
            for ((sums, row), results) in rows.zip(results.chunks_exact_mut(self.width())) {
                if at == 1 {
                    results.copy_from_slice(&self.bias);
                }
                Scale {
                    row,
                    part,
                    sums,
                    results,
                }
                .dispatch();
                if at == matrix.parts.len() {
                    finish(results);
                }
            }
        }
        results
    }

    fn width(&self) -> usize {
        self.bias.len()
    }
}

impl ByteMatrix {
    /// Takes the columns of a matrix; `from` is the length of a column.
    fn new(columns: &[f32], from: usize, balance: Option<Vec<f32>>) -> Self {
        let is_in_halves = BYTES.with(GemmExecutor::may_saturate);
        let parts = (0..from).step_by(PART).map(|start| {
            let of = start..from.min(start + PART);
            let part = columns
                .chunks_exact(from)
                .flat_map(|column| &column[of.clone()]);
            BytePart::new(&part.copied().collect::<Vec<f32>>(), of, is_in_halves)
        });
        Self {
            balance,
            parts: parts.collect(),
        }
    }
}

impl BytePart {
    /// Takes the parts of the columns.
    ///
    /// Processors before VNNI keep the sum of two products in sixteen bits, which holds those of two bytes
    /// of tokens with bytes up to 64. For these the matrix is made of halves, and results are the same on
    /// every processor.
    fn new(columns: &[f32], of: Range<usize>, is_in_halves: bool) -> Self {
        let Quantized { bytes, scales } = Quantized::new(columns, of.len());
        let sum = |column: &[i8]| column.iter().copied().map(i32::from).sum();
        let sums = bytes.chunks_exact(of.len()).map(sum).collect();
        let addends = if is_in_halves {
            let half: Vec<i8> = bytes.iter().map(|byte| byte / 2).collect();
            let rest = bytes.iter().zip(&half).map(|(byte, half)| byte - half);
            vec![rest.collect(), half]
        } else {
            vec![bytes]
        };
        let pack =
            |bytes: &Vec<i8>| BYTES.with(|gemm| gemm.prepack_b(rows(bytes, of.len()).transposed()));
        Self {
            packed: addends.iter().map(pack).collect(),
            of,
            scales,
            sums,
        }
    }

    /// Returns the sums of the products of each row with each column.
    fn sums(&self, states: Matrix<u8>) -> Vec<i32> {
        let mut sums = vec![0; states.rows() * self.scales.len()];
        for packed in &self.packed {
            let (states, packed) = (GemmInputA::Unpacked(states), GemmInputB::Packed(packed));
            let options = GemmOptions {
                beta: 1,
                ..GemmOptions::default()
            };
            let added = BYTES.with(|gemm| gemm.gemm(&mut sums, states, packed, options));
            added.expect(FITS);
        }
        sums
    }
}

impl Weight {
    fn new(weight: Vec<f32>, from: usize, precision: Precision, norm: Option<&Norm>) -> Self {
        match precision {
            Precision::Float32 => {
                let weight = rows(&weight, from);
                Self::Floats(FLOATS.with(|floats| floats.prepack_b(weight.transposed())))
            }
            Precision::Int8 => {
                let balance = norm.map(|norm| balance(&weight, &norm.reach()));
                let factors = balance.iter().flatten().map(|factor| 1.0 / factor);
                let factors: Vec<f32> = factors.collect();
                let weight = match balance {
                    Some(_) => balanced(&weight, &factors),
                    None => weight,
                };
                Self::Bytes(ByteMatrix::new(&weight, from, balance))
            }
        }
    }
}

/// Returns what the columns of tokens are multiplied with, so that those reach as far as the columns of the
/// matrix that they meet.
fn balance(weight: &[f32], reach: &[f32]) -> Vec<f32> {
    let mut greatest = vec![SMALLEST_RANGE; reach.len()];
    for row in weight.chunks_exact(reach.len()) {
        for (greatest, number) in greatest.iter_mut().zip(row) {
            *greatest = greatest.max(number.abs());
        }
    }
    let columns = greatest.into_iter().zip(reach);
    columns
        .map(|(of_weight, of_tokens)| (of_weight / of_tokens.max(SMALLEST_RANGE)).sqrt())
        .collect()
}

/// Multiplies each column of numbers with its factor.
fn balanced(numbers: &[f32], factors: &[f32]) -> Vec<f32> {
    let rows = numbers.chunks_exact(factors.len());
    let products = rows.flat_map(|row| row.iter().zip(factors).map(|(number, by)| number * by));
    products.collect()
}

/// The numbers of tokens as bytes.
struct Bytes {
    bytes: Vec<u8>,
    rows: Vec<Row>,
}

/// The scale and the sum of a row of bytes.
struct Row {
    scale: f32,
    /// The byte that stands for 0.
    zero: u8,
}

impl Bytes {
    /// Takes some of the numbers of each token.
    fn new<'s>(tokens: impl ExactSizeIterator<Item = &'s [f32]>, of: &Range<usize>) -> Self {
        let mut made = Self {
            bytes: Vec::with_capacity(tokens.len() * of.len()),
            rows: Vec::with_capacity(tokens.len()),
        };
        tokens.for_each(|token| made.push(&token[of.clone()]));
        made
    }

    fn push(&mut self, numbers: &[f32]) {
        let row = Row::new(numbers);
        Round {
            row: &row,
            numbers,
            bytes: &mut self.bytes,
        }
        .dispatch();
        self.rows.push(row);
    }
}

impl Row {
    /// Spreads the bytes over the numbers and 0.
    fn new(numbers: &[f32]) -> Self {
        let (least, greatest) = MinMax::new(numbers).dispatch();
        if least > greatest {
            // None of them is a number, so no result is one.
            return Self {
                scale: f32::NAN,
                zero: 0,
            };
        }
        let (least, greatest) = (least.min(0.0), greatest.max(0.0));
        let scale = (greatest - least).max(SMALLEST_RANGE) / 255.0;
        #[expect(clippy::cast_sign_loss, reason = "the least is not above 0")]
        let zero = (-least / scale).round() as u8;
        Self { scale, zero }
    }
}

// The compiler makes of the two loops below what the processor has, as they are part of what is
// dispatched.

/// Quantizes a row.
struct Round<'r> {
    row: &'r Row,
    numbers: &'r [f32],
    bytes: &'r mut Vec<u8>,
}

impl SimdOp for Round<'_> {
    type Output = ();

    #[expect(
        clippy::inline_always,
        reason = "what is compiled for a processor has to stand within what asks for it"
    )]
    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        let (inverse, zero) = (1.0 / self.row.scale, f32::from(self.row.zero));
        let steps = self.numbers.iter().map(|number| number * inverse + zero);
        self.bytes
            .extend(steps.map(|step| low_byte(step.clamp(0.0, 255.0))));
    }
}

/// Adds to the results of a row what follows from the sums of its products.
struct Scale<'r> {
    row: &'r Row,
    part: &'r BytePart,
    sums: &'r [i32],
    results: &'r mut [f32],
}

impl SimdOp for Scale<'_> {
    type Output = ();

    #[expect(
        clippy::inline_always,
        reason = "what is compiled for a processor has to stand within what asks for it"
    )]
    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        let (scale, zero) = (self.row.scale, i32::from(self.row.zero));
        let columns = self.part.scales.iter().zip(&self.part.sums);
        let columns = self.sums.iter().zip(columns);
        for (result, (sum, (step, of_zero))) in self.results.iter_mut().zip(columns) {
            *result += (sum - zero * of_zero) as f32 * (scale * step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_a_normalization_makes_great_does_not_make_the_others_coarse() {
        let (from, to, great) = (96, 40, 50.0);
        let mut gains = vec![1.0; from];
        gains[17] = great;
        let norm = Norm::new(gains.clone(), vec![0.0; from]);
        let weight: Vec<f32> = (0..from * to).map(|at| (at as f32 * 0.7).sin()).collect();
        let tokens = (0..7 * from).map(|at| (at as f32 * 1.3).sin() * gains[at % from]);
        let tokens: Vec<f32> = tokens.collect();
        let product = |precision, norm| {
            let linear = Linear {
                from,
                weight: Weight::new(weight.clone(), from, precision, norm),
                bias: vec![0.0; to],
            };
            linear.of(&tokens, |_| {})
        };
        let expected = product(Precision::Float32, None);
        let error = |norm| {
            let products = product(Precision::Int8, norm);
            let both = products.iter().zip(&expected);
            both.map(|(one, other)| (one - other).abs()).sum::<f32>()
        };
        let (balanced, plain) = (error(Some(&norm)), error(None));
        assert!(balanced < plain / 2.0, "{balanced} {plain}");
    }

    #[test]
    fn a_great_number_makes_only_its_part_coarse() {
        let (from, to) = (2 * PART + 100, 40);
        let great = PART..2 * PART;
        let mut weight: Vec<f32> = (0..from * to).map(|at| (at as f32 * 0.7).sin()).collect();
        let mut token: Vec<f32> = (0..from).map(|at| (at as f32 * 1.3).sin() * 0.1).collect();
        token[PART + 3] = 50.0;
        // Nothing but the other parts is seen in the results.
        for row in weight.chunks_exact_mut(from) {
            row[great.clone()].fill(0.0);
        }
        let product = |precision| {
            let linear = Linear {
                from,
                weight: Weight::new(weight.clone(), from, precision, None),
                bias: vec![1.0; to],
            };
            linear.of(&token, |row| row[0] *= 2.0)
        };
        let (bytes, floats) = (product(Precision::Int8), product(Precision::Float32));
        // Half a step of each number and of each weight, and the first is doubled.
        let seen = (from - PART) as f32;
        let bound = 2.0 * (seen * 0.1 / 255.0 + seen * 0.1 / 254.0);
        for (one, other) in bytes.iter().zip(&floats) {
            assert!((one - other).abs() < bound, "{one} {other}");
        }
    }

    #[test]
    fn halves_of_a_matrix_give_the_sums_of_the_whole() {
        let (from, to, tokens) = (96, 40, 7);
        let weight: Vec<f32> = (0..from * to).map(|at| (at as f32 * 0.7).sin()).collect();
        let states: Vec<u8> = (0..tokens * from).map(|at| (at * 37 % 256) as u8).collect();
        let sums =
            |is_in_halves| BytePart::new(&weight, 0..from, is_in_halves).sums(rows(&states, from));
        let halves = sums(true);
        assert_eq!(halves.len(), tokens * to);
        let Quantized { bytes, .. } = Quantized::new(&weight, from);
        for (row, token) in states.chunks_exact(from).enumerate() {
            for (column, weights) in bytes.chunks_exact(from).enumerate() {
                let products = token.iter().zip(weights);
                let sum: i32 = products.map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
                assert_eq!(halves[row * to + column], sum);
            }
        }
        if !BYTES.with(GemmExecutor::may_saturate) {
            assert_eq!(sums(false), halves);
        }
    }
}
