//! Text as a stream takes it: styles where they are shown, and for a terminal nothing that commands it but these.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::io::IsTerminal;

use anstream::stream::RawStream;
use anstyle::{AnsiColor, Style};

/// The style of file names.
pub(crate) const NAME: Paint = Paint(AnsiColor::Magenta.on_default());
/// The style of headings.
pub(crate) const HEADING: Paint = Paint(Style::new().bold());
/// The style of what is less important.
pub(crate) const DIM: Paint = Paint(Style::new().dimmed());
/// The style of the words that were searched for.
pub(crate) const MARK: Paint = Paint(AnsiColor::Red.on_default().bold());
/// The style of what went wrong.
pub(crate) const ERROR: Paint = Paint(AnsiColor::Red.on_default().bold());
/// The style of what may go wrong.
pub(crate) const WARNING: Paint = Paint(AnsiColor::Yellow.on_default().bold());

const ALL: [Paint; 6] = [NAME, HEADING, DIM, MARK, ERROR, WARNING];

/// The character before and after the sequences of a [`Paint`]. It distinguishes them from sequences in
/// documents.
const FRAME: char = '\0';

/// A style in a text for [`Stream::fit`]; `{:#}` ends it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint(Style);

impl fmt::Display for Paint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if formatter.alternate() {
            write!(formatter, "{FRAME}{:#}{FRAME}", self.0)
        } else {
            write!(formatter, "{FRAME}{}{FRAME}", self.0)
        }
    }
}

/// The properties of an output stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream {
    /// Whether it acts on control characters.
    pub(crate) is_terminal: bool,
    /// Whether it shows styles.
    pub(crate) is_styled: bool,
}

impl Stream {
    /// Returns what standard output or standard error does.
    pub(crate) fn of(stream: &(impl RawStream + IsTerminal)) -> Self {
        Self {
            is_terminal: IsTerminal::is_terminal(stream),
            is_styled: anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never,
        }
    }

    /// Adapts a text to the stream. Styles stay if they are shown, and control characters become visible on a terminal.
    /// Pipes get the bytes unchanged.
    pub(crate) fn fit(self, text: &str) -> Cow<'_, str> {
        let Some(first) = text.find(|letter| self.is_special(letter)) else {
            return Cow::Borrowed(text);
        };
        let mut fitted = String::with_capacity(text.len());
        let (before, mut rest) = text.split_at(first);
        fitted.push_str(before);
        while let Some(letter) = rest.chars().next() {
            if let Some((style, after)) = framed(rest) {
                fitted.push_str(if self.is_styled { style } else { "" });
                rest = after;
                continue;
            }
            let after = &rest[letter.len_utf8()..];
            if self.is_special(letter) && self.is_terminal && !ends_line(letter, after) {
                push_escaped(&mut fitted, letter);
            } else {
                fitted.push(letter);
            }
            let next = after.find(|letter| self.is_special(letter));
            let (plain, special) = after.split_at(next.unwrap_or(after.len()));
            fitted.push_str(plain);
            rest = special;
        }
        Cow::Owned(fitted)
    }

    fn is_special(self, letter: char) -> bool {
        let is_command = letter.is_control() && !matches!(letter, '\n' | '\t');
        letter == FRAME || self.is_terminal && is_command
    }
}

/// Returns whether a letter ends a line together with the text after it, as in files of Windows.
fn ends_line(letter: char, after: &str) -> bool {
    letter == '\r' && after.starts_with('\n')
}

/// Returns the sequence of a style that a text begins with, and what follows.
fn framed(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix(FRAME)?;
    let is_of_style = |letter: char| matches!(letter, '\x1b' | '[' | ';' | 'm' | '0'..='9');
    let end = inner.find(|letter| !is_of_style(letter))?;
    let (style, after) = inner.split_at(end);
    let is_ours = |paint: &Paint| paint.0.render().to_string() == style;
    let is_reset = || HEADING.0.render_reset().to_string() == style;
    let after = after.strip_prefix(FRAME)?;
    (ALL.iter().any(is_ours) || is_reset()).then_some((style, after))
}

/// Writes a control character as JSON does, which people can read, too.
fn push_escaped(text: &mut String, letter: char) {
    let _ = write!(text, "\\u{:04x}", u32::from(letter));
}

/// Writes a name on one line, whatever is in it.
pub(crate) fn one_line(name: &str) -> Cow<'_, str> {
    if !name.contains(['\n', '\r']) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(name.replace('\n', "\\n").replace('\r', "\\r"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(is_terminal: bool, is_styled: bool, text: &str) -> String {
        let stream = Stream {
            is_terminal,
            is_styled,
        };
        stream.fit(text).into_owned()
    }

    const FOREIGN: &str = "a\x1b]0;TITLE\x07b\x1b[31mc\u{9b}2Jd\x7fe\rf\0g\0\x1b[8m\0h\n\ti\r\nä";

    #[test]
    fn a_terminal_is_commanded_by_nothing_that_others_wrote() {
        let expected = "a\\u001b]0;TITLE\\u0007b\\u001b[31mc\\u009b2Jd\\u007fe\\u000df\\u0000g\\u0000\\u001b[8m\\u0000h\
                        \n\ti\r\nä";
        assert_eq!(fit(true, true, FOREIGN), expected);
        assert_eq!(fit(true, false, FOREIGN), expected);
    }

    #[test]
    fn what_is_piped_keeps_its_bytes() {
        assert_eq!(fit(false, false, FOREIGN), FOREIGN);
        let text = "plain".repeat(9);
        assert!(matches!(
            Stream {
                is_terminal: false,
                is_styled: false
            }
            .fit(&text),
            Cow::Borrowed(_)
        ));
    }

    #[test]
    fn styles_stand_where_they_are_shown() {
        let painted = ALL.iter().map(|paint| format!("{paint}x\x1b[1m{paint:#}y"));
        let text = painted.collect::<Vec<_>>().concat();
        let bare = fit(true, false, &text);
        assert_eq!(bare, "x\\u001b[1my".repeat(6));
        let shown = fit(true, true, &text);
        assert!(
            shown.starts_with("\x1b[35mx\\u001b[1m\x1b[0my"),
            "{shown:?}"
        );
        assert!(!shown.contains('\0'));
        assert_eq!(fit(false, false, &text), "x\x1b[1my".repeat(6));
    }

    #[test]
    fn a_name_is_on_one_line() {
        assert_eq!(one_line("a\nremoved b\rc"), "a\\nremoved b\\rc");
        assert_eq!(one_line("a b"), "a b");
    }
}
