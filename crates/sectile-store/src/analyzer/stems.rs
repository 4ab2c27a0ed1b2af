//! A memory of the terms that words became: most words of a text were met before.

use std::cell::RefCell;
use std::hash::Hasher as _;

use rustc_hash::FxHasher;

use super::language::Language;
use super::word::Terms;

/// How many words are remembered; a word takes the place of another with the same slot.
const SLOTS: usize = 1 << 14;

/// Longer words, in bytes, are not remembered.
const LONGEST: usize = 64;

/// Words with their terms, by a hash of the word and the language.
pub(super) struct Stems {
    slots: Vec<Slot>,
    /// The terms of a word too long to be remembered.
    other: Terms,
}

#[derive(Clone, Default)]
struct Slot {
    language: Language,
    terms: Terms,
}

thread_local! {
    static STEMS: RefCell<Stems> = RefCell::new(Stems {
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

    /// Returns the terms of a word.
    pub(super) fn of(&mut self, word: &str, language: Language) -> &Terms {
        if word.len() > LONGEST {
            self.other.read(word, language);
            return &self.other;
        }
        let slot = &mut self.slots[hash(word, language) as usize % SLOTS];
        if slot.language != language || !slot.terms.are_of(word) {
            slot.terms.read(word, language);
            slot.language = language;
        }
        &slot.terms
    }
}

/// Hashes a word; nobody gains by making words collide.
fn hash(word: &str, language: Language) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(word.as_bytes());
    hasher.write_u8(language as u8);
    hasher.finish()
}
