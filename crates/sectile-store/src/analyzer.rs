//! The term analyser: the one place where text becomes what is indexed and searched.

mod scan;
mod stems;
mod stop_words;

use std::borrow::Cow;

use rust_stemmers::Stemmer;
use sectile_core::Span;
use unicode_normalization::UnicodeNormalization as _;

use scan::{Word, WordKind};
use stems::Stems;

/// The version of the rules by which terms are made; a store re-indexes what another version made.
pub const ANALYZER_VERSION: u32 = 1;

/// The longest term in bytes; longer words are indexed by their beginning.
const MAX_TERM_BYTES: usize = 64;

/// Makes terms out of text: Unicode words in lower case without accents, stemmed; identifiers
/// both whole and in parts; CJK text as pairs of characters.
///
/// | text | terms |
/// |---|---|
/// | `Running cafés` | `run` `cafe` |
/// | `read_chunks` | `read_chunk` `read` `chunk` |
/// | `useState` | `usest` `use` `state` |
/// | `foo.bar` | `foo.bar` `foo` `bar` |
/// | `v2.3.1` | `v2.3.1` `v2` `3` `1` |
/// | `検索する` | `検索` `索す` `する` |
///
/// A term holds no white space and no character with a meaning in a query language, so terms
/// joined by spaces can be given to any full-text index that splits at spaces.
#[derive(Clone, Copy, Debug)]
pub struct Analyzer(());

impl Analyzer {
    /// Returns the analyser with English stems (Snowball's "Porter 2") and stop words.
    pub const fn english() -> Self {
        Self(())
    }

    /// Returns the terms of `text` in order, joined by single spaces.
    pub fn terms(&self, text: &str) -> String {
        let mut terms = String::with_capacity(text.len());
        self.for_each(text, |term, _| {
            if !terms.is_empty() {
                terms.push(' ');
            }
            terms.push_str(term);
        });
        terms
    }

    /// Calls `found` with each term of `text`, in order, and the bytes of the word it stands for.
    pub fn for_each(&self, text: &str, mut found: impl FnMut(&str, Span)) {
        Stems::with(|stems| scan::words(text, |word| emit(word, text, stems, &mut found)));
    }

    /// Says whether `term` is so common that a query does better without it.
    pub fn is_stop_word(&self, term: &str) -> bool {
        stop_words::contains(term)
    }
}

/// Turns one word of `text` into its terms.
fn emit(word: &Word, text: &str, stems: &mut Stems, found: &mut impl FnMut(&str, Span)) {
    let source = word.span.of(text);
    if word.kind == WordKind::Exact {
        return found(source, word.span);
    }
    let mut emit = |span: Span| {
        let term = stems.of(span.of(text), term);
        // A few letters are nothing but marks when they are folded.
        if !term.is_empty() {
            found(term, span);
        }
    };
    emit(word.span);
    if word.kind == WordKind::Compound {
        scan::parts(source, |part| emit(part.shifted(word.span.start)));
    }
}

/// Folds and stems one word.
fn term(word: &str, stemmer: &Stemmer) -> String {
    let folded = folded(word);
    bare(stemmer.stem(shortened(&folded))).into_owned()
}

/// Drops the apostrophes, which only the stemmer needs (`cat's` is `cat`, `don't` is `dont`).
fn bare(term: Cow<'_, str>) -> Cow<'_, str> {
    if term.contains('\'') {
        Cow::Owned(term.replace('\'', ""))
    } else {
        term
    }
}

/// Lowers the case of a word, takes compatibility forms apart and drops accents.
///
/// Only the combining marks U+0300 to U+036F are dropped: those of Latin, Greek and Cyrillic. In
/// other scripts marks are vowels and tones, and words differ by them.
fn folded(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(word.to_ascii_lowercase())
        } else {
            Cow::Borrowed(word)
        };
    }
    let kept = |&character: &char| !('\u{300}'..='\u{36f}').contains(&character);
    let plain: String = word.nfkd().filter(kept).nfc().collect();
    let is_term = |character: &char| scan::is_word(*character) || scan::is_joint(*character);
    let lower = plain.to_lowercase().replace('\u{2019}', "'");
    Cow::Owned(lower.chars().filter(is_term).collect())
}

/// Cuts a word to the longest allowed term.
fn shortened(word: &str) -> &str {
    &word[..word.floor_char_boundary(MAX_TERM_BYTES)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(
            Analyzer::english().terms(text),
            expected,
            "terms of {text:?}"
        );
    }

    #[test]
    fn words_are_lowered_folded_and_stemmed() {
        check("Running cafés, QUICKLY!", "run cafe quick");
        check("naïve Ångström ﬁne", "naiv angstrom fine");
        check("Straße ΑΘΉΝΑ Москва", "straße αθηνα москва");
        check("ИЙ ий", "ии ии");
        check("\u{37a}", "");
    }

    #[test]
    fn identifiers_are_kept_whole_and_in_parts() {
        check("read_chunks", "read_chunk read chunk");
        check("useState()", "usest use state");
        check("usestate", "usest");
        check("HTTPServer", "httpserver http server");
        check("APIs URLs", "api url");
        check("foo.bar", "foo.bar foo bar");
        check("v2.3.1", "v2.3.1 v2 3 1");
        check("__init__", "__init__ init");
        check("sha256 utf8", "sha256 utf8");
        check("tokio::spawn", "tokio spawn");
        check("state-of-the-art", "state of the art");
    }

    #[test]
    fn punctuation_round_words_is_dropped() {
        check("The end. Next", "the end next");
        check("(a, b); \"c\" 'd'", "a b c d");
        check("col:val * ^ NEAR( ')); drop", "col val near drop");
        check("...", "");
        check("_ __", "");
    }

    #[test]
    fn possessives_and_contractions_lose_their_tail() {
        check("the cat's what's dogs'", "the cat what dog");
        check("don\u{2019}t", "dont");
    }

    #[test]
    fn cjk_text_becomes_pairs_of_characters() {
        check("検索する", "検索 索す する");
        check("字", "字");
        check("Rust言語の入門", "rust 言語 語の の入 入門");
        check("한국어 검색", "한국 국어 검색");
    }

    #[test]
    fn pictographs_are_terms_of_their_own() {
        check("ship it 🚀🎉", "ship it 🚀 🎉");
    }

    #[test]
    fn long_words_are_indexed_by_their_beginning() {
        let terms = Analyzer::english().terms(&"x".repeat(5_000));
        assert_eq!(terms, "x".repeat(MAX_TERM_BYTES));
    }

    #[test]
    fn a_term_points_to_its_word() {
        let text = "see read_chunks, twice";
        let mut words = Vec::new();
        Analyzer::english().for_each(text, |_, span| words.push(span.of(text)));
        assert_eq!(words, ["see", "read_chunks", "read", "chunks", "twice"]);
    }

    proptest! {
        #[test]
        fn terms_hold_nothing_that_a_query_language_reads(text in any::<String>()) {
            Analyzer::english().for_each(&text, |term, span| {
                assert!(!term.is_empty());
                assert!(!term.contains(|c: char| c.is_whitespace() || "'\"*()^:+-\0".contains(c)));
                assert!(term.len() <= MAX_TERM_BYTES);
                assert!(span.end <= text.len());
            });
        }
    }
}
