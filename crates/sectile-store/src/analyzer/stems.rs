//! A memory of the terms that words became: most words of a text were met before.

use std::cell::RefCell;

use super::language::Language;
use super::word::Terms;

/// How many words are remembered; a word takes the place of another with the same slot.
const SLOTS: usize = 1 << 13;

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
    word: String,
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
        if slot.word != word || slot.language != language {
            slot.terms.read(word, language);
            slot.word.clear();
            slot.word.push_str(word);
            slot.language = language;
        }
        &slot.terms
    }
}

/// Hashes a word (FNV-1a); words are short and nobody gains by making them collide.
fn hash(word: &str, language: Language) -> u64 {
    let first = 0xcbf2_9ce4_8422_2325 ^ (language as u64) << 56;
    word.bytes().fold(first, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
