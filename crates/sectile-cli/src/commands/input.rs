//! Files and standard input, opened: text to be read in parts, or anything else to be loaded whole.

mod standard;

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sectile::core::{Document, Format};
use sectile::load::{
    Error, FileLoader, Loader as _, MarkdownLoader, TextReader, detect, is_mdx, open_input,
};
use sectile::{give_pages, is_full_text};
use tempfile::NamedTempFile;

use super::{warn_of_omissions, with_options_typed};

/// How many bytes of a file tell its format.
const HEAD: u64 = 65_536;

/// The maximum size in bytes of a text of which is said what it lacks, though it is read in parts.
const MOST_CHECKED: u64 = 4 << 20;

/// What files in gzip begin with.
const GZIP: &[u8] = b"\x1f\x8b";

/// The name of standard input in messages.
const STANDARD_INPUT_NAME: &str = "standard input";

/// Reads a text again from its beginning, if that can be.
pub(crate) type ReadAgain = Box<dyn FnOnce() -> Option<TextReader> + Send>;

/// Returns whether `-` was typed.
pub(crate) fn is_standard_input(file: &Path) -> bool {
    file == Path::new("-")
}

/// Returns what a file is called in results: standard input by the name that was typed for it.
pub(crate) fn called<'a>(file: &'a Path, name: Option<&'a Path>) -> &'a Path {
    name.filter(|_| is_standard_input(file)).unwrap_or(file)
}

/// A file or standard input that was opened.
pub(crate) struct Input {
    /// The path, which tells the format.
    path: PathBuf,
    /// The name in messages.
    name: PathBuf,
    /// Whether it is a pipe, which is read once.
    is_pipe: bool,
    format: Option<Format>,
    head: Vec<u8>,
    rest: Box<dyn Read + Send>,
}

impl Input {
    /// Opens a file, or for `-` standard input, which may be named.
    pub(crate) fn open(file: &Path, typed: Option<&Path>) -> anyhow::Result<Self> {
        let is_stdin = is_standard_input(file);
        let name = if is_stdin {
            Path::new(STANDARD_INPUT_NAME)
        } else {
            file
        };
        let error = |source| read_error(name, source);
        let mut rest: Box<dyn Read + Send> = if is_stdin {
            Box::new(std::io::stdin())
        } else {
            Box::new(open_input(file).map_err(|source| read_error(file, source))?)
        };
        let mut head = Vec::new();
        let read = rest.by_ref().take(HEAD).read_to_end(&mut head);
        read.map_err(error)?;
        let beginning = whole_characters(&head);
        let path = if is_stdin {
            standard::path(beginning, (head.len() as u64) < HEAD, typed)
        } else {
            file.into()
        };
        let format = detect(beginning, &path).ok();
        Ok(Self {
            path,
            name: name.into(),
            is_pipe: is_stdin || !file.is_file(),
            format,
            head,
            rest,
        })
    }

    /// Returns the format if it is text or Markdown, which can be read in parts. MDX cannot: its components may
    /// end anywhere. What is packed is unpacked whole.
    pub(crate) fn text_format(&self) -> Option<Format> {
        let is_text = |format: &Format| match format {
            Format::Text => true,
            Format::Markdown => !is_mdx(&self.path),
            _ => false,
        };
        let is_packed = self.head.starts_with(GZIP);
        self.format.filter(|format| !is_packed && is_text(format))
    }

    /// Returns whether the headings of a text that can be read in parts are known only as soon as all of it is: those
    /// of plain text, and those of a file of many pages.
    pub(crate) fn has_late_headings(&self) -> bool {
        let has_pages = is_full_text(&self.path);
        let format = self.text_format();
        format.is_some_and(|format| format == Format::Text || has_pages)
    }

    /// Reads everything into memory if it has at most `most` bytes, and returns whether it has. The parts can still be
    /// read afterwards.
    pub(crate) fn hold(&mut self, most: u64) -> Result<bool, Error> {
        let held = self.head.len() as u64;
        let room = most.saturating_add(1).saturating_sub(held);
        let read = self.rest.by_ref().take(room).read_to_end(&mut self.head);
        read.map_err(|source| read_error(&self.name, source))?;
        Ok(self.head.len() as u64 <= most)
    }

    /// Says what a file of Markdown lacks that a reader sees, and which headings a code fence hides, as loading it does.
    /// The parts can still be read afterwards. A pipe is not waited for, and a large file not held.
    pub(crate) fn warn_of_omissions(&mut self) -> Result<(), Error> {
        if self.format != Some(Format::Markdown) || self.is_pipe || !self.hold(MOST_CHECKED)? {
            return Ok(());
        }
        // What cannot be decoded is said by those who read the parts.
        if let Ok(document) = MarkdownLoader.load(&self.head, &self.path) {
            warn_of_omissions(&self.name, &document);
        }
        Ok(())
    }

    /// Reads the text in parts.
    pub(crate) fn parts(self) -> Result<TextReader, Error> {
        let is_source = self.is_source();
        let reader = TextReader::new(Cursor::new(self.head).chain(self.rest), &self.name)?;
        Ok(reader.with_terminal_codes(is_source))
    }

    /// Returns whether the text is loaded as it is in the file, with the codes of terminals.
    fn is_source(&self) -> bool {
        self.format == Some(Format::Markdown)
    }

    /// Reads the text in parts, and returns what can read it again. A pipe is kept in a temporary
    /// file for that, or cannot be read again.
    pub(crate) fn parts_twice(self, keeps_pipe: bool) -> anyhow::Result<(TextReader, ReadAgain)> {
        if self.is_pipe && !keeps_pipe {
            return Ok((self.parts()?, Box::new(|| None)));
        }
        let name = self.name.clone();
        let is_source = self.is_source();
        let kept =
            if self.is_pipe {
                Some(self.keep().with_context(|| {
                    format!("cannot keep {} in a temporary file", name.display())
                })?)
            } else {
                None
            };
        let open = move || {
            let reader = match &kept {
                Some(kept) => {
                    let file = kept.reopen().map_err(|source| read_error(&name, source))?;
                    TextReader::new(file, &name)?
                }
                None => TextReader::open(&name)?,
            };
            Ok::<_, Error>(reader.with_terminal_codes(is_source))
        };
        Ok((open()?, Box::new(move || open().ok())))
    }

    fn keep(self) -> std::io::Result<NamedTempFile> {
        let mut kept = NamedTempFile::new()?;
        std::io::copy(&mut Cursor::new(self.head).chain(self.rest), &mut kept)?;
        Ok(kept)
    }

    /// Loads the whole, within the loader's limit.
    pub(crate) fn load(self, loader: &FileLoader) -> anyhow::Result<Document> {
        let limit = loader.options().limits.file_bytes;
        let room = limit
            .saturating_add(1)
            .saturating_sub(self.head.len() as u64);
        let mut bytes = self.head;
        let read = self.rest.take(room).read_to_end(&mut bytes);
        read.map_err(|source| read_error(&self.name, source))?;
        let document = loader.load_bytes(&bytes, &self.path);
        let mut document = document.map_err(|error| explained(error.with_path(&self.name)))?;
        give_pages(&mut document, &self.path);
        warn_of_omissions(&self.name, &document);
        Ok(document)
    }
}

/// Returns the format of a file that can be read again, where its beginning tells it.
pub(super) fn regular_format(file: &Path) -> Option<Format> {
    if !file.is_file() {
        return None;
    }
    let mut head = Vec::new();
    let mut beginning = File::open(file).ok()?.take(HEAD);
    beginning.read_to_end(&mut head).ok()?;
    detect(whole_characters(&head), file).ok()
}

fn read_error(path: &Path, source: std::io::Error) -> Error {
    Error::Read {
        path: path.into(),
        source,
    }
}

/// Names the option that helps as it is typed.
pub(crate) fn explained(error: Error) -> anyhow::Error {
    let has_option = matches!(
        error,
        Error::LimitExceeded { .. }
            | Error::TimedOut { .. }
            | Error::WorkerDied { .. }
            | Error::NoText { .. }
            | Error::UnmappedText { .. }
    );
    if has_option {
        anyhow::anyhow!(with_options_typed(&error.to_string()))
    } else {
        error.into()
    }
}

/// Removes an incomplete character from the end of the beginning of a file.
fn whole_characters(head: &[u8]) -> &[u8] {
    if (head.len() as u64) < HEAD {
        return head;
    }
    let cut = head
        .iter()
        .rev()
        .take(3)
        .take_while(|byte| !byte.is_ascii());
    &head[..head.len() - cut.count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_to_be_held_is_read_in_parts_from_its_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.txt");
        let text = "0123456789".repeat(HEAD as usize / 5);
        std::fs::write(&file, &text).unwrap();
        let size = text.len() as u64;
        for (most, is_held) in [
            (size + 1, true),
            (size, true),
            (size - 1, false),
            (1, false),
        ] {
            let mut input = Input::open(&file, None).unwrap();
            assert_eq!(input.hold(most).unwrap(), is_held, "{most}");
            let parts: Vec<_> = input.parts().unwrap().map(Result::unwrap).collect();
            assert_eq!(parts.concat(), text, "{most}");
        }
    }
}
