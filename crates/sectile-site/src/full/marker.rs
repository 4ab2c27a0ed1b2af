//! What begins a page, by the conventions seen in the field.

use memchr::memchr;
use url::Url;

use crate::fence::{Fence, is_mark, names_language};

/// The most lines of front matter.
const FRONT_MATTER_LINES: usize = 64;

/// The longest path or address that is believed, in bytes.
const LONGEST_ADDRESS: usize = 2_048;

/// How many lines below its labels the title of a page is looked for.
const TITLE_WITHIN: usize = 6;

/// What the paths of pages end with.
const PAGE_ENDS: [&str; 8] = [
    ".md",
    ".mdx",
    ".markdown",
    ".txt",
    ".rst",
    ".html",
    ".ipynb",
    ".adoc",
];

/// The beginning of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marker<'a> {
    /// Where the page begins.
    pub(super) start: usize,
    /// The address that is given, as it is written.
    pub(super) url: Option<&'a str>,
    pub(super) title: Option<&'a str>,
}

/// A way of beginning pages; of equally frequent ones the first counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Convention {
    FrontMatterUrl,
    FrontMatterPath,
    HeadingWithAddress,
    /// The same with headings of level 2.
    SubheadingWithAddress,
    /// Lines that say where the page comes from: headings or comments.
    Label,
    StartOf,
    Firecrawl,
    /// A heading of level 1 and nothing else, which counts where a text has no other beginnings.
    HeadingAlone,
}

const CONVENTIONS: [Convention; 7] = [
    Convention::FrontMatterUrl,
    Convention::FrontMatterPath,
    Convention::HeadingWithAddress,
    Convention::SubheadingWithAddress,
    Convention::Label,
    Convention::StartOf,
    Convention::Firecrawl,
];

/// A line that counts when a text is cut.
enum Line<'a> {
    /// One that may open or close a fence.
    Mark(&'a str),
    Beginning(Convention, Marker<'a>),
}

impl<'a> Line<'a> {
    /// Returns the page that the line begins by a convention. Headings of level 1 are such, whatever else they say.
    fn begins(&self, by: Convention) -> Option<Marker<'a>> {
        let Self::Beginning(convention, marker) = self else {
            return None;
        };
        let is_heading =
            by == Convention::HeadingAlone && *convention == Convention::HeadingWithAddress;
        (*convention == by || is_heading).then_some(*marker)
    }
}

/// Returns the beginnings of the pages of a text, by the convention that most of them keep to. One beginning makes no
/// convention where there are several headings of level 1.
pub(super) fn markers<'a>(text: &'a str, file: &Url) -> Vec<Marker<'a>> {
    let lines = lines(text);
    let headings = outside(&lines, Convention::HeadingAlone);
    let alone = headings
        .iter()
        .filter(|marker| marker.url.is_none())
        .count();
    let are_pages = |convention, found: &[Marker<'_>]| match convention {
        // Guides to an API have addresses below their headings, too.
        Convention::SubheadingWithAddress if found.len() < alone => {
            found.iter().any(|marker| is_of_site(marker, file))
        }
        _ => !found.is_empty(),
    };
    let found = CONVENTIONS.map(|convention| {
        let found = outside(&lines, convention);
        Some(found).filter(|found| are_pages(convention, found))
    });
    let most = found.into_iter().rev().flatten().max_by_key(Vec::len);
    match most.filter(|most| most.len() > 1 || alone < 2) {
        Some(most) => most,
        None if alone < 2 => Vec::new(),
        None => headings,
    }
}

/// Returns the lines of a text that count.
fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut was_label = false;
    while start < text.len() {
        let (line, next) = line_at(text, start);
        let is_label = label(line).is_some();
        // Of several labels in a row the first begins the page.
        let is_begun = is_label && was_label;
        if is_mark(line) {
            lines.push(Line::Mark(line));
        } else if !is_begun && let Some((convention, url, title)) = begins(text, line, next) {
            lines.push(Line::Beginning(convention, Marker { start, url, title }));
        }
        was_label = is_label;
        start = next;
    }
    lines
}

/// Returns the beginnings of a convention that do not stand in a fence.
fn outside<'a>(lines: &[Line<'a>], convention: Convention) -> Vec<Marker<'a>> {
    let mut found = Vec::new();
    let mut fence = Fence::default();
    // Whether the fence is known to have an example of a beginning.
    let mut has_example = false;
    for (at, line) in lines.iter().enumerate() {
        if let Line::Mark(line) = line {
            fence.holds(line);
            has_example &= fence.is_open();
        } else if let Some(marker) = line.begins(convention) {
            if fence.is_open() {
                has_example = has_example || !is_unclosed(&fence, &lines[at + 1..], convention);
                if has_example {
                    continue;
                }
                fence = Fence::default();
            }
            found.push(marker);
        }
    }
    found
}

/// Returns whether a fence was never closed in which a page seems to begin: what closes the fence of an example comes
/// after it, and is not the first mark of a pair.
fn is_unclosed(fence: &Fence, rest: &[Line<'_>], convention: Convention) -> bool {
    // A comment of a script looks like a heading.
    if convention == Convention::HeadingAlone {
        return false;
    }
    let mut rest = rest.iter();
    let next = rest.find_map(|line| match line {
        Line::Mark(line) if fence.is_closed_or_opened_by(line) => Some(line),
        _ => None,
    });
    let Some(next) = next.filter(|next| !names_language(next)) else {
        return true;
    };
    let mut pairs = Fence::default();
    pairs.holds(next);
    for line in rest.take_while(|line| line.begins(convention).is_none()) {
        if let Line::Mark(line) = line {
            pairs.holds(line);
        }
    }
    !pairs.is_open()
}

/// Returns whether a page has an address of the site that its file is from.
fn is_of_site(marker: &Marker<'_>, file: &Url) -> bool {
    let url = marker.url.and_then(|url| Url::parse(url).ok());
    url.is_some_and(|url| url.host() == file.host())
}

/// Returns the line at a position, without its end, and where the next one begins.
fn line_at(text: &str, start: usize) -> (&str, usize) {
    let rest = &text.as_bytes()[start..];
    let end = memchr(b'\n', rest).map_or(text.len(), |length| start + length);
    let line = &text[start..end];
    let next = (end + 1).min(text.len());
    (line.strip_suffix('\r').unwrap_or(line), next)
}

type Beginning<'a> = (Convention, Option<&'a str>, Option<&'a str>);

/// Returns the page that a line begins, if it begins one. The text continues at `next`.
fn begins<'a>(text: &'a str, line: &'a str, next: usize) -> Option<Beginning<'a>> {
    match line.as_bytes().first()? {
        b'-' if line.trim_end() == "---" => front_matter(text, next),
        b'#' => heading(text, line, next),
        b'<' if line.starts_with("<!--") => labelled_page(text, line, next),
        b'<' => {
            let rest = line.strip_prefix("<|firecrawl-page-")?;
            let number = rest.trim_end().strip_suffix("-lllmstxt|>")?;
            let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            let title = title_of(line_at(text, next).0).map(|(_, title)| title);
            is_number.then_some((Convention::Firecrawl, None, title))
        }
        _ => None,
    }
}

/// Reads front matter that holds the address of a page, or is one.
fn front_matter(text: &str, mut next: usize) -> Option<Beginning<'_>> {
    let (mut url, mut title, mut only) = (None, None, None);
    for number in 0..FRONT_MATTER_LINES {
        if next >= text.len() {
            return None;
        }
        let (line, after) = line_at(text, next);
        next = after;
        if line.trim_end() == "---" {
            let path = only.filter(|_| number == 1 && url.is_none());
            return match (url, path) {
                (Some(url), _) => Some((Convention::FrontMatterUrl, Some(url), title)),
                (_, Some(path)) => Some((Convention::FrontMatterPath, Some(path), Some(path))),
                _ => None,
            };
        }
        url = url.or_else(|| line.strip_prefix("url:").and_then(address));
        title = title.or_else(|| line.strip_prefix("title:").map(unquoted));
        only = page_path(line);
    }
    None
}

/// Returns a line that is the path of a page and nothing else.
fn page_path(line: &str) -> Option<&str> {
    let path = line.trim_end();
    let is_path = path.len() <= LONGEST_ADDRESS
        && !path.contains(|c: char| c.is_whitespace() || matches!(c, ':' | '|' | '`' | '*'))
        && !path.starts_with(['-', '#', '[', '<'])
        && PAGE_ENDS.iter().any(|end| path.ends_with(end));
    is_path.then_some(path)
}

/// Reads a heading with the address of its page below it, or one that says that documentation starts.
fn heading<'a>(text: &'a str, line: &'a str, next: usize) -> Option<Beginning<'a>> {
    let (level, title) = title_of(line).filter(|(level, _)| *level <= 2)?;
    let (mut below, mut after) = line_at(text, next);
    if below.trim().is_empty() {
        (below, after) = line_at(text, after);
    }
    // Where there is a path and an address, the address is that of the page.
    let second = labelled(line_at(text, after).0).filter(|url| url.contains("://"));
    if let Some(url) = labelled(below) {
        let url = second.filter(|_| !url.contains("://")).unwrap_or(url);
        // A path below a smaller heading is more often that of an API.
        let is_address = url.contains("://") || skip_link(below).is_some();
        match level {
            1 => return Some((Convention::HeadingWithAddress, Some(url), Some(title))),
            _ if is_address => {
                return Some((Convention::SubheadingWithAddress, Some(url), Some(title)));
            }
            _ => {}
        }
    }
    if let Some(page) = labelled_page(text, line, next) {
        return Some(page);
    }
    let begins_documentation =
        level == 1 && title.starts_with("Start of ") && title.ends_with(" documentation");
    if begins_documentation {
        return Some((Convention::StartOf, None, Some(title)));
    }
    (level == 1).then_some((Convention::HeadingAlone, None, Some(title)))
}

/// Reads the labels that a page begins with. The title is that of the first heading below them.
fn labelled_page<'a>(text: &'a str, line: &'a str, mut next: usize) -> Option<Beginning<'a>> {
    let mut url = label(line)?;
    for _ in 0..TITLE_WITHIN {
        let (line, after) = line_at(text, next);
        next = after;
        match (label(line), title_of(line)) {
            (Some(address), _) if !url.contains("://") => url = address,
            (None, Some((_, title))) => return Some((Convention::Label, Some(url), Some(title))),
            _ => {}
        }
    }
    Some((Convention::Label, Some(url), Some(url)))
}

/// Reads a heading or a comment that says where a page comes from: `# Source: docs/a.md`, `<!-- url: https://… -->`.
fn label(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let comment = line
        .strip_prefix("<!--")
        .and_then(|rest| rest.strip_suffix("-->"));
    let heading = || title_of(line).filter(|(level, _)| *level <= 2);
    let said = comment.or_else(|| heading().map(|(_, title)| title))?;
    let (name, value) = said.trim().split_once(':')?;
    let is_label = ["source", "url"]
        .iter()
        .any(|label| name.eq_ignore_ascii_case(label));
    let value = address(value).filter(|_| is_label)?;
    let is_address = value.contains("://") || value.starts_with('/');
    (is_address || page_path(value).is_some()).then_some(value)
}

/// Reads the link that pages of Docusaurus begin with, for those who do not see the navigation.
fn skip_link(line: &str) -> Option<&str> {
    let rest = line.trim_end().strip_prefix("[Skip to main content](")?;
    rest.strip_suffix(')')
}

fn title_of(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    let is_heading = (1..=6).contains(&level) && title.starts_with(' ');
    is_heading.then(|| (level, title.trim()))
}

/// Reads a line that says where its page comes from: an address, or a path from the root.
fn labelled(line: &str) -> Option<&str> {
    let url = ["Source:", "URL:", "Url:"]
        .iter()
        .find_map(|label| line.strip_prefix(label))
        .or_else(|| skip_link(line))?;
    let url = address(url)?;
    let is_address = ["https://", "http://", "/"]
        .iter()
        .any(|start| url.starts_with(start));
    // One with gaps to be filled is that of many pages, or of none.
    (is_address && !url.contains('{')).then_some(url)
}

/// Returns an address without the quotation marks around it.
fn address(written: &str) -> Option<&str> {
    let address = unquoted(written);
    let is_address = !address.is_empty()
        && address.len() <= LONGEST_ADDRESS
        && !address.contains(char::is_whitespace);
    is_address.then_some(address)
}

fn unquoted(written: &str) -> &str {
    let written = written.trim();
    let inner = |mark| written.strip_prefix(mark)?.strip_suffix(mark);
    inner('\'').or_else(|| inner('"')).unwrap_or(written)
}
