//! The file of a thread, read and appended to.

use std::cell::OnceCell;
use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{
    self, BufRead as _, BufReader, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _,
};
use std::ops::Range;
use std::path::PathBuf;

use serde_json::{Map, Value};

use super::beginning::{Begun, NUMBER_BYTES, Place};
use super::failure::{damaged, failed};
use super::header::{Beginning, Header, MAX_HEADER_BYTES, VERSION};
use super::lines::{end_of_line, read_range, start_of_line};
use super::lock;
use super::names::{Files, name};
use super::piece;
use super::record::{self, Head, Kept, Stored};
use super::seal::{is_sealed, is_sealed_but_for_its_end, sealed};
use crate::{
    Checkpoint, CheckpointOrder, CheckpointQuery, Error, NamespaceSummary, Result, StoredState,
};

mod by_id;
mod pieces;
mod search;
mod tail;

/// A file of checkpoints as it was when it was opened.
///
/// What stands before `end` never changes, so that it can be read without a lock: new checkpoints
/// are appended, and when old ones are removed another file takes the place of this one.
///
/// Each checkpoint stands after the pieces that were saved with it. The numbers of checkpoints and of
/// pieces grow from line to line.
#[derive(Debug)]
pub(super) struct ThreadFile {
    path: PathBuf,
    file: File,
    pub(super) header: Header,
    /// Where the first checkpoint begins.
    pub(super) first: u64,
    /// Where the last checkpoint ends.
    pub(super) end: u64,
    /// Where the file ends; after `end` if a crash left pieces without their checkpoint, or a torn
    /// line.
    length: u64,
    /// Whether something else stands where the newline at the end was.
    lacks_end: bool,
    /// The last numbers, once they were read.
    tail: OnceCell<Tail>,
}

/// The last numbers of a file.
#[derive(Clone, Copy, Debug)]
struct Tail {
    /// The number of the newest checkpoint so far.
    seq: u64,
    /// The number of the newest one that is there.
    newest: u64,
    /// A number that no piece exceeds, 0 if there is none.
    piece: u64,
}

/// The criteria that select lines.
#[derive(Debug)]
pub(super) enum Entry {
    /// A checkpoint.
    Checkpoint(Head),
    /// A piece of states.
    Piece(piece::Head),
}

/// A checkpoint or a piece as it stands in the file.
#[derive(Debug)]
pub(super) struct Line {
    start: u64,
    bytes: Vec<u8>,
}

impl Line {
    /// Returns where it stands.
    pub(super) fn range(&self) -> Range<u64> {
        self.start..self.start + self.bytes.len() as u64
    }

    /// Returns what begins in it, if it is damaged.
    pub(super) fn begun(&self) -> Begun {
        let mut begun = Begun::default();
        begun.add(&self.bytes);
        begun
    }

    /// Returns what it says that checkpoints are chosen by, whether or not it is undamaged.
    pub(super) fn unchecked_head(&self) -> Option<Head> {
        Head::read(&self.bytes).ok()
    }

    fn is_piece(&self) -> bool {
        Place::read(&self.bytes).is_some_and(|place| place.is_piece)
    }
}

impl ThreadFile {
    /// Opens the file of a thread for reading, if there is one.
    pub(super) fn read(files: &Files) -> Result<Option<Self>> {
        // Nobody changes the end of the file while it is looked for.
        let _lock = lock::shared(&files.lock).map_err(failed("lock a thread", &files.lock))?;
        Self::read_locked(files)
    }

    /// Opens the file of a thread that the caller has locked for reading, if there is one.
    pub(super) fn read_locked(files: &Files) -> Result<Option<Self>> {
        Self::open(files, OpenOptions::new().read(true))
    }

    /// Opens the file of a thread that the caller has locked, if there is one.
    pub(super) fn write(files: &Files) -> Result<Option<Self>> {
        Self::open(files, OpenOptions::new().read(true).write(true))
    }

    fn open(files: &Files, options: &OpenOptions) -> Result<Option<Self>> {
        let path = &files.records;
        let failed = failed("read the file of a thread", path);
        let file = match options.open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(&failed)?,
        };
        let length = file.metadata().map_err(&failed)?.len();
        let beginning = read_beginning(&file, length).map_err(&failed)?;
        let first = beginning.len() as u64;
        let header = match Beginning::read(&beginning) {
            Beginning::Header(header) => header,
            Beginning::Torn => return Ok(None),
            Beginning::Newer(found) => {
                let known = VERSION;
                return Err(Error::NewerSchema { found, known });
            }
            Beginning::Foreign => return Err(damaged(path, "it is not a file of checkpoints")),
            Beginning::Damaged => return Err(damaged(path, "its first line was changed")),
        };
        if name(&header.key()) != files.name {
            return Err(damaged(path, "it has the name of another thread"));
        }
        let end = start_of_line(&mut &file, first, length).map_err(&failed)?;
        let rest = read_range(&mut &file, end, length).map_err(&failed)?;
        let lacks_end = is_sealed_but_for_its_end(&rest);
        let mut thread = Self {
            path: path.clone(),
            file,
            header,
            first,
            end: if lacks_end { length } else { end },
            length,
            lacks_end,
            tail: OnceCell::new(),
        };
        thread.end = thread.end_of_checkpoints()?;
        Ok(Some(thread))
    }

    /// Returns where the last checkpoint ends: a crash may have left pieces after it.
    fn end_of_checkpoints(&self) -> Result<u64> {
        let mut end = self.end;
        while end > self.first {
            let start = self.start_of_line(self.first, end - 1)?;
            let place = self.beginning(start)?;
            let is_piece = place.is_some_and(|place| place.is_piece);
            // A checkpoint that ran into a piece by damage looks like one.
            if !is_piece || self.check(&self.line(start, end)?).is_err() {
                break;
            }
            end = start;
        }
        Ok(end)
    }

    /// Returns how many checkpoints there are. Between the numbers none is missing that was not
    /// removed, so they need not be counted.
    pub(super) fn count(&self) -> Result<u64> {
        Ok(self.last_seq()?.saturating_sub(self.header.removed))
    }

    /// Says what the thread is like, unless it is empty.
    pub(super) fn summary(&self) -> Result<Option<NamespaceSummary>> {
        let (latest_seq, updated_at) = match self.head_of(None) {
            Err(Error::Corrupt { .. }) => (self.newest_seq()?, self.time_of_newest_sound()?),
            newest => match newest? {
                Some(newest) => (newest.seq, newest.created_at),
                None => return Ok(None),
            },
        };
        Ok(Some(NamespaceSummary {
            namespace: self.header.namespace.clone(),
            latest_seq,
            checkpoints: self.count()?,
            updated_at,
        }))
    }

    /// Returns when the newest checkpoint that can be read was saved, 0 if there is none.
    fn time_of_newest_sound(&self) -> Result<u64> {
        for line in self.newest_first(self.end) {
            match self.head(&line?) {
                Err(Error::Corrupt { .. }) => {}
                head => return head.map(|head| head.created_at),
            }
        }
        Ok(0)
    }

    /// Returns the newest checkpoint.
    pub(super) fn latest(&self) -> Result<Option<Checkpoint<StoredState>>> {
        let newest = self.line_of(None)?;
        newest.map(|line| self.checkpoint(&line)).transpose()
    }

    /// Returns the checkpoint with a number.
    pub(super) fn with_seq(&self, seq: u64) -> Result<Option<Checkpoint<StoredState>>> {
        let line = self.line_with_seq(seq)?;
        line.map(|line| self.checkpoint(&line)).transpose()
    }

    /// Returns what a checkpoint is chosen by, the one with a number or the newest, without its state.
    pub(super) fn head_of(&self, seq: Option<u64>) -> Result<Option<Head>> {
        let line = self.line_of(seq)?;
        line.map(|line| self.head(&line)).transpose()
    }

    /// Returns how the state of a checkpoint is kept, of the one with a number or of the newest, and
    /// where its line begins.
    pub(super) fn kept(&self, seq: Option<u64>) -> Result<Option<(u64, Kept)>> {
        let Some(line) = self.line_of(seq)? else {
            return Ok(None);
        };
        let (stored, metadata) = self.stored(&line)?;
        let (_, kept) = self.parts(&line, stored, metadata)?;
        Ok(Some((line.start, kept)))
    }

    /// Returns the line of the checkpoint with a number, or of the newest.
    fn line_of(&self, seq: Option<u64>) -> Result<Option<Line>> {
        match seq {
            Some(seq) => self.line_with_seq(seq),
            None => self.newest_first(self.end).next().transpose(),
        }
    }

    /// Returns the checkpoint that begins at a position, which was seen to have an id.
    pub(super) fn with_id(&self, start: u64, id: &str) -> Result<Checkpoint<StoredState>> {
        let line = self.line(start, self.end_of_line(start)?)?;
        let found = self.checkpoint(&line)?;
        if found.id.as_deref() == Some(id) {
            return Ok(found);
        }
        Err(self.damaged(start)("it was changed since it was read"))
    }

    /// Returns checkpoints in the order of a query.
    pub(super) fn list(&self, query: &CheckpointQuery) -> Result<Vec<Checkpoint<StoredState>>> {
        if let CheckpointOrder::ById { before } = &query.order {
            return self.list_by_id(query, before.as_deref());
        }
        let limit = query.limit.unwrap_or(usize::MAX);
        let end = query
            .before
            .map_or(Ok(self.end), |seq| self.end_before(seq))?;
        let mut lines = self.newest_first(end);
        let mut found = Vec::new();
        while found.len() < limit {
            let Some(line) = lines.next().transpose()? else {
                break;
            };
            // What cannot be compared is refused by the hash of the line.
            if query.metadata.is_empty() || self.has_metadata(&line, query).unwrap_or(true) {
                found.push(self.checkpoint(&line)?);
            }
        }
        Ok(found)
    }

    /// Returns whether a checkpoint has the metadata that is asked for. The lines are compared as in a list;
    /// one whose metadata cannot be read matters only if no other has it.
    pub(super) fn has(&self, query: &CheckpointQuery) -> Result<bool> {
        let mut has = Ok(false);
        for line in self.newest_first(self.end) {
            match self.has_metadata(&line?, query) {
                Ok(false) => {}
                Ok(true) => return Ok(true),
                unreadable => has = unreadable,
            }
        }
        has
    }

    /// Compares the metadata of a line without its hash, which covers the whole checkpoint.
    fn has_metadata(&self, line: &Line, query: &CheckpointQuery) -> Result<bool> {
        let metadata = record::metadata(&line.bytes).map_err(self.damaged(line.start))?;
        Ok(query.matches(&metadata))
    }

    /// Writes parts of the file to another one, whose lines all end in their hash.
    pub(super) fn copy(&self, parts: &[Range<u64>], to: &mut File) -> io::Result<()> {
        for part in parts {
            if !self.header.is_sealed() {
                self.copy_sealed(part, to)?;
                continue;
            }
            (&self.file).seek(SeekFrom::Start(part.start))?;
            let length = part.end - part.start;
            if io::copy(&mut (&self.file).take(length), to)? < length {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(())
    }

    fn copy_sealed(&self, part: &Range<u64>, to: &mut File) -> io::Result<()> {
        let mut reader = self.reader(part.clone())?;
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            let _ = line.pop();
            to.write_all(&sealed(std::mem::take(&mut line)))?;
        }
        Ok(())
    }

    /// Appends the lines of a checkpoint and waits until they are on the disk. If that fails the file
    /// is as it was.
    pub(super) fn append(&self, lines: &[u8]) -> Result<()> {
        let written = self.cut().and_then(|()| {
            if self.lacks_end {
                (&self.file).seek(SeekFrom::Start(self.end - 1))?;
                (&self.file).write_all(b"\n")?;
            }
            (&self.file).seek(SeekFrom::Start(self.end))?;
            (&self.file).write_all(lines)?;
            self.file.sync_data()
        });
        if written.is_err() {
            // If this fails, too, then what there is of the lines stays: torn, and cut off by the
            // next save, or whole, as a save that nobody was told of.
            let _ = self.file.set_len(self.end);
        }
        written.map_err(failed("save a checkpoint", &self.path))
    }

    /// Waits until all that the file has is on the disk.
    pub(super) fn sync(&self) -> Result<()> {
        let synced = self.file.sync_data();
        synced.map_err(failed("save a checkpoint", &self.path))
    }

    /// Removes what a crash left of a save.
    fn cut(&self) -> io::Result<()> {
        if self.length > self.end {
            self.file.set_len(self.end)?;
        }
        Ok(())
    }

    /// Reads what a checkpoint is chosen by.
    fn head(&self, line: &Line) -> Result<Head> {
        self.check(line)?;
        Head::read(&line.bytes).map_err(self.damaged(line.start))
    }

    fn checkpoint(&self, line: &Line) -> Result<Checkpoint<StoredState>> {
        let (stored, metadata) = self.stored(line)?;
        self.put_together(line, stored, metadata)
    }

    fn put_together(
        &self,
        line: &Line,
        stored: Stored<'_>,
        metadata: Map<String, Value>,
    ) -> Result<Checkpoint<StoredState>> {
        let (checkpoint, kept) = self.parts(line, stored, metadata)?;
        let state = match kept {
            Kept::Whole(state) => state,
            Kept::InPieces(placed) => self.state_in_pieces(line.start, placed)?,
        };
        Ok(checkpoint.map_state(|()| state))
    }

    fn parts(
        &self,
        line: &Line,
        stored: Stored<'_>,
        metadata: Map<String, Value>,
    ) -> Result<(Checkpoint<()>, Kept)> {
        let found = stored.into_checkpoint(self.header.key(), metadata);
        found.ok_or_else(|| self.damaged(line.start)("it has no state"))
    }

    /// Checks that a line is undamaged.
    fn check(&self, line: &Line) -> Result<()> {
        if self.header.is_sealed() && !is_sealed(&line.bytes) {
            return Err(self.damaged(line.start)("it was changed"));
        }
        Ok(())
    }

    fn stored<'a>(&self, line: &'a Line) -> Result<(Stored<'a>, Map<String, Value>)> {
        self.check(line)?;
        let stored = Stored::read(&line.bytes).map_err(self.damaged(line.start))?;
        let metadata = stored.metadata().map_err(self.damaged(line.start))?;
        Ok((stored, metadata))
    }

    fn place_at(&self, start: u64) -> Result<Place> {
        let place = self.beginning(start)?;
        place.ok_or_else(|| self.damaged(start)("no number of a checkpoint"))
    }

    fn beginning(&self, start: u64) -> Result<Option<Place>> {
        let end = self.end.min(start + NUMBER_BYTES);
        let bytes = read_range(&mut &self.file, start, end).map_err(self.failed())?;
        Ok(Place::read(&bytes))
    }

    fn line(&self, start: u64, end: u64) -> Result<Line> {
        let bytes = read_range(&mut &self.file, start, end).map_err(self.failed())?;
        Ok(Line { start, bytes })
    }

    fn start_of_line(&self, floor: u64, at: u64) -> Result<u64> {
        start_of_line(&mut &self.file, floor, at).map_err(self.failed())
    }

    pub(super) fn end_of_line(&self, at: u64) -> Result<u64> {
        end_of_line(&mut &self.file, at, self.end).map_err(self.failed())
    }

    fn reader(&self, range: Range<u64>) -> io::Result<BufReader<io::Take<&File>>> {
        (&self.file).seek(SeekFrom::Start(range.start))?;
        let length = range.end.saturating_sub(range.start);
        Ok(BufReader::new((&self.file).take(length)))
    }

    fn failed(&self) -> impl Fn(io::Error) -> Error {
        failed("read the file of a thread", &self.path)
    }

    pub(super) fn damaged<E: Display>(&self, start: u64) -> impl Fn(E) -> Error {
        move |reason| {
            damaged(
                &self.path,
                format_args!("the line at byte {start}: {reason}"),
            )
        }
    }
}

/// Reads the first line, or as much as one can be long.
fn read_beginning(mut file: &File, length: u64) -> io::Result<Vec<u8>> {
    let end = end_of_line(&mut file, 0, length.min(MAX_HEADER_BYTES))?;
    read_range(&mut file, 0, end)
}
