//! The widths of letters of simple fonts: those of damaged lists, and whether they are those of a typewriter.

use std::ops::RangeInclusive;

use hayro_syntax::object::dict::keys::{FIRST_CHAR, LAST_CHAR, WIDTHS};
use hayro_syntax::object::{Array, Dict, Object};

/// The highest code of a simple font.
const LAST_CODE: usize = 255;

/// How many letters of a typewriter a font has at least (all fonts have digits of one width), how wide these are (letters beside
/// Chinese ones are half as wide as high), and how much their widths may differ, in thousandths of the type size.
const MIN_TYPED: usize = 20;
const TYPED: RangeInclusive<f64> = 510.0..=650.0;
const SAME: f64 = 2.0;

/// Returns whether a simple font lists many letters, which are all as wide: TeX says of no font that its pitch is fixed.
pub(super) fn are_of_typewriter(font: &Dict<'_>) -> bool {
    let Some(listed) = font.get::<Array<'_>>(WIDTHS) else {
        return false;
    };
    let (mut count, mut least, mut most) = (0, f64::MAX, 0.0_f64);
    for width in listed.iter::<Object<'_>>().take(LAST_CODE + 1) {
        let Object::Number(width) = width else {
            return false;
        };
        let width = width.as_f64();
        if width > 0.0 {
            count += 1;
            least = least.min(width);
            most = most.max(width);
        }
    }
    count >= MIN_TYPED && TYPED.contains(&least) && TYPED.contains(&most) && most - least < SAME
}

/// The widths of some letters.
pub(super) struct Widths {
    first: usize,
    /// In multiples of the type size.
    widths: Vec<f64>,
}

impl Widths {
    /// Returns the widths that a simple font lists, if some of them are not numbers, or it does not say of which codes
    /// they are. A width that is not a number is as wide as the others are on average.
    pub(super) fn of_damaged_font(font: &Dict<'_>) -> Option<Self> {
        let listed = font.get::<Array<'_>>(WIDTHS)?;
        let listed = listed.iter::<Object<'_>>().take(LAST_CODE + 1);
        let listed: Vec<Option<f64>> = listed
            .map(|width| match width {
                Object::Number(width) => Some(width.as_f64() / 1_000.0),
                _ => None,
            })
            .collect();
        let code = |key: &[u8]| font.get::<usize>(key).filter(|code| *code <= LAST_CODE);
        let (first, last) = (code(FIRST_CHAR), code(LAST_CHAR));
        let known = || listed.iter().flatten();
        let count = known().count();
        let is_whole = count == listed.len() && first.is_some() && last.is_some();
        if is_whole || count == 0 {
            return None;
        }
        let mean = known().sum::<f64>() / count as f64;
        let to_last = last.and_then(|last| (last + 1).checked_sub(listed.len()));
        Some(Self {
            first: first.or(to_last).unwrap_or(0),
            widths: listed.iter().map(|width| width.unwrap_or(mean)).collect(),
        })
    }

    /// Returns the width of the letter of a code, in multiples of the type size.
    pub(super) fn of(&self, code: u32) -> Option<f64> {
        let index = usize::try_from(code).ok()?.checked_sub(self.first)?;
        self.widths.get(index).copied()
    }
}
