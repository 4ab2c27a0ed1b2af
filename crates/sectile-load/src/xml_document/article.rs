//! The front matter of articles in JATS: a short head in place of a hundred fields.

use std::collections::BTreeMap;

use super::inline;
use super::tree::Tree;
use crate::one_line::one_line;
use serde_json::{Map, Value};

/// The elements that have front matter.
const ARTICLES: [&str; 3] = ["article", "sub-article", "response"];

/// How many elements may stand before the front matter.
const FRONT_WITHIN: usize = 4;

/// The abstracts of front matter.
const ABSTRACTS: [&str; 2] = ["abstract", "trans-abstract"];

/// The name in `Metadata::extra` of how many elements of the front matter are not in the text, by their names.
const LEFT_OUT: &str = "front_matter_left_out";

/// The elements of front matter that are read.
#[rustfmt::skip]
const READ: [&str; 18] = [
    "abstract", "aff", "article-id", "author-notes", "contrib-group", "elocation-id", "fpage", "funding-group", "issue", "journal-title",
    "journal-title-group", "kwd-group", "lpage", "permissions", "pub-date", "title-group", "trans-abstract", "volume",
];

/// The elements of a citation that have their place in it. What else it holds stands at its end.
#[rustfmt::skip]
const PLACED: [&str; 18] = [
    "article-title", "chapter-title", "collab", "day", "elocation-id", "ext-link", "fpage", "issue", "lpage", "month", "name",
    "person-group", "pub-id", "publisher-name", "source", "string-name", "volume", "year",
];

/// The front matter of an article.
#[derive(Debug)]
pub(super) struct Front {
    /// The element that holds it, among those of the article.
    pub(super) at: usize,
    pub(super) title: Option<String>,
    pub(super) authors: Vec<String>,
    /// Authors, affiliations, the journal and so on, a line each.
    pub(super) lines: Vec<String>,
    pub(super) abstracts: Vec<usize>,
    /// When it was published, in ISO 8601.
    pub(super) published: Option<String>,
    pub(super) extra: Map<String, Value>,
}

/// Reads the front matter of an article; nothing of another element.
pub(super) fn front(tree: &Tree, at: usize) -> Option<Front> {
    if !tree.name(at).is_some_and(|name| ARTICLES.contains(&name)) {
        return None;
    }
    let is_front = |&child: &usize| matches!(tree.name(child), Some("front" | "front-stub"));
    let front = tree.elements(at).take(FRONT_WITHIN).find(is_front)?;
    let meta = child(tree, front, "article-meta").unwrap_or(front);
    let journal = child(tree, front, "journal-meta");
    let title = child(tree, meta, "title-group").and_then(|group| title(tree, group));
    let is_abstract = |&one: &usize| tree.name(one).is_some_and(|name| ABSTRACTS.contains(&name));
    let mut read = Front {
        at: front,
        title,
        authors: contributors(tree, meta, true),
        lines: Vec::new(),
        abstracts: tree.elements(meta).filter(is_abstract).collect(),
        published: published(tree, meta),
        extra: Map::new(),
    };
    let authors = read.authors.join(", ");
    read.add("Authors", "", authors);
    read.add("Editors", "", contributors(tree, meta, false).join(", "));
    read.add("Affiliations", "", affiliations(tree, meta).join("; "));
    read.add("Notes", "", notes(tree, meta).join(" "));
    read.add("Journal", "journal", source(tree, journal, meta));
    read.add("DOI", "doi", doi(tree, meta));
    read.add("Keywords", "keywords", keywords(tree, meta).join(", "));
    read.note("license", texts(tree, meta, "license").join(" "));
    read.add("Funding", "funding", funding(tree, meta).join("; "));
    let left_out = left_out(tree, journal.into_iter().chain([meta]));
    if !left_out.is_empty() {
        read.extra.insert(LEFT_OUT.into(), left_out.into());
    }
    Some(read)
}

/// Returns the front matter of the first article of a file.
pub(super) fn first(tree: &Tree) -> Option<Front> {
    tree.roots().find_map(|root| {
        let nested = || {
            tree.elements(root)
                .take(FRONT_WITHIN)
                .find_map(|at| front(tree, at))
        };
        front(tree, root).or_else(nested)
    })
}

impl Front {
    /// Adds a line to the head, and the same to the metadata where these have a name for it.
    fn add(&mut self, label: &str, key: &str, text: String) {
        if !text.is_empty() {
            self.lines.push(format!("{label}: {text}"));
            self.note(key, text);
        }
    }

    fn note(&mut self, key: &str, text: String) {
        if !(key.is_empty() || text.is_empty()) {
            self.extra.insert(key.into(), text.into());
        }
    }
}

fn child(tree: &Tree, at: usize, name: &str) -> Option<usize> {
    let mut children = tree.elements(at);
    children.find(|&child| tree.name(child) == Some(name))
}

/// Returns the text of the first element with a name right inside another; empty if there is none.
fn text(tree: &Tree, at: usize, name: &str) -> String {
    child(tree, at, name).map_or_else(String::new, |found| inline::line(tree, found))
}

/// Returns the elements with a name in another, however deep, but for those inside of each other:
/// their text would be taken as often as they are nested.
fn all(tree: &Tree, at: usize, name: &str) -> Vec<usize> {
    outermost(tree, at, |one| tree.name(one) == Some(name))
}

fn outermost(tree: &Tree, at: usize, is_wanted: impl Fn(usize) -> bool) -> Vec<usize> {
    let within = tree.inside(at);
    let (mut found, mut next) = (Vec::new(), within.start);
    while next < within.end {
        if is_wanted(next) {
            found.push(next);
            next = tree.inside(next).end;
        } else {
            next += 1;
        }
    }
    found
}

fn texts(tree: &Tree, at: usize, name: &str) -> Vec<String> {
    let found = all(tree, at, name);
    let found = found.into_iter().map(|found| inline::line(tree, found));
    found.filter(|text| !text.is_empty()).collect()
}

fn title(tree: &Tree, group: usize) -> Option<String> {
    let (title, more) = (
        text(tree, group, "article-title"),
        text(tree, group, "subtitle"),
    );
    let title = if more.is_empty() {
        title
    } else {
        format!("{title}: {more}")
    };
    Some(title).filter(|title| !title.is_empty())
}

/// Returns the names of the authors, or of the editors and others.
fn contributors(tree: &Tree, meta: usize, are_authors: bool) -> Vec<String> {
    let is_wanted = |&at: &usize| {
        let mut attributes = tree.node(at).attributes.iter();
        let kind = attributes.find(|(name, _)| name == "contrib-type");
        kind.is_none_or(|(_, kind)| kind == "author") == are_authors
    };
    let groups = tree
        .elements(meta)
        .filter(|&at| tree.name(at) == Some("contrib-group"));
    let contributors = groups.flat_map(|group| all(tree, group, "contrib"));
    let names = contributors
        .filter(is_wanted)
        .filter_map(|one| named(tree, one, true));
    names.collect()
}

/// Returns the name of the person or the organization that an element describes.
fn named(tree: &Tree, at: usize, given_first: bool) -> Option<String> {
    let found = tree.inside(at).find(|&one| {
        matches!(
            tree.name(one),
            Some("name" | "string-name" | "collab" | "anonymous")
        )
    })?;
    person(tree, found, given_first)
}

fn person(tree: &Tree, at: usize, given_first: bool) -> Option<String> {
    if child(tree, at, "surname").is_none() || tree.node(at).is_mixed {
        return Some(inline::line(tree, at)).filter(|name| !name.is_empty());
    }
    let (given, surname) = (text(tree, at, "given-names"), text(tree, at, "surname"));
    let suffix = text(tree, at, "suffix");
    let parts = if given_first {
        [given, surname, suffix]
    } else {
        [surname, given, suffix]
    };
    Some(one_line(&parts.join(" ")))
}

fn affiliations(tree: &Tree, meta: usize) -> Vec<String> {
    let found = all(tree, meta, "aff").into_iter().map(|at| {
        if tree.node(at).is_mixed {
            return inline::line(tree, at);
        }
        let label = text(tree, at, "label");
        one_line(&format!("{label} {}", fields(tree, at, ", ")))
    });
    found.filter(|text| !text.is_empty()).collect()
}

/// Returns the texts of the elements in one, but of its label; or its own text.
fn fields(tree: &Tree, at: usize, separator: &str) -> String {
    if tree.node(at).is_mixed || tree.is_leaf(at) {
        return inline::line(tree, at);
    }
    let parts = tree
        .elements(at)
        .filter(|&part| tree.name(part) != Some("label"));
    let parts = parts.map(|part| inline::line(tree, part));
    parts.collect::<Vec<_>>().join(separator)
}

/// Returns the notes of the authors: whom to write to, who paid them.
fn notes(tree: &Tree, meta: usize) -> Vec<String> {
    let notes = within(tree, meta, "author-notes").map(|note| inline::line(tree, note));
    notes.filter(|note| !note.is_empty()).collect()
}

/// Returns the funding of an article: the awards, and the text about them.
fn funding(tree: &Tree, meta: usize) -> Vec<String> {
    let awards = within(tree, meta, "funding-group").map(|award| fields(tree, award, " "));
    awards.filter(|award| !award.is_empty()).collect()
}

/// Returns the elements in the groups of a name that are right inside an element.
fn within<'t>(tree: &'t Tree, at: usize, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let groups = tree
        .elements(at)
        .filter(move |&at| tree.name(at) == Some(name));
    groups.flat_map(|group| tree.elements(group))
}

/// Counts the elements with text right inside these that are not read, by their names.
fn left_out(tree: &Tree, groups: impl Iterator<Item = usize>) -> Map<String, Value> {
    let mut counts = BTreeMap::new();
    for at in groups.flat_map(|group| tree.elements(group)) {
        let name = tree.name(at).unwrap_or_default();
        if tree.node(at).length > 0 && !READ.contains(&name) {
            *counts.entry(name.to_owned()).or_insert(0_u64) += 1;
        }
    }
    let counts = counts.into_iter();
    counts.map(|(name, count)| (name, count.into())).collect()
}

/// Writes where an article was published: `eLife 9 (2020), e56337`.
fn source(tree: &Tree, journal: Option<usize>, meta: usize) -> String {
    let title =
        journal.and_then(|journal| texts(tree, journal, "journal-title").into_iter().next());
    let Some(title) = title else {
        return String::new();
    };
    let (volume, issue) = (text(tree, meta, "volume"), text(tree, meta, "issue"));
    let mut source = one_line(&format!("{title} {volume}"));
    if !issue.is_empty() {
        source = format!("{source}, no. {issue}");
    }
    if let Some(year) = published(tree, meta).and_then(|date| Some(date.get(..4)?.to_owned())) {
        source = format!("{source} ({year})");
    }
    let pages = pages(tree, meta);
    if pages.is_empty() {
        source
    } else {
        format!("{source}, {pages}")
    }
}

fn pages(tree: &Tree, at: usize) -> String {
    let (first, last) = (text(tree, at, "fpage"), text(tree, at, "lpage"));
    match (first.is_empty(), last.is_empty()) {
        (true, _) => text(tree, at, "elocation-id"),
        (false, true) => first,
        (false, false) => format!("{first}\u{2013}{last}"),
    }
}

fn doi(tree: &Tree, meta: usize) -> String {
    let is_doi = |&at: &usize| {
        let mut attributes = tree.node(at).attributes.iter();
        attributes.any(|(name, value)| name == "pub-id-type" && value == "doi")
    };
    let mut ids = tree
        .elements(meta)
        .filter(|&at| tree.name(at) == Some("article-id"));
    ids.find(is_doi)
        .map_or_else(String::new, |at| inline::line(tree, at))
}

fn keywords(tree: &Tree, meta: usize) -> Vec<String> {
    let groups = tree
        .elements(meta)
        .filter(|&at| tree.name(at) == Some("kwd-group"));
    groups.flat_map(|group| texts(tree, group, "kwd")).collect()
}

/// Returns the first date of publication, as far as it is said.
fn published(tree: &Tree, meta: usize) -> Option<String> {
    let mut dates = tree
        .elements(meta)
        .filter(|&at| tree.name(at) == Some("pub-date"));
    let number = |at, name| text(tree, at, name).parse::<u32>().ok();
    dates.find_map(|at| {
        let year = number(at, "year")?;
        let month = number(at, "month").filter(|month| (1..=12).contains(month));
        let day = number(at, "day").filter(|day| (1..=31).contains(day));
        Some(match (month, day) {
            (Some(month), Some(day)) => format!("{year:04}-{month:02}-{day:02}"),
            (Some(month), None) => format!("{year:04}-{month:02}"),
            _ => format!("{year:04}"),
        })
    })
}

/// Returns whether an element is an entry of a list of references, which holds a citation. In other
/// vocabularies `ref` is a link.
pub(super) fn is_reference(tree: &Tree, at: usize) -> bool {
    let is_citation = |one| {
        tree.name(one)
            .is_some_and(|name| name.ends_with("citation"))
    };
    tree.name(at) == Some("ref") && tree.elements(at).any(is_citation)
}

/// Writes an entry of a list of references on one line.
pub(super) fn reference(tree: &Tree, at: usize) -> String {
    let label = text(tree, at, "label");
    let citations = tree
        .elements(at)
        .filter(|&one| tree.name(one) != Some("label"));
    let citations: Vec<String> = citations.map(|one| citation(tree, one)).collect();
    one_line(&format!("{label} {}", citations.join(" ")))
}

fn citation(tree: &Tree, at: usize) -> String {
    let is_fields =
        child(tree, at, "source").is_some() || child(tree, at, "article-title").is_some();
    if tree.node(at).is_mixed || !is_fields {
        return inline::line(tree, at);
    }
    let is_name = |one| matches!(tree.name(one), Some("name" | "string-name" | "collab"));
    let names = outermost(tree, at, is_name).into_iter();
    let names = names.filter_map(|one| person(tree, one, false));
    let date = ["year", "month", "day"].map(|name| text(tree, at, name));
    let date = one_line(&date.join(" "));
    let date = if date.is_empty() {
        date
    } else {
        format!("({date})")
    };
    let mut volume = text(tree, at, "volume");
    let issue = text(tree, at, "issue");
    if !issue.is_empty() {
        volume = format!("{volume}({issue})");
    }
    let pages = pages(tree, at);
    let colon = if volume.is_empty() || pages.is_empty() {
        ""
    } else {
        ":"
    };
    let place = format!("{} {volume}{colon}{pages}", text(tree, at, "source"));
    let others = tree
        .elements(at)
        .filter(|&one| !tree.name(one).is_some_and(|name| PLACED.contains(&name)));
    let others: Vec<String> = others
        .map(|one| inline::line(tree, one))
        .filter(|text| !text.is_empty())
        .collect();
    let parts = [
        format!("{} {date}", names.collect::<Vec<_>>().join(", ")),
        text(tree, at, "article-title"),
        text(tree, at, "chapter-title"),
        place,
        text(tree, at, "publisher-name"),
        texts(tree, at, "pub-id").join(" "),
        texts(tree, at, "ext-link").join(" "),
        others.join(". "),
    ];
    let parts = parts
        .iter()
        .map(|part| one_line(part))
        .filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(". ")
}
