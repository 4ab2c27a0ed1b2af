//! Stop words that say which of several things is asked for: `when should I not use it`.

use super::Query;

/// These stop words of English, and the plainest of French, German, Italian, Portuguese and Spanish.
const QUALIFIERS: &str = "\
    above after again all any before below both down each few more most no nor not off once only other out over own same \
    through under until up without \
    après avant pas sans tous toutes alle keine nicht nur ohne vor \
    antes depois dopo non não prima sem senza sin solo todas todos tutti";

impl Query {
    /// Returns the words that are left out and say which of several things is asked for, in lower case.
    pub(crate) fn qualifiers(&self) -> Vec<String> {
        let left_out = self.reading.left_out.iter().map(|of| of.to_lowercase());
        let mut words: Vec<String> = left_out.filter(|of| is_qualifier(of)).collect();
        words.sort_unstable();
        words.dedup();
        words
    }
}

fn is_qualifier(word: &str) -> bool {
    QUALIFIERS.split(' ').any(|of| of == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn stop_words_that_qualify_are_told_from_those_that_build_sentences() {
        let read = |text: &str, language| {
            let query = Query::parse(text, &[language]).unwrap();
            query.qualifiers()
        };
        for (question, expected) in [
            ("When should I not use it", &["not"][..]),
            ("run a task only once", &["once", "only"]),
            ("how do I use it with this", &[]),
            // What is in quotes or backticks ranks anyway.
            ("is `not` before a loop", &["before"]),
        ] {
            assert_eq!(read(question, Language::English), expected, "{question}");
        }
        assert_eq!(read("Brot ohne Salz", Language::German), ["ohne"]);
    }
}
