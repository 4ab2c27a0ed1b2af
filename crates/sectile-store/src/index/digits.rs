//! Long numbers that no document has as they were typed, such as that of a telephone or an account: documents write them in
//! other groups, or as one.

use std::collections::BTreeSet;

use super::question_terms::Known;
use super::search::Search;
use super::terms::Segments;
use crate::query::is_digits;
use crate::{Clause, Clauses, Language, Query, Result, Variant};

/// How many digits such a number has, and how many a group of it at most.
const DIGITS: std::ops::RangeInclusive<usize> = 6..=15;
const GROUP: usize = 8;

/// How many letters and digits one has that is written in groups of four, and how many digits of these at least.
const CODE: std::ops::RangeInclusive<usize> = 15..=34;
const FEWEST_DIGITS: usize = 10;
const GROUP_OF_CODE: usize = 4;

/// The fewest digits of the number of a telephone with a code of a country, and of one without; and the most digits of that
/// code.
const FEWEST_ABROAD: usize = 10;
const FEWEST_AT_HOME: usize = 8;
const COUNTRY: usize = 3;

/// How many numbers of a question are looked for in groups at most, and in how many ways each.
const MOST: usize = 4;
const WAYS: usize = 64;

/// How many steps are taken to find these ways.
const STEPS: usize = 4096;

/// Lets the groups of digits that documents have in a row stand for the numbers of a question among whose words are some
/// that nothing holds, and says whether there were any.
pub(super) async fn group(
    (search, segments): (&mut Search<'_>, &mut Segments),
    (query, question): (&mut Query, &str),
    known: &Known,
    unknown: &[usize],
    languages: &[Language],
) -> Result<bool> {
    if unknown.is_empty() {
        return Ok(false);
    }
    let mut is_any = false;
    for number in numbers(question) {
        let is_of_number = |place: &&usize| {
            let typed = plain(query.typed(**place));
            !typed.is_empty() && number.contains(&typed)
        };
        let places: Vec<usize> = unknown.iter().filter(is_of_number).copied().collect();
        if places.is_empty() {
            continue;
        }
        let rows = rows(search, segments, &number).await?;
        is_any |= !rows.is_empty();
        for place in places {
            let rows = rows.iter().map(|row| (row.clone(), 1.0)).collect();
            query.correct(place, rows, languages, |of| known.chunks_with(of));
        }
    }
    Ok(is_any)
}

/// Returns the long numbers of a question, without the marks between their groups, in lower case.
fn numbers(question: &str) -> Vec<String> {
    let mut runs = vec![String::new()];
    for word in question.split_whitespace() {
        if !is_group(word) {
            runs.push(String::new());
        } else if let Some(run) = runs.last_mut() {
            run.push_str(&plain(word));
        }
    }
    let is_long = |run: &String| is_long_number(run) || is_code(run);
    runs.into_iter().filter(is_long).take(MOST).collect()
}

/// Returns whether a word may be a group of such a number: it has digits and marks, and letters in capitals only, unless it
/// is a whole one.
fn is_group(word: &str) -> bool {
    let is_of_number =
        |of: char| of.is_ascii_alphanumeric() || matches!(of, '+' | '(' | ')' | '/' | '-' | '.');
    let has_digit = word.bytes().any(|of| of.is_ascii_digit());
    let has_small = word.bytes().any(|of| of.is_ascii_lowercase());
    let is_one = has_digit && word.chars().all(is_of_number);
    is_one && (!has_small || is_code(&plain(word)))
}

/// Returns the letters and digits of a word, in lower case.
fn plain(word: &str) -> String {
    let plain = word.chars().filter(char::is_ascii_alphanumeric);
    plain.map(|of| of.to_ascii_lowercase()).collect()
}

fn is_long_number(number: &str) -> bool {
    DIGITS.contains(&number.len()) && is_digits(number)
}

/// Returns whether it may be the number of an account or a card, which documents write in groups of four.
fn is_code(number: &str) -> bool {
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    CODE.contains(&number.len()) && digits >= FEWEST_DIGITS
}

/// Returns the ways in which documents have a number: as it was typed, or else as it may be written otherwise.
async fn rows(
    search: &mut Search<'_>,
    segments: &mut Segments,
    number: &str,
) -> Result<Vec<String>> {
    let all = written(number);
    let groups: BTreeSet<&str> = all.iter().flat_map(|number| parts(number)).collect();
    let groups = clauses(groups.into_iter().map(|group| vec![group.to_owned()]));
    let single = segments.words(search.reader, &groups).await?;
    for number in &all {
        let found = rows_of(search, segments, number, &single).await?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// Returns the ways in which documents have the letters and digits of a number: as one, or in groups in a row.
async fn rows_of(
    search: &mut Search<'_>,
    segments: &mut Segments,
    number: &str,
    single: &Known,
) -> Result<Vec<String>> {
    let is_known = |group: &str| single.chunks(&[group.to_owned()]) > 0;
    let mut found: Vec<String> = Vec::new();
    if is_known(number) {
        found.push(number.to_owned());
    }
    let mut in_groups = Vec::new();
    if is_long_number(number) {
        in_groups = ways(number, is_known);
    }
    if is_code(number) {
        in_groups.push(in_groups_of_four(number));
    }
    let rows = clauses(in_groups.into_iter().filter(|way| way.len() > 1));
    let mut known = Known::default();
    segments.rows(search.reader, &rows, &mut known).await?;
    let held = rows.variants().filter(|of| known.chunks(&of.terms) > 0);
    found.extend(held.map(Variant::shown));
    Ok(found)
}

/// Returns the digits of a number as it may be written: that of a telephone with the code of its country or without, in
/// which case a zero stands before it or not.
fn written(number: &str) -> Vec<String> {
    let mut all = vec![number.to_owned()];
    if !is_long_number(number) {
        return all;
    }
    let mut add = |number: &str| {
        if number.len() >= FEWEST_AT_HOME && all.iter().all(|of| of != number) {
            all.push(number.to_owned());
        }
    };
    let abroad = number.strip_prefix("00").unwrap_or(number);
    add(abroad);
    if let Some(at_home) = abroad.strip_prefix('0') {
        add(at_home);
    } else if abroad.len() >= FEWEST_ABROAD {
        for country in 1..=COUNTRY {
            let at_home = &abroad[country..];
            add(&format!("0{at_home}"));
            add(at_home);
        }
    }
    all
}

/// Cuts a number into groups of four letters and digits.
fn in_groups_of_four(number: &str) -> Vec<String> {
    let starts = (0..number.len()).step_by(GROUP_OF_CODE);
    let groups = starts.map(|start| &number[start..(start + GROUP_OF_CODE).min(number.len())]);
    groups.map(str::to_owned).collect()
}

/// Returns the number as one and, if it may be written in any groups, these.
fn parts(number: &str) -> impl Iterator<Item = &str> {
    let is_long = is_long_number(number);
    groups(number).filter(move |_| is_long).chain([number])
}

/// Returns every group of digits that a number may have.
fn groups(number: &str) -> impl Iterator<Item = &str> {
    (0..number.len()).flat_map(move |start| {
        let longest = GROUP.min(number.len() - start);
        (1..=longest).map(move |length| &number[start..start + length])
    })
}

/// Returns the ways to cut a number into groups that documents have, those with long groups first.
fn ways(number: &str, is_known: impl Fn(&str) -> bool) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut open: Vec<Vec<&str>> = vec![Vec::new()];
    for _ in 0..STEPS {
        let Some(begun) = open.pop() else {
            break;
        };
        let start = begun.iter().map(|group| group.len()).sum();
        if start == number.len() {
            found.push(begun.into_iter().map(str::to_owned).collect());
            if found.len() == WAYS {
                break;
            }
            continue;
        }
        // What is added last is looked at first.
        let longest = GROUP.min(number.len() - start);
        let next = (1..=longest).map(|length| &number[start..start + length]);
        for group in next.filter(|group| is_known(group)) {
            let mut longer = begun.clone();
            longer.push(group);
            open.push(longer);
        }
    }
    found
}

fn clauses(all: impl Iterator<Item = Vec<String>>) -> Clauses {
    let clause = |terms| Clause::exact("", 1.0, terms);
    Clauses {
        scored: all.map(clause).collect(),
        ..Clauses::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_cut_into_groups_that_are_known() {
        let known = ["33", "1", "45", "67", "89", "01", "4567"];
        let shown: Vec<String> = ways("33145678901", |group| known.contains(&group))
            .iter()
            .map(|way| way.join(" "))
            .collect();
        assert_eq!(shown, ["33 1 4567 89 01", "33 1 45 67 89 01"]);
        assert_eq!(ways("123456", |_| false), Vec::<Vec<String>>::new());
        assert_eq!(ways("111111111111111", |_| true).len(), WAYS);
    }

    #[test]
    fn numbers_are_read_without_the_marks_between_their_groups() {
        for (question, expected) in [
            ("call +33 1 45-67 89 01 now", &["33145678901"][..]),
            ("0711/536-8641", &["07115368641"]),
            ("(0711) 536 86 41", &["07115368641"]),
            (
                "IBAN DE16 6277 3068 9857 5311 33",
                &["de16627730689857531133"],
            ),
            ("de16627730689857531133", &["de16627730689857531133"]),
            ("978-3-16-148410-0", &["9783161484100"]),
            ("room 12 of 2024", &[]),
            ("10:20:30 and 8 to 9", &[]),
            ("sha256 of commit 0a1b2c3d4e5f", &[]),
        ] {
            assert_eq!(numbers(question), expected, "{question}");
        }
    }

    #[test]
    fn a_number_may_lack_the_code_of_its_country() {
        let has = |number: &str, other: &str| written(number).iter().any(|of| of == other);
        assert!(has("497116948700", "07116948700"));
        assert!(has("00497116948700", "07116948700"));
        assert!(has("07116948700", "7116948700"));
        assert!(has("12025550199", "2025550199"));
        assert_eq!(written("123456"), ["123456"]);
        assert_eq!(in_groups_of_four("de166277306"), ["de16", "6277", "306"]);
    }
}
