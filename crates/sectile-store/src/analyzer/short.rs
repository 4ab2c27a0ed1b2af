//! Telling the language of a question, which is too short to tell it as a document does.

use super::language::Language;
use super::letters;
use super::shares::LanguageShares;

/// How sure the detector has to be of a language: of so few letters it says little.
const SURE: f64 = 0.6;

/// How sure it has to be in another script than Latin, where less else speaks for a language.
const SURE_OF_OTHER: f64 = 0.7;

/// One word in so many has letters of no known language of its script, if a question is in none of them.
const UNKNOWN_SHARE: usize = 3;

/// Tells which of some languages a short text is in by its letters, if only one language has them, or if
/// they stand in a row as in one, which does not tell English from languages that it has half its words of; and if all else
/// `agrees`. What tells nothing is in the only language that more than a few documents are in, if that is in Latin script
/// and not English: names and commands are often all that a question has, and are the same in all languages.
pub(super) fn language(
    text: &str,
    languages: &[Language],
    shares: LanguageShares,
    agrees: impl Fn(Language) -> bool,
) -> Option<Language> {
    if languages.len() < 2 {
        return None;
    }
    if let Some(only) = by_letters(text, languages) {
        return Some(only).filter(|of| agrees(*of));
    }
    let only = shares.only(languages).filter(|of| of.is_latin());
    if let Some(only) = only.filter(|of| *of != Language::English) {
        return Some(only);
    }
    let (found, confidence) = detected(text, languages)?;
    let has_english = languages.contains(&Language::English) && !shares.has_few(Language::English);
    let is_unlikely = shares.is_rare(found) || shares.has_few(found);
    let is_vague = is_unlikely || text.is_ascii() && has_english && found.is_near_english();
    let sure = if found.is_latin() {
        SURE
    } else {
        SURE_OF_OTHER
    };
    (confidence >= sure && !is_vague && agrees(found)).then_some(found)
}

/// Returns those of some languages that a text in another script than Latin may be in by its letters; where no
/// language has all of these, those that are written in its script, unless many words are of no known language.
pub(super) fn written_in(text: &str, languages: &[Language]) -> Vec<Language> {
    let written = Language::written_in(text, languages);
    let fits = |language: &Language| letters::fits(*language, text);
    let fitting: Vec<Language> = written.iter().copied().filter(fits).collect();
    if !fitting.is_empty() {
        fitting
    } else if written.is_empty() || is_of_unknown(text) {
        Vec::new()
    } else {
        written
    }
}

/// Returns whether many words of a text have letters that each known language of its script lacks, as in Kazakh.
fn is_of_unknown(text: &str) -> bool {
    let all: Vec<Language> = Language::all().collect();
    let known = Language::written_in(text, &all);
    let words = text.split_whitespace();
    let is_unknown = |word: &&str| known.iter().all(|of| letters::lacks(*of, word));
    let unknown = words.clone().filter(is_unknown).count();
    unknown * UNKNOWN_SHARE >= words.count()
}

/// Returns the only language that has the letters of a text beyond ASCII.
fn by_letters(text: &str, languages: &[Language]) -> Option<Language> {
    let other: Vec<char> = letters::of(text).collect();
    let mut having = languages
        .iter()
        .filter(|language| !other.is_empty() && letters::has_all(**language, &other));
    let only = having.next();
    only.filter(|_| having.next().is_none()).copied()
}

/// Returns the likeliest of some languages, and how sure that is.
pub(super) fn detected(text: &str, languages: &[Language]) -> Option<(Language, f64)> {
    let found = Language::detector(languages).detect(text)?;
    // Japanese may be written in Chinese characters alone.
    let is_open = |of: &Language| !matches!(of, Language::Chinese | Language::Japanese);
    let language = Language::detected(found.lang().code()).filter(is_open);
    let language = language.filter(|of| languages.contains(of))?;
    Some((language, found.confidence()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_and_its_letters_leave_few_languages() {
        let languages = [
            Language::Chinese,
            Language::English,
            Language::Japanese,
            Language::Russian,
            Language::Ukrainian,
        ];
        for (text, left) in [
            ("plain", &[][..]),
            ("what is → and 𝑥", &[]),
            ("ключове слово", &[Language::Russian, Language::Ukrainian]),
            ("ключові слова", &[Language::Ukrainian]),
            ("ключевые слова", &[Language::Russian]),
            // Letters of both, as of a name in a question.
            ("Київ объект", &[Language::Russian, Language::Ukrainian]),
            (
                "когда родился Нұрсұлтан Назарбаев",
                &[Language::Russian, Language::Ukrainian],
            ),
            // In a language without rules.
            ("тасқа салынған суреттердің ғылыми атауы", &[]),
            ("怎么设置", &[Language::Chinese]),
            ("設定", &[Language::Chinese, Language::Japanese]),
            ("設定する", &[Language::Japanese]),
        ] {
            assert_eq!(written_in(text, &languages), left, "{text}");
        }
    }

    fn told_of(text: &str, languages: &[Language], agrees: bool) -> Option<Language> {
        language(text, languages, LanguageShares::UNKNOWN, |_| agrees)
    }

    #[test]
    fn a_few_words_tell_their_language_by_letters() {
        let languages = [
            Language::English,
            Language::French,
            Language::German,
            Language::Polish,
            Language::Russian,
        ];
        for (text, told) in [
            ("Dateirechte ändern", Some(Language::German)),
            ("accès réseau", Some(Language::French)),
            ("usuń kontener", Some(Language::Polish)),
            ("Drucker einrichten", Some(Language::German)),
            ("Datensicherung", Some(Language::German)),
            // Names and commands are the same in all languages.
            ("docker logs", None),
            ("crontab syntax", None),
            ("trouver un paquet", None),
            // It is no word of English, and stands in no list of German letters.
            ("smørrebrød", None),
            ("12.5", None),
            ("", None),
        ] {
            assert_eq!(told_of(text, &languages, true), told, "{text}");
        }
        assert_eq!(told_of("Drucker einrichten", &languages, false), None);
        assert_eq!(told_of("usuń kontener", &languages, false), None);
        assert_eq!(
            told_of("Drucker einrichten", &[Language::German], true),
            None
        );
    }
}
