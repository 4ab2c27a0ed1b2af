//! Targets of links in Markdown, as far as they say nothing: paths that lead from one page to another.

/// Endings of files that links lead to. Sorted.
const ENDINGS: &[&str] = &[
    "asp", "aspx", "gif", "htm", "html", "jpeg", "jpg", "jsp", "markdown", "md", "pdf", "php",
    "png", "rst", "svg", "txt", "webp", "xhtml",
];

/// Returns where the target of a link ends that begins in the signs from `at` to `end`, if it leads to a page
/// or a place of the same site. An address with a host is text that people search for.
pub(super) fn end_of_target(text: &str, at: usize, end: usize) -> Option<usize> {
    // Most signs are one or two, for which nothing is prepared as for a search in a long text.
    let mut signs = text.as_bytes()[at..end].windows("](".len());
    let start = at + signs.position(|two| two == b"](")? + "](".len();
    let mut depth = 0_usize;
    let is_last = |letter: char| {
        match letter {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            ')' | '[' | ']' => return true,
            _ => {}
        }
        letter.is_whitespace()
    };
    // A target has no bracket, so that none is read twice.
    let length = text[start..].find(is_last)?;
    is_relative(&text[start..start + length]).then_some(start + length)
}

fn is_relative(target: &str) -> bool {
    let target = target.trim_matches(['<', '>']);
    let path = target.split(['#', '?']).next().unwrap_or_default();
    let scheme = path.split('/').next().unwrap_or_default();
    let has_host = scheme.contains(':') || path.starts_with("//");
    let has_ending = path.rsplit_once('.').is_some_and(|(_, ending)| {
        let ending = ending.to_ascii_lowercase();
        ENDINGS.binary_search(&&*ending).is_ok()
    });
    !has_host && (target.starts_with('#') || path.contains('/') || has_ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_addresses_and_code() {
        assert!(ENDINGS.is_sorted());
        for target in [
            "#top",
            "library/html.parser.html#html.parser",
            "../a/b",
            "/docs/x",
            "page.md",
            "<a/b.md>",
        ] {
            assert!(is_relative(target), "{target}");
        }
        for target in [
            "https://example.org/a.html",
            "//example.org/a",
            "mailto:a@b.org",
            "event",
            "self.url",
            "1",
            "",
        ] {
            assert!(!is_relative(target), "{target}");
        }
    }
}
