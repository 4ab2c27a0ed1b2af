//! The links of a web page.

use std::collections::HashSet;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use url::Url;

use crate::resolve::link;

/// The most links of one page that are looked at.
const MOST_LINKS: usize = 20_000;

/// What an attribute is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    /// What leads to a page, or shows it in a frame.
    Link,
    /// What leads to a page if it is the next or the previous one.
    Related,
    Base,
    /// What browsers show that run no scripts, or have no frames: its markup is text for the others.
    Fallback,
    Other,
}

/// What an attribute says.
#[derive(Clone, Copy)]
enum Attribute {
    Address,
    /// What the page that is linked to is to this one.
    Relations,
    Other,
}

/// What a page holds of links.
enum Found {
    Link(String),
    Base(String),
    Fallback(Vec<u8>),
}

/// The pages that a page links to.
pub(crate) struct PageLinks {
    /// Their addresses without fragments, in order, each once.
    pub(crate) urls: Vec<Url>,
    /// Whether there are more.
    pub(crate) is_cut: bool,
}

/// Returns where a page at `at` links to, but for links that programs are asked not to follow.
pub(crate) fn links(html: &[u8], at: &Url) -> PageLinks {
    let mut links = Links {
        at: at.clone(),
        has_base: false,
        found: Vec::new(),
        seen: HashSet::new(),
        is_cut: false,
        is_fallback: false,
    };
    links.read(html);
    PageLinks {
        urls: links.found,
        is_cut: links.is_cut,
    }
}

/// Returns the addresses of the links of HTML, as they are written.
pub(crate) fn addresses(html: &str) -> Vec<String> {
    let address = |found| match found {
        Found::Link(address) => Some(address),
        Found::Base(_) | Found::Fallback(_) => None,
    };
    tokens(html.as_bytes()).filter_map(address).collect()
}

/// Returns the links, base addresses and fallbacks in HTML.
fn tokens(html: &[u8]) -> impl Iterator<Item = Found> {
    let mut emitter = CallbackEmitter::new(collector());
    // The text of scripts and styles is no markup.
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(html, emitter).flatten()
}

/// The links of a page while it is read.
struct Links {
    /// What addresses are joined with.
    at: Url,
    has_base: bool,
    found: Vec<Url>,
    seen: HashSet<Url>,
    is_cut: bool,
    /// Whether it is the fallback of a page that is read.
    is_fallback: bool,
}

impl Links {
    fn read(&mut self, html: &[u8]) {
        for found in tokens(html) {
            self.take(found);
            if self.is_cut {
                return;
            }
        }
    }

    fn take(&mut self, found: Found) {
        match found {
            Found::Link(address) => {
                if let Some(mut url) = link(&self.at, &address) {
                    url.set_fragment(None);
                    self.add(url);
                }
            }
            Found::Base(address) if !self.has_base => {
                if let Some(url) = link(&self.at, &address) {
                    self.has_base = true;
                    self.at = url;
                }
            }
            Found::Fallback(html) if !self.is_fallback => {
                self.is_fallback = true;
                self.read(&html);
                self.is_fallback = false;
            }
            Found::Base(_) | Found::Fallback(_) => {}
        }
    }

    fn add(&mut self, url: Url) {
        if self.seen.contains(&url) {
            return;
        }
        self.is_cut = self.found.len() == MOST_LINKS;
        if !self.is_cut {
            self.seen.insert(url.clone());
            self.found.push(url);
        }
    }
}

fn collector() -> impl FnMut(CallbackEvent<'_>, Span<()>) -> Option<Found> {
    let mut element = Element::Other;
    let mut attribute = Attribute::Other;
    let mut address = None;
    let mut is_nofollow = false;
    let mut is_neighbour = false;
    move |event, _| match event {
        CallbackEvent::OpenStartTag { name } => {
            element = match name {
                b"a" | b"area" | b"frame" | b"iframe" => Element::Link,
                b"link" => Element::Related,
                b"base" => Element::Base,
                b"noframes" | b"noscript" => Element::Fallback,
                _ => Element::Other,
            };
            (address, is_nofollow, is_neighbour) = (None, false, false);
            None
        }
        CallbackEvent::EndTag { .. } => {
            element = Element::Other;
            None
        }
        CallbackEvent::AttributeName { name } => {
            attribute = match name {
                b"href" | b"src" => Attribute::Address,
                b"rel" => Attribute::Relations,
                _ => Attribute::Other,
            };
            None
        }
        CallbackEvent::AttributeValue { value } => {
            let value = String::from_utf8_lossy(value);
            match attribute {
                Attribute::Address => address = Some(value.trim().to_owned()),
                Attribute::Relations => {
                    let has = |wanted: &str| {
                        let mut names = value.split_whitespace();
                        names.any(|name| name.eq_ignore_ascii_case(wanted))
                    };
                    is_nofollow = has("nofollow");
                    is_neighbour = has("next") || has("prev");
                }
                Attribute::Other => {}
            }
            None
        }
        CallbackEvent::CloseStartTag { .. } => match (element, address.take()) {
            (Element::Link, Some(address)) if !is_nofollow => Some(Found::Link(address)),
            (Element::Related, Some(address)) if is_neighbour => Some(Found::Link(address)),
            (Element::Base, Some(address)) => Some(Found::Base(address)),
            _ => None,
        },
        CallbackEvent::String { value } if element == Element::Fallback => {
            Some(Found::Fallback(value.to_vec()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[&str]) {
        let at = Url::parse("https://x.org/docs/a").unwrap();
        let found = links(html.as_bytes(), &at);
        let found: Vec<_> = found.urls.iter().map(Url::as_str).collect();
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn links_are_found_as_browsers_find_them() {
        check(
            "<a class=x href=b#c>t</a><A HREF=' /d?e=1&amp;f=2 '>t<area href=//y.org/>",
            &[
                "https://x.org/docs/b",
                "https://x.org/d?e=1&f=2",
                "https://y.org/",
            ],
        );
        check(
            "<base href=/other/><base href=/no/><a href=b>t</a>",
            &["https://x.org/other/b"],
        );
        check(
            "<a href=file:///etc/passwd><a href='http://['>",
            &["file:///etc/passwd"],
        );
    }

    #[test]
    fn frames_and_what_is_shown_without_scripts_hold_links() {
        check(
            "<frame src=a><iframe src=/b></iframe><img src=c><noscript><a href=d>d</a><iframe src=e>\
             </iframe></noscript><noframes><a href=f>f</a></noframes><a href=g>g</a>",
            &[
                "https://x.org/docs/a",
                "https://x.org/b",
                "https://x.org/docs/d",
                "https://x.org/docs/e",
                "https://x.org/docs/f",
                "https://x.org/docs/g",
            ],
        );
        check(
            "<noscript><base href=/o/><a href=x></noscript><a href=h>",
            &["https://x.org/o/x", "https://x.org/o/h"],
        );
    }

    #[test]
    fn the_next_and_the_previous_page_are_linked() {
        check(
            "<link rel=next href=2><link href=/0 rel='Prev prefetch'><link rel=stylesheet href=s.css><link href=x>",
            &["https://x.org/docs/2", "https://x.org/0"],
        );
    }

    #[test]
    fn links_that_programs_should_not_follow_are_left_out() {
        check(
            "<a href=a rel='External NoFollow'>a</a><a rel=nofollow href=b>b</a><a href=c rel=next>c</a>",
            &["https://x.org/docs/c"],
        );
    }

    #[test]
    fn each_page_counts_once_and_more_than_are_read_are_told() {
        let at = Url::parse("https://x.org/").unwrap();
        let page = |of: usize, parts: usize| -> String {
            let link = |number| format!("<a href=/{}#{number}>", number % of);
            (0..parts).map(link).collect()
        };
        let parts = links(page(3, MOST_LINKS + 9).as_bytes(), &at);
        assert_eq!((parts.urls.len(), parts.is_cut), (3, false));
        let many = links(page(MOST_LINKS + 1, MOST_LINKS + 1).as_bytes(), &at);
        assert_eq!((many.urls.len(), many.is_cut), (MOST_LINKS, true));
    }

    #[test]
    fn what_is_no_markup_holds_no_links() {
        check(
            "<!-- <a href=a> --><script>'<a href=b>'</script><style><a href=c></style>\
             <textarea><a href=d></textarea><link href=e><a name=href title='href=f'>",
            &[],
        );
    }
}
