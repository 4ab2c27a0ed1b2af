//! The files of a model's folder, and errors that name them.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::{Error, Result, regular_file};

/// A folder that should hold a model.
pub(super) struct Folder {
    path: PathBuf,
    name: String,
}

impl Folder {
    /// Checks that the folder exists.
    pub(super) fn new(path: &Path) -> Result<Self> {
        let mut folder = Self {
            path: path.to_path_buf(),
            name: String::new(),
        };
        let whole = path.canonicalize().ok().filter(|path| path.is_dir());
        let whole =
            whole.ok_or_else(|| folder.error("there is no such folder: name one with a model"))?;
        let name = whole.file_name();
        let name = name.ok_or_else(|| folder.error("a model needs a folder with a name"))?;
        folder.name = name.to_string_lossy().into_owned();
        Ok(folder)
    }

    /// Returns the last part of the folder's path.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the error of a model that cannot be used for this reason.
    pub(super) fn error(&self, reason: impl Display) -> Error {
        Error::Configuration {
            model: self.path.display().to_string(),
            reason: reason.to_string(),
        }
    }

    /// Reads a file that the model needs.
    pub(super) fn read(&self, file: &str) -> Result<Vec<u8>> {
        let missing = || self.error(format!("`{file}` is missing: download all of the model"));
        self.read_if_there(file)?.ok_or_else(missing)
    }

    /// Reads a file that the model may have.
    pub(super) fn read_if_there(&self, file: &str) -> Result<Option<Vec<u8>>> {
        match regular_file::read(&self.path.join(file)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.error(format!("`{file}` cannot be read: {error}"))),
        }
    }

    /// Reads a file of JSON that the model needs.
    pub(super) fn json<T: DeserializeOwned>(&self, file: &str) -> Result<T> {
        self.parse(file, &self.read(file)?)
    }

    /// Reads a file of JSON that the model may have.
    pub(super) fn json_if_there<T: DeserializeOwned>(&self, file: &str) -> Result<Option<T>> {
        let bytes = self.read_if_there(file)?;
        bytes.map(|bytes| self.parse(file, &bytes)).transpose()
    }

    fn parse<T: DeserializeOwned>(&self, file: &str, bytes: &[u8]) -> Result<T> {
        serde_json::from_slice(bytes).map_err(|error| {
            self.error(format!(
                "`{file}` is not what a BERT model has there: {error}"
            ))
        })
    }
}
