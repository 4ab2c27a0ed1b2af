//! Blocks of lines: what blank lines and Markdown's line syntax keep apart.

use sectile_core::Span;

use crate::markup_tables::is_border;
use crate::source::Source;

/// A run of lines that sentences do not cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The lines, with the blank ones after them.
    pub(super) span: Span,
    /// Whether the block has no sentences: it is a line of code or a row of a table.
    pub(super) is_whole: bool,
    /// Whether it is read with what follows: it is a heading, a line of a fence, or the head of a table.
    pub(super) is_lead: bool,
}

/// Cuts a text into blocks, which joined are the text again.
///
/// A block begins after a blank line, at a heading, list item, table row or line of a code fence,
/// and after a heading, table row or line of a fence. Blank lines belong to the block before them,
/// those at the very start to the first one.
#[derive(Default)]
pub(super) struct Blocks {
    /// Whether all lines are source code, in which only blank ones end a block.
    is_source: bool,
    classifier: Classifier,
    /// The lines of the block to come.
    span: Span,
    is_whole: bool,
    is_lead: bool,
    /// The last line of the block, once it has a line that is not blank.
    last: Option<Line>,
    /// How far the line after that has been searched for its end.
    searched: usize,
}

impl Blocks {
    /// Cuts the text from `place` on.
    pub(super) fn from(place: usize) -> Self {
        Self {
            span: Span::new(place, place),
            searched: place,
            ..Self::default()
        }
    }

    /// Takes all lines for source code, which has no Markdown.
    pub(super) fn of_source(self, is_source: bool) -> Self {
        Self { is_source, ..self }
    }

    /// Returns the next block, or `None` at the end of the text.
    pub(super) fn next_block(&mut self, source: Source<'_>) -> Option<Block> {
        while let Some(end) = self.line_end(source) {
            let line = source.of(Span::new(self.span.end, end));
            let line = match self.is_source {
                true if line.trim().is_empty() => Line::Blank,
                true => Line::Plain,
                false => self.classifier.classify(line),
            };
            let ends_block = self.last.is_some_and(|last| last.ends_block_before(line));
            let block = ends_block.then(|| self.take());
            self.add(line, end);
            if block.is_some() {
                return block;
            }
        }
        let is_last = source.is_complete() && !self.span.is_empty();
        is_last.then(|| self.take())
    }

    /// Finds the end of the line after the block, if the text at hand has it.
    fn line_end(&mut self, source: Source<'_>) -> Option<usize> {
        let rest = source.bytes(Span::new(self.searched, source.end()));
        let end = memchr::memchr2(b'\n', b'\r', rest).map(|at| {
            let is_pair = rest[at..].starts_with(b"\r\n");
            self.searched + at + if is_pair { 2 } else { 1 }
        });
        self.searched = end.unwrap_or(source.end());
        let is_last = source.is_complete() && self.span.end < source.end();
        end.or_else(|| is_last.then_some(source.end()))
    }

    /// Adds the line that ends at `end` to the block.
    fn add(&mut self, line: Line, end: usize) {
        if line != Line::Blank {
            self.is_whole = self.is_source || line.is_whole();
            self.is_lead = matches!(line, Line::Alone | Line::Fenced | Line::Head);
        }
        let is_begun = line != Line::Blank || self.last.is_some();
        self.last = is_begun.then_some(line);
        self.span.end = end;
    }

    fn take(&mut self) -> Block {
        let span = self.span;
        self.span = Span::new(span.end, span.end);
        Block {
            span,
            is_whole: self.is_whole,
            is_lead: self.is_lead,
        }
    }
}

/// The role of a line among the lines around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Blank,
    /// A line of a paragraph.
    Plain,
    /// The first line of a list item.
    Item,
    /// A heading.
    Alone,
    /// A row of a table.
    Row,
    /// The first row of a table that has a pipe at its start, or the line that parts it from the others.
    Head,
    /// The line that opens a code fence, or one inside.
    Fenced,
    /// The line that closes a code fence.
    FenceEnd,
}

impl Line {
    fn ends_block_before(self, next: Self) -> bool {
        let goes_on = matches!(self, Self::Plain | Self::Item) && next == Self::Plain;
        next != Self::Blank && !goes_on
    }

    /// Returns whether no sentence ends within the line.
    fn is_whole(self) -> bool {
        matches!(self, Self::Row | Self::Head | Self::Fenced | Self::FenceEnd)
    }
}

/// Tells what lines are, one after the other.
#[derive(Default)]
struct Classifier {
    /// The character and the length of the fence that is open.
    fence: Option<(char, usize)>,
    /// Whether the line before may be the head of a table.
    is_below_head: bool,
    /// Whether the line before is a row of a table.
    is_in_table: bool,
    /// Whether a border of reStructuredText such as `=== ===` stands above, and no blank line since.
    is_below_border: bool,
}

impl Classifier {
    fn classify(&mut self, source: &str) -> Line {
        let line = source.trim();
        let content = after_marker(line);
        if !line.is_empty() && self.is_code(content.unwrap_or(line)) {
            (self.is_below_head, self.is_in_table) = (false, false);
            self.is_below_border = false;
            return if self.fence.is_some() {
                Line::Fenced
            } else {
                Line::FenceEnd
            };
        }
        let is_first = !self.is_below_head;
        let is_row = self.is_row(line);
        match content {
            _ if line.is_empty() => Line::Blank,
            _ if is_row && line.starts_with('|') && (is_first || is_delimiters(line)) => Line::Head,
            _ if is_row => Line::Row,
            _ if is_heading(line) => Line::Alone,
            Some(_) => Line::Item,
            None => Line::Plain,
        }
    }

    /// Returns whether the line is a row of a table. Where rows begin with no pipe, those count that follow a line of
    /// delimiters.
    fn is_row(&mut self, line: &str) -> bool {
        let has_pipe = line.contains('|');
        let begins = self.is_below_head && has_pipe && is_delimiters(line);
        self.is_in_table = begins || self.is_in_table && has_pipe;
        self.is_below_head = has_pipe;
        self.is_below_border = is_border(line) || self.is_below_border && !line.is_empty();
        self.is_in_table || self.is_below_border || line.starts_with('|') || is_row_of_latex(line)
    }

    /// Returns whether the line is a fence or inside one, and opens or closes it.
    fn is_code(&mut self, line: &str) -> bool {
        let Some((char, length)) = self.fence else {
            self.fence = opening_fence(line);
            return self.fence.is_some();
        };
        if line.len() >= length && line.chars().all(|other| other == char) {
            self.fence = None;
        }
        true
    }
}

/// Returns the character and length of the code fence that a line opens.
fn opening_fence(line: &str) -> Option<(char, usize)> {
    let char = line
        .chars()
        .next()
        .filter(|char| ['`', '~'].contains(char))?;
    let info = line.trim_start_matches(char);
    let length = line.len() - info.len();
    // A line such as ```` ```code``` ```` is a code span.
    let is_fence = length >= 3 && !(char == '`' && info.contains('`'));
    is_fence.then_some((char, length))
}

/// Returns whether a line that is below one with a pipe parts the head of a table from its rows: `--- | ---`.
fn is_delimiters(line: &str) -> bool {
    let is_of_delimiters = |byte: u8| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t');
    line.bytes().all(is_of_delimiters) && line.contains('-')
}

/// Returns whether a line is a row of a table in LaTeX: `tea & 2 \\`.
fn is_row_of_latex(line: &str) -> bool {
    line.ends_with("\\\\") && line.contains('&')
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Returns what follows the list marker of a line that has one.
fn after_marker(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => line.strip_prefix(['-', '*', '+'])?,
        1..=9 => line[digits..].strip_prefix(['.', ')'])?,
        _ => return None,
    };
    let content = rest.trim_start();
    (content.len() < rest.len() || rest.is_empty()).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str) -> Vec<Block> {
        let mut blocks = Blocks::default();
        std::iter::from_fn(|| blocks.next_block(Source::whole(text))).collect()
    }

    fn check(text: &str, expected: &[&str]) {
        let blocks = blocks(text);
        let texts: Vec<_> = blocks.iter().map(|block| block.span.of(text)).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn blank_lines_end_a_paragraph_and_stay_with_it() {
        check("\n a\nb\n \n\nc", &["\n a\nb\n \n\n", "c"]);
    }

    #[test]
    fn list_items_begin_a_block() {
        check(
            "- a\n  b\n* c\n1. d\n12) e\n",
            &["- a\n  b\n", "* c\n", "1. d\n", "12) e\n"],
        );
        check("a\n-b\n1.5 c\n", &["a\n-b\n1.5 c\n"]);
        check(
            "- a\r  b\r* c\r\n\r# d\r",
            &["- a\r  b\r", "* c\r\n\r", "# d\r"],
        );
    }

    #[test]
    fn headings_and_table_rows_stand_alone() {
        check(
            "a\n# b\nc\n| d |\n|---|\ne\n",
            &["a\n", "# b\n", "c\n", "| d |\n", "|---|\n", "e\n"],
        );
        check("a\n#b\n", &["a\n#b\n"]);
    }

    #[test]
    fn lines_of_a_fence_stand_alone() {
        check(
            "a\n```rs\nb\n\n# c\n```\nd\n",
            &["a\n", "```rs\n", "b\n\n", "# c\n", "```\n", "d\n"],
        );
        check("~~~~\n~~~\na\n", &["~~~~\n", "~~~\n", "a\n"]);
        check("```a``` b\nc\n", &["```a``` b\nc\n"]);
        check(
            "- ```\n  a\n  ```\nb\nc\n",
            &["- ```\n", "  a\n", "  ```\n", "b\nc\n"],
        );
    }

    #[test]
    fn only_lines_of_a_fence_are_whole() {
        let code: Vec<_> = blocks("a\n```\nb\n\n```\nc")
            .iter()
            .map(|block| block.is_whole)
            .collect();
        assert_eq!(code, [false, true, true, true, false]);
    }

    #[test]
    fn headings_lines_of_fences_and_heads_of_tables_are_read_with_what_follows() {
        let leads = |text: &str| -> Vec<bool> {
            let blocks = blocks(text);
            blocks.iter().map(|block| block.is_lead).collect()
        };
        assert_eq!(leads("a\n# b\n\nc\n- d\n"), [false, true, false, false]);
        assert_eq!(
            leads("```\n# a\n```\nb\n- ~~~\nc\n"),
            [true, true, false, false, true, true]
        );
        assert_eq!(
            leads("| a |\n|---|\n| b |\n| c |\n\n| d |\n"),
            [true, true, false, false, true]
        );
        assert_eq!(leads("a | b\n--|--\nc | d\n"), [false, false, false]);
    }

    #[test]
    fn rows_have_no_sentences() {
        let whole = |text: &str| -> Vec<bool> {
            let blocks = blocks(text);
            blocks.iter().map(|block| block.is_whole).collect()
        };
        assert_eq!(
            whole("| a |\n|---|\n| B. C |\nD. E\n"),
            [true, true, true, false]
        );
        assert_eq!(
            whole("a | b\n--|--\nc | D. E\nf. G\n"),
            [false, true, true, false]
        );
        assert_eq!(whole("a | b. C\n\nd | e\n"), [false, false]);
        assert_eq!(whole("a & B. C \\\\\nd & E. F\n"), [true, false]);
        assert_eq!(
            whole("== ==\na  b\n== ==\nc  D. E\n== ==\n\nF. G\n"),
            [true, true, true, true, true, false]
        );
        assert_eq!(
            whole("= ==\na b\n= ==\nc D. E\n= ==\n\nF. G\n"),
            [true, true, true, true, true, false]
        );
        assert_eq!(whole("= = =\nD. E\n"), [false]);
    }
}
