//! Operations of several statements, written once for both engines.
//!
//! Each function runs within a transaction that its caller has begun and commits, or rolls back
//! when the function fails.

use std::sync::Arc;

use sectile_checkpoint::{At, Checkpoint, Error, Key, Newest, Prune, Result, Saved, StoredState};

use crate::pieces::Pieces;
use crate::projection::{
    self, DefaultProjector, Message, Projection, Projector, Session, Triple, Unmapped,
};
use crate::read::{self, Head, limited};
use crate::row::{NewRow, StoredRow, signed};
use crate::session::Argument::{
    self, Integer, MaybeBytes, MaybeInteger, MaybeReal, MaybeText, Text,
};
use crate::session::Transaction;
use crate::{garbage, sql};

mod copy;
mod moving;
mod remove;
mod save;
mod writes;

pub use moving::{move_some, refuse_damaged};
pub use save::{add_entries, save};
pub use writes::put_writes;

/// How many states are held at once while projections are rebuilt.
const PAGE: i64 = 32;

/// What is projected, and how.
#[derive(Clone, Copy, Debug)]
pub struct Mapping<'a> {
    /// Says what of a state goes where.
    pub projector: &'a dyn Projector,
    /// What becomes of shapes that do not map.
    pub unmapped: Unmapped,
}

/// How projections are made, as a backend keeps it.
#[derive(Clone, Debug)]
pub struct Projecting {
    /// Says what of a state goes where.
    pub projector: Arc<dyn Projector>,
    /// What becomes of shapes that do not map.
    pub unmapped: Unmapped,
}

impl Projecting {
    /// Returns the same for one call.
    pub fn mapping(&self) -> Mapping<'_> {
        Mapping {
            projector: &*self.projector,
            unmapped: self.unmapped,
        }
    }
}

/// The mapping of [`Operation::Rebuild`] where projections are not enabled.
const DEFAULT_MAPPING: Mapping<'static> = Mapping {
    projector: &DefaultProjector,
    unmapped: Unmapped::Skip,
};

/// What is done with a whole thread, or with a namespace of one.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Copies the checkpoints of a thread to a new thread.
    Copy {
        /// The thread that is copied.
        from: String,
        /// The number of the last checkpoint of the root that is copied; otherwise all are.
        up_to: Option<u64>,
        /// The new thread.
        to: String,
    },
    /// Deletes all that is kept of a thread.
    Delete {
        /// The thread.
        thread_id: String,
    },
    /// Deletes all that is kept of a namespace.
    DeleteNamespace {
        /// The thread and the namespace.
        key: Key,
    },
    /// Deletes what a run saved and wrote in a namespace.
    DeleteRun {
        /// The number of the namespace.
        thread_key: i64,
        /// The run.
        run_id: String,
    },
    /// Deletes old checkpoints of a namespace.
    Prune {
        /// The number of the namespace.
        thread_key: i64,
        /// Which of its checkpoints.
        prune: Prune,
    },
    /// Writes the projections of a thread again.
    Rebuild {
        /// The thread.
        thread_id: String,
    },
}

impl Operation {
    /// Runs within a transaction and returns how many checkpoints were copied or deleted.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for what is not there to copy or to rebuild, [`Error::ThreadExists`] for
    /// a copy that runs into another thread, [`Error::Projection`] for projections that fail, and
    /// what the database reports.
    pub async fn run(
        &self,
        transaction: &mut dyn Transaction,
        mapping: Option<Mapping<'_>>,
    ) -> Result<u64> {
        match self {
            Self::Copy { from, up_to, to } => {
                copy::copy(transaction, mapping, from, *up_to, to).await
            }
            Self::Delete { thread_id } => remove::thread(transaction, thread_id).await,
            Self::DeleteNamespace { key } => remove::namespace(transaction, key).await,
            Self::DeleteRun { thread_key, run_id } => {
                remove::run(transaction, mapping, *thread_key, run_id).await
            }
            Self::Prune { thread_key, prune } => {
                remove::prune(transaction, mapping, *thread_key, prune).await
            }
            Self::Rebuild { thread_id } => {
                let mapping = mapping.unwrap_or(DEFAULT_MAPPING);
                rebuild(transaction, mapping, thread_id).await.map(|()| 0)
            }
        }
    }
}

/// Writes the projections of a checkpoint that was inserted in this transaction. Only the root of a
/// thread has projections.
///
/// # Errors
///
/// [`Error::Projection`] when the mapping refuses the state or the tables refuse the rows, and
/// what the database reports.
pub async fn project(
    transaction: &mut dyn Transaction,
    mapping: Mapping<'_>,
    checkpoint: &Checkpoint<StoredState>,
) -> Result<()> {
    if !checkpoint.namespace.is_empty() {
        return Ok(());
    }
    let projection = projected(mapping, checkpoint)?;
    write(transaction, checkpoint, &projection)
        .await
        .map_err(|error| projection_failed(&checkpoint.thread_id, error))
}

/// Returns what is projected of a checkpoint.
fn projected(mapping: Mapping<'_>, checkpoint: &Checkpoint<StoredState>) -> Result<Projection> {
    let thread_id = &checkpoint.thread_id;
    if checkpoint.state.is_sealed() {
        let reason =
            "a state that is encrypted or compressed cannot be projected; turn projections off";
        return Err(projection_refused(thread_id, reason.into()));
    }
    let projection = projection::of(mapping.projector, checkpoint);
    report_unmapped(mapping.unmapped, thread_id, &projection)?;
    Ok(projection)
}

/// Brings the projections of a thread to its newest checkpoint after that became another one. They are
/// empty if there is none, or if it cannot be projected: what was deleted must not stay in them.
async fn follow(
    transaction: &mut dyn Transaction,
    mapping: Option<Mapping<'_>>,
    thread_id: &str,
) -> Result<()> {
    let newest = match mapping {
        Some(mapping) => newest_projected(transaction, mapping, thread_id).await?,
        None => None,
    };
    let done = match newest {
        Some((checkpoint, projection)) => write(transaction, &checkpoint, &projection).await,
        None => clear_projections(transaction, thread_id).await,
    };
    done.map_err(|error| projection_failed(thread_id, error))
}

/// Returns the newest checkpoint of a thread with what is projected of it.
async fn newest_projected(
    transaction: &mut dyn Transaction,
    mapping: Mapping<'_>,
    thread_id: &str,
) -> Result<Option<(Checkpoint<StoredState>, Projection)>> {
    let newest = match read::fetch(transaction, &Key::from(thread_id), &At::Latest).await {
        Ok(Some(newest)) => projected(mapping, &newest).map(|projection| (newest, projection)),
        Ok(None) => return Ok(None),
        Err(error) => Err(error),
    };
    match newest {
        Err(error @ (Error::Corrupt { .. } | Error::Projection { .. })) => {
            tracing::warn!(thread_id, %error, "the projections of the thread are emptied");
            Ok(None)
        }
        newest => newest.map(Some),
    }
}

/// Writes the projections of a checkpoint that was saved in this transaction.
///
/// # Errors
///
/// Those of [`project`].
pub async fn project_new(
    transaction: &mut dyn Transaction,
    mapping: Mapping<'_>,
    new: &NewRow,
    saved: Saved,
) -> Result<()> {
    let mut checkpoint = new.checkpoint(saved.seq)?;
    if matches!(&checkpoint.state, StoredState::Channels(channels) if !channels.is_whole()) {
        let found = read::fetch(transaction, &new.key, &At::Seq(saved.seq)).await?;
        checkpoint = found.unwrap_or(checkpoint);
    }
    project(transaction, mapping, &checkpoint).await
}

/// Warns of shapes that do not map, or refuses them.
fn report_unmapped(unmapped: Unmapped, thread_id: &str, projection: &Projection) -> Result<()> {
    let Some(first) = projection.unmapped.first() else {
        return Ok(());
    };
    match unmapped {
        Unmapped::Refuse => Err(projection_refused(thread_id, first.clone().into())),
        Unmapped::Skip => {
            let count = projection.unmapped.len();
            tracing::warn!(thread_id, count, %first, "not projected, as its shape does not map");
            Ok(())
        }
    }
}

fn projection_refused(thread_id: &str, source: Box<dyn std::error::Error + Send + Sync>) -> Error {
    Error::Projection {
        thread_id: thread_id.into(),
        source,
    }
}

/// Says that the projections failed, where it is they that did, and not the database.
fn projection_failed(thread_id: &str, error: Error) -> Error {
    match error {
        Error::Backend { .. } => projection_refused(thread_id, error.into()),
        other => other,
    }
}

async fn write(
    transaction: &mut dyn Transaction,
    checkpoint: &Checkpoint<StoredState>,
    projection: &Projection,
) -> Result<()> {
    match &projection.session {
        Some(session) => put_session(transaction, checkpoint, session).await?,
        None => delete_session(transaction, &checkpoint.thread_id).await?,
    }
    synchronize(transaction, checkpoint, &projection.messages).await?;
    synchronize(transaction, checkpoint, &projection.triples).await
}

async fn put_session(
    transaction: &mut dyn Transaction,
    checkpoint: &Checkpoint<StoredState>,
    session: &Session,
) -> Result<()> {
    let metadata = serde_json::Value::from(checkpoint.metadata.clone()).to_string();
    let arguments = [
        Text(&checkpoint.thread_id),
        MaybeText(session.session_id.as_deref()),
        MaybeText(session.user_id.as_deref()),
        MaybeText(session.title.as_deref()),
        Text(&metadata),
        Integer(signed("created_at", checkpoint.created_at)?),
    ];
    transaction
        .execute(sql::PUT_SESSION, &arguments)
        .await
        .map(drop)
}

/// An entry of a projected list, which is stored with a hash of itself and all before it. So one
/// look at the last row says whether a list only became longer.
trait Entry: Sync {
    /// Reads the last position and hash.
    const LAST: &'static str;
    /// Reads all positions and hashes.
    const CHAINS: &'static str;
    /// Deletes from a position on.
    const CUT: &'static str;
    /// Adds an entry: thread, position, number, time, hash and its own columns.
    const ADD: &'static str;

    /// Returns the entry's own columns.
    fn columns(&self) -> Vec<Argument<'_>>;
}

impl Entry for Message {
    const LAST: &'static str = sql::LAST_MESSAGE;
    const CHAINS: &'static str = sql::MESSAGE_CHAINS;
    const CUT: &'static str = sql::CUT_MESSAGES;
    const ADD: &'static str = sql::ADD_MESSAGE;

    fn columns(&self) -> Vec<Argument<'_>> {
        vec![Text(&self.role), Text(&self.content)]
    }
}

impl Entry for Triple {
    const LAST: &'static str = sql::LAST_TRIPLE;
    const CHAINS: &'static str = sql::TRIPLE_CHAINS;
    const CUT: &'static str = sql::CUT_TRIPLES;
    const ADD: &'static str = sql::ADD_TRIPLE;

    fn columns(&self) -> Vec<Argument<'_>> {
        vec![
            Text(&self.subject),
            Text(&self.predicate),
            Text(&self.object),
            MaybeReal(self.score),
        ]
    }
}

/// Brings a stored list to what the checkpoint has: keeps the beginning that is the same, deletes
/// what follows, and adds the rest.
async fn synchronize<E: Entry>(
    transaction: &mut dyn Transaction,
    checkpoint: &Checkpoint<StoredState>,
    entries: &[E],
) -> Result<()> {
    let thread = Text(&checkpoint.thread_id);
    let chains = chains(entries);
    let last = transaction.pairs(E::LAST, &[thread]).await?;
    let stored = last.first().map_or(0, |&(position, _)| index(position) + 1);
    let kept = match last.first() {
        Some((position, chain)) if chains.get(index(*position)) != Some(chain) => {
            let stored = transaction.pairs(E::CHAINS, &[thread]).await?;
            let same = stored.iter().zip(&chains);
            same.take_while(|((_, one), other)| one == *other).count()
        }
        _ => stored,
    };
    if kept < stored {
        let from = Integer(signed("position", kept as u64)?);
        transaction.execute(E::CUT, &[thread, from]).await?;
    }
    let (seq, created_at) = (
        Integer(signed("seq", checkpoint.seq)?),
        Integer(signed("created_at", checkpoint.created_at)?),
    );
    let new = (0..).zip(entries).zip(&chains).skip(kept);
    for ((position, entry), chain) in new {
        let mut arguments = vec![thread, Integer(position), seq, created_at, Text(chain)];
        arguments.extend(entry.columns());
        transaction.execute(E::ADD, &arguments).await?;
    }
    Ok(())
}

/// Returns a position as an index of a list.
fn index(position: i64) -> usize {
    usize::try_from(position).unwrap_or_default()
}

/// Returns for each entry the hash of it and all before it, as 32 hexadecimal digits.
fn chains<E: Entry>(entries: &[E]) -> Vec<String> {
    let mut hasher = blake3::Hasher::new();
    let chain = |entry: &E| {
        for column in entry.columns() {
            match column {
                Text(text) | MaybeText(Some(text)) => {
                    hasher.update(&(text.len() as u64).to_le_bytes());
                    hasher.update(text.as_bytes());
                }
                MaybeReal(Some(real)) => {
                    hasher.update(&real.to_bits().to_le_bytes());
                }
                Integer(integer) | MaybeInteger(Some(integer)) => {
                    hasher.update(&integer.to_le_bytes());
                }
                MaybeBytes(Some(bytes)) => {
                    hasher.update(bytes);
                }
                MaybeText(None) | MaybeReal(None) | MaybeInteger(None) | MaybeBytes(None) => {
                    hasher.update(&[0]);
                }
            }
        }
        hasher.finalize().to_hex()[..32].to_owned()
    };
    entries.iter().map(chain).collect()
}

async fn clear_projections(transaction: &mut dyn Transaction, thread_id: &str) -> Result<()> {
    let all = [Text(thread_id), Integer(0)];
    transaction.execute(sql::CUT_MESSAGES, &all).await?;
    transaction.execute(sql::CUT_TRIPLES, &all).await?;
    delete_session(transaction, thread_id).await
}

async fn delete_session(transaction: &mut dyn Transaction, thread_id: &str) -> Result<()> {
    let thread = [Text(thread_id)];
    transaction
        .execute(sql::DELETE_SESSION, &thread)
        .await
        .map(drop)
}

/// Writes the projections of a thread again from its checkpoints, oldest first.
async fn rebuild(
    transaction: &mut dyn Transaction,
    mapping: Mapping<'_>,
    thread_id: &str,
) -> Result<()> {
    let key = Key::from(thread_id);
    let not_found = || Error::NotFound {
        thread_id: thread_id.into(),
        seq: None,
    };
    let head = transaction.hold(&key).await?.map(Head::from);
    let head = head
        .filter(|head| head.newest_seq > 0)
        .ok_or_else(not_found)?;
    clear_projections(transaction, thread_id).await?;
    let mut after = 0;
    loop {
        let arguments = [Integer(head.thread_key), Integer(after), Integer(PAGE)];
        let rows = transaction.rows(sql::AFTER, &arguments).await?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = last.1;
        for row in rows {
            let row = StoredRow::try_from(row)?.verified(&key)?;
            let checkpoint = read::completed(transaction, &key, row, Pieces::default()).await?;
            project(transaction, mapping, &checkpoint).await?;
        }
    }
}
