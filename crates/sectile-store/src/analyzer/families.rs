//! Words of one family with different stems, which no stemmer joins: `explain` and `explanation`, forms of verbs, and
//! countries with what comes from there.

use std::borrow::Cow;

use super::countries;
use super::language::Language;
use super::verbs;
use super::word::term;

/// A verb, what is left of it in its stem, the noun that is made of it, and the fewest letters before them.
type Family = (&'static str, &'static str, &'static str, usize);

#[rustfmt::skip]
const FAMILIES: &[Family] = &[
    // `y` is an `i` in the noun.
    ("ify", "ifi", "ification", 2), ("apply", "appli", "application", 0), ("imply", "impli", "implication", 0),
    ("multiply", "multipli", "multiplication", 0), ("satisfy", "satisfi", "satisfaction", 0),
    ("vary", "vari", "variation", 0), ("comply", "compli", "compliance", 0), ("deny", "deni", "denial", 0),
    // The vowel changes.
    ("explain", "explain", "explanation", 0), ("claim", "claim", "clamation", 2),
    ("maintain", "maintain", "maintenance", 0), ("retain", "retain", "retention", 0),
    ("detain", "detain", "detention", 0), ("reveal", "reveal", "revelation", 0),
    ("repeat", "repeat", "repetition", 0), ("pronounce", "pronounc", "pronunciation", 0),
    // The consonant changes.
    ("scribe", "scrib", "scription", 1), ("sorb", "sorb", "sorption", 2), ("ceive", "ceiv", "ception", 2),
    ("sume", "sum", "sumption", 2), ("duce", "duc", "duction", 2), ("voke", "vok", "vocation", 2),
    ("mit", "mit", "mission", 1), ("vert", "vert", "version", 2),
    ("solve", "solv", "solution", 0), ("evolve", "evolv", "evolution", 0),
    ("decide", "decid", "decision", 0), ("divide", "divid", "division", 0), ("collide", "collid", "collision", 0),
    ("vade", "vad", "vasion", 1), ("suade", "suad", "suasion", 2), ("clude", "clud", "clusion", 2),
    ("trude", "trud", "trusion", 2), ("rode", "rod", "rosion", 1), ("plode", "plod", "plosion", 2),
    ("expand", "expand", "expansion", 0), ("extend", "extend", "extension", 0),
    ("suspend", "suspend", "suspension", 0), ("hend", "hend", "hension", 3), ("ascend", "ascend", "ascension", 0),
    ("respond", "respond", "response", 0), ("lyze", "lyz", "lysis", 2),
    ("publish", "publish", "publication", 0), ("destroy", "destroy", "destruction", 0),
    // The noun has more letters.
    ("acquire", "acquir", "acquisition", 0), ("define", "defin", "definition", 0),
    ("compose", "compos", "composition", 0), ("oppose", "oppos", "opposition", 0),
    ("impose", "impos", "imposition", 0), ("transpose", "transpos", "transposition", 0),
    ("compete", "compet", "competition", 0), ("compare", "compar", "comparison", 0),
    ("intend", "intend", "intention", 0), ("intervene", "interven", "intervention", 0),
    ("cur", "cur", "currence", 2), ("cover", "cov", "covery", 2), ("deliver", "deliv", "delivery", 0),
    ("fail", "fail", "failure", 0),
];

/// Nouns that look as if they were of a verb, and are of none, or of another one. Sorted.
const WITHOUT_VERB: &[&str] = &[
    "commission",
    "conduction",
    "decommission",
    "revolution",
    "subversion",
];

/// Verbs that have no such noun, or one with the stem of another word: `production` has that of `product`. Sorted.
#[rustfmt::skip]
const WITHOUT_NOUN: &[&str] = &[
    "advert", "commit", "compete", "comprehend", "conceive", "conduce", "deduce", "divert", "induce", "limit",
    "multiply", "produce", "publish", "recommit", "republish", "respond", "revert", "revolve", "simply", "specify",
    "subvert", "summit", "vomit",
];

/// Returns the relatives of a word of a language that have other terms than it, each with its term.
pub(super) fn relatives(word: &str, language: Language) -> Vec<(String, String)> {
    let own = term(word, language);
    let is_english = language == Language::English;
    let relative = is_english.then(|| relative(word)).flatten();
    let mut forms = verbs::others(word, language);
    if is_english {
        forms.extend(countries::others(word));
    }
    let forms = forms.into_iter().map(|form| {
        let of_form = term(&form, language);
        (form, of_form)
    });
    let mut relatives: Vec<(String, String)> = Vec::new();
    for (form, of_form) in relative.into_iter().chain(forms) {
        if of_form != own && relatives.iter().all(|(_, known)| *known != of_form) {
            relatives.push((form, of_form));
        }
    }
    relatives
}

/// Returns the verb of an English noun, or the noun of a verb, with its term, if the two have different stems.
fn relative(word: &str) -> Option<(String, String)> {
    if !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let word = word.to_ascii_lowercase();
    let own = term(&word, Language::English);
    let relative = verb_of(&singular(&word)).or_else(|| noun_of(&own))?;
    let of_relative = term(&relative, Language::English);
    (of_relative != own).then_some((relative, of_relative))
}

fn verb_of(noun: &str) -> Option<String> {
    if WITHOUT_VERB.binary_search(&noun).is_ok() {
        return None;
    }
    FAMILIES.iter().find_map(|&(verb, _, ending, least)| {
        let before = noun.strip_suffix(ending)?;
        (before.len() >= least).then(|| format!("{before}{verb}"))
    })
}

/// Returns the noun of a verb with a stem.
fn noun_of(stem: &str) -> Option<String> {
    let both = FAMILIES.iter().find_map(|&(verb, ending, noun, least)| {
        let before = stem.strip_suffix(ending)?;
        (before.len() >= least).then(|| [verb, noun].map(|of| format!("{before}{of}")))
    });
    let [verb, noun] = both?;
    let has_noun = WITHOUT_NOUN.binary_search(&&*verb).is_err();
    has_noun.then_some(noun)
}

/// Returns the singular of a noun of those families.
fn singular(word: &str) -> Cow<'_, str> {
    if let Some(before) = word.strip_suffix("lyses") {
        return Cow::Owned(format!("{before}lysis"));
    }
    if let Some(before) = word.strip_suffix("ries") {
        return Cow::Owned(format!("{before}ry"));
    }
    let cut = word.strip_suffix('s').filter(|rest| !rest.ends_with('i'));
    Cow::Borrowed(cut.unwrap_or(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(word: &str) -> Option<String> {
        relative(word).map(|(word, _)| word)
    }

    #[test]
    fn exceptions_are_sorted() {
        assert!(WITHOUT_VERB.is_sorted() && WITHOUT_NOUN.is_sorted());
    }

    #[test]
    fn verbs_and_their_nouns_find_each_other() {
        for (verb, noun) in [
            ("explain", "explanation"),
            ("describe", "description"),
            ("subscribe", "subscription"),
            ("decide", "decision"),
            ("receive", "reception"),
            ("reduce", "reduction"),
            ("permit", "permission"),
            ("submit", "submission"),
            ("expand", "expansion"),
            ("resolve", "resolution"),
            ("apply", "application"),
            ("modify", "modification"),
            ("verify", "verification"),
            ("destroy", "destruction"),
            ("compare", "comparison"),
            ("analyze", "analysis"),
            ("maintain", "maintenance"),
            ("retain", "retention"),
            ("acquire", "acquisition"),
            ("define", "definition"),
            ("consume", "consumption"),
            ("invoke", "invocation"),
            ("occur", "occurrence"),
            ("discover", "discovery"),
            ("fail", "failure"),
            ("deny", "denial"),
        ] {
            assert_eq!(word(verb).as_deref(), Some(noun), "{verb}");
            assert_eq!(word(noun).as_deref(), Some(verb), "{noun}");
        }
    }

    #[test]
    fn all_forms_of_a_word_have_its_relatives() {
        for (form, expected) in [
            ("Explained", "explanation"),
            ("permitted", "permission"),
            ("SUBMITTING", "submission"),
            ("describes", "description"),
            ("analysed", "analysis"),
            ("analyses", "analyze"),
            ("deliveries", "deliver"),
            ("explanations", "explain"),
            ("productions", "produce"),
            ("specifications", "specify"),
        ] {
            assert_eq!(word(form).as_deref(), Some(expected), "{form}");
        }
    }

    #[test]
    fn forms_of_verbs_with_other_terms_are_relatives() {
        let words = |word: &str, language| {
            let relatives = relatives(word, language).into_iter();
            relatives.map(|(word, _)| word).collect::<Vec<_>>()
        };
        assert_eq!(words("wählt", Language::German), ["wählen", "gewählt"]);
        assert_eq!(words("gefunden", Language::German), ["finden", "fand"]);
        let saved = words("opgeslagen", Language::Dutch);
        assert!(saved.contains(&"opslaan".to_owned()), "{saved:?}");
        assert_eq!(words("wählt", Language::French), [""; 0]);
        assert_eq!(words("losing", Language::English), ["lost", "loss"]);
        assert_eq!(words("Bought", Language::English), ["buy"]);
        assert_eq!(words("Poland", Language::English), ["polish"]);
        assert_eq!(words("Poland", Language::German), [""; 0]);
        assert!(words("perdue", Language::French).contains(&"perte".to_owned()));
        // What the stemmer joins is no other word.
        assert_eq!(words("loses", Language::English), ["lost", "loss"]);
        assert_eq!(words("walked", Language::English), [""; 0]);
        for (word, term) in relatives("gespeichert", Language::German) {
            assert_ne!(term, "gespeichert", "{word}");
        }
    }

    #[test]
    fn no_relative_of_a_verb_is_another_word() {
        for (verb, other, language) in [
            ("hide", "HID", Language::English),
            ("boire", "boîte", Language::French),
            ("vivre", "vite", Language::French),
            ("suivre", "suite", Language::French),
            ("piangere", "pianta", Language::Italian),
            ("romper", "rota", Language::Portuguese),
            ("traer", "traje", Language::Spanish),
            ("välja", "våld", Language::Swedish),
            ("stjäla", "stål", Language::Swedish),
        ] {
            let other = term(other, language);
            let relatives = relatives(verb, language);
            assert!(relatives.iter().all(|(_, of)| *of != other), "{verb}");
        }
    }

    #[test]
    fn what_meets_by_its_stem_or_is_of_another_family_has_none() {
        for apart in [
            "mission",
            "version",
            "vision",
            "pension",
            "tension",
            "commission",
            "commit",
            "revolution",
            "replication",
            "complication",
            "reception1",
            "produce",
            "product",
            "contain",
            "content",
            "deletion",
            "detect",
            "",
            "s",
            "limited",
            "specific",
            "conversation",
            "vocation",
            "station",
            "provision",
            "simply",
            "éducation",
        ] {
            assert_eq!(word(apart), None, "{apart}");
        }
    }
}
