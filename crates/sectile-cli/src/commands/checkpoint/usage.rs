//! `sectile checkpoint du`.

use std::fmt::Write as _;

use sectile::checkpoint::Usage;
use serde_json::{Value, json};

use super::{counted, named, outcome};
use crate::commands::Outcome;
use crate::output;

/// Prints how many bytes namespaces have, the largest first.
pub(super) fn usage(mut found: Vec<Usage>, limit: usize, json: bool) -> anyhow::Result<Outcome> {
    found.sort_by_key(|usage| std::cmp::Reverse(usage.stored_bytes));
    if json {
        output::value(&usage_json(&found, limit))?;
    } else {
        output::text(&usage_text(&found, limit))?;
    }
    let all = found.len();
    if all > limit {
        let more = all - limit;
        output::note(format_args!("{more} more; `--limit {all}` shows all"));
    }
    Ok(outcome(found.is_empty()))
}

/// Returns how many bytes namespaces have, as stored and if each state were stored whole.
fn total(found: &[Usage]) -> (u64, u64) {
    let sizes = found
        .iter()
        .map(|usage| (usage.stored_bytes, usage.whole_bytes));
    sizes.fold((0, 0), |sum, usage| (sum.0 + usage.0, sum.1 + usage.1))
}

/// Returns the sizes of namespaces as JSON.
pub(super) fn usage_json(found: &[Usage], limit: usize) -> Value {
    let (stored, whole) = total(found);
    let shown = &found[..limit.min(found.len())];
    json!({
        "stored_bytes": stored, "whole_bytes": whole, "namespaces": shown,
        "more": found.len() - shown.len(),
    })
}

fn usage_text(found: &[Usage], limit: usize) -> String {
    let line = |usage: &Usage| {
        format!(
            "{}  {}  {}, {} stored, {} without sharing, {}, {}\n",
            usage.thread_id.escape_debug(),
            named(&usage.namespace),
            counted(usage.checkpoints, "checkpoint"),
            size(usage.stored_bytes),
            size(usage.whole_bytes),
            counted(usage.pieces, "piece"),
            counted(usage.writes, "write")
        )
    };
    let mut text: String = found.iter().take(limit).map(line).collect();
    let (stored, whole) = total(found);
    let (stored, whole) = (size(stored), size(whole));
    let _ = writeln!(text, "all: {stored} stored, {whole} without sharing");
    text
}

/// Writes a size with a unit.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
