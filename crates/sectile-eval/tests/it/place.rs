//! A folder with documents, questions and a store.

use std::path::PathBuf;

use sectile::{Library, Scope};
use sectile_eval::{Error, GainForm, JudgedQuestions, Question, read_questions};
use tempfile::TempDir;

/// A guide of which each section has one word of its own.
pub(crate) const GUIDE: &str = "# Guide\n\nWelcome apricot.\n\n## Install\n\nTake the banana.\n\n### Linux\n\n\
    Take the cherry.\n\n### Windows\n\nTake the damson.\n\n## Use\n\nTake the elderberry.\n";

pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) async fn library(&self) -> Library {
        let url = format!("sqlite:{}", self.0.path().join("store.db").display());
        Library::open(&url).await.unwrap()
    }

    /// Returns a library of the guide, beside another document.
    pub(crate) async fn guide(&self) -> Library {
        self.write("docs/guide.md", GUIDE);
        self.write(
            "docs/more/notes.md",
            "# Notes\n\nTake the fig, or the banana.\n",
        );
        let library = self.library().await;
        let docs = [self.0.path().join("docs")];
        library.ingest("default", &docs, &|_| ()).await.unwrap();
        library
    }

    pub(crate) fn questions(&self, lines: &str) -> Result<Vec<Question>, Error> {
        read_questions(&self.write("questions.jsonl", lines), GainForm::Linear)
    }
}

pub(crate) async fn judged(
    library: &Library,
    questions: &[Question],
) -> Result<JudgedQuestions, Error> {
    JudgedQuestions::find(library, &Scope::all(), questions).await
}
