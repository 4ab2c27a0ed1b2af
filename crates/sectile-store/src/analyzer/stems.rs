//! A memory of the terms that words became: most words of a text were met before.

use std::cell::RefCell;
use std::hash::Hasher as _;

use rustc_hash::FxHasher;

use super::language::Language;
use super::word::{Term, Terms};

/// How many words with one term are remembered, and how many others; a word takes the place of another with
/// the same slot.
const PLAIN_SLOTS: usize = 1 << 15;
const SLOTS: usize = 1 << 12;

/// How many bytes a word and its only term have at most that are remembered together.
const PLAIN_BYTES: usize = 29;

/// Longer words, in bytes, are not remembered.
const LONGEST: usize = 64;

/// Words with their terms, by a hash of the word and the language.
pub(super) struct Stems {
    plain: Vec<Plain>,
    slots: Vec<Slot>,
    /// The terms of a word that is not remembered there.
    other: Terms,
}

/// A word whose only term stands for all of it, as most do: it is all in one place in memory.
#[derive(Clone, Copy, Default)]
struct Plain {
    language: Language,
    /// Where the word ends, and behind it the term.
    word: u8,
    term: u8,
    text: [u8; PLAIN_BYTES],
}

#[derive(Clone, Default)]
struct Slot {
    language: Language,
    terms: Terms,
}

thread_local! {
    static STEMS: RefCell<Stems> = RefCell::new(Stems {
        plain: vec![Plain::default(); PLAIN_SLOTS],
        slots: vec![Slot::default(); SLOTS],
        other: Terms::default(),
    });
}

impl Stems {
    /// Lends the memory of this thread.
    ///
    /// # Panics
    ///
    /// When `work` itself analyses a text: the memory is lent once at a time.
    pub(super) fn with<T>(work: impl FnOnce(&mut Self) -> T) -> T {
        STEMS.with_borrow_mut(work)
    }

    /// Calls `found` with the terms of a word.
    pub(super) fn of(&mut self, word: &str, language: Language, mut found: impl FnMut(Term<'_>)) {
        if word.len() > LONGEST {
            self.other.read(word, language);
            return self.other.for_each(found);
        }
        let hash = hash(word, language) as usize;
        let plain = &mut self.plain[hash % PLAIN_SLOTS];
        if let Some(term) = plain.term_of(word, language) {
            return found(Term::of_whole(word, term));
        }
        let slot = &mut self.slots[hash % SLOTS];
        if slot.language != language || !slot.terms.are_of(word) {
            self.other.read(word, language);
            let only = self.other.only();
            if only.is_some_and(|term| plain.keep(word, term, language)) {
                return self.other.for_each(found);
            }
            std::mem::swap(&mut slot.terms, &mut self.other);
            slot.language = language;
        }
        slot.terms.for_each(found);
    }
}

impl Plain {
    /// Returns the term of a word, if it is this one.
    fn term_of(&self, word: &str, language: Language) -> Option<&str> {
        let (start, end) = (usize::from(self.word), usize::from(self.term));
        let is_it = self.language == language && self.text[..start] == *word.as_bytes();
        // One that was never filled has no term.
        let term = self
            .text
            .get(start..end)
            .filter(|term| is_it && !term.is_empty());
        str::from_utf8(term?).ok()
    }

    /// Takes the place of another word, if there is room for it and its term, and says whether there is.
    fn keep(&mut self, word: &str, term: &str, language: Language) -> bool {
        let (start, end) = (word.len(), word.len() + term.len());
        if end > PLAIN_BYTES {
            return false;
        }
        self.text[..start].copy_from_slice(word.as_bytes());
        self.text[start..end].copy_from_slice(term.as_bytes());
        (self.language, self.word, self.term) = (language, start as u8, end as u8);
        true
    }
}

/// Hashes a word; nobody gains by making words collide.
fn hash(word: &str, language: Language) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(word.as_bytes());
    hasher.write_u8(language as u8);
    hasher.finish()
}
