//! Errors of models.

/// The error of every model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The name or the configuration of the model is not usable.
    #[error("the model `{model}` cannot be used: {reason}")]
    Configuration {
        /// The model as it was named.
        model: String,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// The model was too busy, or its answer was cut off; a retry may succeed.
    #[error("the model `{model}` is not available now; try again later")]
    Unavailable {
        /// The model.
        model: String,
        /// What happened.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The server of the model cannot be reached, or does not answer in time; a retry may succeed.
    #[error("cannot reach the model server {address}: {reason}")]
    Unreachable {
        /// The model.
        model: String,
        /// The address of the server.
        address: String,
        /// What the operating system or TLS says.
        reason: String,
    },
    /// The model refused the request; a retry will fail again.
    #[error("the model `{model}` refused: {reason}")]
    Refused {
        /// The model.
        model: String,
        /// What it said.
        reason: String,
    },
    /// The hub has no such model, or not in that revision.
    #[error("cannot find the model `{model}`: {reason}")]
    NotFound {
        /// The model.
        model: String,
        /// What the hub said, and what to do.
        reason: String,
    },
    /// The hub does not give the model to everyone.
    #[error("the model `{model}` requires access: {reason}")]
    Forbidden {
        /// The model.
        model: String,
        /// What the hub said, and what to do.
        reason: String,
    },
    /// No model of this name was added.
    #[error("no model `{model}` was added, and there is no such folder")]
    NotAdded {
        /// The model as it was named.
        model: String,
    },
    /// A file of a model has the wrong content.
    #[error("the file `{file}` of the model `{model}` has the wrong hash or size: {reason}")]
    Damaged {
        /// The model.
        model: String,
        /// The file.
        file: String,
        /// The expected and the actual content, and what to do.
        reason: String,
    },
    /// A file or folder of models cannot be read or written.
    #[error("cannot use `{}`; check free space and permissions", path.display())]
    Io {
        /// The file or folder.
        path: std::path::PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The application's own model failed.
    #[error("the model `{model}` failed")]
    Failed {
        /// The model.
        model: String,
        /// What it said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The answer of the model cannot be read.
    #[error("the model `{model}` gave an answer that cannot be read: {reason}")]
    Answer {
        /// The model.
        model: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Error {
    /// Returns whether a retry may succeed.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::Unreachable { .. })
    }
}

/// The result of every model.
pub type Result<T, E = Error> = std::result::Result<T, E>;
