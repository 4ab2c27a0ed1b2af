//! The letters beyond ASCII of languages in Latin script.

use super::language::Language;

/// Returns the letters of a language beyond those from `a` to `z`; nothing of one that is written in
/// another script.
const fn alphabet(language: Language) -> &'static str {
    match language {
        Language::Basque => "çñü",
        Language::Catalan => "àçèéíïòóúü·",
        Language::Croatian => "čćđšž",
        Language::Czech => "áčďéěíňóřšťúůýž",
        Language::Danish | Language::Norwegian => "åæéø",
        Language::Dutch => "èéëïóöü",
        Language::Esperanto => "ĉĝĥĵŝŭ",
        Language::Estonian => "äõöšüž",
        Language::Finnish => "åäö",
        Language::French => "àâæçèéêëîïôœùûüÿ",
        Language::German => "ßäöü",
        Language::Hungarian => "áéíóöúüőű",
        Language::Irish => "áéíóú",
        Language::Italian => "àèéìíîòóùú",
        Language::Lithuanian => "ąčęėįšųūž",
        Language::Polish => "óąćęłńśźż",
        Language::Portuguese => "àáâãçéêíóôõúü",
        Language::Romanian => "âîăşţșț",
        Language::Slovak => "áäčďéíĺľňóôŕšťúýž",
        Language::Spanish => "áéíñóúü",
        Language::Swedish => "åäéö",
        Language::Turkish => "âçîöûüğışİ",
        Language::Vietnamese => "àáâãèéêìíòóôõùúýăđĩũơư",
        _ => "",
    }
}

/// Returns the Latin letters of a text beyond ASCII, in lower case.
pub(super) fn of(text: &str) -> impl Iterator<Item = char> {
    let other = text.chars().filter(|letter| !letter.is_ascii());
    other.flat_map(char::to_lowercase).filter(|letter| {
        let is_latin = matches!(letter, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
        is_latin && letter.is_alphabetic()
    })
}

/// Says whether a language has all of some letters.
pub(super) fn has_all(language: Language, letters: &[char]) -> bool {
    let alphabet = alphabet(language);
    let is_vietnamese = language == Language::Vietnamese;
    letters.iter().all(|letter| {
        let is_toned = is_vietnamese && matches!(letter, '\u{1ea0}'..='\u{1ef9}');
        is_toned || alphabet.contains(*letter)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_their_letters() {
        let has = |language, text| has_all(language, &of(text).collect::<Vec<_>>());
        assert!(has(Language::German, "Über Größe – µ, Ω"));
        assert!(has(Language::Turkish, "İŞ ışığı"));
        assert!(has(Language::Vietnamese, "tệp cấu hình"));
        assert!(has(Language::English, "plain"));
        assert!(!has(Language::English, "naïve") && !has(Language::German, "Łódź"));
    }
}
