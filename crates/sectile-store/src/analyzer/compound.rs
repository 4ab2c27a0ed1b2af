//! Compounds of German, which are written as one word: `Versicherung` finds `Rechtsschutzversicherung`.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;
use sectile_core::Span;

use super::fold::folded;
use super::language::Language;
use super::length::has;

/// Common nouns that compounds are made of.
const NOUNS: &str = include_str!("german.txt");

/// What stands before verbs and their nouns: `Verbindung` is no compound of `Bindung`.
const PREFIXES: &[&str] = &[
    "ab", "an", "auf", "aus", "be", "bei", "durch", "ein", "emp", "ent", "er", "fort", "ge", "her",
    "hin", "hinter", "los", "miss", "mit", "nach", "nieder", "um", "un", "ur", "unter", "ver",
    "vor", "weg", "wider", "wieder", "zer", "zu", "zurück", "zusammen", "über",
];

/// The least length in characters of a compound, of a part, and of the last part after one that is not
/// known.
const LEAST: usize = 8;
const LEAST_PART: usize = 3;
const LEAST_HEAD: usize = 5;

/// How many parts a compound may have.
const MOST_PARTS: usize = 5;

/// Returns the parts of a word in lower case; none if it is not a compound.
pub(super) fn parts(word: &str) -> Vec<Span> {
    let mut parts = Vec::new();
    if has(word, LEAST) && !is_noun(word) {
        split(word, &mut parts);
        parts.reverse();
    }
    parts
}

/// Splits the beginning of a compound, and collects its parts from the last on. Returns whether it could.
fn split(word: &str, parts: &mut Vec<Span>) -> bool {
    let places = || {
        let ends = word.char_indices().skip(LEAST_PART).map(|(at, _)| at);
        ends.filter(|at| has(&word[*at..], LEAST_PART))
            .filter(|at| is_noun(&word[*at..]) && !PREFIXES.contains(&&word[..*at]))
    };
    // The longest noun at the end comes first.
    for at in places() {
        let count = parts.len();
        parts.push(Span::new(at, word.len()));
        if is_noun(&word[..at]) {
            parts.push(Span::new(0, at));
            return true;
        }
        if parts.len() < MOST_PARTS && split(&word[..at], parts) {
            return true;
        }
        parts.truncate(count);
    }
    let is_long = |at: &usize| has(&word[*at..], LEAST_HEAD);
    let Some(at) = places().find(is_long) else {
        return false;
    };
    parts.extend([Span::new(at, word.len()), Span::new(0, at)]);
    true
}

/// Returns whether a word is one of the nouns, in whatever form: the stem is the same. The stem also drops
/// most of what joins the parts, such as the `s` of `Rechtsschutz`.
fn is_noun(word: &str) -> bool {
    static STEMS: OnceLock<FxHashSet<String>> = OnceLock::new();
    let stems = STEMS.get_or_init(|| NOUNS.split_whitespace().map(stem).collect());
    stems.contains(&stem(word))
}

fn stem(word: &str) -> String {
    folded(&Language::German.stem(word)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, expected: &str) {
        let parts = parts(word);
        let parts: Vec<_> = parts.iter().map(|part| part.of(word)).collect();
        assert_eq!(parts.join(" "), expected, "{word}");
    }

    #[test]
    fn compounds_are_split_into_nouns() {
        check("rechtsschutzversicherung", "rechts schutz versicherung");
        check("datenbankverbindung", "datenbank verbindung");
        check(
            "krankenversicherungsbeiträge",
            "kranken versicherungs beiträge",
        );
        check("häuserkampf", "häuser kampf");
        check("dampfschifffahrtskapitän", "dampf schiff fahrts kapitän");
    }

    #[test]
    fn a_known_noun_ends_what_is_not_known() {
        check("quittungsdrucker", "quittungs drucker");
        check("mikroskopeinstellung", "mikroskop einstellung");
    }

    #[test]
    fn other_words_stay_whole() {
        for word in [
            "verbindung",
            "versicherung",
            "verteilen",
            "bearbeiten",
            "unterhaltung",
            "entwicklung",
            "datenbank",
            "erreichbarkeit",
            "apparat",
            "framework",
            "database",
            "international",
            "verantwortlich",
            "unternehmen",
        ] {
            check(word, "");
        }
    }

    #[test]
    fn long_words_take_no_longer() {
        let word = "zahnrad".repeat(9);
        assert!(parts(&word).len() <= MOST_PARTS + 2);
    }
}
