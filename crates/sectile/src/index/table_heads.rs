//! The heads of the tables that chunks continue.

use sectile_chunk::{Table, markup_tables, tables};
use sectile_core::{Format, Span};

/// The tables of a section of several chunks.
pub(crate) struct TableHeads(Vec<Table>);

impl TableHeads {
    /// Finds the tables in the content of a section that is cut into some chunks. One chunk has all heads in it.
    pub(crate) fn of(content: &str, format: Format, chunks: usize) -> Self {
        if chunks < 2 {
            return Self(Vec::new());
        }
        Self(match format {
            Format::Code | Format::Yaml => Vec::new(),
            Format::Asciidoc | Format::Latex | Format::Org | Format::Rst => {
                markup_tables(content, format)
            }
            _ => tables(content),
        })
    }

    /// Returns the head of the table whose rows a chunk begins in.
    pub(crate) fn above(&self, chunk: Span) -> Option<Span> {
        let begun = self
            .0
            .partition_point(|table| table.rows.start <= chunk.start);
        let last = self.0.get(begun.checked_sub(1)?)?;
        (chunk.start < last.rows.end).then_some(last.head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_that_begin_in_the_rows_of_a_table_have_its_head() {
        let text = "| a | b |\n|---|---|\n| 1 | 2 |\n\nText.\n\n| c | d |\n|---|---|\n| 3 | 4 |\n";
        let heads = TableHeads::of(text, Format::Markdown, 2);
        let above = |part: &str| {
            let start = text.find(part).unwrap();
            let head = heads.above(Span::new(start, text.len()));
            head.map(|head| head.of(text))
        };
        assert_eq!(above("| a"), None);
        assert_eq!(above("|---"), Some("| a | b |"));
        assert_eq!(above("2 |"), Some("| a | b |"));
        assert_eq!(above("\nText"), None);
        assert_eq!(above("| c"), None);
        assert_eq!(above("4 |"), Some("| c | d |"));
        let org = "| a | b |\n|---+---|\n| 1 | 2 |\n";
        let heads = TableHeads::of(org, Format::Org, 2);
        let head = heads.above(Span::new(org.len() - 4, org.len()));
        assert_eq!(head.map(|head| head.of(org)), Some("| a | b |"));
        let row = Span::new(text.len() - 4, text.len());
        for (format, chunks) in [(Format::Markdown, 1), (Format::Code, 2)] {
            assert_eq!(TableHeads::of(text, format, chunks).above(row), None);
        }
    }
}
