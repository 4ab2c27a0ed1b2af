//! `sectile load`.

#[cfg(not(feature = "parquet"))]
use super::Outcome;
use crate::args::PartsArguments;

#[cfg(not(feature = "parquet"))]
#[expect(clippy::unused_async, reason = "the one that can load is asynchronous")]
pub(crate) async fn run(_: PartsArguments, _: Option<String>, _: bool) -> anyhow::Result<Outcome> {
    anyhow::bail!(
        "this build cannot read Parquet files; the programs of a release can, and \
         `cargo install --path crates/sectile-cli --features parquet` builds one that can"
    )
}

#[cfg(feature = "parquet")]
pub(crate) use with_parquet::run;

#[cfg(feature = "parquet")]
mod parquet_part;

#[cfg(feature = "parquet")]
mod with_parquet {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use anyhow::{Context as _, ensure};
    use sectile::{DEFAULT_COLLECTION, DocumentPart, Library, PartsOptions, PartsReport};
    use sectile_arrow::is_part_name;

    use super::super::ingest::{report_problems, summary};
    use super::super::{Outcome, open, with_embedder};
    use super::PartsArguments;
    use super::parquet_part::ParquetPart;
    use crate::output;
    use crate::progress::PartsProgress;

    pub(crate) async fn run(
        arguments: PartsArguments,
        store: Option<String>,
        json: bool,
    ) -> anyhow::Result<Outcome> {
        let model = arguments.embedder.embedder.as_deref();
        let Found {
            parts,
            unreadable,
            has_vectors,
        } = parts(&arguments.parts, model)?;
        let mut library = open(store).await?;
        check_sharing(&library, &arguments)?;
        if has_vectors {
            library = with_embedder(library, &arguments.embedder).await?;
            if library.embedder().is_none() {
                output::note(format_args!(
                    "the vectors in these files are not loaded; to load them, name their model with --embedder"
                ));
            }
        }
        let defaults = PartsOptions::default();
        let options = PartsOptions {
            again: arguments.again,
            // An unreadable file may contain documents that would be pruned.
            prune: arguments.prune && unreadable.is_empty(),
            attempts: arguments.attempts.unwrap_or(defaults.attempts),
            lease: arguments.lease.map_or(defaults.lease, Duration::from_secs),
            ..defaults
        };
        let collection = arguments.collection.as_deref();
        let collection = collection.unwrap_or(DEFAULT_COLLECTION);
        let (progress, start) = (PartsProgress::new(parts.len()), Instant::now());
        let on_event = |event| progress.show(&event);
        let mut report = library
            .load_parts(collection, &parts, &options, &on_event)
            .await?;
        drop(progress);
        report.failed.extend(unreadable);
        if arguments.prune && !report.failed.is_empty() {
            output::note(format_args!(
                "no document was pruned, because it may be in a part that was not loaded; load all parts, \
                 and prune then"
            ));
        }
        if arguments.partial {
            report.others = 0;
        }
        output::reported(if json {
            output::value(&report)
        } else {
            tell(&report, parts.len(), collection, start.elapsed())
        })?;
        let is_whole = report.failed.is_empty() && report.documents.failed.is_empty();
        Ok(if is_whole {
            Outcome::Done
        } else {
            Outcome::SomeFailed
        })
    }

    /// Refuses options of sharing for a store that one process loads alone.
    fn check_sharing(library: &Library, arguments: &PartsArguments) -> anyhow::Result<()> {
        let typed = [
            ("--attempts", arguments.attempts.is_some()),
            ("--lease", arguments.lease.is_some()),
        ];
        let is_shared = library.store().jobs().is_some();
        for (option, is_typed) in typed {
            ensure!(
                is_shared || !is_typed,
                "{option} is for Postgres; leave it out, because one process loads all files into SQLite, each once"
            );
        }
        Ok(())
    }

    fn tell(
        report: &PartsReport,
        parts: usize,
        collection: &str,
        elapsed: Duration,
    ) -> anyhow::Result<()> {
        report_problems(&report.documents);
        for (name, error) in &report.failed {
            output::warning(format_args!("{name}: {error}"));
        }
        if report.before > 0 {
            output::note(format_args!(
                "{} of {} loaded before; --again loads them again",
                report.before,
                output::count(parts, "part")
            ));
        }
        if report.others > 0 {
            output::note(format_args!(
                "the collection `{collection}` has {} outside these files; --prune removes them",
                output::count(report.others, "document")
            ));
        }
        let loaded = output::count(report.parts, "part");
        let summary = summary(&report.documents, elapsed);
        output::text(&format!("{loaded} loaded here: {summary}"))
    }

    /// The files, and those that cannot be read, with the reason.
    #[derive(Default)]
    struct Found {
        parts: Vec<Arc<dyn DocumentPart>>,
        unreadable: Vec<(String, String)>,
        has_vectors: bool,
    }

    /// Finds the files. Their names, by which processes share them, are paths relative to the given folder. `model` is
    /// the model of their vectors.
    fn parts(paths: &[PathBuf], model: Option<&str>) -> anyhow::Result<Found> {
        let mut found = Found::default();
        let mut files: BTreeMap<String, PathBuf> = BTreeMap::new();
        for path in paths {
            for (name, path) in named(path, &mut found.unreadable)? {
                if let Some(other) = files.insert(name, path.clone()) {
                    ensure!(
                        other == path,
                        "`{}` and `{}` have the same file name; load one folder at a time, each into its own \
                         collection",
                        other.display(),
                        path.display()
                    );
                }
            }
        }
        for (name, path) in files {
            match ParquetPart::open(&name, &path, model) {
                Ok(part) => {
                    found.has_vectors |= part.has_vectors();
                    found.parts.push(Arc::new(part));
                }
                Err(error) => found.unreadable.push((name, format!("{error:#}"))),
            }
        }
        Ok(found)
    }

    /// Returns a file, or the Parquet files of a folder, with their names. For the folder of a job, returns the files
    /// of chunks; those of documents and vectors are next to them.
    fn named(
        path: &Path,
        unreadable: &mut Vec<(String, String)>,
    ) -> anyhow::Result<Vec<(String, PathBuf)>> {
        let is_folder = std::fs::metadata(path)
            .with_context(|| format!("cannot read `{}`; check that it exists", path.display()))?
            .is_dir();
        if !is_folder {
            let name = path.file_name().unwrap_or_default();
            return Ok(vec![(name.to_string_lossy().into_owned(), path.to_owned())]);
        }
        let (mut files, chunks) = (Vec::new(), path.join("chunks"));
        let is_of_job = chunks.is_dir() && path.join("documents").is_dir();
        let path = if is_of_job { chunks.as_path() } else { path };
        walk(path, &mut files, unreadable);
        ensure!(
            !files.is_empty() || !unreadable.is_empty(),
            "`{}` has no Parquet files",
            path.display()
        );
        let named = |file: PathBuf| {
            let below = file.strip_prefix(path).unwrap_or(&file);
            (below.to_string_lossy().into_owned(), file)
        };
        Ok(files.into_iter().map(named).collect())
    }

    /// Adds the Parquet files below a folder. Names that begin with `_` or `.` are what engines have not finished.
    fn walk(folder: &Path, files: &mut Vec<PathBuf>, unreadable: &mut Vec<(String, String)>) {
        let mut look = |path: &Path| -> std::io::Result<()> {
            let name = path.file_name().unwrap_or_default();
            if name.to_string_lossy().starts_with(['_', '.']) {
                return Ok(());
            }
            match std::fs::metadata(path) {
                Ok(of) if of.is_dir() => walk(path, files, unreadable),
                Ok(_) if is_part_name(name) => files.push(path.to_owned()),
                Err(error) if is_part_name(name) => return Err(error),
                _ => {}
            }
            Ok(())
        };
        let mut failed = Vec::new();
        match std::fs::read_dir(folder) {
            Ok(entries) => {
                for entry in entries {
                    let path = entry
                        .as_ref()
                        .map_or(folder.to_owned(), std::fs::DirEntry::path);
                    if let Err(error) = entry.and_then(|entry| look(&entry.path())) {
                        failed.push((path.display().to_string(), error.to_string()));
                    }
                }
            }
            Err(error) => failed.push((folder.display().to_string(), error.to_string())),
        }
        unreadable.extend(failed);
    }
}
