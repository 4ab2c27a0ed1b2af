//! Functions of D, which no word of their own begins.

use crate::outline::lines::Definition;

/// Words before the type of a function, or in place of it.
#[rustfmt::skip]
const ATTRIBUTES: [&str; 24] = [
    "abstract", "align", "auto", "const", "deprecated", "export", "extern", "final", "immutable", "inout", "nothrow",
    "override", "package", "pragma", "private", "protected", "public", "pure", "ref", "return", "scope", "shared", "static",
    "synchronized",
];

/// Those that make another type of one in parentheses: `const(int)[]`.
const OF_TYPES: [&str; 6] = [
    "__vector",
    "const",
    "immutable",
    "inout",
    "shared",
    "typeof",
];

/// Words before parentheses that begin a statement or a condition.
#[rustfmt::skip]
const STATEMENTS: [&str; 21] = [
    "alias", "assert", "case", "catch", "debug", "delete", "do", "else", "enum", "for", "foreach", "foreach_reverse", "if",
    "import", "in", "mixin", "out", "switch", "throw", "version", "while",
];

/// Reads a function or an enumeration of D, but no declaration of one.
pub(super) fn signature(line: &str) -> Option<Definition> {
    if line.ends_with(';') && !line.contains(" => ") {
        return None;
    }
    let rest = without_attributes(line)?;
    let is_enum = rest.starts_with("enum ") && !line.contains('=');
    let is_definition = is_enum || is_function(rest, rest.len() < line.len());
    let head = line.split('{').next().unwrap_or(line);
    is_definition.then(|| Definition::leaf(head))
}

/// Leaves out the attributes that a line begins with, and what they have in parentheses: `extern(C) @property`.
fn without_attributes(line: &str) -> Option<&str> {
    let mut rest = line;
    loop {
        let word = first_word(rest);
        let after = &rest[word.len()..];
        let has_group = after.trim_start().starts_with('(');
        let is_attribute = word.starts_with('@') || ATTRIBUTES.contains(&word);
        let is_statement = matches!(word, "return" | "scope" | "synchronized");
        if !is_attribute || has_group && OF_TYPES.contains(&word) {
            return Some(rest);
        }
        if has_group && is_statement {
            return None;
        }
        rest = after.trim_start();
        if has_group {
            rest = rest[group_length(rest)?..].trim_start();
        }
    }
}

/// Returns whether a line begins with a type, unless that `is_inferred`, a name and parameters.
fn is_function(line: &str, is_inferred: bool) -> bool {
    let Some((before, _)) = line.split_once('(') else {
        return false;
    };
    let first = first_word(before);
    if first.is_empty() || STATEMENTS.contains(&first) {
        return false;
    }
    if before.ends_with('!') || OF_TYPES.contains(&before.trim_end()) {
        // The type has arguments.
        let group = &line[before.len()..];
        let behind = group_length(group).map_or("", |length| &group[length..]);
        let name = behind.trim_start_matches([' ', '[', ']', '*']);
        return name.len() < behind.len() && begins_with_call(name);
    }
    let is_of_type = |letter: char| letter.is_alphanumeric() || "_[]*!. ,\t".contains(letter);
    let has_type = is_inferred || before.split_whitespace().nth(1).is_some();
    has_type && before.chars().all(is_of_type) && before.trim_end().ends_with(is_of_name)
}

/// Returns the length of the group in parentheses that a text begins with.
pub(super) fn group_length(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut is_in_string = false;
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if std::mem::take(&mut is_escaped) => {}
            b'\\' => is_escaped = is_in_string,
            b'"' => is_in_string = !is_in_string,
            b'(' if !is_in_string => depth += 1,
            b')' if !is_in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Returns whether a text begins with a name and parentheses.
fn begins_with_call(text: &str) -> bool {
    let name = first_word(text);
    !name.is_empty() && text[name.len()..].trim_start().starts_with('(')
}

/// Returns the word that a text begins with, if it begins with one.
fn first_word(text: &str) -> &str {
    let is_end = |letter: char| !is_of_name(letter) && letter != '@';
    text.split(is_end).next().unwrap_or_default()
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
