//! Names that may have been meant by another.

use sectile_store::DocumentRecord;

/// How alike two names must be, from 0 to 1.
const LEAST: f64 = 0.6;

/// How alike names are of which one holds the other.
const HELD: f64 = 0.9;

/// Returns which items a user may have meant by a name that none has, best first, `most` at most. `label`
/// returns what an item is called.
///
/// Names are alike by the edits that lead from one to the other (Damerau and Levenshtein, in relation to
/// their length) whatever their case, and where one holds the other.
///
/// ```
/// let names = ["install.md", "guide.md", "Installation.md"];
/// assert_eq!(
///     sectile::most_similar("instal.md", names, |name| name, 2),
///     ["install.md", "Installation.md"]
/// );
/// assert!(sectile::most_similar("tax", names, |name| name, 2).is_empty());
/// ```
pub fn most_similar<T>(
    name: &str,
    items: impl IntoIterator<Item = T>,
    label: impl Fn(&T) -> &str,
    most: usize,
) -> Vec<T> {
    let name = name.to_lowercase();
    let alike = |item: T| {
        let score = similarity(&name, &label(&item).to_lowercase());
        (score >= LEAST).then_some((score, item))
    };
    let mut found: Vec<(f64, T)> = items.into_iter().filter_map(alike).collect();
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    found.truncate(most);
    found.into_iter().map(|(_, item)| item).collect()
}

/// Returns the documents that a user may have meant by a name that none has, best first, `most` at most. They
/// are compared by the last part of their names.
pub fn similar_documents<'a>(
    name: &str,
    documents: &'a [DocumentRecord],
    most: usize,
) -> Vec<&'a DocumentRecord> {
    most_similar(last_part(name), documents, |one| last_part(&one.uri), most)
}

fn last_part(name: &str) -> &str {
    let name = name.trim_end_matches('/');
    name.rsplit('/').next().unwrap_or(name)
}

fn similarity(one: &str, other: &str) -> f64 {
    let edits = strsim::normalized_damerau_levenshtein(one, other);
    let shorter = one.len().min(other.len());
    if shorter > 2 && (one.contains(other) || other.contains(one)) {
        return edits.max(HELD);
    }
    edits
}
