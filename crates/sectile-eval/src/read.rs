//! Questions and judgements, from the files that hold them.

mod json;
mod judgements;
mod topics;

pub(crate) use json::Name;

use std::collections::HashMap;
use std::io::Read as _;
use std::path::Path;

use sectile::load::open_input;

use crate::error::Place;
use crate::question::{GainForm, Question};
use crate::{Error, Result};

/// The most bytes of a file of questions or judgements.
const LIMIT: u64 = 1 << 28;

/// Reads questions in any of these forms, told apart by the first character:
///
/// - JSON lines, `{"id": "…", "question": "…", "answers": [{"document": "…", "heading": "…", "lines":
///   "10-20", "gain": 3}]}`. A question may be called `text` or `query`, an id `_id`, and where there
///   is none it is the number of the line; instead of `answers` there may be `gains`, an object of
///   documents and what each is worth. What BEIR has as `metadata` is passed over; other keys are refused.
/// - TREC's topics, `<top> <num> 301 <title> …`, of which the title is asked.
/// - lines of id, tab and question.
///
/// A gain is 1 where it is not said; `form` says what a grade is worth.
///
/// # Errors
///
/// [`Error::File`], [`Error::TooLarge`], [`Error::Empty`], [`Error::Line`] for what cannot be read so,
/// and [`Error::Repeated`] for an id that is there twice.
pub fn read_questions(path: &Path, form: GainForm) -> Result<Vec<Question>> {
    let text = read(path)?;
    let questions = match text.trim_start().as_bytes().first() {
        Some(b'{') => json::questions(path, &text, form)?,
        Some(b'<') => topics::tagged(path, &text)?,
        _ => topics::separated(path, &text)?,
    };
    if questions.is_empty() {
        return Err(Error::Empty {
            path: path.to_owned(),
            what: "questions",
        });
    }
    let mut lines: HashMap<&str, usize> = HashMap::new();
    for Question { id, place, .. } in &questions {
        if let Some(first) = lines.insert(id, place.line) {
            return Err(Error::Repeated {
                place: place.clone(),
                id: id.clone(),
                first,
            });
        }
    }
    Ok(questions)
}

/// Adds the judgements of a file to the questions they are about, and returns how many are about
/// others. The forms are TREC's qrels (`301 0 DOCUMENT 1`), BEIR's (`query-id corpus-id score`, with
/// that line first), and JSON lines (`{"query": "1", "gains": {"DOCUMENT": 2}}`, or with `query-id`,
/// `corpus-id` and `score`).
///
/// # Errors
///
/// As of [`read_questions`].
pub fn read_judgements(path: &Path, form: GainForm, questions: &mut [Question]) -> Result<usize> {
    let judgements = judgements::read(path, &read(path)?)?;
    if judgements.is_empty() {
        return Err(Error::Empty {
            path: path.to_owned(),
            what: "judgements",
        });
    }
    let ids = questions.iter().map(|question| question.id.clone());
    let positions: HashMap<String, usize> = ids.zip(0..).collect();
    let mut others = 0;
    for judgement in judgements {
        match positions.get(&judgement.question) {
            Some(&position) => questions[position].answers.push(judgement.answer(form)),
            None => others += 1,
        }
    }
    Ok(others)
}

fn read(path: &Path) -> Result<String> {
    let failed = |source| Error::File {
        path: path.to_owned(),
        source,
    };
    let mut text = String::new();
    let file = open_input(path).map_err(failed)?;
    let length = file
        .take(LIMIT + 1)
        .read_to_string(&mut text)
        .map_err(failed)?;
    if length as u64 > LIMIT {
        return Err(Error::TooLarge {
            path: path.to_owned(),
            limit: LIMIT,
        });
    }
    // What some editors begin a file with.
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// Returns the lines that hold something, each with its place.
fn lines<'a>(path: &'a Path, text: &'a str) -> impl Iterator<Item = (Place, &'a str)> {
    let numbered = text.lines().zip(1..);
    let written = numbered.filter(|(line, _)| !line.trim().is_empty());
    written.map(|(line, number)| (place(path, number), line))
}

fn place(path: &Path, line: usize) -> Place {
    Place {
        path: path.to_owned(),
        line,
    }
}
