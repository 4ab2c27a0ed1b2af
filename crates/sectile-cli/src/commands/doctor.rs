//! `sectile doctor`.

mod contents;
mod models;

use std::fmt::Write as _;
use std::path::Path;

use sectile::checkpoint::{self, ThreadQuery};
use sectile::core::EmbeddingModel;
use sectile::load::LoadOptions;
use sectile::store::Error::Damaged;
use sectile::store::{DocumentRecord, FoundDocument, Health, Status, Totals};
use sectile::{
    CheckpointOptions, Checkpoints, Library, is_being_repaired, was_read_by_older_loader,
};
use serde::Serialize;

use super::{
    Outcome, is_foreign, is_missing, isolated, of_store, set_languages, store_url, with_languages,
};
use crate::args::DoctorArguments;
use crate::output;
use crate::settings::{self, Settings};

/// The result of one check.
#[derive(Serialize)]
struct Finding {
    what: &'static str,
    state: State,
    says: String,
    /// What to do about it.
    advice: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Fine,
    Warning,
    Problem,
}

impl Finding {
    fn fine(what: &'static str, says: impl Into<String>) -> Self {
        Self {
            what,
            state: State::Fine,
            says: says.into(),
            advice: None,
        }
    }

    fn warning(what: &'static str, says: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            what,
            state: State::Warning,
            says: says.into(),
            advice: Some(advice.into()),
        }
    }

    fn problem(what: &'static str, error: &anyhow::Error, advice: impl Into<String>) -> Self {
        Self {
            what,
            state: State::Problem,
            says: format!("{error:#}"),
            advice: Some(advice.into()),
        }
    }
}

pub(crate) async fn run(
    arguments: DoctorArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let settings = Settings::load();
    if let Ok(settings) = &settings {
        set_languages(settings.languages.clone());
    }
    let mut findings = vec![program(), configuration(&settings), loading()];
    let settings = settings.unwrap_or_default();
    let store = store.or_else(|| settings.store.clone());
    let is_compared = arguments.deep || arguments.repair;
    findings.extend(look_at_store(store.clone(), is_compared).await);
    if is_compared {
        findings.push(contents::compared(store.clone(), arguments.repair).await);
    }
    let (checkpoints, has_checkpoints) = checkpoints(store.clone()).await;
    if has_checkpoints {
        remember_checkpoints(&mut findings);
    }
    findings.push(checkpoints);
    findings.extend(models::checked(&arguments, &settings, store).await);
    output::reported(if json {
        output::value(&findings)
    } else {
        output::text(&findings.iter().map(drawn).collect::<String>())
    })?;
    let has_problem = |finding: &Finding| finding.state == State::Problem;
    Ok(if findings.iter().any(has_problem) {
        Outcome::SomeFailed
    } else {
        Outcome::Done
    })
}

/// Adds to the advice to begin anew what becomes of checkpoints.
fn remember_checkpoints(findings: &mut [Finding]) {
    for advice in findings
        .iter_mut()
        .filter_map(|finding| finding.advice.as_mut())
    {
        if *advice == START_AFRESH {
            *advice = format!("{START_AFRESH}; {RESTORE_CHECKPOINTS}");
        }
    }
}

fn drawn(finding: &Finding) -> String {
    let (style, mark) = match finding.state {
        State::Fine => (output::DIM, "ok"),
        State::Warning => (output::WARNING, "warning"),
        State::Problem => (output::ERROR, "problem"),
    };
    let says = finding.says.replace('\n', &format!("\n{:24}", ""));
    let mut text = format!("{style}{mark:<7}{style:#}  {:<13}  {says}\n", finding.what);
    if let Some(advice) = &finding.advice {
        let _ = writeln!(text, "{:24}→ {advice}", "");
    }
    text
}

fn program() -> Finding {
    let local = if cfg!(feature = "local") {
        "with models in the process"
    } else {
        "without models in the process"
    };
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let version = env!("CARGO_PKG_VERSION");
    Finding::fine(
        "program",
        format!("sectile {version} for {os} on {arch}, {local}"),
    )
}

fn configuration(settings: &anyhow::Result<Settings>) -> Finding {
    let path = match settings::path() {
        Ok(path) => path,
        Err(error) => return Finding::problem("configuration", &error, "set SECTILE_CONFIG"),
    };
    match settings {
        Ok(_) if path.exists() => Finding::fine("configuration", path.display().to_string()),
        Ok(_) => Finding::fine("configuration", format!("none at {}", path.display())),
        Err(error) => Finding::problem(
            "configuration",
            error,
            "fix the file. `sectile config --help` lists the settings",
        ),
    }
}

/// Has a worker process parse a web page, which is how hostile files are kept out of this one.
fn loading() -> Finding {
    let page = b"<!doctype html><title>t</title><body><main><h1>Here</h1></main></body>";
    let load = || -> anyhow::Result<bool> {
        let loader = isolated(LoadOptions::default())?;
        let document = loader.load_bytes(page, Path::new("page.html"))?;
        Ok(document.text.contains("Here"))
    };
    match load() {
        Ok(true) => Finding::fine("loading", "worker processes parse files"),
        Ok(false) => Finding::warning("loading", "a page came back empty", "report this"),
        Err(error) => Finding::problem(
            "loading",
            &error,
            "allow this program to start itself, and raise memory limits to 4 GiB",
        ),
    }
}

/// Describes the store and its contents. If all documents are compared afterwards, unreadable ones are left to that.
async fn look_at_store(store: Option<String>, is_compared: bool) -> Vec<Finding> {
    let url = match store_url(store) {
        Ok(url) => url,
        Err(error) => return vec![Finding::problem("store", &error, "set SECTILE_STORE")],
    };
    if is_missing(&url) {
        let says = format!("{url} does not exist yet");
        let advice = "create it with `sectile ingest PATH`";
        return vec![Finding::warning("store", says, advice)];
    }
    match store_findings(&url, is_compared).await {
        Ok(findings) => findings,
        Err(error) => {
            let advice = match error.downcast_ref() {
                Some(sectile::Error::StoreUrl { .. }) => NAME_STORE,
                _ => of_store(&error).map_or(store_advice(&url), |error| advice_on(error, &url)),
            };
            let error = error.context(format!("cannot use {}", sectile::shown_url(&url)));
            vec![Finding::problem("store", &error, advice)]
        }
    }
}

/// The advice for an address that is not that of a store.
const NAME_STORE: &str =
    "name a store with --store or SECTILE_STORE, as sqlite:PATH or postgres://…";

/// What to do about a damaged file.
const START_AFRESH: &str = "if it was restored from a backup, restore it again after removing its `-wal` and `-shm` files; \
    otherwise move the file away and ingest again";

/// What is said with that if the file has checkpoints, or may have some.
const RESTORE_CHECKPOINTS: &str = "checkpoints in it can only be restored from a backup";

/// Returns the way out of an error of the store.
fn advice_on(error: &sectile::store::Error, url: &str) -> &'static str {
    use sectile::store::Error;
    match error {
        Error::Damaged { .. } => START_AFRESH,
        Error::Corrupt { .. } => sectile::store_remedy(error).unwrap_or(START_AFRESH),
        Error::NewerSchema { .. } => "use the release that wrote it, or a newer one",
        Error::InvalidUrl { .. } => "name another file with --store or SECTILE_STORE",
        Error::Full { .. } => "free some space",
        _ => store_advice(url),
    }
}

fn store_advice(url: &str) -> &'static str {
    if url.starts_with("sqlite:") {
        "check the file's permissions, and whether another program has it locked"
    } else {
        "check that the server is running and that the address, user and password are correct"
    }
}

async fn store_findings(url: &str, is_compared: bool) -> anyhow::Result<Vec<Finding>> {
    let library = with_languages(Library::open_to_read(url).await?);
    let health = library.store().health().await?;
    let mut findings = engine_findings(url, &health);
    let totals = match library.totals().await {
        // The finding about the file says it already.
        Err(sectile::Error::Store(Damaged { .. })) if !health.damage.is_empty() => {
            return Ok(findings);
        }
        totals => totals?,
    };
    let found = library.store().found_documents().await?;
    let is_damaged = |found: &&FoundDocument| found.faults.first().is_some();
    let damaged = found.iter().filter(is_damaged).count();
    let documents: Vec<DocumentRecord> = found.into_iter().map(|found| found.record).collect();
    if damaged > 0 && !is_compared && health.damage.is_empty() {
        let damaged = output::count(damaged, "document");
        let error = anyhow::anyhow!("the records of {damaged} cannot be read");
        let advice = "run `sectile doctor --repair`";
        findings.push(Finding::problem("reading", &error, advice));
    }
    findings.push(contents(&library, &totals, &documents));
    findings.extend(waiting(&totals, &documents));
    Ok(findings)
}

/// Says what the store runs on, and whether its file is intact and can be written.
fn engine_findings(url: &str, health: &Health) -> Vec<Finding> {
    let mut engine = format!("{}, schema {}", health.engine, health.schema);
    if let Some(extension) = &health.extension {
        let _ = write!(engine, ", {extension}");
    }
    let mut findings = vec![
        Finding::fine("store", sectile::shown_url(url)),
        Finding::fine("engine", engine),
    ];
    if health.is_read_only {
        let advice = "to change it, get write permission for the file and its folder";
        findings.push(Finding::warning(
            "writing",
            "this user can only read it",
            advice,
        ));
    }
    if !health.damage.is_empty() {
        let error = anyhow::anyhow!("the file is damaged: {}", health.damage.join("; "));
        findings.push(Finding::problem("integrity", &error, START_AFRESH));
    }
    findings
}

fn contents(library: &Library, totals: &Totals, documents: &[DocumentRecord]) -> Finding {
    let (count, chunks) = (totals.documents, totals.chunks);
    let megabytes = totals.bytes as f64 / 1e6;
    let says = format!(
        "{}, {}, {megabytes:.1} MB",
        output::count(count, "document"),
        output::count(chunks, "chunk")
    );
    if let Some(failed) = documents.iter().find(|document| is_failed(document)) {
        let others = totals.failed;
        let name = output::document_name(&failed.uri);
        let reason = failed.error.as_deref().unwrap_or("unknown reason");
        let says = format!("{says}, {others} could not be read, such as {name}: {reason}");
        return Finding::warning(
            "documents",
            says,
            "fix the files, or remove them with `sectile rm`",
        );
    }
    let unfinished = documents.iter().filter(|of| is_being_repaired(of)).count();
    if unfinished > 0 {
        let says = format!("{says}, {unfinished} whose repair was not finished");
        let advice = "run `sectile doctor --repair`, then ingest them again";
        return Finding::warning("documents", says, advice);
    }
    let is_old = |document: &&DocumentRecord| !library.is_current(document);
    let old = documents.iter().filter(is_old).count();
    let read = documents
        .iter()
        .filter(|document| was_read_by_older_loader(document));
    match (old, read.count()) {
        (0, 0) => Finding::fine("documents", says),
        (0, read) => Finding::warning(
            "documents",
            format!("{says}, {read} read by an earlier release whose loaders have improved since"),
            "ingest them again; what has not changed is read again, too",
        ),
        (old, _) => Finding::warning(
            "documents",
            format!("{says}, {old} indexed by another release or with different settings"),
            "ingest them again, so that all are indexed the same way",
        ),
    }
}

fn is_failed(document: &DocumentRecord) -> bool {
    document.status == Status::Failed
}

/// Says what the vectors of each collection are of, and which documents wait for theirs.
fn waiting(totals: &Totals, documents: &[DocumentRecord]) -> Vec<Finding> {
    let finding = |(collection, model): (&String, &EmbeddingModel)| {
        let is_waiting = |document: &&DocumentRecord| {
            document.status == Status::Processing && document.collection == *collection
        };
        let (name, waiting) = (&model.name, documents.iter().filter(is_waiting).count());
        let says = format!("`{collection}`: vectors of {name}");
        if waiting == 0 {
            return Finding::fine("vectors", says);
        }
        let advice = format!("`sectile ingest PATH --collection {collection} --embedder MODEL`");
        Finding::warning(
            "vectors",
            format!(
                "{says}; {} without vectors",
                output::count(waiting, "document")
            ),
            advice,
        )
    };
    totals.models.iter().map(finding).collect()
}

/// Says what there is of checkpoints, and returns whether there may be any.
async fn checkpoints(store: Option<String>) -> (Finding, bool) {
    let none = (Finding::fine("checkpoints", "none"), false);
    let url = match store_url(store) {
        Ok(url) if !is_missing(&url) => url,
        _ => return none,
    };
    let found = async {
        let checkpoints = Checkpoints::connect(&url, &CheckpointOptions::default()).await?;
        let limit = Some(1);
        let query = ThreadQuery {
            limit,
            ..ThreadQuery::default()
        };
        checkpoints.records().threads(&query).await
    };
    match found.await {
        Ok(threads) if threads.is_empty() => {
            (Finding::fine("checkpoints", "no threads yet"), false)
        }
        Ok(_) => {
            let says = "found; `sectile checkpoint threads` lists them";
            (Finding::fine("checkpoints", says), true)
        }
        // What is no database never held any.
        Err(checkpoint::Error::Corrupt { .. }) if is_foreign(&url) => none,
        Err(checkpoint::Error::NotMigrated { found: 0, .. }) => none,
        Err(error @ checkpoint::Error::Corrupt { .. }) => {
            let error = anyhow::Error::from(error).context("the file is too damaged to tell");
            let advice = "if agents stored checkpoints here, restore a backup";
            (Finding::problem("checkpoints", &error, advice), true)
        }
        Err(error) => {
            let advice = checkpoint_advice(&error, &url);
            (Finding::problem("checkpoints", &error.into(), advice), true)
        }
    }
}

fn checkpoint_advice(error: &checkpoint::Error, url: &str) -> &'static str {
    match error {
        checkpoint::Error::InvalidConfig { .. } => NAME_STORE,
        checkpoint::Error::NotMigrated { .. } => "`sectile checkpoint migrate` updates the tables",
        checkpoint::Error::NewerSchema { .. } => {
            "use the release that updated them, or a newer one"
        }
        _ => store_advice(url),
    }
}
