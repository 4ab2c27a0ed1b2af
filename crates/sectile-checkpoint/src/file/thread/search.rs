//! Lines of the file of a thread, found by their numbers or read in turn.

use std::io::BufRead as _;
use std::ops::Range;

use super::{Entry, Line, ThreadFile};
use crate::file::beginning::Place;
use crate::file::piece;
use crate::{Error, Result};

impl ThreadFile {
    /// Returns the checkpoints before a position, the last one first.
    pub(super) fn newest_first(&self, end: u64) -> impl Iterator<Item = Result<Line>> {
        let lines = self.lines_back(end);
        lines.filter(move |line| !line.as_ref().is_ok_and(|line| self.is_of_pieces(line)))
    }

    /// Returns whether a line is a piece, or a damaged one in which only pieces begin.
    fn is_of_pieces(&self, line: &Line) -> bool {
        match Place::read(&line.bytes) {
            Some(place) if !place.is_piece => false,
            Some(_) if self.check(line).is_ok() => true,
            // A checkpoint that ran into a piece by damage looks like one.
            _ => line.begun().checkpoints == 0,
        }
    }

    /// Returns whether a checkpoint can be loaded.
    pub(in crate::file) fn loads(&self, line: &Line) -> Result<bool> {
        match self.checkpoint(line) {
            Err(Error::Corrupt { .. }) => Ok(false),
            loaded => loaded.map(|_| true),
        }
    }

    /// Returns the lines before a position, the last one first.
    pub(super) fn lines_back(&self, end: u64) -> impl Iterator<Item = Result<Line>> {
        let mut at = end;
        std::iter::from_fn(move || {
            let end = at;
            // Whatever comes of this line, no line is read twice.
            at = self.first;
            (end > self.first).then(|| {
                let start = self.start_of_line(self.first, end - 1)?;
                at = start;
                self.line(start, end)
            })
        })
    }

    /// Returns the checkpoint with a number.
    pub(super) fn line_with_seq(&self, seq: u64) -> Result<Option<Line>> {
        match self.find(seq) {
            // A damaged line may stand in the way to others.
            Err(error @ Error::Corrupt { .. }) => self.scan_for(seq)?.map(Some).ok_or(error),
            found => found,
        }
    }

    fn find(&self, seq: u64) -> Result<Option<Line>> {
        let end = self.search(|place| place.seq <= seq)?;
        if end > self.first {
            let start = self.start_of_line(self.first, end - 1)?;
            let place = self.place_at(start)?;
            if place.seq == seq && !place.is_piece {
                let line = self.line(start, end)?;
                self.check(&line)?;
                return Ok(Some(line));
            }
        }
        // The newest says what numbers there can be.
        if let Some(newest) = self.newest_first(self.end).next().transpose()? {
            self.check(&newest)?;
        }
        self.check_way(|place| place.seq <= seq)?;
        Ok(None)
    }

    /// Reads all of the file to find a checkpoint that is undamaged.
    fn scan_for(&self, seq: u64) -> Result<Option<Line>> {
        let mut found = None;
        self.each_line(self.first, |line| {
            let place = Place::read(&line.bytes);
            let is_it = place.is_some_and(|place| place.seq == seq && !place.is_piece);
            if is_it && self.check(line).is_ok() {
                let bytes = line.bytes.clone();
                let start = line.start;
                found = Some(Line { start, bytes });
            }
            Ok(found.is_none())
        })?;
        Ok(found)
    }

    /// Returns where the checkpoints with smaller numbers end.
    pub(in crate::file) fn end_before(&self, seq: u64) -> Result<u64> {
        let is_before = |place: Place| place.seq < seq;
        let end = self.search(is_before);
        let end = end.and_then(|end| self.check_way(is_before).map(|()| end));
        match end {
            // A damaged line may have led the wrong way.
            Err(Error::Corrupt { .. }) => self.scan_for_end_before(seq),
            end => end,
        }
    }

    /// Reads the file up to the first checkpoint that cannot have a smaller number. The number of a
    /// damaged one is at least the next after the one before it.
    fn scan_for_end_before(&self, seq: u64) -> Result<u64> {
        let (mut last, mut end) = (0_u64, self.first);
        self.each_line(self.first, |line| {
            let (first, is_piece) = match Place::read(&line.bytes) {
                Some(place) if self.check(line).is_ok() => {
                    last = place.newest_seq();
                    (last, place.is_piece)
                }
                _ => {
                    let begun = line.begun();
                    let first = last.saturating_add(begun.checkpoints.min(1));
                    last = last.saturating_add(begun.checkpoints);
                    (first, begun.checkpoints == 0)
                }
            };
            if !is_piece && first < seq {
                end = line.range().end;
            }
            Ok(first < seq)
        })?;
        Ok(end)
    }

    /// Checks that the lines by which something was looked for are undamaged.
    fn check_way(&self, is_before: impl Fn(Place) -> bool) -> Result<()> {
        let (mut low, mut high) = (self.first, self.end);
        while low < high {
            let middle = low + (high - low) / 2;
            let start = self.start_of_line(low, middle)?;
            let end = self.end_of_line(middle)?;
            self.entry(&self.line(start, end)?)?;
            if is_before(self.place_at(start)?) {
                low = end;
            } else {
                high = start;
            }
        }
        Ok(())
    }

    /// Returns where the first line begins that does not come before what is looked for.
    pub(super) fn search(&self, is_before: impl Fn(Place) -> bool) -> Result<u64> {
        self.search_in(self.first..self.end, is_before)
    }

    /// The same within a part of the file. Halving what is left finds it without reading all.
    pub(super) fn search_in(
        &self,
        part: Range<u64>,
        is_before: impl Fn(Place) -> bool,
    ) -> Result<u64> {
        let (mut low, mut high) = (part.start, part.end);
        while low < high {
            let middle = low + (high - low) / 2;
            let start = self.start_of_line(low, middle)?;
            if is_before(self.place_at(start)?) {
                low = self.end_of_line(middle)?;
            } else {
                high = start;
            }
        }
        Ok(low)
    }

    /// Reads lines from a position in turn, as long as `visit` says so.
    pub(super) fn each_line(
        &self,
        from: u64,
        visit: impl FnMut(&Line) -> Result<bool>,
    ) -> Result<()> {
        self.each_line_in(from..self.end, visit)
    }

    /// The same within a part of the file.
    fn each_line_in(
        &self,
        part: Range<u64>,
        mut visit: impl FnMut(&Line) -> Result<bool>,
    ) -> Result<()> {
        let failed = self.failed();
        let (mut start, mut bytes) = (part.start, Vec::new());
        let mut reader = self.reader(part).map_err(&failed)?;
        while reader.read_until(b'\n', &mut bytes).map_err(&failed)? > 0 {
            let line = Line { start, bytes };
            if !visit(&line)? {
                return Ok(());
            }
            start = line.range().end;
            bytes = line.bytes;
            bytes.clear();
        }
        Ok(())
    }

    /// Reads what the lines of a part of the file are chosen by, in turn. They may be damaged.
    pub(in crate::file) fn each_entry(
        &self,
        part: Range<u64>,
        mut visit: impl FnMut(&Line, Result<Entry>) -> Result<()>,
    ) -> Result<()> {
        self.each_line_in(part, |line| {
            visit(line, self.entry(line))?;
            Ok(true)
        })
    }

    fn entry(&self, line: &Line) -> Result<Entry> {
        if !line.is_piece() {
            return self.head(line).map(Entry::Checkpoint);
        }
        self.check(line)?;
        let head = piece::Head::read(&line.bytes);
        head.map(Entry::Piece).map_err(self.damaged(line.start))
    }
}
