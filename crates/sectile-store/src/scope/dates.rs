//! Dates of documents, and those that they are compared with.

use std::borrow::Cow;

use sectile_core::{Metadata, percent_decoded};
use serde_json::Value;

use crate::{Error, Result};

/// How the URIs of memories and knowledge begin. Their texts are stored at the time that they are of.
const KEPT: [&str; 2] = ["memory:", "knowledge:"];

/// The length of a day as ISO 8601 writes it.
const LENGTH: usize = "2024-05-03".len();

/// The milliseconds of a day.
const DAY: u64 = 24 * 60 * 60 * 1000;

/// Returns whether a date is before none of some dates and after none of others.
pub(super) fn is_between(date: &str, since: &[String], until: &[String]) -> bool {
    let ends = |end: &String| date.get(..end.len()).unwrap_or(date) <= end.as_str();
    since.iter().all(|start| date >= start.as_str()) && until.iter().all(ends)
}

/// Returns the date of a document: the one in its metadata, or that in its name, or the day on which a memory or a piece of
/// knowledge was first stored.
pub(super) fn date_of<'a>(
    uri: &str,
    metadata: &'a Metadata,
    created_at: Option<u64>,
) -> Option<Cow<'a, str>> {
    let is_kept = || KEPT.iter().any(|kind| uri.starts_with(kind));
    let stored = || Some(Cow::Owned(day_of(created_at.filter(|_| is_kept())?)));
    let stated = stated_date(metadata).map(Cow::Borrowed);
    let named = || named_date(uri).map(Cow::Owned);
    stated.or_else(named).or_else(stored)
}

/// Returns the only date that the last part of a URI has, as notes of a day have: `2024-05-03.md`, `2024_05_03 Call.md`.
fn named_date(uri: &str) -> Option<String> {
    let name = percent_decoded(uri.trim_end_matches('/').rsplit('/').next()?);
    let mut dates = (0..name.len()).filter_map(|at| date_at(name.as_bytes(), at));
    let date = dates.next()?;
    dates.next().is_none().then_some(date)
}

/// Reads the day of a year of this or the last millennium at a place of a name.
fn date_at(name: &[u8], at: usize) -> Option<String> {
    let found = name.get(at..at + LENGTH)?;
    let has_digit_before = at > 0 && name[at - 1].is_ascii_digit();
    let has_digit_behind = name.get(at + LENGTH).is_some_and(u8::is_ascii_digit);
    let is_of_millennium = matches!(found[0], b'1' | b'2');
    let is_parted = matches!((found[4], found[7]), (b'-', b'-') | (b'_', b'_'));
    if has_digit_before || has_digit_behind || !is_of_millennium || !is_parted {
        return None;
    }
    let date = std::str::from_utf8(found).ok()?.replace('_', "-");
    is_date(&date).then_some(date)
}

/// Returns the day of a time in milliseconds of the Unix epoch, by Hinnant's `civil_from_days`.
fn day_of(time: u64) -> String {
    let days = time / DAY + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // From March on, so that a leap day is the last of its year.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

fn stated_date(metadata: &Metadata) -> Option<&str> {
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

#[cfg(test)]
mod tests {
    use super::{day_of, named_date};

    #[test]
    fn a_day_in_the_name_of_a_note_is_its_date() {
        for (uri, date) in [
            ("file:///v/2024-05-03.md", Some("2024-05-03")),
            ("file:///v/2024_05_03%20Call.md", Some("2024-05-03")),
            ("file:///v/Daily%202024-02-29.md", Some("2024-02-29")),
            ("https://example.org/2024-05-03-title/", Some("2024-05-03")),
            ("file:///2024-05-03/a.md", None),
            ("file:///v/2024-13-03.md", None),
            ("file:///v/12024-05-03.md", None),
            ("file:///v/2024-05-031.md", None),
            ("file:///v/2024-05-03-to-2024-06-01.md", None),
            ("file:///v/3024-05-03.md", None),
            ("file:///v/2024-05.md", None),
            ("file:///v/2024-05_03.md", None),
            ("file:///v/2024/05/03.md", None),
            ("", None),
        ] {
            assert_eq!(named_date(uri).as_deref(), date, "{uri}");
        }
    }

    #[test]
    fn days_are_counted_from_the_epoch() {
        for (time, day) in [
            (0, "1970-01-01"),
            (1_709_164_800_000, "2024-02-29"),
            (1_709_251_200_000, "2024-03-01"),
            (1_767_225_599_999, "2025-12-31"),
            (1_767_225_600_000, "2026-01-01"),
        ] {
            assert_eq!(day_of(time), day);
        }
    }
}
