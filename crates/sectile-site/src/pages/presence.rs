//! Whether pages are there that nothing leads to any more.

use futures_util::future::join_all;
use url::Url;

use super::Pages;
use crate::head::Head;
use crate::{Answer, Body, Error, Known, Want};

/// The state of a page that no link or list leads to any more.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Presence {
    /// It is there, at this address after redirects.
    There(Url),
    /// It is gone, or asks not to be indexed.
    Gone(Error),
    /// Whether it is there cannot be told.
    Unknown(Error),
}

impl Pages {
    /// Requests pages that were not found, each once, within the limits of the options, and returns their
    /// states.
    pub async fn look_again(&self, urls: Vec<Url>) -> Vec<(Url, Presence)> {
        // The fetcher lets as many be asked at a time as the options say.
        let urls = urls.into_iter().take(self.options.max_pages);
        join_all(urls.map(|url| self.look_at(url))).await
    }

    /// Requests pages in full, and returns those that were read, with the addresses that were asked for. Redirects are
    /// followed, also temporary ones.
    pub async fn read_again(&self, urls: Vec<Url>) -> Vec<(Url, Body)> {
        let read = join_all(urls.into_iter().map(|url| self.read_one(url))).await;
        read.into_iter().flatten().collect()
    }

    async fn read_one(&self, url: Url) -> Option<(Url, Body)> {
        let nothing = Known::new();
        let answer = self.fetcher.get(&url, Want::Linked, &nothing).await;
        match answer {
            Ok(Answer::Body(body)) => Some((url, body)),
            _ => None,
        }
    }

    async fn look_at(&self, url: Url) -> (Url, Presence) {
        let known: &Known = &self.known;
        let presence = match self.fetcher.follow(&url, Want::Linked, known).await {
            Ok(followed) if followed.is_temporary => {
                let to = Box::new(followed.answer.url().clone());
                let url = url.clone();
                Presence::Unknown(Error::Diverted { url, to })
            }
            Ok(followed) => presence(followed.answer),
            Err(error @ Error::NotFound { .. }) => Presence::Gone(error),
            // A server that answers so has the page.
            Err(Error::TooLarge { .. } | Error::UnsupportedType { .. }) => {
                Presence::There(url.clone())
            }
            Err(error) => Presence::Unknown(error),
        };
        (url, presence)
    }
}

/// Says what a page that is there says of itself.
fn presence(answer: Answer) -> Presence {
    let Answer::Body(body) = answer else {
        return Presence::There(answer.url().clone());
    };
    let head = Head::of(&body);
    let url = body.url;
    match head.leads_to.filter(|to| *to != url) {
        _ if head.is_noindex => Presence::Gone(Error::NotIndexed { url }),
        Some(to) => {
            let to = Box::new(to);
            Presence::Gone(Error::Moved { url, to })
        }
        None => Presence::There(url),
    }
}
