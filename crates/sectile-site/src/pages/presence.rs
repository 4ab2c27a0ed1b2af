//! Whether pages are there that nothing leads to any more.

use futures_util::future::join_all;
use url::Url;

use super::Pages;
use crate::head::Head;
use crate::{Answer, Body, Error, Kind, Known, Want};

/// What a server says of a page that nothing led to.
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
    /// Asks for pages that were not found, each once and no more than the options allow, and returns what the
    /// server says of them.
    pub async fn look_again(&self, urls: Vec<Url>) -> Vec<(Url, Presence)> {
        // The fetcher lets as many be asked at a time as the options say.
        let urls = urls.into_iter().take(self.options.max_pages);
        join_all(urls.map(|url| self.look_at(url))).await
    }

    async fn look_at(&self, url: Url) -> (Url, Presence) {
        let known: &Known = &self.known;
        let presence = match self.fetcher.get(&url, Want::Linked, known).await {
            Ok(Answer::Body(body)) if is_noindex(&body) => {
                let url = body.url;
                Presence::Gone(Error::NotIndexed { url })
            }
            Ok(answer) => Presence::There(answer.url().clone()),
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

fn is_noindex(body: &Body) -> bool {
    body.kind() == Some(Kind::Html) && Head::of(body).is_noindex
}
