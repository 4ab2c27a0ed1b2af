//! `sectile rm`.

use std::io::{IsTerminal as _, Write as _};

use anyhow::bail;
use sectile::store::DocumentRecord;
use sectile::{Library, Scope, document_uri};

use super::{Outcome, open};
use crate::args::RmArguments;
use crate::output::{self, document_name};

/// How many documents are listed before it is asked whether to remove them.
const LISTED: usize = 10;

pub(crate) async fn run(
    arguments: RmArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let library = open(store).await?;
    let mut outcome = Outcome::Done;
    let mut scopes = Vec::new();
    let mut documents = Vec::new();
    for (name, candidates) in candidates(&arguments)? {
        let Some((scope, found)) = first_with_documents(&library, candidates).await? else {
            output::note(format_args!(
                "`{name}` is not in the store; `sectile list` shows what is"
            ));
            outcome = Outcome::NothingFound;
            continue;
        };
        scopes.push(scope);
        documents.extend(found);
    }
    if !arguments.dry_run {
        if documents.len() > 1 && !arguments.yes {
            ask(&documents)?;
        }
        for scope in &scopes {
            library.remove(scope).await?;
        }
    }
    let uris: Vec<_> = documents.iter().map(|document| &document.uri).collect();
    if json {
        output::value(&uris)?;
    } else {
        let done = if arguments.dry_run {
            "would remove"
        } else {
            "removed"
        };
        let line = |uri: &&String| format!("{done} {}\n", document_name(uri));
        output::text(&uris.iter().map(line).collect::<String>())?;
    }
    Ok(outcome)
}

/// Returns what each name may mean: the document, or else all that is in the folder; without names, the collection.
fn candidates(arguments: &RmArguments) -> anyhow::Result<Vec<(String, Vec<Scope>)>> {
    let named = arguments.collection.as_deref();
    let scope = || named.map_or_else(Scope::all, Scope::collection);
    if let (Some(name), []) = (named, &*arguments.uris) {
        return Ok(vec![(name.to_owned(), vec![scope()])]);
    }
    let meanings = arguments.uris.iter().map(|name| {
        let uri = document_uri(name)?;
        let bare = uri.trim_end_matches('/');
        let folder = format!("{bare}/");
        let one = scope().with_uri(bare).with_uri(&folder);
        Ok((name.clone(), vec![one, scope().with_prefix(&folder)]))
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

/// Lists documents on a terminal and asks whether to remove them. Without one nobody is there to answer.
fn ask(documents: &[DocumentRecord]) -> anyhow::Result<()> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Ok(());
    }
    let mut terminal = std::io::stderr();
    for document in documents.iter().take(LISTED) {
        writeln!(terminal, "  {}", document_name(&document.uri))?;
    }
    let more = documents.len().saturating_sub(LISTED);
    if more > 0 {
        writeln!(terminal, "  and {more} more")?;
    }
    let count = output::count(documents.len(), "document");
    write!(terminal, "Remove {count}? [y/N] ")?;
    terminal.flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    if !matches!(answer.trim(), "y" | "Y" | "yes") {
        bail!("nothing was removed");
    }
    Ok(())
}
