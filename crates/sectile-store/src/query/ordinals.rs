//! The numbers of sections in Chinese, Japanese and Korean: `第五条`, `第3章`, `제5조의2`.

/// What stands before such a number, and what stands behind it, as one of these units.
const MARKS: &[char] = &['第', '제'];
const UNITS: &str = "章节節條条回课課部篇步項项款目編编조항호장절편관";

/// What stands between the number of a section and that of one that was put in behind it: `第五条の二`.
const INSERTED: &[char] = &['の', '之', '의'];

/// The digits of Chinese numerals, and what their other characters multiply by.
const DIGITS: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
const ZERO: char = '零';
const TIMES: [(char, u64); 3] = [('千', 1000), ('百', 100), ('十', 10)];

/// The most characters of a number, and the greatest that is written as a word.
const LONGEST: usize = 8;
const GREATEST: u64 = 9_999;

/// The number of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ordinal {
    /// As it was typed.
    pub(super) typed: String,
    /// In digits: `5`, or `5-2` for one that was put in.
    pub(super) number: String,
    /// What such sections are called.
    pub(super) unit: char,
    mark: char,
}

impl Ordinal {
    /// Reads one at the beginning of a text.
    pub(super) fn at_start(text: &str) -> Option<Self> {
        let mark = text.chars().next().filter(|of| MARKS.contains(of))?;
        let (first, rest) = number(text[mark.len_utf8()..].trim_start())?;
        let rest = rest.trim_start();
        let unit = rest.chars().next().filter(|of| UNITS.contains(*of))?;
        let rest = &rest[unit.len_utf8()..];
        let inserted = rest.strip_prefix(INSERTED).and_then(number);
        let (number, rest) = match inserted {
            Some((second, rest)) => (format!("{first}-{second}"), rest),
            None => (first.to_string(), rest),
        };
        let typed = text[..text.len() - rest.len()].to_owned();
        Some(Self {
            typed,
            number,
            unit,
            mark,
        })
    }

    /// Finds the first one in a text.
    pub(super) fn in_text(text: &str) -> Option<Self> {
        let mut marks = text.match_indices(MARKS);
        marks.find_map(|(at, _)| Self::at_start(&text[at..]))
    }

    /// Returns the other ways in which documents write it: in digits, and with the numerals of Chinese and Japanese.
    pub(super) fn others(&self) -> Vec<String> {
        let Ok(value) = self.number.parse() else {
            return Vec::new();
        };
        let mut numbers = vec![self.number.clone()];
        if self.mark == MARKS[0] && (1..=GREATEST).contains(&value) {
            numbers.extend([chinese(value), japanese(value)]);
            numbers.dedup();
        }
        let others = numbers.iter();
        let others = others.map(|number| format!("{}{number}{}", self.mark, self.unit));
        others.filter(|other| *other != self.typed).collect()
    }
}

/// Returns whether a word is what such sections are called.
pub(super) fn is_unit(word: &str) -> bool {
    UNITS.contains(word)
}

/// Reads the number that a text begins with, and returns what follows.
fn number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|of: char| digit(of).is_none() && times(of).is_none());
    let (numeral, rest) = text.split_at(end.unwrap_or(text.len()));
    let is_number = (1..=LONGEST).contains(&numeral.chars().count());
    is_number.then(|| (value(numeral), rest))
}

/// Returns what a numeral counts, with a digit for each place (`一〇五`) or by what these are multiplied (`百五`).
fn value(numeral: &str) -> u64 {
    let (mut sum, mut digits) = (0, 0);
    for character in numeral.chars() {
        if let Some(times) = times(character) {
            sum += times * digits.max(1);
            digits = 0;
        } else {
            digits = digits * 10 + digit(character).unwrap_or_default();
        }
    }
    sum + digits
}

/// Reads a digit, in ASCII, of full width, or of Chinese numerals.
fn digit(character: char) -> Option<u64> {
    let place = DIGITS.iter().position(|of| *of == character);
    match character {
        '0'..='9' => Some(u64::from(character) - u64::from('0')),
        '\u{ff10}'..='\u{ff19}' => Some(u64::from(character) - 0xff10),
        ZERO => Some(0),
        _ => place.map(|place| place as u64),
    }
}

fn times(character: char) -> Option<u64> {
    let found = TIMES.iter().find(|(of, _)| *of == character);
    found.map(|(_, times)| *times)
}

/// Writes a number as Chinese does: `一百零五`, `二百五十`, `十五`.
fn chinese(number: u64) -> String {
    let written = written(number, true);
    match written.strip_prefix("一十") {
        Some(rest) => format!("十{rest}"),
        None => written,
    }
}

/// Writes a number as Japanese does: `百五`.
fn japanese(number: u64) -> String {
    written(number, false)
}

/// Writes a number with what its digits are multiplied by, in Chinese with each one and zeros.
fn written(number: u64, is_chinese: bool) -> String {
    let mut written = String::new();
    let mut skips = false;
    for (sign, times) in TIMES
        .map(|(sign, times)| (Some(sign), times))
        .into_iter()
        .chain([(None, 1)])
    {
        let digit = number / times % 10;
        if digit == 0 {
            skips = !written.is_empty();
            continue;
        }
        if skips && is_chinese {
            written.push(ZERO);
        }
        skips = false;
        if digit > 1 || is_chinese || sign.is_none() {
            written.push(DIGITS[digit as usize]);
        }
        written.extend(sign);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_sections_are_read_with_any_digits() {
        for (text, number, unit) in [
            ("第5条", "5", '条'),
            ("第五条 适用", "5", '条'),
            ("第５条", "5", '条'),
            ("第 3 章", "3", '章'),
            ("第十五條", "15", '條'),
            ("第一百零五条", "105", '条'),
            ("第百五条", "105", '条'),
            ("第一〇五条", "105", '条'),
            ("第二百五十条", "250", '条'),
            ("第五条の二", "5-2", '条'),
            ("第十七条之一", "17-1", '条'),
            ("第3章の内容", "3", '章'),
            ("제5조(목적)", "5", '조'),
            ("제 5 조", "5", '조'),
            ("제5조의2", "5-2", '조'),
            ("제5조의 내용", "5", '조'),
        ] {
            let read = Ordinal::at_start(text).unwrap();
            assert_eq!((&*read.number, read.unit), (number, unit), "{text}");
        }
        for text in ["第一", "第条", "5条", "第5人", "第123456789条", "제목", ""] {
            assert_eq!(Ordinal::at_start(text), None, "{text}");
        }
        assert_eq!(Ordinal::in_text("民法第5条は").unwrap().typed, "第5条");
    }

    #[test]
    fn numbers_of_sections_are_written_with_other_digits() {
        for (text, others) in [
            ("第5条", &["第五条"][..]),
            ("第五条", &["第5条"]),
            ("第105条", &["第一百零五条", "第百五条"]),
            ("第10条", &["第十条"]),
            ("第250条", &["第二百五十条"]),
            ("第1001条", &["第一千零一条", "第千一条"]),
            ("第百十条", &["第110条", "第一百一十条"]),
            ("第5条の2", &[]),
            ("제5조", &[]),
        ] {
            assert_eq!(Ordinal::at_start(text).unwrap().others(), others, "{text}");
        }
    }
}
