//! The tables of reStructuredText, AsciiDoc, Org and LaTeX, by their heads.

mod code_blocks;

use sectile_core::{Format, Span};

use crate::markdown::{Table, names};

/// How many lines a head has at most.
const HEAD_LINES: usize = 8;

/// Environments of LaTeX that are tables.
const TABULARS: [&str; 7] = [
    "\\begin{longtable",
    "\\begin{longtblr",
    "\\begin{supertabular",
    "\\begin{tabular",
    "\\begin{tabu}",
    "\\begin{tblr",
    "\\begin{xltabular",
];

/// What ends an environment of LaTeX.
const END: &str = "\\end{";

/// Commands of LaTeX below the head of a table.
const RULES: [&str; 5] = [
    "\\endfirsthead",
    "\\endhead",
    "\\hline",
    "\\midrule",
    "\\specialrule",
];

/// Finds the tables in a text of a format that keeps its source, in its order: those of reStructuredText, AsciiDoc, Org
/// and LaTeX whose columns have names. Code blocks have no tables, and neither have other formats.
///
/// ```
/// use sectile_chunk::markup_tables;
/// use sectile_core::Format;
///
/// let text = "| name | price |\n|------+-------|\n| tea  | 2     |\n";
/// let tables = markup_tables(text, Format::Org);
/// assert_eq!(tables[0].head.of(text), "| name | price |");
/// assert_eq!(tables[0].rows.of(text), "|------+-------|\n| tea  | 2     |\n");
/// ```
pub fn markup_tables(text: &str, format: Format) -> Vec<Table> {
    let find = match format {
        Format::Asciidoc => Lines::asciidoc,
        Format::Latex => Lines::latex,
        Format::Org => Lines::org,
        Format::Rst => Lines::rst,
        _ => return Vec::new(),
    };
    let mut start = 0;
    let spans = text.split_inclusive('\n').map(|line| {
        let span = Span::new(start, start + line.len());
        start = span.end;
        span
    });
    let lines = Lines {
        text,
        spans: spans.collect(),
    };
    let mut tables = Vec::new();
    let mut at = 0;
    while at < lines.spans.len() {
        if let Some(end) = code_blocks::end(&lines, at, format) {
            at = end;
            continue;
        }
        let (table, end) = find(&lines, at);
        tables.extend(table);
        at = end.max(at + 1);
    }
    tables
}

/// The lines of a text.
struct Lines<'a> {
    text: &'a str,
    spans: Vec<Span>,
}

/// A table, if one begins at a line, and the number of the line behind what was read.
type Found = (Option<Table>, usize);

impl<'a> Lines<'a> {
    /// Returns a line as it is written; behind the last, all are empty.
    fn source(&self, at: usize) -> &'a str {
        let span = self.spans.get(at).copied().unwrap_or_default();
        span.of(self.text)
    }

    /// Returns a line without the white space around it.
    fn line(&self, at: usize) -> &'a str {
        self.source(at).trim()
    }

    /// Returns the number of the first line from `at` on that is not as wanted, without the white space around it.
    fn behind(&self, at: usize, is_wanted: impl Fn(&str) -> bool) -> usize {
        self.behind_source(at, |line| is_wanted(line.trim()))
    }

    /// Returns the number of the first line from `at` on that is not written as wanted.
    fn behind_source(&self, at: usize, is_wanted: impl Fn(&str) -> bool) -> usize {
        let rest = self.spans.len().saturating_sub(at);
        at + (0..rest)
            .take_while(|line| is_wanted(self.source(at + line)))
            .count()
    }

    /// Makes a table of the lines of its head, from one number to another, and of those of its rows.
    fn table(&self, head: (usize, usize), rows: (usize, usize)) -> Option<Table> {
        let span = |(first, end): (usize, usize)| {
            let last = end.checked_sub(1).filter(|last| *last >= first)?;
            Some(Span::new(
                self.spans.get(first)?.start,
                self.spans.get(last)?.end,
            ))
        };
        let lines = head.1.saturating_sub(head.0);
        let head = names(self.text, span(head).filter(|_| lines <= HEAD_LINES)?);
        let rows = span(rows)?;
        let is_named = head.of(self.text).contains(char::is_alphanumeric);
        is_named.then_some(Table { head, rows })
    }

    fn org(&self, at: usize) -> Found {
        let end = self.behind(at, |line| line.starts_with('|'));
        let is_rule = |at: &usize| self.line(*at).starts_with("|-");
        let head = (at..end).find(|at| !is_rule(at));
        let rule = head.and_then(|head| (head..end).find(is_rule));
        let table = head
            .zip(rule)
            .and_then(|(head, rule)| self.table((head, rule), (rule, end)));
        (table, end)
    }

    fn rst(&self, at: usize) -> Found {
        let line = self.line(at);
        if line.starts_with("+-") && line.bytes().all(|byte| matches!(byte, b'+' | b'-')) {
            return self.grid(at);
        }
        if is_border(line) {
            return self.simple(at);
        }
        (None, at + 1)
    }

    /// Reads a table of reStructuredText whose cells are drawn.
    fn grid(&self, at: usize) -> Found {
        let end = self.behind(at, |line| line.starts_with(['+', '|']));
        let rule = (at..end).find(|at| self.line(*at).starts_with("+="));
        let table = rule.and_then(|rule| self.table((at + 1, rule), (rule, end)));
        (table, end)
    }

    /// Reads a table of reStructuredText whose columns alone are drawn. The one below its head stands above a row.
    fn simple(&self, at: usize) -> Found {
        let rule = self.behind(at + 1, |line| !is_border(line));
        if self.line(rule + 1).is_empty() {
            return (None, rule + 1);
        }
        let end = self.behind(rule + 1, |line| !is_border(line)) + 1;
        let end = end.min(self.spans.len());
        (self.table((at + 1, rule), (rule, end)), end)
    }

    fn asciidoc(&self, at: usize) -> Found {
        const MARK: &str = "|===";
        // An indented line is literal text.
        if self.source(at).trim_end() != MARK {
            return (None, at + 1);
        }
        let end = self.behind(at + 1, |line| line != MARK);
        let first = self.behind(at + 1, str::is_empty);
        let options = at.checked_sub(1).map_or("", |above| self.line(above));
        let is_said = options.starts_with('[') && options.contains("header");
        let is_apart = first == at + 1 && self.line(first + 1).is_empty();
        let is_of_values = options.starts_with('[') && options.contains("format=");
        let behind = if is_of_values || self.line(first).matches('|').count() > 1 {
            first + 1
        } else {
            self.behind(first, |line| !line.is_empty() && line != MARK)
        };
        let table = (is_said || is_apart).then(|| self.table((first, behind), (behind, end)));
        (table.flatten(), end + 1)
    }

    fn latex(&self, at: usize) -> Found {
        let line = self.line(at);
        if line.starts_with('%') {
            return (None, at + 1);
        }
        let begin = TABULARS.iter().find_map(|begin| line.find(begin));
        let opened = begin.map_or("", |begin| &line[begin..]);
        if ends(opened) >= begins(opened) {
            return (None, at + 1);
        }
        // A cell may have a table of its own, on its line.
        let is_within = |line: &str| ends(line) <= begins(line);
        let mut end = self.behind(at + 1, is_within);
        if end < self.spans.len() && !self.line(end).starts_with(END) {
            end += 1;
        }
        let first = self.behind(at + 1, |line| is_within(line) && !line.contains('&'));
        let has_rule = |line: &str| RULES.iter().any(|rule| line.contains(rule));
        let last = self.behind(first, |line| is_within(line) && !has_rule(line));
        let is_rule = |line: &str| RULES.iter().any(|rule| line.starts_with(rule));
        // A rule may stand on the line of the row.
        let behind = if last > first && is_rule(self.line(last)) {
            last
        } else {
            last + 1
        };
        let table = (behind < end).then(|| self.table((first, behind), (behind, end)));
        (table.flatten(), end)
    }
}

/// Returns how many environments of LaTeX begin on a line.
fn begins(line: &str) -> usize {
    line.matches("\\begin{").count()
}

/// Returns how many environments of LaTeX end on a line.
fn ends(line: &str) -> usize {
    line.matches(END).count()
}

/// Returns whether a line is a border of a table of reStructuredText that draws its columns alone: `=== ===`. One of single
/// signs, `= = =`, may be a line that parts texts of any format.
pub(crate) fn is_border(line: &str) -> bool {
    line.starts_with('=')
        && line.contains(' ')
        && line.contains("==")
        && line.bytes().all(|byte| matches!(byte, b'=' | b' '))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::check_tables;

    pub(super) fn check(format: Format, text: &str, expected: &[(&str, &str)]) {
        check_tables(text, &markup_tables(text, format), expected);
    }

    #[test]
    fn tables_of_org_have_heads_above_a_rule() {
        check(
            Format::Org,
            "* A\n|---+---|\n| a | b |\n|---+---|\n| 1 | 2 |\n\n| 3 | 4 |\n| 5 | 6 |\n",
            &[("| a | b |", "|---+---|\n| 1 | 2 |\n")],
        );
        check(
            Format::Org,
            "  | a | b |\n  |-\n  | 1 | 2 |",
            &[("| a | b |", "  |-\n  | 1 | 2 |")],
        );
    }

    #[test]
    fn tables_of_rst_have_heads_above_double_lines() {
        check(
            Format::Rst,
            "+---+---+\n| a | b |\n| c |   |\n+===+===+\n| 1 | 2 |\n+---+---+\n\nText.\n\n+---+\n| 1 |\n+---+\n",
            &[("| a | b |\n| c |   |", "+===+===+\n| 1 | 2 |\n+---+---+\n")],
        );
        check(
            Format::Rst,
            "=== ===\na   b\n=== ===\n1   2\n\n3   4\n=== ===\n\nText.\n\n== ==\n1  2\n== ==\n\n== ==\nc  d\n== ==\n5  6\n== ==\n",
            &[
                ("a   b", "=== ===\n1   2\n\n3   4\n=== ===\n"),
                ("c  d", "== ==\n5  6\n== ==\n"),
            ],
        );
        check(
            Format::Rst,
            "= ==\na b\n= ==\n1 2\n= ==\n\n= = =\nText.\n= = =\nText.\n= = =\n",
            &[("a b", "= ==\n1 2\n= ==\n")],
        );
    }

    #[test]
    fn tables_of_asciidoc_have_heads_on_a_line_or_by_an_option() {
        check(
            Format::Asciidoc,
            ".T\n|===\n|a |b\n\n|1 |2\n|===\n\n|===\n|3 |4\n|5 |6\n|===\n",
            &[("|a |b", "\n|1 |2\n")],
        );
        check(
            Format::Asciidoc,
            "[%header,cols=2*]\n|===\n|a\n|b\n\n|1\n|2\n|===\n",
            &[("|a\n|b", "\n|1\n|2\n")],
        );
        check(
            Format::Asciidoc,
            "[options=\"header\"]\n|===\n|a |b\n|1 |2\n|===\n",
            &[("|a |b", "|1 |2\n")],
        );
    }

    #[test]
    fn tables_of_asciidoc_may_be_values_between_commas() {
        check(
            Format::Asciidoc,
            "[%header,format=csv]\n|===\na,b\n1,2\n3,4\n|===\n",
            &[("a,b", "1,2\n3,4\n")],
        );
    }

    #[test]
    fn tables_of_latex_have_heads_above_a_rule() {
        check(
            Format::Latex,
            "\\begin{tabular}{ll}\n\\toprule\n & \\multicolumn{1}{c}{b} \\\\\n\\cmidrule{2-2}\na & c \\\\\n\\midrule\n1 & 2 \\\\\n\\end{tabular}\nText.\n",
            &[(
                "& \\multicolumn{1}{c}{b} \\\\\n\\cmidrule{2-2}\na & c \\\\",
                "\\midrule\n1 & 2 \\\\\n",
            )],
        );
        check(
            Format::Latex,
            "\\begin{longtable}{ll}\na & b \\\\ \\hline\n1 & 2 \\\\ \\hline\n\\end{longtable}\n\\begin{tabular}{l}\n1 & 2 \\\\\n3 & 4\n\\end{tabular}\n",
            &[("a & b \\\\ \\hline", "1 & 2 \\\\ \\hline\n")],
        );
        check(
            Format::Latex,
            "\\begin{tabularx}{1cm}{ll}\n\\hline a & b \\\\ \\hline\n1 & 2 \\\\\n\\end{tabularx}\n",
            &[("\\hline a & b \\\\ \\hline", "1 & 2 \\\\\n")],
        );
    }

    #[test]
    fn tables_of_latex_end_where_their_environment_does() {
        check(
            Format::Latex,
            "\\end{center} \\begin{tabular}{ll}\na & b \\\\\n\\midrule\n1 & 2 \\\\ \\end{tabular}\nText.\n\\begin{center}\nx\n\\end{center}\n",
            &[("a & b \\\\", "\\midrule\n1 & 2 \\\\ \\end{tabular}\n")],
        );
        check(
            Format::Latex,
            "\\begin{tabular}{ll}\n\\begin{tabular}{l}a\\\\b\\end{tabular} & c \\\\\n\\midrule\n1 & 2 \\\\\n\\end{tabular}\n",
            &[(
                "\\begin{tabular}{l}a\\\\b\\end{tabular} & c \\\\",
                "\\midrule\n1 & 2 \\\\\n",
            )],
        );
        check(
            Format::Latex,
            "\\begin{tabular}{ll} a & b \\\\ 1 & 2 \\end{tabular}\nText & c \\\\\n\\hline\nx\n\\end{document}\n",
            &[],
        );
    }

    #[test]
    fn other_texts_have_none() {
        for format in [Format::Asciidoc, Format::Latex, Format::Org, Format::Rst] {
            for text in [
                "",
                "Text.\n",
                "|",
                "|===",
                "+--+",
                "== ==",
                "\\begin{tabular}",
                "&",
                "Text::\n",
                ".. code::",
                "- - - -",
                "----",
                "[source]",
                "#+begin_src",
                "\\begin{verbatim}",
            ] {
                check(format, text, &[]);
                markup_tables(&format!("{text}\n").repeat(20_000), format);
            }
        }
        check(Format::Markdown, "| a |\n|-\n| 1 |\n", &[]);
    }
}
