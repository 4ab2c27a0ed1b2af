//! What a client narrows a call to.

use sectile::Scope;

use crate::problem::Problem;

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
        let globs: Vec<String> = paths.iter().flat_map(|path| globs(path)).collect();
        let globs = globs.iter().map(String::as_str);
        scope = scope.with_paths(globs).map_err(sectile::Error::from)?;
    }
    for filter in filters.unwrap_or_default() {
        scope = scope.with_filter(filter).map_err(sectile::Error::from)?;
    }
    Ok(scope)
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
    fn no_paths_are_not_all() {
        assert!(of(None, Some(&[]), None).is_err());
        assert!(of(None, None, Some(&[])).unwrap().has_every_document());
    }

    fn has(path: &str, uri: &str) -> bool {
        let scope = of(None, Some(&[path.to_owned()]), None).unwrap();
        scope.has_document(uri, "", &Metadata::default())
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
