//! The list of a site's pages for search engines: sitemap.xml.

use std::borrow::Cow;
use std::io::Read as _;

use flate2::read::MultiGzDecoder;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::encoding;

/// The most addresses of one sitemap, as its specification says.
const MOST_ADDRESSES: usize = 50_000;

/// What a sitemap lists.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sitemap {
    /// The addresses of pages.
    pub(crate) pages: Vec<String>,
    /// The addresses of further sitemaps.
    pub(crate) sitemaps: Vec<String>,
    /// Whether it is a sitemap at all.
    pub(crate) is_one: bool,
    /// Why it may list more than was read.
    pub(crate) flaw: Option<String>,
}

/// How a file begins that is packed by gzip.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Reads a sitemap as far as it is one: XML or a list of addresses, packed by gzip or not. At most `most` bytes
/// are unpacked.
pub(crate) fn read(bytes: &[u8], most: usize) -> Sitemap {
    if !bytes.starts_with(&GZIP) {
        return parse(bytes);
    }
    let mut unpacked = Vec::new();
    let mut packed = MultiGzDecoder::new(bytes).take(most as u64 + 1);
    let flaw = match packed.read_to_end(&mut unpacked) {
        Err(_) => Some("it is damaged".to_owned()),
        Ok(_) if unpacked.len() > most => Some(format!("unpacked, it is longer than {most} bytes")),
        Ok(_) => None,
    };
    let sitemap = parse(&unpacked);
    Sitemap {
        flaw: flaw.or(sitemap.flaw),
        ..sitemap
    }
}

fn parse(bytes: &[u8]) -> Sitemap {
    let text = encoding::decoded(bytes);
    let mut sitemap = Sitemap::default();
    let mut addresses = addresses(&text).peekable();
    let is_address = |line: &&str| line.starts_with("http://") || line.starts_with("https://");
    if addresses.peek().is_some_and(is_address) {
        sitemap.is_one = true;
        let most = addresses.by_ref().take(MOST_ADDRESSES);
        sitemap.pages.extend(most.map(str::to_owned));
        sitemap.flaw = addresses.next().map(|_| too_many());
    } else {
        let mut walk = Walk::default();
        sitemap.flaw = walk.read(&text, &mut sitemap).err();
        sitemap.is_one = walk.is_sitemap;
    }
    sitemap
}

/// Returns the lines of a list of addresses, but for comments.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn too_many() -> String {
    format!("it lists more than {MOST_ADDRESSES} addresses")
}

/// The elements that stand for a page, with the one in them that has its address: of sitemaps, RSS and Atom.
const ENTRIES: [(&str, &str); 4] = [
    ("url", "loc"),
    ("sitemap", "loc"),
    ("item", "link"),
    ("entry", "link"),
];

/// The outermost elements of what lists pages.
const LISTS: [&str; 5] = ["urlset", "sitemapindex", "rss", "RDF", "feed"];

/// Where a walk through the XML of a sitemap is.
#[derive(Default)]
struct Walk {
    /// The number of elements that are open.
    depth: usize,
    /// Whether the outermost element is that of a sitemap. A web page that came in the place of one is none, and
    /// nothing is missing from it.
    is_sitemap: bool,
    is_index: bool,
    /// How deep the entry is that is open, and the element in it that has its address. What is deeper is none: an
    /// entry may have the addresses of pictures, too.
    entry: Option<(usize, &'static str)>,
    address: Option<String>,
}

impl Walk {
    /// Reads all addresses; says why where there may be more.
    fn read(&mut self, text: &str, sitemap: &mut Sitemap) -> Result<(), String> {
        let mut reader = Reader::from_str(text);
        // Many sites write `&` as it is.
        reader.config_mut().allow_dangling_amp = true;
        loop {
            let count = sitemap.pages.len() + sitemap.sitemaps.len();
            match reader.read_event() {
                Ok(Event::Eof) if self.depth == 0 || !self.is_sitemap => return Ok(()),
                Err(_) if !self.is_sitemap => return Ok(()),
                Ok(Event::Eof) | Err(_) => {
                    return Err(format!("it is damaged after entry {count}"));
                }
                Ok(event) => self.take(&event),
            }
            if self.is_address_done() {
                if count == MOST_ADDRESSES {
                    return Err(too_many());
                }
                self.end_address(sitemap);
            }
        }
    }

    /// Returns whether the address of an entry was read to its end.
    fn is_address_done(&self) -> bool {
        let entry = self.entry.map(|(depth, _)| depth);
        self.address.is_some() && entry == Some(self.depth)
    }

    fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(start) => {
                let name = start.local_name().into_inner();
                self.is_sitemap |= self.depth == 0 && LISTS.contains(&name);
                self.is_index |= name == "sitemapindex";
                self.begin_address(name, start);
                self.depth += 1;
                if let Some((_, address)) = ENTRIES.iter().find(|(entry, _)| *entry == name)
                    && self.entry.is_none()
                {
                    self.entry = Some((self.depth, address));
                }
            }
            Event::Empty(start) => self.begin_address(start.local_name().into_inner(), start),
            Event::End(_) => {
                self.entry = self.entry.filter(|(depth, _)| *depth != self.depth);
                self.depth = self.depth.saturating_sub(1);
            }
            Event::Text(text) => self.push(&text.xml10_content()),
            Event::CData(text) => self.push(&text.xml10_content()),
            Event::GeneralRef(name) => {
                let entity = quick_xml::escape::resolve_predefined_entity(name);
                let character = name.resolve_char_ref().ok().flatten();
                let character = character.map(|character| Cow::Owned(character.to_string()));
                let text = character.or(entity.map(Cow::Borrowed));
                self.push(&text.unwrap_or_default());
            }
            _ => {}
        }
    }

    /// Begins an address, which is the text of an element or, in Atom, an attribute of it.
    fn begin_address(&mut self, name: &str, start: &BytesStart<'_>) {
        if self.entry != Some((self.depth, name)) {
            return;
        }
        let attribute = |name| {
            let found = start.try_get_attribute(name).ok()??;
            let value = found.normalized_value(XmlVersion::Implicit1_0).ok()?;
            Some(value.into_owned())
        };
        // Others lead to comments, to sounds or to the feed itself.
        if attribute("rel").is_none_or(|relation| relation == "alternate") {
            self.address = Some(attribute("href").unwrap_or_default());
        }
    }

    fn end_address(&mut self, sitemap: &mut Sitemap) {
        let found = self.address.take().map(|address| address.trim().to_owned());
        let list = if self.is_index {
            &mut sitemap.sitemaps
        } else {
            &mut sitemap.pages
        };
        list.extend(found.filter(|address| !address.is_empty()));
    }

    fn push(&mut self, text: &str) {
        if let Some(address) = &mut self.address {
            address.push_str(text);
        }
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
    fn feeds_list_pages_and_pictures_are_none() {
        let check = |text: &str, pages: &[&str]| {
            let sitemap = parse(text.as_bytes());
            assert_eq!(sitemap.pages, pages, "{text}");
            assert_eq!(sitemap.flaw, None, "{text}");
        };
        check(
            "<rss><channel><link>/</link><item><title>A</title><link>/a</link></item><item><link>/b</link>\
             </item></channel></rss>",
            &["/a", "/b"],
        );
        check(
            "<feed><link href='/'/><entry><link href='/a?b&amp;c'/><link rel='enclosure' href='/a.mp3'/>\
             </entry><entry><link rel='alternate' href='/d'></link></entry></feed>",
            &["/a?b&c", "/d"],
        );
        check(
            "<urlset><url><loc>/a</loc><image:image><image:loc>/b</image:loc></image:image>\
             <xhtml:link href='/c'/></url></urlset>",
            &["/a"],
        );
    }

    #[test]
    fn a_sitemap_may_be_in_utf_16() {
        let map = "\u{FEFF}<urlset><url><loc>/a</loc></url></urlset>";
        let bytes: Vec<u8> = map.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(parse(&bytes).pages, ["/a"]);
    }

    #[test]
    fn a_list_of_addresses_is_one() {
        let list = parse(b"\xEF\xBB\xBF# All\nhttps://x.org/a\r\n\nhttps://x.org/b\n");
        assert_eq!(list.pages, ["https://x.org/a", "https://x.org/b"]);
        let other = parse(b"httpd.conf\nis no address\n");
        assert!(!other.is_one && other.pages.is_empty());
    }

    #[test]
    fn what_is_packed_is_unpacked_within_bounds() {
        let xml = format!("<urlset>{}</urlset>", "<url><loc>/a</loc></url>".repeat(9));
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(xml.as_bytes()).unwrap();
        let packed = packed.finish().unwrap();
        assert_eq!(read(&packed, xml.len()), parse(xml.as_bytes()));
        assert!(read(&packed, xml.len() - 1).flaw.is_some());
        assert!(read(&packed[..packed.len() - 9], xml.len()).flaw.is_some());
    }

    #[test]
    fn what_is_damaged_is_read_as_far_as_it_goes_and_says_so() {
        let check = |text: &str, pages: &[&str], flaw: Option<&str>| {
            let sitemap = parse(text.as_bytes());
            assert_eq!(sitemap.pages, pages, "{text}");
            assert_eq!(sitemap.flaw.as_deref(), flaw, "{text}");
        };
        let flaw = Some("it is damaged after entry 1");
        check(
            "<urlset><url><loc>/a</loc></url><url><loc>/b</lo",
            &["/a"],
            flaw,
        );
        check("<urlset><url><loc>/a</loc></url>", &["/a"], flaw);
        check(
            "<urlset><url><loc>/a</loc></ur><url><loc>/b</loc></url></urlset>",
            &["/a"],
            flaw,
        );
        let bomb = "<!DOCTYPE a [<!ENTITY b 'cccc'>]><urlset><loc>&b;&b;</loc></urlset>";
        check(bomb, &[], None);
    }

    #[test]
    fn an_ampersand_may_stand_for_itself() {
        let map = "<urlset><url><loc>/a?b=1&c=2</loc></url><url><loc>/d?e& f</loc></url></urlset>";
        let sitemap = parse(map.as_bytes());
        assert_eq!(sitemap.pages, ["/a?b=1&c=2", "/d?e& f"]);
        assert_eq!(sitemap.flaw, None);
    }

    #[test]
    fn what_comes_in_the_place_of_a_sitemap_lacks_nothing() {
        for page in [
            "<!doctype html><p>no &nbsp; map",
            "<html><p>no<br></html>",
            "Not found",
            "",
        ] {
            assert_eq!(parse(page.as_bytes()), Sitemap::default(), "{page}");
        }
    }

    #[test]
    fn more_addresses_than_are_read_are_a_flaw() {
        let urls = |count| "<url><loc>/a</loc></url>".repeat(count);
        let map = |count| format!("<urlset>{}</urlset>", urls(count));
        assert_eq!(parse(map(MOST_ADDRESSES).as_bytes()).flaw, None);
        let sitemap = parse(map(MOST_ADDRESSES + 1).as_bytes());
        assert_eq!(sitemap.pages.len(), MOST_ADDRESSES);
        assert!(sitemap.flaw.is_some());
        let list = "http://x.org/a\n".repeat(MOST_ADDRESSES + 1);
        assert!(parse(list.as_bytes()).flaw.is_some());
    }
}
