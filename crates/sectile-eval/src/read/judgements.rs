//! Judgements in the forms of TREC, of BEIR and of JSON lines.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::json::Name;
use super::lines;
use crate::Result;
use crate::error::Place;
use crate::question::{Answer, GainForm};

/// What one document is worth to one question.
pub(super) struct Judgement {
    pub(super) question: String,
    pub(super) document: String,
    pub(super) grade: f64,
    pub(super) place: Place,
}

impl Judgement {
    pub(super) fn answer(self, form: GainForm) -> Answer {
        Answer {
            document: self.document,
            heading: None,
            lines: None,
            gain: form.gain(self.grade),
            place: self.place,
            is_required: false,
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum JudgementLine {
    Many {
        #[serde(alias = "query-id", alias = "query_id", alias = "id")]
        query: Name,
        gains: BTreeMap<String, f64>,
    },
    One {
        #[serde(alias = "query", alias = "query_id", rename = "query-id")]
        query: Name,
        #[serde(alias = "document", alias = "corpus_id", rename = "corpus-id")]
        document: Name,
        #[serde(alias = "relevance", alias = "gain")]
        score: f64,
    },
}

pub(super) fn read(path: &Path, text: &str) -> Result<Vec<Judgement>> {
    let is_json = text.trim_start().starts_with('{');
    let mut judgements = Vec::new();
    for (index, (place, line)) in lines(path, text).enumerate() {
        if is_json {
            judgements.extend(of_json(&place, line)?);
        } else if index > 0 || !is_head(line) {
            judgements.push(of_columns(place, line)?);
        }
    }
    Ok(judgements)
}

fn of_json(place: &Place, line: &str) -> Result<Vec<Judgement>> {
    let judgement = |question: &str, document, grade| Judgement {
        question: question.to_owned(),
        document,
        grade,
        place: place.clone(),
    };
    let line = serde_json::from_str(line).map_err(|error| {
        let forms = r#"{"query": "1", "gains": {"DOCUMENT": 2}}"#;
        place.refuse(format_args!("{error}; write judgements as {forms}"))
    });
    match line? {
        JudgementLine::Many { query, gains } => {
            let query = query.into_text();
            let gains = gains.into_iter();
            Ok(gains
                .map(|(name, grade)| judgement(&query, name, grade))
                .collect())
        }
        JudgementLine::One {
            query,
            document,
            score,
        } => Ok(vec![judgement(
            &query.into_text(),
            document.into_text(),
            score,
        )]),
    }
}

/// Returns whether a line names the columns.
fn is_head(line: &str) -> bool {
    let last = line.split_whitespace().next_back();
    line.starts_with("query") && last.is_some_and(|word| word.parse::<f64>().is_err())
}

fn of_columns(place: Place, line: &str) -> Result<Judgement> {
    let columns: Vec<&str> = if line.contains('\t') {
        line.split('\t').map(str::trim).collect()
    } else {
        line.split_whitespace().collect()
    };
    let ([question, _, document, grade] | [question, document, grade]) = *columns else {
        let reason = "a judgement has three columns (question, document, grade) or TREC's four \
            (question, 0, document, grade)";
        return Err(place.refuse(reason));
    };
    let parsed = grade.parse().ok().filter(|grade: &f64| grade.is_finite());
    let refuse = || {
        place.refuse(format_args!(
            "`{grade}` is not a grade; write a number, such as 1"
        ))
    };
    Ok(Judgement {
        question: question.to_owned(),
        document: document.to_owned(),
        grade: parsed.ok_or_else(refuse)?,
        place,
    })
}
