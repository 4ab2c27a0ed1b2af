//! The codes by which terminals colour text, as logs and outputs hold them.

/// What each code begins with.
const ESCAPE: char = '\u{1B}';

/// How many characters a code has at most that is left out.
const LONGEST: usize = 2_000;

/// Returns a text without the codes of terminals, if it has any.
pub(crate) fn without(text: &str) -> Option<String> {
    // Most texts have none, and need no copy.
    memchr::memchr(ESCAPE as u8, text.as_bytes())?;
    let mut kept = String::new();
    let mut rest = text;
    let mut is_changed = false;
    while let Some(at) = rest.find(ESCAPE) {
        let (before, code) = rest.split_at(at);
        kept.push_str(before);
        let length = length(code);
        is_changed |= length.is_some();
        // An escape that begins no code stays.
        let length = length.unwrap_or_else(|| {
            kept.push(ESCAPE);
            ESCAPE.len_utf8()
        });
        rest = &code[length..];
    }
    kept.push_str(rest);
    is_changed.then_some(kept)
}

/// Returns where a code begins that a part of a text ends in, or the end of the part.
pub(crate) fn end_of_whole(text: &str) -> usize {
    let mut at = text.floor_char_boundary(text.len().saturating_sub(LONGEST - 1));
    while let Some(next) = text[at..].find(ESCAPE) {
        at += next;
        if goes_on(&text[at..]) {
            return at;
        }
        at += length(&text[at..]).unwrap_or(ESCAPE.len_utf8());
    }
    text.len()
}

/// Returns whether a text may be the beginning of a code and no more.
fn goes_on(text: &str) -> bool {
    let bytes = text.as_bytes();
    match bytes.get(1) {
        _ if bytes.len() >= LONGEST => false,
        None => true,
        Some(b'[') => bytes[2..].iter().all(|byte| matches!(byte, b' '..=b'?')),
        Some(b']') => memchr::memchr2(0x07, 0x1B, &bytes[2..])
            .is_none_or(|end| bytes[end + 2] == 0x1B && end + 3 == bytes.len()),
        Some(b'(' | b')') => bytes.len() == 2,
        Some(_) => false,
    }
}

/// Returns how many bytes the code has that a text begins with: `ESC [` up to a letter, `ESC ]` up to a
/// bell, or `ESC (` and the letter of a set of characters.
fn length(text: &str) -> Option<usize> {
    let bytes = &text.as_bytes()[..text.len().min(LONGEST)];
    match bytes.get(1)? {
        b'[' => {
            let parameters = bytes[2..]
                .iter()
                .take_while(|byte| matches!(byte, b' '..=b'?'))
                .count();
            let last = bytes.get(2 + parameters)?;
            matches!(last, b'@'..=b'~').then_some(3 + parameters)
        }
        b']' => {
            let end = memchr::memchr2(0x07, 0x1B, &bytes[2..])? + 2;
            match bytes[end] {
                0x07 => Some(end + 1),
                _ => (bytes.get(end + 1) == Some(&b'\\')).then_some(end + 2),
            }
        }
        b'(' | b')' => bytes.get(2)?.is_ascii_alphanumeric().then_some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_that_a_part_ends_in_is_kept_for_the_next() {
        for (whole, begun) in [
            ("plain", ""),
            ("é", "\u{1B}"),
            ("\u{1B}[0m", "\u{1B}["),
            ("a\u{1B}[x", "\u{1B}[1;3"),
            ("", "\u{1B}]8;;https://a.example"),
            ("\u{1B}]8;;\u{7}", "\u{1B}]8;;\u{1B}"),
            ("\u{1B}]8;;\u{1B}\\", "\u{1B}("),
            ("\u{1B}é\u{1B}[mé", ""),
        ] {
            let text = format!("{whole}{begun}");
            let open = end_of_whole(&text);
            assert_eq!(&text[open..], begun, "{text:?}");
        }
    }

    #[test]
    fn codes_are_left_out_and_other_escapes_stay() {
        for (text, expected) in [
            (
                "\u{1B}[1;31mERROR\u{1B}[0m disk\u{1B}[K\n",
                Some("ERROR disk\n"),
            ),
            (
                "\u{1B}]8;;https://a.example\u{7}link\u{1B}]8;;\u{1B}\\ é",
                Some("link é"),
            ),
            ("\u{1B}[0m\u{1B}", Some("\u{1B}")),
            ("\u{1B}(B\u{1B}[mplain\u{1B})0", Some("plain")),
            ("\u{1B}(é", None),
            ("one\u{1B}two", None),
            ("\u{1B}[1", None),
            ("\u{1B}[é", None),
            ("plain", None),
        ] {
            assert_eq!(without(text).as_deref(), expected, "{text:?}");
        }
    }
}
