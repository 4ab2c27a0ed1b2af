//! Other names that a note states for itself above its text: `aliases` in front matter, `alias::` in an outline.

use crate::FoundChunk;

/// The keys of fields with other names, in lower case.
const KEYS: [&str; 2] = ["aliases", "alias"];

/// How many lines are read for such fields.
const MOST_LINES: usize = 100;

/// Returns the other names of the document that a chunk begins.
pub(super) fn of(chunk: &FoundChunk) -> Vec<&str> {
    if chunk.first_line == 1 {
        stated(&chunk.text)
    } else {
        Vec::new()
    }
}

fn stated(text: &str) -> Vec<&str> {
    let mut lines = text.lines().take(MOST_LINES).peekable();
    let is_fenced = lines.next_if(|line| line.trim_end() == "---").is_some();
    let mut names = Vec::new();
    while let Some(line) = lines.next() {
        if is_fenced && matches!(line.trim_end(), "---" | "...") {
            break;
        }
        let Some((key, value)) = line.split_once(':') else {
            if is_fenced {
                continue;
            }
            break;
        };
        // Without a fence, a field has two colons.
        let value = if is_fenced {
            value
        } else if let Some(value) = value.strip_prefix(':') {
            value
        } else {
            break;
        };
        let key = key.trim_start_matches(['-', ' ']).trim_end();
        if !KEYS.iter().any(|of| key.eq_ignore_ascii_case(of)) {
            continue;
        }
        let value = value.trim();
        names.extend(listed(value));
        if value.is_empty() && is_fenced {
            while let Some(item) = lines.next_if(|line| line.trim_start().starts_with("- ")) {
                names.extend(name(item.trim_start().trim_start_matches('-')));
            }
        }
    }
    names
}

/// Returns the names in a list on one line, with or without brackets around it.
fn listed(list: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = Some(list);
    while let Some(list) = rest {
        let item;
        (item, rest) = first_item(list);
        names.extend(name(item));
    }
    names
}

/// Splits a list behind its first item. A comma in quotation marks is one of a name: `"Smith, John"`.
fn first_item(list: &str) -> (&str, Option<&str>) {
    let list = list.trim_start_matches(|of: char| of.is_whitespace() || of == '[');
    let quoted = ['"', '\''].iter().find_map(|mark| {
        let behind = list.strip_prefix(*mark)?;
        let ends_item = |(at, _): &(usize, &str)| {
            let next = behind[at + 1..].trim_start();
            next.is_empty() || next.starts_with([',', ']'])
        };
        let (end, _) = behind.match_indices(*mark).find(ends_item)?;
        Some(end + 1)
    });
    let from = quoted.unwrap_or_default();
    match list[from..].find(',') {
        Some(comma) => (&list[..from + comma], Some(&list[from + comma + 1..])),
        None => (list, None),
    }
}

/// Returns a name without the marks around it.
fn name(item: &str) -> Option<&str> {
    let marks = |of: char| of.is_whitespace() || "\"'[]".contains(of);
    Some(item.trim_matches(marks)).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_front_matter_and_outlines_state_them() {
        for (text, names) in [
            (
                "---\naliases: [CSharp, \"C sharp basics\"]\n---\n",
                &["CSharp", "C sharp basics"][..],
            ),
            (
                "---\ntitle: A\nAliases:\n  - One\n  - 'Two words'\ntags:\n  - x\n---\n",
                &["One", "Two words"],
            ),
            ("---\naliases:\n- One\n- Two\n---\n", &["One", "Two"]),
            ("---\nalias: One, Two\n---\n", &["One", "Two"]),
            ("---\nalias: \"Smith, John\"\n---\n", &["Smith, John"]),
            (
                "---\naliases: ['Smith, John', \"Doe, J.\", O'Brien, Jo 'J'] \n---\n",
                &["Smith, John", "Doe, J.", "O'Brien", "Jo 'J"],
            ),
            (
                "---\naliases:\n  - \"Smith, John\"\n---\n",
                &["Smith, John"],
            ),
            ("---\nalias: \"Smith, John\n---\n", &["Smith", "John"]),
            ("---\naliases: []\nother: x\n---\n", &[]),
            ("---\nother: x\n---\naliases: no\n", &[]),
            ("---\nother: x\n...\naliases: no\n", &[]),
            ("...\naliases: no\n", &[]),
            (
                "type:: [[note]]\nalias:: One, [[Two]]\n\nText",
                &["One", "Two"],
            ),
            ("alias: a text that begins so\n", &[]),
            ("# Alias\n\nalias:: no\n", &[]),
            ("", &[]),
        ] {
            assert_eq!(stated(text), names, "{text}");
        }
    }
}
