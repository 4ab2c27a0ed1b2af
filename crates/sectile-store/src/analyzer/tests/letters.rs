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
fn endings_behind_an_apostrophe_are_cut_off() {
    for (language, written, name) in [
        (Language::Polish, "Mercury’ego", "Mercury"),
        (Language::Polish, "Joyce'a", "Joyce"),
        (Language::Polish, "JOYCE'A", "Joyce"),
        (Language::Polish, "Hurricane'ów", "Hurricane"),
        (Language::Danish, "tv'et", "tv"),
        (Language::Norwegian, "pc’ene", "pc"),
        (Language::Estonian, "Goethe'ga", "Goethe"),
        (Language::German, "Ohm’sches", "Ohm"),
        (Language::German, "Andrea's", "Andrea"),
        (Language::Turkish, "Ankara'dan", "Ankara"),
    ] {
        let analyzer = Analyzer::for_language(language);
        assert_eq!(analyzer.terms(written), analyzer.terms(name), "{written}");
    }
    // These are parts of names, or words of another language.
    for word in ["O'Connor", "D'em", "user's", "Open'er"] {
        let kept = Analyzer::without_elision(word, &[Language::Polish]);
        assert_eq!(kept, word);
    }
}

#[test]
fn words_that_ask_are_elided_in_italian() {
    for (written, kept) in [("Cos'è", "è"), ("dov’era", "era"), ("quand'altro", "altro")] {
        let terms = Analyzer::for_language(Language::Italian).terms(written);
        assert_eq!(
            terms,
            Analyzer::for_language(Language::Italian).terms(kept),
            "{written}"
        );
    }
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

#[test]
fn letters_that_are_written_as_two_are_one() {
    let meets_in = |language: Language, question: &str, document: &str| {
        assert!(
            meets(question, document, &[language], language),
            "{question} should find {document}"
        );
    };
    for (language, one, other) in [
        (Language::Danish, "Aarhus", "Århus"),
        (Language::Danish, "oel", "øl"),
        (Language::Norwegian, "gaa", "gå"),
        (Language::Norwegian, "laering", "læring"),
        (Language::Ukrainian, "ґанок", "ганок"),
        (Language::Thai, "น้ำ", "นํ้า"),
        (Language::Thai, "ทำงาน", "การทํางาน"),
    ] {
        meets_in(language, one, other);
        if !other.starts_with("การ") {
            meets_in(language, other, one);
        }
    }
}

#[test]
fn english_words_are_no_others_in_danish() {
    let meets_in = |question: &str, document: &str| {
        let language = Language::Danish;
        meets(question, document, &[language], language)
    };
    assert!(!meets_in("DOS", "does") && !meets_in("tø", "toe"));
    assert!(meets_in("does", "does") && meets_in("AA", "AA"));
}

#[test]
fn bulgarian_articles_and_plurals_are_cut() {
    let terms = |text: &str| Analyzer::for_language(Language::Bulgarian).terms(text);
    assert_eq!(terms("книгата книгите"), terms("книга книги"));
    assert_eq!(terms("файловете"), terms("файл"));
}

#[test]
fn decades_are_the_same_with_an_apostrophe() {
    check_meets(&["1990s", "1990's", "1990’s"]);
    check_apart("1990", "1990s");
}

#[test]
fn words_of_vietnamese_stand_with_their_tones_and_without() {
    let language = Language::Vietnamese;
    check_in(language, "Phải hòa, hoà", "phải|phai hòa|hoa hòa|hoa");
    check_in(language, "năm 5 hai", "năm|nam 5 hai");
    check_in(
        language,
        "Tây-Ban-Nha",
        "tâybannha|taybannha|tây|tay ban nha",
    );
    let meets_in = |question, document| meets(question, document, &[language], language);
    for (question, document) in [
        ("phải", "PHẢI"),
        ("phai", "phải"),
        ("phai", "phai"),
        ("hoà", "hòa"),
        ("tieng viet", "tiếng Việt"),
        ("Tay-Ban-Nha", "Tây Ban Nha"),
    ] {
        assert!(meets_in(question, document), "{question}: {document}");
    }
    for (question, document) in [
        ("phải", "phái"),
        ("phải", "phai"),
        ("bổ", "bộ"),
        ("đi", "di"),
    ] {
        assert!(!meets_in(question, document), "{question}: {document}");
    }
}
