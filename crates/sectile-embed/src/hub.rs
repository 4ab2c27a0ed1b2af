//! Models from a hub, as Hugging Face serves them.

mod download;
mod known;
mod listing;
mod model_reference;
mod requests;

use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use self::download::Transfer;
use self::listing::Listing;
use self::requests::Requests;
use crate::added::{RECORD, remove_folder};
use crate::{AddedModel, AddedModels, Error, ModelFile, ModelKind, Result, regular_file};

pub use known::{KNOWN_MODELS, KnownModel};
pub use model_reference::HubModel;

const CONFIG: &str = "config.json";

/// How often it is looked whether another process has finished.
const LOCK_INTERVAL: Duration = Duration::from_millis(200);

/// The address of a hub, and options for its requests.
#[derive(Clone)]
pub struct HubOptions {
    endpoint: String,
    token: Option<String>,
    timeout: Duration,
    retries: u32,
}

impl Default for HubOptions {
    /// Uses `https://huggingface.co` without a token, a timeout of 30 seconds without data, and
    /// five retries for temporary failures.
    fn default() -> Self {
        Self {
            endpoint: "https://huggingface.co".to_owned(),
            token: None,
            timeout: Duration::from_secs(30),
            retries: 5,
        }
    }
}

impl HubOptions {
    /// Uses a mirror, or another hub with the same paths.
    #[must_use]
    pub fn with_endpoint(mut self, url: impl Into<String>) -> Self {
        self.endpoint = url.into();
        self
    }

    /// Sends a token to the endpoint, but not to the target of a redirect. No error contains it.
    #[must_use]
    pub fn with_token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Sets how long to wait for a server that sends nothing.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets the number of consecutive retries for temporary failures: a broken connection, status
    /// 429 or 5xx.
    #[must_use]
    pub fn with_retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }
}

impl std::fmt::Debug for HubOptions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("HubOptions")
            .field("endpoint", &self.endpoint)
            .field("has_token", &self.token.is_some())
            .field("timeout", &self.timeout)
            .field("retries", &self.retries)
            .finish()
    }
}

/// An event while a model is added.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HubEvent {
    /// Another process is adding the same model; this one waits for it.
    Waiting,
    /// The hub has listed the files of the model.
    Found {
        /// The number of files.
        files: usize,
        /// Their size in bytes.
        bytes: u64,
    },
    /// The number of bytes on this machine, including those of earlier attempts, and the total.
    Received {
        /// The file that grows.
        file: String,
        /// The bytes.
        bytes: u64,
    },
}

/// A hub that gives models by the paths and headers of Hugging Face's.
///
/// It needs a Tokio runtime with time and I/O.
#[derive(Clone, Debug)]
pub struct Hub {
    requests: Requests,
}

impl Hub {
    /// Creates a client with these options, without sending a request.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`] if the options are invalid.
    pub fn new(options: &HubOptions) -> Result<Self> {
        let requests = Requests::new(options)?;
        Ok(Self { requests })
    }

    /// Downloads a model into its folder, unless the same version is there. An interrupted download
    /// continues where it stopped. Every file is checked: against the SHA-256 that is known for the
    /// model, or else against the hashes that the hub lists, which are the SHA-256 of large files
    /// and the Git object of small ones. `model.json` records the commit and the SHA-256 of each
    /// file, and an existing model is checked against them. The folder exists with all of its files
    /// or not at all.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] when the hub is out of reach or too busy, [`Error::NotFound`],
    /// [`Error::Forbidden`], [`Error::Damaged`] for a file with another hash, which is removed,
    /// [`Error::Refused`] for a model that cannot run here, [`Error::Answer`], [`Error::Io`], and
    /// [`Error::Configuration`] when its folder was not added.
    pub async fn add(
        &self,
        models: &AddedModels,
        wanted: &HubModel,
        on_event: &(dyn Fn(HubEvent) + Send + Sync),
    ) -> Result<AddedModel> {
        let _lock = lock(models, wanted.name(), on_event).await?;
        let there = models.find(wanted.name())?;
        if there.is_none() && models.path(wanted.name())?.exists() {
            return Err(wanted.unusable(
                "there is already a folder of that name, which was not added: move it, or give the \
                 model another name",
            ));
        }
        if let Some(model) = kept(models, wanted, there.as_ref(), wanted.revision()).await? {
            return Ok(model);
        }
        let listing = self.requests.listing(wanted).await?;
        if let Some(model) = kept(models, wanted, there.as_ref(), &listing.revision).await? {
            return Ok(model);
        }
        let incoming = models.incoming(wanted.name())?;
        let folder = incoming.join(&listing.revision);
        let (kind, files) = self.receive(wanted, &listing, &folder, on_event).await?;
        let model = AddedModel {
            name: wanted.name().to_owned(),
            kind,
            repository: wanted.repository().to_owned(),
            revision: listing.revision,
            prompts: wanted.prompts().clone(),
            files,
        };
        write_record(&folder, &model)?;
        install(&folder, &models.path(wanted.name())?, &incoming)?;
        Ok(model)
    }

    /// Receives all files of a model, its configuration first.
    async fn receive(
        &self,
        wanted: &HubModel,
        listing: &Listing,
        folder: &Path,
        on_event: &(dyn Fn(HubEvent) + Send + Sync),
    ) -> Result<(ModelKind, Vec<ModelFile>)> {
        on_event(HubEvent::Found {
            files: listing.files.len(),
            bytes: listing.files.iter().map(|file| file.size).sum(),
        });
        let (mut kind, mut files) = (None, Vec::new());
        let mut before = 0;
        for file in &listing.files {
            let on_bytes = |bytes| {
                on_event(HubEvent::Received {
                    file: file.path.clone(),
                    bytes: before + bytes,
                });
            };
            let transfer = Transfer {
                requests: &self.requests,
                model: wanted.repository(),
                url: self.requests.file(wanted, &listing.revision, &file.path),
                file,
                target: folder.join(&file.path),
                on_bytes: &on_bytes,
            };
            files.push(transfer.run().await?);
            if file.path == CONFIG {
                kind = Some(kind_of(wanted, &folder.join(CONFIG))?);
            }
            before += file.size;
        }
        let kind = kind.ok_or_else(|| wanted.refused(format!("it has no `{CONFIG}`")))?;
        Ok((kind, files))
    }
}

/// Returns the model that is there, if it is of this revision and its files are as they were.
async fn kept(
    models: &AddedModels,
    wanted: &HubModel,
    there: Option<&AddedModel>,
    revision: &str,
) -> Result<Option<AddedModel>> {
    let same =
        |model: &&AddedModel| model.repository == wanted.repository() && model.revision == revision;
    let Some(model) = there.filter(same) else {
        return Ok(None);
    };
    let folder = models.path(wanted.name())?;
    if !download::is_intact(&folder, &model.files).await {
        return Ok(None);
    }
    let mut model = model.clone();
    if !wanted.prompts().is_empty() && model.prompts != *wanted.prompts() {
        model.prompts.clone_from(wanted.prompts());
        write_record(&folder, &model)?;
    }
    Ok(Some(model))
}

/// Waits until no other process adds the same model.
async fn lock(
    models: &AddedModels,
    name: &str,
    on_event: &(dyn Fn(HubEvent) + Send + Sync),
) -> Result<File> {
    let (path, file) = models.lock_file(name)?;
    let mut is_told = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(source)) => return Err(Error::Io { path, source }),
            Err(TryLockError::WouldBlock) => {
                if !std::mem::replace(&mut is_told, true) {
                    on_event(HubEvent::Waiting);
                }
                tokio::time::sleep(LOCK_INTERVAL).await;
            }
        }
    }
}

#[derive(Deserialize)]
struct Configuration {
    model_type: Option<String>,
    #[serde(default)]
    architectures: Vec<String>,
}

/// Reads what a model is for, and refuses one that cannot run here before the rest of it comes.
fn kind_of(wanted: &HubModel, path: &Path) -> Result<ModelKind> {
    let bytes = regular_file::read(path).map_err(|source| io(path, source))?;
    let read = serde_json::from_slice(&bytes);
    let configuration: Configuration =
        read.map_err(|error| wanted.refused(format!("its `{CONFIG}` cannot be read: {error}")))?;
    match configuration.model_type.as_deref() {
        Some("bert" | "roberta" | "xlm-roberta") => {}
        other => {
            let other = other.unwrap_or("none that is named");
            return Err(wanted.refused(format!(
                "its architecture is {other}; choose a model of the architecture bert, roberta or xlm-roberta"
            )));
        }
    }
    let mut names = configuration.architectures.iter();
    if names.any(|name| name.ends_with("ForSequenceClassification")) {
        return Ok(ModelKind::Reranker);
    }
    Ok(ModelKind::Embedder)
}

fn write_record(folder: &Path, model: &AddedModel) -> Result<()> {
    let (path, new) = (folder.join(RECORD), folder.join("model.json.new"));
    let text = serde_json::to_string_pretty(model).expect("names and numbers can be written");
    let write = || {
        fs::write(&new, text + "\n")?;
        File::open(&new)?.sync_all()?;
        fs::rename(&new, &path)
    };
    write().map_err(|source| io(&path, source))
}

/// Puts a complete folder where the model is looked for, in place of an earlier one.
fn install(folder: &Path, target: &Path, incoming: &Path) -> Result<()> {
    let old = incoming.join("old");
    if target.exists() {
        // What a process left there that was killed after it had put the new one in place.
        remove_folder(&old)?;
    }
    let moved = match fs::rename(target, &old) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => fs::rename(folder, target),
    };
    moved.map_err(|source| io(target, source))?;
    remove_folder(incoming)
}

fn io(path: &Path, source: std::io::Error) -> Error {
    Error::Io {
        path: path.to_path_buf(),
        source,
    }
}
