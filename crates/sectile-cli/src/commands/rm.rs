//! `sectile rm`.

use std::collections::{BTreeMap, HashSet};
use std::io::IsTerminal as _;

use anyhow::bail;
use sectile::core::DocumentId;
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
    if arguments.uris.is_empty() && arguments.collection.is_none() {
        bail!(
            "nothing is named; write the paths or URIs of documents, or --collection NAME for all documents of one"
        );
    }
    let library = open(store).await?;
    let collection = arguments.collection.as_deref();
    if let Some(reason) = named::no_collection(&library, collection).await? {
        output::note(format_args!("{reason}"));
        return nothing(json);
    }
    let mut outcome = Outcome::Done;
    let mut documents = Vec::new();
    for (name, candidates) in candidates(&arguments)? {
        let mut found = first_with_documents(&library, candidates).await?;
        if found.is_empty() {
            found = named::as_listed(&library, collection, &name).await?;
        }
        if found.is_empty() {
            let reason = named::not_whole(&library, collection, &name).await?;
            output::note(format_args!("{reason}"));
            outcome = Outcome::NothingFound;
        }
        documents.extend(found);
    }
    // Two names may mean the same document.
    let mut seen = HashSet::new();
    documents.retain(|document| seen.insert(document.id));
    if !arguments.dry_run && !documents.is_empty() {
        if documents.len() > 1 && !arguments.yes {
            ask(&documents)?;
        }
        // Only what was listed: another process may have added documents since.
        let ids: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
        library.store().remove(&ids).await?;
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

/// Lists the removed documents, with their collections if there are several.
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

/// Returns the documents of the first scope that has any.
async fn first_with_documents(
    library: &Library,
    scopes: Vec<Scope>,
) -> anyhow::Result<Vec<DocumentRecord>> {
    for scope in scopes {
        let documents = library.documents(&scope).await?;
        if !documents.is_empty() {
            return Ok(documents);
        }
    }
    Ok(Vec::new())
}

/// Counts the documents of each collection.
fn by_collection(documents: &[DocumentRecord]) -> BTreeMap<&str, usize> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for document in documents {
        *counts.entry(document.collection.as_str()).or_default() += 1;
    }
    counts
}

/// Lists documents on a terminal and asks whether to remove them. Without a terminal, removes nothing.
fn ask(documents: &[DocumentRecord]) -> anyhow::Result<()> {
    let mut count = output::count(documents.len(), "document");
    let mut only_one = "";
    let collections = by_collection(documents);
    if collections.len() > 1 {
        let each = collections.iter();
        let each = each.map(|(name, count)| format!("{count} in `{name}`"));
        count = format!("{count} ({})", each.collect::<Vec<_>>().join(", "));
        only_one = "`--collection NAME` to remove those of one collection, ";
    }
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        bail!(
            "this removes {count}, and there is no terminal to confirm on; use `--yes` to remove them, \
             {only_one}`--dry-run` to list them"
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
