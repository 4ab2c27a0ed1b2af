//! Mailboxes: messages one after the other.

use std::borrow::Cow;

use memchr::memmem;

/// What each message begins with.
const SEPARATOR: &[u8] = b"From ";

/// How long the line may be that a message begins with.
const LONGEST_LINE: usize = 1_000;

const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// Returns whether `bytes` begin with the line that begins a message: a sender, a day and a time.
pub(super) fn begins_message(bytes: &[u8]) -> bool {
    if !bytes.starts_with(SEPARATOR) || is_header(bytes) {
        return false;
    }
    let line = line(&bytes[..bytes.len().min(LONGEST_LINE)]);
    let line = String::from_utf8_lossy(line);
    let has_day = line
        .split_whitespace()
        .any(|word| DAYS.contains(&word.trim_end_matches(',')));
    let is_time = |word: &str| {
        let digit = |at: usize| word.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        word.find(':')
            .is_some_and(|colon| colon > 0 && digit(colon - 1) && digit(colon + 1))
    };
    has_day && line.split_whitespace().any(is_time)
}

/// Returns whether bytes begin with the header `From`: old programs write spaces before its colon.
fn is_header(bytes: &[u8]) -> bool {
    let rest = line(bytes).strip_prefix(SEPARATOR).unwrap_or_default();
    rest.trim_ascii_start().starts_with(b":")
}

/// Leaves out the separator before a message that stands alone.
pub(super) fn without_separator(bytes: &[u8]) -> &[u8] {
    let is_separator = bytes.starts_with(SEPARATOR) || bytes.starts_with(b">From ");
    if is_separator && !is_header(bytes) {
        &bytes[line(bytes).len()..]
    } else {
        bytes
    }
}

fn line(bytes: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
    &bytes[..end]
}

/// Returns the messages, each without its separator and with its quoted lines as they were.
pub(super) fn messages(bytes: &[u8]) -> impl Iterator<Item = Cow<'_, [u8]>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.trim_ascii().is_empty() {
            return None;
        }
        let start = without_separator(rest);
        let counted = counted_end(start);
        let end = counted.unwrap_or_else(|| next_separator(start));
        let message = &start[..end];
        rest = &start[end..];
        // A mailbox with lengths quotes nothing.
        let is_quoted = counted.is_none();
        Some(if is_quoted {
            unquoted(message)
        } else {
            message.into()
        })
    })
}

/// Finds where the next message begins, after an empty line.
fn next_separator(bytes: &[u8]) -> usize {
    let mut found = memmem::find_iter(bytes, b"\nFrom ").map(|at| at + 1);
    let is_separator = |&at: &usize| {
        let before = &bytes[..at];
        (before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n")) && begins_message(&bytes[at..])
    };
    found.find(is_separator).unwrap_or(bytes.len())
}

/// Returns where a message ends by its own count (`Content-Length`), if another one begins there.
fn counted_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    let mut length = None;
    // Headers end at an empty line.
    loop {
        let line = line(&bytes[at..]);
        at += line.len();
        let text = line.trim_ascii_end();
        if text.is_empty() {
            break;
        }
        if let Some(value) = value_of(text, b"content-length:") {
            length = std::str::from_utf8(value)
                .ok()?
                .trim()
                .parse::<usize>()
                .ok();
        }
    }
    let end = at.checked_add(length?)?;
    let rest = bytes.get(end..)?;
    let next = rest.trim_ascii_start();
    let is_end = next.is_empty() || rest.len() - next.len() <= 4 && begins_message(next);
    is_end.then(|| bytes.len() - next.len())
}

fn value_of<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let head = line.get(..name.len())?;
    head.eq_ignore_ascii_case(name).then(|| &line[name.len()..])
}

/// Takes one `>` off lines that were quoted since they begin with `From `.
fn unquoted(message: &[u8]) -> Cow<'_, [u8]> {
    if memmem::find(message, b">From ").is_none() {
        return message.into();
    }
    let mut plain = Vec::with_capacity(message.len());
    for line in message.split_inclusive(|&byte| byte == b'\n') {
        let quotes = line.iter().take_while(|&&byte| byte == b'>').count();
        let is_quoted = quotes > 0 && line[quotes..].starts_with(SEPARATOR);
        plain.extend_from_slice(&line[usize::from(is_quoted)..]);
    }
    plain.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROM: &str = "From a@b Mon Jan  5 10:00:00 2026\n";

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<String> = messages(text.as_bytes())
            .map(|message| String::from_utf8_lossy(&message).into_owned())
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn messages_begin_after_an_empty_line_with_sender_day_and_time() {
        let text =
            format!("{FROM}A: b\n\nx\nFrom a on Mon at 10:00\n\nFrom here\n\n{FROM}C: d\n\ny\n");
        check(
            &text,
            &[
                "A: b\n\nx\nFrom a on Mon at 10:00\n\nFrom here\n\n",
                "C: d\n\ny\n",
            ],
        );
        check("", &[]);
    }

    #[test]
    fn a_header_with_spaces_before_its_colon_is_no_separator() {
        for message in ["From  : Ann\n\nx\n", "From : Ann, Mon 10:00\n\nx\n"] {
            assert!(!begins_message(message.as_bytes()));
            assert_eq!(without_separator(message.as_bytes()), message.as_bytes());
        }
        assert_eq!(without_separator(b"From ann\nA: b\n"), b"A: b\n");
    }

    #[test]
    fn quoted_lines_lose_one_mark() {
        check(
            &format!("{FROM}A: b\n\n>From x\n>>From y\n> From z\n"),
            &["A: b\n\nFrom x\n>From y\n> From z\n"],
        );
    }

    #[test]
    fn a_length_counts_where_a_message_follows() {
        let body = format!("x\n\n{FROM}>From y\n");
        let text = format!(
            "{FROM}Content-Length: {}\n\n{body}\n{FROM}C: d\n\ny\n",
            body.len()
        );
        let first = format!("Content-Length: {}\n\n{body}\n", body.len());
        check(&text, &[&first, "C: d\n\ny\n"]);
        let wrong = format!("{FROM}Content-Length: 1\n\nx y\n");
        check(&wrong, &["Content-Length: 1\n\nx y\n"]);
    }
}
