//! Words that only ask, in questions of each language.

use super::*;

/// A question in a language, with a word of it that only asks and one that is asked for.
#[rustfmt::skip]
const QUESTIONS: &[(Language, &str, &str, &str)] = &[
    (Language::Arabic, "ماهو عدد سكان المدينة", "ماهو", "المدينة"),
    (Language::Czech, "kdy musím podat žádost", "musím", "žádost"),
    (Language::Danish, "hvorfra kommer den fil", "hvorfra", "fil"),
    (Language::Danish, "hvornår bør vi svare på brevet", "bør", "brevet"),
    (Language::Dutch, "waarvoor dient de knop", "waarvoor", "knop"),
    (Language::Dutch, "wat willen ze met de knop", "willen", "knop"),
    (Language::French, "Où est le fichier", "Où", "fichier"),
    (Language::French, "je casse un vase, dois-je payer", "dois-je", "vase"),
    (Language::French, "Faut-il un préavis", "Faut-il", "préavis"),
    (Language::French, "doit-on afficher le procès-verbal", "doit-on", "afficher"),
    (Language::German, "Wovon hängt der Preis ab", "Wovon", "Preis"),
    (Language::German, "wofür ist der Knopf", "wofür", "Knopf"),
    (Language::German, "wann dürfen wir den Vertrag kündigen", "dürfen", "Vertrag"),
    (Language::Hebrew, "לאיזו מטרה ישמשו הכספים", "לאיזו", "מטרה"),
    (Language::Indonesian, "kapankah kota itu didirikan", "kapankah", "kota"),
    (Language::Italian, "Cos'è la farina", "Cos'è", "farina"),
    (Language::Italian, "dov’è il mulino", "dov’è", "mulino"),
    (Language::Italian, "qual è il prezzo della farina", "qual", "prezzo"),
    (Language::Italian, "quando devo pagare la farina", "devo", "farina"),
    (Language::Polish, "czyja to grupa i ilu ma użytkowników", "czyja", "grupa"),
    (Language::Polish, "kiedy muszę złożyć wniosek", "muszę", "wniosek"),
    (Language::Portuguese, "o autor cujo livro é este", "cujo", "livro"),
    (Language::Portuguese, "quando devo pagar o imposto", "devo", "imposto"),
    (Language::Russian, "когда я должен подать заявление", "должен", "заявление"),
    (Language::Spanish, "¿Quién escribió la novela?", "Quién", "novela"),
    (Language::Spanish, "¿cuándo debo pedir la licencia?", "debo", "licencia"),
    (Language::Spanish, "el autor cuya novela ganó", "cuya", "novela"),
    (Language::Swedish, "varifrån kommer den filen", "varifrån", "filen"),
    (Language::Swedish, "när bör jag svara på brevet", "bör", "brevet"),
    (Language::Turkish, "bu ilacın yan etkileri nelerdir", "nelerdir", "ilacın"),
];

#[test]
fn words_that_only_ask_are_left_out_of_questions() {
    for &(language, question, asking, asked) in QUESTIONS {
        let words = StopWords::of(question, &[language]);
        assert!(words.has(asking), "{asking}");
        assert!(!words.has(asked), "{asked}");
    }
}
