//! The pages of a site, one after the other, several at a time.

mod crawl;
mod duplicates;
mod nested_lists;
mod presence;
mod request;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use sectile_core::ContentHash;
use tokio::task::JoinSet;
use url::Url;

use crate::head::Head;
use crate::resolve::link;
use crate::{Answer, Error, Fetcher, Known, LlmsTxt, Result, SiteOptions};
pub(crate) use crawl::Bounds;
use duplicates::Duplicates;
use nested_lists::NestedLists;
pub use presence::Presence;
use request::{Fetched, Target, fetch};

/// The maximum number of remembered addresses. No remembered address is requested twice.
const MOST_SEEN: usize = 50_000;

/// The maximum number of pages that are being fetched, or wait for a slower one.
const MOST_AHEAD: usize = 64;

/// The most characters that are shown of a link that is none.
const LONGEST_SHOWN: usize = 200;

/// The most problems of a list that are shown.
const MOST_PROBLEMS: usize = 3;

/// What a site offers.
pub(crate) enum Listing {
    Full(Answer),
    Index(Answer),
    One(Answer),
    Crawl(Answer, Box<Bounds>),
}

/// The role of a page in its site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// An `llms-full.txt`, which has all pages.
    Full,
    /// An `llms.txt`, which lists them.
    Index,
    /// One page.
    Page,
}

/// A requested page.
#[derive(Clone, Debug)]
pub struct Page {
    /// The address without a fragment: the listed address if a Markdown variant was found, or else
    /// the address after redirects.
    pub url: Url,
    /// The title in the list.
    pub title: Option<String>,
    /// The role in its site.
    pub role: Role,
    /// The answer of the server.
    pub answer: Result<Answer>,
    /// Whether a page that could not be read may exist at another address, to which redirects would
    /// have led.
    pub may_be_elsewhere: bool,
}

impl Page {
    /// Returns a page that was read before it was asked for.
    fn given(role: Role, answer: Answer) -> Self {
        Self {
            url: answer.url().clone(),
            title: None,
            role,
            answer: Ok(answer),
            may_be_elsewhere: false,
        }
    }
}

/// The pages of a site. Requests continue in the background until this is dropped.
pub struct Pages {
    fetcher: Fetcher,
    options: SiteOptions,
    known: Arc<Known>,
    ready: VecDeque<Page>,
    waiting: VecDeque<Target>,
    running: JoinSet<(usize, Fetched)>,
    /// Pages that were fetched before one that was asked for earlier, by their numbers.
    early: BTreeMap<usize, Fetched>,
    /// How many pages were started, and how many of these are finished.
    started: usize,
    finished: usize,
    seen: HashSet<String>,
    returned: HashSet<String>,
    passed_over: HashSet<String>,
    /// Where pages are that have moved, by the addresses that lead there.
    moved: HashMap<String, Url>,
    asked: usize,
    left_out: usize,
    is_whole: bool,
    bounds: Option<Bounds>,
    notes: Vec<String>,
    duplicates: Duplicates,
    nested: NestedLists,
    is_list_empty: bool,
}

impl fmt::Debug for Pages {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Pages")
            .field("ready", &self.ready.len())
            .field("waiting", &self.waiting.len())
            .field("running", &self.running.len())
            .finish_non_exhaustive()
    }
}

impl Pages {
    pub(crate) async fn of(
        listing: Listing,
        notes: Vec<String>,
        fetcher: Fetcher,
        options: SiteOptions,
        known: Arc<Known>,
    ) -> Result<Self> {
        let mut pages = Self {
            fetcher,
            options,
            known,
            ready: VecDeque::new(),
            waiting: VecDeque::new(),
            running: JoinSet::new(),
            early: BTreeMap::new(),
            started: 0,
            finished: 0,
            seen: HashSet::new(),
            returned: HashSet::new(),
            passed_over: HashSet::new(),
            moved: HashMap::new(),
            asked: 0,
            left_out: 0,
            is_whole: true,
            bounds: None,
            notes,
            duplicates: Duplicates::default(),
            nested: NestedLists::default(),
            is_list_empty: false,
        };
        match listing {
            Listing::Full(answer) => pages.give(Role::Full, answer),
            Listing::One(answer) => pages.give(Role::Page, answer),
            Listing::Index(answer) => pages.list(answer),
            Listing::Crawl(answer, bounds) => pages.crawl(answer, *bounds).await?,
        }
        Ok(pages)
    }

    /// Returns the next page, in no particular order, or `None` after the last one.
    pub async fn next(&mut self) -> Option<Page> {
        loop {
            while let Some(page) = self.ready.pop_front() {
                // Several addresses may lead to one page.
                if page.answer.is_err() || self.returned.insert(page.url.as_str().to_owned()) {
                    return Some(page);
                }
            }
            self.start_some();
            let Some(done) = self.running.join_next().await else {
                self.ready = self.duplicates.take_undecided();
                if self.ready.is_empty() {
                    return None;
                }
                continue;
            };
            let (number, fetched) =
                done.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
            self.early.insert(number, fetched);
            // Pages are taken in the order in which they were found, whatever the order of the answers, so that the same
            // site is always read the same way.
            while let Some(fetched) = self.early.remove(&self.finished) {
                self.finished += 1;
                self.finish(fetched);
            }
        }
    }

    /// Prefers these addresses to others with the same content. The keys are hashes of the content.
    pub fn prefer(&mut self, known: HashMap<ContentHash, Url>) {
        self.duplicates.prefer(known);
    }

    /// Returns the number of known pages so far, including those that were returned.
    pub fn count(&self) -> usize {
        self.seen.len() - self.left_out
    }

    /// Returns the number of pages that were left out because of the limit in the options.
    pub const fn left_out(&self) -> usize {
        self.left_out
    }

    /// Returns the number of listed pages that were not requested because they are optional.
    pub fn passed_over(&self) -> usize {
        self.passed_over.len()
    }

    /// Returns the number of requested pages so far.
    pub const fn asked(&self) -> usize {
        self.asked
    }

    /// Returns notes for the user, after the last page: problems of a list or a sitemap, lists that a list has among its
    /// pages, and targets of links that were not followed, such as the site with `www.` before its name.
    pub fn notes(&self) -> Vec<String> {
        let has_pages = self.asked > 1 || self.left_out > 0;
        let bounds = self.bounds.iter();
        let beyond = bounds.flat_map(|bounds| bounds.notes(has_pages));
        let nested = self.nested.notes(|url| {
            let lists = [&self.seen, &self.returned, &self.passed_over];
            lists.iter().any(|urls| urls.contains(url)) || self.moved.contains_key(url)
        });
        let notes = self.notes.iter().cloned().chain(nested);
        notes.chain(beyond).collect()
    }

    /// Returns the new address of a requested page that has moved (status 301 or 308).
    pub fn moved_to(&self, url: &str) -> Option<&Url> {
        self.moved.get(url)
    }

    /// Returns whether a listed page was not requested because it is optional.
    pub fn has_passed_over(&self, url: &str) -> bool {
        self.passed_over.contains(url)
    }

    /// Returns whether the `llms.txt` has no links.
    pub const fn is_list_empty(&self) -> bool {
        self.is_list_empty
    }

    /// Returns, after the last page, whether all pages were found that links and lists lead to.
    pub const fn is_whole(&self) -> bool {
        self.is_whole && self.left_out == 0
    }

    fn give(&mut self, role: Role, answer: Answer) {
        let page = Page::given(role, answer);
        self.seen.insert(page.url.as_str().to_owned());
        self.ready.push_back(page);
    }

    /// Takes the links of an `llms.txt`.
    fn list(&mut self, answer: Answer) {
        if let Answer::Body(body) = &answer {
            let list = LlmsTxt::parse(&String::from_utf8_lossy(&body.bytes));
            let at = body.url.clone();
            self.notes.extend(problems(&at, &list.problems));
            self.seen.insert(at.as_str().to_owned());
            self.is_list_empty = list.is_empty();
            for section in list.sections {
                let is_wanted = !section.is_optional || self.options.include_optional;
                for listed in section.links {
                    if is_wanted {
                        self.take_link(&at, &listed.url, listed.title);
                    } else if self.passed_over.len() < MOST_SEEN {
                        let url = link(&at, &listed.url).map(without_fragment);
                        self.passed_over.extend(url.map(String::from));
                    }
                }
            }
        }
        self.give(Role::Index, answer);
    }

    fn take_link(&mut self, at: &Url, written: &str, title: String) {
        let Some(url) = link(at, written).map(without_fragment) else {
            self.refuse(at, written);
            return;
        };
        let title = Some(title).filter(|title| !title.is_empty());
        if let Err(error) = self.options.check(&url) {
            let name = url.as_str().to_owned();
            self.refuse_once(name, failed(url, title, error));
            return;
        }
        self.enqueue(Target { url, title });
    }

    fn refuse(&mut self, at: &Url, written: &str) {
        let written: String = written.chars().take(LONGEST_SHOWN).collect();
        let error = Error::InvalidUrl {
            url: written.clone(),
            reason: format!("`{at}` lists it"),
        };
        self.refuse_once(written, failed(at.clone(), None, error));
    }

    /// Says once of what is not an address that it is none, and of no more than there may be pages.
    fn refuse_once(&mut self, name: String, page: Page) {
        if self.ready.len() < self.options.max_pages && self.seen.insert(name) {
            self.ready.push_back(page);
        }
    }

    /// Lets a page wait to be asked for, unless it has been seen or there are enough.
    fn enqueue(&mut self, target: Target) {
        if self.seen.contains(target.url.as_str()) {
            return;
        }
        if self.seen.len() < MOST_SEEN {
            self.seen.insert(target.url.as_str().to_owned());
        }
        if self.asked >= self.options.max_pages {
            self.left_out += 1;
            return;
        }
        self.asked += 1;
        self.waiting.push_back(target);
    }

    fn start_some(&mut self) {
        while self.running.len() < self.options.in_all.max(1)
            && self.started - self.finished < MOST_AHEAD
            && let Some(target) = self.waiting.pop_front()
        {
            let number = self.started;
            self.started += 1;
            let (fetcher, known) = (self.fetcher.clone(), Arc::clone(&self.known));
            let is_crawled = self.bounds.is_some();
            self.running.spawn(async move {
                let page = if is_crawled {
                    crawl::fetch(&fetcher, target).await
                } else {
                    fetch(&fetcher, &known, target).await
                };
                (number, page)
            });
        }
    }

    /// Returns a page that is listed. One that only leads to another stands for that.
    fn take_listed(&mut self, mut page: Page) {
        if let Some(to) = leads_to(&page) {
            let url = page.url.clone();
            self.take_link(&url, to.as_str(), page.title.clone().unwrap_or_default());
            let to = Box::new(to);
            page.answer = Err(Error::Moved { url, to });
        }
        self.nested.take(&page);
        self.ready.push_back(page);
    }

    fn finish(&mut self, fetched: Fetched) {
        let Fetched {
            page,
            from,
            is_temporary,
        } = fetched;
        if let Some(from) = from {
            let to = page.url.clone();
            if is_temporary {
                self.ready.push_back(diverted(from, to.clone()));
                if !self.seen.insert(to.into()) {
                    return;
                }
            } else {
                self.moved.insert(from.into(), to);
            }
        }
        if self.bounds.is_some() {
            self.follow(page);
        } else {
            self.take_listed(page);
        }
    }
}

/// Says what does not fit the format of a list.
fn problems(at: &Url, problems: &[String]) -> Option<String> {
    let shown = problems.get(..MOST_PROBLEMS).unwrap_or(problems);
    let more = match problems.len() - shown.len() {
        0 => String::new(),
        more => format!("; {more} more"),
    };
    let told = shown.join("; ");
    (!shown.is_empty())
        .then(|| format!("`{at}` does not keep to the format of a list: {told}{more}"))
}

/// Returns where a page leads that browsers leave by themselves.
fn leads_to(page: &Page) -> Option<Url> {
    let Ok(Answer::Body(body)) = &page.answer else {
        return None;
    };
    Head::of(body).leads_to.filter(|to| *to != body.url)
}

/// Returns a page that is not read, as its address leads to another one for now.
fn diverted(url: Url, to: Url) -> Page {
    let to = Box::new(to);
    failed(url.clone(), None, Error::Diverted { url, to })
}

fn without_fragment(mut url: Url) -> Url {
    url.set_fragment(None);
    url
}

/// Returns a page that is not asked for.
fn failed(url: Url, title: Option<String>, error: Error) -> Page {
    Page {
        url,
        title,
        role: Role::Page,
        answer: Err(error),
        may_be_elsewhere: false,
    }
}
