//! Points in time as machines write them: `2020-01-06T10:20:30Z`, `20200106T102030Z`.

use super::{Word, WordKind, is_letter_at};

/// How many digits a date has, and how many a day behind the slash of `2020/01/06`.
const DATE: usize = 8;
const DAY: usize = 2;

/// How many bytes a date with hyphens has.
const LONGEST_DATE: usize = 10;

/// Reads the date and the first digits of a point in time that begins at `at`, or its seconds, as words without the `T`
/// between the two and the `Z` at the end, and returns where they end. Elsewhere there is nothing to read.
pub(super) fn words(text: &str, at: usize, found: &mut impl FnMut(&Word<'_>)) -> Option<usize> {
    let bytes = text.as_bytes();
    if !bytes[at].is_ascii_digit() {
        return None;
    }
    if ends_in_hours(&text[..at]) {
        let seconds = Time::read(text, at)?;
        let is_marked = seconds.digits == at + 2 && seconds.end > seconds.fraction;
        return is_marked.then(|| seconds.emit(at, found));
    }
    // No farther than a date: hyphens may follow each other over the whole text.
    let near = &bytes[..bytes.len().min(at + LONGEST_DATE + 1)];
    let date = end_of(near, at, |byte| byte.is_ascii_digit() || byte == b'-');
    let is_before_time = matches!(bytes.get(date), Some(b'T' | b't'));
    if !is_before_time || !is_date(&text[at..date], &text[..at]) {
        return None;
    }
    let time = Time::read(text, date + 1)?;
    found(&Word::new(at, date, WordKind::Word));
    Some(time.emit(date + 1, found))
}

/// The digits of a time that stand together: `10`, `1020`, `102030.5Z`.
struct Time {
    /// Where the digits end.
    digits: usize,
    /// Where their fraction ends.
    fraction: usize,
    /// Where the `Z` behind them ends.
    end: usize,
}

impl Time {
    fn read(text: &str, at: usize) -> Option<Self> {
        let bytes = text.as_bytes();
        let digits = end_of(bytes, at, |byte| byte.is_ascii_digit());
        let end = end_of(bytes, digits + 1, |byte| byte.is_ascii_digit());
        let has_fraction = bytes.get(digits) == Some(&b'.') && end > digits + 1;
        let fraction = if has_fraction { end } else { digits };
        let is_marked = matches!(bytes.get(fraction), Some(b'Z' | b'z'));
        let end = fraction + usize::from(is_marked);
        let is_time = matches!(digits - at, 2 | 4 | 6) && !is_letter_at(text, end);
        is_time.then_some(Self {
            digits,
            fraction,
            end,
        })
    }

    /// Calls `found` with each pair of digits, the last with the fraction, and returns where all ends.
    fn emit(&self, at: usize, found: &mut impl FnMut(&Word<'_>)) -> usize {
        for start in (at..self.digits).step_by(2) {
            let is_last = start + 2 == self.digits;
            let end = if is_last { self.fraction } else { start + 2 };
            found(&Word::new(start, end, WordKind::Word));
        }
        self.end
    }
}

/// Returns where the bytes from `at` on end that are of some kind.
fn end_of(bytes: &[u8], at: usize, is_of_kind: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let count = rest.iter().take_while(|byte| is_of_kind(**byte)).count();
    at + count
}

/// Returns whether a text ends as the hours and the minutes before seconds do.
fn ends_in_hours(before: &str) -> bool {
    let hours = before.strip_suffix(':');
    hours.is_some_and(|hours| hours.ends_with(|last: char| last.is_ascii_digit()))
}

/// Returns whether a word of digits and hyphens is a date, or the day of one.
fn is_date(word: &str, before: &str) -> bool {
    let groups: Vec<&str> = word.split('-').collect();
    let (year, month, day) = match *groups {
        [only] if only.len() == DATE => (&only[..4], &only[4..6], &only[6..]),
        [only] => return only.len() == DAY && before.ends_with('/'),
        [year, month, day] if year.len() == 4 && month.len() == 2 && day.len() == 2 => {
            (year, month, day)
        }
        _ => return false,
    };
    year.starts_with(['1', '2']) && ("01"..="12").contains(&month) && ("01"..="31").contains(&day)
}

#[cfg(test)]
mod tests {
    use super::super::words;

    fn check(text: &str, expected: &[&str]) {
        let mut found = Vec::new();
        words(text, |word| found.push(word.span.of(text)));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_point_in_time_is_a_date_and_a_time() {
        let date = "2020-01-06";
        check("2020-01-06T10:20:30Z", &[date, "10", "20", "30"]);
        check("2020-01-06t10:20:30.5z.", &[date, "10", "20", "30.5"]);
        check(
            "2020-01-06T10:20:30+02:00",
            &[date, "10", "20", "30", "02", "00"],
        );
        check("2020-01-06T10:20Z", &[date, "10", "20"]);
        check("2020-01-06T10Z, so", &[date, "10", "so"]);
        check("20200106T102030Z", &["20200106", "10", "20", "30"]);
        check("20200106T1020+0200", &["20200106", "10", "20", "0200"]);
        check("2020-01-06 10:20:30Z", &[date, "10", "20", "30"]);
        check("2020/01/06T10:20", &["2020", "01", "06", "10", "20"]);
    }

    #[test]
    fn what_is_no_point_in_time_is_a_word() {
        for word in [
            "2020-01-06",
            "2020-01-06T",
            "2020-13-06T10",
            "2020-01-06T10x",
            "20200106T1",
            "06T10",
            "12345678T10",
            "2020-1-6T10",
            "30Z",
        ] {
            check(word, &[word]);
        }
        check("a:30Z 1:2Z", &["a", "30Z", "1", "2Z"]);
        check("host:8080 10:20:30", &["host", "8080", "10", "20", "30"]);
    }
}
