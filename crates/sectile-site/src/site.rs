//! What a site offers, from best to worst.

use std::sync::Arc;

use url::Url;

use crate::answer::{extension, is_markdown};
use crate::encoding::decoded;
use crate::pages::{Bounds, Listing, Pages};
use crate::resolve::without_user;
use crate::{
    Answer, Error, Fetcher, Known, LlmsTxt, Resolver, Result, SiteOptions, SystemResolver, Want,
    split_full,
};

/// The file that has all pages of a site.
const FULL: &str = "llms-full.txt";

/// The file that lists them.
const INDEX: &str = "llms.txt";

/// From how many bytes on a file of all pages that has no pages is a text of its own.
const LONG: usize = 4 << 10;

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
    /// at the address, then at the root; `llms.txt`, likewise; with crawling, the pages that links lead to. A list
    /// without pages is read only if there is nothing else. If the address is that of a file, it uses that file and the
    /// pages that it lists.
    ///
    /// Requests for pages in `known` are conditional.
    ///
    /// # Errors
    ///
    /// [`Error::NoListing`], or the error of the failed request.
    pub async fn open(&self, known: Arc<Known>) -> Result<Pages> {
        let (listing, notes) = if self.options.page_only || is_file(&self.start) {
            let notes = self.note_of_file().into_iter().collect();
            (self.file(&known).await?, notes)
        } else {
            self.find(&known).await?
        };
        let (fetcher, options) = (self.fetcher.clone(), self.options.clone());
        Pages::of(listing, notes, fetcher, options, known).await
    }

    /// Finds the best of what the site offers, and says what was passed over.
    async fn find(&self, known: &Known) -> Result<(Listing, Vec<String>)> {
        let mut passed = PassedOver::default();
        // The links of a list are needed whether it is new or not.
        let nothing = Known::new();
        for (name, want, known) in [(FULL, Want::Full, known), (INDEX, Want::Page, &nothing)] {
            if let Some(listing) = self.look_for(name, want, known, &mut passed).await? {
                return Ok((listing, passed.notes()));
            }
        }
        if self.options.crawl {
            let first = self.first_page().await?;
            let bounds = Bounds::of(self.place(&first), first.url());
            return Ok((Listing::Crawl(first, Box::new(bounds)), passed.notes()));
        }
        let robots = self.fetcher.robots(&self.start).await?;
        let url = self.start.clone();
        match passed.best_stub() {
            Some(read) => Ok(read),
            None if !robots.allows(&url) => Err(Error::Disallowed { url }),
            None => Err(Error::NoListing {
                url,
                reasons: passed.reasons,
            }),
        }
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

    /// Says that no links are followed although the options ask for it, as the address is that of a web page.
    fn note_of_file(&self) -> Option<String> {
        let is_asked = self.options.crawl && !self.options.page_only;
        let is_page = extension(&self.start).is_some_and(|name| is_web_page(&name));
        let folder = self.start.join("./").ok()?;
        (is_asked && is_page).then(|| {
            let start = &self.start;
            format!("`{start}` is a file, so its links were not followed: ingest {folder} for the pages in its folder")
        })
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

    /// Looks for a file at the address and at the root. An error page, an answer that is not text, and a list without
    /// pages do not count as the file.
    async fn look_for(
        &self,
        name: &str,
        want: Want,
        known: &Known,
        passed: &mut PassedOver,
    ) -> Result<Option<Listing>> {
        for url in self.places(name) {
            let reason = match self.fetcher.get(&url, want, known).await {
                Ok(answer) => {
                    if let Some(fault) = self.fault(&answer).await {
                        format!("`{url}` {fault}")
                    } else {
                        let list = listing(want, answer);
                        if !is_stub(&list) {
                            return Ok(Some(list));
                        }
                        passed.stubs.push((url, list));
                        continue;
                    }
                }
                Err(Error::NotFound { .. }) => continue,
                Err(error @ Error::Disallowed { .. }) => {
                    passed.disallowed.push(error.to_string());
                    error.to_string()
                }
                // Such a host has nothing else, either.
                Err(error @ Error::PrivateAddress { .. }) if error.is_of(&url) => {
                    return Err(error);
                }
                Err(error) if error.is_of_no_use() => error.to_string(),
                Err(error) => return Err(error),
            };
            passed.reasons.push(reason);
        }
        Ok(None)
    }

    /// Says why an answer is not the file that was asked for.
    async fn fault(&self, answer: &Answer) -> Option<&'static str> {
        let Answer::Body(body) = answer else {
            return None;
        };
        if body.bytes.is_empty() {
            return Some("is empty");
        }
        if !body.is_plain() {
            return Some("is a web page");
        }
        let is_there = self.fetcher.is_there(body).await;
        (!is_there).then_some("is what the server sends for every address")
    }

    fn places(&self, name: &str) -> Vec<Url> {
        let beside = self.start.join(name).ok();
        let at_root = self.start.join(&format!("/{name}")).ok();
        let at_root = at_root.filter(|url| Some(url) != beside.as_ref());
        beside.into_iter().chain(at_root).collect()
    }
}

/// What was passed over in the search for the pages of a site.
#[derive(Default)]
struct PassedOver {
    /// The lists without pages, and where they are.
    stubs: Vec<(Url, Listing)>,
    /// The files that the robots.txt of the site disallows.
    disallowed: Vec<String>,
    /// Why each other file that is there was not read.
    reasons: Vec<String>,
}

impl PassedOver {
    /// Returns notes for the user.
    fn notes(&self) -> Vec<String> {
        let stub =
            |(url, _): &(Url, _)| format!("`{url}` is a list without pages, so it was passed over");
        let stubs = self.stubs.iter().map(stub);
        self.disallowed.iter().cloned().chain(stubs).collect()
    }

    /// Takes the best of the lists without pages, for a site that offers nothing else, with notes for the user.
    fn best_stub(&mut self) -> Option<(Listing, Vec<String>)> {
        if self.stubs.is_empty() {
            return None;
        }
        let (url, stub) = self.stubs.remove(0);
        let mut notes = self.notes();
        notes.push(format!(
            "`{url}` is a list without pages; `crawl` follows the links of the site"
        ));
        Some((stub, notes))
    }
}

/// Returns what a file offers that was asked for.
const fn listing(want: Want, answer: Answer) -> Listing {
    match want {
        Want::Full => Listing::Full(answer),
        Want::Page | Want::Linked | Want::Sitemap => Listing::Index(answer),
    }
}

/// Returns whether a list has no pages, such as one that says `Coming soon`. A long text is a page itself.
fn is_stub(listing: &Listing) -> bool {
    match listing {
        Listing::Full(Answer::Body(body)) if body.bytes.len() < LONG => {
            let pages = split_full(&decoded(&body.bytes), &body.url);
            pages.iter().all(|page| page.url == body.url)
        }
        Listing::Index(Answer::Body(body)) => LlmsTxt::parse(&decoded(&body.bytes)).is_empty(),
        _ => false,
    }
}

/// Returns whether an address names a file by its extension.
fn is_file(url: &Url) -> bool {
    let is_page = |name: &str| is_markdown(name) || name == "txt" || is_web_page(name);
    extension(url).is_some_and(|name| is_page(&name))
}

/// Returns whether files of an extension are web pages.
fn is_web_page(extension: &str) -> bool {
    matches!(extension, "html" | "htm" | "xhtml")
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
