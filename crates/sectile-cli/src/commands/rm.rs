//! `sectile rm`.

use std::collections::HashSet;
use std::io::IsTerminal as _;

use anyhow::bail;
use sectile::store::DocumentRecord;
use sectile::{Library, Scope, document_uris};

use super::{Outcome, named, open};
use crate::args::RmArguments;
use crate::output::{self, document_name};

pub(crate) async fn run(
    arguments: RmArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let library = open(store).await?;
    let collection = arguments.collection.as_deref();
    if let Some(reason) = named::no_collection(&library, collection).await? {
        output::note(format_args!("{reason}"));
        return nothing(json);
    }
    let mut outcome = Outcome::Done;
    let mut scopes = Vec::new();
    let mut documents = Vec::new();
    for (name, candidates) in candidates(&arguments)? {
        let found = match first_with_documents(&library, candidates).await? {
            None => listed_so(&library, collection, &name).await?,
            found => found,
        };
        let Some((scope, found)) = found else {
            let reason = named::not_whole(&library, collection, &name).await?;
            output::note(format_args!("{reason}"));
            outcome = Outcome::NothingFound;
            continue;
        };
        scopes.push(scope);
        documents.extend(found);
    }
    // Two names may mean the same document.
    let mut seen = HashSet::new();
    documents.retain(|document| seen.insert(document.id));
    if !arguments.dry_run {
        if documents.len() > 1 && !arguments.yes {
            ask(&documents)?;
        }
        for scope in &scopes {
            library.remove(scope).await?;
        }
    }
    if json {
        let uris: Vec<_> = documents.iter().map(|document| &document.uri).collect();
        output::value(&uris)?;
    } else {
        output::text(&drawn(&documents, arguments.dry_run))?;
    }
    Ok(outcome)
}

fn nothing(json: bool) -> anyhow::Result<Outcome> {
    if json {
        output::value(&[(); 0])?;
    }
    Ok(Outcome::NothingFound)
}

/// Says what became of documents, and of which collection each is where there are several.
fn drawn(documents: &[DocumentRecord], is_dry: bool) -> String {
    let done = if is_dry { "would remove" } else { "removed" };
    let is_elsewhere = |pair: &[DocumentRecord]| pair[0].collection != pair[1].collection;
    let are_mixed = documents.windows(2).any(is_elsewhere);
    let line = |document: &DocumentRecord| {
        let name = document_name(&document.uri);
        if are_mixed {
            format!("{done} {name} of {}\n", document.collection)
        } else {
            format!("{done} {name}\n")
        }
    };
    documents.iter().map(line).collect()
}

/// Returns what each name may mean: the document of that URI or path, or else all that is in the folder; without names,
/// the collection.
fn candidates(arguments: &RmArguments) -> anyhow::Result<Vec<(String, Vec<Scope>)>> {
    let named = arguments.collection.as_deref();
    let scope = || named.map_or_else(Scope::all, Scope::collection);
    if let (Some(name), []) = (named, &*arguments.uris) {
        return Ok(vec![(name.to_owned(), vec![scope()])]);
    }
    let meanings = arguments.uris.iter().map(|name| {
        let [literal, uri] = document_uris(name)?;
        let bare = uri.trim_end_matches('/');
        let folder = format!("{bare}/");
        let scopes = vec![
            scope().with_uri(&literal),
            scope().with_uri(bare).with_uri(&folder),
            scope().with_prefix(&folder),
        ];
        Ok((name.clone(), scopes))
    });
    meanings.collect()
}

/// Returns the first scope in which there are documents, and these.
async fn first_with_documents(
    library: &Library,
    scopes: Vec<Scope>,
) -> anyhow::Result<Option<(Scope, Vec<DocumentRecord>)>> {
    for scope in scopes {
        let documents = library.documents(&scope).await?;
        if !documents.is_empty() {
            return Ok(Some((scope, documents)));
        }
    }
    Ok(None)
}

/// Returns the documents whose names are listed so.
async fn listed_so(
    library: &Library,
    collection: Option<&str>,
    name: &str,
) -> anyhow::Result<Option<(Scope, Vec<DocumentRecord>)>> {
    let documents = named::as_listed(library, collection, name).await?;
    let scope = collection.map_or_else(Scope::all, Scope::collection);
    let each = documents.iter().map(|document| &*document.uri);
    let scope = each.fold(scope, Scope::with_uri);
    Ok((!documents.is_empty()).then_some((scope, documents)))
}

/// Lists documents on a terminal and asks whether to remove them. Where nobody sees the question or can answer
/// it, nothing is removed.
fn ask(documents: &[DocumentRecord]) -> anyhow::Result<()> {
    let count = output::count(documents.len(), "document");
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        bail!(
            "this removes {count}, and there is no terminal to confirm on; use `--yes` to remove them, `--dry-run` to list them"
        );
    }
    let listed = named::listed(documents);
    let listed = listed.trim_start_matches('\n');
    let answer = output::ask(&format!("{listed}\nRemove {count}? [y/N] "))?;
    if !matches!(answer.trim(), "y" | "Y" | "yes") {
        bail!("nothing was removed");
    }
    Ok(())
}
