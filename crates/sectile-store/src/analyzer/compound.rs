//! Compounds of German, which are written as one word: `Versicherung` finds `Rechtsschutzversicherung`.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashSet;
use sectile_core::Span;

use super::length::has;

/// Common nouns that compounds are made of.
const NOUNS: &str = include_str!("german.txt");

/// Those that are adjectives or ends of adjectives, too: in small letters they make no compound (`strafbar`).
const ALSO_ADJECTIVES: &[&str] = &["bar", "fest", "gut", "haft", "reich", "weise", "wert"];

/// What stands before verbs and their nouns: `Verbindung` is no compound of `Bindung`, and what begins so is no noun
/// unless it is known to be one.
const PREFIXES: &[&str] = &[
    "ab", "an", "auf", "aus", "be", "bei", "durch", "ein", "emp", "ent", "er", "fort", "ge", "her",
    "hin", "hinter", "los", "miss", "mit", "nach", "nieder", "um", "un", "unter", "ur", "ver",
    "vor", "weg", "wider", "wieder", "zer", "zu", "zurück", "zusammen", "über",
];

/// The endings of a noun, and those of one in `-nis`.
const ENDINGS: &[&str] = &["", "e", "en", "er", "ern", "es", "n", "s"];
const ENDINGS_OF_NIS: &[&str] = &["se", "sen", "ses"];

/// What joins a noun to the next one. In small letters, an `e` more often belongs to a verb (`zugegangen`).
const JOINTS: &[&str] = &["", "s", "es", "en", "n", "er", "ens"];
const JOINT_OF_CAPITALIZED: &[&str] = &["e"];

/// The ends of nouns that are made of other words, with what joins them to the next one.
const ENDS_OF_NOUNS: &[&str] = &[
    "heits", "ions", "keits", "lings", "schafts", "tums", "täts", "ungs",
];

/// A noun that only stands behind what joins: otherwise it is the end of a participle (`passende`, `Reisende`).
const END_OF_PARTICIPLES: &str = "ende";

/// The least length in characters of a compound, and of a part.
const LEAST: usize = 8;
const LEAST_PART: usize = 3;

/// The least length of a part that is not known, of the noun behind it, of a noun that is known by its end, of one
/// that has lost its `-e`, and of one that a part may begin with.
const LEAST_UNKNOWN: usize = 5;
const LEAST_BEHIND_UNKNOWN: usize = 5;
const LEAST_WITH_END: usize = 7;
const LEAST_WITHOUT_E: usize = 4;
const LEAST_AT_BEGINNING: usize = 4;

/// How many parts a compound may have.
const MOST_PARTS: usize = 5;

/// Returns the parts of a word in lower case; none if it is not a compound. Nouns have capitals: of a word that was
/// written with one, the first part need not be known.
pub(super) fn parts(word: &str, has_capital: bool) -> Vec<Span> {
    let mut parts = Vec::new();
    if has(word, LEAST) && last_noun(word).is_none() {
        split(word, has_capital, &mut parts);
        parts.reverse();
    }
    parts
}

/// Splits the beginning of a compound, and collects its parts from the last on. Returns whether it could.
fn split(word: &str, has_capital: bool, parts: &mut Vec<Span>) -> bool {
    let count = parts.len();
    let ends = word.char_indices().skip(LEAST_PART).map(|(at, _)| at);
    let ends = ends.filter(|at| has(&word[*at..], LEAST_PART));
    // The longest noun at the end comes first.
    let places = ends.filter_map(|at| {
        let noun = noun_at_end(word.split_at(at), has_capital, count == 0)?;
        Some((at, noun))
    });
    let places: Vec<(usize, String)> = places.collect();
    for (at, _) in &places {
        let beginning = &word[..*at];
        parts.push(Span::new(*at, word.len()));
        if is_known(beginning, has_capital) {
            parts.push(Span::new(0, *at));
            return true;
        }
        if parts.len() < MOST_PARTS && split(beginning, has_capital, parts) {
            return true;
        }
        parts.truncate(count);
    }
    let is_split = |(at, noun): &&(usize, String)| {
        let beginning = &word[..*at];
        let may_be = has_capital && has(noun, LEAST_BEHIND_UNKNOWN) && may_be_noun(beginning);
        has_end_of_noun(beginning) || may_be
    };
    let Some((at, _)) = places.iter().find(is_split) else {
        return false;
    };
    parts.extend([Span::new(*at, word.len()), Span::new(0, *at)]);
    true
}

/// Returns the noun that the end of a word is, unless the word is no compound of it.
fn noun_at_end((beginning, end): (&str, &str), has_capital: bool, is_last: bool) -> Option<String> {
    let noun = if is_last {
        last_noun(end)?
    } else {
        first_noun(end, has_capital)?
    };
    let is_participle = noun == END_OF_PARTICIPLES && !ends_with_joint(beginning);
    let is_adjective = !has_capital && is_last && ALSO_ADJECTIVES.contains(&&*noun);
    let is_prefixed = PREFIXES.contains(&beginning);
    (!is_participle && !is_adjective && !is_prefixed).then_some(noun)
}

/// Returns whether the first part of a compound is a known noun.
fn is_known(part: &str, has_capital: bool) -> bool {
    let noun = first_noun(part, has_capital);
    noun.is_some_and(|noun| has_capital || !ALSO_ADJECTIVES.contains(&&*noun))
}

/// Returns the noun that the last part of a compound is, with its ending.
fn last_noun(part: &str) -> Option<String> {
    let part = with_double_s(part);
    noun_before(&part, ENDINGS).or_else(|| {
        let noun = noun_before(&part, ENDINGS_OF_NIS)?;
        noun.ends_with("nis").then_some(noun)
    })
}

/// Returns the noun that another part of a compound is, with what joins it to the next one. Many lose their `-e`, as
/// `Kirche` in `Kirchturm`.
fn first_noun(part: &str, has_capital: bool) -> Option<String> {
    let part = with_double_s(part);
    let noun = noun_before(&part, JOINTS);
    if noun.is_some() || !has_capital {
        return noun;
    }
    let whole = format!("{part}e");
    if has(&part, LEAST_WITHOUT_E) && is_noun(&whole) {
        return Some(whole);
    }
    noun_before(&part, JOINT_OF_CAPITALIZED)
}

/// Returns the noun that a part is without one of some endings.
fn noun_before(part: &str, endings: &[&str]) -> Option<String> {
    let mut nouns = endings.iter().filter_map(|of| part.strip_suffix(*of));
    let noun = nouns.find(|noun| has(noun, LEAST_PART) && is_noun(noun));
    noun.map(str::to_owned)
}

/// Returns whether a part ends as nouns do that are made of other words: `Kündigungs`.
fn has_end_of_noun(part: &str) -> bool {
    let mut ends = ENDS_OF_NOUNS.iter();
    has(part, LEAST_WITH_END) && ends.any(|of| part.ends_with(*of))
}

/// Returns whether a part may be a noun that is not known: it begins with no other one, of which the rest would be a
/// prefix of the next (`Reise` and `Veranstalter`), and not as verbs do.
fn may_be_noun(part: &str) -> bool {
    let part = with_double_s(part);
    let mut ends = part.char_indices().skip(LEAST_AT_BEGINNING);
    let begins_with_noun = ends.any(|(at, _)| is_noun(&part[..at]));
    let mut prefixes = PREFIXES.iter();
    let has_prefix = prefixes.any(|of| part.starts_with(*of));
    has(&part, LEAST_UNKNOWN) && !begins_with_noun && !has_prefix
}

/// Returns whether a part ends with what joins a noun to the next one.
fn ends_with_joint(part: &str) -> bool {
    let is_whole = || is_noun(part) || is_noun(&format!("{part}e"));
    part.ends_with(['n', 's']) && !is_whole()
}

/// Returns whether a word in lower case, without `ß`, is one of the nouns, be it with the umlaut of its plural.
fn is_noun(word: &str) -> bool {
    static ALL: OnceLock<FxHashSet<String>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let nouns = NOUNS.split_whitespace().map(with_double_s);
        nouns.map(Cow::into_owned).collect()
    });
    let has_umlaut = || word.contains(['ä', 'ö', 'ü']);
    all.contains(word) || has_umlaut() && all.contains(&without_umlauts(word))
}

fn without_umlauts(word: &str) -> String {
    let letters = word.chars().map(|letter| match letter {
        'ä' => 'a',
        'ö' => 'o',
        'ü' => 'u',
        _ => letter,
    });
    letters.collect()
}

fn with_double_s(word: &str) -> Cow<'_, str> {
    if word.contains('ß') {
        word.replace('ß', "ss").into()
    } else {
        word.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the parts of a word as it is written.
    fn check(written: &str, expected: &str) {
        let word = written.to_lowercase();
        let parts = parts(&word, written.starts_with(char::is_uppercase));
        let parts: Vec<_> = parts.iter().map(|part| part.of(&word)).collect();
        assert_eq!(parts.join(" "), expected, "{written}");
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
        check("Donaudampfschifffahrt", "donau dampf schiff fahrt");
        check("Bundesverfassungsgericht", "bundes verfassungs gericht");
        check("Mietverhältnisses", "miet verhältnisses");
        check("Straßenbahn", "straßen bahn");
        check("Schmerzensgeld", "schmerzens geld");
        check("Wochenende", "wochen ende");
        check("datensicherung", "daten sicherung");
    }

    #[test]
    fn a_known_noun_ends_what_is_not_known() {
        check("quittungsdrucker", "quittungs drucker");
        check("Kündigungsfrist", "kündigungs frist");
        check("Mikroskopeinstellung", "mikroskop einstellung");
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
            "verpflichtet",
            "Verpflichtete",
            "ausgeschlossen",
            "spätestens",
            "Spätestens",
            "enthalten",
            "erwarten",
            "Erwarten",
            "entspricht",
            "angemessen",
            "Ermessen",
            "geltenden",
            "folgenden",
            "passende",
            "Reisenden",
            "gewinnenden",
            "gegebenenfalls",
            "zugegangen",
            "feststellen",
            "lebenslange",
            "strafbar",
            "vereinbart",
            "digitalen",
            "Liquidatoren",
            "Absender",
            "Reiseveranstalter",
            "Abschlussprüfer",
            "mikroskopeinstellung",
        ] {
            check(word, "");
        }
    }

    #[test]
    fn long_words_take_no_longer() {
        let word = "zahnrad".repeat(9);
        assert!(parts(&word, true).len() <= MOST_PARTS + 2);
    }
}
