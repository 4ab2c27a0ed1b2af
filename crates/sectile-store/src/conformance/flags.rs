//! Cases about flags in questions.

use super::questions::answer;
use super::{found, put_texts, uris};
use crate::Store;

pub async fn flags_in_any_markup_are_flags(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("asciidoc", "*-J*, *--json*:: Writes what it found."),
            ("markdown", "**-n**, **--max** stops after as many."),
            ("italic", "_-y_ shows a whole year, a day in each cell."),
            ("roff", "\\fB\\-k\\fP, \\fB\\-\\-keep\\fP keeps all of it."),
            ("html", "<b>-q</b> says nothing of what it does."),
            ("small", "`-j` takes J, n, k, q, y."),
        ],
    )
    .await;
    for (question, uri) in [
        ("lscpu -J", "asciidoc"),
        ("-J", "asciidoc"),
        ("-j", "small"),
        ("--json", "asciidoc"),
        ("-n", "markdown"),
        ("--max", "markdown"),
        ("cal -y", "italic"),
        ("-k", "roff"),
        ("--keep", "roff"),
        ("-q", "html"),
    ] {
        let answer = answer(store, question).await;
        assert_eq!(uris(&answer.hits)[0], uri, "{question}");
        let mut notes = answer.notes.iter();
        assert!(!notes.any(|note| note.contains("flag")), "{question}");
    }
    let cold = [("cold", "It is kept at -5 °C, or at 5 degrees")];
    put_texts(store, &cold).await;
    let degrees = answer(store, "-5°C").await;
    assert_eq!(uris(&degrees.hits), ["cold"]);
    assert_eq!(degrees.notes, [""; 0]);
    // It may have been typed carelessly.
    let careless = answer(store, "-Y").await;
    assert_eq!(uris(&careless.hits)[0], "italic");
    assert_eq!(careless.notes, ["no `-Y`: searched for `-y`"]);
    assert_eq!(found(store, "-J AND found").await, ["asciidoc"]);
}

pub async fn a_flag_outweighs_its_bare_word(store: &dyn Store) {
    let long = "and much more is said of it in a text that is longer than the others, so that each word of it says less";
    let clean = format!("With --clean nothing is left {long}");
    let quiet = format!("With -q nothing is said {long}");
    put_texts(
        store,
        &[
            ("clean", &*clean),
            ("quiet", &*quiet),
            ("word1", "clean, clean: a clean one, and clean"),
            ("word2", "clean up what is not clean"),
            ("letter", "q, q: q and q"),
            ("other1", "lemon"),
            ("other2", "apple"),
        ],
    )
    .await;
    assert_eq!(found(store, "--clean").await, ["clean", "word1", "word2"]);
    assert_eq!(found(store, "-clean").await[0], "clean");
    assert_eq!(found(store, "-q").await, ["quiet", "letter"]);
    // The word alone is a word, and so is what stands for a flag that no document has.
    assert_eq!(found(store, "clean").await[0], "word1");
    let missing = answer(store, "--lemon").await;
    assert_eq!(uris(&missing.hits), ["other1"]);
    let word = answer(store, "lemon").await.hits[0].score;
    assert!((missing.hits[0].score - word).abs() < 1e-9);
}

pub async fn a_flag_comes_before_the_one_in_the_other_case(store: &dyn Store) {
    let long =
        "and the rest of what is said of it goes on for so long that each word of it says little";
    let pages: Vec<String> = ["curl one", "curl two", "curl three", "curl four"]
        .iter()
        .map(|of| format!("With -L {of} follows where a page has moved {long}"))
        .collect();
    let mut texts = vec![
        ("lines", "wc -l x"),
        ("list", "curl -l lists names, and -l alone: -l"),
        ("other", "It has neither of these"),
    ];
    let names = ["one", "two", "three", "four"];
    texts.extend(names.iter().zip(&pages).map(|(uri, text)| (*uri, &**text)));
    put_texts(store, &texts).await;
    for question in ["-L", "curl -L", "how does curl -L follow a page"] {
        let mut first = found(store, question).await;
        first.truncate(names.len());
        first.sort_unstable();
        assert_eq!(first, ["four", "one", "three", "two"], "{question}");
    }
    let mut small = found(store, "-l").await;
    small.truncate(2);
    small.sort_unstable();
    assert_eq!(small, ["lines", "list"]);
}

pub async fn a_name_is_found_with_its_sign(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("rule", "Use @media print in a sheet, or @font-face"),
            ("word", "The media print it, media of all kinds"),
            ("mail", "Write to print@example.org of the supports"),
        ],
    )
    .await;
    let with_sign = answer(store, "@media").await;
    assert_eq!(uris(&with_sign.hits), ["rule", "word"]);
    assert_eq!(with_sign.notes, [""; 0]);
    assert_eq!(found(store, "media").await[0], "word");
    assert_eq!(answer(store, "@font-face").await.notes, [""; 0]);
    assert_eq!(found(store, "\"@media print\"").await, ["rule"]);
    assert_eq!(found(store, "example.org").await, ["mail"]);
    let without = answer(store, "@supports").await;
    assert_eq!(uris(&without.hits), ["mail"]);
    let note = "no `@supports`: searched for `supports`";
    assert_eq!(without.notes, [note]);
}
