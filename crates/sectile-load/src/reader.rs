//! Text files larger than memory, part by part.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use encoding_rs::{CoderResult, Decoder};

use crate::Error;
use crate::encoding;

/// How many bytes are read at a time, and looked at to guess the encoding.
const PART_BYTES: usize = 1 << 20;

/// Reads a text file of any size in parts, decoded as [`TextLoader`](crate::TextLoader) does.
///
/// The encoding is guessed from the first megabyte. A part ends wherever the bytes that were read
/// end, though never inside a character; together they are the text.
///
/// ```
/// use sectile_chunk::RecursiveCharacterTextSplitter;
/// use sectile_load::TextReader;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("large.txt");
/// # std::fs::write(&path, "one two three".repeat(100))?;
/// let splitter = RecursiveCharacterTextSplitter::new(1000, 200)?;
/// let mut stream = splitter.stream();
/// let mut chunks = Vec::new();
/// for part in TextReader::open(&path)? {
///     chunks.extend(stream.push(&part?));
/// }
/// chunks.extend(stream.finish());
/// # assert_eq!(chunks.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TextReader {
    path: PathBuf,
    file: File,
    decoder: Decoder,
    /// What has been read to guess the encoding, and is not decoded yet.
    head: Vec<u8>,
    is_done: bool,
    replaced: usize,
}

impl std::fmt::Debug for TextReader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("TextReader")
            .field("path", &self.path)
            .field("encoding", &self.encoding())
            .finish_non_exhaustive()
    }
}

impl TextReader {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] when the file cannot be read, [`Error::UnsupportedFormat`] when it begins
    /// with something else than text.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let mut head = Vec::new();
        let opened = File::open(path).and_then(|mut file| {
            file.by_ref()
                .take(PART_BYTES as u64)
                .read_to_end(&mut head)?;
            Ok(file)
        });
        let file = opened.map_err(|source| read_error(path, source))?;
        let beginning = encoding::whole_characters(&head);
        let guessed = encoding::check(beginning).and_then(|()| encoding::guess(beginning));
        let encoding = guessed.map_err(|reason| Error::unsupported(path, reason))?;
        Ok(Self {
            path: path.into(),
            file,
            decoder: encoding.new_decoder(),
            head,
            is_done: false,
            replaced: 0,
        })
    }

    /// Returns the WHATWG name of the encoding.
    pub fn encoding(&self) -> &'static str {
        self.decoder.encoding().name()
    }

    /// Returns how many characters so far were malformed or U+0000 and became U+FFFD.
    pub fn replaced_characters(&self) -> usize {
        self.replaced
    }

    fn read(&mut self) -> io::Result<String> {
        let mut bytes = std::mem::take(&mut self.head);
        if bytes.is_empty() {
            let mut part = self.file.by_ref().take(PART_BYTES as u64);
            part.read_to_end(&mut bytes)?;
        }
        self.is_done = bytes.is_empty();
        Ok(self.decode(&bytes))
    }

    fn decode(&mut self, bytes: &[u8]) -> String {
        let needed = self.decoder.max_utf8_buffer_length(bytes.len());
        let mut text = String::with_capacity(needed.unwrap_or(PART_BYTES * 3));
        let decoded = self
            .decoder
            .decode_to_string(bytes, &mut text, self.is_done);
        let (result, _, was_malformed) = decoded;
        debug_assert_eq!(result, CoderResult::InputEmpty);
        if was_malformed {
            self.replaced += encoding::count(&text, encoding::REPLACEMENT);
        }
        let nuls = encoding::count(&text, '\0');
        if nuls > 0 {
            self.replaced += nuls;
            text = text.replace('\0', "\u{FFFD}");
        }
        text
    }
}

impl Iterator for TextReader {
    type Item = Result<String, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_done {
            match self.read() {
                Ok(text) if text.is_empty() => {}
                Ok(text) => return Some(Ok(text)),
                Err(source) => {
                    self.is_done = true;
                    return Some(Err(read_error(&self.path, source)));
                }
            }
        }
        None
    }
}

fn read_error(path: &Path, source: io::Error) -> Error {
    Error::Read {
        path: path.into(),
        source,
    }
}
