//! Plurals of nouns that the stemmers keep apart from the singular: Snowball cuts no ending of a word that has little
//! before it (its regions R1 and RV), as `años` and `ore`, nor knows forms that change within, as `children`.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::language::Language;
use super::length::has;

/// Forms that no rule makes, a noun on each line behind the code of its language.
const NOUNS: &str = include_str!("nouns.txt");

/// The vowels of the languages that have rules here.
const VOWELS: &str = "aeiouáéíóúàèìòùâêôãõäöüåæøаеёиоуыэюя";

/// Endings of Portuguese plurals, those of the singular, and the fewest letters of such a word: `mais` is none.
const PORTUGUESE: &[(&str, &str, usize)] = &[
    ("ões", "ão", 4),
    ("ães", "ão", 4),
    ("ns", "m", 4),
    // Borrowed words, of which the plural is one of those: `plugin`.
    ("n", "m", 4),
    ("veis", "vel", 5),
    ("éis", "el", 5),
    ("óis", "ol", 4),
    ("ais", "al", 5),
    ("uis", "ul", 5),
];

/// French words in a vowel and `s` that are not plurals, in order.
const FRENCH: &[&str] = &[
    "avis", "bois", "bras", "cas", "clos", "colis", "devis", "fois", "gris", "jus", "lilas", "lis",
    "matelas", "mois", "palais", "paris", "pas", "permis", "plus", "propos", "radis", "refus",
    "relais", "repas", "souris", "tapis", "tas", "trois", "virus", "vis",
];

/// The fewest letters of a word or a stem that loses an `s` here.
const SHORTEST: usize = 4;

/// The fewest letters of a stem that loses a vowel.
const SHORTEST_CONTRACTED: usize = 5;

/// What is left of English words in `sis` of which the plural has `ses`: `analysi`, `parenthesi`, `diagnosi`,
/// `synopsi`.
const ENGLISH: &[&str] = &["lysi", "thesi", "gnosi", "opsi"];

/// Returns the word that is stemmed in place of one in lower case: its singular, or what is left of a short noun, and
/// `1990s` of `1990's`.
pub(super) fn singular(word: &str, language: Language) -> Cow<'_, str> {
    let owner = word.strip_suffix("'s");
    let bare = owner.filter(|_| language == Language::English);
    // The years of a decade.
    let is_decade = |of: &&str| !of.is_empty() && of.bytes().all(|digit| digit.is_ascii_digit());
    if let Some(decade) = bare.filter(is_decade) {
        return Cow::Owned(format!("{decade}s"));
    }
    if let Some(&known) = forms(language).get(bare.unwrap_or(word)) {
        return Cow::Borrowed(known);
    }
    match language {
        Language::Spanish => Cow::Borrowed(without_short_s(word, "aeo")),
        Language::Portuguese => portuguese(word),
        Language::Italian => italian(word),
        _ => Cow::Borrowed(word),
    }
}

/// Returns the stem that stands for a stem too, so that both numbers of a noun have one. Words of one stem keep one.
pub(super) fn merged(stem: &str, language: Language) -> Cow<'_, str> {
    Cow::Borrowed(match language {
        Language::Catalan => catalan(stem),
        Language::English => english(stem),
        Language::French => french(stem),
        Language::German => german(stem),
        Language::Italian => match stem.strip_suffix('h') {
            Some(rest) if rest.ends_with(['c', 'g']) => rest,
            _ => stem,
        },
        Language::Danish | Language::Norwegian => return scandinavian(stem),
        Language::Polish => return contracted(stem, &["ek"]),
        Language::Russian => return contracted(stem, &["ок", "ек", "ец"]),
        Language::Swedish => return contracted(stem, &["el"]),
        _ => stem,
    })
}

/// Returns the irregular forms of a language, each with the word whose stem it has.
pub(super) fn forms(language: Language) -> &'static FxHashMap<&'static str, &'static str> {
    static FORMS: [OnceLock<FxHashMap<&str, &str>>; Language::COUNT] =
        [const { OnceLock::new() }; Language::COUNT];
    FORMS[language as usize].get_or_init(|| {
        let mut forms = FxHashMap::default();
        for line in NOUNS.lines() {
            let mut words = line.split(' ');
            if words.next() == Some(language.code())
                && let Some(first) = words.next()
            {
                forms.extend(words.map(|form| (form, first)));
            }
        }
        forms
    })
}

/// Cuts the `s` of a plural behind a vowel, one of some.
fn without_s<'w>(stem: &'w str, vowels: &str) -> &'w str {
    match stem.strip_suffix('s') {
        Some(rest) if has(stem, SHORTEST) && rest.ends_with(|last: char| vowels.contains(last)) => {
            rest
        }
        _ => stem,
    }
}

/// Cuts the `s` of a plural that is too short for Snowball's Spanish and Portuguese, or borrowed.
fn without_short_s<'w>(word: &'w str, vowels: &str) -> &'w str {
    let cut = without_s(word, vowels);
    if cut.len() < word.len() && letters_in_rv(word) < 2 {
        cut
    } else {
        without_borrowed_s(word, "")
    }
}

/// Counts the letters of the region RV of a word, in which Snowball cuts endings of Spanish and Portuguese: behind the
/// first vowel from the third letter on where the second is a consonant, the first consonant where both before are
/// vowels, and else the third letter.
fn letters_in_rv(word: &str) -> usize {
    let letters: Vec<char> = word.chars().collect();
    let behind = |is_it: fn(char) -> bool| {
        let found = letters.iter().skip(2).position(|letter| is_it(*letter));
        found.map(|at| at + 3)
    };
    let start = match *letters {
        [_, second, ..] if is_consonant(second) => behind(is_vowel),
        [first, _, ..] if is_vowel(first) => behind(is_consonant),
        _ => Some(3),
    };
    start.map_or(0, |start| letters.len().saturating_sub(start))
}

/// Cuts the `s` of a borrowed plural, such as `bits`: behind a consonant, or one of some vowels. No other words of
/// Romance languages but French end so. `https` has no vowel, and is a name.
fn without_borrowed_s<'w>(word: &'w str, vowels: &str) -> &'w str {
    let is_behind = |last: char| is_consonant(last) && last != 's' || vowels.contains(last);
    match word.strip_suffix('s') {
        Some(rest)
            if has(word, SHORTEST) && rest.ends_with(is_behind) && rest.contains(is_vowel) =>
        {
            rest
        }
        _ => word,
    }
}

fn portuguese(word: &str) -> Cow<'_, str> {
    let rule = PORTUGUESE
        .iter()
        .find(|(plural, _, least)| word.ends_with(plural) && has(word, *least));
    match rule {
        Some((plural, singular, _)) => {
            let before = &word[..word.len() - plural.len()];
            Cow::Owned(format!("{before}{singular}"))
        }
        None => Cow::Borrowed(without_short_s(word, "aeiou")),
    }
}

/// Returns the singular of a plural that is a vowel, consonants and an `i` (`usi`, `anni`). Those in `e` are listed, as
/// others are singulars (`arte`).
fn italian(word: &str) -> Cow<'_, str> {
    let is_short = |rest: &&str| {
        let mut letters = rest.chars();
        let begins = letters.next().is_some_and(is_vowel);
        begins && rest.len() > 1 && letters.all(is_consonant)
    };
    match word.strip_suffix('i').filter(is_short) {
        Some(rest) => Cow::Owned(format!("{rest}o")),
        None => Cow::Borrowed(without_borrowed_s(word, "e")),
    }
}

/// Cuts what is left of `is`, for which the plural has `es`.
fn english(stem: &str) -> &str {
    let is_one = ENGLISH.iter().any(|ending| stem.ends_with(ending));
    let cut = stem.strip_suffix('i').filter(|_| is_one);
    cut.unwrap_or(stem)
}

/// Cuts what Catalan has before an `s` alone (`cases`, but `casa`), and an `s` behind a diphthong.
fn catalan(stem: &str) -> &str {
    match stem.strip_suffix('e') {
        Some(rest) if has(stem, SHORTEST) => rest,
        _ => without_s(stem, "iu"),
    }
}

/// Cuts what French writes behind vowels: `lois`, `menus`, `jeux`.
fn french(stem: &str) -> &str {
    match stem.strip_suffix('x') {
        Some(rest) if rest.ends_with("eu") && has(stem, SHORTEST) => rest,
        _ if FRENCH.binary_search(&stem).is_ok() => stem,
        _ => without_s(stem, "aiou"),
    }
}

/// Cuts the `s` of German plurals (`Autos`, `Handys`, `Apps`), but not that of `Haus`, `Preis` and `Moos`.
fn german(stem: &str) -> &str {
    let Some(rest) = stem.strip_suffix('s').filter(|_| has(stem, SHORTEST)) else {
        return stem;
    };
    let mut letters = rest.chars().rev();
    let (last, before) = (letters.next(), letters.next());
    let is_plural = match last {
        Some('y' | 'é' | 'p') => true,
        Some('o') => !matches!(before, Some('a' | 'i' | 'o')),
        Some('a' | 'i') => before.is_some_and(is_consonant),
        _ => false,
    };
    if is_plural { rest } else { stem }
}

/// Drops the vowel before the last consonant of a stem, which other forms of the noun have not: `regel` and `regler`,
/// `список` and `списки`.
fn contracted<'w>(stem: &'w str, endings: &[&str]) -> Cow<'w, str> {
    let cut = |ending: &&str| {
        let rest = stem.strip_suffix(*ending)?;
        let last = ending.chars().next_back()?;
        let is_one = has(stem, SHORTEST_CONTRACTED) && rest.ends_with(is_consonant);
        is_one.then(|| format!("{rest}{last}"))
    };
    let cut = endings.iter().find_map(cut);
    cut.map_or(Cow::Borrowed(stem), Cow::Owned)
}

/// Drops that of Danish and Norwegian, and one of two consonants before it: `nøkkel` and `nøkler`.
fn scandinavian(stem: &str) -> Cow<'_, str> {
    let contracted = contracted(stem, &["el"]);
    if contracted == stem {
        return contracted;
    }
    let mut letters = contracted.chars().rev().skip(1);
    match (letters.next(), letters.next()) {
        (Some(last), before) if before == Some(last) => {
            let kept = contracted.len() - last.len_utf8() - 1;
            Cow::Owned(format!("{}l", &contracted[..kept]))
        }
        _ => contracted,
    }
}

fn is_vowel(letter: char) -> bool {
    VOWELS.contains(letter)
}

fn is_consonant(letter: char) -> bool {
    letter.is_alphabetic() && !is_vowel(letter)
}

#[cfg(test)]
mod tests {
    use super::super::word::term;
    use super::*;

    #[test]
    fn each_form_is_listed_once_and_leads_to_one_that_is_none() {
        for line in NOUNS.lines().skip(1) {
            let mut words = line.split(' ');
            let language: Language = words.next().unwrap().parse().unwrap();
            let forms = forms(language);
            let first = words.next().unwrap();
            assert!(!forms.contains_key(first), "{line}");
            let others: Vec<&str> = words.collect();
            assert!(!others.is_empty(), "{line}");
            for other in others {
                assert_eq!(forms[other], first, "{line}");
                assert_eq!(term(other, language), term(first, language), "{line}");
            }
        }
    }

    #[test]
    fn both_numbers_of_a_short_noun_have_one_term() {
        for (language, pairs) in [
            (
                Language::English,
                "alias aliases, lens lenses, gas gases, index indices, mouse mice, cpu cpus, menu menus, \
                 analysis analyses, hypothesis hypotheses, crisis crises, schemas schemata, children's child",
            ),
            (
                Language::Spanish,
                "año años, uso usos, eje ejes, día días, obra obras, luz luces, bit bits, byte bytes, imagen imágenes, \
                 interface interfaces",
            ),
            (
                Language::Portuguese,
                "ano anos, ato atos, item itens, botão botões, papel papéis, nível níveis, lei leis, log logs, plugin plugins, token tokens",
            ),
            (
                Language::Italian,
                "ora ore, uso usi, arte arti, ago aghi, occhio occhi, olio oli, riga righe, file files, uomo uomini",
            ),
            (
                Language::French,
                "loi lois, jeu jeux, lieu lieux, menu menus, délai délais, travail travaux",
            ),
            (
                Language::German,
                "Auto Autos, App Apps, Handy Handys, Menü Menüs, Index Indizes, Thema Themen, Ei Eier, Haus Häuser",
            ),
            (
                Language::Dutch,
                "dag dagen, weg wegen, lid leden, idee ideeën",
            ),
            (
                Language::Swedish,
                "bok böcker, regel regler, nyckel nycklar, by byar",
            ),
            (Language::Danish, "bog bøger, regel regler, år årene"),
            (Language::Norwegian, "bok bøker, nøkkel nøkler, vei veier"),
            (Language::Romanian, "oră ore, nod noduri, an ani"),
            (
                Language::Russian,
                "список списки, столбец столбцы, папка папок, узел узлов, деньги денег",
            ),
            (
                Language::Polish,
                "wątek wątki, nagłówek nagłówki, błąd błędy, dzień dnia",
            ),
            (Language::Hungarian, "hiba hibát, munka munkák"),
            (Language::Turkish, "hak hakkı"),
            (Language::Czech, "dům domy, uzel uzly"),
            (Language::Catalan, "casa cases, llei lleis, camí camins"),
        ] {
            for pair in pairs.split(", ") {
                let (one, more) = pair.split_once(' ').unwrap();
                assert_eq!(term(one, language), term(more, language), "{pair}");
            }
        }
    }

    #[test]
    fn other_words_stay_apart() {
        for (language, one, other) in [
            (Language::English, "lens", "len"),
            (Language::English, "dns", "dn"),
            (Language::English, "easy", "ease"),
            (Language::English, "canvas", "canva"),
            (Language::English, "leave", "leaf"),
            (Language::English, "conversion", "conversation"),
            (Language::Spanish, "gas", "ga"),
            (Language::Spanish, "queso", "que"),
            (Language::Spanish, "https", "http"),
            (Language::Portuguese, "mais", "mal"),
            (Language::German, "Haus", "hauen"),
            (Language::German, "Datum", "Daten"),
            (Language::German, "BIOS", "Bio"),
            (Language::Dutch, "datum", "data"),
            (Language::English, "ellipsis", "ellipse"),
            (Language::French, "mois", "moi"),
            (Language::French, "Paris", "pari"),
            (Language::Italian, "ide", "id"),
            (Language::Italian, "oro", "ora"),
            (Language::Italian, "usa", "us"),
            (Language::Italian, "idea", "id"),
        ] {
            assert_ne!(term(one, language), term(other, language), "{one}");
        }
    }
}
