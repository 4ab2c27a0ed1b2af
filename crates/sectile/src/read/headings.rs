//! Finds sections by their headings.

use std::collections::HashSet;
use std::iter::successors;

use sectile_core::{Format, definition_name};
use sectile_store::{SectionRecord, name_words};

use crate::error::Candidate;
use crate::{Error, Result};

/// The separator of heading paths.
const SEPARATOR: &str = " > ";

/// How many headings are named that are like one that was asked for.
const SIMILAR: usize = 3;

/// Finds the section with a heading among the sections of a document, and returns its position.
///
/// The heading must be the end of the section's heading path, written as `A > B`; a heading may
/// itself contain ` > `. An exact match wins over one that ignores case. If no section matches, the
/// `## ` of a Markdown heading is ignored. If none matches then, accents and signs are ignored, as in the address of a
/// heading (`#größe-prüfen`), and a link to a note is read as it is shown; or else the heading may begin with the number
/// that was asked for (`8.3`, `§ 433`). Headings of source code are whole signatures; if none matches, it may be
/// the name of a definition, with names around it: `acquire`, `Pool > acquire`, `Pool.acquire`, `Pool::acquire`. Of a
/// class and its constructor, which have the same name, the class is found.
///
/// # Errors
///
/// [`Error::NoSuchHeading`], or [`Error::AmbiguousHeading`] when several sections have it.
pub fn find_heading(
    sections: &[SectionRecord],
    uri: &str,
    format: Format,
    heading: &str,
) -> Result<usize> {
    let typed: Vec<_> = parts(heading).collect();
    let mut found = matching_in_any_case(sections, &typed.join(SEPARATOR));
    if found.is_empty() {
        let bare: Vec<_> = parts(heading).map(without_marks).collect();
        found = matching_in_any_case(sections, &bare.join(SEPARATOR));
    }
    if found.is_empty() && format == Format::Code {
        found = named_in_any_case(sections, &names(heading));
        found = outermost(sections, found);
    }
    if found.is_empty() {
        found = with_letters_of(sections, heading);
    }
    if found.is_empty() {
        found = beginning_with_number(sections, heading);
    }
    match &*found {
        [only] => Ok(only.position),
        [] => Err(Error::NoSuchHeading {
            uri: uri.to_owned(),
            heading: heading.to_owned(),
            similar: similar_names(sections, heading),
        }),
        several => Err(Error::AmbiguousHeading {
            heading: heading.to_owned(),
            candidates: several.iter().map(|section| candidate(section)).collect(),
        }),
    }
}

/// Returns the sections with headings similar to one that no section has, best first, at most
/// `most`.
///
/// The heading is compared with the last one of each section: first as a whole, because it may
/// contain ` > `, then the part after the last ` > `.
pub fn similar_headings<'s>(
    sections: &'s [SectionRecord],
    heading: &str,
    most: usize,
) -> Vec<&'s SectionRecord> {
    let parts: Vec<_> = parts(heading).map(without_marks).collect();
    let like = |asked: &str| {
        let with_heading = sections.iter().filter(|section| section.level > 0);
        crate::most_similar(asked, with_heading, last_heading, most)
    };
    let whole = like(&parts.join(SEPARATOR));
    if whole.is_empty() {
        return like(parts.last().unwrap_or(&""));
    }
    whole
}

/// Returns the last headings of the sections that may have been meant, each once.
fn similar_names(sections: &[SectionRecord], heading: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for section in similar_headings(sections, heading, sections.len()) {
        let name = last_heading(&section);
        if names.len() < SIMILAR && names.iter().all(|known| known != name) {
            names.push(name.to_owned());
        }
    }
    names
}

fn last_heading<'a>(section: &'a &SectionRecord) -> &'a str {
    section.heading_path.last().map_or("", String::as_str)
}

/// Returns the parts of a heading path.
fn parts(heading: &str) -> impl Iterator<Item = &str> {
    heading.split(SEPARATOR).map(str::trim)
}

/// Takes the marks of a Markdown heading away.
fn without_marks(heading: &str) -> &str {
    let bare = heading.trim_start_matches('#');
    let is_marked = bare.len() < heading.len() && bare.starts_with(' ');
    if is_marked {
        bare.trim_start()
    } else {
        heading
    }
}

fn matching_in_any_case<'a>(sections: &'a [SectionRecord], asked: &str) -> Vec<&'a SectionRecord> {
    let exact = matching(sections, |end| end == asked);
    if !exact.is_empty() {
        return exact;
    }
    let asked = asked.to_lowercase();
    matching(sections, |end| end.to_lowercase() == asked)
}

/// Returns the sections for which the written-out end of the heading path matches.
fn matching(sections: &[SectionRecord], is_meant: impl Fn(&str) -> bool) -> Vec<&SectionRecord> {
    let has_end = |section: &&SectionRecord| {
        let path = &section.heading_path;
        (0..path.len()).any(|start| is_meant(&path[start..].join(SEPARATOR)))
    };
    headed(sections).filter(has_end).collect()
}

/// Returns the sections whose heading path ends with some letters and digits, whatever signs stand between them.
fn with_letters_of<'a>(sections: &'a [SectionRecord], asked: &str) -> Vec<&'a SectionRecord> {
    let asked = letters_of(asked);
    let has_end = |section: &&SectionRecord| {
        let mut end = String::new();
        let mut headings = section.heading_path.iter().rev();
        headings.any(|heading| {
            end.insert_str(0, &letters_of(heading));
            end == asked
        })
    };
    if asked.is_empty() {
        return Vec::new();
    }
    headed(sections).filter(has_end).collect()
}

/// Writes the words of a heading as one, without what the address of a heading leaves out.
fn letters_of(heading: &str) -> String {
    let mut letters = name_words(heading);
    letters.retain(|sign| !matches!(sign, ' ' | '.' | '+' | '#'));
    letters
}

/// Returns the sections whose headings begin with a number, or with a word such as `Chapter` and the number.
fn beginning_with_number<'a>(sections: &'a [SectionRecord], asked: &str) -> Vec<&'a SectionRecord> {
    let asked = name_words(asked);
    let last = asked.rsplit(' ').next().unwrap_or_default();
    if !last.starts_with(|of: char| of.is_ascii_digit()) {
        return Vec::new();
    }
    let begins = |section: &&SectionRecord| {
        let heading = name_words(last_heading(section));
        let rest = heading.strip_prefix(&*asked);
        rest.is_some_and(|rest| rest.starts_with(' '))
    };
    headed(sections).filter(begins).collect()
}

fn headed(sections: &[SectionRecord]) -> impl Iterator<Item = &SectionRecord> {
    sections.iter().filter(|section| section.level > 0)
}

fn named_in_any_case<'a>(sections: &'a [SectionRecord], asked: &[&str]) -> Vec<&'a SectionRecord> {
    let exact = named(sections, asked, |name, asked| name == asked);
    if !exact.is_empty() {
        return exact;
    }
    named(sections, asked, |name, asked| {
        name.to_lowercase() == asked.to_lowercase()
    })
}

/// Returns the sections whose definitions have these names: their own, and those around them.
fn named<'a>(
    sections: &'a [SectionRecord],
    asked: &[&str],
    is_same: impl Fn(&str, &str) -> bool,
) -> Vec<&'a SectionRecord> {
    let is_meant = |section: &&SectionRecord| {
        let titles = section.heading_path.iter();
        let path: Vec<&str> = titles
            .flat_map(|title| names(definition_name(title)))
            .collect();
        let start = path.len().checked_sub(asked.len());
        start.is_some_and(|start| {
            let mut pairs = path[start..].iter().zip(asked);
            pairs.all(|(name, asked)| is_same(name, asked))
        })
    };
    if asked.is_empty() {
        return Vec::new();
    }
    headed(sections).filter(is_meant).collect()
}

/// Removes sections that are inside other found sections.
fn outermost<'a>(
    sections: &[SectionRecord],
    found: Vec<&'a SectionRecord>,
) -> Vec<&'a SectionRecord> {
    let positions: HashSet<usize> = found.iter().map(|section| section.position).collect();
    // Parents come before their sections. In a damaged store they may not, and this loop would not end.
    let parent = |at: &usize| {
        let parent = sections.get(*at)?.parent;
        parent.filter(|parent| parent < at)
    };
    let is_outer = |section: &&SectionRecord| {
        let mut around = successors(section.parent, parent);
        !around.any(|at| positions.contains(&at))
    };
    found.into_iter().filter(is_outer).collect()
}

/// Returns the names in a qualified name, without type parameters: `Pool` and `acquire` of `Pool<T>::acquire`.
fn names(qualified: &str) -> Vec<&str> {
    let (qualified, operator) = match operator_at_end(qualified) {
        Some((before, operator)) => (before, Some(operator)),
        None => (qualified, None),
    };
    let mut depth = 0_usize;
    let is_between = |letter: char| {
        match letter {
            '<' | '[' => depth += 1,
            '>' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > 0 || !is_of_name(letter)
    };
    let names = qualified.split(is_between);
    names
        .filter(|name| !name.is_empty())
        .chain(operator)
        .collect()
}

/// Parts a name before the operator of C++ that it ends with: `Matrix::` and `operator==` of `Matrix::operator==`.
fn operator_at_end(name: &str) -> Option<(&str, &str)> {
    let (before, operator) = name.split_at(name.rfind("operator")?);
    let end = operator.find(['(', ' ']).unwrap_or(operator.len());
    let operator = &operator[..end];
    let is_operator = !before.ends_with(is_of_name) && !operator.ends_with(is_of_name);
    is_operator.then_some((before, operator))
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$' | '-')
}

fn candidate(section: &SectionRecord) -> Candidate {
    Candidate {
        heading_path: section.heading_path.clone(),
        id: section.id,
        line: section.lines.first,
    }
}
