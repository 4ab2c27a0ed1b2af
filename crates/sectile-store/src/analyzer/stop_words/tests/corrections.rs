//! The corrections of the lists of stop words.

use super::*;
use crate::analyzer::stop_words::lists::CORRECTIONS;

#[test]
fn the_corrections_are_of_words_that_are_listed_and_add_others() {
    for line in CORRECTIONS.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let language: Language = words.next().unwrap().parse().unwrap();
        let listed = stop_words::lookup(language.code()).unwrap_or_default();
        let is_of_list = match words.next() {
            Some("only" | "without") => true,
            Some("with" | "asks") => false,
            // Some are listed, and others are not.
            Some("opens") => continue,
            _ => panic!("{line}"),
        };
        let all: Vec<&str> = words.collect();
        let wrong = all
            .iter()
            .filter(|word| listed.contains(word) != is_of_list);
        let wrong: Vec<_> = wrong.collect();
        assert!(wrong.is_empty(), "{language}: {wrong:?}");
        let different: FxHashSet<&str> = all.iter().copied().collect();
        assert_eq!(different.len(), all.len(), "{line}");
    }
}

#[test]
fn words_that_open_questions_are_named_once() {
    let rows = CORRECTIONS.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<(&str, &str, Vec<&str>)> = rows
        .map(|line| {
            let (language, rest) = line.split_once(' ').unwrap();
            let (kind, words) = rest.split_once(' ').unwrap();
            (language, kind, words.split(' ').collect())
        })
        .collect();
    let opening = rows.iter().filter(|(_, kind, _)| *kind == "opens");
    for (language, _, words) in opening {
        for word in words {
            let others = rows
                .iter()
                .filter(|(of, kind, _)| of == language && *kind != "only");
            let named = others
                .flat_map(|(.., words)| words)
                .filter(|of| *of == word);
            assert_eq!(named.count(), 1, "{language} {word}");
            assert!(opens_question(word), "{word}");
            let language: Language = language.parse().unwrap();
            assert!(has_only_stop_words(word, language), "{language} {word}");
        }
    }
    for word in ["could", "when", "cannot", "no", "si"] {
        assert!(!opens_question(word), "{word}");
    }
}
