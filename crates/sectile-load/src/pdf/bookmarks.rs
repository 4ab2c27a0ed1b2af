//! The bookmarks of a PDF, walked with bounds: real files link them in circles.

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object};

use super::objects::{Destinations, follow, get, get_dictionary, get_text};

/// How many bookmarks are read; the largest real file has 4,000.
const MAX_BOOKMARKS: usize = 100_000;

/// How deep bookmarks may be nested.
const MAX_DEPTH: usize = 64;

/// A bookmark of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bookmark {
    pub(super) title: String,
    /// The depth in the tree, from 1.
    pub(super) depth: usize,
    /// The index of the page it points to, when it points to one.
    pub(super) page: Option<usize>,
}

/// Reads the bookmarks of `document` in the order a viewer shows them.
pub(super) fn read(document: &Document) -> Vec<Bookmark> {
    let outlines = document.catalog().ok();
    let outlines = outlines.and_then(|catalog| get_dictionary(document, catalog, b"Outlines"));
    let Some(first) = outlines.and_then(|outlines| outlines.get(b"First").ok()) else {
        return Vec::new();
    };
    let destinations = Destinations::new(document);
    let items = walk(document, first);
    let bookmarks = items.into_iter().filter_map(|(item, depth)| {
        Some(Bookmark {
            title: title(document, item)?,
            depth,
            page: target(document, item).and_then(|target| destinations.page(target)),
        })
    });
    bookmarks.collect()
}

/// Lists the items from `first` on with their depths, each one once.
fn walk<'a>(document: &'a Document, first: &'a Object) -> Vec<(&'a Dictionary, usize)> {
    let mut visited = HashSet::new();
    let mut items = Vec::new();
    let mut open = vec![(first, 1)];
    while let Some((object, depth)) = open.pop() {
        let seen = object.as_reference().is_ok_and(|id| !visited.insert(id));
        if seen || items.len() >= MAX_BOOKMARKS {
            continue;
        }
        let Some(Ok(item)) = follow(document, object).map(Object::as_dict) else {
            continue;
        };
        items.push((item, depth));
        open.extend(item.get(b"Next").ok().map(|next| (next, depth)));
        if depth < MAX_DEPTH {
            open.extend(item.get(b"First").ok().map(|child| (child, depth + 1)));
        }
    }
    items
}

fn title(document: &Document, item: &Dictionary) -> Option<String> {
    let title = get_text(document, item, b"Title")?;
    let words: Vec<&str> = title.split_whitespace().collect();
    Some(words.join(" "))
}

/// Returns the destination of an item: its own, or that of its action.
fn target<'a>(document: &'a Document, item: &'a Dictionary) -> Option<&'a Object> {
    if let Ok(destination) = item.get(b"Dest") {
        return Some(destination);
    }
    let action = get_dictionary(document, item, b"A")?;
    let kind = get(document, action, b"S")?.as_name().ok()?;
    (kind == b"GoTo").then(|| action.get(b"D").ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopdf::{StringFormat, dictionary};

    /// A file with one page and the given bookmarks: title, then links to others by number.
    fn check(items: &[(&str, &[(&str, u32)])], expected: &[(&str, usize)]) {
        let mut document = Document::with_version("1.7");
        for (number, (title, links)) in (10..).zip(items) {
            let mut item = dictionary! {
                "Title" => Object::String(title.as_bytes().into(), StringFormat::Literal),
                "Dest" => vec![(1, 0).into(), Object::Name(b"Fit".into())],
            };
            for (key, other) in *links {
                item.set(*key, Object::Reference((*other, 0)));
            }
            document.objects.insert((number, 0), item.into());
        }
        let pages = dictionary! { "Kids" => vec![Object::Reference((1, 0))] };
        let outlines = dictionary! { "First" => Object::Reference((10, 0)) };
        let catalog = dictionary! { "Pages" => (2, 0), "Outlines" => outlines };
        document
            .objects
            .insert((1, 0), dictionary! { "Type" => "Page" }.into());
        document.objects.insert((2, 0), pages.into());
        document.objects.insert((3, 0), catalog.into());
        document.trailer.set("Root", Object::Reference((3, 0)));
        let found = read(&document);
        assert!(found.iter().all(|mark| mark.page == Some(0)));
        let found: Vec<_> = found
            .iter()
            .map(|mark| (mark.title.as_str(), mark.depth))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn children_come_before_the_next_sibling() {
        check(
            &[
                ("A", &[("First", 11), ("Next", 12)]),
                ("A  a", &[]),
                ("B", &[]),
            ],
            &[("A", 1), ("A a", 2), ("B", 1)],
        );
    }

    #[test]
    fn circles_end() {
        check(&[("A", &[("Next", 10)])], &[("A", 1)]);
        check(&[("A", &[("First", 10), ("Next", 10)])], &[("A", 1)]);
        check(
            &[
                ("A", &[("First", 11)]),
                ("B", &[("First", 10), ("Next", 11)]),
            ],
            &[("A", 1), ("B", 2)],
        );
    }
}
