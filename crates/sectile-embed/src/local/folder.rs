//! The files of a model's folder, and errors that name them.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::{Error, Result};

/// A folder that should hold a model.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(path: &Path) -> Self {
        Self(path.to_path_buf())
    }

    /// Returns the last part of the folder's path.
    pub(super) fn name(&self) -> Result<String> {
        let path = self.0.canonicalize().ok().filter(|path| path.is_dir());
        let path =
            path.ok_or_else(|| self.error("there is no such folder: name one with a model"))?;
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        name.ok_or_else(|| self.error("a model needs a folder with a name"))
    }

    /// Returns the error of a model that cannot be used for this reason.
    pub(super) fn error(&self, reason: impl Display) -> Error {
        Error::Configuration {
            model: self.0.display().to_string(),
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
        match std::fs::read(self.0.join(file)) {
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
