//! In which order hits stand.

use sectile_core::{DocumentId, Format, SectionId};
use uuid::Uuid;

use super::*;
use crate::{HitDocument, Promotion};

fn chunk(uri: &str, text: &str, section_count: usize) -> FoundChunk {
    FoundChunk {
        document: HitDocument {
            id: DocumentId(Uuid::nil()),
            collection: "docs".into(),
            uri: uri.into(),
            title: None,
            format: Format::Text,
        },
        section: SectionId(Uuid::nil()),
        heading_path: vec!["Part".to_owned()],
        table_head: None,
        text: text.into(),
        first_line: 1,
        pages: None,
        language: Language::English,
        section_count,
    }
}

#[test]
fn a_page_keeps_the_place_of_what_collects_pages_where_a_file_is_named() {
    let question = "yaml package.json";
    let query = Query::parse(question, &[]).unwrap();
    let held = |of_files| HeldClauses {
        clauses: [0, 1].into(),
        is_in_text: true,
        of_files,
    };
    let mut found = FoundHits::new(GroupBy::Section, question);
    for (at, (uri, text, sections, score, of_files)) in (0..).zip([
        ("all", "One text of yaml.", 40, 5.0, 0.0),
        ("rival", "Another text of yaml.", 1, 3.0, 1.0),
        ("page", "One text of yaml.", 1, 2.0, 0.0),
        ("lib/package.json", "A third text of yaml.", 1, 1.25, 1.0),
        ("package.json", "A fourth text of yaml.", 1, 1.0, 0.5),
    ]) {
        let chunk = chunk(uri, text, sections);
        found.add((0, 0, at), chunk, (score, Vec::new()), held(of_files));
    }
    let hits = found.into_hits(10, &query, &Preferences::default());
    let order = hits
        .iter()
        .map(|(_, hit)| (&*hit.document.uri, hit.promotion));
    assert_eq!(
        order.collect::<Vec<_>>(),
        [
            ("page", Some(Promotion::Page)),
            ("rival", None),
            ("package.json", Some(Promotion::NamedFile)),
            // It has the name as often as any.
            ("lib/package.json", None),
        ]
    );
    assert_eq!(hits[0].1.score.to_string(), "2");
}

#[test]
fn a_hit_gives_way_by_the_word_that_it_lacks() {
    let form = |text: &str, is_identifier| TypedForm {
        text: text.into(),
        is_identifier,
    };
    let preferences = Preferences {
        typed: vec![form("JavaScript", true), form("arrays", false)],
        ..Preferences::default()
    };
    let question = "JavaScript arrays";
    let query = Query::parse(question, &[]).unwrap();
    for (text, first) in [
        ("An array of JavaScript", "often"),
        ("Javascript arrays", "typed"),
        ("JavaScript arrays", "often"),
    ] {
        let mut found = FoundHits::new(GroupBy::Section, question);
        let often = (chunk("often", text, 1), 4.0);
        let typed = (chunk("typed", "Arrays are in JavaScript", 1), 2.5);
        for (at, (chunk, score)) in (0..).zip([often, typed]) {
            let held = HeldClauses::default();
            found.add((0, 0, at), chunk, (score, Vec::new()), held);
        }
        let hits = found.into_hits(10, &query, &preferences);
        assert_eq!(hits[0].1.document.uri, first, "{text}");
    }
}

#[test]
fn of_several_words_those_as_typed_decide_between_close_hits() {
    let form = |text: &str| TypedForm {
        text: text.into(),
        is_identifier: false,
    };
    let question = "cats chase old mice";
    let query = Query::parse(question, &[]).unwrap();
    let preferences = Preferences {
        counted: question.split(' ').map(form).collect(),
        ..Preferences::default()
    };
    for (score_of_typed, order) in [
        (9.0, ["typed", "other", "some"]),
        (8.0, ["other", "typed", "some"]),
    ] {
        let mut found = FoundHits::new(GroupBy::Section, question);
        for (at, (uri, text, score)) in (0..).zip([
            ("other", "A cat chased older mouse", 10.0),
            ("typed", "Old cats chase young mice", score_of_typed),
            ("some", "Two mice", 6.0),
        ]) {
            let (chunk, held) = (chunk(uri, text, 1), HeldClauses::default());
            found.add((0, 0, at), chunk, (score, Vec::new()), held);
        }
        let hits = found.into_hits(10, &query, &preferences);
        let uris = hits.iter().map(|(_, hit)| &*hit.document.uri);
        assert_eq!(uris.collect::<Vec<_>>(), order);
        for (_, hit) in &hits {
            let is_behind = order[0] == "typed" && hit.document.uri == "other";
            let demotion = is_behind.then_some(Demotion::OtherForm);
            assert_eq!(hit.demotion, demotion, "{}", hit.document.uri);
            // What is shown is the score without what decided.
            assert!(hit.score.fract().abs() < f64::EPSILON, "{}", hit.score);
        }
    }
}

#[test]
fn forms_of_words_do_not_count_among_languages_that_have_many() {
    let question = "alpha beta gamma";
    let query = Query::parse(question, &[]).unwrap();
    let form = |text: &str| TypedForm {
        text: text.into(),
        is_identifier: false,
    };
    let preferences = Preferences {
        counted: question.split(' ').map(form).collect(),
        ..Preferences::default()
    };
    for (language, first) in [(Language::English, "typed"), (Language::Turkish, "other")] {
        let mut found = FoundHits::new(GroupBy::Section, question);
        let other = (chunk("other", "Alphas and betas", 1), 10.0);
        let mut typed = (chunk("typed", "Alpha, beta, gamma", 1), 9.0);
        typed.0.language = language;
        for (at, (chunk, score)) in (0..).zip([other, typed]) {
            let held = HeldClauses::default();
            found.add((0, 0, at), chunk, (score, Vec::new()), held);
        }
        let hits = found.into_hits(10, &query, &preferences);
        assert_eq!(hits[0].1.document.uri, first, "{language}");
    }
}

#[test]
fn a_document_that_is_called_so_comes_before_hits_that_do_not_score_much_more() {
    let question = "basic auth";
    let query = Query::parse(question, &[]).unwrap();
    let preferences = Preferences {
        name: AskedName::of(question),
        ..Preferences::default()
    };
    for (score, first) in [(2.0, "basic-auth.md"), (1.5, "other")] {
        let mut found = FoundHits::new(GroupBy::Section, question);
        for (at, (uri, score)) in (0..).zip([("other", 7.0), ("basic-auth.md", score)]) {
            let (chunk, held) = (
                chunk(uri, &format!("Text {uri}"), 1),
                HeldClauses::default(),
            );
            found.add((0, 0, at), chunk, (score, Vec::new()), held);
        }
        let hits = found.into_hits(10, &query, &preferences);
        assert_eq!(hits[0].1.document.uri, first, "{score}");
    }
}

#[test]
fn sections_are_called_as_the_question_is_unless_they_are_many() {
    let question = "guide part";
    let query = Query::parse(question, &[]).unwrap();
    let preferences = Preferences {
        name: AskedName::of(question),
        ..Preferences::default()
    };
    for (sections, chunks, first) in [(3, 1, "called 0"), (3, 2, "called 0"), (4, 1, "other")] {
        let mut found = FoundHits::new(GroupBy::Chunk, question);
        let mut other = chunk("other", "other", 1);
        other.heading_path = vec!["Other".to_owned()];
        let called = (0..sections * chunks).map(|number| {
            let mut called = chunk("called", &format!("called {number}"), 1);
            called.section = SectionId(Uuid::from_u128(number / chunks + 1));
            called.heading_path = vec!["Guide".to_owned(), "Part".to_owned()];
            (called, 5.0)
        });
        for (at, (chunk, score)) in (0..).zip(std::iter::once((other, 7.0)).chain(called)) {
            let held = HeldClauses::default();
            found.add((0, 0, at), chunk, (score, Vec::new()), held);
        }
        let hits = found.into_hits(10, &query, &preferences);
        assert_eq!(hits[0].1.text, first, "{sections} {chunks}");
    }
}

#[test]
fn a_heading_that_is_the_question_comes_first_in_a_document_that_is_called_so_too() {
    let question = "part";
    let query = Query::parse(question, &[]).unwrap();
    let preferences = Preferences {
        heading: Some(question.to_owned()),
        name: AskedName::of(question),
        ..Preferences::default()
    };
    let mut other = chunk("other", "Text of another", 1);
    other.document.id = DocumentId(Uuid::from_u128(1));
    other.heading_path = vec!["Other".to_owned()];
    let asked = chunk("part.md", "Text", 1);
    let mut found = FoundHits::new(GroupBy::Section, question);
    for (at, (chunk, score)) in (0..).zip([(other, 9.0), (asked, 1.0)]) {
        let held = HeldClauses::default();
        found.add((0, 0, at), chunk, (score, Vec::new()), held);
    }
    let hits = found.into_hits(10, &query, &preferences);
    assert_eq!(hits[0].1.document.uri, "part.md");
    assert_eq!(hits[0].1.promotion, Some(Promotion::Named));
}

#[test]
fn a_hit_comes_before_those_that_give_way_and_score_little_more() {
    for (scores, giving_way, near, place) in [
        (&[8.0, 3.0, 1.0][..], &[true, true][..], quotes::NEAR, 1),
        (&[3.0, 2.0, 1.0], &[false, true], quotes::NEAR, 1),
        (&[2.0, 1.0], &[false], quotes::NEAR, 1),
        (&[4.0, 1.0], &[true], quotes::NEAR, 1),
        (&[4.0, 1.0], &[true], definitions::NEAR, 0),
        (&[8.0, 1.0], &[true], definitions::NEAR, 1),
        (&[100.0, 1.0], &[true], 0.0, 0),
        (&[1.0], &[], 0.0, 0),
    ] {
        let mut found = FoundHits::new(GroupBy::Section, "question");
        for (at, score) in (0..).zip(scores) {
            let chunk = chunk("uri", &format!("Text {at}"), 1);
            found.add(
                (0, 0, at),
                chunk,
                (*score, Vec::new()),
                HeldClauses::default(),
            );
        }
        let first = found.first_that_gives_way(scores.len() - 1, near, |at| giving_way[at]);
        assert_eq!(first, place, "{scores:?}");
    }
}

#[test]
fn chunks_that_stand_for_others_are_compared_with_those_that_are_added() {
    let question = "call me ishmael";
    let query = Query::parse(question, &[]).unwrap();
    let scored = || (1.0, Vec::new());
    let held = HeldClauses::default;
    let mut found = FoundHits::new(GroupBy::Section, question);
    found.add((0, 0, 0), chunk("a", "One text.", 1), scored(), held());
    let quoted = |uri: &str| chunk(uri, "Call me Ishmael.", 1);
    found.replace((0, 0, 0), (0, 0, 1), quoted("a"), scored(), held());
    found.add((0, 0, 2), quoted("b"), scored(), held());
    // What had the text that is gone is a hit of its own, and keeps its text if another has the new one.
    found.add((0, 0, 3), chunk("c", "One text.", 1), scored(), held());
    found.replace((0, 0, 3), (0, 0, 4), quoted("c"), scored(), held());
    // The chunk that it is to stand for is no hit.
    let other = chunk("d", "Another text.", 1);
    found.replace((9, 9, 9), (0, 0, 5), other, scored(), held());
    let hits = found.into_hits(10, &query, &Preferences::default());
    let shown = hits
        .iter()
        .map(|(_, hit)| (&*hit.document.uri, hit.text.trim(), hit.same_text.len()));
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            ("a", "Call me Ishmael.", 2),
            ("c", "One text.", 0),
            ("d", "Another text.", 0),
        ]
    );
}
