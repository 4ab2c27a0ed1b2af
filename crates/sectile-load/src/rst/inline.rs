//! Titles of reStructuredText without their markup.

use std::collections::HashMap;

use crate::markup::Line;
use crate::superscript::{raised_after, subscript};

/// What markup may stand behind: white space, and marks that open something.
const BEFORE_MARKUP: &str = "'\"([{<-/:";

/// Returns the texts that stand for names between bars.
pub(super) fn substitutions<'a>(lines: &[Line<'a>]) -> HashMap<&'a str, &'a str> {
    let definition = |line: &Line<'a>| {
        let (name, rest) = line.text.strip_prefix(".. |")?.split_once('|')?;
        Some((name, rest.trim_start().strip_prefix("replace::")?.trim()))
    };
    lines.iter().filter_map(definition).collect()
}

/// Returns a title as a reader sees it.
pub(super) fn plain(title: &str, substitutions: &HashMap<&str, &str>) -> String {
    let mut text = String::with_capacity(title.len());
    let mut rest = title;
    // After an escaped space markup may begin within a word.
    let mut is_apart = false;
    while let Some(char) = rest.chars().next() {
        let can_open = is_apart
            || text
                .chars()
                .next_back()
                .is_none_or(|before| before.is_whitespace() || BEFORE_MARKUP.contains(before));
        let read = match char {
            '\\' => Some(escaped(rest)),
            '`' | '*' | '|' | ':' if can_open => {
                markup(rest, text.chars().next_back(), substitutions)
            }
            '_' if can_open && rest.starts_with("_`") => target(rest),
            '_' => reference_end(&text, rest),
            _ => None,
        };
        let (shown, length) = read.unwrap_or((rest[..char.len_utf8()].into(), char.len_utf8()));
        is_apart = char == '\\' && shown.is_empty();
        text.push_str(&shown);
        rest = &rest[length..];
    }
    text
}

/// What is shown of a piece of markup, and its length.
type Shown = (String, usize);

/// Reads a backslash and what it makes plain; a space vanishes.
fn escaped(rest: &str) -> Shown {
    let next = rest.chars().nth(1);
    let length = 1 + next.map_or(0, char::len_utf8);
    let shown = next.filter(|char| !char.is_whitespace());
    (shown.map(String::from).unwrap_or_default(), length)
}

fn markup(
    rest: &str,
    char_before: Option<char>,
    substitutions: &HashMap<&str, &str>,
) -> Option<Shown> {
    if let Some((inner, length)) = between(rest, "``") {
        return Some((inner.into(), length));
    }
    if let Some(after) = rest.strip_prefix(':') {
        let (role, _) = after.split_once(":`")?;
        let is_role = |char: char| char.is_alphanumeric() || "-_.+:".contains(char);
        if role.is_empty() || !role.chars().all(is_role) {
            return None;
        }
        let before = role.len() + 2;
        let (inner, length) = between(&rest[before..], "`")?;
        let end = before + length;
        return Some((of_role(role, inner, char_before, &rest[end..]), end));
    }
    if rest.starts_with('`') {
        let (inner, length) = between(rest, "`")?;
        let after = &rest[length..];
        let underscores = after.len() - after.trim_start_matches('_').len();
        return Some((label(inner).into(), length + underscores.min(2)));
    }
    if rest.starts_with('|') {
        let (name, length) = between(rest, "|")?;
        let shown = substitutions.get(name).copied().unwrap_or(name);
        return Some((shown.into(), length));
    }
    let (inner, length) = between(rest, "**").or_else(|| between(rest, "*"))?;
    Some((inner.into(), length))
}

/// Reads words that other places refer to.
fn target(rest: &str) -> Option<Shown> {
    let (inner, length) = between(&rest[1..], "`")?;
    Some((inner.into(), length + 1))
}

/// Returns what stands between two marks, and the length with them.
fn between<'a>(rest: &'a str, mark: &str) -> Option<(&'a str, usize)> {
    let inner = rest.strip_prefix(mark)?;
    let end = inner.find(mark).filter(|&end| end > 0)?;
    let inner = &inner[..end];
    let is_tight = !inner.starts_with(char::is_whitespace) && !inner.ends_with(char::is_whitespace);
    is_tight.then_some((inner, end + 2 * mark.len()))
}

/// Returns what a role shows of its text, between two others.
fn of_role(role: &str, inner: &str, before: Option<char>, rest: &str) -> String {
    match role {
        "sup" | "superscript" => raised_after(before, inner),
        "sub" | "subscript" => {
            // An escaped space vanishes.
            let rest = rest.strip_prefix("\\ ").unwrap_or(rest);
            let lowered = subscript(before, inner, rest.chars().next());
            lowered.unwrap_or_else(|| inner.into())
        }
        "pep" | "PEP" => format!("PEP {}", label(inner)),
        "rfc" | "RFC" => format!("RFC {}", label(inner)),
        _ => {
            let inner = label(inner).trim_start_matches('!');
            let last = inner
                .strip_prefix('~')
                .map(|name| name.rsplit('.').next().unwrap_or(name));
            last.unwrap_or(inner).into()
        }
    }
}

/// Returns the text of `text <target>`.
fn label(inner: &str) -> &str {
    let parts = inner
        .strip_suffix('>')
        .and_then(|rest| rest.rsplit_once('<'));
    match parts {
        Some((text, _)) if !text.trim().is_empty() => text.trim_end(),
        Some((_, target)) => target,
        None => inner,
    }
}

/// Returns whether a text ends in the name of a target: words with single marks between them.
fn ends_in_name(text: &str) -> bool {
    let is_mark = |char: char| "-_.:+".contains(char);
    let is_name = |char: char| char.is_alphanumeric() || is_mark(char);
    let before = text.trim_end_matches(is_name);
    let name = &text[before.len()..];
    before.ends_with(']') && name.is_empty()
        || !name.is_empty() && name.split(is_mark).all(|word| !word.is_empty())
}

/// Reads the underscores at the end of a word that refers to something.
fn reference_end(before: &str, rest: &str) -> Option<Shown> {
    let length = rest.len() - rest.trim_start_matches('_').len();
    let ends = rest[length..]
        .chars()
        .next()
        .is_none_or(|next| next.is_whitespace() || "'\")]}>-/:.,;!?".contains(next));
    let is_reference = length <= 2 && ends && ends_in_name(before);
    is_reference.then(|| (String::new(), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_have_no_markup() {
        let substitutions = HashMap::from([("x", "Example")]);
        for (title, expected) in [
            ("Use ``a_b``", "Use a_b"),
            (":mod:`!os` --- *the* **system**", "os --- the system"),
            (":meth:`~a.b.c`, :ref:`here <there>`", "c, here"),
            ("`Link <https://x.org>`_ and word_", "Link and word"),
            ("|x| 1.0, |y|", "Example 1.0, y"),
            (":pep:`8` 2*3*4 \\*a\\*", "PEP 8 2*3*4 *a*"),
            ("a ``b", "a ``b"),
            (
                "snake_case __init__ a.__b__ :",
                "snake_case __init__ a.__b__ :",
            ),
            ("Ab\\ ``c``\\ d", "Abcd"),
            (
                "10\\ :sup:`6` m\\ :superscript:`2`, 10\\ :sup:`2a`",
                "10⁶ m², 10^2a",
            ),
            ("H\\ :sub:`2`\\ O, log\\ :subscript:`2`\\ 8", "H2O, log₂8"),
            ("_`config files` of _`b`", "config files of b"),
        ] {
            assert_eq!(plain(title, &substitutions), expected);
        }
    }
}
