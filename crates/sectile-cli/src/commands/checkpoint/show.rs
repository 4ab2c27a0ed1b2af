//! `sectile checkpoint show`.

use std::fmt::Write as _;

use sectile::checkpoint::{At, Key, PendingWrite, Records, RecordsExt as _};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{line, no_checkpoint};
use crate::commands::Outcome;
use crate::output;

/// A write beside a checkpoint, as it is shown.
#[derive(Serialize)]
struct Shown {
    task_id: String,
    index: i64,
    channel: String,
    value: Box<RawValue>,
}

/// Prints a checkpoint with its state and what tasks wrote beside it.
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
        output::text(&line(&checkpoint))?;
        output::value(&serde_json::from_str::<Value>(state.get())?)?;
        let line = |write: &Shown| {
            let (task, channel) = (write.task_id.escape_debug(), write.channel.escape_debug());
            format!("task {task} wrote to {channel}: {}\n", write.value)
        };
        output::text(&writes.iter().map(line).collect::<String>())?;
    }
    Ok(Outcome::Done)
}

fn shown_write(pending: PendingWrite) -> serde_json::Result<Shown> {
    let value = pending.write.value.to_shown_json().into_owned();
    Ok(Shown {
        task_id: pending.task_id,
        index: pending.write.index,
        channel: pending.write.channel,
        value: RawValue::from_string(value)?,
    })
}
