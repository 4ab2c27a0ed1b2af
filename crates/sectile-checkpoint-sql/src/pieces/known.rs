//! What a state shares with the checkpoint that it is compared with.

use sectile_checkpoint::pieces::Filling;

use super::added::Added;
use super::found::Pieces;
use crate::layout::Hole;

/// A piece of so many bytes is worth a run of its own, wherever the base has it.
const LARGE: usize = 1024;

/// The pieces of a base.
///
/// A run of a list is named by each later checkpoint. So an entry that is not behind the one before is
/// taken from farther behind only, or stored again if it is short: a list in which one answer stands a
/// thousand times would otherwise be a thousand runs.
pub(super) struct Known<'p> {
    pieces: &'p Pieces,
    /// Makes of a piece what it is looked for by.
    key: fn(&[u8]) -> i64,
    /// The positions by their keys, in order, once one is looked for.
    by_key: Option<Vec<(i64, u64)>>,
    /// The position behind the piece that was found last.
    next: u64,
}

impl<'p> Known<'p> {
    pub(super) const fn new(pieces: &'p Pieces, key: fn(&[u8]) -> i64) -> Self {
        Self {
            pieces,
            key,
            by_key: None,
            next: 0,
        }
    }

    /// Puts a piece behind those of a hole; it is added unless it is there.
    pub(super) fn fill(&mut self, hole: &mut Hole, piece: Vec<u8>, added: &mut Added) {
        let size = piece.len();
        let found = self.find(hole, &piece, |kept| kept == piece);
        let position = match found {
            Some((position, _)) => position,
            None => add(hole, piece, added),
        };
        hole.push(position, size);
    }

    /// Fills a hole of JSON text. Where the base has the beginning of what is left, it is taken as it was
    /// cut then, so that a list that became longer keeps its pieces, however short its entries are.
    pub(super) fn fill_text(&mut self, hole: &mut Hole, filling: &Filling<'_>, added: &mut Added) {
        let text = filling.text.as_bytes();
        let mut at = 0;
        loop {
            let rest = &text[at..];
            let (position, size) = self.find_beginning(hole, rest).unwrap_or_else(|| {
                let piece = &text[at..filling.end_after(at)];
                (add(hole, piece.to_vec(), added), piece.len())
            });
            hole.push(position, size);
            at += size;
            if at >= text.len() {
                return;
            }
            // The comma between two pieces belongs to neither.
            at += 1;
        }
    }

    /// Finds entries that a list begins with, and returns their position and size.
    fn find_beginning(&mut self, hole: &Hole, list: &[u8]) -> Option<(u64, usize)> {
        self.find(hole, list, |kept| {
            let is_end = |rest: &[u8]| matches!(rest.first(), None | Some(b','));
            !kept.is_empty() && list.strip_prefix(kept).is_some_and(is_end)
        })
    }

    /// Finds a piece like another for a hole, and returns its position and size: the one behind the one
    /// before, or else the first that may be taken.
    fn find(
        &mut self,
        hole: &Hole,
        like: &[u8],
        is_it: impl Fn(&[u8]) -> bool,
    ) -> Option<(u64, usize)> {
        let (pieces, next) = (self.pieces, self.next);
        let fits = |position: u64| {
            let kept = pieces.get(position).filter(|kept| is_it(kept))?;
            Some((position, kept.len()))
        };
        let is_free =
            |&(position, size): &(u64, usize)| position >= next || may_be_anywhere(hole, size);
        let found = match fits(next) {
            Some(found) => found,
            None => self.positions(like).filter_map(fits).find(is_free)?,
        };
        self.next = found.0 + 1;
        Some(found)
    }

    /// Returns the positions of the pieces that may be like another, in order.
    fn positions(&mut self, like: &[u8]) -> impl Iterator<Item = u64> {
        let (pieces, key) = (self.pieces, self.key);
        let by_key = self.by_key.get_or_insert_with(|| {
            let mut by_key: Vec<_> = pieces
                .iter()
                .map(|(position, piece)| (key(piece), position))
                .collect();
            by_key.sort_unstable();
            by_key
        });
        let key = key(like);
        let start = by_key.partition_point(|known| known.0 < key);
        let alike = by_key[start..]
            .iter()
            .take_while(move |known| known.0 == key);
        alike.map(|known| known.1)
    }
}

/// Adds a piece for a hole.
fn add(hole: &Hole, piece: Vec<u8>, added: &mut Added) -> u64 {
    if may_be_anywhere(hole, piece.len()) {
        added.keep_once(piece)
    } else {
        added.keep(piece)
    }
}

/// Says whether a piece of a size may stand anywhere: it is the first of its hole, or large.
fn may_be_anywhere(hole: &Hole, size: usize) -> bool {
    hole.runs.is_empty() || size >= LARGE
}
