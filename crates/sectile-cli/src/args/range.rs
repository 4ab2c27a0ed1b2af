//! Numbers, ranges of what is counted from 1, and times.

use std::fmt::Display;
use std::num::{IntErrorKind, ParseIntError};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use humantime::DurationError;

/// Reads `3`, `3-5` or `3-` as a range of pages.
pub(super) fn page_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    range(text, "page", &1, u32::MAX)
}

/// Reads `10`, `10-40` or `10-` as a range of lines.
pub(super) fn line_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    range(text, "line", &1, usize::MAX)
}

/// Reads a whole number of 1 or more, as a type without 0.
pub(super) fn positive<T: FromStr<Err = ParseIntError>>(text: &str) -> Result<T, String> {
    let number = text.trim().parse::<T>();
    number.map_err(|error| advice(&error, FROM_ONE).to_owned())
}

/// Reads a whole number of 0 or more.
pub(super) fn whole<T: FromStr<Err = ParseIntError>>(text: &str) -> Result<T, String> {
    let number = text.trim().parse::<T>();
    number.map_err(|error| advice(&error, FROM_ZERO).to_owned())
}

/// Reads a time with its unit.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text.trim()).map_err(|error| {
        let advice = match error {
            DurationError::NumberOverflow => "the time is too long; write a shorter one",
            _ => "write a whole number with its unit, such as 500ms, 2s, 12h or 30days",
        };
        advice.to_owned()
    })
}

/// Reads a whole number of 1 or more, as a number that could be 0.
pub(super) fn from_one<T>(text: &str) -> Result<T, String>
where
    T: FromStr<Err = ParseIntError> + PartialOrd + From<u8>,
{
    match text.trim().parse::<T>() {
        Ok(number) if number >= T::from(1) => Ok(number),
        Ok(_) => Err(FROM_ONE.to_owned()),
        Err(error) => Err(advice(&error, FROM_ONE).to_owned()),
    }
}

const FROM_ONE: &str = "write a whole number of 1 or more";
const FROM_ZERO: &str = "write a whole number of 0 or more";

/// Says which number to write in place of one that cannot be read.
fn advice(error: &ParseIntError, usual: &'static str) -> &'static str {
    match error.kind() {
        IntErrorKind::PosOverflow => "the number is too large; write a smaller one",
        _ => usual,
    }
}

fn range<T: FromStr<Err = ParseIntError> + PartialOrd + Display>(
    text: &str,
    what: &str,
    first: &T,
    end: T,
) -> Result<RangeInclusive<T>, String> {
    let number = |text: &str| match text.trim().parse::<T>() {
        Ok(number) if number >= *first => Ok(number),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Err(format!(
            "the {what} `{text}` is too large; write a smaller one"
        )),
        _ => Err(format!(
            "`{text}` is not a {what} number; write 3, 3-5 or 3-"
        )),
    };
    let (from, to) = match text.split_once('-') {
        None => (number(text)?, number(text)?),
        Some((from, "")) => (number(from)?, end),
        Some((from, to)) => (number(from)?, number(to)?),
    };
    if to < from {
        return Err(format!("{what} {to} is before {what} {from}"));
    }
    Ok(from..=to)
}
