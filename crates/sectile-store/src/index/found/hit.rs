//! A hit as it was found.

use super::HeldClauses;
use crate::index::quoted_question::Quoting;
use crate::index::quotes;
use crate::index::score::Key;
use crate::{Analyzer, Clauses, Demotion, FoundChunk, Hit, Leg, Promotion, Query, SameText};

/// How many other places with its text a hit names; the rest are counted.
const NAMED: usize = 100;

/// If two documents have the same text and one has at least so many times as many sections, it collects many pages, such
/// as a manual to print. The other one is the page itself.
const COLLECTED: usize = 4;

/// How a hit stands at a place that others have, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// Before them, as its document, its section in it or its definition is called as the question.
    Named,
    /// Before them, as its heading is the question.
    Asked,
    /// Before them, as the question names it by its number.
    Cited,
    /// Before them, as its text has the question word for word.
    Quoted,
    /// Before them, as its text has most of the question word for word.
    MostlyQuoted,
    /// Before them, as its text has the message that the question is, with placeholders.
    AsMessage,
    /// Before them, as its text defines the term that the question asks for, and so do those of its subsections.
    DefinesAbove,
    /// Before them, as its text defines the term that the question asks for.
    Defines,
    /// Before them, as its text has a short question as it was typed, with its signs.
    Literal,
    /// Before them, as its heading has the words of the question and they are of its subsections.
    Introduces,
    Plain,
    /// Behind them, as it has not all words of the question as they were typed.
    OtherForm,
    /// Behind them, as it is in another language than the question.
    OtherLanguage,
    /// Behind them, as it has no text of its own.
    WithoutText,
}

/// A hit before its place is known.
pub(super) struct FoundHit {
    pub(super) key: Key,
    pub(super) chunk: FoundChunk,
    /// The score by which it has its place.
    pub(super) score: f64,
    /// The score of its chunk, which is shown: its file or its text may have brought it to a better place.
    pub(super) own_score: f64,
    pub(super) legs: Vec<Leg>,
    pub(super) same_text: Vec<SameText>,
    pub(super) more_same_text: usize,
    pub(super) held: HeldClauses,
    pub(super) demotion: Option<Demotion>,
    pub(super) promotion: Option<Promotion>,
    /// How its text has the question, as far as that was looked at.
    pub(super) quoting: Option<Quoting>,
    /// Whether a hit that scores less comes before it, as it has more words of a longer question as they were typed.
    pub(super) lacks_forms: bool,
}

impl FoundHit {
    /// Adds a hit with the same text. A page stands for both where the other document collects many pages.
    pub(super) fn join(&mut self, other: Self) {
        if other.chunk.section_count.saturating_mul(COLLECTED) > self.chunk.section_count {
            return self.add_same(other.chunk);
        }
        let collected = std::mem::replace(self, other);
        if self.score < collected.score {
            self.promotion = Some(Promotion::Page);
            self.score = collected.score;
        }
        self.same_text = collected.same_text;
        self.more_same_text = collected.more_same_text;
        self.same_text.insert(0, collected.chunk.into_same_text());
        if self.same_text.len() > NAMED {
            self.same_text.truncate(NAMED);
            self.more_same_text += 1;
        }
    }

    /// Adds a place with the same text.
    pub(super) fn add_same(&mut self, chunk: FoundChunk) {
        if self.same_text.len() < NAMED {
            self.same_text.push(chunk.into_same_text());
        } else {
            self.more_same_text += 1;
        }
    }

    /// Returns whether only words in a row have found it.
    pub(super) fn is_found_by_row(&self) -> bool {
        self.legs.iter().any(|leg| leg.name == quotes::LEG)
    }

    /// Returns its text; nothing if the chunk has none of its own.
    pub(super) fn own_text(&self) -> &str {
        match self.demotion {
            Some(_) => "",
            None => &self.chunk.text,
        }
    }

    /// Counts the name of its file as much as it counts at most. What has only one other clause may have counted less than
    /// it does with more.
    pub(super) fn count_file(&mut self, most: f64, clauses: &Clauses) {
        let own = self.held.of_files;
        let mut held = self.held.clauses.iter();
        let others = match (held.next(), held.next()) {
            (Some(&only), None) if own <= 0.0 => self.score / clauses.of_one(only),
            _ => (self.score - own).max(0.0),
        };
        let score = others + most;
        if score > self.score {
            self.promotion = self.promotion.or(Some(Promotion::NamedFile));
        }
        self.score = score;
    }

    pub(super) fn into_hit(self, standing: Standing, query: &Query) -> (Key, Hit) {
        let analyzer = Analyzer::for_language(self.chunk.language);
        let hit = self
            .chunk
            .into_hit(self.own_score, self.legs, query, &analyzer);
        let (promotion, by_standing) = match standing {
            Standing::Asked => (Some(Promotion::Asked), None),
            Standing::Named => (Some(Promotion::Named), None),
            Standing::Cited => (Some(Promotion::Cited), None),
            Standing::Quoted | Standing::MostlyQuoted | Standing::Literal => {
                (Some(Promotion::Quoted), None)
            }
            Standing::AsMessage => (Some(Promotion::Message), None),
            Standing::DefinesAbove | Standing::Defines => (Some(Promotion::Defines), None),
            Standing::Introduces => (Some(Promotion::Introduces), None),
            Standing::OtherForm => (None, Some(Demotion::OtherForm)),
            Standing::OtherLanguage => (None, Some(Demotion::OtherLanguage)),
            Standing::Plain | Standing::WithoutText => (None, None),
        };
        let hit = Hit {
            same_text: self.same_text,
            more_same_text: self.more_same_text,
            demotion: self.demotion.or(by_standing),
            promotion: promotion.or(self.promotion),
            ..hit
        };
        (self.key, hit)
    }
}
