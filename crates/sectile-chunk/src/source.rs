//! A text, or as much of it as is at hand.

use sectile_core::Span;

/// How many bytes are looked at at once.
pub(crate) const LANES: usize = 16;

/// As much of a text as is at hand. Places in it are counted from the beginning of the whole text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'t> {
    pub(crate) text: &'t str,
    /// Where `text` begins.
    pub(crate) start: usize,
    /// Whether nothing follows `text`.
    pub(crate) is_complete: bool,
}

impl<'t> Source<'t> {
    pub(crate) fn whole(text: &'t str) -> Self {
        Self {
            text,
            start: 0,
            is_complete: true,
        }
    }

    #[inline]
    pub(crate) fn end(self) -> usize {
        self.start + self.text.len()
    }

    pub(crate) fn is_complete(self) -> bool {
        self.is_complete
    }

    #[inline]
    pub(crate) fn of(self, span: Span) -> &'t str {
        &self.text[span.start - self.start..span.end - self.start]
    }

    /// Returns the bytes of `span`, which may begin or end inside a character.
    #[inline]
    pub(crate) fn bytes(self, span: Span) -> &'t [u8] {
        &self.text.as_bytes()[span.start - self.start..span.end - self.start]
    }

    /// Returns the bytes from `place` on that are examined together, if enough are available.
    #[inline]
    pub(crate) fn block_at(self, place: usize) -> Option<[u8; LANES]> {
        let rest = self.text.as_bytes().get(place - self.start..)?;
        rest.first_chunk().copied()
    }

    /// Returns the byte at `place`, unless the text at hand ends there.
    pub(crate) fn byte_at(self, place: usize) -> Option<u8> {
        self.text.as_bytes().get(place - self.start).copied()
    }

    /// Returns whether `span` ends with the end of a line.
    pub(crate) fn ends_line(self, span: Span) -> bool {
        match self.bytes(span).last() {
            Some(b'\n') => true,
            Some(b'\r') => self.byte_at(span.end) != Some(b'\n'),
            _ => false,
        }
    }

    pub(crate) fn floor_char_boundary(self, place: usize) -> usize {
        self.start + self.text.floor_char_boundary(place - self.start)
    }

    pub(crate) fn ceil_char_boundary(self, place: usize) -> usize {
        self.start + self.text.ceil_char_boundary(place - self.start)
    }
}
