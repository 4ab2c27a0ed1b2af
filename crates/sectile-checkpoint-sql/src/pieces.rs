//! States in pieces: how they are taken apart and put together.

use std::collections::HashMap;

use sectile_checkpoint::pieces::{Run, Split, key_of_piece};
use sectile_checkpoint::{
    Channel, Channels, Content, Error, Key, Result, StoredState, TypedValue, check_state_size,
    no_channel,
};

use crate::layout::channels::{self, Slot};
use crate::layout::json::encode_template;
use crate::layout::{Hole, Holes, Layout, LikeHoles, Template, Whole, decode_holes};
use crate::row::{Form, StateColumns, StoredRow, checksum, corrupt, size};
use crate::session::{Reader, Transaction};
pub(crate) use added::Added;
pub(crate) use found::Pieces;
use join::JoinChannels;
use known::Known;
pub use prefetch::named_along;
use prefetch::{names, prefetched};
pub(crate) use ranges::merged;

mod added;
mod found;
mod join;
mod known;
mod prefetch;
mod ranges;

/// How many bytes of a value a piece has at most: such a piece still comes with its row.
const PART: usize = 64 * 1024;

/// A checkpoint that was read, with its layout if its state is in pieces.
struct Kept {
    row: StoredRow,
    whole: Whole,
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
    let mut added = Added::new(last_piece, transaction.packs_from());
    let kept = match row {
        Some(_) if matches!(state, StoredState::Value(_)) => None,
        Some(row) if row.state.form.has_pieces() => {
            let whole = whole(transaction, key, &row, &mut Pieces::default()).await?;
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
        StoredState::Value(value) => keep_value(value, &mut added),
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
            let Kept { row, whole } = kept;
            let mut pieces = Pieces::default();
            pieces.fill(transaction, key, &row, &whole.holes).await?;
            (whole, pieces)
        }
        None => Default::default(),
    };
    let mut known = Known::new(&pieces, key_of_piece);
    let holes = split.holes.iter().map(|filling| {
        let mut hole = Hole::default();
        known.fill_text(&mut hole, filling, added);
        hole
    });
    let holes = holes.collect();
    let columns = in_pieces(&whole, encode_template(&split), holes, added);
    Ok(StateColumns {
        form: Form::JsonPieces,
        whole_bytes: size(json.len()),
        ..columns
    })
}

/// Keeps bytes of a kind, which nothing is known of: no other checkpoint has the same.
fn keep_value(value: &TypedValue, added: &mut Added) -> StateColumns {
    let mut hole = Hole::default();
    for part in value.bytes.chunks(PART) {
        hole.push(added.keep_as_it_is(part.to_vec()), part.len());
    }
    let along = names(hole.runs.iter().collect());
    let template = value.kind.as_bytes().to_vec();
    StateColumns {
        form: Form::ValuePieces,
        whole_bytes: size(value.bytes.len()),
        kind: Some(along),
        ..in_pieces(&Whole::default(), template, vec![hole], added)
    }
}

/// Returns the columns of a state that follows another, as far as they say where its pieces are.
fn in_pieces(
    before: &Whole,
    template: Vec<u8>,
    holes: Vec<Hole>,
    added: &mut Added,
) -> StateColumns {
    let runs = holes.iter().flat_map(|hole| &hole.runs).collect();
    let layout = before.next(template, holes, |bytes| added.keep_layout(bytes));
    StateColumns {
        kind: prefetched(&layout, runs),
        state: Some(layout.encode()),
        ..StateColumns::default()
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
        return match StateColumns::at_once(state, usize::MAX) {
            Ok(columns) => Ok(columns),
            Err(StoredState::Channels(whole)) => place(&whole, &Before::default(), added),
            // To keep any columns would be to lose the state.
            Err(_) => Err(Error::Backend {
                doing: "keep channels",
                source: "what they became is not channels".into(),
            }),
        };
    }
    let before = match base.filter(|base| base.row.state.form == Form::ChannelPieces) {
        Some(base) => Before::read(transaction, key, base, is_parent, state).await?,
        None => Before::default(),
    };
    place(state, &before, added)
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
        let mut pieces = Pieces::default();
        pieces.fill(reader, key, &row, holes).await?;
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
fn place(state: &Channels, before: &Before, added: &mut Added) -> Result<StateColumns> {
    let mut known = Known::new(&before.pieces, checksum);
    let mut keep = |piece: Vec<u8>, hole: &mut Hole| known.fill(hole, piece, added);
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
    check_state_size(whole_bytes)?;
    let columns = in_pieces(&before.whole, template, holes, added);
    Ok(StateColumns {
        form: Form::ChannelPieces,
        whole_bytes: whole_bytes.cast_signed(),
        ..columns
    })
}

/// Reads the state of a row, with which some of its pieces came.
pub(crate) async fn state(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    row: &mut StoredRow,
    pieces: Pieces,
) -> Result<StoredState> {
    put_together(reader, key, row, pieces, join::stored).await
}

/// Reads the state of a row that is wanted as a type: channels in pieces, if they are all JSON, come as
/// the text of an object.
pub(crate) async fn typed_state(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    row: &mut StoredRow,
    pieces: Pieces,
) -> Result<StoredState> {
    put_together(reader, key, row, pieces, join::typed).await
}

async fn put_together(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    row: &mut StoredRow,
    pieces: Pieces,
    channels: JoinChannels,
) -> Result<StoredState> {
    if row.state.form.has_pieces() {
        // Boxed, as a small state would otherwise be read with all the room that this takes.
        return Box::pin(of_pieces(reader, key, row, pieces, channels)).await;
    }
    row.take_state()
}

async fn of_pieces(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    row: &StoredRow,
    mut pieces: Pieces,
    channels: JoinChannels,
) -> Result<StoredState> {
    let whole = whole(reader, key, row, &mut pieces).await?;
    pieces.fill(reader, key, row, &whole.holes).await?;
    let put_together = match row.state.form {
        Form::JsonPieces => join::json(&whole, &pieces).map(StoredState::Json),
        Form::ValuePieces => join::value(&whole, &pieces).map(StoredState::Value),
        _ => channels(&whole, &pieces),
    };
    put_together.ok_or_else(|| corrupt(key, row.seq, "has pieces that do not fit"))
}

/// Reads where the parts of a state are. What is read for that is added to the pieces.
pub(crate) async fn whole(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    row: &StoredRow,
    pieces: &mut Pieces,
) -> Result<Whole> {
    let damaged = || corrupt(key, row.seq, "has no right layout");
    let layout = row.state.state.as_deref().and_then(Layout::decode);
    let layout = layout.ok_or_else(damaged)?;
    let own = layout.own_pieces().map(Run::one).collect();
    pieces.read(reader, key, row, own).await?;
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
            for other in others {
                let at = other.at;
                let changed = holes.get_mut(at as usize).ok_or_else(damaged)?;
                let hole = other.whole(changed).ok_or_else(damaged)?;
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
