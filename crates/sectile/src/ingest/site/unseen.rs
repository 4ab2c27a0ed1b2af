//! Stored pages that are gone, or that this ingest did not find.

use std::collections::{HashMap, HashSet};

use sectile_site::{Error as SiteError, Pages, Presence, normalized};
use url::Url;

use super::Rest;
use super::repeated_texts::are_too_many;
use super::stored_pages::{StoredPage, StoredPages};
use crate::error_chain;
use crate::ingest::vanished::{Absent, Vanished};

/// How often a page may lead on to another one.
const MOST_STEPS: usize = 10;

/// How many pages may leave a list at once. If there are more, and more than half of the site, it may have been cut off.
const MOST_DELISTED: usize = 10;

/// Why a page is asked for that no list had.
const UNLINKED: &str = "nothing leads to it any more";

/// A page that the store has, and its address.
type Held<'a> = (&'a String, &'a StoredPage);

/// What was found out about stored pages.
#[derive(Default)]
struct Findings<'a> {
    absent: Absent,
    /// Redirected pages, with their targets and the reasons for removing them.
    moved: Vec<(Held<'a>, Url, String)>,
    /// Those that ask not to be indexed.
    hidden: Vec<(Held<'a>, String)>,
    /// Those that a list had, and does not have any more, with the list.
    delisted: Vec<(Held<'a>, String)>,
}

impl<'a> Findings<'a> {
    fn remove(&mut self, (uri, held): Held<'a>, reason: String) {
        self.absent.vanished.push(vanished(uri, held, reason));
    }

    fn keep(&mut self, uri: &str, reason: impl Into<String>) {
        self.absent.kept.push((uri.to_owned(), reason.into()));
    }

    fn has_moved(&mut self, page: Held<'a>, to: Url) {
        let reason = format!("it leads to `{to}`, which is there");
        self.moved.push((page, to, reason));
    }

    /// Handles a page that is gone or redirects, according to the error of the server.
    fn lose(&mut self, page: Held<'a>, error: &SiteError, stored: &StoredPages) {
        let reason = error_chain(error);
        let (uri, held) = page;
        match error {
            SiteError::Copy { first, .. } => {
                let first = stored.get(first.as_str()).map(|first| &first.known);
                if first.is_some_and(|first| first.content_hash == held.known.content_hash) {
                    self.remove(page, reason);
                } else {
                    self.keep(uri, format!("{reason} by now, and was another page before"));
                }
            }
            SiteError::NotIndexed { .. } => self.hidden.push((page, reason)),
            error => match leads_to(error) {
                Some(to) => self.moved.push((page, to, reason)),
                None => self.remove(page, reason),
            },
        }
    }

    /// Decides what becomes of pages that lead to others. So many that all lead to one page are not in it: the site may
    /// be closed for a while, or ask who reads it.
    fn settle_moved(&mut self, rest: &Rest, pages: &HashSet<&str>) {
        let mut moved = std::mem::take(&mut self.moved);
        let mut counts: HashMap<Url, usize> = HashMap::new();
        for (_, to, _) in &mut moved {
            *to = last_of(to, &rest.leads);
            *counts.entry(to.clone()).or_default() += 1;
        }
        for (page, to, reason) in moved {
            let count = counts[&to];
            let others = pages.len() - usize::from(pages.contains(to.as_str()));
            if !rest.seen.contains(to.as_str()) || rest.unread.contains(to.as_str()) {
                let reason = format!("it leads to `{to}`, which this ingest does not read");
                self.keep(page.0, reason);
            } else if are_too_many(count, others) {
                let reason = format!("it leads to `{to}`, and so do {count} pages in all");
                self.keep(page.0, reason);
            } else {
                self.remove(page, reason);
            }
        }
    }

    /// Decides what becomes of pages that a list does not have any more, and returns those that are to be asked for, with
    /// the reason. A list that is much shorter than before may have been cut off. The pages of an `llms-full.txt` cannot be
    /// asked for, so they stay until the next ingest reads the same file. Those that an `llms.txt` had and the server still
    /// has stay for longer, also when there are only few left.
    fn settle_delisted(&mut self, known: usize, rest: &Rest) -> Vec<(Held<'a>, String)> {
        let delisted = std::mem::take(&mut self.delisted);
        let count = delisted.len();
        let is_short = count > MOST_DELISTED && count > known / 2 && rest.seen.len() < known;
        let mut asked = Vec::new();
        for (page, list) in delisted {
            let is_full = rest.full.as_ref() == Some(&list);
            let reason = format!("`{list}` does not have it any more");
            if is_full && is_short && !rest.is_list_known {
                let others = count - 1;
                let reason = format!(
                    "{reason}, nor {others} others of {known}, as if it were cut off; \
                     the next ingest removes it if the file stays so"
                );
                self.keep(page.0, reason);
            } else if !is_full && (is_short || rest.is_list_known) {
                asked.push((page, reason));
            } else {
                self.remove(page, reason);
            }
        }
        asked
    }

    /// Decides what becomes of pages that ask not to be indexed. If most of a site does, it may be closed for a while.
    fn settle_hidden(&mut self, known: usize, pages: usize) {
        let hidden = std::mem::take(&mut self.hidden);
        let count = hidden.len();
        for (page, reason) in hidden {
            if are_too_many(count, pages) && count > known / 2 {
                let reason = format!("{reason}, and so do {count} of {known} pages");
                self.keep(page.0, reason);
            } else {
                self.remove(page, reason);
            }
        }
    }
}

/// Decides about the pages of a site that are gone, and about those that were not found. A page is gone if the server
/// says so, or if a list that contained it was read completely and does not contain it any more, unless that is so of most
/// pages. A page that was merely not found may still exist: a sitemap may be damaged, and a server may answer differently
/// today. The same answer for most pages is not believed either, because a site that is closed for a while gives one
/// answer for all.
pub(super) async fn decide(
    stored: &StoredPages,
    site: &Url,
    rest: &mut Rest,
    pages: &Pages,
) -> Absent {
    let mut findings = Findings::default();
    findings.absent.kept.append(&mut rest.kept);
    let mut lost = HashSet::new();
    for (uri, error) in std::mem::take(&mut rest.lost) {
        // A page that is gone at one address may exist at another one.
        if let Some(page) = stored.get_key_value(&uri)
            && !rest.seen.contains(&uri)
            && lost.insert(page.0)
        {
            findings.lose(page, &error, stored);
        }
    }
    let is_of_site = |held: &StoredPage| held.site.as_deref() == Some(site.as_str());
    let mut own: Vec<Held<'_>> = stored.iter().filter(|(_, held)| is_of_site(held)).collect();
    own.sort_unstable_by_key(|(uri, _)| *uri);
    let known = own.len();
    let is_page = |(uri, held): &Held<'_>| held.is_page_of(site, uri);
    let own_pages = own.iter().filter(|page| is_page(page));
    let own_pages: HashSet<&str> = own_pages.map(|(uri, _)| uri.as_str()).collect();
    own.retain(|(uri, _)| !rest.seen.contains(*uri) && !lost.contains(uri));
    own.retain(|page| !is_decided(*page, rest, pages, &mut findings));
    let unlinked = own.into_iter().map(|page| (page, UNLINKED.to_owned()));
    let mut unsure: Vec<_> = unlinked.collect();
    unsure.extend(findings.settle_delisted(known, rest));
    ask(unsure, stored, pages, &mut findings).await;
    findings.settle_moved(rest, &own_pages);
    findings.settle_hidden(known, own_pages.len());
    findings.absent
}

/// Decides about a page that was not found, if that is possible without a request.
fn is_decided<'a>(page: Held<'a>, rest: &Rest, pages: &Pages, findings: &mut Findings<'a>) -> bool {
    let (uri, held) = page;
    if let Some(url) = respelled(uri).filter(|url| rest.seen.contains(url.as_str())) {
        findings.remove(page, format!("it is `{url}`, which is there"));
    } else if let Some(to) = pages.moved_to(uri) {
        findings.has_moved(page, to.clone());
    } else if let Some(list) = rest.empty.as_deref().filter(|list| is_from(held, list)) {
        let reason = format!("`{list}` lists no pages any more, so it was not looked for");
        findings.keep(uri, reason);
    } else if let Some(list) = delisting(uri, rest, held, pages) {
        findings.delisted.push((page, list.to_owned()));
    } else if let Some(reason) = withheld(uri, rest, pages) {
        findings.keep(uri, reason);
    } else {
        return false;
    }
    true
}

/// Returns the target of a page that redirects to another one.
pub(super) fn leads_to(error: &SiteError) -> Option<Url> {
    let to = match error {
        SiteError::Moved { to, .. } => to,
        SiteError::Duplicate { canonical, .. } => canonical,
        SiteError::Copy { first, .. } => first,
        _ => return None,
    };
    let mut to = Url::clone(to);
    to.set_fragment(None);
    Some(to)
}

/// Follows redirects to the last address.
fn last_of(url: &Url, leads: &HashMap<String, Url>) -> Url {
    let next = |url: &&Url| leads.get(url.as_str());
    let mut last = url;
    for _ in 0..MOST_STEPS {
        last = next(&last).unwrap_or(last);
    }
    last.clone()
}

/// Returns an address in the form that links are read in, if it has another one.
fn respelled(uri: &str) -> Option<Url> {
    let url = normalized(&Url::parse(uri).ok()?);
    Some(url).filter(|url| url.as_str() != uri)
}

/// Returns whether a page is from a list.
fn is_from(held: &StoredPage, list: &str) -> bool {
    held.source.as_deref() == Some(list) || held.about.list.as_deref() == Some(list)
}

/// Returns the list that had a page, if it was read whole: it does not have it any more.
fn delisting<'a>(uri: &str, rest: &'a Rest, held: &StoredPage, pages: &Pages) -> Option<&'a str> {
    let lists = [&rest.full, &rest.index];
    let mut lists = lists.into_iter().flatten().map(String::as_str);
    lists
        .find(|list| is_from(held, list))
        .filter(|_| rest.is_whole && !pages.has_passed_over(uri))
}

/// Says why it is not asked whether a page is there.
fn withheld(uri: &str, rest: &Rest, pages: &Pages) -> Option<String> {
    let reason = if pages.has_passed_over(uri) {
        "it is listed as optional, which is not read without `optional`"
    } else if pages.left_out() > 0 {
        "it was not looked for, as pages were left out"
    } else if rest.is_unread {
        "it was not looked for, as the list of the site could not be read"
    } else {
        return None;
    };
    Some(reason.to_owned())
}

/// Asks the server for pages, each once. They come with the reason.
async fn ask<'a>(
    unsure: Vec<(Held<'a>, String)>,
    stored: &StoredPages,
    pages: &Pages,
    findings: &mut Findings<'a>,
) {
    let address = |uri: &str| {
        let mut url = Url::parse(uri).ok()?;
        url.set_fragment(None);
        Some(url)
    };
    let urls = unsure.iter().filter_map(|((uri, _), _)| address(uri));
    let mut urls: Vec<Url> = urls.collect();
    urls.sort_unstable();
    urls.dedup();
    let said: HashMap<Url, Presence> = pages.look_again(urls).await.into_iter().collect();
    for (page, why) in unsure {
        let (uri, _) = page;
        let url = address(uri);
        match url.as_ref().and_then(|url| said.get(url)) {
            Some(Presence::Gone(error)) => findings.lose(page, error, stored),
            Some(Presence::There(there)) if url.as_ref() != Some(there) => {
                findings.has_moved(page, there.clone());
            }
            Some(Presence::Unknown(error)) => {
                findings.keep(uri, format!("{why}; {}", error_chain(error)));
            }
            Some(_) => findings.keep(uri, format!("{why}, but it is still there")),
            None => {
                let reason = "it was not looked for, as there are more of these than `max_pages`";
                findings.keep(uri, reason);
            }
        }
    }
}

pub(super) fn vanished(uri: &str, held: &StoredPage, reason: String) -> Vanished {
    Vanished {
        id: held.known.id,
        uri: uri.to_owned(),
        name: uri.to_owned(),
        reason,
    }
}
