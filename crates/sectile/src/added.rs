//! Models that were added, by name.

use std::path::PathBuf;

use sectile_embed::{AddedModels, Error, ModelKind};

use crate::{Library, Result};

/// The variable that names the folder of added models.
const VARIABLE: &str = "SECTILE_MODELS";

/// The suffix of the name of an added model that computes with bytes (int8), and the suffix of the names of such models
/// in the records of their vectors.
pub(crate) const IN_BYTES: &str = "#int8";
const MADE_IN_BYTES: &str = "-int8";

/// Returns the downloaded models: those in the folder that `SECTILE_MODELS` names, or else in
/// `sectile/models` in the user's data directory.
///
/// # Errors
///
/// [`Error::Model`](crate::Error::Model) when there is no such directory.
pub fn added_models() -> Result<AddedModels> {
    use etcetera::BaseStrategy as _;
    let named = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
    let folder = named.map(PathBuf::from).or_else(|| {
        let folder = etcetera::choose_base_strategy().ok()?.data_dir();
        // A relative one would be another in each working folder.
        folder
            .is_absolute()
            .then(|| folder.join("sectile").join("models"))
    });
    let folder = folder.ok_or_else(|| Error::Configuration {
        model: "that was added".to_owned(),
        reason: format!("your data directory cannot be found; name a folder in {VARIABLE}"),
    })?;
    Ok(AddedModels::new(folder))
}

/// Returns the folder of a model that was added, or that is named by its path.
///
/// # Errors
///
/// [`Error::Model`](crate::Error::Model) if there is none, or it is of another kind.
#[cfg(feature = "local")]
pub(crate) fn folder(name: &str, kind: ModelKind) -> Result<PathBuf> {
    let refuse = |reason: String| {
        crate::Error::Model(Error::Configuration {
            model: crate::shown_url(name),
            reason,
        })
    };
    let models = added_models()?;
    match models.find(name)? {
        Some(model) if model.kind == kind => return Ok(models.path(name)?),
        Some(model) => {
            let (found, wanted) = (model.kind.name(), kind.name());
            return Err(refuse(format!(
                "it is a model of the kind {found}, not {wanted}"
            )));
        }
        None => {}
    }
    let folder = PathBuf::from(name);
    if folder.exists() {
        return Ok(folder);
    }
    Err(crate::Error::Model(Error::NotAdded {
        model: crate::shown_url(name),
    }))
}

/// Returns the name of the only downloaded model of a kind, if there is exactly one.
///
/// # Errors
///
/// [`Error::Model`](crate::Error::Model) when there are several, with their names.
pub fn only_added(kind: ModelKind) -> Result<Option<String>> {
    let models = added_models()?.list()?.into_iter();
    let mut names: Vec<String> = models
        .filter(|model| model.kind == kind)
        .map(|model| model.name)
        .collect();
    if names.len() < 2 {
        return Ok(names.pop());
    }
    Err(crate::Error::Model(Error::Configuration {
        model: names.join("`, `"),
        reason: "several were added; name one".to_owned(),
    }))
}

impl Library {
    /// Returns the downloaded model that made all vectors of a collection, or of all collections,
    /// if there is one. The name is one that [`open_embedder`](crate::open_embedder) accepts.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store), [`Error::Model`](crate::Error::Model).
    pub async fn added_embedder(&self, collection: Option<&str>) -> Result<Option<String>> {
        let stored = self.store().totals().await?.models;
        let mut names = stored
            .iter()
            .filter(|(name, _)| collection.is_none_or(|collection| collection == **name))
            // A model in this process is named for its folder and its weights.
            .filter_map(|(_, model)| model.name.split_once('@'))
            .map(|(name, weights)| (name, weights.ends_with(MADE_IN_BYTES)));
        let Some((name, is_in_bytes)) = names.next() else {
            return Ok(None);
        };
        if !names.all(|other| other == (name, is_in_bytes)) {
            return Ok(None);
        }
        let added = added_models()?.find(name)?;
        let added = added.filter(|model| model.kind == ModelKind::Embedder);
        let ending = if is_in_bytes { IN_BYTES } else { "" };
        Ok(added.map(|model| model.name + ending))
    }
}
