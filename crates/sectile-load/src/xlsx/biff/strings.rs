//! The strings of a workbook of before 2007, and how long they are.

use crate::xlsx::compound::{u16_at, u32_at};

/// What stands of the strings in a record and those that go on with it.
struct Pieces<'a> {
    piece: &'a [u8],
    others: std::vec::IntoIter<&'a [u8]>,
}

/// Returns the most bytes that each string takes, as far as the records are sound.
pub(super) fn sizes(pieces: Vec<&[u8]>) -> Vec<u64> {
    let mut pieces = Pieces::new(pieces);
    let mut sizes = Vec::new();
    while let Some(size) = pieces.string(None) {
        sizes.push(size);
    }
    sizes
}

/// Returns all strings, as far as the records are sound.
pub(super) fn texts(pieces: Vec<&[u8]>) -> Vec<String> {
    let mut pieces = Pieces::new(pieces);
    std::iter::from_fn(|| pieces.text()).collect()
}

/// Returns the first string.
pub(super) fn text(pieces: Vec<&[u8]>) -> Option<String> {
    Pieces::new(pieces).text()
}

impl<'a> Pieces<'a> {
    fn new(pieces: Vec<&'a [u8]>) -> Self {
        let mut others = pieces.into_iter();
        let piece = others.next().unwrap_or_default();
        Self { piece, others }
    }

    /// Reads a string.
    fn text(&mut self) -> Option<String> {
        let mut units = Vec::new();
        self.string(Some(&mut units))?;
        Some(String::from_utf16_lossy(&units))
    }

    /// Goes on to the next record.
    fn go_on(&mut self) -> Option<()> {
        self.piece = self.others.next()?;
        Some(())
    }

    /// Passes over a string, whose letters are added to `units`, and returns the most bytes that it takes.
    fn string(&mut self, units: Option<&mut Vec<u16>>) -> Option<u64> {
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
        self.pass_letters(letters.into(), flags, units)?;
        self.pass(beside)?;
        Some(3 * u64::from(letters))
    }

    /// Skips letters. Each record says again whether its letters take one byte or two.
    fn pass_letters(
        &mut self,
        mut left: usize,
        mut flags: u8,
        mut units: Option<&mut Vec<u16>>,
    ) -> Option<()> {
        loop {
            let width = 1 + usize::from(flags & 1);
            let here = left.min(self.piece.len() / width);
            let (letters, rest) = self.piece.split_at(here * width);
            if let Some(units) = units.as_deref_mut() {
                units.extend(letters.chunks_exact(width).map(|letter| {
                    let high = letter.get(1).copied().unwrap_or_default();
                    u16::from_le_bytes([letter[0], high])
                }));
            }
            self.piece = rest;
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
