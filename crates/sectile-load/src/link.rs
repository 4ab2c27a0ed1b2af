//! Links in Markdown.

use std::fmt::Write as _;

/// Writes words as a link, unless they are the address themselves or have a link in them. Spaces around them stay
/// outside.
pub(crate) fn link(words: &str, target: &str) -> String {
    let inner = words.trim();
    let has_link = inner.contains("](");
    if inner.is_empty() || target.trim().is_empty() || has_link || bare(inner) == bare(target) {
        return words.to_owned();
    }
    let start = words.len() - words.trim_start().len();
    let (before, after) = (&words[..start], &words[start + inner.len()..]);
    let (label, destination) = (label(inner), destination(target));
    format!("{before}[{label}]({destination}){after}")
}

/// How many bytes the words of a link have at most that those behind it are joined to.
const MAX_JOINED: usize = 1_000;

/// Makes a link of the end of a text, from `start` on. Where a link to the same address stands right before it, it goes on:
/// programs make one of each run of letters that look alike.
pub(crate) fn link_end(text: &mut String, start: usize, target: &str) {
    let words = text.get(start..).unwrap_or_default();
    let end = text.len() - words.len();
    let is_plain = !words.trim().is_empty() && !words.contains("](");
    let before = is_plain
        .then(|| link_before(&text[..end], target))
        .flatten();
    let (end, written) = match before {
        Some((start, label, spaces)) => (start, link(&[label, spaces, words].concat(), target)),
        None => (end, link(words, target)),
    };
    text.truncate(end);
    text.push_str(&written);
}

/// Finds the link to an address that a text ends with: returns where it begins, its words, and the spaces behind it.
fn link_before<'t>(text: &'t str, target: &str) -> Option<(usize, &'t str, &'t str)> {
    let closed = text.trim_end_matches(' ');
    let spaces = &text[closed.len()..];
    let before = closed.strip_suffix(')')?;
    let before = before.strip_suffix(&*destination(target))?;
    let before = before.strip_suffix("](")?;
    let mut depth = 0_usize;
    let nearest = before.len() - before.len().min(MAX_JOINED);
    for at in (nearest..before.len()).rev() {
        match before.as_bytes()[at] {
            b'\n' => return None,
            b'[' | b']' if is_escaped(&before[..at]) => {}
            b']' => depth += 1,
            b'[' if depth == 0 => {
                let is_picture = before[..at].ends_with('!');
                let label = &before[at + 1..];
                let is_plain = !is_picture && !label.contains("](");
                return is_plain.then_some((at, label, spaces));
            }
            b'[' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Adds the place in a document that a link leads to, unless the address has one.
#[cfg(any(feature = "docx", feature = "rtf"))]
pub(crate) fn with_place(target: &str, place: Option<&str>) -> String {
    match place {
        Some(place) if !target.contains('#') => format!("{target}#{place}"),
        _ => target.to_owned(),
    }
}

/// Writes where a link leads to: between angle brackets where there are brackets or spaces in it.
pub(crate) fn destination(target: &str) -> String {
    let target = target.trim();
    let is_special = |letter: char| {
        letter.is_whitespace() || letter.is_control() || matches!(letter, '(' | ')' | '<' | '>')
    };
    if !target.contains(is_special) {
        return target.to_owned();
    }
    let mut written = String::from("<");
    for letter in target.chars() {
        match letter {
            '<' | '>' | '\0'..='\x1F' => {
                let _ = write!(written, "%{:02X}", u32::from(letter));
            }
            _ => written.push(letter),
        }
    }
    written.push('>');
    written
}

/// Returns an address without what is left out when it is shown.
fn bare(address: &str) -> &str {
    let address = address.trim().trim_end_matches('/');
    let without_scheme = address.split_once("://").map(|(_, rest)| rest);
    let rest = without_scheme.or_else(|| address.strip_prefix("mailto:"));
    let rest = rest.unwrap_or(address);
    rest.strip_prefix("www.").unwrap_or(rest)
}

/// Writes the words of a link or of a picture on one line. Brackets without their counterparts would end it, and a
/// backslash at its end would take the bracket behind it.
pub(crate) fn label(words: &str) -> String {
    let lines = words.lines().map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let line = lines.join(" ");
    let is_balanced = is_balanced(&line);
    let mut label = String::with_capacity(line.len());
    let mut is_escaped = false;
    for letter in line.chars() {
        if matches!(letter, '[' | ']') && !is_escaped && !is_balanced {
            label.push('\\');
        }
        label.push(letter);
        is_escaped = letter == '\\' && !is_escaped;
    }
    if is_escaped {
        label.push('\\');
    }
    label
}

/// Returns whether what stands behind a text is escaped.
fn is_escaped(text: &str) -> bool {
    let backslashes = text.len() - text.trim_end_matches('\\').len();
    !backslashes.is_multiple_of(2)
}

/// Returns whether each bracket has its counterpart, but for those behind a backslash.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut is_escaped = false;
    for letter in text.chars() {
        match letter {
            '[' if !is_escaped => depth += 1,
            ']' if !is_escaped && depth == 0 => return false,
            ']' if !is_escaped => depth -= 1,
            _ => {}
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_valid_whatever_stands_in_them() {
        for (words, target, expected) in [
            ("here", "https://a.org/b", "[here](https://a.org/b)"),
            (" here\n", "https://a.org/b", " [here](https://a.org/b)\n"),
            ("b", "https://a.org/b", "[b](https://a.org/b)"),
            ("x", "https://a.org/b_(c)", "[x](<https://a.org/b_(c)>)"),
            ("x", "file:a b.txt", "[x](<file:a b.txt>)"),
            ("x", "https://a.org/<b>\n", "[x](<https://a.org/%3Cb%3E>)"),
            ("see [1]", "https://a.org", "[see [1]](https://a.org)"),
            ("a] b", "https://a.org", "[a\\] b](https://a.org)"),
            ("a\\", "https://a.org", "[a\\\\](https://a.org)"),
            ("a\\\\", "https://a.org", "[a\\\\](https://a.org)"),
            ("\\[a] b", "https://a.org", "[\\[a\\] b](https://a.org)"),
            ("two\nlines", "https://a.org", "[two lines](https://a.org)"),
            ("[b](c)", "https://a.org", "[b](c)"),
            ("a.org", "https://www.a.org/", "a.org"),
            ("a@b.org", "mailto:a@b.org", "a@b.org"),
            ("", "https://a.org", ""),
            ("x", " ", "x"),
        ] {
            assert_eq!(link(words, target), expected);
        }
    }

    #[test]
    fn links_to_the_same_address_in_a_row_are_one() {
        let check = |runs: &[(&str, &str)], expected: &str| {
            let mut text = String::from("See ");
            for (words, target) in runs {
                let start = text.len();
                text.push_str(words);
                if !target.is_empty() {
                    link_end(&mut text, start, target);
                }
            }
            assert_eq!(text, expected);
        };
        let (a, b) = ("https://a.org/x", "https://a.org/y_(z)");
        check(
            &[("the harbour ", a), ("of Bari", a), (", a guide", a)],
            "See [the harbour of Bari, a guide](https://a.org/x)",
        );
        check(
            &[("the", b), (" ", b), ("[1]", b), (" a]", b), (" b", b)],
            "See [the \\[1\\] a\\] b](<https://a.org/y_(z)>)",
        );
        check(
            &[("one", a), ("two", b)],
            "See [one](https://a.org/x)[two](<https://a.org/y_(z)>)",
        );
        check(
            &[("one", a), (" and ", ""), ("two", a)],
            "See [one](https://a.org/x) and [two](https://a.org/x)",
        );
        check(
            &[("[![p](x)](https://a.org/x)", ""), ("one", a)],
            "See [![p](x)](https://a.org/x)[one](https://a.org/x)",
        );
        check(&[("https://", a), ("a.org/x", a)], "See https://a.org/x");
        check(
            &[("![p](https://a.org/x)", ""), ("one", a)],
            "See ![p](https://a.org/x)[one](https://a.org/x)",
        );
    }

    #[test]
    fn the_end_of_a_text_is_a_link() {
        let mut text = String::from("See here");
        link_end(&mut text, 4, "https://a.org");
        assert_eq!(text, "See [here](https://a.org)");
        link_end(&mut text, 99, "https://a.org");
        assert_eq!(text, "See [here](https://a.org)");
    }
}
