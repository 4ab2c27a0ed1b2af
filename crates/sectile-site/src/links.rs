//! The links of a web page.

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use url::Url;

use crate::resolve::join;

/// The most links of one page that are looked at.
const MOST_LINKS: usize = 20_000;

/// What an attribute is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Anchor,
    Base,
    Other,
}

/// Returns the addresses that a page at `at` links to, without fragments, in order.
pub(crate) fn links(html: &[u8], at: &Url) -> Vec<Url> {
    let mut element = Element::Other;
    let mut is_address = false;
    let collect = move |event: CallbackEvent<'_>, _: Span<()>| match event {
        CallbackEvent::OpenStartTag { name } => {
            element = match name {
                b"a" | b"area" => Element::Anchor,
                b"base" => Element::Base,
                _ => Element::Other,
            };
            None
        }
        CallbackEvent::AttributeName { name } => {
            is_address = name == b"href";
            None
        }
        CallbackEvent::AttributeValue { value } if is_address && element != Element::Other => {
            let value = String::from_utf8_lossy(value).trim().to_owned();
            Some((element, value))
        }
        _ => None,
    };
    let mut emitter = CallbackEmitter::new(collect);
    // The text of scripts and styles is no markup.
    emitter.naively_switch_states(true);
    let mut base: Option<Url> = None;
    let mut found = Vec::new();
    let tokens = Tokenizer::new_with_emitter(html, emitter).flatten();
    for (element, address) in tokens.take(MOST_LINKS) {
        let joined = join(base.as_ref().unwrap_or(at), &address);
        match (element, joined) {
            (Element::Base, Some(url)) if base.is_none() => base = Some(url),
            (Element::Anchor, Some(mut url)) => {
                url.set_fragment(None);
                found.push(url);
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[&str]) {
        let at = Url::parse("https://x.org/docs/a").unwrap();
        let found = links(html.as_bytes(), &at);
        let found: Vec<_> = found.iter().map(Url::as_str).collect();
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
    fn what_is_no_markup_holds_no_links() {
        check(
            "<!-- <a href=a> --><script>'<a href=b>'</script><style><a href=c></style>\
             <textarea><a href=d></textarea><link href=e><a name=href title='href=f'>",
            &[],
        );
    }
}
