//! A checkpoint of Wesichain as one of Sectile, and back.

use chrono::{DateTime, SecondsFormat};
use sectile_checkpoint::{Checkpoint, Pending};
use serde_json::Value;
use wesichain_core::checkpoint::Checkpoint as WesichainCheckpoint;
use wesichain_core::state::{GraphState, StateSchema};

/// The entry of the metadata that has the text of Wesichain's `created_at`.
pub(crate) const CREATED_AT: &str = "created_at";

/// Returns what is saved for a checkpoint of Wesichain.
pub(crate) fn from_wesichain<S: StateSchema>(
    checkpoint: &WesichainCheckpoint<S>,
) -> Checkpoint<GraphState<S>> {
    let mut saved = Checkpoint::new(&checkpoint.thread_id, checkpoint.state.clone())
        .at_step(checkpoint.step, &checkpoint.node)
        .with_metadata(CREATED_AT, checkpoint.created_at.as_str())
        .with_created_at(milliseconds(&checkpoint.created_at));
    saved.queue = checkpoint.queue.iter().cloned().map(pending).collect();
    saved
}

/// Returns the checkpoint of Wesichain for one that was loaded.
pub(crate) fn to_wesichain<S: StateSchema>(
    checkpoint: Checkpoint<GraphState<S>>,
) -> WesichainCheckpoint<S> {
    let queue = checkpoint.queue.iter();
    WesichainCheckpoint {
        created_at: created_at(&checkpoint),
        queue: queue.map(|next| (next.node.clone(), next.step)).collect(),
        thread_id: checkpoint.thread_id,
        state: checkpoint.state,
        step: checkpoint.step,
        node: checkpoint.node.unwrap_or_default(),
    }
}

/// Returns an entry of a queue, which Wesichain writes as a pair.
pub(crate) fn pending((node, step): (String, u64)) -> Pending {
    Pending { node, step }
}

/// Returns the text that Wesichain gave for the time of saving; for what was saved without it, that
/// time in the same form.
pub(crate) fn created_at<S>(checkpoint: &Checkpoint<S>) -> String {
    match checkpoint.metadata.get(CREATED_AT) {
        Some(Value::String(text)) => text.clone(),
        _ => rfc_3339(checkpoint.created_at),
    }
}

/// Reads a time as RFC 3339 writes it, in milliseconds since 1970-01-01 UTC; 0, which stands for the
/// time of saving, for any other text and for times before.
pub(crate) fn milliseconds(text: &str) -> u64 {
    let time = DateTime::parse_from_rfc3339(text).ok();
    time.and_then(|time| u64::try_from(time.timestamp_millis()).ok())
        .unwrap_or(0)
}

/// Writes a time as RFC 3339 does; nothing for one that has no date there.
fn rfc_3339(milliseconds: u64) -> String {
    i64::try_from(milliseconds)
        .ok()
        .and_then(DateTime::from_timestamp_millis)
        .map(|time| time.to_rfc3339_opts(SecondsFormat::Millis, false))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_any_offset_and_fraction() {
        for (text, expected) in [
            ("1970-01-01T00:00:00.001+00:00", 1),
            ("2026-11-21T11:44:23.123456789+00:00", 1_795_261_463_123),
            ("2026-11-21T12:44:23.123Z", 1_795_265_063_123),
            ("2026-11-21T12:44:23.123+01:00", 1_795_261_463_123),
            ("1969-12-31T23:59:59+00:00", 0),
            ("yesterday", 0),
            ("", 0),
        ] {
            assert_eq!(milliseconds(text), expected, "{text}");
        }
    }

    #[test]
    fn a_time_without_text_is_written() {
        let checkpoint = Checkpoint::new("t", ()).with_created_at(1_795_261_463_123);
        assert_eq!(created_at(&checkpoint), "2026-11-21T11:44:23.123+00:00");
        let checkpoint = checkpoint.with_metadata(CREATED_AT, 7);
        assert_eq!(created_at(&checkpoint), "2026-11-21T11:44:23.123+00:00");
        assert_eq!(rfc_3339(u64::MAX), "");
    }
}
