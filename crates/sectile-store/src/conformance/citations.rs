//! Cases about sections that a question names by their numbers.

use super::questions::answer;
use super::{document, found, put_texts, uris};
use crate::{Analyzer, IndexedDocument, Language, Promotion, Store};

pub async fn a_section_is_found_by_a_number_before_its_name(store: &dyn Store) {
    let about = "What is said here is long and goes on about many things that nobody asks for";
    let hungarian = [
        (1, "Torveny", "All that is written"),
        (2, "5. § Dijak", about),
        (2, "12. § Egyebek", "As 5 and 5 and 5"),
        (2, "15. § Vegyes", "5"),
    ];
    let turkish = [
        (1, "Kanun", "All that is done"),
        (2, "MADDE 5 – Tanimlar", about),
        (2, "MADDE 12 – Kapsam", "As 5 and 5 and 5"),
        (2, "MADDE 15 – Haklar", "5"),
    ];
    let finnish = [
        (1, "Laki", "All that is said"),
        (2, "5 § Maksut", about),
        (2, "12 § Muut", "As 5 and 5 and 5"),
        (2, "15 § Voimaantulo", "5"),
    ];
    let made = [
        ("hu", &hungarian[..]),
        ("tr", &turkish[..]),
        ("fi", &finnish[..]),
    ];
    let made = made.map(|(uri, sections)| document(uri, sections));
    store.put(made.into()).await.unwrap();
    for (question, heading) in [
        ("5. § torveny", "5. § Dijak"),
        ("torveny 5. §", "5. § Dijak"),
        ("kanun madde 5", "MADDE 5 – Tanimlar"),
        ("5. madde kanun", "MADDE 5 – Tanimlar"),
        ("laki 5 §", "5 § Maksut"),
        ("laki 12 §", "12 § Muut"),
    ] {
        let found = answer(store, question).await;
        assert_eq!(found.hits[0].heading_path[1], heading, "{question}");
        assert_eq!(found.hits[0].promotion, Some(Promotion::Cited));
    }
}

/// Makes a document of several sections in Spanish.
fn in_spanish(uri: &str, sections: &[(u8, &str, &str)]) -> IndexedDocument {
    let analyzer = Analyzer::for_language(Language::Spanish);
    let mut made = document(uri, sections);
    made.language = Language::Spanish.to_string();
    for section in &mut made.sections {
        let content = &section.content;
        section.path_terms = analyzer.terms(&section.heading_path.join(" "));
        for chunk in &mut section.chunks {
            chunk.terms = analyzer.terms(chunk.span.of(content));
        }
    }
    made
}

pub async fn a_law_is_found_by_its_number_in_any_notation(store: &dyn Store) {
    let consumers = [
        (1, "Ley N° 17.250", "Relaciones de consumo"),
        (2, "Artículo 5", "Consumidores"),
        (2, "Artículo 6", "Derechos de quien compra"),
    ];
    let towns = [
        (1, "Ley Nº 9515", "Gobierno de las ciudades"),
        (2, "Artículo 5", "Intendentes"),
        (2, "Artículo 6", "Concejos, como dice el art. 6"),
    ];
    let made = [
        in_spanish("consumers", &consumers),
        in_spanish("towns", &towns),
    ];
    store.put(made.into()).await.unwrap();
    for (number, uri) in [
        ("17250", "consumers"),
        ("17.250", "consumers"),
        ("9.515", "towns"),
    ] {
        for sign in ["", "Nº ", "N° ", "nro. "] {
            let question = format!("Ley {sign}{number} art. 6");
            let hits = answer(store, &question).await.hits;
            assert_eq!(uris(&hits)[0], uri, "{question}");
            assert_eq!(hits[0].heading_path[1], "Artículo 6", "{question}");
        }
    }
}

pub async fn a_directive_is_found_by_its_number(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("rights", "Directive 2011/83/EU of the council"),
            ("health", "Directive 2011/24/EU of the council"),
            ("old", "Directive 2008/83/EC of the council"),
        ],
    )
    .await;
    for question in [
        "Directive 2011/83/EU",
        "directive 2011/83",
        "2011/83",
        "Directive (EU) 2011/83",
    ] {
        assert_eq!(found(store, question).await[0], "rights", "{question}");
    }
}

pub async fn a_section_is_found_by_a_number_with_other_digits(store: &dyn Store) {
    let chinese = [
        (1, "消费者法", "本法保护消费者。"),
        (2, "第四条", "经营者应当遵守法律。"),
        (2, "第五条", "国家保护其权利。"),
        (2, "第十五条", "依照第五条的规定办理。"),
        (2, "第二十五条", "依照第五条和第十五条的规定办理。"),
    ];
    let korean = [
        (1, "민법", "모든 사람에 관한 법률"),
        (2, "제5조(목적)", "권리를 정한다"),
        (2, "제15조(정의)", "제5조에 따라 제5조와 같이 정한다"),
    ];
    let made = [("zh", &chinese[..]), ("ko", &korean[..])];
    let made = made.map(|(uri, sections)| document(uri, sections));
    store.put(made.into()).await.unwrap();
    for (question, heading) in [
        ("第5条", "第五条"),
        ("第５条", "第五条"),
        ("第五条", "第五条"),
        ("消费者法 第15条", "第十五条"),
        ("第25条", "第二十五条"),
        ("제5조", "제5조(목적)"),
        ("민법 제15조", "제15조(정의)"),
    ] {
        let found = answer(store, question).await;
        assert_eq!(found.hits[0].heading_path[1], heading, "{question}");
        assert_eq!(found.hits[0].promotion, Some(Promotion::Cited));
    }
}

pub async fn references_to_a_section_give_way_to_it(store: &dyn Store) {
    let locks = "What is said here is long and goes on about many things that nobody asks for";
    let manual = [
        (1, "13. Concurrency", "It is about writers."),
        (2, "13.2.3. Locks", locks),
        (
            2,
            "13.4. Checks",
            "See section 13.2.3, which is in no chapter 13.2.3.",
        ),
        (2, "13.5. Rows", "Section 13.2.3, section 13.2.3"),
        (2, "13.6. Tables", "Section 13.2.3 has tables and tables."),
    ];
    let other = [
        (1, "Other", "It has a section"),
        (2, "Part", "Each chapter"),
        (2, "Lock", "These say what locks are"),
    ];
    let made = [document("manual", &manual), document("other", &other)];
    store.put(made.into()).await.unwrap();
    for question in [
        "section 13.2.3",
        "Sec. 13.2.3",
        "chapter 13.2.3",
        "what does section 13.2.3 say",
    ] {
        let found = answer(store, question).await;
        assert_eq!(found.hits[0].heading_path[1], "13.2.3. Locks", "{question}");
        assert_eq!(found.hits[0].promotion, Some(Promotion::Cited));
    }
    // Another word of the question still counts.
    let found = answer(store, "section 13.2.3 tables").await;
    assert_eq!(found.hits[0].heading_path[1], "13.6. Tables");
}

pub async fn a_version_is_found_by_its_own_section(store: &dyn Store) {
    let changes = [
        (1, "Changelog", "All that was done"),
        (2, "0.12.6", "It reads what 0.12.5 wrote"),
        (
            2,
            "0.12.5 - 2026-07-30",
            "A fault in the cache was mended, and writers no longer wait for readers of it",
        ),
        (2, "0.12.4", ""),
        (
            3,
            "Fixed",
            "Locks are let go in time, as is said at some length in the guide for those who run it",
        ),
    ];
    let uses = [
        (
            1,
            "Use",
            "It is fetched if the file was changed: rev: 0.12.5, again 0.12.5",
        ),
        (
            2,
            "Rates",
            "What changed in the file, changed in it and changed in 0.12",
        ),
        (
            2,
            "Notes",
            "Release notes say what changed: 0.12.4, and 0.12.4",
        ),
        (2, "Cache", "The cache changed in 0.12.5, the cache"),
    ];
    let made = [document("changes", &changes), document("uses", &uses)];
    store.put(made.into()).await.unwrap();
    for (question, heading) in [
        ("what changed in 0.12.5", "0.12.5 - 2026-07-30"),
        ("release notes 0.12.5", "0.12.5 - 2026-07-30"),
        ("what's new in v0.12.5?", "0.12.5 - 2026-07-30"),
        // What has no text of its own gives way to what is below it.
        ("what changed in 0.12.4", "Fixed"),
    ] {
        let found = answer(store, question).await;
        let first = &found.hits[0];
        assert_eq!(first.heading_path.last().unwrap(), heading, "{question}");
        assert_eq!(first.promotion, Some(Promotion::Cited), "{question}");
    }
    let other = answer(store, "install rev 0.12.5").await;
    assert_eq!(other.hits[0].heading_path, ["Use"]);
}

pub async fn an_article_of_a_code_is_found_by_its_letter_and_number(store: &dyn Store) {
    let about = "Ce qui est dit ici est long, et va sur beaucoup de choses que personne ne demande";
    let code = [
        (1, "Code", "All that is written"),
        (2, "Article L212-2", about),
        (2, "Article R*212-2", about),
        (
            2,
            "Article L212-20",
            "As in article L212-2 and article L212-2 of the code",
        ),
        (
            2,
            "Article R212-1",
            "Article L. 212 and R. 212 of the code, 2",
        ),
    ];
    store.put(vec![document("code", &code)]).await.unwrap();
    for (question, heading) in [
        ("article L. 212-2 code", "Article L212-2"),
        ("L 212-2 code", "Article L212-2"),
        ("art. L212-2", "Article L212-2"),
        ("R. 212-2", "Article R*212-2"),
        ("R*212-2", "Article R*212-2"),
    ] {
        let found = answer(store, question).await;
        assert_eq!(found.hits[0].heading_path[1], heading, "{question}");
    }
}

pub async fn words_for_a_part_of_a_section_put_no_other_one_before_it(store: &dyn Store) {
    let act = [
        (1, "Act", "All that is written"),
        (
            2,
            "\u{a7} 186 Adoption",
            "What is said here is long and goes on about many things",
        ),
        (
            2,
            "\u{a7} 188 Parties",
            "\u{a7} 186 Abs. 2 Satz 1 and Abs. 2 Satz 1 and II 1",
        ),
    ];
    store.put(vec![document("act", &act)]).await.unwrap();
    for question in ["\u{a7} 186 Abs. 2 Satz 1", "\u{a7} 186 II 1"] {
        let found = answer(store, question).await;
        assert_eq!(
            found.hits[0].heading_path[1], "\u{a7} 186 Adoption",
            "{question}"
        );
        assert_eq!(
            found.hits[0].promotion,
            Some(Promotion::Cited),
            "{question}"
        );
    }
}

pub async fn a_clause_without_a_heading_comes_before_references_to_it(store: &dyn Store) {
    let fees =
        "4.1 They are in euros.\n\n4.2 They are due in a month, as is said here at some length.";
    let act = [
        (1, "Agreement", "All that is agreed"),
        (2, "Fees", fees),
        (2, "Notices", "See clause 4.2, and clause 4.2"),
    ];
    store.put(vec![document("act", &act)]).await.unwrap();
    let found = answer(store, "clause 4.2").await;
    assert_eq!(found.hits[0].heading_path[1], "Fees");
    assert_eq!(found.hits[0].promotion, Some(Promotion::Cited));
}
