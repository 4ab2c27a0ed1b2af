//! The lines and the titles of headings.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;
use sectile_core::Span;

/// Extends the span of a heading to whole lines.
///
/// A heading may be indented, even by tabs where its text follows a link definition.
pub(super) fn whole_lines(text: &str, span: Span) -> Span {
    let start = text[..span.start].trim_end_matches([' ', '\t']).len();
    let content = text[..span.end]
        .trim_end_matches(['\r', '\n'])
        .len()
        .max(start);
    let rest = &text[content..];
    let line = rest.find(['\r', '\n']).unwrap_or(rest.len());
    let newline = ["\r\n", "\n", "\r"]
        .into_iter()
        .find(|newline| rest[line..].starts_with(newline));
    Span::new(start, content + line + newline.map_or(0, str::len))
}

/// Returns the braces at the end of a heading's `source` that the parser took for attributes.
///
/// Braces without an id or a class are text: the `{id}` of `# GET /users/{id}`.
pub(super) fn braces_taken<'a>(source: &'a str, title: &str) -> &'a str {
    static BRACES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\s*(\{[^{}\n]+\})[ \t#]*(?:\r?\n[ \t]*(?:=+|-+)[ \t]*)?\r?\n?$")
            .expect("the pattern is a valid regular expression")
    });
    if !source.contains('{') {
        return "";
    }
    let Some(braces) = BRACES.captures(source).and_then(|found| found.get(1)) else {
        return "";
    };
    let (before, braces) = (&source[..braces.start()], braces.as_str());
    let kept = title.ends_with(braces) || braces.starts_with("{/*");
    match (kept, before.ends_with(' ')) {
        (true, _) => "",
        (false, true) => &source[before.len() - 1..before.len() + braces.len()],
        (false, false) => braces,
    }
}

/// Returns a title without the line of `=` that its `source` begins with: some write one above as well as below.
pub(super) fn without_overline<'a>(source: &str, title: &'a str) -> &'a str {
    let first = source.lines().next().unwrap_or_default().trim();
    let is_line = first.len() > 2 && first.bytes().all(|byte| byte == b'=');
    let below = title.strip_prefix(first).filter(|_| is_line);
    let below = below.filter(|below| !below.trim().is_empty());
    below.unwrap_or(title)
}

/// The longest title in characters.
const LONGEST_TITLE: usize = 1_000;

pub(super) fn clean(title: &str) -> String {
    static MDX_COMMENT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\{/\*.*?\*/\}\s*$").expect("the pattern is a valid regular expression")
    });
    let visible = title.replace(['\u{200b}', '\u{feff}'], "");
    let bare = if visible.contains("{/*") {
        MDX_COMMENT.replace(&visible, "")
    } else {
        Cow::Borrowed(visible.as_str())
    };
    let mut title = bare.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = title.char_indices().nth(LONGEST_TITLE) {
        title.truncate(end);
    }
    title
}
