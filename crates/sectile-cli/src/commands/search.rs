//! `sectile search`.

mod rows;
mod written;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context as _;
use sectile::models::ModelKind;
use sectile::store::{DocumentRecord, Status};
use sectile::{
    Answer, DEFAULT_COLLECTION, Emptiness, GroupBy, Library, Part, Scope, SearchMode,
    SearchRequest, was_read_by_older_loader,
};

use super::{
    Outcome, ingest, narrowed, note, only_added, open, open_to_read, with_added_embedder,
    with_chat_model, with_embedder, with_named_embedder, with_reranker, with_way_out,
};
use crate::args::{Group, HitFormat, Mode, SearchArguments};
use crate::output;
use crate::progress::Progress;

/// The message if vectors cannot be compared.
const NEEDS_EMBEDDER: &str = "this mode needs an embedding model; `sectile model add \
    all-MiniLM-L6-v2` gets one, or name one with --embedder ollama:NAME, openai:NAME, \
    http://HOST/v1#NAME or a folder, or search with --mode text";

/// The default number of hits.
const LIMIT: usize = 10;

/// How many characters of a question and of a note are shown.
const LONGEST_QUESTION: usize = 200;
const LONGEST_NOTE: usize = 1_000;

impl From<Mode> for SearchMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Text => Self::Text,
            Mode::Vector => Self::Vector,
            Mode::Hybrid => Self::Hybrid,
            Mode::Value => Self::Value,
            Mode::Tree => Self::Tree,
        }
    }
}

pub(crate) async fn run(
    mut arguments: SearchArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    anyhow::ensure!(
        !arguments.explain || arguments.format != Some(HitFormat::Md),
        "`--explain` changes nothing in Markdown: use --format text, json or jsonl"
    );
    let query = question(&mut arguments)?;
    let mut library = open_for(store, &arguments).await?;
    let held = held(&library, &arguments).await?;
    if let (None, 1) = (&arguments.collection, held.len()) {
        arguments.collection = held.keys().next().cloned();
    }
    library = with_models(library, &arguments).await?;
    let is_always = is_always_reranked(&library, &arguments, &held).await?;
    let reranker = arguments.reranker(is_always);
    match reranker {
        Some(name) => {
            let name = Some(name).filter(|name| !name.is_empty());
            library = with_reranker(library, name, &arguments.reranking)?;
        }
        None => arguments.reranking.check_unused("--rerank")?,
    }
    let scope = scope(&library, arguments.collection.as_deref(), &held).await?;
    let scope = narrowed(scope, &arguments.filters)?;
    let request = request(query, scope, &arguments);
    let answer = answer(&library, &request, reranker.is_some()).await?;
    print_notes(&answer);
    let format = arguments.format.filter(|_| !json);
    let format = format.unwrap_or(if json {
        HitFormat::Json
    } else {
        HitFormat::Text
    });
    let found = Found {
        texts: if arguments.full {
            Some(texts(&library, &answer, request.group_by).await?)
        } else {
            None
        },
        answer: &answer,
        is_explained: arguments.explain,
    };
    if arguments.files {
        found.write_files(format)?;
    } else {
        found.write(format)?;
    }
    if !answer.hits.is_empty() {
        return Ok(Outcome::Done);
    }
    explain_nothing(&library, &request, &arguments).await?;
    Ok(Outcome::NothingFound)
}

/// Returns whether the configuration file has what is searched reranked.
async fn is_always_reranked(
    library: &Library,
    arguments: &SearchArguments,
    held: &BTreeMap<String, Vec<PathBuf>>,
) -> anyhow::Result<bool> {
    let always = &arguments.reranking.collections;
    if !held.is_empty() {
        return Ok(held.keys().any(|name| always.contains(name)));
    }
    let named = arguments.collection.as_deref();
    let scope = named.map_or_else(Scope::all, Scope::collection);
    Ok(library.is_within(&scope, always).await?)
}

fn request(query: String, scope: Scope, arguments: &SearchArguments) -> SearchRequest {
    let group_by = match arguments.group_by {
        _ if arguments.files => GroupBy::Document,
        Group::Chunk => GroupBy::Chunk,
        Group::Section => GroupBy::Section,
        Group::Document => GroupBy::Document,
    };
    SearchRequest::new(query)
        .with_scope(scope)
        .with_mode(arguments.mode.unwrap_or_default().into())
        .with_group_by(group_by)
        .with_limit(arguments.limit.map_or(LIMIT, NonZeroUsize::get))
        .with_explain(arguments.explain)
}

/// Answers the question, and warns if the hits were not reranked though they should be.
async fn answer(
    library: &Library,
    request: &SearchRequest,
    is_reranked: bool,
) -> anyhow::Result<Answer> {
    if !is_reranked {
        return Ok(library.search(request).await?);
    }
    let found = library.search_reranked(request).await?;
    if let Some(problem) = found.problem {
        output::warning(format_args!("{}", sectile::error_chain(&problem)));
    }
    Ok(found.answer)
}

/// Prints how the question was parsed, if that matters, and the users' notes on the documents.
fn print_notes(answer: &Answer) {
    for note in &answer.notes {
        output::note(format_args!("{}", shortened(note, LONGEST_NOTE)));
    }
    for note in &answer.about {
        let subject = note::subject(note);
        output::note(format_args!("note on {subject}: {}", note.text));
    }
}

/// The result of a search, ready to print.
struct Found<'a> {
    answer: &'a Answer,
    /// The whole text of each hit, where it was asked for.
    texts: Option<Vec<String>>,
    is_explained: bool,
}

/// Reads the full text of hits.
async fn texts(
    library: &Library,
    answer: &Answer,
    group_by: GroupBy,
) -> anyhow::Result<Vec<String>> {
    let mut texts = Vec::new();
    for hit in &answer.hits {
        // A chunk is all there; the rest of its lines may belong to others.
        if group_by == GroupBy::Chunk {
            texts.push(hit.text_with_head());
            continue;
        }
        let part = Part::of_hit(hit, group_by);
        let (collection, uri) = (&hit.document.collection, &hit.document.uri);
        let document = library.document(Some(collection), uri).await?;
        texts.push(library.get(&document, &part, 0, None).await?.text);
    }
    Ok(texts)
}

/// Takes the question, which may follow the paths: `--in docs/ "a question"`.
fn question(arguments: &mut SearchArguments) -> anyhow::Result<String> {
    if let Some(query) = arguments.query.take() {
        return Ok(query);
    }
    let last = arguments.paths.pop_if(|path| !path.exists());
    let last = last.filter(|_| !arguments.paths.is_empty());
    let query = last.and_then(|path| path.into_os_string().into_string().ok());
    query.context("there is no question; write it first: sectile search \"a question\" --in PATH")
}

/// Opens the store, to be written where paths are ingested.
async fn open_for(store: Option<String>, arguments: &SearchArguments) -> anyhow::Result<Library> {
    if arguments.paths.is_empty() {
        open_to_read(store).await
    } else {
        open(store).await
    }
}

/// Gives a library the models that the mode needs.
async fn with_models(library: Library, arguments: &SearchArguments) -> anyhow::Result<Library> {
    match arguments.mode.unwrap_or_default() {
        Mode::Text => Ok(library),
        Mode::Value => with_embedder(library, &arguments.embedder).await,
        Mode::Vector | Mode::Hybrid => {
            let library = with_embedder(library, &arguments.embedder).await?;
            with_usual_embedder(library, arguments).await
        }
        Mode::Tree => with_chat_model(library, &arguments.chat),
    }
}

/// Returns the paths by collection: the named one, or else the one that already has the files of a path, so that no
/// other collection gets a copy that becomes outdated.
async fn held(
    library: &Library,
    arguments: &SearchArguments,
) -> anyhow::Result<BTreeMap<String, Vec<PathBuf>>> {
    let paths = ingest::files(&arguments.paths)?;
    let mut held: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in paths {
        let name = match &arguments.collection {
            Some(name) => name.clone(),
            None => match library.collection_of(std::slice::from_ref(&path)).await {
                Err(error) => return Err(ingest::with_what_is_left(library, None, error).await?),
                name => name?,
            },
        };
        held.entry(name).or_default().push(path);
    }
    if arguments.collection.is_none() {
        note_held(&held);
    }
    Ok(held)
}

/// Says which collections other than the default one are searched.
fn note_held(held: &BTreeMap<String, Vec<PathBuf>>) {
    for (name, paths) in held.iter().filter(|(name, _)| *name != DEFAULT_COLLECTION) {
        let paths = paths.iter().map(|path| format!("`{}`", path.display()));
        let paths = paths.collect::<Vec<_>>().join(", ");
        output::note(format_args!(
            "searching the collection `{name}`, which has {paths}"
        ));
    }
}

/// Gives a library that has no embedding model the one that made the vectors of what is searched, or
/// else the only one that was added, which makes those that are lacking.
async fn with_usual_embedder(
    library: Library,
    arguments: &SearchArguments,
) -> anyhow::Result<Library> {
    let collection = arguments.collection.as_deref();
    let library = with_added_embedder(library, collection).await?;
    if library.embedder().is_some() {
        return Ok(library);
    }
    let stored = library.totals().await?.models;
    let is_searched = |name: &str| collection.is_none_or(|collection| collection == name);
    if let Some((name, model)) = stored.iter().find(|(name, _)| is_searched(name)) {
        let model = &model.name;
        anyhow::bail!(
            "the vectors of `{name}` are of the model `{model}`: name it with --embedder, as ollama:NAME, \
             openai:NAME, http://HOST/v1#NAME or a folder, or search with --mode text"
        );
    }
    let name = only_added(ModelKind::Embedder)?.context(NEEDS_EMBEDDER)?;
    let library = with_named_embedder(library, &name).await?;
    if arguments.paths.is_empty() {
        embed(&library, collection, &name).await?;
    }
    Ok(library)
}

/// Makes the vectors of a collection, or of all.
async fn embed(library: &Library, collection: Option<&str>, model: &str) -> anyhow::Result<()> {
    let mut names = library.collections().await?;
    names.retain(|name| collection.is_none_or(|collection| collection == name));
    for name in &names {
        output::note(format_args!(
            "computing vectors for `{name}` with {model} (first time only)"
        ));
        let progress = Progress::new();
        let report = library.embed(name, &|event| progress.show(&event)).await?;
        ingest::warn_of_documents(&report.failed);
    }
    Ok(())
}

/// Returns where to search, after bringing it up to date.
async fn scope(
    library: &Library,
    named: Option<&str>,
    held: &BTreeMap<String, Vec<PathBuf>>,
) -> anyhow::Result<Scope> {
    if held.is_empty() {
        return Ok(named.map_or_else(Scope::all, Scope::collection));
    }
    for (collection, paths) in held {
        bring_up_to_date(library, collection, paths).await?;
    }
    let paths: Vec<PathBuf> = held.values().flatten().cloned().collect();
    Ok(library.scope(named, &paths)?)
}

async fn bring_up_to_date(
    library: &Library,
    collection: &str,
    paths: &[PathBuf],
) -> anyhow::Result<()> {
    let report = ingest::with_progress(library, collection, paths).await?;
    ingest::note_renewed(&report);
    ingest::note_removed(&report);
    if collection != DEFAULT_COLLECTION && report.added > 0 {
        output::note(format_args!(
            "{} added to the collection `{collection}`",
            output::count(report.added, "document")
        ));
    }
    ingest::report_read(&report);
    Ok(())
}

/// Says how many documents were searched, how many of these not as this release would, and how many are not there.
fn searched(read: usize, failed: usize, old: usize) -> String {
    let documents = output::count(read, "document");
    let old = match old {
        0 => String::new(),
        old => format!(
            ", {old} of them indexed by another release or with other settings: ingest them again"
        ),
    };
    let unread = match failed {
        0 => String::new(),
        count => format!(", and {count} could not be read"),
    };
    format!("{documents}{unread}{old}")
}

/// Returns whether there was nothing to search or nothing to find.
async fn explain_nothing(
    library: &Library,
    request: &SearchRequest,
    arguments: &SearchArguments,
) -> anyhow::Result<()> {
    if let Some(reason) = library.emptiness(&request.scope).await? {
        let is_of_paths = !arguments.paths.is_empty() && arguments.filters.filters.is_empty();
        if is_of_paths && matches!(reason, Emptiness::Scope | Emptiness::Store) {
            let paths = arguments
                .paths
                .iter()
                .map(|path| path.display().to_string());
            let paths = paths.collect::<Vec<_>>().join("`, `");
            output::note(format_args!(
                "nothing found: there are no documents in `{paths}`"
            ));
            return Ok(());
        }
        output::note(format_args!("nothing found: {}", with_way_out(&reason)));
        return Ok(());
    }
    let (failed, read): (Vec<_>, Vec<_>) = library
        .documents(&request.scope)
        .await?
        .into_iter()
        .partition(|document| document.status == Status::Failed && document.sections == 0);
    let is_old = |document: &&DocumentRecord| {
        !library.is_current(document) || was_read_by_older_loader(document)
    };
    let old = read.iter().filter(is_old).count();
    let searched = searched(read.len(), failed.len(), old);
    output::note(format_args!(
        "nothing found for `{}` in {searched}",
        shortened(&request.query, LONGEST_QUESTION)
    ));
    Ok(())
}

/// Returns the beginning of a text that has more characters than are shown: a question may be a whole log.
fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}\u{2026}", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_questions_and_notes_are_shown_in_part() {
        assert_eq!(shortened("\u{fc}ber", 4), "\u{fc}ber");
        assert_eq!(shortened("\u{fc}bers", 4), "\u{fc}ber\u{2026}");
    }

    #[test]
    fn documents_of_another_release_are_counted() {
        assert_eq!(searched(1, 0, 0), "1 document");
        assert_eq!(searched(3, 1, 0), "3 documents, and 1 could not be read");
        assert_eq!(
            searched(3, 0, 2),
            "3 documents, 2 of them indexed by another release or with other settings: ingest them again"
        );
    }
}
