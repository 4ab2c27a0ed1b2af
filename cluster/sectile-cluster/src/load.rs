//! Parquet files in a bucket, loaded into a store by the program `sectile`, some parts at a time.

use std::collections::BTreeMap;
use std::path::{Component, Path};
use std::process::Stdio;

use anyhow::{Context as _, bail, ensure};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use object_store::ObjectStoreExt as _;
use sectile::shown_url;
use sectile_arrow::is_part_name;
use tokio::fs::{self, File};
use tokio::io::{self, AsyncWriteExt as _};
use tokio::process::Command;
use tokio::task::spawn_blocking;

use crate::args::LoadArguments;
use crate::location::{Location, bucket_url};
use crate::stderr::say;
use crate::stores::Stores;

/// What stands for the files of a prefix, but not for those below it.
const ALL: &str = "*.parquet";

/// How many parts are on this machine at the same time.
const TOGETHER: usize = 8;

/// How many files are copied at once.
const AT_ONCE: usize = 8;

/// With what `sectile` ends that could not load some of the files or documents, or nothing at all.
const FAILED: i32 = 2;

/// The files of a part, below a prefix: one, or those that a job has made of it.
type Part = Vec<String>;

/// Loads the parts, some after the other, and says whether all of it was done.
pub(crate) async fn load(arguments: &LoadArguments) -> anyhow::Result<bool> {
    // Copies are removed with the work that is dropped.
    tokio::select! {
        loaded = load_all(arguments) => loaded,
        interrupted = tokio::signal::ctrl_c() => {
            interrupted?;
            bail!("interrupted; to continue, pass --skip with the number of parts that are done")
        }
    }
}

async fn load_all(arguments: &LoadArguments) -> anyhow::Result<bool> {
    let (source, parts) = found(arguments).await?;
    let (mut done, count) = (arguments.skip, parts.len());
    ensure!(
        done < count,
        "there are {count} parts in all; pass a smaller number with --skip"
    );
    // What is in none of the files is removed, so all of them have to be there.
    let prunes = arguments.more.iter().any(|typed| typed == "--prune");
    ensure!(
        !prunes || done == 0,
        "--prune compares the store with all parts; leave out --skip"
    );
    let together = if prunes { count } else { TOGETHER };
    let mut is_whole = true;
    for some in parts[done..].chunks(together) {
        is_whole &= load_some(arguments, &source, some, some.len() < count).await?;
        done += some.len();
        say(&format!("{done} of {count} parts are done"));
    }
    Ok(is_whole)
}

/// Returns where the parts are, and the files of each.
async fn found(arguments: &LoadArguments) -> anyhow::Result<(Location, Vec<Part>)> {
    let typed = &*arguments.source;
    let (prefix, file) = match typed.rsplit_once('/') {
        Some((prefix, file)) if is_part_name(file.as_ref()) => (prefix, Some(file)),
        _ => (typed, None),
    };
    ensure!(
        bucket_url(Path::new(prefix))?.is_some(),
        "`{}` is no address as s3://BUCKET/PREFIX; `sectile load` loads a folder",
        shown_url(typed)
    );
    let source = Location::input(Path::new(prefix), Path::new(""), &Stores::default())?;
    let parts = match file {
        Some(ALL) => alone(source.names().await?),
        Some(file) => alone(vec![file.to_owned()]),
        None => match parts_of_job(&source).await? {
            Some(parts) => parts,
            None => alone(source.names_below().await?),
        },
    };
    ensure!(!parts.is_empty(), "`{source}` has no Parquet files");
    Ok((source, parts))
}

/// Makes a part of each file that is one.
fn alone(names: Vec<String>) -> Vec<Part> {
    let names = names.into_iter().filter(|name| is_part(Path::new(name)));
    names.map(|name| vec![name]).collect()
}

/// Returns what a job has written of each of its parts that have chunks, if a prefix is that of a job.
async fn parts_of_job(source: &Location) -> anyhow::Result<Option<Vec<Part>>> {
    let mut parts = BTreeMap::<String, Part>::new();
    for stage in ["chunks", "documents", "vectors"] {
        let names = source.child(stage).names().await?;
        for name in names.into_iter().filter(|name| is_part(Path::new(name))) {
            let file = format!("{stage}/{name}");
            parts.entry(name).or_default().push(file);
        }
    }
    let has = |stage: &str| parts.values().flatten().any(|file| file.starts_with(stage));
    let is_of_job = has("chunks/") && has("documents/");
    let parts = parts.into_values();
    let with_chunks = parts.filter(|files| files[0].starts_with("chunks/"));
    Ok(is_of_job.then(|| with_chunks.collect()))
}

/// Returns whether a file is loaded, and can be copied into a folder. Names that begin with `_` or `.` are what engines have
/// not finished.
fn is_part(name: &Path) -> bool {
    let is_shown = |part: Component<'_>| match part {
        Component::Normal(part) => !part.to_string_lossy().starts_with(['_', '.']),
        _ => false,
    };
    name.file_name().is_some_and(is_part_name) && name.components().all(is_shown)
}

/// Copies parts to this machine, loads them, and removes the copies.
async fn load_some(
    arguments: &LoadArguments,
    source: &Location,
    parts: &[Part],
    is_partial: bool,
) -> anyhow::Result<bool> {
    let folder = tempfile::tempdir().context("there is no temporary folder")?;
    stream::iter(parts.iter().flatten())
        .map(|name| copy(source, folder.path(), name))
        .buffer_unordered(AT_ONCE)
        .try_collect::<Vec<()>>()
        .await?;
    let is_whole = start(arguments, folder.path(), is_partial).await?;
    let removed = spawn_blocking(move || folder.close()).await?;
    removed.context("cannot remove the copies of parts")?;
    Ok(is_whole)
}

async fn copy(source: &Location, folder: &Path, name: &str) -> anyhow::Result<()> {
    let (file, target) = (source.child(name), folder.join(name));
    let copied = async {
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).await?;
        }
        let mut written = File::create(&target).await?;
        let mut bytes = file.store().get(&file.path()?).await?.into_stream();
        while let Some(some) = bytes.next().await {
            written.write_all(&some?).await?;
        }
        // Before that, the last bytes may not be in the file.
        written.flush().await?;
        anyhow::Ok(())
    };
    let copied = copied.await;
    copied.with_context(|| format!("cannot copy `{file}`"))
}

/// Runs `sectile load` on a folder, which may have a part of what is loaded. It prints what it has loaded, and nothing
/// if it could not load at all.
async fn start(arguments: &LoadArguments, folder: &Path, is_partial: bool) -> anyhow::Result<bool> {
    let program = &arguments.program;
    let mut command = Command::new(program);
    command.arg("load").arg(folder).args(&arguments.more);
    command.args(is_partial.then_some("--partial"));
    command.stdout(Stdio::piped()).kill_on_drop(true);
    let mut process = command.spawn().with_context(|| {
        format!(
            "cannot start `{}`; install `sectile` with the feature `parquet`, or name it with --program",
            program.display()
        )
    })?;
    let mut output = process.stdout.take().expect("its output is piped");
    let printed = io::copy(&mut output, &mut io::stdout()).await?;
    let status = process.wait().await?;
    match status.code() {
        Some(0) => Ok(true),
        Some(FAILED) if printed > 0 => Ok(false),
        _ => bail!("`{} load` ended with {status}", program.display()),
    }
}
