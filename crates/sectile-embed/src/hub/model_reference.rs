//! Which model is wanted of a hub.

use std::collections::BTreeMap;

use super::known::{KNOWN_MODELS, KnownModel};
use crate::{Error, Result};

/// The revision that is taken unless another one is named.
const MAIN: &str = "main";

/// The maximum number of characters of a revision.
const LONGEST_REVISION: usize = 128;

/// A model on a hub, with its local name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HubModel {
    name: String,
    repository: String,
    revision: String,
    prompts: BTreeMap<String, String>,
    pins: &'static [(&'static str, &'static str)],
}

impl HubModel {
    /// Selects one of [`KNOWN_MODELS`], or any model as `ORGANISATION/NAME`, at its branch `main`.
    /// Its local name is the last part.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`] for another name; the error lists the known ones.
    pub fn new(name: &str) -> Result<Self> {
        let known = |model: &&KnownModel| model.name == name || model.repository == name;
        if let Some(known) = KNOWN_MODELS.iter().find(known) {
            let [query, document] = known.prompts;
            return Ok(Self {
                name: known.name.to_owned(),
                repository: known.repository.to_owned(),
                revision: known.revision.to_owned(),
                prompts: BTreeMap::new(),
                pins: known.pins,
            }
            .with_prompts(query, document));
        }
        match name.split_once('/') {
            Some((organisation, last)) if is_part(organisation) && is_part(last) => Ok(Self {
                name: last.to_owned(),
                repository: name.to_owned(),
                revision: MAIN.to_owned(),
                prompts: BTreeMap::new(),
                pins: &[],
            }),
            _ => Err(unknown(name)),
        }
    }

    /// Selects another branch, tag or commit.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`] if it cannot be one.
    pub fn with_revision(mut self, revision: &str) -> Result<Self> {
        let is_fine = |letter: char| !letter.is_whitespace() && !letter.is_control();
        if revision.is_empty()
            || revision.len() > LONGEST_REVISION
            || !revision.chars().all(is_fine)
        {
            return Err(self.unusable(format!("`{revision}` is not a revision")));
        }
        if revision != self.revision {
            self.pins = &[];
        }
        revision.clone_into(&mut self.revision);
        Ok(self)
    }

    /// Sets another local name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the prompts before each question and each document, for a model that was trained with
    /// prompts and has none in its files. Known models have theirs.
    #[must_use]
    pub fn with_prompts(mut self, query: &str, document: &str) -> Self {
        let prompts = [("query", query), ("document", document)];
        let prompts = prompts.into_iter().filter(|(_, prompt)| !prompt.is_empty());
        self.prompts = prompts
            .map(|(name, prompt)| (name.to_owned(), prompt.to_owned()))
            .collect();
        self
    }

    /// Returns its local name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its repository on the hub.
    pub fn repository(&self) -> &str {
        &self.repository
    }

    /// Returns the branch, tag or commit.
    pub fn revision(&self) -> &str {
        &self.revision
    }

    pub(super) const fn prompts(&self) -> &BTreeMap<String, String> {
        &self.prompts
    }

    /// Returns the SHA-256 that a file is known to have.
    pub(super) fn pin(&self, path: &str) -> Option<&'static str> {
        let found = self.pins.iter().find(|(file, _)| *file == path);
        found.map(|(_, hash)| *hash)
    }

    pub(super) fn unusable(&self, reason: impl Into<String>) -> Error {
        Error::Configuration {
            model: self.repository.clone(),
            reason: reason.into(),
        }
    }

    pub(super) fn refused(&self, reason: impl Into<String>) -> Error {
        Error::Refused {
            model: self.repository.clone(),
            reason: reason.into(),
        }
    }
}

/// Tells whether a text can be a part of a repository's name.
fn is_part(text: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    text.starts_with(|first: char| first.is_ascii_alphanumeric()) && text.chars().all(fits)
}

fn unknown(name: &str) -> Error {
    let known: Vec<&str> = KNOWN_MODELS.iter().map(|model| model.name).collect();
    Error::Configuration {
        model: name.to_owned(),
        reason: format!(
            "no model is known by that name; name it as ORGANISATION/NAME, or choose one of {}",
            known.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_model_is_found_by_either_name() {
        let model = HubModel::new("bge-small-en-v1.5").unwrap();
        assert_eq!(HubModel::new("BAAI/bge-small-en-v1.5").unwrap(), model);
        assert!(model.pin("model.safetensors").is_some());
        assert!(model.prompts()["query"].starts_with("Represent"));
        let other = model.with_revision("main").unwrap();
        assert_eq!(other.pin("model.safetensors"), None);
    }

    #[test]
    fn other_models_are_named_by_their_repository() {
        let model = HubModel::new("some-org/some.model").unwrap();
        assert_eq!((model.name(), model.revision()), ("some.model", "main"));
        for name in ["nothing", "a/b/c", "../x", "a/..", "a/", "/b", "a b/c", ""] {
            let error = HubModel::new(name).unwrap_err().to_string();
            assert!(error.contains("all-MiniLM-L6-v2"), "{error}");
        }
        for revision in ["", "a b", "a\n"] {
            assert!(model.clone().with_revision(revision).is_err());
        }
    }
}
