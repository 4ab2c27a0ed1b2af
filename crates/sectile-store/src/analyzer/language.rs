//! The languages of documents.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use snowball_stemmers_rs::{Algorithm, Stemmer};

use crate::Error;

/// A language whose words the analyser reads by rules of their own.
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
    /// English, also where a text says nothing of its language.
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

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
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
    /// What the detector calls it, if it knows it.
    detected: Option<&'static str>,
    script: Script,
    algorithm: Option<Algorithm>,
}

/// All languages, in the order of [`Language`].
const LANGUAGES: &[Facts] = &[
    row(
        Language::Arabic,
        "ar",
        Some("ara"),
        Script::Arabic,
        Some(Algorithm::Arabic),
    ),
    row(
        Language::Armenian,
        "hy",
        Some("hye"),
        Script::Armenian,
        Some(Algorithm::Armenian),
    ),
    row(
        Language::Basque,
        "eu",
        None,
        Script::Latin,
        Some(Algorithm::Basque),
    ),
    row(
        Language::Bulgarian,
        "bg",
        Some("bul"),
        Script::Cyrillic,
        None,
    ),
    row(
        Language::Catalan,
        "ca",
        Some("cat"),
        Script::Latin,
        Some(Algorithm::Catalan),
    ),
    row(Language::Chinese, "zh", Some("cmn"), Script::Other, None),
    row(
        Language::Croatian,
        "hr",
        Some("hrv"),
        Script::Latin,
        Some(Algorithm::Serbian),
    ),
    row(
        Language::Czech,
        "cs",
        Some("ces"),
        Script::Latin,
        Some(Algorithm::Czech),
    ),
    row(
        Language::Danish,
        "da",
        Some("dan"),
        Script::Latin,
        Some(Algorithm::Danish),
    ),
    row(
        Language::Dutch,
        "nl",
        Some("nld"),
        Script::Latin,
        Some(Algorithm::Dutch),
    ),
    row(
        Language::English,
        "en",
        Some("eng"),
        Script::Latin,
        Some(Algorithm::English),
    ),
    row(
        Language::Esperanto,
        "eo",
        Some("epo"),
        Script::Latin,
        Some(Algorithm::Esperanto),
    ),
    row(
        Language::Estonian,
        "et",
        Some("est"),
        Script::Latin,
        Some(Algorithm::Estonian),
    ),
    row(
        Language::Finnish,
        "fi",
        Some("fin"),
        Script::Latin,
        Some(Algorithm::Finnish),
    ),
    row(
        Language::French,
        "fr",
        Some("fra"),
        Script::Latin,
        Some(Algorithm::French),
    ),
    row(
        Language::German,
        "de",
        Some("deu"),
        Script::Latin,
        Some(Algorithm::German),
    ),
    row(
        Language::Greek,
        "el",
        Some("ell"),
        Script::Greek,
        Some(Algorithm::Greek),
    ),
    row(Language::Hebrew, "he", Some("heb"), Script::Hebrew, None),
    row(
        Language::Hindi,
        "hi",
        Some("hin"),
        Script::Devanagari,
        Some(Algorithm::Hindi),
    ),
    row(
        Language::Hungarian,
        "hu",
        Some("hun"),
        Script::Latin,
        Some(Algorithm::Hungarian),
    ),
    row(
        Language::Indonesian,
        "id",
        Some("ind"),
        Script::Latin,
        Some(Algorithm::Indonesian),
    ),
    row(
        Language::Irish,
        "ga",
        None,
        Script::Latin,
        Some(Algorithm::Irish),
    ),
    row(
        Language::Italian,
        "it",
        Some("ita"),
        Script::Latin,
        Some(Algorithm::Italian),
    ),
    row(Language::Japanese, "ja", Some("jpn"), Script::Other, None),
    row(Language::Korean, "ko", Some("kor"), Script::Other, None),
    row(
        Language::Lithuanian,
        "lt",
        Some("lit"),
        Script::Latin,
        Some(Algorithm::Lithuanian),
    ),
    row(
        Language::Nepali,
        "ne",
        Some("nep"),
        Script::Devanagari,
        Some(Algorithm::Nepali),
    ),
    row(
        Language::Norwegian,
        "no",
        Some("nob"),
        Script::Latin,
        Some(Algorithm::Norwegian),
    ),
    row(
        Language::Persian,
        "fa",
        Some("pes"),
        Script::Arabic,
        Some(Algorithm::Persian),
    ),
    row(
        Language::Polish,
        "pl",
        Some("pol"),
        Script::Latin,
        Some(Algorithm::Polish),
    ),
    row(
        Language::Portuguese,
        "pt",
        Some("por"),
        Script::Latin,
        Some(Algorithm::Portuguese),
    ),
    row(
        Language::Romanian,
        "ro",
        Some("ron"),
        Script::Latin,
        Some(Algorithm::Romanian),
    ),
    row(
        Language::Russian,
        "ru",
        Some("rus"),
        Script::Cyrillic,
        Some(Algorithm::Russian),
    ),
    row(
        Language::Serbian,
        "sr",
        Some("srp"),
        Script::Cyrillic,
        Some(Algorithm::Serbian),
    ),
    row(Language::Slovak, "sk", Some("slk"), Script::Latin, None),
    row(
        Language::Spanish,
        "es",
        Some("spa"),
        Script::Latin,
        Some(Algorithm::Spanish),
    ),
    row(
        Language::Swedish,
        "sv",
        Some("swe"),
        Script::Latin,
        Some(Algorithm::Swedish),
    ),
    row(
        Language::Tamil,
        "ta",
        Some("tam"),
        Script::Tamil,
        Some(Algorithm::Tamil),
    ),
    row(Language::Thai, "th", Some("tha"), Script::Other, None),
    row(
        Language::Turkish,
        "tr",
        Some("tur"),
        Script::Latin,
        Some(Algorithm::Turkish),
    ),
    row(
        Language::Ukrainian,
        "uk",
        Some("ukr"),
        Script::Cyrillic,
        Some(Algorithm::Ukrainian),
    ),
    row(Language::Vietnamese, "vi", Some("vie"), Script::Latin, None),
    row(
        Language::Yiddish,
        "yi",
        Some("yid"),
        Script::Hebrew,
        Some(Algorithm::Yiddish),
    ),
];

const fn row(
    language: Language,
    code: &'static str,
    detected: Option<&'static str>,
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

    /// Tells the language of a text by its prose, leaving out what looks like code: English where that
    /// says too little.
    pub fn detect(text: &str) -> Self {
        super::detect::detect(text)
    }

    /// Returns the language that the detector calls so.
    pub(super) fn detected(code: &str) -> Option<Self> {
        let is_it = |facts: &&Facts| facts.detected == Some(code);
        LANGUAGES.iter().find(is_it).map(|facts| facts.language)
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

    /// Returns the stem of a word in lower case.
    pub(super) fn stem(self, word: &str) -> Cow<'_, str> {
        match self.facts().algorithm {
            Some(algorithm) => Stemmer::create(algorithm).stem(word),
            None => Cow::Borrowed(word),
        }
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
        let is_it = |language: &Self| {
            language.code() == code || format!("{language:?}").eq_ignore_ascii_case(&wanted)
        };
        Self::all()
            .find(is_it)
            .ok_or_else(|| Error::UnknownLanguage {
                language: text.to_owned(),
            })
    }
}

impl Script {
    /// Returns the script of a word, which its first letter beyond Latin tells.
    fn of(word: &str) -> Self {
        if word.is_ascii() {
            return Self::Latin;
        }
        let scripts = word.chars().map(|letter| match letter {
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Self::Greek,
            '\u{400}'..='\u{52f}' => Self::Cyrillic,
            '\u{530}'..='\u{58f}' => Self::Armenian,
            '\u{590}'..='\u{5ff}' => Self::Hebrew,
            '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' => Self::Arabic,
            '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' => Self::Arabic,
            '\u{900}'..='\u{97f}' => Self::Devanagari,
            '\u{b80}'..='\u{bff}' => Self::Tamil,
            ..'\u{370}' | '\u{1e00}'..='\u{1eff}' | '\u{2000}'..='\u{20ff}' => Self::Latin,
            '\u{ff00}'..='\u{ff65}' | '\u{fb00}'..='\u{fb06}' => Self::Latin,
            _ => Self::Other,
        });
        scripts
            .into_iter()
            .find(|script| *script != Self::Latin)
            .unwrap_or(Self::Latin)
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
    }
}
