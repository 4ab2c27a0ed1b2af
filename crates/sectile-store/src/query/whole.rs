//! A word in full, which counts more than what has less of it.

use super::variants::{PART_WEIGHT, is_compound};
use crate::Variant;

/// What a part counts of what it would beside other words, where the word is all that is asked for: a long section that has
/// the word comes before a short one with a part of it in the heading.
const PART_ALONE: f64 = 0.2;

/// Lets what has less of a word than was typed count as a part where documents have the word: the bare word of a flag, or
/// the only part of an identifier. Words with hyphens and compounds are as good as their parts.
pub(super) fn prefer_whole(
    typed: &str,
    variants: &mut [Variant],
    chunks: impl Fn(&Variant) -> u64,
) {
    let is_flag = |of: &Variant| of.terms.iter().any(|term| term.starts_with(['-', '@']));
    let has_flag = variants.iter().any(|of| is_flag(of) && chunks(of) > 0);
    let may_have_parts = !typed.contains('-') && !is_compound(typed);
    let is_held = has_flag || may_have_parts && has_whole(variants, chunks);
    let is_less = |of: &Variant| {
        if has_flag { !is_flag(of) } else { of.part > 0 }
    };
    for variant in variants.iter_mut().filter(|of| is_held && is_less(of)) {
        variant.weight = variant.weight.min(PART_WEIGHT);
        variant.part = variant.part.max(1);
    }
}

/// Lets the parts of a word that is all that is asked for count so little that what has the word comes first, if documents
/// have it.
pub(super) fn prefer_whole_alone(variants: &mut [Variant], chunks: impl Fn(&Variant) -> u64) {
    if has_whole(variants, chunks) {
        for variant in variants.iter_mut().filter(|of| of.part > 0) {
            variant.weight *= PART_ALONE;
        }
    }
}

/// Lets a flag in the other case, and longer numbers that begin with the one that was typed, count half of what was typed,
/// and never more than that however rare they are, if documents have what was typed.
pub(super) fn limit_less(
    variants: &mut [Variant],
    chunks: impl Fn(&Variant) -> u64,
    idf: impl Fn(u64) -> f64,
) {
    let Some((typed, others)) = variants.split_first_mut() else {
        return;
    };
    let held = chunks(typed);
    if held == 0 {
        return;
    }
    let most = typed.weight * idf(held);
    let longer = typed.longer_numbers().map(|of| of.terms);
    let is_less = |of: &Variant| is_other_case(typed, of) || longer.as_ref() == Some(&of.terms);
    for other in others.iter_mut().filter(|of| is_less(of)) {
        let factor = most / idf(chunks(other));
        other.weight = other.weight.min(PART_WEIGHT) * factor.min(1.0);
    }
}

/// Returns whether a flag of one letter is another one in the other case.
fn is_other_case(typed: &Variant, other: &Variant) -> bool {
    match (&*typed.terms, &*other.terms) {
        ([typed], [other]) => {
            let are_flags = typed.starts_with('-') && typed.len() == 2;
            are_flags && typed != other && typed.eq_ignore_ascii_case(other)
        }
        _ => false,
    }
}

/// Returns whether documents have a word in full.
pub(super) fn has_whole(variants: &[Variant], chunks: impl Fn(&Variant) -> u64) -> bool {
    let mut whole = variants.iter().filter(|of| of.part == 0);
    whole.any(|of| chunks(of) > 0)
}

#[cfg(test)]
mod tests {
    use super::super::variants::variants_of;
    use super::*;
    use crate::Analyzer;

    #[test]
    fn what_has_less_of_a_word_counts_half_where_documents_have_the_word() {
        for (typed, held, expected) in [
            ("--clean", "-clean", &["-clean 1", "clean 0.5"][..]),
            ("--clean", "clean", &["-clean 1", "clean 1"]),
            ("-J", "-j", &["-J 1", "-j 0.9", "j 0.5"]),
            (
                "xDestructor",
                "xdestructor",
                &["xdestructor 1", "destructor 0.5"],
            ),
            (
                "xDestructor",
                "destructor",
                &["xdestructor 1", "destructor 1"],
            ),
            ("e-mail", "email", &["email 1", "mail 1"]),
        ] {
            let mut variants = variants_of(&Analyzer::readings(typed, &[])[0]);
            prefer_whole(typed, &mut variants, |of| u64::from(of.shown() == held));
            let shown = variants.iter();
            let shown: Vec<_> = shown
                .map(|of| format!("{} {}", of.shown(), of.weight))
                .collect();
            assert_eq!(shown, expected, "{typed} {held}");
        }
    }

    #[test]
    fn a_flag_in_the_other_case_counts_half_and_no_more_for_being_rare() {
        let weights = |held: [(&str, u64); 3]| {
            let mut variants = variants_of(&Analyzer::readings("-L", &[])[0]);
            let chunks = |of: &Variant| {
                let known = held.iter().find(|(term, _)| *term == of.shown());
                known.map_or(0, |(_, chunks)| *chunks)
            };
            limit_less(&mut variants, chunks, |chunks| 1.0 / (chunks.max(1) as f64));
            let flags = variants.iter().filter(|of| of.terms[0].starts_with('-'));
            let shown = flags.map(|of| format!("{} {}", of.shown(), of.weight));
            shown.collect::<Vec<_>>()
        };
        assert_eq!(
            weights([("-L", 4), ("-l", 4), ("l", 8)]),
            ["-L 1", "-l 0.5"]
        );
        assert_eq!(
            weights([("-L", 4), ("-l", 1), ("l", 5)]),
            ["-L 1", "-l 0.125"]
        );
        assert_eq!(
            weights([("-L", 1), ("-l", 4), ("l", 5)]),
            ["-L 1", "-l 0.5"]
        );
        assert_eq!(
            weights([("-L", 0), ("-l", 1), ("l", 1)]),
            ["-L 1", "-l 0.9"]
        );
    }

    #[test]
    fn longer_numbers_count_half_and_no_more_for_being_rare() {
        let weights = |whole: u64, longer: u64| {
            let mut variants = variants_of(&Analyzer::readings("2.3", &[])[0]);
            let chunks = |of: &Variant| match &*of.terms[0] {
                "2.3" => whole,
                _ => longer,
            };
            prefer_whole("2.3", &mut variants, chunks);
            limit_less(&mut variants, chunks, |chunks| 1.0 / chunks.max(1) as f64);
            let shown = variants.iter();
            let shown = shown.map(|of| format!("{} {}", of.shown(), of.weight));
            shown.collect::<Vec<_>>()
        };
        assert_eq!(weights(4, 4), ["2.3 1", "2.3. 0.5"]);
        assert_eq!(weights(4, 1), ["2.3 1", "2.3. 0.125"]);
        assert_eq!(weights(0, 4), ["2.3 1", "2.3. 1"]);
    }

    #[test]
    fn parts_of_what_is_asked_for_alone_count_little_where_documents_have_it() {
        let weights = |held: &str| {
            let read = Analyzer::readings("v2.3.1", &[]);
            let mut variants = variants_of(&read[0]);
            prefer_whole_alone(&mut variants, |of| u64::from(of.shown() == held));
            let weights = variants.iter().map(|of| of.weight.to_string());
            weights.collect::<Vec<_>>()
        };
        assert_eq!(weights("2.3.1"), ["1", "0.2", "0.1", "0.1"]);
        assert_eq!(weights("2.3"), ["1", "1", "0.5", "0.5"]);
    }
}
