//! The ways in which documents write numbers with marks, dates, sizes and amounts.

use super::split::Item;
use super::variants::{OTHER_NOTATION, variants_of};
use super::{dates, numbers, sizes, trimmed};
use crate::{Analyzer, Language, Variant};

/// Returns the ways in which documents write the number, the date or the amount that an item is; what is in quotes is
/// meant as it stands, but for the marks between thousands.
pub(super) fn number_in(item: &Item<'_>, languages: &[Language]) -> Option<Vec<Variant>> {
    if !item.text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if item.is_quoted {
        let plain = numbers::grouped(trimmed(item.text));
        return plain.map(|plain| ways_of_number(&plain, languages));
    }
    if let Some((number, unit)) = numbers::marked_measure(trimmed(item.text)) {
        let with = |between| numbers::with_unit(number, between, unit, languages);
        return Some([with(" "), with("")].concat());
    }
    marked(item.text, languages)
}

/// Returns the ways in which documents write a number with marks, a date or an amount.
pub(super) fn marked(text: &str, languages: &[Language]) -> Option<Vec<Variant>> {
    if let Some(plain) = numbers::grouped(trimmed(text)) {
        return Some(ways_of_number(&plain, languages));
    }
    several(&[text], languages).map(|(_, ways)| ways)
}

/// Reads a number with marks and its unit at the beginning of some words, and returns how many it takes, with the two.
pub(super) fn measure(words: &[&str]) -> Option<(usize, String, String)> {
    let mut counts = (1..=words.len()).rev();
    counts.find_map(|count| {
        let text = words[..count].join(" ");
        let (number, unit) = numbers::marked_measure(trimmed(&text))?;
        Some((count, number.to_owned(), unit.to_owned()))
    })
}

/// Reads a date, a size or an amount at the beginning of some words, and returns how many it takes, with the ways to write
/// it.
pub(super) fn several(words: &[&str], languages: &[Language]) -> Option<(usize, Vec<Variant>)> {
    let first = trimmed(words.first()?);
    let mut all = words.to_vec();
    if let Some(only) = all
        .first_mut()
        .filter(|_| first.starts_with(|of: char| of.is_ascii_digit()))
    {
        *only = first;
    }
    let (count, ways) = dates::read(&all, languages)
        .or_else(|| sizes::read(words))
        .or_else(|| amount(words, languages))?;
    let typed = Variant::in_a_row(&words[..count].join(" "), languages).into_iter();
    let others = ways.into_iter().map(|way| Variant {
        weight: way.weight * OTHER_NOTATION,
        ..way
    });
    Some((count, typed.chain(others).collect()))
}

/// Reads an amount at the beginning of some words, which may stand between its groups of digits.
fn amount(words: &[&str], languages: &[Language]) -> Option<(usize, Vec<Variant>)> {
    let joined = |count: usize| words[..count].join(" ");
    let mut counts = (1..=words.len()).rev();
    counts.find_map(|count| {
        let amount = numbers::Amount::read(trimmed(&joined(count)))?;
        Some((count, amount.ways(languages)))
    })
}

/// Returns the ways in which documents write a whole number.
pub(super) fn ways_of_number(number: &str, languages: &[Language]) -> Vec<Variant> {
    let read = Analyzer::readings(number, languages);
    let mut ways: Vec<Variant> = read.iter().flat_map(variants_of).collect();
    ways.extend(numbers::in_groups(number, languages));
    ways
}
