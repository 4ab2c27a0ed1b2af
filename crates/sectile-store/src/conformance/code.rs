//! Cases about questions to source code.

use super::{document, found, put_texts};
use crate::Store;

/// A text in which a word says little.
const LONG: &str = "in a long text about many things that nobody asks for, with more words in it than there are in \
                    the others, so that each of them says less of what it is about";

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
    let others: Vec<String> = (1..9).map(|at| format!("Other {at} of all")).collect();
    let uris: Vec<String> = (1..9).map(|at| format!("other{at}")).collect();
    let others = uris.iter().zip(&others);
    let others: Vec<(&str, &str)> = others.map(|(uri, text)| (&**uri, &**text)).collect();
    put_texts(store, &others).await;
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
