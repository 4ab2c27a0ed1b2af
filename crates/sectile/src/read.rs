//! Reading documents: the whole text, or the part below a heading, in pieces that fit a budget.

use sectile_chunk::{LongSentences, SentenceChunker, TokenCounter};
use sectile_core::SectionId;
use sectile_store::{DocumentRecord, SectionRecord};
use serde::Serialize;

use crate::error::Candidate;
use crate::{Error, Result};

/// Which part of a document is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    #[default]
    Whole,
    /// The section with this heading and all below it: a heading, or the end of a heading path
    /// written as `A > B`.
    Heading(String),
    /// The section with this id and all below it.
    Section(SectionId),
}

/// A text that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Passage {
    /// The document's URI.
    pub uri: String,
    /// The headings from the root to the part that was asked for.
    pub heading_path: Vec<String>,
    /// The text.
    pub text: String,
    /// The number of tokens of the text.
    pub tokens: usize,
    /// Where the text goes on, when the budget did not suffice: the cursor of the next call.
    pub next: Option<usize>,
}

/// Finds the section that a heading means, among the sections of a document.
///
/// The heading must be the end of the section's heading path. Letters of the same case count
/// before letters of any case.
pub(crate) fn find_heading(sections: &[SectionRecord], uri: &str, heading: &str) -> Result<usize> {
    let asked: Vec<&str> = heading.split(" > ").map(str::trim).collect();
    let exact = matching(sections, &asked, |found, asked| found == asked);
    let found = if exact.is_empty() {
        matching(sections, &asked, |found, asked| {
            found.to_lowercase() == asked.to_lowercase()
        })
    } else {
        exact
    };
    match &*found {
        [only] => Ok(only.position),
        [] => Err(Error::NoSuchHeading {
            uri: uri.to_owned(),
            heading: heading.to_owned(),
        }),
        several => Err(Error::AmbiguousHeading {
            heading: heading.to_owned(),
            candidates: several.iter().map(|section| candidate(section)).collect(),
        }),
    }
}

fn matching<'a>(
    sections: &'a [SectionRecord],
    asked: &[&str],
    is_same: impl Fn(&str, &str) -> bool,
) -> Vec<&'a SectionRecord> {
    let ends_with = |section: &&SectionRecord| {
        let path = &section.heading_path;
        let end = path
            .len()
            .checked_sub(asked.len())
            .map(|start| &path[start..]);
        end.is_some_and(|end| {
            end.iter()
                .zip(asked)
                .all(|(found, asked)| is_same(found, asked))
        })
    };
    let headed = sections.iter().filter(|section| section.level > 0);
    headed.filter(ends_with).collect()
}

fn candidate(section: &SectionRecord) -> Candidate {
    Candidate {
        heading_path: section.heading_path.clone(),
        id: section.id,
        line: section.lines.first,
    }
}

/// Cuts what fits `max_tokens` out of `text`, from `cursor` on.
pub(crate) fn passage(
    document: &DocumentRecord,
    heading_path: Vec<String>,
    text: &str,
    cursor: usize,
    max_tokens: Option<usize>,
    counter: &dyn TokenCounter,
) -> Result<Passage> {
    let rest = text.get(cursor..).ok_or(Error::InvalidCursor { cursor })?;
    let shown = max_tokens.map_or(Ok(rest), |max| first_tokens(rest, max, counter))?;
    Ok(Passage {
        uri: document.uri.clone(),
        heading_path,
        text: shown.to_owned(),
        tokens: counter.count(shown),
        next: (shown.len() < rest.len()).then_some(cursor + shown.len()),
    })
}

/// Returns the beginning of `text` that holds at most `max` tokens and ends well: after a
/// paragraph or sentence where there is one.
fn first_tokens<'a>(text: &'a str, max: usize, counter: &dyn TokenCounter) -> Result<&'a str> {
    let chunker = SentenceChunker::new(max).map_err(Error::Settings)?;
    let chunker = chunker.with_long_sentences(LongSentences::Split);
    let chunks = chunker.chunks(text, counter);
    Ok(chunks.first().map_or(text, |first| &text[..first.span.end]))
}
