//! The words of a short question as they were typed.

use super::Query;
use crate::{Analyzer, WordKind, WordReading};

/// The most words of a question that are meant as they were typed: more of them tell enough.
const MOST: usize = 2;

impl Query {
    /// Returns the words of a short question in lower case, if documents have all of them and they are of letters alone.
    pub(crate) fn typed_forms(&self) -> Vec<String> {
        let words = self.reading.words.iter();
        let words: Vec<&WordReading> = words.filter(|of| of.kind != WordKind::Phrase).collect();
        if words.len() > MOST || !words.iter().all(|of| is_plain(of)) {
            return Vec::new();
        }
        words.iter().map(|of| of.typed.to_lowercase()).collect()
    }
}

fn is_plain(word: &WordReading) -> bool {
    let is_held = word.kind == WordKind::Word && word.chunks > 0;
    let is_word = Analyzer::is_of_letters(&word.typed) && !Analyzer::is_unspaced(&word.typed);
    is_held && is_word && !word.typed.is_empty()
}
