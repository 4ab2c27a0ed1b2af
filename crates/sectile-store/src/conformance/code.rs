//! Cases about questions to source code.

use sectile_core::Format;

use super::questions::answer;
use super::quotes::in_two_chunks;
use super::{document, found, put_texts, uris};
use crate::{Analyzer, Demotion, IndexedDocument, Promotion, SearchRequest, Store};

/// A text in which a word says little.
const LONG: &str = "in a long text about many things that nobody asks for, with more words in it than there are in \
                    the others, so that each of them says less of what it is about";

/// Writes documents that no question asks for, beside which the others are rare.
async fn put_others(store: &dyn Store) {
    for number in 1..9 {
        let uri = format!("other{number}");
        let text = format!("Other {number} of all");
        put_texts(store, &[(&*uri, &*text)]).await;
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

/// Makes a document whose first section has the name of its file, as all have that have a title.
fn file(uri: &str, sections: &[(u8, &str, &str)]) -> IndexedDocument {
    let mut made = document(uri, sections);
    let name = uri.rsplit('/').next().unwrap();
    let path = format!("{}\n{name}", sections[0].1);
    made.sections[0].path_terms = Analyzer::english().terms(&path);
    made
}

pub async fn the_name_of_a_file_counts_in_all_of_its_sections(store: &dyn Store) {
    let package = [
        (1, "Demo", "The version is 1.5.0, and the type is module."),
        (1, "Dependencies", "All of express, knex and yaml."),
        (1, "Scripts", "How it starts."),
    ];
    let made = vec![
        file("file:///app/package.json", &package),
        file(
            "file:///lib/package.json",
            &[(1, "Library", "The version is 2.")],
        ),
    ];
    store.put(made).await.unwrap();
    let rivals = [
        ("notes", "The version of a version, and yaml of yaml"),
        ("history", "A version, and another version"),
        ("other", "No version at all"),
    ];
    put_texts(store, &rivals).await;
    put_others(store).await;
    for question in ["yaml app/package.json", "yaml in app/package.json"] {
        let answer = answer(store, question).await;
        let hits = &answer.hits;
        assert_eq!(hits[0].heading_path, ["Dependencies"], "{question}");
        assert_eq!(hits[0].promotion, Some(Promotion::NamedFile), "{question}");
        assert!(hits[0].score < hits[1].score, "{question}");
        let said = answer.explained(0).join(" ");
        assert!(said.contains("the question names its file"), "{said}");
    }
    // Words that other sections of the file have do not make up for one that only this section has.
    let hits = answer(store, "yaml version package.json").await.hits;
    assert_eq!(hits[0].heading_path, ["Dependencies"]);
    // The name alone finds where the file begins.
    assert_eq!(found(store, "package.json").await.len(), 2);
}

pub async fn the_folders_and_the_extension_of_a_file_are_no_words(store: &dyn Store) {
    let source = [
        (1, "NewChain", "It makes a chain of sources."),
        (1, "Sources", "It has all sources."),
    ];
    let mut made = document("file:///src/value_source.go", &source);
    // Source code has no title, so that all sections have the name of the file, without its extension.
    for section in &mut made.sections {
        let path = format!("value_source\n{}", section.heading_path[0]);
        section.path_terms = Analyzer::english().terms(&path);
    }
    store.put(vec![made]).await.unwrap();
    let rivals = [
        ("string", "GoString, go, and go: as go writes it"),
        ("folder", "The src, all of src and src"),
    ];
    put_texts(store, &rivals).await;
    put_others(store).await;
    for question in ["value_source.go chain", "src/value_source.go chain"] {
        let answer = answer(store, question).await;
        let headings = answer.hits.iter().map(|hit| &*hit.heading_path[0]);
        assert_eq!(
            headings.collect::<Vec<_>>(),
            ["NewChain", "Sources"],
            "{question}"
        );
        let note = "no `value_source.go`: searched for `value_source`";
        assert_eq!(answer.notes, [note], "{question}");
    }
}

pub async fn parts_of_an_identifier_that_is_nowhere_count_half(store: &dyn Store) {
    let texts = [
        ("parts", "http and parse before a deadline, request"),
        ("other", "Something else in as many words as these"),
    ];
    put_texts(store, &texts).await;
    // Between full stops are names of their own.
    for (typed, share) in [("parseHttpRequest", 0.5), ("parse.http.request", 1.0)] {
        let found = answer(store, &format!("{typed} deadline")).await;
        let words = found.hits[0].words.iter();
        let (plain, parts): (Vec<_>, Vec<_>) = words.partition(|of| of.typed == "deadline");
        assert_eq!((plain.len(), parts.len()), (1, 3), "{typed}: {found:?}");
        for part in parts {
            let counted = part.score / plain[0].score;
            assert!((counted - share).abs() < 1e-9, "{typed}: {found:?}");
        }
    }
}

/// Makes a document of source code.
fn source(uri: &str, sections: &[(u8, &str, &str)]) -> IndexedDocument {
    let format = Format::Code;
    IndexedDocument {
        format,
        ..document(uri, sections)
    }
}

pub async fn a_definition_is_found_wherever_it_ranks(store: &dyn Store) {
    let documented = format!("It is {LONG}. {LONG}. {LONG}.");
    let methods: Vec<(String, String)> = (0..40)
        .map(|n| {
            let text = format!("Returns the matrix n{n}: a matrix of matrix and matrix");
            (format!("with{n}(matrix)"), text)
        })
        .collect();
    let methods = methods.iter().map(|(name, text)| (2, &**name, &**text));
    let class = [(1, "class Matrix", &*documented)];
    let sections: Vec<(u8, &str, &str)> = class.into_iter().chain(methods).collect();
    let export = [(1, "export default Matrix", "The Matrix of this file")];
    let made = vec![
        source("file:///matrix.js", &sections),
        source("file:///index.js", &export),
    ];
    store.put(made).await.unwrap();
    put_others(store).await;
    for limit in [1, 10, 30] {
        let request = SearchRequest::new("Matrix").with_limit(limit);
        let hits = store.search(&request).await.unwrap().hits;
        assert_eq!(hits.len(), limit);
        assert_eq!(hits[0].heading_path, ["class Matrix"], "{limit}");
        assert_eq!(hits[0].promotion, Some(Promotion::Named), "{limit}");
        let others = hits[1..].iter().map(|hit| hit.promotion);
        assert_eq!(others.flatten().next(), None, "{limit}");
    }
    // A name in other letters finds what its word finds.
    let hits = answer(store, "matrix").await.hits;
    assert_ne!(hits[0].heading_path, ["class Matrix"]);
}

pub async fn the_line_that_sets_a_variable_comes_before_what_uses_it(store: &dyn Store) {
    let rule = "p {\n  font-size: $font-size-base;\n  width: calc(2 * $font-size-base);\n}";
    let set = format!("$font-size-base: 1rem !default; // It is {LONG}.");
    let uses: Vec<IndexedDocument> = (0..12)
        .map(|n| {
            let text = format!("{rule} // n{n}");
            source(&format!("file:///use{n}.scss"), &[(1, "Zzz", &text)])
        })
        .collect();
    store.put(uses).await.unwrap();
    let variables = IndexedDocument {
        format: Format::Code,
        ..in_two_chunks("file:///variables.scss", rule, &set)
    };
    store.put(vec![variables]).await.unwrap();
    put_others(store).await;
    for limit in [1, 10, 20] {
        let request = SearchRequest::new("$font-size-base").with_limit(limit);
        let hits = store.search(&request).await.unwrap().hits;
        assert_eq!(hits[0].document.uri, "file:///variables.scss", "{limit}");
        assert!(hits[0].text.contains(": 1rem"), "{}", hits[0].text);
        assert_eq!(hits[0].promotion, Some(Promotion::Named));
    }
}
