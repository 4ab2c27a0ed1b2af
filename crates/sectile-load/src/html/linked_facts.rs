//! Who wrote a page and when, as its linked data (JSON-LD) says.

use std::collections::BTreeSet;
use std::rc::Rc;

use htmd::Node;
use sectile_core::Metadata;
use serde_json::Value;

use super::linked_data;

/// Ends of the types of what a page is about.
const TEXTS: [&str; 4] = ["Article", "Posting", "Recipe", "Report"];

/// The end of the types of pages.
const PAGES: &str = "Page";

/// Types of authors that are nobody.
const NOBODY: [&str; 3] = ["Corporation", "NewsMediaOrganization", "Organization"];

/// Returns the author and the dates in the linked data of a page: those of its article, or else those of the page.
/// Several that are not the same are those of several articles.
pub(super) fn of_page(root: &Rc<Node>) -> Metadata {
    let (mut texts, mut pages) = (Facts::default(), Facts::default());
    for data in linked_data::all(root) {
        for value in linked_data::objects(&data) {
            if is_of_type(value, &TEXTS) {
                texts.add(value);
            } else if is_of_type(value, &[PAGES]) {
                pages.add(value);
            }
        }
    }
    let facts = if texts.is_empty() { pages } else { texts };
    Metadata {
        author: only(facts.authors),
        created: only(facts.created),
        modified: only(facts.modified),
        ..Metadata::default()
    }
}

/// Puts facts into the metadata where the head of the page says none.
pub(super) fn put(metadata: &mut Metadata, facts: Metadata) {
    let Metadata {
        author,
        created,
        modified,
        ..
    } = facts;
    metadata.author = metadata.author.take().or(author);
    metadata.created = metadata.created.take().or(created);
    metadata.modified = metadata.modified.take().or(modified);
}

/// What several objects say, each once.
#[derive(Default)]
struct Facts {
    authors: BTreeSet<String>,
    created: BTreeSet<String>,
    modified: BTreeSet<String>,
}

impl Facts {
    fn add(&mut self, value: &Value) {
        self.authors.extend(authors(value.get("author")));
        self.created.extend(date(value.get("datePublished")));
        self.modified.extend(date(value.get("dateModified")));
    }

    fn is_empty(&self) -> bool {
        self.authors.is_empty() && self.created.is_empty() && self.modified.is_empty()
    }
}

fn is_of_type(value: &Value, ends: &[&str]) -> bool {
    let is_wanted = |kind: &Value| {
        let kind = kind.as_str().unwrap_or_default();
        ends.iter().any(|end| kind.ends_with(end))
    };
    match value.get("@type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is_wanted),
        Some(kind) => is_wanted(kind),
        None => false,
    }
}

/// Returns the names of the persons that wrote something.
fn authors(value: Option<&Value>) -> Option<String> {
    let all: Vec<&Value> = match value? {
        Value::Array(all) => all.iter().collect(),
        one => vec![one],
    };
    let names = all.into_iter().filter_map(|author| match author {
        Value::String(name) => Some(name.as_str()),
        _ if is_of_type(author, &NOBODY) => None,
        _ => author.get("name").and_then(Value::as_str),
    });
    // Some sites write the address of the author.
    let is_name = |name: &&str| !name.is_empty() && !name.contains("://");
    let names: Vec<&str> = names.map(str::trim).filter(is_name).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Returns a date that begins with its year, as ISO 8601 writes it.
fn date(value: Option<&Value>) -> Option<String> {
    let date = value?.as_str()?.trim();
    let (year, _) = date.split_once('-')?;
    let is_year = year.len() == 4 && year.bytes().all(|digit| digit.is_ascii_digit());
    is_year.then(|| date.to_owned())
}

fn only(all: BTreeSet<String>) -> Option<String> {
    let mut all = all.into_iter();
    let first = all.next();
    if all.next().is_some() { None } else { first }
}
