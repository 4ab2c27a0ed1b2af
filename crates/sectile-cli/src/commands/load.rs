//! `sectile load`.

#[cfg(not(feature = "parquet"))]
use super::Outcome;
use crate::args::PartsArguments;

#[cfg(not(feature = "parquet"))]
#[expect(clippy::unused_async, reason = "the one that can load is asynchronous")]
pub(crate) async fn run(_: PartsArguments, _: Option<String>, _: bool) -> anyhow::Result<Outcome> {
    anyhow::bail!(
        "this build cannot read Parquet files; `cargo install --path crates/sectile-cli --features parquet` \
         makes one that can, and the programs of a release can, too"
    )
}

#[cfg(feature = "parquet")]
pub(crate) use with_parquet::run;

#[cfg(feature = "parquet")]
mod with_parquet {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;
    use std::time::{Duration, Instant, UNIX_EPOCH};

    use anyhow::{Context as _, ensure};
    use sectile::chunk::markdown_outline;
    use sectile::core::{ContentHash, Document, Format};
    use sectile::{
        DEFAULT_COLLECTION, DocumentBatches, DocumentPart, PartError, PartsOptions, PartsReport,
    };
    use sectile_arrow::{DocumentsFile, Row};

    use super::super::ingest::{report_problems, summary};
    use super::super::{Outcome, open};
    use super::PartsArguments;
    use crate::output;
    use crate::progress::PartsProgress;

    pub(crate) async fn run(
        arguments: PartsArguments,
        store: Option<String>,
        json: bool,
    ) -> anyhow::Result<Outcome> {
        let parts = parts(&arguments.parts)?;
        let library = open(store).await?;
        let options = PartsOptions {
            again: arguments.again,
            attempts: arguments.attempts,
            lease: Duration::from_secs(arguments.lease),
            ..PartsOptions::default()
        };
        let collection = arguments.collection.as_deref();
        let collection = collection.unwrap_or(DEFAULT_COLLECTION);
        let (progress, start) = (PartsProgress::new(parts.len()), Instant::now());
        let on_event = |event| progress.show(&event);
        let report = library
            .load_parts(collection, &parts, &options, &on_event)
            .await?;
        drop(progress);
        if json {
            output::value(&report)?;
        } else {
            tell(&report, parts.len(), start.elapsed())?;
        }
        let is_whole = report.failed.is_empty() && report.documents.failed.is_empty();
        Ok(if is_whole {
            Outcome::Done
        } else {
            Outcome::SomeFailed
        })
    }

    fn tell(report: &PartsReport, parts: usize, elapsed: Duration) -> anyhow::Result<()> {
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
        let loaded = output::count(report.parts, "part");
        let summary = summary(&report.documents, elapsed);
        output::text(&format!("{loaded} loaded here: {summary}"))
    }

    /// Finds the files, which processes know by their names: those in a folder by their paths below it.
    fn parts(paths: &[PathBuf]) -> anyhow::Result<Vec<Arc<dyn DocumentPart>>> {
        let mut files: BTreeMap<String, PathBuf> = BTreeMap::new();
        let found: Result<Vec<_>, _> = paths.iter().map(|path| found(path)).collect();
        for (name, path) in found?.into_iter().flatten() {
            if let Some(other) = files.insert(name, path.clone()) {
                ensure!(
                    other == path,
                    "`{}` and `{}` have the same name, by which parts are known; load one folder at a \
                     time, each into a collection of its own",
                    other.display(),
                    path.display()
                );
            }
        }
        files
            .into_iter()
            .map(|(name, path)| Ok(Arc::new(ParquetPart::new(name, path)?) as Arc<_>))
            .collect()
    }

    /// Returns a file, or the Parquet files of a folder, with their names.
    fn found(path: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
        if !is_folder(path)? {
            let name = path.file_name().unwrap_or_default();
            return Ok(vec![(name.to_string_lossy().into_owned(), path.to_owned())]);
        }
        let mut files = Vec::new();
        walk(path, &mut files)?;
        ensure!(
            !files.is_empty(),
            "`{}` has no Parquet files",
            path.display()
        );
        let named = |file: PathBuf| {
            let below = file.strip_prefix(path).unwrap_or(&file);
            (below.to_string_lossy().into_owned(), file)
        };
        Ok(files.into_iter().map(named).collect())
    }

    fn is_folder(path: &Path) -> anyhow::Result<bool> {
        let of = std::fs::metadata(path);
        Ok(of.with_context(|| cannot_read(path))?.is_dir())
    }

    fn cannot_read(path: &Path) -> String {
        format!("cannot read `{}`; check that it exists", path.display())
    }

    /// Adds the Parquet files below a folder. Names that begin with `_` or `.` are what engines have not finished.
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
        let entries = std::fs::read_dir(folder).with_context(|| cannot_read(folder))?;
        for entry in entries {
            let path = entry.with_context(|| cannot_read(folder))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with(['_', '.']) {
                continue;
            }
            if is_folder(&path)? {
                walk(&path, files)?;
            } else if path
                .extension()
                .is_some_and(|it| it.eq_ignore_ascii_case("parquet"))
            {
                files.push(path);
            }
        }
        Ok(())
    }

    /// A Parquet file of documents.
    #[derive(Debug)]
    struct ParquetPart {
        name: String,
        version: String,
        file: DocumentsFile,
    }

    impl ParquetPart {
        fn new(name: String, path: PathBuf) -> anyhow::Result<Self> {
            let file = DocumentsFile::new(path);
            let (length, end) = file.end()?;
            let modified = std::fs::metadata(file.path())?.modified()?;
            let modified = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
            let version = format!("{length}-{}-{}", modified.as_nanos(), ContentHash::of(&end));
            Ok(Self {
                name,
                version,
                file,
            })
        }
    }

    impl DocumentPart for ParquetPart {
        fn name(&self) -> &str {
            &self.name
        }

        fn version(&self) -> &str {
            &self.version
        }

        fn uris(&self) -> Result<Vec<String>, PartError> {
            Ok(self.file.uris()?)
        }

        fn documents(&self) -> Result<DocumentBatches, PartError> {
            let batches = self.file.rows()?;
            let loaded = |(uri, row)| (uri, document(row));
            Ok(Box::new(batches.map(move |batch| {
                Ok(batch?.into_iter().map(loaded).collect())
            })))
        }
    }

    fn document(row: Row) -> Result<Document, String> {
        let text = match row {
            Row::Document(document) => return *document,
            Row::Text(text) => text.ok_or("it has no text")?,
        };
        Ok(Document {
            outline: markdown_outline(&text),
            format: Format::Markdown,
            text,
            ..Document::default()
        })
    }
}
