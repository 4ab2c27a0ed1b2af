//! `sectile checkpoint list`.

use std::fmt::Write as _;

use sectile::checkpoint::{
    Checkpoint, CheckpointQuery, Error, Key, NamespaceSummary, Records, StoredState,
};
use serde::Serialize;
use serde_json::Value;

use super::{counted, line, no_checkpoint, nothing};
use crate::commands::Outcome;
use crate::output;

/// A checkpoint in a list, without its state.
#[derive(Serialize)]
struct Row<'a> {
    thread_id: &'a str,
    seq: u64,
    id: Option<&'a str>,
    parent_seq: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<&'a str>,
    step: u64,
    node: Option<&'a str>,
    metadata: &'a serde_json::Map<String, Value>,
    created_at: u64,
    pending_writes: u64,
}

/// Prints the checkpoints of a namespace, newest first.
pub(super) async fn list(
    records: &dyn Records,
    key: &Key,
    query: &CheckpointQuery,
    json: bool,
) -> anyhow::Result<Outcome> {
    key.validate()?;
    let found = records.select(key, query).await?;
    let seqs: Vec<u64> = found.iter().map(|checkpoint| checkpoint.seq).collect();
    let writes = records.count_writes(key, &seqs).await?;
    let listed = found.iter().zip(writes);
    if json {
        output::value(&listed.map(row).collect::<Vec<_>>())?;
    } else {
        output::text(&listed.map(listed_line).collect::<String>())?;
    }
    match found.last() {
        None => none_listed(records, key, query).await,
        Some(last) => {
            if has_more(records, key, query, last.seq).await? {
                note_more(records, key, query, last.seq, found.len() as u64).await?;
            }
            Ok(Outcome::Done)
        }
    }
}

/// Returns whether more checkpoints match than those down to the last one that is listed.
async fn has_more(
    records: &dyn Records,
    key: &Key,
    query: &CheckpointQuery,
    last: u64,
) -> anyhow::Result<bool> {
    let next = CheckpointQuery {
        limit: Some(1),
        before: Some(last),
        ..query.clone()
    };
    match records.select(key, &next).await {
        // One that is damaged is one, too.
        Err(Error::Corrupt { .. }) => Ok(true),
        found => Ok(!found?.is_empty()),
    }
}

/// Says that a list of checkpoints ends before the last, how many follow where that is known, and how they
/// are listed.
async fn note_more(
    records: &dyn Records,
    key: &Key,
    query: &CheckpointQuery,
    last: u64,
    listed: u64,
) -> anyhow::Result<()> {
    let is_whole = query.before.is_none() && query.metadata.is_empty();
    let more = match namespace_of(records, key).await? {
        Some(all) if is_whole => format!("{} more", all.checkpoints.saturating_sub(listed)),
        _ => "there are more".to_owned(),
    };
    output::note(format_args!("{more}; `--before {last}` shows them"));
    Ok(())
}

async fn namespace_of(
    records: &dyn Records,
    key: &Key,
) -> anyhow::Result<Option<NamespaceSummary>> {
    let mut all = records.namespaces(&key.thread_id).await?.into_iter();
    Ok(all.find(|found| found.namespace == key.namespace))
}

/// Says why no checkpoint is listed.
async fn none_listed(
    records: &dyn Records,
    key: &Key,
    query: &CheckpointQuery,
) -> anyhow::Result<Outcome> {
    if namespace_of(records, key).await?.is_none() {
        return no_checkpoint(records, key).await;
    }
    let mut what = format!("no checkpoint of `{}`", key.thread_id);
    if let Some(before) = query.before {
        let _ = write!(what, " before {before}");
    }
    if query.metadata.is_empty() {
        what.push_str(" is kept");
    } else {
        what.push_str(" has that metadata");
    }
    Ok(nothing(
        format_args!("{what}"),
        "without `--before` and `--filter` all are listed",
    ))
}

/// Writes a checkpoint with the number of its pending writes on one line.
fn listed_line((checkpoint, pending_writes): (&Checkpoint<StoredState>, u64)) -> String {
    let mut line = line(checkpoint);
    if pending_writes > 0 {
        let _ = write!(line, "  {}", counted(pending_writes, "pending write"));
    }
    line + "\n"
}

fn row((checkpoint, pending_writes): (&Checkpoint<StoredState>, u64)) -> Row<'_> {
    Row {
        thread_id: &checkpoint.thread_id,
        seq: checkpoint.seq,
        id: checkpoint.id.as_deref(),
        parent_seq: checkpoint.parent_seq,
        run_id: checkpoint.run_id.as_deref(),
        step: checkpoint.step,
        node: checkpoint.node.as_deref(),
        metadata: &checkpoint.metadata,
        created_at: checkpoint.created_at,
        pending_writes,
    }
}
