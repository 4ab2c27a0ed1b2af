//! The forms of questions, judgements and documents.

use sectile::core::Lines;
use sectile::{Scope, SearchMode};
use sectile_eval::{
    Cutoffs, Documents, Error, GainForm, JudgedQuestions, Question, Setting, TestCollection,
    add_corpus, measure, read_judgements, read_questions,
};

use crate::place::Place;

fn names(questions: &[Question]) -> Vec<(&str, &str)> {
    let names = questions.iter();
    names
        .map(|question| (&*question.id, &*question.text))
        .collect()
}

#[test]
fn json_lines_name_documents_headings_and_lines() {
    let place = Place::new();
    let questions = place
        .questions(
            "\u{feff}{\"id\": 7, \"question\": \"how?\", \"answers\": [{\"document\": \"guide.md\", \"heading\": \
             \"Install > Linux\", \"lines\": \"10-20\", \"gain\": 3}]}\n\n\
             {\"text\": \"why?\", \"gains\": {\"a.md\": 2}, \"drafted\": true, \"model\": \"m\"}\n",
        )
        .unwrap();
    assert_eq!(names(&questions), [("7", "how?"), ("3", "why?")]);
    let answer = &questions[0].answers[0];
    assert_eq!(answer.heading.as_deref(), Some("Install > Linux"));
    assert_eq!(
        answer.lines,
        Some(Lines {
            first: 10,
            last: 20
        })
    );
    assert_eq!((answer.gain, questions[1].answers[0].gain), (3.0, 2.0));
    assert_eq!(questions[1].drafted_by.as_deref(), Some("m"));
}

#[test]
fn topics_of_trec_are_asked_by_their_titles() {
    let place = Place::new();
    let topics = "<top>\n\n<num> Number: 301 \n<title> International\n Organized Crime\n\n<desc> Description:\n\
        Identify.\n</top>\n\n<top><num>302</num><title>a < b</title></top>\n\
        <top>\n<num> Number: 303\n<desc> Description: Only this.\n</top>\n";
    let questions = read_questions(&place.write("topics", topics), GainForm::Linear).unwrap();
    let expected = [
        ("301", "International Organized Crime"),
        ("302", "a < b"),
        ("303", "Only this."),
    ];
    assert_eq!(names(&questions), expected);
    assert_eq!(questions[1].place.line, 11);
}

#[test]
fn questions_may_be_lines_of_id_and_text() {
    let place = Place::new();
    let path = place.write("q.tsv", "1\twhat is it?\n2\tand\tthis?\n");
    let questions = read_questions(&path, GainForm::Linear).unwrap();
    assert_eq!(
        names(&questions),
        [("1", "what is it?"), ("2", "and\tthis?")]
    );
}

#[test]
fn judgements_come_in_every_form() {
    let place = Place::new();
    let questions = place.write("q.tsv", "1\tone?\n2\ttwo?\n");
    for qrels in [
        "1 0 a 2\n1 0 b 0\n2 0 c 1\n9 0 c 1\n",
        "query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t0\n2\tc\t1\n9\tc\t1\n",
        "{\"query\": \"1\", \"gains\": {\"a\": 2, \"b\": 0}}\n{\"query\": 2, \"gains\": {\"c\": 1}}\n\
         {\"query\": 9, \"gains\": {\"c\": 1}}\n",
        "{\"query-id\": \"1\", \"corpus-id\": \"a\", \"score\": 2}\n{\"query-id\": 1, \"corpus-id\": \"b\", \"score\": 0}\n\
         {\"query-id\": \"2\", \"corpus-id\": \"c\", \"score\": 1}\n{\"query-id\": 9, \"corpus-id\": \"c\", \"score\": 1}\n",
    ] {
        let mut questions = read_questions(&questions, GainForm::Linear).unwrap();
        let path = place.write("qrels", qrels);
        let others = read_judgements(&path, GainForm::Exponential, &mut questions).unwrap();
        assert_eq!(others, 1, "{qrels}");
        let gains = |question: &Question| -> Vec<(String, f64)> {
            let answers = question.answers.iter();
            answers
                .map(|answer| (answer.document.clone(), answer.gain))
                .collect()
        };
        assert_eq!(
            gains(&questions[0]),
            [("a".into(), 3.0), ("b".into(), 0.0)],
            "{qrels}"
        );
        assert_eq!(gains(&questions[1]), [("c".into(), 1.0)], "{qrels}");
    }
}

#[test]
fn bad_input_is_refused_with_its_line() {
    let place = Place::new();
    let check = |text: &str, expected: &str| {
        let error = place.questions(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    };
    check("", "questions.jsonl` has no questions");
    check("{}", "questions.jsonl:1: missing field `question`");
    check(
        "\n{\"question\": \" \"}",
        "questions.jsonl:2: the question is empty",
    );
    check("no tab here", "questions.jsonl:1: this is not a question");
    check(
        "<top> <num> 1 </top>",
        "questions.jsonl:1: the topic has no <title>",
    );
    check(
        "{\"question\": \"a\", \"answers\": [{\"heading\": \"b\"}]}",
        "missing field `document`",
    );
    check(
        "{\"question\": \"a\", \"answers\": [{\"document\": \"b\", \"line\": \"1\"}]}",
        "unknown field `line`",
    );
    check(
        "{\"question\": \"a\"}\n{\"question\": \"b\", \"answer\": [{\"document\": \"b\"}]}",
        "questions.jsonl:2: unknown field `answer`",
    );
    check(
        "{\"question\": \"a\", \"answers\": [{\"document\": \"b\", \"lines\": \"9-3\"}]}",
        "`9-3` is not a range of lines",
    );
    check(
        "{\"id\": 1, \"question\": \"a\"}\n{\"id\": \"1\", \"question\": \"b\"}",
        "questions.jsonl:2: the id `1` is also that of line 1",
    );
    let missing = read_questions("no/such/file".as_ref(), GainForm::Linear).unwrap_err();
    assert!(matches!(missing, Error::File { .. }), "{missing}");
}

#[test]
fn bad_judgements_are_refused_with_their_line() {
    let place = Place::new();
    let check = |text: &str, expected: &str| {
        let mut questions = place.questions("1\tone?").unwrap();
        let path = place.write("qrels", text);
        let error = read_judgements(&path, GainForm::Linear, &mut questions).unwrap_err();
        assert!(error.to_string().contains(expected), "{text:?}: {error}");
    };
    check("", "qrels` has no judgements");
    check("1 0 a\n1 0 b", "qrels:1: ");
    check("1 0 a 1\n1", "qrels:2: a judgement has three columns");
    check("1 0 a much", "`much` is not a grade");
    check("1 0 a nan", "`nan` is not a grade");
    check("{\"query\": 1}", "write judgements as");
}

#[tokio::test]
async fn a_folder_is_a_collection_as_beir_has_it() {
    let place = Place::new();
    let corpus = "{\"_id\": \"d/1\", \"title\": \"Pears\", \"text\": \"Green pears.\", \"metadata\": {}}\n\
        {\"_id\": \"d/2\", \"title\": \"\", \"text\": \"# Not its title\\n\\nRed apples.\"}\n";
    let corpus = place.write("beir/corpus.jsonl", corpus);
    place.write(
        "beir/queries.jsonl",
        "{\"_id\": \"q1\", \"text\": \"green pears\", \"metadata\": {\"url\": \"x\"}}\n{\"_id\": \"q2\", \"text\": \"x\"}\n",
    );
    let qrels = "query-id\tcorpus-id\tscore\nq1\td/1\t1\nq1\tgone\t1\n";
    let folder = place.write("beir/qrels/test.tsv", qrels);
    let folder = folder.parent().unwrap().parent().unwrap();
    let set = TestCollection::read(folder, GainForm::Linear).unwrap();
    assert_eq!(set.documents, Some(Documents::Corpus(corpus.clone())));
    let library = place.library().await;
    assert_eq!(add_corpus(&library, "beir", &corpus).await.unwrap(), 2);
    let judged = JudgedQuestions::find(&library, &Scope::all(), &set.questions)
        .await
        .unwrap();
    assert_eq!(
        (
            judged.len(),
            judged.unjudged,
            judged.missing,
            judged.documents
        ),
        (1, 1, 1, 2)
    );
    let setting = Setting {
        mode: SearchMode::Text,
        chunks: None,
    };
    let cutoffs = Cutoffs { k: 10, depth: 100 };
    let measured = measure(&library, &Scope::all(), &judged, &setting, cutoffs, &|| ())
        .await
        .unwrap();
    // What is missing counts as not found.
    assert!((measured.outcomes[0].recall - 0.5).abs() < 1e-12);
    assert!((measured.outcomes[0].reciprocal_rank - 1.0).abs() < 1e-12);
}

#[tokio::test]
async fn documents_are_brought_up_to_date() {
    let place = Place::new();
    let library = place.library().await;
    let line = |id: &str, text: &str| format!("{{\"id\": \"{id}\", \"text\": \"{text}\"}}\n");
    let write = |lines: &[String]| place.write("documents.jsonl", &lines.concat());
    let path = write(&[line("a", "one"), line("b", "two")]);
    add_corpus(&library, "c", &path).await.unwrap();
    let before = library.documents(&Scope::all()).await.unwrap();
    write(&[line("a", "one"), line("c", "three")]);
    assert_eq!(add_corpus(&library, "c", &path).await.unwrap(), 2);
    let after = library.documents(&Scope::all()).await.unwrap();
    let uris: Vec<&str> = after.iter().map(|document| &*document.uri).collect();
    assert_eq!(uris, ["a", "c"]);
    assert_eq!(before[0].updated_at, after[0].updated_at);
    // Ids that are numbers are those of questions, too.
    write(&["{\"_id\": 7, \"text\": \"four\"}\n".to_owned()]);
    add_corpus(&library, "c", &path).await.unwrap();
    let after = library.documents(&Scope::all()).await.unwrap();
    assert_eq!(after[0].uri, "7");
}

#[tokio::test]
async fn a_bad_corpus_is_refused_with_its_line() {
    let place = Place::new();
    let library = place.library().await;
    for (text, expected) in [
        ("", "documents.jsonl` has no documents"),
        ("{\"id\": \"a\"}", "documents.jsonl:1: missing field `text`"),
        (
            "{\"id\": \"a\", \"text\": \"x\"}\n{\"id\": \"a\", \"text\": \"y\"}",
            "documents.jsonl:2: the id `a` is also that of line 1",
        ),
    ] {
        let path = place.write("documents.jsonl", text);
        let error = add_corpus(&library, "c", &path)
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    }
    let empty = place.write("folder/readme.txt", "");
    let error = TestCollection::read(empty.parent().unwrap(), GainForm::Linear).unwrap_err();
    assert!(
        error.to_string().contains("one of questions.jsonl"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let place = Place::new();
    let pipe = place.write("pipe.jsonl", "");
    std::fs::remove_file(&pipe).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let error = read_questions(&pipe, GainForm::Linear).unwrap_err();
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(cause, "it is a pipe, a socket or a device, and no file");
}
