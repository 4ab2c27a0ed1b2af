//! How questions are read.

use super::*;

#[test]
fn a_question_is_read_in_every_language() {
    let readings = Analyzer::readings("die Häuser", &[Language::English, Language::German]);
    let Alternative { form, sequences } = &readings[1].alternatives[0];
    assert_eq!(*form, Form::Whole);
    let read: Vec<_> = sequences
        .iter()
        .map(|of| (&*of.terms[0], of.languages))
        .collect();
    let (english, german) = (Language::English, Language::German);
    let expected = [("hauser", english), ("haus", german)];
    assert_eq!(read, expected.map(|(term, of)| (term, Languages::only(of))));
    let same = Analyzer::readings("test", &[english, german]);
    let sequences = &same[0].alternatives[0].sequences;
    assert_eq!(sequences.len(), 1);
    assert_eq!(sequences[0].languages, Languages::ALL);
}

#[test]
fn what_is_typed_in_quotes_stands_in_a_row() {
    let row = |text: &str| {
        let rows = Analyzer::in_a_row(text, &[Language::English]).into_iter();
        rows.map(|row| row.terms).collect::<Vec<_>>()
    };
    assert_eq!(
        row("call read_chunks twice"),
        [["call", "read", "chunk", "twice"]]
    );
    assert_eq!(row("state-of-the-art"), [["state", "of", "the", "art"]]);
    assert_eq!(row("git commit -m"), [["git", "commit", "-m"]]);
    assert_eq!(row("e-mail address"), [["email", "address"]]);
    assert_eq!(row("検索する"), [["検索", "索す", "する"]]);
    assert!(row("…").is_empty());
}

#[test]
fn a_question_is_read_word_by_word() {
    let readings = Analyzer::readings("the --no-verify, e.g. U.S.", &[]);
    let forms: Vec<_> = readings[1]
        .alternatives
        .iter()
        .map(|of| (of.form, of.sequences[0].terms.join(" ")))
        .collect();
    let expected = [
        (Form::Flag, "-noverify"),
        (Form::Whole, "noverifi"),
        (Form::Part, "no verifi"),
    ];
    assert_eq!(
        forms,
        expected.map(|(form, terms)| (form, terms.to_owned()))
    );
}
