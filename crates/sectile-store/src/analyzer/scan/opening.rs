//! What a joint at the beginning of a word makes of it: a flag, a name such as `@media`, or the name `.NET`.

use super::{Class, class_at};

/// The longest tag or change of the font before a word, in bytes.
const LONGEST_TAG: usize = 16;

/// What a joint at the beginning of a word makes of it.
pub(super) enum Opening {
    /// A flag such as `-m` or `--force`, or a name such as `@media`, whose letters begin here.
    Flag(usize),
    /// The name `.NET`, which ends here.
    DotNet(usize),
}

/// Reads a joint that does not stand between letters.
pub(super) fn read(text: &str, at: usize) -> Option<Opening> {
    let rest = &text.as_bytes()[at..];
    let opening = match rest {
        [b'-', b'-', letter, ..] if letter.is_ascii_alphabetic() => Opening::Flag(at + 2),
        // As manual pages write it.
        [b'-', b'\\', b'-', letter, ..] if letter.is_ascii_alphabetic() => Opening::Flag(at + 3),
        [b'-' | b'@', letter, ..] if letter.is_ascii_alphabetic() => Opening::Flag(at + 1),
        [b'-', ..] if is_number(text, at + 1) => Opening::Flag(at + 1),
        [b'.', name @ ..] => {
            let is_net = name
                .get(..3)
                .is_some_and(|name| name.eq_ignore_ascii_case(b"net"));
            if !is_net || !is_end(text, at + 4) {
                return None;
            }
            Opening::DotNet(at + 4)
        }
        _ => return None,
    };
    opens_word(&text[..at]).then_some(opening)
}

/// Returns where a flag or the name `.NET` begins behind the underscores of emphasis: `_-n_`.
pub(super) fn behind_emphasis(text: &str, at: usize) -> Option<usize> {
    let rest = text[at..].trim_start_matches('_');
    let start = text.len() - rest.len();
    read(text, start).map(|_| start)
}

/// Returns whether a number of one or two digits is a flag, such as `kill -9`; longer ones, degrees and percentages are
/// mostly below zero.
fn is_number(text: &str, at: usize) -> bool {
    let digits = &text.as_bytes()[at..];
    let count = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let goes_on = matches!(digits.get(count), Some(b'.' | b',' | b'-'));
    matches!(count, 1 | 2)
        && !goes_on
        && is_end(text, at + count)
        && !is_before_unit(text, at + count)
}

/// Returns whether the sign of degrees or of percent stands at `at`, be it behind a blank.
fn is_before_unit(text: &str, at: usize) -> bool {
    let rest = &text[at..];
    let rest = rest
        .strip_prefix([' ', '\u{a0}', '\u{202f}'])
        .unwrap_or(rest);
    rest.starts_with(['°', 'º', '%', '\u{2103}', '\u{2109}'])
}

/// Returns whether no word goes on at `at`.
fn is_end(text: &str, at: usize) -> bool {
    class_at(text, at).is_none_or(|(class, _)| !class.is_letter() && class != Class::Underscore)
}

/// Returns whether a word may begin behind a text: it is empty, or ends in white space, a quote, a bracket or a mark
/// between words, be it with the markup of the word behind it.
fn opens_word(before: &str) -> bool {
    let is_open = |before: &str| before.chars().next_back().is_none_or(opens);
    let bare = before_markup(before);
    is_open(before) || bare.len() < before.len() && is_open(bare)
}

fn opens(before: char) -> bool {
    let is_mark = matches!(
        before,
        '"' | '\'' | '`' | '(' | '[' | '{' | '<' | '|' | ',' | '/' | '='
    );
    let is_quote = matches!(before, '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{2039}');
    before.is_whitespace() || is_mark || is_quote
}

/// Returns what stands before the markup at the end of a text: that of emphasis (`**`), an escape, a tag (`<kbd>`), or a
/// change of the font (`\fB`).
fn before_markup(text: &str) -> &str {
    let text = text.strip_suffix('\\').unwrap_or(text);
    before_tag(text.trim_end_matches(['*', '_']))
}

/// Returns what stands before a tag or a change of the font at the end of a text: `<kbd>`, `\fB`, `\f[B]`.
fn before_tag(text: &str) -> &str {
    let start = text.floor_char_boundary(text.len().saturating_sub(LONGEST_TAG));
    let near = &text[start..];
    let Some(at) = near.rfind(['<', '\\']) else {
        return text;
    };
    let font = near[at..].strip_prefix("\\f");
    let is_font =
        font.is_some_and(|font| font.len() == 1 || font.starts_with('[') && font.ends_with(']'));
    let tag = near[at..].strip_prefix('<');
    let name = tag.and_then(|tag| tag.strip_suffix('>'));
    let is_tag = name
        .is_some_and(|name| !name.is_empty() && name.bytes().all(|of| of.is_ascii_alphanumeric()));
    if is_font || is_tag {
        &text[..start + at]
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_may_stand_in_markup() {
        for text in [
            "-n",
            "see -n",
            "**-n**",
            "(*-n*)",
            "__-n__",
            "<b>-n</b>",
            "a <kbd>-n</kbd>",
            "\\-n",
            "\\fB\\-n\\fP",
            "or \\f[B]-n\\f[R]",
            "**\\-n**",
        ] {
            let at = text.find('-').unwrap();
            let opening = read(text, at);
            assert!(matches!(opening, Some(Opening::Flag(_))), "{text}");
        }
        for text in [
            "a-n", "2**-n", "a_-n", "a>-n", "<b>a-n", "x\\-n", "\\foo-n", "<>-n", "é*-n",
        ] {
            let at = text.find('-').unwrap();
            assert!(read(text, at).is_none(), "{text}");
        }
    }
}
