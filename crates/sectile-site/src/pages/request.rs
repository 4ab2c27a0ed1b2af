//! Requests for single pages.

use url::Url;

use super::nested_lists::is_list;
use super::{Page, Role};
use crate::answer::extension;
use crate::fetch::Followed;
use crate::{Answer, Fetcher, Known, Result, Want};

/// A page to be asked for.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) url: Url,
    pub(super) title: Option<String>,
}

/// A page that was asked for, and how it was reached.
pub(super) struct Fetched {
    pub(super) page: Page,
    /// The address that redirects to the page.
    pub(super) from: Option<Url>,
    /// Whether it does so only for now.
    pub(super) is_temporary: bool,
}

/// Asks for a page that is listed, for its Markdown variant first, unless the page itself is known.
pub(super) async fn fetch(fetcher: &Fetcher, known: &Known, target: Target) -> Fetched {
    // The links of a list are needed whether it is new or not.
    let nothing = Known::new();
    let known = if is_list(&target.url) {
        &nothing
    } else {
        known
    };
    let is_known = known.contains_key(target.url.as_str());
    if let Some(variant) = variant(&target.url).filter(|_| !is_known) {
        match fetcher.get(&variant, Want::Page, known).await {
            Ok(Answer::Body(body)) if !body.is_plain() || !fetcher.is_there(&body).await => {}
            Err(error) if error.is_of_no_use() => {}
            answer => return variant_found(target, &variant, answer),
        }
    }
    let answer = fetcher.follow(&target.url, Want::Page, known).await;
    found(target, answer)
}

/// Returns a page of which the Markdown variant was asked for.
fn variant_found(target: Target, variant: &Url, answer: Result<Answer>) -> Fetched {
    let may_be_elsewhere = answer.as_ref().is_err_and(|error| !error.is_of(variant));
    Fetched {
        page: Page {
            url: target.url,
            title: target.title,
            role: Role::Page,
            answer,
            may_be_elsewhere,
        },
        from: None,
        is_temporary: false,
    }
}

/// Returns a page that was asked for at its own address.
pub(super) fn found(target: Target, followed: Result<Followed>) -> Fetched {
    let Target { url: asked, title } = target;
    let is_temporary = followed
        .as_ref()
        .is_ok_and(|followed| followed.is_temporary);
    let may_be_elsewhere = followed.as_ref().is_err_and(|error| !error.is_of(&asked));
    let answer = followed.map(|followed| followed.answer);
    let url = answer.as_ref().map_or(&asked, Answer::url).clone();
    Fetched {
        from: Some(asked).filter(|asked| *asked != url),
        is_temporary,
        page: Page {
            url,
            title,
            role: Role::Page,
            answer,
            may_be_elsewhere,
        },
    }
}

/// Returns where the Markdown of a page may be found, as <https://llmstxt.org> names it.
fn variant(url: &Url) -> Option<Url> {
    let end = match extension(url).as_deref() {
        Some("html" | "htm" | "xhtml") => ".md",
        // `v1.2` has no extension, and what has another one is no web page.
        Some(name) if name.bytes().all(|byte| byte.is_ascii_alphabetic()) => return None,
        _ if url.path().ends_with('/') => "index.html.md",
        _ => ".md",
    };
    let mut variant = url.clone();
    variant.set_path(&format!("{}{end}", url.path()));
    Some(variant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_those_of_the_format() {
        let check = |url: &str, expected: Option<&str>| {
            let found = variant(&Url::parse(url).unwrap());
            let found = found.as_ref().map(|url| &url[url::Position::BeforePath..]);
            assert_eq!(found, expected, "{url}");
        };
        check("https://x.org", Some("/index.html.md"));
        check("https://x.org/a/", Some("/a/index.html.md"));
        check("https://x.org/a?b=c", Some("/a.md?b=c"));
        check("https://x.org/a.html", Some("/a.html.md"));
        check("https://x.org/v1.2", Some("/v1.2.md"));
        check("https://x.org/a.md", None);
        check("https://x.org/a.txt", None);
        check("https://x.org/a.pdf", None);
    }
}
