//! The values of cells as they are shown.

use crate::number::{fixed, plain, with_all_digits};

/// Returns the text of a cell, and whether it is words.
pub(super) fn shown(kind: &str, value: Option<&str>, text: &str) -> (String, bool) {
    let is_error = text.trim().starts_with('#') || text.trim().starts_with("Err:");
    let number = value.and_then(|value| value.parse::<f64>().ok());
    let text = text.to_owned();
    match (kind, value) {
        ("date", Some(value)) => (date(value), false),
        ("time", Some(value)) => (duration(value).unwrap_or(text), false),
        ("boolean", Some(value)) => (value.to_uppercase(), false),
        ("float", Some(value)) if !is_error && is_in_full(&text, number) => {
            let shown = number.map_or_else(|| value.into(), plain);
            (with_all_digits(&shown, value).to_owned(), false)
        }
        ("percentage", Some(_)) if text.trim().is_empty() => {
            let percent = number.map(|number| fixed(number * 100.0, 2, false) + "%");
            (percent.unwrap_or(text), false)
        }
        ("percentage" | "currency" | "float", Some(value)) => {
            let shown = if text.trim().is_empty() {
                value.to_owned()
            } else {
                text
            };
            (shown, false)
        }
        ("string", Some(value)) if text.trim().is_empty() => (value.to_owned(), true),
        _ => (text, true),
    }
}

/// Returns whether a cell shows its number alone, rounded at most: neither scaled nor with a unit or
/// word, nor with zeros or signs among its digits.
fn is_in_full(text: &str, number: Option<f64>) -> bool {
    let text = text.trim();
    let Some(number) = number.filter(|_| !text.is_empty()) else {
        return true;
    };
    let is_sign = |sign| matches!(sign, '-' | '+' | '\u{2212}' | '(' | ')' | ' ' | '\u{A0}');
    let digits = text.trim_matches(is_sign);
    if digits.contains(['e', 'E']) && digits.parse::<f64>().is_ok() {
        return true;
    }
    let whole = digits.trim_end_matches(|last: char| !last.is_ascii_digit());
    if whole.len() > 1 && whole.starts_with('0') && whole.as_bytes()[1].is_ascii_digit() {
        return false;
    }
    // Which sign stands before decimals depends on the language: any one, or none.
    let decimals = digits
        .rfind(['.', ','])
        .map_or(0, |at| digits.len() - at - 1);
    [decimals, 0]
        .iter()
        .any(|&decimals| is_rounded(digits, decimals, number.abs()))
}

/// Returns whether digits, with `decimals` decimals, are those of a number, rounded.
fn is_rounded(text: &str, decimals: usize, number: f64) -> bool {
    let is_group = |sign| {
        matches!(
            sign,
            '.' | ',' | '\'' | '\u{2019}' | ' ' | '\u{A0}' | '\u{202F}'
        )
    };
    let digits: String = text.chars().filter(|&sign| !is_group(sign)).collect();
    let unit = 10_f64.powi(i32::try_from(decimals).unwrap_or(i32::MAX));
    let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
    let shown = digits.parse::<f64>().ok().filter(|_| is_number);
    shown.is_some_and(|shown| (shown / unit - number).abs() <= 0.500_001 / unit)
}

/// Writes a date of ISO 8601: a space before the time, none at midnight.
fn date(value: &str) -> String {
    let value = value.strip_suffix("T00:00:00").unwrap_or(value);
    value.replacen('T', " ", 1)
}

/// Writes a duration such as `PT36H00M05S` as hours, minutes and seconds.
fn duration(value: &str) -> Option<String> {
    let (hours, rest) = value.strip_prefix("PT")?.split_once('H')?;
    let (minutes, rest) = rest.split_once('M')?;
    let seconds = rest.trim_end_matches('S').split(['.', ',']).next()?;
    Some(format!("{hours:0>2}:{minutes:0>2}:{seconds:0>2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_as_shown_or_in_full() {
        let check = |kind, value, text, expected: &str| {
            assert_eq!(shown(kind, Some(value), text).0, expected);
        };
        check("float", "0.30000000000000004", "0.3", "0.3");
        check("float", "1234.567", "1 234,57", "1234.567");
        check("percentage", "0.125", "12,5 %", "12,5 %");
        check("percentage", "0.125", "", "12.50%");
        check("currency", "12.5", "12,50 €", "12,50 €");
        check("date", "2024-02-29T00:00:00", "29.02.24", "2024-02-29");
        check("time", "PT36H05M09S", "36:05", "36:05:09");
        check("boolean", "true", "WAHR", "TRUE");
        check("float", "0", "#DIV/0!", "#DIV/0!");
        check("float", "-1234.567", "(1.234,6)", "-1234.567");
        check("float", "1234567", "1'234'567", "1234567");
        check(
            "float",
            "1234567890123456789",
            "1234567890123456789",
            "1234567890123456789",
        );
        check("float", "12345", "1.23E+04", "12345");
        check("float", "12345678", "12.3", "12.3");
        check("float", "12345678", "12,346", "12,346");
        check("float", "12.5", "12.5 kg", "12.5 kg");
        check("float", "2", "Female", "Female");
        check("float", "42", "00042", "00042");
        check("float", "0.25", "1/4", "1/4");
        check("float", "5551234", "555-1234", "555-1234");
        check("float", "0.5", "0.50", "0.5");
    }
}
