//! Numbers that begin with one of several components: a question with `2.3` also finds `2.3.1`.

use crate::Variant;

/// What words in a row count with a longer number in place of the one that was typed.
const SHARE: f64 = 0.5;

/// Adds to ways to write words in a row those with longer numbers.
pub(super) fn with_longer(mut rows: Vec<Variant>) -> Vec<Variant> {
    let longer = rows.iter().filter_map(Variant::longer_numbers);
    let longer = longer.map(|of| Variant {
        weight: of.weight * SHARE,
        part: of.part.max(1),
        ..of
    });
    let longer: Vec<Variant> = longer.collect();
    rows.extend(longer);
    rows
}

/// Returns whether a way to write a number stands for the longer numbers that begin with it.
pub(super) fn is_longer(typed: &str, variant: &Variant) -> bool {
    let number = typed.trim_start_matches(['v', 'V']);
    let is_same = |term: &String| term.strip_suffix('.') == Some(number);
    matches!(&*variant.terms, [only] if is_same(only))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_numbers_also_stand_for_longer_ones() {
        let shown = |text: &str| -> Vec<String> {
            let rows = with_longer(Variant::in_a_row(text, &[])).into_iter();
            rows.map(|of| format!("{} {}", of.shown(), of.weight))
                .collect()
        };
        assert_eq!(shown("python 3.8"), ["python 3.8 1", "python 3.8. 0.5"]);
        assert_eq!(shown("python 3"), ["python 3 1"]);
    }

    #[test]
    fn a_longer_number_begins_with_the_one_that_was_typed() {
        for (typed, term, expected) in [
            ("3.3", "3.3.", true),
            ("v3.3", "3.3.", true),
            ("3.3.1", "3.3.", false),
            ("3.3", "3.3", false),
        ] {
            let variant = Variant::exact(vec![term.to_owned()]);
            assert_eq!(is_longer(typed, &variant), expected, "{typed} {term}");
        }
    }
}
