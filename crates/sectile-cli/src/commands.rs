//! One module for each command.

pub(crate) mod checkpoint;
pub(crate) mod chunk;
pub(crate) mod collection;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod eval;
pub(crate) mod extract;
pub(crate) mod get;
pub(crate) mod ingest;
mod input;
pub(crate) mod list;
pub(crate) mod load;
mod load_options;
pub(crate) mod mcp;
pub(crate) mod memory;
pub(crate) mod model;
mod named;
pub(crate) mod note;
pub(crate) mod rm;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod status;
mod store_file;
pub(crate) mod toc;
pub(crate) mod tree;
pub(crate) mod watch;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;
use etcetera::BaseStrategy as _;
use sectile::chunk::Error as ChunkError;
use sectile::core::Document;
use sectile::load::{
    DocxOptions, FileLoader, HtmlOptions, Limits, LoadOptions, OcrOptions, PdfOptions, Workers,
    omissions,
};
use sectile::models::{Error as ModelError, ModelKind};
use sectile::{Emptiness, Library, Scope};

use crate::args::{
    ChatArguments, EmbedderArguments, FilterArguments, IngestArguments, LOAD_WORKER,
    LimitArguments, LoadArguments, RerankArguments,
};
use crate::output;
pub(crate) use store_file::{is_foreign, is_missing};

/// How a command that did not fail ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    NothingFound,
    /// Some of the files that were asked for could not be used; each was named.
    SomeFailed,
    /// The user ended it.
    Interrupted,
}

/// Opens the store that the user named, or the default one. A command that fails or changes nothing does not create it.
/// Files are read again with the options of their last ingest.
pub(crate) async fn open(store: Option<String>) -> anyhow::Result<Library> {
    let library = Library::open_lazily(&store_url(store)?).await?;
    let library = library.with_loader(isolated(LoadOptions::default())?);
    Ok(library.with_options_kept(true))
}

/// Opens the store for a command that only reads it. The file is neither changed nor created.
pub(crate) async fn open_to_read(store: Option<String>) -> anyhow::Result<Library> {
    let library = Library::open_to_read(&store_url(store)?).await?;
    Ok(library.with_loader(isolated(LoadOptions::default())?))
}

/// Opens the store as [`open`] does, with an embedding model if one is named.
pub(crate) async fn open_with(
    store: Option<String>,
    arguments: &EmbedderArguments,
) -> anyhow::Result<Library> {
    with_embedder(open(store).await?, arguments).await
}

/// Gives a library the embedding model that is named, if one is.
pub(crate) async fn with_embedder(
    library: Library,
    arguments: &EmbedderArguments,
) -> anyhow::Result<Library> {
    let Some(name) = &arguments.embedder else {
        return Ok(library);
    };
    with_named_embedder(library, name).await
}

/// Gives a library the embedding model of a name.
async fn with_named_embedder(library: Library, name: &str) -> anyhow::Result<Library> {
    let embedder = sectile::open_embedder(name, api_key(name).as_deref()).await;
    let embedder = embedder.map_err(|error| with_server_named(error, name))?;
    Ok(library.with_embedder(embedder))
}

/// Adds to an error of an embedding model how its server is started, where that is not there.
fn with_server_named(error: sectile::Error, name: &str) -> anyhow::Error {
    if let Some(model) = name.strip_prefix("ollama:") {
        // Its text alone: nothing else is advised about it.
        return anyhow::anyhow!(sectile::error_chain(&error)).context(format!(
            "Ollama does not serve `{model}`. Start it with `ollama serve`, then run `ollama pull {model}`"
        ));
    }
    match error {
        sectile::Error::Model(ModelError::Unreachable { .. }) => {
            anyhow::anyhow!("{error}. Start it, or correct --embedder")
        }
        error => error.into(),
    }
}

/// Names the only model of a kind that was added, or says how one of several is chosen.
pub(crate) fn only_added(kind: ModelKind) -> anyhow::Result<Option<String>> {
    let kind_name = kind.name();
    sectile::only_added(kind).map_err(|error| match error {
        sectile::Error::Model(ModelError::Configuration { .. }) => anyhow::anyhow!(
            "{error} with --{kind_name}, or for good with `sectile config set {kind_name} NAME`"
        ),
        error => error.into(),
    })
}

/// Gives a library that has no embedding model the added one that made the vectors of a collection, or
/// of all.
pub(crate) async fn with_added_embedder(
    library: Library,
    collection: Option<&str>,
) -> anyhow::Result<Library> {
    if library.embedder().is_some() {
        return Ok(library);
    }
    match library.added_embedder(collection).await? {
        Some(name) => with_named_embedder(library, &name).await,
        None => Ok(library),
    }
}

/// Gives a library the reranking model that is named, or else the only one that was added.
pub(crate) fn with_reranker(
    library: Library,
    name: Option<&str>,
    arguments: &RerankArguments,
) -> anyhow::Result<Library> {
    let name = match name {
        Some(name) => Some(name.to_owned()),
        None => only_added(ModelKind::Reranker)?,
    };
    let name = name.context(
        "this needs a reranking model; `sectile model add ms-marco-MiniLM-L6-v2` gets one, or name one \
         with --rerank=http://HOST/v1#NAME",
    )?;
    let model = sectile::open_reranker(&name, api_key(&name).as_deref())?;
    Ok(library.with_reranker(model, arguments.options()))
}

/// Gives a library the chat model that is named.
pub(crate) fn with_chat_model(
    library: Library,
    arguments: &ChatArguments,
) -> anyhow::Result<Library> {
    let name = arguments.chat_model.as_ref();
    let name = name.context(
        "this needs a chat model; name one with --chat-model ollama:NAME, openai:NAME or http://HOST/v1#NAME",
    )?;
    let model = sectile::open_chat_model(name, api_key(name).as_deref())?;
    Ok(library.with_chat_model(model))
}

/// Returns the API key for the server of a model. It is not an argument, because other users can see
/// arguments. The key of a company is sent only to that company.
fn api_key(model: &str) -> Option<String> {
    let theirs = [
        ("openai:", "OPENAI_API_KEY"),
        ("cohere:", "CO_API_KEY"),
        ("jina:", "JINA_API_KEY"),
    ];
    let theirs = theirs
        .into_iter()
        .filter(|(prefix, _)| model.starts_with(prefix));
    let mut names = vec!["SECTILE_API_KEY"];
    names.extend(theirs.map(|(_, name)| name));
    let key = |name| std::env::var(name).ok().filter(|key| !key.is_empty());
    names.into_iter().find_map(key)
}

/// Narrows a scope by the filters that were typed.
pub(crate) fn narrowed(scope: Scope, arguments: &FilterArguments) -> anyhow::Result<Scope> {
    let filters = arguments.filters.iter();
    let narrowed = filters
        .into_iter()
        .try_fold(scope, |scope, filter| scope.with_filter(filter));
    Ok(narrowed?)
}

/// Makes the loader that a command's arguments describe.
pub(crate) fn loader(arguments: &LoadArguments) -> anyhow::Result<FileLoader> {
    let mut options = LoadOptions {
        pdf: PdfOptions {
            password: arguments.password.clone(),
            pages: arguments.pages.clone(),
            guess_headings: !arguments.no_guessed_headings,
            drop_running_lines: !arguments.keep_running_lines,
            comments: arguments.comments,
            ocr: ocr(arguments.ocr.as_deref())?,
        },
        docx: DocxOptions {
            headers_and_footers: arguments.headers_and_footers,
            comments: arguments.comments,
        },
        html: HtmlOptions {
            main_only: !arguments.whole_page,
        },
        ..LoadOptions::default()
    };
    limit(&mut options.limits, &arguments.limits);
    isolated(options)
}

/// Finds what recognizes text in these languages, if it was asked for.
fn ocr(languages: Option<&str>) -> anyhow::Result<Option<OcrOptions>> {
    let Some(languages) = languages else {
        return Ok(None);
    };
    let found = OcrOptions::find(languages);
    let found = found.context(
        "--ocr needs tesseract, which is not installed; install it, for example with \
         `apt install tesseract-ocr` or `brew install tesseract`",
    )?;
    Ok(Some(found))
}

/// Makes the loader that the arguments of an ingest describe.
pub(crate) fn loader_of_ingest(arguments: &IngestArguments) -> anyhow::Result<FileLoader> {
    let mut options = LoadOptions::default();
    options.pdf.ocr = ocr(arguments.ocr.as_deref())?;
    options.pdf.password.clone_from(&arguments.password);
    options.html.main_only = !arguments.whole_page;
    limit(&mut options.limits, &arguments.limits);
    isolated(options)
}

/// Sets how large and slow files may be.
fn limit(limits: &mut Limits, arguments: &LimitArguments) {
    *limits = limits.with_file_bytes(arguments.max_file_size);
    limits.time = Duration::from_secs(arguments.timeout);
    limits.memory = arguments.max_memory;
}

/// Says what a reader sees in a file and its text does not have.
pub(crate) fn warn_of_omissions(file: &Path, document: &Document) {
    for omitted in omissions(&document.metadata) {
        let omitted = with_options_typed(&omitted);
        output::warning(format_args!("{}: {omitted}", file.display()));
    }
}

/// The message if the command that starts another process of this program is unknown.
const NO_HOST: &str = "`sys.executable` is not Python's own program, in which files that may be hostile are parsed: set it \
                       before `sectile` is imported; a frozen program has none";

/// Makes workers that are processes of this program.
pub(crate) fn workers() -> std::io::Result<Workers> {
    let Some(host) = crate::HOST.get() else {
        return Workers::of_this_program(LOAD_WORKER);
    };
    let (program, rest) = host
        .split_first()
        .ok_or_else(|| std::io::Error::other(NO_HOST))?;
    let (program, rest) = (program.clone(), rest.to_vec());
    Ok(Workers::new(move || {
        let mut command = Command::new(&program);
        command.args(&rest).arg(LOAD_WORKER);
        command
    }))
}

/// Makes a loader that parses in processes of this program what may be hostile.
fn isolated(options: LoadOptions) -> anyhow::Result<FileLoader> {
    let workers = workers().context("cannot find out the path of this program")?;
    Ok(FileLoader::new(options).with_workers(workers))
}

/// Parses files for the process that started this one.
pub(crate) fn load_worker() -> anyhow::Result<Outcome> {
    sectile::load::serve(std::io::stdin().lock(), std::io::stdout())?;
    Ok(Outcome::Done)
}

/// Returns the address of the store to use.
pub(crate) fn store_url(store: Option<String>) -> anyhow::Result<String> {
    store.map_or_else(default_store, Ok)
}

/// Adds to an error of the store which one it is, and the way out.
pub(crate) fn with_store_named(error: anyhow::Error, store: Option<String>) -> anyhow::Error {
    use sectile::store::Error as Store;
    let (Some(found), Ok(url)) = (of_store(&error), store_url(store)) else {
        return error;
    };
    let url = sectile::shown_url(&url);
    match found {
        Store::Damaged { .. } => error.context(format!(
            "the store {url} is damaged; move it away and ingest again (`sectile doctor` says whether it has \
             checkpoints, which can only be restored from a backup)"
        )),
        Store::Corrupt { .. } => {
            let remedy = sectile::store_remedy(found).unwrap_or_default();
            error.context(format!("the store {url} is damaged; {remedy}"))
        }
        Store::Unavailable { .. }
        | Store::Full { .. }
        | Store::PreparedStatements { .. }
        | Store::NewerSchema { .. }
        | Store::Backend { .. } => error.context(format!("cannot use the store {url}")),
        _ => error,
    }
}

/// Adds to an error of the library the command or the option that helps.
pub(crate) fn with_command_named(error: anyhow::Error) -> anyhow::Error {
    let said = match (error.downcast_ref(), error.downcast_ref()) {
        (Some(error), _) => said_here(error),
        (_, Some(unjudged @ sectile_eval::Error::Unjudged { .. })) => {
            Some(format!("{unjudged} with --qrels"))
        }
        (_, Some(sectile_eval::Error::NoDocuments { reason })) => Some(with_way_out(reason)),
        _ => said_by_others(&error),
    };
    said.map_or(error, anyhow::Error::msg)
}

/// Returns how a message of the checkpoints or of a server reads here, where a command or an option helps.
fn said_by_others(error: &anyhow::Error) -> Option<String> {
    use sectile::checkpoint::Error::NotFound;
    if let Some(NotFound { thread_id, seq }) = error.downcast_ref() {
        let lists = match seq {
            Some(_) => format!("list {}` lists its checkpoints", for_shell(thread_id)),
            None => "threads` lists all".to_owned(),
        };
        return Some(format!("{error:#}; `sectile checkpoint {lists}"));
    }
    let open: &sectile_web::GuardError = error.downcast_ref()?;
    let with_option = "give a token with `--token-file`";
    matches!(open, sectile_web::GuardError::NoToken { .. })
        .then(|| open.to_string().replace("give a token", with_option))
}

/// Returns how a message of the library reads here, where a document has a shorter name or a command helps.
fn said_here(error: &sectile::Error) -> Option<String> {
    use sectile::Error::{
        AmbiguousDocument, NoSuchHeading, NoSuchLines, NoSuchPages, NotIngested, Settings,
    };
    let said = error.to_string();
    let named = match error {
        Settings(ChunkError::InvalidConfig { option, reason }) => {
            Some(format!("`{}` {reason}", chunk_option_typed(option)))
        }
        NotIngested { uri }
        | AmbiguousDocument { uri, .. }
        | NoSuchHeading { uri, .. }
        | NoSuchLines { uri, .. }
        | NoSuchPages { uri, .. } => Some(said.replacen(uri, &output::document_name(uri), 1)),
        _ => None,
    };
    match (named, advice(error)) {
        (named, Some(advice)) => Some(named.unwrap_or(said) + &advice),
        (named, None) => named,
    }
}

/// Returns the rest of a message of the library, if a command or an option helps.
fn advice(error: &sectile::Error) -> Option<String> {
    use sectile::store::Error as Store;
    Some(match error {
        sectile::Error::NotIngested { uri } => match sectile::document_path(uri) {
            Some(path) if !path.exists() => {
                ", and there is no such file; `sectile list` shows all documents".to_owned()
            }
            Some(_) => added_by(&for_shell(&output::document_name(uri))),
            None if is_page(uri) => added_by(&format!("--page {}", for_shell(uri))),
            None => "; `sectile list` shows all documents".to_owned(),
        },
        sectile::Error::NoSuchHeading { similar, .. } if similar.is_empty() => {
            "; `sectile toc` lists its headings".to_owned()
        }
        sectile::Error::NoSuchHeading { .. } => " `sectile toc` lists all".to_owned(),
        sectile::Error::AmbiguousDocument { .. } => " with `--collection NAME`".to_owned(),
        sectile::Error::NoSuchPages { pages: 0, .. } => " with `--lines`".to_owned(),
        sectile::Error::AmbiguousHeading { .. } => {
            "\nWrite more of its path, as in --heading 'A > B', or its id after --section"
                .to_owned()
        }
        sectile::Error::NoSuchSection { .. } => {
            "; `sectile toc DOCUMENT --json` shows the ids of its sections".to_owned()
        }
        sectile::Error::Model(ModelError::Unreachable { .. }) => {
            ". Start it, or correct its address".to_owned()
        }
        sectile::Error::Model(ModelError::NotAdded { model }) => {
            format!("; `sectile model add {model}` adds it, `sectile model list` shows all models")
        }
        sectile::Error::Store(Store::OtherModel { .. }) => {
            " with `ingest --replace-vectors`".to_owned()
        }
        sectile::Error::Store(Store::OtherEncoding { .. }) => {
            ": leave out `--int8`, or add `--replace-vectors`".to_owned()
        }
        _ => return None,
    })
}

fn is_page(uri: &str) -> bool {
    uri.starts_with("http://") || uri.starts_with("https://")
}

/// Says which ingest adds what is not in the store.
fn added_by(arguments: &str) -> String {
    format!("; `sectile ingest {arguments}` adds it, `sectile list` shows all documents")
}

/// Writes a name as a shell reads it.
pub(crate) fn for_shell(name: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+:@%,=".contains(letter);
    if name.chars().all(is_plain) {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', "'\\''"))
    }
}

/// What the library calls its options in messages, and what is typed for them here.
const TYPED: [(&str, &str); 12] = [
    ("`ocr`", "`--ocr`"),
    ("`comments`", "`extract --comments`"),
    ("`whole_page`", "`--whole-page`"),
    ("`max_pages", "`--max-pages"),
    ("`optional`", "`--optional`"),
    ("`allow_private=", "`--allow-private="),
    ("`page`", "`--page`"),
    ("`crawl`", "`--crawl`"),
    ("turn `pgbouncer` on", "add `--pgbouncer`"),
    ("raise the limit of file sizes", "raise `--max-file-size`"),
    ("raise the time limit", "raise `--timeout`"),
    ("raise the memory limit", "raise `--max-memory`"),
];

/// Replaces the library's names of options in a message by those of the command line.
pub(crate) fn with_options_typed(reason: &str) -> String {
    TYPED
        .iter()
        .fold(reason.to_owned(), |reason, (name, typed)| {
            reason.replace(name, typed)
        })
}

/// Writes an option of `chunk` that the library names as it is typed.
fn chunk_option_typed(option: &str) -> String {
    match option {
        "separators" => "--separator".to_owned(),
        "keep_white_space" => "--no-trim".to_owned(),
        other => format!("--{}", other.replace('_', "-")),
    }
}

/// Returns the error of the store that an error is, or comes from.
pub(crate) fn of_store(error: &anyhow::Error) -> Option<&sectile::store::Error> {
    error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(sectile::Error::Store(error)) => Some(error),
        _ => cause.downcast_ref(),
    })
}

/// Says why there is nothing, and what to do where a command helps.
pub(crate) fn with_way_out(reason: &Emptiness) -> String {
    match reason {
        Emptiness::Store => format!("{reason}; `sectile ingest` adds some"),
        _ => reason.to_string(),
    }
}

fn default_store() -> anyhow::Result<String> {
    let folders = etcetera::choose_base_strategy()
        .context("cannot find your data directory; name a store with --store sqlite:PATH")?;
    let file = folders.data_dir().join("sectile").join("sectile.db");
    Ok(format!("sqlite:{}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_web_page_is_added_as_one() {
        let said = |uri: &str| {
            let uri = uri.to_owned();
            advice(&sectile::Error::NotIngested { uri }).unwrap()
        };
        for page in ["http://example.org/a", "https://example.org/a"] {
            let adds = format!("`sectile ingest --page {page}` adds it");
            assert!(said(page).contains(&adds), "{}", said(page));
        }
        for other in ["httpd-notes", "httpd-notes:1", "memory:1"] {
            let lists = "; `sectile list` shows all documents";
            assert_eq!(said(other), lists, "{other}");
        }
    }

    #[test]
    fn a_server_that_is_out_of_reach_is_advised_about_once() {
        let error = || {
            sectile::Error::Model(ModelError::Unreachable {
                model: "m".to_owned(),
                address: "http://host/v1".to_owned(),
                reason: "connection refused".to_owned(),
            })
        };
        let said = |name: &str| {
            let error = with_command_named(with_server_named(error(), name));
            format!("{error:#}")
        };
        let cause = "cannot reach the model server http://host/v1: connection refused";
        assert_eq!(
            said("http://host/v1#m"),
            format!("{cause}. Start it, or correct --embedder")
        );
        assert_eq!(
            said("ollama:m"),
            format!(
                "Ollama does not serve `m`. Start it with `ollama serve`, then run `ollama pull m`: {cause}"
            )
        );
    }

    #[test]
    fn options_are_named_as_they_are_typed() {
        let check = |reason: &str, expected: &str| {
            assert_eq!(with_options_typed(reason), expected);
        };
        check("`max_pages=12` reads them", "`--max-pages=12` reads them");
        check(
            "`allow_private=h` allows it",
            "`--allow-private=h` allows it",
        );
        check("`page.md` is gone", "`page.md` is gone");
        check(
            &sectile::checkpoint::Error::PreparedStatements {
                source: "SQLSTATE 26000".into(),
            }
            .to_string(),
            "a prepared statement is not that of this connection: behind a pooler in transaction mode, such as \
             PgBouncer, add `--pgbouncer`",
        );
        let slow = sectile::load::Error::TimedOut {
            path: "a.pdf".into(),
            limit: Duration::from_secs(9),
        };
        check(
            &slow.to_string(),
            "a.pdf takes longer than 9 s to load; if you trust it, raise `--timeout` or split it",
        );
    }
}
