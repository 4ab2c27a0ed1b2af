//! `sectile ingest`.

mod empty_paths;
mod report;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;
use sectile::sites::Error as SiteError;
use sectile::store::{DocumentRecord, Status, VectorEncoding};
use sectile::{
    DEFAULT_COLLECTION, HeldElsewhere, IngestEvent, IngestReport, Library, Scope, SiteOptions,
};

use super::{Outcome, for_shell, loader_of_ingest, open_with, store_url, with_added_embedder};
use crate::args::IngestArguments;
use crate::output;
use crate::progress::Progress;
use empty_paths::EmptyPaths;
pub(crate) use report::{
    note_removed, note_renewed, report_problems, report_read, summary, warn_of_documents,
};

pub(crate) async fn run(
    arguments: IngestArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let needs_model = arguments.int8 || arguments.replace_vectors;
    anyhow::ensure!(
        !needs_model || arguments.embedder.embedder.is_some(),
        "--int8 and --replace-vectors need a model; name one with --embedder all-MiniLM-L6-v2, or for \
         good with `sectile config set embedder all-MiniLM-L6-v2`; `sectile model add` gets one"
    );
    let url = store_url(store)?;
    anyhow::ensure!(
        !arguments.int8 || !url.starts_with("postgres"),
        "--int8 is for SQLite; leave it out, because Postgres stores four bytes per number"
    );
    let sources = sources(&arguments)?;
    check_for_sites(&sources, &arguments)?;
    let loader = loader_of_ingest(&arguments.reading)?;
    let mut library = open_with(Some(url), &arguments.embedder).await?;
    library = library
        .with_language(arguments.reading.language)
        .with_loader(loader)
        .with_options_kept(false);
    if arguments.int8 {
        library = library.with_vector_encoding(VectorEncoding::Int8);
    }
    if arguments.shared && library.store().jobs().is_none() {
        output::warning(format_args!(
            "this process reads all files, because --shared needs Postgres; name a database with --store"
        ));
    }
    let start = Instant::now();
    let mut report = IngestReport::default();
    for source in sources {
        if let (None, What::Paths(paths)) = (&arguments.collection, &source.what) {
            note_held_elsewhere(&library, paths).await?;
        }
        if may_have_documents(&source.what) {
            prepare(&library, &source.collection, &arguments).await?;
        }
        // Vectors of an added model are kept up to date without its being named.
        let library = with_added_embedder(library.clone(), Some(&source.collection)).await?;
        let done = ingest(&library, &source, &arguments).await?;
        report.extend(done);
        if library.embedder().is_none() {
            note_waiting(&library, &source.collection).await?;
        }
    }
    note_renewed(&report);
    let printed = if json {
        output::value(&report)
    } else {
        report_problems(&report);
        output::text(&summary(&report, start.elapsed()))
    };
    output::reported(printed)?;
    Ok(outcome(&report))
}

/// The sources of one collection.
struct Source {
    collection: String,
    what: What,
}

enum What {
    Paths(Vec<PathBuf>),
    Site {
        url: String,
        /// The name as typed.
        name: String,
    },
}

/// Tells paths from web sites. Paths go first, together.
fn sources(arguments: &IngestArguments) -> anyhow::Result<Vec<Source>> {
    let named = arguments.collection.as_ref();
    let (mut paths, mut sources) = (Vec::new(), Vec::new());
    for source in &arguments.sources {
        match sectile::Source::of(source) {
            sectile::Source::Path(path) => paths.push(path),
            sectile::Source::Site(url) => sources.push(Source {
                collection: named
                    .map_or_else(|| sectile::site_collection(&url), |it| Ok(it.clone()))?,
                what: What::Site {
                    url,
                    name: source.display().to_string(),
                },
            }),
        }
    }
    if !paths.is_empty() {
        let collection = named.map_or(DEFAULT_COLLECTION, String::as_str).to_owned();
        let what = What::Paths(paths);
        sources.insert(0, Source { collection, what });
    }
    Ok(sources)
}

/// Refuses options for sites where none is given, and those for files where a site is.
fn check_for_sites(sources: &[Source], arguments: &IngestArguments) -> anyhow::Result<()> {
    let is_site = |source: &Source| matches!(source.what, What::Site { .. });
    if sources.iter().any(is_site) {
        anyhow::ensure!(
            !arguments.shared,
            "--shared is for files, and a web site is given; ingest the site separately, with one process"
        );
        return Ok(());
    }
    let options = &arguments.site;
    let typed = [
        ("--crawl", options.crawl),
        ("--page", options.page),
        ("--optional", options.optional),
        ("--allow-private", options.allow_private.is_some()),
        ("--max-pages", options.max_pages.is_some()),
    ];
    match typed.iter().find(|(_, is_typed)| *is_typed) {
        Some((name, _)) => bail!(
            "{name} is for web sites, and only paths are given; write a site as https://HOST/PATH"
        ),
        None => Ok(()),
    }
}

/// Returns whether there is anything to ingest: of paths, one that is there.
fn may_have_documents(what: &What) -> bool {
    match what {
        What::Paths(paths) => paths.iter().any(|path| path.exists()),
        What::Site { .. } => true,
    }
}

/// Notes which paths go into the default collection though another one has them.
pub(crate) async fn note_held_elsewhere(
    library: &Library,
    paths: &[PathBuf],
) -> anyhow::Result<()> {
    for message in held_elsewhere(library, paths, "--collection").await? {
        output::note(format_args!("{message}"));
    }
    Ok(())
}

/// Returns a message for each path that only a collection other than the default one has. `option` names the collection.
pub(crate) async fn held_elsewhere(
    library: &Library,
    paths: &[PathBuf],
    option: &str,
) -> anyhow::Result<Vec<String>> {
    let held = library.held_elsewhere(paths).await?;
    let message = |held: HeldElsewhere| {
        let name = &held.collection;
        format!(
            "{held}; to update `{name}`, add `{option} {}`",
            for_shell(name)
        )
    };
    Ok(held.into_iter().map(message).collect())
}

/// Sets what a collection is asked to have before anything goes into it.
async fn prepare(
    library: &Library,
    collection: &str,
    arguments: &IngestArguments,
) -> anyhow::Result<()> {
    if let Some(fields) = &arguments.key {
        library.declare_key(collection, fields).await?;
    }
    if arguments.replace_vectors {
        library.remove_vectors(collection).await?;
    }
    Ok(())
}

async fn ingest(
    library: &Library,
    source: &Source,
    arguments: &IngestArguments,
) -> anyhow::Result<IngestReport> {
    let (url, name) = match &source.what {
        What::Paths(paths) => {
            return ingest_paths(library, &source.collection, paths, arguments.shared).await;
        }
        What::Site { url, name } => (url, name),
    };
    let arguments = &arguments.site;
    let options = SiteOptions::default();
    let max_pages = arguments.max_pages.unwrap_or(options.max_pages);
    let options = options
        .with_crawl(arguments.crawl)
        .with_page_only(arguments.page)
        .with_optional(arguments.optional)
        .with_private(arguments.allow_private.is_some())
        .with_private_hosts(arguments.allow_private.iter().flatten())?
        .with_max_pages(max_pages);
    let progress = Progress::new();
    let on_event = |event| progress.show(&event);
    let collection = Some(source.collection.as_str());
    match library
        .ingest_site(collection, url, &options, &on_event)
        .await
    {
        // One site that is down takes nothing from the others.
        Err(sectile::Error::Site(error)) => Ok(of_failed(url, name, &error)),
        report => Ok(report?),
    }
}

fn of_failed(url: &str, name: &str, error: &sectile::sites::Error) -> IngestReport {
    let failed = match error {
        SiteError::NoHost { .. } if !name.contains("://") => {
            let reason = "there is no such file, and no host of that name can be found";
            (name.to_owned(), reason.to_owned())
        }
        _ => (without_credentials(url), sectile::error_chain(error)),
    };
    IngestReport {
        failed: vec![failed],
        ..IngestReport::default()
    }
}

/// Returns an address as it is shown: without the user and the password in it.
fn without_credentials(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.to_owned();
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let end = host.rfind('@').map_or(0, |at| at + 1);
    format!("{scheme}://{}", &rest[end..])
}

/// Ingests paths; of several, one that is not there takes nothing from the others.
async fn ingest_paths(
    library: &Library,
    collection: &str,
    paths: &[PathBuf],
    is_shared: bool,
) -> anyhow::Result<IngestReport> {
    if paths.len() == 1 {
        return bring(library, collection, paths, is_shared).await;
    }
    let (mut there, mut failed) = (Vec::new(), Vec::new());
    for path in paths {
        match library.scope(Some(collection), std::slice::from_ref(path)) {
            Err(sectile::Error::Path { path, source }) => {
                let left = what_is_left(library, Some(collection), &path, &source).await?;
                let reason = left.unwrap_or_else(|| source.to_string());
                failed.push((path.display().to_string(), reason));
            }
            resolved => {
                resolved?;
                there.push(path.clone());
            }
        }
    }
    let mut report = bring(library, collection, &there, is_shared).await?;
    report.failed.extend(failed);
    Ok(report)
}

/// Ingests paths with a progress bar.
pub(crate) async fn with_progress(
    library: &Library,
    collection: &str,
    paths: &[PathBuf],
) -> anyhow::Result<IngestReport> {
    bring(library, collection, paths, false).await
}

/// Ingests paths with a progress bar, alone or with other processes, and notes in which of them there is nothing to
/// read.
async fn bring(
    library: &Library,
    collection: &str,
    paths: &[PathBuf],
    is_shared: bool,
) -> anyhow::Result<IngestReport> {
    let (progress, empty) = (Progress::new(), EmptyPaths::of(paths));
    let on_event = |event: IngestEvent| {
        empty.note(&event);
        progress.show(&event);
    };
    let report = if is_shared {
        library.ingest_shared(collection, paths, &on_event).await
    } else {
        library.ingest(collection, paths, &on_event).await
    };
    drop(progress);
    let report = match report {
        Err(error) => return Err(with_what_is_left(library, Some(collection), error).await?),
        report => report?,
    };
    // There are no events of files that another process reads, or cannot read.
    if !is_shared || report.documents() + report.failed.len() == 0 {
        note_empty(&empty.finish());
    }
    Ok(report)
}

/// Adds to an error about a path that is gone how many documents the store still has of it, in a collection or in all.
pub(crate) async fn with_what_is_left(
    library: &Library,
    collection: Option<&str>,
    error: sectile::Error,
) -> anyhow::Result<anyhow::Error> {
    let sectile::Error::Path { path, source } = &error else {
        return Ok(error.into());
    };
    let left = what_is_left(library, collection, path, source).await?;
    Ok(match left {
        Some(says) => anyhow::Error::from(error).context(says),
        None => error.into(),
    })
}

/// Says how many documents the store has of a path that is gone; nothing if it has none.
async fn what_is_left(
    library: &Library,
    collection: Option<&str>,
    path: &Path,
    error: &std::io::Error,
) -> anyhow::Result<Option<String>> {
    if error.kind() != ErrorKind::NotFound {
        return Ok(None);
    }
    let name = path.display().to_string();
    let uri = sectile::path_uri(path)?;
    let folder = format!("{}/", uri.trim_end_matches('/'));
    let scope = collection.map_or_else(Scope::all, Scope::collection);
    let scope = scope.with_uri(&uri).with_prefix(&folder);
    let left = library.documents(&scope).await?.len();
    Ok((left > 0).then(|| {
        let count = output::count(left, "document");
        format!(
            "`{name}` is gone, and the store still has {count} from it; `sectile rm {}` removes them",
            for_shell(&name)
        )
    }))
}

/// Notes in which paths there is nothing to read.
fn note_empty(paths: &[PathBuf]) {
    if paths.is_empty() {
        return;
    }
    let names: Vec<_> = paths
        .iter()
        .map(|path| format!("`{}`", path.display()))
        .collect();
    output::note(format_args!(
        "no files to read in {}; links are not followed, and hidden and ignored files are left out",
        names.join(", ")
    ));
}

/// Notes that documents wait for vectors, because no model is named.
async fn note_waiting(library: &Library, collection: &str) -> anyhow::Result<()> {
    let totals = library.totals().await?;
    let Some(model) = totals.models.get(collection) else {
        return Ok(());
    };
    let documents = library.documents(&Scope::collection(collection)).await?;
    let is_waiting = |document: &&DocumentRecord| document.status == Status::Processing;
    let waiting = documents.iter().filter(is_waiting).count();
    if waiting > 0 {
        output::note(format_args!(
            "{} without vectors of `{}`; ingest with --embedder to add them",
            output::count(waiting, "document"),
            model.name
        ));
    }
    Ok(())
}

fn outcome(report: &IngestReport) -> Outcome {
    if !report.failed.is_empty() {
        Outcome::SomeFailed
    } else if report.documents() + report.removed + report.kept.len() == 0 {
        Outcome::NothingFound
    } else {
        Outcome::Done
    }
}

/// Returns the paths of files and folders, for a command that takes no web sites.
pub(crate) fn files(names: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let path = |name: &PathBuf| match sectile::Source::of(name) {
        sectile::Source::Path(path) => Ok(path),
        sectile::Source::Site(_) => {
            let name = without_credentials(&name.display().to_string());
            anyhow::bail!(
                "`{name}` is a web site, and this command reads only files and folders; `sectile ingest {name}` adds or \
                 updates it"
            )
        }
    };
    names.iter().map(path).collect()
}
