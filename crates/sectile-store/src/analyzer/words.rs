//! The words of a text as they are written, which typing errors are compared with.

use rustc_hash::FxHashMap;

use super::Analyzer;
use super::fold::folded;
use super::parts::parts;
use super::scan::{self, WordKind};

impl Analyzer {
    /// Calls `found` with each word of `text` in lower case and without accents, but not stemmed: the
    /// parts of compounds, and identifiers whole too; no text that is written without spaces.
    pub fn for_each_word(&self, text: &str, mut found: impl FnMut(&str)) {
        scan::words(text, |word| {
            if word.kind != WordKind::Word {
                return;
            }
            let source = word.span.of(text);
            // Most words are no more than this.
            if source.bytes().all(|byte| byte.is_ascii_lowercase()) {
                return found(source);
            }
            let mut emit = |word: &str| {
                let folded = folded(word);
                let words = folded.split(is_joint).filter(|word| !word.is_empty());
                words.for_each(&mut found);
            };
            let is_whole = !source.contains(is_joint);
            if is_whole {
                emit(source);
            }
            parts(source, |span| {
                if !is_whole || span.end - span.start < source.len() {
                    emit(span.of(source));
                }
            });
        });
    }

    /// Returns the words of `text`, each once with how often it stands there, in order.
    pub fn words(&self, text: &str) -> Vec<(String, u32)> {
        let mut words: FxHashMap<String, u32> = FxHashMap::default();
        self.for_each_word(text, |word| {
            if let Some(count) = words.get_mut(word) {
                *count = count.saturating_add(1);
            } else {
                words.insert(word.to_owned(), 1);
            }
        });
        let mut words: Vec<_> = words.into_iter().collect();
        words.sort_unstable();
        words
    }
}

/// Says whether a character joins words, or belongs to none.
fn is_joint(character: char) -> bool {
    let is_hyphen = matches!(character, '-' | '\u{2010}' | '\u{2011}');
    is_hyphen || matches!(character, '\'' | '\u{2019}' | '.' | '/' | '&' | '+' | '#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_lowered_and_not_stemmed() {
        let words = Analyzer::english().words("Running, running cafés: read_chunks! l'eau 検索");
        let words: Vec<_> = words
            .iter()
            .map(|(word, count)| (word.as_str(), *count))
            .collect();
        let expected = [
            ("cafes", 1),
            ("chunks", 1),
            ("eau", 1),
            ("l", 1),
            ("read", 1),
            ("read_chunks", 1),
            ("running", 2),
        ];
        assert_eq!(words, expected);
    }
}
