//! Cases about hits whose text or heading has the question.

use super::questions::answer;
use super::{chunk, document, put_texts, uris};
use crate::{Answer, Demotion, GroupBy, IndexedDocument, Promotion, SearchRequest, Store};

/// What has the words of a quote more often than the text that has them in a row.
const USED: &str = "Ishmael, they call him. Call Ishmael, call his son Ishmael.";

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
            ("son", USED),
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

/// Puts the text that a question quotes behind so many that have its words more often.
async fn put_far_behind(store: &dyn Store, uri: &str, text: &str, other: &str) {
    let others: Vec<(String, String)> = (0..14)
        .map(|n| (format!("other{n:02}"), format!("{other} n{n}")))
        .collect();
    let others = others.iter().map(|(uri, text)| (&**uri, &**text));
    let all: Vec<(&str, &str)> = others.chain([(uri, text)]).collect();
    put_texts(store, &all).await;
}

pub async fn a_quoted_text_is_found_wherever_it_ranks(store: &dyn Store) {
    let text = "Call me *Ishmael*. Some years ago I thought I would sail about a little and see the watery part of the world.";
    put_far_behind(store, "whale", text, USED).await;
    for group_by in [GroupBy::Section, GroupBy::Document] {
        for limit in [1, 3, 10, 20] {
            let request = SearchRequest::new("call me ishmael")
                .with_group_by(group_by)
                .with_limit(limit);
            let hits = store.search(&request).await.unwrap().hits;
            assert_eq!(hits.len(), limit.min(15));
            assert_eq!(hits[0].document.uri, "whale", "{limit}");
            assert_eq!(hits[0].promotion, Some(Promotion::Quoted));
            let named = hits.iter().filter(|hit| hit.document.uri == "whale");
            assert_eq!(named.count(), 1, "{limit}");
        }
    }
    // What the words bring is what it scores.
    let found = answer(store, "call me ishmael").await;
    let brought: f64 = found.hits[0].words.iter().map(|word| word.score).sum();
    assert_eq!(brought.to_string(), found.hits[0].score.to_string());
    // With the words in another order nothing has them in a row.
    let found = answer(store, "me call ishmael").await;
    assert!(found.hits.iter().all(|hit| hit.promotion.is_none()));
}

pub async fn all_of_a_long_quote_comes_before_most_of_it(store: &dyn Store) {
    let other = "Removing the server of the mail package (2.2.40). A set of the server of the mail package: a set.";
    let rest = "Some years ago I thought I would sail about a little and see the watery part of the world.";
    let all = format!("Setting up the server of the mail package (2.2.40) ... {rest} {rest}");
    put_far_behind(store, "log", &all, other).await;
    for limit in [1, 3, 10, 20] {
        let question = "Setting up the server of the mail package (2.2.40) ...";
        let request = SearchRequest::new(question).with_limit(limit);
        let hits = store.search(&request).await.unwrap().hits;
        assert_eq!(hits.len(), limit.min(15));
        assert_eq!(hits[0].document.uri, "log", "{limit}");
        // The others have most of it.
        let promotions = hits.iter().map(|hit| hit.promotion);
        assert_eq!(promotions.flatten().count(), hits.len(), "{limit}");
    }
}

pub async fn a_chunk_with_all_of_a_quote_comes_before_one_with_most_of_it(store: &dyn Store) {
    let used = "Mail of a server, server of a package, package of mail: setting up mail, server, package, 2.2.40.";
    let rest = "Some years ago I thought I would sail about a little and see the watery part of the world.";
    put_far_behind(store, "another", rest, used).await;
    let question = "Setting up the server of the mail package (2.2.40) ...";
    let most = format!("Removing the server of the mail package (2.2.40). {rest}");
    let all = format!("{question} {rest} {rest} {rest}");
    store
        .put(vec![in_two_chunks("log", &most, &all)])
        .await
        .unwrap();
    for limit in [1, 10, 20] {
        let request = SearchRequest::new(question).with_limit(limit);
        let hits = store.search(&request).await.unwrap().hits;
        assert_eq!(hits[0].document.uri, "log", "{limit}");
        assert!(hits[0].text.starts_with("Setting up"), "{limit}");
    }
}

/// Makes a document of one section with two chunks.
pub(super) fn in_two_chunks(uri: &str, first: &str, second: &str) -> IndexedDocument {
    let mut made = document(uri, &[(1, "Loomings", &format!("{first}\n\n{second}"))]);
    let section = &mut made.sections[0];
    let border = section.content.find(second).unwrap();
    section.chunks = [0..border, border..section.content.len()]
        .map(|span| chunk(&section.content, span.into()))
        .to_vec();
    made
}

pub async fn a_chunk_that_is_quoted_stands_for_its_section(store: &dyn Store) {
    let quoted = "Call me Ishmael. Some years ago I thought I would sail about a little.";
    let made = in_two_chunks("whale", USED, quoted);
    store.put(vec![made]).await.unwrap();
    put_texts(store, &[("x", "x"), ("y", "y")]).await;
    let hits = answer(store, "call me Ishmael").await.hits;
    assert_eq!(uris(&hits), ["whale"]);
    assert_eq!(hits[0].text.trim(), quoted);
}

pub async fn chunks_that_are_no_quotes_stand_for_no_sections(store: &dyn Store) {
    let quoted = |uri: &str| {
        let used = format!("{USED} So says {uri}.");
        let quoted =
            format!("Call me Ishmael, says the {uri}. Some years ago I thought I would sail.");
        in_two_chunks(uri, &used, &quoted)
    };
    store
        .put(vec![quoted("whale"), quoted("shark")])
        .await
        .unwrap();
    put_texts(store, &[("x", "x"), ("y", "y")]).await;
    // Three words are a common turn if several texts have them.
    let hits = answer(store, "call me Ishmael").await.hits;
    assert_eq!(hits.len(), 2);
    for hit in &hits {
        assert!(hit.text.contains(USED), "{}", hit.text);
        assert_eq!(hit.promotion, None);
    }
    let hits = answer(store, "call me Ishmael, says the whale").await.hits;
    assert_eq!(hits[0].promotion, Some(Promotion::Quoted));
    assert!(hits[0].text.starts_with("Call me"));
    // A comment is no text.
    let comment = "<!-- Call me Ahab. Some years ago I thought I would sail about a little. -->";
    let used = USED.replace("Ishmael", "Ahab");
    let made = in_two_chunks("captain", comment, &used);
    store.put(vec![made]).await.unwrap();
    let hits = answer(store, "call me Ahab").await.hits;
    assert_eq!(hits[0].document.uri, "captain");
    assert_eq!(hits[0].text.trim(), used);
}

pub async fn a_message_is_found_by_its_words_whatever_its_values(store: &dyn Store) {
    let text = "fn open() { return Err(format!(\"error: cannot open {path}: {reason}\")); }";
    let other =
        "Permission denied for /etc/x, an error: permission denied when /etc/x is read in full";
    put_far_behind(store, "code", text, other).await;
    let words: Vec<(String, String)> = (0..14)
        .map(|n| {
            let text = format!("An open error w{n} cannot be mended when it is open.");
            (format!("word{n:02}"), text)
        })
        .collect();
    let words: Vec<(&str, &str)> = words.iter().map(|(uri, text)| (&**uri, &**text)).collect();
    put_texts(store, &words).await;
    put_texts(
        store,
        &[
            ("manual", "`Cannot find module '%s'` is said where none is."),
            ("log", "Cannot find module 'left-pad'"),
        ],
    )
    .await;
    for (question, uri) in [
        ("error: cannot open /etc/x: Permission denied", "code"),
        (
            "error: cannot open /var/lib/nowhere.db: No such file",
            "code",
        ),
        ("Cannot find module 'express'", "manual"),
    ] {
        let found = answer(store, question).await;
        assert_eq!(found.hits[0].document.uri, uri, "{question}");
        let promotions = found.hits.iter().map(|hit| hit.promotion);
        assert_eq!(promotions.flatten().count(), 1, "{question}");
    }
    let found = answer(store, "error: cannot open /etc/x: Permission denied").await;
    assert_promoted(
        &found,
        Promotion::Message,
        "it has the message with placeholders",
    );
    // The message with the same value is better than one with a placeholder, and other questions have no message.
    let found = answer(store, "Cannot find module 'left-pad'").await;
    assert_eq!(uris(&found.hits)[..2], ["log", "manual"]);
    let found = answer(store, "Permission denied when /etc/x is read").await;
    assert!(uris(&found.hits)[0].starts_with("other"));
}

pub async fn a_text_with_the_values_of_a_message_is_found_behind_one_with_placeholders(
    store: &dyn Store,
) {
    let used = "Express module, find cannot; express module, find cannot";
    let others: Vec<(String, String)> = (0..9)
        .map(|n| {
            (
                format!("other{n}"),
                format!("{used}; express module, find cannot n{n}"),
            )
        })
        .collect();
    let others: Vec<(&str, &str)> = others.iter().map(|(uri, text)| (&**uri, &**text)).collect();
    put_texts(store, &others).await;
    let rest =
        "This is what was built, when and where, by whom and for how long, on one of the machines.";
    put_texts(
        store,
        &[
            ("manual", &*format!("`Cannot find module '%s'`: {used}.")),
            ("log", &*format!("Cannot find module 'express'. {rest}")),
        ],
    )
    .await;
    let found = answer(store, "Cannot find module 'express'").await;
    assert_eq!(uris(&found.hits)[..2], ["log", "manual"]);
    let promotions = found.hits[..2].iter().map(|hit| hit.promotion);
    assert_eq!(
        promotions.collect::<Vec<_>>(),
        [Some(Promotion::Quoted), Some(Promotion::Message)]
    );
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

pub async fn a_stop_word_decides_between_headings_that_have_all_other_words(store: &dyn Store) {
    let sections = [
        (1, "Guide", "All that there is"),
        (2, "Use Tokio", "Use tokio here: tokio is for sockets."),
        (
            2,
            "When not to use Tokio",
            "Use tokio elsewhere: where files are read, or sockets are few.",
        ),
    ];
    let other = [(1, "Other", "A cup of tea and a walk")];
    store
        .put(vec![
            document("guide", &sections),
            document("other", &other),
        ])
        .await
        .unwrap();
    for (question, heading) in [
        ("when should I not use tokio", "When not to use Tokio"),
        ("how do I use tokio", "Use Tokio"),
        // No heading has all words that rank.
        ("should I not use tokio for sockets", "Use Tokio"),
    ] {
        let hits = answer(store, question).await.hits;
        assert_eq!(hits[0].heading_path[1], heading, "{question}");
    }
    let hits = answer(store, "when should I not use tokio").await.hits;
    assert!(hits[0].score < hits[1].score, "the score is its own");
    assert_eq!(hits[1].demotion, Some(Demotion::OtherForm));
}
