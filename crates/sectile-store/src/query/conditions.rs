//! What a question requires and excludes.

use super::notations::number_in;
use super::split::{Item, Role, beginning};
use super::variants::{condition, distinct};
use super::{NAMED, Query, trimmed};
use crate::{Language, Variant, WordKind};

/// How many words the beginnings of a question stand for together at most.
const COMPLETIONS_OF_ALL: usize = 4_096;

/// How many different words a question may require, and how many it may exclude.
const MOST: usize = 256;

impl Query {
    /// Adds what an item requires or excludes. The index says which words begin as one with a star does.
    pub(super) fn restrict(&mut self, item: &Item<'_>, languages: &[Language]) {
        let (conditions, texts) = match item.role {
            Role::Required => (&mut self.clauses.required, &mut self.reading.required),
            Role::Excluded => (&mut self.clauses.excluded, &mut self.reading.excluded),
            Role::Scored | Role::Or => return,
        };
        if texts.iter().any(|text| text == item.text) {
            return;
        }
        if texts.len() >= MOST {
            self.reading.ignored += 1;
            return;
        }
        let is_beginning = beginning(item).is_some();
        let variants = match number_in(item, languages) {
            _ if is_beginning => Vec::new(),
            Some(number) => number,
            None => condition(item.text, item.is_quoted, languages),
        };
        if is_beginning || !variants.is_empty() {
            conditions.push(variants);
            texts.push(item.text.to_owned());
        }
    }

    /// Returns the beginnings of words among what is required and excluded, by their places among both.
    pub(crate) fn beginnings_of_conditions(&self) -> Vec<(usize, String)> {
        let clauses = &self.clauses;
        let conditions = clauses.required.iter().chain(&clauses.excluded);
        let texts = self.reading.required.iter().chain(&self.reading.excluded);
        let open = conditions.zip(texts).enumerate();
        let open = open.filter(|(_, (variants, _))| variants.is_empty());
        open.map(|(place, (_, text))| (place, text.trim_end_matches('*').to_owned()))
            .collect()
    }

    /// Returns the most words that each prefix expands to, given the limit for a single prefix.
    pub(crate) fn completions_of_each(&self, alone: usize) -> usize {
        let texts = self.reading.required.iter().chain(&self.reading.excluded);
        let conditions = texts.filter(|text| text.ends_with('*')).count();
        let all = self.beginnings().len() + conditions;
        alone.min(COMPLETIONS_OF_ALL / all.max(1)).max(1)
    }

    /// Lets words of the documents stand for a beginning that is required or excluded.
    pub(crate) fn complete_condition(
        &mut self,
        place: usize,
        words: &[String],
        languages: &[Language],
    ) {
        let variants = any_of(words, languages);
        let clauses = &mut self.clauses;
        let mut conditions = clauses.required.iter_mut().chain(&mut clauses.excluded);
        if let Some(known) = conditions.nth(place) {
            *known = variants;
        }
    }

    /// Returns the excluded words that no chunk holds, by their places.
    pub(crate) fn unknown_exclusions(
        &self,
        chunks: impl Fn(&Variant) -> u64,
    ) -> Vec<(usize, String)> {
        let excluded = self.clauses.excluded.iter().zip(&self.reading.excluded);
        let unknown = excluded.enumerate().filter(|(_, (variants, text))| {
            let is_word = !text.contains(char::is_whitespace) && !variants.is_empty();
            is_word && variants.iter().all(|of| chunks(of) == 0)
        });
        unknown
            .map(|(place, (_, text))| (place, trimmed(text).to_owned()))
            .collect()
    }

    /// Returns the excluded words that were typed in plain letters, by their places.
    pub(crate) fn excluded_in_plain_letters(&self) -> impl Iterator<Item = (usize, &str)> {
        let texts = self.reading.excluded.iter().map(|text| trimmed(text));
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
        texts.enumerate().filter(move |(_, text)| is_plain(text))
    }

    /// Lets variants stand for an excluded word too, beside what it was typed as.
    pub(crate) fn widen_exclusion(&mut self, place: usize, variants: Vec<Variant>) {
        let excluded = &mut self.clauses.excluded[place];
        *excluded = distinct(std::mem::take(excluded).into_iter().chain(variants));
    }

    /// Lets words of the documents stand for one that is excluded and that none has.
    pub(crate) fn correct_exclusion(
        &mut self,
        place: usize,
        words: &[String],
        languages: &[Language],
    ) {
        self.clauses.excluded[place] = any_of(words, languages);
        self.reading.excluded[place] = either(words);
    }

    /// Returns whether a word is required, as it was typed.
    pub(super) fn is_required(&self, typed: &str) -> bool {
        let mut required = self.reading.required.iter();
        required.any(|text| trimmed(text) == typed)
    }

    /// Lets what a required word was found to be written as, or was corrected to, meet the condition too.
    pub(crate) fn align_required(&mut self) {
        let required = self.clauses.required.iter_mut();
        for (variants, text) in required.zip(&mut self.reading.required) {
            let scored = self.clauses.scored.iter().zip(&self.reading.words);
            let mut same = scored.filter(|(clause, _)| clause.typed == trimmed(text));
            // Of a word in several clauses each has only a part.
            let (Some((clause, word)), None) = (same.next(), same.next()) else {
                continue;
            };
            if !matches!(word.kind, WordKind::Word | WordKind::Corrected) {
                continue;
            }
            let whole = clause.variants.iter().filter(|of| of.part == 0).cloned();
            *variants = distinct(std::mem::take(variants).into_iter().chain(whole));
            if word.kind == WordKind::Corrected {
                *text = either(&word.searched_for);
            }
        }
    }
}

/// Returns the variants of words of which any will do.
fn any_of(words: &[String], languages: &[Language]) -> Vec<Variant> {
    let variants = words.iter();
    distinct(variants.flat_map(|word| condition(word, false, languages)))
}

/// Names words of which any will do.
fn either(words: &[String]) -> String {
    let named: Vec<&str> = words.iter().take(NAMED).map(String::as_str).collect();
    named.join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Languages;

    #[test]
    fn what_counts_as_little_as_a_relative_meets_a_condition() {
        let mut query = Query::parse("kiwi AND apple", &[]).unwrap();
        let other = Variant::term("other", 0.5, Languages::ALL);
        query.clauses.scored[0].variants.push(other.clone());
        query.align_required();
        assert!(query.clauses.required[0].contains(&other));
    }

    #[test]
    fn many_beginnings_stand_for_fewer_words_each() {
        let of_each = |text: &str| {
            let query = Query::parse(text, &[]).unwrap();
            query.completions_of_each(1_024)
        };
        assert_eq!(of_each("kiwi AND inst* NOT pg_*"), 1_024);
        let many: Vec<String> = (10..50).map(|n| format!("NOT in{n}*")).collect();
        assert_eq!(of_each(&format!("kiwi {}", many.join(" "))), 102);
    }
}
