//! `get`: the text of a document or of a part of it.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use rmcp::model::Tool;
use schemars::JsonSchema;
use sectile::core::SectionId;
use sectile::store::{DocumentRecord, SectionRecord};
use sectile::{Part, Passage};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::answer::{Answer, Outcome, count, cut, is_zero};
use crate::arguments::number_range;
use crate::budget::Budget;
use crate::cursor::Cursor;
use crate::documents::part_of;
use crate::handler::Handler;
use crate::memories::MemoryFacts;
use crate::problem::Problem;
use crate::tools::Effect;

/// The most parts of one call.
const MOST_PARTS: usize = 20;

/// A part is not begun with less room than this, in tokens.
const LEAST_PART: usize = 200;

/// The number of tokens around one of several parts.
const FRAME: usize = 40;

/// How many characters of a heading path or title are shown.
const WIDTH: usize = 240;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Its URI, path, or the end of its path.
    document: Option<String>,
    collection: Option<String>,
    /// Its id.
    section: Option<String>,
    /// `Install`, or `Guide > Install`.
    heading: Option<String>,
    /// `12`, `12-40` or `12-`.
    lines: Option<String>,
    /// `3` or `3-5`.
    pages: Option<String>,
    /// Several at once, each with `document` and one of the above.
    #[schemars(with = "Option<Vec<Map<String, Value>>>")]
    parts: Option<Vec<Wanted>>,
    max_tokens: Option<usize>,
    cursor: Option<String>,
}

/// One part of one document.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    document: Option<String>,
    collection: Option<String>,
    section: Option<String>,
    heading: Option<String>,
    lines: Option<String>,
    pages: Option<String>,
}

/// The answer to a call with several parts.
#[derive(Serialize)]
struct Several {
    outcome: Outcome,
    /// An answer for each part, in order, as if it had been asked for alone.
    parts: Vec<Value>,
    /// How many of the last parts did not fit.
    #[serde(skip_serializing_if = "is_zero")]
    left_out: usize,
}

#[derive(Serialize, JsonSchema)]
struct Found {
    outcome: Outcome,
    /// The document's URI.
    document: String,
    collection: String,
    /// Its file is not there any more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_gone: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    memory: Option<MemoryFacts>,
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
        &Effect::Reads,
        "Reads a section with all below it by `section` or `heading`, some `lines` or `pages`, or a whole \
         document. What exceeds `max_tokens` is cut, with a `cursor` for the rest."
            .into(),
    )
}

pub(crate) async fn call(handler: &Handler, arguments: Arguments) -> Result<Answer, Problem> {
    let budget = handler.budget(arguments.max_tokens)?;
    let given = arguments.cursor.as_deref();
    let wanted = Wanted {
        document: arguments.document,
        collection: arguments.collection,
        section: arguments.section,
        heading: arguments.heading,
        lines: arguments.lines,
        pages: arguments.pages,
    };
    if let Some(parts) = arguments.parts {
        if given.is_some() || !wanted.is_empty() {
            let message = "`parts` stands alone: give each part its own `document`, and repeat one that \
                           was cut by itself with its `cursor`";
            return Err(Problem::invalid(message.into()));
        }
        return several(handler, parts, &budget).await;
    }
    let reading = Reading::new(handler, &wanted).await?;
    let start = Cursor::place(given, |_| reading.version())?;
    reading.fitting(handler, start, &budget).await
}

/// Reads several parts, one after the other, as long as there is room. A part that is not there says so
/// in its place.
async fn several(
    handler: &Handler,
    parts: Vec<Wanted>,
    budget: &Budget<'_>,
) -> Result<Answer, Problem> {
    let count = parts.len();
    if !(1..=MOST_PARTS).contains(&count) {
        return Err(Problem::invalid(format!(
            "`parts` has {count} entries; give 1 to {MOST_PARTS}"
        )));
    }
    let mut left = budget.max() - FRAME;
    let mut answers: Vec<Answer> = Vec::new();
    for wanted in parts {
        if left < LEAST_PART {
            break;
        }
        let room = budget.of_part(left);
        let answer = match Reading::new(handler, &wanted).await {
            Ok(reading) => reading.fitting(handler, 0, &room).await,
            Err(problem) => Err(problem),
        };
        let answer = answer.unwrap_or_else(|problem| room.fit_problem(&problem));
        left = left.saturating_sub(room.size(&answer) + FRAME);
        answers.push(answer);
    }
    let several = Several {
        outcome: Outcome::Ok,
        left_out: count - answers.len(),
        parts: answers.iter().map(|answer| answer.facts.clone()).collect(),
    };
    let texts: Vec<&str> = answers.iter().map(|answer| &*answer.text).collect();
    let mut text = texts.join("\n\n---\n\n");
    if several.left_out > 0 {
        let _ = write!(
            text,
            "\n\n[The last {} of {count} parts did not fit: call again with these]",
            several.left_out
        );
    }
    Ok(Answer::new(text, &several))
}

impl Wanted {
    fn is_empty(&self) -> bool {
        let Self {
            document,
            collection,
            section,
            heading,
            lines,
            pages,
        } = self;
        let all = [document, collection, section, heading, lines, pages];
        all.into_iter().all(Option::is_none)
    }
}

fn check_one(wanted: &Wanted) -> Result<(), Problem> {
    let Wanted {
        section,
        heading,
        lines,
        pages,
        ..
    } = wanted;
    let given = [section, heading, lines, pages];
    if given.into_iter().flatten().count() > 1 {
        return Err(Problem::invalid(
            "give one of `section`, `heading`, `lines` and `pages`, or none for the whole document"
                .into(),
        ));
    }
    Ok(())
}

/// A document and the part of it to read.
struct Reading {
    document: DocumentRecord,
    section: Option<SectionRecord>,
    part: Part,
}

impl Reading {
    async fn new(handler: &Handler, arguments: &Wanted) -> Result<Self, Problem> {
        check_one(arguments)?;
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

    /// Reads as much as the budget allows, from `start` on. The overhead of the answer is known only once it is made,
    /// so a text that turns out too long is read again with fewer tokens.
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
            is_gone: sectile::is_gone(&self.document.uri),
            title: title.map(|title| cut(title, WIDTH)),
            memory: MemoryFacts::of(&self.document, 2 * WIDTH),
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
    let (lines, tokens) = (&found.lines, count(found.tokens, "token"));
    let gone = if found.is_gone {
        ", the file is gone"
    } else {
        ""
    };
    let _ = write!(drawn, ", lines {lines}, {tokens}{gone}");
    if let Some(memory) = &found.memory {
        let _ = write!(drawn, ", {}", memory.drawn());
    }
    let _ = write!(drawn, "]\n\n{}", found.text);
    if let Some(cursor) = &found.cursor {
        let _ = write!(
            drawn,
            "\n\n[Cut here. For the rest repeat the call with `cursor` {cursor}]"
        );
    }
    drawn
}

/// Finds the named document, or the one with the section that a complete id names.
async fn document(handler: &Handler, arguments: &Wanted) -> Result<DocumentRecord, Problem> {
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
