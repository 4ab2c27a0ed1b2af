//! What is drawn of chunks.

use sectile::Unit;
use sectile::core::{Chunk, Lines, Span};

const CHARACTERS: &str = "characters";

/// A text that was cut, as much of it as is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// What sizes count: `tokens`, `characters`.
    pub unit: &'static str,
    /// The chunks in order.
    pub chunks: Vec<CutMark>,
}

/// Where a chunk stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutMark {
    /// Where it stands in the text, in bytes.
    pub span: Span,
    /// The lines that it touches.
    pub lines: Lines,
    /// Its size, in the unit of the cut.
    pub size: usize,
}

impl Cut {
    /// Takes what is drawn of chunks. Those without a number of tokens are counted in characters.
    pub fn of<'c, 'a: 'c>(chunks: impl IntoIterator<Item = &'c Chunk<'a>>) -> Self {
        let mut unit = "tokens";
        let mark = |chunk: &Chunk<'_>| {
            let size = chunk.tokens.unwrap_or_else(|| {
                unit = CHARACTERS;
                chunk.chars.len()
            });
            CutMark {
                span: chunk.span,
                lines: chunk.lines,
                size,
            }
        };
        let chunks = chunks.into_iter().map(mark).collect();
        Self { unit, chunks }
    }

    /// Says in what unit the sizes of the chunks were counted.
    #[must_use]
    pub fn counted_in(mut self, unit: Unit) -> Self {
        if unit == Unit::Chars {
            self.unit = CHARACTERS;
        }
        self
    }

    /// Returns about how many bytes it takes in memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.chunks.as_slice()) + 64
    }

    /// Returns how many bytes of the text are in more than one chunk.
    pub(crate) fn repeated(&self) -> usize {
        let pairs = self.chunks.windows(2);
        let shared = |pair: &[CutMark]| pair[0].span.end.saturating_sub(pair[1].span.start);
        pairs.map(shared).sum()
    }
}
