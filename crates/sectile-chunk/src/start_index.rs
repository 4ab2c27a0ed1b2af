//! The start positions that LangChain reports for chunks.

use memchr::memmem;
use sectile_core::Chunk;

use crate::position::characters;

/// From how many bytes on, before the place of a chunk, its text is searched for by an index of it.
const NEAR: usize = 16;

/// Returns the `start_index` that LangChain's `create_documents` gives each chunk of a text, in characters; `None`
/// if it gives -1.
///
/// LangChain looks for the text of a chunk from the end of the chunk before on, less `overlap` characters. That is
/// another place than the chunk's where the same text stands earlier, and often for sizes in tokens;
/// [`Chunk::chars`] has the true one. It takes linear time, except for chunks that LangChain does not find.
///
/// ```
/// use sectile_chunk::{RecursiveCharacterTextSplitter, langchain_start_indices};
///
/// let text = "ab ab ab";
/// let splitter = RecursiveCharacterTextSplitter::langchain(5, 2)?;
/// let chunks = splitter.chunks(text);
/// assert_eq!(langchain_start_indices(text, &chunks, 2), [Some(0), Some(3)]);
/// # Ok::<(), sectile_chunk::Error>(())
/// ```
pub fn langchain_start_indices(
    text: &str,
    chunks: &[Chunk<'_>],
    overlap: usize,
) -> Vec<Option<usize>> {
    let mut from = Some(Place::default());
    let mut indices = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        let found = from.and_then(|from| from.find(text, chunk));
        indices.push(found.map(|found| found.chars));
        from = Place::behind(text, &chunk.text, found, overlap);
    }
    indices
}

/// A place in a text.
#[derive(Clone, Copy, Default)]
struct Place {
    chars: usize,
    bytes: usize,
}

impl Place {
    /// Finds the text of a chunk from here on.
    fn find(self, text: &str, chunk: &Chunk<'_>) -> Option<Self> {
        let needle = chunk.text.as_bytes();
        let stands = chunk.span.start >= self.bytes && chunk.text == chunk.span.of(text);
        // It is found no later than where it stands.
        let end = if stands { chunk.span.end } else { text.len() };
        let rest = &text.as_bytes()[self.bytes..end];
        let ahead = rest.len().saturating_sub(needle.len());
        let at = if stands && ahead <= NEAR {
            (0..=ahead).find(|&at| rest[at..].starts_with(needle))
        } else {
            memmem::find(rest, needle)
        };
        let bytes = self.bytes + at?;
        Some(Self {
            chars: self.chars + characters(&text[self.bytes..bytes]),
            bytes,
        })
    }

    /// Returns the position from which the next chunk is searched, or `None` if it is after the end of
    /// the text.
    fn behind(text: &str, chunk: &str, found: Option<Self>, overlap: usize) -> Option<Self> {
        let length = characters(chunk);
        let Some(found) = found else {
            // LangChain goes on from -1.
            return Self::default().after(text, length.saturating_sub(1).saturating_sub(overlap));
        };
        let end = Self {
            chars: found.chars + length,
            bytes: found.bytes + chunk.len(),
        };
        Some(end.before(text, overlap))
    }

    /// Returns the place some characters further on, if there is one.
    fn after(self, text: &str, count: usize) -> Option<Self> {
        let rest = &text[self.bytes..];
        let ends = rest.char_indices().map(|(at, _)| at);
        let bytes = ends.chain([rest.len()]).nth(count)?;
        Some(Self {
            chars: self.chars + count,
            bytes: self.bytes + bytes,
        })
    }

    /// Returns the place some characters back, or the beginning.
    fn before(self, text: &str, count: usize) -> Self {
        let Some(back) = count.checked_sub(1) else {
            return self;
        };
        let starts = text[..self.bytes].char_indices().rev();
        let mut starts = starts.map(|(at, _)| at);
        starts.nth(back).map_or_else(Self::default, |bytes| Self {
            chars: self.chars - count,
            bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Heuristic, KeepSeparator, RecursiveCharacterTextSplitter, TokenCounter};

    /// `str.find` of Python.
    fn find(text: &[char], chunk: &[char], from: usize) -> Option<usize> {
        let last = text.len().checked_sub(chunk.len())?;
        (from..=last).find(|&at| text[at..].starts_with(chunk))
    }

    /// What LangChain does, word by word.
    fn expected(text: &str, chunks: &[Chunk<'_>], overlap: usize) -> Vec<Option<usize>> {
        let text: Vec<char> = text.chars().collect();
        let signed = |number: usize| isize::try_from(number).unwrap();
        let (mut index, mut length) = (0, 0);
        let indices = chunks.iter().map(|chunk| {
            let chunk: Vec<char> = chunk.text.chars().collect();
            let from = usize::try_from(index + length - signed(overlap)).unwrap_or(0);
            let found = find(&text, &chunk, from);
            index = found.map_or(-1, signed);
            length = signed(chunk.len());
            found
        });
        indices.collect()
    }

    #[test]
    fn they_are_those_of_langchain() {
        let texts = [
            "one two  three\n\nfour é漢字😀 five. ".repeat(9),
            "ab ab ab ab abc ab  ab\n".repeat(12),
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".to_owned(),
            "漢漢漢漢 漢漢漢 漢漢漢漢漢漢漢漢漢漢\n漢 漢".repeat(4),
            "a  b   c    d     e      f       g".to_owned(),
            String::new(),
        ];
        let heuristic: Arc<dyn TokenCounter> = Arc::new(Heuristic);
        let (mut some, mut none) = (0, 0);
        for text in &texts {
            for (size, overlap) in [(1, 0), (3, 1), (7, 3), (9, 9), (30, 0), (30, 20)] {
                for keep in [
                    KeepSeparator::Start,
                    KeepSeparator::End,
                    KeepSeparator::None,
                ] {
                    let usual = RecursiveCharacterTextSplitter::langchain(size, overlap).unwrap();
                    let usual = usual.with_keep_separator(keep);
                    let in_tokens = usual.clone().with_length(Arc::clone(&heuristic));
                    for splitter in [usual, in_tokens] {
                        let chunks = splitter.chunks(text);
                        let found = langchain_start_indices(text, &chunks, overlap);
                        assert_eq!(found, expected(text, &chunks, overlap), "{splitter:?}");
                        some += found.iter().flatten().count();
                        none += found.iter().filter(|found| found.is_none()).count();
                    }
                }
            }
        }
        assert!(some > 1000 && none > 10, "{some} and {none}");
    }
}
