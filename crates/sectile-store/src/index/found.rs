//! From what was found to hits that say something and differ.

mod first;
mod hit;

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use self::hit::{FoundHit, Standing};
use super::code_names::AskedDefinition;
use super::definitions::{self, Saying};
use super::document_names::AskedName;
use super::literals::Literal;
use super::quoted_question::{QuotedQuestion, Quoting};
use super::quotes;
use super::score::Key;
use super::{copies, forms, introductions, qualifiers};
use crate::definition::Definition;
use crate::query::TypedForm;
use crate::{Demotion, FoundChunk, GroupBy, Hit, Language, Leg, Query};

/// How many of the hits before it a chunk may be a copy of.
const NEIGHBOURS: usize = 8;

/// How many of the first hits may give way to others among them that have the words of the question as they were typed.
const COMPARED: usize = 10;

/// What those in the language of the question score at least that one in another language gives way to.
const NEARLY_EQUAL: f64 = 0.9;

/// Hits, best first, each text once.
pub(super) struct FoundHits {
    group_by: GroupBy,
    hits: Vec<FoundHit>,
    /// The place of each text, and of a heading with its document's name and the headings above it.
    places: FxHashMap<(String, Vec<String>), usize>,
    /// Whether texts that differ in versions and dates only are one: not where the question may ask for one of these.
    joins_copies: bool,
}

/// What decides among hits beside their scores.
#[derive(Clone, Debug, Default)]
pub(super) struct Preferences {
    /// The words of a short question as they were typed.
    pub(super) typed: Vec<TypedForm>,
    /// Those of a longer one.
    pub(super) counted: Vec<TypedForm>,
    /// The stop words of the question that say which of several things it asks for.
    pub(super) qualifiers: Vec<String>,
    /// The words of the question with its stop words, if a heading may be the same.
    pub(super) heading: Option<String>,
    /// What the question asks for, if a document may be called so.
    pub(super) name: Option<AskedName>,
    /// The question as a text may have it, with its signs.
    pub(super) literal: Option<Literal>,
    /// The language of the question.
    pub(super) language: Option<Language>,
    /// What the question asks to define.
    pub(super) definition: Option<Definition>,
    /// The names in source code that the question is.
    pub(super) code: Option<AskedDefinition>,
    /// Whether words rank alone: other scores do not say how near hits are.
    pub(super) is_by_text: bool,
}

/// What a chunk holds of a question; nothing where no hit may lack a text and the question names no section and no file.
#[derive(Clone, Debug, Default)]
pub(super) struct HeldClauses {
    /// The places of the clauses.
    pub(super) clauses: BTreeSet<usize>,
    /// Whether one of them is in its text, and not only in its heading path.
    pub(super) is_in_text: bool,
    /// What the names of files among them bring to its score.
    pub(super) of_files: f64,
}

impl FoundHits {
    pub(super) fn new(group_by: GroupBy, question: &str) -> Self {
        let has_number = question.contains(char::is_numeric);
        Self {
            group_by,
            hits: Vec::new(),
            places: FxHashMap::default(),
            joins_copies: !has_number && group_by != GroupBy::Chunk,
        }
    }

    /// Adds what was found next, or notes its place with the hit that has the same text.
    pub(super) fn add(
        &mut self,
        key: Key,
        chunk: FoundChunk,
        scored: (f64, Vec<Leg>),
        held: HeldClauses,
    ) {
        let (text, found) = self.hit_of(key, chunk, scored, held);
        if self.group_by != GroupBy::Chunk
            && let Some(&place) = self.places.get(&text)
        {
            return self.hits[place].join(found);
        }
        if let Some(place) = self.copy_of(&found.chunk) {
            return self.hits[place].add_same(found.chunk);
        }
        self.places.insert(text, self.hits.len());
        self.hits.push(found);
    }

    /// Lets another chunk of its group stand for the hit of a chunk. It is added if that chunk is no hit of its own, and
    /// noted with the other hit that has the same text, if there is one.
    pub(super) fn replace(
        &mut self,
        known: Key,
        key: Key,
        chunk: FoundChunk,
        scored: (f64, Vec<Leg>),
        held: HeldClauses,
    ) {
        let Some(at) = self.hits.iter().position(|hit| hit.key == known) else {
            return self.add(key, chunk, scored, held);
        };
        let (text, found) = self.hit_of(key, chunk, scored, held);
        if self.group_by != GroupBy::Chunk
            && let Some(&place) = self.places.get(&text)
            && place != at
        {
            return self.hits[place].join(found);
        }
        self.places.retain(|_, place| *place != at);
        self.places.insert(text, at);
        self.hits[at] = found;
    }

    /// Returns a chunk as a hit, with its text, and with the headings above it if it is the same below the same ones only.
    fn hit_of(
        &self,
        key: Key,
        chunk: FoundChunk,
        (score, legs): (f64, Vec<Leg>),
        held: HeldClauses,
    ) -> ((String, Vec<String>), FoundHit) {
        let has_no_text = chunk.demotion();
        // Headings alone are the same only below the same ones, and so is what is found by these alone.
        let is_found_by_path =
            has_no_text == Some(Demotion::Heading) || has_no_text.is_some() && !held.is_in_text;
        let above = if is_found_by_path {
            path_of(&chunk)
        } else {
            Vec::new()
        };
        let text = (chunk.text.trim().to_owned(), above);
        let demotion = self.demotion(&chunk, has_no_text, &held);
        let found = FoundHit {
            key,
            chunk,
            score,
            own_score: score,
            legs,
            same_text: Vec::new(),
            more_same_text: 0,
            held,
            demotion,
            promotion: None,
            quoting: None,
            lacks_forms: false,
        };
        (text, found)
    }

    /// Notes how some of the hits have the question in their texts, by their places and keys, and returns how the one does
    /// that has most of it.
    pub(super) fn note_quotes(
        &mut self,
        question: &QuotedQuestion,
        is_looked_at: impl Fn(usize, &Key) -> bool,
    ) -> Option<Quoting> {
        for (at, hit) in self.hits.iter_mut().enumerate() {
            if is_looked_at(at, &hit.key) {
                hit.quoting = question.is_in(hit.own_text());
            }
        }
        let best = self.hits.iter().filter_map(|hit| hit.quoting).min();
        let quoted = |hit: &&mut FoundHit| hit.quoting == Some(Quoting::WordForWord);
        if question.is_short() && self.hits.iter_mut().filter(quoted).count() > 1 {
            // It is a common turn.
            for hit in self.hits.iter_mut().filter(quoted) {
                hit.quoting = None;
            }
        }
        best
    }

    /// Returns the place of a hit of another document that a chunk differs from in versions and dates only. Both score
    /// about the same, so that it is one of the last.
    fn copy_of(&self, chunk: &FoundChunk) -> Option<usize> {
        let first = if self.joins_copies {
            self.hits.len().saturating_sub(NEIGHBOURS)
        } else {
            self.hits.len()
        };
        let is_copy = |hit: &FoundHit| {
            hit.chunk.document.id != chunk.document.id
                && copies::are_copies(&hit.chunk.text, &chunk.text)
        };
        let found = self.hits[first..].iter().rposition(is_copy);
        found.map(|at| first + at)
    }

    /// Returns what a chunk lacks to be an answer. A document is one by its other sections, too.
    fn demotion(
        &self,
        chunk: &FoundChunk,
        has_no_text: Option<Demotion>,
        held: &HeldClauses,
    ) -> Option<Demotion> {
        let inherits = !held.clauses.is_empty() && !held.is_in_text && chunk.may_be_inherited();
        let demotion = has_no_text.or_else(|| inherits.then_some(Demotion::Inherited));
        demotion
            .filter(|demotion| *demotion == Demotion::Heading || self.group_by != GroupBy::Document)
    }

    /// Returns whether there are at least `wanted` hits, with or without a text of their own.
    pub(super) fn has(&self, wanted: usize) -> bool {
        self.hits.len() >= wanted
    }

    /// Returns the number of other places that have the text of one of the first hits.
    pub(super) fn same_texts(&self, first: usize) -> usize {
        let first = self.hits.iter().take(first);
        first
            .map(|hit| hit.same_text.len() + hit.more_same_text)
            .sum()
    }

    /// Returns whether at least `wanted` hits have a text of their own.
    pub(super) fn says_enough(&self, wanted: usize) -> bool {
        self.hits
            .iter()
            .filter(|hit| hit.demotion.is_none())
            .count()
            >= wanted
    }

    /// Returns the first `wanted` hits. The first one of a document that is called as the question stands before all
    /// others that do not score much more, and so does a section that is called so together with its document. One
    /// whose heading is the question word for word stands before all others, behind what is called so at the same
    /// place. One that the question names by its number stands before the first of those that hold no other clauses,
    /// and one that has the message that the question is before all that do not have the question. One that has the
    /// question word for word, or defines the term that it asks for, stands before those that do not score much more,
    /// and so does one that has a short question with its signs. One whose heading has the words of the question stands
    /// before its subsections that score little more. One without a text of its own stands after the last of those that
    /// have one and hold all of its clauses. One that has not all words as they were typed stands after the last of
    /// those that score little less and have them, and so does one in another language than the question.
    pub(super) fn into_hits(
        mut self,
        wanted: usize,
        query: &Query,
        preferences: &Preferences,
    ) -> Vec<(Key, Hit)> {
        self.level_files(query);
        // The order of what defines a term is another one.
        if preferences.definition.is_none() {
            self.count_forms(query, preferences);
        }
        let are_cited = self.are_cited(query);
        let citing = query.places_of_citations();
        let named = self.named(query, preferences);
        let are_literal = self.are_literal(preferences.literal.as_ref());
        let gaps = self.gaps(&preferences.typed);
        let sayings = self.sayings(preferences.definition.as_ref());
        let is_unquoted = |other: usize| self.hits[other].quoting.is_none();
        let has_not_all = |other: usize| self.hits[other].quoting != Some(Quoting::WordForWord);
        let place = |at: usize| {
            if let Some(place) = self.place_as_named(at, &named) {
                // Its heading alone would bring it before all others.
                let is_first = self.is_asked(at, preferences);
                return (if is_first { 0 } else { place }, Standing::Named);
            }
            if self.is_asked(at, preferences) {
                return (0, Standing::Asked);
            }
            if are_cited[at] {
                return (
                    self.first_with_no_others(at, &are_cited, &citing),
                    Standing::Cited,
                );
            }
            match self.hits[at].quoting {
                Some(Quoting::WordForWord) => {
                    let place = self.first_that_gives_way(at, quotes::NEAR, has_not_all);
                    return (place, Standing::Quoted);
                }
                Some(Quoting::Mostly) => {
                    let place = self.first_that_gives_way(at, quotes::NEAR, is_unquoted);
                    return (place, Standing::MostlyQuoted);
                }
                // Its values may bring others any score.
                Some(Quoting::AsMessage) => {
                    let place = self.first_that_gives_way(at, 0.0, is_unquoted);
                    return (place, Standing::AsMessage);
                }
                None => {}
            }
            if let Some(saying) = sayings.get(at).filter(|of| of.defines()) {
                let gives_way = |other: usize| {
                    // One that has the name in its heading stays before it.
                    let mut between = sayings[other..at].iter();
                    saying.comes_before(sayings[other])
                        && between.all(|of| *of != Saying::HasName || saying.comes_before(*of))
                };
                let place = self.first_that_gives_way(at, definitions::NEAR, gives_way);
                return match self.first_subsection(at, query) {
                    Some(first) if first <= place => (first, Standing::DefinesAbove),
                    _ => (place, Standing::Defines),
                };
            }
            if let Some(place) = self.place_as_literal(at, &are_literal) {
                return (place, Standing::Literal);
            }
            match self.hits[at].demotion {
                Some(_) => (self.last_with_as_much(at), Standing::WithoutText),
                None => self.place_with_text(at, &gaps, query, preferences),
            }
        };
        let places: Vec<(usize, Standing)> = (0..self.hits.len()).map(place).collect();
        let mut ordered: Vec<_> = places.into_iter().zip(self.hits).collect();
        ordered.sort_by_key(|(place, _)| *place);
        let best = ordered.into_iter().take(wanted);
        best.map(|((_, standing), found)| found.into_hit(standing, query))
            .collect()
    }

    /// Lets the name of a file count alike in all of its hits: most often only its first section has it.
    fn level_files(&mut self, query: &Query) {
        let of_files = self.hits.iter().map(|hit| hit.held.of_files);
        let most = of_files.fold(0.0, f64::max);
        if most <= 0.0 {
            return;
        }
        for hit in &mut self.hits {
            if query.names_file(&hit.chunk.document.uri) {
                hit.count_file(most, query.clauses());
            }
        }
        self.hits
            .sort_by(|left, right| right.score.total_cmp(&left.score));
    }

    /// Sorts the first hits again by how many words of a longer question they have as they were typed, and by the stop words
    /// of headings that have all of its words, and notes those that others with lower scores come before.
    fn count_forms(&mut self, query: &Query, preferences: &Preferences) {
        let mut compared = self.hits.iter().take(COMPARED);
        let are_counted = compared.all(|hit| forms::count_in(&hit.chunk));
        let typed: &[TypedForm] = if are_counted {
            &preferences.counted
        } else {
            &[]
        };
        let stop_words = &*preferences.qualifiers;
        if typed.is_empty() && stop_words.is_empty() {
            return;
        }
        let mut first = std::mem::take(&mut self.hits);
        let others = first.split_off(first.len().min(COMPARED));
        let mut scored: Vec<(f64, FoundHit)> =
            first.into_iter().map(|hit| (hit.score, hit)).collect();
        for (score, hit) in &mut scored {
            let with_forms = forms::with_gain(*score, &hit.chunk, typed);
            hit.score = qualifiers::with_gain(with_forms, &hit.chunk, stop_words, query);
        }
        scored.sort_by(|(_, left), (_, right)| right.score.total_cmp(&left.score));
        let mut least = f64::INFINITY;
        for (score, hit) in &mut scored {
            hit.lacks_forms = *score > least;
            least = least.min(*score);
        }
        let first = scored.into_iter().map(|(_, hit)| hit);
        self.hits = first.chain(others).collect();
    }

    /// Returns how near those with some words as they were typed have to be to each of the first hits for it to give way
    /// to them, unless it has these words, too; nothing where there are no such words.
    fn gaps(&self, typed: &[TypedForm]) -> Vec<Option<f64>> {
        if typed.is_empty() {
            return Vec::new();
        }
        let first = self.hits.iter().take(COMPARED);
        first.map(|hit| forms::gap(&hit.chunk, typed)).collect()
    }

    /// Returns what each of the first hits says of the term that the question asks for; nothing where there is none. A hit
    /// without a text of its own defines nothing.
    fn sayings(&self, definition: Option<&Definition>) -> Vec<Saying> {
        let Some(definition) = definition else {
            return Vec::new();
        };
        let saying = |hit: &FoundHit| match hit.demotion {
            Some(_) => Saying::Other,
            None => Saying::of(&hit.chunk, definition),
        };
        let first = self.hits.iter().take(definitions::LOOKED_AT);
        first.map(saying).collect()
    }

    /// Returns the place of a hit with a text of its own, and how it stands there.
    fn place_with_text(
        &self,
        at: usize,
        gaps: &[Option<f64>],
        query: &Query,
        preferences: &Preferences,
    ) -> (usize, Standing) {
        if let Some(last) = self.last_as_typed(at, gaps) {
            (last, Standing::OtherForm)
        } else if let Some(last) = self.last_in_language(at, preferences.language) {
            (last, Standing::OtherLanguage)
        } else if preferences.is_by_text
            && let Some(first) = self.first_subsection(at, query)
        {
            (first, Standing::Introduces)
        } else if self.hits[at].lacks_forms {
            (at, Standing::OtherForm)
        } else {
            (at, Standing::Plain)
        }
    }

    /// Returns the place of the first hit that one at a place comes before, or its own: of those that give way, the first
    /// that scores so little more that it comes to no more than this one, if it counts `near` of its score.
    fn first_that_gives_way(
        &self,
        at: usize,
        near: f64,
        gives_way: impl Fn(usize) -> bool,
    ) -> usize {
        let score = self.hits[at].score;
        let is_first = |&other: &usize| gives_way(other) && self.hits[other].score * near <= score;
        (0..at).find(is_first).unwrap_or(at)
    }

    /// Returns the place of the first hit that is of a subsection and scores little more than the section at a place, if
    /// there is one and the heading of the section has the words of the question.
    fn first_subsection(&self, at: usize, query: &Query) -> Option<usize> {
        let section = &self.hits[at];
        let is_subsection = |other: &usize| {
            let other = &self.hits[*other];
            let is_near = other.score * introductions::NEARLY_EQUAL <= section.score;
            is_near && introductions::is_below(&other.chunk, &section.chunk)
        };
        let first = (0..at.min(COMPARED)).find(is_subsection);
        first.filter(|_| introductions::is_headed(&section.chunk, query))
    }

    /// Returns the place of the last hit in the language of the question that one in another language gives way to, if there
    /// is one.
    fn last_in_language(&self, at: usize, language: Option<Language>) -> Option<usize> {
        let language = language.filter(|of| self.hits[at].chunk.language != *of)?;
        let least = self.hits[at].score * NEARLY_EQUAL;
        let is_better = |other: &usize| {
            let hit = &self.hits[*other];
            hit.chunk.language == language && hit.demotion.is_none() && hit.score >= least
        };
        let end = self.hits.len().min(COMPARED);
        (at + 1..end).rev().find(is_better)
    }

    /// Returns the place of the last hit that one without the words as they were typed gives way to, if there is one.
    fn last_as_typed(&self, at: usize, gaps: &[Option<f64>]) -> Option<usize> {
        let least = self.hits[at].score * gaps.get(at).copied().flatten()?;
        let is_better = |other: &usize| {
            let hit = &self.hits[*other];
            gaps[*other].is_none() && hit.demotion.is_none() && hit.score >= least
        };
        (at + 1..gaps.len()).rev().find(is_better)
    }

    /// Returns the place of the last hit that one without a text of its own gives way to, or its own.
    fn last_with_as_much(&self, at: usize) -> usize {
        let held = &self.hits[at].held;
        if held.clauses.is_empty() {
            return at;
        }
        let says_more =
            |of: &FoundHit| of.demotion.is_none() && of.held.clauses.is_superset(&held.clauses);
        self.hits.iter().rposition(says_more).unwrap_or(at).max(at)
    }
}

/// Returns the headings down to a chunk, below the title of its document or the last part of its URI.
fn path_of(chunk: &FoundChunk) -> Vec<String> {
    let document = &chunk.document;
    let last = document.uri.rsplit('/').next().unwrap_or_default();
    let name = document.title.as_deref().unwrap_or(last).to_owned();
    let path = chunk.heading_path.iter().cloned();
    std::iter::once(name).chain(path).collect()
}

#[cfg(test)]
mod tests;
