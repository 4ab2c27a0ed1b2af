//! Why a request failed.

use std::time::Duration;

use reqwest::StatusCode;

use crate::Error;

/// Why one attempt failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The next attempt may succeed.
    Passing {
        /// What happened.
        source: Trouble,
        /// How long the server asks to wait.
        wait: Option<Duration>,
    },
    /// The next attempt fails as well.
    Final(Error),
}

/// What happened to a request that may succeed later.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    #[error("no complete answer from {address}")]
    Transport {
        address: String,
        source: reqwest::Error,
    },
    #[error("{address} answered with status {status}: {message}")]
    Status {
        address: String,
        status: StatusCode,
        message: String,
    },
}
