//! Which words are stop words, and which language questions are told to be in.

use super::*;

mod asking;
mod corrections;
mod questions;

#[test]
fn a_word_tells_all_languages_that_it_is_a_stop_word_of() {
    let words = [
        "the",
        "The",
        "don't",
        "ourselves",
        "running",
        "die",
        "Die",
        "für",
        "fur",
        "și",
        "şi",
        "ở",
        "ấy",
        "и",
        "безъ",
        "la",
        "de_la",
        "안전",
        "安全",
        "are",
        "AND",
        "",
        "x",
    ];
    for word in words {
        let found = languages_of(word);
        for language in Language::all() {
            let is_one = is_stop_word(word, language);
            assert_eq!(found.has(language), is_one, "{word} {language}");
        }
    }
}

#[test]
fn the_lists_are_sorted() {
    assert!(STOP_WORDS.split(' ').is_sorted() && FRAME.is_sorted() && ALSO_ENGLISH.is_sorted());
}

#[test]
fn a_question_tells_its_language_by_stop_words_script_and_letters() {
    let languages = [
        Language::Chinese,
        Language::English,
        Language::French,
        Language::German,
        Language::Japanese,
        Language::Russian,
    ];
    for (question, told) in [
        ("What about sid?", Some(Language::English)),
        ("VPN mit OpenVPN", Some(Language::German)),
        ("настройка принтера", Some(Language::Russian)),
        ("プリンタの設定", Some(Language::Japanese)),
        ("创建帐号", Some(Language::Chinese)),
        ("設定", None),
        ("what does 設定 say there", Some(Language::English)),
        ("crontab syntax", None),
        ("Dateirechte ändern", Some(Language::German)),
        ("raid 5", None),
    ] {
        assert_eq!(
            StopWords::of(question, &languages).language(),
            told,
            "{question}"
        );
    }
    for name in ["die casting", "vitamin C", "pour point"] {
        let words = StopWords::of(name, &languages);
        let has_any = name.split(' ').any(|word| words.has(word));
        assert!(
            !has_any && words.language() != Some(Language::French),
            "{name}"
        );
    }
    let words = StopWords::of("die casting machine", &languages);
    assert!(words.has("die") && !words.is_frame("die"));
    let german = StopWords::of("so was Haus", &[Language::German]);
    assert_eq!(german.language(), Some(Language::German));
    let english = StopWords::of("so is this", &[Language::German]);
    assert_eq!(english.language(), Some(Language::English));
    let words = StopWords::of("how is it done", &languages);
    assert!(words.has("it") && !words.has("die"));
    assert!(words.is_frame("Is") && !words.is_frame("it"));
}

/// Reads a question to documents of which most are in English, and a few in each of some other languages.
fn among_mostly_english(question: &str) -> StopWords {
    let others = [
        Language::French,
        Language::Greek,
        Language::Italian,
        Language::Polish,
        Language::Portuguese,
        Language::Romanian,
        Language::Spanish,
    ];
    let chunks = others.map(|of| (of, 10)).into_iter();
    let chunks: Vec<(Language, u64)> = chunks.chain([(Language::English, 200)]).collect();
    let languages: Vec<Language> = chunks.iter().map(|(of, _)| *of).collect();
    StopWords::among(question, &languages, LanguageShares::of(&chunks))
}

#[test]
fn words_that_ask_decide_between_languages_with_as_many_stop_words() {
    for (question, stop_words) in [
        (
            "Quelle performance représente ce taux de 44.2% cette année-là ?",
            &["Quelle", "ce", "de", "cette"][..],
        ),
        (
            "Pourquoi la théorie reste incertaine ?",
            &["Pourquoi", "la"],
        ),
    ] {
        let words = among_mostly_english(question);
        assert_eq!(words.language(), Some(Language::French), "{question}");
        assert!(stop_words.iter().all(|of| words.has(of)), "{question}");
    }
    // English stays what it was.
    for question in [
        "die casting machine",
        "pour point of oil",
        "comment in code",
    ] {
        let told = among_mostly_english(question).language();
        assert!(told.is_none_or(|of| of == Language::English), "{question}");
    }
}

#[test]
fn stop_words_of_all_languages_that_are_as_likely_are_left_out() {
    let words = among_mostly_english("O que a monografia visa?");
    assert_eq!(words.language(), None);
    assert!(["O", "que", "a"].iter().all(|of| words.has(of)));
    assert!(!words.has("monografia") && !words.has("visa"));
    assert!(words.is_frame("que"));
    // They say nothing of English.
    let words = among_mostly_english("que software");
    assert!(!words.has("que"));
}

#[test]
fn a_few_quoted_words_in_another_alphabet_do_not_decide() {
    let words = among_mostly_english("Co w języku polskim oznacza εαν τι αιτησητε?");
    assert_eq!(words.language(), Some(Language::Polish));
    assert!(words.has("w") && !words.has("τι"));
    let words = among_mostly_english("τι είναι το this is not a function");
    assert_eq!(words.language(), Some(Language::Greek));
}

#[test]
fn a_word_in_another_script_than_the_question_is_a_name() {
    let languages = [
        Language::Arabic,
        Language::Chinese,
        Language::English,
        Language::Japanese,
        Language::Persian,
        Language::Russian,
        Language::Ukrainian,
    ];
    for (question, name, told) in [
        ("ключевое слово this", "this", None),
        ("ключове слово this", "this", None),
        ("оператор with", "with", None),
        ("this 关键字", "this", Some(Language::Chinese)),
        ("حلقة for", "for", Some(Language::Arabic)),
        ("what does для mean", "для", Some(Language::English)),
        (
            "яке значення за замовчуванням у функції",
            "this",
            Some(Language::Ukrainian),
        ),
    ] {
        let words = StopWords::of(question, &languages);
        assert!(!words.has(name), "{question}");
        if told.is_some() {
            assert_eq!(words.language(), told, "{question}");
        }
    }
    let words = StopWords::of("что такое this и для чего", &languages);
    assert!(words.has("что") && words.has("для") && !words.has("this"));
    assert!(!StopWords::of("слово this", &[]).has("this"));
}

#[test]
fn question_words_and_articles_are_in_it() {
    let words = "the What how is do dont don't DON\u{2019}T What's its any only because you're let's others \
                 themselves e.g.";
    for word in words.split(' ') {
        assert!(is_stop_word(word, Language::English), "{word}");
    }
    assert!(!is_stop_word("state", Language::English));
}

#[test]
fn words_with_the_stem_of_one_are_none() {
    let words = "owned Owning willing underlying overly canned theses doe outing downs";
    for word in words.split(' ') {
        assert!(!languages_of(word).has(Language::English), "{word}");
    }
    assert!(!StopWords::of("who owned it", &[]).has("owned"));
}

#[test]
fn other_languages_have_some() {
    for (language, word) in [
        (Language::German, "Für"),
        (Language::French, "dans"),
        (Language::Polish, "jest"),
        (Language::Russian, "на"),
        (Language::Czech, "který"),
    ] {
        assert!(is_stop_word(word, language), "{word}");
    }
    assert!(!is_stop_word("Haus", Language::German));
}

#[test]
fn what_documents_are_about_is_none() {
    for (language, words) in [
        (Language::Arabic, "علم نفس ب ج خمسة ثلاثون"),
        (Language::Bulgarian, "време"),
        (Language::Czech, "email design zprávy zpravy článek dva tři"),
        (Language::Irish, "céad fiche"),
        (Language::Persian, "۵ ۱۲ 5 شش دو"),
        (Language::Polish, "dwa dwie"),
        (Language::Russian, "два три"),
        (Language::Indonesian, "masalah waktu jumlah tahun"),
        (Language::Polish, "sposób roku"),
        (Language::Romanian, "data față"),
        (Language::Spanish, "estado sentido"),
        (Language::Vietnamese, "dữ cơ sở số"),
    ] {
        for word in words.split(' ') {
            assert!(!is_stop_word(word, language), "{word}");
        }
    }
    for (language, words) in [
        (Language::Czech, "který protože jsou"),
        (Language::Indonesian, "yang dengan untuk"),
        (Language::Polish, "się który"),
        (Language::Romanian, "și şi si pentru"),
        (Language::Spanish, "están cuando"),
        (Language::Vietnamese, "của không những"),
    ] {
        for word in words.split(' ') {
            assert!(is_stop_word(word, language), "{word}");
        }
    }
}

#[test]
fn a_word_with_other_accents_is_another_word() {
    let is_one = |word| is_stop_word(word, Language::German);
    assert!(is_one("für") && is_one("fur") && is_one("Über") && is_one("andern"));
    assert!(!is_one("ändern") && !is_one("schön"));
    let is_one = |word| is_stop_word(word, Language::Swedish);
    assert!(is_one("är") && !is_one("år"));
}

#[test]
fn a_word_without_tones_is_another_one_in_a_question_with_tones() {
    let has = |question: &str, word: &str| {
        let stop_words = StopWords::of(question, &[Language::Vietnamese]);
        stop_words.has(word)
    };
    let toned = "tình hình di cư của nước Anh khi đi";
    for word in ["của", "khi", "Khi", "đi"] {
        assert!(has(toned, word), "{word}");
    }
    for word in ["di", "cua", "Anh", "quyết"] {
        assert!(!has(toned, word), "{word}");
    }
    assert!(has("tinh hinh di cu cua", "cua") && has("khi nao di", "di"));
}

#[test]
fn function_words_are_in_it_in_all_their_forms() {
    for (language, words) in [
        (
            Language::Ukrainian,
            "і й та у в на зі з із за до від по при над під яка які якої яким або але якщо не через після свій його \
             кому чим мені буде можуть",
        ),
        (
            Language::Turkish,
            "bir ve kadar göre olan olarak hangi değil bunu onların benim nasıl önce",
        ),
        (Language::Hindi, "क्या कैसे कब कहाँ क्यों मुझे हमारा उसका जिसमें"),
        (
            Language::Greek,
            "ένας ένα μια στους μπορώ έχει εμείς ποιος πόσο",
        ),
        (
            Language::Russian,
            "который которую которых это эта этими кому почему сколько наш каждый могут",
        ),
        (Language::Bulgarian, "какви кого онези нейна можем"),
        (Language::Serbian, "и у на који којих како где није"),
        (Language::Armenian, "ինչ որտեղ երբ"),
        (Language::Arabic, "لماذا بدون"),
        (Language::Hebrew, "כמה איזה"),
    ] {
        let asked = StopWords::of(words, &[language]);
        for word in words.split(' ') {
            assert!(asked.has(word), "{language} {word}");
        }
    }
    for (language, question) in [
        (Language::Danish, "hvordan hvornår hvorfor"),
        (Language::Dutch, "waarom welke wanneer"),
        (Language::Hungarian, "hol mennyi melyik"),
        (Language::Estonian, "kuidas millal kus"),
        (Language::Croatian, "zašto gdje koliko"),
        (Language::Czech, "komu jaká odkud"),
        (Language::Indonesian, "siapakah dimana setiap"),
    ] {
        for word in question.split(' ') {
            assert!(has_only_stop_words(word, language), "{word}");
        }
    }
}

#[test]
fn words_that_also_carry_content_are_none() {
    for (language, words) in [
        (Language::Ukrainian, "слід мов коло"),
        (Language::Turkish, "doğru yalnız dur"),
        (Language::Hindi, "मत"),
        (Language::Greek, "μέσα"),
        (Language::Serbian, "код око ради"),
        (Language::Indonesian, "sebab"),
        (Language::Finnish, "voi"),
    ] {
        for word in words.split(' ') {
            assert!(!has_only_stop_words(word, language), "{word}");
        }
    }
}

#[test]
fn close_languages_that_share_stop_words_are_told_by_others() {
    let languages = [
        Language::Bulgarian,
        Language::Russian,
        Language::Serbian,
        Language::Ukrainian,
    ];
    for (question, told) in [
        (
            "как настроить почту, которая есть на сервере",
            Language::Russian,
        ),
        ("кому можна надати доступ на сервер", Language::Ukrainian),
        ("како могу да видим ово на диску", Language::Serbian),
        ("каква е цената на билета", Language::Bulgarian),
    ] {
        let words = StopWords::of(question, &languages);
        assert_eq!(words.language(), Some(told), "{question}");
    }
}

#[test]
fn a_question_is_not_told_by_a_word_that_english_has_or_by_a_rare_language() {
    let languages = [
        Language::Catalan,
        Language::English,
        Language::Esperanto,
        Language::French,
        Language::German,
        Language::Irish,
        Language::Italian,
    ];
    for (question, told) in [
        (
            "difference entre require et include",
            Some(Language::French),
        ),
        ("wie ist das Handy am Steuer", Some(Language::German)),
        ("quin és el fitxer amb les dades", Some(Language::Catalan)),
        (
            "kie estas la dosiero kaj kiel mi trovas ĝin",
            Some(Language::Esperanto),
        ),
    ] {
        let words = StopWords::of(question, &languages);
        assert_eq!(words.language(), told, "{question}");
    }
    for question in [
        "POST /v2/droplets",
        "rate limit 5000 requests per hour",
        "marinade 200°C chicken",
        "client-output-buffer-limit",
        "create volume snapshot droplet",
        "route parameters",
        "comment syntax rules",
    ] {
        let told = StopWords::of(question, &languages).language();
        assert!(matches!(told, None | Some(Language::English)), "{question}");
    }
    // English and German have `am`.
    let words = StopWords::of("Handy am Steuer", &[Language::English, Language::German]);
    assert_eq!(words.language(), None);
}

#[test]
fn words_that_only_build_questions_are_stop_words_there() {
    let french = StopWords::of(
        "quelle part puis-je donner si j'ai trois enfants",
        &[Language::French],
    );
    for word in ["Quelle", "puis-je", "peut-on", "si", "j'ai", "j\u{2019}ai"] {
        assert!(french.has(word), "{word}");
    }
    for word in ["donner", "l'enfant", "peut-enfant", "trois"] {
        assert!(!french.has(word), "{word}");
    }
    let german = StopWords::of(
        "wie mindert man die Miete wegen Schimmel",
        &[Language::German],
    );
    assert!(german.has("wegen") && !german.has("Miete"));
    let english = StopWords::of("how is the built-in on-off switch used", &[]);
    assert!(!english.has("on-off"));
}

#[test]
fn a_question_is_in_a_language_that_more_than_a_few_documents_are_in() {
    let mostly_catalan = [
        (Language::Catalan, 2_000),
        (Language::English, 1),
        (Language::Italian, 5),
        (Language::Spanish, 14),
    ];
    let hardly_english = [
        (Language::English, 2),
        (Language::Hungarian, 297),
        (Language::Polish, 276),
        (Language::Turkish, 258),
    ];
    let told = |question: &str, chunks: &[(Language, u64)]| {
        let languages: Vec<Language> = chunks.iter().map(|(of, _)| *of).collect();
        StopWords::among(question, &languages, LanguageShares::of(chunks)).language()
    };
    for question in [
        "codi de la circulació",
        "codi penal",
        "quina és la velocitat màxima",
        "llei del registre",
        "POST droplets",
    ] {
        let told = told(question, &mostly_catalan);
        assert_eq!(told, Some(Language::Catalan), "{question}");
    }
    let english = told("what is the speed of the code", &mostly_catalan);
    assert_eq!(english, Some(Language::English));
    let spanish = told("cuáles son los límites para ellos", &mostly_catalan);
    assert_eq!(spanish, Some(Language::Spanish));
    for question in [
        "licenc",
        "magatartasi kodex",
        "README yazmak",
        "docker logs",
    ] {
        let told = told(question, &hardly_english);
        assert_ne!(told, Some(Language::English), "{question}");
    }
    let turkish = told("iş yükünün paylaşılması", &hardly_english);
    assert_eq!(turkish, Some(Language::Turkish));
}

#[test]
fn a_word_with_a_letter_that_english_lacks_is_no_stop_word_of_it() {
    for word in ["iş", "thé", "tø", "ás"] {
        assert!(!is_stop_word(word, Language::English), "{word}");
    }
    assert!(is_stop_word("don\u{2019}t", Language::English));
}
