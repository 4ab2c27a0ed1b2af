//! Texts in NFD, and in other forms that mean the same letters: they have the terms of those in NFC.

use unicode_normalization::UnicodeNormalization as _;

use super::*;

/// A text in each script, in NFC.
const TEXTS: &[(Language, &str)] = &[
    (Language::Korean, "정적 파일은 어디에 넣어야 하나요"),
    (
        Language::Japanese,
        "データベースのバックアップはどうすればいいですか",
    ),
    (Language::Japanese, "漢字《がんじ》の読み方"),
    (
        Language::Vietnamese,
        "Cài đặt chương trình quản lý phụ thuộc",
    ),
    (
        Language::German,
        "Benutzerrechte für Geräte ändern, XÄhnlichkeitÜbung",
    ),
    (Language::French, "l'école où l'élève a été reçu"),
    (Language::Spanish, "¿Cómo añadir un artículo? é"),
    (Language::Polish, "usuń wskaźnik i źródło"),
    (Language::Czech, "který příkaz změní heslo uživatele"),
    (Language::Turkish, "İşçilerin çalışma süreleri ığdır"),
    (Language::Greek, "Ποιο είναι το πεδίο εφαρμογής; άρθρο ϊΰ"),
    (Language::Russian, "объём настройки ёлки и йода"),
    (Language::Ukrainian, "змінити її пароль"),
    (Language::Arabic, "إضافة آلة إلى الملف مُؤَقَّت"),
    (Language::Persian, "گزینه‌های پروندهٔ مؤثر"),
    (Language::Hebrew, "שָׁלוֹם צה\"ל בְּרֵאשִׁית"),
    (Language::Hindi, "हिन्दी में ऩगर और ऱंग की पढ़ाई"),
    (
        Language::Tamil,
        "கொள்கலன் தொகுப்பு பௌர்ணமி அறிமுகப்படுத்தப்பட்டிருக்கின்றதோ",
    ),
    (Language::Thai, "การทำงานกับผู้ใช้และที่อยู่"),
    (
        Language::English,
        "\u{1006}\u{1031}\u{1037}\u{103a} ဦးစွာ বোঝা ಕೋಶ ദോശ",
    ),
    (Language::English, "naïve café 5Å 2Ω"),
];

fn apart(text: &str) -> String {
    text.nfd().collect()
}

#[test]
fn texts_in_nfd_have_the_terms_of_those_in_nfc() {
    for &(language, text) in TEXTS {
        let (text, apart) = (text.nfc().collect::<String>(), apart(text));
        let analyzer = Analyzer::for_language(language);
        assert_eq!(analyzer.terms(&apart), analyzer.terms(&text), "{text}");
        let words = |text: &str| {
            let words = analyzer.words(text);
            let mut words: Vec<_> = words.iter().map(|(of, n)| (of.to_owned(), n)).collect();
            words.sort_unstable();
            words
        };
        assert_eq!(words(&apart), words(&text), "{text}");
        let alternatives = |text: &str| {
            let read = Analyzer::readings(text, &[language]).into_iter();
            read.map(|of| of.alternatives).collect::<Vec<_>>()
        };
        assert_eq!(alternatives(&apart), alternatives(&text), "{text}");
        assert_eq!(Language::detect(&apart), Language::detect(&text), "{text}");
    }
}

#[test]
fn terms_stand_where_they_are_written() {
    // A pair of Burmese that begins with a mark begins with its letter where that is written in two characters.
    let texts = TEXTS.iter().filter(|(_, text)| !text.contains('ဦ'));
    for &(language, text) in texts {
        let (text, apart) = (text.nfc().collect::<String>(), apart(text));
        let spans = |text: &str| {
            let mut spans = Vec::new();
            let analyzer = Analyzer::for_language(language);
            analyzer.for_each(text, |_, span| {
                spans.push(span.of(text).nfc().collect::<String>());
            });
            spans
        };
        assert_eq!(spans(&apart), spans(&text), "{text}");
    }
}

#[test]
fn questions_in_one_form_find_texts_in_the_other() {
    for (language, word) in [
        (Language::Korean, "파일"),
        (Language::Japanese, "データ"),
        (Language::Vietnamese, "thuộc"),
        (Language::German, "Geräte"),
        (Language::Arabic, "إضافة"),
        (Language::Thai, "ผู้ใช้"),
    ] {
        let apart = apart(word);
        for (question, document) in [(word, &*apart), (&*apart, word)] {
            let meets = meets(question, document, &[language], language);
            assert!(meets, "{question} should find {document}");
        }
    }
}

#[test]
fn other_forms_of_the_same_letters_are_the_same() {
    for (other, text) in [
        (
            "Ｗｉｎｄｏｗｓ１０ Ｃ＋＋ ｎｏｄｅ．ｊｓ",
            "Windows10 C++ node.js",
        ),
        ("ｖ２．３．１ ２０２０－０１－０２", "v2.3.1 2020-01-02"),
        ("ｶﾞｲﾄﾞ", "ガイド"),
        ("\u{ffa1}\u{ffc2}\u{ffb7}\u{ffbe}\u{ffc2}\u{ffa4}", "강한"),
        ("\u{fb2a}\u{5dc}", "של"),
        ("\u{e01}\u{e48}\u{e38}", "\u{e01}\u{e38}\u{e48}"),
    ] {
        let terms = |text: &str| Analyzer::english().terms(text);
        assert_eq!(terms(other), terms(text), "{other}");
    }
}

#[test]
fn old_syllables_are_read_as_others() {
    let terms = Analyzer::english().terms("\u{1112}\u{119e}\u{11ab}글");
    let terms: Vec<&str> = terms.split([' ', BESIDE]).collect();
    assert_eq!(
        terms,
        [
            "\u{1112}\u{119e}\u{11ab}글",
            "\u{1112}\u{119e}\u{11ab}",
            "글"
        ]
    );
}
