//! Links of items that Markdown takes for text, and what stands around links.

use std::ops::Range;

use super::Link;

/// The maximum number of bytes per description.
pub(super) const LONGEST_NOTE: usize = 1_000;

/// Returns what stands in an item of a list.
pub(super) fn item(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => line.strip_prefix(['-', '*', '+'])?,
        1..=9 => line[digits..].strip_prefix(['.', ')'])?,
        _ => return None,
    };
    rest.starts_with([' ', '\t']).then(|| rest.trim())
}

/// Reads the first link of an item that Markdown takes for text.
pub(super) fn loose_link(item: &str) -> Option<Link> {
    unpaired(item).or_else(|| bare(item))
}

/// Reads a link whose title has brackets without their pairs, or whose address has spaces.
fn unpaired(item: &str) -> Option<Link> {
    let (before, rest) = item.split_once("](")?;
    let (_, title) = before.split_once('[')?;
    let (url, note) = rest.split_once(')')?;
    // What stands in quotation marks is a title for hovering.
    let url = url.split(" \"").next()?.trim();
    (!url.is_empty()).then(|| Link {
        title: title.trim().to_owned(),
        url: url.to_owned(),
        note: noted(note),
    })
}

/// Reads an address that is written as it is.
fn bare(item: &str) -> Option<Link> {
    let Range { start, end } = address(item)?;
    Some(Link {
        title: titled(&item[..start]),
        url: item[start..end].to_owned(),
        note: noted_of_address(&item[end..]),
    })
}

/// Returns where the first address stands that is written as it is.
pub(super) fn address(text: &str) -> Option<Range<usize>> {
    text.match_indices("http").find_map(|(start, _)| {
        let rest = &text[start..];
        let mut schemes = ["https://", "http://"].into_iter();
        let scheme = schemes.find(|scheme| rest.starts_with(*scheme))?;
        let is_end = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '`' | '"' | ')');
        let url = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        let url = url.trim_end_matches([':', ',', '.', ';']);
        (url.len() > scheme.len()).then(|| start..start + url.len())
    })
}

/// Returns what a page is called by what stands before its address.
pub(super) fn titled(before: &str) -> String {
    let title = item(before).unwrap_or(before);
    let title = title.trim_end_matches([' ', '\n', ':', '-', '<', '(', '`', '*']);
    title.trim_matches('*').to_owned()
}

/// Returns as much of a text as a description holds.
pub(super) fn start_of(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST_NOTE)]
}

/// Returns the description of a page after its link.
pub(super) fn noted(text: &str) -> Option<String> {
    let note = start_of(text)
        .trim_start_matches([':', ' ', '\t', '-', '–', '—', '*'])
        .trim();
    (!note.is_empty()).then(|| note.to_owned())
}

/// Returns the description of a page after an address that is written as it is.
pub(super) fn noted_of_address(text: &str) -> Option<String> {
    noted(text.trim_start_matches(['>', ')', '`', '"', ',', '.', ';']))
}
