//! Pages that the store has and nothing led to.

use std::collections::HashMap;

use sectile_site::{Pages, Presence, normalized};
use url::Url;

use super::Rest;
use super::stored_pages::{StoredPage, StoredPages};
use crate::error_chain;
use crate::ingest::vanished::{Absent, Vanished};

/// How many pages may lead to one: of more it is not believed that they have moved there.
const MOST_TO_ONE: usize = 10;

/// A page that the store has, and where it leads to.
type Moved<'a> = (&'a String, &'a StoredPage, Url);

/// Decides what becomes of the pages of a site that nothing led to. A page is gone when the server says so, or when
/// a list that had it was read whole and does not have it any more. That nothing leads to a page says nothing: a
/// sitemap may be damaged, and a server may answer in another form today.
pub(super) async fn decide(
    stored: &StoredPages,
    site: &Url,
    rest: &mut Rest,
    pages: &Pages,
) -> Absent {
    let mut absent = Absent {
        vanished: std::mem::take(&mut rest.gone),
        kept: Vec::new(),
    };
    // What is gone at one address may be there by way of another one.
    absent
        .vanished
        .retain(|gone| !rest.seen.contains(&gone.uri));
    let gone = absent.vanished.iter();
    rest.seen.extend(gone.map(|gone| gone.uri.clone()));
    let (mut unsure, mut moved) = (Vec::new(), Vec::new());
    let mut stored: Vec<_> = stored.iter().collect();
    stored.sort_unstable_by_key(|(uri, _)| *uri);
    for (uri, held) in stored {
        let is_of_site = held.site.as_deref() == Some(site.as_str());
        if !is_of_site || rest.seen.contains(uri) {
            continue;
        }
        if let Some(url) = respelled(uri).filter(|url| rest.seen.contains(url.as_str())) {
            let reason = format!("it is `{url}`, which is there");
            absent.vanished.push(vanished(uri, held, reason));
        } else if let Some(to) = pages.moved_to(uri) {
            moved.push((uri, held, to.clone()));
        } else if let Some(list) = delisting(uri, rest, held, pages) {
            let reason = format!("`{list}` does not have it any more");
            absent.vanished.push(vanished(uri, held, reason));
        } else if let Some(reason) = withheld(uri, rest, pages) {
            absent.kept.push((uri.clone(), reason));
        } else {
            unsure.push((uri, held));
        }
    }
    ask(unsure, pages, &mut moved, &mut absent).await;
    settle(moved, rest, &mut absent);
    absent
}

/// Returns an address in the form that links are read in, if it has another one.
fn respelled(uri: &str) -> Option<Url> {
    let url = normalized(&Url::parse(uri).ok()?);
    Some(url).filter(|url| url.as_str() != uri)
}

/// Returns the list that had a page, if it was read whole: it does not have it any more.
fn delisting<'a>(uri: &str, rest: &'a Rest, held: &StoredPage, pages: &Pages) -> Option<&'a str> {
    let had_it = |list: &&str| {
        held.source.as_deref() == Some(*list) || held.about.list.as_deref() == Some(*list)
    };
    let lists = [&rest.full, &rest.index];
    let mut lists = lists.into_iter().flatten().map(String::as_str);
    lists
        .find(had_it)
        .filter(|_| rest.is_whole && !pages.has_passed_over(uri))
}

/// Says why it is not asked whether a page is there.
fn withheld(uri: &str, rest: &Rest, pages: &Pages) -> Option<String> {
    let reason = if pages.has_passed_over(uri) {
        "it is listed as optional, which is not read without --optional"
    } else if pages.left_out() > 0 {
        "it was not looked for, as pages were left out"
    } else if rest.is_unread {
        "it was not looked for, as the list of the site could not be read"
    } else {
        return None;
    };
    Some(reason.to_owned())
}

/// Decides what becomes of pages that have moved. So many that all have moved to one page are not in it: the site may be
/// closed for a while, or ask who reads it.
fn settle(moved: Vec<Moved<'_>>, rest: &Rest, absent: &mut Absent) {
    let mut counts: HashMap<Url, usize> = HashMap::new();
    for (_, _, to) in &moved {
        *counts.entry(to.clone()).or_default() += 1;
    }
    for (uri, held, to) in moved {
        let count = counts[&to];
        if !rest.seen.contains(to.as_str()) {
            let reason = format!("it leads to `{to}`, which this ingest does not read");
            absent.kept.push((uri.clone(), reason));
        } else if count > MOST_TO_ONE {
            let reason = format!("it leads to `{to}`, and so do {count} pages in all");
            absent.kept.push((uri.clone(), reason));
        } else {
            let reason = format!("it leads to `{to}`, which is there");
            absent.vanished.push(vanished(uri, held, reason));
        }
    }
}

/// Asks the server for pages, each once.
async fn ask<'a>(
    unsure: Vec<(&'a String, &'a StoredPage)>,
    pages: &Pages,
    moved: &mut Vec<Moved<'a>>,
    absent: &mut Absent,
) {
    let address = |uri: &str| {
        let mut url = Url::parse(uri).ok()?;
        url.set_fragment(None);
        Some(url)
    };
    let mut urls: Vec<Url> = unsure.iter().filter_map(|(uri, _)| address(uri)).collect();
    urls.sort_unstable();
    urls.dedup();
    let said: HashMap<Url, Presence> = pages.look_again(urls).await.into_iter().collect();
    for (uri, held) in unsure {
        let url = address(uri);
        match url.as_ref().and_then(|url| said.get(url)) {
            Some(Presence::Gone(error)) => {
                let reason = error_chain(error);
                absent.vanished.push(vanished(uri, held, reason));
            }
            Some(Presence::There(there)) if url.as_ref() != Some(there) => {
                moved.push((uri, held, there.clone()));
            }
            Some(Presence::Unknown(error)) => {
                let reason = format!("nothing leads to it any more; {}", error_chain(error));
                absent.kept.push((uri.clone(), reason));
            }
            Some(_) => {
                let reason = "nothing leads to it any more, but it is still there";
                absent.kept.push((uri.clone(), reason.to_owned()));
            }
            None => {
                let reason = "it was not looked for, as there are more of these than --max-pages";
                absent.kept.push((uri.clone(), reason.to_owned()));
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
