//! Entries of settings, flags and functions: the terms of definition lists, and names at the beginning of the items of a
//! list or of the rows of a table.

/// What ends the terms of a definition list in AsciiDoc, the longest first.
const ENDS_OF_TERM: &[&str] = &["::::", ":::", "::", ";;"];

/// What marks a name, and what its arguments stand in.
const MARKS: &[char] = &['`', '*', '"', '\'', '+'];
const BRACKETS: &[char] = &['[', '<', '(', '{'];

/// What is closed in a heading that is no piece of code.
const PAIRS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];

/// What stands between a name and its value, where numbers are none of pages.
const BEFORE_VALUES: &[char] = &[':', '=', '|'];

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

/// Returns whether a heading has a name, or several with this one, and nothing else but arguments and the number of its
/// section. If a bracket is not closed, it is the beginning of a call.
pub(super) fn is_title(heading: &str, name: &str) -> bool {
    let is_open = |(open, close): &(char, char)| {
        heading.matches(*open).count() > heading.matches(*close).count()
    };
    let heading = without_number(heading);
    has_only_terms(heading)
        && !PAIRS.iter().any(is_open)
        && terms(heading).any(|term| is_called(term, name))
}

/// Returns whether a heading has a name as a whole, among other words.
pub(super) fn is_in_heading(heading: &str, name: &str) -> bool {
    let in_any_case = |text: &str| {
        if name.contains('.') {
            text.to_lowercase()
        } else {
            text.to_owned()
        }
    };
    let (heading, name) = (in_any_case(heading), in_any_case(name));
    let is_of_name = |of: char| of.is_alphanumeric() || matches!(of, '_' | '-');
    let mut places = heading.match_indices(&*name);
    places.any(|(at, _)| {
        let (before, behind) = (&heading[..at], &heading[at + name.len()..]);
        !before.ends_with(|of: char| is_of_name(of) || of == '.') && !behind.starts_with(is_of_name)
    })
}

/// Returns a heading without the number of its section.
fn without_number(heading: &str) -> &str {
    let Some((first, rest)) = heading.split_once(char::is_whitespace) else {
        return heading;
    };
    let number = first.trim_end_matches(['.', ')']);
    let is_number = number.starts_with(|of: char| of.is_ascii_digit())
        && number.bytes().all(|of| of.is_ascii_digit() || of == b'.');
    if is_number {
        rest.trim_start()
    } else {
        heading
    }
}

/// Returns whether a line with the next one is an entry of a name.
fn is_entry(line: &str, next: Option<&str>, name: &str) -> bool {
    let is_quoted_item = line.starts_with(['"', '\'']) && line.ends_with(',');
    if line.len() < name.len() || line.starts_with('#') || line.ends_with('{') || is_quoted_item {
        return false;
    }
    if let Some(listed) = before_end(line) {
        return listed.len() <= LONGEST && terms(listed).any(|term| is_called(term, name));
    }
    let item = without_bullet(line);
    if item.len() < line.len() {
        let goes_on = || {
            let next = next.unwrap_or_default();
            let said = next.trim();
            next.starts_with([' ', '\t']) && !said.is_empty() && without_bullet(said) == said
        };
        return first_marked(item).is_some_and(|(first, behind)| {
            is_called(first, name) && (!only_refers(behind) || goes_on())
        });
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

/// Returns what is marked as code or stressed at the beginning of a text, and what stands behind it.
fn first_marked(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_start_matches('*');
    let code = rest.trim_start_matches('`');
    if code.len() < rest.len() {
        return Some(code.split_once('`').unwrap_or((code, "")));
    }
    let is_stressed = rest.len() < text.len();
    is_stressed.then(|| rest.split_once('*').unwrap_or((rest, "")))
}

/// Returns whether what stands behind a name is links or numbers of pages and nothing else, as in the index of a book.
fn only_refers(behind: &str) -> bool {
    let mut has_link = false;
    let mut others = String::new();
    let mut rest = behind;
    while let Some((before, link)) = rest.split_once('[')
        && let Some((shown, target)) = link.split_once("](")
        && let Some((_, next)) = target.split_once(')')
        && !shown.contains('[')
    {
        others.push_str(before);
        has_link = true;
        rest = next;
    }
    others.push_str(rest);
    let has_number = others.contains(char::is_numeric);
    let are_pages = has_number && !others.contains(BEFORE_VALUES);
    !others.contains(char::is_alphabetic) && (are_pages || has_link && !has_number)
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
            ("max_size", "- `max_size`: [bytes](b.md) at most"),
            ("max_size", "- `max_size`: [source](b.md)\n  The most."),
            ("max_size", "- `max_size` [int] as in [b](b.md)"),
            ("max_size", "| `max_size` | 30 |"),
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
            // The index of a book.
            ("max_size", "- `max_size`: [Sizes](sizes.md)"),
            (
                "max_size",
                "- `max_size`: [A](a.md), [B](b.md)\n- `other`: [A](a.md)",
            ),
            ("max_size", "- **max_size**, 12, 34–36"),
            ("max_size", "| `max_size` | [Sizes](sizes.md) |"),
            // Code.
            ("max_size", "max_size {\n    all 5"),
            ("max_size", "[\n    \"max_size\",\n    \"min_size\"\n]"),
            ("max_size", "    'max_size',\n    'min_size',"),
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
            ("pg_stat_archiver", "28.2.12. pg_stat_archiver"),
            ("max_size", "3) `max_size`"),
        ] {
            assert!(is_title(heading, name), "{heading}");
        }
        for (name, heading) in [
            ("useState", "useState and effects"),
            ("useState", "Notes on useState"),
            ("-L", "-l"),
            ("useState", "useState(()"),
            ("useState", "useState({"),
            ("useState", "3. Notes on useState"),
        ] {
            assert!(!is_title(heading, name), "{heading}");
        }
    }

    #[test]
    fn a_heading_may_have_a_name_among_other_words() {
        for (name, heading, has) in [
            ("max_size", "The first one: max_size", true),
            ("max_size", "`max_size`, and more", true),
            ("core.quotePath", "On core.quotepath.", true),
            ("--cert", "curl --cert", true),
            ("--cert", "curl --cert-type", false),
            ("max_size", "all.max_size", false),
            ("toRef", "On toRefs", false),
            ("useState", "On usestate", false),
        ] {
            assert_eq!(is_in_heading(heading, name), has, "{name}: {heading}");
        }
    }
}
