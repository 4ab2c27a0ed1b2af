//! The questions that once were misread, each asked of a store.

use super::languages::in_language;
use super::questions::answer;
use super::{found, put_texts, uris};
use crate::{Language, Store};

pub async fn flags_of_commands_are_found_with_them(store: &dyn Store) {
    put_texts(
        store,
        &[
            (
                "global",
                "`npm install -g` puts a package where all users have it",
            ),
            (
                "local",
                "npm install, and npm install again: npm reads package.json",
            ),
            ("terminal", "`docker run -it` opens a terminal in an image"),
            (
                "run",
                "docker run, and docker run again: docker starts containers",
            ),
        ],
    )
    .await;
    for (question, uri) in [("npm install -g", "global"), ("docker run -it", "terminal")] {
        let answer = answer(store, question).await;
        assert_eq!(uris(&answer.hits)[0], uri, "{question}");
        assert_eq!(answer.notes, [""; 0], "{question}");
    }
}

pub async fn names_with_signs_differ_and_meet(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("c++", "Written in C++ alone"),
            ("c#", "Written in C# alone"),
            ("f#", "Written in F# alone"),
            ("c", "Written in C alone"),
            ("net", "Runs on .NET alone"),
            ("node", "Runs on node.js alone"),
            ("ora", "It fails with ORA-00942 then"),
            ("http", "It speaks HTTP/2 then"),
        ],
    )
    .await;
    for (question, uri) in [
        ("C++", "c++"),
        ("C#", "c#"),
        ("F#", "f#"),
        ("C", "c"),
        (".NET", "net"),
        ("dotnet", "net"),
        ("node.js", "node"),
        ("nodejs", "node"),
        ("ORA-00942", "ora"),
        ("ORA00942", "ora"),
        ("HTTP/2", "http"),
        ("HTTP2", "http"),
    ] {
        assert_eq!(found(store, question).await, [uri], "{question}");
    }
}

pub async fn abbreviations_are_one_term_or_none(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("group", "A theory of a group"),
            ("market", "The U.S. market"),
            (
                "letters",
                "The letters e, g, i, u, s and again e, g, i, u, s",
            ),
        ],
    )
    .await;
    for question in ["theory, e.g. group", "theory, i.e. group"] {
        assert_eq!(found(store, question).await, ["group"], "{question}");
    }
    for question in ["U.S.", "US"] {
        assert_eq!(found(store, question).await, ["market"], "{question}");
    }
}

pub async fn words_of_many_languages_find_their_forms(store: &dyn Store) {
    let documents = [
        ("fr", Language::French, "L’installation du logiciel"),
        ("fr-accent", Language::French, "Le chemin de l'école"),
        ("it", Language::Italian, "Un bicchiere dell'acqua"),
        ("de", Language::German, "Die Rechtsschutzversicherung zahlt"),
        ("de-street", Language::German, "Die Straße ist gesperrt"),
        ("de-houses", Language::German, "Die Häuser am See"),
        ("ar", Language::Arabic, "التثبيت من مَكْتَبَة"),
        ("he", Language::Hebrew, "התוכנה של החברה"),
        ("ja", Language::Japanese, "ｶﾞｲﾄﾞを読む"),
        ("zh", Language::Chinese, "全文检索"),
        ("th", Language::Thai, "ภาษาไทย"),
        ("km", Language::English, "ឆ្នាំថ្មី"),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    for (question, uri) in [
        ("installation", "fr"),
        ("ecole", "fr-accent"),
        ("acqua", "it"),
        ("Versicherung", "de"),
        ("Strasse", "de-street"),
        ("Haus", "de-houses"),
        ("تثبيت", "ar"),
        ("مكتبة", "ar"),
        ("תוכנה", "he"),
        ("ガイド", "ja"),
        ("文", "zh"),
        ("ไทย", "th"),
        ("ឆ្នាំ", "km"),
    ] {
        let found = found(store, question).await;
        assert_eq!(found.first().map(String::as_str), Some(uri), "{question}");
    }
}
