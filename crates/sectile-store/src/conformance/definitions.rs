//! Cases about questions for a definition.

use super::languages::in_language;
use super::questions::answer;
use super::{chunk, document, put_texts, search, uris};
use crate::{Answer, GroupBy, IndexedDocument, Language, Promotion, SearchRequest, Store};

/// Makes an act that says in one long section what its words mean, and often has one of them in others.
fn act() -> IndexedDocument {
    let terms = "In this act:\n\n(a) “trader” means any person who acts for purposes of a trade and in the course of it;\n\
        (b) “consumer” means any natural person who acts outside of a trade, even if such a consumer has one;\n\
        (c) “goods” means any tangible items that are sold, with the exception of those sold by way of execution.";
    let sections = [
        (1, "Act", "All that is done in a shop"),
        (2, "Article 1", "This act is about goods."),
        (2, "Article 2 Terms", terms),
        (
            2,
            "Consumer information",
            "A trader informs the consumer. The consumer reads it.",
        ),
        (
            2,
            "Rights of the consumer",
            "The consumer may give goods back, as defined in article 7.",
        ),
        (
            2,
            "Duties to a consumer",
            "The consumer is told of all costs. A consumer pays no others.",
        ),
    ];
    document("act", &sections)
}

/// Says that the first hit defines a term, and scores less than the next one.
fn assert_defines(answer: &Answer, question: &str) {
    let hits = &answer.hits;
    assert_eq!(hits[0].promotion, Some(Promotion::Defines), "{question}");
    assert!(hits[0].score < hits[1].score, "{question}");
    let said = answer.explained(0).join(" ");
    assert!(said.contains("its text defines the term"), "{said}");
    let others = hits[1..].iter().map(|hit| hit.promotion);
    assert_eq!(others.flatten().next(), None, "{question}");
}

pub async fn a_text_that_defines_what_is_asked_for_comes_first(store: &dyn Store) {
    store.put(vec![act()]).await.unwrap();
    for question in [
        "What is a consumer?",
        "what are consumers",
        "what does consumer mean",
        "define consumer",
        "definition of consumer",
    ] {
        let found = answer(store, question).await;
        assert_defines(&found, question);
        let heading = found.hits[0].heading_path.last();
        assert_eq!(heading.unwrap(), "Article 2 Terms", "{question}");
    }
    // Other questions find what they found.
    for question in [
        "consumer",
        "who informs the consumer",
        "consumer information",
    ] {
        let found = answer(store, question).await;
        assert_ne!(found.hits[0].heading_path[1], "Article 2 Terms");
        let promotions = found.hits.iter().map(|hit| hit.promotion);
        assert_eq!(promotions.flatten().next(), None, "{question}");
    }
}

pub async fn definitions_are_found_in_each_language(store: &dyn Store) {
    let all = [
        (
            Language::German,
            "Was ist ein Verbraucher?",
            "Verbraucher",
            "Verbraucher ist jede Person, die für sich kauft.",
        ),
        (
            Language::German,
            "Was versteht man unter einem Unternehmer?",
            "Unternehmer",
            "Nr. 2: „Unternehmer“ jede Person, die ein Gewerbe hat.",
        ),
        (
            Language::Spanish,
            "¿Qué se entiende por proveedor?",
            "proveedor",
            "Se entiende por proveedor a quien vende cosas.",
        ),
        (
            Language::French,
            "Qu'est-ce qu'un commerçant ?",
            "commerçant",
            "« commerçant » : toute personne qui vend.",
        ),
        (
            Language::Italian,
            "Che cos'è il recesso?",
            "recesso",
            "Per recesso si intende la facoltà di uscire.",
        ),
        (
            Language::Portuguese,
            "O que é um fornecedor?",
            "fornecedor",
            "Fornecedor é toda pessoa que vende.",
        ),
        (
            Language::Dutch,
            "Wat is een verkoper?",
            "verkoper",
            "“verkoper”: iedere persoon die zaken verkoopt.",
        ),
        (
            Language::Polish,
            "Co to jest gwarancja?",
            "gwarancja",
            "Gwarancja to oświadczenie sprzedawcy.",
        ),
        (
            Language::Russian,
            "Что такое товар?",
            "товар",
            "Под словом «товар» понимается вещь.",
        ),
        (
            Language::Chinese,
            "什么是经营者？",
            "经营者",
            "本法所称经营者，是指销售商品的人。",
        ),
        (
            Language::Japanese,
            "事業者とは何ですか",
            "事業者",
            "この法律において「事業者」とは、法人をいう。",
        ),
    ];
    for (at, (language, _, term, definition)) in all.iter().enumerate() {
        let uses = (1..4).map(|number| {
            let text = format!("{term} {term} {term} a{number}");
            in_language(&format!("{at}-{number}"), *language, &text)
        });
        let text = format!("Alfa beta gamma delta epsilon zeta.\n\n{definition}");
        let defines = in_language(&format!("{at}-defines"), *language, &text);
        store.put(uses.chain([defines]).collect()).await.unwrap();
    }
    for (at, (_, question, ..)) in all.iter().enumerate() {
        let found = answer(store, question).await;
        assert_eq!(uris(&found.hits)[0], format!("{at}-defines"), "{question}");
        assert_defines(&found, question);
    }
}

pub async fn a_chunk_that_defines_stands_for_its_section(store: &dyn Store) {
    let used = "The consumer, the consumer and the consumer.\n\n";
    let defined = "A consumer is any person who buys something for private use and not to sell it.";
    let mut made = document("terms", &[(1, "Terms", &format!("{used}{defined}"))]);
    let section = &mut made.sections[0];
    let border = section.content.find(defined).unwrap();
    section.chunks = [0..border, border..section.content.len()]
        .map(|span| chunk(&section.content, span.into()))
        .to_vec();
    store.put(vec![made]).await.unwrap();
    put_texts(
        store,
        &[("use", "consumer consumer"), ("x", "x"), ("y", "y")],
    )
    .await;
    let used = search(store, "consumer").await;
    assert!(used.iter().all(|hit| !hit.text.contains(defined)));
    for group_by in [GroupBy::Section, GroupBy::Document] {
        let request = SearchRequest::new("what is a consumer").with_group_by(group_by);
        let hits = store.search(&request).await.unwrap().hits;
        assert_eq!(uris(&hits), ["terms", "use"]);
        assert_eq!(hits[0].text.trim(), defined);
        assert_eq!(hits[0].promotion, Some(Promotion::Defines));
    }
}

pub async fn a_heading_that_is_the_term_stays_before_a_definition_elsewhere(store: &dyn Store) {
    let page = [(1, "Closures", "Closures keep closures: they capture names.")];
    let glossary = "- **Scope**: where names are known\n- **Closure**: a function with the names that are around it\n\
        - **Module**: a file with names";
    let other = [(1, "Glossary", glossary)];
    let made = vec![document("page", &page), document("glossary", &other)];
    store.put(made).await.unwrap();
    put_texts(store, &[("x", "closures closures closures"), ("y", "y")]).await;
    let hits = search(store, "what is a closure?").await;
    assert_eq!(uris(&hits), ["page", "glossary", "x"]);
    assert_eq!(hits[1].promotion, Some(Promotion::Defines));
}

pub async fn the_entry_of_a_name_comes_before_its_mentions(store: &dyn Store) {
    let about = "Alfa beta gamma delta epsilon zeta eta theta iota kappa lambda.";
    let entries = format!(
        "core.other::\n\t{about}\n\ncore.quotePath::\n\tQuotes unusual characters.\n\n`--max-size`::\n\t{about}"
    );
    let table =
        format!("{about}\n\n| name | what it is |\n|---|---|\n| `max_size` | the most bytes |");
    let made = vec![
        document("entries", &[(1, "Keys", &entries)]),
        document("table", &[(1, "Table", &table)]),
        document(
            "headed",
            &[(1, "Functions", "All"), (2, "`setMode`", about)],
        ),
        document(
            "mentions",
            &[
                (1, "A", "See core.quotePath, and core.quotePath"),
                (1, "B", "`--max-size` is a flag, as --max-size"),
                (1, "C", "With `max_size`, max_size"),
                (1, "setMode and others", "setMode, setMode"),
            ],
        ),
    ];
    store.put(made).await.unwrap();
    for (question, uri) in [
        ("core.quotePath", "entries"),
        ("core.quotepath", "entries"),
        ("what does core.quotePath do", "entries"),
        ("what is core.quotePath", "entries"),
        ("--max-size", "entries"),
        ("`max_size`", "table"),
        ("setMode", "headed"),
    ] {
        let found = answer(store, question).await;
        assert_eq!(uris(&found.hits)[0], uri, "{question}");
        let promotion = found.hits[0].promotion;
        assert_eq!(promotion, Some(Promotion::Defines), "{question}");
    }
    // With other words, scores decide.
    let found = answer(store, "mentions of core.quotePath in files").await;
    assert_eq!(uris(&found.hits)[0], "mentions");
}

pub async fn the_section_of_a_name_comes_before_entries_in_its_subsections(store: &dyn Store) {
    let long =
        "- `setState`: sets what is shown, as is said here at some length, for all who read it.";
    let api = [
        (1, "Reference", "All"),
        (2, "setState(next)", long),
        (3, "Limits", "- `setState`: setState waits."),
    ];
    let other = "setState, setState and setState";
    let made = vec![
        document("api", &api),
        document("other", &[(1, "Zzz", other)]),
    ];
    store.put(made).await.unwrap();
    let found = answer(store, "setState").await;
    assert_eq!(found.hits[0].heading_path, ["Reference", "setState(next)"]);
    assert_eq!(found.hits[0].promotion, Some(Promotion::Defines));
}

pub async fn a_section_with_the_name_in_its_heading_stays_before_entries(store: &dyn Store) {
    let errors = [
        (1, "Errors", "All"),
        (
            2,
            "Aborting on the first error: any_errors_fatal",
            "Set `any_errors_fatal` and the play ends. With any_errors_fatal all hosts stop.",
        ),
    ];
    let porting = "- `any_errors_fatal` - now runs the rescue section.\n- something else";
    let sizes = "With max_size, no more: max_size, or max_size.";
    let index = "- `max_size`: [Sizes](sizes.md)\n- `min_size`: [Sizes](sizes.md)";
    let made = vec![
        document("errors", &errors),
        document("porting", &[(1, "Porting", porting)]),
        document("sizes", &[(1, "Sizes", sizes)]),
        document("index", &[(1, "Index", index)]),
    ];
    store.put(made).await.unwrap();
    let hits = search(store, "any_errors_fatal").await;
    assert_eq!(uris(&hits)[..2], ["errors", "porting"]);
    assert_eq!(hits[1].promotion, Some(Promotion::Defines));
    // The index of a book has no entries.
    let hits = search(store, "max_size").await;
    assert_eq!(uris(&hits), ["sizes", "index"]);
    assert_eq!(hits[1].promotion, None);
}
