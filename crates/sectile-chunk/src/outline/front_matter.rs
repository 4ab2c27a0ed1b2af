//! The front matter of Markdown.

use sectile_core::Span;

use crate::line_run::with_newlines;

/// Returns the span of the YAML text inside a leading `---` block or of the TOML text inside a
/// leading `+++` block, fences excluded.
///
/// A YAML block ends at a line `---` or `...`. It has to be empty, to begin with a `key:` line
/// (comments and blank lines aside), or to hold comments without a blank line between them:
/// otherwise the dashes are a thematic break, and what follows may be a setext heading. A TOML block
/// ends at a line `+++`.
///
/// ```
/// let text = "---\ntitle: Guide\n---\n# Guide\n";
/// let yaml = sectile_chunk::front_matter(text).map(|span| span.of(text));
/// assert_eq!(yaml, Some("title: Guide\n"));
/// ```
pub fn front_matter(text: &str) -> Option<Span> {
    metadata_block(text).map(|(inner, _)| inner)
}

/// Returns where the leading YAML (`---`) or TOML (`+++`) block ends, 0 when there is none.
pub(super) fn metadata_end(text: &str) -> usize {
    metadata_block(text).map_or(0, |(_, end)| end)
}

/// Returns the span inside the leading YAML or TOML block, and where the block ends.
fn metadata_block(text: &str) -> Option<(Span, usize)> {
    if !text.starts_with("---") && !text.starts_with("+++") {
        return None;
    }
    let text = &*with_newlines(text);
    let yaml =
        fenced(text, "---", &["---", "..."]).filter(|(inner, _)| looks_like_yaml(inner.of(text)));
    yaml.or_else(|| fenced(text, "+++", &["+++"]))
}

/// Returns the span between a first line `open` and the next line in `close`, and where the
/// latter ends.
fn fenced(text: &str, open: &str, close: &[&str]) -> Option<(Span, usize)> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next()?;
    if first.trim_end() != open || !first.ends_with('\n') {
        return None;
    }
    let mut at = first.len();
    for line in lines {
        if close.contains(&line.trim_end()) {
            return Some((Span::new(first.len(), at), at + line.len()));
        }
        at += line.len();
    }
    None
}

fn looks_like_yaml(inner: &str) -> bool {
    // Comments alone with blank lines between them are headings between thematic breaks.
    let has_no_gaps =
        || inner.trim().is_empty() || !inner.lines().any(|line| line.trim().is_empty());
    inner
        .lines()
        .find(|line| is_content(line))
        .map_or_else(has_no_gaps, is_key)
}

/// Returns whether a line is neither blank nor a comment of YAML.
pub(super) fn is_content(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with('#')
}

/// Returns whether a line has a key of YAML: `key:` or `key: value`.
pub(super) fn is_key(line: &str) -> bool {
    let ends = |key: &str| key.is_empty() || key.starts_with([' ', '\t']);
    line.trim_end().split(':').skip(1).any(ends)
}
