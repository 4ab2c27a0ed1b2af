//! Words that only ask, in questions of each language.

use super::*;

/// A question in a language, with a word of it that only asks and one that is asked for.
#[rustfmt::skip]
const QUESTIONS: &[(Language, &str, &str, &str)] = &[
    (Language::Arabic, "ماهو عدد سكان المدينة", "ماهو", "المدينة"),
    (Language::Danish, "hvorfra kommer den fil", "hvorfra", "fil"),
    (Language::Dutch, "waarvoor dient de knop", "waarvoor", "knop"),
    (Language::French, "Où est le fichier", "Où", "fichier"),
    (Language::German, "Wovon hängt der Preis ab", "Wovon", "Preis"),
    (Language::German, "wofür ist der Knopf", "wofür", "Knopf"),
    (Language::Hebrew, "לאיזו מטרה ישמשו הכספים", "לאיזו", "מטרה"),
    (Language::Indonesian, "kapankah kota itu didirikan", "kapankah", "kota"),
    (Language::Italian, "Cos'è la farina", "Cos'è", "farina"),
    (Language::Italian, "dov’è il mulino", "dov’è", "mulino"),
    (Language::Italian, "qual è il prezzo della farina", "qual", "prezzo"),
    (Language::Polish, "czyja to grupa i ilu ma użytkowników", "czyja", "grupa"),
    (Language::Portuguese, "o autor cujo livro é este", "cujo", "livro"),
    (Language::Spanish, "¿Quién escribió la novela?", "Quién", "novela"),
    (Language::Spanish, "el autor cuya novela ganó", "cuya", "novela"),
    (Language::Swedish, "varifrån kommer den filen", "varifrån", "filen"),
    (Language::Turkish, "bu ilacın yan etkileri nelerdir", "nelerdir", "ilacın"),
];

#[test]
fn words_that_ask_for_a_person_a_place_or_a_cause_are_left_out_of_questions() {
    for &(language, question, asking, asked) in QUESTIONS {
        let words = StopWords::of(question, &[language]);
        assert!(words.has(asking), "{asking}");
        assert!(!words.has(asked), "{asked}");
    }
}
