//! How questions are read.

use super::variants::PART_WEIGHT;
use super::words::MAX_WORDS;
use super::*;
use crate::{Clause, Variant};

fn parse(text: &str) -> Query {
    Query::parse(text, &[]).unwrap()
}

/// Writes what is scored: terms, with how often where that is more than once.
fn scored(query: &Query) -> Vec<String> {
    let shown = |clause: &Clause| {
        let terms = clause.variants.first().map(Variant::shown);
        let times = if clause.weight > 1.0 {
            format!("×{}", clause.weight)
        } else {
            String::new()
        };
        terms.unwrap_or_else(|| format!("{}*", clause.typed)) + &times
    };
    query.clauses.scored.iter().map(shown).collect()
}

fn conditions(conditions: &[Vec<Variant>]) -> Vec<String> {
    conditions.iter().map(|of| of[0].shown()).collect()
}

#[test]
fn stop_words_are_left_out_unless_there_is_nothing_else() {
    let query = parse("what is the state of the art");
    assert_eq!(scored(&query), ["state", "art"]);
    assert_eq!(query.reading().left_out, ["what", "is", "the", "of"]);
    assert_eq!(scored(&parse("to be or not to be"))[..2], ["to×2", "be×2"]);
}

#[test]
fn a_token_of_stop_words_is_left_out_beside_other_words() {
    for (question, language, token) in [
        ("Par qui est-il élevé ?", Language::French, "est-il"),
        (
            "Qu'est-elle pour Stephen ?",
            Language::French,
            "Qu'est-elle",
        ),
        ("dintr-un motiv", Language::Romanian, "dintr-un"),
        ("Из-за пожара", Language::Russian, "Из-за"),
    ] {
        let query = Query::parse(question, &[language]).unwrap();
        let mut scored = query.clauses.scored.iter();
        assert!(scored.all(|of| of.typed != token), "{question}");
        let left_out = query.reading().left_out.iter();
        let times = left_out.filter(|of| *of == token).count();
        assert_eq!(times, 1, "{question}");
    }
    let alone = Query::parse("est-il", &[Language::French]).unwrap();
    assert_eq!(alone.clauses.scored.len(), 3);
    assert_eq!(scored(&parse("how is it well-known"))[2], "well known");
}

#[test]
fn a_single_capital_is_a_word() {
    let languages = [Language::English, Language::Czech];
    let query = Query::parse("co je vitamin K", &languages).unwrap();
    assert_eq!(scored(&query), ["vitamin", "k", "vitamin k"]);
    assert_eq!(scored(&parse("vitamins I need")), ["vitamin", "need"]);
}

#[test]
fn the_word_that_asks_for_a_meaning_says_nothing() {
    for (question, expected) in [
        ("what does MSRV mean here?", &["msrv"][..]),
        ("What do `-m` and `-a` mean", &["-m", "-a"]),
        ("what does MSRV stand for", &["msrv"]),
        // Here it is what is asked for.
        ("what does the mean say", &["mean", "say", "mean say"]),
        ("mean and variance", &["mean", "varianc"]),
        ("what does mean mean", &["mean×2"]),
    ] {
        assert_eq!(scored(&parse(question)), expected, "{question}");
    }
    assert!(
        parse("what does MSRV mean")
            .reading()
            .left_out
            .contains(&"mean".to_owned())
    );
}

#[test]
fn the_sign_of_a_number_says_nothing() {
    for sign in ["Nº", "N°", "Nr.", "no.", "Núm."] {
        let query = parse(&format!("Ley {sign} 17250"));
        assert_eq!(query.reading().left_out.len(), 1, "{sign}");
        let typed = query.reading().words.iter().map(|word| &*word.typed);
        assert_eq!(typed.collect::<Vec<_>>(), ["Ley", "17250"], "{sign}");
    }
    assert_eq!(scored(&parse("Nr. of words")), ["nr", "word"]);
}

#[test]
fn a_word_that_stands_twice_counts_twice() {
    let query = parse("reading chunks: read the chunk, reads");
    assert_eq!(scored(&query), ["read×3", "chunk×2"]);
    assert_eq!(query.reading().words[0].typed, "reading");
}

#[test]
fn a_date_of_several_words_counts_as_more_than_one() {
    let first = |question: &str| {
        let clause = parse(question).clauses.scored.swap_remove(0);
        (clause.typed, clause.weight, clause.variants[0].weight)
    };
    for typed in ["6 December 2011", "December 6, 2011"] {
        let question = format!("{typed} rector");
        assert_eq!(first(&question), (typed.to_owned(), 1.0, 2.5));
    }
    // Neither what is one word nor another number is one.
    for question in ["2011-12-06 rector", "12 000 rector", "10 MB rector"] {
        let (typed, clause, variant) = first(question);
        assert!(clause * variant <= 1.0, "{typed}");
    }
}

#[test]
fn quoted_words_in_prose_only_rank() {
    let query = parse("fast \"state of the art\" tools");
    assert_eq!(
        scored(&query),
        ["fast", "state", "art", "state of the art", "tool"]
    );
    assert_eq!(query.clauses.required, [] as [Vec<Variant>; 0]);
}

#[test]
fn quoted_words_alone_are_required() {
    let query = parse("\"state of the art\"");
    assert_eq!(conditions(&query.clauses.required), ["state of the art"]);
    assert_eq!(scored(&query), ["state", "art", "state of the art"]);
    assert_eq!(conditions(&parse("\"state\"").clauses.required), ["state"]);
}

#[test]
fn operators_become_conditions() {
    let query = parse("alpha AND \"beta gamma\" NOT delta -\"first try\"");
    assert_eq!(conditions(&query.clauses.required), ["alpha", "beta gamma"]);
    assert_eq!(conditions(&query.clauses.excluded), ["delta", "first tri"]);
    assert_eq!(query.reading().excluded, ["delta", "first try"]);
    let identifier = parse("x NOT read_chunks").clauses.excluded.remove(0);
    let terms: Vec<_> = identifier.iter().map(Variant::shown).collect();
    assert_eq!(terms[1], "read chunk");
}

#[test]
fn a_question_that_only_excludes_is_read_as_words() {
    assert_eq!(scored(&parse("NOT working")), ["work"]);
    assert_eq!(scored(&parse("-\"first try\""))[0], "first");
    assert!(parse("NOT working").reading.only_excluded);
    assert!(!parse("NOT working apple").reading.only_excluded);
}

#[test]
fn or_between_words_is_not_searched_for() {
    assert_eq!(scored(&parse("kiwi OR mango")), ["kiwi", "mango"]);
    assert_eq!(scored(&parse("-\"kiwi\" OR -\"mango\"")), ["kiwi", "mango"]);
    assert_eq!(scored(&parse("KIWI OR MANGO")), ["kiwi", "mango"]);
}

#[test]
fn two_words_side_by_side_are_looked_for_in_a_row() {
    for (question, expected) in [
        ("trade secrets", &["trade", "secret", "trade secret"][..]),
        (
            "what is a trade secret",
            &["trade", "secret", "trade secret"],
        ),
        ("secrets of trade", &["secret", "trade"]),
        ("trade secrets act", &["trade", "secret", "act"]),
        ("depth = limit;", &["depth", "limit", "depth limit"]),
        ("node->child", &["node", "child", "node child"]),
        ("secrets secret", &["secret×2"]),
        ("secrets", &["secret"]),
        ("trade OR secrets", &["trade", "secret"]),
    ] {
        assert_eq!(scored(&parse(question)), expected, "{question}");
    }
}

#[test]
fn a_stop_word_that_only_links_two_words_is_in_no_row() {
    for (question, expected) in [
        ("What is the outlook for Schizencephaly ?", &[][..]),
        ("Who did internet2 partner with", &[]),
        ("value onChange will", &["value onChange"]),
        ("from Rust trpl", &["Rust trpl"]),
        ("with litellm proxy", &["litellm proxy"]),
        // These say something of the word beside them.
        ("log out", &["log out"]),
        ("log out users", &["log out", "out users"]),
        ("for loop", &["for loop"]),
        ("python for loop", &["for loop"]),
        ("sql from clauses", &["from clauses"]),
        ("vitamin A deficiency", &["vitamin A"]),
        // It is not only between two words.
        ("partner with", &["partner with"]),
    ] {
        let query = parse(question);
        let words = query.reading().words.iter();
        let rows = words.filter(|of| of.kind == WordKind::Phrase);
        let rows: Vec<&str> = rows.map(|of| &*of.typed).collect();
        assert_eq!(rows, expected, "{question}");
    }
}

#[test]
fn a_compound_scores_as_one() {
    let query = parse("readChunks");
    let shown: Vec<_> = query.clauses.scored[0]
        .variants
        .iter()
        .map(|of| (of.shown(), of.weight > PART_WEIGHT))
        .collect();
    assert_eq!(query.clauses.scored.len(), 1);
    assert_eq!(
        shown[1..],
        [
            ("read chunk".to_owned(), true),
            ("read".to_owned(), false),
            ("chunk".to_owned(), false)
        ]
    );
    assert_eq!(
        scored(&parse("well-known text")),
        ["well", "known", "well known", "text"]
    );
    assert_eq!(scored(&parse("e-mail")), ["email"]);
}

#[test]
fn signs_between_words_are_named() {
    for (text, expected) in [
        ("what does ->> do", &["->>"][..]),
        ("the ?? operator and `=>`", &["??", "=>"]),
        ("a - b -- c ... \"what?\" so on : (c) !", &[]),
        ("que faire ?", &[]),
        ("que faire ? Rien ! Non a ? b", &["?"]),
        ("on peut partir ? oui, et après ! à quoi bon", &[]),
        ("flag ? yes : no", &["?"]),
        ("can I see / browse my 5 KB / MB of pear & plum?", &[]),
        ("5 / 2 and a / b and f() & g()", &["/", "&"]),
        ("a % b & c ! d", &["%", "&", "!"]),
        ("x ≤ 5 @ 20 ° and **", &["≤", "@", "°", "**"]),
        ("@{u} or `\\d+` in {main} of C:\\new", &["@{u}", "\\d+"]),
        ("costs $5 or 50%, R&D, C++, x-y (a) don't", &[]),
    ] {
        assert_eq!(parse(text).reading().signs, expected, "{text}");
    }
}

#[test]
fn turns_that_ask_without_spaces_are_left_out() {
    let shown = |question, language| {
        let query = Query::parse(question, &[language]).unwrap();
        let clauses = query.clauses.scored.iter();
        let shown = clauses.map(|of| format!("{} {}", of.typed, of.weight));
        shown.collect::<Vec<_>>()
    };
    assert_eq!(
        shown("要素を表示するにはどうすればいい？", Language::Japanese),
        ["要素 1", "素を 1", "を表 1", "表示 1"]
    );
    assert_eq!(
        shown("要素をまとめる", Language::Japanese)[2..],
        ["をま 0.5", "まと 0.5", "とめ 0.5", "める 0.5"]
    );
    assert_eq!(
        shown("เปิด sandbox ได้อย่างไร", Language::Thai)
            .last()
            .unwrap(),
        "sandbox 1"
    );
}

#[test]
fn a_star_asks_for_beginnings() {
    let query = parse("how inst* a* *.md **bold**");
    assert_eq!(scored(&query)[0], "inst*");
    assert_eq!(query.reading().words[0].kind, WordKind::Beginning);
    let others = query.reading().words[1..].iter();
    assert!(
        others
            .into_iter()
            .all(|word| word.kind != WordKind::Beginning)
    );
}

#[test]
fn a_star_may_follow_what_joins_words() {
    for (text, is_beginning) in [
        ("pg_stat_*", true),
        ("git-re*", true),
        ("foo.ba*", true),
        ("git-*", false),
        ("-re*", false),
    ] {
        let kind = parse(text).reading.words[0].kind;
        assert_eq!(kind == WordKind::Beginning, is_beginning, "{text}");
    }
    let query = parse("kiwi AND inst* NOT pg_stat_* NOT \"x*\"");
    let open = query.beginnings_of_conditions();
    assert_eq!(open, [(1, "inst".to_owned()), (2, "pg_stat_".to_owned())]);
}

#[test]
fn only_the_whole_of_a_corrected_identifier_weighs_as_one() {
    let mut query = parse("max_conections");
    let chunks = |of: &Variant| match &*of.terms {
        [only] if only == "max" => 50,
        [only] if only == "connect" => 20,
        _ => 1,
    };
    let words = vec![("max_connections".to_owned(), 1.0)];
    query.correct(0, words, &[], chunks);
    query.weigh(chunks, |chunks| 1.0 / chunks as f64);
    let weights = query.clauses.scored[0].variants.iter();
    let weights: Vec<_> = weights.map(|of| (of.shown(), of.weight)).collect();
    let whole = ("maxconnect".to_owned(), 1.0);
    let row = ("max connect".to_owned(), 1.0);
    let parts = ["max", "connect"].map(|of| (of.to_owned(), PART_WEIGHT));
    assert_eq!(weights[..2], [whole, row]);
    assert_eq!(weights[2..], parts);
}

#[test]
fn a_word_is_not_rare_for_being_so_in_a_language_that_few_documents_are_in() {
    let languages = [Language::English, Language::Spanish];
    let weight = |spanish: u64| {
        let shares = [(Language::English, 100), (Language::Spanish, spanish)];
        let shares = LanguageShares::of(&shares);
        let text = "los usuarios para usted";
        let mut query = Query::parse_among(text, &languages, shares).unwrap();
        assert_eq!(query.clauses.language, Some(Language::Spanish));
        let is_spanish = |of: &Variant| of.languages.has(Language::Spanish);
        let chunks = |of: &Variant| if is_spanish(of) { 2 } else { 64 };
        query.weigh(chunks, |chunks| 1.0 / chunks as f64);
        let mut words = query.reading.words.iter();
        let place = words.position(|of| of.typed == "usuarios").unwrap();
        query.weight(place).to_string()
    };
    assert_eq!(weight(2), "0.015625");
    assert_eq!(weight(100), "0.5");
}

#[test]
fn a_rare_word_that_is_much_of_a_question_is_enough() {
    let rare = ["peresolimab", "zilebesiran", "sparsentan", "mezigdomid"];
    let chunks = |of: &Variant| match &*of.shown() {
        "mechan" | "action" | "import" => 400,
        "drug" => 30,
        "globalthi" | "local" => 1,
        shown if rare.contains(&shown) => 1,
        _ => 0,
    };
    for (text, expected) in [
        ("mechanism of action of Peresolimab", &["Peresolimab"][..]),
        (
            "zilebesiran mechanism sparsentan",
            &["zilebesiran", "sparsentan"],
        ),
        ("importance of globalThis", &["globalThis"]),
        // It is half of what is asked, or little.
        ("action of peresolimab", &[]),
        ("importance of localThis", &[]),
        ("peresolimab zilebesiran sparsentan mezigdomide drugs", &[]),
        // It is not rare, or no document has it.
        ("mechanism of action of drugs", &[]),
        ("mechanism of action of durlobactam", &[]),
    ] {
        let mut query = parse(text);
        query.weigh(chunks, |chunks| (4_000.0 / (chunks as f64 + 0.5)).ln());
        assert_eq!(query.reading.sufficient, expected, "{text}");
        let places = query.clauses.sufficient.iter();
        let typed: Vec<&str> = places.map(|place| query.typed(*place)).collect();
        assert_eq!(typed, expected, "{text}");
    }
}

#[test]
fn a_part_of_a_compound_is_no_word_that_is_enough() {
    let text = "Dateirechte einzelner Benutzer setzen";
    let mut query = Query::parse(text, &[Language::German]).unwrap();
    let is_of_compound = |of: &Variant| ["datei", "recht"].map(|part| of.shown().contains(part));
    let chunks = |of: &Variant| {
        if is_of_compound(of).contains(&true) {
            1
        } else {
            400
        }
    };
    query.weigh(chunks, |chunks| (4_000.0 / (chunks as f64 + 0.5)).ln());
    assert!(query.clauses.sufficient.is_empty());
}

#[test]
fn a_query_without_a_word_is_refused_by_name() {
    for text in ["", "  ", "*", "\"\"", "')); --"] {
        let error = Query::parse(text, &[]).unwrap_err();
        assert!(error.to_string().contains(&format!("`{text}`")), "{error}");
    }
}

#[test]
fn a_very_long_query_is_cut_and_that_is_said() {
    let words: Vec<String> = (0..2_000).map(|n| format!("word{n}")).collect();
    let query = parse(&words.join(" "));
    assert_eq!(query.clauses.scored.len(), MAX_WORDS);
    assert_eq!(query.reading().ignored, 2_000 - MAX_WORDS);
}

#[test]
fn the_name_of_a_section_weighs_no_more_than_its_number() {
    let mut query = Query::parse("art. 6 ley 17250", &[Language::Spanish]).unwrap();
    let chunks = |of: &Variant| match &*of.shown() {
        "art" => 2,
        "articul" => 512,
        "6" => 64,
        _ => 1,
    };
    query.weigh(chunks, |chunks| 1.0 / chunks as f64);
    let words = query.reading.words.iter();
    let place = |typed: &str| words.clone().position(|of| of.typed == typed).unwrap();
    let weigh = |typed: &str| query.weights[place(typed)];
    assert!(weigh("art") <= weigh("6") && weigh("6") < weigh("17250"));
    let variants = &query.clauses.scored[place("art")].variants;
    let scores = variants.iter().filter(|of| of.terms.len() == 1);
    let scores = scores.map(|of| (of.shown(), of.weight / chunks(of) as f64));
    for (name, score) in scores.filter(|(name, _)| name == "art" || name == "articul") {
        assert!(score <= 1.0 / 64.0, "{name} {score}");
    }
    assert!(variants.iter().any(|of| of.shown() == "articul"));
}
