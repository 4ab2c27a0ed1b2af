//! `list`: the collections and the documents that there are.

use std::fmt::Write as _;

use rmcp::model::Tool;
use schemars::JsonSchema;
use sectile::store::{DocumentRecord, Note, Status};
use sectile::{Emptiness, Scope};
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Outcome, count, cut};
use crate::cursor::Cursor;
use crate::handler::Handler;
use crate::memories::MemoryFacts;
use crate::problem::Problem;
use crate::scope;
use crate::tools::Effect;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// List its documents.
    collection: Option<String>,
    /// As in `search`.
    paths: Option<Vec<String>>,
    /// `since=2026-01`, `until=2026`, `author=Ada`.
    filters: Option<Vec<String>>,
    max_tokens: Option<usize>,
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Listing {
    outcome: Outcome,
    /// How many collections or documents there are to list.
    found: usize,
    /// What else there is to know, such as paths without a document, and how many documents dates leave out as they have
    /// none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    collections: Vec<CollectionRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<Row>,
    /// Given to the next call, shows the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
}

#[derive(Clone, Serialize, JsonSchema)]
struct CollectionRow {
    collection: String,
    documents: usize,
    /// The language that is set for its documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    language: Option<&'static str>,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Row {
    /// The document's URI.
    document: String,
    collection: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    sections: usize,
    tokens: usize,
    /// Why its newest version is not there, or not searched by meaning yet; or that its file is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    memory: Option<MemoryFacts>,
}

pub(crate) fn tool() -> Tool {
    super::tool::<Arguments, Listing>(
        "list",
        &Effect::Reads,
        "Lists collections, or the documents of one: names that other tools take.".into(),
    )
}

pub(crate) async fn call(handler: &Handler, arguments: Arguments) -> Result<Answer, Problem> {
    let budget = handler.budget(arguments.max_tokens)?;
    handler
        .check_collection(arguments.collection.as_deref())
        .await?;
    let entries = entries(handler, &arguments).await?;
    if entries.is_empty() {
        return Err(nothing(handler, &arguments).await?);
    }
    let unfit = scope::unfit_paths(
        &handler.library,
        arguments.collection.as_deref(),
        arguments.paths.as_deref(),
    );
    let list = List {
        notes: [
            handler.library.note_of_undated(&scope(&arguments)?).await?,
            unfit.await?,
        ]
        .into_iter()
        .flatten()
        .collect(),
        arguments: format!(
            "{:?} {:?} {:?}",
            arguments.collection, arguments.paths, arguments.filters
        ),
        entries,
    };
    let given = arguments.cursor.as_deref();
    let start = Cursor::place(given, |at| list.version(at))?.min(list.entries.len());
    budget.fit(list.entries.len() - start, &|number, width| {
        list.written(start, number, width)
    })
}

enum Entry {
    Collection(CollectionRow),
    Document(Box<DocumentRecord>),
}

async fn entries(handler: &Handler, arguments: &Arguments) -> Result<Vec<Entry>, Problem> {
    let Arguments {
        collection,
        paths,
        filters,
        ..
    } = arguments;
    let is_narrowed = collection.is_some() || paths.is_some() || filters.is_some();
    if !is_narrowed && handler.library.collections().await?.len() > 1 {
        let collections = handler.library.totals().await?.collections;
        let notes = handler.library.notes().await?;
        let languages = handler.library.collection_languages();
        let entry = |(name, size): (String, usize)| {
            let is_about = |note: &&Note| note.collection == name && note.prefix.is_empty();
            Entry::Collection(CollectionRow {
                documents: size,
                language: languages.get(&name).map(|set| set.code()),
                note: notes.iter().find(is_about).map(|note| note.text.clone()),
                collection: name,
            })
        };
        return Ok(collections.into_iter().map(entry).collect());
    }
    let documents = handler.library.documents(&scope(arguments)?).await?;
    let entry = |document| Entry::Document(Box::new(document));
    Ok(documents.into_iter().map(entry).collect())
}

async fn nothing(handler: &Handler, arguments: &Arguments) -> Result<Problem, Problem> {
    if arguments.paths.is_some() || arguments.filters.is_some() {
        let scope = scope(arguments)?;
        let reason = handler.library.emptiness(&scope).await?;
        let undated = scope::undated(&handler.library, &scope).await?;
        let message = match reason {
            Some(reason @ Emptiness::Field { .. }) => reason.to_string(),
            _ => "no document fits the `paths` and the `filters`".to_owned(),
        };
        return Ok(Problem::no_results(message + &undated).with_call("list", []));
    }
    Ok(Problem::no_results(if handler.is_read_only {
        "the store is empty; the person who runs this server can fill it with `sectile ingest`"
            .into()
    } else {
        "the store is empty; `ingest` fills it".into()
    }))
}

fn scope(arguments: &Arguments) -> Result<Scope, Problem> {
    let Arguments {
        collection,
        paths,
        filters,
        ..
    } = arguments;
    scope::of(collection.as_deref(), paths.as_deref(), filters.as_deref())
}

struct List {
    entries: Vec<Entry>,
    notes: Vec<String>,
    arguments: String,
}

impl List {
    /// Returns everything that a cursor after `at` entries depends on, including these entries, so
    /// that none is left out or shown twice.
    fn version(&self, at: usize) -> Vec<String> {
        let before = self.entries.iter().take(at).map(|entry| match entry {
            Entry::Collection(row) => row.collection.clone(),
            Entry::Document(document) => document.id.to_string(),
        });
        let arguments = ["list".to_owned(), self.arguments.clone()];
        arguments.into_iter().chain(before).collect()
    }

    fn written(&self, start: usize, number: usize, width: usize) -> Answer {
        let end = start + number;
        let has_more = end < self.entries.len();
        let mut listing = Listing {
            outcome: Outcome::Ok,
            found: self.entries.len(),
            notes: self.notes.iter().map(|note| cut(note, 2 * width)).collect(),
            collections: Vec::new(),
            documents: Vec::new(),
            cursor: has_more.then(|| Cursor::new(end, &self.version(end)).to_string()),
        };
        for entry in &self.entries[start..end] {
            match entry {
                Entry::Collection(row) => listing.collections.push(CollectionRow {
                    note: row.note.as_deref().map(|note| cut(note, width)),
                    ..row.clone()
                }),
                Entry::Document(document) => listing.documents.push(row(document, width)),
            }
        }
        Answer::new(drawn(&listing), &listing)
    }
}

fn row(document: &DocumentRecord, width: usize) -> Row {
    let title = document.metadata.title.as_deref();
    let problem = match document.status {
        Status::Completed => None,
        Status::Processing if document.error.is_none() => Some("waits for its vectors".to_owned()),
        _ => document.error.clone(),
    };
    let gone = sectile::is_gone(&document.uri).then(|| "the file is gone".to_owned());
    let problem = problem.or(gone);
    Row {
        document: document.uri.clone(),
        collection: document.collection.clone(),
        title: title.map(|title| cut(title, width)),
        sections: document.sections,
        tokens: document.tokens,
        problem: problem.map(|problem| cut(&problem, width)),
        memory: MemoryFacts::of(document, width),
    }
}

fn drawn(listing: &Listing) -> String {
    let mut text = if listing.collections.is_empty() {
        count(listing.found, "document")
    } else {
        format!(
            "{}. Next: `list` with one of them.",
            count(listing.found, "collection")
        )
    };
    for note in &listing.notes {
        let _ = write!(text, "\n{note}");
    }
    for CollectionRow {
        collection,
        documents,
        language,
        note,
    } in &listing.collections
    {
        let _ = write!(text, "\n- {collection}: {}", count(*documents, "document"));
        if let Some(language) = language {
            let _ = write!(text, ", language {language}");
        }
        if let Some(note) = note {
            let _ = write!(text, ". {note}");
        }
    }
    let mut collection = None;
    for row in &listing.documents {
        if collection != Some(&row.collection) {
            let _ = write!(text, "\n\nCollection {}", row.collection);
            collection = Some(&row.collection);
        }
        let (sections, tokens) = (count(row.sections, "section"), count(row.tokens, "token"));
        let _ = write!(text, "\n- {}", row.document);
        if let Some(title) = &row.title {
            let _ = write!(text, " ({title})");
        }
        let _ = write!(text, ": {sections}, {tokens}");
        if let Some(problem) = &row.problem {
            let _ = write!(text, "; {problem}");
        }
        if let Some(memory) = &row.memory {
            let _ = write!(text, "; {}", memory.drawn());
        }
    }
    if let Some(cursor) = &listing.cursor {
        let _ = write!(
            text,
            "\n\nThere is more: repeat the call with `cursor` {cursor}."
        );
    }
    text
}
