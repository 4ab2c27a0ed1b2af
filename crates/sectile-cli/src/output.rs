//! Results on standard output, the rest on standard error, colours only on a terminal.

use std::fmt::Display;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

/// The style of file names.
pub(crate) const NAME: Style = AnsiColor::Magenta.on_default();
/// The style of headings.
pub(crate) const HEADING: Style = Style::new().bold();
/// The style of what is less important.
pub(crate) const DIM: Style = Style::new().dimmed();
/// The style of the words that were searched for.
pub(crate) const MARK: Style = AnsiColor::Red.on_default().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// Where results go and in which form.
#[derive(Debug)]
pub(crate) struct Output {
    json: bool,
}

impl Output {
    pub(crate) const fn new(json: bool) -> Self {
        Self { json }
    }

    /// Says whether JSON was asked for.
    pub(crate) const fn is_json(&self) -> bool {
        self.json
    }

    /// Says whether styled text will be shown as such.
    pub(crate) fn is_styled(&self) -> bool {
        let choice = anstream::AutoStream::choice(&std::io::stdout());
        choice != anstream::ColorChoice::Never
    }

    /// Prints text as it is.
    pub(crate) fn text(&self, text: &str) -> anyhow::Result<()> {
        let mut stdout = anstream::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        stdout.flush()?;
        Ok(())
    }

    /// Prints bytes that are not for a person.
    pub(crate) fn raw(&self, bytes: &[u8]) -> anyhow::Result<()> {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()?;
        Ok(())
    }

    /// Prints a value as JSON over several lines.
    pub(crate) fn value(&self, value: &impl Serialize) -> anyhow::Result<()> {
        let mut text = serde_json::to_string_pretty(value)?;
        text.push('\n');
        self.raw(text.as_bytes())
    }

    /// Prints a value as JSON on one line.
    pub(crate) fn line(&self, value: &impl Serialize) -> anyhow::Result<()> {
        let mut text = serde_json::to_string(value)?;
        text.push('\n');
        self.raw(text.as_bytes())
    }

    /// Says something that is not the result.
    pub(crate) fn note(&self, message: impl Display) {
        say(message);
    }

    /// Says what went wrong without ending the work.
    pub(crate) fn warning(&self, message: impl Display) {
        say(format_args!("{WARNING}warning{WARNING:#}: {message}"));
    }

    /// Says why the work ended, with all causes.
    pub(crate) fn error(&self, error: &anyhow::Error) {
        let mut message = error.to_string();
        for cause in error.chain().skip(1) {
            message.push_str("\n  caused by: ");
            message.push_str(&cause.to_string());
        }
        say(format_args!("{ERROR}error{ERROR:#}: {message}"));
    }
}

/// Writes a line on standard error. Where nobody listens there is nobody to tell.
fn say(message: impl Display) {
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// Says whether an error only means that the reader of our output has seen enough.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |error: &std::io::Error| error.kind() == ErrorKind::BrokenPipe;
    error.downcast_ref().is_some_and(is_pipe)
}

/// Writes a document's name as short as it can be typed here: relative to the working folder.
pub(crate) fn document_name(uri: &str) -> String {
    let Some(path) = sectile::document_path(uri) else {
        return uri.to_owned();
    };
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let relative = here.ok().and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf));
    relative.unwrap_or(path).display().to_string()
}

/// Writes a range of numbers: `3` or `3-5`.
pub(crate) fn range(first: impl Display + PartialEq, last: impl Display + PartialEq) -> String {
    let (first, last) = (first.to_string(), last.to_string());
    if first == last { first } else { format!("{first}-{last}") }
}
