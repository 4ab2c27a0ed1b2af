//! `sectile list`.

use std::fmt::Write as _;

use sectile::Scope;
use sectile::store::{DocumentRecord, Status};
use serde::Serialize;

use super::{Outcome, open};
use crate::args::ListArguments;
use crate::output::{self, DIM, NAME, document_name};

pub(crate) async fn run(
    arguments: ListArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let library = open(store).await?;
    let scope = arguments
        .collection
        .map_or_else(Scope::all, Scope::collection);
    let documents = library.documents(&scope).await?;
    if json {
        output::value(&documents.iter().map(Row::new).collect::<Vec<_>>())?;
    } else {
        output::text(&documents.iter().map(drawn).collect::<String>())?;
    }
    if documents.is_empty() {
        output::note(format_args!(
            "the store holds no documents; `sectile ingest` adds some"
        ));
        return Ok(Outcome::NothingFound);
    }
    Ok(Outcome::Done)
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
        "{NAME}{name}{NAME:#}  {DIM}{collection}, {}, {sections} sections, {tokens} tokens{DIM:#}",
        document.format
    );
    if let Some(error) = document
        .error
        .as_ref()
        .filter(|_| document.status == Status::Failed)
    {
        let _ = write!(line, "  failed: {error}");
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
}

impl<'a> Row<'a> {
    pub(crate) fn new(record: &'a DocumentRecord) -> Self {
        let path = sectile::document_path(&record.uri);
        Self {
            record,
            path: path.map(|path| path.display().to_string()),
        }
    }
}
