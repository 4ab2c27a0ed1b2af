//! The pieces of a state that were read.

use sectile_checkpoint::pieces::Run;
use sectile_checkpoint::{Error, Key, MAX_STATE_BYTES, Result};

use super::ranges::merged;
use crate::layout::Hole;
use crate::packed::unpack;
use crate::row::{StoredRow, corrupt, size};
use crate::session::Reader;

/// Pieces of a thread, one behind the other in the order of their positions.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    bytes: Vec<u8>,
    places: Vec<Place>,
}

/// Where a piece is.
#[derive(Clone, Copy, Debug)]
struct Place {
    position: u64,
    start: usize,
    end: usize,
}

impl Pieces {
    /// Reads the pieces that fill holes.
    pub(super) async fn filling<'h>(
        reader: &mut (impl Reader + ?Sized),
        key: &Key,
        row: &StoredRow,
        holes: impl IntoIterator<Item = &'h Hole>,
    ) -> Result<Self> {
        let (mut bytes, mut runs) = (0_usize, Vec::new());
        for hole in holes {
            bytes = bytes.saturating_add(hole.bytes as usize);
            runs.extend(&hole.runs);
        }
        let pieces = Self {
            bytes: Vec::with_capacity(bytes.min(MAX_STATE_BYTES)),
            places: Vec::with_capacity(runs.len()),
        };
        pieces.filled(reader, key, row, runs).await
    }

    /// Reads pieces, each of which must be there as it was written.
    pub(super) async fn read(
        reader: &mut (impl Reader + ?Sized),
        key: &Key,
        row: &StoredRow,
        runs: impl Iterator<Item = Run>,
    ) -> Result<Self> {
        Self::default()
            .filled(reader, key, row, runs.collect())
            .await
    }

    async fn filled(
        mut self,
        reader: &mut (impl Reader + ?Sized),
        key: &Key,
        row: &StoredRow,
        runs: Vec<Run>,
    ) -> Result<Self> {
        let ranges = merged(runs);
        if ranges.is_empty() {
            return Ok(self);
        }
        let expected: i64 = ranges.iter().map(|(first, end)| end - first).sum();
        let mut is_damaged = false;
        let mut take = |position: i64, hash, stored: &[u8]| {
            is_damaged |= !self.add(position.cast_unsigned(), hash, stored);
        };
        reader.pieces(row.thread_key, &ranges, &mut take).await?;
        let missing = expected - size(self.places.len());
        if missing != 0 {
            return Err(Error::Corrupt {
                what: format!(
                    "{missing} of the pieces of checkpoint {} of thread `{key}`",
                    row.seq
                ),
            });
        }
        if is_damaged {
            let what = "has a piece that is not as it was saved";
            return Err(corrupt(key, row.seq, what));
        }
        // A server returns them in any order.
        self.places.sort_unstable_by_key(|place| place.position);
        Ok(self)
    }

    /// Adds a piece as it is stored, and returns whether it is as it was saved.
    pub(super) fn add(&mut self, position: u64, hash: i64, stored: &[u8]) -> bool {
        let start = self.bytes.len();
        let is_sound = unpack(hash, stored, &mut self.bytes);
        let end = self.bytes.len();
        self.places.push(Place {
            position,
            start,
            end,
        });
        is_sound
    }

    /// Returns each piece with its position.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.places
            .iter()
            .map(|place| (place.position, &self.bytes[place.start..place.end]))
    }

    /// Returns a piece. Where none is missing between the first and it, it is found at once.
    pub(super) fn get(&self, position: u64) -> Option<&[u8]> {
        let first = self.places.first()?;
        let at = usize::try_from(position.checked_sub(first.position)?).ok()?;
        let place = match self.places.get(at) {
            Some(place) if place.position == position => place,
            _ => {
                let by_position = |place: &Place| place.position;
                let at = self.places.binary_search_by_key(&position, by_position);
                &self.places[at.ok()?]
            }
        };
        self.bytes.get(place.start..place.end)
    }
}
