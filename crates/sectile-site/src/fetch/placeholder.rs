//! Texts that come where there is nothing.
//!
//! Some servers answer every address with a text and status 200. Such a text must not be taken for the file
//! that was asked for, so where one may be, an address is asked for that nobody has.

use super::{Fetcher, Want};
use crate::answer::extension;
use crate::{Answer, Body, Known};

/// The name of a file that no site has.
const NOTHING: &str = "sectile-asks-for-what-is-not-there";

/// From how many bytes on a text is taken for what was asked for.
const LONG: usize = 4 << 10;

impl Fetcher {
    /// Returns whether a text is what was asked for, and not what its host answers for every address.
    pub(crate) async fn is_there(&self, body: &Body) -> bool {
        if body.bytes.len() >= LONG {
            return true;
        }
        let host = self.0.hosts.of(&body.url, self.0.options.per_host);
        // Servers have other answers for other kinds of files.
        let end = extension(&body.url).unwrap_or_else(|| "txt".to_owned());
        let placeholder = host.placeholder(&end);
        let found = placeholder
            .get_or_init(|| self.placeholder(body, &end))
            .await;
        let Some(placeholder) = found else {
            return true;
        };
        is_structured(body) && without_name(body) != without_name(placeholder)
    }

    /// Asks for what is not there, beside what is.
    async fn placeholder(&self, body: &Body, end: &str) -> Option<Body> {
        let url = body.url.join(&format!("{NOTHING}.{end}")).ok()?;
        match self.get(&url, Want::Page, &Known::new()).await {
            Ok(Answer::Body(body)) => Some(body).filter(Body::is_plain),
            _ => None,
        }
    }
}

/// Returns whether a text has a heading or a link of Markdown.
fn is_structured(body: &Body) -> bool {
    let text = String::from_utf8_lossy(&body.bytes);
    text.lines().any(|line| line.starts_with('#')) || text.contains("](")
}

/// Returns a text without the path that was asked for, which it may repeat.
fn without_name(body: &Body) -> String {
    let text = String::from_utf8_lossy(&body.bytes);
    let name = body.url.path().rsplit('/').next().unwrap_or_default();
    text.replace(name, "")
}
