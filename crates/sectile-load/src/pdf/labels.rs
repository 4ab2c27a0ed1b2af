//! The labels of pages: the numbers that readers see (ISO 32000-2, 12.4.2).

use std::collections::BTreeMap;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Dict, Object, String as Bytes};

use super::objects::{catalog, decoded, name_of, number_tree};
use crate::numerals::Numerals;

/// How many characters of a prefix are kept: it is written before the number of each page.
const MAX_PREFIX: usize = 64;

/// A run of pages whose labels are counted alike.
struct Run {
    style: Option<u8>,
    prefix: String,
    first: u32,
}

/// Returns the labels of the pages by their indexes, where they are other than the numbers.
pub(super) fn read(pdf: &Pdf, pages: u32) -> BTreeMap<u32, String> {
    let root = catalog(pdf).and_then(|catalog| catalog.get::<Dict<'_>>("PageLabels"));
    let runs = root.map(runs).unwrap_or_default();
    let mut labels = BTreeMap::new();
    let mut ends = runs.keys().skip(1).copied().chain([pages]);
    for (&start, run) in &runs {
        let end = ends.next().unwrap_or(pages).min(pages);
        for index in start..end {
            let label = run.label(index - start);
            if label != (index + 1).to_string() {
                labels.insert(index, label);
            }
        }
    }
    labels
}

fn runs(root: Dict<'_>) -> BTreeMap<u32, Run> {
    let run = |(index, object)| match object {
        Object::Dict(dictionary) => Some((u32::try_from(index).ok()?, Run::new(&dictionary))),
        _ => None,
    };
    number_tree(root).into_iter().filter_map(run).collect()
}

impl Run {
    fn new(dictionary: &Dict<'_>) -> Self {
        let prefix = dictionary.get::<Bytes<'_>>("P");
        let prefix = prefix.map(|prefix| decoded(prefix.as_bytes()));
        Self {
            style: name_of(dictionary, "S").and_then(|style| style.first().copied()),
            prefix: prefix
                .unwrap_or_default()
                .chars()
                .take(MAX_PREFIX)
                .collect(),
            first: dictionary.get::<u32>("St").unwrap_or(1),
        }
    }

    /// Returns the label of the page that is `offset` pages into the run.
    fn label(&self, offset: u32) -> String {
        let number = self.first.saturating_add(offset);
        let numerals = match self.style {
            Some(b'D') => Numerals::Decimal,
            Some(b'R') => Numerals::UpperRoman,
            Some(b'r') => Numerals::LowerRoman,
            Some(b'A') => Numerals::UpperLetter,
            Some(b'a') => Numerals::LowerLetter,
            _ => Numerals::None,
        };
        format!("{}{}", self.prefix, numerals.write(number))
    }
}

#[cfg(test)]
mod tests {
    use super::super::objects::tests::file;
    use super::*;

    fn check(entries: &str, pages: u32, expected: &[&str]) {
        let catalog = format!("<</Type/Catalog/Pages 2 0 R/PageLabels<</Nums[{entries}]>>>>");
        let pdf = file(&[
            &catalog,
            "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R>>",
        ]);
        let labels = read(&pdf, pages);
        let label = |index: u32| labels.get(&index).cloned();
        let found: Vec<String> = (0..pages)
            .map(|index| label(index).unwrap_or_else(|| "-".into()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn labels_follow_their_runs() {
        check(
            "0<</S/r>>4<</S/D>>6<</S/A/St 26/P(App )>>",
            9,
            &[
                "i", "ii", "iii", "iv", "1", "2", "App Z", "App AA", "App BB",
            ],
        );
    }

    #[test]
    fn numbers_that_are_their_own_labels_are_left_out() {
        check("0<</S/D>>", 3, &["-", "-", "-"]);
        check("", 2, &["-", "-"]);
    }

    #[test]
    fn numbers_without_a_numeral_are_written_in_digits() {
        check(
            "0<</S/R/St 3999>>2<</S/a/St 0>>",
            4,
            &["MMMCMXCIX", "4000", "0", "a"],
        );
    }
}
