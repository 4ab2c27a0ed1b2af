//! What a site offers, from best to worst.

use std::sync::Arc;

use url::Url;

use crate::answer::{extension, is_markdown};
use crate::pages::{Bounds, Listing, Pages};
use crate::resolve::without_user;
use crate::{Answer, Error, Fetcher, Known, Resolver, Result, SiteOptions, SystemResolver, Want};

/// The file that has all pages of a site.
const FULL: &str = "llms-full.txt";

/// The file that lists them.
const INDEX: &str = "llms.txt";

/// A web site, a part of one, or a single page.
#[derive(Clone, Debug)]
pub struct Site {
    /// The address as given.
    given: Url,
    start: Url,
    fetcher: Fetcher,
    options: SiteOptions,
}

impl Site {
    /// Creates the site at an address. Sends no request.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUrl`], [`Error::PrivateAddress`] and [`Error::Client`].
    ///
    /// ```
    /// use sectile_site::{Site, SiteOptions};
    ///
    /// let site = Site::new("https://docs.example.org/guide#top", &SiteOptions::default())?;
    /// assert_eq!(site.url().as_str(), "https://docs.example.org/guide/");
    /// # Ok::<(), sectile_site::Error>(())
    /// ```
    pub fn new(url: &str, options: &SiteOptions) -> Result<Self> {
        Self::with_resolver(url, options, Arc::new(SystemResolver))
    }

    /// Creates the site at an address, with a resolver for host names.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_resolver(
        url: &str,
        options: &SiteOptions,
        resolver: Arc<dyn Resolver>,
    ) -> Result<Self> {
        let parsed = Url::parse(url).map_err(|error| Error::InvalidUrl {
            url: without_user(url),
            reason: format!("{error}; write it as https://…"),
        });
        let mut given = parsed?;
        let options = options.clone().for_site(&given);
        options.check(&given)?;
        given.set_fragment(None);
        let mut start = given.clone();
        let is_one = is_file(&start) || options.page_only;
        if !is_one && start.query().is_none() && !start.path().ends_with('/') {
            start.set_path(&format!("{}/", start.path()));
        }
        Ok(Self {
            given,
            start,
            fetcher: Fetcher::with_resolver(&options, resolver)?,
            options,
        })
    }

    /// Returns the address that identifies the site: that of a file or a page, or one that ends with
    /// `/`.
    pub fn url(&self) -> &Url {
        &self.start
    }

    /// Finds the pages of the site. In this order: only the page at the address, if the options say so; `llms-full.txt`
    /// at the address, then at the root; `llms.txt`, likewise; with crawling, the pages that links lead to. If the
    /// address is that of a file, it uses that file and the pages that it lists.
    ///
    /// Requests for pages in `known` are conditional.
    ///
    /// # Errors
    ///
    /// [`Error::NoListing`], or the error of the failed request.
    pub async fn open(&self, known: Arc<Known>) -> Result<Pages> {
        let listing = if self.options.page_only || is_file(&self.start) {
            self.file(&known).await?
        } else if let Some(full) = self.look_for(FULL, Want::Full, &known).await? {
            Listing::Full(full)
        } else if let Some(index) = self.look_for(INDEX, Want::Page, &Known::new()).await? {
            Listing::Index(index)
        } else if self.options.crawl {
            let first = self.first_page().await?;
            let bounds = Bounds::of(self.place(&first), first.url());
            Listing::Crawl(first, bounds)
        } else {
            let url = self.start.clone();
            return Err(Error::NoListing { url });
        };
        Pages::of(listing, self.fetcher.clone(), self.options.clone(), known).await
    }

    /// Returns the first page of a crawl: the page at the address as given, or else with a `/` after it.
    async fn first_page(&self) -> Result<Answer> {
        let nothing = Known::new();
        let get = |url| self.fetcher.get(url, Want::Linked, &nothing);
        match get(&self.given).await {
            Err(missing @ Error::NotFound { .. }) if self.given != self.start => {
                let answer = get(&self.start).await;
                let is_missing = matches!(answer, Err(Error::NotFound { .. }));
                if is_missing { Err(missing) } else { answer }
            }
            answer => answer,
        }
    }

    /// Returns the address that a crawl stays at or below: that of the site, unless its first page is elsewhere.
    fn place<'a>(&'a self, first: &'a Answer) -> &'a Url {
        if *first.url() == self.given {
            &self.start
        } else {
            first.url()
        }
    }

    async fn file(&self, known: &Known) -> Result<Listing> {
        let get = |want, known| self.fetcher.get(&self.start, want, known);
        match self.start.path().rsplit('/').next() {
            Some(FULL) => Ok(Listing::Full(get(Want::Full, known).await?)),
            // Its links are needed whether it is new or not.
            Some(INDEX) => Ok(Listing::Index(get(Want::Page, &Known::new()).await?)),
            _ => Ok(Listing::One(get(Want::Page, known).await?)),
        }
    }

    /// Looks for a file at the address and at the root. An error page, or an answer that is not text,
    /// does not count as the file.
    async fn look_for(&self, name: &str, want: Want, known: &Known) -> Result<Option<Answer>> {
        let mut disallowed = None;
        for url in self.places(name) {
            match self.fetcher.get(&url, want, known).await {
                Ok(answer) if self.is_text(&answer).await => return Ok(Some(answer)),
                Ok(_) => {}
                Err(error @ Error::Disallowed { .. }) => disallowed = Some(error),
                // Such a host has nothing else, either.
                Err(error @ Error::PrivateAddress { .. }) if error.is_of(&url) => {
                    return Err(error);
                }
                Err(error) if error.is_of_no_use() => {}
                Err(error) => return Err(error),
            }
        }
        // A site that wants nobody to read its list wants nobody to read what it lists.
        disallowed.map_or(Ok(None), Err)
    }

    async fn is_text(&self, answer: &Answer) -> bool {
        match answer {
            Answer::NotModified { .. } => true,
            Answer::Body(body) if !body.is_plain() || body.bytes.is_empty() => false,
            Answer::Body(body) => self.fetcher.is_there(body).await,
        }
    }

    fn places(&self, name: &str) -> Vec<Url> {
        let beside = self.start.join(name).ok();
        let at_root = self.start.join(&format!("/{name}")).ok();
        let at_root = at_root.filter(|url| Some(url) != beside.as_ref());
        beside.into_iter().chain(at_root).collect()
    }
}

/// Returns whether an address names a file by its extension.
fn is_file(url: &Url) -> bool {
    let is_page =
        |name: &str| is_markdown(name) || matches!(name, "txt" | "html" | "htm" | "xhtml");
    extension(url).is_some_and(|name| is_page(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_address_is_named_without_its_password() {
        for url in [
            "https://u:s3cret@h h/",
            "https://u:s3/cret@h/",
            "u:s3cret@h/ p",
        ] {
            let error = Site::new(url, &SiteOptions::default()).unwrap_err();
            assert!(matches!(error, Error::InvalidUrl { .. }), "{error}");
            let error = error.to_string();
            assert!(!error.contains("s3") && error.contains('h'), "{error}");
        }
    }
}
