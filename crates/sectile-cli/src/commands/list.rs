//! `sectile list`.

use std::fmt::Write as _;

use sectile::store::{DocumentRecord, SectionRecord, Status};
use sectile::{Library, Scope};
use serde::Serialize;

use super::{Outcome, narrowed, open_to_read, with_way_out};
use crate::args::ListArguments;
use crate::output::{self, DIM, HEADING, NAME, document_name};

pub(crate) async fn run(
    arguments: ListArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let library = open_to_read(store).await?;
    let scope = arguments
        .collection
        .map_or_else(Scope::all, Scope::collection);
    let scope = narrowed(scope, &arguments.filters)?;
    if let Some(note) = library.note_of_undated(&scope).await? {
        output::note(format_args!("{note}"));
    }
    if arguments.sections {
        return sections(&library, &scope, json).await;
    }
    let documents = library.documents(&scope).await?;
    if json {
        output::value(&documents.iter().map(Row::new).collect::<Vec<_>>())?;
    } else {
        output::text(&documents.iter().map(drawn).collect::<String>())?;
    }
    if documents.is_empty() {
        return nothing(&library, &scope).await;
    }
    Ok(Outcome::Done)
}

/// Says why there is nothing to list.
async fn nothing(library: &Library, scope: &Scope) -> anyhow::Result<Outcome> {
    match library.emptiness(scope).await? {
        Some(reason) => output::note(format_args!("{}", with_way_out(&reason))),
        None => output::note(format_args!("the documents have no sections")),
    }
    Ok(Outcome::NothingFound)
}

async fn sections(library: &Library, scope: &Scope, json: bool) -> anyhow::Result<Outcome> {
    let found = library.sections_in(scope).await?;
    if json {
        let rows = found.iter().map(|(document, section)| SectionRow {
            uri: &document.uri,
            collection: &document.collection,
            section,
        });
        output::value(&rows.collect::<Vec<_>>())?;
    } else {
        let lines = found.iter().map(|(document, section)| {
            let name = document_name(&document.uri);
            let place = output::place(document.format, section.lines);
            let path = section.heading_path.join(" > ");
            let path = output::one_line(&path);
            format!("{NAME}{name}{NAME:#}{place}  {HEADING}{path}{HEADING:#}\n")
        });
        output::text(&lines.collect::<String>())?;
    }
    if found.is_empty() {
        return nothing(library, scope).await;
    }
    Ok(Outcome::Done)
}

/// A section as JSON.
#[derive(Serialize)]
struct SectionRow<'a> {
    uri: &'a str,
    collection: &'a str,
    #[serde(flatten)]
    section: &'a SectionRecord,
}

fn drawn(document: &DocumentRecord) -> String {
    let name = document_name(&document.uri);
    let DocumentRecord {
        collection,
        sections,
        tokens,
        ..
    } = document;
    let mut line = format!(
        "{NAME}{name}{NAME:#}  {DIM}{collection}, {}, {}, {}{}{DIM:#}",
        document.format,
        output::count(*sections, "section"),
        output::count(*tokens, "token"),
        output::if_gone(&document.uri),
    );
    if document.status != Status::Completed {
        let _ = write!(line, "  {}", document.status);
    }
    if let Some(error) = &document.error {
        let _ = write!(line, ": {error}");
    }
    line.push('\n');
    line
}

/// A document as JSON.
#[derive(Serialize)]
pub(crate) struct Row<'a> {
    #[serde(flatten)]
    record: &'a DocumentRecord,
    path: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_gone: bool,
}

impl<'a> Row<'a> {
    pub(crate) fn new(record: &'a DocumentRecord) -> Self {
        let path = sectile::document_path(&record.uri);
        Self {
            record,
            path: path.map(|path| path.display().to_string()),
            is_gone: sectile::is_gone(&record.uri),
        }
    }
}
