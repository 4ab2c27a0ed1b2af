//! Cases about questions as a whole: what only asks, and headings that ask the same.

use super::languages::in_language;
use super::questions::answer;
use super::{document, found, uris};
use crate::{Demotion, GroupBy, Language, Promotion, SearchRequest, Store};

pub async fn a_heading_that_is_the_question_comes_first(store: &dyn Store) {
    let long = "A file that holds a dated list of what was done in each release of a project, for all who use it.";
    let sections = [
        (2, "What is a changelog?", long),
        (2, "Who needs a changelog?", "People do."),
        (2, "What makes a good changelog?", "Care."),
    ];
    let mut made = vec![document("changes", &sections)];
    // Only one word ranks, and many sections have it.
    made.extend((1..16).map(|n| {
        let text = format!("jsx jsx jsx {}", "w".repeat(n + 2));
        document(&format!("jsx{n}"), &[(1, "JSX", &text)])
    }));
    made.push(document("asked", &[(1, "What is the JSX?", long)]));
    store.put(made).await.unwrap();
    for (question, heading) in [
        ("what is a changelog", "What is a changelog?"),
        ("who needs a changelog", "Who needs a changelog?"),
        ("What is the JSX", "What is the JSX?"),
    ] {
        let answer = answer(store, question).await;
        let hits = &answer.hits;
        assert_eq!(hits[0].heading_path, [heading], "{question}");
        let promotions: Vec<_> = hits.iter().map(|hit| hit.promotion).take(2).collect();
        assert_eq!(promotions, [Some(Promotion::Asked), None], "{question}");
        // What it says of its place is said in words, too, if it stands before better ones.
        let says_why = answer
            .explained(0)
            .join(" ")
            .contains("its heading is the question");
        let is_moved = hits[1..].iter().any(|other| other.score > hits[0].score);
        assert_eq!(says_why, is_moved, "{question}");
    }
    assert_ne!(found(store, "jsx").await[0], "asked");
}

pub async fn of_nearly_equal_hits_those_in_the_language_of_the_question_come_first(
    store: &dyn Store,
) {
    let czech = format!("changelog {}", "strom ".repeat(26));
    let romanian = format!("changelog {}", "lemn ".repeat(41));
    let made = [
        in_language("cs", Language::Czech, &czech),
        in_language("ro", Language::Romanian, &romanian),
    ];
    store.put(made.into()).await.unwrap();
    let answer = answer(store, "ce este un changelog").await;
    assert_eq!(answer.reading.language.as_deref(), Some("ro"));
    assert_eq!(uris(&answer.hits), ["ro", "cs"]);
    assert!(answer.hits[0].score < answer.hits[1].score);
    let demotions: Vec<_> = answer.hits.iter().map(|hit| hit.demotion).collect();
    assert_eq!(demotions, [None, Some(Demotion::OtherLanguage)]);
}

pub async fn turns_that_ask_for_the_use_of_a_name_are_left_out(store: &dyn Store) {
    let documents = [
        ("script", Language::Korean, "셸 스크립트"),
        ("props", Language::Korean, "defineProps 매크로"),
        ("usage", Language::Korean, "사용법 vipw 사용 방법 설명"),
        (
            "xzgrep",
            Language::Korean,
            "xzgrep 도구는 압축 파일을 찾는다",
        ),
        ("apt", Language::Japanese, "スクリプトの使い方と使用方法"),
        ("useradd", Language::Japanese, "useradd コマンドで追加する"),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    for (question, uri) in [
        ("useradd の使い方", "useradd"),
        ("useradd 使用方法", "useradd"),
        ("xzgrep 사용법", "xzgrep"),
        ("xzgrep 사용 방법", "xzgrep"),
        ("xzgrep 설명", "xzgrep"),
    ] {
        assert_eq!(found(store, question).await, [uri], "{question}");
    }
    // Alone they are what there is to look for.
    assert_eq!(found(store, "사용법").await, ["usage"]);
    // No document has the word, but one has three of its pairs of characters.
    let props = found(store, "defineProps 타입스크립트").await;
    assert_eq!(props, ["props", "script"]);
}

pub async fn differences_and_particles_of_names_are_left_out(store: &dyn Store) {
    let documents = [
        (
            "map",
            Language::Japanese,
            "MapとObjectはどちらもキーと値を持ちます。Mapは任意の値をキーにできます。",
        ),
        (
            "text",
            Language::Japanese,
            "Objectの文字列と数値の違いを説明します。違いは型にあります。この違いに注意してください。",
        ),
        (
            "rc",
            Language::Korean,
            "Rc는 여러 소유자를 만듭니다. RefCell은 런타임에 대여 규칙을 검사합니다.",
        ),
        (
            "fruit",
            Language::Korean,
            "사과와 배의 차이는 맛의 차이입니다. 소와 말의 차이를 RefCell 설명.",
        ),
        ("process", Language::Chinese, "进程和线程共享内存"),
        (
            "area",
            Language::Chinese,
            "线程有区别，地区有区别，区别很大",
        ),
    ];
    let made = documents.map(|(uri, language, text)| in_language(uri, language, text));
    store.put(made.into()).await.unwrap();
    for (question, uri) in [
        ("MapとObjectの違い", "map"),
        ("MapとObjectの違いは何ですか", "map"),
        ("Rc와 RefCell의 차이", "rc"),
        ("Rc는요?", "rc"),
        ("进程和线程有什么区别", "process"),
    ] {
        let answer = answer(store, question).await;
        assert_eq!(answer.hits[0].document.uri, uri, "{question}");
        assert_eq!(answer.notes, [""; 0], "{question}");
    }
    assert_eq!(found(store, "区别").await, ["area"]);
}

pub async fn a_document_is_called_as_the_question_only_as_it_was_typed(store: &dyn Store) {
    let typed = "The variable http_proxy is read. http_proxy only.";
    let page = [
        (1, "basic_auth", "Enables authentication."),
        (
            2,
            "Syntax",
            "basic_auth [realm] and basic_auth { } and basic_auth",
        ),
    ];
    let mut made = vec![
        document(
            "env",
            &[(1, "Zzz", "All"), (2, "http_proxy in lower case", typed)],
        ),
        document("http", &[(1, "HTTP proxy", "Use a proxy for HTTP.")]),
        document("page", &page),
    ];
    for (at, title) in [(1, "HTTP proxy"), (2, "basic_auth")] {
        made[at].metadata.title = Some(title.to_owned());
    }
    store.put(made).await.unwrap();
    let found = answer(store, "http_proxy").await;
    assert_eq!(uris(&found.hits)[0], "env");
    let mut promotions = found.hits.iter().map(|hit| hit.promotion);
    assert!(promotions.all(|of| of != Some(Promotion::Named)));
    let found = answer(store, "http proxy").await;
    assert_eq!(uris(&found.hits)[0], "http");
    assert_eq!(found.hits[0].promotion, Some(Promotion::Named));
    // The beginning of the page stands for it.
    let found = answer(store, "basic_auth").await;
    assert_eq!(found.hits[0].heading_path, ["basic_auth"]);
    assert_eq!(found.hits[0].promotion, Some(Promotion::Named));
}

pub async fn a_document_that_is_called_as_the_question_comes_first(store: &dyn Store) {
    let note = |uri: &str, title: Option<&str>, text: &str| {
        let mut made = document(uri, &[(1, "Zzz", text)]);
        made.metadata.title = title.map(str::to_owned);
        made
    };
    let long = "The similarity of two signals says how much of one is found in the other, as is said here at some length.";
    let similarity = "file:///v/3%20Similarity%20between%20Signals.md";
    let discrete = "file:///v/b.md";
    let mut made = vec![
        note(similarity, None, long),
        note("a", None, "See also Similarity between Signals"),
        note(
            "b",
            None,
            "Similarity between Signals and similarity of signals",
        ),
        note(
            discrete,
            Some("Discrete Systems"),
            "Discrete systems have steps, as is said here",
        ),
        note("c", None, "Discrete systems, discrete systems"),
    ];
    made.extend((0..4).map(|at| {
        let text = format!("Release notes, release notes, number {at}");
        note(&format!("release{at}"), Some("Release notes"), &text)
    }));
    store.put(made).await.unwrap();
    for group_by in [GroupBy::Section, GroupBy::Document] {
        for (question, uri) in [
            ("similarity between signals", similarity),
            ("discrete systems?", discrete),
        ] {
            let request = SearchRequest::new(question).with_group_by(group_by);
            let hits = store.search(&request).await.unwrap().hits;
            assert_eq!(hits[0].document.uri, uri, "{question}");
            let promotions: Vec<_> = hits.iter().map(|hit| hit.promotion).take(2).collect();
            assert_eq!(promotions, [Some(Promotion::Named), None], "{question}");
        }
    }
    let said = answer(store, "similarity between signals").await;
    let said = said.explained(0).join(" ");
    assert!(said.contains("is called as the question"), "{said}");
    // Other words, a part of a name, and what many documents are called name none.
    for question in ["similarity of discrete signals", "signals", "release notes"] {
        let hits = answer(store, question).await.hits;
        let named = hits
            .iter()
            .any(|hit| hit.promotion == Some(Promotion::Named));
        assert!(!named, "{question}");
    }
}

pub async fn a_section_that_is_called_so_with_its_document_comes_first(store: &dyn Store) {
    let force = [
        (
            1,
            "Zzz",
            "Magnetic force, magnetic force, and formulas of forces",
        ),
        (
            2,
            "Formulas",
            "The magnetic force is the charge times the speed, as is said here.",
        ),
    ];
    let other = "Formulas, formulas: magnetic force formulas";
    let made = vec![
        document("file:///v/Magnetic%20Force.md", &force),
        document("other", &[(1, "Zzz", other)]),
    ];
    store.put(made).await.unwrap();
    for question in ["Magnetic Force: Formulas", "formulas magnetic force"] {
        let hits = answer(store, question).await.hits;
        assert_eq!(hits[0].heading_path, ["Zzz", "Formulas"], "{question}");
        let promotions = hits.iter().map(|hit| hit.promotion);
        let named = promotions.filter(|of| *of == Some(Promotion::Named));
        assert_eq!(named.count(), 1, "{question}");
    }
}

pub async fn a_document_that_is_called_by_one_word_comes_before_what_scores_little_more(
    store: &dyn Store,
) {
    let text = "Microprocessors are small, as is said here: a microprocessor is one chip";
    let often = format!("{} and on", "microprocessor ".repeat(20));
    let made = vec![
        document("file:///v/2%20Microprocessor.md", &[(1, "Zzz", text)]),
        document("a", &[(1, "Zzz", "Microprocessor, microprocessor")]),
        document("b", &[(1, "Zzz", &often)]),
    ];
    store.put(made).await.unwrap();
    let hits = answer(store, "microprocessor").await.hits;
    assert_eq!(uris(&hits)[0], "file:///v/2%20Microprocessor.md");
    assert_eq!(hits[0].promotion, Some(Promotion::Named));
}

pub async fn a_page_comes_before_a_section_of_its_name_in_another_document(store: &dyn Store) {
    let mut page = document(
        "page",
        &[(1, "Zzz", "How you use a state well, and what a state is.")],
    );
    page.metadata.title = Some("Use a state well".to_owned());
    let teaser = (2, "Use a state well", "Read how to use a state well.");
    let made = vec![page, document("overview", &[teaser])];
    store.put(made).await.unwrap();
    let hits = answer(store, "use a state well").await.hits;
    assert_eq!(uris(&hits), ["page", "overview"]);
    let promotions: Vec<_> = hits.iter().map(|hit| hit.promotion).collect();
    assert_eq!(promotions, [Some(Promotion::Named), Some(Promotion::Asked)]);
}
