//! Cases about hits whose text or heading has the question.

use super::questions::answer;
use super::{document, put_texts, uris};
use crate::{Answer, Promotion, Store};

/// Says that the first hit scores less than the next one, and why it comes before it.
fn assert_promoted(answer: &Answer, promotion: Promotion, explained: &str) {
    let hits = &answer.hits;
    assert!(hits[0].score < hits[1].score);
    assert_eq!(hits[0].promotion, Some(promotion));
    let others = hits[1..].iter().map(|hit| hit.promotion);
    assert_eq!(others.flatten().next(), None);
    let said = answer.explained(0).join(" ");
    assert!(said.contains(explained), "{said}");
}

pub async fn a_text_that_the_question_quotes_comes_first(store: &dyn Store) {
    let long = "Some years ago I thought I would sail about a little and see the watery part of the world.";
    let creation =
        "And the earth was without form, and void; and darkness was upon the face of the deep.";
    put_texts(
        store,
        &[
            ("whale", &*format!("Call me *Ishmael*. {long}")),
            ("son", "Ishmael, they call him. Call Ishmael, call his son Ishmael."),
            (
                "verse",
                &*format!("1 In the beginning\nGod created the heaven and the earth. {creation}"),
            ),
            (
                "letter",
                "God, the beginning of heaven and earth, created all: earth, heaven, and in heaven God created them.",
            ),
        ],
    )
    .await;
    for (question, uri) in [
        ("Call me Ishmael", "whale"),
        ("call me ishmael.", "whale"),
        (
            "In the beginning God created the heaven and the earth",
            "verse",
        ),
        ("in the beginning God created the heaven and earth", "verse"),
    ] {
        let found = answer(store, question).await;
        assert_eq!(found.hits[0].document.uri, uri, "{question}");
        assert_promoted(&found, Promotion::Quoted, "has the question word for word");
    }
    // The same words in plain questions find what they found.
    for (question, uri) in [
        ("Who did call Ishmael", "son"),
        ("God created heaven and earth in the beginning", "letter"),
    ] {
        let found = answer(store, question).await;
        assert_eq!(found.hits[0].document.uri, uri, "{question}");
        assert_eq!(found.hits[0].promotion, None, "{question}");
    }
}

pub async fn a_section_that_introduces_what_is_asked_for_comes_before_its_subsections(
    store: &dyn Store,
) {
    let introduction = "Version control is a system that records changes of files over time. With it \
        one goes back to a former state of them and compares what was done.";
    let local = "Local version control keeps each version on the disk of one machine; such version control is simple.";
    let distributed = "In distributed version control each clone has each version, and version control needs no server.";
    let sections = [
        (1, "About version control", introduction),
        (2, "Local version control", local),
        (2, "Distributed version control", distributed),
    ];
    let made = vec![
        document("book", &sections),
        document("other", &[(1, "Other", "A cup of tea and a walk")]),
    ];
    store.put(made).await.unwrap();
    let found = answer(store, "How does version control work for all of us").await;
    assert_ne!(
        found.hits[0].heading_path.len(),
        1,
        "the heading lacks a word"
    );
    let found = answer(store, "version control").await;
    assert_eq!(uris(&found.hits), ["book"; 3]);
    assert_eq!(found.hits[0].heading_path, ["About version control"]);
    assert_promoted(
        &found,
        Promotion::Introduces,
        "before its subsections that score little more",
    );
    // One of these is asked for by its own heading.
    let found = answer(store, "local version control").await;
    assert_eq!(found.hits[0].heading_path.len(), 2);
    assert_eq!(found.hits[0].promotion, None);
}
