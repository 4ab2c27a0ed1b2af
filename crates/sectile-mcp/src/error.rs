//! Errors of serving. Errors in tools are answers to the client.

/// The error of serving.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The connection broke.
    #[error("the connection to the client broke")]
    Connection {
        /// What happened.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl Error {
    pub(crate) fn connection(source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Connection {
            source: Box::new(source),
        }
    }
}

/// The result of serving.
pub type Result<T, E = Error> = std::result::Result<T, E>;
