//! Which part of a document is shown: a browser gets no more than it can draw at once.

use sectile::StoredDocument;
use sectile::core::Span;

use crate::picture::Cut;

/// How many bytes of text are shown.
const BYTES: usize = 40_000;

/// How many chunks are shown.
const CHUNKS: usize = 800;

/// How far a window may begin from a line's beginning.
const LINE: usize = 2_000;

/// Returns the part of a text that begins at `start` and is shown at once.
pub(crate) fn at(text: &str, cut: Option<&Cut>, start: usize) -> Span {
    let start = text.floor_char_boundary(start);
    let far = text.floor_char_boundary(start + BYTES);
    let end = if far == text.len() {
        far
    } else {
        line_before(text, far)
            .filter(|&line| line > start)
            .unwrap_or(far)
    };
    let end = cut.map_or(end, |cut| few_chunks(cut, start, end));
    // At least a character, or there would be no end of windows.
    Span::new(
        start,
        end.max(text.ceil_char_boundary((start + 1).min(text.len()))),
    )
}

/// Moves the end of a window to where it holds few enough chunks.
fn few_chunks(cut: &Cut, start: usize, end: usize) -> usize {
    let first = cut.chunks.partition_point(|chunk| chunk.span.start < start);
    let beyond = cut.chunks.get(first + CHUNKS);
    beyond.map_or(end, |chunk| end.min(chunk.span.start))
}

/// Returns where the window before one begins, if there is any.
pub(crate) fn before(text: &str, window: Span) -> Option<usize> {
    let far = text.floor_char_boundary(window.start.saturating_sub(BYTES));
    let start = if far == 0 {
        0
    } else {
        line_before(text, far).unwrap_or(far)
    };
    (window.start > 0).then_some(start)
}

/// Returns the beginning of the line that holds the byte at `at`, if it is not far.
fn line_before(text: &str, at: usize) -> Option<usize> {
    let near = text.floor_char_boundary(at.saturating_sub(LINE));
    text[near..at].rfind('\n').map(|line| near + line + 1)
}

/// Returns the section that holds a byte.
pub(crate) fn section(stored: &StoredDocument, at: usize) -> usize {
    let after = stored.spans.partition_point(|span| span.start <= at);
    after.saturating_sub(1)
}

/// Returns where some lines of a text stand; nothing if it has fewer.
pub(crate) fn of_lines(text: &str, first: usize, last: usize) -> Option<Span> {
    let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    let mut starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
    let start = starts.nth(first.checked_sub(1)?)?;
    let end = starts.nth(last.checked_sub(first)?).unwrap_or(text.len());
    (start < end).then_some(Span::new(start, end))
}

/// Returns where to begin, so that a passage of a section is shown: with the section, if it can be.
pub(crate) fn near(section: usize, passage: Span) -> usize {
    let shows = (section..section + BYTES / 2).contains(&passage.start);
    if shows { section } else { passage.start }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_follow_each_other_to_the_end() {
        let text = "ä line of text\n".repeat(9_000) + &"x".repeat(100_000);
        let (mut start, mut windows) = (0, 0);
        while start < text.len() {
            let window = at(&text, None, start);
            assert!(window.len() <= BYTES && window.end > start);
            assert!(text.is_char_boundary(window.end));
            start = window.end;
            windows += 1;
        }
        assert_eq!(windows, text.len().div_ceil(BYTES));
    }

    #[test]
    fn the_window_before_reaches_back_to_the_beginning() {
        let text = "a line of text\n".repeat(9_000);
        let window = at(&text, None, 100_000);
        let earlier = before(&text, window).unwrap();
        assert!(window.start - earlier <= BYTES + LINE && text[..earlier].ends_with('\n'));
        assert_eq!(before(&text, at(&text, None, 0)), None);
    }

    #[test]
    fn lines_are_found_by_their_numbers() {
        let text = "a\nbc\nd";
        assert_eq!(of_lines(text, 2, 2), Some(Span::new(2, 5)));
        assert_eq!(of_lines(text, 1, 3), Some(Span::new(0, 6)));
        assert_eq!(of_lines(text, 4, 5), None);
        assert_eq!(of_lines(text, 3, 2), None);
        assert_eq!(of_lines(text, 0, 2), None);
    }
}
