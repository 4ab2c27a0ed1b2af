//! What a reader sees in a file and its text does not have.

use sectile_core::Metadata;
use serde_json::Value;

/// The names in [`Metadata::extra`] of what was left out.
pub(crate) const FAILED_PAGES: &str = "failed_pages";
pub(crate) const LEFT_OUT: &str = "left_out";
pub(crate) const NOT_FOLLOWED: &str = "not_followed";
pub(crate) const PAGES_WITHOUT_TEXT: &str = "pages_without_text";
pub(crate) const UNMAPPED_LETTERS: &str = "unmapped_letters";

/// How many pages are named.
const MAX_NAMED: usize = 12;

/// Says what of a loaded document is not in its text, a sentence for each kind: pages that could not be
/// read, pages of pictures alone, letters of fonts that do not say what they mean, and files that it
/// includes. Lines that repeat at
/// the head or foot of pages are not among them, as nobody misses them; the metadata has them.
///
/// ```
/// use sectile_core::Metadata;
/// use sectile_load::omissions;
///
/// let mut metadata = Metadata::default();
/// assert!(omissions(&metadata).is_empty());
/// metadata.extra.insert("pages_without_text".into(), vec![2, 5].into());
/// assert_eq!(
///     omissions(&metadata),
///     ["pages 2, 5 hold pictures and no text, as scanned pages do"]
/// );
/// ```
pub fn omissions(metadata: &Metadata) -> Vec<String> {
    let mut said = Vec::new();
    let numbers = |name: &str| -> Vec<String> {
        let list = metadata.extra.get(name).and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .map(ToString::to_string)
            .collect()
    };
    let failed = numbers(FAILED_PAGES);
    if !failed.is_empty() {
        said.push(format!("{} could not be read", pages(&failed)));
    }
    let drawn = numbers(PAGES_WITHOUT_TEXT);
    if !drawn.is_empty() {
        let verb = if drawn.len() == 1 { "holds" } else { "hold" };
        said.push(format!(
            "{} {verb} pictures and no text, as scanned pages do",
            pages(&drawn)
        ));
    }
    if let Some(unmapped) = metadata
        .extra
        .get(UNMAPPED_LETTERS)
        .and_then(Value::as_object)
    {
        let letters: u64 = unmapped.values().filter_map(Value::as_u64).sum();
        let mut numbers: Vec<u64> = unmapped
            .keys()
            .filter_map(|page| page.parse().ok())
            .collect();
        numbers.sort_unstable();
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        let noun = if letters == 1 { "letter" } else { "letters" };
        said.push(format!(
            "{letters} {noun} on {} cannot be read, as their fonts do not say what they mean",
            pages(&numbers)
        ));
    }
    said.extend(left_out(metadata));
    said.extend(not_followed(metadata));
    said
}

/// Counts the outputs of a notebook that are not text, by their types.
fn left_out(metadata: &Metadata) -> Option<String> {
    let types = metadata.extra.get(LEFT_OUT)?.as_object()?;
    let counts = types.iter().take(MAX_NAMED);
    let counts: Vec<String> = counts
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    (!counts.is_empty()).then(|| {
        format!(
            "outputs that are not text are left out: {}",
            counts.join(", ")
        )
    })
}

/// Names the files that a document includes.
fn not_followed(metadata: &Metadata) -> Option<String> {
    let list = metadata.extra.get(NOT_FOLLOWED)?.as_array()?;
    let files: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
    let named = files[..files.len().min(MAX_NAMED)].join(", ");
    let others = match files.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        others => format!(" and {others} others"),
    };
    (!files.is_empty())
        .then(|| format!("{named}{others}, which it includes, are not part of the text"))
}

/// Names pages, and how many others there are.
fn pages(numbers: &[String]) -> String {
    let named = numbers[..numbers.len().min(MAX_NAMED)].join(", ");
    let noun = if numbers.len() == 1 { "page" } else { "pages" };
    match numbers.len().saturating_sub(MAX_NAMED) {
        0 => format!("{noun} {named}"),
        others => format!("{noun} {named} and {others} others"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_that_are_included_are_named() {
        let mut metadata = Metadata::default();
        metadata
            .extra
            .insert(NOT_FOLLOWED.into(), json!(["a.rst", "b.rst"]));
        assert_eq!(
            omissions(&metadata),
            ["a.rst, b.rst, which it includes, are not part of the text"]
        );
    }

    #[test]
    fn pages_and_letters_are_counted() {
        let mut metadata = Metadata::default();
        metadata.extra.insert(FAILED_PAGES.into(), json!([7]));
        let many: Vec<u32> = (1..=14).collect();
        metadata
            .extra
            .insert(PAGES_WITHOUT_TEXT.into(), many.into());
        metadata
            .extra
            .insert(UNMAPPED_LETTERS.into(), json!({"10": 1, "9": 40}));
        assert_eq!(
            omissions(&metadata),
            [
                "page 7 could not be read",
                "pages 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 others hold pictures and no text, as scanned \
                 pages do",
                "41 letters on pages 9, 10 cannot be read, as their fonts do not say what they mean",
            ]
        );
    }
}
