//! The code blocks of reStructuredText, AsciiDoc, Org and LaTeX: no table begins in one.

use sectile_core::{Format, LATEX_VERBATIM, ORG_LITERAL};

use super::Lines;

/// Directives of reStructuredText whose content is code, or the source of a picture or a formula.
const DIRECTIVES: [&str; 16] = [
    "code",
    "code-block",
    "digraph",
    "doctest",
    "graphviz",
    "ipython",
    "math",
    "mermaid",
    "parsed-literal",
    "productionlist",
    "prompt",
    "raw",
    "sourcecode",
    "testcode",
    "testoutput",
    "uml",
];

/// The signs of which AsciiDoc's lines around code, other literal text and comments consist.
const DELIMITERS: [u8; 4] = *b"-.+/";

/// The attributes of a paragraph of AsciiDoc that is code.
const STYLES: [&str; 3] = ["[listing", "[literal", "[source"];

/// Returns the number of the line behind the code block that begins on a line, if one does. It may be behind the last
/// line.
pub(super) fn end(lines: &Lines<'_>, at: usize, format: Format) -> Option<usize> {
    match format {
        Format::Asciidoc => asciidoc(lines, at),
        Format::Latex => latex(lines, at),
        Format::Org => org(lines, at),
        Format::Rst => rst(lines, at),
        _ => None,
    }
}

/// Reads a directive with code, or a paragraph whose `::` says that code follows.
fn rst(lines: &Lines<'_>, at: usize) -> Option<usize> {
    let line = lines.source(at).trim_end();
    let text = behind_markers(line);
    let is_code = match text.strip_prefix(".. ") {
        Some(markup) => {
            let directive = markup.split_once("::");
            directive.is_some_and(|(name, _)| DIRECTIVES.contains(&name))
        }
        None => line.ends_with("::") && lines.line(at + 1).is_empty(),
    };
    let indent = line.len() - text.len();
    let is_within = |line: &str| {
        let text = line.trim_start();
        text.is_empty() || line.len() - text.len() > indent
    };
    is_code.then(|| lines.behind_source(at + 1, is_within))
}

/// Returns a line without its indentation and the markers of list items before its text.
fn behind_markers(line: &str) -> &str {
    let mut text = line.trim_start();
    while let Some((marker, rest)) = text.split_once(' ')
        && is_marker(marker)
    {
        text = rest.trim_start();
    }
    text
}

fn is_marker(word: &str) -> bool {
    let number = word.strip_suffix(['.', ')']).unwrap_or_default();
    let number = number.strip_prefix('(').unwrap_or(number);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number || number == "#" || matches!(word, "-" | "*" | "+")
}

fn asciidoc(lines: &Lines<'_>, at: usize) -> Option<usize> {
    let line = lines.source(at).trim_end();
    if STYLES.iter().any(|style| line.starts_with(style)) {
        // Other lines than those of a paragraph begin a block by themselves.
        let next = lines.line(at + 1);
        let is_paragraph = !next.starts_with(['[', '.', '-', '`', '+', '/']);
        return is_paragraph.then(|| lines.behind(at + 1, |line| !line.is_empty()));
    }
    let is_fence = line.starts_with("```") && !line.starts_with("````");
    let is_of = |sign: &u8| line.len() >= 4 && line.bytes().all(|byte| byte == *sign);
    let is_delimiter = DELIMITERS.iter().any(is_of) && !is_underline(lines, at, line.len());
    let end = if is_fence { "```" } else { line };
    let behind = || lines.behind_source(at + 1, |line| line.trim_end() != end);
    (is_fence || is_delimiter).then(|| behind() + 1)
}

/// Returns whether a line of some length is the one below a title of AsciiDoc, which begins a block and is as long.
fn is_underline(lines: &Lines<'_>, at: usize, length: usize) -> bool {
    let Some(above) = at.checked_sub(1) else {
        return false;
    };
    let title = lines.source(above).trim_end();
    let begins_block = above.checked_sub(1).is_none_or(|before| {
        let before = lines.line(before);
        before.is_empty() || before.starts_with('[')
    });
    begins_block
        && !title.starts_with(['.', '[', ' '])
        && title.contains(char::is_alphanumeric)
        && title.chars().count().abs_diff(length) <= 1
}

/// Reads a block of Org. One that is begun again before it ends is none.
fn org(lines: &Lines<'_>, at: usize) -> Option<usize> {
    let begun = block_name(lines.line(at), "#+begin_")?;
    let name = ORG_LITERAL
        .iter()
        .find(|name| begun.eq_ignore_ascii_case(name))?;
    let is_of = |line: &str, mark: &str| {
        block_name(line, mark).is_some_and(|other| other.eq_ignore_ascii_case(name))
    };
    let is_within = |line: &str| !is_of(line, "#+begin_") && !is_of(line, "#+end_");
    let end = lines.behind(at + 1, is_within);
    is_of(lines.line(end), "#+end_").then_some(end + 1)
}

/// Returns the name of the block of Org that a line begins or ends.
fn block_name<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let (start, rest) = line.split_at_checked(mark.len())?;
    let name = rest.split_whitespace().next();
    name.filter(|_| start.eq_ignore_ascii_case(mark))
}

fn latex(lines: &Lines<'_>, at: usize) -> Option<usize> {
    let line = Some(lines.line(at)).filter(|line| !line.starts_with('%'))?;
    let begun = line.split("\\begin{").skip(1);
    let mut names = begun.filter_map(|rest| rest.split_once('}'));
    let (name, rest) = names.find(|(name, _)| LATEX_VERBATIM.contains(name))?;
    let end = format!("\\end{{{name}}}");
    let behind = || lines.behind(at + 1, |line| !line.contains(&end)) + 1;
    (!rest.contains(&end)).then(behind)
}

#[cfg(test)]
mod tests {
    use sectile_core::Format;

    use super::super::tests::check;

    #[test]
    fn code_of_rst_has_no_tables() {
        let table = "=== ===\na   b\n=== ===\n1   2\n=== ===\n";
        let indented = |by: &str| table.replace('\n', &format!("\n{by}"));
        let found = ("a   b", "=== ===\n1   2\n=== ===\n");
        for before in [
            ".. code-block:: text\n   :linenos:\n\n",
            ".. parsed-literal::\n\n",
            "Like this::\n\n",
            "::\n\n",
        ] {
            let code = format!("{before}   {}", indented("   "));
            check(Format::Rst, &code, &[]);
            check(Format::Rst, &format!("{code}\n\n{table}"), &[found]);
        }
        // In a list, code is indented further than the text of the item.
        for marker in ["- ", "12. ", "#. "] {
            let by = " ".repeat(marker.len());
            let code = format!(
                "{marker}Like this::\n\n{by}  {}",
                indented(&format!("{by}  "))
            );
            check(Format::Rst, &code, &[]);
            let text = format!("{code}\n\n{by}{}", indented(&by));
            let rows = format!("{by}=== ===\n{by}1   2\n{by}=== ===\n");
            check(Format::Rst, &text, &[("a   b", &rows)]);
        }
        for before in [".. table:: Prices\n\n", ".. note::\n\n", "std::\n"] {
            let text = format!("{before}   {}", indented("   "));
            let rows = "   === ===\n   1   2\n   === ===\n";
            check(Format::Rst, &text, &[("a   b", rows)]);
        }
    }

    #[test]
    fn code_of_asciidoc_has_no_tables() {
        let table = "|===\n|a |b\n\n|1 |2\n|===\n";
        let found = ("|a |b", "\n|1 |2\n");
        for (begin, end) in [
            ("----\n", "----\n"),
            ("[source,asciidoc]\n------\n----\n", "------\n"),
            (".Code\n-----\n", "-----\n"),
            ("Text before\n-----\n", "-----\n"),
            ("....\n", "....\n"),
            ("++++\n", "++++\n"),
            ("////\n", "////\n"),
            ("```asciidoc\n", "```\n"),
        ] {
            let code = format!("{begin}{table}{end}");
            check(Format::Asciidoc, &code, &[]);
            check(Format::Asciidoc, &format!("{code}\n{table}"), &[found]);
        }
        check(Format::Asciidoc, "[source]\n|===\n|a |b\n\n|1 |2\n", &[]);
        check(Format::Asciidoc, &table.replace('|', " |"), &[]);
        for before in [
            "Prices\n------\n",
            "[[prices]]\nPrices\n++++++\n\n",
            "====\n",
            "[source,sh]\nls -l\n\n",
        ] {
            check(Format::Asciidoc, &format!("{before}{table}"), &[found]);
        }
    }

    #[test]
    fn code_of_org_has_no_tables() {
        let table = "| a | b |\n|---+---|\n| 1 | 2 |\n";
        let found = ("| a | b |", "|---+---|\n| 1 | 2 |\n");
        for (begin, end) in [
            ("#+begin_src org", "#+end_src"),
            ("  #+BEGIN_EXAMPLE", "  #+End_Example"),
            ("#+begin_comment\n#+end_src", "#+end_comment"),
        ] {
            let code = format!("{begin}\n{table}{end}\n");
            check(Format::Org, &code, &[]);
            check(Format::Org, &format!("{code}{table}"), &[found]);
        }
        for before in ["#+begin_quote\n", "#+begin_src\n"] {
            check(Format::Org, &format!("{before}{table}"), &[found]);
        }
        let again = format!("#+begin_src\n{table}#+begin_src\n{table}#+end_src\n");
        check(Format::Org, &again, &[found]);
    }

    #[test]
    fn code_of_latex_has_no_tables() {
        let table = "\\begin{tabular}{ll}\na & b \\\\\n\\midrule\n1 & 2 \\\\\n\\end{tabular}\n";
        let found = ("a & b \\\\", "\\midrule\n1 & 2 \\\\\n");
        for (begin, end) in [
            ("\\begin{verbatim}", "\\end{verbatim}"),
            ("\\begin{figure}\\begin{minted}{tex}", "\\end{minted}"),
            ("\\begin{sageblock}", "\\end{sageblock}"),
            (
                "\\begin{lstlisting}[language=TeX]\n\\begin{lstlisting}",
                "\\end{lstlisting}",
            ),
        ] {
            let code = format!("{begin}\n{table}{end}\n");
            check(Format::Latex, &code, &[]);
            check(Format::Latex, &format!("{code}{table}"), &[found]);
        }
        let commented = table.replace('\n', "\n% ");
        check(Format::Latex, &format!("% {commented}"), &[]);
        for before in [
            "\\begin{verbatim}a\\end{verbatim}\n",
            "\\begin{center}\n",
            "% \\begin{comment}\n",
        ] {
            check(Format::Latex, &format!("{before}{table}"), &[found]);
        }
    }
}
