//! Pages that say that they are others.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

use sectile_core::ContentHash;
use url::Url;

use super::Page;
use crate::{Answer, Body, Error};

/// Tells pages that have several addresses.
///
/// Of pages with the same bytes that which is preferred is the page, or else the first that links lead to: `/` and
/// `/index.html`, or the `index.html?a.html` of frames.
/// A page that names another address as its own (`rel=canonical`) is left out only when that one was read
/// and has the same title: where a template gives all pages the address of the first, none is lost. Nor is one lost where
/// all pages have the same title, or none.
#[derive(Debug, Default)]
pub(super) struct Duplicates {
    /// The titles of the pages that were read, by their addresses.
    titles: HashMap<String, String>,
    /// The first page with some bytes, by their hash.
    first: HashMap<ContentHash, Url>,
    /// The addresses that are preferred to others with the same bytes, by their hash.
    preferred: HashMap<ContentHash, Url>,
    /// Pages that name another address, which has not been read.
    undecided: Vec<Undecided>,
    /// Pages that have the bytes of one that is preferred, which has not been read.
    copies: Vec<Page>,
}

#[derive(Debug)]
struct Undecided {
    page: Page,
    title: String,
    canonical: Url,
}

impl Duplicates {
    /// Prefers addresses to others that have the same bytes.
    pub(super) fn prefer(&mut self, known: HashMap<ContentHash, Url>) {
        self.preferred = known;
    }

    /// Returns whether another address is preferred for the bytes of a page and has not been read.
    pub(super) fn is_second(&self, body: &Body) -> bool {
        let hash = ContentHash::of(&body.bytes);
        let preferred = self.preferred.get(&hash);
        preferred.is_some_and(|url| *url != body.url) && !self.first.contains_key(&hash)
    }

    /// Keeps a page back until it is known whether the preferred one is there.
    pub(super) fn keep_copy(&mut self, page: Page) {
        self.copies.push(page);
    }

    /// Returns the page that has the same bytes, if one was read before.
    pub(super) fn first_with_bytes(&mut self, body: &Body) -> Option<Url> {
        match self.first.entry(ContentHash::of(&body.bytes)) {
            Entry::Occupied(first) => Some(first.get().clone()).filter(|first| *first != body.url),
            Entry::Vacant(vacant) => {
                vacant.insert(body.url.clone());
                None
            }
        }
    }

    /// Notes a page that is there in its own right.
    pub(super) fn note(&mut self, url: &Url, title: String) {
        self.titles.insert(url.as_str().to_owned(), title);
    }

    /// Keeps a page back until it is known what its address leads to.
    pub(super) fn keep_back(&mut self, page: Page, title: String, canonical: Url) {
        self.undecided.push(Undecided {
            page,
            title,
            canonical,
        });
    }

    /// Returns the pages that were kept back, when there are no more to be read.
    pub(super) fn take_undecided(&mut self) -> VecDeque<Page> {
        let is_template = self.are_of_template();
        let mut pages = VecDeque::new();
        for undecided in std::mem::take(&mut self.undecided) {
            let is_other = !(is_template && undecided.has_other_path());
            if is_other && self.names_its_page(&undecided) {
                let Undecided {
                    mut page,
                    canonical,
                    ..
                } = undecided;
                page.answer = Err(Error::Duplicate {
                    url: page.url.clone(),
                    canonical: Box::new(canonical),
                });
                pages.push_back(page);
            } else {
                pages.push_back(self.without_copy(undecided.page));
            }
        }
        for page in std::mem::take(&mut self.copies) {
            let page = self.without_copy(page);
            pages.push_back(page);
        }
        pages
    }

    /// Returns whether the page that another one names was read and has its title. Without a title, only the query may
    /// differ.
    fn names_its_page(&self, undecided: &Undecided) -> bool {
        let title = self.titles.get(undecided.canonical.as_str());
        let is_titled = !undecided.title.is_empty() || !undecided.has_other_path();
        is_titled && title == Some(&undecided.title)
    }

    /// Returns whether all pages of the crawl, which are several, name one of them: then the address is that of their
    /// template.
    fn are_of_template(&self) -> bool {
        let Some(first) = self.undecided.first() else {
            return false;
        };
        let canonical = &first.canonical;
        let mut others = self.titles.keys();
        let is_alone = others.all(|url| url == canonical.as_str());
        let mut pages = self.undecided.iter();
        let is_named_by_all = pages.all(|undecided| undecided.canonical == *canonical);
        let different = self.undecided.iter();
        let different = different.filter(|undecided| undecided.has_other_path());
        let paths: HashSet<&str> = different
            .map(|undecided| undecided.page.url.path())
            .collect();
        is_alone && is_named_by_all && paths.len() > 1
    }

    /// Returns a page, or that it is a copy of one that was read before.
    fn without_copy(&mut self, mut page: Page) -> Page {
        if let Ok(Answer::Body(body)) = &page.answer
            && let Some(first) = self.first_with_bytes(body)
        {
            let (url, first) = (page.url.clone(), Box::new(first));
            page.answer = Err(Error::Copy { url, first });
        }
        page
    }
}

impl Undecided {
    /// Returns whether it is not only the query in which the address that a page names differs from its own.
    fn has_other_path(&self) -> bool {
        self.page.url.path() != self.canonical.path()
    }
}
