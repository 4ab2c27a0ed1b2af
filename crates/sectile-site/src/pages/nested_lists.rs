//! Lists of pages that a list has among its pages.

use std::collections::HashSet;

use url::Url;

use super::{MOST_SEEN, Page, without_fragment};
use crate::resolve::link;
use crate::{Answer, LlmsTxt};

/// Returns whether an address is that of a list of pages.
pub(super) fn is_list(url: &Url) -> bool {
    url.path().ends_with("/llms.txt")
}

/// The lists that were read as pages, with what they list.
#[derive(Debug, Default)]
pub(super) struct NestedLists {
    lists: Vec<(Url, HashSet<String>)>,
    /// The number of addresses that are remembered.
    count: usize,
}

impl NestedLists {
    /// Remembers what a page lists, if it is a list.
    pub(super) fn take(&mut self, page: &Page) {
        let Ok(Answer::Body(body)) = &page.answer else {
            return;
        };
        if !is_list(&page.url) || !body.is_plain() {
            return;
        }
        let list = LlmsTxt::parse(&String::from_utf8_lossy(&body.bytes));
        let links = list.sections.iter().flat_map(|section| &section.links);
        let urls = links.filter_map(|listed| link(&body.url, &listed.url));
        let urls = urls.filter(|url| matches!(url.scheme(), "http" | "https"));
        let urls = urls.map(|url| String::from(without_fragment(url)));
        let urls: HashSet<String> = urls.take(MOST_SEEN - self.count).collect();
        self.count += urls.len();
        self.lists.push((page.url.clone(), urls));
    }

    /// Returns a note for each list that has pages of its own.
    pub(super) fn notes(&self, is_known: impl Fn(&str) -> bool) -> Vec<String> {
        let note = |(list, urls): &(Url, HashSet<String>)| {
            let others = urls.iter().filter(|url| !is_known(url)).count();
            (others > 0).then(|| {
                format!("`{list}` is a list itself, and {others} of its pages were not requested: ingest it for them")
            })
        };
        self.lists.iter().filter_map(note).collect()
    }
}
