//! Cases about numbers, amounts and dates in questions.

use super::languages::in_language;
use super::questions::answer;
use super::{found, put_texts, uris};
use crate::{Language, SearchRequest, Store};

pub async fn numbers_are_found_however_they_are_written(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("joined", "It needs 500GB of disk"),
            ("apart", "It needs 500 GB of disk"),
            ("comma", "At most 1,600 columns"),
            ("plain", "At most 1600 columns"),
            ("space", "At most 1 600 columns"),
            ("power", "About 10\u{2076} times"),
            ("note", "Revenue\u{b9} of 4,512\u{b2} euros"),
        ],
    )
    .await;
    let all = async |question| {
        let mut found = found(store, question).await;
        found.sort_unstable();
        found
    };
    for question in ["500GB", "500 GB"] {
        assert_eq!(all(question).await, ["apart", "joined"], "{question}");
    }
    for question in ["1600", "1,600"] {
        let found = all(question).await;
        assert_eq!(found, ["comma", "plain", "space"], "{question}");
    }
    // The mark of the footnote is a number, too.
    assert_eq!(found(store, "1 600").await[3..], ["note"]);
    assert_eq!(all("10^6").await, ["power"]);
    for question in ["4,512", "4512", "revenue"] {
        assert_eq!(all(question).await, ["note"], "{question}");
    }
}

pub async fn numbers_with_a_hyphen_are_found_by_each(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("range", "Use 1-2 cloves of garlic, see pages 7-9"),
            ("dozen", "Use 12 cloves of garlic"),
            ("half", "Add 1½ cups and bake at 180ºC"),
        ],
    )
    .await;
    for (question, uri) in [
        ("\"2 cloves\"", "range"),
        ("pages 7", "range"),
        ("1-2 cloves", "range"),
        ("12 cloves", "dozen"),
        ("\"1 1/2 cups\"", "half"),
        ("\"180 C\"", "half"),
    ] {
        assert_eq!(found(store, question).await[0], uri, "{question}");
        assert!(
            !answer(store, question)
                .await
                .notes
                .iter()
                .any(|of| of.contains("no document"))
        );
    }
    assert_eq!(found(store, "12").await, ["dozen"]);
}

pub async fn a_long_number_is_found_in_groups_of_digits(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("lyon", "Zoe,+33 1 45 67 89 01,zoe@example.org"),
            ("cork", "Siobhan,+353 1 555 0199,siobhan@example.org"),
            ("mannheim", "Max,0621/60-12345,max@example.org"),
            ("other", "1 and 33 and 45, 67 or 89, and 01 is another"),
            ("account", "Pay to DE16 6277 3068 9857 5311 33 at once"),
            ("joined", "Pay to DE89370400440532013000 at once"),
        ],
    )
    .await;
    for (question, uri) in [
        ("+33145678901", "lyon"),
        ("35315550199", "cork"),
        ("+353 1 5550199", "cork"),
        ("06216012345", "mannheim"),
        ("0621 601 2345", "mannheim"),
        ("+496216012345", "mannheim"),
        ("0049 621 6012345", "mannheim"),
        ("01 45678901", "lyon"),
        ("DE16627730689857531133", "account"),
        ("IBAN DE89370400440532013000", "joined"),
        ("DE89 3704 0044 0532 0130 00", "joined"),
    ] {
        assert_eq!(found(store, question).await[0], uri, "{question}");
    }
    let grouped = answer(store, "call 33145678901").await;
    assert_eq!(uris(&grouped.hits), ["lyon"]);
    let note = "no `33145678901`: searched for `33 1 45 67 89 01`";
    assert_eq!(grouped.notes[0], note);
    assert_eq!(found(store, "33145678902").await, Vec::<String>::new());
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

pub async fn amounts_are_found_apart_from_their_units_and_as_one(store: &dyn Store) {
    let english = [
        ("comma", "It weighs 2,5kg"),
        ("comma-apart", "It weighs 2,5 kg"),
        ("stop", "It weighs 2.5kg"),
        ("stop-apart", "It weighs 2.5 kg"),
        ("large", "It weighs 1,600kg"),
        ("large-apart", "It weighs 1600 kg"),
        ("other", "It weighs 25 kg"),
    ];
    put_texts(store, &english).await;
    let first = async |question, count: usize| {
        let mut found = found(store, question).await;
        found.truncate(count);
        found.sort_unstable();
        found
    };
    let all = ["comma", "comma-apart", "stop", "stop-apart"];
    for question in ["2,5 kg", "2,5kg", "weighs 2,5 kg?"] {
        assert_eq!(first(question, 4).await, all, "{question}");
    }
    for question in ["1,600 kg", "1,600kg"] {
        assert_eq!(
            first(question, 2).await,
            ["large", "large-apart"],
            "{question}"
        );
    }
    assert_eq!(first("weighs AND 2,5kg", 9).await, all);
    let others = ["large", "large-apart", "other"];
    assert_eq!(first("weighs NOT 2,5kg", 9).await, others);
    for phrase in ["\"2,5 kg\"", "\"weighs 2,5kg\""] {
        assert_eq!(first(phrase, 9).await, ["comma", "comma-apart"], "{phrase}");
    }
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

pub async fn a_number_that_may_be_a_date_stands_behind_dates(store: &dyn Store) {
    let texts = [
        (
            "invoice",
            "Invoice 2024-0418, again 2024-0418 and 2024-0418",
        ),
        ("date", "It was paid on 2024-04-18, as is said here for all"),
        (
            "compact",
            "The file of it is called 20240418, as is said here for all",
        ),
    ];
    put_texts(store, &texts).await;
    for question in ["18.4.2024", "18 April 2024"] {
        let found = found(store, question).await;
        assert_eq!(found[0], "date", "{question}");
        assert!(found.contains(&"compact".to_owned()), "{question}");
    }
}

pub async fn a_day_without_a_year_is_found_in_dates_in_digits(store: &dyn Store) {
    let texts = [
        (
            "iso",
            "It was signed on 2023-04-25, as all of them were in that spring",
        ),
        ("count", "We had 25 guests, 25 of them"),
    ];
    put_texts(store, &texts).await;
    for question in ["on 25 April", "April 25th"] {
        assert_eq!(found(store, question).await[0], "iso", "{question}");
    }
}

pub async fn dates_are_found_as_each_language_writes_them(store: &dyn Store) {
    let documents = [
        ("french", Language::French, "Signé le 1er juin 2020 à Lyon"),
        (
            "english",
            Language::English,
            "It was signed on the 1st of June 2020",
        ),
        (
            "ordinal",
            Language::English,
            "It was signed on June 1st, 2020",
        ),
        (
            "spanish",
            Language::Spanish,
            "Firmado el 1.º de junio de 2020",
        ),
        (
            "letter",
            Language::Spanish,
            "Firmado el 1.o de junio de 2020",
        ),
        ("catalan", Language::Catalan, "Signat l'1 de juny de 2020"),
        ("turkish", Language::Turkish, "1 Haziran 2020 tarihinde"),
        (
            "hungarian",
            Language::Hungarian,
            "Kelt 2020. június 1. napján",
        ),
        ("chinese", Language::Chinese, "于2020年6月1日签署"),
        ("japanese", Language::Japanese, "2020年6月1日に署名"),
        ("korean", Language::Korean, "2020년 6월 1일에 서명"),
        (
            "ukrainian",
            Language::Ukrainian,
            "Підписано 1 червня 2020 року",
        ),
        (
            "finnish",
            Language::Finnish,
            "Allekirjoitettu 1. kesäkuuta 2020",
        ),
        ("greek", Language::Greek, "Υπογράφηκε την 1 Ιουνίου 2020"),
        (
            "other",
            Language::English,
            "It was signed on 2020-06-02 and 1 of 2020",
        ),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    let mut all: Vec<&str> = documents.iter().map(|(uri, ..)| *uri).collect();
    all.retain(|uri| *uri != "other");
    all.sort_unstable();
    for question in [
        "2020-06-01",
        "1er juin 2020",
        "1st of June, 2020",
        "1.º de junio de 2020",
        "1 Haziran 2020",
        "2020年6月1日",
        "2020년 6월 1일",
    ] {
        let request = SearchRequest::new(question).with_limit(50);
        let found = store.search(&request).await.unwrap();
        let mut found = uris(&found.hits);
        found.sort_unstable();
        assert_eq!(found, all, "{question}");
    }
    let september = in_language("lima", Language::Spanish, "Lima, 9 de setiembre de 2021");
    store.put(vec![september]).await.unwrap();
    assert_eq!(found(store, "9 de septiembre de 2021").await, ["lima"]);
}

pub async fn a_name_and_its_number_are_found_apart_and_as_one(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("apart", "It follows RFC 4627 in all"),
            ("joined", "It follows RFC4627 in all"),
            ("other", "It follows RFC 4628 and no other"),
            ("dots", "As article L. 211-1 says"),
            ("article", "As article L211-1 says"),
            ("further", "As article L2111 says"),
            ("year", "All that was done in 2020"),
        ],
    )
    .await;
    for (question, uris) in [
        ("RFC4627", ["joined", "apart"]),
        ("RFC 4627", ["apart", "joined"]),
        // The marks of an article make no difference.
        ("L. 211-1", ["article", "dots"]),
        ("L211-1", ["article", "dots"]),
    ] {
        let mut found = found(store, question).await;
        assert!(!found.contains(&"further".to_owned()), "{question}");
        found.truncate(2);
        assert_eq!(found, uris, "{question}");
    }
    assert_eq!(found(store, "RFC4627").await.len(), 2);
    assert_eq!(found(store, "RFC4627 AND follows").await.len(), 2);
    assert_eq!(found(store, "in 2020").await, ["year"]);
    assert_eq!(answer(store, "RFC4627").await.notes, [""; 0]);
}

pub async fn digits_of_all_scripts_are_the_same(store: &dyn Store) {
    let documents = [
        ("thai", Language::Thai, "การประชุม ๒๕๖๔"),
        ("khmer", Language::English, "ឆ្នាំ ២៥៦៤"),
        ("bengali", Language::English, "সাল ২৫৬৪"),
        ("arabic", Language::Arabic, "سنة ٢٥٦٤"),
        ("plain", Language::English, "The year 2564"),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    for question in ["2564", "๒๕๖๔", "২৫৬৪", "۲۵۶۴", "２５６４"] {
        let mut found = found(store, question).await;
        found.sort_unstable();
        let all = ["arabic", "bengali", "khmer", "plain", "thai"];
        assert_eq!(found, all, "{question}");
    }
}

pub async fn digits_are_no_stop_words(store: &dyn Store) {
    let persian = in_language("fa", Language::Persian, "ماده ۵ این قانون است");
    store.put(vec![persian]).await.unwrap();
    put_texts(store, &[("five", "It is step 5"), ("six", "It is step 6")]).await;
    assert_eq!(found(store, "step 5").await[0], "five");
    assert_eq!(found(store, "۵").await.len(), 2);
    let answer = answer(store, "what is step 5").await;
    assert_eq!(answer.reading.left_out, ["what", "is"]);
}

pub async fn units_and_sizes_are_found_in_each_notation(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("degrees", "Bake it at 180 °C for long"),
            ("joined-degrees", "Bake it at 180C for long"),
            ("sign-of-degrees", "Bake it at 180℃ for long"),
            ("ohm", "It has 10 kΩ in all"),
            ("joined-ohm", "It has 10kΩ in all"),
            ("weight", "It weighs 11kg in all"),
            ("sign-of-weight", "It weighs 11㎏ in all"),
            ("size", "A fine new board of 2x4 feet"),
            ("sign-of-size", "A new board of 2×4 feet"),
            ("apart-size", "A board of 2 x 4 feet"),
        ],
    )
    .await;
    let all = async |question| {
        let mut found = found(store, question).await;
        found.sort_unstable();
        found
    };
    let degrees = ["degrees", "joined-degrees", "sign-of-degrees"];
    for question in ["180C", "180 °C", "180°C", "180ºC", "180 ℃"] {
        assert_eq!(all(question).await, degrees, "{question}");
    }
    for question in ["10kΩ", "10 kΩ", "10 k\u{2126}"] {
        assert_eq!(all(question).await, ["joined-ohm", "ohm"], "{question}");
    }
    for question in ["11kg", "11 kg", "11㎏"] {
        let weights = ["sign-of-weight", "weight"];
        assert_eq!(all(question).await, weights, "{question}");
    }
    for (question, uri) in [
        ("2x4", "size"),
        ("2×4", "sign-of-size"),
        ("2 x 4", "apart-size"),
    ] {
        let sizes = ["apart-size", "sign-of-size", "size"];
        assert_eq!(all(question).await, sizes, "{question}");
        assert_eq!(found(store, question).await[0], uri, "{question}");
    }
}

pub async fn a_date_of_several_words_outweighs_another_word(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("word", "A rector"),
            (
                "date",
                "On 6 December 2011 another man took his seat in the house",
            ),
            ("other", "An apple a day"),
        ],
    )
    .await;
    for date in ["6 December 2011", "December 6, 2011"] {
        let question = format!("Which one became rector on {date}?");
        let first = found(store, &question).await.swap_remove(0);
        assert_eq!(first, "date", "{question}");
    }
    // What no document has is taken apart, and its words count as others do.
    let question = "rector on 7 May 1812";
    let answer = answer(store, question).await;
    assert_eq!(uris(&answer.hits)[0], "word");
    assert!(answer.reading.words.iter().all(|of| of.times <= 1.0));
}
