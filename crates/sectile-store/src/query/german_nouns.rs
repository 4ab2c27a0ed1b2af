//! German nouns that are written as stop words but for their capitals: `Würde` and `würde`.

use super::split::{Item, Role};
use super::trimmed;
use crate::analyzer::StopWords;

/// Stop words that are nouns, too, in lower case: with a capital at the beginning of a short question they may be either.
const NOUNS: &[&str] = &["hab", "muss", "sein", "soll", "wurde", "würde"];

/// What stands behind a verb at the beginning of a question, and behind no noun: `Muss ich zahlen`.
const SUBJECTS: &[&str] = &["das", "du", "er", "es", "ich", "ihr", "man", "sie", "wir"];

/// Words with a capital for politeness. Sorted.
const POLITE: &[&str] = &[
    "Dein", "Deine", "Deinem", "Deinen", "Deiner", "Deines", "Deins", "Dich", "Dir", "Du", "Euch",
    "Euer", "Eure", "Eurem", "Euren", "Eurer", "Eures", "Ihnen", "Ihr", "Ihre", "Ihrem", "Ihren",
    "Ihrer", "Ihres", "Sie",
];

/// How many words that are no stop words a question has at most of which the first word may be a noun.
const MOST_OTHERS: usize = 1;

/// Returns the places of the stop words that are nouns by their capitals. In a question in which no word begins with a small
/// letter, capitals say nothing.
pub(super) fn nouns(items: &[Item<'_>], stop_words: &StopWords) -> Vec<usize> {
    let is_small = |item: &Item<'_>| trimmed(item.text).starts_with(char::is_lowercase);
    if !stop_words.have_nouns_capitals() || !items.iter().any(is_small) {
        return Vec::new();
    }
    let others = items.iter().filter(|item| {
        let word = trimmed(item.text);
        item.role == Role::Scored && !word.is_empty() && !stop_words.has(word)
    });
    let is_short = others.count() <= MOST_OTHERS;
    let places = (0..items.len()).filter(|&place| {
        let word = trimmed(items[place].text);
        let before = place.checked_sub(1).map(|before| items[before].text);
        let is_first = before.is_none_or(ends_sentence);
        let next = items.get(place + 1).map(|next| trimmed(next.text));
        let is_verb = || next.is_some_and(|next| SUBJECTS.contains(&next));
        let may_begin = || is_short && NOUNS.contains(&&*word.to_lowercase()) && !is_verb();
        has_capital(word)
            && POLITE.binary_search(&word).is_err()
            && stop_words.has(word)
            && (!is_first || may_begin())
    });
    places.collect()
}

/// Returns whether a word has a capital, and small letters behind it.
fn has_capital(word: &str) -> bool {
    let mut letters = word.chars();
    let is_capital = letters.next().is_some_and(char::is_uppercase);
    is_capital && letters.as_str().chars().all(char::is_lowercase) && !letters.as_str().is_empty()
}

/// Returns whether the next word begins a sentence, or what is quoted or listed.
fn ends_sentence(before: &str) -> bool {
    before.ends_with(['.', '!', '?', ':', '\u{2013}', '\u{2014}', '-', '\u{201e}'])
}

#[cfg(test)]
mod tests {
    use crate::{Language, Query};

    fn left_out(text: &str, languages: &[Language]) -> Vec<String> {
        let query = Query::parse(text, languages).unwrap();
        query.reading().left_out.clone()
    }

    #[test]
    fn a_german_noun_is_no_stop_word() {
        let german = [Language::German];
        for (text, expected) in [
            ("Würde des Menschen", &["des"][..]),
            ("Achtung der Würde", &["der"]),
            ("Hab und Gut", &["und"]),
            ("Wurde des Menschen", &["des"]),
            ("Schutz für die Würde der Frau", &["für", "die", "der"]),
        ] {
            assert_eq!(left_out(text, &german), expected, "{text}");
        }
    }

    #[test]
    fn other_words_with_capitals_are_stop_words() {
        let german = [Language::German];
        for (text, word) in [
            ("Würde der Vertrag sofort enden", "Würde"),
            ("Muss ich zahlen", "Muss"),
            ("Würde man klagen", "Würde"),
            ("Soll er zahlen", "Soll"),
            ("Der Vertrag und die Kündigung", "Der"),
            ("wie kündigen Sie den Vertrag", "Sie"),
            ("ich kündige. Wie lange ist die Frist", "Wie"),
            ("Was Würde Der Mensch Sagen", "Würde"),
            ("was würde der Mensch sagen", "würde"),
        ] {
            let left_out = left_out(text, &german);
            assert!(left_out.iter().any(|of| of == word), "{text}: {left_out:?}");
        }
        let several = [Language::English, Language::German];
        let dignity = left_out("was ist mit der Würde der Frau", &several);
        assert!(!dignity.contains(&"Würde".to_owned()));
        let english = left_out("what is the State Of the art", &[Language::English]);
        assert!(english.contains(&"Of".to_owned()));
    }

    #[test]
    fn the_only_word_is_searched_for_though_it_is_a_stop_word() {
        for (text, word) in [("The Who", "Who"), ("Will", "Will"), ("what is IT", "IT")] {
            let query = Query::parse(text, &[Language::English]).unwrap();
            let mut words = query.reading().words.iter();
            assert!(words.any(|of| of.typed == word), "{text}");
        }
    }
}
