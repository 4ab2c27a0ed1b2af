//! Names of documents: a file's URI is its absolute path as a `file:` URL.

use std::path::{Path, PathBuf};

use sectile_core::percent_decoded;
use url::Url;

use crate::{Error, Result};

/// Returns the URI of the document that a user names: a URL unchanged, a path as a `file:` URL.
///
/// A path is resolved, links included, as far as it exists, so that a document can be named after its file or folder
/// is gone.
///
/// # Errors
///
/// [`Error::Path`] when the path cannot be made absolute.
///
/// ```
/// let uri = sectile::document_uri("https://example.org/llms.txt")?;
/// assert_eq!(uri, "https://example.org/llms.txt");
/// assert!(sectile::document_uri("docs/guide.md")?.starts_with("file:///"));
/// # Ok::<(), sectile::Error>(())
/// ```
pub fn document_uri(name: &str) -> Result<String> {
    match Url::parse(name) {
        // The percent encoding of a file URL is normalized.
        Ok(url) if name.contains("://") => {
            let path = url.to_file_path().ok().filter(|_| url.scheme() == "file");
            Ok(path.map_or_else(|| url.into(), |path| file_uri(&path)))
        }
        _ => path_uri(Path::new(name)),
    }
}

/// Returns the URI of a file or folder; see [`document_uri`]. Its name need not be valid UTF-8.
///
/// # Errors
///
/// As of [`document_uri`].
pub fn path_uri(path: &Path) -> Result<String> {
    let absolute = std::path::absolute(path).map_err(|source| Error::Path {
        path: path.into(),
        source,
    })?;
    Ok(file_uri(&resolved(&absolute)))
}

/// Returns the possible URIs of a name, in the order in which they are tried: the name itself, as
/// for a memory or a document without a file, and [`document_uri`].
///
/// # Errors
///
/// As of [`document_uri`].
pub fn document_uris(name: &str) -> Result<[String; 2]> {
    Ok([name.to_owned(), document_uri(name)?])
}

/// Resolves the links of an absolute path as far as it exists, and `..` in all of it.
fn resolved(absolute: &Path) -> PathBuf {
    if let Ok(path) = absolute.canonicalize() {
        return path;
    }
    let Some(parent) = absolute.parent() else {
        return absolute.to_owned();
    };
    let mut path = resolved(parent);
    match absolute.file_name() {
        Some(name) => path.push(name),
        None => drop(path.pop()),
    }
    path
}

/// Returns the path of a document, if it is a file.
pub fn document_path(uri: &str) -> Option<PathBuf> {
    let url = Url::parse(uri).ok().filter(|url| url.scheme() == "file")?;
    url.to_file_path().ok()
}

/// Returns the path of a document as it is shown, or its URI if it is no file.
pub(crate) fn shown_path(uri: &str) -> String {
    let path = document_path(uri).map(|path| path.display().to_string());
    path.unwrap_or_else(|| uri.to_owned())
}

/// Returns whether a document is a file that no longer exists.
pub fn is_gone(uri: &str) -> bool {
    document_path(uri).is_some_and(|path| matches!(path.try_exists(), Ok(false)))
}

/// Returns whether a URI, or its path, ends with a name that consists of whole path components.
///
/// ```
/// assert!(sectile::uri_ends_with("file:///home/ada/docs/a%20b.md", "docs/a b.md"));
/// assert!(sectile::uri_ends_with("https://example.org/guide/", "guide"));
/// assert!(sectile::uri_ends_with("https://example.org/Gr%C3%B6%C3%9Fe", "Gr\u{f6}\u{df}e"));
/// assert!(!sectile::uri_ends_with("file:///home/ada/docs/guide.md", "ide.md"));
/// ```
pub fn uri_ends_with(uri: &str, name: &str) -> bool {
    let name = name.trim_start_matches("./");
    let of_path = document_path(uri).is_some_and(|path| path.ends_with(Path::new(name)));
    let is_page = uri.starts_with("http://") || uri.starts_with("https://");
    let (uri, name) = if is_page {
        (uri.trim_end_matches('/'), name.trim_matches('/'))
    } else {
        (uri, name)
    };
    let is_end_of = |uri: &str| {
        let before = uri.strip_suffix(name);
        before.is_some_and(|before| before.ends_with('/'))
    };
    let is_read_so = || is_page && is_end_of(&percent_decoded(uri));
    !name.is_empty() && (of_path || is_end_of(uri) || is_read_so())
}

/// Returns whether a URI contains a text, as it is written or as it is read, without percent encoding. Case makes no
/// difference.
///
/// ```
/// assert!(sectile::uri_contains("file:///home/ada/%C3%9Cber%20uns.md", "\u{fc}ber uns"));
/// assert!(sectile::uri_contains("file:///home/ada/%C3%9Cber%20uns.md", "%20uns"));
/// assert!(!sectile::uri_contains("file:///home/ada/guide.md", "\u{fc}ber"));
/// ```
pub fn uri_contains(uri: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    let has = |uri: &str| uri.to_lowercase().contains(&text);
    has(uri) || has(&percent_decoded(uri))
}

/// Returns the address of a web page with a `/` at its end where it has none, and without where it has
/// one.
pub(crate) fn other_name(uri: &str) -> Option<String> {
    let mut url = Url::parse(uri)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let path = match url.path().strip_suffix('/') {
        Some(path) => path.to_owned(),
        None => format!("{}/", url.path()),
    };
    url.set_path(&path);
    Some(url.into()).filter(|other| other != uri)
}

/// Writes an absolute path as a URI.
pub(crate) fn file_uri(absolute: &Path) -> String {
    Url::from_file_path(absolute)
        .expect("the path is absolute")
        .into()
}

/// Writes an absolute path of a folder as the beginning of the URIs of all that is in it.
pub(crate) fn folder_prefix(absolute: &Path) -> String {
    Url::from_directory_path(absolute)
        .expect("the path is absolute")
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_its_uri() {
        for path in ["/a b/ü#?%.md", "/tmp/x"] {
            assert_eq!(
                document_path(&file_uri(Path::new(path))),
                Some(PathBuf::from(path))
            );
        }
    }

    #[test]
    fn a_folder_is_the_beginning_of_its_files_and_of_no_others() {
        let prefix = folder_prefix(Path::new("/docs"));
        assert!(file_uri(Path::new("/docs/a.md")).starts_with(&prefix));
        assert!(!file_uri(Path::new("/docs2/a.md")).starts_with(&prefix));
    }

    #[test]
    fn only_a_web_page_has_another_name() {
        let other = other_name("https://example.org/guide");
        assert_eq!(other.as_deref(), Some("https://example.org/guide/"));
        assert_eq!(other_name("httpd://example.org/guide"), None);
    }

    #[test]
    fn a_file_that_is_gone_can_be_named() {
        let uri = document_uri("no/such/file.md").unwrap();
        assert!(uri.ends_with("/no/such/file.md"), "{uri}");
        let same = document_uri("no/gone/../such/./file.md").unwrap();
        assert_eq!(same, uri);
        let escaped = document_uri("file:///a/caf%c3%a9.md").unwrap();
        assert_eq!(escaped, file_uri(Path::new("/a/caf\u{e9}.md")));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_gone_is_named_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap().join("real");
        std::fs::create_dir(&real).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let uri = document_uri(link.join("gone.md").to_str().unwrap()).unwrap();
        assert_eq!(uri, file_uri(&real.join("gone.md")));
    }
}
