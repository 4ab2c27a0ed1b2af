//! How long the shared strings of a workbook of before 2007 are.

use crate::xlsx::compound::{u16_at, u32_at};

/// What stands of the strings in a record and those that go on with it.
struct Pieces<'a> {
    piece: &'a [u8],
    others: std::vec::IntoIter<&'a [u8]>,
}

/// Returns the most bytes that each string takes, as far as the records are sound.
pub(super) fn sizes(pieces: Vec<&[u8]>) -> Vec<u64> {
    let mut others = pieces.into_iter();
    let piece = others.next().unwrap_or_default();
    let mut pieces = Pieces { piece, others };
    let mut sizes = Vec::new();
    while let Some(size) = pieces.string() {
        sizes.push(size);
    }
    sizes
}

impl Pieces<'_> {
    /// Goes on to the next record.
    fn go_on(&mut self) -> Option<()> {
        self.piece = self.others.next()?;
        Some(())
    }

    /// Passes over a string, and returns the most bytes that it takes.
    fn string(&mut self) -> Option<u64> {
        if self.piece.is_empty() {
            self.go_on()?;
        }
        let letters = u16_at(self.piece, 0)?;
        let flags = *self.piece.get(2)?;
        self.piece = &self.piece[3..];
        let mut beside = 0;
        if flags & 8 != 0 {
            beside += 4 * usize::from(u16_at(self.piece, 0)?);
            self.piece = &self.piece[2..];
        }
        if flags & 4 != 0 {
            beside = beside.checked_add(u32_at(self.piece, 0)? as usize)?;
            self.piece = &self.piece[4..];
        }
        self.pass_letters(letters.into(), flags)?;
        self.pass(beside)?;
        Some(3 * u64::from(letters))
    }

    /// Skips letters. Each record says again whether its letters take one byte or two.
    fn pass_letters(&mut self, mut left: usize, mut flags: u8) -> Option<()> {
        loop {
            let width = 1 + usize::from(flags & 1);
            let here = left.min(self.piece.len() / width);
            self.piece = &self.piece[here * width..];
            left -= here;
            if left == 0 {
                return Some(());
            }
            self.go_on()?;
            let (&next, rest) = self.piece.split_first()?;
            (flags, self.piece) = (next, rest);
        }
    }

    fn pass(&mut self, mut left: usize) -> Option<()> {
        while left > 0 {
            if self.piece.is_empty() {
                self.go_on()?;
            }
            let here = left.min(self.piece.len());
            self.piece = &self.piece[here..];
            left -= here;
        }
        Some(())
    }
}
