//! How a site is read, and how much of it.

use std::time::Duration;

use url::Url;

use crate::resolve::{Rule, check, host_name};
use crate::{Error, Result, is_public};

/// How a site is read. The default is right for most.
///
/// ```
/// use sectile_site::SiteOptions;
///
/// let options = SiteOptions::default().with_crawl(true).with_max_pages(50);
/// assert!(options.crawl && !options.allow_private);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own, which users set by name"
)]
pub struct SiteOptions {
    /// Whether the pages of a site that has neither `llms-full.txt` nor `llms.txt` are found by their
    /// links. Off by default.
    pub crawl: bool,
    /// Whether the page at the address is all that is read, whatever else the site offers and whether it asks
    /// not to be indexed or not. Off by default.
    pub page_only: bool,
    /// Whether what `llms.txt` lists under `Optional` is read as well. Off by default.
    pub include_optional: bool,
    /// Whether the host of a site may have addresses that are not public, such as those of this machine
    /// and of its network. Off by default. No other host is allowed by it: a site may redirect and
    /// link to where nobody meant to go.
    pub allow_private: bool,
    /// The other hosts that may have such addresses, as URLs write them; none.
    pub private_hosts: Vec<String>,
    /// The most pages that are asked for, of a crawl and of an `llms.txt`; 500.
    pub max_pages: usize,
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
            page_only: false,
            include_optional: false,
            allow_private: false,
            private_hosts: Vec::new(),
            max_pages: 500,
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
    pub(crate) fn rule(&self) -> Rule {
        Rule {
            is_public,
            private_hosts: self.private_hosts.clone().into(),
        }
    }

    /// Returns the options for a site: its host is among those that are named.
    pub(crate) fn for_site(mut self, start: &Url) -> Self {
        let host = start.host_str().filter(|_| self.allow_private);
        self.private_hosts.extend(host.map(str::to_owned));
        self
    }

    /// Checks what can be told of an address before its host's name is looked up.
    pub(crate) fn check(&self, url: &Url) -> Result<()> {
        check(url, &self.rule())
    }

    /// Sets whether the pages of a site without `llms.txt` are found by their links.
    #[must_use]
    pub const fn with_crawl(mut self, crawl: bool) -> Self {
        self.crawl = crawl;
        self
    }

    /// Sets whether the page at the address is all that is read.
    #[must_use]
    pub const fn with_page_only(mut self, page_only: bool) -> Self {
        self.page_only = page_only;
        self
    }

    /// Sets whether what `llms.txt` lists under `Optional` is read as well.
    #[must_use]
    pub const fn with_optional(mut self, include_optional: bool) -> Self {
        self.include_optional = include_optional;
        self
    }

    /// Sets whether the host of a site may have addresses that are not public.
    #[must_use]
    pub const fn with_private(mut self, allow_private: bool) -> Self {
        self.allow_private = allow_private;
        self
    }

    /// Sets which other hosts may have addresses that are not public.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUrl`] for what is not a host.
    ///
    /// ```
    /// use sectile_site::SiteOptions;
    ///
    /// let options = SiteOptions::default().with_private_hosts(["Wiki.LAN", "::1"])?;
    /// assert_eq!(options.private_hosts, ["wiki.lan", "[::1]"]);
    /// # Ok::<(), sectile_site::Error>(())
    /// ```
    pub fn with_private_hosts<T: AsRef<str>>(
        mut self,
        hosts: impl IntoIterator<Item = T>,
    ) -> Result<Self> {
        for written in hosts {
            let written = written.as_ref();
            let host = host_name(written).ok_or_else(|| Error::InvalidUrl {
                url: written.to_owned(),
                reason: "write a host alone, such as wiki.lan or 10.0.0.5".to_owned(),
            })?;
            self.private_hosts.push(host);
        }
        Ok(self)
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
