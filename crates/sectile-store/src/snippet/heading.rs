//! The heading that a text begins with, which a snippet leaves out.

use super::tokens::Syntax;

/// Leaves out the heading that a text begins with, unless there is nothing else.
pub(super) fn without_heading(text: &str, syntax: Syntax) -> &str {
    let lines = text
        .split_inclusive('\n')
        .take(lines_of_heading(text, syntax));
    let length: usize = lines.map(str::len).sum();
    let rest = &text[length..];
    if rest.trim().is_empty() { text } else { rest }
}

/// Counts the lines of the heading that a text begins with: one with number signs or tags in Markdown, or one with a line
/// of signs below it, and maybe another above it.
fn lines_of_heading(text: &str, syntax: Syntax) -> usize {
    let mut lines = text.lines();
    let [first, second, third] = std::array::from_fn(|_| lines.next().unwrap_or_default());
    let is_rule = |line: &str| is_rule(line, syntax);
    let is_title = |line: &str| line.contains(char::is_alphanumeric);
    match syntax {
        Syntax::Code => 0,
        Syntax::Markdown if first.starts_with('#') || is_in_tags(first) => 1,
        _ if is_rule(first) && is_title(second) && is_rule(third) => 3,
        _ if is_title(first) && is_rule(second) => 2,
        _ => 0,
    }
}

/// Returns whether a line is one heading in HTML.
fn is_in_tags(line: &str) -> bool {
    let line = line.trim().to_ascii_lowercase();
    let level = line.strip_prefix("<h").and_then(|rest| rest.chars().next());
    level.filter(char::is_ascii_digit).is_some_and(|level| {
        let parts = line.split_once(&format!("</h{level}>"));
        parts.is_some_and(|(_, behind)| behind.is_empty())
    })
}

/// Returns whether a line consists of one repeated character, such as the line below a title.
fn is_rule(line: &str, syntax: Syntax) -> bool {
    let signs = if syntax == Syntax::Markdown {
        "=-"
    } else {
        "=-~^*+#\"'`"
    };
    let line = line.trim_end();
    let sign = line.chars().next().filter(|sign| signs.contains(*sign));
    line.len() > 1 && sign.is_some_and(|sign| line.chars().all(|other| other == sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_line_that_is_one_heading_in_html_is_left_out() {
        for (text, rest) in [
            ("<h2 id=a>Reading</h2>\n\nMore.", "\nMore."),
            ("<H1>Reading</H1>\nMore.", "More."),
            ("<hr>Reading</hr>\nMore.", "<hr>Reading</hr>\nMore."),
            (
                "<h2>Reading</h2> A text. <h2>Writing</h2>\nMore.",
                "<h2>Reading</h2> A text. <h2>Writing</h2>\nMore.",
            ),
            ("<h2>Reading</h2>", "<h2>Reading</h2>"),
        ] {
            assert_eq!(without_heading(text, Syntax::Markdown), rest);
        }
    }
}
