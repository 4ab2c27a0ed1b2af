//! `sectile note`.

use anyhow::bail;
use sectile::store::Note;
use sectile::{Library, Scope, document_uri};

use super::{Outcome, open, open_to_read, with_way_out};
use crate::args::NoteArguments;
use crate::output::{self, NAME, document_name};

pub(crate) async fn run(
    arguments: NoteArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    if arguments.text.is_none() && !arguments.remove {
        return list(&arguments, store, json).await;
    }
    let library = open(store).await?;
    let text = arguments.text.as_deref().unwrap_or_default();
    let places = places(&library, &arguments).await?;
    let notes = places.into_iter();
    let notes: Vec<Note> = notes
        .map(|(collection, prefix)| Note::new(collection, prefix, text))
        .collect();
    if !arguments.remove && notes.iter().any(|note| note.text.is_empty()) {
        bail!("the note is empty; `--remove` removes one");
    }
    let known = library.notes().await?;
    let is_known = |note: &Note| {
        let key = |note: &Note| (note.collection.clone(), note.prefix.clone());
        known.iter().any(|other| key(other) == key(note))
    };
    if arguments.remove && !notes.iter().any(is_known) {
        output::note(format_args!(
            "there is no such note; `sectile note` lists them"
        ));
        return Ok(Outcome::NothingFound);
    }
    for note in &notes {
        library.put_note(note).await?;
    }
    if json {
        output::value(&notes)?;
    } else {
        let done = if arguments.remove {
            "removed the note"
        } else {
            "noted"
        };
        let line = |note: &Note| format!("{done} on {}\n", subject(note));
        output::text(&notes.iter().map(line).collect::<String>())?;
    }
    Ok(Outcome::Done)
}

async fn list(
    arguments: &NoteArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let library = open_to_read(store).await?;
    let mut notes = library.notes().await?;
    if arguments.path.is_some() || arguments.collection.is_some() {
        let places = places(&library, arguments).await?;
        notes.retain(|note| {
            let is_of = |(collection, prefix): &(String, String)| {
                *collection == note.collection && note.prefix.starts_with(prefix)
            };
            places.iter().any(is_of)
        });
    }
    if json {
        output::value(&notes)?;
    } else {
        let line = |note: &Note| format!("{NAME}{}{NAME:#}: {}\n", subject(note), note.text);
        output::text(&notes.iter().map(line).collect::<String>())?;
    }
    if notes.is_empty() {
        output::note(format_args!(
            "there are no notes; add one: sectile note \"what it is about\" --in PATH"
        ));
        return Ok(Outcome::NothingFound);
    }
    Ok(Outcome::Done)
}

/// Returns the collections and prefixes that are meant.
async fn places(
    library: &Library,
    arguments: &NoteArguments,
) -> anyhow::Result<Vec<(String, String)>> {
    let collection = arguments.collection.as_deref();
    let scope = collection.map_or_else(Scope::all, Scope::collection);
    if let Some(path) = &arguments.path {
        let places = library
            .note_places(collection, &document_uri(path)?)
            .await?;
        if places.is_empty() {
            if let Some(reason) = library.emptiness(&scope).await? {
                bail!("{}", with_way_out(&reason));
            }
            bail!("the store has nothing of `{path}`; `sectile list` shows what there is");
        }
        return Ok(places);
    }
    let Some(name) = collection else {
        bail!("what is the note about? Add --in PATH or --collection NAME");
    };
    if let Some(reason) = library.emptiness(&scope).await? {
        bail!("{}", with_way_out(&reason));
    }
    Ok(vec![(name.to_owned(), String::new())])
}

/// Says what a note is about.
pub(crate) fn subject(note: &Note) -> String {
    if note.prefix.is_empty() {
        return sectile::note_subject(note);
    }
    document_name(&note.prefix)
}
