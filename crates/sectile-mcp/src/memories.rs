//! The facts about a memory besides its text: when it was stored, and its metadata.

use std::fmt::Write as _;
use std::time::{Duration, UNIX_EPOCH};

use sectile::core::DocumentId;
use sectile::store::DocumentRecord;
use serde::Serialize;
use serde_json::Value;

use crate::answer::cut;

/// The prefixes of the URIs of memories and of pieces of knowledge.
const PREFIXES: [&str; 2] = ["memory:", "knowledge:"];

/// The last second that has four digits for its year, in milliseconds of the Unix epoch.
const LAST_WRITABLE: u64 = 253_402_300_799_000;

/// When a memory was stored, and its metadata.
#[derive(Debug, Serialize)]
pub(crate) struct MemoryFacts {
    stored_at: String,
    #[serde(skip_serializing_if = "Value::is_null")]
    metadata: Value,
}

impl MemoryFacts {
    /// Returns the facts of a document that is a memory or a piece of knowledge. Metadata of more than `width`
    /// characters is cut, and then a text.
    pub(crate) fn of(document: &DocumentRecord, width: usize) -> Option<Self> {
        if !PREFIXES
            .iter()
            .any(|prefix| document.uri.starts_with(prefix))
        {
            return None;
        }
        let stored = Duration::from_millis(document.created_at.min(LAST_WRITABLE));
        let stored_at = humantime::format_rfc3339_seconds(UNIX_EPOCH + stored);
        let all = serde_json::to_value(&document.metadata).unwrap_or_default();
        let written = all.to_string();
        let metadata = match all {
            Value::Object(fields) if fields.is_empty() => Value::Null,
            _ if written.chars().nth(width).is_some() => cut(&written, width).into(),
            all => all,
        };
        Some(Self {
            stored_at: stored_at.to_string(),
            metadata,
        })
    }

    /// Writes the facts in one line.
    pub(crate) fn drawn(&self) -> String {
        let mut line = format!("stored {}", self.stored_at);
        let _ = match &self.metadata {
            Value::Null => Ok(()),
            Value::String(start) => write!(line, ", {start}"),
            metadata => write!(line, ", {metadata}"),
        };
        line
    }
}

/// Returns the URIs that a name has if it is the id of a memory or of a piece of knowledge.
pub(crate) fn uris(name: &str) -> Vec<String> {
    let Ok(id) = name.parse::<DocumentId>() else {
        return Vec::new();
    };
    PREFIXES.map(|prefix| format!("{prefix}{id}")).to_vec()
}
