//! Cases about words that are written with other letters and signs for the same.

use unicode_normalization::UnicodeNormalization as _;

use super::found;
use super::languages::in_language;
use crate::{Language, Store};

pub async fn hebrew_abbreviations_are_words_in_questions(store: &dyn Store) {
    let documents = [
        ("report", "הדו\"ח של מנכ״ל החברה על ארה\"ב"),
        ("other", "דו ח של החברה על ארה ב"),
    ];
    let made = documents.map(|(uri, text)| in_language(uri, Language::Hebrew, text));
    store.put(made.into()).await.unwrap();
    for question in ["מנכ\"ל ארה\"ב", "\"מנכ\"ל החברה\"", "ארה״ב"] {
        assert_eq!(found(store, question).await, ["report"], "{question}");
    }
}

pub async fn words_are_found_with_other_letters_for_the_same(store: &dyn Store) {
    let documents = [
        (
            "da",
            Language::Danish,
            "Byen Aarhus ligger ved vandet og har en havn",
        ),
        ("uk", Language::Ukrainian, "Цей ґанок стоїть біля хати"),
        ("th", Language::Thai, "การทํางานกับนํ้า"),
        (
            "bg",
            Language::Bulgarian,
            "Файловете са в папката на потребителя",
        ),
        (
            "sk",
            Language::Slovak,
            "V nastaveniach sa mení jazyk aplikácie",
        ),
        (
            "en",
            Language::English,
            "The Qurʾān in the 1990's and Hawaiʻi",
        ),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    for (question, uri) in [
        ("Århus", "da"),
        ("ганок", "uk"),
        ("ทำงาน", "th"),
        ("น้ำ", "th"),
        ("файл", "bg"),
        ("потребител", "bg"),
        ("nastavenie", "sk"),
        ("Quran", "en"),
        ("Qur'an", "en"),
        ("1990s", "en"),
        ("Hawaii", "en"),
    ] {
        assert_eq!(found(store, question).await, [uri], "{question}");
    }
}

pub async fn tones_tell_words_of_vietnamese_apart(store: &dyn Store) {
    let texts = [
        ("ban", "Cấm hút thuốc trong nhà"),
        ("feel", "Cảm xúc hòa bình"),
        ("orange", "Quả cam ngọt"),
    ];
    let made = texts.map(|(uri, text)| in_language(uri, Language::Vietnamese, text));
    store.put(made.into()).await.unwrap();
    for (question, uri) in [
        ("cấm", "ban"),
        ("cảm", "feel"),
        ("CẢM XÚC", "feel"),
        ("hoà bình", "feel"),
        ("hoa binh", "feel"),
        ("hut thuoc", "ban"),
        ("\"cam hut thuoc\"", "ban"),
        ("\"cấm hút thuốc\"", "ban"),
    ] {
        assert_eq!(found(store, question).await, [uri], "{question}");
    }
    // As it was typed comes first.
    let mut without_tones = found(store, "cam").await;
    assert_eq!(without_tones.remove(0), "orange");
    without_tones.sort_unstable();
    assert_eq!(without_tones, ["ban", "feel"]);
}

pub async fn of_words_that_differ_by_accents_the_typed_one_comes_first(store: &dyn Store) {
    let texts = [
        ("crag", Language::Spanish, "Un campo de la peña"),
        ("grief", Language::Spanish, "Un campo de la pena"),
        ("angle", Language::Polish, "Prosty kąt na stole"),
        ("hangman", Language::Polish, "Prosty kat na stole"),
    ];
    let made = texts.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    for (question, uris) in [
        ("peña", ["crag", "grief"]),
        ("pena", ["grief", "crag"]),
        ("kąt", ["angle", "hangman"]),
        ("kat", ["hangman", "angle"]),
    ] {
        assert_eq!(found(store, question).await, uris, "{question}");
    }
}

pub async fn short_words_of_arabic_are_no_others(store: &dyn Store) {
    let texts = [
        ("classes", "فئات الناس"),
        ("house", "هو في البيت"),
        ("machine", "تعمل الآلة ليلا"),
        ("distinct", "كان متميزا جدا"),
    ];
    let made = texts.map(|(uri, text)| in_language(uri, Language::Arabic, text));
    store.put(made.into()).await.unwrap();
    for (question, uri) in [
        ("فئة", "classes"),
        ("آلات", "machine"),
        ("متميز", "distinct"),
        ("بيت", "house"),
    ] {
        assert_eq!(found(store, question).await, [uri], "{question}");
    }
}

pub async fn texts_in_nfd_are_found(store: &dyn Store) {
    let texts = [
        ("ko", Language::Korean, "정적 파일은 여기에 있다"),
        ("ja", Language::Japanese, "データベースのガイド"),
        ("vi", Language::Vietnamese, "Cài đặt phần mềm"),
        ("de", Language::German, "Größe der Übung"),
    ];
    let apart = |text: &str| text.nfd().collect::<String>();
    let made = texts.map(|(uri, language, text)| in_language(uri, language, &apart(text)));
    store.put(made.into()).await.unwrap();
    for (question, uri) in [
        ("파일", "ko"),
        ("データ", "ja"),
        ("cài đặt", "vi"),
        ("Übung", "de"),
    ] {
        for question in [question.to_owned(), apart(question)] {
            assert_eq!(found(store, &question).await, [uri], "{question}");
        }
    }
}
