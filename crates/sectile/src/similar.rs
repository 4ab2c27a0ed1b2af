//! Names that may have been meant by another.

use sectile_store::{DocumentRecord, name_words};

use crate::uri::shown_path;

/// How alike two names must be, from 0 to 1.
const LEAST: f64 = 0.7;

/// The similarity of names if one contains the other, and the minimum length of the shorter one, as a part of the
/// longer one.
const HELD: f64 = 0.9;
const SHARE: usize = 3;

/// Returns the items whose names are similar to an unknown name, best first, at most `most`.
/// `label` returns the name of an item.
///
/// The similarity of names is their edit distance (Damerau–Levenshtein) relative to their length,
/// ignoring case. Names are also similar if one contains the other.
///
/// ```
/// let names = ["install", "guide", "Installation"];
/// assert_eq!(
///     sectile::most_similar("instal", names, |name| name, 2),
///     ["install", "Installation"]
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

/// Returns the documents whose names are similar to an unknown name, best first, at most `most`.
/// The comparison uses the words of the last part of the names without the extension, because a shared
/// `.md` says nothing.
pub fn similar_documents<'a>(
    name: &str,
    documents: &'a [DocumentRecord],
    most: usize,
) -> Vec<&'a DocumentRecord> {
    let name_of = |document: &'a DocumentRecord| {
        let path = shown_path(&document.uri);
        (name_words(stem(&path)), document)
    };
    let named = documents.iter().map(name_of);
    let found = most_similar(
        &name_words(stem(name)),
        named,
        |(name, _)| name.as_str(),
        most,
    );
    found.into_iter().map(|(_, document)| document).collect()
}

/// Returns the last part of a name, without its extension.
pub(crate) fn stem(name: &str) -> &str {
    let name = name.trim_end_matches('/');
    let name = name.rsplit('/').next().unwrap_or(name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

fn similarity(one: &str, other: &str) -> f64 {
    let edits = strsim::normalized_damerau_levenshtein(one, other);
    let (shorter, longer) = (one.len().min(other.len()), one.len().max(other.len()));
    if shorter > 2 && shorter * SHARE >= longer && (one.contains(other) || other.contains(one)) {
        return edits.max(HELD);
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant<'n>(name: &str, names: &[&'n str]) -> Vec<&'n str> {
        let names = names.iter().copied();
        most_similar(stem(name), names, |name| stem(name), 3)
    }

    #[test]
    fn the_end_that_names_share_makes_them_no_more_alike() {
        assert_eq!(meant("docs/nothing.md", &["d/python.md"]), [""; 0]);
        assert_eq!(meant("docs/giude.md", &["d/guide.md"]), ["d/guide.md"]);
        assert_eq!(meant("guide.txt", &["d/guide.md"]), ["d/guide.md"]);
        assert_eq!(meant(".profile", &["/home/.profil"]), ["/home/.profil"]);
    }

    #[test]
    fn a_short_name_within_a_long_one_is_chance() {
        assert_eq!(meant("the.md", &["the-theory-of-everything.md"]), [""; 0]);
        assert_eq!(
            meant("instal.md", &["installation.md"]),
            ["installation.md"]
        );
    }
}
