//! `sectile remember`, `learn` and `forget`.

use std::io::Read as _;

use anyhow::Context as _;
use sectile::core::{DocumentId, Metadata};
use sectile::{Kept, KeptOutcome, Library, MEMORIES};
use serde::Serialize;

use super::{Outcome, open, with_embedder};
use crate::args::{ForgetArguments, MemoryArguments};
use crate::output;
use crate::progress::Progress;

/// Keeps a text in the collection of memories or of knowledge.
pub(crate) async fn keep(
    collection: &str,
    arguments: MemoryArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let text = text(arguments.text)?;
    let mut metadata = Metadata::default();
    for (name, value) in arguments.metadata {
        let earlier = metadata.extra.insert(name.clone(), value);
        anyhow::ensure!(earlier.is_none(), "--metadata gives `{name}` twice");
    }
    let library = open(store).await?;
    let Kept { id, outcome } = if collection == MEMORIES {
        library.remember(&text, metadata).await?
    } else {
        library.learn(&text, metadata).await?
    };
    if json {
        let kept = Row {
            id,
            collection,
            outcome,
        };
        output::reported(output::value(&kept))?;
    } else {
        output::reported(output::text(&format!("{id}\n")))?;
        note(outcome);
    }
    if arguments.embedder.embedder.is_some() {
        // The memory is stored by now, whatever the model does.
        let library = with_embedder(library, &arguments.embedder).await?;
        let progress = Progress::new();
        library
            .embed_document(collection, id, &|event| progress.show(&event))
            .await?;
    }
    Ok(Outcome::Done)
}

/// Says if the text was kept before.
fn note(outcome: KeptOutcome) {
    match outcome {
        KeptOutcome::Added => {}
        KeptOutcome::Updated => {
            output::note(format_args!("already stored; metadata replaced"));
        }
        KeptOutcome::Unchanged => output::note(format_args!("already stored")),
    }
}

#[derive(Serialize)]
struct Row<'a> {
    id: DocumentId,
    collection: &'a str,
    outcome: KeptOutcome,
}

/// Returns the text that was typed, or what standard input has.
fn text(typed: String) -> anyhow::Result<String> {
    if typed != "-" {
        return Ok(typed);
    }
    let mut text = String::new();
    let read = std::io::stdin().lock().read_to_string(&mut text);
    read.context("cannot read standard input as text")?;
    Ok(text)
}

/// Removes memories and pieces of knowledge.
pub(crate) async fn forget(
    arguments: ForgetArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let library = open(store).await?;
    let mut forgotten = Vec::new();
    for id in &arguments.ids {
        if is_forgotten(&library, *id).await? {
            forgotten.push(*id);
        } else {
            output::note(format_args!(
                "there is no memory or fact `{id}`; `sectile list --json` shows ids"
            ));
        }
    }
    if json {
        output::value(&forgotten)?;
    } else {
        let line = |id: &DocumentId| format!("forgot {id}\n");
        output::text(&forgotten.iter().map(line).collect::<String>())?;
    }
    if forgotten.len() < arguments.ids.len() {
        return Ok(Outcome::NothingFound);
    }
    Ok(Outcome::Done)
}

/// Removes what has an id, which is a memory or a piece of knowledge.
async fn is_forgotten(library: &Library, id: DocumentId) -> anyhow::Result<bool> {
    match library.forget(id).await {
        Err(sectile::Error::NoSuchMemory { .. }) => {}
        done => return Ok(done.map(|()| true)?),
    }
    match library.delete_knowledge(id).await {
        Err(sectile::Error::NoSuchMemory { .. }) => Ok(false),
        done => Ok(done.map(|()| true)?),
    }
}
