//! Cases about how questions are read.

use super::{document, found, put_texts, search, uris};
use crate::{Analyzer, Answer, GroupBy, Hit, SearchMode, SearchRequest, Store, WordKind};

pub(super) async fn answer(store: &dyn Store, query: &str) -> Answer {
    let request = SearchRequest::new(query).with_explain(true);
    store.search(&request).await.unwrap()
}

pub async fn a_flag_is_a_word(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("commit", "Use `git commit -m \"message\"` to say why."),
            ("push", "Push sends commits: `git push`."),
            ("list", "Get-ChildItem -Recurse lists what is below."),
        ],
    )
    .await;
    for (query, uri) in [
        ("git commit -m", "commit"),
        ("what does -m mean", "commit"),
        ("Get-ChildItem -Recurse", "list"),
    ] {
        assert_eq!(found(store, query).await[0], uri, "{query}");
        assert!(answer(store, query).await.notes.is_empty(), "{query}");
    }
}

pub async fn a_word_that_stands_twice_counts_twice(store: &dyn Store) {
    put_texts(
        store,
        &[("a", "apple lemon"), ("b", "banana lemon"), ("c", "cherry")],
    )
    .await;
    assert_eq!(found(store, "apple banana banana").await, ["b", "a"]);
    assert_eq!(found(store, "apples banana apple").await, ["a", "b"]);
    let once = search(store, "apple").await[0].score;
    let twice = search(store, "apple apples").await[0].score;
    assert!((twice - 2.0 * once).abs() < 1e-8, "{once} {twice}");
}

pub async fn quotes_in_prose_prefer_words_in_a_row(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("a", "brown and quick fox, quick and quick again"),
            ("b", "the quick brown fox"),
            ("c", "fox"),
        ],
    )
    .await;
    let quoted = answer(store, "which fox is \"quick brown\"").await;
    assert_eq!(uris(&quoted.hits), ["b", "a", "c"]);
    assert_eq!(quoted.notes, Vec::<String>::new());
}

pub async fn a_phrase_alone_is_required_if_it_can_be(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("a", "the quick brown fox"),
            ("b", "brown and quick"),
            ("c", "fox"),
        ],
    )
    .await;
    let required = answer(store, "\"quick brown\"").await;
    assert_eq!(uris(&required.hits), ["a"]);
    assert_eq!(required.notes, ["every hit has `quick brown`"]);
    let let_go = answer(store, "\"brown quick\"").await;
    assert_eq!(let_go.hits.len(), 2);
    assert_eq!(
        let_go.notes,
        ["the phrase `brown quick` was not found; searched for its words"]
    );
    assert_eq!(answer(store, "\"damson elder\"").await.hits, []);
    // Also where these are common.
    assert_eq!(found(store, "\"and the\"").await.len(), 2);
}

pub async fn words_joined_by_and_are_required(store: &dyn Store) {
    put_texts(
        store,
        &[("a", "alpha beta"), ("b", "alpha gamma"), ("c", "beta")],
    )
    .await;
    assert_eq!(found(store, "alpha AND beta").await, ["a"]);
    let none = answer(store, "alpha AND beta AND gamma").await;
    assert_eq!(none.hits, []);
    assert_eq!(
        none.notes,
        ["nothing was found that has `alpha`, `beta` and `gamma`"]
    );
}

pub async fn what_is_excluded_is_left_out_and_said(store: &dyn Store) {
    put_texts(store, &[("a", "alpha beta"), ("b", "alpha gamma delta")]).await;
    let without = answer(store, "alpha NOT beta").await;
    assert_eq!(uris(&without.hits), ["b"]);
    assert_eq!(without.notes, ["no hit has `beta`"]);
    assert_eq!(found(store, "alpha -\"gamma delta\"").await, ["a"]);
    let none = answer(store, "alpha NOT beta NOT gamma").await;
    assert_eq!(none.hits, []);
    assert_eq!(found(store, "ALPHA NOT BETA").await.len(), 2);
}

pub async fn sections_with_the_same_text_are_one_hit(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("v1", "apple"),
            ("v2", "apple"),
            ("v3", "apple"),
            ("other", "apple pie"),
            ("another", "a large apple tart"),
        ],
    )
    .await;
    for limit in [2, 3, 10] {
        let request = SearchRequest::new("apple").with_limit(limit);
        let hits = store.search(&request).await.unwrap().hits;
        let expected = ["v1", "other", "another"];
        assert_eq!(uris(&hits), expected[..limit.min(3)], "{limit}");
        let others = hits[0].same_text.iter();
        let others: Vec<_> = others.map(|found| &*found.document.uri).collect();
        assert_eq!(others, ["v2", "v3"]);
    }
}

pub async fn a_heading_alone_gives_way_to_what_says_more(store: &dyn Store) {
    let reference = document(
        "reference",
        &[
            (1, "Get-ChildItem", ""),
            (
                2,
                "Description",
                "What the command is for: it lists what is in a place.",
            ),
            (
                2,
                "Examples",
                "The first of these shows all files, the second a few of them.",
            ),
        ],
    );
    let other = document(
        "other",
        &[(
            1,
            "Other",
            "As get-childitem does, in a long text of its own.",
        )],
    );
    store.put(vec![reference, other]).await.unwrap();
    let headings = |limit| async move {
        let request = SearchRequest::new("get-childitem").with_limit(limit);
        let hits = store.search(&request).await.unwrap().hits;
        let last = hits
            .into_iter()
            .map(|mut hit| hit.heading_path.pop().unwrap());
        last.collect::<Vec<_>>()
    };
    let all = headings(10).await;
    assert_eq!(all.len(), 4);
    assert_eq!(all.last().unwrap(), "Get-ChildItem");
    assert_eq!(headings(1).await, all[..1]);
    assert_eq!(headings(3).await, all[..3]);
    let request = SearchRequest::new("get-childitem").with_explain(true);
    let answer = store.search(&request).await.unwrap();
    let says = |place: usize, what: &str| answer.explained(place).join(" ").contains(what);
    assert!(says(3, "only a heading"), "{:?}", answer.explained(3));
    assert!(!(0..3).any(|place| says(place, "only a heading")));
    assert!(!says(2, "beside the next"), "{:?}", answer.explained(2));
}

pub async fn headings_of_different_documents_are_different_hits(store: &dyn Store) {
    let reference = |uri| {
        let below = (2, "Example", "A few lines that show how it is called.");
        document(uri, &[(1, "Usage", ""), below])
    };
    let uris_of = ["v1/effect", "v1/memo", "v2/effect"];
    store.put(uris_of.map(reference).into()).await.unwrap();
    let request = SearchRequest::new("usage").with_group_by(GroupBy::Document);
    let found = store.search(&request).await.unwrap().hits;
    let bare = |hit: &&Hit| hit.text.trim() == "# Usage";
    let bare: Vec<&Hit> = found.iter().filter(bare).collect();
    let uris: Vec<_> = bare.iter().map(|hit| &*hit.document.uri).collect();
    assert_eq!(uris, uris_of[..2]);
    // Of two versions the second is named by the first.
    assert_eq!(bare[0].same_text[0].document.uri, uris_of[2]);
}

pub async fn what_the_words_brought_adds_up_to_the_score(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("a", "apple banana apple"),
            ("b", "banana cherry"),
            ("c", "damson"),
        ],
    )
    .await;
    let explained = answer(store, "the banana, an apple \"banana apple\" unheard").await;
    for hit in &explained.hits {
        let sum: f64 = hit.words.iter().map(|word| word.score).sum();
        assert!((sum - hit.score).abs() < 1e-9, "{hit:?}");
    }
    let words: Vec<_> = explained.hits[0].words.iter().collect();
    let shown: Vec<_> = words
        .iter()
        .map(|word| {
            (
                &*word.typed,
                &*word.term,
                word.chunks,
                format!("{}", word.frequency),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("banana", "banana", 2, "1".to_owned()),
            ("apple", "appl", 1, "2".to_owned()),
            ("banana apple", "banana appl", 1, "1".to_owned()),
        ]
    );
    let reading = &explained.reading;
    assert_eq!(reading.left_out, ["the", "an"]);
    assert_eq!(reading.words[0].chunks, 2);
    assert_eq!(reading.words[2].kind, WordKind::Phrase);
    assert_eq!(reading.words[3].chunks, 0);
    let plain = SearchRequest::new("apple").with_mode(SearchMode::Text);
    let plain = store.search(&plain).await.unwrap();
    assert!(plain.hits.iter().all(|hit| hit.words.is_empty()));
}

pub async fn a_word_with_a_minus_is_said_to_be_no_flag(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("proxy", "a proxy that talks socks"),
            ("flag", "curl -x proxy"),
        ],
    )
    .await;
    let word = answer(store, "proxy -socks").await;
    assert_eq!(uris(&word.hits)[0], "proxy");
    let note = "no flag `-socks`: searched for `socks`; `-\"socks\"` excludes it";
    assert_eq!(word.notes, [note]);
    assert_eq!(answer(store, "proxy -x").await.notes, [""; 0]);
}

pub async fn a_beginning_finds_what_follows(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("install", "How to install the package"),
            (
                "instance",
                "An instance of something else, said at some length",
            ),
            ("other", "Nothing that is of any interest"),
            (
                "long",
                "Set CONFIG_ARCH_WANT_DEFAULT_TOPDOWN_MMAP_LAYOUT_AND_MORE",
            ),
        ],
    )
    .await;
    let found = answer(store, "inst*").await;
    assert_eq!(uris(&found.hits), ["install", "instance"]);
    assert_eq!(found.reading.words[0].searched_for.len(), 2);
    let none = answer(store, "xyz*").await;
    assert_eq!(none.hits, []);
    assert_eq!(none.notes, ["no word begins as `xyz`"]);
    assert_eq!(answer(store, "package in*").await.hits.len(), 3);
    let long = answer(store, "config_arch_want*").await;
    assert_eq!(uris(&long.hits), ["long"]);
}

pub async fn a_heading_found_by_the_name_of_its_document_gives_way(store: &dyn Store) {
    let sections = [
        (2, "Configuration", ""),
        (
            2,
            "Synopsis",
            "How a clean install is done in a place of its own.",
        ),
        (
            2,
            "Options",
            "The first of these is for tests, the second for all.",
        ),
    ];
    // What a document is called need not be read off its URI.
    let mut manual = document("file:///manuals/clean%20install.md", &sections);
    for section in &mut manual.sections {
        let path = format!("clean install\n{}", section.heading_path[0]);
        section.path_terms = Analyzer::english().terms(&path);
    }
    store.put(vec![manual]).await.unwrap();
    let request = SearchRequest::new("how to install");
    let hits = store.search(&request).await.unwrap().hits;
    let last = hits.iter().map(|hit| &*hit.heading_path[0]).next_back();
    assert_eq!((hits.len(), last), (3, Some("Configuration")));
}

pub async fn stop_words_that_say_something_rank(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("legal", "Legal department: the department of law"),
            ("it", "IT department: computers"),
            ("in", "Log in: how you log in, with a password"),
            (
                "out",
                "Log out: how to log out of the page of the company again",
            ),
            ("event", "An event loop, a loop that waits"),
            (
                "for",
                "The for loop repeats until nothing is left to be done",
            ),
            ("quote", "To be or not to be, said he to the others"),
            (
                "others",
                "To be told, to be or to do, or not to: to be, to be",
            ),
        ],
    )
    .await;
    for (question, uri) in [
        ("IT department", "it"),
        ("log in", "in"),
        ("log out", "out"),
        ("for loop", "for"),
        ("what is a `for` loop", "for"),
        ("to be or not to be", "quote"),
    ] {
        assert_eq!(found(store, question).await[0], uri, "{question}");
    }
    assert_eq!(found(store, "it AND department").await, ["it"]);
    let asked = answer(store, "how do I log out").await;
    assert_eq!(asked.reading.left_out, ["how", "do", "I", "out"]);
    let row = asked.reading.words.last().unwrap();
    assert_eq!((&*row.typed, row.kind), ("log out", WordKind::Phrase));
}

pub async fn words_with_the_stem_of_a_stop_word_rank(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("owned", "A company owned by its workers"),
            ("canned", "Canned fish keeps for years"),
            (
                "other",
                "A company and a fish of their own, which will be over",
            ),
        ],
    )
    .await;
    for (question, uri, left_out) in [
        (
            "which company is owned by them",
            "owned",
            &["which", "is", "by", "them"][..],
        ),
        ("What's overly canned", "canned", &["What's"]),
        ("canned", "canned", &[]),
    ] {
        let answer = answer(store, question).await;
        assert_eq!(uris(&answer.hits)[0], uri, "{question}");
        assert_eq!(answer.reading.left_out, left_out, "{question}");
    }
}

pub async fn operators_in_sentences_and_code_are_words(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("printer", "The printer is not working"),
            ("column", "A column with a not null constraint"),
            ("range", "x between 1 and 10"),
        ],
    )
    .await;
    for (question, uri) in [
        ("Printer is NOT working", "printer"),
        ("column NOT NULL constraint", "column"),
        ("x BETWEEN 1 AND 10", "range"),
    ] {
        let answer = answer(store, question).await;
        assert_eq!(uris(&answer.hits)[0], uri, "{question}");
        assert!(answer.notes[0].contains("is read as a word"), "{question}");
    }
    assert_eq!(found(store, "constraint NOT printer").await, ["column"]);
}

pub async fn words_are_found_as_one_and_as_two(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("worktree", "A worktree is another folder of a repository"),
            ("tree", "A tree of files in folders is what there is"),
            ("name", "Each name space has names of its own"),
            ("space", "Names may have a space"),
            (
                "other",
                "Nothing of it: a repository of files and its names",
            ),
        ],
    )
    .await;
    let one = answer(store, "work tree").await;
    assert_eq!(uris(&one.hits), ["worktree", "tree"]);
    let two = answer(store, "namespace").await;
    assert_eq!(uris(&two.hits), ["name"]);
    assert_eq!(two.notes, ["no `namespace`: searched for `name space`"]);
    // Both are there, and nowhere in a row.
    let apart = answer(store, "foldertree repository").await;
    assert_eq!(uris(&apart.hits), ["worktree", "other"]);
    assert_eq!(apart.notes, ["no document has `foldertree`"]);
    // What no other word says is none of a part of it.
    assert_eq!(found(store, "anyone").await, Vec::<String>::new());
}

pub async fn a_name_is_found_as_one_with_the_word_before_it(store: &dyn Store) {
    let about =
        "Do not call methods such as console.log in what is shipped to the users of a program.";
    let mut all = vec![document("rule", &[(1, "no-console", about)])];
    for number in 0..5 {
        let uri = format!("other{number}");
        let text = format!("console.log(a); console.log(b); console.log({number});");
        all.push(document(&uri, &[(1, "Zzz", &text)]));
    }
    store.put(all).await.unwrap();
    let asked = answer(store, "no console.log").await;
    assert_eq!(uris(&asked.hits)[0], "rule");
    assert_eq!(asked.hits.len(), 6);
    assert_eq!(asked.notes, [""; 0]);
    assert_ne!(found(store, "console.log").await[0], "rule");
}

pub async fn a_name_with_full_stops_is_found_by_its_parts_in_a_title(store: &dyn Store) {
    let about = "Writes a message to where errors are shown.";
    let mut all = vec![document("method", &[(1, "console: log() method", about)])];
    for number in 0..25 {
        let uri = format!("other{number}");
        let text = match number {
            0..5 => format!("console.log(a) {number}"),
            _ => format!("Another text of a few words that has the number {number}"),
        };
        all.push(document(&uri, &[(1, "Zzz", &text)]));
    }
    store.put(all).await.unwrap();
    let asked = answer(store, "console.log").await;
    assert_eq!(uris(&asked.hits)[0], "method");
    assert_eq!(asked.hits.len(), 6);
}

pub async fn an_identifier_that_is_nowhere_is_found_by_its_sides(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("class", "class Session: a session, and every session"),
            ("method", "class Session, def get_adapter(self, url)"),
            ("other", "def get_redirect_target(self), an adapter"),
            ("node", "Servers in node.js"),
            ("js", "A js file is of a node, the node of the js"),
        ],
    )
    .await;
    for (typed, sides) in [
        ("Session.get_adapter", "`Session` and `get_adapter`"),
        ("Sesion.get_adapter", "`session` and `get_adapter`"),
        ("self.get_adapter", "`self` and `get_adapter`"),
        ("get_url_adapter", "`get`, `url` and `adapter`"),
    ] {
        let apart = answer(store, typed).await;
        assert_eq!(uris(&apart.hits)[0], "method", "{typed}");
        let note = format!("no `{typed}`: searched for {sides}");
        assert_eq!(apart.notes, [note]);
        for hit in &apart.hits {
            let sum: f64 = hit.words.iter().map(|word| word.score).sum();
            assert!((sum - hit.score).abs() < 1e-9, "{hit:?}");
        }
    }
    let whole = answer(store, "node.js").await;
    assert_eq!(
        (uris(&whole.hits)[0].as_str(), whole.notes.len()),
        ("node", 0)
    );
    let unheard = answer(store, "unheard.get_adapter").await;
    assert_eq!(unheard.notes.last().unwrap(), "no document has `unheard`");
    assert_eq!(answer(store, "unheard.nowhere_said").await.hits, []);
}
