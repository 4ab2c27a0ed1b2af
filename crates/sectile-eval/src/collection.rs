//! Test collections: folders of questions, judgements and documents.

use std::path::{Path, PathBuf};

use crate::question::{GainForm, Question};
use crate::read::{read_judgements, read_questions};
use crate::{Error, Result};

const QUESTIONS: [&str; 5] = [
    "questions.jsonl",
    "queries.jsonl",
    "topics.txt",
    "queries.tsv",
    "topics",
];
const JUDGEMENTS: [&str; 5] = [
    "qrels.jsonl",
    "qrels/test.tsv",
    "qrels.tsv",
    "qrels.txt",
    "qrels",
];
const CORPORA: [&str; 2] = ["documents.jsonl", "corpus.jsonl"];
const FOLDERS: [&str; 3] = ["pages", "documents", "docs"];

/// A folder with questions, and what it has beside them.
#[derive(Clone, Debug)]
pub struct TestCollection {
    /// The questions, with their judgements.
    pub questions: Vec<Question>,
    /// The number of judgements of questions that are not there.
    pub others: usize,
    /// The documents, where the folder has them.
    pub documents: Option<Documents>,
}

/// Where the documents of a test collection are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Documents {
    /// A file of JSON lines; see [`add_corpus`](crate::add_corpus).
    Corpus(PathBuf),
    /// Files in a folder.
    Folder(PathBuf),
}

impl TestCollection {
    /// Reads the questions of a folder, from `questions.jsonl`, `queries.jsonl`, `queries.tsv` or
    /// `topics.txt`, with the judgements of `qrels.jsonl`, `qrels/test.tsv`, `qrels.tsv` or `qrels.txt`, if
    /// there are any, and finds its documents: `documents.jsonl`, `corpus.jsonl` or a folder `pages`,
    /// `documents` or `docs`.
    ///
    /// # Errors
    ///
    /// [`Error::NoQuestions`], and those of [`read_questions`] and [`read_judgements`].
    pub fn read(folder: &Path, form: GainForm) -> Result<Self> {
        let file = |names: &[&str]| first(folder, names).filter(|path| path.is_file());
        let questions = file(&QUESTIONS).ok_or_else(|| Error::NoQuestions {
            path: folder.to_owned(),
            wanted: QUESTIONS.to_vec(),
        })?;
        let mut questions = read_questions(&questions, form)?;
        let others = match file(&JUDGEMENTS) {
            Some(judgements) => read_judgements(&judgements, form, &mut questions)?,
            None => 0,
        };
        let corpus = file(&CORPORA).map(Documents::Corpus);
        let pages = || first(folder, &FOLDERS).map(Documents::Folder);
        Ok(Self {
            questions,
            others,
            documents: corpus.or_else(pages),
        })
    }
}

fn first(folder: &Path, names: &[&str]) -> Option<PathBuf> {
    let mut paths = names.iter().map(|name| folder.join(name));
    paths.find(|path| path.exists())
}
