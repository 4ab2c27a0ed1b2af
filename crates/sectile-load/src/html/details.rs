//! What lines about a text say that are left out: who wrote it, and when.

use sectile_core::Metadata;

use super::kind::Kind;
use super::tree::Tree;
use super::vocabulary;

/// How many letters the name of an author has at most.
const LONGEST_NAME: usize = 60;

/// What stands before the name of an author, in small letters.
const BEFORE_NAME: [&str; 8] = [
    "written by ",
    "posted by ",
    "by ",
    "by: ",
    "author: ",
    "von ",
    "par ",
    "por ",
];

/// Writes the author and the date into the metadata, where the head of the page says neither and what is left out
/// about the text does.
pub(super) fn describe(metadata: &mut Metadata, tree: &Tree) {
    let elements = tree.elements.iter().enumerate();
    let left_out = elements.filter(|(_, element)| element.left_out == Some(Kind::Details));
    let (mut authors, mut dates) = (Vec::new(), Vec::new());
    for (at, element) in left_out {
        let mut within = at..element.end;
        authors.extend(within.clone().find_map(|at| author(tree, at)));
        dates.extend(within.find_map(|at| date(tree, at)));
    }
    // Several are those of several texts.
    if metadata.author.is_none() {
        metadata.author = only(authors);
    }
    if metadata.created.is_none() {
        metadata.created = only(dates);
    }
}

fn author(tree: &Tree, at: usize) -> Option<String> {
    let element = &tree.elements[at];
    if !vocabulary::is_author(&element.attribute("class")?) {
        return None;
    }
    let line = element.line(at, LONGEST_NAME)?;
    let name = BEFORE_NAME.iter().find_map(|before| {
        let begin = line.get(..before.len())?;
        begin
            .eq_ignore_ascii_case(before)
            .then(|| line[before.len()..].trim())
    });
    let name = name.unwrap_or(&line);
    // A line with a number has a date or comments as well.
    let is_name = !name.contains(|letter: char| letter.is_ascii_digit());
    (is_name && !name.is_empty()).then(|| name.to_owned())
}

fn date(tree: &Tree, at: usize) -> Option<String> {
    let element = &tree.elements[at];
    (element.tag() == "time").then(|| element.attribute("datetime"))?
}

/// Returns what all of them are, if there are any and they are the same.
fn only(all: Vec<String>) -> Option<String> {
    let mut all = all.into_iter();
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}
