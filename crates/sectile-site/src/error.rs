//! What can go wrong between a URL and its pages.

use std::time::Duration;

use url::Url;

/// The cause of an error, from whichever library found it.
pub(crate) type Cause = std::sync::Arc<dyn std::error::Error + Send + Sync>;

/// The error of every request, and of a whole site.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What was given is not an address of a page.
    #[error("`{url}` is not a page's address: {reason}")]
    InvalidUrl {
        /// The address as given, without a password.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The address leads to this machine, to its network, or to no host at all.
    #[error(
        "`{url}` leads to an address that is not public ({address}); `allow_private={}` allows this host",
        .url.host_str().unwrap_or_default()
    )]
    PrivateAddress {
        /// The address of the page.
        url: Url,
        /// What its host's name stands for.
        address: String,
    },
    /// The site's robots.txt asks programs to leave this page alone.
    #[error("the robots.txt of the site disallows `{url}`")]
    Disallowed {
        /// The address of the page.
        url: Url,
    },
    /// The server has no such page.
    #[error("the server has no `{url}` (status {status})")]
    NotFound {
        /// The address of the page.
        url: Url,
        /// The status of the answer, 404 or 410.
        status: u16,
    },
    /// The server does not give the page to just anyone.
    #[error("the server refuses `{url}` (status {status})")]
    Refused {
        /// The address of the page.
        url: Url,
        /// The status of the answer.
        status: u16,
    },
    /// The server could not be reached, is too busy, or broke off; a later attempt may succeed.
    #[error("no complete answer for `{url}`; trying again later may work")]
    Unavailable {
        /// The address of the page.
        url: Url,
        /// How long the server asks to wait, if it does.
        retry_after: Option<Duration>,
        /// What happened.
        source: Cause,
    },
    /// The host's name leads nowhere, or nobody could be asked where it leads.
    #[error("there is no host `{}`; check the spelling and the network", .url.host_str().unwrap_or_default())]
    NoHost {
        /// The address of the page.
        url: Url,
    },
    /// The server could not prove that it is the one that was asked.
    #[error("no secure connection for `{url}`; check its certificate and this machine's clock")]
    Insecure {
        /// The address of the page.
        url: Url,
        /// What the TLS library said.
        source: Cause,
    },
    /// The answer is larger than what is accepted.
    #[error("`{url}` is larger than {}, the most for {}", size(*.limit), limited(.url))]
    TooLarge {
        /// The address of the page.
        url: Url,
        /// The most bytes that are accepted.
        limit: usize,
    },
    /// The redirects of a page do not end, or lead to what is not a page.
    #[error("the redirects of `{url}` cannot be followed: {reason}")]
    Redirect {
        /// The address that was asked for.
        url: Url,
        /// What is wrong with them.
        reason: String,
    },
    /// The page asks programs not to index it.
    #[error("`{url}` asks not to be indexed (noindex)")]
    NotIndexed {
        /// The address of the page.
        url: Url,
    },
    /// The page says that it is another one, which was found under its own address.
    #[error("`{url}` names `{canonical}` as its canonical address, and that page is there")]
    Duplicate {
        /// The address of the page.
        url: Url,
        /// The address that it names as its own.
        canonical: Box<Url>,
    },
    /// The page has the very bytes of another one.
    #[error("`{url}` is a copy of `{first}`")]
    Copy {
        /// The address of the page.
        url: Url,
        /// The page that was read before it.
        first: Box<Url>,
    },
    /// The page sends browsers on at once (`<meta http-equiv="refresh">`).
    #[error("`{url}` only leads to `{to}`")]
    Moved {
        /// The address of the page.
        url: Url,
        /// Where it leads to.
        to: Box<Url>,
    },
    /// The server sends those who ask for the page to another one, for now (status 302, 303 or 307).
    #[error("`{url}` redirects to `{to}` temporarily")]
    Diverted {
        /// The address of the page.
        url: Url,
        /// Where it leads to.
        to: Box<Url>,
    },
    /// The answer cannot be unpacked.
    #[error("the answer for `{url}` cannot be read: {reason}")]
    Unreadable {
        /// The address of the page.
        url: Url,
        /// What is wrong with it.
        reason: String,
    },
    /// The page is of a type that is not text.
    #[error("`{url}` is of type {content_type}, which is neither Markdown, text nor HTML")]
    UnsupportedType {
        /// The address of the page.
        url: Url,
        /// The type that the server names.
        content_type: String,
    },
    /// The site has no list of its pages.
    #[error(
        "`{url}` {}; `page` reads this page alone, `crawl` follows its links, too",
        unlisted(.reasons)
    )]
    NoListing {
        /// The address of the site.
        url: Url,
        /// Why files that may be lists were not read.
        reasons: Vec<String>,
    },
    /// No HTTP client can be made on this machine.
    #[error("no HTTP client can be made; install the system's certificates")]
    Client {
        /// What the library said.
        source: Cause,
    },
}

impl Error {
    /// Returns whether a later retry of the same call may succeed.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }

    /// Returns whether a later answer may differ although the page and the options stay the same.
    pub(crate) const fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::Unavailable { .. } | Self::NoHost { .. } | Self::Insecure { .. }
        )
    }

    /// Returns whether the site has no such page, or what it has is not a page of its own.
    pub const fn is_gone(&self) -> bool {
        matches!(
            self,
            Self::NotFound { .. }
                | Self::NotIndexed { .. }
                | Self::Duplicate { .. }
                | Self::Copy { .. }
                | Self::Moved { .. }
        )
    }

    /// Returns whether the page does not exist or cannot be read.
    pub(crate) const fn is_of_no_use(&self) -> bool {
        matches!(
            self,
            Self::NotFound { .. }
                | Self::Refused { .. }
                | Self::Disallowed { .. }
                | Self::UnsupportedType { .. }
                | Self::Redirect { .. }
                | Self::PrivateAddress { .. }
        )
    }

    /// Returns whether an address stands for itself: it was refused, or answered, and redirects nowhere.
    pub(crate) fn is_of(&self, asked: &Url) -> bool {
        match self {
            // It may have been asked for its rules.
            Self::PrivateAddress { url, .. } => url.origin() == asked.origin(),
            Self::Disallowed { url }
            | Self::NotFound { url, .. }
            | Self::Refused { url, .. }
            | Self::TooLarge { url, .. }
            | Self::Unreadable { url, .. }
            | Self::UnsupportedType { url, .. } => url == asked,
            _ => false,
        }
    }
}

/// Writes a number of bytes in the largest unit that fits.
fn size(bytes: usize) -> String {
    let units = [(20, "MiB"), (10, "KiB")];
    let fits = |(shift, _): &(u32, &str)| bytes > 0 && bytes.trailing_zeros() >= *shift;
    match units.into_iter().find(fits) {
        Some((shift, unit)) => format!("{} {unit}", bytes >> shift),
        None => format!("{bytes} bytes"),
    }
}

/// Says what a limit of bytes is for, and what there may be instead.
fn limited(url: &Url) -> String {
    let is_full = url.path().ends_with("/llms-full.txt");
    match url.join("llms.txt").ok().filter(|_| is_full) {
        Some(list) => {
            format!("a file of all pages; `{list}`, if it is there, lists them one by one")
        }
        None => "a page".to_owned(),
    }
}

/// Says that there is no list, or why those that are there were not read.
fn unlisted(reasons: &[String]) -> String {
    if reasons.is_empty() {
        return "has neither llms-full.txt nor llms.txt".to_owned();
    }
    format!(
        "has no list of its pages that can be read: {}",
        reasons.join("; ")
    )
}

/// The result of every request.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_written_in_units() {
        let sizes = [8 << 20, 500 << 10, 12].map(size);
        assert_eq!(sizes, ["8 MiB", "500 KiB", "12 bytes"]);
    }

    #[test]
    fn what_a_redirect_led_to_is_not_what_was_asked_for() {
        let url = |url| Url::parse(url).unwrap();
        let asked = url("https://example.org/a");
        let private = |at| Error::PrivateAddress {
            url: url(at),
            address: "10.0.0.1".to_owned(),
        };
        assert!(private("https://example.org/robots.txt").is_of(&asked));
        assert!(!private("https://example.com/a").is_of(&asked));
        let refused = |at| Error::Refused {
            url: url(at),
            status: 403,
        };
        assert!(refused("https://example.org/a").is_of(&asked));
        assert!(!refused("https://example.org/b").is_of(&asked));
    }
}
