//! The part of a document that is shown. A browser gets only as much as it can draw at once.

use sectile::StoredDocument;
use sectile::core::Span;

use crate::picture::Cut;

/// How many bytes of text are shown.
const BYTES: usize = 40_000;

/// How many chunks are shown.
const CHUNKS: usize = 800;

/// How far a window may begin or end from a line's beginning.
const LINE: usize = 2_000;

/// How far back the previous window begins. Both of its ends may move to the beginning of a line, so it
/// overlaps a little to leave no gap.
const BACK: usize = BYTES - 3 * LINE;

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

/// Moves the end of a window so that it has few enough chunks.
fn few_chunks(cut: &Cut, start: usize, end: usize) -> usize {
    let first = cut.chunks.partition_point(|chunk| chunk.span.start < start);
    let beyond = cut.chunks.get(first + CHUNKS);
    beyond.map_or(end, |chunk| end.min(chunk.span.start))
}

/// Returns where a window begins that reaches to the beginning of this one, if there is any before it.
pub(crate) fn before(text: &str, cut: Option<&Cut>, window: Span) -> Option<usize> {
    let far = text.floor_char_boundary(window.start.saturating_sub(BACK));
    let start = line_before(text, far).unwrap_or(far);
    let start = cut.map_or(start, |cut| start.max(chunks_before(cut, window.start)));
    (window.start > 0).then_some(start)
}

/// Returns where the first of the chunks begins that fit between it and `end`.
fn chunks_before(cut: &Cut, end: usize) -> usize {
    let after = cut.chunks.partition_point(|chunk| chunk.span.start < end);
    let first = after.checked_sub(CHUNKS).and_then(|at| cut.chunks.get(at));
    first.map_or(0, |chunk| chunk.span.start)
}

/// Returns the beginning of the line with the byte at `at`, if it is close.
fn line_before(text: &str, at: usize) -> Option<usize> {
    let near = text.floor_char_boundary(at.saturating_sub(LINE));
    let line = text[near..at].rfind('\n').map(|line| near + line + 1);
    line.or((near == 0).then_some(0))
}

/// Returns the section with a byte.
pub(crate) fn section(stored: &StoredDocument, at: usize) -> usize {
    let after = stored.spans.partition_point(|span| span.start <= at);
    after.saturating_sub(1)
}

/// Returns the span of some lines of a text, or `None` if it has fewer.
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
    use sectile::core::Lines;

    use super::*;
    use crate::picture::CutMark;

    #[test]
    fn windows_follow_each_other_to_the_end() {
        let text = ["ä line of text\n".repeat(9_000), "x".repeat(100_000)].concat();
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

    /// Returns chunks of a number of bytes, each of which overlaps the one before it.
    fn chunks(text: &str, bytes: usize) -> Cut {
        let mut chunks = Vec::new();
        let mut start = 0;
        while start < text.len() {
            let end = (start + bytes + 1).min(text.len());
            let span = Span::new(start, text.ceil_char_boundary(end));
            let lines = Lines { first: 1, last: 1 };
            chunks.push(CutMark {
                span,
                lines,
                size: span.len(),
            });
            start = text.ceil_char_boundary((start + bytes).min(text.len()));
        }
        let unit = "characters";
        Cut { unit, chunks }
    }

    #[test]
    fn the_way_back_from_the_end_leaves_nothing_out() {
        let mixed = [("ä line of text\n", 6_000), ("ü", 60_000), ("\n\n", 9_000)];
        let mixed: String = mixed.map(|(part, times)| part.repeat(times)).concat();
        let lines = format!("{}\n", "long line ".repeat(190)).repeat(60);
        for text in [mixed, lines, "short\n".to_owned()] {
            let cuts = [3, 40, 1_000].map(|bytes| Some(chunks(&text, bytes)));
            for cut in cuts.iter().map(Option::as_ref).chain([None]) {
                let mut window = at(&text, cut, text.len());
                while let Some(start) = before(&text, cut, window) {
                    let earlier = at(&text, cut, start);
                    assert!(earlier.start < window.start && earlier.len() <= BYTES);
                    assert!(earlier.end >= window.start, "{earlier:?} {window:?}");
                    window = earlier;
                }
                assert_eq!(window.start, 0);
            }
        }
    }

    #[test]
    fn a_window_before_begins_with_a_line() {
        let text = "a line of text\n".repeat(9_000);
        let window = at(&text, None, 100_000);
        let earlier = before(&text, None, window).unwrap();
        assert!(text[..earlier].ends_with('\n') && window.start - earlier > BYTES / 2);
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
