//! Cases about what the words of a question weigh beside each other.

use super::questions::answer;
use super::{document, found, put_texts, uris};
use crate::{Hit, Promotion, Store};

pub async fn several_words_of_a_question_outweigh_one(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("one", "licence licence licence licence list town"),
            ("several", "harbour pilot fee of the town"),
            ("harbour1", "harbour and nothing else of it"),
            ("harbour2", "harbour and a wall around it"),
            ("pilot1", "pilot and nothing else of it"),
            ("pilot2", "pilot and a boat for it"),
            ("fee1", "fee and nothing else of it"),
            ("fee2", "fee and a form for it"),
        ],
    )
    .await;
    let several = answer(store, "harbour pilot licence fee").await;
    assert_eq!(uris(&several.hits)[..2], ["several", "one"]);
    let brought = several.hits[1].words.iter().map(|word| word.score);
    assert_eq!(brought.collect::<Vec<_>>(), [several.hits[1].score]);
    let said = "only one of 4 words: counts 3/4";
    assert!(several.explained(1).iter().any(|line| line == said));
    assert!(!several.explained(0).iter().any(|line| line == said));
    // No document has both.
    let two = answer(store, "licence fee").await;
    assert_eq!(uris(&two.hits)[0], "one");
}

pub async fn a_rare_word_that_is_much_of_the_question_is_enough(store: &dyn Store) {
    let numbered = |at: usize| format!("R{at}");
    let headings: Vec<String> = (0..440).map(numbered).collect();
    let sections = headings.iter().enumerate().map(|(at, heading)| {
        let text = match at {
            0 => "peresolimab is an antibody of some kind",
            1..40 => "the mechanism of action of another drug",
            40..43 => "zilebesiran, sparsentan, tebentafusp and mezigdomide of it",
            _ => "nothing of that is said in here",
        };
        (1, &**heading, text)
    });
    let sections: Vec<(u8, &str, &str)> = sections.collect();
    store.put(vec![document("all", &sections)]).await.unwrap();
    let first = |answer: &crate::Answer| answer.hits[0].heading_path[0].clone();
    let asked = answer(store, "what is the mechanism of action of Peresolimab").await;
    assert_eq!(first(&asked), "R0");
    assert_eq!(asked.reading.sufficient, ["Peresolimab"]);
    let explained = asked.explained(0);
    assert!(!explained.iter().any(|line| line.contains("counts 3/4")));
    // Among several rare words none is enough.
    let asked = answer(
        store,
        "zilebesiran, sparsentan, tebentafusp, mezigdomide, peresolimab and drugs",
    )
    .await;
    assert_eq!(first(&asked), "R40");
    assert_eq!(asked.reading.sufficient, [""; 0]);
}

pub async fn both_of_two_words_outweigh_one_of_them(store: &dyn Store) {
    let long = "about the rest of what a company has to do";
    let both = format!("trade and, as was said before, secrets {long}");
    let row = format!("trade secrets and, as was said, {long}");
    put_texts(
        store,
        &[
            ("first", "secrets, secrets: secrets"),
            ("second", "trade, trade: trade"),
            ("both", &*both),
            ("row", &*row),
            ("other1", "lemon"),
            ("other2", "apple"),
        ],
    )
    .await;
    let asked = answer(store, "trade secrets").await;
    assert_eq!(uris(&asked.hits)[..2], ["row", "both"]);
    let row: Vec<&str> = asked.hits[0]
        .words
        .iter()
        .map(|word| &*word.typed)
        .collect();
    assert_eq!(row, ["trade", "secrets", "trade secrets"]);
    assert!(asked.hits[0].words[2].score < asked.hits[0].words[0].score);
    for hit in &asked.hits {
        let sum: f64 = hit.words.iter().map(|word| word.score).sum();
        assert!((sum - hit.score).abs() < 1e-9, "{hit:?}");
    }
}

pub async fn words_as_one_count_no_more_than_apart(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("apart", "dose of 10 mg"),
            ("one", "dose of 10mg daily"),
            ("number", "10 of these in a box"),
            ("unit", "mg of it in a box"),
            ("read", "read this and only then"),
            ("readonly", "a readonly copy of all"),
            ("worktree", "a worktree of another kind"),
        ],
    )
    .await;
    for typed in ["10 mg", "10mg"] {
        let dose = answer(store, typed).await;
        assert_eq!(uris(&dose.hits)[..2], ["apart", "one"], "{typed}");
    }
    assert_eq!(uris(&answer(store, "read-only").await.hits)[0], "read");
    // No document has one of the two words.
    let typed = answer(store, "worktree").await.hits[0].score;
    let apart = answer(store, "work tree").await.hits[0].score;
    assert!((typed - apart).abs() < 1e-6, "{typed} {apart}");
}

pub async fn words_as_one_outweigh_either_of_them_alone(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("connect", "Connecting to a database is what to do first"),
            ("lamp", "Connecting a lamp to its base"),
            ("data", "Some data of another kind, and more data"),
            ("made1", "A database is made by hand"),
            ("made2", "A database is made of tables"),
            ("made3", "A database is made by its owner"),
            ("made4", "A database is made anew"),
            ("made5", "A database is made from another"),
            ("other", "There is none of these"),
        ],
    )
    .await;
    for question in [
        "connecting to a data base",
        "connecting to a data-base",
        "connecting to a database",
    ] {
        assert_eq!(found(store, question).await[0], "connect", "{question}");
    }
    // However common the word is, it is no more than both.
    let (apart, one) = ("A data base", "A new database");
    put_texts(store, &[("apart", apart), ("one", one)]).await;
    let hits = answer(store, "data base").await.hits;
    let scored = |uri: &str| {
        hits.iter()
            .find(|hit| hit.document.uri == uri)
            .unwrap()
            .score
    };
    assert!(scored("one") <= scored("apart") + 1e-6);
    assert!(scored("one") > scored("lamp"));
}

pub async fn a_section_is_found_by_its_number(store: &dyn Store) {
    let about = "What is said here is long and goes on about many things that nobody asks for";
    let code = [
        (1, "Code", "All that is written"),
        (2, "Art 7", about),
        (2, "Art 7-1", "7 it is"),
        (2, "Art 77", "As art 7 has it, 7 and 7"),
        (2, "Art 16-7", "Art 7"),
    ];
    let act = [
        (1, "Act", "All that is done"),
        (2, "§ 7 Fees", about),
        (2, "§ 12 Rates", "As 7 and 7 and 7"),
        (2, "§ 7a More", "7"),
    ];
    store
        .put(vec![document("code", &code), document("act", &act)])
        .await
        .unwrap();
    for (question, heading) in [
        ("Art 7 Code", "Art 7"),
        ("code article 7", "Art 7"),
        ("Art. 16-7 code", "Art 16-7"),
        ("§ 7 act", "§ 7 Fees"),
        ("act §12", "§ 12 Rates"),
    ] {
        let found = answer(store, question).await;
        assert_eq!(found.hits[0].heading_path[1], heading, "{question}");
        // The names of a document and of its section together are what the section is called, too.
        let promotion = found.hits[0].promotion;
        assert!(
            matches!(promotion, Some(Promotion::Cited | Promotion::Named)),
            "{question}: {promotion:?}"
        );
    }
    assert_eq!(answer(store, "§ 7 act").await.notes, [""; 0]);
}

pub async fn a_section_is_found_by_its_number_and_that_of_its_document(store: &dyn Store) {
    let consumers = [
        (1, "Act 17250", "Act 17250 of consumers"),
        (2, "Article 6", "Rights of consumers, as Act 17250 has them"),
        (2, "Article 45", "Act 17250: who may act in this"),
    ];
    let towns = [
        (1, "Act 9515", "Act 9515 of towns"),
        (2, "Article 6", "Act 9515: 6 councils"),
        (
            2,
            "Article 80",
            "Act of towns. Art. 6. Councils sit. Art. 7.",
        ),
    ];
    let banks = [
        (1, "Act 427", "Act 427 of the bank, art. and art. and art."),
        (2, "Article 3", "Art. by art. of the act, and art. again"),
    ];
    let made = [
        ("consumers", &consumers[..]),
        ("towns", &towns[..]),
        ("banks", &banks[..]),
    ];
    let made = made.map(|(uri, sections)| document(uri, sections));
    store.put(made.into()).await.unwrap();
    for question in [
        "art. 6 act 17250",
        "Act 17250 article 6",
        "17250 art. 6",
        "article 6 of Act 17250",
    ] {
        let hits = answer(store, question).await.hits;
        assert_eq!(uris(&hits)[0], "consumers", "{question}");
        assert_eq!(hits[0].heading_path[1], "Article 6", "{question}");
    }
}

pub async fn a_correction_outweighs_no_word_of_the_documents(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("debts", "debts and who pays them"),
            ("harbour1", "harbour and who pays it"),
            ("harbour2", "harbour and who works there"),
            ("harbour3", "harbour and who lives there"),
            ("aviation", "aviation and who flies there"),
            ("other1", "nothing of it at all"),
            ("other2", "nothing of it but this"),
        ],
    )
    .await;
    let exact = answer(store, "harbour debts").await;
    assert_eq!(uris(&exact.hits)[0], "debts");
    let corrected = answer(store, "harbour dents").await;
    assert_eq!(uris(&corrected.hits)[3], "debts");
    assert_eq!(corrected.notes, ["no `dents`: searched for `debts`"]);
    // Beside more words it counts less.
    let weight = |hits: &[Hit]| {
        let debts = hits.iter().find(|hit| hit.document.uri == "debts");
        debts.unwrap().score
    };
    let mut shares = Vec::new();
    for others in ["nothing", "harbour nothing"] {
        let exact = answer(store, &format!("{others} debts")).await;
        let corrected = answer(store, &format!("{others} dents")).await;
        shares.push(weight(&corrected.hits) / weight(&exact.hits));
    }
    assert!(shares[1] < shares[0]);
    assert_eq!(answer(store, "vacation").await.hits, []);
}

pub async fn a_correction_counts_beside_a_word_of_most_documents(store: &dyn Store) {
    let functions: Vec<(String, String)> = (0..12)
        .map(|n| {
            let text = format!("a function and another function with function number {n}");
            (format!("function{n}"), text)
        })
        .collect();
    let mut texts: Vec<(&str, &str)> = functions
        .iter()
        .map(|(uri, text)| (&**uri, &**text))
        .collect();
    texts.push(("networkdays", "networkdays counts days between two dates"));
    put_texts(store, &texts).await;
    for question in [
        "function NETWORKDYAS",
        "networkdyas function",
        "the function netwrokdays",
        "function function netwrkdays",
    ] {
        let corrected = answer(store, question).await;
        assert_eq!(uris(&corrected.hits)[0], "networkdays", "{question}");
    }
    // It is still a guess.
    let exact = answer(store, "function networkdays").await;
    let corrected = answer(store, "function networkdyas").await;
    assert!(corrected.hits[0].score < exact.hits[0].score / 2.0);
}
