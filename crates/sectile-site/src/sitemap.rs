//! The list of a site's pages for search engines: sitemap.xml.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::Event;

/// The most addresses of one sitemap, as its specification says.
const MOST_ADDRESSES: usize = 50_000;

/// What a sitemap lists.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sitemap {
    /// The addresses of pages.
    pub(crate) pages: Vec<String>,
    /// The addresses of further sitemaps.
    pub(crate) sitemaps: Vec<String>,
}

/// Reads a sitemap as far as it is one.
pub(crate) fn read(bytes: &[u8]) -> Sitemap {
    let text = String::from_utf8_lossy(bytes);
    let mut sitemap = Sitemap::default();
    let mut reader = Reader::from_str(&text);
    let (mut is_index, mut address) = (false, None::<String>);
    while sitemap.pages.len() + sitemap.sitemaps.len() < MOST_ADDRESSES {
        match reader.read_event() {
            Ok(Event::Start(start)) => match start.local_name().into_inner() {
                "sitemapindex" => is_index = true,
                "loc" => address = Some(String::new()),
                _ => {}
            },
            Ok(Event::Text(text)) => push(&mut address, &text.xml10_content()),
            Ok(Event::CData(text)) => push(&mut address, &text.xml10_content()),
            Ok(Event::GeneralRef(name)) => {
                let entity = quick_xml::escape::resolve_predefined_entity(&name);
                let character = name.resolve_char_ref().ok().flatten();
                let character = character.map(|character| Cow::Owned(character.to_string()));
                let text = character.or(entity.map(Cow::Borrowed));
                push(&mut address, &text.unwrap_or_default());
            }
            Ok(Event::End(end)) if end.local_name().into_inner() == "loc" => {
                let found = address.take().map(|address| address.trim().to_owned());
                let list = if is_index {
                    &mut sitemap.sitemaps
                } else {
                    &mut sitemap.pages
                };
                list.extend(found.filter(|address| !address.is_empty()));
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    sitemap
}

fn push(address: &mut Option<String>, text: &str) {
    if let Some(address) = address {
        address.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_sitemaps_are_told_apart() {
        let pages = "<?xml version='1.0'?><s:urlset xmlns:s='x'><s:url><s:loc> https://x.org/a?b&amp;c&#61;1 \
                     </s:loc></s:url><url><loc><![CDATA[/d]]></loc></url><loc/></s:urlset>";
        assert_eq!(
            read(pages.as_bytes()).pages,
            ["https://x.org/a?b&c=1", "/d"]
        );
        let index = "<sitemapindex><sitemap><loc>/1.xml</loc></sitemap></sitemapindex>";
        assert_eq!(read(index.as_bytes()).sitemaps, ["/1.xml"]);
    }

    #[test]
    fn what_is_damaged_is_read_as_far_as_it_goes() {
        let cut = read(b"<urlset><url><loc>/a</loc></url><url><loc>/b</lo");
        assert_eq!(cut.pages, ["/a"]);
        assert_eq!(read(b"<!doctype html><p>no &nbsp; map"), Sitemap::default());
        let bomb = "<!DOCTYPE a [<!ENTITY b 'cccc'>]><urlset><loc>&b;&b;</loc></urlset>";
        assert_eq!(read(bomb.as_bytes()).pages, Vec::<String>::new());
    }
}
