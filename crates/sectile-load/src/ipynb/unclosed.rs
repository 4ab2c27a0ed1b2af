//! Blocks of Markdown that go on to the end of a cell: fences of code and HTML.

/// What blocks of HTML begin and end with whose lines are not Markdown, up to the end.
const BLOCKS: [(&str, &str); 7] = [
    ("<!--", "-->"),
    ("<![CDATA[", "]]>"),
    ("<?", "?>"),
    ("<pre", "</pre>"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<textarea", "</textarea>"),
];

/// A block that is not closed.
#[derive(Clone, Copy)]
enum Open<'t> {
    Fence(&'t str),
    Html(&'static str),
}

/// Returns the line that closes what a text opens and does not close.
pub(super) fn end(source: &str) -> Option<&str> {
    let mut open = None;
    for line in source.lines() {
        let content = line.trim_start_matches(' ');
        let is_indented = line.len() - content.len() >= 4;
        open = match open {
            Some(Open::Html(end)) => (!has(content, end)).then_some(Open::Html(end)),
            _ if is_indented => open,
            Some(Open::Fence(fence)) => (!closes(content, fence)).then_some(Open::Fence(fence)),
            None => begun(content),
        };
    }
    open.map(|open| match open {
        Open::Fence(fence) => fence,
        Open::Html(end) => end,
    })
}

/// Returns the block that a line begins and does not end.
fn begun(line: &str) -> Option<Open<'_>> {
    let html = BLOCKS.iter().find_map(|(start, end)| {
        let found = line.get(..start.len())?;
        let rest = &line[start.len()..];
        let is_word = start.ends_with(|last: char| last.is_ascii_lowercase());
        let is_begun =
            !is_word || !rest.starts_with(|next: char| !next.is_whitespace() && next != '>');
        (found.eq_ignore_ascii_case(start) && is_begun && !has(rest, end)).then_some(*end)
    });
    html.map(Open::Html)
        .or_else(|| fence(line).map(Open::Fence))
}

fn has(line: &str, end: &str) -> bool {
    line.to_ascii_lowercase()
        .contains(&end.to_ascii_lowercase())
}

/// Returns the marks of the fence that a line opens.
fn fence(line: &str) -> Option<&str> {
    let mark = line
        .chars()
        .next()
        .filter(|mark| matches!(mark, '`' | '~'))?;
    let info = line.trim_start_matches(mark);
    let length = line.len() - info.len();
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some(&line[..length])
}

fn closes(line: &str, fence: &str) -> bool {
    let line = line.trim_end();
    line.starts_with(fence) && line.trim_start_matches(&fence[..1]).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_and_html_are_closed() {
        let check = |source, expected| assert_eq!(end(source), expected, "{source}");
        check("# A\n\n<!-- note\n```\n", Some("-->"));
        check("<!-- a --> b\n<!-- c\n--> d", None);
        check("```html\n<!--\n```", None);
        check("~~~~\n```\n", Some("~~~~"));
        check("<PRE class=a>\n# b", Some("</pre>"));
        check("<script>a</SCRIPT>\n<?php", Some("?>"));
        check("<preface>\n    <!-- code", None);
    }
}
