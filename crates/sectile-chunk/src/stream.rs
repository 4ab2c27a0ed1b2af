//! Chunks one after the other: of a text, or of one that comes in parts.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::iter::FusedIterator;

use sectile_core::{Chunk, Span};

use crate::HeadingPaths;
use crate::outline::{LinkDefinitions, OutlineParts};
use crate::position::{Place, position};
use crate::source::Source;

/// How many bytes of a text that may be one block are held to find its end.
const LONGEST_BLOCK: usize = 16 << 20;

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
    /// The headings, where chunks have them.
    outline: Option<Box<OutlineParts<'s>>>,
    paths: HeadingPaths,
    /// The next chunk, if it is not known yet which headings are above it.
    waiting: Option<Cut>,
}

impl<'s> Stream<'s> {
    pub(crate) fn new(cutter: impl Cutter + 's) -> Self {
        Self {
            cutter: Box::new(cutter),
            text: String::new(),
            start: 0,
            index: 0,
            outline: None,
            paths: HeadingPaths::default(),
            waiting: None,
        }
    }

    /// Gives each chunk its [heading path](Chunk::heading_path): the headings above its first character that is not white
    /// space. The text is taken for Markdown. `find` is called at the first heading with a reference, and passes the whole
    /// text through [`LinkDefinitions`].
    ///
    /// A chunk waits until the block that it ends in has ended. Chunks of a block of more than 16 MiB have no heading
    /// path, nor do those after it. All that follows a vertical tab or a form feed counts as one block.
    #[must_use]
    pub fn with_headings(mut self, find: impl FnOnce() -> LinkDefinitions + Send + 's) -> Self {
        let mut outline = OutlineParts::default();
        outline.set_definitions(Box::new(find));
        self.outline = Some(Box::new(outline));
        self
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
        self.find_headings(false);
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
        self.find_headings(true);
        self.cut(true, take)
    }

    fn find_headings(&mut self, is_complete: bool) {
        let Some(outline) = &mut self.outline else {
            return;
        };
        let mut found = outline.advance(&self.text, is_complete);
        if self.text.len() - outline.scanned() > LONGEST_BLOCK {
            // The block may have ended since the last try.
            found.extend(outline.advance_at_once(&self.text));
        }
        for heading in &mut found {
            heading.span = heading.span.shifted(self.start);
        }
        self.paths.extend(found);
        if self.text.len() - outline.scanned() > LONGEST_BLOCK {
            self.outline = None;
            self.paths = HeadingPaths::default();
        }
    }

    /// Returns whether it is known which headings are above a chunk.
    fn has_headings_of(&self, cut: &Cut) -> bool {
        let is_known = |outline: &OutlineParts<'_>| self.start + outline.scanned() > cut.end.byte;
        self.outline.as_deref().is_none_or(is_known)
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
        while let Some(mut cut) = self.waiting.take().or_else(|| self.cutter.next_cut(source)) {
            if !is_complete && !self.has_headings_of(&cut) {
                self.waiting = Some(cut);
                break;
            }
            let joined = cut.joined.take().map(Cow::Owned);
            let text = joined.unwrap_or_else(|| Cow::Borrowed(source.of(cut.span())));
            let mut chunk = cut.into_chunk(text, source, self.index);
            self.paths.set(&mut chunk);
            self.index += 1;
            take(chunk)?;
        }
        Ok(())
    }

    /// Drops text that is no longer needed, once it is more than half of the buffer. Then moving
    /// the rest costs no more than reading the dropped text did.
    fn forget(&mut self) {
        let waiting = self
            .waiting
            .as_ref()
            .map_or(usize::MAX, |cut| cut.start.byte);
        let needed = self.cutter.needed_from().min(waiting) - self.start;
        let scanned = self
            .outline
            .as_ref()
            .map_or(usize::MAX, |outline| outline.scanned());
        let unneeded = needed.min(scanned);
        if unneeded > self.text.len() / 2 {
            let unneeded = self.text.floor_char_boundary(unneeded);
            self.text.drain(..unneeded);
            self.start += unneeded;
            if let Some(outline) = &mut self.outline {
                outline.forget(unneeded);
            }
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
