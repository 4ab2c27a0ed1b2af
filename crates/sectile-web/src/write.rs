//! How numbers, sizes, times and names are written.

use std::time::{Duration, UNIX_EPOCH};

use maud::{Markup, html};
use sectile::core::{Lines, Pages, Span};

/// The end of the year 9999, after which a date has no four digits for its year.
const LAST_WRITABLE: u64 = 253_402_300_800_000;

/// Writes a number with thin gaps between its thousands.
pub(crate) fn count(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut written = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            written.push('\u{202f}');
        }
        written.push(digit);
    }
    written
}

/// Writes a number with what it counts: `1 chunk`, `2 chunks`.
pub(crate) fn counted(number: usize, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {what}{ending}", count(number))
}

/// Writes a number of bytes.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// Writes the lines and pages of a passage.
pub(crate) fn place(lines: Lines, pages: Option<Pages>) -> String {
    let lines = if lines.first == lines.last {
        format!("line {lines}")
    } else {
        format!("lines {lines}")
    };
    match pages {
        Some(pages) => format!("{lines}, p. {pages}"),
        None => lines,
    }
}

/// Writes milliseconds since 1970 as a date and a time of day.
pub(crate) fn time(milliseconds: u64) -> Markup {
    let since = UNIX_EPOCH.checked_add(Duration::from_millis(milliseconds));
    let Some(time) = since.filter(|_| milliseconds < LAST_WRITABLE) else {
        return html! { (milliseconds) " ms" };
    };
    let full = humantime::format_rfc3339_seconds(time).to_string();
    let shown = full.replace('T', " ").replace('Z', "");
    let shown = shown.get(..16).unwrap_or(&shown);
    html! { time datetime=(full) title=(full) { (shown) } }
}

/// Writes headings from the root to a section.
pub(crate) fn path(headings: &[String]) -> Markup {
    html! {
        @for (at, heading) in headings.iter().enumerate() {
            @if at > 0 { span.gap { " › " } }
            bdi { (heading) }
        }
    }
}

/// Returns the text of a span, or an empty text if the span is outside.
pub(crate) fn within(text: &str, span: Span) -> &str {
    text.get(span.start..span.end).unwrap_or_default()
}

/// Returns the beginning of a text of at most as many bytes.
pub(crate) fn beginning(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_readers() {
        assert_eq!(count(12_345_u64), "12\u{202f}345");
        assert_eq!(count(999_usize), "999");
        assert_eq!(counted(1, "chunk"), "1 chunk");
        assert_eq!(size(1_234_567), "1.2 MB");
    }

    #[test]
    fn times_have_a_date_as_far_as_there_are_four_digits() {
        let shown = time(1_700_000_000_000).into_string();
        assert!(shown.contains("2023-11-14 22:13<"), "{shown}");
        assert_eq!(time(u64::MAX).into_string(), format!("{} ms", u64::MAX));
    }
}
