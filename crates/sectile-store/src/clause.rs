//! A question as the index reads it: what scores, and what only filters.

use std::borrow::Cow;

use crate::analyzer::WITHIN;
use crate::{Analyzer, Language, Languages, Sequence};

/// The number of clauses from which on a chunk is expected to match more than one.
pub(crate) const SEVERAL: usize = 2;

/// The factor for a chunk that matches only one of several clauses. With it, scores stay multiples of a power of two.
pub(crate) const ONE_OF_SEVERAL: f64 = 0.75;

/// A part of a question that scores as one, with its variants in documents.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// The text as it was typed.
    pub typed: String,
    /// The weight: 1 for a word that was typed once.
    pub weight: f64,
    /// The variants; the best one that a chunk contains counts.
    pub variants: Vec<Variant>,
}

/// A variant of a part of a question: a term, or consecutive terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The terms, as the [`Analyzer`](crate::Analyzer) makes them.
    pub terms: Vec<String>,
    /// The weight: 1 for the word as typed, less for similar ones; more for a common word that stands for several.
    pub weight: f64,
    /// The languages of the documents with this variant. It is not searched for in others.
    pub languages: Languages,
    /// The number of the part of the word, from 1; 0 for the whole word.
    pub part: usize,
}

/// A whole question.
///
/// A chunk is found if it contains a variant of a scored clause, and if the unit of the hit, such
/// as its section, meets all conditions. Its score is the sum over the scored clauses of the
/// clause's weight × the largest of (variant's weight × IDF × saturation). It is 3/4 of this if the
/// chunk contains only one of two or more clauses, unless that one is sufficient, and 7/8 if its
/// document is in another language than the question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clauses {
    /// The clauses that score.
    pub scored: Vec<Clause>,
    /// Conditions. A hit contains at least one variant of each. They add nothing to the score.
    pub required: Vec<Vec<Variant>>,
    /// Conditions. A hit contains no variant of any.
    pub excluded: Vec<Vec<Variant>>,
    /// The language of the question, if it is known. Documents in other languages count less.
    pub language: Option<Language>,
    /// The places of the scored clauses each of which says enough alone.
    pub sufficient: Vec<usize>,
}

impl Clause {
    /// Returns a clause of one variant that counts fully.
    pub fn exact(typed: impl Into<String>, weight: f64, terms: Vec<String>) -> Self {
        Self {
            typed: typed.into(),
            weight,
            variants: vec![Variant::exact(terms)],
        }
    }
}

impl Variant {
    /// Returns a variant that counts fully, in documents of any language.
    pub const fn exact(terms: Vec<String>) -> Self {
        Self {
            terms,
            weight: 1.0,
            languages: Languages::ALL,
            part: 0,
        }
    }

    /// Returns a variant of one term in documents of some languages.
    pub(crate) fn term(term: &str, weight: f64, languages: Languages) -> Self {
        Self {
            terms: vec![term.to_owned()],
            weight,
            languages,
            part: 0,
        }
    }

    /// Returns whether documents in a language may have it; without one any may.
    pub(crate) fn is_of(&self, language: Option<Language>) -> bool {
        language.is_none_or(|of| self.languages.has(of))
    }

    /// Returns it as a part of a word, by its place from 0.
    pub(crate) fn part_at(self, at: usize) -> Self {
        Self {
            part: at + 1,
            ..self
        }
    }

    /// Returns the compound term of this variant, if it is a part of German compounds.
    pub(crate) fn within_compounds(&self) -> Option<&str> {
        match &*self.terms {
            [only] => only.strip_prefix(WITHIN),
            _ => None,
        }
    }

    /// Returns the variants of consecutive words, as documents in these languages contain them.
    pub(crate) fn in_a_row(text: &str, languages: &[Language]) -> Vec<Self> {
        let sequences = Analyzer::in_a_row(text, languages);
        sequences.into_iter().map(Self::of).collect()
    }

    /// Returns what counts fully in documents of the languages of a sequence.
    pub(crate) fn of(sequence: Sequence) -> Self {
        Self {
            terms: sequence.terms,
            weight: 1.0,
            languages: sequence.languages,
            part: 0,
        }
    }

    /// Returns it with all longer numbers that begin with its numbers of several components in place of these; nothing if
    /// it has none.
    pub(crate) fn longer_numbers(&self) -> Option<Self> {
        let terms = self.terms.iter();
        let longer: Vec<Option<String>> = terms.map(|term| Analyzer::longer_number(term)).collect();
        longer.iter().any(Option::is_some).then(|| {
            let terms = longer.into_iter().zip(&self.terms);
            let terms = terms.map(|(longer, term)| longer.unwrap_or_else(|| term.clone()));
            Self {
                terms: terms.collect(),
                ..self.clone()
            }
        })
    }

    /// Returns its terms as one text.
    pub fn shown(&self) -> String {
        self.terms.join(" ")
    }
}

impl Clauses {
    /// Returns all variants: those that score, then those of the conditions.
    pub fn variants(&self) -> impl Iterator<Item = &Variant> {
        let scored = self.scored.iter().flat_map(|clause| &clause.variants);
        let conditions = self.required.iter().chain(&self.excluded).flatten();
        scored.chain(conditions)
    }

    /// Returns whether a chunk needs no other of the scored clauses beside the one at a place to count fully.
    pub(crate) fn is_sufficient(&self, place: usize) -> bool {
        self.scored.len() < SEVERAL || self.sufficient.contains(&place)
    }

    /// Returns the factor for a chunk that matches only one of the scored clauses, the one at a place.
    pub(crate) fn of_one(&self, place: usize) -> f64 {
        if self.is_sufficient(place) {
            1.0
        } else {
            ONE_OF_SEVERAL
        }
    }

    /// Returns the question for ranking chunks. A chunk needs only one of the required terms, because other chunks of
    /// its hit may have the others.
    pub(crate) fn of_chunks(&self) -> Cow<'_, Self> {
        if self.required.len() < 2 {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self {
            required: vec![self.required.concat()],
            ..self.clone()
        })
    }

    pub(crate) fn has_conditions(&self) -> bool {
        !(self.required.is_empty() && self.excluded.is_empty())
    }
}
