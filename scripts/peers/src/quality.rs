//! What was cut that should be whole.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use serde_json::{Value, json};

/// Counts chunks, those that end in a heading, and the fences and tables of at most nine tenths of
/// `size` characters that are whole in no chunk.
pub(crate) fn of<'a>(
    documents: impl Iterator<Item = (&'a String, Vec<(usize, usize)>)>,
    size: usize,
) -> Value {
    let (mut chunks, mut bare, mut blocks, mut cut) = (0, 0, 0, 0);
    for (text, spans) in documents {
        chunks += spans.len();
        bare += spans
            .iter()
            .filter(|&&(start, end)| ends_in_heading(&text[start..end]))
            .count();
        for (start, end) in fences_and_tables(text) {
            if text[start..end].chars().count() <= size * 9 / 10 {
                blocks += 1;
                // Spans come in order, so those that may hold it are few.
                let first = spans.partition_point(|&(_, chunk_end)| chunk_end < end);
                let near = spans[first..].iter().take(8);
                cut += usize::from(
                    !near
                        .into_iter()
                        .any(|&(from, to)| from <= start && end <= to),
                );
            }
        }
    }
    json!({ "chunks": chunks, "bare headings": bare, "fences and tables": blocks, "cut": cut })
}

fn ends_in_heading(text: &str) -> bool {
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    last.starts_with('#') && last.trim_start_matches('#').starts_with(' ')
}

fn fences_and_tables(text: &str) -> Vec<(usize, usize)> {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
    let wanted = events.filter(|(event, _)| {
        matches!(
            event,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)) | Tag::Table(_))
        )
    });
    wanted
        .map(|(_, range)| (range.start, text[..range.end].trim_end().len()))
        .collect()
}
