//! The letters that terms begin with, by which most words of a text are known to have none of them.

use super::language::Language;

/// For each of the letters from `a` to `z`, and for anything else, what follows where some terms begin with
/// it: a bit for each letter, and one for anything else or nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Initials([u32; OTHER + 1]);

/// The place of what is not a letter from `a` to `z`.
const OTHER: usize = 26;

impl Initials {
    /// Returns what terms begin with.
    pub(crate) fn of<'t>(terms: impl IntoIterator<Item = &'t str>) -> Self {
        let mut initials = Self::default();
        for term in terms {
            let mut letters = term.bytes();
            let (first, second) = (place(letters.next()), place(letters.next()));
            initials.0[first] |= 1 << second;
        }
        initials
    }

    /// Returns whether a word may have one of the terms. Only ASCII words of English text are known to have
    /// none: a term begins as a part of its word does, but for words that American English writes otherwise
    /// (`aesthetic`, `foetus`, `sceptic`), some that end after these letters (`dying`), and plurals that change within
    /// (`feet`).
    pub(super) fn may_begin(self, word: &str, language: Language) -> bool {
        if language != Language::English {
            return true;
        }
        if let [first, rest @ ..] = word.as_bytes()
            && first.is_ascii_alphabetic()
            && rest.iter().all(u8::is_ascii_lowercase)
        {
            // Most words are no more than this.
            return self.may_begin_plain(first.to_ascii_lowercase(), rest);
        }
        if !word.is_ascii() || word.starts_with('.') {
            return true;
        }
        let mut before = b' ';
        word.bytes().any(|byte| {
            // A number behind a name is a term, too.
            let is_start = byte.is_ascii_uppercase() || byte.is_ascii_digit();
            let begins = is_start || !before.is_ascii_alphabetic();
            let is_next = byte == b'e' && matches!(before, b'a' | b'o' | b'A' | b'O');
            before = byte;
            (begins || is_next) && self.has_any(byte.to_ascii_lowercase())
        })
    }

    /// Says so of a word without any parts.
    #[inline]
    fn may_begin_plain(self, first: u8, rest: &[u8]) -> bool {
        let second = place(rest.first().copied());
        let other = match (first, rest) {
            (b'a' | b'o', [b'e', ..]) => return self.has_any(first) || self.has_any(b'e'),
            (_, [b'a' | b'o', b'e', ..]) => place(Some(b'e')),
            (b's', [b'c', ..]) => place(Some(b'k')),
            (_, [b'y', ..]) => place(Some(b'i')),
            (b'f', b"eet") | (b'g', b"eese") | (b'm', b"ice") | (b't', b"eeth") => {
                place(Some(b'o'))
            }
            (b'm', b"en") => place(Some(b'a')),
            _ => second,
        };
        self.0[place(Some(first))] & (1 << second | 1 << other) != 0
    }

    /// Returns whether some of the terms begin so.
    fn has_any(self, first: u8) -> bool {
        self.0[place(Some(first))] != 0
    }
}

/// Returns the place of a byte of a term.
fn place(byte: Option<u8>) -> usize {
    match byte {
        Some(letter @ b'a'..=b'z') => (letter - b'a').into(),
        _ => OTHER,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;
    use sectile_core::Span;

    use super::super::{nouns, spelling};
    use super::*;
    use crate::Analyzer;

    fn terms_of(text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        Analyzer::english().for_each(text, |term, _| terms.push(term.to_owned()));
        terms
    }

    /// Looks for terms in a text, with and without their first letters.
    fn check(text: &str, asked: &[String]) {
        let (mut all, mut quickly) = (Vec::new(), Vec::new());
        let note = |found: &mut Vec<_>, term: &str, span: Span| {
            if asked.iter().any(|asked| asked == term) {
                found.push((term.to_owned(), span));
            }
        };
        let initials = Initials::of(asked.iter().map(String::as_str));
        let analyzer = Analyzer::english();
        analyzer.for_each(text, |term, span| note(&mut all, term, span));
        analyzer.for_each_of(text, initials, |term, span| note(&mut quickly, term, span));
        assert_eq!(quickly, all, "{asked:?}");
    }

    #[test]
    fn a_word_is_found_by_each_of_its_terms() {
        let text = "Oesophagus aesthetics oestrogen aeroplanes dying skies don't O'Neil C++ -m .NET \
                    readChunks read_chunks self.setIndex HTTP/2 v2.3.1 R&D École naïve Python3.8 TLSv1.3 検索する";
        let terms = terms_of(text);
        for term in &terms {
            check(text, std::slice::from_ref(term));
        }
        check(text, &terms);
    }

    #[test]
    fn words_of_british_spelling_are_found_by_the_american_ones() {
        for (british, _) in spelling::OTHER {
            for text in [british.to_string(), format!("non-{british}")] {
                for term in terms_of(&text) {
                    check(&text, &[term]);
                }
            }
        }
    }

    #[test]
    fn irregular_plurals_are_found_by_their_terms() {
        for form in nouns::forms(Language::English).keys() {
            for text in [form.to_string(), format!("non-{form}")] {
                for term in terms_of(&text) {
                    check(&text, &[term]);
                }
            }
        }
    }

    #[test]
    fn words_that_begin_otherwise_are_not_read() {
        let mut read = Vec::new();
        let initials = Initials::of(["chunk"]);
        Analyzer::english().for_each_of("Chunks of a text", initials, |term, _| {
            read.push(term.to_owned());
        });
        assert_eq!(read, ["chunk"]);
    }

    proptest! {
        #[test]
        fn no_word_is_lost(
            words in prop::collection::vec("[A-Za-z]?[a-z]{0,9}('s)?|[a-zA-Z.+#-]{1,5}", 1..20),
            at in any::<Index>(),
        ) {
            let text = words.join(" ");
            let terms = terms_of(&text);
            if !terms.is_empty() {
                check(&text, std::slice::from_ref(&terms[at.index(terms.len())]));
            }
        }
    }
}
