//! Jobs and queries, given to a cluster or done here.

use std::io::Write as _;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::common::DataFusionError;
use datafusion::dataframe::DataFrameWriteOptions;
use datafusion::prelude::ParquetReadOptions;
use futures_util::{StreamExt as _, stream};

use crate::args::RunArguments;
use crate::job::{Job, Stage};
use crate::session::session;

/// Writes a line beside the results.
pub(crate) fn say(line: &str) {
    // Nobody may be there to read it.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Runs a job or a query, and says whether all of it was done.
pub(crate) async fn run(arguments: RunArguments) -> anyhow::Result<bool> {
    if let Some(sql) = &arguments.sql {
        let context = session(arguments.scheduler, arguments.files.limits()).await?;
        let batches = context.sql(sql).await?.collect().await?;
        writeln!(std::io::stdout(), "{}", pretty_format_batches(&batches)?)?;
        return Ok(true);
    }
    let path = arguments.job.as_deref().context("name a job")?;
    let job = Job::read(path)?;
    job.prepare()?;
    let parts = job.part_names()?;
    let (begun, count) = (Instant::now(), parts.len());
    let work = stream::iter(parts.iter().map(|part| {
        let (job, arguments) = (&job, &arguments);
        async move { (part, part_done(job, part, arguments).await) }
    }));
    let mut work = work.buffer_unordered(usize::try_from(arguments.at_once)?);
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
    Ok(failed == 0)
}

/// Does the stages of a part that are not done, and returns how many these were.
async fn part_done(job: &Job, part: &str, arguments: &RunArguments) -> anyhow::Result<usize> {
    let mut count = 0;
    for stage in job.stages() {
        if job.is_done(stage, part) {
            continue;
        }
        count += 1;
        let mut attempt = 1;
        while let Err(error) = stage_done(job, stage, part, arguments).await {
            let failure = format!("{}: {}", stage.name(), told(&error));
            anyhow::ensure!(attempt < arguments.attempts && !is_lasting(&error), failure);
            say(&format!("{part} is tried again: {failure}"));
            tokio::time::sleep(Duration::from_secs(1 << attempt.min(5))).await;
            attempt += 1;
        }
    }
    Ok(count)
}

/// Says whether a query fails in the same way each time.
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

/// Does a stage of a part.
async fn stage_done(
    job: &Job,
    stage: Stage,
    part: &str,
    arguments: &RunArguments,
) -> anyhow::Result<()> {
    let context = session(arguments.scheduler, arguments.files.limits()).await?;
    // What is read while it changes is done again by the next run.
    let record = job.record(stage, part)?;
    let source = job.source(stage, part).display().to_string();
    context
        .register_parquet("part", &source, ParquetReadOptions::default())
        .await?;
    let schema = context.table("part").await?;
    let has_text = schema.schema().has_column_with_unqualified_name("text")
        && !schema.schema().has_column_with_unqualified_name("outline");
    let query = context.sql(&job.query(stage, has_text)?).await?;
    let unfinished = job.unfinished(stage, part);
    let options = DataFrameWriteOptions::new().with_single_file_output(true);
    query
        .write_parquet(&unfinished.display().to_string(), options, None)
        .await?;
    std::fs::rename(&unfinished, job.target(stage, part))?;
    job.note(stage, part, &record)
}
