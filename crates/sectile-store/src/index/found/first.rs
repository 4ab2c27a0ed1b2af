//! Hits that the question names: by their headings, by what their documents are called, or by their numbers.

use super::{FoundHit, FoundHits, Preferences};
use crate::index::{headings, introductions};
use crate::{GroupBy, Query};

/// The most documents with one name that the question may mean: a title that many pages have names none.
const MOST_NAMED: usize = 3;

impl FoundHits {
    /// Returns whether a hit with a text is a section whose heading is the question word for word.
    pub(super) fn is_asked(&self, at: usize, preferences: &Preferences) -> bool {
        let hit = &self.hits[at];
        let asked = preferences.heading.as_ref();
        hit.demotion.is_none() && asked.is_some_and(|asked| headings::is_of(&hit.chunk, asked))
    }

    /// Returns the place of a hit with a text of each document that is called as the question is, unless these are too
    /// many: of the best one, or of the section that introduces it.
    pub(super) fn named(&self, query: &Query, preferences: &Preferences) -> Vec<usize> {
        let mut named: Vec<usize> = Vec::new();
        let Some(asked) = &preferences.name else {
            return named;
        };
        for (at, hit) in self.hits.iter().enumerate() {
            let document = &hit.chunk.document;
            let is_of = |of: &usize| self.hits[*of].chunk.document.id == document.id;
            let is_first = hit.demotion.is_none() && !named.iter().any(is_of);
            if is_first && asked.is_of(&hit.chunk) {
                let introducing = self.introducing(at, query);
                named.push(introducing.filter(|_| preferences.is_by_text).unwrap_or(at));
            }
        }
        if named.len() > MOST_NAMED {
            named.clear();
        }
        named
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

    /// Returns which hits with a text are sections that the question names. If none is of a version that it names, as that
    /// has a heading alone, its subsections are.
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
        are(Query::cites_above)
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
