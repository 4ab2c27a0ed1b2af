//! The letters that terms begin with, by which most words of a text are known to have none of them.

use super::language::Language;

/// The letters from `a` to `z` that some terms begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Initials(u32);

impl Initials {
    /// Returns the letters that terms begin with.
    pub fn of<'t>(terms: impl IntoIterator<Item = &'t str>) -> Self {
        let first = |term: &str| bit(*term.as_bytes().first()?);
        let letters = terms.into_iter().filter_map(first);
        Self(letters.fold(0, |all, letter| all | letter))
    }

    /// Says whether a word may have one of the terms. Only plain words of English are known to have
    /// none: stems keep their first letter, and so do American spellings but those of `aesthetic` and
    /// `oestrogen`.
    pub(super) fn may_begin(self, word: &str, language: Language) -> bool {
        let [first, rest @ ..] = word.as_bytes() else {
            return false;
        };
        let first = first.to_ascii_lowercase();
        let is_plain = language == Language::English && rest.iter().all(u8::is_ascii_lowercase);
        let Some(letter) = bit(first).filter(|_| is_plain) else {
            return true;
        };
        let may_be_lost = matches!(first, b'a' | b'o');
        let next = bit(b'e').filter(|_| may_be_lost).unwrap_or_default();
        self.0 & (letter | next) != 0
    }
}

/// Returns the bit that stands for a letter.
fn bit(letter: u8) -> Option<u32> {
    letter.is_ascii_lowercase().then(|| 1 << (letter - b'a'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;
    use sectile_core::Span;

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
                    readChunks read_chunks HTTP/2 v2.3.1 R&D École naïve 検索する";
        let terms = terms_of(text);
        for term in &terms {
            check(text, std::slice::from_ref(term));
        }
        check(text, &terms);
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
