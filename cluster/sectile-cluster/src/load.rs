//! Parquet files in a bucket, loaded into a store by the program `sectile`.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Component, Path};
use std::process::Command;

use anyhow::{Context as _, bail, ensure};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use object_store::ObjectStoreExt as _;
use sectile_arrow::is_part_name;

use crate::args::LoadArguments;
use crate::location::{Location, bucket_url};
use crate::stderr::say;
use crate::stores::Stores;

/// What stands for the files of a prefix, but not for those below it.
const ALL: &str = "*.parquet";

/// How many files are copied at once.
const AT_ONCE: usize = 8;

/// Copies the files to this machine, loads them, and says whether all of it was done.
pub(crate) async fn load(arguments: &LoadArguments) -> anyhow::Result<bool> {
    let (prefix, file) = match arguments.source.rsplit_once('/') {
        Some((prefix, file)) if is_part_name(file.as_ref()) => (prefix, Some(file)),
        _ => (&*arguments.source, None),
    };
    ensure!(
        bucket_url(Path::new(prefix))?.is_some(),
        "`{}` is no address as s3://BUCKET/PREFIX; `sectile load` loads a folder",
        arguments.source
    );
    let source = Location::input(Path::new(prefix), Path::new(""), &Stores::default())?;
    let mut names = match file {
        Some(ALL) => source.names().await?,
        Some(file) => vec![file.to_owned()],
        None => names(&source).await?,
    };
    names.retain(|name| is_part(Path::new(name)));
    ensure!(
        !names.is_empty(),
        "`{}` has no Parquet files",
        arguments.source
    );
    let folder = tempfile::tempdir().context("there is no temporary folder")?;
    stream::iter(&names)
        .map(|name| copy(&source, folder.path(), name))
        .buffer_unordered(AT_ONCE)
        .try_collect::<Vec<()>>()
        .await?;
    say(&format!("{} files copied from `{source}`", names.len()));
    start(arguments, folder.path())
}

/// Returns the names of what a job has written that is loaded, or of all files below a prefix where it is not that of a job.
async fn names(source: &Location) -> anyhow::Result<Vec<String>> {
    let mut of_job = Vec::new();
    for stage in ["chunks", "documents", "vectors"] {
        let names = source.child(stage).names().await?;
        of_job.extend(names.into_iter().map(|name| format!("{stage}/{name}")));
    }
    let has = |stage: &str| of_job.iter().any(|name| name.starts_with(stage));
    if has("chunks/") && has("documents/") {
        return Ok(of_job);
    }
    source.names_below().await
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

async fn copy(source: &Location, folder: &Path, name: &str) -> anyhow::Result<()> {
    let (file, target) = (source.child(name), folder.join(name));
    let copied = async {
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut written = File::create(&target)?;
        let mut bytes = file.store().get(&file.path()?).await?.into_stream();
        while let Some(some) = bytes.next().await {
            written.write_all(&some?)?;
        }
        anyhow::Ok(())
    };
    let copied = copied.await;
    copied.with_context(|| format!("cannot copy `{file}`"))
}

/// Runs `sectile load` on a folder.
fn start(arguments: &LoadArguments, folder: &Path) -> anyhow::Result<bool> {
    let program = &arguments.program;
    let mut command = Command::new(program);
    command.arg("load").arg(folder).args(&arguments.more);
    let status = command.status().with_context(|| {
        format!(
            "cannot start `{}`; install `sectile` with the feature `parquet`, or name it with --program",
            program.display()
        )
    })?;
    match status.code() {
        Some(0) => Ok(true),
        Some(1) => Ok(false),
        _ => bail!("`{} load` ended with {status}", program.display()),
    }
}
