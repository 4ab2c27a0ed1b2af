//! `LangChain`'s splitter for JSON.

mod piece;
mod value;

use crate::Error;
use piece::Piece;
use value::{Node, Shape, Written};

/// How much smaller than the largest size the smallest is, unless it is set.
const LEEWAY: usize = 200;

/// The smallest size that follows from a largest one.
const LEAST_MIN_SIZE: usize = 50;

/// Splits a JSON object into smaller objects that keep the keys above their content.
///
/// The pieces are those of the class of this name in `langchain-text-splitters` 1.1.3, which fills
/// a piece with one entry after the other, descends into a value that does not fit, and begins a
/// new piece when the last one is large enough. There are two differences: a piece without an entry
/// is never returned, and numbers stay as written, whereas Python turns `1.50` into `1.5`.
///
/// Sizes are code points of the piece as Python writes it: in ASCII, with a space after each comma
/// and colon. As in `LangChain`, `max_chunk_size` is not a hard limit: a string is never cut, an
/// array only [on request](Self::with_lists_as_objects), and the keys above an entry are not
/// counted for its size.
///
/// ```
/// use sectile_chunk::RecursiveJsonSplitter;
///
/// let splitter = RecursiveJsonSplitter::new(30)?.with_min_chunk_size(10);
/// let pieces = splitter.split_text(r#"{"a": {"b": "one", "c": "two"}, "d": [1, 2, 3]}"#)?;
/// assert_eq!(pieces, [r#"{"a": {"b": "one"}}"#, r#"{"a": {"c": "two"}}"#, r#"{"d": [1, 2, 3]}"#]);
/// # Ok::<(), sectile_chunk::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecursiveJsonSplitter {
    max_chunk_size: usize,
    min_chunk_size: usize,
    shape: Shape,
}

impl Default for RecursiveJsonSplitter {
    /// Pieces of 1800 to 2000 code points.
    fn default() -> Self {
        Self::unchecked(2000)
    }
}

impl RecursiveJsonSplitter {
    /// Makes a splitter for pieces of about `max_chunk_size` code points. A piece is large enough
    /// at 200 code points less, or at 50 if that is more.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidConfig`] when `max_chunk_size` is 0.
    pub fn new(max_chunk_size: usize) -> Result<Self, Error> {
        if max_chunk_size == 0 {
            return Err(Error::config("max_chunk_size", "must be at least 1, not 0"));
        }
        Ok(Self::unchecked(max_chunk_size))
    }

    fn unchecked(max_chunk_size: usize) -> Self {
        Self {
            max_chunk_size,
            min_chunk_size: max_chunk_size.saturating_sub(LEEWAY).max(LEAST_MIN_SIZE),
            shape: Shape::default(),
        }
    }

    /// Sets how many code points make a piece large enough to begin a new one.
    #[must_use]
    pub fn with_min_chunk_size(mut self, size: usize) -> Self {
        self.min_chunk_size = size;
        self
    }

    /// Turns arrays into objects with the keys `"0"`, `"1"` and so on, so that they can be cut.
    #[must_use]
    pub fn with_lists_as_objects(mut self, as_objects: bool) -> Self {
        self.shape.lists_as_objects = as_objects;
        self
    }

    /// Returns whether pieces are written in ASCII, as Python does (the default), or with all
    /// characters as they are. Sizes are those of ASCII either way.
    #[must_use]
    pub fn with_ascii(mut self, is_ascii: bool) -> Self {
        self.shape.is_ascii = is_ascii;
        self
    }

    /// Splits the text of a JSON object; `null` and an empty object have no pieces.
    ///
    /// If an object has a key twice, the last value counts.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidJson`] if `json` is not JSON, is nested deeper than 128 values, or is
    /// neither an object nor an array that [may become one](Self::with_lists_as_objects).
    pub fn split_text(&self, json: &str) -> Result<Vec<String>, Error> {
        let root = value::read(json, self.shape)?;
        let mut split = Split {
            splitter: self,
            done: Vec::new(),
            piece: Piece::default(),
            path: Vec::new(),
        };
        split.parts(&root);
        Ok(split.finish())
    }
}

/// A walk over an object.
struct Split<'v> {
    splitter: &'v RecursiveJsonSplitter,
    done: Vec<String>,
    /// The piece that is being filled.
    piece: Piece<'v>,
    /// The keys down to the value that is looked at.
    path: Vec<&'v Written>,
}

impl<'v> Split<'v> {
    /// Adds a value entry by entry. A value without entries is added whole.
    fn parts(&mut self, node: &'v Node) {
        for (key, value) in &node.entries {
            self.path.push(key);
            self.entry(key, value);
            self.path.pop();
        }
        if node.entries.is_empty() {
            self.piece.add(&self.path, node);
        }
    }

    fn entry(&mut self, key: &Written, value: &'v Node) {
        let filled = self.piece.size();
        if filled + value::entry_size(key, value) < self.splitter.max_chunk_size {
            return self.piece.add(&self.path, value);
        }
        if filled >= self.splitter.min_chunk_size {
            self.close_piece();
        }
        self.parts(value);
    }

    fn close_piece(&mut self) {
        let piece = std::mem::take(&mut self.piece);
        self.done.extend(piece.finish());
    }

    fn finish(mut self) -> Vec<String> {
        self.close_piece();
        self.done
    }
}
