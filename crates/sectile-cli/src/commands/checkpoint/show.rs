//! `sectile checkpoint show`.

use std::fmt::Write as _;

use sectile::checkpoint::{At, Key, PendingWrite, Records, RecordsExt as _};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{line, no_checkpoint};
use crate::commands::Outcome;
use crate::output;

/// A pending write, as it is shown.
#[derive(Serialize)]
struct Shown {
    task_id: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    task_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<String>,
    index: i64,
    channel: String,
    kind: String,
    value: Box<RawValue>,
}

/// Prints a checkpoint with its state and its pending writes.
pub(super) async fn show(
    records: &dyn Records,
    key: &Key,
    at: At,
    json: bool,
) -> anyhow::Result<Outcome> {
    let Some(checkpoint) = records.load_stored(key, &at).await? else {
        if json {
            output::value(&Value::Null)?;
        }
        return no_checkpoint(records, key).await;
    };
    let at = At::Seq(checkpoint.seq);
    let writes = records.pending_writes(key, &at).await?;
    let writes: Vec<Shown> = writes
        .into_iter()
        .map(shown_write)
        .collect::<Result<_, _>>()?;
    let state = checkpoint.state.to_shown_json().into_owned();
    let checkpoint = checkpoint.map_state(|_| ());
    let state = RawValue::from_string(state)?;
    if json {
        let mut all = serde_json::to_value(&checkpoint)?;
        // As in a list, what a checkpoint does not have is null.
        all["id"] = json!(checkpoint.id);
        all["parent_seq"] = json!(checkpoint.parent_seq);
        all["node"] = json!(checkpoint.node);
        all["state"] = serde_json::from_str(state.get())?;
        if !writes.is_empty() {
            all["writes"] = serde_json::to_value(&writes)?;
        }
        output::value(&all)?;
    } else {
        output::text(&(line(&checkpoint) + "\n"))?;
        output::value(&serde_json::from_str::<Value>(state.get())?)?;
        output::text(&writes.iter().map(write_line).collect::<String>())?;
    }
    Ok(Outcome::Done)
}

/// Writes what a task wrote on one line.
fn write_line(write: &Shown) -> String {
    let mut line = format!("task {}", write.task_id.escape_debug());
    if !write.task_path.is_empty() {
        let _ = write!(line, " at {}", write.task_path.escape_debug());
    }
    if let Some(run) = &write.run_id {
        let _ = write!(line, " of run {}", run.escape_debug());
    }
    let (kind, channel) = (write.kind.escape_debug(), write.channel.escape_debug());
    let _ = writeln!(line, " wrote {kind} to {channel}: {}", write.value);
    line
}

fn shown_write(pending: PendingWrite) -> serde_json::Result<Shown> {
    let value = pending.write.value.to_shown_json().into_owned();
    Ok(Shown {
        task_id: pending.task_id,
        task_path: pending.task_path,
        run_id: pending.run_id,
        index: pending.write.index,
        channel: pending.write.channel,
        kind: pending.write.value.kind.to_string(),
        value: RawValue::from_string(value)?,
    })
}
