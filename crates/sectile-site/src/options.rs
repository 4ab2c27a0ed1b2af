//! How a site is read, and how much of it.

use std::time::Duration;

use url::Url;

use crate::resolve::{Rule, check};
use crate::{Result, is_public};

/// How a site is read. The default is right for most.
///
/// ```
/// use sectile_site::SiteOptions;
///
/// let options = SiteOptions::default().with_crawl(true).with_max_pages(50);
/// assert!(options.crawl && !options.allow_private);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteOptions {
    /// Whether the pages of a site that has neither `llms-full.txt` nor `llms.txt` are found by their
    /// links. Off by default.
    pub crawl: bool,
    /// Whether what `llms.txt` lists under `Optional` is read as well. Off by default.
    pub include_optional: bool,
    /// Whether addresses that are not public, such as those of this machine and of its network, may be
    /// asked. Off by default.
    pub allow_private: bool,
    /// The most pages that are asked for, of a crawl and of an `llms.txt`; 500.
    pub max_pages: usize,
    /// How many links a page of a crawl may be away from the start; 10.
    pub max_depth: usize,
    /// The most bytes of an `llms-full.txt`, as sent and unpacked; 32 MiB.
    pub full_bytes: usize,
    /// The most bytes of any other page, as sent and unpacked; 8 MiB.
    pub page_bytes: usize,
    /// How long one request may take from its beginning to the last byte of its answer; 60 seconds.
    pub timeout: Duration,
    /// How long one host may take to accept a connection; 10 seconds.
    pub connect_timeout: Duration,
    /// The most redirects that are followed for one page; 5.
    pub max_redirects: usize,
    /// The most requests that one host gets at a time; 4.
    pub per_host: usize,
    /// The most requests at a time; 8.
    pub in_all: usize,
    /// The longest wait that a host can ask for, between requests by `Crawl-delay` or before the next
    /// one by `Retry-After`; 10 seconds.
    pub max_wait: Duration,
}

impl Default for SiteOptions {
    fn default() -> Self {
        Self {
            crawl: false,
            include_optional: false,
            allow_private: false,
            max_pages: 500,
            max_depth: 10,
            full_bytes: 32 << 20,
            page_bytes: 8 << 20,
            timeout: Duration::from_mins(1),
            connect_timeout: Duration::from_secs(10),
            max_redirects: 5,
            per_host: 4,
            in_all: 8,
            max_wait: Duration::from_secs(10),
        }
    }
}

impl SiteOptions {
    /// Returns which addresses may be asked.
    pub(crate) const fn rule(&self) -> Rule {
        if self.allow_private {
            |_| true
        } else {
            is_public
        }
    }

    /// Checks what can be told of an address before its host's name is looked up.
    pub(crate) fn check(&self, url: &Url) -> Result<()> {
        check(url, self.rule())
    }

    /// Sets whether the pages of a site without `llms.txt` are found by their links.
    #[must_use]
    pub const fn with_crawl(mut self, crawl: bool) -> Self {
        self.crawl = crawl;
        self
    }

    /// Sets whether what `llms.txt` lists under `Optional` is read as well.
    #[must_use]
    pub const fn with_optional(mut self, include_optional: bool) -> Self {
        self.include_optional = include_optional;
        self
    }

    /// Sets whether addresses that are not public may be asked.
    #[must_use]
    pub const fn with_private(mut self, allow_private: bool) -> Self {
        self.allow_private = allow_private;
        self
    }

    /// Sets the most pages that are asked for.
    #[must_use]
    pub const fn with_max_pages(mut self, max_pages: usize) -> Self {
        self.max_pages = max_pages;
        self
    }

    /// Sets the most bytes of an `llms-full.txt` and of any other page.
    #[must_use]
    pub const fn with_max_bytes(mut self, full_bytes: usize, page_bytes: usize) -> Self {
        self.full_bytes = full_bytes;
        self.page_bytes = page_bytes;
        self
    }

    /// Sets how long one request may take.
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }
}
