//! The last numbers of the file of a thread: none that was ever given is given again, whatever is damaged.

use super::{Tail, ThreadFile};
use crate::Result;
use crate::file::beginning::{Begun, Place};
use crate::file::failure::damaged;

/// No piece has a larger number.
const MOST_PIECES: u64 = i64::MAX.cast_unsigned();

impl ThreadFile {
    /// Returns the number of the newest checkpoint so far.
    pub(in crate::file) fn last_seq(&self) -> Result<u64> {
        self.tail().map(|tail| tail.seq)
    }

    /// Returns the number of the newest checkpoint that is there.
    pub(super) fn newest_seq(&self) -> Result<u64> {
        self.tail().map(|tail| tail.newest)
    }

    /// Returns the number of the next checkpoint.
    pub(in crate::file) fn next_seq(&self) -> Result<u64> {
        let next = self.last_seq()?.checked_add(1);
        next.ok_or_else(|| damaged(&self.path, "no number is left"))
    }

    /// Returns a number that no piece exceeds, 0 if there is no piece.
    pub(in crate::file) fn last_piece(&self) -> Result<u64> {
        if !self.header.has_pieces() {
            return Ok(0);
        }
        let last = self.tail()?.piece;
        if last > MOST_PIECES {
            return Err(damaged(&self.path, "no number of a piece is left"));
        }
        Ok(last)
    }

    fn tail(&self) -> Result<Tail> {
        if let Some(tail) = self.tail.get() {
            return Ok(*tail);
        }
        let tail = self.read_tail()?;
        Ok(*self.tail.get_or_init(|| tail))
    }

    /// Goes back to the newest line that is undamaged, and counts on what begins in the damaged ones
    /// after it. Their own numbers say no more than what those of pieces may have been: a piece need
    /// not have the next number, while a checkpoint has.
    fn read_tail(&self) -> Result<Tail> {
        // The numbers of checkpoints begin behind those that were removed.
        let mut known = (self.header.removed, 0);
        let (mut begun, mut shown) = (Begun::default(), 0);
        for line in self.lines_back(self.end) {
            let line = line?;
            match Place::read(&line.bytes) {
                Some(place) if self.check(&line).is_ok() => {
                    known = (place.newest_seq(), place.piece);
                    break;
                }
                Some(place) if place.piece <= MOST_PIECES => shown = shown.max(place.piece),
                _ => {}
            }
            begun.add(&line.bytes);
        }
        let (seq, piece) = known;
        let newest = seq.saturating_add(begun.checkpoints);
        let piece = piece.saturating_add(begun.lines);
        Ok(Tail {
            seq: newest.max(self.header.last_seq),
            newest,
            piece: piece.max(shown),
        })
    }
}
