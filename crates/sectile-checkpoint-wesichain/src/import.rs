//! Takes over checkpoints that the published crates of Wesichain keep in a database.

use std::collections::HashMap;
use std::pin::pin;

use futures_util::{Stream, StreamExt as _};
use sectile_checkpoint::{At, Checkpoint, Checkpointer as _, Error, Records, Saved};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::ImportError;
use crate::convert::{CREATED_AT, milliseconds, pending};

#[cfg(feature = "postgres")]
mod postgres;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod rows;
#[cfg(feature = "sqlite")]
mod sqlite;

#[cfg(feature = "postgres")]
pub use postgres::import_postgres;
#[cfg(feature = "sqlite")]
pub use sqlite::import_sqlite;

type Result<T, E = ImportError> = std::result::Result<T, E>;

/// What the id of a checkpoint that was imported begins with; the number that it had follows.
const ID_PREFIX: &str = "wesichain-";

/// A row of the table `checkpoints` of `wesichain-checkpoint-sql` 0.3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WesichainRow {
    /// The thread.
    pub thread_id: String,
    /// The number in the thread.
    pub seq: i64,
    /// When it was saved, as RFC 3339 writes it.
    pub created_at: String,
    /// The node that ran last.
    pub node: Option<String>,
    /// How many steps the run has made; nothing is taken for 0.
    pub step: Option<i64>,
    /// The state: the JSON of a `GraphState`.
    pub state_json: String,
    /// The queue: a JSON array of pairs. Tables of older releases have no such column; `[]` stands
    /// for that.
    pub queue_json: String,
}

/// What an import did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// How many threads were met.
    pub threads: u64,
    /// How many checkpoints were saved.
    pub saved: u64,
    /// How many had been imported before.
    pub known: u64,
}

/// Saves the checkpoints of rows that `wesichain-checkpoint-sql` 0.3 has written. The rows of each
/// thread come in the order of their numbers.
///
/// States, queues, nodes, steps and the text of `created_at` stay as they are, so a graph goes on
/// where it was. The number `seq` becomes part of the checkpoint's
/// [id](sectile_checkpoint::Checkpoint::id), `wesichain-{seq}`, so an import can be repeated: what is
/// there already is compared and not saved again, and what was pruned since stays away. The numbers
/// in the new place are 1, 2, 3 … without a gap.
///
/// Each row is a save of its own; on SQLite, `Durability::Normal` makes that fast. No graph should
/// save to the old place any more: once runs go on in the new one, new rows of their threads are
/// refused.
///
/// ```
/// use futures_util::stream;
/// use sectile_checkpoint::MemoryCheckpointer;
/// use sectile_checkpoint_wesichain::{WesichainRow, import};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), sectile_checkpoint_wesichain::ImportError> {
/// let row = WesichainRow {
///     thread_id: "thread-1".into(),
///     seq: 1,
///     created_at: "2026-11-21T08:00:00+00:00".into(),
///     node: Some("write".into()),
///     step: Some(1),
///     state_json: r#"{"data": {"steps": ["written"]}}"#.into(),
///     queue_json: r#"[["publish", 0]]"#.into(),
/// };
/// let imported = import(stream::iter([Ok(row)]), &MemoryCheckpointer::new()).await?;
/// assert_eq!(imported.saved, 1);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// The first [`ImportError`], whether of the rows or of saving them; the rows before it are saved.
pub async fn import<R: Records + ?Sized>(
    rows: impl Stream<Item = Result<WesichainRow>>,
    into: &R,
) -> Result<Imported> {
    let mut rows = pin!(rows);
    let mut import = Import::new(into);
    while let Some(row) = rows.next().await {
        import.add(row?).await?;
    }
    Ok(import.done)
}

/// An import on its way.
struct Import<'r, R: ?Sized> {
    into: &'r R,
    threads: HashMap<String, Thread>,
    done: Imported,
}

/// What is known of a thread.
struct Thread {
    before: Before,
    /// The number of the last row.
    last: i64,
}

/// What the new place had of a thread before its first row.
#[derive(Clone, Copy)]
enum Before {
    Nothing,
    /// Checkpoints that were imported, up to this number.
    UpTo(i64),
    /// Newer ones than those that were imported.
    Newer,
}

impl<'r, R: Records + ?Sized> Import<'r, R> {
    fn new(into: &'r R) -> Self {
        Self {
            into,
            threads: HashMap::new(),
            done: Imported::default(),
        }
    }

    async fn add(&mut self, row: WesichainRow) -> Result<()> {
        let seq = row.seq;
        let before = self.follow(&row).await?;
        let checkpoint = row.into_checkpoint()?;
        let thread_id = checkpoint.thread_id.clone();
        let is_old = match before {
            Before::Nothing => false,
            Before::UpTo(imported) => seq <= imported,
            Before::Newer => true,
        };
        if is_old
            && !self
                .has(&checkpoint)
                .await
                .map_err(unsaved(&thread_id, seq))?
        {
            return self.leave_out(before, thread_id, seq);
        }
        let saved = self.into.save(&checkpoint).await;
        self.count(saved.map_err(unsaved(&thread_id, seq))?);
        Ok(())
    }

    /// Makes sure that a row comes after those of its thread that were met, and returns what there
    /// was before these.
    async fn follow(&mut self, row: &WesichainRow) -> Result<Before> {
        let before = match self.threads.get(&row.thread_id) {
            Some(thread) if row.seq <= thread.last => {
                return Err(row.invalid("seq", "comes after a row with the same or a larger one"));
            }
            Some(thread) => thread.before,
            None => {
                self.done.threads += 1;
                let before = self.look(&row.thread_id).await;
                before.map_err(unsaved(&row.thread_id, row.seq))?
            }
        };
        let last = row.seq;
        let thread = Thread { before, last };
        self.threads.insert(row.thread_id.clone(), thread);
        Ok(before)
    }

    async fn look(&self, thread_id: &str) -> Result<Before, Error> {
        let newest: Option<Checkpoint<Box<RawValue>>> = self.into.load(thread_id).await?;
        Ok(newest.map_or(Before::Nothing, |newest| {
            imported_seq(&newest).map_or(Before::Newer, Before::UpTo)
        }))
    }

    async fn has(&self, checkpoint: &Checkpoint<Box<RawValue>>) -> Result<bool, Error> {
        let Some(id) = checkpoint.id.clone() else {
            return Ok(false);
        };
        let found = self.into.fetch(&checkpoint.key(), &At::Id(id)).await?;
        Ok(found.is_some())
    }

    /// Leaves out an old checkpoint that is not there: it was imported before and pruned since,
    /// unless it might be one that was never imported.
    fn leave_out(&mut self, before: Before, thread_id: String, seq: i64) -> Result<()> {
        if matches!(before, Before::Newer) {
            return Err(ImportError::ThreadWentOn { thread_id, seq });
        }
        self.done.known += 1;
        Ok(())
    }

    fn count(&mut self, saved: Saved) {
        if saved.is_new {
            self.done.saved += 1;
        } else {
            self.done.known += 1;
        }
    }
}

/// Returns the function that says which checkpoint could not be saved.
fn unsaved(thread_id: &str, seq: i64) -> impl FnOnce(Error) -> ImportError {
    move |source| ImportError::Unsaved {
        thread_id: thread_id.to_owned(),
        seq,
        source,
    }
}

/// Returns the number that a checkpoint had before it was imported, if it was.
fn imported_seq<S>(checkpoint: &Checkpoint<S>) -> Option<i64> {
    let seq = checkpoint.id.as_ref()?.strip_prefix(ID_PREFIX)?;
    seq.parse().ok()
}

impl WesichainRow {
    /// Returns what is saved. The state stays as it was written, to the last digit of its numbers.
    fn into_checkpoint(self) -> Result<Checkpoint<Box<RawValue>>> {
        let queue: Vec<(String, u64)> = serde_json::from_str(&self.queue_json)
            .map_err(|error| self.invalid("queue_json", format!("is not a queue: {error}")))?;
        let step = u64::try_from(self.step.unwrap_or(0))
            .map_err(|_| self.invalid("step", "is negative"))?;
        let mut checkpoint = Checkpoint::new(&self.thread_id, self.state()?)
            .with_id(format!("{ID_PREFIX}{}", self.seq))
            .with_created_at(milliseconds(&self.created_at))
            .with_metadata(CREATED_AT, self.created_at);
        checkpoint.node = self.node;
        checkpoint.step = step;
        checkpoint.queue = queue.into_iter().map(pending).collect();
        Ok(checkpoint)
    }

    fn state(&self) -> Result<Box<RawValue>> {
        // Raw JSON may nest deeper, and have other escapes, than values that can be read.
        serde_json::from_str::<Value>(&self.state_json)
            .and_then(|_| serde_json::from_str(&self.state_json))
            .map_err(|error| self.invalid("state_json", format!("is not JSON: {error}")))
    }

    fn invalid(&self, column: &'static str, reason: impl Into<String>) -> ImportError {
        ImportError::InvalidRow {
            thread_id: self.thread_id.clone(),
            seq: self.seq,
            column,
            reason: reason.into(),
        }
    }
}
