//! What the targets share: how bytes become options and a text, and what holds for all chunks.

use sectile_core::{Chunk, Document, Lines, Span};

/// The input of a target: some bytes of options, then a text.
#[derive(Debug)]
pub struct Input {
    options: Vec<u8>,
    /// The text.
    pub text: String,
}

/// The number of bytes of options.
const OPTIONS: usize = 8;

impl Input {
    /// Reads an input. So that seeds can be written by hand, options are the bytes up to the first
    /// line end, each of which counts modulo the number of choices.
    pub fn read(bytes: &[u8]) -> Self {
        let end = bytes.iter().take(OPTIONS).position(|&byte| byte == b'\n');
        let (options, text) = match end {
            Some(end) => (&bytes[..end], &bytes[end + 1..]),
            None => bytes.split_at(bytes.len().min(OPTIONS)),
        };
        Self {
            options: options.to_vec(),
            text: String::from_utf8_lossy(text).into_owned(),
        }
    }

    /// Returns the option at a place as a number below `choices`.
    pub fn choice(&self, place: usize, choices: usize) -> usize {
        self.options
            .get(place)
            .map_or(0, |&byte| usize::from(byte) % choices)
    }

    /// Returns the option at a place as yes or no.
    pub fn flag(&self, place: usize) -> bool {
        self.choice(place, 2) == 1
    }
}

/// What chunks owe to the text.
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    /// The text of a chunk is that of its span.
    pub is_borrowed: bool,
    /// Every byte is in a chunk.
    pub covers_all: bool,
}

/// Checks what holds for the chunks of any text.
pub fn check(chunks: &[Chunk<'_>], text: &str, promise: Promise) {
    let mut start = Place::default();
    let (mut previous, mut end) = (None, 0);
    for (at, chunk) in chunks.iter().enumerate() {
        let span = chunk.span;
        assert_eq!(chunk.index, at);
        // Chunks that lose their white space may be the same twice, as LangChain's are.
        let is_later = previous <= Some((span.start, span.end));
        assert!(is_later, "chunk {at} comes later");
        assert!(span.end >= end, "chunk {at} does not end earlier");
        assert!(
            !promise.covers_all || (span.start <= end && span.end > end),
            "chunk {at} goes on"
        );
        assert!(!promise.is_borrowed || chunk.text == span.of(text));
        start = start.moved(text, span.start);
        let stop = start.moved(text, span.end);
        assert_eq!(chunk.chars, Span::new(start.chars, stop.chars));
        assert_eq!(chunk.lines, lines(start, stop, span.of(text)));
        (previous, end) = (Some((span.start, span.end)), span.end);
    }
    assert!(!promise.covers_all || end == text.len());
}

/// A place in a text.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    byte: usize,
    chars: usize,
    newlines: usize,
}

impl Place {
    fn moved(self, text: &str, byte: usize) -> Self {
        let passed = &text[self.byte..byte];
        Self {
            byte,
            chars: self.chars + passed.chars().count(),
            newlines: self.newlines + passed.matches('\n').count(),
        }
    }
}

fn lines(start: Place, end: Place, text: &str) -> Lines {
    Lines {
        first: start.newlines + 1,
        last: end.newlines + 1 - usize::from(text.ends_with('\n')),
    }
}

/// Checks what holds for all documents: headings and pages are spans of the text, in order, and no
/// store has to hold U+0000.
pub fn check_document(document: &Document) {
    let text = &document.text;
    assert!(!text.contains('\0'));
    assert_eq!(document.metadata.size.is_some(), document.metadata.content_hash.is_some());
    let mut last = 0;
    for heading in &document.outline {
        assert!((1..=6).contains(&heading.level));
        assert!(heading.span.start >= last);
        let _ = heading.span.of(text);
        last = heading.span.end;
    }
}
