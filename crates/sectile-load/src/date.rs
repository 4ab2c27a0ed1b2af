//! Dates as people write them in the heads of documents.

use std::mem;

use sectile_core::Metadata;
use serde_json::Value;

const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// The longest text that is looked at.
const MAX_BYTES: usize = 100;

/// The field of what may be a date and cannot be read as one.
const UNREAD: &str = "date";

/// Puts the dates of a document into ISO 8601, as they are compared by it. One that cannot be read in one way only is
/// kept as written, in `extra`.
pub(crate) fn put_into_iso(metadata: &mut Metadata) {
    for date in [&mut metadata.created, &mut metadata.modified] {
        let Some(written) = mem::take(date).filter(|written| !written.trim().is_empty()) else {
            continue;
        };
        if is_iso(&written) {
            *date = Some(written);
            continue;
        }
        *date = iso_date(&written);
        if date.is_none() {
            let written = Value::from(written);
            metadata.extra.entry(UNREAD.into()).or_insert(written);
        }
    }
}

/// Returns whether a text begins with a day as ISO 8601 writes it, and goes on with a time or not at all.
fn is_iso(text: &str) -> bool {
    let Some((day, rest)) = text.split_at_checked("2026-11-23".len()) else {
        return false;
    };
    let goes_on = rest.is_empty() || rest.starts_with(['T', 't', ' ']);
    goes_on && iso_date(day).as_deref() == Some(day)
}

/// Returns a date in ISO 8601, if the text is one that can only be read in one way: `2026-11-23`,
/// `2026/11/23`, `<2026-11-23 Mon>`, `23 November 2026`, `November 23, 2026`, `Mon, 23 Nov 2026 10:30`,
/// `November 2026`, `20261123`, `2026`.
pub(crate) fn iso_date(text: &str) -> Option<String> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let words: Vec<&str> = text
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let has_weekday = words.first().is_some_and(|word| is_weekday(word));
    let words = &words[usize::from(has_weekday)..];
    match words {
        [digits] if digits.len() == 8 && digits.is_ascii() => {
            whole(&digits[..4], &digits[4..6], &digits[6..])
        }
        [year] => year_of(year).map(|year| format!("{year:04}")),
        [month, year] if month_of(month).is_some() => {
            Some(format!("{:04}-{:02}", year_of(year)?, month_of(month)?))
        }
        [first, second, third, ..] => whole(first, second, third),
        _ => None,
    }
}

fn whole(first: &str, second: &str, third: &str) -> Option<String> {
    let (year, month, day) = if let Some(year) = year_of(first) {
        let month = month_of(second).or_else(|| number(second, 12))?;
        (year, month, number(third, 31)?)
    } else if let Some(month) = month_of(second) {
        (year_of(third)?, month, day_of(first)?)
    } else {
        (year_of(third)?, month_of(first)?, day_of(second)?)
    };
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

fn year_of(word: &str) -> Option<u32> {
    let is_year = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    is_year
        .then(|| word.parse().ok())?
        .filter(|year| *year >= 1000)
}

/// Returns the number of a month by its English name or the first letters of it.
fn month_of(word: &str) -> Option<u32> {
    let word = word.to_ascii_lowercase();
    let is_word = word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let month = MONTHS.iter().position(|month| word.starts_with(month))?;
    is_word.then_some(month as u32 + 1)
}

/// Returns whether a word is the English name of a day of the week or begins with its first letters.
fn is_weekday(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    WEEKDAYS.iter().any(|day| word.starts_with(day))
}

fn day_of(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    number(digits, 31)
}

fn number(word: &str, largest: u32) -> Option<u32> {
    let number = word.parse().ok().filter(|_| word.len() <= 2)?;
    (1..=largest).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_written() {
        for (text, expected) in [
            ("2026-11-23", "2026-11-23"),
            ("<2026-11-23 Mon 10:30>", "2026-11-23"),
            ("$Date: 2026/1/3 $", ""),
            ("2026/1/3", "2026-01-03"),
            ("03-Jan-2026", "2026-01-03"),
            ("3rd January, 2026", "2026-01-03"),
            ("Sept. 3, 2026", "2026-09-03"),
            ("May 2026", "2026-05"),
            ("2026", "2026"),
            ("20261123", "2026-11-23"),
            ("20261323", ""),
            ("Monday, 23 Nov 2026 10:30:00 GMT", "2026-11-23"),
            ("3/4/2026", ""),
            ("2026-13-01", ""),
            ("\\today", ""),
        ] {
            assert_eq!(iso_date(text).unwrap_or_default(), expected, "{text}");
        }
    }
    #[test]
    fn metadata_has_dates_that_can_be_compared() {
        let mut metadata = Metadata {
            created: Some("2026-11-23T10:30:00+01:00".into()),
            modified: Some("November 24th, 2026".into()),
            ..Metadata::default()
        };
        put_into_iso(&mut metadata);
        assert_eq!(
            metadata.created.as_deref(),
            Some("2026-11-23T10:30:00+01:00")
        );
        assert_eq!(metadata.modified.as_deref(), Some("2026-11-24"));
        metadata.created = Some("3/4/2026".into());
        metadata.modified = Some(" ".into());
        put_into_iso(&mut metadata);
        assert_eq!((&metadata.created, &metadata.modified), (&None, &None));
        assert_eq!(metadata.extra[UNREAD], "3/4/2026");
    }
}
