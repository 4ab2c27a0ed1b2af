//! Pages that say that they are others.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use sectile_core::ContentHash;
use url::Url;

use super::Page;
use crate::{Body, Error};

/// Tells pages that have several addresses.
///
/// Of pages with the same bytes the first is the page: `/` and `/index.html`, or the `index.html?a.html` of frames.
/// A page that names another address as its own (`rel=canonical`) is left out only when that one was read
/// and has the same title: where a template gives all pages the address of the first, none is lost.
#[derive(Debug, Default)]
pub(super) struct Duplicates {
    /// The titles of the pages that were read, by their addresses.
    titles: HashMap<String, String>,
    /// The first page with some bytes, by their hash.
    first: HashMap<ContentHash, Url>,
    /// Pages that name another address, which has not been read.
    undecided: Vec<Undecided>,
}

#[derive(Debug)]
struct Undecided {
    page: Page,
    title: String,
    canonical: Url,
}

impl Duplicates {
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
        undecided.into_iter().map(decide).collect()
    }
}
