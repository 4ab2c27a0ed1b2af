//! Numbers and dates as the readers of a sheet see them.

/// Decimal digits that a number of a sheet has: more are noise of the binary fraction, but for whole numbers.
const DIGITS: u16 = 15;

/// The whole numbers below this one are all told apart, so that each has all its digits: 2⁵³.
const WHOLE_BELOW: f64 = 9_007_199_254_740_992.0;

/// The serial number of the last day that sheets know, in the year 9999.
const LAST_DAY: f64 = 2_958_466.0;

const SECONDS_A_DAY: i64 = 86_400;

/// Writes a number without the noise of binary fractions: 0.30000000000000004 is 0.3.
pub(crate) fn plain(value: f64) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    if let Some(digits) = whole(value) {
        return digits;
    }
    let rounded: f64 = format!("{value:.*e}", usize::from(DIGITS - 1))
        .parse()
        .unwrap_or(value);
    let size = rounded.abs();
    if size != 0.0 && !(1e-9..1e21).contains(&size) {
        return format!("{rounded:e}");
    }
    // There is no negative zero in a sheet.
    (rounded + 0.0).to_string()
}

/// Returns the digits of a whole number if all of them are exact.
fn whole(value: f64) -> Option<String> {
    let is_whole = value.fract() == 0.0 && value.abs() < WHOLE_BELOW;
    is_whole.then(|| (value as i64).to_string())
}

/// Returns how a number is shown, with all the digits that its source has: where it is shown in full,
/// and the source is a whole number with more digits than a binary fraction holds.
#[cfg(any(feature = "ods", feature = "xlsx"))]
pub(crate) fn with_all_digits<'t>(shown: &'t str, source: &'t str) -> &'t str {
    let digits = source.strip_prefix('-').unwrap_or(source);
    let is_long = digits.len() > usize::from(DIGITS)
        && !digits.starts_with('0')
        && digits.bytes().all(|digit| digit.is_ascii_digit());
    let is_in_full = || source.parse().is_ok_and(|number| shown == plain(number));
    if is_long && is_in_full() {
        source
    } else {
        shown
    }
}

/// Writes the size of a number with so many decimals, and with commas between thousands if asked for.
pub(crate) fn fixed(value: f64, decimals: usize, has_commas: bool) -> String {
    let text = rounded(value.abs(), decimals);
    if !has_commas {
        return text;
    }
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + fraction
}

/// Writes a number that is not negative with so many decimals. Halves are rounded up, in the digits
/// that a sheet has and not in those of the binary fraction: 1.005 with two decimals is 1.01.
pub(crate) fn rounded(value: f64, decimals: usize) -> String {
    if let Some(digits) = whole(value) {
        let point = if decimals > 0 { "." } else { "" };
        return format!("{digits}{point}{:0<decimals$}", "");
    }
    let text = format!("{value:.*e}", usize::from(DIGITS - 1));
    let parts = text.split_once('e').and_then(|(digits, exponent)| {
        let digits: u64 = digits.replace('.', "").parse().ok()?;
        Some((digits, exponent.parse::<i64>().ok()?))
    });
    let Some((digits, exponent)) = parts else {
        return text;
    };
    // How many digits stand before the place that is rounded.
    let kept = i64::try_from(decimals).map_or(i64::MAX, |decimals| exponent + 1 + decimals);
    let dropped = i64::from(DIGITS) - kept;
    let mut written = match u32::try_from(dropped) {
        Ok(dropped @ 1..=15) => {
            let unit = 10_u64.pow(dropped);
            ((digits + unit / 2) / unit).to_string()
        }
        Ok(0) => digits.to_string(),
        Ok(_) => "0".into(),
        Err(_) => format!("{digits}{}", "0".repeat(dropped.unsigned_abs() as usize)),
    };
    if written.len() <= decimals {
        written.insert_str(0, &"0".repeat(decimals + 1 - written.len()));
    }
    if decimals > 0 {
        written.insert(written.len() - decimals, '.');
    }
    written
}

/// What a date shows of its moment.
#[expect(clippy::struct_excessive_bools, reason = "each part is shown or not")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DateParts {
    pub(crate) year: bool,
    pub(crate) month: bool,
    pub(crate) day: bool,
    pub(crate) time: bool,
    /// A duration, which may have more hours than a day.
    pub(crate) elapsed: bool,
    /// How many decimals the seconds have, three at most.
    pub(crate) decimals: usize,
}

/// Writes the serial number of a moment in ISO 8601, the parts that are shown; nothing where it is
/// no date. `is_1904` says that days count from that year.
pub(crate) fn date(serial: f64, parts: DateParts, is_1904: bool) -> Option<String> {
    if !(0.0..LAST_DAY).contains(&serial) {
        return None;
    }
    let decimals = parts.decimals.min(3);
    let parts_a_second = 10_i64.pow(decimals as u32);
    let moment = (serial * (SECONDS_A_DAY * parts_a_second) as f64).round() as i64;
    let (seconds, rest) = (moment / parts_a_second, moment % parts_a_second);
    let (mut day, second) = (seconds / SECONDS_A_DAY, seconds % SECONDS_A_DAY);
    let time = |hours: i64| {
        let time = format!("{hours:02}:{:02}:{:02}", second / 60 % 60, second % 60);
        if decimals == 0 {
            return time;
        }
        format!("{time}.{rest:0decimals$}")
    };
    if parts.elapsed {
        return Some(time(seconds / 3_600));
    }
    if !(parts.year || parts.month || parts.day) {
        return Some(time(second / 3_600));
    }
    if is_1904 {
        day += 1_462;
    } else if day < 60 {
        // Days before March 1900 count as if that year had been a leap year.
        day += 1;
    }
    let (year, month, day) = civil(day);
    Some(match parts {
        DateParts { time: true, .. } => {
            format!("{year:04}-{month:02}-{day:02} {}", time(second / 3_600))
        }
        DateParts { day: true, .. } => format!("{year:04}-{month:02}-{day:02}"),
        DateParts { month: true, .. } => format!("{year:04}-{month:02}"),
        _ => format!("{year:04}"),
    })
}

/// Returns the serial number of a moment in ISO 8601, such as `2024-02-29T12:30:00.000`; [`date`] is its opposite.
#[cfg(feature = "xlsx")]
pub(crate) fn serial(moment: &str, is_1904: bool) -> Option<f64> {
    let (day, time) = moment
        .trim_end_matches('Z')
        .split_once('T')
        .unwrap_or((moment, ""));
    let mut parts = day.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let is_date = (1_899..10_000).contains(&year) && (1..=12).contains(&month);
    if !is_date || !(1..=31).contains(&day) {
        return None;
    }
    let days = match day_number(year, month, day) {
        days if is_1904 => days - 1_462,
        // Days before March 1900 count as if that year had been a leap year.
        days if days <= 60 => days - 1,
        days => days,
    };
    let mut seconds = 0.0;
    for (part, unit) in time
        .split(':')
        .zip([3_600.0, 60.0, 1.0])
        .filter(|_| !time.is_empty())
    {
        seconds += part.parse::<f64>().ok()? * unit;
    }
    // Some count the hours of a day from the day before the first.
    Some(days.max(0) as f64 + seconds / SECONDS_A_DAY as f64)
}

/// Returns the number of a day that counts from 1899-12-30, by Hinnant's `days_from_civil`.
#[cfg(feature = "xlsx")]
fn day_number(year: i64, month: i64, day: i64) -> i64 {
    let shifted_year = year - i64::from(month <= 2);
    let (era, year_of_era) = (shifted_year.div_euclid(400), shifted_year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468 + 25_569
}

/// Returns year, month and day of a day that counts from 1899-12-30, by Hinnant's `civil_from_days`.
fn civil(day: i64) -> (i64, i64, i64) {
    let days = day - 25_569 + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_noise() {
        let texts = [0.1 + 0.2, 1e15, -0.0, 12.5, 1e300, 123_456_789.125].map(plain);
        assert_eq!(
            texts,
            [
                "0.3",
                "1000000000000000",
                "0",
                "12.5",
                "1e300",
                "123456789.125"
            ]
        );
        assert_eq!(fixed(-1_234_567.891, 2, true), "1,234,567.89");
        let check = |value, decimals, expected: &str| {
            assert_eq!(rounded(value, decimals), expected, "{value}");
        };
        check(2.5, 0, "3");
        check(1.005, 2, "1.01");
        check(0.285 * 100.0, 0, "29");
        check(0.0, 2, "0.00");
        check(0.004, 2, "0.00");
        check(0.006, 2, "0.01");
        check(0.5, 0, "1");
        check(0.05, 0, "0");
        check(999.999, 2, "1000.00");
        check(1e20, 1, "100000000000000000000.0");
        check(1e-300, 3, "0.000");
        check(123_456_789_012_345.0, 2, "123456789012345.00");
        check(4_111_111_111_111_111.0, 0, "4111111111111111");
    }

    #[test]
    fn whole_numbers_keep_all_their_digits() {
        assert_eq!(plain(4_111_111_111_111_111.0), "4111111111111111");
        assert_eq!(plain(-9_007_199_254_740_991.0), "-9007199254740991");
        assert_eq!(plain(999_999_999_999_999.9), "1000000000000000");
        let check = |source: &str, expected: &str| {
            let shown = plain(source.parse().unwrap());
            assert_eq!(with_all_digits(&shown, source), expected);
        };
        check("1234567890123456789", "1234567890123456789");
        check("-9007199254740993", "-9007199254740993");
        check("12345678901234567890123456", "12345678901234567890123456");
        check("0.30000000000000004", "0.3");
        check("0000000000000000007", "7");
        check("1.2345678901234568E+18", "1234567890123460000");
        assert_eq!(with_all_digits("1.2E", "1234567890123456789"), "1.2E");
    }

    #[test]
    fn serial_numbers_are_dates() {
        let parts = DateParts {
            year: true,
            month: true,
            day: true,
            ..DateParts::default()
        };
        let check = |serial, expected: &str| {
            assert_eq!(date(serial, parts, false).as_deref(), Some(expected));
        };
        check(1.0, "1900-01-01");
        check(61.0, "1900-03-01");
        check(45_351.0, "2024-02-29");
        check(45_351.999_999_9, "2024-03-01");
        assert_eq!(date(0.0, parts, true).as_deref(), Some("1904-01-01"));
        assert_eq!(date(-1.0, parts, false), None);
        let time = DateParts {
            time: true,
            ..DateParts::default()
        };
        assert_eq!(date(1.5, time, false).as_deref(), Some("12:00:00"));
        let elapsed = DateParts {
            elapsed: true,
            ..time
        };
        assert_eq!(date(1.5, elapsed, false).as_deref(), Some("36:00:00"));
    }

    #[cfg(feature = "xlsx")]
    #[test]
    fn moments_have_serial_numbers() {
        let check = |moment: &str, expected: Option<f64>| {
            assert_eq!(serial(moment, false), expected, "{moment}");
        };
        check("1899-12-30T06:00:00", Some(0.25));
        check("1899-12-31T06:00:00.000", Some(0.25));
        check("1900-01-01", Some(1.0));
        check("1900-02-28T00:00:00.000", Some(59.0));
        check("1900-03-01T00:00:00.000", Some(61.0));
        check("2024-02-29T12:00:00Z", Some(45_351.5));
        check("2024-13-01", None);
        check("2024-02-29Tnoon", None);
        check("99999999999999999999-01-01", None);
        check("soon", None);
        assert_eq!(serial("1904-01-01T00:00:00.000", true), Some(0.0));
    }
}
