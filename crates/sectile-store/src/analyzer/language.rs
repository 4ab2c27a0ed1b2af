//! The languages of documents.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use snowball_stemmers_rs::{Algorithm, Algorithm as A, Stemmer};
use whatlang::{Detector, Lang};

use self::{Language as L, Script as S};
use crate::Error;

/// A language for which the analyzer has rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Language {
    /// Arabic.
    Arabic,
    /// Armenian.
    Armenian,
    /// Basque.
    Basque,
    /// Bulgarian.
    Bulgarian,
    /// Catalan.
    Catalan,
    /// Chinese.
    Chinese,
    /// Croatian.
    Croatian,
    /// Czech.
    Czech,
    /// Danish.
    Danish,
    /// Dutch.
    Dutch,
    /// English, also for texts without any sign of their language.
    #[default]
    English,
    /// Esperanto.
    Esperanto,
    /// Estonian.
    Estonian,
    /// Finnish.
    Finnish,
    /// French.
    French,
    /// German.
    German,
    /// Greek.
    Greek,
    /// Hebrew.
    Hebrew,
    /// Hindi.
    Hindi,
    /// Hungarian.
    Hungarian,
    /// Indonesian.
    Indonesian,
    /// Irish.
    Irish,
    /// Italian.
    Italian,
    /// Japanese.
    Japanese,
    /// Korean.
    Korean,
    /// Lithuanian.
    Lithuanian,
    /// Nepali.
    Nepali,
    /// Norwegian.
    Norwegian,
    /// Persian.
    Persian,
    /// Polish.
    Polish,
    /// Portuguese.
    Portuguese,
    /// Romanian.
    Romanian,
    /// Russian.
    Russian,
    /// Serbian.
    Serbian,
    /// Slovak.
    Slovak,
    /// Spanish.
    Spanish,
    /// Swedish.
    Swedish,
    /// Tamil.
    Tamil,
    /// Thai.
    Thai,
    /// Turkish.
    Turkish,
    /// Ukrainian.
    Ukrainian,
    /// Vietnamese.
    Vietnamese,
    /// Yiddish.
    Yiddish,
}

/// A set of languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Languages(u64);

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    Devanagari,
    Tamil,
    Other,
}

/// What is known of a language.
#[derive(Debug)]
struct Facts {
    language: Language,
    code: &'static str,
    /// What the detector calls it; nothing if it does not know it.
    detected: &'static str,
    script: Script,
    algorithm: Option<Algorithm>,
}

/// All languages, in the order of [`Language`].
const LANGUAGES: &[Facts] = &[
    row(L::Arabic, "ar", "ara", S::Arabic, None),
    row(L::Armenian, "hy", "hye", S::Armenian, Some(A::Armenian)),
    row(L::Basque, "eu", "", S::Latin, Some(A::Basque)),
    row(L::Bulgarian, "bg", "bul", S::Cyrillic, None),
    row(L::Catalan, "ca", "cat", S::Latin, Some(A::Catalan)),
    row(L::Chinese, "zh", "cmn", S::Other, None),
    row(L::Croatian, "hr", "hrv", S::Latin, Some(A::Serbian)),
    row(L::Czech, "cs", "ces", S::Latin, Some(A::Czech)),
    row(L::Danish, "da", "dan", S::Latin, Some(A::Danish)),
    row(L::Dutch, "nl", "nld", S::Latin, Some(A::Dutch)),
    row(L::English, "en", "eng", S::Latin, Some(A::English)),
    row(L::Esperanto, "eo", "epo", S::Latin, Some(A::Esperanto)),
    row(L::Estonian, "et", "est", S::Latin, Some(A::Estonian)),
    row(L::Finnish, "fi", "fin", S::Latin, None),
    row(L::French, "fr", "fra", S::Latin, Some(A::French)),
    row(L::German, "de", "deu", S::Latin, Some(A::German)),
    row(L::Greek, "el", "ell", S::Greek, Some(A::Greek)),
    row(L::Hebrew, "he", "heb", S::Hebrew, None),
    row(L::Hindi, "hi", "hin", S::Devanagari, Some(A::Hindi)),
    row(L::Hungarian, "hu", "hun", S::Latin, Some(A::Hungarian)),
    row(L::Indonesian, "id", "ind", S::Latin, Some(A::Indonesian)),
    row(L::Irish, "ga", "", S::Latin, Some(A::Irish)),
    row(L::Italian, "it", "ita", S::Latin, Some(A::Italian)),
    row(L::Japanese, "ja", "jpn", S::Other, None),
    row(L::Korean, "ko", "kor", S::Other, None),
    row(L::Lithuanian, "lt", "lit", S::Latin, Some(A::Lithuanian)),
    row(L::Nepali, "ne", "nep", S::Devanagari, Some(A::Nepali)),
    row(L::Norwegian, "no", "nob", S::Latin, Some(A::Norwegian)),
    row(L::Persian, "fa", "pes", S::Arabic, Some(A::Persian)),
    row(L::Polish, "pl", "pol", S::Latin, Some(A::Polish)),
    row(L::Portuguese, "pt", "por", S::Latin, Some(A::Portuguese)),
    row(L::Romanian, "ro", "ron", S::Latin, Some(A::Romanian)),
    row(L::Russian, "ru", "rus", S::Cyrillic, Some(A::Russian)),
    row(L::Serbian, "sr", "srp", S::Cyrillic, Some(A::Serbian)),
    row(L::Slovak, "sk", "slk", S::Latin, None),
    row(L::Spanish, "es", "spa", S::Latin, Some(A::Spanish)),
    row(L::Swedish, "sv", "swe", S::Latin, Some(A::Swedish)),
    row(L::Tamil, "ta", "tam", S::Tamil, Some(A::Tamil)),
    row(L::Thai, "th", "tha", S::Other, None),
    row(L::Turkish, "tr", "tur", S::Latin, Some(A::Turkish)),
    row(L::Ukrainian, "uk", "ukr", S::Cyrillic, Some(A::Ukrainian)),
    row(L::Vietnamese, "vi", "vie", S::Latin, None),
    row(L::Yiddish, "yi", "yid", S::Hebrew, Some(A::Yiddish)),
];

const fn row(
    language: Language,
    code: &'static str,
    detected: &'static str,
    script: Script,
    algorithm: Option<Algorithm>,
) -> Facts {
    Facts {
        language,
        code,
        detected,
        script,
        algorithm,
    }
}

impl Language {
    /// Returns all languages, in alphabetical order.
    pub fn all() -> impl Iterator<Item = Self> {
        LANGUAGES.iter().map(|facts| facts.language)
    }

    /// Returns the code of ISO 639-1, such as `de`.
    pub const fn code(self) -> &'static str {
        self.facts().code
    }

    /// Returns the language that the detector calls so.
    pub(super) fn detected(code: &str) -> Option<Self> {
        let is_it = |facts: &&Facts| facts.detected == code;
        LANGUAGES.iter().find(is_it).map(|facts| facts.language)
    }

    /// Returns a detector of some languages, which tells others too where only these are written in a script.
    pub(super) fn detector(languages: &[Self]) -> Detector {
        let named = languages.iter().map(|language| language.facts().detected);
        Detector::with_allowlist(named.filter_map(Lang::from_code).collect())
    }

    /// Returns whether the detector knows it.
    pub(super) const fn is_detected(self) -> bool {
        !self.facts().detected.is_empty()
    }

    /// Returns whether it and another language are written so alike that a few words do not tell them apart.
    pub(super) const fn is_twin(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Danish, Self::Norwegian) | (Self::Norwegian, Self::Danish)
        )
    }

    /// Returns whether it is written in Latin script.
    pub(super) const fn is_latin(self) -> bool {
        matches!(self.facts().script, Script::Latin)
    }

    /// Returns whether so few documents are in it that these have to speak for it clearly: other texts have some of its
    /// stop words, such as `go` and `os` in Irish.
    pub(super) const fn is_rare(self) -> bool {
        matches!(
            self,
            Self::Basque | Self::Catalan | Self::Esperanto | Self::Irish
        )
    }

    /// Returns whether English has half its words from it or its kin, so that letters in a row do not tell one from the
    /// other: `create volume snapshot` looks French.
    pub(super) const fn is_near_english(self) -> bool {
        matches!(
            self,
            Self::French | Self::Italian | Self::Portuguese | Self::Romanian | Self::Spanish
        ) || self.is_rare()
    }

    /// Returns the commonest language in its script: of those in Latin script, and of those whose script no other
    /// language has, itself.
    pub(super) const fn commonest(self) -> Self {
        match self.facts().script {
            Script::Latin | Script::Other => self,
            script => script.language(),
        }
    }

    /// How many there are.
    pub(super) const COUNT: usize = LANGUAGES.len();

    const fn facts(self) -> &'static Facts {
        &LANGUAGES[self as usize]
    }

    /// Returns the language by whose rules a word is read in a text of this one: the same, unless the
    /// word is written in another script. So English names are stemmed in a Russian text, and a
    /// Russian quotation in an English one.
    pub(super) fn of_word(self, word: &str) -> Self {
        let script = Script::of(word);
        let is_own = script == self.facts().script;
        let has_two = matches!(self, Self::Serbian | Self::Croatian) && script == Script::Cyrillic
            || self == Self::Serbian && script == Script::Latin;
        if is_own || has_two {
            self
        } else {
            script.language()
        }
    }

    /// Returns those of some languages that are written in the script of a text; none of one in Latin script, which
    /// tells too little.
    pub(super) fn written_in(text: &str, languages: &[Self]) -> Vec<Self> {
        let has =
            |first: char, last: char| text.contains(|letter| (first..=last).contains(&letter));
        let script = Script::of_letters(text);
        let is_written = |language: &Self| match script {
            Script::Latin => false,
            Script::Other if has('\u{3041}', '\u{30ff}') => *language == Self::Japanese,
            Script::Other if has('\u{ff66}', '\u{ff9f}') => *language == Self::Japanese,
            Script::Other if has('\u{ac00}', '\u{d7a3}') || has('\u{1100}', '\u{11ff}') => {
                *language == Self::Korean
            }
            Script::Other if has('\u{e01}', '\u{e4e}') => *language == Self::Thai,
            Script::Other => {
                let has_han = has('\u{3400}', '\u{9fff}');
                has_han && matches!(language, Self::Chinese | Self::Japanese)
            }
            _ => language.facts().script == script,
        };
        let languages = languages.iter().copied();
        languages.filter(is_written).collect()
    }

    /// Returns the stem of a word in lower case.
    pub(super) fn stem(self, word: &str) -> Cow<'_, str> {
        match self.facts().algorithm {
            Some(algorithm) => Stemmer::create(algorithm).stem(word),
            None => Cow::Borrowed(word),
        }
    }
}

impl Languages {
    /// All languages.
    pub const ALL: Self = Self(u64::MAX);

    /// No language.
    pub(crate) const NONE: Self = Self(0);

    /// Returns the set of one language.
    pub const fn only(language: Language) -> Self {
        Self(1 << language as u32)
    }

    /// Returns the union of this set and another one.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether a language is in the set.
    pub const fn has(self, language: Language) -> bool {
        self.0 >> language as u32 & 1 == 1
    }
}

impl FromIterator<Language> for Languages {
    fn from_iter<I: IntoIterator<Item = Language>>(languages: I) -> Self {
        let sets = languages.into_iter().map(Self::only);
        sets.fold(Self::NONE, Self::or)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

impl FromStr for Language {
    type Err = Error;

    /// Reads a code, also one with a region such as `de-AT` or `pt_BR`, or an English name.
    fn from_str(text: &str) -> Result<Self, Error> {
        let wanted = text.trim().to_ascii_lowercase();
        let code = wanted.split(['-', '_']).next().unwrap_or_default();
        let code = match code {
            "nb" | "nn" => "no",
            "bs" => "hr",
            "iw" => "he",
            other => other,
        };
        let has_code = |language: &Self| language.code() == code;
        let has_name = |language: &Self| format!("{language:?}").eq_ignore_ascii_case(&wanted);
        let found = Self::all().find(has_code);
        found
            .or_else(|| Self::all().find(has_name))
            .ok_or_else(|| Error::UnknownLanguage {
                language: text.to_owned(),
                known: Self::all().map(Self::code).collect::<Vec<_>>().join(", "),
            })
    }
}

impl Script {
    /// Returns the script of a word, which its first letter beyond Latin tells.
    pub(super) fn of(word: &str) -> Self {
        if word.is_ascii() {
            return Self::Latin;
        }
        Self::of_all(word.chars())
    }

    /// Returns the script of a text, which the first of its letters beyond Latin tells.
    pub(super) fn of_letters(text: &str) -> Self {
        Self::of_all(text.chars().filter(|letter| letter.is_alphabetic()))
    }

    fn of_all(characters: impl Iterator<Item = char>) -> Self {
        let scripts = characters.map(|letter| match letter {
            // The last one is the sign of ohm.
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' | '\u{2126}' => Self::Greek,
            '\u{400}'..='\u{52f}' => Self::Cyrillic,
            '\u{530}'..='\u{58f}' => Self::Armenian,
            '\u{590}'..='\u{5ff}' => Self::Hebrew,
            '\u{600}'..='\u{6ff}'
            | '\u{750}'..='\u{77f}'
            | '\u{fb50}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefe}' => Self::Arabic,
            '\u{900}'..='\u{97f}' => Self::Devanagari,
            '\u{b80}'..='\u{bff}' => Self::Tamil,
            ..'\u{370}'
            | '\u{1e00}'..='\u{1eff}'
            | '\u{2000}'..='\u{20ff}'
            | '\u{fb00}'..='\u{fb06}'
            | '\u{2100}'..='\u{24ff}'
            | '\u{ff00}'..='\u{ff65}'
            | '\u{1d400}'..='\u{1d7ff}' => Self::Latin,
            _ => Self::Other,
        });
        let mut others = scripts.filter(|script| *script != Self::Latin);
        others.next().unwrap_or(Self::Latin)
    }

    /// Returns the language by whose rules words of this script are read where another one is not
    /// known.
    const fn language(self) -> Language {
        match self {
            Self::Latin | Self::Other => Language::English,
            Self::Greek => Language::Greek,
            Self::Cyrillic => Language::Russian,
            Self::Armenian => Language::Armenian,
            Self::Hebrew => Language::Hebrew,
            Self::Arabic => Language::Arabic,
            Self::Devanagari => Language::Hindi,
            Self::Tamil => Language::Tamil,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_languages() {
        for (place, facts) in LANGUAGES.iter().enumerate() {
            assert_eq!(facts.language as usize, place, "{facts:?}");
        }
    }

    #[test]
    fn codes_and_names_are_read() {
        for (text, language) in [
            ("de", Language::German),
            ("de-AT", Language::German),
            (" PT_BR ", Language::Portuguese),
            ("nb", Language::Norwegian),
            ("swedish", Language::Swedish),
        ] {
            assert_eq!(text.parse::<Language>().unwrap(), language, "{text}");
        }
        let error = "klingon".parse::<Language>().unwrap_err().to_string();
        assert!(error.contains("`klingon`"), "{error}");
        assert!(error.contains(" de, el, "), "{error}");
    }
}
