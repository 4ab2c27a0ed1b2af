//! The pieces of a state that were read.

use sectile_checkpoint::pieces::Run;
use sectile_checkpoint::{Error, Key, MAX_STATE_BYTES, Result};

use super::ranges::merged;
use crate::layout::Hole;
use crate::packed::unpack;
use crate::row::{StoredRow, corrupt, size};
use crate::session::{Reader, TakeAlong};

/// How many bytes the pieces of a layout take, as a rule, with those of earlier layouts that stand between the pieces
/// of the state.
const LAYOUTS: usize = 16 * 1024;

/// Pieces of a thread, one after the other in the order of their positions.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
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
    /// Reads the pieces that fill holes, beside those that are here.
    pub(super) async fn fill<'h>(
        &mut self,
        reader: &mut (impl Reader + ?Sized),
        key: &Key,
        row: &StoredRow,
        holes: impl IntoIterator<Item = &'h Hole>,
    ) -> Result<()> {
        let (mut bytes, mut runs) = (0_usize, Vec::new());
        for hole in holes {
            bytes = bytes.saturating_add(hole.bytes as usize);
            runs.extend(hole.runs.iter().filter(|run| !self.has(*run)));
        }
        if runs.is_empty() {
            return Ok(());
        }
        if self.places.is_empty() {
            self.bytes.reserve(bytes.min(MAX_STATE_BYTES));
            self.places.reserve(runs.len());
        }
        self.read(reader, key, row, runs).await
    }

    /// Reads the missing pieces. Each must exist undamaged.
    pub(super) async fn read(
        &mut self,
        reader: &mut (impl Reader + ?Sized),
        key: &Key,
        row: &StoredRow,
        runs: Vec<Run>,
    ) -> Result<()> {
        let ranges = self.lacking(merged(runs));
        if ranges.is_empty() {
            return Ok(());
        }
        let before = self.places.len();
        let expected: i64 = ranges.iter().map(|(first, end)| end - first).sum();
        let mut is_damaged = false;
        let mut take = |position: i64, hash, stored: &[u8]| {
            is_damaged |= !self.add(position.cast_unsigned(), hash, stored);
        };
        reader.pieces(row.thread_key, &ranges, &mut take).await?;
        let missing = expected - size(self.places.len() - before);
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
        self.sort();
        Ok(())
    }

    /// Returns the ranges of positions that are not here.
    fn lacking(&self, ranges: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
        if self.places.is_empty() {
            return ranges;
        }
        let mut lacking: Vec<(i64, i64)> = Vec::new();
        for position in ranges.into_iter().flat_map(|(first, end)| first..end) {
            if self.place(position.cast_unsigned()).is_some() {
                continue;
            }
            match lacking.last_mut() {
                Some(last) if last.1 == position => last.1 += 1,
                _ => lacking.push((position, position + 1)),
            }
        }
        lacking
    }

    /// Brings what was added in order: a server returns pieces in any.
    pub(crate) fn sort(&mut self) {
        self.places.sort_unstable_by_key(|place| place.position);
    }

    /// Adds a stored piece, and returns whether it is undamaged.
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

    /// Returns the first and the last position.
    pub(super) fn ends(&self) -> Option<(u64, u64)> {
        let (first, last) = (self.places.first()?, self.places.last()?);
        Some((first.position, last.position))
    }

    /// Returns how many they are.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns a piece.
    pub(super) fn get(&self, position: u64) -> Option<&[u8]> {
        let place = self.places.get(self.place(position)?)?;
        self.bytes.get(place.start..place.end)
    }

    /// Returns whether all pieces of a run are here.
    fn has(&self, run: Run) -> bool {
        let Some(last) = run.count.checked_sub(1) else {
            return true;
        };
        let first = self.place(run.first);
        let end = first.and_then(|at| {
            self.places
                .get(at.checked_add(usize::try_from(last).ok()?)?)
        });
        end.is_some_and(|place| place.position == run.first + last)
    }

    /// Finds the place of a piece. Where none is missing between it and the last, or the first, that is known at once.
    fn place(&self, position: u64) -> Option<usize> {
        let (first, last) = (self.places.first()?, self.places.last()?);
        let from_start = usize::try_from(position.checked_sub(first.position)?).ok()?;
        let from_end = usize::try_from(last.position.checked_sub(position)?).ok()?;
        let count = self.places.len();
        let is_at = |at: &usize| {
            self.places
                .get(*at)
                .is_some_and(|place| place.position == position)
        };
        let near_end = count.checked_sub(from_end.saturating_add(1)).filter(is_at);
        near_end.or(Some(from_start).filter(is_at)).or_else(|| {
            let found = self
                .places
                .binary_search_by_key(&position, |place| place.position);
            found.ok()
        })
    }
}

impl TakeAlong for Pieces {
    fn reserve(&mut self, bytes: i64) {
        let bytes = usize::try_from(bytes).unwrap_or_default();
        self.bytes.reserve(bytes.min(MAX_STATE_BYTES) + LAYOUTS);
    }

    /// A damaged one is read again when it is needed.
    fn take(&mut self, position: i64, hash: i64, stored: &[u8]) {
        if !self.add(position.cast_unsigned(), hash, stored)
            && let Some(damaged) = self.places.pop()
        {
            self.bytes.truncate(damaged.start);
        }
    }
}
