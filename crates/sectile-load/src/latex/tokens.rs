//! Commands and their arguments in LaTeX source.

/// The longest argument that is looked for, in bytes: so a brace that is never closed costs little.
pub(super) const MAX_ARGUMENT: usize = 2_000;

/// Returns the name of the command at the backslash at `at`: letters, or one character.
pub(super) fn name(text: &str, at: usize) -> &str {
    let rest = &text[at + 1..];
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let one = || rest.chars().next().map_or(0, char::len_utf8);
    let length = if letters > 0 { letters } else { one() };
    &rest[..length]
}

/// Skips spaces, comments with the ends of their lines, and at most one other line end.
pub(super) fn skip_space(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut has_line_end = false;
    let mut at = at;
    loop {
        at = match bytes.get(at) {
            Some(b' ' | b'\t' | b'\r') => at + 1,
            Some(b'\n') if !has_line_end => {
                has_line_end = true;
                at + 1
            }
            Some(b'%') => line_end(text, at),
            _ => return at,
        };
    }
}

/// Returns the inside of the braces at `at`, after spaces and comments, and where it ends with them.
pub(super) fn argument(text: &str, at: usize) -> Option<(&str, usize)> {
    let open = skip_space(text, at);
    let end = close(text, open, b'{', b'}')?;
    Some((&text[open + 1..end], end + 1))
}

/// Returns the inside of the brackets at `at`, after spaces and comments, and where it ends with them.
pub(super) fn option(text: &str, at: usize) -> Option<(&str, usize)> {
    let open = skip_space(text, at);
    let end = close(text, open, b'[', b']')?;
    Some((&text[open + 1..end], end + 1))
}

/// Skips the option at `at` if there is one.
pub(super) fn skip_option(text: &str, at: usize) -> usize {
    option(text, at).map_or(at, |(_, end)| end)
}

/// Returns where the bracket at `open` is closed, outside of braces, within the same paragraph.
fn close(text: &str, open: usize, opening: u8, closing: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.get(open) != Some(&opening) {
        return None;
    }
    let limit = bytes.len().min(open + MAX_ARGUMENT);
    let (mut at, mut depth) = (open + 1, 0_usize);
    while at < limit {
        match bytes[at] {
            byte if byte == closing && depth == 0 => return Some(at),
            b'{' => depth += 1,
            b'}' => depth = depth.checked_sub(1)?,
            b'\\' => at += 1,
            b'%' => at = line_end(text, at).checked_sub(1)?,
            b'\n' if bytes.get(at + 1) == Some(&b'\n') => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns where the line of `at` ends, its end included.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let end = memchr::memchr(b'\n', &text.as_bytes()[at..]);
    end.map_or(text.len(), |length| at + length + 1)
}
