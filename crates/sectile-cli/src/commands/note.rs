//! `sectile note`.

use anyhow::bail;
use sectile::store::Note;
use sectile::{Library, Scope, document_uris};

use super::{Outcome, named, open, open_to_read, with_way_out};
use crate::args::NoteArguments;
use crate::output::{self, NAME, document_name};

const NO_SUBJECT: &str = "a note needs a subject. Add --in PATH or --collection NAME";

/// The documents or the collection that the arguments name. Documents that are gone can have notes, too.
struct Named<'a> {
    collection: Option<&'a str>,
    /// The possible URIs of a document or a folder, without a last slash.
    uris: Option<[String; 2]>,
}

impl<'a> Named<'a> {
    fn of(arguments: &'a NoteArguments) -> anyhow::Result<Self> {
        let uris = arguments.path.as_deref().map(document_uris).transpose()?;
        Ok(Self {
            collection: arguments.collection.as_deref(),
            uris: uris.map(|uris| uris.map(|uri| uri.trim_end_matches('/').to_owned())),
        })
    }

    fn is_all(&self) -> bool {
        self.collection.is_none() && self.uris.is_none()
    }

    /// Returns whether a note is on it, and not only on something in it.
    fn is_subject(&self, note: &Note) -> bool {
        let prefix = note.prefix.trim_end_matches('/');
        let is_named = |uris: &[String; 2]| uris.iter().any(|uri| uri == prefix);
        self.has(note) && self.uris.as_ref().map_or(prefix.is_empty(), is_named)
    }

    /// Returns whether a note is on it, or on something in it.
    fn has(&self, note: &Note) -> bool {
        let is_below = |uri: &String| {
            let rest = note.prefix.strip_prefix(uri);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let is_in = |uris: &[String; 2]| uris.iter().any(is_below);
        self.collection.is_none_or(|name| name == note.collection)
            && self.uris.as_ref().is_none_or(is_in)
    }
}

pub(crate) async fn run(
    arguments: NoteArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    match &arguments.text {
        Some(text) => put(&arguments, text, store, json).await,
        None if arguments.remove => remove(&arguments, store, json).await,
        None => list(&arguments, store, json).await,
    }
}

async fn put(
    arguments: &NoteArguments,
    text: &str,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let library = open(store).await?;
    let places = places(&library, arguments).await?.into_iter();
    let notes: Vec<Note> = places
        .map(|(collection, prefix)| Note::new(collection, prefix, text))
        .collect();
    if notes.iter().any(|note| note.text.is_empty()) {
        bail!("the note is empty; write a text, or remove the note with `--remove`");
    }
    write(&library, &notes, "noted", json).await
}

async fn remove(
    arguments: &NoteArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let named = Named::of(arguments)?;
    if named.is_all() {
        bail!(NO_SUBJECT);
    }
    let library = open(store).await?;
    let known = library.notes().await?.into_iter();
    let notes: Vec<Note> = known
        .filter(|note| named.is_subject(note))
        .map(|note| Note::new(note.collection, note.prefix, ""))
        .collect();
    if notes.is_empty() {
        if json {
            output::value(&notes)?;
        }
        output::note(format_args!(
            "there is no such note; `sectile note` lists them"
        ));
        return Ok(Outcome::NothingFound);
    }
    write(&library, &notes, "removed the note", json).await
}

/// Writes notes, and says what was done.
async fn write(
    library: &Library,
    notes: &[Note],
    done: &str,
    json: bool,
) -> anyhow::Result<Outcome> {
    for note in notes {
        library.put_note(note).await?;
    }
    if json {
        output::value(&notes)?;
    } else {
        let are_mixed = notes
            .iter()
            .any(|note| note.collection != notes[0].collection);
        let line = |note: &Note| {
            if are_mixed && !note.prefix.is_empty() {
                format!("{done} on {} of {}\n", subject(note), note.collection)
            } else {
                format!("{done} on {}\n", subject(note))
            }
        };
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
    let named = Named::of(arguments)?;
    let mut notes = library.notes().await?;
    notes.retain(|note| named.has(note));
    if notes.is_empty() && !named.is_all() {
        // There may be nothing of that name.
        places(&library, arguments).await?;
    }
    if json {
        output::value(&notes)?;
    } else {
        let line = |note: &Note| {
            let subject = subject(note);
            let is_other =
                |other: &Note| other.prefix == note.prefix && other.collection != note.collection;
            // The name alone would be that of the other note.
            let of = if !note.prefix.is_empty() && notes.iter().any(is_other) {
                format!(" of {}", note.collection)
            } else {
                String::new()
            };
            format!("{NAME}{subject}{NAME:#}{of}: {}\n", note.text)
        };
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

/// Returns the collections and prefixes that the arguments name.
async fn places(
    library: &Library,
    arguments: &NoteArguments,
) -> anyhow::Result<Vec<(String, String)>> {
    let collection = arguments.collection.as_deref();
    let scope = collection.map_or_else(Scope::all, Scope::collection);
    if let Some(path) = &arguments.path {
        for uri in document_uris(path)? {
            let places = library.note_places(collection, &uri).await?;
            if !places.is_empty() {
                return Ok(places);
            }
        }
        if let Some(reason) = library.emptiness(&scope).await? {
            bail!("{}", with_way_out(&reason));
        }
        return Err(named::not_whole(library, collection, path).await?);
    }
    let Some(name) = collection else {
        bail!(NO_SUBJECT);
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
