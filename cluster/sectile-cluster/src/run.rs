//! Jobs and queries, given to a cluster or done here.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail, ensure};
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::common::DataFusionError;
use datafusion::dataframe::DataFrameWriteOptions;
use datafusion::prelude::{CsvReadOptions, JsonReadOptions, ParquetReadOptions, SessionContext};
use datafusion::sql::parser::DFParser;
use futures_util::{StreamExt as _, stream};
use sectile::check_store_url;
use sectile_datafusion::{FilesTable, StoreTable};

use crate::args::{RunArguments, Table};
use crate::job::{Failed, Job, Stage};
use crate::location::{Location, bucket_url, file_url};
use crate::session::Sessions;
use crate::stderr::say;

/// How many documents are named that could not be loaded.
const NAMED: usize = 10;

/// Runs a job or queries, and says whether all of it was done.
pub(crate) async fn run(arguments: RunArguments) -> anyhow::Result<bool> {
    let (scheduler, files) = (arguments.scheduler.clone(), arguments.files);
    let is_remote = scheduler.is_some();
    let processes = arguments
        .file_processes
        .or_else(|| available_parallelism().ok());
    let processes = processes.unwrap_or(NonZeroUsize::MIN);
    let sessions = Sessions::new(scheduler, files.limits(), processes)?;
    if let Some(sql) = &arguments.sql {
        ensure!(
            !is_remote || files.typed().is_none(),
            "write the limits into the query, as in sectile_extract(bytes, name, '{}')",
            files.typed().unwrap_or_default()
        );
        query(sql, &arguments.tables, &sessions).await?;
        return Ok(true);
    }
    let path = arguments.job.as_deref().context("name a job")?;
    let mut job = Job::read(path, sessions.stores())?;
    job.limits = files.typed();
    let parts = job.part_names().await?;
    let mut lock = job.lock().await?;
    job.prepare(&parts).await?;
    if let Some(model) = &job.embed {
        let opened = model_opened(model, &sessions).await;
        opened.map_err(|error| anyhow!("the model cannot be used: {}", told(&error)))?;
    }
    let run = Run {
        job,
        sessions,
        attempts: arguments.attempts,
    };
    let at_once = usize::try_from(arguments.at_once)?;
    let is_done = tokio::select! {
        is_done = run.parts(&parts, at_once) => is_done,
        () = lock.lost() => bail!(
            "another run has taken over `{}`, which this one could not reach for long; run the job again when that one \
             has ended",
            run.job.output
        ),
    };
    Ok(run.tell_failed(&parts).await == 0 && is_done)
}

/// Runs queries one after the other, and prints what each gives.
async fn query(sql: &str, tables: &[String], sessions: &Sessions) -> anyhow::Result<()> {
    let context = sessions.open().await?;
    for table in tables {
        let table = Table::parse(table)?;
        register(&context, &table)
            .await
            .with_context(|| format!("the table {}", table.name))?;
    }
    for statement in DFParser::parse_sql(sql)? {
        let plan = context.state().statement_to_plan(statement).await?;
        let batches = context.execute_logical_plan(plan).await?.collect().await?;
        writeln!(std::io::stdout(), "{}", pretty_format_batches(&batches)?)?;
    }
    Ok(())
}

/// Returns whether what is typed is the address of a store.
fn is_store(typed: &str) -> bool {
    ["sqlite:", "postgres://", "postgresql://"]
        .iter()
        .any(|scheme| typed.starts_with(scheme))
}

/// Makes a file a table by its extension, a folder one of files, or a store one of documents.
async fn register(context: &SessionContext, table: &Table) -> anyhow::Result<()> {
    let Table { name, path } = table;
    if let Some(address) = path.to_str().filter(|typed| is_store(typed)) {
        check_store_url(address)?;
        context.register_table(name, Arc::new(StoreTable::at(address, None)))?;
        return Ok(());
    }
    let bucket = bucket_url(path)?;
    let is_prefix = bucket.as_ref().is_some_and(|url| url.path().ends_with('/'));
    if path.is_dir() || is_prefix {
        let files = FilesTable::new(&path.display().to_string())?;
        context.register_table(name, Arc::new(files))?;
        return Ok(());
    }
    let url = match bucket {
        Some(url) => url.to_string(),
        None => file_url(&path.canonicalize()?)?.to_string(),
    };
    let extension = path.extension().unwrap_or_default();
    let extension = extension.to_string_lossy().into_owned();
    match &*extension.to_lowercase() {
        "parquet" => {
            let options = ParquetReadOptions {
                file_extension: &extension,
                ..ParquetReadOptions::default()
            };
            context.register_parquet(name, url, options).await?;
        }
        "csv" => {
            let options = CsvReadOptions::new().file_extension(&extension);
            context.register_csv(name, url, options).await?;
        }
        "json" | "jsonl" | "ndjson" => {
            let options = JsonReadOptions::default().file_extension(&extension);
            context.register_json(name, url, options).await?;
        }
        _ => bail!(
            "`{}` is no Parquet, CSV or JSON file, and no folder",
            path.display()
        ),
    }
    Ok(())
}

/// Has a model opened where the work is done: what is wrong with it is wrong with every part.
async fn model_opened(model: &str, sessions: &Sessions) -> anyhow::Result<()> {
    let model = model.replace('\'', "''");
    let sql = format!("SELECT sectile_embed(t, '{model}') FROM (VALUES ('a')) AS v(t)");
    sessions.open().await?.sql(&sql).await?.collect().await?;
    Ok(())
}

/// A job under way.
struct Run {
    job: Job,
    sessions: Sessions,
    /// How often a part is tried.
    attempts: u64,
}

impl Run {
    /// Does all parts, some at once, and says whether none failed.
    async fn parts(&self, parts: &[String], at_once: usize) -> bool {
        let (begun, count) = (Instant::now(), parts.len());
        let work = stream::iter(parts.iter().map(|part| async move {
            let outcome = self.part(part).await;
            (part, outcome)
        }));
        let mut work = work.buffer_unordered(at_once);
        let (mut done, mut failed) = (0, 0);
        while let Some((part, outcome)) = work.next().await {
            done += 1;
            let seconds = begun.elapsed().as_secs();
            match outcome {
                Ok(0) => say(&format!("{done} of {count}: {part} was done ({seconds} s)")),
                Ok(_) => say(&format!("{done} of {count}: {part} ({seconds} s)")),
                Err(error) => {
                    failed += 1;
                    say(&format!("{done} of {count}: {part} failed: {error:#}"));
                }
            }
        }
        if failed > 0 {
            say(&format!(
                "{failed} of {count} parts failed; run the job again to try them again"
            ));
        }
        failed == 0
    }

    /// Names the first documents that could not be loaded, now or before, and returns how many there are.
    async fn tell_failed(&self, parts: &[String]) -> usize {
        let mut failed = Vec::new();
        for part in parts {
            failed.push(self.job.failed(part).await);
        }
        let count = failed.iter().map(|failed| failed.count).sum();
        if count == 0 {
            return 0;
        }
        let documents = if count == 1 { "document" } else { "documents" };
        say(&format!(
            "{count} {documents} could not be loaded; each is a row of `documents` with its error:"
        ));
        let named = failed.iter().flat_map(|failed| &failed.first).take(NAMED);
        for (uri, error) in named {
            say(&format!("  {uri}: {error}"));
        }
        if count > NAMED {
            say(&format!("  and {} more", count - NAMED));
        }
        count
    }

    /// Does the stages of a part that are not done, and returns how many these were.
    async fn part(&self, part: &str) -> anyhow::Result<usize> {
        let mut count = 0;
        for stage in self.job.stages() {
            if self.job.is_done(stage, part).await {
                continue;
            }
            count += 1;
            let mut attempt = 1;
            while let Err(error) = self.stage(stage, part).await {
                let failure = format!("{}: {}", stage.name(), told(&error));
                ensure!(attempt < self.attempts && !is_lasting(&error), failure);
                say(&format!("{part} is tried again: {failure}"));
                tokio::time::sleep(Duration::from_secs(1 << attempt.min(5))).await;
                attempt += 1;
            }
        }
        Ok(count)
    }

    /// Does a stage of a part.
    async fn stage(&self, stage: Stage, part: &str) -> anyhow::Result<()> {
        let job = &self.job;
        let context = self.sessions.open().await?;
        // What is read while it changes is done again by the next run.
        let mut record = job.record(stage, part).await?;
        register_part(&context, &job.source(stage, part)).await?;
        let table = context.table("part").await?;
        let has = |column| table.schema().has_column_with_unqualified_name(column);
        let query = job.query(stage, has("text") && !has("outline"))?;
        let unfinished = job.unfinished(stage, part);
        let options = DataFrameWriteOptions::new().with_single_file_output(true);
        context
            .sql(&query)
            .await?
            .write_parquet(unfinished.url(), options, None)
            .await?;
        if stage == Stage::Documents {
            record.failed = failed(&self.sessions.open_here()?, &unfinished).await?;
        }
        unfinished.rename(&job.target(stage, part)).await?;
        job.note(stage, part, &record).await
    }
}

async fn register_part(context: &SessionContext, part: &Location) -> anyhow::Result<()> {
    let options = ParquetReadOptions {
        // Its name is known to be right.
        file_extension: "",
        ..ParquetReadOptions::default()
    };
    Ok(context
        .register_parquet("part", part.url(), options)
        .await?)
}

/// Reads which documents of a part could not be loaded.
async fn failed(context: &SessionContext, documents: &Location) -> anyhow::Result<Failed> {
    register_part(context, documents).await?;
    let sql = "SELECT coalesce(uri, ''), error FROM part WHERE error IS NOT NULL ORDER BY 1";
    let mut failed = Failed::default();
    for batch in context.sql(sql).await?.collect().await? {
        failed.count += batch.num_rows();
        for row in 0..batch.num_rows().min(NAMED - failed.first.len()) {
            let value = |column: usize| array_value_to_string(batch.column(column), row);
            failed.first.push((value(0)?, value(1)?));
        }
    }
    Ok(failed)
}

/// Returns whether a query fails in the same way each time.
fn is_lasting(error: &anyhow::Error) -> bool {
    let error = error
        .downcast_ref::<DataFusionError>()
        .map(DataFusionError::find_root);
    matches!(
        error,
        Some(
            DataFusionError::Plan(_) | DataFusionError::SQL(..) | DataFusionError::SchemaError(..)
        )
    )
}

fn told(error: &anyhow::Error) -> String {
    match error.downcast_ref::<DataFusionError>() {
        Some(error) => error.strip_backtrace(),
        None => format!("{error:#}"),
    }
}
