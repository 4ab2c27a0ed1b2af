//! Paths of documents, and the globs that they are compared with.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use sectile_core::percent_decoded;

use crate::{Analyzer, Error, Result};

/// Characters that may be part of a name or of a glob.
const BRACKETS: [char; 4] = ['[', ']', '{', '}'];

/// Makes a set of globs of patterns.
///
/// # Errors
///
/// [`Error::InvalidFilter`] for what is not a glob.
pub(super) fn globs<'a>(patterns: impl IntoIterator<Item = &'a str>) -> Result<GlobSet> {
    let mut globs = GlobSetBuilder::new();
    for pattern in patterns {
        let invalid = |error: globset::Error| invalid(&format!("path={pattern}"), &error);
        globs.add(glob(pattern).map_err(invalid)?);
        if pattern.contains(BRACKETS) {
            globs.add(glob(&with_literal_brackets(pattern)).map_err(invalid)?);
        }
    }
    globs.build().map_err(|error| invalid("path", &error))
}

fn invalid(filter: &str, error: &globset::Error) -> Error {
    Error::InvalidFilter {
        filter: filter.to_owned(),
        reason: error.kind().to_string(),
    }
}

/// Writes a pattern in which brackets are literal.
fn with_literal_brackets(pattern: &str) -> String {
    let mut literal = String::with_capacity(pattern.len() + 8);
    for letter in pattern.chars() {
        if BRACKETS.contains(&letter) {
            literal.extend(['[', letter, ']']);
        } else {
            literal.push(letter);
        }
    }
    literal
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    let pattern = Analyzer::composed(pattern);
    let pattern = pattern.trim_start_matches("./");
    let is_folder = pattern.is_empty() || pattern.ends_with('/');
    let within = if is_folder { "**" } else { "" };
    let pattern = &format!("{pattern}{within}");
    let is_anchored = pattern.starts_with('/') || pattern.starts_with("**");
    let whole = if is_anchored {
        pattern.to_owned()
    } else {
        format!("**/{pattern}")
    };
    GlobBuilder::new(&whole).literal_separator(true).build()
}

/// Returns whether each of some sets of globs has one that matches the path that a `file:` URI names, or else the URI as it
/// is written or as it is read, without percent encoding.
pub(super) fn are_matched(sets: &[GlobSet], uri: &str) -> bool {
    if sets.is_empty() {
        return true;
    }
    let path = uri.strip_prefix("file://");
    let decoded = percent_decoded(path.unwrap_or(uri));
    // Some file systems keep the marks of letters apart from these.
    let read = Analyzer::composed(&decoded);
    let is_encoded = path.is_none() && uri.contains('%');
    let is_written_so = |globs: &GlobSet| is_encoded && globs.is_match(&*Analyzer::composed(uri));
    let mut sets = sets.iter();
    sets.all(|globs| globs.is_match(&*read) || is_written_so(globs))
}
