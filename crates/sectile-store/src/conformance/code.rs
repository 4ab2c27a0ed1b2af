//! Cases about questions to source code.

use super::questions::answer;
use super::{document, found, put_texts, uris};
use crate::{Demotion, Store};

/// A text in which a word says little.
const LONG: &str = "in a long text about many things that nobody asks for, with more words in it than there are in \
                    the others, so that each of them says less of what it is about";

/// Writes documents that no question asks for, beside which the others are rare.
async fn put_others(store: &dyn Store) {
    for number in 1..9 {
        let uri = format!("other{number}");
        put_texts(store, &[(&uri, &format!("Other {number} of all"))]).await;
    }
}

pub async fn words_that_only_ask_for_a_name_do_not_outweigh_it(store: &dyn Store) {
    let helpers = [
        (1, "isDefined", "It is defined, if it is not undefined."),
        (1, "flagDefinition", "The definition of a flag."),
        (1, "functionOfClass", "The function of a class."),
        (1, "usageOfType", "The usage and the implementation."),
    ];
    let payment = format!("Here cardValidator checks the number {LONG}.");
    let made = vec![
        document("helpers", &helpers),
        document("payment", &[(1, "Payment", &payment)]),
    ];
    store.put(made).await.unwrap();
    put_others(store).await;
    for question in [
        "where is cardValidator defined",
        "where is cardValidator implemented",
        "definition of cardValidator",
        "definition of function cardValidator",
        "cardValidator function",
        "cardValidator class",
        "cardValidator usage",
    ] {
        let all = found(store, question).await;
        assert_eq!(all[0], "payment", "{question}");
        assert!(all[1..].iter().all(|uri| uri == "helpers"), "{question}");
    }
    // Where there is no name they are words like others.
    for question in ["flag definition", "function of a class"] {
        assert_eq!(found(store, question).await[0], "helpers", "{question}");
    }
}

pub async fn an_identifier_as_it_was_typed_comes_before_other_forms(store: &dyn Store) {
    let often = "The dateFormat is set: dateFormat, dateFormat, and dateFormat.";
    let once = "This one has a DATE_FORMAT for all that it writes.";
    put_texts(store, &[("often", often), ("once", once)]).await;
    put_others(store).await;
    for question in [
        "DATE_FORMAT",
        "what does DATE_FORMAT do",
        "where is DATE_FORMAT defined",
        "DATE_FORMAT constant",
    ] {
        let answer = answer(store, question).await;
        let hits = &answer.hits;
        assert_eq!(uris(hits), ["once", "often"], "{question}");
        assert!(hits[0].score < hits[1].score, "{question}");
        let demotions = [hits[0].demotion, hits[1].demotion];
        assert_eq!(demotions, [None, Some(Demotion::OtherForm)], "{question}");
    }
    for question in ["dateFormat", "date_format"] {
        assert_eq!(
            found(store, question).await,
            ["often", "once"],
            "{question}"
        );
    }
}
