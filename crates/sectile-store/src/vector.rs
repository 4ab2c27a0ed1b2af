//! Vectors: how they are compared, and how they are written.

use sectile_core::EmbeddingModel;

use crate::{Error, Result};

/// The number of independent sums, so that the processor can compute them in parallel.
const LANES: usize = 8;

/// A question as a vector.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryVector {
    /// The model that made it.
    pub model: EmbeddingModel,
    /// The vector, of any length.
    pub vector: Vec<f32>,
}

impl QueryVector {
    /// Checks that the vectors of a collection can be compared with this one.
    pub(crate) fn check(&self, collection: &str, stored: &EmbeddingModel) -> Result<()> {
        if *stored == self.model {
            return Ok(());
        }
        Err(Error::other_model(collection, Some(stored), &self.model))
    }

    /// Returns the vector of length 1 in the same direction, with as many numbers as its model says.
    pub(crate) fn normalized(&self) -> Result<Self> {
        Ok(Self {
            model: self.model.clone(),
            vector: vector_of(&self.vector, &self.model)?,
        })
    }
}

/// Returns a vector in stored form: with length 1, and with the dimensions of its model.
///
/// # Errors
///
/// [`Error::InvalidVector`] for another number of dimensions, and errors of [`normalized`].
pub fn vector_of(vector: &[f32], model: &EmbeddingModel) -> Result<Vec<f32>> {
    let (found, wanted) = (vector.len(), model.dimensions);
    if found == wanted {
        return normalized(vector);
    }
    let name = &model.name;
    Err(Error::InvalidVector {
        reason: format!("it has {found} numbers where the model `{name}` makes {wanted}"),
    })
}

/// Returns the dot product of two vectors with the same number of dimensions. For vectors of length
/// 1, this is the cosine of the angle between them.
pub fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    let (left, left_rest) = left.as_chunks::<LANES>();
    let (right, right_rest) = right.as_chunks::<LANES>();
    for (left, right) in left.iter().zip(right) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * right[lane];
        }
    }
    let rest = left_rest.iter().zip(right_rest);
    sums.iter().sum::<f32>() + rest.map(|(left, right)| left * right).sum::<f32>()
}

/// Returns the vector of length 1 in the same direction.
///
/// # Errors
///
/// [`Error::InvalidVector`] for a vector without a direction: all zeros, or with a number that is
/// not finite.
pub fn normalized(vector: &[f32]) -> Result<Vec<f32>> {
    let square: f64 = vector.iter().map(|&value| f64::from(value).powi(2)).sum();
    let length = square.sqrt();
    if !length.is_finite() || length == 0.0 {
        return Err(Error::InvalidVector {
            reason: "it has no direction; its numbers have to be finite and not all zero".into(),
        });
    }
    let scaled = vector.iter().map(|&value| f64::from(value) / length);
    Ok(scaled.map(|value| value as f32).collect())
}

/// Returns whether a vector has length 1, within a tolerance of a twentieth for the rounding to
/// bytes.
pub fn is_normalized(vector: &[f32]) -> bool {
    let square: f64 = vector.iter().map(|&value| f64::from(value).powi(2)).sum();
    (0.95..=1.05).contains(&square.sqrt())
}

/// The encoding of the numbers of a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum VectorEncoding {
    /// Unchanged, in four bytes each.
    #[default]
    Float32,
    /// In one byte each, with one scale per vector: a quarter of the space, seven tenths of the
    /// time, and scores within a hundredth.
    Int8,
}

impl VectorEncoding {
    /// Returns the stored name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Float32 => "f32",
            Self::Int8 => "i8",
        }
    }

    /// Returns the encoding with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Float32, Self::Int8]
            .into_iter()
            .find(|encoding| encoding.name() == name)
    }

    /// Returns the size of a vector with this number of dimensions, in bytes.
    pub const fn bytes(self, dimensions: usize) -> usize {
        match self {
            Self::Float32 => dimensions * 4,
            Self::Int8 => dimensions + 4,
        }
    }

    /// Writes a vector: little-endian numbers, or a little-endian scale and the bytes that it
    /// multiplies.
    pub fn encode(self, vector: &[f32]) -> Vec<u8> {
        if self == Self::Float32 {
            return vector
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect();
        }
        let (scale, numbers) = quantized(vector);
        let mut bytes = scale.to_le_bytes().to_vec();
        bytes.extend(numbers.into_iter().map(i8::cast_unsigned));
        bytes
    }

    /// Reads a vector with this number of dimensions. Returns `None` if the number of bytes
    /// differs.
    pub fn decode(self, bytes: &[u8], dimensions: usize) -> Option<Vec<f32>> {
        let float = |bytes: &[u8; 4]| f32::from_le_bytes(*bytes);
        if bytes.len() != self.bytes(dimensions) {
            return None;
        }
        if self == Self::Float32 {
            return Some(bytes.as_chunks().0.iter().map(float).collect());
        }
        let (scale, numbers) = bytes.split_first_chunk()?;
        let scale = float(scale);
        let number = |byte: &u8| f32::from(byte.cast_signed()) * scale;
        Some(numbers.iter().map(number).collect())
    }
}

/// Vectors of one encoding, one after the other.
#[derive(Clone, Debug)]
pub struct Matrix {
    encoding: VectorEncoding,
    dimensions: usize,
    floats: Vec<f32>,
    bytes: Vec<i8>,
    scales: Vec<f32>,
}

impl Matrix {
    /// Creates an empty matrix.
    pub const fn new(encoding: VectorEncoding, dimensions: usize) -> Self {
        Self {
            encoding,
            dimensions,
            floats: Vec::new(),
            bytes: Vec::new(),
            scales: Vec::new(),
        }
    }

    /// Adds an encoded vector.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] for bytes of another length.
    pub fn push(&mut self, vector: &[u8]) -> Result<()> {
        if vector.len() != self.encoding.bytes(self.dimensions) {
            let found = vector.len();
            return Err(Error::corrupt(format!("a vector of {found} bytes")));
        }
        let float = |bytes: &[u8; 4]| f32::from_le_bytes(*bytes);
        match (self.encoding, vector.split_first_chunk()) {
            (VectorEncoding::Int8, Some((scale, numbers))) => {
                self.scales.push(float(scale));
                let numbers = numbers.iter().map(|byte| byte.cast_signed());
                self.bytes.extend(numbers);
            }
            _ => self.floats.extend(vector.as_chunks().0.iter().map(float)),
        }
        Ok(())
    }

    /// Removes all vectors and keeps the allocated memory.
    pub fn clear(&mut self) {
        self.floats.clear();
        self.bytes.clear();
        self.scales.clear();
    }

    /// Calls `scored` with the number of each requested vector, and its dot product with a query of
    /// length 1.
    pub fn score(
        &self,
        query: &[f32],
        mut is_asked: impl FnMut(usize) -> bool,
        mut scored: impl FnMut(usize, f32),
    ) {
        if query.len() != self.dimensions || query.is_empty() {
            return;
        }
        match self.encoding {
            VectorEncoding::Float32 => {
                let vectors = self.floats.chunks_exact(self.dimensions).enumerate();
                for (number, vector) in vectors.filter(|vector| is_asked(vector.0)) {
                    scored(number, dot(vector, query));
                }
            }
            VectorEncoding::Int8 => {
                let (scale, query) = quantized(query);
                let vectors = self.bytes.chunks_exact(self.dimensions).zip(&self.scales);
                let vectors = vectors.enumerate();
                for (number, (vector, of_vector)) in vectors.filter(|vector| is_asked(vector.0)) {
                    let product = dot_of_bytes(vector, &query) as f32;
                    scored(number, product * of_vector * scale);
                }
            }
        }
    }
}

/// Returns numbers in a byte each, and the scale that multiplies them.
fn quantized(vector: &[f32]) -> (f32, Vec<i8>) {
    let largest = vector
        .iter()
        .fold(0.0f32, |most, value| most.max(value.abs()));
    let scale = if largest > 0.0 { largest / 127.0 } else { 1.0 };
    // All values are at most 127 here.
    let bytes = vector.iter().map(|value| (value / scale).round() as i8);
    (scale, bytes.collect())
}

/// Returns the product of two vectors of bytes. Two products fit into sixteen bits, as no byte that is
/// written is smaller than −127.
fn dot_of_bytes(left: &[i8], right: &[i8]) -> i32 {
    let mut sums = [0i32; LANES];
    let (left, left_rest) = left.as_chunks::<{ 2 * LANES }>();
    let (right, right_rest) = right.as_chunks::<{ 2 * LANES }>();
    for (left, right) in left.iter().zip(right) {
        let product = |at: usize| i16::from(left[at]) * i16::from(right[at]);
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum += i32::from(product(lane).wrapping_add(product(lane + LANES)));
        }
    }
    let rest = left_rest.iter().zip(right_rest);
    let rest = rest.map(|(&left, &right)| i32::from(left) * i32::from(right));
    sums.iter().sum::<i32>() + rest.sum::<i32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors of length 1, the same each time.
    fn vectors(count: usize, dimensions: usize) -> Vec<Vec<f32>> {
        let mut state = 7u64;
        let mut number = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 40) as f32 / (1u64 << 24) as f32 - 0.5
        };
        let vector = |_| normalized(&(0..dimensions).map(|_| number()).collect::<Vec<_>>());
        (0..count).map(vector).collect::<Result<_>>().unwrap()
    }

    fn scores(encoding: VectorEncoding, vectors: &[Vec<f32>], query: &[f32]) -> Vec<f32> {
        let mut matrix = Matrix::new(encoding, query.len());
        for vector in vectors {
            matrix.push(&encoding.encode(vector)).unwrap();
        }
        let mut scores = Vec::new();
        let keep = |number, score| {
            assert_eq!(number, scores.len());
            scores.push(score);
        };
        matrix.score(query, |_| true, keep);
        let mut odd = Vec::new();
        matrix.score(query, |number| number % 2 == 1, |_, score| odd.push(score));
        assert!(odd.iter().eq(scores.iter().skip(1).step_by(2)));
        scores
    }

    #[test]
    fn what_is_encoded_is_decoded_and_what_is_damaged_is_no_vector() {
        let vector = &vectors(1, 384)[0];
        for encoding in [VectorEncoding::Float32, VectorEncoding::Int8] {
            let bytes = encoding.encode(vector);
            let decoded = encoding.decode(&bytes, 384).unwrap();
            assert!(is_normalized(&decoded));
            let differs = |(one, other): (&f32, &f32)| (one - other).abs() > 0.01;
            assert!(!decoded.iter().zip(vector).any(differs));
            assert_eq!(encoding.decode(&bytes, 383), None);
        }
        for damaged in [
            [f32::NAN, 0.0],
            [f32::INFINITY, 0.0],
            [0.0, 0.0],
            [9.0, 0.0],
            [0.9, 0.0],
            [0.8, 0.8],
        ] {
            assert!(!is_normalized(&damaged), "{damaged:?}");
        }
    }

    #[test]
    fn what_is_written_is_of_length_1() {
        for dimensions in [1, 2, 384, 4096] {
            // The last one says most in one number, which leaves the fewest steps for the others.
            let mut written = vectors(20, dimensions);
            let mut uneven = written[0].clone();
            uneven[0] = 1.0;
            written.push(normalized(&uneven).unwrap());
            for (vector, encoding) in written.iter().flat_map(|vector| {
                [VectorEncoding::Float32, VectorEncoding::Int8].map(|encoding| (vector, encoding))
            }) {
                let decoded = encoding.decode(&encoding.encode(vector), dimensions);
                assert!(
                    is_normalized(&decoded.unwrap()),
                    "{encoding:?}, {dimensions}"
                );
            }
        }
    }

    #[test]
    fn products_are_those_of_the_definition() {
        for dimensions in [1, 7, 8, 9, 384] {
            let vectors = vectors(20, dimensions);
            for (vector, score) in
                vectors
                    .iter()
                    .zip(scores(VectorEncoding::Float32, &vectors, &vectors[3]))
            {
                let expected: f64 = vector
                    .iter()
                    .zip(&vectors[3])
                    .map(|(left, right)| f64::from(*left) * f64::from(*right))
                    .sum();
                assert!((f64::from(score) - expected).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn bytes_are_close_to_floats() {
        let vectors = vectors(200, 384);
        let floats = scores(VectorEncoding::Float32, &vectors, &vectors[0]);
        let bytes = scores(VectorEncoding::Int8, &vectors, &vectors[0]);
        assert_eq!(VectorEncoding::Int8.encode(&vectors[0]).len(), 388);
        for (float, byte) in floats.iter().zip(bytes) {
            assert!((float - byte).abs() < 0.01, "{float} {byte}");
        }
    }

    #[test]
    fn what_has_no_direction_is_refused() {
        for vector in [
            vec![0.0; 3],
            vec![f32::NAN, 1.0],
            vec![f32::INFINITY],
            vec![],
        ] {
            assert!(matches!(
                normalized(&vector),
                Err(Error::InvalidVector { .. })
            ));
        }
        let large = normalized(&[f32::MAX, f32::MAX]).unwrap();
        assert!((dot(&large, &large) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn bytes_of_another_length_are_corrupt() {
        let mut matrix = Matrix::new(VectorEncoding::Float32, 4);
        assert!(matches!(matrix.push(&[0; 15]), Err(Error::Corrupt { .. })));
    }
}
