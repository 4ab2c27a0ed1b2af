//! What becomes of texts.

use proptest::prelude::*;

use super::word::MAX_TERM_BYTES;
use super::*;

mod composed;
mod finnish;
mod letters;
mod marks;
mod numbers;
mod questions;

/// Checks the terms of a text, with a bar between those of one position.
fn check_in(language: Language, text: &str, expected: &str) {
    let terms = Analyzer::for_language(language).terms(text);
    let terms = terms.replace(BESIDE, "|");
    assert_eq!(terms, expected, "terms of {text:?} in {language}");
}

fn check(text: &str, expected: &str) {
    check_in(Language::English, text, expected);
}

/// Returns whether a question of one word finds another in a document: whether any alternative of it
/// stands there in a row.
fn meets(question: &str, document: &str, languages: &[Language], language: Language) -> bool {
    let analyzer = Analyzer::for_language(language);
    let terms = analyzer.terms(document);
    let positions: Vec<Vec<&str>> = terms
        .split(' ')
        .map(|at| at.split(BESIDE).collect())
        .collect();
    let stands = |sequence: &Sequence| {
        let sequence = &sequence.terms;
        positions.windows(sequence.len()).any(|window| {
            let mut pairs = window.iter().zip(sequence);
            pairs.all(|(at, term)| at.contains(&term.as_str()))
        })
    };
    let readings = Analyzer::readings(question, languages);
    assert!(!readings.is_empty(), "{question}");
    readings.iter().all(|reading| {
        let mut sequences = reading.alternatives.iter().flat_map(|of| &of.sequences);
        sequences.any(stands)
    })
}

fn check_meets(words: &[&str]) {
    for question in words {
        for document in words {
            let meets = meets(question, document, &[Language::English], Language::English);
            assert!(meets, "{question} should find {document}");
        }
    }
}

fn check_apart(question: &str, document: &str) {
    let meets = meets(question, document, &[Language::English], Language::English);
    assert!(!meets, "{question} should not find {document}");
}

#[test]
fn paths_that_links_lead_to_are_no_text() {
    let terms = |text| Analyzer::english().terms(text);
    assert_eq!(
        terms("see [the parser](library/html.parser.html#html) now"),
        "see the parser now"
    );
    assert_eq!(
        terms("[top](#top) [a](b.md \"Title\") ![](img/x.png)"),
        "top a titl"
    );
    assert_eq!(terms("[a](x_(y).html) b"), "a b");
    assert!(terms("[a](https://example.org/guide)").contains("guid"));
    assert_eq!(terms("f[i](event)"), "f i event");
    // What is not closed is text.
    assert_eq!(terms("[a](b.md"), "a b.md".replace("b.md", &terms("b.md")));
}

#[test]
fn words_are_lowered_folded_and_stemmed() {
    check("Running cafés, QUICKLY!", "run cafe quick");
    check("naïve Ångström ﬁne", "naiv angstrom fine");
    check("Straße ΑΘΉΝΑ Москва", "strass αθην москв");
    check("\u{37a}", "");
    check("Ｆｕｌｌ ｗｉｄｔｈ", "full width");
    check("Da\u{ad}ten re\u{200d}ad", "daten read");
}

#[test]
fn identifiers_are_kept_whole_and_in_parts() {
    check("read_chunks", "readchunk|read chunk");
    check("useState()", "usest|use state");
    check("usestate", "usest");
    check("HTTPServer", "httpserver|http server");
    check("APIs URLs APIs-based", "api url apisbas|api base");
    check("foo.bar", "foobar|foo bar");
    check("self.setIndex()", "selfsetindex|self set|setindex index");
    check("foo.x_read.of", "fooxreadof|foo read|xread of");
    check("__init__ _x", "init x");
    check("sha256 utf8 x86", "sha256|sha utf8|utf x86");
    check("tokio::spawn", "tokio spawn");
    check("state-of-the-art", "stateoftheart|state of the art");
}

#[test]
fn compounds_meet_however_they_are_joined() {
    check_meets(&["node.js", "nodejs", "Node.JS", "NodeJS"]);
    check_meets(&[
        "read_chunks",
        "readChunks",
        "ReadChunks",
        "read-chunks",
        "readchunks",
    ]);
    check_meets(&["e-mail", "email", "E-Mail", "e\u{2011}mails"]);
    check_meets(&["ORA-00942", "ORA00942", "ora-00942"]);
    check_meets(&["HTTP/2", "HTTP2", "http/2"]);
    check_meets(&["utf-8", "utf8", "UTF_8"]);
    check_meets(&["GPT-4", "gpt4"]);
    check_meets(&["well-known", "wellknown"]);
    check_meets(&["10-K", "10K"]);
    check_meets(&["R&D", "RD"]);
    let is_met = |question: &str| meets(question, "app.readChunks(1)", &[], Language::English);
    assert!(is_met("readchunks") && is_met("read_chunks") && !is_met("appread"));
    check_meets(&["I/O", "IO", "i/o"]);
    check("C/C++ /a/b A/B-x I/O.", "c c++ a b a bx io");
    check("5 m/s, 3V/m, 2 J/s.", "5 m s 3v m 2 j s");
    check_apart("ms", "m/s");
    check_apart("m/s", "ms");
    check_apart("VM", "V/m");
    check_meets(&["m/s", "m / s"]);
    check_apart("abtxt", "a/b.txt");
    assert!(meets("b.txt", "a/b.txt", &[], Language::English));
}

#[test]
fn parts_of_a_single_character_are_no_terms() {
    check("e.g. i.e. a.k.a.", "eg ie aka");
    check("the U.S. market", "the us market");
    check("x-ray e-mail", "xray|ray email|mail");
    check_apart("e.g.", "e");
    check_apart("U.S.", "u s");
}

#[test]
fn signs_belong_to_the_names_of_languages() {
    check("C++, C# and F#.", "c++ c# and f#");
    check("c++17 count++ A+ g++", "c++17|c++ count++|count a+ g++");
    check("a+b x + y #1 C", "a b x y 1 c");
    check(".NET and dotnet", "dotnet|net and dotnet");
    check("ASP.NET .NET-based", "aspnet|asp net dotnet|net base");
    check_meets(&[".NET", "dotnet", ".net"]);
    for (one, other) in [
        ("C++", "C"),
        ("C#", "C"),
        ("C", "C++"),
        ("F#", "F"),
        ("C#", "C++"),
    ] {
        check_apart(one, other);
    }
    assert!(meets("c++", "c++17", &[], Language::English));
}

#[test]
fn a_flag_is_a_term_beside_its_word() {
    check("git commit -m now", "git commit -m|m now");
    check("npm --force `-Recurse`", "npm -force|forc -recurse|recurs");
    check("(--no-verify|-n)", "-noverify|noverifi|no verifi -n|n");
    check("--output=FILE kill -9", "-output|output file kill -9|9");
    check("- item -- x a-b foo-m --- y", "item x ab foom|foo y");
    check("**-n** _-J_ *--max*", "-n|n -J|j -max|max");
    check(r"\fB\-n\fP or \-\-max", "fb|fbn|bn -n|n fp or -max|max");
    check("-12.5 -300 1-2", "12.5|12 300 1 2");
    check("-5°C -5 °C -7% -7\u{a0}%", "5 c 5 c 7 7");
    check_apart("foo-m", "-m");
    assert!(meets("--force", "-Force", &[], Language::English));
    assert!(meets("--force", "forced", &[], Language::English));
}

#[test]
fn a_name_with_its_sign_is_a_term_beside_it() {
    check("@Run and (@top-row)", "@run|run and @toprow|toprow|top row");
    check("me@top.org @ 5 @5", "me toporg|top org 5 5");
    check("**@run**", "@run|run");
    assert!(meets("@run", "@Run", &[], Language::English));
    assert!(meets("run", "@Run", &[], Language::English));
}

#[test]
fn punctuation_round_words_is_dropped() {
    check("The end. Next", "the end next");
    check("(a, b); \"c\" 'd'", "a b c d");
    check("col:val * ^ NEAR( ')); drop", "col val near drop");
    check("... _ __ -", "");
    check("docs/2024/file a/b/c and/or", "doc 2024 file a b c and or");
    check("\u{2708}\u{fe0f}", "\u{2708}");
}

#[test]
fn possessives_and_contractions_lose_their_tail() {
    check("the cat's what's dogs'", "the cat what dog");
    check("don\u{2019}t", "dont");
}

#[test]
fn british_spellings_are_american_ones() {
    for words in [
        ["colour", "color"],
        ["colours", "colors"],
        ["behaviour", "behavior"],
        ["organisation", "organization"],
        ["organise", "organize"],
        ["optimising", "optimizing"],
        ["analysed", "analyzed"],
        ["centre", "center"],
        ["centred", "centered"],
        ["modelling", "modeling"],
        ["cancelled", "canceled"],
        ["defence", "defense"],
        ["catalogue", "catalog"],
        ["programme", "program"],
        ["grey", "gray"],
    ] {
        check_meets(&words);
    }
    check("exercise precise four hour", "exercis precis four hour");
    check("programmer wise size", "programm wise size");
}

#[test]
fn what_is_elided_is_cut_in_every_document() {
    check_in(
        Language::French,
        "L’installation d'un qu'il aujourd'hui",
        "install un il aujourdhui",
    );
    check_in(
        Language::Italian,
        "dell'acqua L’installazione",
        "acqua install",
    );
    check(
        "l'installation d'Artagnan don't O'Reilly",
        "instal artagnan dont oreilli",
    );
    check_in(Language::Turkish, "İstanbul'da", "istanbul");
}

#[test]
fn words_in_capitals_are_those_in_small_letters() {
    let turkish = |text: &str| Analyzer::for_language(Language::Turkish).terms(text);
    for (capitals, small) in [
        ("YÖNETİCİ PANELİ", "yönetici paneli"),
        ("İŞLEVSELLİĞİ İŞLETİM", "işlevselliği işletim"),
        ("ÇALIŞIR KULLANICILAR", "çalışır kullanıcılar"),
        ("API INPUT", "api input"),
    ] {
        assert_eq!(turkish(capitals), turkish(small), "{capitals}");
    }
    check("İSTANBUL", "istanbul");
    check_in(
        Language::German,
        "LANDESBEHÖRDEN",
        &Analyzer::for_language(Language::German)
            .terms("landesbehörden")
            .replace(BESIDE, "|"),
    );
}

#[test]
fn words_of_hindi_are_the_same_in_each_spelling() {
    let terms = |text: &str| Analyzer::for_language(Language::Hindi).terms(text);
    for [one, other] in [
        ["फाइल", "फ़ाइल"],
        ["फाइल", "\u{95e}ाइल"],
        ["सडक", "सड़क"],
        ["ब्राउजर", "ब्राउज़र"],
        ["हिंदी", "हिन्दी"],
        ["संबंध", "सम्बन्ध"],
        ["अंक", "अङ्क"],
        ["पाँच", "पांच"],
    ] {
        assert_eq!(terms(one), terms(other), "{one}");
    }
    // These are no marks of the consonant that follows.
    assert_ne!(terms("जन्म"), terms("जंम"));
    assert_ne!(terms("अन्य"), terms("अंय"));
}

#[test]
fn the_letter_that_is_an_apostrophe_is_one() {
    let terms = |text: &str| Analyzer::for_language(Language::Ukrainian).terms(text);
    assert_eq!(terms("обʼєкт зв\u{2bc}язок"), terms("об'єкт зв’язок"));
    assert_eq!(terms("обʼєкт"), terms("об’єкт"));
    let words = |text| {
        let words = Analyzer::for_language(Language::Ukrainian).words(text);
        let mut words: Vec<_> = words.iter().map(|(word, _)| word.to_owned()).collect();
        words.sort();
        words
    };
    assert_eq!(words("обʼєкт"), words("об'єкт"));
}

#[test]
fn persian_words_meet_however_their_parts_are_joined() {
    let persian = &[Language::Persian];
    let meets = |question, document| meets(question, document, persian, Language::Persian);
    assert!(meets("زنجیره", "زنجیره‌ای"));
    assert!(meets("زنجیره ای", "زنجیره‌ای"));
    assert!(meets("زنجیره‌ای", "زنجیره ای"));
    assert!(meets("کتاب", "کتاب‌ها") && meets("کتاب‌ها", "کتابها"));
    // In other scripts it only says how letters look.
    check_in(Language::German, "Auf\u{200c}lage", "auflag");
}

#[test]
fn words_are_stemmed_in_the_language_of_their_script() {
    check_in(Language::Russian, "Установки Running", "установк run");
    check("running установки", "run установк");
    check_in(
        Language::German,
        "Häuser Haeuser Straße Strasse",
        "haus haus strass strass",
    );
    check_in(
        Language::German,
        "Versicherungsvertrag",
        "versicherungsvertrag|~versicher|~vertrag",
    );
    check_in(Language::Arabic, "التثبيت كِتَاب ١٢", "تثبيت كتاب 12");
    check_in(Language::Thai, "๒๕๖๔ ១២ ২১", "2564 12 21");
    check_in(Language::Hebrew, "התוכנה שָׁלוֹם", "תוכנ לום");
}

#[test]
fn a_part_of_a_german_compound_is_less_than_the_word() {
    let german = [Language::German];
    let (law, flats) = ("Eigentum verpflichtet", "Wohnungseigentum verpflichtet");
    assert!(meets("Eigentum", flats, &german, Language::German));
    let rows = Analyzer::in_a_row(law, &german);
    let rows: Vec<_> = rows.iter().map(|row| row.terms.join(" ")).collect();
    let terms = |text| Analyzer::for_language(Language::German).terms(text);
    assert_eq!(rows, [terms(law)]);
    let of_flats = terms(flats);
    let of_flats: Vec<_> = of_flats.split([' ', BESIDE]).collect();
    assert!(of_flats.contains(&"~eigentum") && !of_flats.contains(&"eigentum"));
    // A compound of the question stands for itself in a row, and what is in quotes for no more.
    let row = Analyzer::in_a_row("Wohnungseigentum", &german);
    assert_eq!(row[0].terms.len(), 1);
    let mut read = Analyzer::readings("Wohnungseigentum", &german);
    assert_eq!(read[0].alternatives.len(), 3);
    read[0].keep_whole();
    let forms: Vec<_> = read[0].alternatives.iter().map(|of| of.form).collect();
    assert_eq!(forms, [Form::Whole]);
    // In English, it is a word as any other.
    let english = Analyzer::readings("Eigentum", &[Language::English]);
    assert_eq!(english[0].alternatives.len(), 1);
}

#[test]
fn text_without_spaces_becomes_pairs_of_characters() {
    check("検索する", "検索|検 索す|索 する");
    check("字", "字");
    check("Rust言語の入門", "rust 言語|言 語の|語 の入 入門|入|門");
    check("한국어 검색", "한국|한 국어|국|어 검색|검|색");
    check("ｶﾞｲﾄﾞ", "ガイ イド");
    check("⽂⾔", "文言|文|言");
    assert!(meets("文", "中文", &[], Language::English));
    assert!(meets("ガイド", "ｶﾞｲﾄﾞ", &[], Language::English));
}

#[test]
fn a_reading_does_not_part_the_characters_around_it() {
    let expected = "漢字|漢 字の|字|かん|んじ の読|読";
    for text in [
        "漢字《かんじ》の読",
        "漢字(かんじ)の読",
        "漢字（かんじ）の読",
    ] {
        check(text, expected);
    }
    check("漢(かん)字(じ)の", "漢字|漢|かん 字の|字|じ");
    check("この｜字《じ》", "この の字|字|じ");
    check("字《じ》。次", "字|じ 次");
    check("小说《红楼》中", "小说|小|说 红楼|红|楼 中");
    check("名｜値《", "名 値");
    check("漢字(かんじ", "漢字|漢|字 かん んじ");
}

#[test]
fn pictographs_are_terms_of_their_own() {
    check("ship it 🚀🎉", "ship it 🚀 🎉");
    check("press ⌘ ⏱⏎", "press ⌘ ⏱ ⏎");
}

#[test]
fn long_words_are_indexed_by_their_beginning() {
    let terms = Analyzer::english().terms(&"x".repeat(5_000));
    assert_eq!(terms, "x".repeat(MAX_TERM_BYTES));
}

#[test]
fn a_term_points_to_its_word() {
    let text = "see read_chunks, twice -m l'école";
    let mut words = Vec::new();
    Analyzer::english().for_each(text, |_, span| words.push(span.of(text)));
    let expected = [
        "see",
        "read_chunks",
        "read",
        "chunks",
        "twice",
        "-m",
        "m",
        "école",
    ];
    assert_eq!(words, expected);
}

proptest! {
    #[test]
    fn terms_hold_nothing_that_a_query_language_reads(text in any::<String>(), place in 0_usize..40) {
        let language = Language::all().nth(place).unwrap();
        Analyzer::for_language(language).for_each(&text, |term, span| {
            assert!(!term.is_empty());
            assert!(!term.contains(|c: char| c.is_whitespace() || "'\"*()^:_\0".contains(c)));
            assert!(!term.trim_start_matches('-').contains('-'), "{term}");
            assert!(term.len() <= MAX_TERM_BYTES);
            assert!(span.end <= text.len());
        });
    }

    #[test]
    fn every_stemmer_takes_every_word(word in "\\PC{1,40}|[a-zäöüßéèçñåøœæ']{1,30}|[а-яіїєґ]{1,20}|[\u{600}-\u{6ff}]{1,20}|[α-ωάέή]{1,20}|[\u{900}-\u{97f}]{1,20}|[\u{b80}-\u{bff}]{1,20}|[\u{530}-\u{58f}]{1,20}|[\u{590}-\u{5ff}]{1,20}|[a-ząćęłńóśźżčďěňřšťůžőűğışțăîëïàâêôûäāēīūūėįų]{1,30}") {
        for language in Language::all() {
            let _ = language.stem(&word);
        }
    }
}
