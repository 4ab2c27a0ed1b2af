//! Vietnamese words as they are written: tones and letters tell them apart, as in `phải`, `phái` and `phai`.

use std::borrow::Cow;

use super::fold::{folded, lowered};
use super::language::Language;

/// Open syllables with the tone on their last vowel, as newer spelling has it, each with the older spelling.
const TONES: [(&str, &str); 15] = [
    ("oà", "òa"),
    ("oá", "óa"),
    ("oả", "ỏa"),
    ("oã", "õa"),
    ("oạ", "ọa"),
    ("oè", "òe"),
    ("oé", "óe"),
    ("oẻ", "ỏe"),
    ("oẽ", "õe"),
    ("oẹ", "ọe"),
    ("uỳ", "ùy"),
    ("uý", "úy"),
    ("uỷ", "ủy"),
    ("uỹ", "ũy"),
    ("uỵ", "ụy"),
];

/// Returns a word in lower case with its tone and its letters, and with the tone in one place where there are two
/// spellings: `hoà` is `hòa`.
pub(super) fn written(word: &str) -> Cow<'_, str> {
    let word = lowered(word);
    let found = TONES.iter().find(|(newer, _)| word.ends_with(newer));
    match found {
        Some((newer, older)) => {
            let before = &word[..word.len() - newer.len()];
            Cow::Owned(format!("{before}{older}"))
        }
        None => word,
    }
}

/// Returns what a word of a text in a language is without its tones and the marks on its letters, if it is Vietnamese and
/// has some.
pub(super) fn plain(word: &str, language: Language) -> Option<Cow<'_, str>> {
    let may_be = !word.is_ascii() && language.of_word(word) == Language::Vietnamese;
    may_be
        .then(|| folded(word))
        .filter(|plain| **plain != *written(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ_by_tones_or_letters_are_others() {
        for (word, expected) in [
            ("Phải", "phải"),
            ("ĐƯỜNG", "đường"),
            ("hai", "hai"),
            ("Panthers", "panthers"),
            ("", ""),
        ] {
            assert_eq!(written(word), expected);
        }
    }

    #[test]
    fn both_places_of_a_tone_are_one() {
        for (newer, older) in TONES {
            let [newer, older] = [newer, older].map(|ending| format!("h{ending}"));
            assert_eq!(written(&newer), older);
            assert_eq!(written(&older), older);
            assert_eq!(folded(&newer), folded(&older));
        }
        assert_eq!(written("hoàn"), "hoàn");
    }

    #[test]
    fn only_words_of_vietnamese_have_plain_ones_beside_them() {
        let of = |word, language| plain(word, language).map(Cow::into_owned);
        assert_eq!(of("Phải", Language::Vietnamese), Some("phai".to_owned()));
        assert_eq!(of("đi", Language::Vietnamese), Some("di".to_owned()));
        assert_eq!(of("hai", Language::Vietnamese), None);
        assert_eq!(of("край", Language::Vietnamese), None);
        assert_eq!(of("café", Language::French), None);
    }
}
