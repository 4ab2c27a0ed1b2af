//! Text files larger than memory, part by part.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use encoding_rs::{CoderResult, Decoder, UTF_8};

use crate::Error;
use crate::code_pages::CodePage;
use crate::encoding;
use crate::escapes;
use crate::open_file::open_file;

/// How many bytes are read at a time: few enough to stay near the processor until they are printed.
const PART_BYTES: usize = 1 << 18;

/// How many bytes are looked at to guess an encoding.
const GUESS_BYTES: usize = 1 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads a text file of any size in parts, decoded as [`TextLoader`](crate::TextLoader) does.
///
/// Escape codes of terminals are left out, unless they are [kept](Self::with_terminal_codes). Text that is valid
/// UTF-8 is UTF-8. Otherwise the encoding is detected from the first megabyte with a byte that is not ASCII. A part
/// ends where the bytes that were read end, but never inside a character; the parts together are the text.
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
    source: Box<dyn Read + Send>,
    decoding: Decoding,
    /// What has been read and is not decoded yet: the beginning, then the first bytes of a
    /// character that a part ended in.
    held: Vec<u8>,
    /// The beginning of a code of terminals that a part ended in.
    code: String,
    keeps_codes: bool,
    is_begun: bool,
    is_done: bool,
    replaced: usize,
}

/// How bytes become text.
enum Decoding {
    /// All bytes so far are ASCII, and any encoding of the web may follow.
    Ascii,
    /// UTF-8 is checked in place and not copied.
    Utf8,
    /// Each byte is a letter, in an encoding that the web does not use.
    Table(CodePage),
    Other(Box<Decoder>),
}

impl Decoding {
    fn of(page: CodePage) -> Self {
        match page {
            CodePage::Web(encoding) if encoding == UTF_8 => Self::Utf8,
            CodePage::Web(encoding) => Self::Other(Box::new(encoding.new_decoder())),
            CodePage::Table(_) => Self::Table(page),
        }
    }
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
    /// [`Error::Read`] when the file cannot be read or is none, [`Error::UnsupportedFormat`] when it
    /// begins with bytes that are not text.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        Self::new(open_file(path)?, path)
    }

    /// Reads text from `source`, standard input for example. `path` names it in errors and need
    /// not exist.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn new(mut source: impl Read + Send + 'static, path: &Path) -> Result<Self, Error> {
        let mut held = Vec::with_capacity(PART_BYTES);
        let read = source
            .by_ref()
            .take(GUESS_BYTES as u64)
            .read_to_end(&mut held);
        read.map_err(|source| read_error(path, source))?;
        let beginning = encoding::whole_characters(&held);
        let guessed = encoding::check(beginning).and_then(|()| encoding::guess(beginning));
        let guess = guessed.map_err(|reason| Error::unsupported(path, reason))?;
        let decoding = if guess.page == CodePage::Web(UTF_8) && held.is_ascii() {
            Decoding::Ascii
        } else {
            Decoding::of(guess.page)
        };
        if matches!(decoding, Decoding::Utf8) && held.starts_with(BYTE_ORDER_MARK) {
            held.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Self {
            path: path.into(),
            source: Box::new(source),
            decoding,
            held,
            code: String::new(),
            keeps_codes: false,
            is_begun: false,
            is_done: false,
            replaced: 0,
        })
    }

    /// Keeps the escape codes of terminals, as the loaders of Markdown and source code do.
    #[must_use]
    pub fn with_terminal_codes(mut self, kept: bool) -> Self {
        self.keeps_codes = kept;
        self
    }

    /// Returns the name of the encoding, that of the WHATWG where it has one, as far as the text has been read.
    pub fn encoding(&self) -> &'static str {
        match &self.decoding {
            Decoding::Ascii | Decoding::Utf8 => UTF_8.name(),
            Decoding::Table(page) => page.name(),
            Decoding::Other(decoder) => decoder.encoding().name(),
        }
    }

    /// Returns how many characters so far were malformed or U+0000 and became U+FFFD.
    pub fn replaced_characters(&self) -> usize {
        self.replaced
    }

    fn read(&mut self) -> Result<String, Error> {
        let mut bytes = std::mem::take(&mut self.held);
        if self.is_begun {
            self.is_done = self.read_more(&mut bytes, PART_BYTES)? == 0;
        }
        self.is_begun = true;
        if matches!(self.decoding, Decoding::Ascii) && !bytes.is_ascii() {
            self.read_more(&mut bytes, GUESS_BYTES)?;
            let guessed = encoding::guess(encoding::whole_characters(&bytes));
            let guess = guessed.map_err(|reason| Error::unsupported(&self.path, reason))?;
            self.decoding = Decoding::of(guess.page);
        }
        let text = match &mut self.decoding {
            Decoding::Ascii | Decoding::Utf8 => self.check(bytes),
            Decoding::Table(page) => {
                let text = page.decode(&bytes);
                self.count_malformed(true, text)
            }
            Decoding::Other(decoder) => {
                let (text, was_malformed) = decode(decoder, &bytes, self.is_done);
                self.count_malformed(was_malformed, text)
            }
        };
        let text = self.without_nuls(text);
        Ok(self.without_codes(text))
    }

    /// Reads up to so many bytes more, and returns how many they are.
    fn read_more(&mut self, bytes: &mut Vec<u8>, most: usize) -> Result<usize, Error> {
        bytes.reserve(most);
        let mut part = self.source.by_ref().take(most as u64);
        let read = part.read_to_end(bytes);
        read.map_err(|source| read_error(&self.path, source))
    }

    /// Takes the bytes for UTF-8, and keeps the beginning of a character that they end with.
    fn check(&mut self, mut bytes: Vec<u8>) -> String {
        if !self.is_done {
            self.held = bytes.split_off(bytes.len() - cut_character(&bytes));
        }
        match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                self.count_malformed(true, text)
            }
        }
    }

    fn count_malformed(&mut self, was_malformed: bool, text: String) -> String {
        if was_malformed {
            self.replaced += encoding::count(&text, encoding::REPLACEMENT);
        }
        text
    }

    fn without_nuls(&mut self, text: String) -> String {
        if memchr::memchr(0, text.as_bytes()).is_none() {
            return text;
        }
        self.replaced += encoding::count(&text, '\0');
        text.replace('\0', "\u{FFFD}")
    }

    /// Leaves out the codes of terminals. One that is not whole yet goes before the next part.
    fn without_codes(&mut self, text: String) -> String {
        if self.keeps_codes {
            return text;
        }
        let mut text = if self.code.is_empty() {
            text
        } else {
            std::mem::take(&mut self.code) + &text
        };
        if !self.is_done {
            self.code = text.split_off(escapes::end_of_whole(&text));
        }
        escapes::without(&text).unwrap_or(text)
    }
}

/// Decodes the next bytes of a text, and says whether some were malformed.
fn decode(decoder: &mut Decoder, bytes: &[u8], is_last: bool) -> (String, bool) {
    let needed = decoder.max_utf8_buffer_length(bytes.len());
    let mut text = String::with_capacity(needed.unwrap_or(PART_BYTES * 3));
    let (result, _, was_malformed) = decoder.decode_to_string(bytes, &mut text, is_last);
    debug_assert_eq!(result, CoderResult::InputEmpty);
    (text, was_malformed)
}

/// Returns how many bytes at the end are the beginning of a character of UTF-8 and no more.
fn cut_character(bytes: &[u8]) -> usize {
    let from_end = |&length: &usize| {
        let first = bytes[bytes.len() - length];
        let needed = match first {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => 0,
        };
        needed > length
    };
    (1..=bytes.len().min(3)).find(from_end).unwrap_or(0)
}

impl Iterator for TextReader {
    type Item = Result<String, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_done {
            match self.read() {
                Ok(text) if text.is_empty() => {}
                Ok(text) => return Some(Ok(text)),
                Err(error) => {
                    self.is_done = true;
                    return Some(Err(error));
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
