//! The words of a text as they are written, which typing errors are compared with.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::Analyzer;
use super::fold::folded;
use super::parts::parts;
use super::scan::{self, WordKind};

impl Analyzer {
    /// Returns the words of `text`, each once with how often it stands there, in no order; none of text
    /// that is written without spaces.
    pub fn words(&self, text: &str) -> Vec<(String, u32)> {
        // Most words stand there more than once, and are taken apart once.
        let mut written: FxHashMap<&str, u32> = FxHashMap::default();
        scan::words(text, |word| {
            if word.kind == WordKind::Word {
                let count = written.entry(word.span.of(text)).or_default();
                *count = count.saturating_add(1);
            }
        });
        let mut words: FxHashMap<Cow<'_, str>, u32> = FxHashMap::default();
        for (source, count) in written {
            each_word(source, |word| {
                let known = words.entry(word).or_default();
                *known = known.saturating_add(count);
            });
        }
        let words = words.into_iter();
        words
            .map(|(word, count)| (word.into_owned(), count))
            .collect()
    }
}

/// Calls `found` with what is a word of one as it is written, in lower case and without accents, but not
/// stemmed: the parts of compounds, and identifiers whole too.
fn each_word<'t>(source: &'t str, mut found: impl FnMut(Cow<'t, str>)) {
    // Most words are no more than this.
    if source.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return found(source.into());
    }
    let mut emit = |word: &'t str| match folded(word) {
        whole if !whole.is_empty() && !whole.contains(is_joint) => found(whole),
        joined => {
            let words = joined.split(is_joint).filter(|word| !word.is_empty());
            words.for_each(|word| found(word.to_owned().into()));
        }
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
}

/// Says whether a character joins words, or belongs to none.
fn is_joint(character: char) -> bool {
    let is_hyphen = matches!(character, '-' | '\u{2010}' | '\u{2011}');
    is_hyphen || matches!(character, '\'' | '\u{2019}' | '.' | '/' | '&' | '+' | '#')
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn words_are_lowered_and_not_stemmed() {
        let words = Analyzer::english().words("Running, running cafés: read_chunks! l'eau 検索");
        let words: BTreeMap<_, _> = words
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
        assert!(words.into_iter().eq(expected));
    }
}
