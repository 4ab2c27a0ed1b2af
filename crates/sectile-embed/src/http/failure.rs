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

impl Failure {
    /// Makes the failure of a connection: there is none, or it broke.
    pub(crate) fn of_connection(address: String, error: &reqwest::Error) -> Self {
        let reason = root_cause(error);
        let source = if error.is_connect() || error.is_timeout() {
            Trouble::Unreachable { address, reason }
        } else {
            Trouble::BrokenOff { address, reason }
        };
        Self::Passing { source, wait: None }
    }
}

impl Trouble {
    /// Makes the error of a model that nothing is tried again for.
    pub(crate) fn into_error(self, model: &str) -> Error {
        let model = model.to_owned();
        match self {
            Self::Unreachable { address, reason } => Error::Unreachable {
                model,
                address,
                reason,
            },
            trouble => Error::Unavailable {
                model,
                source: trouble.into(),
            },
        }
    }
}

/// Returns what is at the bottom of an error, such as `connection refused`; the layers above it say less.
fn root_cause(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "no answer in time".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let said = cause.to_string();
    // The number of an error of the operating system says nothing to a user.
    let said = said.split(" (os error ").next().unwrap_or(&said);
    match said.split_at_checked(1) {
        Some((first, rest)) => first.to_lowercase() + rest,
        None => said.to_owned(),
    }
}

/// What happened to a request that may succeed later.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    #[error("cannot reach {address}: {reason}")]
    Unreachable { address: String, reason: String },
    #[error("no complete answer from {address}: {reason}")]
    BrokenOff { address: String, reason: String },
    #[error("{address} answered with status {status}: {message}")]
    Status {
        address: String,
        status: StatusCode,
        message: String,
    },
}
