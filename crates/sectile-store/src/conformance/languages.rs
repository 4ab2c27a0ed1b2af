//! Cases about documents in several languages.

use super::{document, found, put_texts, uris};
use crate::{Analyzer, IndexedDocument, Language, SearchRequest, Store};

/// Makes a document of one section in a language.
pub(super) fn in_language(uri: &str, language: Language, text: &str) -> IndexedDocument {
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

pub async fn a_word_like_the_code_of_a_language_is_a_word(store: &dyn Store) {
    let languages = [Language::German, Language::Italian];
    let others = languages.map(|of| in_language(of.code(), of, "Zero"));
    store.put(others.into()).await.unwrap();
    let texts = [
        ("at-de", "Running @de"),
        ("at-it", "Running @it"),
        ("at-media", "Running @media"),
    ];
    put_texts(store, &texts).await;
    // `run` is a stem in English alone: only English documents are searched for it.
    assert_eq!(found(store, "running").await, texts.map(|(uri, _)| uri));
    assert_eq!(found(store, "@de").await, ["at-de"]);
    assert_eq!(found(store, "@media").await, ["at-media"]);
}

pub async fn documents_in_the_language_of_the_question_come_first(store: &dyn Store) {
    let documents = [
        ("de", Language::German, "crontab syntax"),
        ("en", Language::English, "crontab syntax explained"),
        ("ru", Language::Russian, "crontab syntax, все слова здесь"),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    // Names and commands alone are in no language: the shortest text comes first.
    assert_eq!(found(store, "crontab syntax").await, ["de", "en", "ru"]);
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

pub async fn a_word_is_as_common_as_in_the_language_of_the_question(store: &dyn Store) {
    // `dat` is the French stem of `dates`, which is common in French alone.
    let french = (0..12).map(|n| {
        let text = format!("Les dates du calendrier {n}");
        in_language(&format!("fr{n}"), Language::French, &text)
    });
    store.put(french.collect()).await.unwrap();
    let english = [
        ("dates", "All of the dates"),
        ("harvest1", "All of the harvest"),
        ("harvest2", "All of a harvest"),
    ];
    put_texts(store, &english).await;
    let request = SearchRequest::new("what are the dates of the harvest");
    let answer = store.search(&request).await.unwrap();
    assert_eq!(answer.reading.language.as_deref(), Some("en"));
    let words = answer.reading.words.iter();
    let words: Vec<(&str, u64)> = words.map(|of| (&*of.typed, of.chunks)).collect();
    assert_eq!(words[..2], [("dates", 1), ("harvest", 2)]);
    assert_eq!(uris(&answer.hits)[0], "dates");
}

pub async fn a_word_is_not_rare_for_being_so_in_another_language(store: &dyn Store) {
    // The stems of Catalan and Spanish differ, and a document or two may be taken for the wrong one.
    let catalan = (0..16).map(|n| {
        let text = format!("El codi de la circulació, article {n} sobre les vies");
        in_language(&format!("ca{n}"), Language::Catalan, &text)
    });
    let mut made: Vec<_> = catalan.collect();
    made.push(in_language("es", Language::Spanish, "codi preu, codi taxa"));
    store.put(made).await.unwrap();
    for question in ["codi de la circulació", "codi circulació"] {
        let answer = store.search(&SearchRequest::new(question)).await.unwrap();
        assert!(uris(&answer.hits)[0].starts_with("ca"), "{question}");
        assert_eq!(answer.reading.language.as_deref(), Some("ca"), "{question}");
    }
    store.optimize().await.unwrap();
    let request = SearchRequest::new("codi de la circulació");
    let answer = store.search(&request).await.unwrap();
    assert_eq!(answer.reading.language.as_deref(), Some("ca"));
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

pub async fn words_typed_without_accents_are_found(store: &dyn Store) {
    let documents = [
        ("errors", "Obsługa błędów w programie"),
        ("parts", "Lista komponentów na stronie"),
        ("other", "Ta strona jest o czymś innym"),
    ];
    let made = documents.map(|(uri, text)| in_language(uri, Language::Polish, text));
    store.put(made.into()).await.unwrap();
    for _ in 0..2 {
        assert_eq!(found(store, "bledow").await, ["errors"]);
        assert_eq!(found(store, "lista komponentow").await, ["parts"]);
        let answer = store.search(&SearchRequest::new("bledow")).await.unwrap();
        assert_eq!(answer.notes, [""; 0]);
        // It is no word of English that is asked for.
        put_texts(store, &[("en", "The lists of a bled")]).await;
    }
}

pub async fn a_word_in_another_script_than_the_question_ranks(store: &dyn Store) {
    let documents = [
        ("extends", Language::Russian, "Ключевое слово extends"),
        ("this", Language::Russian, "Ключевое слово this"),
        ("uk", Language::Ukrainian, "Ключові слова мови"),
        ("en", Language::English, "This is the page of a language"),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    let request = SearchRequest::new("ключевое слово this");
    let answer = store.search(&request).await.unwrap();
    assert_eq!(uris(&answer.hits)[0], "this");
    assert_eq!(answer.reading.left_out, [""; 0]);
    let answer = store
        .search(&SearchRequest::new("ключові слова"))
        .await
        .unwrap();
    assert_eq!(answer.reading.language.as_deref(), Some("uk"));
}

pub async fn words_with_marks_are_completed_and_corrected(store: &dyn Store) {
    let documents = [
        ("hi", Language::Hindi, "नमस्ते दुनिया, संग्रह में प्रोग्राम हैं"),
        ("ta", Language::Tamil, "பெரிய மரங்கள் வளரும்"),
        ("en", Language::English, "A page of something else"),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    for (question, uri) in [
        ("नमस्*", "hi"),
        ("प्रोग्*", "hi"),
        ("दुनिया AND प्रोग्*", "hi"),
        ("மரங்*", "ta"),
        ("மரங்கல்", "ta"),
        ("மரங்கல் AND வளரும்", "ta"),
    ] {
        assert_eq!(found(store, question).await, [uri], "{question}");
    }
    assert_eq!(found(store, "page NOT மரங்*").await, ["en"]);
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

pub async fn a_character_beside_one_that_asks_is_a_word(store: &dyn Store) {
    let documents = [
        ("fish", Language::Chinese, "清蒸鱼要先洗净再蒸"),
        ("noodles", Language::Chinese, "面条要煮八分钟"),
        ("tea", Language::Chinese, "绿茶用热水冲泡"),
        ("rice", Language::Chinese, "米饭要加两杯水"),
        ("branch", Language::Japanese, "ブランチの作成と抹茶"),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    for (question, expected, note) in [
        ("鱼怎么做", &["fish"][..], ""),
        ("面怎么煮", &["noodles"], ""),
        ("茶怎么泡", &["tea", "branch"], ""),
        ("米饭加多少水", &["rice", "tea"], ""),
        ("抹茶とは何ですか", &["branch"], ""),
        (
            "コミット ブランチ",
            &["branch"],
            "no document has `コミット`",
        ),
    ] {
        let answer = store.search(&SearchRequest::new(question)).await.unwrap();
        assert_eq!(uris(&answer.hits), expected, "{question}");
        assert_eq!(answer.notes.concat(), note, "{question}");
    }
}

pub async fn a_word_is_known_only_where_its_language_has_it(store: &dyn Store) {
    let documents = [
        (
            "de",
            Language::German,
            "Das Briefgeheimnis ist unverletzlich und gilt",
        ),
        (
            "ca",
            Language::Catalan,
            "El secret de la carta i el document",
        ),
        (
            "en",
            Language::English,
            "A date tape and the briefgeheimniss tapes",
        ),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made[..2].to_vec()).await.unwrap();
    let request = SearchRequest::new("Briefgeheimniss");
    for _ in 0..2 {
        let answer = store.search(&request).await.unwrap();
        assert_eq!(uris(&answer.hits), ["de"]);
        let note = "no `Briefgeheimniss`: searched for `briefgeheimnis`";
        assert_eq!(answer.notes, [note]);
        store.optimize().await.unwrap();
    }
    // Now it is a word of a document.
    store.put(made[2..].to_vec()).await.unwrap();
    assert_eq!(found(store, "Briefgeheimniss").await[0], "en");
}

pub async fn a_word_is_corrected_behind_what_is_elided(store: &dyn Store) {
    let documents = [
        (
            "school",
            Language::French,
            "L’école est ouverte, et les portes aussi",
        ),
        (
            "honour",
            Language::French,
            "Une question d'honneur pour tous",
        ),
        (
            "setup",
            Language::Italian,
            "Dopo l'installazione del programma",
        ),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    for (question, uri, word) in [
        ("l'écolle", "school", "ecole"),
        ("d’honeur", "honour", "honneur"),
        ("dell'instalazione", "setup", "installazione"),
    ] {
        let answer = store.search(&SearchRequest::new(question)).await.unwrap();
        assert_eq!(uris(&answer.hits), [uri], "{question}");
        let note = format!("no `{question}`: searched for `{word}`");
        assert_eq!(answer.notes, [note]);
    }
    let italian = in_language("it", Language::Italian, "Gli studenti dell'università");
    store.put(vec![italian]).await.unwrap();
    let request = SearchRequest::new("dove sono gli studenti dell'universita");
    let answer = store.search(&request).await.unwrap();
    assert_eq!(uris(&answer.hits)[0], "it");
    assert_eq!(answer.notes, [""; 0]);
}

/// A word for each language that has a stemmer: with an accent where it has some, of which most decide the stem, and how
/// many letters of it say which word is meant.
const ACCENTED: &[(Language, &str, usize)] = &[
    (Language::Armenian, "գրադարաններ", 6),
    (Language::Basque, "kañoietan", 4),
    (Language::Catalan, "configuració", 6),
    (Language::Croatian, "čitaonicama", 5),
    (Language::Czech, "připojením", 5),
    (Language::Danish, "gennemførelse", 6),
    (Language::Dutch, "financiële", 5),
    (Language::English, "blancmangés", 5),
    (Language::Esperanto, "ĉirkaŭaĵo", 5),
    (Language::Estonian, "käivitamine", 5),
    (Language::Finnish, "käynnistetään", 6),
    (Language::French, "dépannées", 5),
    (Language::German, "Verfügbarkeit", 6),
    (Language::Greek, "εγκατάσταση", 5),
    (Language::Hindi, "किताबघर", 5),
    (Language::Hungarian, "telepítését", 5),
    (Language::Indonesian, "menyimpan", 5),
    (Language::Irish, "suiteáil", 4),
    (Language::Italian, "pubblicherò", 5),
    (Language::Lithuanian, "įrenginių", 5),
    (Language::Nepali, "विद्यालय", 3),
    (Language::Norwegian, "gjennomføring", 6),
    (Language::Persian, "بایگانی", 4),
    (Language::Polish, "komponentów", 6),
    (Language::Portuguese, "informações", 8),
    (Language::Romanian, "învățătorii", 5),
    (Language::Russian, "подключённый", 6),
    (Language::Serbian, "побољшање", 5),
    (Language::Spanish, "dejaríamos", 4),
    (Language::Swedish, "tillgänglighetär", 6),
    (Language::Tamil, "புத்தகங்கள்", 3),
    (Language::Turkish, "kullanmayı", 6),
    (Language::Ukrainian, "найближчий", 5),
    (Language::Yiddish, "שרײַבמאַשין", 6),
];

/// Returns a word of a document that begins with a code, which every language has as it is.
fn beside(language: Language) -> String {
    format!("kwz{language}")
}

async fn put_accented(store: &dyn Store) {
    let made = ACCENTED.iter().map(|&(language, word, _)| {
        let text = format!("{} {word}", beside(language));
        in_language(language.code(), language, &text)
    });
    store.put(made.collect()).await.unwrap();
}

pub async fn a_beginning_of_a_word_with_accents_is_completed(store: &dyn Store) {
    put_accented(store).await;
    for &(language, word, letters) in ACCENTED {
        let uri = language.code().to_owned();
        let beginning: String = word.chars().take(letters).collect();
        let completed = found(store, &format!("{beginning}*")).await;
        assert!(completed.contains(&uri), "{beginning}*: {completed:?}");
        let beside = beside(language);
        assert!(found(store, &beside).await.contains(&uri), "{beside}");
        let without = found(store, &format!("{beside} NOT {beginning}*")).await;
        assert!(!without.contains(&uri), "{beginning}*: {without:?}");
    }
}

pub async fn a_word_with_accents_is_what_is_corrected_to(store: &dyn Store) {
    put_accented(store).await;
    for &(language, word, letters) in ACCENTED {
        let uri = language.code().to_owned();
        let letter = word.chars().nth(letters - 1).unwrap();
        let at = word.char_indices().nth(letters).unwrap().0;
        let misspelt = format!("{}{letter}{}", &word[..at], &word[at..]);
        let corrected = found(store, &misspelt).await;
        assert!(corrected.contains(&uri), "{misspelt}: {corrected:?}");
        let excluding = format!("{} NOT {misspelt}", beside(language));
        let without = found(store, &excluding).await;
        assert!(!without.contains(&uri), "{excluding}: {without:?}");
    }
}

pub async fn a_short_word_with_accents_is_not_one_without(store: &dyn Store) {
    let documents = [
        ("hu", Language::Hungarian, "utat keres, ubt"),
        ("sv", Language::Swedish, "en bäck"),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    assert_eq!(found(store, "ubåt").await, [""; 0]);
    assert_eq!(found(store, "bäkc").await, ["sv"]);
}

pub async fn words_typed_without_accents_are_found_among_many_languages(store: &dyn Store) {
    put_accented(store).await;
    for &(language, word, _) in ACCENTED {
        let words = Analyzer::english().words(word);
        let plain = Analyzer::plain(words.iter().next().unwrap().0).to_owned();
        if !plain.is_ascii() {
            continue;
        }
        let answer = store.search(&SearchRequest::new(&plain)).await.unwrap();
        let found_by = uris(&answer.hits);
        assert!(found_by.contains(&language.to_string()), "{plain}");
        assert_eq!(answer.notes, [""; 0], "{plain}");
        let excluding = format!("{} NOT {plain}", beside(language));
        let without = found(store, &excluding).await;
        assert!(!without.contains(&language.to_string()), "{excluding}");
    }
    // Also where documents have another form of a word that is written so.
    let documents = [
        ("first", Language::French, "La première fois"),
        ("prime", Language::French, "Le premier ministre"),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    let answer = store.search(&SearchRequest::new("premiere")).await.unwrap();
    assert!(uris(&answer.hits).contains(&"first".to_owned()));
    assert_eq!(answer.notes, [""; 0]);
}

pub async fn what_words_with_accents_stand_for_is_named_as_documents_write_it(store: &dyn Store) {
    let text = "El servidor podría fallar y la aplicación dejaría de responder.";
    let made = in_language("es", Language::Spanish, text);
    let plain = in_language("plain", Language::Spanish, "Los otros vendrian tarde");
    store.put(vec![made, plain]).await.unwrap();
    for (question, uri, note) in [
        ("poddría", "es", "no `poddría`: searched for `podría`"),
        (
            "vendrían",
            "plain",
            "no `vendrían`: searched for `vendrian`",
        ),
    ] {
        let answer = store.search(&SearchRequest::new(question)).await.unwrap();
        assert_eq!(uris(&answer.hits), [uri], "{question}");
        assert_eq!(answer.notes, [note]);
    }
    assert_eq!(found(store, "podr*").await, ["es"]);
    assert_eq!(found(store, "servidor NOT podría*").await, [""; 0]);
    let answer = store
        .search(&SearchRequest::new("servidor NOT poddría"))
        .await;
    assert_eq!(answer.unwrap().hits, []);
}

pub async fn both_numbers_of_a_short_noun_are_found(store: &dyn Store) {
    let documents = [
        ("es", Language::Spanish, "El uso de un eje cada año"),
        ("it", Language::Italian, "Le ore di lavoro"),
        ("ru", Language::Russian, "Списки открытых файлов"),
        ("en", Language::English, "Set aliases for the vertices"),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    for (question, uri) in [
        ("usos", "es"),
        ("ejes", "es"),
        ("años", "es"),
        ("ora", "it"),
        ("список", "ru"),
        ("alias", "en"),
        ("vertex", "en"),
    ] {
        let answer = store.search(&SearchRequest::new(question)).await.unwrap();
        assert_eq!(uris(&answer.hits), [uri], "{question}");
        assert_eq!(answer.notes, [""; 0], "{question}");
    }
}
