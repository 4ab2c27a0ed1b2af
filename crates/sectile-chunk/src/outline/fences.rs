//! Code fences that hide headings.

use super::front_matter::metadata_end;
use super::markdown_outline;
use crate::line_run::{Fence, Kind, Line, LineRuns, opening_fence, with_newlines};
use crate::mdx;

/// A code fence that no line closes, so that all that follows is code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnclosedFence {
    /// The line that opens it, from 1.
    pub line: usize,
    /// The number of headings that would follow if the line were not there. There is at least one.
    pub headings: usize,
}

impl UnclosedFence {
    /// Finds the code fence of a `CommonMark` text that goes on to its end and hides headings.
    ///
    /// ```
    /// use sectile_chunk::{UnclosedFence, markdown_outline};
    ///
    /// let text = "# One\n\n```sh\nls\n\n# Two\n";
    /// assert_eq!(markdown_outline(text).len(), 1);
    /// assert_eq!(UnclosedFence::of(text), Some(UnclosedFence { line: 3, headings: 1 }));
    /// assert_eq!(UnclosedFence::of("```sh\nls\n```\n\n# Two\n"), None);
    /// ```
    pub fn of(text: &str) -> Option<Self> {
        if !has_marks(text) {
            return None;
        }
        let text = &*with_newlines(text);
        let last = LineRuns::new(text, metadata_end(text)).last()?;
        if last.kind != Kind::Fence {
            return None;
        }
        let (start, end) = unclosed(last.span.of(text))?;
        let headings = markdown_outline(&text[last.span.start + end..]).len();
        let before = &text.as_bytes()[..last.span.start + start];
        (headings > 0).then(|| Self {
            line: memchr::memchr_iter(b'\n', before).count() + 1,
            headings,
        })
    }

    /// Finds that of a text in MDX.
    pub fn of_mdx(text: &str) -> Option<Self> {
        if !has_marks(text) {
            return None;
        }
        Self::of(&mdx::as_markdown(text, metadata_end(text)))
    }
}

/// Returns whether a text has the marks of a code fence anywhere.
fn has_marks(text: &str) -> bool {
    let has = |marks: &str| memchr::memmem::find(text.as_bytes(), marks.as_bytes()).is_some();
    has("```") || has("~~~")
}

/// Returns where the first line of a code fence begins and ends, if no other one closes the fence. Blank lines may stand
/// before it.
fn unclosed(run: &str) -> Option<(usize, usize)> {
    let mut opened: Option<(Fence, (usize, usize))> = None;
    let mut at = 0;
    while let Some(line) = Line::read(&run[at..]) {
        let start = at;
        at += line.length;
        match opened {
            Some((fence, _)) if fence.is_closed_by(&line) => return None,
            None if !line.is_blank() => opened = Some((opening_fence(line.content)?, (start, at))),
            _ => {}
        }
    }
    opened.map(|(_, line)| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(usize, usize)>) {
        let found = UnclosedFence::of(text).map(|of| (of.line, of.headings));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_fence_that_nothing_closes_is_found_where_it_hides_headings() {
        check("# A\n\n```\nx\n\n## B\n\nC\n---\n", Some((3, 2)));
        check("\n~~~ md\n```\n# A\n```\n# B\n", Some((2, 1)));
        check("---\na: b\n---\n```\n# B\n", Some((4, 1)));
        check("```\rx\r# B\r", Some((1, 1)));
        // The first line has a backtick behind its marks, and so is none; the last one opens a fence.
        let smart =
            "# A\n\n````smart header=\"`f(x)`\"\nText.\n````\n\n## B\n\n```js\n# x\n```\n\n## C\n";
        check(smart, Some((5, 2)));
    }

    #[test]
    fn other_fences_hide_nothing() {
        for text in [
            "",
            "# A\n",
            "```\n# B\n```\n\n# C\n",
            "```\n# B\n````\n",
            "# A\n\n```\nno heading\n",
            "> ```\n> x\n\n# B\n",
            "- ```\n  x\n\n# B\n",
            "    ```\n\n# B\n",
            "```",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn mdx_has_no_code_by_its_indentation() {
        let text = "    ```\n    x\n    # B\n";
        assert_eq!(UnclosedFence::of(text), None);
        let found = UnclosedFence::of_mdx(text).map(|of| of.line);
        assert_eq!(found, Some(1));
    }
}
