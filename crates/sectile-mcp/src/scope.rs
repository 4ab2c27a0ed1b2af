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
    if let Some(paths) = paths.filter(|paths| !paths.is_empty()) {
        let globs: Vec<String> = paths.iter().flat_map(|path| globs(path)).collect();
        let globs = globs.iter().map(String::as_str);
        scope = scope.with_paths(globs).map_err(sectile::Error::from)?;
    }
    for filter in filters.unwrap_or_default() {
        scope = scope.with_filter(filter).map_err(sectile::Error::from)?;
    }
    Ok(scope)
}

/// Returns the globs of a path: of the document itself, and of all below it.
fn globs(path: &str) -> [String; 2] {
    let path = sectile::document_path(path).map_or_else(
        || path.trim_start_matches("./").to_owned(),
        |path| path.display().to_string(),
    );
    let path = path.trim_end_matches('/');
    [path.to_owned(), format!("{path}/**")]
}

#[cfg(test)]
mod tests {
    use sectile::core::Metadata;

    use super::*;

    fn has(path: &str, uri: &str) -> bool {
        let scope = of(None, Some(&[path.to_owned()]), None).unwrap();
        scope.has_document(uri, &Metadata::default())
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
    }
}
