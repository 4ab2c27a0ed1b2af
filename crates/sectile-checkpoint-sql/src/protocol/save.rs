//! Saves that take several statements.

use std::borrow::Cow;

use super::remove::conflict;
use super::{
    At, Error, Head, Integer, Key, MaybeBytes, MaybeInteger, MaybeText, NewRow, Result, Saved,
    StoredRow, StoredState, Text, Transaction, limited, read, sql,
};
use crate::pieces::{self, Base};
use crate::read::{BLOCK, slot};
use crate::row::{StateColumns, miscounted};

/// Saves a checkpoint as the newest of its namespace, whatever its state is; makes the namespace if
/// it is not there.
///
/// # Errors
///
/// [`Error::IdConflict`] where another checkpoint has its id, [`Error::InvalidArgument`] for a
/// parent that never was or that lacks a channel, [`Error::Corrupt`] where its number is taken, and what
/// the database reports.
pub async fn save(transaction: &mut dyn Transaction, new: &NewRow) -> Result<Saved> {
    let head = locked(transaction, &new.key).await?;
    if let Some(saved) = seen_before(transaction, new).await? {
        return Ok(saved);
    }
    if head.last_seq < head.newest_seq {
        return Err(miscounted(&new.key));
    }
    let seq = head.last_seq + 1;
    let parent_seq = new.row.parent_seq;
    if parent_seq.is_some_and(|parent| parent > head.last_seq) {
        return Err(Error::no_parent(
            parent_seq.unwrap_or_default().unsigned_abs(),
        ));
    }
    let mut row = Cow::Borrowed(&new.row);
    if let Some(state) = &new.pieces {
        let state = keep(transaction, &new.key, &head, parent_seq, state).await?;
        row.to_mut().set_state(state);
    }
    insert(transaction, &new.key, &head, seq, &row).await?;
    add_entries(transaction, head.thread_key, seq.unsigned_abs(), new).await?;
    Ok(Saved {
        seq: seq.unsigned_abs(),
        is_new: true,
    })
}

/// Says of the metadata of a checkpoint in which block it is.
///
/// # Errors
///
/// What the database reports.
pub async fn add_entries(
    transaction: &mut dyn Transaction,
    thread_key: i64,
    seq: u64,
    new: &NewRow,
) -> Result<()> {
    for entry in &new.entries {
        let block = limited(seq) / BLOCK;
        let arguments = [Integer(thread_key), Integer(*entry), Integer(block)];
        transaction.execute(sql::ADD_ENTRY, &arguments).await?;
    }
    Ok(())
}

/// Holds a namespace until the end of the transaction, and reads it; makes it if it is not there.
pub(super) async fn locked(transaction: &mut dyn Transaction, key: &Key) -> Result<Head> {
    if let Some(head) = transaction.hold(key).await? {
        return Ok(head.into());
    }
    let names = [Text(&key.thread_id), Text(&key.namespace)];
    transaction.execute(sql::CREATE_THREAD, &names).await?;
    let head = transaction.hold(key).await?.ok_or_else(conflict)?;
    Ok(head.into())
}

/// Says what becomes of a save whose id the namespace has already; nothing if it has none.
///
/// # Errors
///
/// [`Error::IdConflict`] when that is another checkpoint, and what the database reports.
async fn seen_before(transaction: &mut dyn Transaction, new: &NewRow) -> Result<Option<Saved>> {
    let Some(id) = &new.row.checkpoint_id else {
        return Ok(None);
    };
    let Some(kept) = read::fetch(transaction, &new.key, &At::Id(id.clone())).await? else {
        return Ok(None);
    };
    let again = new.checkpoint(0)?;
    let parent = match again.parent_seq {
        Some(seq) if follows(&again.state) => {
            read::fetch(transaction, &new.key, &At::Seq(seq)).await?
        }
        _ => None,
    };
    let parent = parent.as_ref().map(|parent| &parent.state);
    kept.repeated_by(again, parent).map(Some)
}

/// Returns whether a state follows from its parent's.
fn follows(state: &StoredState) -> bool {
    matches!(state, StoredState::Channels(channels) if !channels.is_whole())
}

/// Keeps a state in pieces, and returns its columns. If the checkpoint that it is compared with is
/// damaged, a whole state is kept as if there were none.
pub(super) async fn keep(
    transaction: &mut dyn Transaction,
    key: &Key,
    head: &Head,
    parent_seq: Option<i64>,
    state: &StoredState,
) -> Result<StateColumns> {
    let kept = match base(transaction, key, head, parent_seq).await {
        Ok(base) => pieces::keep(transaction, key, base, state).await,
        Err(error) => Err(error),
    };
    let (columns, added) = match kept {
        Err(Error::Corrupt { .. }) if !follows(state) => {
            let none = Base::none(head.last_piece);
            pieces::keep(transaction, key, none, state).await?
        }
        kept => kept?,
    };
    added.write(transaction, key, head.thread_key).await?;
    Ok(columns)
}

/// Returns the checkpoint that a state is compared with: its parent, or the newest.
async fn base(
    transaction: &mut dyn Transaction,
    key: &Key,
    head: &Head,
    parent_seq: Option<i64>,
) -> Result<Base> {
    let seq = parent_seq.unwrap_or(head.newest_seq);
    let arguments = [Integer(head.thread_key), Integer(seq)];
    let found = transaction.rows(sql::AT_KEY, &arguments).await?;
    let row = match found.into_iter().next() {
        Some(row) => Some(StoredRow::try_from(row)?.verified(key)?),
        None => None,
    };
    Ok(Base {
        row,
        is_parent: parent_seq.is_some(),
        ..Base::none(head.last_piece)
    })
}

/// Inserts a row under a number, which must be larger than those before.
pub(super) async fn insert(
    transaction: &mut dyn Transaction,
    key: &Key,
    head: &Head,
    seq: i64,
    row: &StoredRow,
) -> Result<()> {
    let thread = Integer(head.thread_key);
    let arguments = [
        thread,
        Integer(seq),
        Integer(row.created_at),
        MaybeText(row.node.as_deref()),
        Integer(row.step),
        MaybeText(row.checkpoint_id.as_deref()),
        MaybeInteger(row.parent_seq),
        MaybeText(row.run_id.as_deref()),
        Text(&row.queue_json),
        Text(&row.metadata_json),
        Integer(row.numbered(seq)),
        Integer(row.state.whole_bytes),
        Integer(row.state.form.number()),
        MaybeText(row.state.kind.as_deref()),
        MaybeText(row.state.state_json.as_deref()),
        MaybeBytes(row.state.state.as_deref()),
    ];
    if transaction.execute(sql::INSERT_AT, &arguments).await? == 0 {
        return Err(miscounted(key));
    }
    count(transaction, head, seq, row.created_at).await
}

/// Says in a namespace that its newest checkpoint is the one of a number.
pub(super) async fn count(
    transaction: &mut dyn Transaction,
    head: &Head,
    seq: i64,
    created_at: i64,
) -> Result<()> {
    let thread = Integer(head.thread_key);
    let newest = [thread, Integer(seq), Integer(created_at)];
    transaction.execute(sql::COUNT, &newest).await?;
    let slot = slot(created_at);
    if slot != head.used_slot {
        let arguments = [thread, Integer(slot)];
        transaction.execute(sql::SET_SLOT, &arguments).await?;
    }
    Ok(())
}
