//! Results on standard output, the rest on standard error, colours only on a terminal.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::sync::OnceLock;

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
/// The style of what went wrong.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The style of what may go wrong.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// Says whether styled text will be shown as such.
pub(crate) fn is_styled() -> bool {
    let choice = anstream::AutoStream::choice(&std::io::stdout());
    choice != anstream::ColorChoice::Never
}

/// Prints text as it is, its styles only where they can be shown.
pub(crate) fn text(text: &str) -> anyhow::Result<()> {
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Prints what documents hold, byte for byte.
pub(crate) fn raw(bytes: &[u8]) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()?;
    Ok(())
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

/// How much is said beside the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// What went wrong.
    Quiet,
    /// What a user should know.
    Normal,
    /// What is being done.
    Verbose,
    /// What is being done, in details.
    Detailed,
}

static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

/// Sets how much is said, once.
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

/// Writes a line on standard error. Where nobody listens there is nobody to tell.
fn say(message: Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "{message}");
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
    let relative = here
        .ok()
        .and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf));
    relative.unwrap_or(path).display().to_string()
}
