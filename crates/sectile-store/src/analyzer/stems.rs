//! A memory of the terms that words became: most words of a text were met before.

use std::cell::RefCell;

use rust_stemmers::{Algorithm, Stemmer};

/// How many words are remembered; a word takes the place of another with the same slot.
const SLOTS: usize = 1 << 13;

/// Words with their terms, by a hash of the word.
pub(super) struct Stems {
    stemmer: Stemmer,
    slots: Vec<(String, String)>,
}

thread_local! {
    static STEMS: RefCell<Stems> = RefCell::new(Stems {
        stemmer: Stemmer::create(Algorithm::English),
        slots: vec![<(String, String)>::default(); SLOTS],
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

    /// Returns the term of `word`, made by `make` if it is not remembered.
    pub(super) fn of(&mut self, word: &str, make: impl Fn(&str, &Stemmer) -> String) -> &str {
        let slot = &mut self.slots[hash(word) as usize % SLOTS];
        if slot.0 != word {
            slot.1 = make(word, &self.stemmer);
            slot.0.clear();
            slot.0.push_str(word);
        }
        &slot.1
    }
}

/// Hashes a word (FNV-1a); words are short and nobody gains by making them collide.
fn hash(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
