//! Numbers, dates, sizes and amounts among the words of a question.

use sectile_core::Span;

use super::Words;
use crate::query::notations::{marked, measure, several, ways_of_number};
use crate::query::split::{Item, Role};
use crate::query::variants::{distinct, variants_of};
use crate::query::{dates, numbers, trimmed};
use crate::{AnalyzedWord, Analyzer, Language, Languages, Variant, WordKind};

/// The most words of a number or of a date.
const LONGEST_NUMBER: usize = 5;

/// What a date of several words counts, where a word counts 1: its day, its month and its year would count 3 apart, but
/// each is commoner.
const WEIGHT_OF_DATE: f64 = 2.5;

impl<'q> Words<'q> {
    /// Adds a date, a size or an amount that some items begin with, as one clause, and returns how many items it takes.
    pub(in crate::query) fn add_several(
        &mut self,
        items: &[Item<'q>],
        languages: &[Language],
    ) -> usize {
        let has_digit = |of: &Item<'_>| of.text.bytes().any(|byte| byte.is_ascii_digit());
        if !items.iter().take(2).any(has_digit) {
            return 0;
        }
        let are_plain = |of: &&Item<'_>| of.role == Role::Scored && !of.is_quoted;
        let plain = items.iter().take_while(are_plain).take(LONGEST_NUMBER);
        let texts: Vec<&str> = plain.map(|of| of.text).collect();
        if let Some((count, number, unit)) = measure(&texts) {
            self.add_measure(&number, &unit, languages);
            return count;
        }
        let Some((count, mut ways)) = several(&texts, languages) else {
            return 0;
        };
        let typed = texts[..count].join(" ");
        let typed = trimmed(&typed);
        if count > 1 && dates::components(typed, languages).is_some() {
            for way in &mut ways {
                way.weight *= WEIGHT_OF_DATE;
            }
        }
        self.add_ways(typed, ways);
        count
    }

    /// Adds a number with marks and its unit, each of which may also be written as one with the other.
    fn add_measure(&mut self, number: &str, unit: &str, languages: &[Language]) {
        let joined = numbers::with_unit(number, "", unit, languages);
        let ways_of_number = marked(number, languages).unwrap_or_default();
        let read = Analyzer::readings(unit, languages);
        let ways_of_unit: Vec<Variant> = read.iter().flat_map(variants_of).collect();
        let is_common = self.common.has(unit);
        let both = [
            (number, ways_of_number, false),
            (unit, ways_of_unit, is_common),
        ];
        for (typed, ways, is_common) in both {
            let variants = distinct(ways.into_iter().chain(joined.iter().cloned()));
            let place = self.push(typed, WordKind::Word, variants, is_common, 1.0);
            let joined = joined.iter().map(|of| (place, of.terms.clone()));
            self.joined.extend(joined);
        }
        self.neighbours.part();
    }

    /// Adds what documents write in several ways.
    pub(super) fn add_ways(&mut self, typed: &str, ways: Vec<Variant>) {
        let variants = distinct(ways.into_iter());
        self.push(typed, WordKind::Word, variants, false, 1.0);
        self.neighbours.part();
    }

    /// Adds a number that was typed with full stops between its groups of digits, as it stands and for documents
    /// of the languages that write it so in its other ways.
    pub(super) fn add_number_with_stops(
        &mut self,
        typed: &str,
        number: &str,
        of: Languages,
        languages: &[Language],
    ) {
        let as_typed = Analyzer::readings(typed, languages);
        let others = ways_of_number(number, languages).into_iter();
        let others = others.map(|variant| Variant {
            languages: of,
            ..variant
        });
        let ways = as_typed.iter().flat_map(variants_of).chain(others);
        self.add_ways(typed, ways.collect());
    }

    /// Adds the dates of points in time, such as `2018-05-04T19:11:18Z`, and takes them out of the words of a text.
    pub(super) fn take_dates_before_times(
        &mut self,
        text: &str,
        words: &mut Vec<(AnalyzedWord, bool)>,
        languages: &[Language],
    ) {
        let mut spans: Vec<Span> = Vec::new();
        for (word, _) in &*words {
            // Only there a `T` before a word is not a part of one.
            let Some(before) = text[..word.span.start].strip_suffix(['T', 't']) else {
                continue;
            };
            let Some((start, date)) = dates::before_time(before) else {
                continue;
            };
            if let Some((_, ways)) = several(&[&*date], languages) {
                self.add_ways(&text[start..before.len()], ways);
                spans.push(Span::new(start, before.len()));
            }
        }
        words.retain(|(word, _)| {
            let next = spans.partition_point(|date| date.end <= word.span.start);
            !spans.get(next).is_some_and(|date| date.overlaps(word.span))
        });
    }
}
