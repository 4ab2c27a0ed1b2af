//! The rows as both engines have them.

use futures_util::{Stream, StreamExt as _};

use crate::{ImportError, WesichainRow};

/// Every checkpoint, the threads one after another.
pub(super) const ROWS: &str = "SELECT thread_id, seq, created_at, node, step, state_json, \
     queue_json FROM checkpoints ORDER BY thread_id, seq";

/// The same, of a table that an older release made.
pub(super) const ROWS_WITHOUT_QUEUE: &str = "SELECT thread_id, seq, created_at, node, step, \
     state_json, '[]' FROM checkpoints ORDER BY thread_id, seq";

/// The columns that each release has.
const COLUMNS: [&str; 6] = [
    "thread_id",
    "seq",
    "created_at",
    "node",
    "step",
    "state_json",
];

/// The columns of a row, in the order of the statements.
pub(super) type Row = (
    String,
    i64,
    String,
    Option<String>,
    Option<i64>,
    String,
    String,
);

/// Returns the statement for a table with these columns.
///
/// # Errors
///
/// [`ImportError::NoTable`] if it is not the one of Wesichain: another application's, or that of
/// Sectile, which has metadata beside each state.
pub(super) fn statement(columns: &[String]) -> Result<&'static str, ImportError> {
    let has = |name: &str| columns.iter().any(|column| column == name);
    if !COLUMNS.iter().all(|name| has(name)) || has("metadata_json") {
        return Err(ImportError::NoTable);
    }
    Ok(if has("queue_json") {
        ROWS
    } else {
        ROWS_WITHOUT_QUEUE
    })
}

/// Gives their names to the columns of rows.
pub(super) fn named(
    rows: impl Stream<Item = sqlx::Result<Row>>,
) -> impl Stream<Item = Result<WesichainRow, ImportError>> {
    rows.map(|row| row.map(WesichainRow::from).map_err(unreadable))
}

impl From<Row> for WesichainRow {
    fn from(row: Row) -> Self {
        Self {
            thread_id: row.0,
            seq: row.1,
            created_at: row.2,
            node: row.3,
            step: row.4,
            state_json: row.5,
            queue_json: row.6,
        }
    }
}

pub(super) fn invalid_url(error: sqlx::Error) -> ImportError {
    ImportError::InvalidUrl {
        source: error.into(),
    }
}

pub(super) fn unreadable(error: sqlx::Error) -> ImportError {
    ImportError::Unreadable {
        source: error.into(),
    }
}
