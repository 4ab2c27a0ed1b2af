//! States in pieces: how they are taken apart and put together.

use std::borrow::Cow;
use std::collections::HashMap;

use sectile_checkpoint::{
    Channel, Channels, Content, Error, Key, MAX_STATE_BYTES, Result, StoredState, no_channel,
};

use crate::layout::channels::{self, Slot};
use crate::layout::json::Split;
use crate::layout::{Hole, Holes, Layout, LikeHoles, Run, Template, Whole, decode_holes};
use crate::packed::pack;
use crate::row::{Form, StateColumns, StoredRow, checksum, corrupt, miscounted, size};
use crate::session::{Reader, Transaction};
use found::Pieces;

mod found;
mod join;

/// A checkpoint that was read, with its layout if its state is in pieces.
struct Kept {
    row: StoredRow,
    whole: Whole,
}

/// Pieces that a save adds behind those of the thread.
pub(crate) struct Added {
    /// The position of the first of them.
    first: u64,
    /// Their hashes and bytes, as they are stored.
    pieces: Vec<(i64, Vec<u8>)>,
    /// Where each of them is, by its hash.
    by_hash: HashMap<i64, usize>,
}

impl Added {
    fn new(last_piece: i64) -> Self {
        Self {
            first: last_piece.cast_unsigned() + 1,
            pieces: Vec::new(),
            by_hash: HashMap::new(),
        }
    }

    /// Adds a piece behind the others, and returns its position.
    fn keep(&mut self, piece: Vec<u8>) -> u64 {
        self.push(pack(piece))
    }

    /// Returns the position of a piece that was added and is the same, or adds it.
    fn keep_once(&mut self, piece: Vec<u8>) -> u64 {
        let packed = pack(piece);
        let same = self.by_hash.get(&packed.0).copied();
        match same.filter(|at| self.pieces.get(*at) == Some(&packed)) {
            Some(at) => self.first + at as u64,
            None => self.push(packed),
        }
    }

    fn push(&mut self, packed: (i64, Vec<u8>)) -> u64 {
        let at = self.pieces.len();
        self.by_hash.entry(packed.0).or_insert(at);
        self.pieces.push(packed);
        self.first + at as u64
    }

    /// Writes the pieces.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] where others stand already, and what the database reports.
    pub(crate) async fn write(
        &self,
        transaction: &mut dyn Transaction,
        key: &Key,
        thread_key: i64,
    ) -> Result<()> {
        if self.pieces.is_empty() {
            return Ok(());
        }
        let first = self.first.cast_signed();
        let are_free = transaction.add_pieces(thread_key, first, &self.pieces);
        if are_free.await? {
            Ok(())
        } else {
            Err(miscounted(key))
        }
    }
}

/// Where a save stands: the checkpoint that it is compared with, and what follows from that.
pub(crate) struct Base {
    /// The position of the last piece of the thread.
    pub(crate) last_piece: i64,
    /// The row of the checkpoint, where there is one.
    pub(crate) row: Option<StoredRow>,
    /// Whether it is the parent.
    pub(crate) is_parent: bool,
}

impl Base {
    /// Returns the place of a save that is compared with no checkpoint.
    pub(crate) const fn none(last_piece: i64) -> Self {
        Self {
            last_piece,
            row: None,
            is_parent: false,
        }
    }
}

/// Takes the state of a checkpoint apart, and returns its columns with the pieces that its base does not
/// have.
pub(crate) async fn keep(
    transaction: &mut dyn Transaction,
    key: &Key,
    base: Base,
    state: &StoredState,
) -> Result<(StateColumns, Added)> {
    let Base {
        last_piece,
        row,
        is_parent,
    } = base;
    let mut added = Added::new(last_piece);
    let kept = match row {
        Some(row) if row.state.form.has_pieces() => {
            let whole = whole(transaction, key, &row).await?;
            Some(Kept { row, whole })
        }
        Some(row) => Some(Kept {
            row,
            whole: Whole::default(),
        }),
        None => None,
    };
    let columns = match state {
        StoredState::Json(json) => keep_json(transaction, key, kept, json, &mut added).await?,
        StoredState::Channels(channels) => {
            keep_channels(transaction, key, kept, is_parent, channels, &mut added).await?
        }
        StoredState::Value(_) => StateColumns::at_once(state.clone()).unwrap_or_default(),
    };
    Ok((columns, added))
}

async fn keep_json(
    transaction: &mut dyn Transaction,
    key: &Key,
    kept: Option<Kept>,
    json: &str,
    added: &mut Added,
) -> Result<StateColumns> {
    let split = Split::new(json);
    let kept = kept.filter(|kept| kept.row.state.form == Form::JsonPieces);
    let (whole, pieces) = match kept {
        Some(kept) => {
            let pieces = Pieces::filling(transaction, key, &kept.row, &kept.whole.holes).await?;
            (kept.whole, pieces)
        }
        None => Default::default(),
    };
    let mut known = Known::new(&pieces);
    let holes = split.holes.iter().map(|pieces| {
        let mut hole = Hole::default();
        for piece in pieces {
            known.fill(&mut hole, Cow::Borrowed(piece.as_bytes()), added);
        }
        hole
    });
    let holes = holes.collect();
    let layout = whole.next(split.template(), holes, |bytes| added.keep(bytes));
    Ok(StateColumns {
        form: Form::JsonPieces,
        whole_bytes: size(json.len()),
        state: Some(layout.encode()),
        ..StateColumns::default()
    })
}

/// A piece of so many bytes is worth a run of its own, wherever the base has it.
const LARGE: usize = 1024;

/// The pieces of a base by their bytes.
///
/// A run of a list is named by each later checkpoint. So an entry that is not behind the one before is
/// taken from farther behind only, or stored again if it is short: a list in which one answer stands a
/// thousand times would otherwise be a thousand runs.
struct Known<'p> {
    pieces: &'p Pieces,
    /// The positions by the hashes of the pieces, in order, once one is looked for.
    by_hash: Option<Vec<(i64, u64)>>,
    /// The position behind the piece that was found last.
    next: u64,
}

impl<'p> Known<'p> {
    const fn new(pieces: &'p Pieces) -> Self {
        Self {
            pieces,
            by_hash: None,
            next: 0,
        }
    }

    /// Puts a piece behind those of a hole; it is added unless it is there.
    fn fill(&mut self, hole: &mut Hole, piece: Cow<'_, [u8]>, added: &mut Added) {
        let size = piece.len();
        let is_anywhere = hole.runs.len() == 0 || size >= LARGE;
        let first = if is_anywhere { 0 } else { self.next };
        let position = match self.find(&piece, first) {
            Some(position) => position,
            None if is_anywhere => added.keep_once(piece.into_owned()),
            None => added.keep(piece.into_owned()),
        };
        hole.push(position, size);
    }

    /// Returns where a piece is: behind the one before, or else at the first position from `first` on.
    fn find(&mut self, piece: &[u8], first: u64) -> Option<u64> {
        let pieces = self.pieces;
        let is_it = |position: &u64| pieces.get(*position).is_some_and(|kept| kept == piece);
        let found = match Some(self.next).filter(is_it) {
            Some(next) => next,
            None => self.positions(checksum(piece), first).find(is_it)?,
        };
        self.next = found + 1;
        Some(found)
    }

    /// Returns the positions of the pieces of a hash from a first one on.
    fn positions(&mut self, hash: i64, first: u64) -> impl Iterator<Item = u64> {
        let pieces = self.pieces;
        let by_hash = self.by_hash.get_or_insert_with(|| {
            let mut by_hash: Vec<_> = pieces.by_hash().collect();
            by_hash.sort_unstable();
            by_hash
        });
        let start = by_hash.partition_point(|known| *known < (hash, first));
        let of_hash = by_hash[start..]
            .iter()
            .take_while(move |known| known.0 == hash);
        of_hash.map(|known| known.1)
    }
}

async fn keep_channels(
    transaction: &mut dyn Transaction,
    key: &Key,
    base: Option<Kept>,
    is_parent: bool,
    state: &Channels,
    added: &mut Added,
) -> Result<StateColumns> {
    let in_one_row = base
        .as_ref()
        .filter(|base| base.row.state.form == Form::Channels);
    if let Some(base) = in_one_row {
        // The whole is small, and so may be what follows from it.
        let parent = base.row.clone().take_state()?;
        let state = StoredState::from(state.clone()).resolved(is_parent.then_some(&parent))?;
        return match StateColumns::at_once(state) {
            Ok(columns) => Ok(columns),
            Err(StoredState::Channels(whole)) => place(key, &whole, &Before::default(), added),
            Err(_) => Ok(StateColumns::default()),
        };
    }
    let before = match base.filter(|base| base.row.state.form == Form::ChannelPieces) {
        Some(base) => Before::read(transaction, key, base, is_parent, state).await?,
        None => Before::default(),
    };
    place(key, state, &before, added)
}

/// The channels of the checkpoint that a state is compared with.
#[derive(Default)]
struct Before {
    whole: Whole,
    /// Where each channel is.
    slots: HashMap<String, (bool, usize)>,
    /// The pieces of channels that were handed over again.
    pieces: Pieces,
    /// Whether channels may follow from it.
    is_parent: bool,
}

impl Before {
    async fn read(
        reader: &mut dyn Transaction,
        key: &Key,
        base: Kept,
        is_parent: bool,
        state: &Channels,
    ) -> Result<Self> {
        let Kept { row, whole } = base;
        let slots = channels::decode_template(&whole.template);
        let slots = slots.ok_or_else(|| corrupt(key, row.seq, "has no right template"))?;
        let again = |slot: &Slot| {
            let channel = state.0.get(&slot.name);
            channel.is_some_and(|channel| match channel.content {
                Content::Value(_) => !slot.is_list,
                Content::List(_) => slot.is_list,
                Content::Same | Content::Appended(_) => false,
            })
        };
        let holes = slots.iter().zip(&whole.holes);
        let holes = holes.filter(|(slot, _)| again(slot)).map(|(_, hole)| hole);
        let pieces = Pieces::filling(reader, key, &row, holes).await?;
        let slots = slots.into_iter().enumerate();
        let slots = slots
            .map(|(at, slot)| (slot.name, (slot.is_list, at)))
            .collect();
        Ok(Self {
            whole,
            slots,
            pieces,
            is_parent,
        })
    }

    /// Returns where the parent has a channel.
    fn parent(&self, name: &str) -> Result<(bool, Hole)> {
        let found = self.slots.get(name).filter(|_| self.is_parent);
        let &(is_list, at) = found.ok_or_else(|| no_channel(name))?;
        let hole = self.whole.holes.get(at).ok_or_else(|| no_channel(name))?;
        Ok((is_list, hole.clone()))
    }
}

/// Places the channels of a state into pieces.
fn place(key: &Key, state: &Channels, before: &Before, added: &mut Added) -> Result<StateColumns> {
    let mut known = Known::new(&before.pieces);
    let mut keep = |piece: Vec<u8>, hole: &mut Hole| known.fill(hole, Cow::Owned(piece), added);
    let (mut slots, mut holes) = (Vec::new(), Vec::new());
    for (name, Channel { version, content }) in &state.0 {
        let mut hole = Hole::default();
        let is_list = match content {
            Content::Value(value) => {
                keep(channels::encode_value(version, value), &mut hole);
                false
            }
            Content::Same => {
                let (is_list, same) = before.parent(name)?;
                hole = same;
                is_list
            }
            Content::List(values) | Content::Appended(values) => {
                if matches!(content, Content::Appended(_)) {
                    let (is_list, list) = before.parent(name)?;
                    hole = list;
                    if !is_list {
                        return Err(no_channel(name));
                    }
                }
                hole.version.clone_from(version);
                for value in values {
                    keep(channels::encode_entry(value), &mut hole);
                }
                true
            }
        };
        let name = name.clone();
        slots.push(Slot { name, is_list });
        holes.push(hole);
    }
    let template = channels::encode_template(&slots);
    let whole_bytes = holes.iter().map(|hole| hole.bytes).sum::<u64>() + template.len() as u64;
    if whole_bytes > MAX_STATE_BYTES as u64 {
        let reason = format!(
            "of thread `{key}` would have {whole_bytes} bytes, more than {MAX_STATE_BYTES}"
        );
        return Err(Error::InvalidArgument {
            argument: "state",
            reason,
        });
    }
    let layout = before
        .whole
        .next(template, holes, |bytes| added.keep(bytes));
    Ok(StateColumns {
        form: Form::ChannelPieces,
        whole_bytes: whole_bytes.cast_signed(),
        state: Some(layout.encode()),
        ..StateColumns::default()
    })
}

/// Reads the state of a row.
pub(crate) async fn state(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    row: &mut StoredRow,
) -> Result<StoredState> {
    let form = row.state.form;
    if !form.has_pieces() {
        return row.take_state();
    }
    let whole = whole(reader, key, row).await?;
    let pieces = Pieces::filling(reader, key, row, &whole.holes).await?;
    let put_together = match form {
        Form::JsonPieces => join::json(&whole, &pieces).map(StoredState::Json),
        _ => join::channels(&whole, &pieces).map(StoredState::Channels),
    };
    put_together.ok_or_else(|| corrupt(key, row.seq, "has pieces that do not fit"))
}

/// Reads where the parts of a state are.
pub(crate) async fn whole(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    row: &StoredRow,
) -> Result<Whole> {
    let damaged = || corrupt(key, row.seq, "has no right layout");
    let layout = row.state.state.as_deref().and_then(Layout::decode);
    let layout = layout.ok_or_else(damaged)?;
    let own = layout.own_pieces().map(Run::one);
    let pieces = Pieces::read(reader, key, row, own).await?;
    let (template, template_at) = match layout.template {
        Template::Here(bytes) => (bytes, None),
        Template::At(position) => {
            let template = pieces.get(position).ok_or_else(damaged)?;
            (template.to_vec(), Some(position))
        }
    };
    let (holes, base) = match layout.holes {
        Holes::All(holes) => (holes, None),
        Holes::Except(position, others) => {
            let holes = pieces.get(position).and_then(decode_holes);
            let mut holes = holes.ok_or_else(damaged)?;
            let mut replaced = Vec::with_capacity(others.len());
            for (at, hole) in others {
                let changed = holes.get_mut(at as usize).ok_or_else(damaged)?;
                replaced.push((at, std::mem::replace(changed, hole)));
            }
            (holes, Some(LikeHoles { position, replaced }))
        }
    };
    Ok(Whole {
        template,
        template_at,
        holes,
        base,
    })
}

/// Returns runs as ranges that do not touch, in order.
pub(crate) fn merged(mut runs: Vec<Run>) -> Vec<(i64, i64)> {
    runs.retain(|run| run.count > 0);
    runs.sort_unstable_by_key(|run| run.first);
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for run in runs {
        let (first, end) = (run.first.cast_signed(), run.end().cast_signed());
        match ranges.last_mut() {
            Some(last) if last.1 >= first => last.1 = last.1.max(end),
            _ => ranges.push((first, end)),
        }
    }
    ranges
}
