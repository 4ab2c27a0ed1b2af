//! Dates in a question, and the ways in which documents write them.

use super::numbers::{self, is_digits};
use super::ways::distinct;
use crate::{Language, Variant};

/// The names of the months by language, as they stand in a date.
const MONTHS: &[(Language, &str)] = &[
    (
        Language::English,
        "january february march april may june \
         july august september october november december",
    ),
    (
        Language::German,
        "januar februar märz april mai juni \
         juli august september oktober november dezember",
    ),
    (
        Language::French,
        "janvier février mars avril mai juin \
         juillet août septembre octobre novembre décembre",
    ),
    (
        Language::Spanish,
        "enero febrero marzo abril mayo junio \
         julio agosto septiembre octubre noviembre diciembre",
    ),
    (
        Language::Italian,
        "gennaio febbraio marzo aprile maggio giugno \
         luglio agosto settembre ottobre novembre dicembre",
    ),
    (
        Language::Portuguese,
        "janeiro fevereiro março abril maio junho \
         julho agosto setembro outubro novembro dezembro",
    ),
    (
        Language::Dutch,
        "januari februari maart april mei juni \
         juli augustus september oktober november december",
    ),
    (
        Language::Swedish,
        "januari februari mars april maj juni \
         juli augusti september oktober november december",
    ),
    (
        Language::Danish,
        "januar februar marts april maj juni \
         juli august september oktober november december",
    ),
    (
        Language::Polish,
        "stycznia lutego marca kwietnia maja czerwca \
         lipca sierpnia września października listopada grudnia",
    ),
    (
        Language::Czech,
        "ledna února března dubna května června \
         července srpna září října listopadu prosince",
    ),
    (
        Language::Russian,
        "января февраля марта апреля мая июня \
         июля августа сентября октября ноября декабря",
    ),
];

/// Languages that write `5 de abril de 2023`.
const WITH_DE: &[Language] = &[Language::Portuguese, Language::Spanish];

/// The letters of a short name of a month.
const SHORT: usize = 3;

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
    Some((count, distinct(ways)))
}

/// Returns what a date is made of, if a text is one.
pub(super) fn components(text: &str, languages: &[Language]) -> Option<Vec<String>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    read(&words, languages).filter(|(count, _)| *count == words.len())?;
    let all = text.split(|letter: char| !letter.is_alphanumeric());
    let components = all.filter(|of| !of.is_empty() && *of != "de");
    Some(components.map(str::to_owned).collect())
}

/// Returns the date that some words are, and two where either number may be the month.
fn dates<'q>(words: &[&'q str], languages: &[Language]) -> Vec<Date<'q>> {
    let named =
        |day: &str, name: &str, year| Date::new(year, month(name, languages)?, day_in(day)?);
    let date = match *words {
        [only] => return in_digits(only),
        [first, second, year] => named(first, second, year).or_else(|| named(second, first, year)),
        [day, "de", name, "de", year] => named(day, name, year),
        _ => None,
    };
    date.into_iter().collect()
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

/// Returns the number of a day, which may be an ordinal: `5.`, `5th`.
fn day_in(word: &str) -> Option<usize> {
    let digits = word.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let is_ordinal = matches!(
        &word[digits.len()..],
        "" | "." | "," | "st" | "nd" | "rd" | "th" | "st," | "nd," | "rd," | "th," | "er" | "º"
    );
    is_ordinal.then(|| number(digits)).flatten()
}

/// Reads a number of one or two digits.
fn number(digits: &str) -> Option<usize> {
    let is_short = (1..=2).contains(&digits.len()) && is_digits(digits);
    is_short.then(|| digits.parse().ok()).flatten()
}

/// Returns the number of the month that a word names in one of some languages, from 1.
fn month(word: &str, languages: &[Language]) -> Option<usize> {
    let name = word.trim_end_matches(['.', ',']).to_lowercase();
    let of_languages = MONTHS
        .iter()
        .filter(|(of, _)| languages.contains(of) || *of == Language::English);
    let mut at = of_languages.filter_map(|(_, names)| {
        names
            .split(' ')
            .position(|known| known == name || short(known) == name)
    });
    at.next().map(|at| at + 1)
}

fn short(name: &str) -> String {
    name.chars().take(SHORT).collect()
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
            format!("{year}-{month}-{day}"),
            format!("{day:02}/{month:02}/{year}"),
            format!("{day}/{month}/{year}"),
            format!("{month:02}/{day:02}/{year}"),
            format!("{month}/{day}/{year}"),
            format!("{day:02}.{month:02}.{year}"),
            format!("{day}.{month}.{year}"),
        ] {
            ways.extend(numbers::in_digits(&text));
        }
        let of_languages = MONTHS.iter().filter(|(of, _)| languages.contains(of));
        for (language, names) in of_languages {
            let name = names.split(' ').nth(month - 1).unwrap_or_default();
            for text in self.named(*language, name) {
                ways.extend(Variant::in_a_row(&text, &[*language]));
            }
        }
        ways
    }

    /// Returns the ways to write it with the name of the month.
    fn named(self, language: Language, name: &str) -> Vec<String> {
        let Self { year, day, .. } = self;
        let mut texts = Vec::new();
        for name in [name, &short(name)] {
            texts.push(format!("{day} {name} {year}"));
            texts.push(format!("{day:02} {name} {year}"));
            if language == Language::English {
                texts.push(format!("{name} {day} {year}"));
                texts.push(format!("{name} {day:02} {year}"));
            }
            if WITH_DE.contains(&language) {
                texts.push(format!("{day} de {name} de {year}"));
            }
        }
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dates_in(text: &str) -> Vec<(String, usize, usize)> {
        let languages = [Language::English, Language::German, Language::Spanish];
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
        ] {
            assert_eq!(dates_in(text), [("2023".to_owned(), 4, 25)], "{text}");
        }
        assert_eq!(dates_in("4/5/2023").len(), 2);
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
        ] {
            assert_eq!(dates_in(text), [], "{text}");
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
