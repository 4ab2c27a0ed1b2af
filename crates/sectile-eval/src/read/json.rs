//! Questions as JSON lines.

use std::collections::BTreeMap;
use std::path::Path;

use sectile::core::Lines;
use serde::{Deserialize, Deserializer, de};

use super::lines;
use crate::Result;
use crate::error::Place;
use crate::question::{Answer, GainForm, Question};

/// A name, which some write as a number.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Name {
    Text(String),
    Number(i64),
}

impl Name {
    pub(crate) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        }
    }
}

/// A line of a file of questions. A key that is not known is mistyped: without its answers a question counts for nothing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionLine {
    #[serde(alias = "_id", alias = "qid", alias = "query_id")]
    id: Option<Name>,
    #[serde(alias = "text", alias = "query")]
    question: String,
    #[serde(default)]
    answers: Vec<AnswerLine>,
    #[serde(default)]
    gains: BTreeMap<String, f64>,
    #[serde(default)]
    drafted: bool,
    model: Option<String>,
    /// What BEIR's questions have beside these.
    #[serde(default, rename = "metadata")]
    _metadata: de::IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerLine {
    document: String,
    heading: Option<String>,
    #[serde(default, deserialize_with = "range")]
    lines: Option<Lines>,
    #[serde(default = "usual")]
    gain: f64,
}

const fn usual() -> f64 {
    1.0
}

/// Reads `10-20` or `10`.
fn range<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Lines>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else {
        return Ok(None);
    };
    let (first, last) = text.split_once('-').unwrap_or((&text, &text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(Some(Lines { first, last })),
        _ => {
            let reason = format!("`{text}` is not a range of lines; write it as \"10-20\"");
            Err(de::Error::custom(reason))
        }
    }
}

pub(super) fn questions(path: &Path, text: &str, form: GainForm) -> Result<Vec<Question>> {
    lines(path, text)
        .map(|(place, line)| question(place, line, form))
        .collect()
}

fn question(place: Place, line: &str, form: GainForm) -> Result<Question> {
    let line: QuestionLine = serde_json::from_str(line).map_err(|error| place.refuse(error))?;
    if line.question.trim().is_empty() {
        return Err(place.refuse("the question is empty"));
    }
    let by_heading = line.answers.into_iter().map(|answer| Answer {
        document: answer.document,
        heading: answer.heading,
        lines: answer.lines,
        gain: form.gain(answer.gain),
        place: place.clone(),
        is_required: true,
    });
    let whole = line.gains.into_iter().map(|(document, grade)| Answer {
        document,
        heading: None,
        lines: None,
        gain: form.gain(grade),
        place: place.clone(),
        is_required: true,
    });
    let model = || line.model.unwrap_or_else(|| "unknown".to_owned());
    Ok(Question {
        id: line
            .id
            .map_or_else(|| place.line.to_string(), Name::into_text),
        text: line.question,
        answers: by_heading.chain(whole).collect(),
        drafted_by: line.drafted.then(model),
        place,
    })
}
