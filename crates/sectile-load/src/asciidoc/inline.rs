//! Titles of AsciiDoc without their markup.

use crate::superscript::{raised_after, subscript};

/// Macros whose text in brackets is shown.
const SHOWN: [&str; 10] = [
    "asciimath",
    "btn",
    "kbd",
    "latexmath",
    "link",
    "mailto",
    "menu",
    "pass",
    "stem",
    "xref",
];

/// Macros that show nothing.
const HIDDEN: [&str; 8] = [
    "anchor",
    "footnote",
    "footnoteref",
    "icon",
    "image",
    "indexterm",
    "indexterm2",
    "indexterm3",
];

/// Marks that stand round a text.
const QUOTES: [char; 7] = ['*', '_', '`', '#', '+', '^', '~'];

/// Returns a title as a reader sees it; attributes have been resolved.
pub(super) fn plain(title: &str) -> String {
    let mut text = String::with_capacity(title.len());
    let title = curved(title);
    let mut rest = &*title;
    while let Some(char) = rest.chars().next() {
        let before = text.chars().next_back();
        let read = match char {
            '[' if rest.starts_with("[[") => anchor(rest),
            '[' => with_role(rest, before),
            '<' if rest.starts_with("<<") => reference(rest),
            _ if QUOTES.contains(&char) => quoted(rest, char, before),
            '\\' => escaped(rest),
            _ if char.is_ascii_alphabetic() && !before.is_some_and(char::is_alphanumeric) => {
                named(rest)
            }
            _ => None,
        };
        let (shown, length) = read.unwrap_or((rest[..char.len_utf8()].into(), char.len_utf8()));
        text.push_str(&shown);
        rest = &rest[length..];
    }
    text
}

/// Makes curved quotation marks of those that are written with backticks.
fn curved(title: &str) -> String {
    match (title.find("\"`"), title.rfind("`\"")) {
        (Some(open), Some(close)) if open < close => title.replace("\"`", "“").replace("`\"", "”"),
        _ => title.into(),
    }
}

/// What is shown of a piece of markup, and its length.
type Shown = (String, usize);

fn anchor(rest: &str) -> Option<Shown> {
    let end = rest.find("]]")?;
    Some((String::new(), end + 2))
}

fn reference(rest: &str) -> Option<Shown> {
    let end = rest.find(">>")?;
    let inner = &rest[2..end];
    let shown = inner.split_once(',').map_or(inner, |(_, text)| text.trim());
    Some((plain_once(shown), end + 2))
}

/// Reads a text between marks behind its roles: `[.new]#7.6#`.
fn with_role(rest: &str, before: Option<char>) -> Option<Shown> {
    let end = rest.find(']')? + 1;
    let marked = &rest[end..];
    let mark = marked.chars().next().filter(|mark| QUOTES.contains(mark))?;
    let (shown, length) = quoted(marked, mark, before)?;
    Some((shown, end + length))
}

/// Reads a text between marks: doubled anywhere, single ones round whole words only.
fn quoted(rest: &str, mark: char, before: Option<char>) -> Option<Shown> {
    let double: String = [mark; 2].iter().collect();
    if let Some(inner) = rest.strip_prefix(&double) {
        let end = inner.find(&double).filter(|&end| end > 0);
        if let Some(end) = end.filter(|_| !matches!(mark, '^' | '~')) {
            return Some((shown(mark, &inner[..end]), end + 4));
        }
    }
    let inner = &rest[1..];
    let is_inside_word = matches!(mark, '^' | '~');
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    if !is_inside_word && before.is_some_and(|before| is_word(before) || before == '\\') {
        return None;
    }
    let ends = |at: &usize| {
        let after = inner[at + 1..].chars().next();
        is_inside_word || !after.is_some_and(is_word)
    };
    let end = inner.match_indices(mark).map(|(at, _)| at).find(ends)?;
    let inner = &inner[..end];
    let is_tight = !inner.is_empty()
        && !inner.starts_with(char::is_whitespace)
        && !inner.ends_with(char::is_whitespace);
    let shown = match mark {
        '^' => raised_after(before, &plain_once(inner)),
        '~' => {
            let after = rest[end + 2..].chars().next();
            let inner = plain_once(inner);
            subscript(before, &inner, after).unwrap_or(inner)
        }
        _ => shown(mark, inner),
    };
    is_tight.then_some((shown, end + 2))
}

/// Returns a quoted text without the marks inside it; code is as it is.
fn shown(mark: char, inner: &str) -> String {
    if mark == '+' {
        return inner.into();
    }
    plain_once(inner)
}

/// Takes marks away that stand round the whole; those at one end alone are letters, as are those within words.
fn plain_once(inner: &str) -> String {
    let mut bare = inner;
    while let Some(text) = within_marks(bare) {
        bare = text;
    }
    let is_marked = bare.is_empty() || bare.contains(['*', '`', '+']);
    if is_marked { inner } else { bare }.into()
}

fn within_marks(text: &str) -> Option<&str> {
    let mut marks = ['*', '_', '`', '+'].into_iter();
    marks.find_map(|mark| text.strip_prefix(mark)?.strip_suffix(mark))
}

fn escaped(rest: &str) -> Option<Shown> {
    let next = rest.chars().nth(1)?;
    let is_mark = "*_`#+^~<[{\\".contains(next);
    is_mark.then(|| (next.into(), 1 + next.len_utf8()))
}

/// Reads a macro or a link, which begin with their names.
fn named(rest: &str) -> Option<Shown> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric();
    let length = rest.bytes().take_while(is_name).count();
    let (name, after) = rest.split_at(length);
    let after = after.strip_prefix(':')?;
    let is_link = after.starts_with("//");
    let target = after.find(|char: char| char == '[' || char.is_whitespace())?;
    let inner = after[target..].strip_prefix('[')?;
    let end = inner.find(']')?;
    let (target, inner) = (&after[..target], &inner[..end]);
    let whole = length + 1 + target.len() + 1 + end + 1;
    if HIDDEN.contains(&name) {
        return Some((String::new(), whole));
    }
    if !is_link && !SHOWN.contains(&name) {
        return None;
    }
    let text = inner.trim_end_matches('^').trim_matches('"');
    let shown = if text.is_empty() { target } else { text };
    Some((plain_once(shown), whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_have_no_markup() {
        for (title, expected) in [
            ("Use `a_b` and *c* or _d_", "Use a_b and c or d"),
            ("[[id]]Title [[other,x]]", "Title "),
            ("See <<a,that>> and <<b>>", "See that and b"),
            ("The https://x.org[*site*^], link:a.html[b]", "The site, b"),
            ("Pass pass:[<x>] footnote:[no]", "Pass <x> "),
            ("snake_case_name, 2*3*4", "snake_case_name, 2*3*4"),
            ("un**bold**ed `+{x}+` H~2~O", "unbolded {x} H2O"),
            ("10^6^ m^2^, 10^2a^, log~2~8", "10⁶ m², 10^2a, log₂8"),
            ("\\*not bold*: a", "*not bold*: a"),
            ("\"`quoted`\"", "“quoted”"),
            ("git-add(1)", "git-add(1)"),
            ("The `_default` scope, `a_b_`", "The _default scope, a_b_"),
            ("`__init__`, `*args` and `+_x+`", "init, *args and _x"),
            ("Use [.status]#7.6# [.a.b]**c** x[0]#", "Use 7.6 c x[0]#"),
        ] {
            assert_eq!(plain(title), expected);
        }
    }
}
