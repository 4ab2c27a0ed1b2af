//! Measurements on a real store, with answers that are documents, headings and lines.

use async_trait::async_trait;
use sectile::models::{ChatModel, ChatRequest};
use sectile::{ChunkSettings, Library, Scope, SearchMode, Strategy};
use sectile_eval::{
    Cutoffs, Draft, Error, Evaluation, GainForm, JudgedQuestions, Outcome, Setting, draft, measure,
    read_judgements,
};

use crate::place::{Place, judged};

const CUTOFFS: Cutoffs = Cutoffs { k: 10, depth: 10 };

async fn outcomes(place: &Place, library: &Library, lines: &str) -> Vec<Outcome> {
    let questions = place.questions(lines).unwrap();
    let judged = judged(library, &questions).await.unwrap();
    let setting = Setting {
        mode: SearchMode::Text,
        chunks: None,
    };
    let measured = measure(library, &Scope::all(), &judged, &setting, CUTOFFS, &|| ()).await;
    measured.unwrap().outcomes
}

fn asked(question: &str, answers: &str) -> String {
    format!("{{\"question\": \"{question}\", \"answers\": [{answers}]}}\n")
}

#[tokio::test]
async fn a_document_is_found_by_the_end_of_its_path() {
    let place = Place::new();
    let library = place.guide().await;
    for name in ["guide.md", "./guide.md", "docs/guide.md"] {
        let answer = format!("{{\"document\": \"{name}\"}}");
        let found = outcomes(&place, &library, &asked("banana", &answer)).await;
        assert!((found[0].recall - 1.0).abs() < 1e-12, "{name}");
    }
}

#[tokio::test]
async fn a_heading_is_answered_by_all_below_it_once() {
    let place = Place::new();
    let library = place.guide().await;
    let answer = r#"{"document": "guide.md", "heading": "Install"}"#;
    // Linux and Windows stand below it; the first of them is the answer.
    let found = outcomes(&place, &library, &asked("cherry damson", answer)).await;
    assert_eq!((found[0].hits, found[0].ndcg, found[0].hit), (2, 1.0, 1.0));
    // What else is found first puts it off.
    let found = outcomes(
        &place,
        &library,
        &asked("elderberry elderberry cherry", answer),
    )
    .await;
    assert_eq!((found[0].reciprocal_rank, found[0].hit), (0.5, 0.0));
}

#[tokio::test]
async fn lines_are_answered_by_chunks_on_them() {
    let place = Place::new();
    let library = place.guide().await;
    let answer = |lines: &str| format!("{{\"document\": \"guide.md\", \"lines\": \"{lines}\"}}");
    let lines = [
        asked("cherry", &answer("9-12")),
        asked("cherry", &answer("13-17")),
        asked("nothing of the kind", &answer("1")),
    ];
    let found = outcomes(&place, &library, &lines.concat()).await;
    assert_eq!((found[0].hit, found[1].hit), (1.0, 0.0));
    assert_eq!((found[2].hits, found[2].ndcg, found[2].tokens), (0, 0.0, 0));
    let tokens = library.counter().count("### Linux\n\nTake the cherry.\n\n");
    assert_eq!(found[0].tokens, tokens);
}

#[tokio::test]
async fn an_answer_with_the_text_of_a_hit_is_found_with_it() {
    let place = Place::new();
    let library = place.guide().await;
    let text = "# Fig\n\n## Harvest\n\nThe fig is ripe in autumn, and is eaten fresh or dried.\n";
    let copies = ["docs/old.md", "docs/new.md"].map(|name| place.write(name, text));
    library.ingest("default", &copies, &|_| ()).await.unwrap();
    for name in ["old.md", "new.md"] {
        for part in ["", ", \"heading\": \"Harvest\""] {
            let answer = format!("{{\"document\": \"{name}\"{part}}}");
            let found = outcomes(&place, &library, &asked("fig eaten dried", &answer)).await;
            assert_eq!((found[0].hit, found[0].recall), (1.0, 1.0), "{answer}");
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_not_there_is_named_with_its_line() {
    let place = Place::new();
    let library = place.guide().await;
    place.write("docs/more/guide.md", "# Another\n");
    let more = [place.write("docs/more/guide.md", "# Another\n")];
    library.ingest("default", &more, &|_| ()).await.unwrap();
    let check = async |answer: &str, expected: &str| {
        let questions = place
            .questions(&format!("\n{}", asked("x", answer)))
            .unwrap();
        let error = judged(&library, &questions).await.unwrap_err();
        let said = sectile::error_chain(&error);
        assert!(
            said.contains("questions.jsonl:2") && said.contains(expected),
            "{said}"
        );
    };
    check(
        r#"{"document": "gone.md"}"#,
        "`gone.md` is not among the 3 documents",
    )
    .await;
    check(r#"{"document": "uide.md"}"#, "`uide.md` is not among").await;
    check(r#"{"document": "guide.md"}"#, "is the end of several paths").await;
    check(
        r#"{"document": "docs/guide.md", "heading": "Instal"}"#,
        "has no heading `Instal`",
    )
    .await;
    check(
        r#"{"document": "docs/guide.md", "lines": "900"}"#,
        "has no lines 900;",
    )
    .await;
}

#[tokio::test]
async fn an_answer_that_is_named_twice_counts_once() {
    let place = Place::new();
    let library = place.guide().await;
    let answers = r#"{"document": "guide.md"}, {"document": "docs/guide.md"}"#;
    let found = outcomes(&place, &library, &asked("banana", answers)).await;
    assert_eq!((found[0].ndcg, found[0].recall), (1.0, 1.0));
    let check = async |answers: &str, expected: &str| {
        let questions = place.questions(&asked("banana", answers)).unwrap();
        let error = judged(&library, &questions).await.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(
        r#"{"document": "guide.md"}, {"document": "docs/guide.md", "gain": 2}"#,
        "questions.jsonl:1: `docs/guide.md` is judged 1 for this question before",
    )
    .await;
    // A document's parts are answers of their own.
    let parts =
        r#"{"document": "guide.md", "heading": "Install"}, {"document": "guide.md", "gain": 2}"#;
    let questions = place.questions(&asked("banana", parts)).unwrap();
    judged(&library, &questions).await.unwrap();
}

#[tokio::test]
async fn a_gain_that_is_infinite_is_refused() {
    let place = Place::new();
    let library = place.guide().await;
    let mut questions = place.questions("1\tbanana").unwrap();
    let qrels = place.write("qrels", "1 0 guide.md 5000");
    read_judgements(&qrels, GainForm::Exponential, &mut questions).unwrap();
    let error = judged(&library, &questions).await.unwrap_err().to_string();
    assert!(error.contains("qrels:1: a gain is too large"), "{error}");
}

#[tokio::test]
async fn questions_without_answers_are_counted_or_refused() {
    let place = Place::new();
    let library = place.guide().await;
    let lines = asked("x", "") + &asked("banana", r#"{"document": "guide.md"}"#);
    let questions = place.questions(&lines).unwrap();
    let judged_questions = judged(&library, &questions).await.unwrap();
    assert_eq!((judged_questions.len(), judged_questions.unjudged), (1, 1));
    let error = judged(&library, &questions[..1]).await.unwrap_err();
    assert!(matches!(error, Error::Unjudged { questions: 1 }), "{error}");
}

#[tokio::test]
async fn a_collection_that_is_not_there_is_named() {
    let place = Place::new();
    let library = place.guide().await;
    let questions = asked("banana", r#"{"document": "guide.md"}"#);
    let questions = place.questions(&questions).unwrap();
    let scope = Scope::collection("nope");
    let found = JudgedQuestions::find(&library, &scope, &questions).await;
    let drafted = draft(&library, &scope, &Fruiterer, 1, &mut |_| ()).await;
    for error in [found.unwrap_err(), drafted.unwrap_err()] {
        let expected = "there is no collection `nope`, only `default`";
        assert_eq!(error.to_string(), expected);
    }
}

#[tokio::test]
async fn settings_stand_side_by_side_with_their_differences() {
    let place = Place::new();
    let library = place.guide().await;
    let answer = r#"{"document": "guide.md", "heading": "Linux"}"#;
    let lines: String = ["cherry", "cherry Linux", "the cherry"]
        .map(|text| asked(text, answer))
        .concat();
    let questions = place.questions(&lines).unwrap();
    let judged = judged(&library, &questions).await.unwrap();
    let mut measured = Vec::new();
    for mode in [SearchMode::Text, SearchMode::Value] {
        let chunks = Some(ChunkSettings {
            size: Some(50),
            ..ChunkSettings::new(Strategy::Token)
        });
        let setting = Setting { mode, chunks };
        measured.push(
            measure(&library, &Scope::all(), &judged, &setting, CUTOFFS, &|| ())
                .await
                .unwrap(),
        );
    }
    let evaluation = Evaluation::new(&judged, CUTOFFS, measured);
    let [first, second] = &*evaluation.settings else {
        panic!("{evaluation:?}");
    };
    assert_eq!(
        (&*first.name, &*second.name),
        ("text, token 50/6", "value, token 50/6")
    );
    assert!(first.difference.is_none());
    let difference = second.difference.unwrap();
    assert_eq!(
        (difference.ndcg.estimate.mean, difference.ndcg.p),
        (0.0, 1.0)
    );
    assert!(first.cost.milliseconds > 0.0 && first.cost.tokens > 0.0);
    let json = serde_json::to_value(&evaluation).unwrap();
    assert_eq!(json["settings"][1]["difference"]["ndcg"]["p"], 1.0);
    assert_eq!(json["settings"][0]["ndcg"]["mean"], 1.0);
}

#[tokio::test]
async fn a_library_cuts_as_it_is_told() {
    let place = Place::new();
    let (usual, long) = (place.library().await, "One two three four. ".repeat(200));
    let path = [place.write("long.md", &format!("# Long\n\n{long}"))];
    let chunks = async |library: &Library| {
        library.ingest("default", &path, &|_| ()).await.unwrap();
        library.totals().await.unwrap().chunks
    };
    let before = chunks(&usual).await;
    for strategy in Strategy::ALL {
        let settings = ChunkSettings {
            size: Some(100),
            ..ChunkSettings::new(strategy)
        };
        let library = usual.clone().with_chunks(&settings).unwrap();
        assert_ne!(library.index_version(), usual.index_version());
        let cut = chunks(&library).await;
        assert!(cut > 2 * before, "{strategy}: {cut} and {before}");
        let document = library.documents(&Scope::all()).await.unwrap().remove(0);
        let read = library.read(&document).await.unwrap();
        let again = library.indexed_chunks(&read);
        assert_eq!(again.len(), cut, "{strategy}");
        let sizes = again.iter().map(|chunk| chunk.tokens.unwrap());
        assert!(sizes.into_iter().all(|tokens| tokens <= 101), "{strategy}");
    }
    assert_eq!(chunks(&usual).await, before);
}

/// A model that asks for the fruit of a section.
#[derive(Debug)]
struct Fruiterer;

#[async_trait]
impl ChatModel for Fruiterer {
    fn name(&self) -> &'static str {
        "fruiterer"
    }

    async fn complete(&self, request: &ChatRequest) -> sectile::models::Result<String> {
        let text = request.user.replace("\\n", " ");
        let words = text.split(|character: char| !character.is_alphabetic());
        let longest = words.max_by_key(|word| word.len()).unwrap_or_default();
        Ok(format!("Where is {longest}?"))
    }
}

#[tokio::test]
async fn drafted_questions_find_what_they_were_written_for() {
    let place = Place::new();
    let library = place.library().await;
    let section = |title: &str, fruit: &str| {
        format!(
            "## {title}\n\n{}\n\n",
            format!("{fruit}xxxxxxxxxx is ripe. ").repeat(12)
        )
    };
    let text = [
        "# Fruit\n\n",
        &section("One", "apricot"),
        &section("Two", "banana"),
        &section("Same", "fig"),
        &section("Same", "lime"),
    ];
    let docs = [place.write("docs/fruit.md", &text.concat())];
    library.ingest("default", &docs, &|_| ()).await.unwrap();
    let mut drafts: Vec<Draft> = Vec::new();
    draft(&library, &Scope::all(), &Fruiterer, 10, &mut |draft| {
        drafts.push(draft);
    })
    .await
    .unwrap();
    // Two sections have the same heading, so neither can be named, and the first says nothing.
    assert_eq!(drafts.len(), 2);
    assert_eq!(drafts[0].question, "Where is apricotxxxxxxxxxx?");
    assert_eq!(drafts[0].answers[0].document, "docs/fruit.md");
    assert!(drafts[0].drafted && drafts[0].model == "fruiterer");
    let lines: Vec<String> = drafts
        .iter()
        .map(|draft| serde_json::to_string(draft).unwrap())
        .collect();
    let found = outcomes(&place, &library, &lines.join("\n")).await;
    assert!(found.iter().all(|outcome| outcome.hit > 0.0), "{found:?}");
    let mut one = 0;
    draft(&library, &Scope::all(), &Fruiterer, 1, &mut |_| one += 1)
        .await
        .unwrap();
    assert_eq!(one, 1);
}
