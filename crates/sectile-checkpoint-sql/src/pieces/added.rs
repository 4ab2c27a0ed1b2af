//! The pieces that a save adds.

use std::collections::HashMap;

use sectile_checkpoint::{Key, Result};

use crate::packed::pack;
use crate::row::{checksum, miscounted};
use crate::session::Transaction;

/// A shorter part of a layout takes longer to decompress, for each load, than to read.
const PACKED_LAYOUT: usize = 16 * 1024;

/// Pieces that a save adds after those of the thread.
pub(crate) struct Added {
    /// The position of the first of them.
    first: u64,
    /// Their hashes and bytes, as they are stored.
    pieces: Vec<(i64, Vec<u8>)>,
    /// Where each of them is, by its hash.
    by_hash: HashMap<i64, usize>,
    /// From how many bytes on they are packed.
    packs_from: usize,
}

impl Added {
    pub(super) fn new(last_piece: i64, packs_from: usize) -> Self {
        Self {
            first: last_piece.cast_unsigned() + 1,
            pieces: Vec::new(),
            by_hash: HashMap::new(),
            packs_from,
        }
    }

    /// Adds a piece after the others, and returns its position.
    pub(super) fn keep(&mut self, piece: Vec<u8>) -> u64 {
        self.push(pack(piece, self.packs_from))
    }

    /// Adds a piece after the others as it is, which takes no time to decompress, and returns its position.
    pub(super) fn keep_as_it_is(&mut self, piece: Vec<u8>) -> u64 {
        self.push((checksum(&piece), piece))
    }

    /// Adds a part of a layout after the others, and returns its position.
    pub(super) fn keep_layout(&mut self, part: Vec<u8>) -> u64 {
        self.push(pack(part, self.packs_from.max(PACKED_LAYOUT)))
    }

    /// Returns the position of a piece that was added and is the same, or adds it.
    pub(super) fn keep_once(&mut self, piece: Vec<u8>) -> u64 {
        let packed = pack(piece, self.packs_from);
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
