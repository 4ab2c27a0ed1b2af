//! Words side by side: what they are as one, and in a row.

use super::Words;
use crate::query::markers::Marker;
use crate::query::pairs::{self, Neighbour};
use crate::query::variants::{OTHER_NOTATION, distinct, other_notation, variants_of};
use crate::query::{dates, measures, names, numbers};
use crate::{Analyzer, Language, Variant, WordKind};

/// The most ways to write a number or a unit to which one that is joined is added.
const MOST_JOINED: usize = 8;

impl Words<'_> {
    /// Adds the stop words that say something of the words beside them, and lets numbers and their units, and
    /// words side by side, be written as one.
    pub(in crate::query) fn add_pairs(&mut self, languages: &[Language]) {
        for (first, second) in self.neighbours.pairs() {
            self.join_pair(first, second, languages);
            self.join_day(first, second, languages);
        }
        for (first, second) in self.neighbours.around_of() {
            self.join_day(first, second, languages);
        }
        self.join_long_numbers(languages);
        self.join_words(languages);
        self.add_rows(languages);
    }

    /// Lets a number and its unit, a name and its number, and a month and its day or year be written in other ways.
    fn join_pair(&mut self, first: Neighbour<'_>, second: Neighbour<'_>, languages: &[Language]) {
        let places = [first.place, second.place];
        let joined = numbers::joined(first.typed, second.typed);
        if let Some(joined) = joined.filter(|_| !(first.is_common && second.is_common)) {
            self.join(places, &whole(&joined, languages));
        }
        // In `best books of 2024 in English` the number has no unit.
        if !second.is_common {
            for other in measures::with_other_units(first.typed, second.typed) {
                self.join(places, &other_notation(&other, languages));
            }
        }
        let designation = numbers::designation(first.typed, second.typed);
        if let Some(joined) = designation.filter(|_| !first.is_common) {
            self.join(places, &other_notation(&joined, languages));
        }
        let numeral = names::with_other_numeral(first.typed, second.typed);
        if let Some(row) = numeral.filter(|_| !first.is_common) {
            self.join([second.place], &other_notation(&row, languages));
        }
        for month in dates::month_in_digits(first.typed, second.typed, languages) {
            self.join(places, &other_notation(&month, languages));
        }
        // `5 may` is a number and a word as any.
        let is_word =
            |of: &Neighbour<'_>| of.is_common && !of.typed.starts_with(char::is_uppercase);
        let day = dates::day_in_digits(first.typed, second.typed, languages);
        if let Some(day) = day.filter(|_| !is_word(&first) && !is_word(&second)) {
            self.join(places, &other_notation(&day, languages));
        }
        if let Some(marker) = Marker::of(first.typed, second.typed).filter(|_| !first.is_common) {
            for name in marker.others(languages) {
                self.add_joined([first.place], &Variant::in_a_row(name, languages));
            }
            self.markers.push(marker);
        }
    }

    /// Lets the day of a month be written with an ordinal or without, before the month or behind it.
    fn join_day(&mut self, first: Neighbour<'_>, second: Neighbour<'_>, languages: &[Language]) {
        if !(languages.is_empty() || languages.contains(&Language::English)) {
            return;
        }
        let Some((is_first, rows)) = dates::day_of_month(first.typed, second.typed) else {
            return;
        };
        let day = if is_first { first } else { second };
        let rows = rows.iter();
        let rows = rows.flat_map(|row| other_notation(row, &[Language::English]));
        self.join([day.place], &rows.collect::<Vec<_>>());
    }

    /// Lets numbers side by side be written as one, such as that of a telephone.
    fn join_long_numbers(&mut self, languages: &[Language]) {
        for (places, number) in self.neighbours.long_numbers() {
            for place in places {
                self.join([place], &whole(&number, languages));
            }
        }
    }

    /// Lets words side by side be written as one, also with the first part of a name behind them.
    fn join_words(&mut self, languages: &[Language]) {
        for (first, second, joined) in self.neighbours.joined() {
            self.join([first.place, second.place], &whole(&joined, languages));
        }
        for (name, joined) in self.neighbours.joined_with_names() {
            let joined = whole(&joined, languages).into_iter();
            let joined = joined.map(|of| Variant {
                weight: OTHER_NOTATION,
                ..of
            });
            self.add_joined([name.place], &joined.collect::<Vec<_>>());
        }
    }

    /// Adds the words that count in a row, too.
    fn add_rows(&mut self, languages: &[Language]) {
        let numbered = self.neighbours.numbered().into_iter();
        let numbered = numbered.map(|typed| (typed, pairs::WEIGHT));
        for (typed, weight) in self.neighbours.in_a_row().into_iter().chain(numbered) {
            self.add_row(&typed, weight, languages);
        }
        self.add_rows_of_markers(languages);
        self.add_ordinals(languages);
        self.two_in_a_row = self.neighbours.of_two_words();
        if let Some(typed) = self.two_in_a_row.clone() {
            self.add_row(&typed, pairs::WEIGHT_OF_WORDS, languages);
        }
        for (typed, weight) in std::mem::take(&mut self.between_colons) {
            // It may be two words or a name and its number, too.
            if !self.has_row(&typed, languages) {
                self.add_row(&typed, weight, languages);
            }
        }
    }

    /// Lets names of sections and their numbers stand in a row with other names for the same, too.
    fn add_rows_of_markers(&mut self, languages: &[Language]) {
        for marker in self.markers.clone() {
            let rows = Variant::in_a_row(&marker.row(), languages);
            let terms: Vec<Vec<String>> = rows.into_iter().map(|of| of.terms).collect();
            let Some(&place) = self.places.get(&terms) else {
                continue;
            };
            for row in marker.other_rows(languages) {
                let mut row = Variant::in_a_row(&row, languages);
                for of in &mut row {
                    of.weight = pairs::WEIGHT;
                }
                self.add_joined([place], &row);
            }
        }
    }

    /// Adds the numbers of sections in text without spaces as characters in a row, with any digits.
    fn add_ordinals(&mut self, languages: &[Language]) {
        for ordinal in std::mem::take(&mut self.ordinals) {
            let others = ordinal.others();
            let ways = std::iter::once(&ordinal.typed).chain(&others);
            let ways = ways.flat_map(|way| Variant::in_a_row(way, languages));
            let ways = ways.map(|way| Variant {
                weight: pairs::WEIGHT,
                ..way
            });
            let ways = distinct(ways);
            self.push(&ordinal.typed, WordKind::Phrase, ways, false, 1.0);
        }
    }

    /// Adds to the clauses of words what they are as one.
    pub(super) fn join<const N: usize>(&mut self, places: [usize; N], joined: &[Variant]) {
        let added = self.add_joined(places, joined);
        self.joined.extend(added);
    }

    /// Returns whether there is a clause of words in a row.
    fn has_row(&self, typed: &str, languages: &[Language]) -> bool {
        let row = Variant::in_a_row(typed, languages).into_iter();
        let terms: Vec<Vec<String>> = row.map(|of| of.terms).collect();
        self.places.contains_key(&terms)
    }

    /// Adds a clause of words in a row.
    fn add_row(&mut self, typed: &str, weight: f64, languages: &[Language]) {
        let mut row = Variant::in_a_row(typed, languages);
        for variant in &mut row {
            variant.weight = weight;
        }
        self.push(typed, WordKind::Phrase, row, false, 1.0);
    }

    /// Adds to the clauses of words what they are as one, and returns the terms that were added to each.
    fn add_joined<const N: usize>(
        &mut self,
        places: [usize; N],
        joined: &[Variant],
    ) -> Vec<(usize, Vec<String>)> {
        let mut added = Vec::new();
        for place in places {
            if self.clauses[place].variants.len() > MOST_JOINED {
                continue;
            }
            let known = std::mem::take(&mut self.clauses[place].variants);
            self.clauses[place].variants =
                distinct(known.into_iter().chain(joined.iter().cloned()));
            added.extend(joined.iter().map(|of| (place, of.terms.clone())));
        }
        added
    }
}

/// Returns the terms of words that are joined, each of all of it.
pub(super) fn whole(joined: &str, languages: &[Language]) -> Vec<Variant> {
    let read = Analyzer::readings(joined, languages);
    let ways = read.iter().flat_map(variants_of);
    ways.filter(|of| of.terms.len() == 1 && of.part == 0)
        .collect()
}
