//! Dates as people write them in the heads of documents.

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// The longest text that is looked at.
const MAX_BYTES: usize = 100;

/// Returns a date in ISO 8601, if the text is one that can only be read in one way: `2026-11-23`,
/// `2026/11/23`, `<2026-11-23 Mon>`, `23 November 2026`, `November 23, 2026`, `November 2026`, `2026`.
pub(crate) fn iso_date(text: &str) -> Option<String> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let words: Vec<&str> = text
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    match words.as_slice() {
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
            ("3/4/2026", ""),
            ("2026-13-01", ""),
            ("\\today", ""),
        ] {
            assert_eq!(iso_date(text).unwrap_or_default(), expected, "{text}");
        }
    }
}
