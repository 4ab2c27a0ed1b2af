//! The headings above chunks, for strategies that do not cut at them.

use std::collections::VecDeque;
use std::sync::Arc;

use sectile_core::{Chunk, Heading};

/// Gives chunks the headings above their first character that is not white space.
///
/// The chunks have to come in the order of the text.
///
/// ```
/// use sectile_chunk::{HeadingPaths, RecursiveCharacterTextSplitter, markdown_outline};
///
/// let text = "# Guide\n\n## Install\n\nRun it.\n";
/// let mut paths = HeadingPaths::new(markdown_outline(text));
/// let mut chunks = RecursiveCharacterTextSplitter::new(12, 0)?.chunks(text);
/// chunks.iter_mut().for_each(|chunk| paths.set(chunk));
/// assert_eq!(chunks[2].text, "Run it.");
/// let path = chunks[2].heading_path.as_deref();
/// assert_eq!(path, Some(&["Guide".to_owned(), "Install".to_owned()][..]));
/// # Ok::<(), sectile_chunk::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct HeadingPaths {
    /// The headings that begin after the last chunk.
    later: VecDeque<Heading>,
    /// The headings around the last chunk, the outermost first.
    open: Vec<Heading>,
    /// Their titles.
    path: Option<Arc<[String]>>,
}

impl HeadingPaths {
    /// Takes the headings of a text in order.
    pub fn new(outline: impl IntoIterator<Item = Heading>) -> Self {
        let mut paths = Self::default();
        paths.extend(outline);
        paths
    }

    /// Adds the headings of the next part of the text.
    pub(crate) fn extend(&mut self, outline: impl IntoIterator<Item = Heading>) {
        self.later.extend(outline);
    }

    /// Sets the headings of the next chunk.
    pub fn set(&mut self, chunk: &mut Chunk<'_>) {
        let blank = chunk.text.len() - chunk.text.trim_start().len();
        let start = chunk.span.start + blank;
        let mut is_changed = false;
        while let Some(next) = self.later.pop_front_if(|next| next.span.start <= start) {
            while self
                .open
                .pop_if(|above| above.level >= next.level)
                .is_some()
            {}
            self.open.push(next);
            is_changed = true;
        }
        if is_changed {
            let titles = self.open.iter().map(|heading| heading.title.clone());
            self.path = Some(titles.collect());
        }
        chunk.heading_path.clone_from(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use sectile_core::{Lines, Span};

    use super::*;
    use crate::{RecursiveCharacterTextSplitter, markdown_outline};

    const TEXT: &str =
        "Before.\n\n# A\n\nOne.\n\n## B\n\nTwo.\n\n### C\n\n## D\n\nThree.\n\n# E\n\nFour.\n";

    fn path_of(text: &str, at: usize) -> Option<Vec<String>> {
        let mut open: Vec<Heading> = Vec::new();
        let outline = markdown_outline(text);
        for heading in outline.into_iter().filter(|of| of.span.start <= at) {
            open.retain(|above| above.level < heading.level);
            open.push(heading);
        }
        let titles: Vec<String> = open.into_iter().map(|of| of.title).collect();
        (!titles.is_empty()).then_some(titles)
    }

    #[test]
    fn a_chunk_has_the_headings_above_its_first_character() {
        for size in 4..40 {
            let splitter = RecursiveCharacterTextSplitter::new(size, size / 3).unwrap();
            let mut paths = HeadingPaths::new(markdown_outline(TEXT));
            for mut chunk in splitter.chunks(TEXT) {
                paths.set(&mut chunk);
                let path = chunk.heading_path.map(|path| path.to_vec());
                assert_eq!(
                    path,
                    path_of(TEXT, chunk.span.start),
                    "{size}: {:?}",
                    chunk.text
                );
            }
        }
    }

    #[test]
    fn white_space_before_a_heading_is_not_above_it() {
        let text = "One two three four.\n\n\n# A\n\nFive six seven.\n";
        let span = Span::new(19, 25);
        let mut chunk = Chunk {
            index: 0,
            text: span.of(text).into(),
            span,
            chars: span,
            lines: Lines { first: 1, last: 4 },
            tokens: None,
            heading_path: None,
        };
        HeadingPaths::new(markdown_outline(text)).set(&mut chunk);
        assert_eq!(chunk.heading_path.as_deref(), Some(&["A".to_owned()][..]));
    }
}
