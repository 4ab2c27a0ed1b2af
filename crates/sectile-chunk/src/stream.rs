//! Chunks one after the other: of a text, or of one that comes in parts.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::iter::FusedIterator;

use sectile_core::{Chunk, Span};

use crate::position::{Place, position};
use crate::source::Source;

/// A strategy on its way through a text, which it does not hold.
pub(crate) trait Cutter: Send {
    /// Returns the next chunk. Returns `None` at the end of a complete text, or if an incomplete
    /// text needs more input.
    fn next_cut(&mut self, source: Source<'_>) -> Option<Cut>;

    /// Returns the first byte that is looked at again.
    fn needed_from(&self) -> usize;
}

/// Where a chunk stands.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) start: Place,
    pub(crate) end: Place,
    pub(crate) tokens: Option<usize>,
    /// The text of the chunk where it is not the source's.
    pub(crate) joined: Option<String>,
}

impl Cut {
    fn span(&self) -> Span {
        Span::new(self.start.byte, self.end.byte)
    }

    fn into_chunk<'a>(self, text: Cow<'a, str>, source: Source<'_>, index: usize) -> Chunk<'a> {
        let (chars, lines) = position(self.start, self.end, source.ends_line(self.span()));
        Chunk {
            index,
            text,
            span: self.span(),
            chars,
            lines,
            tokens: self.tokens,
            heading_path: None,
        }
    }
}

/// The chunks of a text, made lazily.
///
/// It keeps only the pieces, sentences or tokens of the next chunk, not those of the whole text.
/// `'a` is the text's lifetime, `'s` that of the settings and the token counter.
#[must_use = "iterators are lazy"]
pub struct Chunks<'a, 's> {
    text: &'a str,
    cutter: Box<dyn Cutter + 's>,
    index: usize,
}

impl<'a, 's> Chunks<'a, 's> {
    pub(crate) fn new(text: &'a str, cutter: impl Cutter + 's) -> Self {
        Self {
            text,
            cutter: Box::new(cutter),
            index: 0,
        }
    }
}

impl<'a> Iterator for Chunks<'a, '_> {
    type Item = Chunk<'a>;

    fn next(&mut self) -> Option<Chunk<'a>> {
        let source = Source::whole(self.text);
        let mut cut = self.cutter.next_cut(source)?;
        let joined = cut.joined.take().map(Cow::Owned);
        let text = joined.unwrap_or_else(|| Cow::Borrowed(source.of(cut.span())));
        self.index += 1;
        Some(cut.into_chunk(text, source, self.index - 1))
    }
}

impl FusedIterator for Chunks<'_, '_> {}

impl fmt::Debug for Chunks<'_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Chunks")
            .field("bytes", &self.text.len())
            .field("index", &self.index)
            .finish_non_exhaustive()
    }
}

/// The chunks of a text that arrives in parts.
///
/// They are the chunks of the joined parts, wherever the parts are cut. Indexes, spans, characters
/// and lines refer to the whole text. It buffers only the text of the next chunks, and at most as
/// much that is no longer needed; the `stream` method of each chunker says what that is.
///
/// ```
/// use sectile_chunk::{Heuristic, SentenceChunker};
///
/// let chunker = SentenceChunker::new(7)?.with_overlap(0.0)?;
/// let mut stream = chunker.stream(&Heuristic);
/// let mut texts = Vec::new();
/// for part in ["It rai", "ned. We", " left. Ada", " stayed until the ", "end.\n"] {
///     texts.extend(stream.push(part).into_iter().map(|chunk| chunk.text));
/// }
/// texts.extend(stream.finish().into_iter().map(|chunk| chunk.text));
/// assert_eq!(texts, ["It rained. We left. ", "Ada stayed until the end.\n"]);
/// # Ok::<(), sectile_chunk::Error>(())
/// ```
pub struct Stream<'s> {
    cutter: Box<dyn Cutter + 's>,
    /// The text that arrived and may be needed again.
    text: String,
    /// Where `text` begins in the whole text.
    start: usize,
    index: usize,
}

impl<'s> Stream<'s> {
    pub(crate) fn new(cutter: impl Cutter + 's) -> Self {
        Self {
            cutter: Box::new(cutter),
            text: String::new(),
            start: 0,
            index: 0,
        }
    }

    /// Adds `part` to the text and returns the chunks that are certain now.
    pub fn push(&mut self, part: &str) -> Vec<Chunk<'static>> {
        let mut chunks = Vec::new();
        let Ok(()) = self.try_push(part, collect(&mut chunks));
        chunks
    }

    /// Ends the text and returns the rest of its chunks.
    pub fn finish(self) -> Vec<Chunk<'static>> {
        let mut chunks = Vec::new();
        let Ok(()) = self.try_finish(collect(&mut chunks));
        chunks
    }

    /// Adds `part` to the text and hands over the chunks that are certain now, with their texts
    /// borrowed. Stops at the first error, behind which the text cannot go on.
    ///
    /// # Errors
    ///
    /// That of `take`.
    pub fn try_push<E>(
        &mut self,
        part: &str,
        take: impl FnMut(Chunk<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.text.push_str(part);
        self.cut(false, take)?;
        self.forget();
        Ok(())
    }

    /// Ends the text and hands over the rest of its chunks.
    ///
    /// # Errors
    ///
    /// That of `take`.
    pub fn try_finish<E>(mut self, take: impl FnMut(Chunk<'_>) -> Result<(), E>) -> Result<(), E> {
        self.cut(true, take)
    }

    fn cut<E>(
        &mut self,
        is_complete: bool,
        mut take: impl FnMut(Chunk<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        // What follows tells whether a carriage return ends a line.
        let held = self.text.strip_suffix('\r').filter(|_| !is_complete);
        let source = Source {
            text: held.unwrap_or(&self.text),
            start: self.start,
            is_complete,
        };
        while let Some(mut cut) = self.cutter.next_cut(source) {
            let joined = cut.joined.take().map(Cow::Owned);
            let text = joined.unwrap_or_else(|| Cow::Borrowed(source.of(cut.span())));
            let index = self.index;
            self.index += 1;
            take(cut.into_chunk(text, source, index))?;
        }
        Ok(())
    }

    /// Drops text that is no longer needed, once it is more than half of the buffer. Then moving
    /// the rest costs no more than reading the dropped text did.
    fn forget(&mut self) {
        let unneeded = self.cutter.needed_from() - self.start;
        if unneeded > self.text.len() / 2 {
            let unneeded = self.text.floor_char_boundary(unneeded);
            self.text.drain(..unneeded);
            self.start += unneeded;
        }
    }
}

/// Returns what gathers chunks, with texts of their own.
fn collect(chunks: &mut Vec<Chunk<'static>>) -> impl FnMut(Chunk<'_>) -> Result<(), Infallible> {
    |chunk| {
        chunks.push(chunk.into_owned());
        Ok(())
    }
}

impl fmt::Debug for Stream<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Stream")
            .field("start", &self.start)
            .field("held", &self.text.len())
            .field("index", &self.index)
            .finish_non_exhaustive()
    }
}
