//! States taken apart: what a save adds to the file of a thread.

use std::collections::{BTreeMap, HashMap};

use super::join::{Filled, FilledHole};
use super::layout::{Found, Hole, Layout, Placed, Template};
use super::piece::{self, Piece};
use super::record::Kept;
use super::thread::ThreadFile;
use crate::pieces::{Filling, MAX_WHOLE_BYTES, Runs, Split, key_of_piece};
use crate::{
    Channel, Channels, Content, Error, Result, StoredState, TypedValue, check_state_size,
    no_channel,
};

/// Pieces that a save adds after those of the file.
#[derive(Debug)]
pub(super) struct Added {
    last: u64,
    pieces: Vec<(u64, Piece)>,
}

impl Added {
    const fn behind(last: u64) -> Self {
        let pieces = Vec::new();
        Self { last, pieces }
    }

    fn keep(&mut self, piece: Piece) -> u64 {
        self.last += 1;
        self.pieces.push((self.last, piece));
        self.last
    }

    /// Returns the number of the last piece of the file once these are there; 0 if there is none.
    pub(super) const fn last(&self) -> u64 {
        self.last
    }

    /// Writes the pieces as lines, with the number of the checkpoint that they are saved with.
    ///
    /// # Errors
    ///
    /// [`Error::Backend`] for a piece that cannot be written as JSON.
    pub(super) fn lines(&self, seq: u64) -> Result<Vec<u8>> {
        let failed = |error: serde_json::Error| Error::Backend {
            doing: "write a piece of a state",
            source: error.into(),
        };
        let mut lines = Vec::new();
        for (number, piece) in &self.pieces {
            lines.extend(piece::line(*number, seq, piece).map_err(failed)?);
        }
        Ok(lines)
    }
}

/// Takes the state of a checkpoint apart that is to be saved to a thread, if there is one already. If
/// the checkpoint that it is compared with is damaged, a whole state is kept as if there were none.
///
/// # Errors
///
/// [`Error::InvalidArgument`] for a channel that the parent does not have and for a whole that is
/// too large, and errors of the operating system.
pub(super) fn keep(
    thread: Option<&ThreadFile>,
    parent_seq: Option<u64>,
    state: StoredState,
) -> Result<(Kept, Added)> {
    let last_piece = thread.map_or(Ok(0), ThreadFile::last_piece)?;
    let mut added = Added::behind(last_piece);
    if is_kept_whole(&state) {
        return Ok((Kept::Whole(state), added));
    }
    let kept = Base::read(thread, parent_seq).and_then(|base| base.keep(&state, &mut added));
    let kept = match kept {
        Err(Error::Corrupt { .. }) if !follows(&state) => {
            added = Added::behind(last_piece);
            Base::None.keep(&state, &mut added)?
        }
        kept => kept?,
    };
    Ok((kept, added))
}

fn is_kept_whole(state: &StoredState) -> bool {
    let is_small = state.size() <= MAX_WHOLE_BYTES;
    match state {
        StoredState::Json(_) => is_small,
        StoredState::Value(_) => true,
        StoredState::Channels(channels) => is_small && channels.is_whole(),
    }
}

/// Returns whether a state follows from its parent's.
fn follows(state: &StoredState) -> bool {
    matches!(state, StoredState::Channels(channels) if !channels.is_whole())
}

/// The checkpoint that a state is compared with: its parent, or the newest where there is none or it was
/// removed.
enum Base<'t> {
    /// There is none from which anything could be taken.
    None,
    /// The parent, which is kept whole.
    Whole(StoredState),
    /// One in pieces.
    InPieces(InPieces<'t>),
}

/// A checkpoint in pieces.
struct InPieces<'t> {
    thread: &'t ThreadFile,
    /// Where its line begins.
    start: u64,
    found: Found,
    is_parent: bool,
}

impl<'t> Base<'t> {
    fn read(thread: Option<&'t ThreadFile>, parent_seq: Option<u64>) -> Result<Self> {
        let Some(thread) = thread else {
            return Ok(Self::None);
        };
        let parent = match parent_seq {
            Some(seq) => thread.kept(Some(seq))?,
            None => None,
        };
        let is_parent = parent.is_some();
        let base = match parent {
            Some(parent) => Some(parent),
            None => thread.kept(None)?,
        };
        Ok(match base {
            Some((start, Kept::InPieces(placed))) => Self::InPieces(InPieces {
                thread,
                start,
                found: thread.layout(start, placed)?,
                is_parent,
            }),
            Some((_, Kept::Whole(state))) if is_parent => Self::Whole(state),
            Some((_, Kept::Whole(_))) | None => Self::None,
        })
    }

    fn keep(self, state: &StoredState, added: &mut Added) -> Result<Kept> {
        let (parent, base) = match self {
            Self::None => (None, None),
            Self::Whole(state) => (Some(state), None),
            Self::InPieces(base) => (None, Some(base)),
        };
        match (state, base) {
            (StoredState::Value(_), _) => Ok(Kept::Whole(state.clone())),
            (StoredState::Json(json), base) => {
                keep_json(json, base.as_ref(), added).map(Kept::InPieces)
            }
            (StoredState::Channels(channels), Some(base)) => {
                keep_channels(channels, Some(&base), added).map(Kept::InPieces)
            }
            (StoredState::Channels(_), None) => {
                // The parent is small, and so may be what follows from it.
                let whole = state.clone().resolved(parent.as_ref())?;
                match &whole {
                    StoredState::Channels(channels) if !is_kept_whole(&whole) => {
                        keep_channels(channels, None, added).map(Kept::InPieces)
                    }
                    _ => Ok(Kept::Whole(whole)),
                }
            }
        }
    }
}

fn keep_json(json: &str, base: Option<&InPieces<'_>>, added: &mut Added) -> Result<Placed> {
    let base = base.filter(|base| matches!(base.found.layout.template, Template::Json(_)));
    let filled = match base {
        Some(base) => base.thread.filled(base.start, &base.found.layout.holes)?,
        None => Filled::default(),
    };
    let mut known = Known::new(&filled);
    let split = Split::new(json);
    let holes = split.holes.iter().enumerate().map(|(at, filling)| {
        let numbers = known.numbers_of_text(filling, added);
        hole("", &numbers, filled.holes.get(at), added)
    });
    let holes = holes.collect();
    let around = split.around.iter().map(|part| (*part).into());
    let template = Template::Json(around.collect());
    Ok(placed(Layout { template, holes }, base, added))
}

fn keep_channels(
    channels: &Channels,
    base: Option<&InPieces<'_>>,
    added: &mut Added,
) -> Result<Placed> {
    let before = Before::read(channels, base)?;
    let mut known = Known::new(&before.filled);
    let (mut slots, mut holes, mut bytes) = (Vec::new(), Vec::new(), 0_u64);
    for (name, Channel { version, content }) in &channels.0 {
        let (is_list, mut hole) = match content {
            Content::Same => {
                let (is_list, same) = before.parent(name)?;
                (is_list, same.clone())
            }
            Content::Appended(values) => {
                let (true, list) = before.parent(name)? else {
                    return Err(no_channel(name));
                };
                let numbers = known.numbers(values, added);
                (true, appended(version, list, numbers.positions(), added))
            }
            Content::List(values) => {
                let numbers = known.numbers(values, added);
                (true, hole(version, &numbers, before.again(name), added))
            }
            Content::Value(value) => {
                let numbers = known.numbers(std::slice::from_ref(value), added);
                (false, hole(version, &numbers, None, added))
            }
        };
        hole.bytes = hole.bytes.saturating_add(content.size() as u64);
        let names = name.len() + hole.version.len();
        bytes = bytes
            .saturating_add(hole.bytes)
            .saturating_add(names as u64);
        slots.push((name.clone(), is_list));
        holes.push(hole);
    }
    check_state_size(bytes)?;
    let template = Template::Channels(slots);
    Ok(placed(Layout { template, holes }, base, added))
}

/// The channels of the checkpoint that a state is compared with.
#[derive(Default)]
struct Before<'b> {
    /// Whether each is a list, and what fills it.
    slots: BTreeMap<&'b str, (bool, &'b Hole)>,
    /// The channels that are handed over again, in the order of `filled`.
    again: Vec<&'b str>,
    /// Their pieces.
    filled: Filled,
    /// Whether channels may follow from it.
    is_parent: bool,
}

impl<'b> Before<'b> {
    fn read(channels: &Channels, base: Option<&'b InPieces<'_>>) -> Result<Self> {
        let Some(base) = base else {
            return Ok(Self::default());
        };
        let layout = &base.found.layout;
        let Template::Channels(slots) = &layout.template else {
            return Ok(Self::default());
        };
        let slots = slots.iter().zip(&layout.holes);
        let slots: BTreeMap<&str, (bool, &Hole)> = slots
            .map(|((name, is_list), hole)| (&**name, (*is_list, hole)))
            .collect();
        let is_again = |name: &str, is_list: bool| {
            let channel = channels.0.get(name);
            channel.is_some_and(|channel| match channel.content {
                Content::Value(_) => !is_list,
                Content::List(_) => is_list,
                Content::Same | Content::Appended(_) => false,
            })
        };
        let again = slots.iter().filter(|(name, slot)| is_again(name, slot.0));
        let (again, holes): (Vec<_>, Vec<_>) = again.map(|(name, slot)| (*name, slot.1)).unzip();
        Ok(Self {
            filled: base.thread.filled(base.start, holes)?,
            slots,
            again,
            is_parent: base.is_parent,
        })
    }

    /// Returns what the parent has of a channel.
    fn parent(&self, name: &str) -> Result<(bool, &'b Hole)> {
        let found = self.slots.get(name).filter(|_| self.is_parent);
        found.copied().ok_or_else(|| no_channel(name))
    }

    /// Returns what fills a channel that is handed over again.
    fn again(&self, name: &str) -> Option<&FilledHole> {
        let at = self.again.iter().position(|again| *again == name)?;
        self.filled.holes.get(at)
    }
}

/// The pieces that a state is compared with. Of several that are the same the one is taken that stands
/// after the one before, so that runs stay long.
struct Known<'f> {
    pieces: &'f HashMap<u64, Piece>,
    /// The first number of each value.
    values: HashMap<&'f TypedValue, u64>,
    /// The first number of JSON text, by what it is looked for by.
    texts: HashMap<i64, u64>,
    next: u64,
}

impl<'f> Known<'f> {
    fn new(filled: &'f Filled) -> Self {
        let (mut values, mut texts) = (HashMap::new(), HashMap::new());
        for (&number, piece) in &filled.pieces {
            let first = match piece {
                Piece::Value(value) => values.entry(value).or_insert(number),
                Piece::Json(json) => {
                    let key = key_of_piece(json.as_bytes());
                    texts.entry(key).or_insert(number)
                }
                Piece::Layout(_) | Piece::Hole(_) => continue,
            };
            *first = number.min(*first);
        }
        Self {
            pieces: &filled.pieces,
            values,
            texts,
            next: 0,
        }
    }

    /// Returns the numbers of values, of which those are added that are not known.
    fn numbers(&mut self, values: &[TypedValue], added: &mut Added) -> Runs {
        let mut numbers = Runs::default();
        for value in values {
            let number = self.find(value);
            let number = number.unwrap_or_else(|| added.keep(Piece::Value(value.clone())));
            numbers.push_position(number);
        }
        numbers
    }

    fn find(&mut self, value: &TypedValue) -> Option<u64> {
        let is_next =
            matches!(self.pieces.get(&self.next), Some(Piece::Value(next)) if next == value);
        let found = if is_next {
            self.next
        } else {
            *self.values.get(value)?
        };
        self.next = found + 1;
        Some(found)
    }

    /// Returns the numbers of the pieces of JSON text. Where one that is known is the beginning of what
    /// is left, it is taken as it was cut then, so that a list that became longer keeps its pieces.
    fn numbers_of_text(&mut self, filling: &Filling<'_>, added: &mut Added) -> Runs {
        let (mut numbers, mut at) = (Runs::default(), 0);
        loop {
            let rest = &filling.text[at..];
            let (number, length) = self.find_beginning(rest).unwrap_or_else(|| {
                let piece = &filling.text[at..filling.end_after(at)];
                (added.keep(Piece::Json(piece.into())), piece.len())
            });
            numbers.push_position(number);
            at += length;
            if at >= filling.text.len() {
                return numbers;
            }
            // The comma between two pieces belongs to neither.
            at += 1;
        }
    }

    /// Finds JSON text that another begins with, and returns its number and its length.
    fn find_beginning(&mut self, text: &str) -> Option<(u64, usize)> {
        let found = self.beginning(self.next, text).or_else(|| {
            let number = self.texts.get(&key_of_piece(text.as_bytes()))?;
            self.beginning(*number, text)
        })?;
        self.next = found.0 + 1;
        Some(found)
    }

    fn beginning(&self, number: u64, text: &str) -> Option<(u64, usize)> {
        let Piece::Json(json) = self.pieces.get(&number)? else {
            return None;
        };
        let rest = text.strip_prefix(&**json)?;
        let is_end = rest.is_empty() || rest.starts_with(',');
        (is_end && !json.is_empty()).then_some((number, json.len()))
    }
}

/// Returns a hole that pieces fill. Where it begins as another one does, it names what follows: the pieces
/// that name that beginning are kept.
fn hole(version: &str, numbers: &Runs, like: Option<&FilledHole>, added: &mut Added) -> Hole {
    let (before, count) = like.map_or((None, 0), |like| like.shared_with(numbers));
    let beginning = Hole {
        before,
        ..Hole::default()
    };
    appended(version, &beginning, numbers.positions().skip(count), added)
}

/// Returns a hole with pieces after those of another one.
fn appended(
    version: &str,
    list: &Hole,
    more: impl IntoIterator<Item = u64>,
    added: &mut Added,
) -> Hole {
    let list = Hole {
        version: version.into(),
        ..list.clone()
    };
    list.and(more)
        .shortened(|hole| added.keep(Piece::Hole(hole)))
}

fn placed(layout: Layout, base: Option<&InPieces<'_>>, added: &mut Added) -> Placed {
    let like = base.and_then(|base| base.found.like.as_ref());
    layout.placed(like, |layout| added.keep(Piece::Layout(layout)))
}
