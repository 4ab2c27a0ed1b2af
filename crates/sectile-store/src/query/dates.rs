//! Dates in a question, and the ways in which documents write them.

mod months;

use super::numbers::{self, is_digits};
use super::units::ORDINALS;
use super::variants::distinct;
use crate::{Analyzer, Language, Variant};

/// Words between those of a date: `5 de abril de 2023`, `5th of April 2023`, `2023 m. balandžio 5`.
const LINKS: &[&str] = &["de", "del", "of", "m."];

/// The signs behind a year, a month and a day in Chinese, Japanese and Korean.
const SIGNS: [&[char]; 3] = [&['年', '년'], &['月', '월'], &['日', '号', '號', '일']];

/// How many ways to write a date are looked for at most.
const MOST_WAYS: usize = 128;

/// How many digits a date without signs has.
const COMPACT: usize = 8;

/// What such a date weighs where a date with signs weighs 1: the numbers of invoices and the like are written so, too.
const COMPACT_ALONE: f64 = 0.5;

/// The most words of a date.
const LONGEST: usize = 5;

/// A day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Date<'q> {
    year: &'q str,
    month: usize,
    day: usize,
}

/// Reads a date at the beginning of some words, and returns how many it takes, with the ways in which documents in
/// some languages write it.
pub(super) fn read(words: &[&str], languages: &[Language]) -> Option<(usize, Vec<Variant>)> {
    let begins = |word: Option<&&str>| {
        word.is_some_and(|of| of.starts_with(|first: char| first.is_ascii_digit()))
    };
    if !begins(words.first()) && !begins(words.get(1)) {
        return None;
    }
    let english = [Language::English];
    let languages = if languages.is_empty() {
        &english
    } else {
        languages
    };
    let (count, dates) = (1..=LONGEST.min(words.len()))
        .map(|count| (count, dates(&words[..count], languages)))
        .find(|(_, dates)| !dates.is_empty())?;
    let ways = dates.into_iter().flat_map(|date| date.ways(languages));
    let mut ways = distinct(ways);
    ways.truncate(MOST_WAYS);
    Some((count, ways))
}

/// Returns whether what stands behind a number, in plain letters, makes it a day: `2 July`, `2 july 2024`.
pub(super) fn is_behind_day(behind: &str) -> bool {
    let text = behind.trim_start_matches(|of: char| of == '.' || of.is_whitespace());
    let name = text.trim_start_matches(char::is_alphabetic);
    let month = &text[..text.len() - name.len()];
    let is_all = !name.trim_start().starts_with(char::is_alphabetic);
    !month.is_empty() && is_all && months::is_name(month)
}

/// Returns the ways to write a month of a year in digits, as dates have them: `2020-01` for `January 2020`.
pub(super) fn month_in_digits(name: &str, year: &str, languages: &[Language]) -> Vec<String> {
    let is_year = year.len() == 4 && is_digits(year) && year.starts_with(['1', '2']);
    let month = is_year.then(|| months::number(name, languages)).flatten();
    month.map_or_else(Vec::new, |month| {
        vec![format!("{year}-{month:02}"), format!("{month:02}/{year}")]
    })
}

/// Returns how dates write a day of a month in digits if two words name it: `05-03` for `3 May`, `May 3rd` and `3. Mai`.
pub(super) fn day_in_digits(first: &str, second: &str, languages: &[Language]) -> Option<String> {
    let (_, day, month) = day_and_month(first, second, languages)?;
    Some(format!("{month:02}-{day:02}"))
}

/// Returns the ways in which documents in English write the day of a month that two words are, in a row, and whether the
/// first one is the day: `26 march`, `march 26th` and the like for `26th March`.
pub(super) fn day_of_month(first: &str, second: &str) -> Option<(bool, Vec<String>)> {
    let english = [Language::English];
    let (is_first, day, month) = day_and_month(first, second, &english)?;
    let names = months::names(month, &english).into_iter();
    let ordinal = ordinal(day);
    let rows = names.flat_map(|(_, names)| names).flat_map(|name| {
        [
            format!("{day} {name}"),
            format!("{name} {day}"),
            format!("{ordinal} {name}"),
            format!("{name} {ordinal}"),
        ]
    });
    Some((is_first, rows.collect()))
}

/// Reads a day and a month that two words are, in either order, and returns first whether the first one is the day.
fn day_and_month(
    first: &str,
    second: &str,
    languages: &[Language],
) -> Option<(bool, usize, usize)> {
    // Few words are days, and the names of months are many.
    let read = |is_first: bool, day: &str, name: &str| {
        let day = day_in(day).filter(|day| (1..=31).contains(day))?;
        Some((is_first, day, months::number(name, languages)?))
    };
    read(true, first, second).or_else(|| read(false, second, first))
}

/// Reads the date that a text ends with and behind which a time follows, and returns where it begins and how it is written
/// with signs: `2018-05-04` for `20180504`.
pub(super) fn before_time(text: &str) -> Option<(usize, String)> {
    let is_of_date = |of: char| of.is_ascii_digit() || matches!(of, '-' | '/');
    let before = text.trim_end_matches(is_of_date);
    let date = text[before.len()..].trim_start_matches(['-', '/']);
    let written = if date.len() == COMPACT && is_digits(date) {
        format!("{}-{}-{}", &date[..4], &date[4..6], &date[6..])
    } else {
        date.to_owned()
    };
    let is_date = !in_digits(&written).is_empty();
    is_date.then(|| (text.len() - date.len(), written))
}

/// Returns what a date is made of, if a text is one.
pub(super) fn components(text: &str, languages: &[Language]) -> Option<Vec<String>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    read(&words, languages).filter(|(count, _)| *count == words.len())?;
    let is_between =
        |letter: char| !Analyzer::is_of_word(letter) || SIGNS.iter().any(|of| of.contains(&letter));
    let all = text.split(is_between);
    let components = all.filter(|of| !of.is_empty() && !LINKS.contains(of));
    Some(components.map(str::to_owned).collect())
}

/// Returns the date that some words are, and two where either number may be the month.
fn dates<'q>(words: &[&'q str], languages: &[Language]) -> Vec<Date<'q>> {
    let named = |day: &str, name: &str, year| {
        let name = name
            .strip_prefix("d'")
            .or_else(|| name.strip_prefix("d\u{2019}"))
            .unwrap_or(name);
        Date::new(year, months::number(name, languages)?, day_in(day)?)
    };
    if let Some(date) = with_signs(words) {
        return vec![date];
    }
    let ends_in_link = words.last().is_some_and(|last| LINKS.contains(last));
    let mut said = words.iter().copied().filter(|word| !LINKS.contains(word));
    let date = match (said.next(), said.next(), said.next(), said.next()) {
        (Some(only), None, ..) if words.len() == 1 => return in_digits(only),
        (Some(day), Some("tháng"), Some(month), Some("năm")) => said
            .next()
            .and_then(|year| Date::new(year, number(month)?, number(day)?)),
        (Some(first), Some(second), Some(third), None) if !ends_in_link => {
            named(first, second, third)
                .or_else(|| named(second, first, third))
                .or_else(|| named(third, second, first))
        }
        _ => None,
    };
    date.into_iter().collect()
}

/// Reads a date with the signs of Chinese, Japanese or Korean: `2023年4月5日`.
fn with_signs<'q>(words: &[&'q str]) -> Option<Date<'q>> {
    let parts = words
        .iter()
        .flat_map(|word| word.split_inclusive(|of| SIGNS.iter().any(|signs| signs.contains(&of))));
    let mut parts = parts
        .zip(SIGNS)
        .map(|(part, signs)| part.strip_suffix(signs));
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let is_whole = words.concat().ends_with(SIGNS[2]) && words.len() <= SIGNS.len();
    let date = Date::new(year, number(month)?, number(day)?);
    date.filter(|_| is_whole)
}

/// Reads a date in digits: `5.4.2023`, `2023-04-05`, `05/04/2023`.
fn in_digits(word: &str) -> Vec<Date<'_>> {
    let mark = |mark: &char| word.matches(*mark).count() == 2;
    let Some(mark) = ['.', '-', '/'].into_iter().find(mark) else {
        return Vec::new();
    };
    let parts: Vec<&str> = word.split(mark).collect();
    let date = |year, month, day| Date::new(year, number(month)?, number(day)?);
    let found = match (&*parts, mark) {
        (&[year, month, day], '-' | '/') if year.len() == 4 => [date(year, month, day), None],
        (&[day, month, year], '.') => [date(year, month, day), None],
        (&[first, second, year], _) => [date(year, second, first), date(year, first, second)],
        _ => [None, None],
    };
    found.into_iter().flatten().collect()
}

/// Returns the number of a day, which may be an ordinal.
fn day_in(word: &str) -> Option<usize> {
    let digits = word.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let behind = word[digits.len()..].trim_end_matches([',', '.']);
    let is_ordinal = ORDINALS.contains(&behind.trim_start_matches('.'));
    is_ordinal.then(|| number(digits)).flatten()
}

/// Reads a number of one or two digits.
fn number(digits: &str) -> Option<usize> {
    let is_short = (1..=2).contains(&digits.len()) && is_digits(digits);
    is_short.then(|| digits.parse().ok()).flatten()
}

impl<'q> Date<'q> {
    /// Returns a date, if it can be one.
    fn new(year: &'q str, month: usize, day: usize) -> Option<Self> {
        let year = year.trim_end_matches(|letter: char| !letter.is_ascii_digit());
        let is_year = year.len() == 4 && is_digits(year) && year.starts_with(['1', '2']);
        let is_date = is_year && (1..=12).contains(&month) && (1..=31).contains(&day);
        is_date.then_some(Self { year, month, day })
    }

    /// Returns the ways in which documents in some languages write it.
    fn ways(self, languages: &[Language]) -> Vec<Variant> {
        let Self { year, month, day } = self;
        let mut ways = Vec::new();
        for text in [
            format!("{year}-{month:02}-{day:02}"),
            format!("{year}{month:02}{day:02}"),
            format!("{year}-{month}-{day}"),
            format!("{day:02}/{month:02}/{year}"),
            format!("{day}/{month}/{year}"),
            format!("{month:02}/{day:02}/{year}"),
            format!("{month}/{day}/{year}"),
            format!("{day:02}.{month:02}.{year}"),
            format!("{day}.{month}.{year}"),
        ] {
            let weight = if is_digits(&text) { COMPACT_ALONE } else { 1.0 };
            let in_digits = numbers::in_digits(&text).into_iter();
            ways.extend(in_digits.map(|way| Variant { weight, ..way }));
        }
        for (language, names) in months::names(month, languages) {
            for text in names.iter().flat_map(|name| self.named(language, name)) {
                ways.extend(Variant::in_a_row(&text, &[language]));
            }
        }
        for language in languages {
            let text = match language {
                Language::Chinese | Language::Japanese => format!("{year}年{month}月{day}日"),
                Language::Korean => format!("{year}년 {month}월 {day}일"),
                Language::Vietnamese => format!("{day} tháng {month} năm {year}"),
                _ => continue,
            };
            ways.extend(Variant::in_a_row(&text, &[*language]));
        }
        ways
    }

    /// Returns the ways to write it with a name of the month.
    fn named(self, language: Language, name: &str) -> Vec<String> {
        let Self { year, day, .. } = self;
        let mut texts = vec![
            format!("{day} {name} {year}"),
            format!("{day:02} {name} {year}"),
        ];
        match language {
            Language::English => {
                let ordinal = ordinal(day);
                texts.extend([
                    format!("{name} {day} {year}"),
                    format!("{name} {day:02} {year}"),
                    format!("{name} {ordinal} {year}"),
                    format!("{ordinal} {name} {year}"),
                    format!("{ordinal} of {name} {year}"),
                    format!("{day} of {name} {year}"),
                ]);
            }
            Language::Catalan | Language::Portuguese | Language::Spanish => {
                texts.push(format!("{day} de {name} de {year}"));
                texts.push(format!("{day} de {name} del {year}"));
                texts.push(format!("{day} d'{name} de {year}"));
                if day == 1 {
                    texts.push(format!("1.o de {name} de {year}"));
                }
            }
            Language::French if day == 1 => texts.push(format!("1er {name} {year}")),
            Language::Esperanto => texts.push(format!("{day}-a de {name} {year}")),
            Language::Hungarian => texts.push(format!("{year} {name} {day}")),
            Language::Lithuanian => texts.push(format!("{year} m. {name} {day}")),
            _ => {}
        }
        texts
    }
}

/// Writes the number of a day as English says it.
fn ordinal(day: usize) -> String {
    let ending = match day {
        1 | 21 | 31 => "st",
        2 | 22 => "nd",
        3 | 23 => "rd",
        _ => "th",
    };
    format!("{day}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dates_in(text: &str) -> Vec<(String, usize, usize)> {
        let languages: Vec<Language> = Language::all().collect();
        let words: Vec<&str> = text.split(' ').collect();
        let dates = dates(&words, &languages).into_iter();
        dates
            .map(|of| (of.year.to_owned(), of.month, of.day))
            .collect()
    }

    #[test]
    fn a_date_is_read_in_each_notation() {
        for text in [
            "2023-04-25",
            "2023/4/25",
            "25.4.2023",
            "25/04/2023",
            "04/25/2023",
            "April 25, 2023",
            "Apr. 25th 2023",
            "25. April 2023",
            "25 abr 2023",
            "25 de abril de 2023",
            "25th of April, 2023",
            "25. Nisan 2023",
            "2023. április 25.",
            "25 d'abril de 2023",
            "2023年4月25日",
            "2023년 4월 25일",
            "25 tháng 4 năm 2023",
        ] {
            assert_eq!(dates_in(text), [("2023".to_owned(), 4, 25)], "{text}");
        }
        assert_eq!(dates_in("4/5/2023").len(), 2);
        for text in [
            "1er avril 2023",
            "1.º de abril de 2023",
            "1.o de abril de 2023",
        ] {
            assert_eq!(dates_in(text), [("2023".to_owned(), 4, 1)], "{text}");
        }
    }

    #[test]
    fn a_day_of_a_month_is_written_in_digits() {
        let languages = [Language::German];
        for (first, second, written) in [
            ("3", "May", Some("05-03")),
            ("May", "3rd", Some("05-03")),
            ("3.", "Mai", Some("05-03")),
            ("32", "May", None),
            ("3", "apples", None),
            ("May", "June", None),
        ] {
            let found = day_in_digits(first, second, &languages);
            assert_eq!(found.as_deref(), written, "{first} {second}");
        }
    }

    #[test]
    fn a_number_before_a_month_is_a_day() {
        for (behind, is_day) in [
            (" july", true),
            (". marz 2024", true),
            (" may, a monday", true),
            (" may come later", false),
            (" fees", false),
            ("", false),
        ] {
            assert_eq!(is_behind_day(behind), is_day, "{behind}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "1.2.3",
            "2023-13-05",
            "32.1.2023",
            "1.200.2023",
            "April 2023",
            "5 apples 2023",
            "2023.4.5",
            "04-05-06",
            "-",
            "..",
            "a.b.2023",
            "may 5 20234",
            "5 de 2023",
            "2023年4月",
            "5 april 2023 de",
        ] {
            assert_eq!(dates_in(text), [], "{text}");
        }
    }

    #[test]
    fn a_date_is_read_before_a_time() {
        for (text, start, date) in [
            ("2018-05-04", 0, "2018-05-04"),
            ("20180504", 0, "2018-05-04"),
            ("2018/05/04", 0, "2018/05/04"),
            ("since:2018-05-04", 6, "2018-05-04"),
            ("30Z/2018-05-04", 4, "2018-05-04"),
        ] {
            let read = before_time(text);
            assert_eq!(read, Some((start, date.to_owned())), "{text}");
        }
        for text in ["", "05-04", "12345678", "2018-13-04", "x", "1-2018-05-04"] {
            assert_eq!(before_time(text), None, "{text}");
        }
    }

    #[test]
    fn a_month_of_a_year_is_written_in_digits() {
        let german = [Language::German];
        for name in ["January", "jan", "Januar"] {
            let written = month_in_digits(name, "2020", &german);
            assert_eq!(written, ["2020-01", "01/2020"], "{name}");
        }
        for (name, year) in [("January", "20"), ("January", "3020"), ("apples", "2020")] {
            assert_eq!(
                month_in_digits(name, year, &german),
                [""; 0],
                "{name} {year}"
            );
        }
    }

    #[test]
    fn a_day_of_a_month_is_written_with_and_without_its_ordinal() {
        for (first, second, is_first) in [
            ("26th", "March", true),
            ("26", "mar", true),
            ("March", "26th,", false),
        ] {
            let (of_first, rows) = day_of_month(first, second).unwrap();
            assert_eq!(of_first, is_first, "{first} {second}");
            for row in ["26 march", "march 26", "26th march", "mar 26th"] {
                assert!(rows.iter().any(|of| of == row), "{row}: {rows:?}");
            }
        }
        for (first, second) in [
            ("32", "March"),
            ("26th", "street"),
            ("March", "April"),
            ("", ""),
        ] {
            assert_eq!(day_of_month(first, second), None, "{first} {second}");
        }
    }

    #[test]
    fn a_date_is_made_of_whole_words() {
        let made_of = components("5 मार्च 2023", &[Language::Hindi]);
        assert_eq!(made_of.unwrap(), ["5", "मार्च", "2023"]);
    }

    #[test]
    fn a_date_has_few_ways_in_a_store_of_all_languages() {
        let languages: Vec<Language> = Language::all().collect();
        for text in ["2023-04-05", "4/5/2023"] {
            let (_, ways) = read(&[text], &languages).unwrap();
            assert!(ways.len() <= MOST_WAYS, "{}", ways.len());
        }
    }

    #[test]
    fn documents_write_a_date_in_digits_and_with_the_name_of_the_month() {
        let languages = [Language::English, Language::German];
        let (count, ways) = read(&["7.5.2023", "noted"], &languages).unwrap();
        let shown: Vec<String> = ways.iter().map(Variant::shown).collect();
        assert_eq!(count, 1);
        for way in [
            "7.5.2023",
            "2023 05 07",
            "07 05 2023",
            "7 mai 2023",
            "may 7 2023",
        ] {
            assert!(shown.iter().any(|of| of == way), "{way}: {shown:?}");
        }
    }
}
