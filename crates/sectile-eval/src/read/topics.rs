//! Questions as TREC's topics, and as lines of id and question.

use std::path::Path;

use super::{lines, place};
use crate::error::Place;
use crate::question::Question;
use crate::{Error, Result};

/// What begins a topic.
const TOPIC: &str = "<top>";

/// Reads `<top> <num> Number: 301 <title> … <desc> … </top>`, with or without closing tags.
pub(super) fn tagged(path: &Path, text: &str) -> Result<Vec<Question>> {
    let mut questions = Vec::new();
    let starts: Vec<usize> = text.match_indices(TOPIC).map(|(start, _)| start).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let mut line = 1;
    let mut counted = 0;
    for (start, end) in starts.iter().copied().zip(ends) {
        line += newlines(&text[counted..start]);
        counted = start;
        questions.push(topic(place(path, line), &text[start..end])?);
    }
    Ok(questions)
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

fn topic(place: Place, text: &str) -> Result<Question> {
    let missing = |what: &str| place.refuse(format_args!("the topic has no {what}"));
    let number = field(text, "<num>", "Number:").ok_or_else(|| missing("<num>"))?;
    let title = field(text, "<title>", "Topic:").or_else(|| field(text, "<desc>", "Description:"));
    let title = title.ok_or_else(|| missing("<title>"))?;
    Ok(question(place, number, title))
}

/// Returns what stands between a tag and the next one, without the words that older topics repeat
/// there.
fn field(text: &str, tag: &str, label: &str) -> Option<String> {
    let (_, rest) = text.split_once(tag)?;
    let is_tag = |at: usize| {
        let next = rest[at + 1..].chars().next();
        next.is_some_and(|next| next == '/' || next.is_ascii_alphabetic())
    };
    let mut marks = rest.match_indices('<').map(|(at, _)| at);
    let end = marks.find(|at| is_tag(*at)).unwrap_or(rest.len());
    let value = rest[..end].trim();
    let value = value.strip_prefix(label).unwrap_or(value);
    let words: Vec<&str> = value.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Reads lines of id, tab and question.
pub(super) fn separated(path: &Path, text: &str) -> Result<Vec<Question>> {
    let parts = |(place, line): (Place, &str)| match line.split_once('\t') {
        Some((id, text)) if !id.trim().is_empty() && !text.trim().is_empty() => Ok(question(
            place,
            id.trim().to_owned(),
            text.trim().to_owned(),
        )),
        _ => Err(unknown(&place)),
    };
    lines(path, text).map(parts).collect()
}

fn unknown(place: &Place) -> Error {
    let reason = "this is not a question: write JSON lines such as {\"question\": \"…\", \"answers\": \
        [{\"document\": \"…\"}]}, TREC's topics, or lines of id, tab and question";
    place.refuse(reason)
}

fn question(place: Place, id: String, text: String) -> Question {
    Question {
        id,
        text,
        answers: Vec::new(),
        drafted_by: None,
        place,
    }
}
