//! The bookmarks of a PDF, walked with bounds: real files link them in circles.

use std::collections::HashSet;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Dict, Object};

use super::objects::{Destinations, catalog, name_of, text};

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

/// Reads the bookmarks of a file in the order a viewer shows them.
pub(super) fn read(pdf: &Pdf) -> Vec<Bookmark> {
    let outlines = catalog(pdf).and_then(|catalog| catalog.get::<Dict<'_>>("Outlines"));
    let Some(first) = outlines.and_then(|outlines| outlines.get::<Dict<'_>>("First")) else {
        return Vec::new();
    };
    let destinations = Destinations::new(pdf);
    let bookmarks = walk(first).into_iter().filter_map(|(item, depth)| {
        Some(Bookmark {
            title: title(&item)?,
            depth,
            page: target(&item).and_then(|target| destinations.page(&target)),
        })
    });
    bookmarks.collect()
}

/// Lists the items from `first` on with their depths, each one once.
fn walk(first: Dict<'_>) -> Vec<(Dict<'_>, usize)> {
    let mut visited = HashSet::new();
    let mut items = Vec::new();
    let mut open = vec![(first, 1)];
    while let Some((item, depth)) = open.pop() {
        let seen = item.obj_id().is_some_and(|id| !visited.insert(id));
        if seen || items.len() >= MAX_BOOKMARKS {
            continue;
        }
        open.extend(item.get("Next").map(|next| (next, depth)));
        if depth < MAX_DEPTH {
            open.extend(item.get("First").map(|child| (child, depth + 1)));
        }
        items.push((item, depth));
    }
    items
}

fn title(item: &Dict<'_>) -> Option<String> {
    let title = text(item, b"Title")?;
    let words: Vec<&str> = title.split_whitespace().collect();
    Some(words.join(" "))
}

/// Returns the destination of an item: its own, or that of its action.
fn target<'a>(item: &Dict<'a>) -> Option<Object<'a>> {
    if let Some(destination) = item.get("Dest") {
        return Some(destination);
    }
    let action = item.get::<Dict<'a>>("A")?;
    let is_here = name_of(&action, "S").is_some_and(|kind| kind.as_ref() == b"GoTo");
    is_here.then(|| action.get("D")).flatten()
}

#[cfg(test)]
mod tests {
    use super::super::objects::tests::file;
    use super::*;

    /// A file with one page and the given bookmarks, from object 10 on: title, then links to others by
    /// number.
    fn check(items: &[(&str, &[(&str, u32)])], expected: &[(&str, usize)]) {
        let mut objects = vec![
            "<</Type/Catalog/Pages 2 0 R/Outlines<</First 10 0 R>>>>".to_owned(),
            "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
            "<</Type/Page/Parent 2 0 R>>".to_owned(),
        ];
        objects.resize(9, "null".to_owned());
        objects.extend(items.iter().map(|(title, links)| {
            let links = links
                .iter()
                .map(|(key, other)| format!("/{key} {other} 0 R"));
            let links: Vec<String> = links.collect();
            let links = links.concat();
            format!("<</Title({title})/Dest[3 0 R/Fit]{links}>>")
        }));
        let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
        let found = read(&file(&objects));
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
