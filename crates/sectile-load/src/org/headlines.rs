//! The headlines and keywords of an Org file.

use std::collections::{BTreeMap, HashMap, HashSet};

use sectile_core::{Heading, ORG_LITERAL};

use super::inline::plain;
use crate::markup::{Line, NotFollowed, clipped, heading};

/// Keywords that say something of the document; the others set how it is exported.
const DESCRIPTIVE: [&str; 9] = [
    "author",
    "category",
    "date",
    "description",
    "email",
    "filetags",
    "keywords",
    "language",
    "subtitle",
];

/// From this level on stars are tasks within a text, not headlines.
const INLINE_TASK: usize = 15;

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) outline: Vec<Heading>,
    pub(super) keywords: BTreeMap<String, String>,
    pub(super) not_followed: NotFollowed,
}

pub(super) fn read(lines: &[Line<'_>]) -> Found {
    let mut found = Found::default();
    let states = states(lines);
    let ends = block_ends(lines);
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if let Some(&end) = ends.get(&at) {
            at = end;
        } else if let Some((level, title)) = headline(line.text) {
            let title = plain(bare(clipped(title), &states));
            found.outline.push(heading(level, &title, line.span));
        } else if let Some((name, value)) = keyword(line.text) {
            found.keyword(name, value);
        }
        at += 1;
    }
    found
}

impl Found {
    fn keyword(&mut self, name: &str, value: &str) {
        let name = name.to_lowercase();
        match name.as_str() {
            "include" | "setupfile" => self.not_followed.add(file_of(value)),
            "title" => {
                let title = self.keywords.entry(name).or_default();
                if !title.is_empty() {
                    title.push(' ');
                }
                title.push_str(&plain(clipped(value)));
                title.truncate(title.floor_char_boundary(1_000));
            }
            _ if DESCRIPTIVE.contains(&name.as_str()) && !value.is_empty() => {
                self.keywords.entry(name).or_insert_with(|| value.into());
            }
            _ => {}
        }
    }
}

/// Returns the file that an include names, without quotes and options.
fn file_of(value: &str) -> &str {
    let quoted = value
        .strip_prefix('"')
        .and_then(|rest| rest.split('"').next());
    quoted.unwrap_or_else(|| value.split_whitespace().next().unwrap_or_default())
}

/// Returns the number of stars and the rest, if a line is a headline.
fn headline(text: &str) -> Option<(usize, &str)> {
    let rest = text.trim_start_matches('*');
    let level = text.len() - rest.len();
    let is_headline = (1..INLINE_TASK).contains(&level) && rest.starts_with([' ', '\t']);
    is_headline.then(|| (level, rest.trim()))
}

/// Returns the name and value of a keyword line, `#+NAME: value`.
fn keyword(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.trim_start().strip_prefix("#+")?.split_once(':')?;
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| (name, value.trim()))
}

/// Returns the words that may stand before a title for its state.
fn states<'a>(lines: &[Line<'a>]) -> HashSet<&'a str> {
    let mut states = HashSet::from(["TODO", "DONE", "COMMENT"]);
    for (name, value) in lines.iter().filter_map(|line| keyword(line.text)) {
        if ["todo", "seq_todo", "typ_todo"].contains(&name.to_lowercase().as_str()) {
            let words = value.split_whitespace().filter(|word| *word != "|");
            states.extend(words.map(|word| word.split('(').next().unwrap_or(word)));
        }
    }
    states
}

/// Returns for the first line of each literal block its last line. A block that is begun again before
/// it ends is none.
fn block_ends(lines: &[Line<'_>]) -> HashMap<usize, usize> {
    let mut ends = HashMap::new();
    let mut open: HashMap<String, usize> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(markup) = line.text.trim_start().strip_prefix("#+") else {
            continue;
        };
        let word = markup.split([' ', '\t', ':']).next().unwrap_or_default();
        match word.to_lowercase().split_once('_') {
            Some(("begin", name)) if ORG_LITERAL.contains(&name) => {
                open.insert(name.into(), at);
            }
            Some(("end", name)) => {
                if let Some(begin) = open.remove(name) {
                    ends.insert(begin, at);
                }
            }
            _ => {}
        }
    }
    ends
}

/// Takes the state, the priority and the tags from a headline.
fn bare<'a>(title: &'a str, states: &HashSet<&str>) -> &'a str {
    let mut title = title;
    while let Some(word) = title.split_whitespace().next() {
        let is_priority = word.starts_with("[#") && word.ends_with(']');
        if !states.contains(word) && !is_priority {
            break;
        }
        title = title[word.len()..].trim_start();
    }
    let start = title.rfind([' ', '\t']).map_or(0, |at| at + 1);
    let last = &title[start..];
    let inner = last
        .strip_prefix(':')
        .and_then(|rest| rest.strip_suffix(':'));
    let is_tag = |char: char| char.is_alphanumeric() || "_@#%:".contains(char);
    match inner {
        Some(inner) if !inner.is_empty() && inner.chars().all(is_tag) => title[..start].trim_end(),
        _ => title,
    }
}
