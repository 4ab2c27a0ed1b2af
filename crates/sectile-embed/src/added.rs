//! Models that were taken from a hub, each in a folder of its own.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Error, Result, regular_file};

/// The file of a model's folder that says where its other files are from.
pub(crate) const RECORD: &str = "model.json";

/// The folder of incomplete downloads, next to the folders of models.
pub(crate) const INCOMING: &str = ".incoming";

/// The maximum number of characters of a model's name.
const LONGEST_NAME: usize = 96;

/// The kind of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelKind {
    /// A model that makes vectors: an [`Embedder`](crate::Embedder).
    Embedder,
    /// A model that scores how well texts answer a question: a [`Reranker`](crate::Reranker).
    Reranker,
}

impl ModelKind {
    /// Returns the kind's name, as it is printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Embedder => "embedder",
            Self::Reranker => "reranker",
        }
    }
}

/// A file of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFile {
    /// The path in the model's folder, with `/` between its parts.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// The SHA-256 of the content, in lower-case hexadecimal digits.
    pub sha256: String,
}

/// The record of a downloaded model, as in `model.json` in its folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddedModel {
    /// The name, which is that of its folder.
    pub name: String,
    /// Its kind.
    pub kind: ModelKind,
    /// The repository on the hub, such as `sentence-transformers/all-MiniLM-L6-v2`.
    pub repository: String,
    /// The commit of the repository.
    pub revision: String,
    /// The model's prompts before a question (`query`) and a text (`document`), if its own files
    /// have none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prompts: BTreeMap<String, String>,
    /// Its files.
    pub files: Vec<ModelFile>,
}

impl AddedModel {
    /// Returns the bytes of all files.
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }
}

/// The folder of downloaded models, to which `Hub::add` adds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedModels {
    folder: PathBuf,
}

impl AddedModels {
    /// Creates a handle of the folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
        }
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the folder of a model, whether it was added or not.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`] for an invalid name.
    pub fn path(&self, name: &str) -> Result<PathBuf> {
        if is_name(name) {
            return Ok(self.folder.join(name));
        }
        Err(Error::Configuration {
            model: name.to_owned(),
            reason: "an added model has a name of letters, digits, `-`, `_` and `.`".to_owned(),
        })
    }

    /// Finds a downloaded model by its name.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if its record cannot be read, [`Error::Io`].
    pub fn find(&self, name: &str) -> Result<Option<AddedModel>> {
        if !is_name(name) {
            return Ok(None);
        }
        let path = self.folder.join(name).join(RECORD);
        let bytes = match regular_file::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(source) => return Err(Error::Io { path, source }),
        };
        let read = serde_json::from_slice(&bytes);
        let model: AddedModel = read.map_err(|error| Error::Damaged {
            model: name.to_owned(),
            file: path.display().to_string(),
            reason: format!("{error}; remove the model's folder and add the model again"),
        })?;
        // The folder may have been moved; its name is the one that it is called by.
        Ok(Some(AddedModel {
            name: name.to_owned(),
            ..model
        }))
    }

    /// Lists the downloaded models, by name.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find).
    pub fn list(&self) -> Result<Vec<AddedModel>> {
        let path = &self.folder;
        let io = |source| Error::Io {
            path: path.clone(),
            source,
        };
        let entries = match std::fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if is_absent(&error) => return Ok(Vec::new()),
            Err(source) => return Err(io(source)),
        };
        let mut names = Vec::new();
        for entry in entries {
            names.extend(entry.map_err(io)?.file_name().into_string().ok());
        }
        names.sort_unstable();
        let found = names.iter().filter_map(|name| self.find(name).transpose());
        found.collect()
    }

    /// Removes a model, including a partial download, and returns whether it existed. A folder that
    /// was created by hand stays.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find), and [`Error::Configuration`] while another process adds it.
    pub fn remove(&self, name: &str) -> Result<bool> {
        let incoming = self.incoming(name)?;
        let (path, lock) = self.lock_file(name)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::Error(source)) => return Err(Error::Io { path, source }),
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Configuration {
                    model: name.to_owned(),
                    reason: "another process is adding it; wait for that".to_owned(),
                });
            }
        }
        let is_there = self.find(name)?.is_some();
        if is_there {
            remove_folder(&self.folder.join(name))?;
        }
        remove_folder(&incoming)?;
        Ok(is_there)
    }

    /// Opens the file whose lock belongs to the process that adds or removes a model.
    pub(crate) fn lock_file(&self, name: &str) -> Result<(PathBuf, File)> {
        self.path(name)?;
        let folder = self.folder.join(INCOMING);
        let path = folder.join(format!("{name}.lock"));
        let open = || {
            std::fs::create_dir_all(&folder)?;
            let mut options = File::options();
            options.write(true).create(true).truncate(false).open(&path)
        };
        match open() {
            Ok(file) => Ok((path, file)),
            Err(source) => Err(Error::Io { path, source }),
        }
    }

    /// Returns the folder of what is received of a model.
    pub(crate) fn incoming(&self, name: &str) -> Result<PathBuf> {
        self.path(name)?;
        Ok(self.folder.join(INCOMING).join(name))
    }
}

/// Tells whether a text is the name of a folder and of nothing above it.
fn is_name(text: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.len() <= LONGEST_NAME
        && text.chars().all(fits)
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Removes a folder with all in it, if it is there.
pub(crate) fn remove_folder(path: &Path) -> Result<()> {
    match std::fs::remove_dir_all(path) {
        Err(source) if !is_absent(&source) => Err(Error::Io {
            path: path.to_path_buf(),
            source,
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_folder() {
        for name in ["all-MiniLM-L6-v2", "a", "7b_x.1"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", ".", "..", ".incoming", "a/b", "a\\b", "ä", "-a", "a b"] {
            assert!(!is_name(name), "{name}");
        }
        assert!(!is_name(&"a".repeat(LONGEST_NAME + 1)));
    }

    #[test]
    fn a_folder_by_hand_is_no_added_model_and_stays() {
        let place = tempfile::tempdir().unwrap();
        let models = AddedModels::new(place.path().join("models"));
        assert_eq!(models.list().unwrap(), []);
        std::fs::create_dir_all(models.folder().join("mine")).unwrap();
        assert_eq!(models.list().unwrap(), []);
        assert!(!models.remove("mine").unwrap());
        assert!(models.folder().join("mine").exists());
        assert!(models.remove("../models").is_err());
    }

    #[test]
    fn a_record_that_cannot_be_read_is_named() {
        let place = tempfile::tempdir().unwrap();
        let models = AddedModels::new(place.path());
        std::fs::create_dir(place.path().join("m")).unwrap();
        std::fs::write(place.path().join("m").join(RECORD), "{").unwrap();
        let error = models.list().unwrap_err().to_string();
        assert!(error.contains("model.json"), "{error}");
    }
}
