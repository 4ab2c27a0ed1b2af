//! The list of a site's pages for search engines: sitemap.xml.

use std::borrow::Cow;
use std::io::Read as _;

use flate2::read::MultiGzDecoder;
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

/// How a file begins that is packed by gzip.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Reads a sitemap as far as it is one: XML or a list of addresses, packed by gzip or not. Returns nothing
/// when it cannot be unpacked, or to more than `most` bytes.
pub(crate) fn read(bytes: &[u8], most: usize) -> Option<Sitemap> {
    if !bytes.starts_with(&GZIP) {
        return Some(parse(bytes));
    }
    let mut unpacked = Vec::new();
    let mut packed = MultiGzDecoder::new(bytes).take(most as u64 + 1);
    let read = packed.read_to_end(&mut unpacked);
    let is_whole = read.is_ok() && unpacked.len() <= most;
    is_whole.then(|| parse(&unpacked))
}

fn parse(bytes: &[u8]) -> Sitemap {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    if text.trim_start().starts_with("http") {
        let pages = text.lines().map(|line| line.trim().to_owned());
        return Sitemap {
            pages: pages
                .filter(|line| !line.is_empty())
                .take(MOST_ADDRESSES)
                .collect(),
            sitemaps: Vec::new(),
        };
    }
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
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn pages_and_sitemaps_are_told_apart() {
        let pages = "<?xml version='1.0'?><s:urlset xmlns:s='x'><s:url><s:loc> https://x.org/a?b&amp;c&#61;1 \
                     </s:loc></s:url><url><loc><![CDATA[/d]]></loc></url><loc/></s:urlset>";
        assert_eq!(
            parse(pages.as_bytes()).pages,
            ["https://x.org/a?b&c=1", "/d"]
        );
        let index = "<sitemapindex><sitemap><loc>/1.xml</loc></sitemap></sitemapindex>";
        assert_eq!(parse(index.as_bytes()).sitemaps, ["/1.xml"]);
    }

    #[test]
    fn a_list_of_addresses_is_one() {
        let list = parse(b"\xEF\xBB\xBFhttps://x.org/a\r\n\nhttps://x.org/b\n");
        assert_eq!(list.pages, ["https://x.org/a", "https://x.org/b"]);
    }

    #[test]
    fn what_is_packed_is_unpacked_within_bounds() {
        let xml = format!("<urlset>{}</urlset>", "<url><loc>/a</loc></url>".repeat(9));
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(xml.as_bytes()).unwrap();
        let packed = packed.finish().unwrap();
        assert_eq!(read(&packed, xml.len()), Some(parse(xml.as_bytes())));
        assert_eq!(read(&packed, xml.len() - 1), None);
        assert_eq!(read(&packed[..packed.len() - 9], xml.len()), None);
    }

    #[test]
    fn what_is_damaged_is_read_as_far_as_it_goes() {
        let cut = parse(b"<urlset><url><loc>/a</loc></url><url><loc>/b</lo");
        assert_eq!(cut.pages, ["/a"]);
        assert_eq!(
            parse(b"<!doctype html><p>no &nbsp; map"),
            Sitemap::default()
        );
        let bomb = "<!DOCTYPE a [<!ENTITY b 'cccc'>]><urlset><loc>&b;&b;</loc></urlset>";
        assert_eq!(parse(bomb.as_bytes()).pages, Vec::<String>::new());
    }
}
