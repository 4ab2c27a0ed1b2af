//! What names a section before its number: `Art. 6` is `artículo 6`.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::Query;
use crate::Language as L;
use crate::{Analyzer, Language, Variant, WordKind};

/// What sections are called by whose number a text is cited.
#[rustfmt::skip]
const NAMES: &[(Language, &[&str])] = &[
    (L::Basque, &["artikulu", "kapitulu"]),
    (L::Bulgarian, &["член"]),
    (L::Catalan, &["article", "capítol", "secció"]),
    (L::Croatian, &["članak"]),
    (L::Czech, &["článek", "kapitola"]),
    (L::Danish, &["artikel", "kapitel"]),
    (L::Dutch, &["artikel", "paragraaf"]),
    (L::English, &["article", "chapter", "paragraph", "section"]),
    (L::Esperanto, &["artikolo"]),
    (L::Estonian, &["artikkel"]),
    (L::Finnish, &["artikla", "luku", "pykälä"]),
    (L::French, &["article", "chapitre", "paragraphe", "section"]),
    (L::German, &["absatz", "abschnitt", "artikel", "kapitel"]),
    (L::Greek, &["άρθρο", "κεφάλαιο", "παράγραφος"]),
    (L::Hungarian, &["cikk", "fejezet", "paragrafus", "szakasz"]),
    (L::Irish, &["airteagal"]),
    (L::Italian, &["articolo", "capitolo", "paragrafo", "sezione"]),
    (L::Lithuanian, &["straipsnis"]),
    (L::Norwegian, &["artikkel", "kapittel"]),
    (L::Polish, &["artykuł", "rozdział"]),
    (L::Portuguese, &["artigo", "capítulo", "parágrafo", "seção"]),
    (L::Romanian, &["articol", "capitol", "secțiune"]),
    (L::Russian, &["глава", "статья"]),
    (L::Serbian, &["члан"]),
    (L::Slovak, &["článok", "kapitola"]),
    (L::Spanish, &["artículo", "capítulo", "párrafo", "sección"]),
    (L::Swedish, &["artikel", "avsnitt", "kapitel", "paragraf"]),
    (L::Turkish, &["bölüm", "madde"]),
    (L::Ukrainian, &["глава", "стаття"]),
];

/// What stands behind the number of a section, in plain letters, with any ending: `5. szakasza`, `5 luku`.
#[rustfmt::skip]
const BEHIND_NUMBERS: &[&str] = &[
    "artikla", "artikulu", "bolum", "cikk", "fejezet", "kap", "kapit", "luku", "madde", "paragrafus", "pykala",
    "straipsni", "szakasz",
];

/// What stands behind the number if that is an ordinal with a full stop: `3. Abschnitt`, not `3 Teile`.
#[rustfmt::skip]
const BEHIND_ORDINALS: &[&str] = &[
    "absatz", "abschnitt", "afsnit", "artikel", "artikkel", "avsnitt", "paragraf", "peatukk",
    "teil",
];

/// What may stand behind the number of a section: `Art. 1º`, `Article 1er`.
const ORDINAL_SIGNS: &[&str] = &["º", "ª", "°", "er", "ère"];

/// The most letters of an ending of these, and of one that has no endings.
const LONGEST_ENDING: usize = 5;
const LONGEST_BARE: usize = 3;

/// An abbreviation that one of the names begins with, but that is of another one.
const NOT_OF: (&str, &str) = ("abs", "abschn");

/// Their abbreviations, in plain letters as [`plain`] writes them: each name begins with its own.
const SHORT: &[&str] = &[
    "abs", "abschn", "art", "cap", "ch", "chap", "cl", "kap", "par", "para", "rozdz", "sec",
    "sect", "sez", "αρ", "κεφ", "παρ", "гл", "ст", "чл",
];

/// The longest number of a section, in bytes.
const LONGEST: usize = 12;

/// A name of sections with its number, as both were typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marker {
    name: String,
    number: String,
}

impl Marker {
    /// Reads a name and what stands behind it.
    pub(super) fn of(name: &str, number: &str) -> Option<Self> {
        let is_one = is_number(number) && is_name(&plain(name));
        is_one.then(|| Self {
            name: name.to_owned(),
            number: number.to_owned(),
        })
    }

    /// Returns the name and the number in a row.
    pub(super) fn row(&self) -> String {
        format!("{} {}", self.name, self.number)
    }

    /// Returns what documents in some languages call such a section where the question has the abbreviation, and the
    /// abbreviations where it has the name.
    pub(super) fn others(&self, languages: &[Language]) -> Vec<&'static str> {
        let name = plain(&self.name);
        if !SHORT.contains(&&*name) {
            let short = SHORT.iter().copied();
            return short.filter(|of| is_short_of(of, &name)).collect();
        }
        let is_of_documents = |of: Language| {
            let is_default = languages.is_empty() && of == Language::English;
            is_default || languages.contains(&of)
        };
        let names = NAMES.iter().filter(|(of, _)| is_of_documents(*of));
        let names = names.flat_map(|(_, names)| names.iter().copied());
        names.filter(|of| is_short_of(&name, &plain(of))).collect()
    }

    /// Returns these with the number in a row.
    pub(super) fn other_rows(&self, languages: &[Language]) -> Vec<String> {
        let others = self.others(languages).into_iter();
        others.map(|of| format!("{of} {}", self.number)).collect()
    }
}

impl Query {
    /// Lets the name of a section weigh no more than its number, and as much as the commonest of its forms, which are one
    /// word.
    pub(super) fn limit_markers(
        &mut self,
        chunks: impl Fn(&Variant) -> u64,
        idf: impl Fn(u64) -> f64,
    ) {
        for marker in std::mem::take(&mut self.markers) {
            let row = marker.row();
            let number = self.place_of(&marker.number, WordKind::Word);
            let number = number.map_or(0, |place| self.reading.words[place].chunks);
            let name = self.place_of(&marker.name, WordKind::Word);
            let row = self.place_of(&row, WordKind::Phrase);
            for (place, least) in [(name, number), (row, 0)] {
                if let Some(place) = place {
                    self.limit_forms(place, least, &chunks, &idf);
                }
            }
            self.markers.push(marker);
        }
    }

    /// Lets all forms of a word weigh as the commonest of them, or as what at least so many chunks hold.
    fn limit_forms(
        &mut self,
        place: usize,
        least: u64,
        chunks: impl Fn(&Variant) -> u64,
        idf: impl Fn(u64) -> f64,
    ) {
        let clause = &mut self.clauses.scored[place];
        let most = clause.variants.iter().map(&chunks).max();
        let limit = idf(most.unwrap_or_default().max(least));
        for variant in &mut clause.variants {
            variant.weight *= (limit / idf(chunks(variant))).min(1.0);
        }
        self.weights[place] = self.weights[place].min(clause.weight * limit);
    }

    fn place_of(&self, typed: &str, kind: WordKind) -> Option<usize> {
        let mut words = self.reading.words.iter();
        words.position(|of| of.kind == kind && of.typed == typed)
    }
}

/// Returns whether a word in plain letters is a name of sections, or an abbreviation.
pub(super) fn is_name(word: &str) -> bool {
    let mut names = NAMES.iter().flat_map(|(_, names)| *names);
    SHORT.contains(&word) || names.any(|name| plain(name) == word)
}

/// Returns whether a word in plain letters is the beginning of a name that it may stand for.
pub(super) fn is_short_of(short: &str, name: &str) -> bool {
    let is_of_other = short == NOT_OF.0 && name.starts_with(NOT_OF.1);
    name.starts_with(short) && !is_of_other
}

/// Returns what such sections are called if a word stands behind the number of one: `szakasz` for `szakasza`. An ordinal
/// has a full stop.
pub(super) fn name_behind(word: &str, is_ordinal: bool) -> Option<&'static str> {
    let word = plain(word);
    let is_one = |name: &&&str| {
        let ending = word.strip_prefix(**name);
        let most = if name.len() > LONGEST_BARE {
            LONGEST_ENDING
        } else {
            0
        };
        ending.is_some_and(|ending| ending.chars().count() <= most)
    };
    let ordinals = BEHIND_ORDINALS.iter().filter(|_| is_ordinal);
    BEHIND_NUMBERS.iter().chain(ordinals).find(is_one).copied()
}

/// Returns whether a text is the number of a section: `6`, `4a`, `211-1`.
pub(super) fn is_number(text: &str) -> bool {
    let is_of_number = |of: char| of.is_ascii_alphanumeric() || matches!(of, '-' | '.');
    let letters = text.chars().filter(char::is_ascii_alphabetic).count();
    let begins = text.starts_with(|of: char| of.is_ascii_digit());
    begins && text.chars().all(is_of_number) && letters <= 1 && text.len() <= LONGEST
}

/// Returns a number without the sign of an ordinal behind it.
pub(super) fn without_ordinal(number: &str) -> &str {
    let mut signs = ORDINAL_SIGNS.iter();
    let bare = signs.find_map(|sign| number.strip_suffix(sign));
    bare.filter(|bare| is_number(bare)).unwrap_or(number)
}

/// Returns whether a number ends before a text: `7` does not in `7-1`, `7.2` and `7a`.
pub(super) fn is_end(rest: &str) -> bool {
    let mut ordinals = ORDINAL_SIGNS.iter();
    let behind = ordinals.find_map(|sign| rest.strip_prefix(sign));
    let mut signs = behind.unwrap_or(rest).chars();
    match signs.next() {
        None => true,
        Some('-' | '.' | '/' | '\u{2010}'..='\u{2013}') => {
            signs.next().is_none_or(|of| !of.is_alphanumeric())
        }
        Some(first) => !first.is_alphanumeric(),
    }
}

/// Writes a text in lower case and without accents.
pub(super) fn plain(text: &str) -> String {
    let lower = Analyzer::composed(text).to_lowercase();
    let letters = lower.nfd().filter(|of| !is_combining_mark(*of));
    letters.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_abbreviation_is_in_plain_letters_and_of_a_name() {
        assert!(SHORT.is_sorted());
        for short in SHORT {
            assert_eq!(plain(short), *short);
            let mut names = NAMES.iter().flat_map(|(_, names)| *names);
            assert!(names.any(|name| plain(name).starts_with(short)), "{short}");
        }
    }

    #[test]
    fn an_abbreviation_is_the_name_in_the_languages_of_the_documents() {
        let others = |name, languages: &[Language]| {
            let marker = Marker::of(name, "6");
            marker.map_or_else(Vec::new, |of| of.others(languages))
        };
        let languages = [Language::Greek, Language::Spanish];
        assert_eq!(others("art", &languages), ["artículo"]);
        assert_eq!(others("Cap", &languages), ["capítulo"]);
        assert_eq!(others("Αρ", &languages), ["άρθρο"]);
        assert_eq!(others("Abs", &[Language::German]), ["absatz"]);
        assert_eq!(others("Ст", &[Language::Russian]), ["статья"]);
        assert_eq!(others("Artículo", &languages), ["art"]);
        assert_eq!(others("ley", &languages), [""; 0]);
        assert_eq!(Marker::of("art", "gallery"), None);
    }
}
