//! `get`: the text of a document or of a part of it.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use rmcp::model::Tool;
use schemars::JsonSchema;
use sectile::core::SectionId;
use sectile::store::{DocumentRecord, SectionRecord};
use sectile::{Part, Passage};
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Outcome, cut};
use crate::arguments::number_range;
use crate::budget::Budget;
use crate::cursor::Cursor;
use crate::documents::part_of;
use crate::problem::Problem;
use crate::server::Handler;
use crate::tools::Effect;

/// How many characters of a heading path or title are shown.
const WIDTH: usize = 240;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The document: its URI, its path, or the end of its path that no other one has. May be left out
    /// beside a whole section id.
    document: Option<String>,
    /// The collection that holds it; needed only when several do.
    collection: Option<String>,
    /// Read this section with all below it: its id, or the first 8 characters of it.
    section: Option<String>,
    /// Read the section with this heading and all below it: `Install`, or the end of its path,
    /// `Guide > Install`.
    heading: Option<String>,
    /// Read these lines: `12`, `12-40`, or `12-` for all from there on.
    lines: Option<String>,
    /// Read the sections that stand on these pages: `3` or `3-5`. For documents that have pages.
    pages: Option<String>,
    /// The most tokens of the answer; 4000 by default.
    #[schemars(range(min = 500, max = 100_000))]
    max_tokens: Option<usize>,
    /// Goes on where an answer was cut: its `cursor`, with the same arguments.
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Found {
    outcome: Outcome,
    /// The document's URI.
    document: String,
    collection: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The section that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<String>,
    /// The headings from the root to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    heading_path: Option<String>,
    /// The lines of the text.
    lines: String,
    /// The tokens of the text.
    tokens: usize,
    text: String,
    /// The text is cut; given to the next call, shows the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
}

pub(crate) fn tool() -> Tool {
    super::tool::<Arguments, Found>(
        "get",
        "Read a document",
        &Effect::Reads,
        "Reads a section with all below it (`section` as `toc` and `search` show it, or `heading`), \
         some `lines` around a hit, some `pages`, or without any of these a whole document. Give at \
         most one of the four. What exceeds `max_tokens` is cut at the end of a sentence, with a \
         `cursor` for the rest: of a large section, rather look at its contents with `toc` first."
            .into(),
    )
}

pub(crate) async fn call(handler: &Handler, arguments: Arguments) -> Result<Answer, Problem> {
    let budget = handler.budget(arguments.max_tokens)?;
    check_one(&arguments)?;
    let reading = Reading::new(handler, &arguments).await?;
    let given = arguments.cursor.as_deref();
    let start = Cursor::place(given, |_| reading.version())?;
    reading.fitting(handler, start, &budget).await
}

fn check_one(arguments: &Arguments) -> Result<(), Problem> {
    let Arguments {
        section,
        heading,
        lines,
        pages,
        ..
    } = arguments;
    let given = [section, heading, lines, pages];
    if given.into_iter().flatten().count() > 1 {
        return Err(Problem::invalid(
            "give one of `section`, `heading`, `lines` and `pages`, or none for the whole document"
                .into(),
        ));
    }
    Ok(())
}

/// What is read of which document.
struct Reading {
    document: DocumentRecord,
    section: Option<SectionRecord>,
    part: Part,
}

impl Reading {
    async fn new(handler: &Handler, arguments: &Arguments) -> Result<Self, Problem> {
        let document = document(handler, arguments).await?;
        let lines = arguments.lines.as_deref();
        let pages = arguments.pages.as_deref();
        let lines = lines
            .map(|lines| number_range("lines", lines))
            .transpose()?;
        let pages = pages
            .map(|pages| number_range("pages", pages))
            .transpose()?;
        let sections = handler.library.toc(document.id).await?;
        let (section, heading) = (arguments.section.as_deref(), arguments.heading.as_deref());
        let section = Handler::section(&sections, &document, section, heading)?.cloned();
        let part = match (lines, pages) {
            (Some(lines), _) => Part::Lines(lines),
            (None, Some(pages)) => Part::Pages(narrow(&pages)),
            (None, None) => part_of(section.as_ref()),
        };
        Ok(Self {
            document,
            section,
            part,
        })
    }

    /// Names what a cursor depends on.
    fn version(&self) -> Vec<String> {
        let DocumentRecord {
            id,
            content_hash,
            index_version,
            ..
        } = &self.document;
        let document = format!("{id} {content_hash} {index_version}");
        vec!["get".into(), document, format!("{:?}", self.part)]
    }

    /// Reads as much as the budget holds, from `start` on. How much longer the answer is than the
    /// text in it is known only when it is made, so a text that turns out too long is read again,
    /// shorter.
    async fn fitting(
        &self,
        handler: &Handler,
        start: usize,
        budget: &Budget<'_>,
    ) -> Result<Answer, Problem> {
        let mut tokens = budget.max();
        loop {
            let (library, part) = (&handler.library, &self.part);
            let passage = library
                .get(&self.document, part, start, Some(tokens))
                .await?;
            let answer = self.written(&passage);
            let size = budget.size(&answer);
            if size <= budget.max() {
                return Ok(answer);
            }
            // White space takes few tokens as it is and many as JSON.
            let shorter = passage.tokens.min(tokens) * budget.max() / (size + 8);
            if shorter == 0 {
                return Err(Problem::invalid(format!(
                    "the text does not fit {} tokens; call again with a larger `max_tokens`",
                    budget.max()
                )));
            }
            tokens = shorter.min(tokens - 1);
        }
    }

    fn written(&self, passage: &Passage) -> Answer {
        let cursor = |at| Cursor::new(at, &self.version()).to_string();
        let title = self.document.metadata.title.as_deref();
        let path = self
            .section
            .as_ref()
            .map(|section| section.heading_path.join(" > "));
        let found = Found {
            outcome: Outcome::Ok,
            document: self.document.uri.clone(),
            collection: self.document.collection.clone(),
            title: title.map(|title| cut(title, WIDTH)),
            section: self.section.as_ref().map(|section| section.id.to_string()),
            heading_path: path.map(|path| cut(&path, WIDTH)),
            lines: passage.lines.to_string(),
            tokens: passage.tokens,
            text: passage.text.clone(),
            cursor: passage.next.map(cursor),
        };
        Answer::new(drawn(&found), &found)
    }
}

fn drawn(found: &Found) -> String {
    let mut drawn = format!("[{}", found.document);
    if let Some(path) = &found.heading_path {
        let _ = write!(drawn, " > {path}");
    }
    let (lines, tokens) = (&found.lines, found.tokens);
    let _ = write!(drawn, ", lines {lines}, {tokens} tokens]\n\n{}", found.text);
    if let Some(cursor) = &found.cursor {
        let _ = write!(
            drawn,
            "\n\n[Cut here. For the rest repeat the call with `cursor` {cursor}]"
        );
    }
    drawn
}

/// Finds the document that is named, or that holds the section of a whole id.
async fn document(handler: &Handler, arguments: &Arguments) -> Result<DocumentRecord, Problem> {
    let collection = arguments.collection.as_deref();
    if let Some(name) = &arguments.document {
        return handler.document(collection, name).await;
    }
    let id = arguments.section.as_deref().map(str::parse::<SectionId>);
    let Some(Ok(id)) = id else {
        return Err(Problem::invalid(
            "name the `document`; only a whole section id, of 36 characters, does without".into(),
        ));
    };
    match handler.library.document_of_section(collection, id).await {
        Err(sectile::Error::NoSuchSection { .. }) => Err(Problem::no_results(format!(
            "no document has the section `{id}`; it may have changed, so search again"
        ))),
        found => Ok(found?),
    }
}

/// Writes a range of pages as the library counts them.
fn narrow(pages: &RangeInclusive<usize>) -> RangeInclusive<u32> {
    let number = |page: &usize| u32::try_from(*page).unwrap_or(u32::MAX);
    number(pages.start())..=number(pages.end())
}
