//! `sectile eval`.

use super::server::Server;
use super::workplace::Workplace;

/// Questions that the words of the guide answer.
const QUESTIONS: &str = r#"{"id": "run", "question": "cargo install", "answers": [{"document": "guide.md", "heading": "Guide > Install"}]}
{"id": "plugins", "question": "where do plugins go?", "answers": [{"document": "docs/guide.md", "heading": "Use > Install"}]}
{"id": "open", "question": "what else?"}
"#;

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("questions.jsonl", QUESTIONS);
    place
}

#[test]
fn a_table_says_how_well_questions_are_answered() {
    let place = place();
    let table = place.stdout(&["eval", "questions.jsonl", "--in", "docs"]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "2 questions, 2 documents; hits are sections");
    assert_eq!(lines[1], "1 question left out for lack of an answer");
    let words = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        words(lines[3])[..6],
        [
            "setting",
            "nDCG@10",
            "recall@10",
            "MRR@10",
            "hit@1",
            "empty"
        ]
    );
    assert_eq!(
        words(lines[4])[..6],
        ["text", "1.000", "1.000", "1.000", "1.000", "0"]
    );
    // What is measured goes into a store of its own.
    assert!(!place.path("store.db").exists());
}

#[test]
fn ways_to_cut_stand_side_by_side_in_every_form() {
    let place = place();
    let arguments = [
        "eval",
        "questions.jsonl",
        "--in",
        "docs",
        "--strategy",
        "sentence,token",
        "--size",
        "50,100",
        "-k",
        "5",
        "--html",
        "report.html",
        "--cache",
        "stores",
    ];
    let table = place.stdout(&arguments);
    assert!(table.contains("Against text, sentence 50/7"), "{table}");
    assert!(
        table.contains("text, token 100/12") && table.contains("p = 1.000"),
        "{table}"
    );
    let page = std::fs::read_to_string(place.path("report.html")).unwrap();
    for part in [
        "<!DOCTYPE html>",
        "where do plugins go?",
        "role=\"img\"",
        "nDCG@5",
        "text, token 50/6",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let report = place.json(&[&arguments[..], &["--json"]].concat());
    assert_eq!(report["settings"].as_array().unwrap().len(), 4);
    let second = &report["settings"][1];
    assert_eq!(second["chunking"]["size"], 100);
    assert_eq!(second["outcomes"][1]["id"], "plugins");
    assert_eq!(second["difference"]["mrr"]["mean"], 0.0);
    assert_eq!((&report["k"], &report["unjudged"]), (&5.into(), &1.into()));
    assert!(place.path("stores/token-50-6-o200k_base.db").exists());
}

#[test]
fn overlaps_stand_side_by_side() {
    let place = place();
    let arguments = ["eval", "questions.jsonl", "--in", "docs", "--json"];
    let cut = ["--strategy", "token", "--size", "50", "--overlap", "5,20"];
    let report = place.json(&[&arguments[..], &cut].concat());
    let settings = report["settings"].as_array().unwrap();
    let overlaps: Vec<_> = settings
        .iter()
        .map(|setting| setting["chunking"]["overlap"].as_u64())
        .collect();
    assert_eq!(overlaps, [Some(5), Some(20)]);
    assert!(settings[1]["difference"]["mrr"]["mean"].is_number());
}

#[test]
fn a_store_is_measured_as_it_is() {
    let place = place();
    place.stdout(&["ingest", "docs"]);
    let table = place.stdout(&["eval", "questions.jsonl", "--collection", "default"]);
    assert!(table.contains("2 questions, 2 documents"), "{table}");
    let said = place.stderr(&["eval", "questions.jsonl", "--size", "100"], 2);
    assert!(said.contains("name files with --in or --corpus"), "{said}");
    let said = place.stderr(&["eval", "questions.jsonl", "--collection", "nope"], 2);
    assert!(
        said.contains("there is no collection `nope`, only `default`"),
        "{said}"
    );
}

#[test]
fn modes_are_compared_with_a_model() {
    let (place, server) = (place(), Server::start(|_| (500, "unused".into())));
    let model = server.model("words");
    let table = place.stdout(&[
        "eval",
        "questions.jsonl",
        "--in",
        "docs",
        "--embedder",
        &model,
    ]);
    for mode in ["text ", "vector ", "hybrid "] {
        assert!(table.lines().any(|line| line.starts_with(mode)), "{table}");
    }
}

#[test]
fn a_text_that_the_model_refuses_leaves_the_others_to_be_measured() {
    let (place, server) = (place(), Server::start(|_| (500, "unused".into())));
    let documents = [("pome", "The apple."), ("citrus", "The kumquat.")];
    let lines = documents.map(|(id, text)| format!("{{\"id\": \"{id}\", \"text\": \"{text}\"}}\n"));
    place.write("corpus.jsonl", lines.concat());
    place.write(
        "fruit.jsonl",
        "{\"question\": \"apple\", \"gains\": {\"pome\": 1}}\n",
    );
    let model = server.model("picky");
    let arguments = ["eval", "fruit.jsonl", "--corpus", "corpus.jsonl", "--json"];
    let arguments = [&arguments[..], &["--mode", "vector", "--embedder", &model]].concat();
    let report = place.json(&arguments);
    assert_eq!(report["settings"][0]["recall"]["mean"], 1.0);
    let said = place.stderr(&arguments, 0);
    assert!(
        said.contains("citrus: 1 of its chunks has no vector"),
        "{said}"
    );
    assert!(said.contains("the text is too long"), "{said}");
}

#[test]
fn judgements_may_be_a_file_of_their_own() {
    let place = place();
    place.write("topics", "<top><num>1<title>release checklist</top>\n");
    place.write(
        "qrels",
        "1 0 notes.txt 1\n1 0 gone.txt 1\n2 0 notes.txt 1\n",
    );
    let arguments = [
        "eval", "topics", "--qrels", "qrels", "--in", "docs", "--json",
    ];
    let report = place.json(&arguments);
    assert_eq!(
        (&report["missing"], &report["group_by"]),
        (&1.into(), &"document".into())
    );
    assert_eq!(report["settings"][0]["recall"]["mean"], 0.5);
    let said = place.stderr(&arguments, 0);
    assert!(
        said.contains("1 judgement refers to an unknown question"),
        "{said}"
    );
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let place = place();
    for (questions, expected) in [
        (
            "{\"question\": \"a\", \"answers\": [{\"document\": \"gone.md\"}]}",
            "q.jsonl:1: `gone.md` is not among the 2 documents",
        ),
        (
            "{\"question\": \"a\"}",
            "no question has an answer (1 asked); add `answers`, or name judgements with --qrels",
        ),
        ("", "`q.jsonl` has no questions"),
    ] {
        place.write("q.jsonl", questions);
        let said = place.stderr(&["eval", "q.jsonl", "--in", "docs"], 2);
        assert!(said.contains(expected), "{said}");
    }
    let said = place.stderr(&["eval", "docs", "--in", "docs"], 2);
    assert!(said.contains("`docs` holds no questions"), "{said}");
    let overlap = [
        "eval",
        "questions.jsonl",
        "--in",
        "docs",
        "--size",
        "10",
        "--overlap",
        "10",
    ];
    let said = place.stderr(&overlap, 2);
    let expected = "`--overlap` must be smaller than a chunk of 10, not 10";
    assert!(said.contains(expected), "{said}");
    let said = place.stderr(&["eval"], 2);
    assert!(said.contains("<QUESTIONS>"), "{said}");
}

#[test]
fn a_chat_model_drafts_questions_that_say_so() {
    let place = place();
    let text = format!(
        "# Fruit\n\n## Pears\n\n{}\n",
        "The pears are green and ripe. ".repeat(12)
    );
    place.write("docs/fruit.md", text);
    let server = Server::start(|_| (200, "\"Which pears are green?\"".into()));
    let draft = [
        "eval",
        "draft",
        "--in",
        "docs",
        "--chat-model",
        &server.model("chat"),
    ];
    let said = place.stderr(&draft, 0);
    assert!(said.contains("1 question instead of 50: "), "{said}");
    let drafted = place.stdout(&[&draft[..], &["--count", "1"]].concat());
    let question: serde_json::Value = serde_json::from_str(&drafted).unwrap();
    assert_eq!(question["question"], "Which pears are green?");
    assert_eq!(
        (&question["drafted"], &question["model"]),
        (&true.into(), &"chat".into())
    );
    assert_eq!(question["answers"][0]["heading"], "Fruit > Pears");
    place.write("drafts.jsonl", &drafted);
    let table = place.stdout(&["eval", "drafts.jsonl", "--in", "docs"]);
    assert!(
        table.contains("1 question drafted by a chat model"),
        "{table}"
    );
    let said = place.stderr(
        &[
            "eval",
            "draft",
            "--in",
            "docs/notes.txt",
            "--chat-model",
            &server.model("chat"),
        ],
        1,
    );
    assert!(
        said.contains("there is no section with a heading"),
        "{said}"
    );
}
