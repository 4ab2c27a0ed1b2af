//! The pages of an llms-full.txt.

mod marker;

use std::collections::HashMap;

use sectile_core::Span;
use url::Url;

use crate::resolve::{self, join};
use marker::{Marker, markers};

/// The version of the splitting rules. Files that another version split are split again.
pub const SPLIT_VERSION: u32 = 3;

/// The most pages of one file. One that seems to have more is not cut.
const MOST_PAGES: usize = 20_000;

/// The most characters of a title that become part of an address.
const LONGEST_SLUG: usize = 80;

/// A page of an `llms-full.txt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullPage {
    /// The address of the page, or that of the file with a fragment made of the title. Text before
    /// the first page, and a file that cannot be split, have the address of the file.
    pub url: Url,
    /// The title, if the file has one.
    pub title: Option<String>,
    /// The position in the file.
    pub span: Span,
}

/// Splits an `llms-full.txt` into its pages. Joined in order, the pages are the whole text. `file`
/// is the address of the file.
///
/// The format has no specification. A page begins, outside of code fences, with:
///
/// | beginning | written by |
/// |---|---|
/// | front matter with `url: …` | `VitePress` |
/// | front matter that is a path, such as `guide/start.md` | `LangGraph` |
/// | a heading of level 1 or 2, and on the next line `Source: …` or `URL: …`, or both | Mintlify, Fumadocs |
/// | the same after an empty line | others |
/// | a heading of level 1 or 2, or a comment, that says where the page comes from: `# Source: a.md`, `<!-- url: … -->` | scripts of projects |
/// | `# Start of … documentation` | Svelte |
/// | a heading of level 1 or 2, and on the next line Docusaurus' link `[Skip to main content](…)` | scrapers |
/// | `<\|firecrawl-page-1-lllmstxt\|>` | Firecrawl |
///
/// Of several that occur in one file, that which begins the most pages counts; headings of level 1 and of level 2 are two
/// of them. Below a heading of level 2 only a whole address counts, and if there are more headings of level 1, only one
/// of the host of the file. Where none occurs, or one once, every heading of level 1 begins a page, if there are two
/// or more. A file that has neither is one page. A fence that nothing closes ends where a page begins.
///
/// ```
/// use sectile_site::split_full;
///
/// let text = "# One\nSource: https://example.org/one\n\nText.\n\n# Two\nSource: /two\n";
/// let pages = split_full(text, &"https://example.org/llms-full.txt".parse()?);
/// assert_eq!(pages[1].url.as_str(), "https://example.org/two");
/// assert_eq!(pages[1].span.of(text), "# Two\nSource: /two\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn split_full(text: &str, file: &Url) -> Vec<FullPage> {
    let mut markers = markers(text, file);
    if markers.len() > MOST_PAGES {
        markers.clear();
    }
    let mut addresses = Addresses::of(file);
    let mut pages = Vec::with_capacity(markers.len() + 1);
    let first = markers.first().map_or(text.len(), |marker| marker.start);
    if first > 0 || markers.is_empty() {
        pages.push(FullPage {
            url: file.clone(),
            title: None,
            span: Span::new(0, first),
        });
    }
    let ends = markers.iter().skip(1).map(|marker| marker.start);
    let ends: Vec<usize> = ends.chain([text.len()]).collect();
    for (marker, end) in markers.iter().zip(ends) {
        pages.push(FullPage {
            url: addresses.of_page(marker),
            title: marker.title.map(str::to_owned),
            span: Span::new(marker.start, end),
        });
    }
    pages
}

/// The addresses that have been given to pages.
struct Addresses<'a> {
    file: &'a Url,
    given: HashMap<String, usize>,
}

impl<'a> Addresses<'a> {
    fn of(file: &'a Url) -> Self {
        let given = HashMap::from([(file.as_str().to_owned(), 1)]);
        Self { file, given }
    }

    /// Returns an address that no other page has.
    fn of_page(&mut self, marker: &Marker<'_>) -> Url {
        let mut url = marker.url.and_then(|url| self.own(url));
        if let Some(url) = url.take_if(|url| !self.given.contains_key(url.as_str())) {
            self.given.insert(url.as_str().to_owned(), 1);
            return url;
        }
        let mut url = url.unwrap_or_else(|| self.file.clone());
        let name = slug(marker.title.unwrap_or_default());
        url.set_fragment(Some(&name));
        loop {
            let count = self.given.entry(url.as_str().to_owned()).or_default();
            *count += 1;
            if *count == 1 {
                return url;
            }
            url.set_fragment(Some(&format!("{name}-{count}")));
            // The numbered name may be the name of another page.
            if !self.given.contains_key(url.as_str()) {
                self.given.insert(url.as_str().to_owned(), 1);
                return url;
            }
            url.set_fragment(Some(&name));
        }
    }

    /// Reads the address that a page says it has, if it can be that of a page.
    fn own(&self, written: &str) -> Option<Url> {
        let mut url = join(self.file, written)?;
        url.set_fragment(None);
        resolve::check_form(&url).ok()?;
        Some(url)
    }
}

/// Makes a name out of a title: its letters and digits, in lower case, with `-` between words.
fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let name: String = words.join("-").chars().take(LONGEST_SLUG).collect();
    if name.is_empty() { "page".into() } else { name }
}
