//! What words weigh as parts of German compounds.

use rustc_hash::FxHashMap;

use crate::Variant;

/// Limits the weight of a word within German compounds to that of the word itself, even where it is rarer there.
pub(super) fn limit_within(
    variants: &mut [Variant],
    chunks: impl Fn(&Variant) -> u64,
    idf: impl Fn(u64) -> f64,
) {
    let is_within = |of: &Variant| of.within_compounds().is_some();
    if !variants.iter().any(is_within) {
        return;
    }
    let words = variants.iter().filter(|of| of.terms.len() == 1);
    let held: FxHashMap<String, u64> = words.map(|of| (of.shown(), chunks(of))).collect();
    for variant in variants {
        let word = variant.within_compounds().and_then(|word| held.get(word));
        if let Some(&word) = word {
            variant.weight *= (idf(word) / idf(chunks(variant))).min(1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::variants::{PART_WEIGHT, variants_of};
    use super::*;
    use crate::{Analyzer, Language};

    #[test]
    fn a_word_in_compounds_weighs_no_more_than_the_word() {
        let weigh = |word: u64, compounds: u64| {
            let read = Analyzer::readings("Eigentum", &[Language::German]);
            let mut variants = variants_of(&read[0]);
            let chunks = |of: &Variant| match of.within_compounds() {
                Some(_) => compounds,
                None => word,
            };
            limit_within(&mut variants, chunks, |chunks| 1.0 / chunks as f64);
            let within = variants.iter().find(|of| of.within_compounds().is_some());
            // How rare it is included.
            within.unwrap().weight / compounds as f64
        };
        for (word, compounds) in [(8, 2), (2, 8), (4, 4)] {
            let share = weigh(word, compounds) * word as f64;
            assert!(share <= PART_WEIGHT, "{word} {compounds}: {share}");
        }
    }
}
