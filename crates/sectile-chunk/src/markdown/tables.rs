//! The tables of a Markdown text, by their heads.

use sectile_core::Span;

use super::pieces::{Leaf, leaves, lines};
use crate::line_run::{Kind, LineRuns};

/// The most words of a head that are kept, and the most bytes.
const WORDS: usize = 64;
const BYTES: usize = 2_048;

/// A table of a text whose columns have names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// The row with the names of the columns: at most its first 64 words and 2,048 bytes.
    pub head: Span,
    /// What follows the head: the line of delimiters and the rows.
    pub rows: Span,
}

/// Finds the tables of a Markdown text, in its order: those that [`MarkdownChunker`](crate::MarkdownChunker) cuts at
/// their rows. A row has a `|`. In a text without a line of delimiters such as `|---|`, this only looks for one.
///
/// ```
/// let text = "Prices:\n\n| name | price |\n|---|---|\n| tea | 2 |\n\nThat is all.\n";
/// let tables = sectile_chunk::tables(text);
/// assert_eq!(tables[0].head.of(text), "| name | price |");
/// assert_eq!(tables[0].rows.of(text), "|---|---|\n| tea | 2 |\n");
/// ```
pub fn tables(text: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    if !may_have_table(text) {
        return tables;
    }
    for run in LineRuns::new(text, 0) {
        if run.kind != Kind::Fence && may_have_table(run.span.of(text)) {
            add_tables(text, run.span, &mut tables);
        }
    }
    tables
}

/// Returns whether a line of a text may be the one between a head and its rows.
fn may_have_table(text: &str) -> bool {
    let whole = Span::new(0, text.len());
    memchr::memchr(b'|', text.as_bytes()).is_some()
        && lines(text, whole).any(|line| is_delimiters(line.of(text)))
}

/// Returns whether a line may be the one between a head and its rows, in a block quote or not.
fn is_delimiters(line: &str) -> bool {
    let is_of_delimiters = |byte: u8| b"|-: \t>\r\n".contains(&byte);
    line.bytes().all(is_of_delimiters) && line.contains('|') && line.contains('-')
}

/// Adds the tables of a run of lines. The parser gets the run without the rows of what may be tables, so that its work
/// and its memory do not grow with them.
fn add_tables(text: &str, run: Span, tables: &mut Vec<Table>) {
    let mut parsed = String::new();
    let mut candidates: Vec<(usize, Table)> = Vec::new();
    let mut before: Option<Span> = None;
    let mut rest = lines(text, run).peekable();
    while let Some(line) = rest.next() {
        let above = before.filter(|head| head.of(text).contains('|'));
        let Some(head) = above.filter(|_| is_delimiters(line.of(text))) else {
            parsed.push_str(line.of(text));
            before = Some(line);
            continue;
        };
        let place = parsed.len() - head.len();
        parsed.push_str(line.of(text));
        let mut rows = line;
        while let Some(row) = rest.next_if(|row| row.of(text).contains('|')) {
            rows.end = row.end;
        }
        let head = names(text, head);
        candidates.push((place, Table { head, rows }));
        before = None;
    }
    if candidates.is_empty() {
        return;
    }
    let leaves = leaves(&parsed).into_iter();
    let leaves = leaves.filter(|(_, leaf)| *leaf == Leaf::Table);
    let places: Vec<usize> = leaves.map(|(range, _)| range.start).collect();
    let found = candidates.into_iter().filter(|(place, table)| {
        let is_table = places.binary_search(place).is_ok();
        is_table && table.head.of(text).contains(char::is_alphanumeric)
    });
    tables.extend(found.map(|(_, table)| table));
}

/// Returns the names of columns in a line, or in the lines of a head, up to some number of words and bytes.
pub(crate) fn names(text: &str, line: Span) -> Span {
    let line_text = line.of(text);
    let start = line.start + line_text.len() - line_text.trim_start().len();
    let row = line_text.trim();
    let row = &row[..row.floor_char_boundary(BYTES)];
    let (mut end, mut words) = (0, 0);
    for word in row.split_inclusive(char::is_whitespace) {
        words += usize::from(word.contains(char::is_alphanumeric));
        if words > WORDS {
            break;
        }
        end += word.len();
    }
    Span::new(start, start + row[..end].trim_end().len())
}

/// Asserts that the tables found in a text have these heads and rows.
#[cfg(test)]
pub(crate) fn check_tables(text: &str, found: &[Table], expected: &[(&str, &str)]) {
    let found: Vec<_> = found
        .iter()
        .map(|table| (table.head.of(text), table.rows.of(text)))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str)]) {
        check_tables(text, &tables(text), expected);
    }

    #[test]
    fn tables_have_their_heads_and_rows() {
        check(
            "# T\n\nText.\n\n| a | b |\n| --- | :-: |\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |\n\nMore.\n\nc|d\n-|-\n5|6\n",
            &[
                (
                    "| a | b |",
                    "| --- | :-: |\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |\n",
                ),
                ("c|d", "-|-\n5|6\n"),
            ],
        );
        check(
            "| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\n",
            &[("| a | b |", "|---|---|\r\n| 1 | 2 |\r\n")],
        );
        check(
            "- An item\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n",
            &[("| a | b |", "  |---|---|\n  | 1 | 2 |\n")],
        );
    }

    #[test]
    fn prose_code_and_logs_have_no_heads() {
        for text in [
            "",
            "Either a | b or not.\n\n- | -\n\nText.\n",
            "Call `cat a | wc`.\nIt counts | lines.\n",
            "```\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n",
            "- An item\n\n  ```\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n  ```\n",
            "    | a | b |\n    |---|---|\n    | 1 | 2 |\n",
            "12:00 | info | started\n12:01 | info | ready\n12:02 | ---- | -----\n",
            // Heads have as many cells as there are delimiters.
            "12:00 | info | started\n---|---\n12:01 | info | ready\n",
            " name | price \n------+-------\n tea  | 2\n",
            // Columns without names.
            "|  |  |\n|---|---|\n| 1 | 2 |\n",
            "|---|---|\n|---|---|\n",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn long_heads_are_cut() {
        let columns = |count: usize| {
            let names: Vec<String> = (0..count).map(|at| format!("name{at}")).collect();
            let (names, rule) = (names.join(" | "), "---|".repeat(count));
            format!("| {names} |\n|{rule}\n| 1 |\n")
        };
        for (count, kept) in [(3, 3), (64, 64), (65, 64), (500, 64)] {
            let text = columns(count);
            let head = tables(&text)[0].head.of(&text);
            assert_eq!(head.matches("name").count(), kept);
            assert!(text.starts_with(head));
        }
        let text = format!("| {} |\n|---|\n| 1 |\n", "é".repeat(5_000));
        assert!(tables(&text)[0].head.len() <= BYTES);
    }

    #[test]
    fn long_tables_are_found_whole() {
        let rows = "| 1 | 2 |\n".repeat(1_000);
        let text = format!("| a | b |\n|---|---|\n{rows}");
        assert_eq!(tables(&text)[0].rows, Span::new(10, text.len()));
        let lines = "|---|---|\n".repeat(1_000);
        check(&format!("```\n{lines}```\n"), &[]);
    }
}
