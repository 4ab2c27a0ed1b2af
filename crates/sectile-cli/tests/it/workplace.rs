//! A place to run the program in.

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) const GUIDE: &str = "---\ntitle: The guide\n---\n# Guide\n\nWelcome.\n\n## Install\n\nRun `cargo install`.\n\n## Use\n\n### Install\n\nPlugins go here.\n";

/// A folder with documents in `docs/` and a store of its own.
pub(crate) struct Workplace {
    pub(crate) folder: TempDir,
    pub(crate) store: String,
}

impl Workplace {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("docs")).unwrap();
        let store = format!("sqlite:{}", folder.path().join("store.db").display());
        let workplace = Self { folder, store };
        workplace.write("docs/guide.md", GUIDE);
        workplace.write(
            "docs/notes.txt",
            "The release checklist: tag, build, publish.\n",
        );
        workplace
    }

    pub(crate) fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sectile"));
        command
            .current_dir(self.folder.path())
            .env("SECTILE_STORE", &self.store)
            .env("SECTILE_CONFIG", self.path("config.toml"))
            .env("SECTILE_MODELS", self.path("models"))
            .env_remove("HF_ENDPOINT")
            .env_remove("HF_TOKEN")
            .env_remove("SECTILE_RERANKER")
            .env_remove("SECTILE_EMBEDDER")
            .env_remove("SECTILE_CHAT_MODEL")
            .env_remove("RUST_LOG")
            .args(arguments);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that must succeed and returns what it printed.
    pub(crate) fn stdout(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?}: {}",
            stderr(&output)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.stdout(arguments)).unwrap()
    }

    /// Runs a command that must end with `code` and returns what it said.
    pub(crate) fn stderr(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}: {}",
            stderr(&output)
        );
        stderr(&output)
    }
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the path of a fixture of the loaders.
pub(crate) fn fixture(name: &str) -> String {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../sectile-load/tests/fixtures"
    );
    format!("{folder}/{name}")
}
