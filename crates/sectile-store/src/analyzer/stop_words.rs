//! Words that tell documents apart so little that a question does better without them.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use super::fold::folded;
use super::language::Language;
use super::reading::AnalyzedWord;
use super::word::{self, Form, joined};

/// The stop words as the analyser writes them: in lower case, stemmed, without
/// apostrophes. Sorted.
const STOP_WORDS: &[&str] = &[
    "a", "about", "abov", "after", "again", "against", "all", "am", "an", "and", "ani", "are",
    "arent", "as", "at", "be", "becaus", "been", "befor", "being", "below", "between", "both",
    "but", "by", "can", "cannot", "cant", "could", "couldnt", "did", "didnt", "do", "doe", "does",
    "doesnt", "doing", "dont", "down", "dure", "each", "eg", "etc", "few", "for", "from",
    "further", "had", "hadnt", "has", "hasnt", "have", "havent", "having", "he", "her", "here",
    "hers", "herself", "him", "himself", "his", "how", "i", "ie", "if", "im", "in", "into", "is",
    "isnt", "it", "its", "itself", "ive", "let", "me", "more", "most", "my", "myself", "no", "nor",
    "not", "of", "off", "on", "onc", "onli", "or", "other", "ought", "our", "ourselv", "out",
    "over", "own", "same", "shant", "she", "should", "shouldnt", "so", "some", "such", "than",
    "that", "the", "their", "them", "themselv", "then", "there", "these", "they", "theyd",
    "theyll", "theyr", "theyv", "this", "those", "through", "to", "too", "under", "until", "up",
    "veri", "was", "wasnt", "we", "were", "werent", "weve", "what", "whats", "when", "where",
    "whi", "which", "while", "who", "whom", "whose", "why", "will", "with", "wont", "would",
    "wouldnt", "you", "youd", "youll", "your", "yourself", "yourselv", "youv", "youve",
];

/// Says whether `term`, as English text has it, is a stop word.
pub(super) fn contains(term: &str) -> bool {
    STOP_WORDS.binary_search(&term).is_ok()
}

/// Marks the stop words of a question: those of the language that it has most stop words of, and those
/// that are some in every language of the documents.
pub(super) fn mark(text: &str, readings: &mut [AnalyzedWord], languages: &[Language]) {
    let is_plain =
        |reading: &AnalyzedWord| reading.alternatives.iter().all(|of| of.form != Form::Flag);
    let mut candidates = vec![Language::English];
    candidates.extend(languages.iter().filter(|of| **of != Language::English));
    let of_language = |language: Language| -> Vec<bool> {
        let each = readings.iter();
        each.map(|reading| is_plain(reading) && is_stop_word(reading.span.of(text), language))
            .collect()
    };
    let marks: Vec<Vec<bool>> = candidates.iter().map(|of| of_language(*of)).collect();
    let count = |marks: &Vec<bool>| marks.iter().filter(|is_one| **is_one).count();
    let mut asked = 0;
    for place in 1..marks.len() {
        if count(&marks[place]) > count(&marks[asked]) {
            asked = place;
        }
    }
    let in_scope = || {
        candidates
            .iter()
            .zip(&marks)
            .filter(|(of, _)| languages.contains(of))
    };
    for (at, reading) in readings.iter_mut().enumerate() {
        reading.is_stop_word = marks[asked][at] || in_scope().all(|(_, marks)| marks[at]);
    }
}

/// Says whether a word as it was typed is a stop word of a language.
pub(super) fn is_stop_word(word: &str, language: Language) -> bool {
    match language {
        Language::English => contains(&word::term(&joined(word), language)),
        _ => words_of(language).contains(&*folded(&joined(word))),
    }
}

/// Says whether the stop words of a language are known.
pub(super) fn are_known(language: Language) -> bool {
    language == Language::English || !words_of(language).is_empty()
}

/// Returns the stop words of another language than English, folded.
fn words_of(language: Language) -> &'static FxHashSet<String> {
    static WORDS: [OnceLock<FxHashSet<String>>; Language::COUNT] =
        [const { OnceLock::new() }; Language::COUNT];
    WORDS[language as usize].get_or_init(|| {
        let words = stop_words::lookup(language.code()).unwrap_or_default();
        words
            .iter()
            .map(|word| folded(&joined(word)).into_owned())
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn question_words_and_articles_are_in_it() {
        for word in ["the", "what", "how", "is", "do", "dont"] {
            assert!(contains(word), "{word}");
        }
        assert!(!contains("state"));
    }

    #[test]
    fn other_languages_have_some() {
        for (language, word) in [
            (Language::German, "Für"),
            (Language::French, "dans"),
            (Language::Polish, "jest"),
            (Language::Russian, "на"),
            (Language::Czech, "který"),
        ] {
            assert!(is_stop_word(word, language), "{word}");
        }
        assert!(!is_stop_word("Haus", Language::German));
    }
}
