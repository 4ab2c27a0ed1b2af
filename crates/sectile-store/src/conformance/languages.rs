//! Cases about documents in several languages.

use super::{document, found, put_texts, uris};
use crate::{Analyzer, IndexedDocument, Language, SearchRequest, Store};

/// Makes a document of one section in a language.
fn in_language(uri: &str, language: Language, text: &str) -> IndexedDocument {
    let analyzer = Analyzer::for_language(language);
    let mut made = document(uri, &[(1, "Zzz", text)]);
    made.language = language.to_string();
    made.words = analyzer.words(text);
    for section in &mut made.sections {
        let content = &section.content;
        for chunk in &mut section.chunks {
            chunk.terms = analyzer.terms(chunk.span.of(content));
        }
    }
    made
}

pub async fn a_stem_is_looked_for_in_its_language(store: &dyn Store) {
    let french = in_language("fr", Language::French, "Les dates du calendrier");
    let english = [
        ("data", "Data of all kinds, and what is done with data"),
        ("more", "More data"),
        ("tape", "A dat tape"),
    ];
    put_texts(store, &english).await;
    store.put(vec![french]).await.unwrap();
    let found_by = found(store, "data").await;
    // `dat` is the French stem of both: found, but no more than what says it, and not in English.
    assert_ne!(found_by[0], "fr");
    assert!(!found_by.contains(&"tape".to_owned()), "{found_by:?}");
    assert_eq!(found(store, "date").await, ["fr"]);
    assert_eq!(found(store, "data NOT dates").await, ["more", "data"]);
    store.optimize().await.unwrap();
    assert_eq!(found(store, "data").await, found_by);
}

pub async fn documents_in_the_language_of_the_question_come_first(store: &dyn Store) {
    let documents = [
        ("de", Language::German, "crontab syntax"),
        ("en", Language::English, "crontab syntax explained"),
        ("ru", Language::Russian, "crontab syntax, все слова здесь"),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    // Names and commands alone count as English.
    assert_eq!(found(store, "crontab syntax").await, ["en", "de", "ru"]);
    assert_eq!(found(store, "what is the crontab syntax").await[0], "en");
    assert_eq!(found(store, "was ist die crontab syntax").await[0], "de");
    let request = SearchRequest::new("what is the crontab syntax").with_explain(true);
    let answer = store.search(&request).await.unwrap();
    assert_eq!(uris(&answer.hits).len(), 3);
    assert_eq!(answer.reading.language.as_deref(), Some("en"));
    for hit in answer.hits {
        let sum: f64 = hit.words.iter().map(|word| word.score).sum();
        assert!((sum - hit.score).abs() < 1e-9, "{hit:?}");
    }
}

pub async fn a_word_of_a_name_may_be_a_stop_word_elsewhere(store: &dyn Store) {
    let english = [
        ("mit", "The MIT license, which is short"),
        ("bsd", "The BSD license is a license"),
        ("sand", "Sand casting, a casting in sand with a machine"),
        ("die", "Die casting with a casting machine"),
        ("d", "Vitamin D, a vitamin"),
        ("k", "Vitamin K, which is another one"),
    ];
    put_texts(store, &english).await;
    let others = [
        (
            "de",
            Language::German,
            "Docker mit Podman, die beide da sind",
        ),
        ("cs", Language::Czech, "Přístup k souborům a k adresářům"),
    ];
    let made = others.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    for (question, uri) in [
        ("mit license", "mit"),
        ("die casting", "die"),
        ("die casting machine", "die"),
        ("vitamin k", "k"),
        ("which vitamin is K", "k"),
        ("Docker mit Podman", "de"),
    ] {
        assert_eq!(found(store, question).await[0], uri, "{question}");
    }
}

pub async fn numbers_are_read_as_their_language_writes_them(store: &dyn Store) {
    let documents = [
        ("stops", Language::German, "Der Motor hat 1.600 Kubik"),
        ("plain", Language::German, "Der Motor hat 1600 Kubik"),
        (
            "version",
            Language::English,
            "It is version 1.600 of the motor",
        ),
        ("english", Language::English, "The motor has 1,600 of them"),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    let all = async |question| {
        let mut found = found(store, question).await;
        found.sort_unstable();
        found
    };
    assert_eq!(all("1.600").await, ["plain", "stops", "version"]);
    for question in ["1600", "1,600"] {
        let found = all(question).await;
        assert_eq!(found, ["english", "plain", "stops"], "{question}");
    }
}

pub async fn amounts_are_found_with_the_marks_of_any_language(store: &dyn Store) {
    let english = [
        ("commas", "The total is 1,200.50 dollars"),
        ("plain", "The total is 1200.50 dollars"),
        ("short", "The total is 1200.5 dollars"),
        ("list", "Item 1, item 2, item 12, and 50 of 1200"),
        ("cents", "The total is 980.00 dollars"),
        ("mixed", "The total is 1.980,00 EUR"),
        ("large", "The total is $12,345.67"),
        ("version", "Version 3.12 and no other; 3 and 12"),
    ];
    put_texts(store, &english).await;
    let stops = in_language("stops", Language::German, "Die Summe ist 1.200,50 Euro");
    store.put(vec![stops]).await.unwrap();
    let all = async |question| {
        let mut found = found(store, question).await;
        found.sort_unstable();
        found
    };
    for question in [
        "1,200.50",
        "1200.50",
        "$1,200.50",
        "1.200,50",
        "1 200,50",
        "1200,5",
    ] {
        let found = all(question).await;
        assert_eq!(found, ["commas", "plain", "short", "stops"], "{question}");
    }
    for question in ["980,00", "$980.00"] {
        assert_eq!(all(question).await, ["cents"], "{question}");
    }
    for (question, uri) in [("1.200,50", "stops"), ("1200.50", "plain")] {
        assert_eq!(found(store, question).await[0], uri, "{question}");
    }
    // What is between the groups does not hang on the language here.
    assert_eq!(all("1980.00").await, ["mixed"]);
    assert_eq!(all("$12345.67").await, ["large"]);
    assert_eq!(all("3.12").await, ["version"]);
    let request = SearchRequest::new("the total of 7,654.32 dollars");
    let notes = store.search(&request).await.unwrap().notes;
    assert_eq!(notes, ["no document has `7,654.32`"]);
}

pub async fn dates_are_found_in_any_notation(store: &dyn Store) {
    let english = [
        ("iso", "It was signed on 2023-04-25"),
        ("american", "It was signed on April 25, 2023"),
        ("british", "It was signed on 25 April 2023"),
        ("slashes", "It was signed on 25/04/2023"),
        ("stops", "It was signed on 25.04.2023"),
        ("other", "It was signed on 2023-04-26, April 26, 2023"),
        ("version", "Version 1.2.2024 of it"),
    ];
    put_texts(store, &english).await;
    let german = in_language("german", Language::German, "Es ist vom 25. April 2023");
    store.put(vec![german]).await.unwrap();
    let all = async |question| {
        let mut found = found(store, question).await;
        found.sort_unstable();
        found
    };
    for question in [
        "2023-04-25",
        "25.4.2023",
        "25/4/2023",
        "04/25/2023",
        "April 25, 2023",
        "25. April 2023",
        "25th April 2023?",
    ] {
        let found = all(question).await;
        let same = ["american", "british", "german", "iso", "slashes", "stops"];
        assert_eq!(found, same, "{question}");
    }
    assert_eq!(all("25.4.2023 AND es").await, ["german"]);
    assert_eq!(all("version NOT 1.2.2024").await, Vec::<String>::new());
    let without = all("signed NOT 25.4.2023").await;
    assert_eq!(without, ["other"]);
    assert_eq!(all("1.2.2024").await, ["version"]);
    let request = SearchRequest::new("27.4.2023");
    let unknown = store.search(&request).await.unwrap();
    assert!(!unknown.hits.is_empty());
    let note = "no `27.4.2023`: searched for `27`, `4` and `2023`";
    assert_eq!(unknown.notes[0], note);
}

pub async fn a_compound_is_found_by_its_parts(store: &dyn Store) {
    let documents = [
        ("apart", "Die Rechte einer Datei setzt chmod"),
        ("file", "Eine Datei ist eine Datei und bleibt eine Datei"),
        ("rights", "Rechte und nochmals Rechte"),
        ("whole", "Dateirechte stehen im Inode"),
    ];
    let made = documents.map(|(uri, text)| in_language(uri, Language::German, text));
    store.put(made.into()).await.unwrap();
    let found = found(store, "Dateirechte").await;
    assert_eq!(found[..2], ["whole", "apart"]);
    assert_eq!(found.len(), 4);
}

pub async fn a_compound_that_is_nowhere_is_found_by_its_halves(store: &dyn Store) {
    let documents = [
        ("waste", "Die Entsorgung von Abfall übernimmt die Stadt"),
        (
            "contract",
            "Die Kündigung eines Vertrages erfolgt schriftlich",
        ),
        ("oil", "Altöl wird vom Händler entsorgt"),
        ("other", "Die Stadt übernimmt nichts"),
    ];
    let made = documents.map(|(uri, text)| in_language(uri, Language::German, text));
    store.put(made.into()).await.unwrap();
    put_texts(store, &[("en", "The folder of a tree")]).await;
    for (question, uri, halves) in [
        ("Abfallentsorgung", "waste", "`abfall` and `entsorgung`"),
        (
            "Vertragskündigung",
            "contract",
            "`vertrags` and `kündigung`",
        ),
        ("Altölentsorgung", "oil", "`altöl` and `entsorgung`"),
    ] {
        let request = SearchRequest::new(question);
        let answer = store.search(&request).await.unwrap();
        assert_eq!(uris(&answer.hits)[0], uri, "{question}");
        let note = format!("no `{question}`: searched for {halves}");
        assert_eq!(answer.notes, [note]);
    }
    assert_eq!(found(store, "Unterwasser").await, Vec::<String>::new());
}

pub async fn words_that_ask_in_chinese_are_left_out(store: &dyn Store) {
    let documents = [
        ("safety", "防止安全问题的方法"),
        ("package", "什么是软件包，如何使用"),
    ];
    let made = documents.map(|(uri, text)| in_language(uri, Language::Chinese, text));
    store.put(made.into()).await.unwrap();
    for question in ["如何防止安全问题", "处理问题", "安全更新"] {
        assert_eq!(found(store, question).await, ["safety"], "{question}");
    }
    assert_eq!(found(store, "什么是软件包").await, ["package"]);
}
