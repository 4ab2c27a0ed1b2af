//! Dates of documents, and those that they are compared with.

use sectile_core::Metadata;
use serde_json::Value;

use crate::{Error, Result};

/// Returns whether a document has a date that is before none of some dates and after none of others.
pub(super) fn is_between(metadata: &Metadata, since: &[String], until: &[String]) -> bool {
    let Some(date) = date_of(metadata) else {
        return false;
    };
    let ends = |end: &String| date.get(..end.len()).unwrap_or(date) <= end.as_str();
    since.iter().all(|start| date >= start.as_str()) && until.iter().all(ends)
}

fn date_of(metadata: &Metadata) -> Option<&str> {
    let known = [&metadata.modified, &metadata.created];
    let known = known.into_iter().flatten().map(String::as_str);
    let other = metadata.extra.get("date").and_then(Value::as_str);
    known.chain(other).find(|date| begins_with_a_date(date))
}

/// Returns whether a text begins as ISO 8601 writes a year, or a month or a day of it. Others cannot be compared.
fn begins_with_a_date(text: &str) -> bool {
    let end = text.find(|letter: char| letter != '-' && !letter.is_ascii_digit());
    is_date(&text[..end.unwrap_or(text.len())])
}

/// Returns whether a text is `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, with a month and a day that there can be.
fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), month, day) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let last_day = match month {
        Some("02") => 29,
        Some("04" | "06" | "09" | "11") => 30,
        _ => 31,
    };
    parts.next().is_none()
        && is_number(year, 4, 9999)
        && month.is_none_or(|month| is_number(month, 2, 12))
        && day.is_none_or(|day| is_number(day, 2, last_day))
}

/// Returns whether a text is a number of so many digits from 1 to `last`.
fn is_number(text: &str, digits: usize, last: u32) -> bool {
    let is_written = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    is_written
        && text
            .parse()
            .is_ok_and(|number| (1..=last).contains(&number))
}

/// Returns the date of a filter.
///
/// # Errors
///
/// [`Error::InvalidFilter`] for what is not a date.
pub(super) fn checked(name: &str, date: &str) -> Result<String> {
    if is_date(date) {
        return Ok(date.to_owned());
    }
    Err(Error::InvalidFilter {
        filter: format!("{name}={date}"),
        reason: "write the date as 2026, 2026-11 or 2026-11-21".into(),
    })
}
