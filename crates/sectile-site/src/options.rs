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
    /// Whether to follow links if a site has neither `llms-full.txt` nor `llms.txt`. Off by default.
    pub crawl: bool,
    /// Whether to read only the page at the address, even if it asks not to be indexed. Off by default.
    pub page_only: bool,
    /// Whether to also read the pages that `llms.txt` lists under `Optional`. Off by default.
    pub include_optional: bool,
    /// Whether the host of a site may have addresses that are not public, such as those of this machine
    /// and of its network. Off by default. It allows no other host, because a site may redirect and
    /// link anywhere.
    pub allow_private: bool,
    /// Other hosts that may have such addresses, written as in URLs; none by default.
    pub private_hosts: Vec<String>,
    /// The maximum number of pages to request, of a crawl or of an `llms.txt`; 500 by default.
    pub max_pages: usize,
    /// The maximum size of an `llms-full.txt` in bytes, both compressed and decompressed; 32 MiB by
    /// default.
    pub full_bytes: usize,
    /// The maximum size of any other page in bytes, both compressed and decompressed; 8 MiB by
    /// default.
    pub page_bytes: usize,
    /// The timeout of one request, up to the last byte of its answer; 60 seconds by default.
    pub timeout: Duration,
    /// The timeout for connecting to a host; 10 seconds by default.
    pub connect_timeout: Duration,
    /// The maximum number of redirects for one page; 5 by default.
    pub max_redirects: usize,
    /// The maximum number of concurrent requests to one host; 4 by default.
    pub per_host: usize,
    /// The maximum number of concurrent requests; 8 by default.
    pub in_all: usize,
    /// The longest wait that a host can ask for, with `Crawl-delay` between requests or with
    /// `Retry-After`; 10 seconds by default.
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

    /// Sets whether to follow the links of a site without `llms.txt`.
    #[must_use]
    pub const fn with_crawl(mut self, crawl: bool) -> Self {
        self.crawl = crawl;
        self
    }

    /// Sets whether to read only the page at the address.
    #[must_use]
    pub const fn with_page_only(mut self, page_only: bool) -> Self {
        self.page_only = page_only;
        self
    }

    /// Sets whether to also read the pages that `llms.txt` lists under `Optional`.
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

    /// Sets the maximum number of pages to request.
    #[must_use]
    pub const fn with_max_pages(mut self, max_pages: usize) -> Self {
        self.max_pages = max_pages;
        self
    }

    /// Sets the maximum size in bytes of an `llms-full.txt`, and of any other page.
    #[must_use]
    pub const fn with_max_bytes(mut self, full_bytes: usize, page_bytes: usize) -> Self {
        self.full_bytes = full_bytes;
        self.page_bytes = page_bytes;
        self
    }

    /// Sets the timeout of one request.
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }
}
