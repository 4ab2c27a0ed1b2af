//! Pages that say that they are others.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use sectile_core::ContentHash;
use url::Url;

use super::Page;
use crate::{Answer, Body, Error};

/// Tells pages that have several addresses.
///
/// Of pages with the same bytes that which is preferred is the page, or else the first that links lead to: `/` and
/// `/index.html`, or the `index.html?a.html` of frames.
/// A page that names another address as its own (`rel=canonical`) is left out only when that one was read
/// and has the same title: where a template gives all pages the address of the first, none is lost.
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
        let undecided = std::mem::take(&mut self.undecided);
        let titles = &self.titles;
        let decide = |undecided: Undecided| {
            let Undecided {
                mut page,
                title,
                canonical,
            } = undecided;
            if titles.get(canonical.as_str()) == Some(&title) {
                page.answer = Err(Error::Duplicate {
                    url: page.url.clone(),
                    canonical: Box::new(canonical),
                });
            }
            page
        };
        let mut pages: VecDeque<Page> = undecided.into_iter().map(decide).collect();
        for mut page in std::mem::take(&mut self.copies) {
            if let Ok(Answer::Body(body)) = &page.answer
                && let Some(first) = self.first_with_bytes(body)
            {
                let (url, first) = (page.url.clone(), Box::new(first));
                page.answer = Err(Error::Copy { url, first });
            }
            pages.push_back(page);
        }
        pages
    }
}
