//! Number formats of Excel (ECMA-376 part 1, 18.8.31): which section of a code shows a value.

mod fraction;
mod section;
mod token;

use std::borrow::Cow;

use crate::number::plain;
use section::Section;

/// How many characters a code has at most in Excel.
const LONGEST: usize = 255;

/// The built-in formats of bookkeeping: positive, negative, zero, text.
const BOOKS: &str = "_(* #,##0_);_(* (#,##0);_(* \"-\"_);_(@_)";
const BOOKS_OF_DOLLARS: &str = "_($* #,##0_);_($* (#,##0);_($* \"-\"_);_(@_)";
const BOOKS_OF_CENTS: &str = "_($* #,##0.00_);_($* (#,##0.00);_($* \"-\"??_);_(@_)";

/// How a cell is shown. One without sections shows its value in full.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NumberFormat {
    /// The sections for numbers: for positive ones, negative ones and zero, or by conditions.
    numbers: Vec<Section>,
    text: Option<Section>,
}

impl NumberFormat {
    /// Returns one of the formats that have a number and no code.
    pub(crate) fn builtin(id: u32) -> Self {
        Self::parse(match id {
            5 | 6 => "$#,##0",
            7 | 8 => "$#,##0.00",
            9 => "0%",
            10 => "0.00%",
            12 => "# ?/?",
            13 => "# ??/??",
            14..=16 | 27..=31 | 36 | 50..=54 | 57 | 58 => "yyyy-mm-dd",
            17 => "yyyy-mm",
            18..=21 | 32..=35 | 45 | 55 | 56 => "hh:mm:ss",
            22 => "yyyy-mm-dd hh:mm",
            41 | 43 => BOOKS,
            42 => BOOKS_OF_DOLLARS,
            44 => BOOKS_OF_CENTS,
            46 => "[h]:mm:ss",
            47 => "mm:ss.0",
            _ => return Self::default(),
        })
    }

    /// Reads the code of a format. One that is longer than Excel allows is none.
    pub(crate) fn parse(code: &str) -> Self {
        if code.is_empty() || code.chars().count() > LONGEST {
            return Self::default();
        }
        let mut numbers: Vec<Section> = split(code).into_iter().map(Section::parse).collect();
        let has_text = numbers.len() == 4 || numbers.last().is_some_and(Section::is_for_text);
        let text = numbers.pop_if(|_| has_text);
        numbers.truncate(3);
        Self { numbers, text }
    }

    /// Writes a number as it is shown.
    ///
    /// Dates and times are those of ISO 8601. A number whose format does no more than round it,
    /// or group its digits, is in full. A negative number has a minus, unless its section is for all negative
    /// numbers and for no others, and says so with words or signs of its own.
    pub(crate) fn show(&self, value: f64, is_1904: bool) -> String {
        let Some(index) = self.section_of(value) else {
            return plain(value);
        };
        let section = &self.numbers[index];
        if value >= 0.0 {
            return section.show(value, is_1904);
        }
        if !self.is_for_negative(index) {
            return section.show_negative(value, is_1904);
        }
        let bare = section.without_sign();
        let has_own_words = bare.words() != self.numbers[0].words();
        if !bare.has_number() || has_own_words && self.is_for_all_negative(index) {
            section.show(value.abs(), is_1904)
        } else {
            bare.show_negative(value, is_1904)
        }
    }

    /// Writes a text as it is shown.
    pub(crate) fn show_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match &self.text {
            Some(section) => section.show_text(text).into(),
            None => text.into(),
        }
    }

    /// Returns whether a section is for negative numbers alone, so that a minus in it is theirs.
    fn is_for_negative(&self, index: usize) -> bool {
        let section = &self.numbers[index];
        match (section.is_met(0.0), section.is_met(f64::MAX)) {
            (Some(zero), Some(most)) => !zero && !most,
            _ => index == 1 && self.is_for_all_negative(index),
        }
    }

    /// Returns whether one of the first two sections is for all negative numbers, so that its words
    /// may stand for the minus.
    fn is_for_all_negative(&self, index: usize) -> bool {
        let is_for = |index: usize, sign: f64| self.numbers[index].is_for_sign(sign) != Some(false);
        is_for(index, -1.0) && (index == 0 || is_for(0, 1.0))
    }

    /// Returns the section that shows a number: by conditions where there are any, else by its sign.
    fn section_of(&self, value: f64) -> Option<usize> {
        let sections = &self.numbers;
        let is_met = |index: usize| sections.get(index).and_then(|one| one.is_met(value));
        let index = match (is_met(0), is_met(1)) {
            (Some(true), _) => 0,
            (_, Some(true)) | (Some(false), None) => 1,
            (Some(false), Some(false)) => 2,
            (None, _) if value > 0.0 || sections.len() == 1 => 0,
            (None, _) if value < 0.0 => 1,
            (None, _) if sections.len() > 2 => 2,
            (None, _) => 0,
        };
        (index < sections.len()).then_some(index)
    }
}

/// Parts a code at the semicolons that are not text.
fn split(code: &str) -> Vec<&str> {
    let (mut sections, mut start) = (Vec::new(), 0);
    let (mut is_escaped, mut closing) = (false, None);
    for (at, character) in code.char_indices() {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match (closing, character) {
            (Some(end), _) => closing = Some(end).filter(|_| end != character),
            (None, '"') => closing = Some('"'),
            (None, '[') => closing = Some(']'),
            (None, '\\' | '_' | '*') => is_escaped = true,
            (None, ';') => {
                sections.push(&code[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    sections.push(&code[start..]);
    sections
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

    fn check_text(code: &str, text: &str, expected: &str) {
        assert_eq!(
            NumberFormat::parse(code).show_text(text),
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
        check("[mm]:ss", 0.0625, "01:30:00");
        check("mm:ss.0", 62.5 / 86_400.0, "00:01:02.5");
        check("yyyy\"年\"m\"月\"d\"日\"", 45_351.0, "2024-02-29");
        check("yyyy年m月d日", 45_351.0, "2024-02-29");
        check("[<1]h:mm;yyyy/m/d", 0.5, "12:00:00");
        check("[<1]h:mm;yyyy/m/d", 45_351.0, "2024-02-29");
        check("yyyy-mm-dd", -1.0, "-1");
    }

    #[test]
    fn percent_and_currencies_are_as_shown() {
        check("0.0%", 0.1234, "12.3%");
        check("$#,##0.00_);($#,##0.00)", -1_234.5, "-$1,234.50");
        check("#,##0.00\\ [$€-407]", 1_234.5, "1,234.50 €");
        check("0\" kg\"", 12.5, "12.5 kg");
        check("General\" kg\"", 12.5, "12.5 kg");
        check("0.0x", 2.25, "2.25x");
        check("00000", 1_234.0, "01234");
    }

    #[test]
    fn other_numbers_are_in_full() {
        check("General", 0.1 + 0.2, "0.3");
        check("#,##0.00", 1_234.567, "1234.567");
        check("0.00E+00", 12_345.0, "12345");
        check("[Red]0.0;-0.0", -1.5, "-1.5");
        check("@", 7.0, "7");
        check("", 7.0, "7");
        check("[Red]", 7.0, "7");
    }

    #[test]
    fn fractions_are_as_shown() {
        check("# ?/?", 0.5, "1/2");
        check("# ?/?", 1.5, "1 1/2");
        check("# ?/?", 3.0, "3");
        check("# ?/?", 0.0, "0");
        check("# ?/?", 0.99, "1");
        check("# ??/??", 3.1428, "3 1/7");
        check("# ??/??", 0.34, "17/50");
        check("# ?/8", 2.25, "2 2/8");
        check("# ??/100\" in\"", -0.25, "-25/100 in");
        check("?/?", 1.5, "3/2");
    }

    #[test]
    fn commas_at_the_end_scale() {
        check("0.0,,\"M\"", 12_345_678.0, "12.3M");
        check("0.0,,", 12_345_678.0, "12.3");
        check("#,##0,", 12_345_678.0, "12,346");
        check("$#,##0.0,\"k\"", -1_500.0, "-$1.5k");
        check(
            "[>=1000000]0.0,,\"M\";[>=1000]0.0,\"K\";0",
            2_500_000.0,
            "2.5M",
        );
        check("[>=1000000]0.0,,\"M\";[>=1000]0.0,\"K\";0", 2_500.0, "2.5K");
        check("[>=1000000]0.0,,\"M\";[>=1000]0.0,\"K\";0", 25.0, "25");
    }

    #[test]
    fn sections_are_for_signs() {
        for (value, expected) in [(1.0, "Yes"), (-1.0, "Yes"), (0.0, "No")] {
            check("\"Yes\";\"Yes\";\"No\"", value, expected);
        }
        check("0.0\" up\";0.0\" down\";\"flat\"", -1.5, "1.5 down");
        check("0.0\" up\";0.0\" down\";\"flat\"", 0.0, "flat");
        check("▲0.0%;▼0.0%", -0.015, "▼1.5%");
        check("+0.0%;-0.0%", 0.015, "+1.5%");
        check("+0.0%;-0.0%", -0.015, "-1.5%");
        check("#,##0_);[Red](#,##0)", -1_234.5, "-1234.5");
        check("0;[Red]0", -5.0, "-5");
        check("0;-0;;@", 0.0, "");
        check(";;;", 5.0, "");
        check(BOOKS_OF_CENTS, 1_234.5, "$1,234.50");
        check(BOOKS_OF_CENTS, -1_234.5, "-$1,234.50");
        check(BOOKS_OF_CENTS, 0.0, "$-");
    }

    #[test]
    fn sections_are_for_conditions() {
        check("[=1]\"Male\";[=2]\"Female\"", 1.0, "Male");
        check("[=1]\"Male\";[=2]\"Female\"", 2.0, "Female");
        check("[=1]\"Male\";[=2]\"Female\"", 3.0, "3");
        check("[<>0]0\" left\";\"none\"", 0.0, "none");
        check("[Red][<0.5]0%;0.0%", 0.25, "25%");
        check("[Red][<0.5]0%;0.0%", 0.75, "75.0%");
        check("[<100]0\" a\";0\" b\"", -5.0, "-5 a");
        check("[>=0]0\" a\";[<0]0\" b\"", -5.0, "5 b");
        check("[>=1000]0.0,\"K\";[>=1]0;0.00", -5.0, "-5");
    }

    #[test]
    fn a_section_for_some_negative_numbers_shows_a_minus() {
        for code in [
            "[>=1000]0.0,\"K\";0",
            "[=0]\"-\";0",
            "[=1]\"Yes\";0.00",
            "[>0]0;0",
            "[<0]0;0",
            "[<0]-0;0",
            "[Red][<0]0;[Blue]0",
            "[<-100]0;0",
            "[>-5]0;0",
            "[=-512.25]0;0",
        ] {
            check(code, -512.25, "-512.25");
        }
        check("[<-100]0\" low\";0", -150.0, "-150 low");
        check("[=0]\"none\";[<0]0\" Cr\";0\" Dr\"", -5.0, "-5 Cr");
        check("[>0]0\" Dr\";[<0]0\" Cr\";0", -5.0, "5 Cr");
        check("[=1]\"Yes\";[=-1]\"No\"", -1.0, "No");
        let thousands = "[>=1000]0.0,\"K\";[<=-1000]-0.0,\"k\";0";
        check(thousands, -2_500.0, "-2.5k");
        check(thousands, -25.0, "-25");
    }

    #[test]
    fn digits_have_their_places() {
        check("000-00-0000", 12_345_678.0, "012-34-5678");
        check(
            "[<=9999999]###-####;(###) ###-####",
            5_551_234_567.0,
            "(555) 123-4567",
        );
        check(
            "[<=9999999]###-####;(###) ###-####",
            5_551_234.0,
            "555-1234",
        );
        check("00\\:00", 930.0, "09:30");
        check("000.0", 5.0, "005.0");
    }

    #[test]
    fn texts_have_a_section() {
        check_text("General", "a", "a");
        check_text("\"Nr. \"@", "5a", "Nr. 5a");
        check_text("0;-0;0;\"(\"@\")\"", "a", "(a)");
        check_text("0;-0;0;", "a", "");
        check_text("0;-0", "a", "a");
        check_text(BOOKS, "a", "a");
    }

    #[test]
    fn hostile_codes_are_no_formats() {
        check(&"0".repeat(100_000), 1.5, "1.5");
        check(&format!("0.{}", "0".repeat(250)), 1.5, "1.5");
        let long = format!("0.{}%", "0".repeat(250));
        for code in [
            long.as_str(),
            "[$-409]",
            "[",
            "\"",
            "\\",
            "_",
            "*",
            "[$",
            ";",
            ";;;;;;",
            "/",
            "0/",
            "# /0",
            "?/000000000",
            "[<",
            "[=x]0",
        ] {
            let format = NumberFormat::parse(code);
            for value in [0.0, -1.5, 1e300, f64::NAN, f64::INFINITY] {
                format.show(value, false);
            }
            format.show_text("a");
        }
    }
}
