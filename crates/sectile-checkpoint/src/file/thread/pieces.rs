//! The pieces of states in the file of a thread.

use std::collections::HashMap;
use std::iter::Peekable;

use super::ThreadFile;
use crate::file::beginning::Place;
use crate::file::join::{self, Filled, FilledHole};
use crate::file::layout::{Found, Hole, Placed};
use crate::file::piece::{self, Piece};
use crate::pieces::{Run, are_among, merged};
use crate::{Error, Result, StoredState};

/// The number of bytes after a position in which a piece is searched first.
const NEAR: u64 = 1024;

/// The maximum distance in bytes of the next piece that is found by reading the lines between.
const FAR: u64 = 64 * 1024;

impl ThreadFile {
    /// Returns the state of the checkpoint whose line begins at a position.
    pub(super) fn state_in_pieces(&self, start: u64, placed: Placed) -> Result<StoredState> {
        let found = self.layout(start, placed)?;
        let filled = self.filled(start, &found.layout.holes)?;
        let state = join::state(&found.layout, &filled);
        state.ok_or_else(|| self.damaged(start)("it has pieces that do not fit"))
    }

    /// Returns the layout of the checkpoint whose line begins at a position.
    pub(in crate::file) fn layout(&self, start: u64, placed: Placed) -> Result<Found> {
        let (number, others) = match placed {
            Placed::All(layout) => return Ok(Found { layout, like: None }),
            Placed::Like(number, others) => (number, others),
        };
        let damaged = || self.damaged(start)("it has no right layout");
        let Piece::Layout(like) = self.piece(start, number)? else {
            return Err(damaged());
        };
        Ok(Found {
            layout: like.clone().with(&others).ok_or_else(damaged)?,
            like: Some((number, like)),
        })
    }

    /// Reads what fills holes of the checkpoint whose line begins at a position.
    pub(in crate::file) fn filled<'h>(
        &self,
        start: u64,
        holes: impl IntoIterator<Item = &'h Hole>,
    ) -> Result<Filled> {
        let holes = holes.into_iter().map(|hole| self.filled_hole(start, hole));
        let holes = holes.collect::<Result<Vec<FilledHole>>>()?;
        let runs = holes.iter().flat_map(|hole| &hole.runs).collect();
        let pieces = self.pieces(start, runs)?;
        Ok(Filled { holes, pieces })
    }

    /// Returns the pieces of a hole, with those that it does not name itself.
    fn filled_hole(&self, start: u64, hole: &Hole) -> Result<FilledHole> {
        let (mut parts, mut before) = (Vec::new(), hole.before);
        while let Some(number) = before {
            match self.piece(start, number)? {
                Piece::Hole(hole) if hole.before.is_none_or(|earlier| earlier < number) => {
                    before = hole.before;
                    parts.push((number, hole.runs));
                }
                _ => return Err(self.damaged(start)("it has no right layout")),
            }
        }
        let (mut count, mut named_by) = (0, Vec::new());
        for (number, runs) in parts.iter().rev() {
            count += runs.positions().count();
            named_by.push((*number, count));
        }
        let runs = parts.iter().rev().map(|(_, runs)| runs).chain([&hole.runs]);
        let runs = runs.flatten().collect();
        Ok(FilledHole { runs, named_by })
    }

    fn piece(&self, start: u64, number: u64) -> Result<Piece> {
        let mut found = self.pieces(start, vec![Run::one(number)])?;
        let piece = found.remove(&number);
        piece.ok_or_else(|| self.missing(start, number))
    }

    /// Reads pieces, each of which must be there as it was written.
    fn pieces(&self, start: u64, runs: Vec<Run>) -> Result<HashMap<u64, Piece>> {
        let runs = merged(runs);
        match self.search_pieces(&runs) {
            // A damaged line may stand in the way to others.
            Err(Error::Corrupt { .. }) => self.scan_for_pieces(start, &runs),
            found => found,
        }
    }

    fn search_pieces(&self, runs: &[Run]) -> Result<HashMap<u64, Piece>> {
        let numbers = runs.iter().flat_map(|run| run.first..run.end());
        let (mut found, mut wanted) = (HashMap::new(), numbers.peekable());
        let mut at = self.first;
        while let Some(&number) = wanted.peek() {
            at = self.line_of_piece(at, number)?;
            at = self.read_pieces(at, &mut wanted, &mut found)?;
        }
        Ok(found)
    }

    /// Returns where the line of a piece begins, which stands at or after a position. Most stand near.
    fn line_of_piece(&self, from: u64, number: u64) -> Result<u64> {
        let is_before = |place: Place| place.piece < number;
        let (mut low, mut step) = (from, NEAR);
        while low + step < self.end {
            let start = self.start_of_line(low, low + step)?;
            if !is_before(self.place_at(start)?) {
                return self.search_in(low..start, is_before);
            }
            low = self.end_of_line(low + step)?;
            step *= 2;
        }
        self.search_in(low..self.end, is_before)
    }

    /// Reads pieces from the first one that is wanted, as long as the next stands near, and returns where
    /// the last line ends.
    fn read_pieces(
        &self,
        from: u64,
        wanted: &mut Peekable<impl Iterator<Item = u64>>,
        found: &mut HashMap<u64, Piece>,
    ) -> Result<u64> {
        let (mut end, mut far) = (from, from + FAR);
        self.each_line(from, |line| {
            end = line.range().end;
            let (Some(number), Some(place)) = (wanted.peek().copied(), Place::read(&line.bytes))
            else {
                return Ok(false);
            };
            if place.is_piece && place.piece == number {
                self.check(line)?;
                let read = piece::read(&line.bytes);
                let (_, piece) = read.ok_or_else(|| self.missing(line.start, number))?;
                found.insert(number, piece);
                wanted.next();
                far = end + FAR;
            } else if place.piece >= number {
                return Err(self.missing(line.start, number));
            }
            Ok(wanted.peek().is_some() && end < far)
        })?;
        match wanted.peek() {
            Some(&number) if end == from => Err(self.missing(from, number)),
            _ => Ok(end),
        }
    }

    /// Reads all of the file up to a position to find pieces.
    fn scan_for_pieces(&self, start: u64, runs: &[Run]) -> Result<HashMap<u64, Piece>> {
        let mut found = HashMap::new();
        self.each_line(self.first, |line| {
            if line.is_piece()
                && self.check(line).is_ok()
                && let Some((number, piece)) = piece::read(&line.bytes)
                && are_among(runs, Run::one(number))
            {
                found.insert(number, piece);
            }
            Ok(line.start < start)
        })?;
        let mut wanted = runs.iter().flat_map(|run| run.first..run.end());
        match wanted.find(|number| !found.contains_key(number)) {
            Some(number) => Err(self.missing(start, number)),
            None => Ok(found),
        }
    }

    fn missing(&self, start: u64, number: u64) -> Error {
        let reason = format!("it needs piece {number}, which is not there as it was saved");
        self.damaged(start)(reason)
    }
}
