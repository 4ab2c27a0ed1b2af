//! Numbers and dates as the readers of a sheet see them.

/// Decimal digits that a number of a sheet has: more are noise of the binary fraction.
const DIGITS: u16 = 15;

/// The serial number of the last day that sheets know, in the year 9999.
const LAST_DAY: f64 = 2_958_466.0;

const SECONDS_A_DAY: i64 = 86_400;

/// Writes a number without the noise of binary fractions: 0.30000000000000004 is 0.3.
pub(crate) fn plain(value: f64) -> String {
    if !value.is_finite() {
        return value.to_string();
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
}
