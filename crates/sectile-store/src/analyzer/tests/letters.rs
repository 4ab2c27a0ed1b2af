//! What becomes of words that are written with other letters and signs for the same.

use super::*;

#[test]
fn signs_that_look_like_apostrophes_are_some_between_letters() {
    for sign in ["'", "’", "‘", "‛", "′", "´", "＇", "ʼ", "ʻ"] {
        check(&format!("Newton{sign}s don{sign}t"), "newton dont");
        check_in(Language::French, &format!("L{sign}école"), "ecol");
    }
    check_meets(&["Hawai'i", "Hawaiʻi", "Hawaii"]);
    check_meets(&["Qurʾān", "Qur'an", "Quran"]);
    check("5′30 48°51′24″ ‘a’", "5 30 48 51 24 a");
}

#[test]
fn hebrew_abbreviations_and_letters_with_a_geresh_are_one_word() {
    let terms = |text: &str| Analyzer::for_language(Language::Hebrew).terms(text);
    for words in [
        ["צה\"ל", "צה״ל", "צה”ל"],
        ["ארה\"ב", "ארה״ב", "ארהב"],
        ["ג'ירף", "ג׳ירף", "ג’ירף"],
    ] {
        assert!(!terms(words[0]).contains(' '), "{}", words[0]);
        for word in words {
            assert_eq!(terms(word), terms(words[0]), "{word}");
        }
    }
    // Here a letter stands before a word in quotation marks.
    assert_eq!(terms("ב\"הארץ\""), terms("ב הארץ"));
}
