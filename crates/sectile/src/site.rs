//! Sources as users name them, and the collections of web sites.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

use sectile_site::Error as SiteError;
pub use sectile_site::SiteOptions;
use url::Url;

use crate::Result;

/// Endings that make a name a file rather than a domain, besides the extensions of supported formats.
const OTHER_EXTENSIONS: [&str; 16] = [
    "bak", "doc", "fb2", "gif", "gz", "ics", "jpeg", "jpg", "log", "png", "ppt", "srt", "toml",
    "vcf", "vtt", "webp",
];

/// Extensions of files that are read and are domains all the same, as are those of two letters.
const DOMAINS: [&str; 2] = ["org", "rest"];

/// A source as a user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file or folder.
    Path(PathBuf),
    /// The address of a web site, or of a page.
    Site(String),
}

impl Source {
    /// Distinguishes paths and web sites. A `file:` URL is a path, and any other URL is a site. An
    /// existing file or folder is a path. A [domain or the address of a host](site_url) is a site.
    /// Everything else is a path.
    ///
    /// ```
    /// use sectile::Source;
    ///
    /// let site = |url: &str| Source::Site(url.to_owned());
    /// assert_eq!(Source::of("docs.example.org"), site("https://docs.example.org"));
    /// assert_eq!(Source::of("127.0.0.1:8000/docs"), site("http://127.0.0.1:8000/docs"));
    /// assert_eq!(Source::of("file:///srv/docs"), Source::Path("/srv/docs".into()));
    /// ```
    pub fn of(name: impl AsRef<Path>) -> Self {
        let path = name.as_ref();
        let Some(name) = path.to_str() else {
            return Self::Path(path.to_owned());
        };
        if name.contains("://") {
            let file = crate::uri::document_path(name);
            return file.map_or_else(|| Self::Site(name.to_owned()), Self::Path);
        }
        let url = site_url(name).filter(|_| !path.exists());
        url.map_or_else(|| Self::Path(path.to_owned()), Self::Site)
    }
}

/// Returns the address of a site or page that a user names. An address with `http://` or `https://`
/// stays unchanged. A domain gets `https://`. `localhost` with a port, and the address of a host,
/// get `http://`.
///
/// A name may also be that of a file. This function does not check whether the file exists; check
/// that first. A name with a file extension is not a domain.
///
/// ```
/// let url = sectile::site_url("docs.example.org/guide");
/// assert_eq!(url.as_deref(), Some("https://docs.example.org/guide"));
/// assert_eq!(sectile::site_url("localhost:8805").as_deref(), Some("http://localhost:8805"));
/// assert_eq!(sectile::site_url("notes.md"), None);
/// assert_eq!(sectile::site_url("meeting.ics"), None);
/// ```
pub fn site_url(name: &str) -> Option<String> {
    if name.starts_with("http://") || name.starts_with("https://") {
        return Some(name.to_owned());
    }
    let host = name.split(['/', '?', '#']).next().unwrap_or_default();
    if is_host_address(host) {
        return Some(format!("http://{name}"));
    }
    let host = match host.split_once(':') {
        Some(("localhost", port)) if is_number(port) => return Some(format!("http://{name}")),
        Some((host, port)) => is_number(port).then_some(host)?,
        None => host,
    };
    is_domain(host).then(|| format!("https://{name}"))
}

/// Returns whether this is the address of a host: four numbers, or one of version 6 in brackets, and maybe a port.
fn is_host_address(host: &str) -> bool {
    let is_v6 = host.starts_with('[') && host.ends_with(']');
    let is_v6 = is_v6 && host[1..host.len() - 1].parse::<Ipv6Addr>().is_ok();
    is_v6 || host.parse::<Ipv4Addr>().is_ok() || host.parse::<SocketAddr>().is_ok()
}

fn is_number(port: &str) -> bool {
    !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether this has the form of a domain: labels with dots between them, of which the last is a
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
    host.split('.').all(is_label)
        && is_word
        && last.len() > 1
        && !is_extension(&last.to_lowercase())
}

fn is_extension(name: &str) -> bool {
    let is_domain = DOMAINS.contains(&name) || (name.len() == 2 && name != "md");
    OTHER_EXTENSIONS.contains(&name) || (!is_domain && sectile_load::is_known_extension(name))
}

/// Returns the default collection for the pages of a site: its host, with the port if that is not
/// the default one.
///
/// # Errors
///
/// [`Error::Site`](crate::Error::Site) if `url` is not the address of a site.
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
            ("127.0.0.1", "http://127.0.0.1"),
            ("10.0.0.5:8902/m/", "http://10.0.0.5:8902/m/"),
            ("[::1]:8000/a", "http://[::1]:8000/a"),
            ("orgmode.org", "https://orgmode.org"),
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
            "1.2.3",
            "300.1.1.1:80",
            "[::x]",
            "[",
            "mian.ipynb",
            "slides.pptx",
            "book.epub",
            "Main.java",
            "data.toml",
            "friends.vcf",
            "talk.srt",
            "talk.vtt",
            "novel.fb2",
            "app.log.gz",
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
