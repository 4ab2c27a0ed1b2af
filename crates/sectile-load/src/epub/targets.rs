//! The places in a chapter that the table of contents names.

use std::collections::HashMap;

use super::contents::Entry;
use super::xhtml::tag_length;

/// How many bytes may stand between the beginning of a paragraph and an element in it, for a heading to be put before the
/// paragraph.
const LONGEST_BEGINNING: usize = 10_000;

/// A chapter with the titles of a table of contents as headings.
#[derive(Debug)]
pub(super) struct Headed {
    pub(super) page: String,
    /// Whether the first title for the chapter is one of the headings.
    pub(super) has_first: bool,
}

/// Puts the titles of a table of contents as headings before the elements that they lead to, or the paragraphs that these
/// stand in; nothing where no title leads to an element of the chapter.
pub(super) fn with_headings(page: &str, entries: &[Entry]) -> Option<Headed> {
    let mut wanted: HashMap<&str, &Entry> = HashMap::new();
    for entry in entries.iter().filter(|entry| !entry.place.is_empty()) {
        wanted.entry(&entry.place).or_insert(entry);
    }
    let mut headed = String::with_capacity(page.len());
    let mut rest = page;
    // Where the paragraph begins that is open.
    let mut paragraph = None;
    let mut is_found = false;
    while let Some(at) = rest.find('<') {
        headed.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some(length) = tag_length(rest) else {
            break;
        };
        let (tag, after) = rest.split_at(length);
        match name(tag) {
            "p" => paragraph = Some(headed.len()),
            "/p" => paragraph = None,
            _ => {}
        }
        if let Some(entry) = places(tag).into_iter().find_map(|id| wanted.remove(id)) {
            let heading = heading(entry);
            let near = paragraph.filter(|start| headed.len() - start <= LONGEST_BEGINNING);
            let start = near.unwrap_or(headed.len());
            headed.insert_str(start, &heading);
            paragraph = near.map(|start| start + heading.len());
            is_found = true;
        }
        headed.push_str(tag);
        rest = after;
    }
    headed.push_str(rest);
    let first = entries.first().filter(|first| !first.place.is_empty());
    is_found.then(|| Headed {
        page: headed,
        has_first: first.is_some_and(|first| !wanted.contains_key(first.place.as_str())),
    })
}

/// Returns the name of the element that a tag begins, or ends behind a slash.
fn name(tag: &str) -> &str {
    let inner = tag.trim_start_matches('<');
    let is_end = |letter: char| letter.is_whitespace() || letter == '>';
    inner.split(is_end).next().unwrap_or_default()
}

/// Returns the names by which references lead to an element.
fn places(tag: &str) -> Vec<&str> {
    if tag.starts_with("<!") || tag.starts_with("</") {
        return Vec::new();
    }
    let value = |attribute: &str| {
        // The names of other attributes may end so, too.
        let mut all = tag.match_indices(attribute);
        all.find_map(|(at, _)| {
            let after = &tag[at + attribute.len()..];
            let quote = after.chars().next()?;
            let is_quote = matches!(quote, '"' | '\'') && tag[..at].ends_with(char::is_whitespace);
            let rest = after.strip_prefix(quote).filter(|_| is_quote)?;
            rest.split_once(quote).map(|(value, _)| value)
        })
    };
    let names: &[&str] = if name(tag) == "a" {
        &["id=", "name="]
    } else {
        &["id="]
    };
    names.iter().copied().filter_map(value).collect()
}

fn heading(entry: &Entry) -> String {
    let title = entry.title.replace('&', "&amp;").replace('<', "&lt;");
    let level = entry.level.min(6);
    format!("<h{level}>{title}</h{level}>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_stand_before_the_elements_that_they_lead_to() {
        let entry = |level, title: &str, place: &str| Entry {
            level,
            title: title.into(),
            place: place.into(),
        };
        let entries = [
            entry(1, "A & b", "a"),
            entry(2, "C", "c"),
            entry(2, "Lost", "x"),
        ];
        let check = |page: &str, expected: Option<&str>| {
            let headed = with_headings(page, &entries);
            assert_eq!(headed.map(|headed| headed.page).as_deref(), expected);
        };
        check(
            "<p class='t' id='a'>A</p><p>Text <i id=\"c\">c</i></p><div id='a'/>",
            Some(
                "<h1>A &amp; b</h1><p class='t' id='a'>A</p><h2>C</h2><p>Text <i id=\"c\">c</i></p><div id='a'/>",
            ),
        );
        check(
            "<pre><a name='c'></a>x < y</pre>",
            Some("<pre><h2>C</h2><a name='c'></a>x < y</pre>"),
        );
        check(
            "<p>x < y's</p><p data-id='x' xml:id='c' id='a'>A</p>",
            Some("<p>x < y's</p><h1>A &amp; b</h1><p data-id='x' xml:id='c' id='a'>A</p>"),
        );
        check("<p data-id='a'>A</p></p id='a'><!-- id='a' -->", None);
        check("", None);
    }

    #[test]
    fn the_first_title_is_told_from_the_others() {
        let entries = ["a", "b"].map(|place| Entry {
            level: 1,
            title: "T".into(),
            place: place.into(),
        });
        for (page, has_first) in [("<p id='a'>", true), ("<p id='b'>", false)] {
            let headed = with_headings(page, &entries).unwrap();
            assert_eq!(headed.has_first, has_first);
        }
    }
}
