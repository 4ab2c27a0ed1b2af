//! Readers of the test collections, which are folders of JSON lines.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sectile::chunk::markdown_outline;
use sectile::core::{Document, Format};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::metrics::Gains;

/// A question with what is known to answer it.
#[derive(Clone, Debug)]
pub struct JudgedQuery {
    /// The question's name in its collection.
    pub id: String,
    /// The question.
    pub text: String,
    /// What each judged document is worth.
    pub gains: Gains,
}

/// Reads the documents of Cranfield, each as Markdown under its title, with its id as the URI.
///
/// # Errors
///
/// When `documents.jsonl` in `folder` cannot be read.
pub fn cranfield_documents(folder: &Path) -> anyhow::Result<Vec<(String, Document)>> {
    let lines: Vec<CranfieldDocument> = json_lines(&folder.join("documents.jsonl"))?;
    Ok(lines
        .into_iter()
        .map(CranfieldDocument::into_markdown)
        .collect())
}

/// Reads the questions of Cranfield with their gains as they are given.
///
/// # Errors
///
/// When `queries.jsonl` or `qrels.jsonl` in `folder` cannot be read.
pub fn cranfield_queries(folder: &Path) -> anyhow::Result<Vec<JudgedQuery>> {
    let judgements: Vec<CranfieldJudgement> = json_lines(&folder.join("qrels.jsonl"))?;
    let judged = judgements.into_iter().map(|line| (line.query, line.gains));
    let mut gains: BTreeMap<String, Gains> = judged.collect();
    let queries: Vec<CranfieldQuery> = json_lines(&folder.join("queries.jsonl"))?;
    let join = |CranfieldQuery { id, text }| JudgedQuery {
        gains: gains.remove(&id).unwrap_or_default(),
        id,
        text,
    };
    Ok(queries.into_iter().map(join).collect())
}

/// Returns the folder of pages of the React collection in `folder`.
pub fn react_pages(folder: &Path) -> PathBuf {
    folder.join("pages")
}

/// Reads the questions of the React collection; a page of grade `g` gains `2^g − 1`.
///
/// # Errors
///
/// When `queries.jsonl` in `folder` cannot be read.
pub fn react_queries(folder: &Path) -> anyhow::Result<Vec<JudgedQuery>> {
    let queries: Vec<ReactQuery> = json_lines(&folder.join("queries.jsonl"))?;
    let numbered = queries.into_iter().enumerate();
    Ok(numbered
        .map(|(index, query)| query.judged(index + 1))
        .collect())
}

#[derive(Deserialize)]
struct CranfieldDocument {
    id: String,
    title: String,
    text: String,
}

impl CranfieldDocument {
    fn into_markdown(self) -> (String, Document) {
        let text = format!("# {}\n\n{}", self.title, self.text);
        let document = Document {
            outline: markdown_outline(&text),
            format: Format::Markdown,
            text,
            ..Document::default()
        };
        (self.id, document)
    }
}

#[derive(Deserialize)]
struct CranfieldQuery {
    id: String,
    text: String,
}

#[derive(Deserialize)]
struct CranfieldJudgement {
    query: String,
    gains: Gains,
}

#[derive(Deserialize)]
struct ReactQuery {
    text: String,
    #[serde(rename = "gains")]
    grades: BTreeMap<String, u8>,
}

impl ReactQuery {
    fn judged(self, number: usize) -> JudgedQuery {
        let gain = |(page, grade)| (page, f64::from(grade).exp2() - 1.0);
        JudgedQuery {
            id: number.to_string(),
            text: self.text,
            gains: self.grades.into_iter().map(gain).collect(),
        }
    }
}

fn json_lines<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<T>> {
    let text = std::fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    let parse = |(index, line)| {
        serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), index + 1))
    };
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    lines.map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn cranfield_documents_stand_under_their_title() {
        let line = r#"{"id": "7", "title": "wing flow .", "text": "a study ."}"#;
        let folder = folder_with(&[("documents.jsonl", line)]);
        let documents = cranfield_documents(folder.path()).unwrap();
        let (uri, document) = &documents[0];
        assert_eq!(
            (uri.as_str(), document.text.as_str()),
            ("7", "# wing flow .\n\na study .")
        );
        assert_eq!(document.outline[0].title, "wing flow .");
    }

    #[test]
    fn cranfield_gains_are_joined_by_query() {
        let folder = folder_with(&[
            (
                "queries.jsonl",
                "{\"id\": \"2\", \"text\": \"b\"}\n{\"id\": \"1\", \"text\": \"a\"}\n",
            ),
            ("qrels.jsonl", "{\"query\": \"1\", \"gains\": {\"9\": 4}}\n"),
        ]);
        let queries = cranfield_queries(folder.path()).unwrap();
        assert!(queries[0].gains.is_empty());
        assert_eq!(queries[1].gains, Gains::from([("9".into(), 4.0)]));
    }

    #[test]
    fn react_grades_become_exponential_gains() {
        let line = r#"{"text": "useRef", "gains": {"a.md": 3, "b.md": 1}}"#;
        let folder = folder_with(&[("queries.jsonl", line)]);
        let queries = react_queries(folder.path()).unwrap();
        let expected = Gains::from([("a.md".into(), 7.0), ("b.md".into(), 1.0)]);
        assert_eq!(queries[0].gains, expected);
    }

    #[test]
    fn a_line_that_cannot_be_read_is_named() {
        let folder = folder_with(&[("queries.jsonl", "\n{\n")]);
        let error = react_queries(folder.path()).unwrap_err();
        assert!(error.to_string().ends_with("queries.jsonl:2"), "{error}");
    }
}
