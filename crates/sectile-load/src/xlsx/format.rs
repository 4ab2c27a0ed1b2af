//! Number formats: dates as ISO dates, percent, currencies, units and leading zeros as shown.

use crate::number::{DateParts, date, fixed, plain};

/// Signs of currencies. `[$…]` in a format makes any text one.
const CURRENCIES: &str = "$€£¥₹₩₽¢₺₪₫₴฿₦₱₡₲₵₸₼₾";

/// How a number is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NumberFormat {
    date: Option<DateParts>,
    is_percent: bool,
    is_currency: bool,
    has_commas: bool,
    decimals: usize,
    /// How many digits the whole part has at least.
    zeros: usize,
    prefix: String,
    suffix: String,
}

impl NumberFormat {
    /// Returns one of the formats that have a number and no code.
    pub(super) fn builtin(id: u32) -> Self {
        Self::parse(match id {
            5..=8 | 44 => "$#,##0.00",
            9 => "0%",
            10 => "0.00%",
            14..=16 | 27..=31 | 36 | 50..=54 | 57 | 58 => "yyyy-mm-dd",
            17 => "yyyy-mm",
            18..=21 | 32..=35 | 45 | 47 | 55 | 56 => "hh:mm:ss",
            22 => "yyyy-mm-dd hh:mm",
            42 => "$#,##0",
            46 => "[h]:mm:ss",
            _ => "General",
        })
    }

    /// Reads the code of a format, as far as it matters: the first of its sections.
    pub(super) fn parse(code: &str) -> Self {
        let mut format = Self::default();
        let mut letters = String::new();
        let (mut has_digits, mut in_fraction) = (false, false);
        let mut rest = code.chars();
        while let Some(character) = rest.next() {
            match character {
                ';' => break,
                '"' => {
                    let literal: String = rest.by_ref().take_while(|&next| next != '"').collect();
                    format.literal(&literal, has_digits);
                }
                '\\' => {
                    let literal = rest.next().map(String::from).unwrap_or_default();
                    format.literal(&literal, has_digits);
                }
                '_' | '*' => drop(rest.next()),
                '[' => {
                    let inner: String = rest.by_ref().take_while(|&next| next != ']').collect();
                    format.bracket(&inner, has_digits);
                }
                '%' => format.is_percent = true,
                '.' if has_digits => in_fraction = true,
                ',' => format.has_commas = true,
                '0' | '#' | '?' => {
                    has_digits = true;
                    format.decimals += usize::from(in_fraction);
                    format.zeros += usize::from(character == '0' && !in_fraction);
                }
                other if other.is_alphabetic() => letters.push(other.to_ascii_lowercase()),
                '/' if has_digits => return Self::default(),
                ':' | '/' => {}
                other => format.literal(other.encode_utf8(&mut [0; 4]), has_digits),
            }
        }
        // Letters before digits are no date: `0.00E+00` and "Standard".
        let is_date = format.date.is_some() || (!letters.is_empty() && is_date(&letters));
        if is_date && (!has_digits || letters.contains(['y', 'd', 'h', 's'])) {
            return Self::dated(format.date.unwrap_or_default(), &letters);
        }
        if !letters.is_empty() {
            return Self::default();
        }
        format
    }

    fn dated(parts: DateParts, letters: &str) -> Self {
        let has_time = letters.contains(['h', 's']);
        let has_date = letters.contains(['y', 'd']);
        let parts = DateParts {
            year: letters.contains('y'),
            day: letters.contains('d'),
            // Between hours and seconds, an m is a minute.
            month: letters.contains('m') && (has_date || !has_time) && !parts.elapsed,
            time: has_time,
            elapsed: parts.elapsed,
        };
        Self {
            date: Some(parts),
            ..Self::default()
        }
    }

    fn bracket(&mut self, inner: &str, is_after: bool) {
        if let Some(currency) = inner.strip_prefix('$') {
            let sign = currency.split('-').next().unwrap_or_default();
            self.literal(sign, is_after);
            self.is_currency |= !sign.is_empty();
        } else if !inner.is_empty() && inner.chars().all(|one| "hmsHMS".contains(one)) {
            self.date = Some(DateParts {
                elapsed: true,
                ..DateParts::default()
            });
        }
    }

    fn literal(&mut self, text: &str, is_after: bool) {
        self.is_currency |= text.contains(|sign| CURRENCIES.contains(sign));
        if matches!(text, "(" | ")" | "-" | "+") {
            return;
        }
        let side = if is_after {
            &mut self.suffix
        } else {
            &mut self.prefix
        };
        side.push_str(text);
    }

    /// Writes a number as it is shown; one without a format of these kinds in full.
    pub(super) fn show(&self, value: f64, is_1904: bool) -> String {
        if let Some(parts) = self.date {
            return date(value, parts, is_1904).unwrap_or_else(|| plain(value));
        }
        let digits = if self.is_percent {
            fixed(value * 100.0, self.decimals, false) + "%"
        } else if self.is_currency {
            fixed(value, self.decimals, self.has_commas)
        } else if self.zeros > 1 && value >= 0.0 && value.fract() == 0.0 && value < 1e15 {
            format!("{value:0width$}", width = self.zeros.min(32))
        } else if self.prefix.trim().is_empty() && self.suffix.trim().is_empty() {
            return plain(value);
        } else {
            plain(value.abs())
        };
        let sign = if value < 0.0 { "-" } else { "" };
        let (prefix, suffix) = (self.prefix.trim_start(), self.suffix.trim_end());
        format!("{sign}{prefix}{digits}{suffix}")
    }
}

/// Says whether the letters of a format are those of dates alone.
fn is_date(letters: &str) -> bool {
    // AM/PM and the names of eras are left after the rest.
    letters
        .replace("am", "")
        .replace("pm", "")
        .chars()
        .all(|letter| "ymdhsapegb".contains(letter))
        && letters.contains(['y', 'm', 'd', 'h', 's'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, value: f64, expected: &str) {
        assert_eq!(
            NumberFormat::parse(code).show(value, false),
            expected,
            "{code}"
        );
    }

    #[test]
    fn dates_are_iso_dates() {
        check("m/d/yy", 45_351.0, "2024-02-29");
        check("dd\\.mm\\.yyyy;@", 45_351.5, "2024-02-29");
        check(
            "[$-409]d\\-mmm\\-yy h:mm AM/PM",
            45_351.5,
            "2024-02-29 12:00:00",
        );
        check("mmm-yy", 45_351.0, "2024-02");
        check("h:mm", 0.25, "06:00:00");
        check("[h]:mm:ss", 2.0, "48:00:00");
        check("yyyy\"年\"m\"月\"d\"日\"", 45_351.0, "2024-02-29");
    }

    #[test]
    fn percent_and_currencies_are_as_shown() {
        check("0.0%", 0.1234, "12.3%");
        check("$#,##0.00_);($#,##0.00)", -1_234.5, "-$1,234.50");
        check("#,##0.00\\ [$€-407]", 1_234.5, "1,234.50 €");
        check("0\" kg\"", 12.5, "12.5 kg");
        check("00000", 1_234.0, "01234");
    }

    #[test]
    fn other_numbers_are_in_full() {
        check("General", 0.1 + 0.2, "0.3");
        check("#,##0.00", 1_234.567, "1234.567");
        check("0.00E+00", 12_345.0, "12345");
        check("# ?/?", 0.5, "0.5");
        check("[Red]0.0;-0.0", -1.5, "-1.5");
    }
}
