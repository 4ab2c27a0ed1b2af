//! Letters of a line that are raised.

use std::borrow::Cow;

use super::runs::Placed;
use crate::superscript::superscript;

/// How much smaller than its line a raised letter is, and how far above the baseline, in multiples of the type
/// size.
const RAISED_SIZE: f64 = 0.85;
const RAISED: f64 = 0.15;

/// Returns what the letters of a line of this type size stand for: digits and signs that are raised, as notes
/// and powers are, are written as such. `4,512` with a note 1 is not 45,121.
pub(super) fn texts<'a>(letters: &[Placed<'a>], size: f64) -> Vec<Cow<'a, str>> {
    let is_small = |of: &Placed<'_>| of.letter.size < RAISED_SIZE * size;
    let baseline = letters
        .iter()
        .find(|of| !is_small(of))
        .map_or(f64::MIN, |of| of.y);
    let is_raised = |of: &Placed<'_>| is_small(of) && of.y < baseline - RAISED * size;
    let runs = letters.chunk_by(|one, other| is_raised(one) == is_raised(other));
    let texts = runs.flat_map(|run| {
        let text: String = run.iter().map(|of| &*of.letter.text).collect();
        let has_superscript = is_raised(&run[0]) && superscript(&text).is_some();
        run.iter().map(move |of| {
            let raised = has_superscript
                .then(|| superscript(&of.letter.text))
                .flatten();
            raised.map_or(Cow::Borrowed(&*of.letter.text), Cow::Owned)
        })
    });
    texts.collect()
}
