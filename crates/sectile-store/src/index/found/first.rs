//! Hits that the question names: by their headings, by what their documents are called, or by their numbers.

use sectile_core::Format;

use super::{FoundHit, FoundHits, Preferences};
use crate::index::code_names::AskedDefinition;
use crate::index::document_names::AskedName;
use crate::index::literals::{self, Literal};
use crate::index::{code_names, headings, introductions};
use crate::{FoundChunk, GroupBy, Query};

/// The most documents or sections with one name that the question may mean: a title that many pages have names none.
const MOST_NAMED: usize = 3;

/// Which hits are called as the question is.
pub(super) struct Named {
    /// Those of documents and their sections.
    are_called: Vec<bool>,
    /// What these score at least, where a hit that they come before scores 1.
    near: f64,
    /// Those of definitions in source code, which only other source code gives way to.
    are_defined: Vec<bool>,
}

impl FoundHits {
    /// Returns whether a hit with a text is a section whose heading is the question word for word.
    pub(super) fn is_asked(&self, at: usize, preferences: &Preferences) -> bool {
        let hit = &self.hits[at];
        let asked = preferences.heading.as_ref();
        hit.demotion.is_none() && asked.is_some_and(|asked| headings::is_of(&hit.chunk, asked))
    }

    /// Returns which hits are called as the question is: those of documents, of sections by the names of their documents and
    /// their headings, and of definitions in source code.
    pub(super) fn named(&self, query: &Query, preferences: &Preferences) -> Named {
        let name = preferences.name.as_ref();
        let is_section = |hit: &FoundHit| name.is_some_and(|asked| asked.is_of_section(&hit.chunk));
        let mut are_called: Vec<bool> = self.hits.iter().map(is_section).collect();
        if self.are_of_many_sections(&are_called) {
            are_called.fill(false);
        }
        if let Some(asked) = name {
            for at in self.called(asked, query, preferences) {
                are_called[at] = true;
            }
        }
        Named {
            are_called,
            near: name.map_or(1.0, AskedName::near),
            are_defined: self.are_defined(preferences.code.as_ref()),
        }
    }

    /// Returns which hits are definitions in source code of the name that the question is, or if none is, which give it a
    /// value.
    fn are_defined(&self, code: Option<&AskedDefinition>) -> Vec<bool> {
        let are = |is: fn(&AskedDefinition, &FoundChunk) -> bool| -> Vec<bool> {
            let is_one = |hit: &FoundHit| code.is_some_and(|asked| is(asked, &hit.chunk));
            self.hits.iter().map(is_one).collect()
        };
        let are_called = are(AskedDefinition::is_of);
        if are_called.contains(&true) {
            return are_called;
        }
        are(AskedDefinition::is_set_in)
    }

    /// Returns the place that a hit has because it is called as the question is.
    pub(super) fn place_as_named(&self, at: usize, named: &Named) -> Option<usize> {
        if named.are_called[at] {
            let is_other = |other: usize| !named.are_called[other];
            return Some(self.first_that_gives_way(at, named.near, is_other));
        }
        named.are_defined[at].then(|| {
            let is_other = |other: usize| {
                let is_code = self.hits[other].chunk.document.format == Format::Code;
                is_code && !named.are_defined[other]
            };
            self.first_that_gives_way(at, code_names::NEAR, is_other)
        })
    }

    /// Returns the place of a hit of each document that is called as the question is, unless these are too many. What has a
    /// text is preferred to what has none, such as a note of links.
    fn called(&self, asked: &AskedName, query: &Query, preferences: &Preferences) -> Vec<usize> {
        let is_called = |at: &usize| asked.is_of(&self.hits[*at].chunk);
        let has_text = |at: &usize| self.hits[*at].demotion.is_none();
        let called = (0..self.hits.len()).filter(is_called);
        let (with_text, without): (Vec<usize>, Vec<usize>) = called.partition(has_text);
        let mut places: Vec<usize> = Vec::new();
        for at in with_text.into_iter().chain(without) {
            if places.iter().any(|of| self.are_of_one(*of, at)) {
                continue;
            }
            if places.len() == MOST_NAMED {
                return Vec::new();
            }
            places.push(self.standing_for(at, query, preferences));
        }
        places
    }

    /// Returns whether the hits that are called so are of more sections than the question may mean.
    fn are_of_many_sections(&self, are_called: &[bool]) -> bool {
        let hits = self.hits.iter().zip(are_called);
        let called = hits.filter(|(_, is_called)| **is_called);
        let mut sections: Vec<_> = called.map(|(hit, _)| hit.chunk.section).collect();
        sections.sort_unstable();
        sections.dedup();
        sections.len() > MOST_NAMED
    }

    /// Returns the place of the hit that stands for the document of one at a place: of the section whose heading is the
    /// question, or that introduces it.
    fn standing_for(&self, at: usize, query: &Query, preferences: &Preferences) -> usize {
        let is_asked = |of: &usize| self.are_of_one(*of, at) && self.is_asked(*of, preferences);
        let asked = (0..self.hits.len()).find(is_asked);
        let introducing = || {
            self.introducing(at, query)
                .filter(|_| preferences.is_by_text)
        };
        asked.or_else(introducing).unwrap_or(at)
    }

    /// Returns whether the hits at two places are of one document.
    fn are_of_one(&self, one: usize, other: usize) -> bool {
        self.hits[one].chunk.document.id == self.hits[other].chunk.document.id
    }

    /// Returns the place of the best section with a text whose heading has the words of the question, and that scores little
    /// less than its subsection at a place.
    fn introducing(&self, at: usize, query: &Query) -> Option<usize> {
        let best = &self.hits[at];
        let least = best.score * introductions::NEARLY_EQUAL;
        let introduces = |other: &usize| {
            let hit = &self.hits[*other];
            hit.demotion.is_none()
                && hit.score >= least
                && introductions::is_below(&best.chunk, &hit.chunk)
                && introductions::is_headed(&hit.chunk, query)
        };
        (at + 1..self.hits.len()).find(introduces)
    }

    /// Returns which of the first hits with a text, and of those that words in a row have found, have the question as it was
    /// typed, with its signs.
    pub(super) fn are_literal(&self, question: Option<&Literal>) -> Vec<bool> {
        let hits = self.hits.iter().enumerate();
        let are = hits.map(|(at, hit)| {
            let is_looked_at = at < literals::LOOKED_AT || hit.is_found_by_row();
            is_looked_at
                && hit.demotion.is_none()
                && question.is_some_and(|of| of.is_in(&hit.chunk))
        });
        are.collect()
    }

    /// Returns the place that a hit has because it has the question as it was typed.
    pub(super) fn place_as_literal(&self, at: usize, are_literal: &[bool]) -> Option<usize> {
        let is_other = |other: usize| !are_literal[other];
        are_literal[at].then(|| self.first_that_gives_way(at, literals::NEAR, is_other))
    }

    /// Returns which hits with a text are sections that the question names. If none is of a version that it names, as that
    /// has a heading alone, its subsections are; or else those with a line that begins with such a number are, as the clauses
    /// of contracts do.
    pub(super) fn are_cited(&self, query: &Query) -> Vec<bool> {
        let are = |names: fn(&Query, &[String]) -> bool| -> Vec<bool> {
            let is_section = self.group_by != GroupBy::Document;
            let is_cited = |hit: &FoundHit| {
                is_section && hit.demotion.is_none() && names(query, &hit.chunk.heading_path)
            };
            self.hits.iter().map(is_cited).collect()
        };
        let cited = are(Query::cites);
        if cited.contains(&true) {
            return cited;
        }
        let above = are(Query::cites_above);
        if above.contains(&true) {
            return above;
        }
        let has_line =
            |hit: &FoundHit| self.group_by != GroupBy::Document && query.cites_line(hit.own_text());
        self.hits.iter().map(has_line).collect()
    }

    /// Returns the place of the first hit that a cited one comes before, or its own. One that is cited too gives way if it
    /// holds less: the question may also name the document. Of what another one holds, what only names the section does
    /// not count: references to the section have its name, too.
    pub(super) fn first_with_no_others(
        &self,
        at: usize,
        are_cited: &[bool],
        citing: &[usize],
    ) -> usize {
        let own = &self.hits[at].held.clauses;
        let gives_way = |other: &usize| {
            let others = &self.hits[*other].held.clauses;
            if are_cited[*other] {
                return own.is_superset(others) && own.len() > others.len();
            }
            let mut others = others.iter().filter(|of| !citing.contains(of));
            others.all(|of| own.contains(of))
        };
        (0..at).find(gives_way).unwrap_or(at)
    }
}
