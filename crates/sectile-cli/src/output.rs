//! Results on standard output, the rest on standard error, colours only on a terminal.

mod screen;

use std::fmt::Arguments;
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::sync::OnceLock;

use sectile::core::{Format, Lines};
use serde::Serialize;

use screen::Stream;
pub(crate) use screen::{DIM, ERROR, HEADING, MARK, NAME, WARNING, one_line};

/// Returns whether standard output shows styles.
pub(crate) fn is_styled() -> bool {
    Stream::of(&std::io::stdout()).is_styled
}

/// Prints text, its styles only where they can be shown.
pub(crate) fn text(text: &str) -> anyhow::Result<()> {
    let stream = Stream::of(&std::io::stdout());
    let text = stream.fit(text);
    if !stream.is_terminal {
        return exact(text.as_bytes());
    }
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Prints the content of documents byte for byte, except for control characters on a terminal.
pub(crate) fn raw(bytes: &[u8]) -> anyhow::Result<()> {
    let stream = Stream::of(&std::io::stdout());
    if stream.is_terminal || stream.is_styled {
        return text(&String::from_utf8_lossy(bytes));
    }
    exact(bytes)
}

fn exact(bytes: &[u8]) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()?;
    Ok(())
}

/// How many bytes are printed at a time.
const BLOCK: usize = 1 << 17;

/// Standard output for much: it is written in blocks, the last one by [`finish`](Self::finish).
#[derive(Default)]
pub(crate) struct Sink {
    buffer: Vec<u8>,
}

impl Sink {
    /// Returns what is not printed yet, to be added to.
    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Prints what is there once it is a block.
    pub(crate) fn flush_if_full(&mut self) -> anyhow::Result<()> {
        if self.buffer.len() < BLOCK {
            Ok(())
        } else {
            self.finish()
        }
    }

    /// Prints the rest.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        let printed = raw(&self.buffer);
        self.buffer.clear();
        printed
    }
}

/// Appends `text` to `json` as a JSON string, as `serde_json` writes it.
pub(crate) fn escape(text: &str, json: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    json.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(at) = first_escaped(rest) {
        json.extend_from_slice(&rest[..at]);
        let byte = rest[at];
        let short = match byte {
            b'"' | b'\\' => byte,
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x08 => b'b',
            0x0C => b'f',
            _ => b'u',
        };
        json.extend_from_slice(&[b'\\', short]);
        if short == b'u' {
            let digits = [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]];
            json.extend_from_slice(&[b'0', b'0', digits[0], digits[1]]);
        }
        rest = &rest[at + 1..];
    }
    json.extend_from_slice(rest);
    json.push(b'"');
}

/// Finds the first byte that must be escaped in a JSON string, eight bytes at a time.
fn first_escaped(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xFF;
    let is_escaped = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
    let (words, rest) = bytes.as_chunks::<8>();
    // The high bit of a byte is set where the byte is below `limit`, up to borrows from there on.
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word & (ONES << 7);
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let quotes = below(word ^ (ONES * u64::from(b'"')), 1);
        let slashes = below(word ^ (ONES * u64::from(b'\\')), 1);
        let found = below(word, 0x20) | quotes | slashes;
        if found != 0 {
            return Some(at * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(is_escaped)?;
    Some(words.len() * 8 + at)
}

/// Prints a value as JSON over several lines.
pub(crate) fn value(value: &impl Serialize) -> anyhow::Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    raw(text.as_bytes())
}

/// Prints a value as JSON on one line.
pub(crate) fn line(value: &impl Serialize) -> anyhow::Result<()> {
    let mut text = serde_json::to_string(value)?;
    text.push('\n');
    raw(text.as_bytes())
}

/// The amount of output besides results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors.
    Quiet,
    /// Notes and warnings.
    Normal,
    /// Progress.
    Verbose,
    /// Details of progress.
    Detailed,
}

static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

/// Sets the amount of output, once.
pub(crate) fn set_verbosity(verbosity: Verbosity) {
    VERBOSITY.get_or_init(|| verbosity);
}

/// Returns how much is to be said.
pub(crate) fn verbosity() -> Verbosity {
    VERBOSITY.get().copied().unwrap_or(Verbosity::Normal)
}

/// Says something that is not the result, unless little is to be said.
pub(crate) fn note(message: Arguments<'_>) {
    if verbosity() > Verbosity::Quiet {
        say(message);
    }
}

/// Says what is being done, if that is to be said.
pub(crate) fn detail(message: Arguments<'_>) {
    if verbosity() > Verbosity::Normal {
        say(message);
    }
}

/// Writes a line to standard error, and ignores errors.
fn say(message: Arguments<'_>) {
    let _ = write_error(&format!("{message}\n"));
}

/// Writes on standard error as [`text`] does on standard output.
fn write_error(text: &str) -> std::io::Result<()> {
    let stream = Stream::of(&std::io::stderr());
    let text = stream.fit(text);
    if stream.is_terminal {
        anstream::stderr().write_all(text.as_bytes())
    } else {
        std::io::stderr().write_all(text.as_bytes())
    }
}

/// Asks a question on standard error and returns the line that is typed.
pub(crate) fn ask(question: &str) -> anyhow::Result<String> {
    write_error(question)?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(answer)
}

/// Returns a message on one line for a terminal, such as a progress bar's.
pub(crate) fn for_terminal(message: &str) -> String {
    let stream = Stream {
        is_terminal: true,
        is_styled: false,
    };
    stream.fit(&one_line(message)).into_owned()
}

/// Says what went wrong without ending the work.
pub(crate) fn warning(message: Arguments<'_>) {
    say(format_args!("{WARNING}warning{WARNING:#}: {message}"));
}

/// Says why the work ended, with all causes.
pub(crate) fn error(error: &anyhow::Error) {
    let mut message = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        // Errors of some libraries say what their cause says.
        if !message.ends_with(&cause) {
            message.push_str("\n  caused by: ");
            message.push_str(&cause);
        }
    }
    say(format_args!("{ERROR}error{ERROR:#}: {message}"));
}

/// Returns whether an error only means that the reader of our output has seen enough.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |error: &std::io::Error| error.kind() == ErrorKind::BrokenPipe;
    error.downcast_ref().is_some_and(is_pipe)
}

/// Passes on the failure to print a report, but not that its reader has gone: the exit status still says how the work
/// ended.
pub(crate) fn reported(printed: anyhow::Result<()>) -> anyhow::Result<()> {
    match printed {
        Err(error) if !is_closed_pipe(&error) => Err(error),
        _ => Ok(()),
    }
}

/// Writes a document's name on one line, as short as it can be typed here: relative to the working folder.
pub(crate) fn document_name(uri: &str) -> String {
    sectile::document_path(uri).map_or_else(|| one_line(uri).into_owned(), |path| path_name(&path))
}

/// Returns lines in the form that follows the name of their document: as `grep` writes them, if they are lines of the
/// file. The text of other formats is made from the file, and has its own lines.
pub(crate) fn place(format: Format, lines: Lines) -> String {
    if format.keeps_source() {
        return format!(":{lines}");
    }
    let noun = if lines.first == lines.last {
        "line"
    } else {
        "lines"
    };
    format!(" text {noun} {lines}")
}

/// Returns how the source of a document is shown that an ingest names by its path or its address.
pub(crate) fn source_name(name: &str) -> String {
    let path = Path::new(name);
    if path.is_absolute() {
        path_name(path)
    } else {
        one_line(name).into_owned()
    }
}

/// Returns how a path is shown: from here, where it is below.
fn path_name(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let below = here.ok().and_then(|here| path.strip_prefix(here).ok());
    let name = match below {
        Some(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Some(below) => below.display().to_string(),
        None => path.display().to_string(),
    };
    one_line(&name).into_owned()
}

/// Returns a mark for a document whose file is gone.
pub(crate) fn if_gone(uri: &str) -> &'static str {
    if sectile::is_gone(uri) {
        "  (the file is gone)"
    } else {
        ""
    }
}

/// Writes a number of things: `1 document`, `2 documents`.
pub(crate) fn count(number: usize, thing: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_as_serde_json_does() {
        let all: String = ('\0'..='\u{101}').chain(['漢', '🦀', '\u{2028}']).collect();
        for shift in 0..17 {
            for text in [
                all.clone(),
                "\u{20}!\"#\\[".repeat(9),
                "a\nb".into(),
                String::new(),
            ] {
                let text = "x".repeat(shift) + &text;
                let mut json = Vec::new();
                escape(&text, &mut json);
                assert_eq!(json, serde_json::to_vec(&text).unwrap(), "{text:?}");
            }
        }
    }
}
