//! Pages that are found by their links and by sitemaps.

use std::collections::VecDeque;

use url::{Origin, Url};

use super::{Fetched, Page, Pages, Role, Target, failed, found};
use crate::answer::extension;
use crate::head::Head;
use crate::links::links;
use crate::resolve::join;
use crate::{Answer, Error, Fetcher, Kind, Known, Result, Want, sitemap};

/// The most sitemaps that are read.
const MOST_SITEMAPS: usize = 50;

/// Extensions of what is no page, so that it need not be asked for. Those of small texts are not among them: a
/// wiki has pages such as `Node.js` and `package.json`, and the answer says what it is.
const NO_PAGES: [&str; 28] = [
    "7z", "avi", "bin", "bmp", "dmg", "doc", "docx", "eot", "exe", "gif", "gz", "ico", "jar",
    "jpeg", "jpg", "mov", "mp3", "mp4", "pdf", "png", "svg", "tar", "tgz", "ttf", "wasm", "webm",
    "webp", "zip",
];

/// The part of a site that a crawl stays in.
#[derive(Debug)]
pub(crate) struct Bounds {
    first: Url,
    origin: Origin,
    prefix: String,
}

impl Bounds {
    /// Returns the bounds of a crawl: its first page, and what is in the folder of a place.
    pub(crate) fn of(place: &Url, first: &Url) -> Self {
        let folder = place.path().rfind('/').map_or(0, |slash| slash + 1);
        Self {
            first: first.clone(),
            origin: place.origin(),
            prefix: place.path()[..folder].to_owned(),
        }
    }

    /// Returns the address of the server of a page, if it is another one of the same site.
    fn other_server(&self, url: &Url) -> Option<String> {
        let (own, other) = (bare_host(&self.first)?, bare_host(url)?);
        let is_below = |host: &str, domain: &str| {
            let rest = host.strip_suffix(domain);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        let is_same_site = is_below(own, other) || is_below(other, own);
        let is_other = is_same_site && url.origin() != self.origin;
        is_other.then(|| url.origin().ascii_serialization())
    }

    fn has(&self, url: &Url) -> bool {
        if *url == self.first {
            return true;
        }
        let is_page = !extension(url).is_some_and(|name| NO_PAGES.contains(&&*name));
        url.origin() == self.origin && url.path().starts_with(&self.prefix) && is_page
    }
}

/// Returns the host of a page, without `www.` before it.
fn bare_host(url: &Url) -> Option<&str> {
    let host = url.host_str()?;
    Some(host.strip_prefix("www.").unwrap_or(host))
}

impl Pages {
    /// Begins a crawl at its first page.
    pub(super) async fn crawl(&mut self, answer: Answer, bounds: Bounds) -> Result<()> {
        let start = answer.url().clone();
        self.bounds = Some(bounds);
        self.asked = 1;
        self.seen.insert(start.as_str().to_owned());
        self.follow(Page::given(Role::Page, answer));
        self.read_sitemaps(&start).await
    }

    /// Returns a page, and lets those that it links to wait.
    pub(super) fn follow(&mut self, mut page: Page) {
        match &page.answer {
            // Redirects may lead elsewhere.
            Ok(answer) if !self.is_within(answer.url()) => return,
            Ok(Answer::Body(body)) => {
                let head = Head::of(body);
                if !head.is_nofollow && body.kind() == Some(Kind::Html) {
                    self.enqueue_within(links(&body.bytes, &body.url));
                }
                let url = body.url.clone();
                if head.is_noindex {
                    page.answer = Err(Error::NotIndexed { url });
                } else if let Some(to) = head.leads_to.filter(|to| *to != url) {
                    self.enqueue_within(vec![to.clone()]);
                    let to = Box::new(to);
                    page.answer = Err(Error::Moved { url, to });
                } else if let Some(canonical) = self.other_address(&url, head.canonical) {
                    self.enqueue_within(vec![canonical.clone()]);
                    self.duplicates.keep_back(page, head.title, canonical);
                    return;
                } else if let Some(first) = self.duplicates.first_with_bytes(body) {
                    let first = Box::new(first);
                    page.answer = Err(Error::Copy { url, first });
                } else {
                    self.duplicates.note(&url, head.title);
                }
            }
            Ok(Answer::NotModified { .. }) => {}
            // What it links to is not known, and may be another time.
            Err(error) => self.is_whole &= !error.may_pass(),
        }
        self.ready.push_back(page);
    }

    /// Returns the address that a page names as its own, if it is another one of this crawl.
    fn other_address(&self, url: &Url, canonical: Option<Url>) -> Option<Url> {
        canonical.filter(|canonical| canonical != url && self.is_within(canonical))
    }

    fn is_within(&self, url: &Url) -> bool {
        let bounds = self.bounds.as_ref();
        bounds.is_some_and(|bounds| bounds.has(url))
    }

    fn enqueue_within(&mut self, urls: Vec<Url>) {
        for mut url in urls {
            url.set_fragment(None);
            if self.is_within(&url) {
                self.enqueue(Target { url, title: None });
            } else if self.asked == 1 {
                let bounds = self.bounds.as_ref();
                let server = bounds.and_then(|bounds| bounds.other_server(&url));
                if let Some(server) = server {
                    *self.elsewhere.entry(server).or_default() += 1;
                }
            }
        }
    }

    /// Lets the pages wait that the sitemaps of the site list: those that its robots.txt names, or
    /// else that at the root.
    ///
    /// A sitemap that is there and cannot be read is returned as a page that cannot be read.
    async fn read_sitemaps(&mut self, start: &Url) -> Result<()> {
        let robots = self.fetcher.robots(start).await?;
        let named = robots.sitemaps().iter().map(String::as_str);
        let fallback = Some("/sitemap.xml").filter(|_| robots.sitemaps().is_empty());
        let places = named.chain(fallback);
        let mut waiting: VecDeque<Url> = places.filter_map(|place| join(start, place)).collect();
        for _ in 0..MOST_SITEMAPS {
            let Some(place) = waiting.pop_front() else {
                return Ok(());
            };
            match self.fetcher.get(&place, Want::Sitemap, &Known::new()).await {
                Ok(Answer::Body(body)) => {
                    let found = sitemap::read(&body.bytes, self.options.full_bytes);
                    if let Some(reason) = found.flaw {
                        self.miss(place.clone(), Error::Unreadable { url: place, reason });
                    }
                    let here = |address: &String| join(&body.url, address);
                    waiting.extend(found.sitemaps.iter().filter_map(here));
                    let pages = found.pages.iter().filter_map(here).collect();
                    self.enqueue_within(pages);
                }
                Ok(Answer::NotModified { .. }) => {}
                Err(error) if error.is_of_no_use() => {}
                Err(error) => self.miss(place, error),
            }
        }
        if let Some(place) = waiting.pop_front() {
            let reason = format!("the site has more than {MOST_SITEMAPS} sitemaps");
            self.miss(place.clone(), Error::Unreadable { url: place, reason });
        }
        Ok(())
    }

    /// Says that a sitemap was not read: without it, pages may be missing.
    fn miss(&mut self, place: Url, error: Error) {
        self.is_whole = false;
        self.ready.push_back(failed(place, None, error));
    }
}

/// Asks for a page in full: its links are needed, whether it is new or not.
pub(super) async fn fetch(fetcher: &Fetcher, target: Target) -> Fetched {
    let nothing = Known::new();
    let followed = fetcher.follow(&target.url, Want::Linked, &nothing).await;
    found(target, followed)
}
