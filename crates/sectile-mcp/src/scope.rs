//! The scope that a client's arguments describe.

use std::slice;

use sectile::{Library, Scope};

use crate::answer::count;
use crate::problem::{Problem, quoted};

/// How many paths without a document are named.
const NAMED: usize = 5;

/// Makes a scope of what a client gave.
pub(crate) fn of(
    collection: Option<&str>,
    paths: Option<&[String]>,
    filters: Option<&[String]>,
) -> Result<Scope, Problem> {
    let mut scope = collection.map_or_else(Scope::all, Scope::collection);
    if let Some(paths) = paths {
        if paths.is_empty() {
            // They may be the documents that a user may see: to look at all would be wrong.
            let message = "`paths` is empty, so no document is meant; leave it out for all";
            return Err(Problem::invalid(message.to_owned()));
        }
        if paths.iter().any(|path| path.trim().is_empty()) {
            let message = "a path in `paths` is empty; name a document or a folder, or leave `paths` out for all";
            return Err(Problem::invalid(message.to_owned()));
        }
        let globs: Vec<String> = paths.iter().flat_map(|path| globs(path)).collect();
        let globs = globs.iter().map(String::as_str);
        scope = scope.with_paths(globs).map_err(sectile::Error::from)?;
    }
    for filter in filters.unwrap_or_default() {
        scope = scope.with_filter(filter).map_err(sectile::Error::from)?;
    }
    Ok(scope)
}

/// Says which of several paths have no document, where others may have some. A single path without one finds nothing.
pub(crate) async fn unfit_paths(
    library: &Library,
    collection: Option<&str>,
    paths: Option<&[String]>,
) -> Result<Option<String>, Problem> {
    let Some(paths @ [_, _, ..]) = paths else {
        return Ok(None);
    };
    let documents = library
        .documents(&of(collection, Some(paths), None)?)
        .await?;
    let mut unfit = Vec::new();
    for path in paths {
        let scope = of(collection, Some(slice::from_ref(path)), None)?;
        if !documents.iter().any(|document| scope.has_record(document)) {
            unfit.push(path.as_str());
        }
    }
    Ok(said_of(&unfit))
}

fn said_of(unfit: &[&str]) -> Option<String> {
    let (first, others) = unfit.split_at(unfit.len().min(NAMED));
    if first.is_empty() {
        return None;
    }
    let paths: Vec<String> = first.iter().map(|path| quoted(path)).collect();
    let paths = paths.join(", ");
    Some(if others.is_empty() {
        format!("no document fits {paths}")
    } else {
        format!(
            "no document fits {paths} and {}",
            count(others.len(), "other")
        )
    })
}

/// Returns the end of a message: how many documents the dates of a scope leave out because they have none.
pub(crate) async fn undated(library: &Library, scope: &Scope) -> Result<String, Problem> {
    let note = library.note_of_undated(scope).await?;
    Ok(note.map(|note| format!("; {note}")).unwrap_or_default())
}

/// Returns the globs of a path: for the document itself, and for everything below it. The URI of a file is
/// not a pattern.
fn globs(path: &str) -> [String; 2] {
    let path = sectile::document_path(path).map_or_else(
        || path.trim_start_matches("./").to_owned(),
        |path| literal(&path.display().to_string()),
    );
    let path = path.trim_end_matches('/');
    [path.to_owned(), format!("{path}/**")]
}

/// Writes a name as the glob that fits it alone.
fn literal(name: &str) -> String {
    let written = |letter: char| match letter {
        '?' | '*' | '[' | ']' | '{' | '}' => format!("[{letter}]"),
        letter => letter.to_string(),
    };
    name.chars().map(written).collect()
}

#[cfg(test)]
mod tests {
    use sectile::core::Metadata;

    use super::*;

    #[test]
    fn some_paths_without_a_document_are_named_and_the_others_counted() {
        assert_eq!(said_of(&[]), None);
        let said = said_of(&["a", "b"]).unwrap();
        assert_eq!(said, "no document fits `a`, `b`");
        let said = said_of(&["a"; 7]).unwrap();
        assert!(said.ends_with("`a` and 2 others"), "{said}");
    }

    #[test]
    fn no_paths_are_not_all() {
        assert!(of(None, Some(&[]), None).is_err());
        for empty in ["", " "] {
            let paths = ["docs".to_owned(), empty.to_owned()];
            assert!(of(None, Some(&paths), None).is_err(), "{empty:?}");
        }
        assert!(of(None, None, Some(&[])).unwrap().has_every_document());
    }

    fn has(path: &str, uri: &str) -> bool {
        let scope = of(None, Some(&[path.to_owned()]), None).unwrap();
        scope.has_document(uri, "", &Metadata::default(), None)
    }

    #[test]
    fn a_path_stands_for_a_document_and_for_all_below_it() {
        let guide = "file:///work/docs/a%20b/guide.md";
        for path in [
            "guide.md",
            "docs",
            "docs/",
            "./docs",
            "a b/guide.md",
            "/work/docs",
            "docs/**/*.md",
            guide,
            "file:///work/docs",
            "*.md",
        ] {
            assert!(has(path, guide), "{path}");
        }
        for path in ["uide.md", "doc", "/docs", "docs/*.md", "*.txt"] {
            assert!(!has(path, guide), "{path}");
        }
        let page = "https://example.org/docs/start";
        for path in [
            "https://example.org",
            "https://example.org/docs/",
            "start",
            page,
        ] {
            assert!(has(path, page), "{path}");
        }
        assert!(!has("https://example.com", page));
        let slug = "file:///work/d/%5Bslug%5D/%7Bid%7D.md";
        for path in [
            slug,
            "/work/d/[slug]",
            "[slug]/{id}.md",
            "d/[slug]/*",
            "[slug]",
        ] {
            assert!(has(path, slug), "{path}");
        }
        let odd = "file:///work/a[b*%3F.md";
        assert!(has(odd, odd) && !has(odd, "file:///work/a[bcd.md"));
        assert!(has("[abc].md", "file:///b.md"));
        assert!(!has("[slug]", "file:///work/d/x/a.md"));
    }
}
