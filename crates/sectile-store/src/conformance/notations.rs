//! Cases about what a question and a text write in different ways, and about signs that only the text itself has.

use super::quotes::in_two_chunks;
use super::{found, put_texts, search};
use crate::{Promotion, Store};

pub async fn what_has_the_signs_of_a_question_comes_first(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("versions", "The version is 2.11, or 2.11 again"),
            (
                "typed",
                "It requires a version of ansible >=2.11 to run at all",
            ),
            ("count", "10 of 10 and 10"),
            ("rate", "It has a rate of 10% of all that there is to have"),
            ("keys", "The key ctrl and the letters n and ctrl"),
            (
                "pressed",
                "A window for notes is opened if Ctrl+N is pressed",
            ),
        ],
    )
    .await;
    for (question, uri) in [
        (">=2.11", "typed"),
        ("10%", "rate"),
        ("10 percent", "rate"),
        ("Ctrl+N", "pressed"),
        ("2.11", "versions"),
        ("10", "count"),
    ] {
        assert_eq!(found(store, question).await[0], uri, "{question}");
    }
}

pub async fn units_are_found_by_their_names_and_signs(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("sign", "The disk has 7 GB"),
            ("joined", "The disk has 9GB"),
            ("name", "The disk has 11 gigabytes"),
            ("numbers", "The disks 7, 9 and 11 are 7, 9 and 11"),
        ],
    )
    .await;
    for (question, uri) in [
        ("7 gigabytes", "sign"),
        ("9 gigabytes", "joined"),
        ("11 GB", "name"),
        ("11GB", "name"),
    ] {
        assert_eq!(found(store, question).await[0], uri, "{question}");
    }
}

pub async fn codes_are_found_in_other_notations(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("plain", "Code T676 is heat fatigue"),
            ("stop", "Code H35.72 is a detachment"),
            ("short", "Bug check 0x1E is an exception"),
            ("long", "The value 0x000000D1 is another"),
            ("path", "An error was found in src/foo/bar.rs today"),
            ("other", "At 12 there were 5 and a bar"),
            ("part", "BC547B is a transistor"),
            (
                "commit",
                "It was broken in 9724476b9289636a1b0f3d2c4e5f60718293a4b5",
            ),
            ("page", "See http://example.org/guide/start for more of it"),
            ("secure", "Start with https, a guide to https"),
        ],
    )
    .await;
    for (question, uri) in [
        ("T67.6", "plain"),
        ("H3572", "stop"),
        ("0x0000001E", "short"),
        ("0xD1", "long"),
        ("src/foo/bar.rs:12:5", "path"),
        ("(bar.rs:12)", "path"),
        ("BC547", "part"),
        ("9724476", "commit"),
        ("9724476b92", "commit"),
        ("https://example.org/guide/start", "page"),
        ("see https://example.org/guide/start", "page"),
    ] {
        assert_eq!(found(store, question).await[0], uri, "{question}");
    }
}

pub async fn a_chunk_as_it_was_typed_stands_for_its_section(store: &dyn Store) {
    let made = vec![
        in_two_chunks(
            "versions",
            "The version is 2.11, or 2.11 again, and 2.11.",
            "It requires ansible >=2.11 to run, as was said before by somebody.",
        ),
        in_two_chunks(
            "formats",
            "The dateFormat is set in the harbour: dateFormat, dateFormat, and dateFormat.",
            "This one has a DATE_FORMAT for all that it writes to somebody else.",
        ),
    ];
    store.put(made).await.unwrap();
    put_texts(store, &[("x", "x"), ("y", "y")]).await;
    for (question, uri) in [(">=2.11", "versions"), ("DATE_FORMAT", "formats")] {
        let hits = search(store, question).await;
        assert_eq!(hits[0].document.uri, uri, "{question}");
        let text = &hits[0].text;
        assert!(text.contains(question), "{question}: {text}");
        let of_section = hits.iter().filter(|hit| hit.document.uri == uri);
        assert_eq!(of_section.count(), 1, "{question}");
    }
    // Other questions find the chunk that has most of their words.
    for (question, text) in [
        ("2.11", "again"),
        ("dateFormat", "is set"),
        ("DATE_FORMAT harbour", "is set"),
    ] {
        let hits = search(store, question).await;
        assert!(hits[0].text.contains(text), "{question}: {}", hits[0].text);
    }
}

pub async fn what_has_the_signs_of_a_question_is_found_wherever_it_ranks(store: &dyn Store) {
    let others: Vec<(String, String)> = (0..60)
        .map(|n| {
            let text =
                format!("Depth of seven, seven of hours, hours of a depth: depth by depth n{n}");
            (format!("other{n:02}"), text)
        })
        .collect();
    let others: Vec<(&str, &str)> = others.iter().map(|(uri, text)| (&**uri, &**text)).collect();
    put_texts(store, &others).await;
    let rest =
        "some years ago I thought I would sail about a little and see the watery part of the world";
    let typed = format!("It fails unless depth >= seven hours, {rest}.");
    put_texts(store, &[("typed", &*typed)]).await;
    let hits = search(store, "depth >= seven hours").await;
    assert_eq!(hits[0].document.uri, "typed");
    assert_eq!(hits[0].promotion, Some(Promotion::Quoted));
    let others = hits[1..].iter().map(|hit| hit.promotion);
    assert_eq!(others.flatten().next(), None);
}
