//! The functions between the matrices. They are written so that the compiler makes vector
//! instructions of them, which it cannot of those in the standard library.

use std::f32::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, LN_2, LOG2_E};

use ndarray::ArrayViewMut1;
use serde::Deserialize;

/// What a layer does to each number in its middle.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Activation {
    Gelu,
    Relu,
}

impl Activation {
    pub(super) fn of(self, number: f32) -> f32 {
        match self {
            Self::Gelu => 0.5 * number * (1.0 + error_function(number * FRAC_1_SQRT_2)),
            Self::Relu => number.max(0.0),
        }
    }
}

/// Makes numbers shares of 1, by the exponential function.
pub(super) fn softmax(mut numbers: ArrayViewMut1<f32>) {
    let greatest = numbers.fold(f32::NEG_INFINITY, |one, &other| one.max(other));
    numbers.mapv_inplace(|number| exponential(number - greatest));
    let sum = numbers.sum();
    numbers /= sum;
}

/// Gives numbers the mean 0 and the variance 1.
pub(super) fn standardize(numbers: &mut ArrayViewMut1<f32>, epsilon: f32) {
    let count = numbers.len() as f32;
    *numbers -= numbers.sum() / count;
    let variance = numbers.dot(numbers) / count;
    *numbers /= (variance + epsilon).sqrt();
}

/// Returns e to the power of a number that is not above 0, within 3e-7 of it.
///
/// The whole part of the binary exponent is put into the bits of the result, and the rest goes
/// through the Taylor polynomial of 2^x.
fn exponential(number: f32) -> f32 {
    // Added to a small number this leaves its whole part in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    let exponent = (number * LOG2_E).max(-126.0);
    let rounded = exponent + ROUND;
    let rest = exponent - (rounded - ROUND);
    let power = f32::from_bits((rounded.to_bits() << 23).wrapping_add(1.0_f32.to_bits()));
    let coefficients = [
        1.0,
        LN_2,
        0.240_226_5,
        0.055_504_11,
        0.009_618_129,
        0.001_333_355_8,
        0.000_154_035_3,
    ];
    power * polynomial(&coefficients, rest)
}

/// Returns the error function, within 4e-7.
///
/// It is x P(x²) / Q(x²), fitted by least squares with weights that even out the greatest errors.
fn error_function(number: f32) -> f32 {
    let number = number.clamp(-3.9, 3.9);
    let square = number * number;
    let above = [
        FRAC_2_SQRT_PI,
        0.191_936_26,
        0.052_966_203,
        0.003_836_640_4,
        0.000_287_446_3,
        0.000_002_050_354_4,
    ];
    let below = [
        1.0,
        0.503_430_87,
        0.114_756_16,
        0.015_108_749,
        0.001_181_666_1,
        0.000_038_229_82,
    ];
    number * polynomial(&above, square) / polynomial(&below, square)
}

/// Evaluates a polynomial, the lowest coefficient first.
fn polynomial<const COUNT: usize>(coefficients: &[f32; COUNT], at: f32) -> f32 {
    let reversed = coefficients.iter().rev();
    reversed.fold(0.0, |sum, coefficient| sum * at + coefficient)
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, array};

    use super::*;

    /// Integrates with Simpson's rule.
    fn exact_error_function(to: f64) -> f64 {
        let steps = 2000_u32;
        let width = to / f64::from(steps);
        let at = |step: u32| (-(f64::from(step) * width).powi(2)).exp();
        let factor = |step: u32| match step {
            0 => 1.0,
            _ if step == steps => 1.0,
            _ if step % 2 == 1 => 4.0,
            _ => 2.0,
        };
        let sum: f64 = (0..=steps).map(|step| factor(step) * at(step)).sum();
        sum * width / 3.0 * std::f64::consts::FRAC_2_SQRT_PI
    }

    #[test]
    fn the_error_function_is_near_its_integral() {
        for step in -600..=600_i16 {
            let number = f32::from(step) / 100.0;
            let difference =
                f64::from(error_function(number)) - exact_error_function(number.into());
            assert!(difference.abs() < 4e-7, "{difference} at {number}");
        }
    }

    #[test]
    fn the_exponential_is_near_the_exact_one() {
        for step in 0..10_000_i16 {
            let number = f32::from(step) / -100.0;
            let difference = f64::from(exponential(number)) - f64::from(number).exp();
            assert!(difference.abs() < 3e-7, "{difference} at {number}");
        }
        assert!(exponential(f32::MIN) < 1e-37);
        assert!(exponential(f32::NEG_INFINITY) < 1e-37);
    }

    #[test]
    fn softmax_makes_shares_whatever_the_size_of_the_numbers() {
        for offset in [-1e6, 0.0, 1e6] {
            let mut numbers = array![offset, offset + 1.0, offset];
            softmax(numbers.view_mut());
            let share = 1.0 / (2.0 + std::f32::consts::E);
            assert!((numbers[0] - share).abs() < 1e-6, "{numbers}");
            assert!((numbers.sum() - 1.0).abs() < 1e-6, "{numbers}");
        }
    }

    #[test]
    fn standardized_numbers_have_mean_0_and_variance_1() {
        let mut numbers = Array1::linspace(3.0_f32, 9.0, 50);
        standardize(&mut numbers.view_mut(), 1e-12);
        assert!(numbers.sum().abs() < 1e-4);
        assert!((numbers.dot(&numbers) / 50.0 - 1.0).abs() < 1e-5);
    }

    #[test]
    fn what_is_not_a_number_stays_so() {
        assert!(Activation::Gelu.of(f32::NAN).is_nan());
        let mut numbers = array![0.0, f32::NAN];
        standardize(&mut numbers.view_mut(), 1e-12);
        assert!(numbers[0].is_nan());
    }
}
