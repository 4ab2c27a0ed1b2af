//! Pages that are found by their links and by sitemaps.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use sectile_core::Format;
use url::{Origin, Url};

use super::request::{Fetched, Target, found};
use super::{Page, Pages, Role, failed};
use crate::answer::extension;
use crate::head::Head;
use crate::links::links;
use crate::resolve::link;
use crate::{Answer, Error, Fetcher, Kind, Known, Result, Want, sitemap};

/// The most sitemaps that are read.
const MOST_SITEMAPS: usize = 50;

/// Extensions of files that are neither pages nor documents, and are not requested. Extensions of small texts are missing
/// here, because a wiki has pages such as `Node.js` and `package.json`.
const NO_PAGES: [&str; 25] = [
    "7z", "avi", "bin", "bmp", "dmg", "eot", "exe", "gif", "gz", "ico", "jar", "jpeg", "jpg",
    "mov", "mp3", "mp4", "png", "svg", "tar", "tgz", "ttf", "wasm", "webm", "webp", "zip",
];

/// Extensions of documents that no loader reads.
const OLD_DOCUMENTS: [&str; 2] = ["doc", "ppt"];

/// The most documents that are counted, and that are named.
const MOST_DOCUMENTS: usize = 50_000;
const MOST_NAMED: usize = 3;

/// The part of a site that a crawl stays in.
#[derive(Debug)]
pub(crate) struct Bounds {
    first: Url,
    origin: Origin,
    prefix: String,
    /// How many links lead to other addresses of the site.
    elsewhere: BTreeMap<String, usize>,
    /// How many links lead out of the folder.
    outside: usize,
    /// The linked documents that are not requested.
    documents: BTreeSet<Url>,
}

impl Bounds {
    /// Returns the bounds of a crawl: its first page, and what is in the folder of a place.
    pub(crate) fn of(place: &Url, first: &Url) -> Self {
        let folder = place.path().rfind('/').map_or(0, |slash| slash + 1);
        Self {
            first: first.clone(),
            origin: place.origin(),
            prefix: place.path()[..folder].to_owned(),
            elsewhere: BTreeMap::new(),
            outside: 0,
            documents: BTreeSet::new(),
        }
    }

    /// Returns the address of a page as this site has it: many sites write `http` in their links and sitemaps and
    /// are served by `https`.
    fn own(&self, mut url: Url) -> Url {
        let is_same = url.host() == self.first.host() && url.port() == self.first.port();
        if is_same && url.port().is_none() && matches!(url.scheme(), "http" | "https") {
            // Either scheme can become the other.
            let _ = url.set_scheme(self.first.scheme());
        }
        url
    }

    /// Counts a link that is not followed, if it leads to a document, to another address of the same site or out of the
    /// folder.
    fn note(&mut self, url: &Url) {
        if url.origin() == self.origin && is_document(url) {
            if self.documents.len() < MOST_DOCUMENTS {
                self.documents.insert(url.clone());
            }
        } else if url.origin() == self.origin {
            self.outside += usize::from(is_page(url));
        } else if is_same_site(&self.first, url) {
            let address = url.origin().ascii_serialization();
            *self.elsewhere.entry(address).or_default() += 1;
        }
    }

    /// Returns notes about links that were not followed. If there are pages, links to other parts of the site
    /// are expected, and get no note.
    pub(super) fn notes(&self, has_pages: bool) -> Vec<String> {
        let mut notes = Vec::new();
        let is_variant = |address: &str| {
            let url = Url::parse(address).ok();
            url.is_some_and(|url| is_same_but_for_scheme(&url, &self.first))
        };
        let others = self.elsewhere.iter();
        let others = others.filter(|(address, _)| !has_pages || is_variant(address));
        if let Some((address, links)) = others.max_by_key(|(_, links)| **links) {
            notes.push(format!(
                "links lead to {address}, another address of this site ({links} in all): ingest that one for its pages"
            ));
        }
        if self.outside > 0 && !has_pages {
            let folder = link(&self.first, &format!("{}../", self.prefix));
            let folder = folder.map_or_else(String::new, String::from);
            notes.push(format!(
                "links lead out of `{}`, where this crawl stays ({} in all): ingest {folder} for their pages",
                self.prefix, self.outside
            ));
        }
        notes.extend(self.note_of_documents());
        notes
    }

    fn note_of_documents(&self) -> Option<String> {
        let named: Vec<&str> = self
            .documents
            .iter()
            .take(MOST_NAMED)
            .map(Url::as_str)
            .collect();
        let count = self.documents.len();
        let more = match count - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let named = named.join(", ");
        (count > 0).then(|| {
            format!(
                "documents that are linked and were not requested, as a crawl reads web pages ({count} in all): \
                 {named}{more}; download them and ingest the files"
            )
        })
    }

    fn has(&self, url: &Url) -> bool {
        *url == self.first
            || url.origin() == self.origin && url.path().starts_with(&self.prefix) && is_page(url)
    }
}

/// Returns whether an address may be that of a page. Sphinx keeps the sources of its pages beside them.
fn is_page(url: &Url) -> bool {
    match extension(url).as_deref() {
        Some("txt") => !url.path().contains("/_sources/"),
        Some(name) => !NO_PAGES.contains(&name) && !is_document(url),
        None => true,
    }
}

/// Returns whether an address may be that of a document, such as a PDF, that is no web page.
fn is_document(url: &Url) -> bool {
    extension(url).is_some_and(|name| {
        let format = Format::from_extension(&name);
        OLD_DOCUMENTS.contains(&&*name) || format.is_some_and(Format::is_binary)
    })
}

/// Returns whether one of two hosts is the other, or below it.
fn is_same_site(own: &Url, other: &Url) -> bool {
    let bare = |url: &Url| url.host_str().map(|host| without_www(host).to_owned());
    let (Some(own), Some(other)) = (bare(own), bare(other)) else {
        return false;
    };
    let is_below = |host: &str, domain: &str| {
        let rest = host.strip_suffix(domain);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    is_below(&own, &other) || is_below(&other, &own)
}

/// Returns whether two addresses have one host, but for `www.`, and one port, where they name one.
fn is_same_but_for_scheme(one: &Url, other: &Url) -> bool {
    let host = |url: &Url| url.host_str().map(|host| without_www(host).to_owned());
    host(one) == host(other) && one.port() == other.port()
}

fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
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
                    let links = links(&body.bytes, &body.url);
                    if links.is_cut {
                        let most = links.urls.len();
                        let url = &body.url;
                        self.notes.push(format!(
                            "only the first {most} links of `{url}` were followed"
                        ));
                    }
                    self.enqueue_within(links.urls);
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
                } else if self.duplicates.is_second(body) {
                    self.duplicates.keep_copy(page);
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
        let canonical = self.bounds.as_ref()?.own(canonical?);
        Some(canonical).filter(|canonical| canonical != url && self.is_within(canonical))
    }

    fn is_within(&self, url: &Url) -> bool {
        let bounds = self.bounds.as_ref();
        bounds.is_some_and(|bounds| bounds.has(url))
    }

    fn enqueue_within(&mut self, urls: Vec<Url>) {
        for mut url in urls {
            let Some(bounds) = &mut self.bounds else {
                return;
            };
            url.set_fragment(None);
            let url = bounds.own(url);
            if bounds.has(&url) {
                self.enqueue(Target { url, title: None });
            } else {
                bounds.note(&url);
            }
        }
    }

    /// Lets the pages wait that the sitemaps of the site list: those that its robots.txt names, or
    /// else that at the root.
    async fn read_sitemaps(&mut self, start: &Url) -> Result<()> {
        let robots = self.fetcher.robots(start).await?;
        let named = robots.sitemaps().iter();
        let named = named.filter_map(|place| link(start, place)).collect();
        let at_root: VecDeque<Url> = link(start, "/sitemap.xml").into_iter().collect();
        let is_root_named = at_root
            .iter()
            .any(|place| VecDeque::contains(&named, place));
        if !self.read_each(named, true).await && !is_root_named {
            self.read_each(at_root, false).await;
        }
        Ok(())
    }

    /// Reads sitemaps and those that they list, and says whether one of them is one. `are_named` says that
    /// something says that they are there.
    ///
    /// A sitemap that is there and cannot be read is returned as a page that cannot be read.
    async fn read_each(&mut self, mut waiting: VecDeque<Url>, mut are_named: bool) -> bool {
        let mut is_read = false;
        let mut seen: HashSet<Url> = waiting.iter().cloned().collect();
        for _ in 0..MOST_SITEMAPS {
            let Some(place) = waiting.pop_front() else {
                return is_read;
            };
            match self.fetcher.get(&place, Want::Sitemap, &Known::new()).await {
                Ok(Answer::Body(body)) => {
                    let found = sitemap::read(&body.bytes, self.options.full_bytes);
                    if are_named && !found.is_one {
                        self.notes.push(format!("`{place}` is not a sitemap"));
                    }
                    is_read |= found.is_one;
                    if let Some(reason) = found.flaw {
                        self.miss(place.clone(), Error::Unreadable { url: place, reason });
                    }
                    let here = |address: &String| link(&body.url, address);
                    let listed = found.sitemaps.iter().filter_map(here);
                    waiting.extend(listed.filter(|place| seen.insert(place.clone())));
                    let pages = found.pages.iter().filter_map(here).collect();
                    self.enqueue_within(pages);
                }
                Ok(Answer::NotModified { .. }) => {}
                Err(error) if error.is_of_no_use() => {
                    if are_named {
                        self.notes.push(format!("a sitemap was not read: {error}"));
                    }
                }
                Err(error) => self.miss(place, error),
            }
            // Those that come next are listed by this one.
            are_named = true;
        }
        if let Some(place) = waiting.pop_front() {
            let reason = format!("the site has more than {MOST_SITEMAPS} sitemaps");
            self.miss(place.clone(), Error::Unreadable { url: place, reason });
        }
        is_read
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_of_a_link_is_that_of_the_site() {
        let check = |site: &str, link: &str, expected: &str| {
            let site = Url::parse(site).unwrap();
            let own = Bounds::of(&site, &site).own(Url::parse(link).unwrap());
            assert_eq!(own.as_str(), expected, "{link}");
        };
        check("https://x.org/", "http://x.org/a?b", "https://x.org/a?b");
        check("http://x.org/", "https://x.org/a", "http://x.org/a");
        check("https://x.org/", "http://x.org:80/a", "https://x.org/a");
        for link in ["http://x.org:8080/a", "http://www.x.org/a", "ftp://x.org/a"] {
            check("https://x.org/", link, link);
        }
    }

    #[test]
    fn sources_that_stand_beside_pages_are_no_pages() {
        let check = |path: &str| is_page(&Url::parse("https://x.org").unwrap().join(path).unwrap());
        assert!(check("/a.txt") && check("/_sources/") && check("/Node.js"));
        assert!(!check("/docs/_sources/a.rst.txt") && !check("/a.PNG"));
    }
}
