//! Entries of settings, flags and functions: the terms of definition lists, and names at the beginning of the items of a
//! list or of the rows of a table.

/// What ends the terms of a definition list in AsciiDoc, the longest first.
const ENDS_OF_TERM: &[&str] = &["::::", ":::", "::", ";;"];

/// What marks a name, and what its arguments stand in.
const MARKS: &[char] = &['`', '*', '"', '\'', '+'];
const BRACKETS: &[char] = &['[', '<', '(', '{'];

/// The most bytes of a line of terms, and of the number of an item.
const LONGEST: usize = 160;
const LONGEST_NUMBER: usize = 4;

/// Returns whether a text has an entry with a name.
pub(super) fn is_in(text: &str, name: &str) -> bool {
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if is_entry(line.trim(), lines.peek().copied(), name) {
            return true;
        }
    }
    false
}

/// Returns whether a heading has a name, or several with this one, and nothing else but arguments.
pub(super) fn is_title(heading: &str, name: &str) -> bool {
    has_only_terms(heading) && terms(heading).any(|term| is_called(term, name))
}

/// Returns whether a line with the next one is an entry of a name.
fn is_entry(line: &str, next: Option<&str>, name: &str) -> bool {
    if line.len() < name.len() || line.starts_with('#') {
        return false;
    }
    if let Some(listed) = before_end(line) {
        return listed.len() <= LONGEST && terms(listed).any(|term| is_called(term, name));
    }
    let item = without_bullet(line);
    if item.len() < line.len() {
        return first_marked(item).is_some_and(|first| is_called(first, name));
    }
    let is_alone = line.len() <= LONGEST && has_only_terms(line);
    let is_explained = || {
        let next = next.unwrap_or_default();
        next.starts_with([' ', '\t', ':']) && !next.trim().is_empty()
    };
    is_alone
        && (line.starts_with(['`', '*']) || is_explained())
        && terms(line).any(|term| is_called(term, name))
}

/// Returns the terms that stand before the sign of a definition list, if a line has one.
fn before_end(line: &str) -> Option<&str> {
    let mut ends = ENDS_OF_TERM.iter();
    let at_end = ends.find_map(|end| line.strip_suffix(end));
    // What is said of the term may follow in the line.
    at_end.or_else(|| Some(line.split_once(":: ")?.0))
}

/// Returns a line without the sign that begins an item of a list or a row of a table; the line if it has none.
fn without_bullet(line: &str) -> &str {
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    let number = first.trim_end_matches(['.', ')']);
    let is_number = number.len() < first.len()
        && number.len() <= LONGEST_NUMBER
        && number.bytes().all(|of| of.is_ascii_digit());
    if is_number || matches!(first, "-" | "*" | "+" | "|" | "•") {
        return rest.trim_start();
    }
    line.strip_prefix('|').unwrap_or(line)
}

/// Returns what is marked as code or stressed at the beginning of a text.
fn first_marked(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('*');
    let code = rest.trim_start_matches('`');
    if code.len() < rest.len() {
        return code.split('`').next();
    }
    let stressed = rest.len() < text.len();
    stressed.then(|| rest.split('*').next()).flatten()
}

/// Returns the terms of a line.
fn terms(line: &str) -> impl Iterator<Item = &str> {
    let line = line.trim_start_matches(MARKS);
    line.split([',', '|']).flat_map(|part| part.split(" / "))
}

/// Returns whether all that stands in a line is terms with arguments.
fn has_only_terms(line: &str) -> bool {
    terms(line).all(|term| {
        let words = term.split_whitespace();
        let mut arguments = words.map(|word| word.trim_start_matches(MARKS)).skip(1);
        arguments.all(|word| {
            let has_capitals = word.contains(char::is_uppercase);
            word.starts_with(BRACKETS) || has_capitals && !word.contains(char::is_lowercase)
        })
    })
}

/// Returns whether a term with its arguments and marks is called by a name. Keys with full stops have any case.
fn is_called(term: &str, name: &str) -> bool {
    let word = term.split_whitespace().next().unwrap_or_default();
    let word = word.replace("[no-]", "");
    let word = word.trim_matches(MARKS);
    let end = word.find(|of: char| of == '=' || BRACKETS.contains(&of));
    let end = end.unwrap_or(word.len());
    let called = word[..end].trim_end_matches(|of: char| MARKS.contains(&of) || of == ':');
    if name.contains('.') {
        called.to_lowercase() == name.to_lowercase()
    } else {
        called == name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_of_definition_lists_and_names_that_begin_items_are_entries() {
        for (name, text) in [
            ("core.quotePath", "core.quotePath::\n\tQuotes paths."),
            (
                "user.signingkey",
                "Text.\n\n`user.signingKey`::\n\tThe key.",
            ),
            ("add.ignore-errors", "`add.ignore-errors` (deprecated)::\n"),
            ("--depth", "`--depth <n>`::\n\tNo more."),
            ("--depth", "-d, --depth=<n>:: No more."),
            ("--signed", "`--[no-]signed`::"),
            ("--quiet", "`-q`::\n`--quiet`::\n\tSays nothing."),
            ("max_size", "- `max_size`: the most bytes"),
            ("max_size", "* **max_size** (integer) is the most"),
            ("max-size", "1. `max-size=<n>` is the most"),
            ("max_size", "| `max_size` | the most bytes |"),
            ("max_size", "|`max_size`|the most bytes|"),
            ("PQclear", "`PQclear`\n\nFrees it."),
            ("PQclear", "**PQclear**\n\nFrees it."),
            ("--location", "-L, --location\n    Goes on."),
            ("max_size", "max_size\n:   the most bytes"),
        ] {
            assert!(is_in(text, name), "{name}: {text}");
        }
    }

    #[test]
    fn mentions_are_no_entries() {
        for (name, text) in [
            (
                "core.quotePath",
                "as explained for `core.quotePath` (see there)",
            ),
            ("core.quotePath", "core.quotePathOther::\n\tQuotes."),
            ("core.quotePath", "core.quotePath is a key of a file."),
            ("max_size", "max_size = 5\n    rest"),
            ("max_size", "- The key `max_size` is gone"),
            ("max_size", "- max_size is gone"),
            ("max_size", "| bytes | `max_size` |"),
            ("max_size", "`MAX_SIZE`\n\nThe most."),
            ("-L", "-l, --list\n    Lists them."),
            ("max_size", "`max_size` and others\n"),
            ("max_size", ""),
        ] {
            assert!(!is_in(text, name), "{name}: {text}");
        }
    }

    #[test]
    fn a_heading_may_be_a_name_with_arguments() {
        for (name, heading) in [
            ("core.quotePath", "core.quotepath"),
            ("-L", "-L, --location"),
            ("--output", "`-o`, `--output <file>`"),
            ("useState", "useState(initialState)"),
        ] {
            assert!(is_title(heading, name), "{heading}");
        }
        for (name, heading) in [
            ("useState", "useState and effects"),
            ("useState", "Notes on useState"),
            ("-L", "-l"),
        ] {
            assert!(!is_title(heading, name), "{heading}");
        }
    }
}
