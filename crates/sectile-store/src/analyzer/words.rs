//! The words of a text as they are written, which typing errors are compared with.

use std::borrow::Cow;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Analyzer;
use super::composed::Composed;
use super::dictionary::keyed;
use super::fold::{folded, fraction, is_apostrophe};
use super::language::Language;
use super::parts::{Numbered, parts};
use super::scan::{self, WordKind};

impl Analyzer {
    /// Returns the words of `text` as written, except those of scripts without spaces. Each is in
    /// plain letters, followed by its accents if they affect stemming.
    pub fn words(&self, text: &str) -> WordCounts {
        let composed = Composed::of(text);
        let text = composed.text();
        let mut unmarked: Vec<String> = Vec::new();
        // Most words stand there more than once, and are taken apart once.
        let room = text.len() / BYTES_OF_A_WORD;
        let mut written: FxHashMap<&str, u32> =
            FxHashMap::with_capacity_and_hasher(room, FxBuildHasher);
        scan::words_of_document(text, |word| match word.kind {
            WordKind::Word | WordKind::Piece => count(word.span.of(text), &mut written),
            WordKind::Unmarked { plain, .. } => unmarked.push(plain.to_owned()),
            WordKind::Exact | WordKind::Character => {}
        });
        for plain in &unmarked {
            scan::words(plain, |word| {
                if word.kind == WordKind::Word {
                    count(word.span.of(plain), &mut written);
                }
            });
        }
        let mut words: FxHashMap<Cow<'_, str>, u32> =
            FxHashMap::with_capacity_and_hasher(written.len(), FxBuildHasher);
        for (source, count) in written {
            each_word(source, self.language, |word| {
                let known = words.entry(word).or_default();
                *known = known.saturating_add(count);
            });
        }
        let words = words.iter();
        words.map(|(word, count)| (&**word, *count)).collect()
    }
}

/// Counts a word, unless it is a fraction in one character.
fn count<'t>(word: &'t str, written: &mut FxHashMap<&'t str, u32>) {
    if fraction(word).is_none() {
        let known = written.entry(word).or_default();
        *known = known.saturating_add(1);
    }
}

/// For how many bytes of a text there is room for a word at first.
const BYTES_OF_A_WORD: usize = 32;

/// The words of a text with their frequencies, in no order.
#[derive(Clone, Debug, Default)]
pub struct WordCounts {
    /// The words in a row: one allocation each would take longer than all else.
    text: String,
    /// Where each word ends, and how often it stands there.
    words: Vec<(usize, u32)>,
}

impl WordCounts {
    /// Returns each word with its frequency.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        let mut start = 0;
        self.words.iter().map(move |&(end, count)| {
            let word = &self.text[start..end];
            start = end;
            (word, count)
        })
    }
}

impl<'w> FromIterator<(&'w str, u32)> for WordCounts {
    fn from_iter<I: IntoIterator<Item = (&'w str, u32)>>(words: I) -> Self {
        let mut all = Self::default();
        for (word, count) in words {
            all.text.push_str(word);
            all.words.push((all.text.len(), count));
        }
        all
    }
}

/// Calls `found` with what is a word of one as the dictionary has it, in lower case, but not stemmed: the parts of
/// compounds, identifiers whole too, and the names before numbers.
fn each_word<'t>(source: &'t str, language: Language, mut found: impl FnMut(Cow<'t, str>)) {
    // Most words are no more than this.
    if let [first, rest @ ..] = source.as_bytes()
        && first.is_ascii_alphabetic()
        && rest.iter().all(u8::is_ascii_lowercase)
    {
        return found(keyed(source, folded(source), language));
    }
    let mut emit = |word: &'t str| match folded(word) {
        whole if !whole.is_empty() && !whole.contains(is_joint) => {
            found(keyed(word, whole, language));
        }
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
    if let Some(numbered) = Numbered::of(source) {
        emit(numbered.name);
    }
}

/// Returns whether a character joins words, or belongs to none.
fn is_joint(character: char) -> bool {
    let is_hyphen = matches!(character, '-' | '@' | '\\' | '\u{2010}' | '\u{2011}');
    is_hyphen || is_apostrophe(character) || matches!(character, '.' | '/' | '&' | '+' | '#')
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn words_are_lowered_and_not_stemmed() {
        let words = Analyzer::english().words("Running, running cafés: read_chunks! l'eau 検索");
        let words: BTreeMap<_, _> = words.iter().collect();
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

    #[test]
    fn a_name_before_a_number_is_a_word() {
        let words = Analyzer::english().words("Windows10 x86");
        let words: BTreeMap<_, _> = words.iter().collect();
        let expected = [("windows", 1), ("windows10", 1), ("x86", 1)];
        assert!(words.into_iter().eq(expected));
    }

    #[test]
    fn accents_that_decide_a_stem_are_kept() {
        let words = Analyzer::for_language(Language::Spanish).words("Podría, podria: café; Podría");
        let words: BTreeMap<_, _> = words.iter().collect();
        assert_eq!(words["podria"], 1);
        assert_eq!(words["podria\0\u{2}í"], 2);
        assert_eq!(words.len(), 3);
    }
}
