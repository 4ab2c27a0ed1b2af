//! What an answer says of the words of a question, once it is known what documents have.

use super::variants::is_compound;
use super::{Query, longer_numbers, trimmed};
use crate::{Analyzer, Clause, CutBeginning, TakenApart, Variant, WordKind, WordReading};

/// The fewest words of a question for which the share of matched words is reported.
const FEWEST_OF_SHARE: usize = 3;

impl Query {
    /// Returns whether the question has enough words to report the share that the hits match.
    pub(crate) fn tells_share(&self) -> bool {
        self.places_of_words().len() >= FEWEST_OF_SHARE
    }

    fn places_of_words(&self) -> Vec<usize> {
        self.places(|word| word.kind != WordKind::Phrase)
    }

    /// Leaves out the pairs of characters of text without spaces that no document has: most of them are no words, as where
    /// one word ends and the next begins.
    fn places_that_count(&self, mut places: Vec<usize>) -> Vec<usize> {
        let words = &self.reading.words;
        let is_pair =
            |of: &WordReading| self.reading.runs.iter().any(|run| run.contains(&*of.typed));
        places.retain(|place| words[*place].kind != WordKind::Unknown || !is_pair(&words[*place]));
        places
    }

    /// Notes how much of the words the one of some hits has that has most; of each the places of the clauses are given that
    /// it holds. Nothing is noted of a question that does not [tell it](Self::tells_share).
    pub(crate) fn note_share(&mut self, held: &[Vec<usize>]) {
        let words = self.places_of_words();
        let weigh = |places: &[usize]| -> f64 {
            let places = places.iter().filter(|place| words.contains(place));
            places.map(|place| self.weight(*place)).sum()
        };
        let all = weigh(&self.places_that_count(words.clone()));
        let most = held.iter().map(|of| weigh(of)).reduce(f64::max);
        let is_told = self.tells_share() && all > 0.0;
        let share = most.filter(|_| is_told).map(|most| (most / all).min(1.0));
        self.reading.share = share;
    }

    /// Names the words with a minus or an `@` before them that documents have only without, and the flags that they have
    /// only in the other case.
    pub(super) fn note_flags(&mut self, chunks: impl Fn(&Variant) -> u64) {
        let bare = |sign: char| -> Vec<String> {
            let words = self.reading.words.iter().zip(&self.clauses.scored);
            let words = words.filter(|(word, clause)| is_bare(sign, word, clause, &chunks));
            words.map(|(word, _)| word.typed.clone()).collect()
        };
        let (mut flags, names) = (bare('-'), bare('@'));
        flags.retain(|typed| !typed[1..].contains('-'));
        self.reading.no_flags = flags;
        let names = names.into_iter().map(|typed| TakenApart {
            words: vec![typed[1..].to_owned()],
            typed,
        });
        let words = self.reading.words.iter().zip(&self.clauses.scored);
        let in_other_case = words.filter_map(|(word, clause)| in_other_case(word, clause, &chunks));
        let apart: Vec<TakenApart> = names.chain(in_other_case).collect();
        self.reading.taken_apart.extend(apart);
    }

    /// Names the numbers of several components, such as versions, of which documents have only a beginning.
    pub(super) fn note_beginnings(&mut self, chunks: impl Fn(&Variant) -> u64) {
        let words = self.reading.words.iter().zip(&self.clauses.scored);
        let words = words.filter(|(word, _)| word.kind == WordKind::Word);
        let noted = words.filter_map(|(word, clause)| {
            let held = clause.variants.iter().filter(|of| chunks(of) > 0);
            let held: Vec<&Variant> = held.collect();
            let is_whole =
                |of: &&Variant| of.part == 0 || longer_numbers::is_longer(&word.typed, of);
            let is_whole = held.iter().any(is_whole);
            let longest = held.iter().find(|of| is_beginning(&word.typed, of))?;
            (!is_whole).then(|| TakenApart {
                typed: word.typed.clone(),
                words: vec![longest.shown().trim_end_matches('.').to_owned()],
            })
        });
        let noted: Vec<TakenApart> = noted.collect();
        self.reading.taken_apart.extend(noted);
    }

    /// Names the German compounds that no document has, while their parts are found.
    pub(super) fn note_compounds(&mut self, chunks: impl Fn(&Variant) -> u64) {
        let words = self.reading.words.iter().zip(&self.clauses.scored);
        let apart = words.filter(|(word, clause)| is_apart(word, clause, &chunks));
        let mut typed: Vec<&str> = apart.map(|(word, _)| &*word.typed).collect();
        typed.dedup();
        // Of a part that is not found, something else is said.
        let words = || self.reading.words.iter();
        let is_found = |word: &WordReading| word.kind == WordKind::Word && word.chunks > 0;
        typed.retain(|of| words().filter(|word| word.typed == *of).all(is_found));
        let noted = typed.into_iter().map(|typed| TakenApart {
            typed: typed.to_owned(),
            words: Analyzer::parts_of_compound(typed),
        });
        let noted: Vec<TakenApart> = noted.filter(|of| !of.words.is_empty()).collect();
        self.reading.taken_apart.extend(noted);
    }

    /// Leaves out a word that is a misspelt stop word, and says whether it did: it stays where it is required, and where
    /// there is nothing else to look for.
    pub(crate) fn leave_out(&mut self, place: usize, stop_word: &str) -> bool {
        let typed = self.typed(place).to_owned();
        let is_required = self.reading.required.iter().any(|of| trimmed(of) == typed);
        if is_required || self.clauses.scored.len() == 1 {
            return false;
        }
        self.clauses.scored.remove(place);
        self.reading.words.remove(place);
        self.joined.retain(|(of, _)| *of != place);
        for (of, _) in self.joined.iter_mut().filter(|(of, _)| *of > place) {
            *of -= 1;
        }
        self.reading.left_out.push(typed.clone());
        self.reading.misspelt_stop_words.push(TakenApart {
            typed,
            words: vec![stop_word.to_owned()],
        });
        true
    }

    /// Notes no longer that more words begin in a way than those that rank: more of them meet a condition.
    pub(crate) fn forget_cut(&mut self, typed: &str) {
        self.reading.cut.retain(|of| of.typed != typed);
    }

    /// Notes that more words begin in a way than those that stand for it.
    pub(crate) fn note_cut(&mut self, typed: &str, words: usize) {
        let typed = typed.to_owned();
        self.reading.cut.push(CutBeginning { typed, words });
    }
}

/// Returns whether chunks hold only parts of a compound that is written as one.
fn is_apart(word: &WordReading, clause: &Clause, chunks: impl Fn(&Variant) -> u64) -> bool {
    let is_part = |of: &Variant| of.part > 0 && of.within_compounds().is_none();
    let mut whole = clause.variants.iter().filter(|of| of.part == 0);
    let has_parts = clause.variants.iter().any(is_part);
    word.kind == WordKind::Word
        && has_parts
        && is_compound(&word.typed)
        && whole.all(|of| chunks(of) == 0)
}

/// Returns whether a way to write a number of several components has only its first ones.
fn is_beginning(typed: &str, variant: &Variant) -> bool {
    let number = typed.trim_start_matches(['v', 'V']);
    let is_first = |term: &String| term.contains('.') && number.starts_with(&**term);
    variant.part > 0 && variant.terms.first().is_some_and(is_first)
}

/// Returns whether documents have a word with a sign before it only without that.
fn is_bare(
    sign: char,
    word: &WordReading,
    clause: &Clause,
    chunks: impl Fn(&Variant) -> u64,
) -> bool {
    let has_sign = |of: &&Variant| of.terms.first().is_some_and(|term| term.starts_with(sign));
    let with_sign: Vec<&Variant> = clause.variants.iter().filter(has_sign).collect();
    let is_read = word.kind == WordKind::Word && word.chunks > 0 && !with_sign.is_empty();
    is_read && word.typed.starts_with(sign) && with_sign.iter().all(|of| chunks(of) == 0)
}

/// Returns a flag that documents have only in the other case, with that.
fn in_other_case(
    word: &WordReading,
    clause: &Clause,
    chunks: impl Fn(&Variant) -> u64,
) -> Option<TakenApart> {
    let has_sign = |of: &&Variant| of.terms.first().is_some_and(|term| term.starts_with('-'));
    let mut flags = clause.variants.iter().filter(has_sign);
    let typed = flags.next()?;
    let other = flags.find(|of| chunks(of) > 0)?;
    let is_read = word.kind == WordKind::Word && word.typed.starts_with('-');
    (is_read && chunks(typed) == 0).then(|| TakenApart {
        typed: word.typed.clone(),
        words: vec![other.shown()],
    })
}
