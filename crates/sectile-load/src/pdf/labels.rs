//! The labels of pages: the numbers that readers see (ISO 32000-2, 12.4.2).

use std::collections::BTreeMap;

use lopdf::{Dictionary, Document, Object, decode_text_string};

use super::objects::{follow, get, number_tree};

/// How long a label of letters may get: `zzz` is the 78th page.
const MAX_REPEATS: u32 = 100;

/// How many characters of a prefix are kept: it is written before the number of each page.
const MAX_PREFIX: usize = 64;

/// A run of pages whose labels are counted alike.
struct Run {
    style: Option<u8>,
    prefix: String,
    first: u32,
}

/// Returns the labels of the pages by their indexes, where they are other than the numbers.
pub(super) fn read(document: &Document, pages: u32) -> BTreeMap<u32, String> {
    let root = document.catalog().ok();
    let root = root.and_then(|catalog| catalog.get(b"PageLabels").ok());
    let runs = root.map(|root| runs(document, root)).unwrap_or_default();
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

fn runs(document: &Document, root: &Object) -> BTreeMap<u32, Run> {
    let entries = number_tree(document, root).into_iter();
    let run = |(index, object)| {
        let dictionary = follow(document, object)?.as_dict().ok()?;
        Some((u32::try_from(index).ok()?, Run::new(document, dictionary)))
    };
    entries.filter_map(run).collect()
}

impl Run {
    fn new(document: &Document, dictionary: &Dictionary) -> Self {
        let style = get(document, dictionary, b"S").and_then(|style| style.as_name().ok());
        let prefix = get(document, dictionary, b"P").and_then(|text| decode_text_string(text).ok());
        let first = get(document, dictionary, b"St").and_then(|first| first.as_i64().ok());
        Self {
            style: style.and_then(|style| style.first().copied()),
            prefix: prefix
                .unwrap_or_default()
                .chars()
                .take(MAX_PREFIX)
                .collect(),
            first: first
                .and_then(|first| u32::try_from(first).ok())
                .unwrap_or(1),
        }
    }

    /// Returns the label of the page that is `offset` pages into the run.
    fn label(&self, offset: u32) -> String {
        let number = self.first.saturating_add(offset);
        let counted = match self.style {
            Some(b'D') => number.to_string(),
            Some(b'R') => roman(number).to_uppercase(),
            Some(b'r') => roman(number),
            Some(b'A') => letters(number).to_uppercase(),
            Some(b'a') => letters(number),
            _ => String::new(),
        };
        format!("{}{counted}", self.prefix)
    }
}

/// Writes a number in Roman numerals; from 4,000 on in digits, as there are no letters for it.
fn roman(number: u32) -> String {
    const VALUES: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    if number >= 4_000 {
        return number.to_string();
    }
    let mut left = number;
    let mut text = String::new();
    for (value, letters) in VALUES {
        while left >= value {
            text.push_str(letters);
            left -= value;
        }
    }
    text
}

/// Writes a number as `a` to `z`, then `aa` to `zz`, then `aaa`.
fn letters(number: u32) -> String {
    let Some(index) = number.checked_sub(1) else {
        return String::new();
    };
    let letter = char::from(b'a' + (index % 26) as u8);
    let repeats = (index / 26 + 1).min(MAX_REPEATS);
    letter.to_string().repeat(repeats as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopdf::dictionary;

    fn check(entries: &[(i64, Dictionary)], pages: u32, expected: &[&str]) {
        let numbers = entries.iter().flat_map(|(index, entry)| {
            [Object::Integer(*index), Object::Dictionary(entry.clone())]
        });
        let numbers: Vec<Object> = numbers.collect();
        let mut document = Document::with_version("1.7");
        let labels = dictionary! { "Nums" => numbers };
        let catalog = dictionary! { "Type" => "Catalog", "PageLabels" => labels };
        document.objects.insert((1, 0), catalog.into());
        document.trailer.set("Root", Object::Reference((1, 0)));
        let labels = read(&document, pages);
        let label = |index: u32| labels.get(&index).cloned();
        let found: Vec<String> = (0..pages)
            .map(|index| label(index).unwrap_or_else(|| "-".into()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn labels_follow_their_runs() {
        check(
            &[
                (0, dictionary! { "S" => "r" }),
                (4, dictionary! { "S" => "D" }),
                (
                    6,
                    dictionary! { "S" => "A", "St" => 26, "P" => Object::string_literal("App ") },
                ),
            ],
            9,
            &[
                "i", "ii", "iii", "iv", "1", "2", "App Z", "App AA", "App BB",
            ],
        );
    }

    #[test]
    fn numbers_that_are_their_own_labels_are_left_out() {
        check(&[(0, dictionary! { "S" => "D" })], 3, &["-", "-", "-"]);
        check(&[], 2, &["-", "-"]);
    }

    #[test]
    fn numerals_are_written_as_usual() {
        assert_eq!(roman(1_994), "mcmxciv");
        assert_eq!(roman(5_000), "5000");
        assert_eq!(letters(27), "aa");
        assert_eq!(letters(0), "");
    }
}
