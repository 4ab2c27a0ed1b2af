//! Where the pages of web sites go.

use sectile_site::Error as SiteError;
pub use sectile_site::SiteOptions;
use url::Url;

use crate::Result;

/// What ends the name of a file rather than a domain.
const EXTENSIONS: [&str; 19] = [
    "csv", "doc", "docx", "htm", "html", "jpg", "json", "log", "markdown", "md", "pdf", "png",
    "rst", "tex", "toml", "txt", "xml", "yaml", "yml",
];

/// Returns the address of the site, or of the page, that a user names: one that begins with `http://`
/// or `https://` as it is, a domain with `https://` before it.
///
/// A name may be that of a file, too, and whether there is one is not asked here: ask that first. What
/// ends as files do is no domain.
///
/// ```
/// let url = sectile::site_url("docs.example.org/guide");
/// assert_eq!(url.as_deref(), Some("https://docs.example.org/guide"));
/// assert_eq!(sectile::site_url("localhost:8805").as_deref(), Some("http://localhost:8805"));
/// assert_eq!(sectile::site_url("notes.md"), None);
/// ```
pub fn site_url(name: &str) -> Option<String> {
    if name.starts_with("http://") || name.starts_with("https://") {
        return Some(name.to_owned());
    }
    let host = name.split(['/', '?', '#']).next().unwrap_or_default();
    let host = match host.split_once(':') {
        Some(("localhost", port)) if is_number(port) => return Some(format!("http://{name}")),
        Some((host, port)) => is_number(port).then_some(host)?,
        None => host,
    };
    is_domain(host).then(|| format!("https://{name}"))
}

fn is_number(port: &str) -> bool {
    !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
}

/// Says whether this has the form of a domain: labels with dots between them, of which the last is a
/// word and no extension of files.
fn is_domain(host: &str) -> bool {
    let is_label = |label: &str| {
        let is_allowed = |letter: char| letter.is_alphanumeric() || letter == '-';
        let is_bounded = !label.starts_with('-') && !label.ends_with('-');
        !label.is_empty() && is_bounded && label.chars().all(is_allowed)
    };
    let Some((_, last)) = host.rsplit_once('.') else {
        return false;
    };
    let is_word = last.starts_with("xn--") || last.chars().all(char::is_alphabetic);
    let is_extension = EXTENSIONS.contains(&&*last.to_lowercase());
    host.split('.').all(is_label) && is_word && last.len() > 1 && !is_extension
}

/// Returns the collection that the pages of a site go to unless another one is named: its host, with
/// the port where that is not the usual one.
///
/// # Errors
///
/// [`Error::Site`](crate::Error::Site) for what is no address of a site.
///
/// ```
/// assert_eq!(sectile::site_collection("https://docs.example.org/guide")?, "docs.example.org");
/// assert_eq!(sectile::site_collection("http://localhost:8080")?, "localhost:8080");
/// # Ok::<(), sectile::Error>(())
/// ```
pub fn site_collection(url: &str) -> Result<String> {
    let invalid = |reason: &str| SiteError::InvalidUrl {
        url: url.to_owned(),
        reason: reason.to_owned(),
    };
    let parsed = Url::parse(url).map_err(|error| invalid(&error.to_string()))?;
    let host = parsed.host_str().ok_or_else(|| invalid("it has no host"))?;
    Ok(match parsed.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_domains_are_sites() {
        for (name, url) in [
            ("http://localhost:8080", "http://localhost:8080"),
            ("https://example.org/a.md", "https://example.org/a.md"),
            ("docs.rs", "https://docs.rs"),
            (
                "Docs.Example.org:8443/a/?b#c",
                "https://Docs.Example.org:8443/a/?b#c",
            ),
            ("example.org/llms.txt", "https://example.org/llms.txt"),
            ("b\u{fc}cher.example", "https://b\u{fc}cher.example"),
            ("example.xn--p1ai", "https://example.xn--p1ai"),
        ] {
            assert_eq!(site_url(name).as_deref(), Some(url));
        }
    }

    #[test]
    fn names_of_files_and_folders_are_none() {
        for name in [
            "",
            "docs",
            ".",
            "..",
            "../example.org",
            "./example.org",
            "/example.org",
            "~/example.org",
            "notes.md",
            "NOTES.MD",
            "a.b.pdf",
            "docs/example.org",
            ".env",
            "example.",
            "1.5",
            "127.0.0.1",
            "a..org",
            "-a.org",
            "a b.org",
            "a_b.org",
            "example.org:port",
            "example.org:",
            "ftp://example.org",
            "file:///a.org",
            "C:\\a.org",
            "user@example.org",
        ] {
            assert_eq!(site_url(name), None, "{name}");
        }
    }
}
