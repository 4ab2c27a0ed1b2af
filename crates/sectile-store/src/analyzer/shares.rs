//! How many of the documents searched are in which language.

use std::cmp::Reverse;

use super::language::{Language, Languages};

/// For so many chunks in the commonest language there is one, at most, in a language that few are in.
const FEW: u64 = 8;

/// Which language most of the chunks searched are in, and which of their languages only few are in: one that was told
/// wrongly of a document or two among many, or one that is seldom asked in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LanguageShares {
    /// Nothing where that is not known.
    commonest: Option<Language>,
    few: Languages,
}

impl LanguageShares {
    /// What is known before anything is counted.
    pub(crate) const UNKNOWN: Self = Self {
        commonest: None,
        few: Languages::NONE,
    };

    /// Makes them of how many chunks are in each language.
    pub(crate) fn of(chunks: &[(Language, u64)]) -> Self {
        let commonest = chunks
            .iter()
            .max_by_key(|(of, count)| (*count, Reverse(*of)));
        let Some(&(commonest, most)) = commonest else {
            return Self::UNKNOWN;
        };
        let few = chunks
            .iter()
            .filter(|(_, count)| count.saturating_mul(FEW) < most);
        Self {
            commonest: Some(commonest),
            few: few.map(|(of, _)| *of).collect(),
        }
    }

    /// Returns whether only few of the chunks are in a language.
    pub(crate) const fn has_few(self, language: Language) -> bool {
        self.few.has(language)
    }

    /// Returns whether a language is [rare](Language::is_rare), and not that of most chunks.
    pub(super) fn is_rare(self, language: Language) -> bool {
        language.is_rare() && self.commonest != Some(language)
    }

    /// Returns the only one of some languages that more than a few of the chunks are in.
    pub(super) fn only(self, languages: &[Language]) -> Option<Language> {
        let only = self.commonest?;
        let mut others = languages.iter().filter(|of| **of != only);
        let is_only = languages.contains(&only) && others.all(|of| self.has_few(*of));
        is_only.then_some(only)
    }
}

impl Default for LanguageShares {
    fn default() -> Self {
        Self::UNKNOWN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_are_less_than_an_eighth_of_the_most() {
        let shares = LanguageShares::of(&[
            (Language::Catalan, 80),
            (Language::English, 9),
            (Language::Irish, 10),
        ]);
        assert!(shares.has_few(Language::English) && !shares.has_few(Language::Irish));
        assert!(!shares.is_rare(Language::Catalan) && shares.is_rare(Language::Irish));
        let both = [Language::Catalan, Language::English];
        assert_eq!(shares.only(&both), Some(Language::Catalan));
        let all = [Language::Catalan, Language::English, Language::Irish];
        assert_eq!(shares.only(&all), None);
        assert_eq!(shares.only(&[Language::English]), None);
    }

    #[test]
    fn of_nothing_nothing_is_known() {
        let unknown = LanguageShares::of(&[]);
        assert_eq!(unknown, LanguageShares::UNKNOWN);
        assert!(!unknown.has_few(Language::English) && unknown.is_rare(Language::Catalan));
        assert_eq!(unknown.only(&[Language::Catalan]), None);
    }
}
